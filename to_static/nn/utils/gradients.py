"""Clipping the ``.grad`` of parameters in place: clip_grad_norm_, clip_grad_value_."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from to_static.compiler.ir import mode
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions


def _with_gradients(parameters: Any) -> list[Any]:
    every: Iterable[Any] = [parameters] if isinstance(parameters, Tensor) else parameters
    return [p for p in every if p.grad is not None]


def clip_grad_norm_(parameters: Any, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False) -> Any:
    """Scale the gradients of ``parameters`` (a tensor or several) so that their norm together is at most ``max_norm``.

    ``norm_type``: 2 by default; ``float('inf')`` takes the largest element. Returns the norm before clipping, a 0-D tensor.
    Raises RuntimeError for a norm that is not finite when ``error_if_nonfinite``.

    Example:
        >>> paddle.nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0)
    """
    max_norm, norm_type = float(max_norm), float(norm_type)
    if norm_type not in (0.0, 1.0, 2.0) and not math.isinf(norm_type):
        raise ValueError(f"clip_grad_norm_: norm_type must be 0, 1, 2 or inf, got {norm_type}")
    with_grad = _with_gradients(parameters)
    if not with_grad:
        return functions.to_tensor(0.0)
    with mode.grad_mode(False):
        parts = functions.stack([_norm(p.grad, norm_type) for p in with_grad])
        total = _norm(parts, norm_type)
        if error_if_nonfinite and not math.isfinite(float(total)):
            raise RuntimeError(f"clip_grad_norm_: expected a finite norm of the gradients, got {float(total)}")
        factor = functions.clip(max_norm / (total + 1e-6), None, 1.0)
        for p in with_grad:
            p.grad = p.grad * factor.astype(p.grad.dtype)
    return total


def _norm(x: Any, order: float) -> Any:
    if math.isinf(order):
        return x.abs().max() if order > 0 else x.abs().min()
    if order == 0.0:
        return (x != 0).astype(x.dtype).sum()
    return x.abs().sum() if order == 1.0 else (x * x).sum().sqrt()


def clip_grad_value_(parameters: Any, clip_value: float) -> None:
    """Bring every element of the gradients of ``parameters`` between ``-clip_value`` and ``clip_value``.

    ``parameters``: a parameter or several. Raises ValueError for a negative ``clip_value``.

    Example:
        >>> net(x).sum().backward()
        >>> paddle.nn.utils.clip_grad_value_(net.parameters(), 0.5)
        >>> float(net.weight.grad.max()) <= 0.5
        True
    """
    limit = float(clip_value)
    if limit < 0:
        raise ValueError(f"clip_grad_value_: clip_value must not be negative, got {clip_value}")
    with mode.grad_mode(False):
        for p in _with_gradients(parameters):
            p.grad = functions.clip(p.grad, -limit, limit)
