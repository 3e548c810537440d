"""Static functions: what `to_static` returns, and what a call of it does.

`static_function` has the steps of a call: `signature` binds the arguments, `program_cache` finds the Program, and
`tracing/guards.py` checks that the values which its trace read are the same. If there is no Program, `compilation` traces one
with the modules of `program`. If the function cannot be traced, `graph_breaks` runs the call in Python, and
`callee_compilation` keeps the functions that it calls static. `inspection` and `explain` make the texts for users.

Code for new kinds of arguments belongs to `signature`; what a trace does with values belongs to `jst`.
"""
