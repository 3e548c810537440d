"""Static functions: what `to_static` makes of a function, and what a call of it does.

`static_function` looks a call up: `signature` binds arguments, `input_spec_binding` the specs that the user gives, `program_cache`
keeps Programs, and `tracing/guards.py` says what was read from outside. Where there is no Program, `compilation` traces one with
the room `program`, and `graph_breaks` has Python run what has no static form, with `callee_compilation` for its callees.
`bound_methods` keeps the static methods of objects. `dynamic_shapes` makes a size unknown that varies. For people:
`inspection`, `explain`.

New kinds of arguments belong to `signature`; what a trace does with values belongs to `jst`, not to this room.
"""
