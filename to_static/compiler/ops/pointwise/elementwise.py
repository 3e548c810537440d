"""Binary elementwise arithmetic with broadcasting: rows of a table."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, method, op
from to_static.compiler.ir.program import Op, Var
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor, declare_method
from to_static.compiler.ops import blocked_sum, dtype_checks, dynamic_sizes, operands, shape_rules, traced_values
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import DTypeError, ShapeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileWriter


def declare(
    name: str,
    file: str | None,
    ufunc: str | Callable[..., Any],
    doc: str,
    grad: Callable[..., Any] | None,
    samples: Callable[..., Any],
    commutative: bool = False,
    widen: bool = True,
    dtype_kinds: str = "biufc",
    file_axis: bool = True,
    fails: Callable[[Any, Any], bool] | None = None,
) -> Any:
    """Declare a binary operator that is one array-module function (given by name) or a kernel of its own.

    ``file``: the operator's type in Paddle's files, None if Paddle has no such operator; ``ufunc``: that function or kernel.
    ``widen``: of two floating dtypes the wider wins (else the left one's); ``dtype_kinds``: NumPy's kinds of dtypes it takes;
    ``file_axis``: the type in Paddle's files has an attribute ``axis``; ``fails``: whether it may fail by the numbers it gets.
    """

    def function(x: Tensor | float, y: Tensor | float, name: str | None = None) -> Tensor:
        if not (isinstance(x, Tensor) and isinstance(y, Tensor) and x.dtype is y.dtype):
            x, y = operands.binary_operands(x, y, function.__name__, widen)
        return emit(x, y)

    function.__name__ = function.__qualname__ = name
    function.__module__ = sys._getframe(1).f_globals["__name__"]  # of the row: `op_index.py` names it
    function.__doc__ = f"""{doc}

    ``x``, ``y``: tensors, or a tensor and a number or array. A number takes the tensor's dtype; of two tensors of
    different dtypes the right one is converted to the left one's{", but the wider of two floating types wins" * widen}.
    Raises ShapeError when the shapes do not broadcast, DTypeError for dtypes that have no such operation.

    Example:
        >>> paddle.{name}({"x, y" if "f" in dtype_kinds else "paddle.to_tensor([4, 6]), paddle.to_tensor([6, 9])"})
    """
    traits = "elementwise commutative" if commutative else "elementwise"
    front: Any = op(
        f"{name}(X, Y -> Out)",
        file=file,
        traits=f"{traits} {dtype_checks.gradient_traits(grad, dtype_kinds)}",
        method=True,
        ufunc=ufunc if isinstance(ufunc, str) else None,
        file_attrs={"axis": ("int", -1)} if file_axis else {},
    )(function)
    emit = front.emit
    in_place(front, f"{name}_")

    @front.infer
    def infer(x: TensorSpec, y: TensorSpec) -> TensorSpec:
        if x.dtype.kind not in dtype_kinds:
            raise DTypeError(f"{name}: {x.dtype.name} tensors are not supported")
        return x if x.shape == y.shape else TensorSpec(shape_rules.broadcast(x.shape, y.shape, name), x.dtype)

    front.may_raise(lambda x, y: traced_values.may_not_broadcast(x, y) or (fails is not None and fails(x, y)))

    def call(xp: ArrayModule, x: Array, y: Array, out: Any = None) -> Array:
        return getattr(xp, ufunc)(x, y, out=out)  # type: ignore[arg-type]

    front.kernel(call if isinstance(ufunc, str) else ufunc)

    if grad is not None:
        front.grad(grad)
    front.samples(samples)
    return front


def _may_widen(y: Any, x: Any) -> bool:
    """True if ``y`` may have more elements than ``x``, of whose shape something is unknown."""
    if not isinstance(y, Tensor) or traced_values.same_traced_sizes(y, x):
        return False
    pairs = zip(reversed(x.spec.shape), reversed(y.spec.shape), strict=False)
    return any(UNKNOWN in pair and pair[1] != 1 for pair in pairs)


def in_place(function: Any, name: str) -> None:
    """Make the method ``x.name(y)`` that leaves the result in ``x``, whose shape and dtype it must have."""

    def rebind(x: Tensor, y: Tensor | float, name: str | None = None) -> Tensor:
        result = function(x, y)
        if result.dtype is not x.dtype:
            raise DTypeError(
                f"{rebind.__name__}: the result is {result.dtype.name}, the tensor {x.dtype.name}; use the form without _"
            )
        if result.spec.shape != x.spec.shape or (UNKNOWN in x.spec.shape and _may_widen(y, x)):
            dynamic_sizes.need_alike(result, x, unlike)
            if result.spec.shape != x.spec.shape:  # less is known of it
                result = F.reshape(result, x.shape)
        return x._become(result)

    def unlike(have: str, want: str) -> str:
        return f"{rebind.__name__}: the result has shape {have}, the tensor {want}; use the form without _"

    rebind.__name__ = rebind.__qualname__ = name
    rebind.__doc__ = (
        f"In-place form of `{function.__name__}`: ``x`` keeps its shape and dtype, holds the result and is returned. "
        f"Raises what `{function.__name__}` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."
    )
    function.inplace = rebind
    declare_method(name, rebind, function.__module__)


def f32(*shape: int, seed: int = 0, low: float = -2.0, high: float = 2.0) -> np.ndarray:
    """Sample numbers."""
    return np.random.default_rng(seed).uniform(low, high, shape).astype("float32")


def pairs(ints: bool = False, **kw: Any) -> Callable[[], list[Sample]]:
    """Samples of a binary operator: equal shapes, broadcasting either way, a 0-D operand, two of them."""

    def make() -> list[Sample]:
        samples = [
            Sample(f32(2, 3, **kw), f32(2, 3, seed=1, **kw)),
            Sample(f32(2, 3, **kw), f32(3, seed=1, **kw)),
            Sample(f32(2, 1, **kw), f32(1, 3, seed=1, **kw)),
            Sample(f32(4, **kw), f32(seed=1, **kw)),
            Sample(f32(**kw), f32(seed=1, **kw)),
        ]
        if ints:
            samples.append(Sample(np.asarray([[7, -7, 3]]), np.asarray([[2], [3]])))
        return samples

    return make


def both(ctx: GradContext, gx: Callable[..., Any], gy: Callable[..., Any]) -> tuple[Any, Any]:
    """The two gradients of a binary operator, from functions that compute them, summed to the shapes of its inputs."""
    x, y = ctx.inputs
    return (
        shape_rules.unbroadcast(gx(), x) if ctx.needs[0] else None,
        shape_rules.unbroadcast(gy(), y) if ctx.needs[1] else None,
    )


add = declare(
    "add", "elementwise_add", "add", "``x + y``, elementwise with broadcasting.",
    lambda ctx, g: both(ctx, lambda: g, lambda: g), pairs(ints=True), True,
)  # fmt: skip
subtract = declare(
    "subtract", "elementwise_sub", "subtract", "``x - y``, elementwise with broadcasting.",
    lambda ctx, g: both(ctx, lambda: g, lambda: -g), pairs(ints=True), dtype_kinds="iufc",
)  # fmt: skip
for _front in (add, subtract):
    _front.op.reads_no_numbers_of("X", "Y", "Out")
multiply = declare(
    "multiply", "elementwise_mul", "multiply", "``x * y``, elementwise with broadcasting.",
    lambda ctx, g: both(ctx, lambda: g * ctx.inputs[1], lambda: g * ctx.inputs[0]), pairs(ints=True), True,
)  # fmt: skip


def _divide_grad(ctx: GradContext, g: Tensor) -> tuple[Tensor | None, ...]:
    y = ctx.inputs[1]
    return both(ctx, lambda: g / y, lambda: -g * ctx.out / y)


_quotient = declare(
    "divide", "elementwise_div", "divide",
    "``x / y`` of floating-point tensors, elementwise with broadcasting.", _divide_grad, pairs(low=0.5), widen=False,
    dtype_kinds="fc",
)  # fmt: skip


def _by_zero(x: Var, y: Var) -> bool:
    constant = traced_values.constant_value(y)
    return y.spec.dtype.kind in "iu" and (constant is None or bool((constant == 0).any()))


def _checked(function: str) -> Callable[..., Any]:
    """A kernel that refuses integer division by zero, for which array modules make up a number."""

    def kernel(xp: ArrayModule, x: Array, y: Array, out: Array | None = None) -> Array:
        if x.dtype.kind in "iu" and xp.count_nonzero(y) != y.size:
            raise ZeroDivisionError(f"{function}: integer division by zero")
        return getattr(xp, function)(x, y, out=out)

    return kernel


def _towards_zero(xp: ArrayModule, x: Array, y: Array, out: Array | None = None) -> Array:
    size = _checked("floor_divide")(xp, xp.abs(x), xp.abs(y))
    return (
        xp.multiply(size, xp.sign(x) * xp.sign(y), out) if x.dtype.kind == "i" else xp.multiply(size, xp.sign(y), out)
    )


_integer_quotient = declare(
    "integer_divide", None, _towards_zero,
    "The quotient of integer tensors, rounded towards zero. Raises ZeroDivisionError.",
    None, lambda: [Sample(np.asarray([7, -7, 6]), np.asarray([[2], [-3]]))], widen=False, dtype_kinds="iu",
    fails=_by_zero,
)  # fmt: skip


def divide(x: Tensor | float, y: Any, name: str | None = None) -> Tensor:
    """``x / y``, elementwise with broadcasting. Integers are divided towards zero (the operator ``/`` gives floats).

    Raises ShapeError when the shapes do not broadcast.

    Example:
        >>> paddle.divide(paddle.to_tensor([1.0, 4.0]), paddle.to_tensor([2.0])).tolist()
        [0.5, 2.0]
    """
    x, y = operands.binary_operands(x, y, "divide", widen=False)
    return _quotient.emit(x, y) if x.dtype.is_floating else _integer_quotient.emit(x, y)


method()(divide)
in_place(divide, "divide_")


@_integer_quotient.to_file
def _(w: FileWriter, op: Op) -> None:
    w.write("elementwise_div", {"X": op.inputs[0], "Y": op.inputs[1]}, {"Out": op.out}, {"axis": ("int", -1)})


def truediv(x: Any, y: Any) -> Any:
    """Compute ``x / y`` as the operator does: integers and booleans become float32 first."""
    if (type(y) is float or type(y) is int) and isinstance(x, Tensor) and x.python_type is None and x.dtype.kind in "fc":
        return _quotient.emit(*operands.binary_operands(x, y, "divide", widen=False))
    is_program_number = (
        getattr(x, "python_type", None) is not None and getattr(y, "python_type", int) is None
    )  # a number of the Program divided by a tensor
    if isinstance(x, Tensor) and not is_program_number and x.dtype.kind in "biu":
        x = F.cast(x, operands.FLOAT_OF_INTEGERS)
    elif isinstance(y, Tensor) and (is_program_number or not isinstance(x, Tensor)) and y.dtype.kind in "biu":
        y = F.cast(y, operands.FLOAT_OF_INTEGERS)
    return divide(x, y)


FUNCTIONS["truediv"] = truediv


floor_divide = declare(
    "floor_divide", "elementwise_floordiv", _checked("floor_divide"),
    "``x // y``: the quotient rounded down, elementwise with broadcasting. Raises ZeroDivisionError for integers over zero.",
    None, pairs(ints=True, low=0.5), widen=False, dtype_kinds="iuf", fails=_by_zero,
)  # fmt: skip


_remainder = declare(
    "remainder", "elementwise_mod", _checked("remainder"), "See `remainder`, whose in-place form this is: ``x`` has a gradient.",
    lambda ctx, g: both(ctx, lambda: g, lambda: -g * floor_divide(*(t.detach() for t in ctx.inputs))),
    pairs(ints=True, low=0.5), widen=False, dtype_kinds="iuf", fails=_by_zero,
)  # fmt: skip


def remainder(x: Tensor, y: Tensor | float, name: str | None = None) -> Tensor:
    """``x % y`` with the sign of ``y``, elementwise with broadcasting; no gradient flows through it, as in Paddle 2.6.

    In place, ``x.remainder_(y)``, the gradient flows into ``x`` alone. Raises ZeroDivisionError for integers over zero,
    ShapeError when the shapes do not broadcast.

    Example:
        >>> paddle.floor_mod(paddle.to_tensor([7, -7]), paddle.to_tensor([3])).tolist()
        [1, 2]
    """
    x, y = operands.binary_operands(x, y, "remainder", False)
    return _remainder.emit(_cut(x), _cut(y))


def _cut(x: Tensor) -> Tensor:
    return x if x.stop_gradient else x.detach()


def _remainder_of(x: Any, y: Any) -> Tensor:
    x, y = operands.binary_operands(x, y, "remainder", False)
    return _remainder.emit(x, _cut(y))


_remainder_of.__name__ = "remainder"
mod = floor_mod = remainder
for _alias in ("remainder", "mod", "floor_mod"):
    method(_alias)(remainder)
    in_place(_remainder_of, f"{_alias}_")


@op("sum_to(X, Like -> Out)", file=None, traits="integral")
def sum_to(x: Tensor, like: Tensor) -> Tensor:
    """Sum ``x`` over the dimensions along which a tensor shaped as ``like`` was broadcast to it."""
    return sum_to.emit(x, like)


@sum_to.infer
def _(x: TensorSpec, like: TensorSpec) -> TensorSpec:
    if not shape_rules.compatible(shape_rules.broadcast(x.shape, like.shape, "sum_to"), x.shape):
        raise ShapeError(f"sum_to: {show(like.shape)} was not broadcast to {show(x.shape)}")
    return x.with_shape(like.shape)


@sum_to.kernel
def _(xp: ArrayModule, x: Array, like: Array, out: Array | None = None) -> Array:
    extra = x.ndim - like.ndim
    axes = tuple(range(extra)) + tuple(
        i + extra for i, d in enumerate(like.shape) if d == 1 and x.shape[i + extra] != 1
    )
    if out is None:
        return blocked_sum.total(x, axes).reshape(like.shape) if axes else x.copy()
    if axes:
        blocked_sum.total(x, axes, True, out[(None,) * extra])
    else:
        out[...] = x
    return out


@sum_to.grad
def _(ctx: GradContext, g: Tensor) -> Any:
    return F.expand_as(g, ctx.inputs[0]), None


sum_to.samples(
    lambda: [
        Sample(f32(2, 3), f32(3), grad=(0,)), Sample(f32(2, 3), f32(2, 1), grad=(0,)), Sample(f32(2), f32(), grad=(0,)),
    ]
)  # fmt: skip
