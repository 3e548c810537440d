"""`call_vjp` calls an operator's gradient rule. The eager tape and the static backward pass (`reverse`) use it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from to_static.compiler.ir.opdef import GradContext, OpDef
from to_static.compiler.ir.spec import ListSpec
from to_static.compiler.ops import functions as F
from to_static.core.errors import AutogradError

if TYPE_CHECKING:
    from to_static.compiler.ir.tensor import Tensor


def _is_complex(value: Tensor) -> bool:
    return value is not None and (dtype := value.dtype) is not None and dtype.kind == "c"


def _conjugate(value: Tensor) -> Any:
    return F.conj(value) if _is_complex(value) else value


def call_vjp(opdef: OpDef, context: GradContext, gouts: list[Any]) -> list[Any]:
    """Apply the gradient rule of an operator: return the gradients of all inputs, flat, from those of the outputs.

    None stands for a zero gradient of an output, and for an input without a gradient. A rule of several outputs gets zeros in
    place of None, except for auxiliary outputs.
    """
    rule = opdef.grad_rule
    if rule is None:
        raise AutogradError(
            f"operator {opdef.name!r} has no gradient; detach() its inputs, or set stop_gradient=True on them"
        )
    full = gouts
    if len(gouts) > 1 or gouts[0] is None:
        full = [
            zeros_for(out) if g is None and i not in opdef.auxiliary else g
            for i, (g, out) in enumerate(zip(gouts, context.outputs, strict=True))
        ]
    conjugated = False
    for g in full:
        if _is_complex(g):
            conjugated = "complex_gradient" not in opdef.traits
    # rules multiply by the derivative; the gradient of a complex function is multiplied by its conjugate
    grads = rule(context, *map(_conjugate, full)) if conjugated else rule(context, *full)
    if len(opdef.inputs) == 1:
        grads = (grads,)
    if conjugated and isinstance(grads, tuple):
        grads = tuple(list(map(_conjugate, g)) if isinstance(g, list) else _conjugate(g) for g in grads)
    if not isinstance(grads, tuple) or len(grads) != len(opdef.inputs):
        raise AutogradError(f"the gradient rule of {opdef.name!r} must return {len(opdef.inputs)} gradients")
    flat: list[Any] = []
    for slot, value, item in zip(opdef.inputs, context.inputs, grads, strict=True):
        if value is None:
            continue
        if slot.variadic:
            flat.extend(item if item is not None else [None] * len(value))
        else:
            flat.append(item)
    return flat


def zeros_for(value: Tensor) -> Any:
    """Return a zero gradient for a tensor, or for a list of tensors."""
    return (F.list_zeros if isinstance(value.spec, ListSpec) else F.zeros_like)(value)


def accumulate(total: Tensor | None, gradient: Tensor | None) -> Any:
    """Return the sum of two gradients, each of which may be None."""
    if total is None:
        return gradient
    return total if gradient is None else F.add(total, gradient)
