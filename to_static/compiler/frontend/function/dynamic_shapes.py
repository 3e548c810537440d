"""Sizes that vary from call to call: after a few Programs that differ only in some dimensions, one Program serves all sizes.

When the third size of a dimension appears, it becomes unknown (TO_STATIC_DYNAMIC_SHAPES sets the number; 0 switches this off).
If the function cannot be traced or differentiated with unknown sizes, each size gets its own Program.
"""

from __future__ import annotations

from typing import Any

from to_static.compiler.frontend.function.signature import Bound
from to_static.compiler.ir.input_spec import InputSpec
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.core.diagnostics.printable import printable
from to_static.core.flags import declare
from to_static.core.log import warn_once

dynamic_shapes = declare(
    "TO_STATIC_DYNAMIC_SHAPES",
    3,
    "With which size of a dimension (the third, say) a static function makes one Program in which that dimension is unknown, for "
    "this and all further sizes; 0: never, each size gets a Program of its own",
)


class AutomaticDynamic:
    """Decides which dimensions of the arguments of one static function become unknown."""

    def __init__(self) -> None:
        self._fixed: set[Any] = set()  # keys without sizes of calls that have no Program with dynamic sizes

    def specs(self, key: tuple[Any, ...], program_keys: Any, bound: Bound) -> dict[int, InputSpec]:
        """Return specs with unknown sizes for a call without a Program, by leaf position; empty if no size varies enough."""
        limit = dynamic_shapes.value
        if not limit or not bound.tensors or _key_without_sizes(key) in self._fixed:
            return {}
        same_kind = (
            k for k in program_keys if k[0] != "specs" and _key_without_sizes(key) == _key_without_sizes(k) and key[2:] == k[2:]
        )
        similar_keys = [key, *same_kind]
        specs = {}
        for i in bound.tensors:
            sizes = list(map(set, zip(*(similar_key[1][i][0].shape for similar_key in similar_keys), strict=True)))
            shape = [_size(size, past_sizes, limit) for size, past_sizes in zip(key[1][i][0].shape, sizes, strict=True)]
            if UNKNOWN in shape:
                leaf = bound.leaves[i]
                specs[i] = InputSpec(shape, leaf.dtype, bound.paths[i], leaf.stop_gradient)
        return specs

    def refuse(self, key: tuple[Any, ...], specs: dict[int, InputSpec], error: BaseException, name: str) -> None:
        """Make calls like this one never have dynamic sizes, because ``error`` was raised in the trace or run of such a Program."""
        self._fixed.add(_key_without_sizes(key))
        warn_once(
            f"shapes:{name}:{_spec_texts(specs)}",
            f"{name} makes a Program for each size of {_spec_texts(specs)}, which is slow if there are many. "
            f"One Program for all sizes is not possible: {(str(error) or type(error).__name__).splitlines()[0]}",
        )


def _size(size: int, past_sizes: set[int], limit: int) -> int:
    """Return the size of a dimension in a new Program: unknown if it has had ``limit`` sizes, else ``size``.

    Sizes 0 and 1 stay known, because such tensors are empty or broadcast.
    """
    return UNKNOWN if size > 1 and (UNKNOWN in past_sizes or len(past_sizes) >= limit) else size


def _spec_texts(specs: dict[int, InputSpec]) -> str:
    """The specs as a user writes them, for a message."""
    return ", ".join(f"{printable(s.name)}: InputSpec({[None if d == UNKNOWN else d for d in s.shape]})" for s in specs.values())


def _key_without_sizes(key: tuple[Any, ...]) -> Any:
    """The part of a key that is equal for calls that differ only in sizes and in values from outside."""
    return key[0], tuple((x[0].dtype, x[0].ndim, x[1]) if _is_tensor(x) else x for x in key[1])


def _is_tensor(leaf: Any) -> bool:
    """True if this part of a key is that of a tensor."""
    return isinstance(leaf, tuple) and isinstance(leaf[0], TensorSpec)
