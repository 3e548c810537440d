"""Functions of sequence operators, on tensors with offsets (`ops.sequence.offsets`).

Each computes row indices from offsets (`ops.sequence.lod`) and gathers, adds or multiplies these rows, so it has gradients.
Users call `static.nn`; readers of Paddle 1's files call these functions for the types of its operators.
"""

from __future__ import annotations

import math
from typing import Any

from to_static.compiler.ir import mode
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.graph.graph import segment_extreme
from to_static.compiler.ops.indexing.gather import gather, scatter_nd_add
from to_static.compiler.ops.indexing.where import where
from to_static.compiler.ops.sequence import offsets as lod
from to_static.compiler.ops.sequence.lod import sequence_rows
from to_static.compiler.ops.shapes.concat_split import concat, stack
from to_static.compiler.ops.shapes.create import full, full_like, zeros
from to_static.compiler.ops.shapes.sizes import shape
from to_static.core.errors import ShapeError


def rows_by(rule: str, tensors: list[Any], *rule_args: int) -> tuple[Any, Any]:
    """Numbers of rows and the offsets of the result, by a rule of `sequence_rows`."""
    return sequence_rows(tensors, rule, rule_args)  # type: ignore[no-any-return]


def gather_rows(x: Tensor, rows: Tensor, fill: float | Tensor = 0.0) -> Any:
    """Rows of ``x``; the one after the last is ``fill``."""
    padding = full([1, *x.spec.shape[1:]], 0, x.dtype) + fill
    return gather(concat([x, padding.astype(x.dtype)], 0), rows, 0)


def windowed(x: Tensor, rows: Tensor, length: int, fill: float | Tensor = 0.0) -> Any:
    """[rows, length, ...]: for each row of numbers the rows of ``x``."""
    return gather_rows(x, rows.reshape([-1]), fill).reshape([-1, length, *x.spec.shape[1:]])


def _columns(rows: Tensor, x: Tensor) -> Any:
    """A vector that multiplies rows of ``x``."""
    return rows.astype(x.dtype).reshape([-1] + [1] * (x.spec.ndim - 1))


def summed_by(x: Tensor, ids: Tensor, lengths: Tensor) -> Any:
    """The sums of the rows of ``x`` that have the same number in ``ids``, one for each of ``lengths``."""
    count = shape(lengths)[0]
    return scatter_nd_add(zeros([count, *x.spec.shape[1:]], x.dtype), ids.unsqueeze(-1), x)


def _largest(x: Tensor, ids: Tensor, lengths: Tensor) -> Any:
    return segment_extreme(x, ids, shape(lengths)[0].astype("int64"), True)


def _width(x: Tensor, name: str) -> int:
    width: int = x.spec.shape[-1]
    if x.spec.ndim != 2 or width == UNKNOWN:
        raise ShapeError(f"{name}: the input must be [rows, D] of a known D, it is {x.spec}")
    return width


def sequence_pool(x: Tensor, pool_type: str, pad_value: float = 0.0) -> Any:
    """One row for each sequence: 'average', 'sum', 'sqrt', 'max', 'first' or 'last'."""
    offsets, level = lod.offsets_of(x, "sequence_pool"), max(lod.level_of(x) - 1, 0)
    if pool_type in ("first", "last"):
        rows, above = rows_by(pool_type, [offsets])
        return lod.give(gather_rows(x, rows, pad_value), above, level)
    if pool_type not in ("average", "sum", "sqrt", "max"):
        raise ValueError(f"sequence_pool: pool_type is average, sum, sqrt, max, first or last, got {pool_type!r}")
    ids, above = rows_by("ids", [offsets])
    lengths, _ = rows_by("lengths", [offsets])
    weight = _columns(lengths, x)
    if pool_type == "max":
        result = _largest(x, ids, lengths)
    else:
        result = summed_by(x, ids, lengths)
        if pool_type != "sum":
            result = result / (weight if pool_type == "average" else weight.sqrt()).clip(1)
    result = where(weight.astype("bool").expand_as(result), result, full_like(result, pad_value))
    return lod.give(result, above, level)


def sequence_softmax(x: Tensor) -> Any:
    """The softmax over the rows of each sequence; ``x``: [rows] or [rows, 1]."""
    offsets = lod.offsets_of(x, "sequence_softmax")
    ids, _ = rows_by("ids", [offsets])
    lengths, _ = rows_by("lengths", [offsets])
    with mode.grad_mode(False):
        maxima = gather(_largest(x, ids, lengths), ids, 0)
    powers = (x - maxima).exp()
    result = powers / gather(summed_by(powers, ids, lengths), ids, 0)
    return lod.give(result, offsets, lod.level_of(x))


def sequence_concat(tensors: list[Any]) -> Any:
    """The first sequences of all tensors one after the other, then the second ones, ..."""
    rows, offsets = rows_by("concat", [lod.offsets_of(x, "sequence_concat") for x in tensors])
    result = gather(concat(list(tensors), 0), rows, 0)
    return lod.give(result, offsets, max(lod.level_of(x) for x in tensors))


def sequence_slice(x: Tensor, offset: Tensor, length: Tensor) -> Any:
    """``length`` rows of each sequence from ``offset`` on: integers, a number for each sequence."""
    tensors = [lod.offsets_of(x, "sequence_slice"), offset.astype("int64"), length.astype("int64")]
    rows, offsets = rows_by("slice", tensors)
    return lod.give(gather(x, rows, 0), offsets, 0)  # Paddle declares none, and gives some


