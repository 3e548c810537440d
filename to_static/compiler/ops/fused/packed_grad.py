"""Gradients of convolutions and max poolings in plans, with the image axis last, so that contiguous lines are long."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, PaddedBuffer, Prepared, Sample, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops.fused.packed_conv import FROM_FIRST, TO_FIRST, out_sizes
from to_static.compiler.ops.layers import conv_arrays, pool_arrays
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import bool_, float32

BLOCK = 1 << 20  # numbers in a block of columns
_THERE, _BACK = FROM_FIRST["CHWN"], TO_FIRST["CHWN"]


def _sizes(
    kernel: tuple[int, ...], stride: tuple[int, ...], pads: tuple[int, ...], dilation: tuple[int, ...]
) -> dict[str, Any]:
    return {"kernel": kernel, "stride": stride, "pads": pads, "dilation": dilation}


def _conv_attrs(
    kernel: tuple[int, ...], stride: tuple[int, ...], pads: tuple[int, ...], dilation: tuple[int, ...]
) -> dict[str, Any]:
    explicit = {"stride": stride, "padding": pads, "padding_algorithm": "EXPLICIT", "dilation": dilation}
    return {**explicit, "groups": 1, "data_format": "NCHW"}


@op("packed_conv_filter(X, G -> DW) kernel:ints stride:ints pads:ints dilation:ints", file=None, traits="nodiff")
def packed_conv_filter(x: Tensor, g: Any, kernel: Any, stride: Any, pads: Any, dilation: Any) -> Any:
    """The gradient ``(M, C, kh, kw)`` of a weight, from ``x`` ``(C, H, W, N)`` and that of the output, ``(M, oh, ow, N)``."""
    return packed_conv_filter.emit(x, g, **_sizes(kernel, stride, pads, dilation))


@packed_conv_filter.infer
def _(
    x: TensorSpec,
    g: TensorSpec,
    kernel: tuple[int, ...],
    stride: tuple[int, ...],
    pads: tuple[int, ...],
    dilation: tuple[int, ...],
) -> TensorSpec:
    return x.with_shape((g.shape[0], x.shape[0], *kernel))


@packed_conv_filter.kernel
def _(
    xp: ArrayModule,
    x: Array,
    g: Array,
    kernel: tuple[int, ...],
    stride: tuple[int, ...],
    pads: tuple[int, ...],
    dilation: tuple[int, ...],
) -> Array:
    like = xp.empty((g.shape[0], x.shape[0], *kernel), x.dtype)
    x, g = (xp.ascontiguousarray(a.transpose(_BACK)) for a in (x, g))
    return conv_arrays.grad_filter(xp, x, like, g, **_conv_attrs(kernel, stride, pads, dilation))


class _WindowViews:
    """The windows of padded images ``(C, H, W, N)``, in blocks of rows of the output."""

    def __init__(
        self,
        x: TensorSpec,
        kernel: tuple[int, ...],
        stride: tuple[int, ...],
        pads: tuple[int, ...],
        dilation: tuple[int, ...],
    ) -> None:
        (self.c, self.h, self.w, self.n), self.x = x.shape, x
        self.kernel, self.stride, self.dilation = kernel, stride, dilation
        self.top, bottom, self.left, right = pads
        self.outs = out_sizes(x, kernel, stride, pads, dilation)
        self.padded_spec = x.with_shape((self.c, self.h + self.top + bottom, self.w + self.left + right, self.n))
        self.framed = PaddedBuffer(self.padded_spec, ((1, self.top, self.top + self.h), (2, self.left, self.left + self.w)))
        self.each, self.depth = self.outs[1] * self.n, self.c * prod(kernel)
        self.rows = max(1, min(self.outs[0], BLOCK // (self.depth * self.each)))
        self.blocks = [(i, min(i + self.rows, self.outs[0])) for i in range(0, self.outs[0], self.rows)]

    def inner(self, image: Array) -> Array:
        """The images without their padding."""
        return image[:, self.top : self.top + self.h, self.left : self.left + self.w]

    def view(self, image: Array) -> Array:
        """All windows ``(C, kh, kw, oh, ow, N)``."""
        a, b, d, e = image.strides
        (sh, sw), (dh, dw) = self.stride, self.dilation
        shape = (self.c, *self.kernel, *self.outs, self.n)
        return np.lib.stride_tricks.as_strided(image, shape, (a, b * dh, d * dw, b * sh, d * sw, e))


@packed_conv_filter.prepare
def _(
    specs: tuple[TensorSpec, ...],
    kernel: tuple[int, ...],
    stride: tuple[int, ...],
    pads: tuple[int, ...],
    dilation: tuple[int, ...],
) -> Prepared:
    x, g = specs
    wins, m = _WindowViews(x, kernel, stride, pads, dilation), g.shape[0]
    shape, matrix = (m, wins.c, *kernel), (m, wins.depth)

    def bind(
        inputs: list[Array | None],
        out: Array | None,
        work: list[Any],
        persistent: list[Any],
        empty: Callable[..., Any] = np.empty,
    ) -> Any:
        columns, partial = work
        (image,) = persistent
        target, every = wins.inner(image), wins.view(image)
        steps = []
        for i, j in wins.blocks:
            flat = columns[: wins.depth * (j - i) * wins.each].reshape(wins.depth, -1)
            block = flat.reshape(wins.c, *kernel, j - i, wins.outs[1], wins.n)
            steps.append((block, every[:, :, :, i:j], flat.T, slice(i * wins.each, j * wins.each)))
        copyto, dot, add = np.copyto, np.dot, np.add

        def packed_conv_filter_run(x: Array, g: Array) -> Array:
            y = empty(shape, x.dtype) if out is None else out
            total, slopes = y.reshape(matrix), g.reshape(m, -1)
            copyto(target, x)
            for k, (block, source, flat, part) in enumerate(steps):
                copyto(block, source)
                if k:
                    dot(slopes[:, part], flat, partial)
                    add(total, partial, total)
                else:
                    dot(slopes[:, part], flat, total)
            return y

        return packed_conv_filter_run

    return Prepared([x.with_shape((wins.depth * wins.rows * wins.each,)), x.with_shape(matrix)], [wins.framed], bind)


@op("packed_conv_input(G, W -> DX) sizes:ints kernel:ints stride:ints pads:ints dilation:ints", file=None, traits="nodiff")
def packed_conv_input(g: Any, w: Any, sizes: Any, kernel: Any, stride: Any, pads: Any, dilation: Any) -> Any:
    """The gradient ``(C, *sizes, N)`` of a convolution's input: ``g`` is that of the output, ``w`` ``(M, C * kh * kw)``."""
    return packed_conv_input.emit(g, w, sizes=sizes, **_sizes(kernel, stride, pads, dilation))


