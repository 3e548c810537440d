"""Pooling over spatial windows: maxima and averages, with their gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, GradContext, Sample, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import arguments, dtype_checks, dynamic_sizes
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.layers import pool_arrays, windows
from to_static.core.array_types import Array
from to_static.core.dtypes import int32
from to_static.core.errors import ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader

_ATTRS = (
    "pooling_type:str kernel_size=ksize:ints stride=strides:ints padding=paddings:ints padding_algorithm:str "
    "ceil_mode:bool exclusive:bool adaptive:bool global_pooling:bool data_format:str"
)


def _outputs(name: str, x: TensorSpec, attrs: dict[str, Any]) -> TensorSpec:
    """Shape rule of all poolings."""
    n = x.ndim - 2
    kernel, last = attrs["kernel_size"], attrs["data_format"][-1] == "C"
    dtype_checks.need_order(dtype_checks.need_float(x, name), name)
    sizes = windows.spatial(x.shape, last)
    if attrs["global_pooling"]:
        outs = [1] * n
    elif attrs["adaptive"]:
        outs = list(kernel)
        if min(outs) < 1:
            raise ShapeError(f"{name}: the output size must be positive, got {outs}")
    else:
        padding, algorithm = attrs["padding"], attrs["padding_algorithm"]
        windows.check_window(name, (), kernel_size=kernel, stride=attrs["stride"])
        outs = windows.output_sizes(
            sizes, kernel, attrs["stride"], [1] * n, padding, algorithm, attrs["ceil_mode"]
        )
        windows.check_window(name, outs)
    return x.with_shape(windows.with_spatial(x.shape[0], x.shape[-1 if last else 1], outs, last))


def attributes(
    name: str,
    n: int,
    pooling_type: str,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None,
    padding: int | str | Sequence[int | Sequence[int]],
    ceil_mode: bool,
    exclusive: bool,
    data_format: str,
) -> dict[str, Any]:
    """The attributes of a pooling over windows of one size, from the arguments of its public function."""
    last = windows.channel_last(data_format, n, name)
    kernel = arguments.repeat_ints(kernel_size, n, f"{name} kernel_size")
    paddings, algorithm = windows.padding_attrs(padding, n, last, name)
    if algorithm == "VALID" and ceil_mode:
        raise ValueError(f"{name}: padding='VALID' means windows inside the input only; ceil_mode must be False")
    return {
        "pooling_type": pooling_type, "kernel_size": kernel,
        "stride": kernel if stride is None else arguments.repeat_ints(stride, n, f"{name} stride"),
        "padding": paddings, "padding_algorithm": algorithm, "ceil_mode": bool(ceil_mode), "exclusive": bool(exclusive),
        "adaptive": False, "global_pooling": False, "data_format": data_format,
    }  # fmt: skip


def dynamic_averages(x: Tensor, wanted: list[Any], data_format: str) -> Tensor:
    """Averages of windows that cover the input evenly, of which only the Program knows how many: a product for each dimension."""
    first = 1 if data_format[-1] == "C" else 2
    for axis, want in enumerate(wanted, first):
        if want is None:
            continue
        have, count = dynamic_sizes.as_tensor_size(x.shape[axis]), dynamic_sizes.as_tensor_size(want)
        dynamic_sizes.check(count >= 1, "ShapeError", "adaptive_avg_pool: expected an output size of at least 1, got {}", count)
        window, position = F.unsqueeze(F.arange(count), 1), F.arange(have)
        start, stop = window * have // count, ((window + 1) * have + count - 1) // count
        share = F.cast(F.logical_and(position >= start, position < stop), x.dtype)
        weights = share / F.cast(stop - start, x.dtype)
        averaged = F.matmul(F.moveaxis(x, axis, -1), weights, transpose_y=True)
        x = F.moveaxis(averaged, -1, axis)
    return x


def _family(n: int, channel_first: str) -> Any:
    """Declare pooling over ``n`` spatial dimensions, its gradient and the gradient's gradient."""
    name = f"pool{n}d"

    def pool(
        x: Tensor,
        pooling_type: str,
        kernel_size: list[int],
        stride: tuple[int, ...] = (1,) * n,
        padding: tuple[int, ...] = (0,) * n,
        padding_algorithm: str = "EXPLICIT",
        ceil_mode: bool = False,
        exclusive: bool = True,
        adaptive: bool = False,
        global_pooling: bool = False,
        data_format: str = channel_first,
    ) -> Tensor:
        return front.emit(
            x, pooling_type=pooling_type, kernel_size=list(kernel_size), stride=list(stride), padding=list(padding),
            padding_algorithm=padding_algorithm, ceil_mode=bool(ceil_mode), exclusive=bool(exclusive),
            adaptive=bool(adaptive), global_pooling=bool(global_pooling), data_format=data_format,
        )  # fmt: skip

    pool.__name__ = pool.__qualname__ = name
    pool.__doc__ = f"""The maximum ('max') or average ('avg') of each window over {n} spatial dimensions.

    ``adaptive``: ``kernel_size`` is the output size, and windows cover the input evenly. ``global_pooling``: one window.
    The public forms are `max_pool{n}d`, `avg_pool{n}d` and their adaptive ones.
    """
    front: Any = op(f"{name}(X -> Out) {_ATTRS}", traits="check_shapes")(pool)

    @op(f"{name}_grad(X, Out, G -> DX) {_ATTRS}", file=None)
    def gradient(x: Tensor, out: Tensor, g: Tensor, **attrs: AttrValue) -> Tensor:
        """The pooling's input gradient: each window's share of ``g`` (the first maximum gets all of it)."""
        return gradient.emit(x, out, g, **attrs)

    @op(f"{name}_pick(X, Out, U -> G) {_ATTRS}", file=None)
    def pick(x: Tensor, out: Tensor, u: Tensor, **attrs: AttrValue) -> Tensor:
        """From each window the element of ``u`` where the first maximum of ``x`` stands."""
        return pick.emit(x, out, u, **attrs)

    @front.infer
    def infer(x: TensorSpec, **attrs: AttrValue) -> TensorSpec:
        windows.need_ndim(x, n, name)
        return _outputs(name, x, attrs)

    @gradient.infer
    def infer_gradient(x: TensorSpec, out: TensorSpec, g: TensorSpec, **attrs: AttrValue) -> TensorSpec:
        return x

    @pick.infer
    def infer_pick(x: TensorSpec, out: TensorSpec, u: TensorSpec, **attrs: AttrValue) -> TensorSpec:
        return out

    @front.from_file
    def read(r: FileReader) -> Tensor:
        sizes = r.integers("ksize")
        if not dynamic_sizes.is_dynamic(sizes):
            return r.read_declared(front.op)
        if not r.attr("adaptive", False) or r.attr("pooling_type", "max") != "avg":
            r.refuse("windows whose sizes the program computes")
        return dynamic_averages(r.input("X"), dynamic_sizes.pair(sizes, n, name), r.attr("data_format", "NCHW"))

    front.kernel(pool_arrays.forward)
    front.specialize(pool_arrays.specialized_kernel)
    gradient.kernel(pool_arrays.gradient)
    pick.kernel(pool_arrays.pick)

    @front.grad_kernel
    def grad_kernel(x: Array, out: Array, g: Array, **attrs: AttrValue) -> Array:
        return pool_arrays.gradient(np, x, out, g, **attrs)  # type: ignore[no-any-return]

    @front.grad
    def grad(ctx: GradContext, g: Tensor) -> Any:
        return gradient.call((ctx.x, ctx.out, g), ctx.attrs)

    @gradient.grad
    def grad_of_gradient(ctx: GradContext, u: Tensor) -> Any:
        x, out, _ = ctx.inputs
        return None, None, front.emit(u, **ctx.attrs) if ctx.pooling_type == "avg" else pick(x, out, u, **ctx.attrs)

    @pick.grad
    def grad_of_pick(ctx: GradContext, v: Tensor) -> Any:
        x, out, _ = ctx.inputs
        return None, None, gradient(x, out, v, **ctx.attrs)

    @op(f"max_{name}_with_index(X -> Out, Mask?) {_ATTRS}", traits="check_shapes")
    def indexed(
        x: Tensor,
        kernel_size: Sequence[int],
        stride: Sequence[int] = (1,) * n,
        padding: Sequence[int] = (0,) * n,
        padding_algorithm: str = "EXPLICIT",
        ceil_mode: bool = False,
        adaptive: bool = False,
        global_pooling: bool = False,
        pooling_type: str = "max",
        exclusive: bool = True,
        data_format: str = channel_first,
    ) -> tuple[Tensor, ...]:
        """The maximum of each window of ``[N, C, *]`` and (int32) its position in the flattened spatial dimensions."""
        return indexed.emit(
            x, pooling_type="max", kernel_size=list(kernel_size), stride=list(stride), padding=list(padding),
            padding_algorithm=padding_algorithm, ceil_mode=bool(ceil_mode), exclusive=True, adaptive=bool(adaptive),
            global_pooling=bool(global_pooling), data_format=channel_first,
        )  # fmt: skip

    @indexed.infer
    def infer_indexed(x: TensorSpec, **attrs: AttrValue) -> tuple[TensorSpec, ...]:
        windows.need_ndim(x, n, f"max_{name}")
        out = _outputs(f"max_{name}", x, attrs)
        return out, out.with_dtype(int32)

    indexed.kernel(pool_arrays.with_index)

    @indexed.grad_kernel
    def grad_kernel_of_indexed(x: Array, out: Array, mask: Array, g: Array, **attrs: AttrValue) -> Array:
        return pool_arrays.gradient(np, x, out, g, **attrs)  # type: ignore[no-any-return]

    @indexed.grad
    def grad_of_indexed(ctx: GradContext, g: Tensor, unused: Any) -> Any:
        return gradient(ctx.x, ctx.out, g, **ctx.attrs)

    return front, gradient, pick, indexed