def sequence_expand(x: Tensor, y: Tensor, ref_level: int = -1) -> Any:
    """Each sequence of ``x`` (each row, where that has no offsets) as often as one of ``y`` has parts at ``ref_level``."""
    offsets = lod.offsets_or_none(x)
    tensors = [offsets, lod.offsets_of(y, "sequence_expand"), shape(x)[0:1].astype("int64")]
    rows, offsets = rows_by("expand", tensors, ref_level)
    return lod.give(gather(x, rows, 0), offsets, lod.level_of(x))


def sequence_expand_as(x: Tensor, y: Tensor) -> Any:
    """Each row of ``x`` as often as the sequence of ``y`` of that number has rows."""
    rows, offsets = rows_by("expand_as", [lod.offsets_of(y, "sequence_expand_as"), shape(x)[0:1].astype("int64")])
    return lod.give(gather(x, rows, 0), offsets, lod.level_of(y))


def sequence_pad(x: Tensor, pad_value: Tensor, longest: int = -1) -> tuple[Any, Any]:
    """(the sequences as rows of one tensor [sequences, longest, ...], their lengths)."""
    offsets = lod.offsets_of(x, "sequence_pad")
    rows, _ = rows_by("pad", [offsets], longest)
    lengths, _ = rows_by("lengths", [offsets])
    count, long = shape(rows)[0], longest if longest >= 0 else shape(rows)[1]
    # a tensor of one dimension becomes one of three: a step is a row of one number
    padded = gather_rows(x, rows.reshape([-1]), pad_value.detach()).reshape([count, long, *(x.spec.shape[1:] or [1])])
    return lod.without(padded), lod.without(lengths)


def sequence_unpad(x: Tensor, length: Tensor) -> Any:
    """The sequences of a padded tensor [sequences, longest, ...], of which the first ``length`` steps count."""
    rows, offsets = rows_by("unpad", [length.astype("int64"), shape(x)[1:2].astype("int64")])
    flat = x.reshape([-1, *x.spec.shape[2:]])
    return lod.give(gather(flat, rows, 0), offsets, 1)


def sequence_reshape(x: Tensor, new_dim: int) -> Any:
    """Rows of ``new_dim`` numbers, in the same order; ``x``: [rows, D]."""
    width = _width(x, "sequence_reshape")
    _, offsets = rows_by("reshape", [lod.offsets_of(x, "sequence_reshape")], width, new_dim)
    return lod.give(x.reshape([-1, new_dim]), offsets, lod.level_of(x))


def sequence_scatter(x: Tensor, index: Tensor, updates: Tensor) -> Any:
    """``x`` with ``updates`` added: those of sequence i to row i, at the positions in it that ``index`` says."""
    ids, _ = rows_by("ids", [lod.offsets_of(index, "sequence_scatter")])
    position = stack([ids, index.astype("int64").reshape([-1])], 1)
    flat = x.reshape([-1, math.prod(x.spec.shape[1:])])
    result = scatter_nd_add(flat, position, updates.reshape([-1])).reshape([-1, *x.spec.shape[1:]])
    return lod.without(result)


def sequence_enumerate(x: Tensor, win_size: int, pad_value: int = 0) -> Any:
    """[rows, win_size]: each number with those after it in its sequence, then ``pad_value``."""
    offsets = lod.offsets_of(x, "sequence_enumerate")
    rows, _ = rows_by("windows", [offsets], 0, win_size)
    windows = windowed(x.reshape([-1]), rows, win_size, pad_value)
    return lod.give(windows.detach(), offsets, lod.level_of(x))


def sequence_erase(x: Tensor, tokens: list[int]) -> Any:
    """Sequences of integers without those that are ``tokens``."""
    offsets = lod.offsets_of(x, "sequence_erase")
    rows, offsets = rows_by("erase", [offsets, x.astype("int64")], *tokens)
    return lod.give(gather(x, rows, 0), offsets, lod.level_of(x))


def sequence_reverse(x: Tensor) -> Any:
    """The rows of each sequence from last to first."""
    rows, offsets = rows_by("reverse", [lod.offsets_of(x, "sequence_reverse")])
    return lod.give(gather(x, rows, 0), offsets, lod.level_of(x))


def sequence_conv(x: Tensor, weight: Tensor, start: int, length: int) -> Any:
    """A convolution over the steps of each sequence: ``weight`` is [length * D, filters], the first step that it sees ``start``."""
    width = _width(x, "sequence_conv")
    offsets = lod.offsets_of(x, "sequence_conv")
    rows, _ = rows_by("windows", [offsets], start, length)
    result = windowed(x, rows, length).reshape([-1, length * width]) @ weight
    return lod.give(result, offsets, lod.level_of(x))


def row_conv(x: Tensor, weight: Tensor, count: int) -> Any:
    """Each step as a sum of itself and those after it in its sequence, with the ``count`` rows of ``weight``."""
    offsets = lod.offsets_of(x, "row_conv")
    rows, _ = rows_by("windows", [offsets], 0, count)
    return lod.give((windowed(x, rows, count) * weight).sum(1), offsets, lod.level_of(x))


def row_conv_of_batch(x: Tensor, weight: Tensor, count: int) -> Any:
    """The same of a padded tensor [batch, time, D]."""
    padded = F.pad(x, [0, 0, 0, count - 1, 0, 0])
    total = None
    for first in range(count):
        part = padded[:, first : first - count + 1 or None] * weight[first]
        total = part if total is None else total + part
    return total
