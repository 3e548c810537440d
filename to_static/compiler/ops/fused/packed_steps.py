"""The algorithms of `packed_conv`: NumPy calls on views and buffers that are made once.

A block of rows passes all steps while it is in the cache.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import PaddedBuffer, Prepared
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ops.clamp import at_least, at_most
from to_static.compiler.ops.layers import winograd
from to_static.compiler.ops.linalg import skinny_matmul
from to_static.core.array_types import Array

COLUMNS = 1 << 18  # numbers in a block of columns: a megabyte of float32
DEPTHWISE = 1 << 14  # numbers in a block of shifted products
LONG = 1 << 9  # numbers of a line that `einsum` goes through at its full speed
FEW = 8  # channels, below which lines of images are longer than those of channels also where windows are some columns apart
TILES = 1 << 20  # numbers in the frequencies of a block of images

Finish = Callable[[Any, Any, Any], None]  # (block of the result, bias, block of what is added)


def prepare(x: TensorSpec, w: TensorSpec, bias: bool, add: bool, outs: list[int], attrs: dict[str, Any]) -> Prepared:
    """The steps of one convolution of known shapes."""
    method = attrs["method"]
    if method.startswith("depthwise"):
        return _depthwise(x, w, outs, attrs)
    if method.startswith("winograd"):
        return _winograd(x, w, outs, attrs)
    if attrs["layout"] == "CHWN":
        return _images_last(x, w, outs, attrs)
    if prod(attrs["kernel"]) == 1 and not any(attrs["pads"]) and x.shape[3] == w.shape[0]:
        return _pointwise(x, w, outs, attrs)
    return _columns(x, w, outs, attrs)


def finisher(act: str, dtype: np.dtype, scratch: Any) -> Finish:
    """Adds bias and sum to a block and applies the activation, in place. ``scratch`` is at least as large as any block."""
    add, multiply = np.add, np.multiply
    three, sixth = (np.asarray(v, dtype) for v in (3, 1 / 6))

    def add_terms(y: Array, bias: Array | None, more: Array | None) -> None:
        if bias is not None and bias.ndim == 1 and bias.size > y.shape[-1]:  # the same several times: for some rows at a time
            flat, size = y.reshape(-1), bias.size
            end = flat.size - flat.size % size
            if end:
                rows = flat[:end].reshape(-1, size)
                add(rows, bias, rows)
            if end < flat.size:
                add(flat[end:], bias[: flat.size - end], flat[end:])
        elif bias is not None:
            add(y, bias, y)
        if more is not None:
            add(y, more, y)

    def relu(y: Array, bias: Array | None, more: Array | None) -> None:
        add_terms(y, bias, more)
        at_least(np, y, 0, y)

    def relu6(y: Array, bias: Array | None, more: Any) -> None:
        relu(y, bias, more)
        at_most(np, y, 6, y)

    def hardswish(y: Any, bias: Array | None, more: Array | None) -> None:
        add_terms(y, bias, more)
        t = scratch[: y.size].reshape(y.shape)
        add(y, three, t)
        at_least(np, t, 0, t)
        at_most(np, t, 6, t)
        multiply(t, sixth, t)
        multiply(y, t, y)

    return {"": add_terms, "relu": relu, "relu6": relu6, "hardswish": hardswish}[act]


def scratch_of(act: str, x: TensorSpec, size: int) -> list[TensorSpec]:
    """Specs of the memory that the activation's `finisher` needs for blocks of so many numbers."""
    return [x.with_shape((size,))] if act == "hardswish" else []


