"""Neighbours: the points of a sparse tensor ``[N, *size, C]`` under each place of a window. Convolution begins here."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from to_static.compiler.eager.sparse_tensor import SparseCooTensor, numbered
from to_static.compiler.ops.indexing.gather import gather
from to_static.compiler.ops.indexing.sort import searchsorted, unique
from to_static.compiler.ops.indexing.where import nonzero
from to_static.compiler.ops.pointwise.elementwise import floor_divide, remainder
from to_static.compiler.ops.shapes.concat_split import stack
from to_static.compiler.ops.shapes.create import cast
from to_static.core.dtypes import int64
from to_static.core.errors import ShapeError
from to_static.sparse.creation import need_sparse


def points(name: str, x: Any, n: int) -> SparseCooTensor:
    """``x``; raises ShapeError unless it is points in ``n`` dimensions, with their channels dense."""
    need_sparse(name, x, SparseCooTensor)
    if len(x.shape) != n + 2 or x.indices().shape[0] != n + 1:
        raise ShapeError(
            f"{name}: expected a sparse tensor [N, {'D, ' * (n > 2)}H, W, C] with a dense last dimension, got shape {x.shape} "
            f"with {x.indices().shape[0]} sparse dimensions; make it with x.to_sparse_coo({n + 1})"
        )
    return x  # type: ignore[no-any-return]


def under_windows(
    x: SparseCooTensor, kernel: Sequence[int], stride: Sequence[int], leading_pads: Sequence[int], dilation: Sequence[int],
    sizes: Sequence[int],
) -> Iterator[tuple[Any, Any]]:  # fmt: skip
    """Yield, for each offset in a window, the points at this offset and the flat index of each point's window (in [N, *sizes])."""
    batch, *spots = (cast(x.indices()[i], int64) for i in range(len(sizes) + 1))
    for offset in itertools.product(*map(range, kernel)):
        fits: Any = None
        outs = [batch]
        for spot, k, s, p, d, size in zip(spots, offset, stride, leading_pads, dilation, sizes, strict=True):
            start = spot + (p - k * d)
            out = floor_divide(start, s)
            is_inside = (start >= 0).logical_and(out < size).logical_and(remainder(start, s) == 0)
            fits = is_inside if fits is None else fits.logical_and(is_inside)
            outs.append(out)
        chosen = nonzero(fits).squeeze(-1)
        yield chosen, gather(numbered(stack(outs), [x.shape[0], *sizes]), chosen)


def around_points(x: SparseCooTensor, kernel: Sequence[int], dilation: Sequence[int]) -> Iterator[tuple[Any, Any]]:
    """Yield, for each offset in a window around a point, the neighbours at this offset and the points that have them."""
    sizes = x.shape[1:-1]
    batch, *spots = (cast(x.indices()[i], int64) for i in range(len(sizes) + 1))
    flat_indices, first = unique(x.flat_indices(), return_index=True)
    for offset in itertools.product(*map(range, kernel)):
        fits: Any = None
        neighbour_coords = [batch]
        for spot, k, width, d, size in zip(spots, offset, kernel, dilation, sizes, strict=True):
            at = spot + (k - width // 2) * d
            is_inside = (at >= 0).logical_and(at < size)
            fits = is_inside if fits is None else fits.logical_and(is_inside)
            neighbour_coords.append(at)
        inside = nonzero(fits).squeeze(-1)
        target_indices = gather(numbered(stack(neighbour_coords), x.sparse_sizes), inside)
        position = searchsorted(flat_indices, target_indices).clip(0, max(flat_indices.shape[0] - 1, 0))
        neighbours = nonzero(gather(flat_indices, position) == target_indices).squeeze(-1)
        yield gather(first, gather(position, neighbours)), gather(inside, neighbours)
