"""Operators on sequences of different lengths, which lie one after the other in the rows of one tensor.

Where they begin is told by offsets (LoD), which come with what is fed: ``base.create_lod_tensor(data, [[2, 3]], place)``. Each of
these computes rows from offsets (`sequence.lod`) and gathers, adds or multiplies those; what they compute is PaddlePaddle's 2.6.
"""

from __future__ import annotations

import math
from typing import Any

from to_static.compiler.ir import mode
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ops.graph.graph import segment_extreme
from to_static.compiler.ops.indexing.gather import gather, scatter_nd_add
from to_static.compiler.ops.indexing.where import where
from to_static.compiler.ops.sequence.lod import sequence_rows
from to_static.compiler.ops.shapes.concat_split import concat, stack
from to_static.compiler.ops.shapes.create import full, full_like, zeros
from to_static.compiler.ops.shapes.sizes import shape
from to_static.core.errors import ModeError, ShapeError
from to_static.core.paddle_module_aliases import names_around
from to_static.nn import functional as F
from to_static.nn.op_helper import activated
from to_static.static import lod
from to_static.static.nn.parameters import Maker


def _given(name: str, *tensors: Any) -> None:
    for x in tensors:
        if not isinstance(x, Variable) or mode.tracing():
            raise ModeError(f"{name} works on tensors of a Program that is built by hand: call paddle.enable_static() first")


def _rows(rule: str, tensors: list[Any], *numbers: int) -> tuple[Any, Any]:
    return sequence_rows(tensors, rule, numbers)  # type: ignore[no-any-return]


def _taken(x: Any, rows: Any, fill: Any = 0.0) -> Any:
    """Rows of ``x``; the one after the last is ``fill``."""
    padding = full([1, *x.spec.shape[1:]], 0, x.dtype) + fill
    return gather(concat([x, padding.astype(x.dtype)], 0), rows, 0)


def _windowed(x: Any, rows: Any, length: int, fill: Any = 0.0) -> Any:
    """[rows, length, ...]: for each row of numbers the rows of ``x``."""
    return _taken(x, rows.reshape([-1]), fill).reshape([-1, length, *x.spec.shape[1:]])


def _columns(rows: Any, x: Any) -> Any:
    """A vector that multiplies rows of ``x``."""
    return rows.astype(x.dtype).reshape([-1] + [1] * (x.spec.ndim - 1))


def _summed(x: Any, ids: Any, lengths: Any) -> Any:
    count = shape(lengths)[0]
    return scatter_nd_add(zeros([count, *x.spec.shape[1:]], x.dtype), ids.unsqueeze(-1), x)


def _largest(x: Any, ids: Any, lengths: Any) -> Any:
    return segment_extreme(x, ids, shape(lengths)[0].astype("int64"), True)


def sequence_pool(input: Any, pool_type: str, is_test: bool = False, pad_value: float = 0.0) -> Any:
    """One row for each sequence: its 'average', 'sum', 'sqrt' (sum by the root of the length), 'max', 'first' or 'last'.

    Args:
        input: floating Tensor [rows, ...] with offsets.
        pool_type: see above.
        is_test: not used.
        pad_value: the row of a sequence without rows.

    The result has the offsets of the levels above. Raises ValueError for another ``pool_type``.

    Example:
        >>> x = paddle.static.data('words', [None, 10], 'float32', lod_level=1)
        >>> y = paddle.static.nn.sequence_pool(x, 'average')
    """
    _given("sequence_pool", input)
    how = pool_type.lower()
    offsets, level = lod.offsets_of(input, "sequence_pool"), max(lod.level_of(input) - 1, 0)
    if how in ("first", "last"):
        rows, above = _rows(how, [offsets])
        return lod.give(_taken(input, rows, pad_value), above, level)
    if how not in ("average", "sum", "sqrt", "max"):
        raise ValueError(f"sequence_pool: pool_type is average, sum, sqrt, max, first or last, got {pool_type!r}")
    ids, above = _rows("ids", [offsets])
    lengths, _ = _rows("lengths", [offsets])
    weight = _columns(lengths, input)
    if how == "max":
        result = _largest(input, ids, lengths)
    else:
        result = _summed(input, ids, lengths)
        if how != "sum":
            result = result / (weight if how == "average" else weight.sqrt()).clip(1)
    result = where(weight.astype("bool").expand_as(result), result, full_like(result, pad_value))
    return lod.give(result, above, level)


def sequence_first_step(input: Any) -> Any:
    """The first row of each sequence."""
    return sequence_pool(input, "first")


def sequence_last_step(input: Any) -> Any:
    """The last row of each sequence."""
    return sequence_pool(input, "last")