pool2d, pool2d_grad, pool2d_pick, max_pool2d_with_index = _family(2, "NCHW")
pool3d, pool3d_grad, pool3d_pick, max_pool3d_with_index = _family(3, "NCDHW")


def _f(*shape: int) -> np.ndarray:
    """Distinct values, so that no maximum is a tie."""
    return (np.random.default_rng(0).permutation(int(np.prod(shape))).reshape(shape) / 7).astype("float32")


_PLAIN: dict[str, Any] = {
    "pooling_type": "max", "kernel_size": [2, 2], "stride": [2, 2], "padding": [0, 0], "padding_algorithm": "EXPLICIT",
    "ceil_mode": False, "exclusive": True, "adaptive": False, "global_pooling": False, "data_format": "NCHW",
}  # fmt: skip
_VARIANTS: tuple[tuple[tuple[int, ...], dict[str, Any]], ...] = (
    ((2, 2, 4, 6), {}),
    ((1, 2, 5, 5), {"kernel_size": [3, 2], "stride": [1, 2], "padding": [1, 0]}),
    ((1, 1, 5, 6), {"kernel_size": [2, 3], "stride": [2, 2], "ceil_mode": True}),
    ((1, 1, 5, 5), {"kernel_size": [3, 3], "padding": [1, 0, 2, 1], "exclusive": False}),
    ((1, 1, 5, 5), {"kernel_size": [3, 3], "padding_algorithm": "SAME"}),
    ((1, 4, 5, 2), {"data_format": "NHWC", "padding_algorithm": "VALID"}),
    ((1, 2, 5, 7), {"kernel_size": [3, 2], "adaptive": True}),
    ((2, 2, 3, 3), {"global_pooling": True}),
)


