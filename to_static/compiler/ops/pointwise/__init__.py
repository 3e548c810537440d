"""Operators that compute each element by itself, of one tensor or of several that are broadcast."""
