"""Operators on sequences of different lengths, which lie one after the other in the rows of one tensor.

Where they begin is told by offsets (LoD), which come with what is fed: ``base.create_lod_tensor(data, [[2, 3]], place)``. What they
compute is PaddlePaddle's 2.6 (`ops.sequence.sequences`).
"""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir import mode
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ops.sequence import sequences
from to_static.core.errors import ModeError, ShapeError
from to_static.core.importing.paddle_module_aliases import names_around
from to_static.nn import functional as F
from to_static.nn.op_helper import activated
from to_static.static.nn.parameters import Maker


def _check_inputs(name: str, *tensors: Any) -> None:
    for x in tensors:
        if not isinstance(x, Variable) or mode.tracing():
            raise ModeError(f"{name} works on tensors of a Program that is built by hand: call paddle.enable_static() first")


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
    _check_inputs("sequence_pool", input)
    return sequences.sequence_pool(input, pool_type.lower(), pad_value)


def sequence_first_step(input: Any) -> Any:
    """The first row of each sequence.

    ``input``: a tensor with offsets.

    Example:
        >>> x = paddle.static.data("words", [None, 10], "float32", lod_level=1)
        >>> y = paddle.static.nn.sequence_first_step(x)
        >>> y.shape
        (-1, 10)
    """
    return sequence_pool(input, "first")


def sequence_last_step(input: Any) -> Any:
    """The last row of each sequence.

    ``input``: a tensor with offsets.

    Example:
        >>> x = paddle.static.data("words", [None, 10], "float32", lod_level=1)
        >>> y = paddle.static.nn.sequence_last_step(x)
        >>> y.shape
        (-1, 10)
    """
    return sequence_pool(input, "last")


def sequence_softmax(input: Any, use_cudnn: bool = False, name: str | None = None) -> Any:
    """The softmax over the rows of each sequence; ``input``: floating Tensor [rows] or [rows, 1] with offsets.

    ``use_cudnn``: accepted, without an effect.

    Example:
        >>> y = paddle.static.nn.sequence_softmax(x)
    """
    _check_inputs("sequence_softmax", input)
    return sequences.sequence_softmax(input)


def sequence_concat(input: Any, name: str | None = None) -> Any:
    """The first sequences of all tensors one after the other, then the second ones, ...

    ``input``: a list of tensors with offsets.

    Example:
        >>> z = paddle.static.nn.sequence_concat([x, y])
    """
    _check_inputs("sequence_concat", *input)
    return sequences.sequence_concat(input)


def sequence_slice(input: Any, offset: Any, length: Any, name: str | None = None) -> Any:
    """A part of each sequence: ``length`` rows from ``offset`` on (integer tensors with a number for each sequence).

    Raises, when it runs, ShapeError for a part that is not within a sequence.
    ``input``: a tensor with offsets.

    Example:
        >>> y = paddle.static.nn.sequence_slice(x, offset, length)
    """
    _check_inputs("sequence_slice", input)
    return sequences.sequence_slice(input, offset, length)


def sequence_expand(x: Any, y: Any, ref_level: int = -1, name: str | None = None) -> Any:
    """Each sequence of ``x`` (each row, where that has no offsets) as often as a sequence of ``y`` has parts at ``ref_level``.

    Example:
        >>> z = paddle.static.nn.sequence_expand(x, y, ref_level=0)
    """
    _check_inputs("sequence_expand", x, y)
    return sequences.sequence_expand(x, y, ref_level)


def sequence_expand_as(x: Any, y: Any, name: str | None = None) -> Any:
    """Each row of ``x`` as often as the sequence of ``y`` of that number has rows.

    Example:
        >>> z = paddle.static.nn.sequence_expand_as(x, y)
    """
    _check_inputs("sequence_expand_as", x, y)
    return sequences.sequence_expand_as(x, y)


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
    _check_inputs("sequence_pad", x)
    return sequences.sequence_pad(x, pad_value, -1 if maxlen is None else maxlen)


def sequence_unpad(x: Any, length: Any, name: str | None = None) -> Any:
    """The sequences of a padded tensor [sequences, longest, ...], of which the first ``length`` (int64) steps count.

    ``x``: this tensor.

    Example:
        >>> y = paddle.static.nn.sequence_unpad(padded, lengths)
    """
    _check_inputs("sequence_unpad", x)
    return sequences.sequence_unpad(x, length)


def sequence_reshape(input: Any, new_dim: int) -> Any:
    """Rows of ``new_dim`` numbers, in the same order; ``input``: [rows, D] with offsets.

    Raises, when it runs, ShapeError for a sequence that is no whole number of such rows.

    Example:
        >>> y = paddle.static.nn.sequence_reshape(x, 4)
    """
    _check_inputs("sequence_reshape", input)
    return sequences.sequence_reshape(input, new_dim)


def sequence_scatter(input: Any, index: Any, updates: Any, name: str | None = None) -> Any:
    """``input`` with ``updates`` added: those of sequence i to row i, at the places in it that ``index`` says.

    Example:
        >>> y = paddle.static.nn.sequence_scatter(x, index, updates)
    """
    _check_inputs("sequence_scatter", input, index, updates)
    return sequences.sequence_scatter(input, index, updates)


def sequence_enumerate(input: Any, win_size: int, pad_value: int = 0, name: str | None = None) -> Any:
    """[rows, win_size]: each number with those after it in its sequence, then ``pad_value``; ``input``: integers [rows, 1].

    Example:
        >>> y = paddle.static.nn.sequence_enumerate(x, 3)
    """
    _check_inputs("sequence_enumerate", input)
    return sequences.sequence_enumerate(input, win_size, pad_value)


def sequence_reverse(x: Any, name: str | None = None) -> Any:
    """The rows of each sequence from last to first.

    Example:
        >>> y = paddle.static.nn.sequence_reverse(x)
    """
    _check_inputs("sequence_reverse", x)
    return sequences.sequence_reverse(x)


def sequence_mask(x: Any, maxlen: Any = None, dtype: Any = "int64", name: str | None = None) -> Any:
    """``nn.functional.sequence_mask``.

    ``x``, ``maxlen``, ``dtype``: as there.

    Example:
        >>> static.nn.sequence_mask(static.data("n", [3], "int64"), maxlen=5).shape
        (3, 5)
    """
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
    _check_inputs("sequence_conv", input)
    width = input.spec.shape[-1]
    if input.spec.ndim != 2 or width == UNKNOWN:
        raise ShapeError(f"sequence_conv: the input must be [rows, D] of a known D, it is {input.spec}")
    if filter_stride != 1:
        raise ValueError(f"sequence_conv: filter_stride is 1, got {filter_stride}")
    maker = Maker("sequence_conv", name, input.dtype)
    weight = maker.weight([filter_size * width, num_filters], param_attr)
    bias = maker.bias([num_filters], bias_attr)
    start = -(filter_size // 2) if padding_start is None else padding_start
    result = sequences.sequence_conv(input, weight, start, filter_size)
    return activated(result if bias is None else result + bias, act)


__getattr__ = names_around(__name__)
