"""One file for each type of value that branches join and loops carry: its `protocol.ValueSpec`, and functions that make such a
value.

Each module registers its type with `protocol`, and uses no branches and loops, which are built on this package. A type whose
operations need them belongs to `objects`.
"""
