"""Leaves of the gradient graph in a Program. `autodiff` and the tracing of gradients call this module.

A tensor that is changed without recording gradients (under `no_grad`, or through a view) keeps its place in the graph:
``as_leaf(new, old)`` has the value ``new``, and its gradient is that of ``old``.
"""

from __future__ import annotations

from typing import cast

from to_static.compiler.ir.program import Var


def differentiated(value: Var) -> Var:
    """Return the value to which a gradient of ``value`` belongs: itself, or the value before changes without gradients."""
    while value.op is not None and value.op.name == "as_leaf":
        value = cast(Var, value.op.inputs[1])
    return value


def leaf_of(value: Var) -> Var | None:
    """Return the leaf that a value is, also after changes without gradients; None for a value that is computed with gradients."""
    value = differentiated(value)
    if value.op is None:
        return value
    return value if not value.stop_gradient and all(v.stop_gradient for v in value.op.operands()) else None
