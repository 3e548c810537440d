"""Operators on matrices: products, factors, solutions."""
