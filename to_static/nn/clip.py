"""Gradient clipping: ClipGradByValue, ClipGradByNorm, ClipGradByGlobalNorm. An optimizer takes one as ``grad_clip``.

Written in operators without branches, so that the same code clips in eager mode and within a Program.
"""

from __future__ import annotations

from typing import Any

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir import mode
from to_static.compiler.ops import functions
from to_static.compiler.selected_rows.tensor import SelectedRows
from to_static.core.dtypes import float16, float32
from to_static.core.errors import AssertedError

Pairs = list[tuple[Any, Any]]  # (parameter, gradient)


class ClipGradBase:
    """Base class: called with pairs (parameter, gradient), returns them with clipped gradients.

    A pair without a gradient is left out; a parameter with ``need_clip=False`` keeps its gradient.
    """

    def __call__(self, params_grads: Pairs) -> Pairs:
        pairs = [(p, g) for p, g in params_grads if g is not None]
        with mode.grad_mode(False):
            clip_flags = [getattr(p, "need_clip", True) for p, _ in pairs]
            chosen = [g for (_, g), needs_clip in zip(pairs, clip_flags, strict=True) if needs_clip]
            rows = [isinstance(g, SelectedRows) and g.by_rows is not None and self._keeps_zero() for g in chosen]
            clipped = self._clip([EagerTensor(g.by_rows[1]) if is_rows else g for g, is_rows in zip(chosen, rows, strict=True)])
            clipped_grads = iter([g.like(c) if is_rows else c for g, c, is_rows in zip(chosen, clipped, rows, strict=True)])
            return [(p, next(clipped_grads) if needs_clip else g) for (p, g), needs_clip in zip(pairs, clip_flags, strict=True)]

    def _keeps_zero(self) -> bool:
        """Return whether rows of zeros stay zeros."""
        return True

    def _clip(self, grads: list[Any]) -> list[Any]:
        raise NotImplementedError(f"{type(self).__name__}._clip")


class ClipGradByValue(ClipGradBase):
    """Each element between ``min`` (default ``-max``) and ``max``.

    Raises AssertionError for a ``max`` that is not positive where ``min`` is not given.

    Example:
        >>> paddle.optimizer.SGD(0.1, net.parameters(), grad_clip=paddle.nn.ClipGradByValue(1.0))
    """

    def __init__(self, max: float, min: float | None = None) -> None:
        if min is None and max <= 0.0:
            raise AssertedError(f"ClipGradByValue: max must be positive when min is not given, got {max}")
        self.max = float(max)
        self.min = -self.max if min is None else float(min)

    def _keeps_zero(self) -> bool:
        return self.min <= 0 <= self.max

    def _clip(self, grads: list[Any]) -> list[Any]:
        return [functions.clip(g, self.min, self.max) for g in grads]

    def __str__(self) -> str:
        return f"Clip Gradient By Value, min = {self.min:f}, max={self.max:f}"


def _square_sum(grad: Any) -> Any:
    float32_grad = grad.astype(float32) if grad.dtype is float16 else grad  # squares overflow float16 soon
    return (float32_grad * float32_grad).sum()


def _scale(norm: Any, limit: float) -> Any:
    """``limit / norm`` where the norm is above the limit, exactly 1 elsewhere."""
    bound = functions.full_like(norm, limit)
    return bound / functions.maximum(norm, bound)


class ClipGradByNorm(ClipGradBase):
    """Each gradient scaled down to an L2 norm of at most ``clip_norm``; when called, ValueError unless that is positive.

    Example:
        >>> opt = paddle.optimizer.SGD(0.1, net.parameters(), grad_clip=paddle.nn.ClipGradByNorm(1.0))
    """

    def __init__(self, clip_norm: float) -> None:
        self.clip_norm = float(clip_norm)

    def _clip(self, grads: list[Any]) -> list[Any]:
        if self.clip_norm <= 0.0:
            raise ValueError(f"ClipGradByNorm: clip_norm must be positive, got {self.clip_norm}")
        return [g * _scale(_square_sum(g).sqrt(), self.clip_norm).astype(g.dtype) for g in grads]

    def __str__(self) -> str:
        return f"Gradient Clip By Norm, clip_norm={self.clip_norm:f}"


class ClipGradByGlobalNorm(ClipGradBase):
    """All gradients scaled by one factor, so that their L2 norm taken together is at most ``clip_norm``.

    ``group_name`` and ``auto_skip_clip`` are accepted as Paddle does; clipping by a factor of 1 changes nothing.

    Example:
        >>> opt = paddle.optimizer.SGD(0.1, net.parameters(), grad_clip=paddle.nn.ClipGradByGlobalNorm(1.0))
    """

    def __init__(self, clip_norm: float, group_name: str = "default_group", auto_skip_clip: bool = False) -> None:
        self.clip_norm = float(clip_norm)
        self.group_name = group_name
        self.auto_skip_clip = auto_skip_clip

    def _clip(self, grads: list[Any]) -> list[Any]:
        if not grads:
            return []
        squares = [_square_sum(g) for g in grads]
        sum_dtype = "float64" if any(s.dtype.name == "float64" for s in squares) else "float32"
        total = squares[0].astype(sum_dtype)
        for square in squares[1:]:
            total = total + square.astype(sum_dtype)
        factor = _scale(total.sqrt(), self.clip_norm)
        return [g * factor.astype(g.dtype) for g in grads]

    def __str__(self) -> str:
        return f"Gradient Clip By GlobalNorm, global_norm={self.clip_norm:f}"
