"""Syntax trees: made from text with holes (`template`), gone through (`visiting`), and targets taken apart (`targets`).

Node trees are built by `template` and nowhere else.
"""