def blocks_of(images: int, rows: int, each: int, budget: int) -> list[tuple[int, int, int, int]]:
    """(first image, end, first row, end) of blocks of at most ``budget`` numbers, where a row has ``each``."""
    if rows * each * 2 > budget:
        step = max(1, budget // each)
        return [(n, n + 1, i, min(i + step, rows)) for n in range(images) for i in range(0, rows, step)]
    step = max(1, budget // (rows * each))
    return [(n, min(n + step, images), 0, rows) for n in range(0, images, step)]


def fixed(make: Callable[..., Any], *arrays: Array | None) -> Callable[..., Any]:
    """Return ``make``; if all arrays are known now, call it once and return a function that returns its result."""
    if any(a is None for a in arrays):
        return make
    result = make(*arrays)
    return lambda *_: result


def framed(image: TensorSpec, inner: tuple[Any, ...], few: bool = False) -> PaddedBuffer:
    """Memory of a padded image; ``inner``: where its rows and columns are, the last dimensions where channels are ``few``."""
    return PaddedBuffer(image, tuple((i + few, part.start, part.stop) for i, part in enumerate(inner[1:], 1)))


def _padded_image(x: TensorSpec, pads: tuple[int, ...], more: tuple[int, int] = (0, 0)) -> tuple[TensorSpec, tuple[Any, ...]]:
    """Return the spec of the padded image of ``x``, and the index of the image in it."""
    top, bottom, left, right = pads
    n, h, w, c = x.shape
    spec = x.with_shape((n, h + top + bottom + more[0], w + left + right + more[1], c))
    return spec, (slice(None), slice(top, top + h), slice(left, left + w))


def _view(x: Array, shape: tuple[int, ...], strides: tuple[int, ...]) -> Array:
    return np.lib.stride_tricks.as_strided(x, shape, strides)


def _pointwise(x: TensorSpec, w: TensorSpec, outs: list[int], attrs: dict[str, Any]) -> Prepared:
    """Windows of one element: a product of matrices."""
    (n, _, _, c), m, stride = x.shape, w.shape[1], attrs["stride"]
    shape, flat = (n, *outs, m), (n * outs[0] * outs[1], m)
    strided = max(stride) > 1
    act, rows = attrs["act"], max(1, DEPTHWISE * 2 // m)
    work = [x.with_shape((n, *outs, c))] if strided else []
    parts = [(i, min(i + rows, flat[0])) for i in range(0, flat[0], rows)]

    def bind(
        inputs: list[Array | None],
        out: Array | None,
        work: list[Any],
        persistent: list[Any],
        empty: Callable[..., Any] = np.empty,
    ) -> Any:
        scratch = work.pop() if act == "hardswish" else None
        finish = finisher(act, x.dtype.np, scratch)
        part: Any = work[0] if strided else None
        dot, copyto = np.dot, np.copyto
        source = fixed(lambda a: a[:, : stride[0] * outs[0] : stride[0], : stride[1] * outs[1] : stride[1]], inputs[0])
        matrix = fixed(lambda a: a.reshape(-1, c), part if strided else inputs[0])
        slabs = fixed(lambda y: (y.reshape(flat), [y.reshape(flat)[a:b] for a, b in parts]), out)
        more = fixed(lambda a: [a.reshape(flat)[i:j] for i, j in parts], inputs[3])

        def pointwise_run(x: Array, w: Array, bias: Array | None, add: Any) -> Array:
            y = empty(shape, w.dtype) if out is None else out
            flat_result, pieces = slabs(y)
            if strided:
                copyto(part, source(x))
            dot(matrix(x), w, flat_result)
            if add is None:
                for piece in pieces:
                    finish(piece, bias, None)
            else:
                for piece, addend in zip(pieces, more(add), strict=True):
                    finish(piece, bias, addend)
            return y

        return pointwise_run

    return Prepared(work + scratch_of(act, x, rows * m), [], bind)


def rows_of_columns(channels: int, kernel: int, dilation: int, across: int) -> bool:
    """True if lines of images are quicker to copy than those of windows: where channels are few, and rows are long."""
    return channels < FEW and channels * (kernel if dilation == 1 else 1) < 2 * across


def _columns(x: TensorSpec, w: TensorSpec, outs: list[int], attrs: dict[str, Any]) -> Prepared:
    """Windows copied into rows of a matrix, channels last; into its columns where channels are few, and lines of images longer."""
    (n, _, _, c), (depth, m) = x.shape, w.shape
    (kh, kw), (sh, sw), (dh, dw), act = attrs["kernel"], attrs["stride"], attrs["dilation"], attrs["act"]
    slices = c * kh * kw // depth
    few = slices == 1 and rows_of_columns(c, kw, dw, outs[1])
    padded, inner = _padded_image(x, attrs["pads"])
    parts = blocks_of(n, outs[0], outs[1] * depth * slices, COLUMNS)
    largest = max((b - a) * (j - i) for a, b, i, j in parts) * outs[1]
    shape = (n, *outs, m)
    if few:
        padded = padded.with_shape((n, c, *padded.shape[1:3]))

    def bind(
        inputs: list[Array | None],
        out: Array | None,
        work: list[Any],
        persistent: list[Any],
        empty: Callable[..., Any] = np.empty,
    ) -> Any:
        image = persistent[0].transpose(0, 2, 3, 1) if few else persistent[0]
        finish = finisher(act, x.dtype.np, work.pop() if act == "hardswish" else None)
        columns = work[0]
        target = image[inner]
        a, b, d, e = image.strides
        every = _view(image, (n, *outs, kh, kw, c), (a, b * sh, d * sw, b * dh, d * dw, e))
        steps = []
        for first, end, i, j in parts:
            count = (end - first) * (j - i) * outs[1]
            sizes, windows = (end - first, j - i, outs[1]), every[first:end, i:j]
            if slices > 1:
                apart = columns.reshape(-1)[: slices * count * depth].reshape(slices, count, depth)
                block = apart.reshape(slices, *sizes, kh, kw, -1).transpose(1, 2, 3, 4, 5, 0, 6)
                steps.append((block, windows.reshape(*sizes, kh, kw, slices, -1), apart))
            elif few:
                columns_matrix = columns.reshape(-1)[: count * depth].reshape(depth, count)
                steps.append((columns_matrix.reshape(kh, kw, c, *sizes), windows.transpose(3, 4, 5, 0, 1, 2), columns_matrix.T))
            else:
                steps.append((columns[:count].reshape(*sizes, kh, kw, c), windows, columns[:count]))
        dot, copyto = _sliced(slices) if slices > 1 else np.dot, np.copyto

        def slabs(y: Array) -> list[Any]:
            return [y[first:end, i:j].reshape(-1, m) for first, end, i, j in parts]

        slab_views, addend_views = fixed(slabs, out), fixed(slabs, inputs[3])

        def columns_run(x: Array, w: Array, bias: Array | None, add: Array | None) -> Array:
            y = empty(shape, w.dtype) if out is None else out
            copyto(target, x)
            more = [None] * len(parts) if add is None else addend_views(add)
            for (block, source, matrix), slab, addend in zip(steps, slab_views(y), more, strict=True):
                copyto(block, source)
                dot(matrix, w, slab)
                finish(slab, bias, addend)
            return y

        return columns_run

    return Prepared([x.with_shape((largest, slices * depth)), *scratch_of(act, x, largest * m)], [framed(padded, inner, few)], bind)


def _sliced(slices: int) -> Callable[[Any, Any, Any], None]:
    """Products of matrices ``[slices, P, K]`` with slices of the columns of ``[K, M]``, into those of ``[P, M]``."""

    def products(x: Array, w: Array, out: Array) -> None:
        np.matmul(x, across(w, slices), across(out, slices))

    return products


def across(a: Array, slices: int) -> Array:
    """``[..., P, M]`` as ``[..., slices, P, M / slices]``, a view."""
    return a.reshape(*a.shape[:-1], slices, -1).swapaxes(-3, -2)


def _images_last(x: TensorSpec, w: TensorSpec, outs: list[int], attrs: dict[str, Any]) -> Prepared:
    """Windows copied into columns of a matrix, images last: lines of all images are copied at once."""
    (c, _, _, n), (m, depth) = x.shape, w.shape
    (kh, kw), (sh, sw), (dh, dw), act = attrs["kernel"], attrs["stride"], attrs["dilation"], attrs["act"]
    padded_spec, inner = _padded_image(x, attrs["pads"])
    each = outs[1] * n
    rows = max(1, min(outs[0], COLUMNS // (depth * each)))
    parts = [(i, min(i + rows, outs[0])) for i in range(0, outs[0], rows)]
    shape, in_one_part, padded = (m, *outs, n), len(parts) == 1, any(attrs["pads"])

    def bind(
        inputs: list[Array | None],
        out: Array | None,
        work: list[Any],
        persistent: list[Any],
        empty: Callable[..., Any] = np.empty,
    ) -> Any:
        finish = finisher(act, x.dtype.np, work.pop() if act == "hardswish" else None)
        columns = work[0]
        image = persistent[0] if padded else inputs[0] if inputs[0] is not None else persistent[0]
        copied = image is persistent[0]
        target = image[inner]
        a, b, d, e = image.strides
        every = _view(image, (c, kh, kw, *outs, n), (a, b * dh, d * dw, b * sh, d * sw, e))
        dot, copyto = np.dot, np.copyto
        steps = []
        for i, j in parts:
            matrix = columns[: depth * (j - i) * each].reshape(depth, -1)
            result: Any = None if in_one_part else work[1][: m * (j - i) * each].reshape(m, -1)
            steps.append((matrix.reshape(c, kh, kw, j - i, outs[1], n), every[:, :, :, i:j], matrix, result))

        def slabs(y: Array) -> list[Any]:
            return [y.reshape(m, -1)] if in_one_part else [y[:, i:j] for i, j in parts]

        slab_views, addend_views, only = fixed(slabs, out), fixed(slabs, inputs[3]), steps[0]

        def images_last_run(x: Array, w: Array, bias: Array | None, add: Array | None) -> Array:
            y = empty(shape, w.dtype) if out is None else out
            if copied:
                copyto(target, x)
            if in_one_part and not act and bias is None and add is None:
                copyto(only[0], only[1])
                dot(w, only[2], slab_views(y)[0])
                return y
            bias = None if bias is None else bias.reshape(m, 1)
            more = [None] * len(parts) if add is None else addend_views(add)
            for (block, source, matrix, result), slab, addend in zip(steps, slab_views(y), more, strict=True):
                copyto(block, source)
                if in_one_part:
                    dot(w, matrix, slab)
                    finish(slab, bias, addend)
                else:
                    dot(w, matrix, result)
                    finish(result, bias, None if addend is None else addend.reshape(m, -1))
                    copyto(slab, result.reshape(slab.shape))
            return y

        return images_last_run

    work = [x.with_shape((depth * rows * each,))] + ([] if in_one_part else [x.with_shape((m * rows * each,))])
    return Prepared(work + scratch_of(act, x, m * rows * each), [framed(padded_spec, inner)], bind)


def _winograd(x: TensorSpec, w: TensorSpec, outs: list[int], attrs: dict[str, Any]) -> Prepared:
    """Tiles to frequencies, one product per frequency, and back; channels last."""
    (images, _, _, c), (t2, _, count), act, slices = x.shape, w.shape, attrs["act"], x.shape[3] // w.shape[1]
    t = int(t2**0.5)
    m = t - 2
    rows, columns = (-(-o // m) for o in outs)
    padded, inner = _padded_image(x, attrs["pads"], (rows * m - outs[0], columns * m - outs[1]))
    step = max(1, min(images, TILES // (t2 * rows * columns * max(c, count))))
    tiles, even = rows * columns, (rows * m, columns * m) == tuple(outs)
    shape = (images, *outs, count)
    into, back = winograd.transforms(m, x.dtype.name)

    def bind(
        inputs: list[Array | None],
        out: Array | None,
        work: list[Any],
        persistent: list[Any],
        empty: Callable[..., Any] = np.empty,
    ) -> Any:
        finish = finisher(act, x.dtype.np, work.pop() if act == "hardswish" else None)
        big: Any = None if even else work.pop()
        image, (tile_columns, product) = persistent[0], work  # memory of tiles is that of products, and so on
        target = image[inner]
        a, b, d, e = image.strides
        every = _view(image, (t, t, images, rows, columns, c), (b, d, a, b * m, d * m, e))
        dot, copyto, matmul = np.dot, np.copyto, np.matmul
        steps = []
        for first in range(0, images, step):
            n = min(step, images - first)
            cuts: Any = skinny_matmul.blocks(n * tiles, c, count, False) if x.dtype.name == "float32" and slices == 1 else ()
            tile, frequency = product[: t2 * n * tiles * c], tile_columns[: t2 * n * tiles * c]
            result, spread = product[: t2 * n * tiles * count], tile_columns[: m * m * n * tiles * count]
            product_matrix = result.reshape(t2, n * tiles, count)
            placed = spread.reshape(m, m, n, rows, columns, count).transpose(2, 3, 0, 4, 1, 5)
            square: Any = None if even else big[: n * m * m * tiles * count].reshape(n, rows, m, columns, m, count)
            cut: Any = None if even else square.reshape(n, rows * m, columns * m, count)[:, : outs[0], : outs[1]]
            steps.append((
                tile.reshape(t, t, n, rows, columns, c), every[:, :, first : first + n], tile.reshape(t2, -1),
                frequency.reshape(t2, -1), across(frequency.reshape(t2, n * tiles, c), slices),
                [(part, product_matrix[:, None, :, part] if part else across(product_matrix, slices)) for part in cuts or (None,)],
                result.reshape(t2, -1), spread.reshape(m * m, -1), placed, square, cut,
            ))  # fmt: skip

        def slabs(y: Array) -> list[Any]:
            return [y[i : i + step] for i in range(0, images, step)]

        slab_views, addend_views = fixed(slabs, out), fixed(slabs, inputs[3])

        def winograd_run(x: Array, w: Array, bias: Array | None, add: Array | None) -> Array:
            y = empty(shape, w.dtype) if out is None else out
            copyto(target, x)
            parts = across(w, slices)
            more = [None] * len(steps) if add is None else addend_views(add)
            for (
                tile,
                source,
                flat,
                frequency,
                transformed,
                products,
                flat_result,
                spread,
                placed,
                square,
                cut,
            ), slab, addend in zip(steps, slab_views(y), more, strict=True):
                copyto(tile, source)
                dot(into, flat, frequency)
                for part, those in products:
                    matmul(transformed, parts if part is None else w[:, None, :, part], those)
                dot(back, flat_result, spread)
                if even:
                    copyto(slab.reshape(placed.shape), placed)
                else:
                    copyto(square, placed)
                    copyto(slab, cut)
                for part in range(len(slab)):
                    finish(slab[part], bias, None if addend is None else addend[part])
            return y

        return winograd_run

    max_channels = max(c, count)
    work = [x.with_shape((t2 * step * tiles * max_channels,)), x.with_shape((t2 * step * tiles * max_channels,))]
    work += [] if even else [x.with_shape((step * m * m * tiles * count,))]
    return Prepared(work + scratch_of(act, x, prod(outs) * count), [framed(padded, inner)], bind)


def _depthwise(x: TensorSpec, w: TensorSpec, outs: list[int], attrs: dict[str, Any]) -> Prepared:
    """Each channel by itself: sums of products of shifted images and weights, in blocks of rows; channels last.

    `einsum` multiplies and adds in one go, and is quick where many numbers that belong together are next to each other: weights are
    there once for each of several columns, and where windows are some columns apart, those that windows have at the same place are
    copied side by side.
    """
    (n, height, width, c), (kh, kw), (sh, sw), (dh, dw) = x.shape, attrs["kernel"], attrs["stride"], attrs["dilation"]
    top, _, left, _ = attrs["pads"]
    phases, together = sw if w.shape[2] > c else 1, w.shape[2] // c
    tall, broad = _padded_image(x, attrs["pads"])[0].shape[1:3]
    image_spec = x.with_shape((n, tall, phases, -(-broad // phases), c))
    parts = blocks_of(n, outs[0], outs[1] * c, DEPTHWISE)
    largest = max((b - a) * (j - i) for a, b, i, j in parts) * outs[1] * c
    act, shape, line = attrs["act"], (n, *outs, c), together * c
    widths = [kw] if phases == 1 else [-(-(kw - p) // phases) for p in range(min(phases, kw))]

    def bind(
        inputs: list[Array | None], out: Array | None, work: list[Any], persistent: list[Any], empty: Any = np.empty
    ) -> Any:
        (image,), scratch = persistent, work[0]
        finish = finisher(act, x.dtype.np, scratch)
        copies = []
        for p in range(phases):
            first = (p - left) % phases
            position, count = (left + first) // phases, -(-(width - first) // phases)
            if count > 0:
                copies.append((image[:, top : top + height, p, position : position + count], first))
        a, b, _, d, e = image.strides
        step = together * d * (sw if phases == 1 else 1)
        strides = (b * dh, d * dw, a, b * sh, step, e)
        views = [_view(image[:, :, p], (kh, t, n, outs[0], outs[1] // together, line), strides) for p, t in enumerate(widths)]
        copyto, einsum, plus, apart = np.copyto, np.einsum, np.add, len(widths)
        steps = []
        for first, end, i, j in parts:
            part = scratch[: (end - first) * (j - i) * outs[1] * c].reshape(end - first, j - i, -1, line)
            steps.append((part, [view[:, :, first:end, i:j] for view in views]))

        def slabs(y: Array) -> list[Any]:
            return [(y[first:end, i:j], y[first:end, i:j].reshape(end - first, j - i, -1, line)) for first, end, i, j in parts]

        slab_views, addend_views = fixed(slabs, out), fixed(lambda y: [y[first:end, i:j] for first, end, i, j in parts], inputs[3])

        def depthwise_run(x: Array, w: Array, bias: Array | None, add: Array | None) -> Array:
            y = empty(shape, w.dtype) if out is None else out
            for target, first in copies:
                copyto(target, x[:, :, first::phases])
            taps = [w[:, p::apart] for p in range(apart)]
            more = [None] * len(parts) if add is None else addend_views(add)
            for (part, sources), (slab, lines), addend in zip(steps, slab_views(y), more, strict=True):
                target = lines
                for source, weights in zip(sources, taps, strict=True):
                    einsum("uvnhbx,uvx->nhbx", source, weights, out=target)
                    if target is part:
                        plus(lines, part, lines)
                    target = part
                finish(slab, bias, addend)
            return y

        return depthwise_run

    return Prepared([x.with_shape((largest,))], [PaddedBuffer(image_spec, ((1, top, top + height), (3, left, left + width)))], bind)


def columns_together(channels: int, width: int, stride: int, dilation: int) -> int:
    """For how many columns of a result of ``width`` columns the weights of a depthwise convolution are repeated."""
    if stride > 1 < dilation:
        return 1
    candidates = (t for t in range(1, width + 1) if width % t == 0 and t * channels >= LONG)
    return next(candidates, width)
