"""Syntax trees: `template` makes them from text with holes, `visiting` has visitors, `targets` splits assignment targets.

Node trees are built by `template` and nowhere else.
"""
