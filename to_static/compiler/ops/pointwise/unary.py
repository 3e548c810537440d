"""Unary elementwise functions: rows of a table."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, method, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks, operands
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.pointwise import logistic
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import float32, float64
from to_static.core.errors import DTypeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader

FLOAT = "fc"  # integers are converted to the default float
REAL = "f"
NUMBER = "iufc"  # integers stay integers


def declare(
    name: str,
    ufunc: str | Callable[..., Any],
    grad: Callable[..., Any] | None,
    doc: str,
    dtype_kinds: str = FLOAT,
    low: float = -2.0,
    high: float = 2.0,
    file: str = "",
    argument: str = "x",
    slots: str = "X -> Out",
    traits: str = "",
    home: str = "paddle",
) -> Any:
    """Declare an operator of one array that is one array-module function (given by name) or a kernel of its own.

    ``argument``: what the function calls the tensor, 'x' or 'input'; ``slots``: what files call it and the result; ``home``: the
    module that has it.
    """

    def of_x(x: Tensor, name: str | None = None) -> Tensor:
        if not isinstance(x, Tensor) or x.python_type is not None:
            x = operands.tensor(operands.first_of_tuple(x))
        if converts and x.dtype.kind in "iu":
            x = F.cast(x, operands.FLOAT_OF_INTEGERS)
        return emit(x)

    def of_input(input: Tensor, name: str | None = None) -> Tensor:
        return of_x(input)

    function: Any = of_x if argument == "x" else of_input
    converts = "i" not in dtype_kinds
    function.__name__ = function.__qualname__ = name
    function.__module__ = sys._getframe(1).f_globals["__name__"]  # of the row: `op_index.py` names it
    function.__doc__ = f"""{doc}{" Integers become float32." if converts else ""}

    ``{argument}``: a tensor of any shape; the result has its shape and dtype. In place: ``x.{name}_()``.
    Raises DTypeError for dtypes that have no such operation.

    Example:
        >>> {home}.{name}(x)
    """
    front: Any = op(
        f"{name}({slots})",
        file=file,
        traits=f"elementwise {traits if grad is not None else ''} {dtype_checks.gradient_traits(grad, dtype_kinds)}",
        method=True,
        inplace=True,
        ufunc=ufunc if isinstance(ufunc, str) else None,
    )(function)
    emit = front.emit

    @front.infer
    def infer(x: TensorSpec) -> TensorSpec:
        if x.dtype.kind not in dtype_kinds:
            raise DTypeError(f"{name}: {x.dtype.name} tensors are not supported")
        return x

    def call(xp: ArrayModule, x: Array, out: Any = None) -> Array:
        return getattr(xp, ufunc)(x, out=out)  # type: ignore[arg-type]

    front.kernel(call if isinstance(ufunc, str) else ufunc)

    @front.from_file
    def from_file(r: FileReader) -> Tensor:
        return front(r.input(front.op.inputs[0].name))

    if grad is not None:
        front.grad(grad)
    front.samples(lambda: [Sample(f32(2, 3, low=low, high=high)), Sample(f32(low=low, high=high))])
    return front


def _zero(ctx: GradContext, g: Tensor) -> Tensor:
    return F.zeros_like(g)


exp: Any = declare("exp", "exp", lambda ctx, g: g * ctx.out, "``e ** x``.")
expm1 = declare("expm1", "expm1", lambda ctx, g: g * (ctx.out + 1), "``exp(x) - 1``, exact for small ``x``.")
log = declare("log", "log", lambda ctx, g: g / ctx.x, "The natural logarithm.", low=0.2)
log2 = declare("log2", "log2", lambda ctx, g: g / (ctx.x * float(np.log(2))), "The logarithm to base 2.", low=0.2)
log10 = declare("log10", "log10", lambda ctx, g: g / (ctx.x * float(np.log(10))), "The logarithm to base 10.", low=0.2)
log1p = declare("log1p", "log1p", lambda ctx, g: g / (ctx.x + 1), "``log(1 + x)``, exact for small ``x``.", low=-0.8)
sqrt = declare("sqrt", "sqrt", lambda ctx, g: g * 0.5 / ctx.out, "The square root.", low=0.2)
sin = declare("sin", "sin", lambda ctx, g: g * F.cos(ctx.x), "The sine.")
cos: Any = declare("cos", "cos", lambda ctx, g: -g * F.sin(ctx.x), "The cosine.")
tan = declare("tan", "tan", lambda ctx, g: g * (ctx.out * ctx.out + 1), "The tangent.", low=-1, high=1)
asin = declare(
    "asin", "arcsin", lambda ctx, g: g * F.rsqrt(1 - ctx.x * ctx.x), "The inverse sine.", low=-0.8, high=0.8
)
acos = declare(
    "acos", "arccos", lambda ctx, g: -g * F.rsqrt(1 - ctx.x * ctx.x), "The inverse cosine.", low=-0.8, high=0.8
)
atan = declare("atan", "arctan", lambda ctx, g: g / (ctx.x * ctx.x + 1), "The inverse tangent.")
sinh = declare("sinh", "sinh", lambda ctx, g: g * F.cosh(ctx.x), "The hyperbolic sine.")
cosh: Any = declare("cosh", "cosh", lambda ctx, g: g * F.sinh(ctx.x), "The hyperbolic cosine.")
tanh = declare("tanh", "tanh", lambda ctx, g: g * (1 - ctx.out * ctx.out), "The hyperbolic tangent.")
asinh = declare(
    "asinh", "arcsinh", lambda ctx, g: g * F.rsqrt(ctx.x * ctx.x + 1), "The inverse hyperbolic sine."
)
acosh = declare(
    "acosh",
    "arccosh",
    lambda ctx, g: g * F.rsqrt(ctx.x * ctx.x - 1),
    "The inverse hyperbolic cosine.",
    low=1.2,
    high=3,
)
atanh = declare(
    "atanh", "arctanh", lambda ctx, g: g / (1 - ctx.x * ctx.x), "The inverse hyperbolic tangent.", low=-0.8, high=0.8
)
floor = declare("floor", "floor", _zero, "The largest whole number not above ``x``.", REAL, -1.9, 1.9)
ceil = declare("ceil", "ceil", _zero, "The smallest whole number not below ``x``.", REAL, -1.9, 1.9)


def _round(xp: ArrayModule, x: Array, out: Array | None = None) -> Array:
    # with a half itself the number below a half would become 1
    y = xp.copysign(np.nextafter(x.dtype.type(0.5), x.dtype.type(0)), x, xp.empty(x.shape, x.dtype))
    return xp.trunc(xp.add(y, x, y), out=y if out is None else out)


def _fixed_round(out: TensorSpec, x: TensorSpec) -> Any:
    if not x.shape:
        return None
    one_half, copysign, add, trunc = np.nextafter(x.dtype.np.type(0.5), x.dtype.np.type(0)), np.copysign, np.add, np.trunc
    one_half = np.asarray(one_half)

    def fixed_round_run(x: Array) -> Array:
        y = copysign(one_half, x)
        return trunc(add(y, x, y), y)

    return fixed_round_run


round = declare("round", _round, _zero, "The nearest whole number; halves go away from zero.", REAL, -1.9, 1.9)
round.specialize(_fixed_round)


def _trunc(xp: ArrayModule, x: Array, out: Array | None = None) -> Array:
    if x.dtype.kind == "f":
        return xp.trunc(x, out=out)
    out = xp.empty_like(x) if out is None else out
    out[...] = x
    return out


trunc = declare("trunc", _trunc, _zero, "``input`` without its fraction.", "iuf", -1.9, 1.9, argument="input")
sign = declare("sign", "sign", _zero, "-1, 0 or 1.", "iuf")
square = declare("square", "square", lambda ctx, g: g * ctx.x * 2, "``x * x``.", NUMBER)
reciprocal = declare("reciprocal", "reciprocal", lambda ctx, g: -g * ctx.out * ctx.out, "``1 / x``.", low=0.5)


def _abs_grad(ctx: GradContext, g: Tensor) -> Tensor:
    x, out = ctx.x, ctx.out
    if x.dtype.kind != "c":
        return g * F.sign(x)
    zeros = F.zeros_like(out)
    some = F.where
    share = some(out == 0, zeros, g / some(out == 0, zeros + 1, out))
    return x * F.complex(share, zeros)


abs = declare(
    "abs", "absolute", _abs_grad, "The absolute value (of complex numbers, too: a real one).", "iufc", traits="complex_gradient"
)


@abs.infer
def _(x: TensorSpec) -> TensorSpec:
    if x.dtype.kind not in "iufc":
        raise DTypeError(f"abs: {x.dtype.name} tensors are not supported")
    return x.with_dtype({"complex64": float32, "complex128": float64}.get(x.dtype.name, x.dtype))


rad2deg_op = declare("rad2deg", "rad2deg", lambda ctx, g: g * float(180 / np.pi), "Radians in degrees.", REAL)
deg2rad_op = declare("deg2rad", "deg2rad", lambda ctx, g: g * float(np.pi / 180), "Degrees in radians.", REAL)


def _scaled(x: Any, front: Any, factor: float) -> Tensor:
    """Declare an operator that Paddle computes by one `scale`, which keeps the dtype of integers, booleans and complex numbers."""
    x = operands.tensor(operands.first_of_tuple(x))
    return F.scale(x, factor) if x.dtype.kind in "bc" or (x.dtype.is_integer and x.dtype.itemsize < 4) else front(x)


@method()
def rad2deg(x: Tensor, name: str | None = None) -> Tensor:
    """Radians in degrees: int32 and int64 become float32, other dtypes stay.

    ``x``: numbers; the result has its shape.

    Example:
        >>> paddle.rad2deg(paddle.to_tensor([3.14159265])).tolist()
        [180.0]
    """
    return _scaled(x, rad2deg_op, float(180 / np.pi))


@method()
def deg2rad(x: Tensor, name: str | None = None) -> Tensor:
    """Degrees in radians: int32 and int64 become float32, other dtypes stay.

    ``x``: numbers; the result has its shape.

    Example:
        >>> paddle.deg2rad(paddle.to_tensor([180.0])).tolist()
        [3.1415927410125732]
    """
    return _scaled(x, deg2rad_op, float(np.pi / 180))


@op("neg(X -> Out)", file="scale", traits="integral elementwise", method=True, inplace=True, ufunc="negative",
    file_attrs={"scale": ("float", -1.0), "bias": ("float", 0.0), "bias_after_scale": ("bool", True)})  # fmt: skip
def neg(x: Tensor, name: str | None = None) -> Tensor:
    """``-x``.

    ``x``: numbers; the result has its shape and dtype.

    Example:
        >>> paddle.neg(paddle.to_tensor([1.0, -2.0])).tolist()
        [-1.0, 2.0]
    """
    return neg.emit(x)


@neg.infer
def _(x: TensorSpec) -> TensorSpec:
    if x.dtype.kind == "b":
        raise DTypeError("neg: bool tensors are not supported; use logical_not, or ~x")
    return x


@neg.kernel
def _(xp: ArrayModule, x: Array, out: Array | None = None) -> Array:
    return xp.negative(x, out)


@neg.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return neg(g)


neg.samples(lambda: [Sample(f32(2, 3)), Sample(np.asarray([1, -2]))])


def _rsqrt(xp: ArrayModule, x: Array, out: Array | None = None) -> Array:
    out = xp.empty_like(x) if out is None else out
    xp.sqrt(x, out=out)
    return xp.reciprocal(out, out=out)


def _sigmoid(xp: ArrayModule, x: Array, out: Array | None = None) -> Array:
    out = xp.empty_like(x) if out is None else out
    if x.dtype.kind == "c":
        return xp.reciprocal(xp.add(xp.exp(xp.negative(x, out), out), 1, out), out)
    return logistic.into(xp, x, out)


def _fixed_rsqrt(out: TensorSpec, x: TensorSpec) -> Any:
    if not x.shape or x.dtype.kind != "f":
        return None

    def fixed_rsqrt_run(x: Array) -> Array:
        y = np.sqrt(x)
        return np.reciprocal(y, y)

    return fixed_rsqrt_run


rsqrt: Any = declare("rsqrt", _rsqrt, lambda ctx, g: g * -0.5 * ctx.out / ctx.x, "``1 / sqrt(x)``.", low=0.2)
sigmoid = declare("sigmoid", _sigmoid, lambda ctx, g: g * ctx.out * (1 - ctx.out), "``1 / (1 + exp(-x))``.", home="F")
rsqrt.specialize(_fixed_rsqrt)
sigmoid.specialize(lambda out, x: logistic.specialized_kernel(x.dtype.np, x.shape))
