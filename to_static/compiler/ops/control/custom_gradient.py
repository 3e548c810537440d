"""`custom_gradient`: returns existing values, with a gradient that a block computes (`autodiff.custom_vjp`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from to_static.compiler.ir.opdef import op
from to_static.compiler.ir.tensor import Tensor
from to_static.core.array_types import ArrayModule


@op("custom_gradient(Values!*, X*, Saved!* -> Out*) backward wanted", traits="forwards_inputs", file=None)
def custom_gradient(values: Sequence[Tensor], x: Sequence[Tensor], saved: Any, backward: Any, wanted: Any) -> Any:
    """Return ``values`` unchanged. Their gradients flow to ``x`` through the closed block ``backward``.

    The arguments of the block are one gradient for each value, then ``saved``. Its results are the gradients of ``x[i]`` for
    each index ``i`` in ``wanted``. A Program that is not differentiated any more drops the operator
    (`passes.simplify.strip_custom_gradients`).
    """
    return custom_gradient.emit(list(values), list(x), list(saved), backward=backward, wanted=wanted)


@custom_gradient.infer
def _(values: Any, x: Any, saved: Any, backward: Any, wanted: Any) -> Any:
    return list(values)


@custom_gradient.kernel
def _(xp: ArrayModule, values: Any, x: Any, saved: Any, backward: Any, wanted: Any) -> Any:
    return list(values)
