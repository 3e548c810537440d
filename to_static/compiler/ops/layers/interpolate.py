"""Resizing of spatial dimensions. Each method is linear and separable: one small matrix for each dimension."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, GradContext, Sample, op
from to_static.compiler.ir.program import Op, Var
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import arguments, dimension_args, dtype_checks
from to_static.compiler.ops.layers import windows
from to_static.compiler.ops.layers.conv_arrays import back, first
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import ArgumentError, ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader, FileWriter

_ATTRS = (
    "out_d:int out_h:int out_w:int scale:floats align_corners:bool align_mode:int interp_method:str data_layout:str"
)
DIMS = {"linear": (1,), "nearest": (2, 3), "bilinear": (2,), "bicubic": (2,), "trilinear": (3,)}
_CUBIC = -0.75
_PICKED = ("int32", "int64", "uint8")  # what `nearest` resizes besides floating-point numbers, as Paddle's does


def _sizes_of(attrs: dict[str, Any], n: int) -> list[int]:
    return [attrs["out_d"], attrs["out_h"], attrs["out_w"]][3 - n :]


def _with_factors(attrs: dict[str, Any], factors: Array | None, n: int) -> dict[str, Any]:
    """Return the attributes with the factors of the optional input ``Scale``: one for all dimensions, or ``n``."""
    if factors is None:
        return attrs
    rounded_factors = [float(np.float32(f)) for f in factors.reshape(-1).tolist()]
    if len(rounded_factors) not in (1, n) or not min(rounded_factors) > 0:
        raise ArgumentError(f"interpolate: expected a positive scale_factor or {n} of them, got {rounded_factors}")
    return {**attrs, "scale": rounded_factors * n if len(rounded_factors) == 1 else rounded_factors}


def _targets(sizes: Sequence[int], attrs: dict[str, Any]) -> list[int]:
    """Output sizes: those given, or the input's times the scale, rounded down (the product is one of float32, as Paddle's)."""
    if attrs["scale"]:
        single = np.float32
        return [s if s == UNKNOWN else int(single(s) * single(f)) for s, f in zip(sizes, attrs["scale"], strict=True)]
    return _sizes_of(attrs, len(sizes))


@functools.lru_cache(256)
def matrix(
    method: str, size: int, target: int, scale: float, align_corners: bool, align_mode: int, dtype: Any = np.float32
) -> np.ndarray:
    """``(target, size)`` weights of one dimension, not to be written to. Positions are computed in float32, as Paddle does."""
    weights = _matrix(method, size, target, scale, align_corners, align_mode).astype(dtype)
    weights.flags.writeable = False
    return weights


@functools.lru_cache(256)
def _picks(*arguments: Any) -> np.ndarray:
    """Positions in one dimension that `nearest` reads; see `matrix`."""
    picks = matrix(*arguments).argmax(axis=1)
    picks.flags.writeable = False
    return picks


def _matrix(method: str, size: int, target: int, scale: float, align_corners: bool, align_mode: int) -> np.ndarray:
    single = np.float32
    if target <= 1:
        ratio = single(0)
    elif align_corners:
        ratio = single(size - 1) / single(target - 1)
    else:
        ratio = single(1 / scale) if scale > 0 else single(size) / single(target)
    k = np.arange(target, dtype="float32")
    rows = np.arange(target)
    weights = np.zeros((target, size), "float32")
    if method == "nearest":
        position = ratio * k + single(0.5) if align_corners else ratio * k  # the nearest one, or the one before
        weights[rows, np.minimum(position.astype("int64"), size - 1)] = 1
        return weights
    center = ratio * (k + single(0.5)) - single(0.5)
    if method == "bicubic":
        position = ratio * k if align_corners else center
        base = np.floor(position)
        t = position - base
        for shift, distance in ((-1, t + 1), (0, t), (1, 1 - t), (2, 2 - t)):
            np.add.at(weights, (rows, np.clip(base.astype("int64") + shift, 0, size - 1)), _cubic(distance))
        return weights
    position = np.maximum(center, 0) if align_mode == 0 and not align_corners else ratio * k
    low = np.minimum(position.astype("int64"), size - 1)
    fraction = position - low
    np.add.at(weights, (rows, low), 1 - fraction)
    np.add.at(weights, (rows, np.minimum(low + 1, size - 1)), fraction)
    return weights


def _cubic(x: np.ndarray) -> np.ndarray:
    near = ((_CUBIC + 2) * x - (_CUBIC + 3)) * x * x + 1
    far = ((_CUBIC * x - 5 * _CUBIC) * x + 8 * _CUBIC) * x - 4 * _CUBIC
    return np.where(x <= 1, near, far).astype("float32")


def _matrices(
    xp: ArrayModule, sizes: Sequence[int], targets: Sequence[int], dtype: Any, attrs: dict[str, Any], make_matrix: Any = matrix
) -> list[Any]:
    scales = attrs["scale"] or [0.0] * len(sizes)
    return [
        xp.asarray(make_matrix(attrs["interp_method"], size, target, scale, attrs["align_corners"], attrs["align_mode"], dtype))
        for size, target, scale in zip(sizes, targets, scales, strict=True)
    ]


def apply_matrices(xp: ArrayModule, x: Array, matrices: list[Any]) -> Array:
    """Multiply each trailing dimension of ``x`` by a matrix."""
    for i, weights in enumerate(matrices):
        away = len(matrices) - i  # from the end
        if away == 1:
            x = xp.matmul(x, weights.T)
        elif away == 2:
            x = xp.matmul(weights, x)
        else:
            x = xp.moveaxis(xp.matmul(xp.moveaxis(x, -away, -1), weights.T), -1, -away)
    return xp.ascontiguousarray(x)


def _kernel(xp: ArrayModule, x: Array, dims: list[Array], factors: Array | None, **attrs: Any) -> Any:
    layout = attrs["data_layout"]
    x = first(xp, x, layout)
    attrs = _with_factors(attrs, factors, x.ndim - 2)
    targets = dimension_args.fill_holes(_targets(x.shape[2:], attrs), dims)
    if min(targets) < 1:
        raise ShapeError(f"interpolate: the output would have spatial size {targets}")
    if attrs["interp_method"] == "nearest":  # picking rows is exact for any value, infinities too
        for axis, positions in enumerate(_matrices(xp, x.shape[2:], targets, np.float32, attrs, _picks), 2):
            x = x.take(positions, axis=axis)
        return back(xp, x, layout)
    return back(xp, apply_matrices(xp, x, _matrices(xp, x.shape[2:], targets, x.dtype, attrs)), layout)


@op(f"interp_grad(Like, G, Scale?! -> DX) {_ATTRS}", file=None)
def interp_grad(like: Tensor, g: Tensor, factors: Tensor | None, **attrs: AttrValue) -> Tensor:
    """The transpose of a resizing whose input is shaped as ``like``."""
    return interp_grad.emit(like, g, factors, **attrs)


@interp_grad.infer
def _(like: TensorSpec, g: TensorSpec, factors: Any, **attrs: Any) -> TensorSpec:
    return like


@interp_grad.kernel
def _(xp: Any, like: Any, g: Any, factors: Any, **attrs: Any) -> Any:
    layout = attrs["data_layout"]
    attrs = _with_factors(attrs, factors, like.ndim - 2)
    sizes = windows.spatial(like.shape, layout[-1] == "C")
    g = first(xp, g, layout)
    transposed = [m.T for m in _matrices(xp, sizes, g.shape[2:], g.dtype, attrs)]
    return back(xp, apply_matrices(xp, g, transposed), layout)


@interp_grad.grad
def _(ctx: Any, u: Any) -> Any:
    sizes = windows.spatial(tuple(ctx.inputs[1].shape), ctx.data_layout[-1] == "C")
    new_sizes = [s if d == dimension_args.HOLE else d for s, d in zip(sizes, _sizes_of(ctx.attrs, len(sizes)), strict=True)]
    factors = ctx.attrs["scale"] if ctx.inputs[2] is None else ctx.inputs[2]
    resized = METHODS[ctx.interp_method](
        u, *[-1] * (3 - len(sizes)), *new_sizes, factors, ctx.align_corners, ctx.align_mode, data_layout=ctx.data_layout
    )
    return None, resized, None


def _attributes(
    out_d: int, out_h: int, out_w: int, align_corners: bool, align_mode: int, method: str, layout: str, *scale: float
) -> dict[str, Any]:
    return {
        "out_d": out_d, "out_h": out_h, "out_w": out_w,
        "scale": [float(np.float32(s)) for s in scale],  # as files and Paddle's kernels have them
        "align_corners": align_corners, "align_mode": align_mode, "interp_method": method, "data_layout": layout,
    }  # fmt: skip


def _declare(method: str) -> Any:
    name = f"{method}_interp"

    def interp(
        x: Tensor, out_d: int = -1, out_h: int = -1, out_w: int = -1, scale: Any = (), align_corners: bool = False,
        align_mode: int = 0, interp_method: str = method, data_layout: str = "NCHW",
    ) -> Tensor:  # fmt: skip
        factors, scale = (scale, ()) if isinstance(scale, Tensor) else (None, scale)
        attrs = arguments.frozen_attrs(_attributes, out_d, out_h, out_w, align_corners, align_mode, method, data_layout, *scale)
        if attrs is not None:
            return front.call((x, [], factors), attrs)
        (out_d, out_h, out_w), dims = dimension_args.parse_dims([out_d, out_h, out_w], "interpolate")
        settings = _attributes(out_d, out_h, out_w, align_corners, align_mode, method, data_layout, *scale)
        return front.emit(x, dims, factors, **settings)

    interp.__name__ = interp.__qualname__ = name
    interp.__doc__ = (
        f"Resize spatial dimensions ({method}) to ``out_d, out_h, out_w``, or by ``scale``, numbers or a tensor of them;"
        " see `interpolate`."
    )
    front: Any = op(f"{name}(X, SizeTensor*, Scale?! -> Out) {_ATTRS}", file=f"{method}_interp_v2")(interp)

    @front.infer
    def infer(x: TensorSpec, dims: list[TensorSpec], factors: TensorSpec | None, **attrs: Any) -> TensorSpec:
        if method != "nearest" or x.dtype.name not in _PICKED:
            dtype_checks.need_float(x, "interpolate")
        if x.ndim - 2 not in DIMS[method]:
            raise ShapeError(f"interpolate: {method} needs {DIMS[method][0] + 2} dimensions, got {show(x.shape)}")
        last = attrs["data_layout"][-1] == "C"
        n = x.ndim - 2
        if factors is not None and factors.size not in (1, n, UNKNOWN):
            raise ArgumentError(f"interpolate: expected one scale_factor or {n}, got a tensor of shape {show(factors.shape)}")
        targets = _targets(windows.spatial(x.shape, last), attrs) if factors is None else [UNKNOWN] * n
        if any(t < 1 and t not in (UNKNOWN, dimension_args.HOLE) for t in targets):
            raise ShapeError(f"interpolate: the output would have spatial size {targets}")
        targets = list(dimension_args.unknown_for_holes(targets))
        return x.with_shape(windows.with_spatial(x.shape[0], x.shape[-1 if last else 1], targets, last))

    front.kernel(_kernel)

    @front.may_raise
    def fails(x: Var, dims: tuple[Any, ...], factors: Var | None, **attrs: AttrValue) -> bool:
        return bool(dims) or factors is not None

    @front.grad
    def grad(ctx: GradContext, g: Tensor) -> Any:
        return interp_grad(ctx.inputs[0], g, ctx.inputs[2], **ctx.attrs), None, None

    @front.to_file
    def write(w: FileWriter, op: Op) -> None:
        n = op.out.spec.ndim - 2
        sizes = dimension_args.file_dims(w, _sizes_of(op.attrs, n), op.inputs[1])
        size_attrs = {k: op.attrs[k] for k in ("out_d", "out_h", "out_w")}
        constant_sizes = {k: ("int", -1 if value == dimension_args.HOLE else value) for k, value in size_attrs.items()}
        layout = ("str", "NHWC" if op.attrs["data_layout"][-1] == "C" else "NCHW")  # so whatever the number of dimensions
        w.default(op, inputs={"SizeTensor": sizes}, attrs={**constant_sizes, "data_layout": layout})

    @front.from_file
    def read(r: FileReader) -> Tensor:
        names = ("out_d", "out_h", "out_w")
        sizes = [r.attr(n, -1) for n in names]
        tensors = r.inputs("SizeTensor") or ([r.input("OutSize")] if r.has("OutSize") else [])
        scale = list(r.attr("scale", []) or [])
        if tensors:
            size_values: list[Any] = []
            for t in tensors:
                constant = r.const(t)
                if t.spec.size > 3:
                    raise ShapeError(f"interpolate: there are at most 3 sizes, a tensor of {t.spec.size} says them")
                items = [t] if not t.spec.shape else [t[i] for i in range(t.spec.size)]
                size_values += items if constant is None else map(int, np.asarray(constant).reshape(-1))
            sizes, scale = [-1] * (3 - len(size_values)) + size_values, []
        elif r.has("Scale"):
            sizes, scale = [-1] * 3, r.input("Scale")
        layout = r.attr("data_layout", "NCHW")
        corners, align_mode = r.attr("align_corners", False), r.attr("align_mode", 0)
        return interp(r.input("X"), sizes[0], sizes[1], sizes[2], scale, corners, align_mode, data_layout=layout)

    return front


METHODS = {method: _declare(method) for method in DIMS}


def _f(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype("float32")


_PLAIN: dict[str, Any] = {
    "out_d": -1, "out_h": -1, "out_w": -1, "scale": [], "align_corners": False, "align_mode": 0, "data_layout": "NCHW",
}  # fmt: skip
_CASES: dict[str, list[tuple[tuple[int, ...], dict[str, Any]]]] = {
    "nearest": [((1, 2, 3, 4), {"out_h": 5, "out_w": 3}), ((1, 1, 2, 3, 2), {"scale": [2.0, 1.0, 1.5]})],
    "linear": [((2, 2, 4), {"out_w": 7}), ((2, 3, 2), {"scale": [0.7], "data_layout": "NWC"})],
    "bilinear": [
        ((1, 2, 3, 4), {"out_h": 5, "out_w": 2}),
        ((1, 3, 3, 2), {"scale": [2.0, 2.0], "align_corners": True, "data_layout": "NHWC"}),
        ((1, 1, 3, 4), {"out_h": 6, "out_w": 1, "align_mode": 1}),
        ((1, 2, 3, 4), {"out_h": dimension_args.HOLE, "out_w": 3}),
    ],
    "bicubic": [((1, 1, 4, 3), {"out_h": 6, "out_w": 5}), ((1, 1, 3, 3), {"out_h": 4, "out_w": 2, "align_corners": True})],
    "trilinear": [((1, 1, 2, 2, 3), {"out_d": 3, "out_h": 2, "out_w": 2})],
}


_FACTORS: dict[str, Any] = {
    "nearest": [2.0, 1.5], "linear": [2.5], "bilinear": [2.0, 0.75], "bicubic": [1.5], "trilinear": [2.0, 1.0, 1.5],
}  # fmt: skip


def _samples_of(method: str) -> Any:
    shape = _CASES[method][0][0]
    scaled = [Sample(_f(*shape), [], np.asarray(_FACTORS[method], "float32"), **(_PLAIN | {"interp_method": method}))]
    picked = [Sample(np.arange(6).reshape(1, 1, 2, 3), [], None, **(_PLAIN | {"out_h": 3, "out_w": 5, "interp_method": method}))]
    return lambda: [
        Sample(
            _f(*s), [np.asarray(5) for v in a.values() if v == dimension_args.HOLE], None,
            **(_PLAIN | a | {"interp_method": method}),
        )
        for s, a in _CASES[method]
    ] + scaled + picked * (method == "nearest")  # fmt: skip


for _method, _front in METHODS.items():
    _front.samples(_samples_of(_method))
interp_grad.samples(
    lambda: [
        Sample(_f(1, 2, 3, 4), _f(1, 2, 5, 2), None, **(_PLAIN | {"out_h": 5, "out_w": 2, "interp_method": method}))
        for method in ("nearest", "bilinear", "bicubic")
    ]
)
