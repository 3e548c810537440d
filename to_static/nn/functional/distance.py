"""Distances and similarities of vectors."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops import dtype_checks, functions


def cosine_similarity(x1: Any, x2: Any, axis: int = 1, eps: float = 1e-8) -> Any:
    """``sum(x1 * x2) / max(|x1| * |x2|, eps)`` along ``axis``.

    Example:
        >>> F.cosine_similarity(paddle.to_tensor([[3.0, 4.0]]), paddle.to_tensor([[4.0, 3.0]])).numpy()
        array([0.96], dtype=float32)
    """
    dtype_checks.need_one_dtype("cosine_similarity", x1, x2, promotable_kinds="fc")
    squares = (x1 * x1).sum(axis) * (x2 * x2).sum(axis)
    return (x1 * x2).sum(axis) / functions.sqrt(functions.clip(squares, min=eps * eps))


def pairwise_distance(
    x: Any, y: Any, p: float = 2.0, epsilon: float = 1e-6, keepdim: bool = False, name: Any = None
) -> Any:
    """The p-norm of ``x - y + epsilon`` along the last dimension.

    ``keepdim`` keeps that dimension with size 1.

    Example:
        >>> F.pairwise_distance(paddle.zeros([1, 2]), paddle.to_tensor([[3.0, 4.0]])).tolist()
        [4.999998569488525]
    """
    dtype_checks.need_one_dtype("pairwise_distance", x, y, promotable_kinds="fc")
    return functions.norm(x - y + epsilon, p, -1, keepdim)
