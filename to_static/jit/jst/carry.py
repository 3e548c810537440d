"""`Carry`: how a loop carries one value."""

from __future__ import annotations

import functools
import types
from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.namespace import type_of
from to_static.ir.spec import TensorSpec
from to_static.jit.jst.alternatives import alternatives
from to_static.jit.jst.choice import Choice
from to_static.jit.jst.objects import is_object
from to_static.jit.jst.text import Text
from to_static.jit.jst.traced import DTYPES, failure, is_tensor
from to_static.jit.jst.trees import describe, is_tuple, parts

_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, functools.partial)


class Carry:
    """How a value is carried: as a Python number of type ``number``, or (None) as a tensor of ``dtype`` and ``shape``."""

    __slots__ = ("dtype", "number", "shape")

    def __init__(self, dtype: Any, shape: Any = (), number: type | None = None) -> None:
        self.dtype = dtype
        self.shape = shape
        self.number = number

    @staticmethod
    def numbers(kind: type) -> Carry:
        """A Python number of type ``kind``."""
        return Carry(DTYPES[kind], number=kind)


def not_carried(name: str, old: Any, new: Any, path: tuple[Any, ...], aliased: bool) -> Exception:
    """The refusal of a variable (or the part of it at ``path``) that becomes ``new`` in an iteration; ``aliased``: which has
    other names.
    """
    if all(isinstance(x, (str, Text)) for v in (old, new) for x in alternatives(v)):
        return failure(
            TranslationError,
            f"{name} is a string that becomes another in every iteration of a loop with a tensor condition, "
            "and the Program can only choose among a few",
            "carry a number that says which string it is, and look it up behind the loop: `WORDS[i]`",
        )
    variable, name = name, place(name, path)
    shapes = [x.spec for v in (old, new) for x in alternatives(v) if is_tensor(x) and isinstance(x.spec, TensorSpec)]
    if len({len(spec.shape) for spec in shapes}) > 3:
        few = ", then ".join(str(spec) for spec in sorted(shapes, key=lambda spec: len(spec.shape))[:2])
        return failure(
            TranslationError,
            f"{name} has another number of dimensions in every iteration ({few}, ...) of a loop that tensors end",
            f"keep the number of dimensions of {name} (`reshape`, `squeeze`), or loop over a Python `range(3)`",
        )
    held = [x for v in (old, new) for x in alternatives(v) if x is not None]
    kinds = {getattr(type(x), "stands_for", type_of(x)) for x in held}
    if aliased and kinds in ({list}, {dict}):
        kind = kinds.pop().__name__
        copied = f"{name} = {kind}(other)" if name.isidentifier() else f"{kind}(items)"
        return failure(
            TranslationError,
            f"{name} becomes a {kind} that has another name: a change behind the `for` or `while` would be one of both, and the "
            "Program has two",
            f"take a copy where it gets its second name, `{copied}`; or `break` out of the loop, and use (or return) it by its own "
            "name",
        )
    if all(isinstance(x, _FUNCTIONS) for x in held):
        return failure(
            TranslationError,
            f"{name} is another function after every iteration of a loop that tensors end",
            "one function that is given what changes, `y = f(x, i)`, or a list of them and an index, `y = functions[i](x)`",
        )
    if _depth(new) > 5 or (all(map(is_tuple, held)) and len(held) > 3):
        return failure(
            TranslationError,
            f"{variable} is built of more values after every iteration of a loop that tensors end",
            f"collect them in a list, `items.append(x)`, in place of `{variable}`; behind the loop they may become something else",
        )
    return failure(
        TranslationError,
        f"{name} is {describe(old)} before an iteration and {describe(new)} after it: a tensor loop can carry tensors, "
        "numbers, strings, None, and lists, dicts and objects whose structure does not change",
        f"give {name} its final structure before the loop (all keys of a dict, a tensor of the final shape)",
    )


def _depth(value: Any) -> int:
    """How many containers are in one another in a value, at most."""
    if type(value) is Choice:
        return max(map(_depth, value.options))
    inside = parts(value) if is_tuple(value) else vars(value).values() if is_object(value) else ()
    return 1 + max(map(_depth, inside), default=0)


def place(name: str, path: tuple[Any, ...]) -> str:
    """What the part of variable ``name`` at ``path`` is called."""
    return name + "".join(str(p) if str(p)[0] == "." else f"[{p!r}]" for p in path[1:] if p != "value")
