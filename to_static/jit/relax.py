"""Shapes that vary from call to call: after a few Programs that differ in the same dimensions only, one for all sizes.

Making the dimension unknown costs a little speed and changes what ``x.shape`` is while tracing, so it is only offered, with the
text to write, unless the flag TO_STATIC_DYNAMIC_SHAPES says to do it.
"""

from __future__ import annotations

from typing import Any

from to_static.core.flags import declare
from to_static.core.log import log, warn_once
from to_static.ir.input_spec import InputSpec
from to_static.ir.spec import UNKNOWN, TensorSpec

dynamic_shapes = declare(
    "TO_STATIC_DYNAMIC_SHAPES",
    0,
    "After how many Programs that differ in the same dimensions only a static function makes those dimensions unknown; 0: it "
    "only says so",
)
OFFER = 3  # Programs after which it is said


def varying(key: Any, known: Any, bound: Any, name: str) -> dict[int, InputSpec]:
    """Specs with unknown dimensions for a call that no Program fits, by leaf position; empty when there is no pattern."""
    shapes: dict[int, set[tuple[int, ...]]] = {i: {key[1][i][0].shape} for i in bound.tensors}
    count = 1
    for other in known:
        if other[0] == "specs" or not _alike(key, other):
            continue
        count += 1
        for i in bound.tensors:
            shapes[i].add(other[1][i][0].shape)
    wanted = dynamic_shapes.value
    if count < (wanted or OFFER):
        return {}
    specs = {}
    for i, seen in shapes.items():
        if len(seen) > 1:
            joined = [dims[0] if len(set(dims)) == 1 else UNKNOWN for dims in zip(*seen, strict=True)]
            leaf = bound.leaves[i]
            specs[i] = InputSpec(joined, leaf.dtype, bound.paths[i], leaf.stop_gradient)
    if not wanted:
        text = ", ".join(f"{s.name}: InputSpec({[None if d == UNKNOWN else d for d in s.shape]})" for s in specs.values())
        warn_once(
            f"shapes:{name}:{text}",
            f"{name} has made {count} Programs for calls that differ in shape only. One serves all of them with an input_spec "
            f"({text}), or set the flag {dynamic_shapes.name}={OFFER} to have that done",
        )
        return {}
    log(1, f"{name}: unknown dimensions from now on: {list(specs.values())}")
    return specs


def _alike(key: Any, other: Any) -> bool:
    """Whether two keys differ in nothing but the sizes of dimensions."""
    if key[0] != other[0] or key[2:] != other[2:] or len(key[1]) != len(other[1]):
        return False
    for a, b in zip(key[1], other[1], strict=True):
        if isinstance(a, tuple) and isinstance(a[0], TensorSpec):
            if not (isinstance(b, tuple) and isinstance(b[0], TensorSpec)) or a[1] != b[1]:
                return False
            if a[0].dtype is not b[0].dtype or a[0].ndim != b[0].ndim:
                return False
        elif a != b:
            return False
    return True
