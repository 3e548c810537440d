"""Reads Resize and Upsample as interpolation operators if these compute the same, else as one matrix for each dimension."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.formats.onnx.node_view import NodeView, call, constant, reads
from to_static.compiler.ir.registry import REGISTRY
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.dimension_args import HOLE


@reads("Upsample")
def _(n: NodeView) -> Any:
    scales = n.attr("scales") if n.opset < 9 else [float(v) for v in n.constant_array(1).reshape(-1)]
    x = n.x()
    mode = {"linear": "linear", "bilinear": "linear"}.get(n.text("mode", "nearest"), "nearest")
    sizes = [int(np.floor(d * s)) if d != UNKNOWN else d for d, s in zip(x.spec.shape, scales, strict=True)]
    return _resized(n, x, list(range(x.ndim)), list(scales), sizes, mode, "asymmetric", "floor")


@reads("Resize")
def _(n: NodeView) -> Any:
    x = n.x()
    is_old = n.opset < 11
    scales_at, sizes_at = (1, 9) if is_old else (2, 3)
    axes = [a % x.ndim for a in n.ints("axes", list(range(x.ndim)))]
    old_sizes = [x.spec.shape[a] for a in axes]
    if n.has(sizes_at):
        elements = n.sizes(sizes_at)
        dynamic = [i for i, item in enumerate(elements) if not isinstance(item, int)]
        if dynamic and (len(axes) < x.ndim or n.text("keep_aspect_ratio_policy", "stretch") != "stretch"):
            n.refuse("input 3 to be a constant", "a value that is known only at run time")
        for i in dynamic:  # a dimension that stays what it is
            if axes[i] > 1:
                return _dynamic_size(n, x, elements)
            elements[i] = old_sizes[i]
        sizes = [int(v) for v in elements]
        policy = n.text("keep_aspect_ratio_policy", "stretch")
        pairs = zip(sizes, old_sizes, strict=True)
        ratios = [1.0 if w == h else w / h if h != UNKNOWN else _UNKNOWN_SCALE for w, h in pairs]
        if policy != "stretch":
            ratio = min(ratios) if policy == "not_larger" else max(ratios)
            sizes = [int(np.floor(h * ratio + 0.5)) for h in old_sizes]
            ratios = [ratio] * len(old_sizes)
        scales = ratios
    elif n.const(scales_at) is None and n.x(scales_at).ndim and len(axes) == x.ndim:
        return _dynamic_scales(n, x, n.x(scales_at))
    else:
        scales = [float(v) for v in n.constant_array(scales_at).reshape(-1)]
        sizes = [int(np.floor(h * s)) if h != UNKNOWN else h for h, s in zip(old_sizes, scales, strict=True)]
    mode = n.text("mode", "nearest")
    position = "asymmetric" if is_old else n.text("coordinate_transformation_mode", "half_pixel")
    return _resized(n, x, axes, scales, sizes, mode, position, "floor" if is_old else n.text("nearest_mode", "round_prefer_floor"))


_INTERPOLATION = {("linear", 1): "linear", ("linear", 2): "bilinear", ("linear", 3): "trilinear", ("nearest", 2): "nearest",
                  ("nearest", 3): "nearest", ("cubic", 2): "bicubic"}  # fmt: skip

_UNKNOWN_SCALE = 0.5  # stands for a scale that only a run knows: it is no whole number


def _options(n: NodeView, mode: str, position: str, nearest: str, scales: list[float]) -> dict[str, Any] | None:
    """Return the attributes of our interpolation operator, or None if it cannot compute this ``Resize``."""
    if n.flag("antialias") or n.flag("exclude_outside") or position == "tf_crop_and_resize":
        return None
    whole_scales = all(s == int(s) for s in scales)
    if mode == "nearest":
        if nearest == "floor" and position == "asymmetric":
            return {"align_corners": False, "align_mode": 1}
        if position == "half_pixel" and nearest == "round_prefer_floor" and whole_scales:
            return {"align_corners": False, "align_mode": 1}
        return None
    if mode == "cubic" and n.real("cubic_coeff_a", -0.75) != -0.75:
        return None
    if position == "align_corners":
        return {"align_corners": True, "align_mode": 1}
    if position == "half_pixel" or position == "pytorch_half_pixel":
        return {"align_corners": False, "align_mode": 0}
    if position == "asymmetric" and mode == "linear":
        return {"align_corners": False, "align_mode": 1}
    return None


def _resized(
    n: NodeView, x: Tensor, axes: list[int], scales: list[float], sizes: list[int], mode: str, position: str, nearest: str
) -> Any:
    changes = {a: (s, size) for a, s, size in zip(axes, scales, sizes, strict=True) if s != 1 or size != x.spec.shape[a]}
    if not changes:
        return F.assign(x)
    if mode != "nearest" and x.dtype.kind in "iu":  # cut to whole numbers once, after all dimensions
        return F.cast(_resized(n, F.cast(x, "float32"), axes, scales, sizes, mode, position, nearest), x.dtype)
    spatial = list(range(2, x.ndim))
    by_axis = dict(zip(axes, zip(scales, sizes, strict=True), strict=True))
    options = _options(n, mode, position, nearest, [changes[a][0] for a in changes])
    name = _INTERPOLATION.get((mode, len(spatial)))
    exact = all(size > 1 or size == UNKNOWN for _, size in changes.values())
    stretched = n.has(3) and n.text("keep_aspect_ratio_policy", "stretch") == "stretch"  # the sizes say which scales these are
    exact = exact and all(stretched or size == UNKNOWN or s * x.spec.shape[a] == size for a, (s, size) in changes.items())
    if options is not None and name is not None and set(changes) <= set(spatial) and exact and x.dtype.name == "float32":
        targets = [by_axis.get(a, (1.0, x.spec.shape[a])) for a in spatial]
        by_scales = not n.has(3) and all(s > 0 for s, _ in targets)
        if UNKNOWN in [size for _, size in targets] or (by_scales and mode != "nearest"):
            return _interpolated(x, name, options, scales=[s for s, _ in targets])
        return _interpolated(x, name, options, sizes=[size for _, size in targets])
    crop = [float(v) for v in n.constant_array(1).reshape(-1)] if position == "tf_crop_and_resize" else []
    for i, axis in enumerate(axes):
        if axis not in changes and not crop:
            continue
        old_size = x.spec.shape[axis]
        if old_size == UNKNOWN:
            n.refuse(f"a known size of dimension {axis}, for resizing of this kind", "an unknown one")
        region = (crop[i], crop[i + len(axes)]) if crop else None
        weights, outside = _matrix(n, old_size, sizes[i], scales[i], mode, position, nearest, region)
        x = _apply_axis_weights(x, axis, weights, mode)
        if outside is not None and outside.any():
            shape = [-1 if j == axis else 1 for j in range(x.ndim)]
            fill = constant(np.asarray(n.real("extrapolation_value"), x.dtype.np))
            x = F.where(constant(outside.reshape(shape)), fill, x)
    return x


def _interpolated(x: Tensor, name: str, options: dict[str, Any], sizes: Any = None, scales: Any = None) -> Any:
    layout = {3: "NCW", 4: "NCHW", 5: "NCDHW"}[x.ndim]
    names = ["out_d", "out_h", "out_w"][5 - x.ndim :]
    outs = dict(zip(names, sizes, strict=True)) if sizes is not None else {}
    settings = {"interp_method": name, "data_layout": layout, **options}
    return call(f"{name}_interp", x, **outs, scale=[float(s) for s in scales] if scales is not None else (), **settings)


def _dynamic_size(n: NodeView, x: Tensor, elements: list[Any]) -> Any:
    """A size that only a run knows."""
    spatial = elements[2:]
    mode, position = n.text("mode", "nearest"), n.text("coordinate_transformation_mode", "half_pixel")
    options = _options(n, mode, position, n.text("nearest_mode", "round_prefer_floor"), [_UNKNOWN_SCALE])
    name = _INTERPOLATION.get((mode, x.ndim - 2))
    if options is None or name is None:
        n.refuse("a size that is known, for resizing of this kind", "one that is not")
    settings = {
        "out_d": -1, "out_h": -1, "out_w": -1, "scale": [], "interp_method": name, "align_corners": options["align_corners"],
        "align_mode": options["align_mode"], "data_layout": {3: "NCW", 4: "NCHW", 5: "NCDHW"}[x.ndim],
    }  # fmt: skip
    names = ["out_d", "out_h", "out_w"][5 - x.ndim :]
    sizes = {key: HOLE if not isinstance(value, int) else value for key, value in zip(names, spatial, strict=True)}
    tensors = [F.reshape(v, []) for v in spatial if not isinstance(v, int)]
    return REGISTRY[f"{name}_interp"].emit(x, tensors, None, **{**settings, **sizes})


def _dynamic_scales(n: NodeView, x: Tensor, scales: Tensor) -> Any:
    """Factors that only a run knows; those of the first two dimensions are 1."""
    mode, position = n.text("mode", "nearest"), n.text("coordinate_transformation_mode", "half_pixel")
    options = _options(n, mode, position, n.text("nearest_mode", "round_prefer_floor"), [_UNKNOWN_SCALE])
    name = _INTERPOLATION.get((mode, x.ndim - 2))
    if options is None or name is None or mode != "nearest":  # others go by sizes that are no whole numbers
        n.refuse("input 2 to be a constant, for resizing of this kind", "one that is known only at run time")
    settings = {
        "out_d": -1, "out_h": -1, "out_w": -1, "scale": [], "interp_method": name, "align_corners": options["align_corners"],
        "align_mode": options["align_mode"], "data_layout": {3: "NCW", 4: "NCHW", 5: "NCDHW"}[x.ndim],
    }  # fmt: skip
    return REGISTRY[f"{name}_interp"].emit(x, [], scales[2:], **settings)


def _matrix(
    n: NodeView, have: int, want: int, scale: float, mode: str, position: str, nearest: str, region: tuple[float, float] | None
) -> tuple[np.ndarray, np.ndarray | None]:
    """The share of each element in each result, [want, have], and which results lie outside."""
    k = np.arange(want, dtype="float64")
    length = scale * have
    if position == "align_corners":
        at = k * (have - 1) / (length - 1) if length != 1 else k * 0
    elif position == "asymmetric":
        at = k / scale
    elif position == "pytorch_half_pixel":
        at = (k + 0.5) / scale - 0.5 if length > 1 else k * 0
    elif position == "half_pixel_symmetric":
        adjusted = want / length
        at = have / 2 * (1 - adjusted) + (k + 0.5) / scale - 0.5
    elif position == "tf_crop_and_resize":
        first, last = region or (0.0, 1.0)
        if want > 1:
            at = first * (have - 1) + k * (last - first) * (have - 1) / (want - 1)
        else:
            at = np.full(want, 0.5 * (first + last) * (have - 1))
    else:
        at = (k + 0.5) / scale - 0.5
    outside = (at < 0) | (at > have - 1) if position == "tf_crop_and_resize" else None
    weights = np.zeros((want, have))
    rows = np.arange(want)
    if mode == "nearest":
        up = {"round_prefer_ceil": np.floor(at + 0.5), "floor": np.floor(at), "ceil": np.ceil(at)}
        index = up.get(nearest, np.ceil(at - 0.5)).astype("int64").clip(0, have - 1)
        weights[rows, index] = 1
        return weights, outside
    a = n.real("cubic_coeff_a", -0.75)
    stretch = min(scale, 1.0) if n.flag("antialias") else 1.0
    support = (1.0 if mode == "linear" else 2.0) / stretch
    base = np.floor(at)
    reach = int(np.ceil(support))
    offsets = np.arange(-reach + 1, reach + 1)
    shares = np.stack([_share((base + o - at) * stretch, mode, a) for o in offsets], 1)
    index = (base[:, None] + offsets[None]).astype("int64")
    if n.flag("exclude_outside"):
        shares = np.where((index < 0) | (index >= have), 0, shares)
    if n.flag("exclude_outside") or n.flag("antialias"):
        shares = shares / shares.sum(1, keepdims=True)
    np.add.at(weights, (rows[:, None], index.clip(0, have - 1)), shares)
    return weights, outside


def _share(distance: np.ndarray, mode: str, a: float) -> np.ndarray:
    d = np.abs(distance)
    if mode == "linear":
        return np.maximum(1 - d, 0)  # type: ignore[no-any-return]
    near = ((a + 2) * d - (a + 3)) * d * d + 1
    far = ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    return np.where(d <= 1, near, np.where(d < 2, far, 0))


def _apply_axis_weights(x: Tensor, axis: int, weights: np.ndarray, mode: str) -> Tensor:
    """Multiply one dimension by a matrix of weights; nearest neighbours are selected by index instead."""
    if mode == "nearest":
        return F.index_select(x, constant(weights.argmax(1)), axis)  # type: ignore[no-any-return]
    axis_last = F.moveaxis(x, axis, -1) if axis != x.ndim - 1 else x
    product = F.matmul(axis_last, constant(weights.T.astype(x.dtype.np)))
    return F.moveaxis(product, -1, axis) if axis != x.ndim - 1 else product  # type: ignore[no-any-return]
