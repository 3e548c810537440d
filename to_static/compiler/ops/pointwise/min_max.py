"""The larger and the smaller of two tensors, elementwise: maximum, minimum, fmax, fmin."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.opdef import GradContext
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.pointwise.elementwise import both, declare, pairs


def _pick(compare: str) -> Any:
    # Where both are equal maximum and minimum send the whole gradient to y and fmax and fmin to x; those skip nan too.
    def grad(ctx: GradContext, g: Tensor) -> tuple[Tensor | None, ...]:
        x, y = ctx.inputs
        first = FUNCTIONS[compare](x, y)
        if "equal" in compare:
            first = F.logical_or(first, F.isnan(y))
        return both(
            ctx,
            lambda: F.where(first, g, F.zeros_like(g)),
            lambda: F.where(first, F.zeros_like(g), g),
        )

    return grad


def _declare(name: str, which: str, of_nan: str, first: str) -> Any:
    """One of the four; ``first``: the comparison that says that the gradient goes to the first operand."""
    doc = f"The {which} of ``x`` and ``y``, elementwise with broadcasting; nan {of_nan}."
    return declare(name, f"elementwise_{name.removesuffix('imum')}", name, doc, _pick(first), pairs(ints=True), True)


maximum = _declare("maximum", "larger", "wins", "greater_than")
minimum = _declare("minimum", "smaller", "wins", "less_than")
fmax = _declare("fmax", "larger", "loses", "greater_equal")
fmin = _declare("fmin", "smaller", "loses", "less_equal")
