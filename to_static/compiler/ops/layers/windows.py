"""Sliding windows of convolution, pooling and unfolding: padding rules, output sizes and strided views.

Arrays here are channel-first, ``(N, C, *spatial)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import ArgumentError, ShapeError

Pads = list[tuple[int, int]]  # zeros before and after, by spatial dimension
_FORMATS = {1: ("NCL", "NLC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}


def channel_last(data_format: str, n: int, name: str) -> bool:
    """True for a format such as 'NHWC'. Raises ValueError for a format that ``n`` spatial dimensions do not have."""
    if data_format not in _FORMATS[n]:
        raise ArgumentError(f"{name}: data_format must be {' or '.join(map(repr, _FORMATS[n]))}, got {data_format!r}")
    return data_format[-1] == "C"


def padding_attrs(padding: Any, n: int, last: bool, name: str) -> tuple[list[int], str]:
    """Paddle's forms of padding as (``paddings`` of n or 2n integers, ``padding_algorithm``).

    An integer, n integers, 2n integers (before and after each spatial dimension), n + 2 pairs (one per dimension, those
    of batch and channel zero) or n pairs, 'SAME' or 'VALID'. Raises ShapeError or ValueError for anything else.
    """
    if isinstance(padding, str):
        algorithm = padding.upper()
        if algorithm not in ("SAME", "VALID"):
            raise ArgumentError(f"{name}: padding must be numbers, 'SAME' or 'VALID', got {padding!r}")
        return [0] * n, algorithm
    if isinstance(padding, (int, np.integer)):
        return [int(padding)] * n, "EXPLICIT"
    items = list(padding)
    if items and isinstance(items[0], (list, tuple)):
        if len(items) == n + 2:
            outer = [items[0], items[-1 if last else 1]]
            if any(int(v) for pair in outer for v in pair):
                raise ShapeError(f"{name}: batch and channel can't be padded, got {padding!r}")
            items = items[1:-1] if last else items[2:]
        items = [v for pair in items for v in pair]
    elif len(items) == 1:
        items = items * n
    if len(items) not in (n, 2 * n):
        raise ShapeError(f"{name}: expected 1, {n} or {2 * n} padding values, got {padding!r}")
    values = [int(v) for v in items]
    if min(values) < 0:
        raise ShapeError(f"{name}: padding must not be negative, got {padding!r}")
    if len(values) == 2 * n and values[::2] == values[1::2]:
        values = values[::2]
    return values, "EXPLICIT"


def resolve(
    padding: Sequence[int], algorithm: str, sizes: Sequence[int], kernel: Sequence[int], stride: Sequence[int]
) -> Pads:
    """Padding before and after each dimension, given the attributes and the spatial ``sizes``."""
    if algorithm == "VALID":
        return [(0, 0)] * len(sizes)
    if algorithm == "SAME":
        totals = [max((-(-i // s) - 1) * s + k - i, 0) for i, k, s in zip(sizes, kernel, stride, strict=True)]
        return [(t // 2, t - t // 2) for t in totals]
    if len(padding) == len(sizes):
        return [(p, p) for p in padding]
    return list(zip(padding[::2], padding[1::2], strict=True))


def output_sizes(
    sizes: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    dilation: Sequence[int],
    padding: Sequence[int],
    algorithm: str,
    ceil_mode: bool = False,
) -> list[int]:
    """Count the windows along each spatial dimension (-1 where the size is -1, 0 where none fits).

    As Paddle divides, a window that is larger than the image by less than a stride still counts: what it lacks is padding.
    """
    pads = resolve(padding, algorithm, sizes, kernel, stride)
    spatial = []
    for i, k, s, d, (pad_before, pad_after) in zip(sizes, kernel, stride, dilation, pads, strict=True):
        if i == UNKNOWN or k == UNKNOWN:
            spatial.append(UNKNOWN)
        elif algorithm == "SAME":
            spatial.append(-(-i // s))
        else:
            room = i + pad_before + pad_after - (d * (k - 1) + 1)
            steps = room + s - 1 if ceil_mode else room
            spatial.append(max((-(-steps // s) if steps < 0 else steps // s) + 1, 0))
    return spatial


def check_window(name: str, sizes: Sequence[int], **settings: Sequence[int]) -> None:
    """Raise ShapeError when a kernel, stride or dilation is not positive, or no window fits (an output size below 1)."""
    for what, values in settings.items():
        if any(v < 1 and v != UNKNOWN for v in values):
            raise ShapeError(f"{name}: {what} must be positive, got {list(values)}")
    if any(s < 1 and s != UNKNOWN for s in sizes):
        raise ShapeError(f"{name}: the input is smaller than the window: the output would have spatial size {list(sizes)}")


def pad(xp: ArrayModule, x: Array, pads: Pads, value: float = 0.0) -> Array:
    """``x`` with its trailing dimensions padded by ``value``; itself when there is nothing to pad."""
    if not any(b or a for b, a in pads):
        return x
    lead = x.ndim - len(pads)
    shape = x.shape[:lead] + tuple(i + b + a for i, (b, a) in zip(x.shape[lead:], pads, strict=True))
    padded = xp.full(shape, value, x.dtype) if value else xp.zeros(shape, x.dtype)
    crop(padded, pads, x.shape[lead:])[...] = x
    return padded


def crop(x: Any, pads: Pads, sizes: Sequence[int]) -> Any:
    """The view of ``sizes`` that `pad` surrounded."""
    inner = (..., *(slice(b, b + i) for i, (b, _) in zip(sizes, pads, strict=True)))
    return x[inner]


def view(
    xp: ArrayModule,
    x: Array,
    kernel: Sequence[int],
    stride: Sequence[int],
    dilation: Sequence[int],
    outs: Sequence[int],
) -> Array:
    """All windows of an already padded ``x`` without copying: ``(N, C, *kernel, *outs)``."""
    lead = x.ndim - len(kernel)
    steps = x.strides[lead:]
    strides = (
        *x.strides[:lead],
        *(a * d for a, d in zip(steps, dilation, strict=True)),
        *(a * s for a, s in zip(steps, stride, strict=True)),
    )
    return xp.lib.stride_tricks.as_strided(x, (*x.shape[:lead], *kernel, *outs), strides)


def offsets(kernel: Sequence[int]) -> list[tuple[int, ...]]:
    """Every position inside a window, in row-major order."""
    return list(np.ndindex(*kernel))


def slices(
    offset: Sequence[int], stride: Sequence[int], dilation: Sequence[int], outs: Sequence[int]
) -> tuple[Any, ...]:
    """Index of the elements of a padded array that stand at ``offset`` of each window."""
    return (
        ...,
        *(
            slice(o * d, o * d + s * (n - 1) + 1, s)
            for o, s, d, n in zip(offset, stride, dilation, outs, strict=True)
        ),
    )


def spatial(shape: Sequence[int], last: bool) -> tuple[int, ...]:
    """The spatial dimensions of a shape."""
    return tuple(shape[1:-1] if last else shape[2:])


def with_spatial(batch: int, channels: int, sizes: Sequence[int], last: bool) -> tuple[int, ...]:
    """A shape from its parts."""
    return (batch, *sizes, channels) if last else (batch, channels, *sizes)


def need_ndim(x: TensorSpec, n: int, name: str) -> None:
    """Raise ShapeError when a spec does not have ``n`` spatial dimensions beside batch and channel."""
    if x.ndim != n + 2:
        one = ", `x.unsqueeze(0)` for a single one" if x.ndim == n + 1 else ""
        wanted = f"expected an input of {n + 2} dimensions, batch and channels among them{one}"
        raise ShapeError(f"{name}: {wanted}, got {show(x.shape)}")
