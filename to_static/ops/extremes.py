"""The larger and the smaller of two tensors, elementwise: maximum, minimum, fmax, fmin."""

from __future__ import annotations

from typing import Any

from to_static.ir.registry import FUNCTIONS
from to_static.ops.elementwise import both, declare, pairs


def _pick(compare: str) -> Any:
    # Where both are equal maximum and minimum send the whole gradient to y and fmax and fmin to x; those skip nan too.
    def grad(ctx: Any, g: Any) -> Any:
        x, y = ctx.inputs
        first = FUNCTIONS[compare](x, y)
        if "equal" in compare:
            first = FUNCTIONS["logical_or"](first, FUNCTIONS["isnan"](y))
        return both(
            ctx,
            lambda: FUNCTIONS["where"](first, g, FUNCTIONS["zeros_like"](g)),
            lambda: FUNCTIONS["where"](first, FUNCTIONS["zeros_like"](g), g),
        )

    return grad


maximum = declare(
    "maximum", "elementwise_max", "maximum", "The larger of ``x`` and ``y``, elementwise with broadcasting; nan wins.",
    _pick("greater_than"), pairs(ints=True), True,
)  # fmt: skip
minimum = declare(
    "minimum", "elementwise_min", "minimum", "The smaller of ``x`` and ``y``, elementwise with broadcasting; nan wins.",
    _pick("less_than"), pairs(ints=True), True,
)  # fmt: skip
fmax = declare(
    "fmax", "elementwise_fmax", "fmax", "The larger of ``x`` and ``y``, elementwise with broadcasting; nan loses.",
    _pick("greater_equal"), pairs(ints=True), True,
)  # fmt: skip
fmin = declare(
    "fmin", "elementwise_fmin", "fmin", "The smaller of ``x`` and ``y``, elementwise with broadcasting; nan loses.",
    _pick("less_equal"), pairs(ints=True), True,
)  # fmt: skip
