"""Operators that make one number of many: sums, norms, distances, statistics."""
