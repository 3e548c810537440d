"""The convolution of one image followed by a max pooling: windows are copied in the order of their positions in the pooling
windows.

So the products for the first positions of all pooling windows come first, then those for the second ones, and so on. The pooling is
then an elementwise maximum of contiguous parts, and results that no pooling window contains are not computed.

With few filters, copying windows takes longer than their product. 'patches' copies the input of each pooling window once (16
elements for 3x3 windows in a pooling of 2x2, not 36), and has each filter once for each position in the pooling window, padded by
zeros.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Prepared
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ops.clamp import MOST, full
from to_static.compiler.ops.fused.packed_steps import finisher, framed, rows_of_columns, scratch_of
from to_static.core.array_types import Array


def prepare(x: TensorSpec, w: TensorSpec, pool: tuple[int, int], outs: list[int], attrs: dict[str, Any]) -> Prepared:
    """The steps, with channels last; ``outs`` are the rows and columns of pools."""
    (n, height, width, c), positions = x.shape, prod(pool)
    (kh, kw), (sh, sw), (dh, dw), act = attrs["kernel"], attrs["stride"], attrs["dilation"], attrs["act"]
    patches = attrs["method"].startswith("patches")
    (depth, m), grid = w.shape, pool
    if patches:
        m, grid = m // positions, (1, 1)
        kh, kw = kh + pool[0] - 1, kw + pool[1] - 1
    top, bottom, left, right = attrs["pads"]
    few = rows_of_columns(c, kw, dw, outs[1])
    tall, broad = height + top + bottom, width + left + right
    inner = (slice(None), slice(top, top + height), slice(left, left + width))
    count, shape = n * prod(outs), (n, *outs, m)
    lines = act == "relu" and count * m <= MOST

    def bind(inputs: Any, out: Any, work: list[Any], persistent: list[Any], empty: Any = np.empty) -> Any:
        columns, product = work[:2]
        finish = finisher("" if lines else act, x.dtype.np, work[-1])
        zeros: Any = full(shape, 0, x.dtype.np) if lines else None
        image, padded_input = persistent[0].transpose(0, 2, 3, 1) if few else persistent[0], inputs[0]
        target = image[inner]
        at_once = (
            padded_input is not None and target.shape == image.shape and (c == 1 or not few)
        )  # where it is, windows can be read
        if at_once:
            image = padded_input
        a, b, d, e = image.strides
        strides = (b * sh, d * sw, a, b * sh * pool[0], d * sw * pool[1], b * dh, d * dw, e)
        windows = np.lib.stride_tricks.as_strided(image, (*grid, n, *outs, kh, kw, c), strides)
        if few:
            columns_matrix = columns.reshape(depth, -1)
            block, matrix = columns_matrix.reshape(kh, kw, c, *grid, n, *outs), columns_matrix.T
            windows = windows.transpose(5, 6, 7, 0, 1, 2, 3, 4)
        else:
            block, matrix = columns.reshape(windows.shape), columns.reshape(-1, depth)
        rows, result = product.reshape(positions, -1), product.reshape((positions * m, -1) if patches else (-1, m))
        matrix = matrix.T if patches else matrix
        pairs, count = [], positions
        while count > 2:
            pair_count = count // 2
            pairs.append((rows[:pair_count], rows[count - pair_count : count]))
            count -= pair_count
        first, second = (rows[i].reshape(shape) for i in (0, count - 1))
        last = rows[0].reshape(m, n, *outs).transpose(1, 2, 3, 0)
        copyto, maximum, sum_of = np.copyto, np.maximum, np.add

        def prepare_run(x: Array, w: Array, bias: Array | None, add: Array | None) -> Array:
            y = empty(shape, w.dtype) if out is None else out
            if not at_once:
                copyto(target, x)
            copyto(block, windows)
            w.T.dot(matrix, result) if patches else matrix.dot(w, result)
            for low, high in pairs:
                maximum(low, high, out=low)
            maximum(first, second, out=first if patches else y)
            if patches and bias is not None and bias.size == y.size:
                sum_of(last, bias.reshape(shape), y)
                bias = None
            elif patches:
                copyto(y, last)
            finish(y.reshape(-1, m), bias, None if add is None else add.reshape(-1, m))
            if lines:
                maximum(y, zeros, out=y)
            return y

        return prepare_run

    work = [x.with_shape((prod(grid) * count * depth,)), x.with_shape((positions * count * m,))]
    image_spec = x.with_shape((n, c, tall, broad) if few else (n, tall, broad, c))
    return Prepared(work + scratch_of(act, x, count * m), [framed(image_spec, inner, few)], bind)