def _samples(indexed: bool = False, pooling_types: tuple[str, ...] = ("max", "avg")) -> list[Sample]:
    return [
        Sample(_f(*shape), **(_PLAIN | attrs | {"pooling_type": pooling_type}))
        for shape, attrs in _VARIANTS
        for pooling_type in pooling_types
        if not (indexed and attrs.get("data_format"))
    ]


def _gradient_samples(pooling_types: tuple[str, ...], like_input: bool) -> list[Sample]:
    samples = []
    for sample in _samples(pooling_types=pooling_types):
        (x,) = sample.inputs
        out = np.asarray(pool_arrays.forward(np, x, **sample.attrs))
        third = np.random.default_rng(1).uniform(-1, 1, x.shape if like_input else out.shape).astype("float32")
        samples.append(Sample(x, out, third, grad=(2,), **sample.attrs))
    return samples


pool2d.samples(_samples)
pool2d_grad.samples(lambda: _gradient_samples(("max", "avg"), False))
pool2d_pick.samples(lambda: _gradient_samples(("max",), True))
max_pool2d_with_index.samples(lambda: _samples(indexed=True, pooling_types=("max",)))
_CUBE = _PLAIN | {"kernel_size": [2, 1, 2], "stride": [1, 1, 1], "padding": [1, 0, 0], "data_format": "NCDHW"}
pool3d.samples(lambda: [Sample(_f(1, 2, 3, 2, 3), **(_CUBE | {"pooling_type": k})) for k in ("max", "avg")])


def _cube(pooling_type: str, like_input: bool) -> Sample:
    attrs, x = _CUBE | {"pooling_type": pooling_type}, _f(1, 2, 3, 2, 3)
    out = pool_arrays.forward(np, x, **attrs)
    return Sample(x, out, np.ones_like(x if like_input else out), grad=(2,), **attrs)


pool3d_grad.samples(lambda: [_cube("max", False), _cube("avg", False)])
pool3d_pick.samples(lambda: [_cube("max", True)])
max_pool3d_with_index.samples(lambda: [Sample(_f(1, 2, 3, 2, 3), **_CUBE)])