def sequence_softmax(input: Any, use_cudnn: bool = False, name: str | None = None) -> Any:
    """The softmax over the rows of each sequence; ``input``: floating Tensor [rows] or [rows, 1] with offsets.

    Example:
        >>> y = paddle.static.nn.sequence_softmax(x)
    """
    _given("sequence_softmax", input)
    offsets = lod.offsets_of(input, "sequence_softmax")
    ids, _ = _rows("ids", [offsets])
    lengths, _ = _rows("lengths", [offsets])
    with mode.grad_mode(False):
        most = gather(_largest(input, ids, lengths), ids, 0)
    powers = (input - most).exp()
    result = powers / gather(_summed(powers, ids, lengths), ids, 0)
    return lod.give(result, offsets, lod.level_of(input))


def sequence_concat(input: Any, name: str | None = None) -> Any:
    """The first sequences of all tensors one after the other, then the second ones, ...

    Example:
        >>> z = paddle.static.nn.sequence_concat([x, y])
    """
    _given("sequence_concat", *input)
    rows, offsets = _rows("concat", [lod.offsets_of(x, "sequence_concat") for x in input])
    result = gather(concat(list(input), 0), rows, 0)
    return lod.give(result, offsets, max(lod.level_of(x) for x in input))


def sequence_slice(input: Any, offset: Any, length: Any, name: str | None = None) -> Any:
    """A part of each sequence: ``length`` rows from ``offset`` on (integer tensors with a number for each sequence).

    Raises, when it runs, ShapeError for a part that is not within a sequence.

    Example:
        >>> y = paddle.static.nn.sequence_slice(x, offset, length)
    """
    _given("sequence_slice", input)
    tensors = [lod.offsets_of(input, "sequence_slice"), offset.astype("int64"), length.astype("int64")]
    rows, offsets = _rows("slice", tensors)
    return lod.give(gather(input, rows, 0), offsets, 0)  # Paddle declares none, and gives some


def sequence_expand(x: Any, y: Any, ref_level: int = -1, name: str | None = None) -> Any:
    """Each sequence of ``x`` (each row, where that has no offsets) as often as a sequence of ``y`` has parts at ``ref_level``.

    Example:
        >>> z = paddle.static.nn.sequence_expand(x, y, ref_level=0)
    """
    _given("sequence_expand", x, y)
    offsets = lod.offsets_of(x, "sequence_expand")
    tensors = [offsets, lod.offsets_of(y, "sequence_expand"), shape(x)[0:1].astype("int64")]
    rows, offsets = _rows("expand", tensors, ref_level)
    return lod.give(gather(x, rows, 0), offsets, lod.level_of(x))


def sequence_expand_as(x: Any, y: Any, name: str | None = None) -> Any:
    """Each row of ``x`` as often as the sequence of ``y`` of that number has rows.

    Example:
        >>> z = paddle.static.nn.sequence_expand_as(x, y)
    """
    _given("sequence_expand_as", x, y)
    rows, offsets = _rows("expand_as", [lod.offsets_of(y, "sequence_expand_as"), shape(x)[0:1].astype("int64")])
    return lod.give(gather(x, rows, 0), offsets, lod.level_of(y))


def sequence_pad(x: Any, pad_value: Any, maxlen: int | None = None, name: str | None = None) -> tuple[Any, Any]:
    """(the sequences as rows of one tensor [sequences, longest, ...], their lengths).

    Args:
        x: Tensor [rows, ...] with offsets.
        pad_value: what stands after the end of a sequence: Tensor [1], or of the shape of a row.
        maxlen: how many steps the result has, by default those of the longest sequence.

    Raises, when it runs, ShapeError for a sequence that is longer.

    Example:
        >>> y, lengths = paddle.static.nn.sequence_pad(x, paddle.zeros([1]))
    """
    _given("sequence_pad", x)
    offsets, steps = lod.offsets_of(x, "sequence_pad"), -1 if maxlen is None else maxlen
    rows, _ = _rows("pad", [offsets], steps)
    lengths, _ = _rows("lengths", [offsets])
    count, long = shape(rows)[0], steps if steps >= 0 else shape(rows)[1]
    # a tensor of one dimension becomes one of three: a step is a row of one number
    padded = _taken(x, rows.reshape([-1]), pad_value.detach()).reshape([count, long, *(x.spec.shape[1:] or [1])])
    return lod.without(padded), lod.without(lengths)


def sequence_unpad(x: Any, length: Any, name: str | None = None) -> Any:
    """The sequences of a padded tensor [sequences, longest, ...], of which the first ``length`` (int64) steps count.

    Example:
        >>> y = paddle.static.nn.sequence_unpad(padded, lengths)
    """
    _given("sequence_unpad", x)
    rows, offsets = _rows("unpad", [length, shape(x)[1:2].astype("int64")])
    flat = x.reshape([-1, *x.spec.shape[2:]])
    return lod.give(gather(flat, rows, 0), offsets, 1)


