"""Branches, loops, conditions and checks: Python's own if the condition is a Python value, control operators otherwise.

`block` traces a body. `branch` and `while_loop` join what bodies return, `merge_writes` joins what they write. `logic` has
``and`` and ``or``, `assertions` has ``assert`` and ``print``, `raising` has errors in a run, `dynamic_index` selects one of
several items, `variable_names` finds names for messages. No module here knows types of values; they use `protocol`.
"""
