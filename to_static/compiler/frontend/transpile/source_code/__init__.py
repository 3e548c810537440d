"""Finds the syntax tree of a live function (`source`).

A text is used only if it compiles to the code of the function (`freshness`).
"""