def sequence_reshape(input: Any, new_dim: int) -> Any:
    """Rows of ``new_dim`` numbers, in the same order; ``input``: [rows, D] with offsets.

    Raises, when it runs, ShapeError for a sequence that is no whole number of such rows.

    Example:
        >>> y = paddle.static.nn.sequence_reshape(x, 4)
    """
    _given("sequence_reshape", input)
    width = input.spec.shape[-1]
    if input.spec.ndim != 2 or width == UNKNOWN:
        raise ShapeError(f"sequence_reshape: the input must be [rows, D] of a known D, it is {input.spec}")
    _, offsets = _rows("reshape", [lod.offsets_of(input, "sequence_reshape")], width, new_dim)
    return lod.give(input.reshape([-1, new_dim]), offsets, lod.level_of(input))


def sequence_scatter(input: Any, index: Any, updates: Any, name: str | None = None) -> Any:
    """``input`` with ``updates`` added: those of sequence i to row i, at the places in it that ``index`` says.

    Example:
        >>> y = paddle.static.nn.sequence_scatter(x, index, updates)
    """
    _given("sequence_scatter", input, index, updates)
    ids, _ = _rows("ids", [lod.offsets_of(index, "sequence_scatter")])
    place = stack([ids, index.astype("int64").reshape([-1])], 1)
    flat = input.reshape([-1, math.prod(input.spec.shape[1:])])
    result = scatter_nd_add(flat, place, updates.reshape([-1])).reshape([-1, *input.spec.shape[1:]])
    return lod.without(result)


def sequence_enumerate(input: Any, win_size: int, pad_value: int = 0, name: str | None = None) -> Any:
    """[rows, win_size]: each number with those after it in its sequence, then ``pad_value``; ``input``: integers [rows, 1].

    Example:
        >>> y = paddle.static.nn.sequence_enumerate(x, 3)
    """
    _given("sequence_enumerate", input)
    offsets = lod.offsets_of(input, "sequence_enumerate")
    rows, _ = _rows("windows", [offsets], 0, win_size)
    windows = _windowed(input.reshape([-1]), rows, win_size, pad_value)
    return lod.give(windows.detach(), offsets, lod.level_of(input))


def sequence_reverse(x: Any, name: str | None = None) -> Any:
    """The rows of each sequence from last to first.

    Example:
        >>> y = paddle.static.nn.sequence_reverse(x)
    """
    _given("sequence_reverse", x)
    rows, offsets = _rows("reverse", [lod.offsets_of(x, "sequence_reverse")])
    return lod.give(gather(x, rows, 0), offsets, lod.level_of(x))


def sequence_mask(x: Any, maxlen: Any = None, dtype: Any = "int64", name: str | None = None) -> Any:
    """``nn.functional.sequence_mask``."""
    return F.sequence_mask(x, maxlen, dtype, name)


def sequence_conv(
    input: Any,
    num_filters: int,
    filter_size: int = 3,
    filter_stride: int = 1,
    padding: bool = True,
    padding_start: int | None = None,
    bias_attr: Any = None,
    param_attr: Any = None,
    act: str | None = None,
    name: str | None = None,
) -> Any:
    """A convolution over the steps of each sequence, with new weights [filter_size * D, num_filters]; zeros around a sequence.

    Args:
        input: floating Tensor [rows, D] with offsets.
        num_filters: width of the result.
        filter_size: steps that a filter sees.
        filter_stride: 1.
        padding: not used, as in Paddle.
        padding_start: where a filter begins, seen from its step; default: ``-(filter_size // 2)``.
        bias_attr, param_attr: of the parameters.
        act: name of an activation.

    Raises ValueError for another stride.

    Example:
        >>> y = paddle.static.nn.sequence_conv(x, num_filters=2, filter_size=3, padding_start=-1)
    """
    _given("sequence_conv", input)
    width = input.spec.shape[-1]
    if input.spec.ndim != 2 or width == UNKNOWN:
        raise ShapeError(f"sequence_conv: the input must be [rows, D] of a known D, it is {input.spec}")
    if filter_stride != 1:
        raise ValueError(f"sequence_conv: filter_stride is 1, got {filter_stride}")
    maker = Maker("sequence_conv", name, input.dtype)
    weight = maker.weight([filter_size * width, num_filters], param_attr)
    bias = maker.bias([num_filters], bias_attr)
    offsets = lod.offsets_of(input, "sequence_conv")
    start = -(filter_size // 2) if padding_start is None else padding_start
    rows, _ = _rows("windows", [offsets], start, filter_size)
    result = _windowed(input, rows, filter_size).reshape([-1, filter_size * width]) @ weight
    return lod.give(activated(result if bias is None else result + bias, act), offsets, lod.level_of(input))


def weighted_steps(input: Any, weight: Any, count: int) -> Any:
    """Each step as a sum of itself and those after it in its sequence, with the ``count`` rows of ``weight``."""
    offsets = lod.offsets_of(input, "row_conv")
    rows, _ = _rows("windows", [offsets], 0, count)
    return lod.give((_windowed(input, rows, count) * weight).sum(1), offsets, lod.level_of(input))


__getattr__ = names_around(__name__)
