"""Errors and warnings of code that a trace can't hold: leaked values, effects at trace time, long unrolled loops."""
