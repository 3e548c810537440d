"""Operators on sequences of different lengths in the rows of one tensor."""
