"""Branches, loops, conditions and checks: Python's own where Python knows the condition, control operators where it does not.

`block` traces a body, `branch` and `while_loop` join what bodies leave, `merge_writes` what they write; `logic` has ``and`` and
``or``, `assertions` what is asserted and printed, `raising` errors of the Program, `dynamic_index` one of several by an index,
`names` names for messages. Nothing here knows kinds of values: what a kind can do is asked by `protocol`.
"""
