"""Layers as functions: each call makes its parameters."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ops import functions
from to_static.compiler.ops.sequence import sequences
from to_static.core.dtypes import as_dtype
from to_static.core.errors import ShapeError
from to_static.nn import functional as F
from to_static.nn import initializer
from to_static.nn.op_helper import activated
from to_static.static.nn.parameters import Maker, channels_of
from to_static.static.program import static_builder


def fc(
    x: Any,
    size: int,
    num_flatten_dims: int = 1,
    weight_attr: Any = None,
    bias_attr: Any = None,
    activation: str | None = None,
    name: str | None = None,
) -> Any:
    """``activation(x @ weight + bias)`` of a tensor, or of the sum over a list of tensors.

    ``num_flatten_dims``: how many leading dimensions are kept (-1: all but the last); the others are flattened.
    ``bias_attr=False``: no bias. Parameters are called ``fc_0.w_0``, ``fc_0.b_0``. Raises ShapeError when flattened
    dimensions are unknown.
    ``size``: of the last dimension of the result; ``weight_attr``: how the weight is made.

    Example:
        >>> y = paddle.static.nn.fc(x, 10, activation='relu')
    """
    total: Any = None
    items = x if isinstance(x, (list, tuple)) else [x]
    make = Maker("fc", name, items[0].dtype)
    for item in items:
        shape = item.spec.shape
        keep = num_flatten_dims % len(shape) if num_flatten_dims < 0 else num_flatten_dims
        width = 1
        for dim in shape[keep:]:
            if dim == UNKNOWN:
                raise ShapeError(f"fc: the dimensions from {keep} on must be known, the input is {item.spec}")
            width *= dim
        flat = item if keep == len(shape) - 1 else functions.flatten(item, keep, -1)
        weight = make.weight([width, size], weight_attr)
        product = functions.matmul(flat, weight)
        static_builder("nn.fc").products[product.ssa] = keep
        total = product if total is None else total + product
    bias = make.bias([size], bias_attr)
    return activated(total if bias is None else total + bias, activation)


def embedding(
    input: Any,
    size: Any,
    is_sparse: bool = False,
    is_distributed: bool = False,
    padding_idx: int | None = None,
    param_attr: Any = None,
    dtype: Any = "float32",
) -> Any:
    """Rows of a new ``size`` = [count, width] table, chosen by integers; row ``padding_idx`` counts as zeros.

    ``input``: integers, ``[*]``; the result is ``[*, width]``. ``param_attr``: how the table is made; ``dtype``: of
    it; ``is_sparse``: its gradient is rows; ``is_distributed``: accepted, without an effect.

    Example:
        >>> ids = static.data('ids', [None, 5], 'int64')
        >>> vectors = paddle.static.nn.embedding(ids, [1000, 16])
        >>> vectors.shape
        (-1, 5, 16)
    """
    weight = Maker("embedding", None, as_dtype(dtype)).weight(list(size), param_attr, initializer.XavierUniform())
    padding = None if padding_idx in (None, -1) else padding_idx
    return F.embedding(input, weight, padding_idx=padding, sparse=is_sparse)


def sparse_embedding(
    input: Any, size: Any, padding_idx: int | None = None, is_test: bool = False, entry: Any = None,
    table_class: str = "MemorySparseTable", param_attr: Any = None, dtype: Any = "float32", slot: Any = None,
) -> Any:  # fmt: skip
    """`embedding`. In Paddle its table is on parameter servers, of which there are none here.

    Raises ValueError for another ``table_class`` than Paddle's.
    ``input``, ``size``, ``padding_idx``, ``param_attr``, ``dtype``: as there; ``is_test``, ``entry``, ``slot``:
    accepted, without an effect.

    Example:
        >>> static.nn.sparse_embedding(static.data("ids", [3], "int64"), size=[10, 4]).shape
        (3, 4)
    """
    if table_class not in ("CommonSparseTable", "SSDSparseTable", "MemorySparseTable"):
        raise ValueError("table_class must be in [CommonSparseTable, SSDSparseTable, MemorySparseTable]")
    return embedding(input, size, True, True, padding_idx, param_attr, dtype)


def prelu(x: Any, mode: str, param_attr: Any = None, data_format: str = "NCHW", name: str | None = None) -> Any:
    """``x`` where it is positive, else a new parameter (0.25) times it.

    Args:
        x: floating Tensor.
        mode: 'all' (one parameter), 'channel' (one for each) or 'element' (one for each element of a sample).
        data_format: where the channels are: 'NC', 'NCL', 'NCHW', 'NCDHW', 'NLC', 'NHWC' or 'NDHWC'.

    Raises:
        ValueError: ``mode`` or ``data_format`` is something else.
        ShapeError: sizes that parameters need are unknown.
        param_attr: how the parameter is made.

    Example:
        >>> y = paddle.static.nn.prelu(x, 'channel')
    """
    if mode not in ("all", "channel", "element"):
        raise ValueError(f"prelu: mode should be one of all, channel, element, got {mode!r}")
    if data_format not in ("NC", "NCL", "NCHW", "NCDHW", "NLC", "NHWC", "NDHWC"):
        raise ValueError(f"prelu: data_format {data_format!r} is not one of NC, NCL, NCHW, NCDHW, NLC, NHWC, NDHWC")
    last = data_format[1] != "C"
    shape = [1]
    if mode == "channel":
        channels = channels_of("prelu", x, last)
        shape = [1, 1, 1, channels] if last else [1, channels, 1, 1]
    elif mode == "element":
        shape = [1, *x.spec.shape[1:]]
        if UNKNOWN in shape:
            raise ShapeError(f"prelu: the sizes of a sample must be known for mode 'element', the input is {x.spec}")
    slope = Maker("prelu", name, x.dtype).weight(shape, param_attr, initializer.Constant(0.25))
    if mode == "channel":
        slope = slope.reshape([1] * (x.spec.ndim - 1) + [-1] if last else [1, -1] + [1] * (x.spec.ndim - 2))
    return functions.where(x > 0, x, slope * x)


def bilinear_tensor_product(
    x: Any, y: Any, size: int, act: str | None = None, name: str | None = None, param_attr: Any = None, bias_attr: Any = None
) -> Any:
    """``x @ weight[k] @ y + bias[k]`` for each k below ``size``, with new parameters [size, M, N] and [1, size].

    ``x``: [batch, M], ``y``: [batch, N]; raises ShapeError for other ranks.
    ``act``: the name of an activation, or None; ``param_attr``, ``bias_attr``: how the parameters are made.

    Example:
        >>> z = paddle.static.nn.bilinear_tensor_product(x, y, size=1000)
    """
    if x.spec.ndim != 2 or y.spec.ndim != 2:
        raise ShapeError(f"bilinear_tensor_product: x and y should be 2D tensors, they are {x.spec} and {y.spec}")
    make = Maker("bilinear_tensor_product", name, x.dtype)
    widths = [channels_of("bilinear_tensor_product", item, True) for item in (x, y)]
    weight, bias = make.weight([size, *widths], param_attr), make.bias([1, size], bias_attr)
    return activated(F.bilinear(x, y, weight, bias), act)


def row_conv(input: Any, future_context_size: int, param_attr: Any = None, act: str | None = None) -> Any:
    """Each step as a weighted sum of itself and the ``future_context_size`` steps after it, with a new weight [context + 1, D].

    ``input``: floating Tensor [batch, time, D], or [rows, D] with the offsets of sequences; zeros come after the last step.

    Source: Amodei et al., "Deep Speech 2", ICML 2016.
    ``param_attr``: how the weight is made; ``act``: the name of an activation, or None. Raises ShapeError for other
    ranks.

    Example:
        >>> y = paddle.static.nn.row_conv(paddle.ones([2, 5, 8]), 2)
    """
    if input.spec.ndim not in (2, 3):
        raise ShapeError(f"row_conv: the input must be [batch, time, D], or [rows, D] with offsets, it is {input.spec}")
    width = channels_of("row_conv", input, True)
    weight = Maker("row_conv", None, input.dtype).weight([future_context_size + 1, width], param_attr)
    if input.spec.ndim == 2:
        return activated(sequences.row_conv(input, weight, future_context_size + 1), act)
    return activated(sequences.row_conv_of_batch(input, weight, future_context_size + 1), act)
