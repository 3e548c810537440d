"""Static functions: what `to_static` makes of a function, and what a call of it does.

`static_function` looks a call up (`signature`, `declared`, `program_cache`, and `tracing/guards.py` for what is read from outside),
has the room `program` trace a Program where there is none, and runs it, or Python (`graph_break`, `call_split`). `methods` keeps
the static methods of objects. Sizes that vary: `relax`, `all_sizes`. What people current_flags at: `inspection`, `explain`.

New kinds of arguments are for `signature`; what a trace does with values is for `lower`, not for this room.
"""
