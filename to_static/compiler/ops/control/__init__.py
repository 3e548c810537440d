"""Operators that only Programs have, or that hold code, lists, graphs and sequences together."""
