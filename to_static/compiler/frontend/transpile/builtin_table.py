"""The table of builtins that must handle tensors.

A call of the builtin ``NAME`` becomes ``_jst.NAME``, which is the function ``NAME_`` of the module of `jst` that the row names
(`jst.calls.builtin_overrides` looks it up). ``words`` is what `to_static convert --explain` says of such a call. To add a builtin,
write the function and add a row.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Builtin:
    """A row of the table: the module of `jst` with the function, and a text that says what a call becomes."""

    module: str
    words: str = "also of what only the Program knows"


BUILTINS: dict[str, Builtin] = {
    "print": Builtin("control.assertions", "prints at every run, tensors with their numbers"),
    "len": Builtin("values.number", "the length, known when the Program runs if the dimension is not known now"),
    "int": Builtin("values.number", "an int known when the Program runs, if the value is a tensor"),
    "float": Builtin("values.number", "a float known when the Program runs, if the value is a tensor"),
    "bool": Builtin("values.number", "a bool known when the Program runs, if the value is a tensor"),
    "range": Builtin("iteration.ranges", "a range that a loop of the Program can run over, if a bound is a tensor"),
    "enumerate": Builtin("iteration.iterate"),
    "zip": Builtin("iteration.iterate"),
    "reversed": Builtin("iteration.iterate"),
    "map": Builtin("calls.map_filter"),
    "filter": Builtin("calls.map_filter"),
    "sorted": Builtin("calls.reductions"),
    "any": Builtin("calls.reductions"),
    "all": Builtin("calls.reductions"),
    "max": Builtin("calls.reductions"),
    "min": Builtin("calls.reductions"),
    "sum": Builtin("calls.reductions"),
    "isinstance": Builtin(
        "calls.predicates", "isinstance, which takes numbers and lists of the Program for the Python values they stand for"
    ),
    "type": Builtin("calls.predicates", "type, which takes numbers and lists of the Program for the Python values they stand for"),
    "str": Builtin("values.text"),
    "repr": Builtin("values.text"),
    "format": Builtin("values.text"),
    "list": Builtin("calls.containers"),
    "tuple": Builtin("calls.containers"),
    "dict": Builtin("calls.containers"),
    "set": Builtin("calls.containers"),
}
