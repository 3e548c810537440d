"""Passes of every compiler: folding, common subexpressions, dead code, loop invariants, fixed shapes."""
