"""Branches, loops, conditions and checks: Python's own where Python knows the condition, control operators where it does not.

`block` traces a body, `branch` and `while_loop` join what bodies leave, `places` what they write, `raising` has errors of the
Program. Nothing here knows kinds of values: what a kind can do is asked by `protocol`.
"""