@packed_conv_input.infer
def _(g: TensorSpec, w: TensorSpec, sizes: tuple[int, ...], kernel: tuple[int, ...], **attrs: AttrValue) -> TensorSpec:
    return g.with_shape((w.shape[1] // prod(kernel), *sizes, g.shape[3]))


@packed_conv_input.kernel
def _(
    xp: ArrayModule,
    g: Array,
    w: Array,
    sizes: tuple[int, ...],
    kernel: tuple[int, ...],
    stride: tuple[int, ...],
    pads: tuple[int, ...],
    dilation: tuple[int, ...],
) -> Array:
    weight = w.reshape(w.shape[0], -1, *kernel)
    like = xp.empty((g.shape[3], weight.shape[1], *sizes), g.dtype)
    first = xp.ascontiguousarray(g.transpose(_BACK))
    dx = conv_arrays.grad_input(xp, like, weight, first, **_conv_attrs(kernel, stride, pads, dilation))
    return dx.transpose(_THERE).copy()


@packed_conv_input.prepare
def _(
    specs: tuple[TensorSpec, ...],
    sizes: tuple[int, ...],
    kernel: tuple[int, ...],
    stride: tuple[int, ...],
    pads: tuple[int, ...],
    dilation: tuple[int, ...],
) -> Prepared:
    g, w = specs
    x = g.with_shape((w.shape[1] // prod(kernel), *sizes, g.shape[3]))
    wins, m, padded = _WindowViews(x, kernel, stride, pads, dilation), g.shape[0], any(pads)
    (sh, sw), (dh, dw) = stride, dilation
    across = (wins.outs[1] - 1) * sw + 1

    def bind(
        inputs: list[Array | None],
        out: Array | None,
        work: list[Any],
        persistent: list[Any],
        empty: Callable[..., Any] = np.empty,
    ) -> Any:
        parts, image = work
        positions = []
        for i, j in wins.blocks:
            down = (j - i - 1) * sh + 1
            positions.append([
                (u, v, (slice(None), slice(i * sh + u * dh, i * sh + u * dh + down, sh), slice(v * dw, v * dw + across, sw)))
                for u in range(kernel[0]) for v in range(kernel[1])
            ])  # fmt: skip
        steps = []
        for (i, j), taps in zip(wins.blocks, positions, strict=True):
            flat = parts[: wins.depth * (j - i) * wins.each].reshape(wins.depth, -1)
            block = flat.reshape(wins.c, *kernel, j - i, wins.outs[1], wins.n)
            steps.append((flat, slice(i * wins.each, j * wins.each), [(block[:, u, v], position) for u, v, position in taps]))
        padded_image = image.reshape(wins.padded_spec.shape) if padded else None
        copyto, dot, add = np.copyto, np.dot, np.add

        def packed_conv_input_run(g: Array, w: Array) -> Array:
            y = empty(x.shape, g.dtype) if out is None else out
            total = y if padded_image is None else padded_image
            total.fill(0)
            slopes, weight = g.reshape(m, -1), w.T
            for flat, part, taps in steps:
                dot(weight, slopes[:, part], flat)
                for source, position in taps:
                    spot = total[position]
                    add(spot, source, spot)
            if padded_image is not None:
                copyto(y, wins.inner(padded_image))
            return y

        return packed_conv_input_run

    room = wins.padded_spec.size if padded else 1
    return Prepared([x.with_shape((wins.depth * wins.rows * wins.each,)), x.with_shape((room,))], [], bind)


@op("packed_pool_grad(X, Y, G -> DX) kernel:ints", file=None, traits="nodiff")
def packed_pool_grad(x: Tensor, y: Any, g: Any, kernel: Any) -> Any:
    """The gradient of a max pooling of ``x`` ``(C, H, W, N)`` with windows side by side: the first maximum of a window gets all."""
    return packed_pool_grad.emit(x, y, g, kernel=kernel)


@packed_pool_grad.infer
def _(x: TensorSpec, y: TensorSpec, g: TensorSpec, kernel: tuple[int, ...]) -> TensorSpec:
    return x


@packed_pool_grad.kernel
def _(xp: ArrayModule, x: Array, y: Array, g: Array, kernel: tuple[int, ...]) -> Array:
    x, y, g = (xp.ascontiguousarray(a.transpose(_BACK)) for a in (x, y, g))
    dx = pool_arrays.gradient(
        xp, x, y, g, pooling_type="max", kernel_size=list(kernel), stride=list(kernel), padding=[0, 0],
        padding_algorithm="EXPLICIT", ceil_mode=False, exclusive=True, adaptive=False, global_pooling=False, data_format="NCHW",
    )  # fmt: skip
    return dx.transpose(_THERE).copy()


@packed_pool_grad.prepare
def _(specs: tuple[TensorSpec, ...], kernel: tuple[int, ...]) -> Prepared:
    x, y, _ = specs
    (kh, kw), (_, oh, ow, _) = kernel, y.shape
    rows = [slice(u, u + (oh - 1) * kh + 1, kh) for u in range(kh)]
    taps = [(slice(None), row, slice(v, v + (ow - 1) * kw + 1, kw)) for row in rows for v in range(kw)]
    covered = x.shape[1:3] == (oh * kh, ow * kw)

    def bind(
        inputs: list[Array | None],
        out: Array | None,
        work: list[Any],
        persistent: list[Any],
        empty: Callable[..., Any] = np.empty,
    ) -> Any:
        hit, done = (w.view(bool) for w in work)
        equal, greater, either, multiply, invert = np.equal, np.greater, np.logical_or, np.multiply, np.logical_not

        def packed_pool_grad_run(x: Array, y: Array, g: Array) -> Array:
            dx = empty(x.shape, x.dtype) if out is None else out
            if not covered:
                dx.fill(0)
            done.fill(False)
            for position in taps[:-1]:
                equal(x[position], y, out=hit)
                greater(hit, done, out=hit)
                either(done, hit, out=done)
                multiply(g, hit, out=dx[position])
            invert(done, out=hit)  # of the rest it is the last one, or there is no number
            multiply(g, hit, out=dx[taps[-1]])
            return dx

        return packed_pool_grad_run

    return Prepared([y.with_dtype(bool_), y.with_dtype(bool_)], [], bind)


def _f(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype("float32")


_CASES: list[tuple[tuple[int, ...], int, dict[str, Any]]] = [
    ((3, 6, 5, 4), 2, _sizes((3, 2), (1, 1), (0, 0, 0, 0), (1, 1))),
    ((2, 7, 6, 3), 4, _sizes((3, 3), (2, 1), (1, 1, 0, 2), (1, 2))),
    ((1, 30, 30, 20), 3, _sizes((3, 3), (1, 1), (1, 1, 1, 1), (1, 1))),
]


def _samples(of_input: bool) -> list[Sample]:
    samples = []
    for x, m, attrs in _CASES:
        outs = out_sizes(TensorSpec(x, float32), *attrs.values())
        g = _f(m, *outs, x[3], seed=1)
        if of_input:
            w = _f(m, x[0] * prod(attrs["kernel"]), seed=2)
            samples.append(Sample(g, w, sizes=x[1:3], grad=(), file=False, rtol=1e-4, **attrs))
        else:
            samples.append(Sample(_f(*x), g, grad=(), file=False, rtol=1e-4, **attrs))
    return samples


def _pooled(*shape: int) -> Sample:
    x = np.round(_f(*shape) * 3)  # with equal numbers in a window
    c, h, w, n = shape
    y = x[:, : h // 2 * 2, : w // 2 * 2].reshape(c, h // 2, 2, w // 2, 2, n).max((2, 4))
    return Sample(x, y, _f(*y.shape, seed=1), kernel=(2, 2), grad=(), file=False)


packed_conv_filter.samples(lambda: _samples(False))
packed_conv_input.samples(lambda: _samples(True))
packed_pool_grad.samples(lambda: [_pooled(3, 4, 6, 5), _pooled(2, 5, 7, 2)])
