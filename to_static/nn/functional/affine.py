"""Affine maps of vectors: `linear`, and `bilinear` of two vectors."""

from __future__ import annotations

import math
from typing import Any

from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ops import dtype_checks, functions
from to_static.compiler.ops.shape_rules import show
from to_static.core.errors import ShapeError


def linear(x: Any, weight: Any, bias: Any = None, name: Any = None) -> Any:
    """``x @ weight + bias`` for ``x`` ``[*, in]``, ``weight`` ``[in, out]``, ``bias`` ``[out]`` or None: ``[*, out]``.

    Raises ShapeError when the sizes do not fit.

    Example:
        >>> F.linear(paddle.ones([2, 3]), paddle.ones([3, 4])).shape
        [2, 4]
    """
    try:
        y = functions.matmul(x, weight)
    except ShapeError as error:
        raise _unlike(x.spec.shape, weight.spec.shape) or error from None
    if bias is None:
        return y
    if bias.dtype is not y.dtype:
        dtype_checks.need_one_dtype("linear", y, bias, promotable_kinds="fc")
    return functions.add(y, bias)


def _unlike(shape: tuple[int, ...], weight: tuple[int, ...]) -> ShapeError | None:
    """The error of a `Linear` that an input does not fit, and which one would; None for other reasons."""
    if len(weight) != 2 or not shape or UNKNOWN in (shape[-1], *weight) or shape[-1] == weight[0]:
        return None
    last, (in_features, out) = shape[-1], weight
    fits = f"nn.Linear({last}, {out}) fits this input"
    if UNKNOWN not in shape[1:] and math.prod(shape[1:]) == in_features:
        fits = "`paddle.flatten(x, 1)` of the input fits"
    elif last == out and len(shape) == 2:
        fits += "; for the transposed weight it is `x @ weight.T`"
    text = f"linear: the last dimension of the input {show(shape)} is {last}, but in_features is {in_features}"
    return ShapeError(f"{text} (weight {show(weight)}); {fits}")


def bilinear(x1: Any, x2: Any, weight: Any, bias: Any = None, name: Any = None) -> Any:
    """``x1 @ weight[k] @ x2 + bias[k]`` for every k: ``[N, out]``.

    ``x1``: ``[N, in1]``, ``x2``: ``[N, in2]``, ``weight``: ``[out, in1, in2]``, ``bias``: ``[1, out]`` or None.
    Raises ShapeError when the sizes do not fit.

    Example:
        >>> F.bilinear(paddle.ones([5, 2]), paddle.ones([5, 3]), paddle.ones([4, 2, 3])).shape
        [5, 4]
    """
    sizes = weight.spec.shape
    if x1.ndim != 2 or x2.ndim != 2 or len(sizes) != 3:
        raise ShapeError(
            f"bilinear: expected [N, in1], [N, in2] and a weight [out, in1, in2], got {show(x1.spec.shape)}, "
            f"{show(x2.spec.shape)} and {show(sizes)}"
        )
    dtype_checks.need_one_dtype("bilinear", x1, x2, weight, bias)
    matmul = functions.matmul
    left = matmul(x1, weight)  # [out, N, in2]
    y = functions.transpose((left * x2).sum(-1), [1, 0])
    return y if bias is None else y + bias
