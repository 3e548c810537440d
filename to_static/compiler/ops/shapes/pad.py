"""Padding: with a constant in any dimension, or of spatial dimensions by reflection, replication or wrapping around."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, GradContext, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import arguments, dtype_checks, dynamic_sizes
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.layers import windows
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import ArgumentError, ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader

MODES = ("constant", "reflect", "replicate", "circular")


def _pairs(paddings: list[int]) -> windows.Pads:
    return list(zip(paddings[::2], paddings[1::2], strict=True))


@op("pad(X -> Out) paddings:ints pad_value:float", traits="integral")
def pad_op(x: Tensor, paddings: Sequence[int], pad_value: float = 0.0) -> Tensor:
    """``x`` with ``paddings`` (before and after each dimension, first to last) filled with ``pad_value``."""
    return pad_op.emit(x, paddings=[int(p) for p in paddings], pad_value=float(pad_value))


@pad_op.infer
def _(x: TensorSpec, paddings: list[int], pad_value: float) -> TensorSpec:
    if len(paddings) != 2 * x.ndim or min(paddings, default=0) < 0:
        raise ShapeError(f"pad: expected {2 * x.ndim} values that are not negative for {show(x.shape)}, got {paddings}")
    return x.with_shape(
        d if d == UNKNOWN else d + b + a for d, (b, a) in zip(x.shape, _pairs(paddings), strict=True)
    )


@pad_op.kernel
def _(xp: ArrayModule, x: Array, paddings: list[int], pad_value: float) -> Array:
    padded = windows.pad(xp, x, _pairs(paddings), pad_value)
    return padded if padded is not x else x.copy()


@pad_op.specialize
def _(out: TensorSpec, x: TensorSpec, paddings: list[int]) -> Any:
    if not any(paddings):
        return None
    shape, dtype = out.shape, out.dtype.np
    inner = tuple(slice(b, b + d) for d, b in zip(x.shape, paddings[::2], strict=True))

    def pad_op_run(x: Array, pad_value: float) -> Array:
        padded = np.full(shape, pad_value, dtype) if pad_value else np.zeros(shape, dtype)
        padded[inner] = x
        return padded

    return pad_op_run


@pad_op.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    inner = tuple(slice(b, -a if a else None) for b, a in _pairs(ctx.paddings))
    return g[inner] if inner else g


# spatial dimensions --------------------------------------------------------------------------------------------------

_PAD3D = "paddings:ints mode:str value:float data_format:str"


@op(f"pad3d(X -> Out) {_PAD3D}", traits="integral check_shapes")
def pad3d(
    x: Tensor, paddings: Sequence[int], mode: str = "constant", value: float = 0.0, data_format: str = "NCDHW"
) -> Tensor:
    """``[N, C, D, H, W]`` (or ``[N, D, H, W, C]``) padded by ``[left, right, top, bottom, front, back]``.

    ``mode``: 'constant' (filled with ``value``), 'reflect' (without the edge), 'replicate' (the edge) or 'circular'.
    Negative numbers cut off.
    """
    return pad3d.emit(x, paddings=[int(p) for p in paddings], mode=mode, value=float(value), data_format=data_format)


@pad3d.from_file
def _(r: FileReader) -> Tensor:
    attrs = (r.attr("mode", "constant"), r.attr("value", 0.0), r.attr("data_format", "NCDHW"))
    return pad(r.input("X"), r.integers("paddings", "Paddings"), *attrs)


def _spatial_pairs(paddings: list[int]) -> windows.Pads:
    """By dimension, outermost first."""
    return _pairs(paddings)[::-1]


@pad3d.infer
def _(x: TensorSpec, paddings: list[int], mode: str, value: float, data_format: str) -> TensorSpec:
    last = windows.channel_last(data_format, 3, "pad")
    windows.need_ndim(x, 3, "pad")
    if len(paddings) != 6:
        raise ShapeError(f"pad: expected 6 values, got {paddings}")
    if mode not in MODES:
        raise ArgumentError(f"pad: mode must be one of {', '.join(MODES)}, got {mode!r}")
    sizes = []
    for size, (pad_before, pad_after) in zip(windows.spatial(x.shape, last), _spatial_pairs(paddings), strict=True):
        limit = size - 1 if mode == "reflect" else max(pad_before, pad_after)
        no_source = size == 0 and pad_before + pad_after and mode != "constant"
        if size != UNKNOWN and (max(pad_before, pad_after) > limit or no_source):
            raise ShapeError(f"pad: {pad_before} and {pad_after} are too much for mode {mode!r} and a dimension of {size}")
        if size != UNKNOWN and size + pad_before + pad_after < 0:
            raise ShapeError(f"pad: {pad_before} and {pad_after} cut more off than there is of a dimension of {size}")
        sizes.append(size if size == UNKNOWN else size + pad_before + pad_after)
    return x.with_shape(windows.with_spatial(x.shape[0], x.shape[-1 if last else 1], sizes, last))


def _sources(size: int, pad_before: int, pad_after: int, mode: str) -> np.ndarray:
    """Return, for each position of a padded dimension, the position that it copies."""
    position = np.arange(-pad_before, size + pad_after)
    if mode == "replicate":
        return np.clip(position, 0, size - 1)
    if mode == "circular":
        return position % size
    position = np.abs(position)
    return np.where(position >= size, 2 * (size - 1) - position, position)


@pad3d.kernel
def _(xp: ArrayModule, x: Array, paddings: list[int], mode: str, value: float, data_format: str) -> Array:
    pairs = _spatial_pairs(paddings)
    first = 1 if data_format[-1] == "C" else 2
    if mode == "constant":
        all_pairs = [(0, 0)] * first + pairs + [(0, 0)] * (2 - first)
        if min(paddings) < 0:
            return _pad_and_crop(xp, x, all_pairs, value)
        padded = windows.pad(xp, x, all_pairs, value)
        return padded if padded is not x else x.copy()
    for axis, (pad_before, pad_after) in enumerate(pairs, first):
        if pad_before or pad_after:
            x = x.take(xp.asarray(_sources(x.shape[axis], pad_before, pad_after, mode)), axis=axis)
    return x if any(paddings) else x.copy()


def _overlap(size: int, pad_before: int, pad_after: int) -> tuple[slice, slice]:
    """Return the part that a dimension and its padded form share, as one slice of each."""
    start, stop = max(0, -pad_before), min(size, size + pad_after)
    return slice(start, max(start, stop)), slice(start + pad_before, max(start, stop) + pad_before)


def _pad_and_crop(xp: ArrayModule, x: Array, pairs: windows.Pads, value: float) -> Array:
    """Pad with a constant; negative widths cut elements off."""
    shape = [d + pad_before + pad_after for d, (pad_before, pad_after) in zip(x.shape, pairs, strict=True)]
    padded = xp.full(shape, value, x.dtype)
    overlaps = [_overlap(d, *pair) for d, pair in zip(x.shape, pairs, strict=True)]
    padded[tuple(padded_slice for _, padded_slice in overlaps)] = x[tuple(inner_slice for inner_slice, _ in overlaps)]
    return padded


@pad3d.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return pad3d_grad(ctx.x, g, ctx.paddings, ctx.mode, ctx.value, ctx.data_format)


@op("pad3d_grad(Like, G -> DX) paddings mode value data_format", file=None)
def pad3d_grad(like: Tensor, g: Tensor, paddings: Sequence[int], mode: str, value: float, data_format: str) -> Tensor:
    """Each element of ``g`` added to the one it was copied from."""
    return pad3d_grad.emit(like, g, paddings=paddings, mode=mode, value=value, data_format=data_format)


@pad3d_grad.infer
def _(like: TensorSpec, g: TensorSpec, **attrs: AttrValue) -> TensorSpec:
    return like


@pad3d_grad.kernel
def _(xp: ArrayModule, like: Array, g: Array, paddings: list[int], mode: str, value: float, data_format: str) -> Array:
    first = 1 if data_format[-1] == "C" else 2
    for axis, (pad_before, pad_after) in enumerate(_spatial_pairs(paddings), first):
        if not (pad_before or pad_after):
            continue
        size, total, lead = like.shape[axis], g.shape[axis], (slice(None),) * axis
        inner = xp.zeros((*g.shape[:axis], size, *g.shape[axis + 1 :]), g.dtype)
        inner_slice, padded_slice = ((*lead, part) for part in _overlap(size, pad_before, pad_after))
        inner[inner_slice] = g[padded_slice]
        if mode != "constant":
            sources = _sources(size, pad_before, pad_after, mode)
            for position in (*range(min(pad_before, total)), *range(max(pad_before + size, 0), total)):
                target, source = ((*lead, slice(k, k + 1)) for k in (int(sources[position]), position))
                inner[target] += g[source]
        g = inner
    return g if any(paddings) else g.copy()


@pad3d_grad.grad
def _(ctx: GradContext, u: Tensor) -> Any:
    return None, pad3d(u, ctx.paddings, ctx.mode, 0.0, ctx.data_format)


_FORMATS = {3: ("NCL", "NLC"), 4: ("NCHW", "NHWC"), 5: ("NCDHW", "NDHWC")}


def pad(
    x: Any, pad: Any, mode: str = "constant", value: float = 0.0, data_format: str = "NCHW", name: str | None = None
) -> Tensor:
    """``x`` with padding around it.

    Args:
        x: for mode 'constant' any tensor, else ``[N, C, *]`` (or ``[N, *, C]``) of 3 to 5 dimensions.
        pad: an integer, or numbers before and after dimensions: all of them from the first to the last (mode 'constant'
            only, ``2 * x.ndim`` numbers), or the spatial ones from the last to the first (left, right, top, bottom, ...),
            of which negative ones cut off.
        mode: 'constant', 'reflect' (mirrored at the edge), 'replicate' (the edge repeated) or 'circular'.
        value: what 'constant' fills in.
        data_format: layout of ``x`` when only spatial dimensions are padded: 'NCL', 'NCHW', 'NCDHW', 'NLC', ...

    Raises ShapeError when the numbers do not fit, ValueError on an unknown mode or layout.

    Example:
        >>> F.pad(paddle.ones([1, 1, 2]), [1, 0], data_format='NCL').numpy()
        array([[[0., 1., 1.]]], dtype=float32)
    """
    if mode == "constant" and type(pad) in (list, tuple) and type(value) in (int, float):
        attrs = arguments.frozen_attrs(_constant_pad_attrs, x.ndim, pad, float(value), data_format)
        if attrs:
            return pad_op.call((x,), attrs)
    if mode not in MODES:
        raise ArgumentError(f"pad: mode must be one of {', '.join(MODES)}, got {mode!r}")
    if isinstance(value, Tensor):
        return _with(x, pad, mode, value, data_format)
    if isinstance(pad, Tensor) and pad.python_type is None:
        dtype_checks.need_integer(pad, "pad: numbers of elements")
    if hasattr(pad, "tolist") and not dynamic_sizes.is_dynamic(pad):
        pad = pad.tolist()
    is_single = isinstance(pad, (int, np.integer)) or (
        dynamic_sizes.is_dynamic(pad) and not isinstance(pad, (list, tuple)) and pad.ndim == 0
    )
    widths = [p if dynamic_sizes.is_dynamic(p) else int(p) for p in ([pad] * (2 * (x.ndim - 2)) if is_single else pad)]
    if mode == "constant" and len(widths) == 2 * x.ndim:
        return (
            dynamic_sizes.pad(x, widths, range(x.ndim), mode, value)
            if dynamic_sizes.is_dynamic(widths)
            else pad_op(x, widths, value)
        )
    if x.ndim not in _FORMATS:
        what_came = f"{x.ndim} and {len(widths)}"
        raise ShapeError(f"pad: expected a tensor of 3 to 5 dimensions, or {2 * x.ndim} numbers, got {what_came}")
    layout = data_format.upper()
    if layout not in _FORMATS[x.ndim]:
        names = " or ".join(map(repr, _FORMATS[x.ndim]))
        raise ArgumentError(f"pad: data_format of a tensor of {x.ndim} dimensions must be {names}, got {data_format!r}")
    if len(widths) != 2 * (x.ndim - 2):
        raise ShapeError(f"pad: expected {2 * (x.ndim - 2)} numbers for the spatial dimensions, got {len(widths)}")
    last = layout[-1] == "C"
    if dynamic_sizes.is_dynamic(widths):
        return dynamic_sizes.pad(x, widths, range(x.ndim - 2 if last else x.ndim - 1, 0, -1), mode, value)
    missing = list(range(1, 6 - x.ndim)) if last else list(range(2, 7 - x.ndim))
    five_dimensional = F.unsqueeze(x, missing) if missing else x
    y = pad3d(five_dimensional, widths + [0] * (6 - len(widths)), mode, value, "NDHWC" if last else "NCDHW")
    return F.squeeze(y, missing) if missing else y


def _constant_pad_attrs(ndim: int, widths: list[int], value: float, data_format: str) -> dict[str, Any]:
    """Return the attributes of `pad_op`, which pads with a constant; an empty dict if another operator has to pad."""
    if len(widths) == 2 * ndim and min(widths, default=0) >= 0:
        return {"paddings": list(widths), "pad_value": value}
    layout = data_format.upper()
    if layout not in _FORMATS.get(ndim, ()) or len(widths) != 2 * (ndim - 2) or min(widths) < 0:
        return {}
    pairs = [width for i in range(len(widths) - 2, -1, -2) for width in widths[i : i + 2]]
    return {"paddings": [0, 0, *pairs, 0, 0] if layout[-1] == "C" else [0, 0, 0, 0, *pairs], "pad_value": value}


def _with(x: Tensor, widths: list[int], mode: str, value: Tensor, data_format: str) -> Tensor:
    """`pad` with a ``value`` that is a tensor of one element."""
    if not dynamic_sizes.is_dynamic(value):
        return pad(x, widths, mode, float(value), data_format)
    if mode != "constant":
        return pad(x, widths, mode, 0.0, data_format)
    inside = pad(F.ones_like(x), widths, mode, 0.0, data_format)
    filling = F.cast(F.reshape(value, []), x.dtype)
    return F.where(inside > 0, pad(x, widths, mode, 0.0, data_format), filling)


def zeropad2d(x: Tensor, padding: int | Sequence[int], data_format: str = "NCHW", name: str | None = None) -> Tensor:
    """`pad` of images with zeros: ``padding`` is an integer or left, right, top, bottom.

    ``x``: ``[N, C, H, W]`` (or ``[N, H, W, C]`` with ``data_format='NHWC'``).

    Example:
        >>> F.zeropad2d(paddle.ones([1, 1, 1, 1]), [1, 0, 0, 0]).tolist()
        [[[[0.0, 1.0]]]]
    """
    return pad(x, padding, "constant", 0.0, data_format)


def _f(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype("float32")


pad_op.samples(
    lambda: [
        Sample(_f(2, 3), paddings=[1, 0, 0, 2], pad_value=0.5),
        Sample(_f(2), paddings=[0, 0], pad_value=0.0),
        Sample(_f(1, 2, 2), paddings=[0, 1, 2, 0, 1, 1], pad_value=0.0),
    ]
)
_CASES: tuple[tuple[str, list[int], str], ...] = (
    ("constant", [1, 2, 0, 1, 0, 0], "NCDHW"),
    ("constant", [0, 1, 0, 0, 2, 0], "NDHWC"),
    ("reflect", [1, 2, 1, 0, 0, 1], "NCDHW"),
    ("replicate", [3, 1, 0, 2, 0, 0], "NCDHW"),
    ("circular", [1, 2, 0, 1, 1, 0], "NDHWC"),
    ("replicate", [0] * 6, "NCDHW"),
    ("constant", [-1, 2, 0, -1, 1, 0], "NCDHW"),
    ("reflect", [-1, 1, 1, -1, 0, 0], "NDHWC"),
    ("replicate", [-2, 1, 2, -1, -1, 2], "NCDHW"),
    ("circular", [1, -1, -2, 2, 0, -1], "NCDHW"),
    ("constant", [-4, 2, 3, -4, 0, 0], "NCDHW"),
)
pad3d.samples(
    lambda: [Sample(_f(1, 3, 2, 3, 3), paddings=p, mode=m, value=0.5, data_format=d) for m, p, d in _CASES]
)


def _padded(paddings: list[int], data_format: str) -> tuple[int, ...]:
    pairs = _spatial_pairs(paddings)
    shape, first = [1, 3, 2, 3, 3], 1 if data_format[-1] == "C" else 2
    for i, (pad_before, pad_after) in enumerate(pairs, first):
        shape[i] += pad_before + pad_after
    return tuple(shape)


pad3d_grad.samples(
    lambda: [
        Sample(_f(1, 3, 2, 3, 3), _f(*_padded(p, d), seed=1), paddings=p, mode=m, value=0.5, data_format=d)
        for m, p, d in _CASES
    ]
)
