"""Branches, loops, conditions and checks: Python's own where Python knows the condition, control operators where it does not."""
