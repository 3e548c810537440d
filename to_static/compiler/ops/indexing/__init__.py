"""Operators that look for places in a tensor, take what is there, or put something there."""
