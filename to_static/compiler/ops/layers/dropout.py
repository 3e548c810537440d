"""Dropout: random masks, and the operator that applies a mask."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, FrozenAttrs, GradContext, NumberedAttrs, Sample, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks, dynamic_sizes
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.kernel_scalar import operand
from to_static.core.array_types import Array, ArrayModule
from to_static.core.backend import NUMPY, backend_of
from to_static.core.dtypes import as_dtype
from to_static.core.errors import ArgumentError, ShapeError
from to_static.core.random.program_seeds import SEEDS

UPSCALE, DOWNGRADE = "upscale_in_train", "downgrade_in_infer"  # as files call the two modes


@op(
    "dropout(X -> Out, Mask?) p=dropout_prob:float is_test:bool mode=dropout_implementation:str seed:int fix_seed:bool axis",
    traits="random alias",
)
def dropout_op(
    x: Tensor, p: float = 0.5, is_test: bool = False, mode: str = DOWNGRADE, seed: int = 0, fix_seed: bool = False,
    axis: Any = None,
) -> tuple[Tensor, ...]:  # fmt: skip
    """``x`` with elements zeroed with probability ``p``, and the mask (uint8) of those kept.

    Mode 'upscale_in_train' divides the rest by ``1 - p``; 'downgrade_in_infer' multiplies by ``1 - p`` when ``is_test``.
    ``axis``: dimensions along which masks differ (None: all). ``seed`` counts when ``fix_seed`` is True.
    """
    return dropout_op.emit(x, p=float(p), is_test=bool(is_test), mode=mode, seed=int(seed), fix_seed=fix_seed, axis=axis)


@dropout_op.infer
def _(x: TensorSpec, axis: tuple[int, ...] | None, **attrs: AttrValue) -> tuple[TensorSpec, ...]:
    dtype_checks.need_float(x, "dropout")
    shape = x.shape if axis is None else tuple(d if i in axis else 1 for i, d in enumerate(x.shape))
    return x, TensorSpec(shape, as_dtype("uint8"))


@dropout_op.kernel
def _(
    xp: ArrayModule,
    x: Array,
    p: float,
    is_test: bool,
    mode: str,
    seed: int,
    fix_seed: bool,
    axis: tuple[int, ...] | None,
) -> tuple[Array, ...]:
    shape = x.shape if axis is None else tuple(d if i in axis else 1 for i, d in enumerate(x.shape))
    if is_test:
        return (x if mode == UPSCALE else x * operand(xp, _kept_share(p), x.dtype)), _ones(xp, shape)
    if p == 1:
        return xp.zeros_like(x), xp.zeros(shape, "uint8")  # also where x is infinite; nothing is drawn
    backend = backend_of(x)
    source = backend.new_generator(seed, alone=True) if fix_seed and seed else backend.generator
    mask = xp.asarray(source.bernoulli_mask(shape, p))
    out = xp.multiply(x, mask, xp.empty_like(x))
    if mode == UPSCALE and p > 0:
        if axis is None:
            xp.divide(out, operand(xp, _kept_share(p), out.dtype), out)
        else:
            xp.multiply(out, operand(xp, 1 / (1 - p), out.dtype), out)
    return out, mask.view("uint8")


@dropout_op.specialize
def _(outs: tuple[TensorSpec, ...], x: TensorSpec, is_test: bool, mode: str, **attrs: AttrValue) -> Any:
    upscale = mode == UPSCALE
    if is_test and upscale:
        ones = _ones(np, outs[1].shape)
        return lambda x, p: (x, ones)
    if is_test or attrs["fix_seed"] or attrs["axis"] is not None or not x.shape:
        return None
    shape, dtype, numpy_backend = x.shape, x.dtype.np, NUMPY

    def dropout_run(x: Array, p: float) -> tuple[Array, Array]:
        if p == 1:
            return np.zeros(shape, dtype), np.zeros(shape, np.uint8)
        mask = numpy_backend.generator.bernoulli_mask(shape, p)
        out = np.multiply(x, mask)
        if upscale and p > 0:
            np.divide(out, np.array(_kept_share(p), dtype), out)
        return out, mask.view(np.uint8)

    return dropout_run


@functools.lru_cache(256)
def _ones(xp: ArrayModule, shape: tuple[int, ...]) -> Any:
    """The mask where nothing is dropped, which is one number and is not written to."""
    return xp.broadcast_to(xp.ones((), "uint8"), shape)


_ONE = np.float32(1)


@functools.lru_cache(maxsize=64)
def _kept_share(p: float) -> float:
    """``1 - p`` in 32 bits, in which Paddle computes it for every dtype."""
    return float(_ONE - np.float32(p))


@dropout_op.grad_kernel
def _(
    x: Array, out: Array, mask: Array, g: Array, p: float, is_test: bool, mode: str, seed: int, fix_seed: bool, axis: Any
) -> Any:
    if is_test or axis is not None or mask.dtype != np.uint8:
        return None
    return dropout_grad.op.kernel_for("numpy")(np, g, mask, _kept_share(p) if mode == UPSCALE and p < 1 else 1.0)


@dropout_op.grad
def _(ctx: GradContext, g: Tensor, unused: Any) -> Any:
    upscale = ctx.mode == UPSCALE
    if ctx.is_test:
        return g if upscale else g * _kept_share(ctx.p)
    if isinstance(ctx.p, Tensor) and ctx.axis is None:  # a number of which a plan has to know nothing
        share = F.cast(1.0 - F.cast(ctx.p, "float32"), g.dtype)
        through = dropout_grad(g, ctx.outputs[1], 1.0)
        return through / F.where(share > 0, share, F.ones_like(share)) if upscale else through
    scaled = upscale and ctx.p < 1
    if ctx.axis is None:
        return dropout_grad(g, ctx.outputs[1], _kept_share(ctx.p) if scaled else 1.0)
    kept_grad = dropout_grad(g, ctx.outputs[1], 1.0)
    return kept_grad * (1 / (1 - ctx.p)) if scaled else kept_grad


@op("dropout_grad(X, Mask -> Out) divisor", file=None)
def dropout_grad(x: Tensor, mask: Tensor, divisor: float) -> Tensor:
    """``x * mask / divisor`` for a mask of zeros and ones of any dtype."""
    return dropout_grad.emit(x, mask, divisor=float(divisor))


@dropout_grad.infer
def _(x: TensorSpec, mask: TensorSpec, divisor: float) -> TensorSpec:
    return x


@dropout_grad.kernel
def _(xp: ArrayModule, x: Array, mask: Array, divisor: float) -> Array:
    out = xp.multiply(x, mask.view("bool") if mask.dtype == np.uint8 else mask, xp.empty_like(x))
    return out if divisor == 1 else xp.divide(out, divisor, out)


@dropout_grad.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return dropout_grad(g, ctx.inputs[1], ctx.divisor), None


@dropout_op.from_file
def _(r: Any) -> Any:
    """As declared; a probability that only the Program knows is the name of a variable."""
    rate = r.attrs.get("dropout_prob")
    if not isinstance(rate, str):
        return r.read_declared(dropout_op.op)
    if not r.attr("is_test", False):
        r.refuse("a probability of dropout that the Program computes, in training")
    mode = "upscale_in_train" if r.attr("dropout_implementation", DOWNGRADE) == UPSCALE else "downscale_in_infer"
    return dropout(r.input("X"), r.variable("dropout_prob"), training=False, mode=mode)


def dropout_with_one_mask(p: float, training: bool) -> Callable[[Any], Any]:
    """A function that drops elements of tensors of one shape, the same ones of each, as Paddle does between layers."""
    mask: Any = None

    def drop(x: Tensor) -> Tensor:
        nonlocal mask
        if mask is None or not training or p == 1:
            x, mask = dropout_op(x, p, not training, UPSCALE)
            return x
        return x * F.cast(mask, x.dtype) / _kept_share(p)

    return drop


def dropout(
    x: Tensor,
    p: float = 0.5,
    axis: int | Sequence[int] | None = None,
    training: bool = True,
    mode: str = "upscale_in_train",
    name: str | None = None,
) -> Tensor:
    """Zero elements of ``x`` with probability ``p`` while training.

    ``mode='upscale_in_train'`` divides the others by ``1 - p`` in training and leaves ``x`` alone otherwise;
    'downscale_in_infer' leaves them and multiplies by ``1 - p`` outside of training. ``axis``: an integer or several: the
    mask has these dimensions and is the same along all others. Raises ValueError on a probability outside ``[0, 1]`` or an
    unknown mode, ShapeError on an axis out of range.

    Example:
        >>> F.dropout(paddle.ones([2, 3]), 0.5, training=False).sum().item()
        6.0

    Source: Hinton et al., "Improving neural networks by preventing co-adaptation of feature detectors".
    """
    if isinstance(p, Tensor) and not training and dynamic_sizes.is_dynamic(p):
        return x if mode == "upscale_in_train" else x * (1 - F.cast(F.reshape(p, []), x.dtype))
    if isinstance(p, Tensor):
        p = float(p)
    if isinstance(p, bool) or not isinstance(p, (int, float, np.number)):
        raise TypeError(f"dropout: p must be a number, got {type(p).__name__}")
    if not 0 <= p <= 1:
        raise ArgumentError(f"dropout: p must lie between 0 and 1, got {p}")
    if mode not in ("upscale_in_train", "downscale_in_infer"):
        raise ArgumentError(f"dropout: mode must be 'upscale_in_train' or 'downscale_in_infer', got {mode!r}")
    if axis is not None:
        axis = [axis] if isinstance(axis, (int, np.integer)) else list(axis)
        if any(not 0 <= a < x.ndim for a in axis):
            raise ShapeError(f"dropout: axis {axis} is out of range for a tensor of {x.ndim} dimensions")
        axis = tuple(int(a) for a in axis)
    if p == 0 or (axis is not None and not training and mode == "upscale_in_train"):
        return x
    seed = SEEDS[0] if axis is None else 0  # Paddle draws masks for axes by another operator
    way = UPSCALE if mode == "upscale_in_train" else DOWNGRADE
    return dropout_op.call((x,), _with_rate(float(p), not training, way, seed, axis))[0]


@functools.lru_cache(256)
def _with_rate(p: float, is_test: bool, mode: str, seed: int, axis: tuple[int, ...] | None) -> NumberedAttrs:
    return NumberedAttrs(_frozen_attrs(is_test, mode, seed, axis), p=p)


@functools.lru_cache(256)
def _frozen_attrs(is_test: bool, mode: str, seed: int, axis: tuple[int, ...] | None) -> FrozenAttrs:
    return FrozenAttrs(is_test=is_test, mode=mode, seed=seed, fix_seed=bool(seed), axis=axis)


def _channels(x: Tensor, data_format: str, formats: tuple[str, str], name: str) -> tuple[int, int]:
    if data_format not in formats:
        raise ArgumentError(f"{name}: data_format must be {formats[0]!r} or {formats[1]!r}, got {data_format!r}")
    return (0, 1) if data_format == formats[0] else (0, x.ndim - 1)


def dropout2d(
    x: Tensor, p: float = 0.5, training: bool = True, data_format: str = "NCHW", name: str | None = None
) -> Tensor:
    """`dropout` of whole channels of images ``[N, C, H, W]``.

    Source: Tompson et al., "Efficient Object Localization Using Convolutional Networks".
    ``x``: floats; ``p``: the probability of dropping a channel; with ``training=False`` the result is ``x``;
    ``data_format``: 'NCHW' (default) or 'NHWC'.

    Example:
        >>> F.dropout2d(paddle.ones([2, 3, 4, 4])).shape
        [2, 3, 4, 4]
    """
    return dropout(x, p, _channels(x, data_format, ("NCHW", "NHWC"), "dropout2d"), training)


def dropout3d(
    x: Tensor, p: float = 0.5, training: bool = True, data_format: str = "NCDHW", name: str | None = None
) -> Tensor:
    """`dropout` of whole channels of volumes ``[N, C, D, H, W]``.

    ``x``: floats; ``p``: the probability of dropping a channel; with ``training=False`` the result is ``x``;
    ``data_format``: 'NCDHW' (default) or 'NDHWC'.

    Example:
        >>> F.dropout3d(paddle.ones([2, 3, 4, 4, 4])).shape
        [2, 3, 4, 4, 4]
    """
    return dropout(x, p, _channels(x, data_format, ("NCDHW", "NDHWC"), "dropout3d"), training)


def alpha_dropout(x: Tensor, p: float = 0.5, training: bool = True, name: str | None = None) -> Tensor:
    """Dropout that keeps mean and variance of `selu` activations: dropped elements become the function's lower limit.

    Raises ValueError on a probability outside ``[0, 1]``.

    Source: Klambauer et al., "Self-Normalizing Neural Networks".
    ``x``: floats; ``p``: the probability of dropping an element; with ``training=False`` the result is ``x``.

    Example:
        >>> F.alpha_dropout(paddle.ones([2, 3]), training=False).tolist()
        [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    """
    if not 0 <= p <= 1:
        raise ArgumentError(f"alpha_dropout: p must lie between 0 and 1, got {p}")
    if not training:
        return x
    if p == 0:
        return F.assign(x)
    if p == 1:
        return F.scale(x, 0.0)
    limit = -1.6732632423543772 * 1.0507009873554805
    rate = ((1 - p) * (1 + p * limit**2)) ** -0.5
    keep_mask = dropout_op(x * 0.0 + 1.0, p, False, DOWNGRADE)[0].detach()
    return (x * keep_mask + (1.0 - keep_mask) * limit) * rate + (-rate * limit * p)


def _x() -> np.ndarray:
    return np.random.default_rng(0).uniform(-2, 2, (3, 4)).astype("float32")


_ATTRS: dict[str, Any] = {"p": 0.5, "is_test": False, "mode": UPSCALE, "seed": 0, "fix_seed": False, "axis": None}
dropout_op.samples(
    lambda: [
        Sample(_x(), **(_ATTRS | {"fix_seed": True, "seed": 3})),
        Sample(_x(), **(_ATTRS | {"fix_seed": True, "seed": 3, "p": 0.25, "mode": DOWNGRADE})),
        Sample(_x(), **(_ATTRS | {"fix_seed": True, "seed": 4, "axis": (0,)}), file=False),
        Sample(_x(), **(_ATTRS | {"p": 1.0})),
        Sample(_x(), **(_ATTRS | {"is_test": True})),
        Sample(_x(), **(_ATTRS | {"is_test": True, "mode": DOWNGRADE})),
        Sample(_x()[0, 0], **(_ATTRS | {"is_test": True, "mode": DOWNGRADE})),
    ]
)
dropout_grad.samples(
    lambda: [
        Sample(_x(), (_x() > 0).astype("uint8"), divisor=2.0),
        Sample(_x(), np.ones((3, 1), "bool"), divisor=1.0),
    ]
)
