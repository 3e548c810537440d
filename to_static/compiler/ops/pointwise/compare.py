"""Comparisons: elementwise with broadcasting, boolean results; equal_all, allclose, isclose."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import FrozenAttrs, Sample, op
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops import operands, shape_rules, traced_values
from to_static.compiler.ops.kernel_scalar import operand
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import bool_, promote
from to_static.core.errors import DTypeError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileReader, FileWriter


def declare(name: str, ufunc: str, doc: str, ordered: bool) -> Any:
    """Declare a comparison that is one array-module function."""

    def function(x: Any, y: Any, name: str | None = None) -> Tensor:
        if not (isinstance(x, Tensor) and isinstance(y, Tensor) and x.dtype is y.dtype):
            x, y = _pair(x, y)
        return emit(x, y)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""{doc} Elementwise with broadcasting, boolean.

    ``x``, ``y``: tensors, or a tensor and a number or array. Operands of different dtypes are compared as the wider one.
    Raises ShapeError when the shapes do not broadcast.

    Example:
        >>> paddle.{name}(x, y)
    """
    front: Any = op(
        f"{name}(X, Y -> Out)",
        traits="elementwise nodiff" if ordered else "elementwise commutative nodiff",
        method=True,
        ufunc=ufunc,
        file_attrs={"axis": ("int", -1), "force_cpu": ("bool", False)},
    )(function)
    emit = front.emit

    @front.infer
    def infer(x: TensorSpec, y: TensorSpec) -> TensorSpec:
        if ordered and x.dtype.kind == "c":
            raise DTypeError(f"{name}: complex numbers have no order")
        return shape_rules.comparison_spec(x, y, name)

    front.may_raise(traced_values.may_not_broadcast)

    @front.kernel
    def kernel(xp: ArrayModule, x: Array, y: Array, out: Array | None = None) -> Array:
        return getattr(xp, ufunc)(x, y, out=out)

    front.samples(
        lambda: [
            Sample(np.asarray([[1.0, 2.0], [3.0, 2.0]], "float32"), np.asarray([2.0, 2.0], "float32")),
            Sample(np.asarray([1, 2, 3]), np.asarray(2)),
        ]
    )
    return front


def _pair(x: Tensor, y: float) -> tuple[Any, Any]:
    """Both as tensors of one dtype that holds either (a float beside an integer tensor compares as float)."""
    if not isinstance(x, Tensor):
        x = operands.scalar_operand(x, y) if isinstance(y, Tensor) else operands.tensor(x)
    if not isinstance(y, Tensor):
        y = operands.scalar_operand(y, x)
    if x.python_type is not y.python_type:  # a number of the Program is what that number would be
        x, y = operands.tensor(x, y), operands.tensor(y, x)
    if x.dtype is y.dtype:
        return x, y
    common_dtype = promote(x.dtype, y.dtype)
    return F.cast(x, common_dtype), F.cast(y, common_dtype)


equal = declare("equal", "equal", "``x == y``.", False)
not_equal = declare("not_equal", "not_equal", "``x != y``.", False)
less_than = declare("less_than", "less", "``x < y``.", True)
less_equal = declare("less_equal", "less_equal", "``x <= y``.", True)
greater_than = declare("greater_than", "greater", "``x > y``.", True)
greater_equal = declare("greater_equal", "greater_equal", "``x >= y``.", True)
less = less_than


@op("equal_all(X, Y -> Out)", traits="nodiff", method=True)
def equal_all(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """Compare two tensors: True if they have the same shape and elements, as a 0-D boolean tensor.

    ``x``, ``y``: of any shapes.

    Example:
        >>> paddle.equal_all(paddle.ones([2]), paddle.ones([3])).item()
        False
    """
    return equal_all.emit(x, y)


@equal_all.infer
def _(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    return TensorSpec((), bool_)


@equal_all.kernel
def _(xp: ArrayModule, x: Array, y: Array) -> Array:
    return (x == y).all() if x.shape == y.shape else xp.asarray(False)


@equal_all.specialize
def _(out: TensorSpec, x: TensorSpec, y: TensorSpec) -> Any:
    if x.shape != y.shape or not x.shape:
        return None
    equal, count, size = np.equal, np.count_nonzero, x.size
    return lambda x, y: np.array(count(equal(x, y)) == size)


equal_all.samples(
    lambda: [Sample(np.ones(3), np.ones(3)), Sample(np.ones(3), np.ones(2)), Sample(np.zeros(2), np.ones(2))]
)


_SURE = 1.01  # times a bound that was rounded


def _beyond(x: Array, y: Array, rate: Array) -> Any:
    """``|x - y| - rate * |y|``."""
    far, slack = np.asarray(np.subtract(x, y)), np.asarray(np.absolute(y))
    np.multiply(slack, rate, slack)
    np.absolute(far, far)
    return np.subtract(far, slack, far)


def _declare_close(name: str, reduce: bool, doc: str) -> Any:
    def function(
        x: Tensor, y: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False, name: str | None = None
    ) -> Tensor:
        if not (isinstance(x, Tensor) and isinstance(y, Tensor) and x.dtype is y.dtype):
            x, y = operands.binary_operands(x, y, function.__name__)
        if rtol == 1e-5 and atol == 1e-8 and not equal_nan:
            return front.call((x, y), usual)
        return front.emit(x, y, relative=float(rtol), absolute=float(atol), equal_nan=bool(equal_nan))

    usual = FrozenAttrs(relative=1e-5, absolute=1e-8, equal_nan=False)
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""{doc}

    ``x`` and ``y`` broadcast. ``rtol``, ``atol``: relative and absolute tolerance. ``equal_nan``: nan equals nan.
    Raises ShapeError when the shapes do not broadcast.

    Example:
        >>> paddle.{name}(paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([1.0, 2.1])).tolist()
        {False if reduce else [True, False]}
    """
    front: Any = op(f"{name}(Input, Other -> Out) relative! absolute! equal_nan:bool", traits="nodiff", method=True)(
        function
    )

    @front.infer
    def infer(x: TensorSpec, y: TensorSpec, relative: float, absolute: float, equal_nan: bool) -> TensorSpec:
        spec = shape_rules.comparison_spec(x, y, name)
        return TensorSpec((), bool_) if reduce else spec

    @front.kernel
    def kernel(xp: ArrayModule, x: Array, y: Array, relative: float, absolute: float, equal_nan: bool) -> Array:
        if xp is np and x.dtype.kind == "f" and x.dtype == y.dtype and relative >= 0 <= absolute and np.vdot(y, y) < math.inf:
            close = np.asarray(_beyond(x, y, operand(np, relative, y.dtype)) <= absolute)
        else:
            close = xp.isclose(x, y, relative, absolute, equal_nan)
        return xp.asarray(xp.count_nonzero(close) == close.size) if reduce else close

    @front.specialize
    def fixed(out: TensorSpec, x: TensorSpec, y: TensorSpec, equal_nan: bool) -> Any:
        if x.dtype.kind != "f" or y.dtype is not x.dtype or x.shape != y.shape or not x.shape:
            return None
        dtype, otherwise = y.dtype.np, front.op.kernel_for("numpy")

        def front_run(x: Any, y: Any, relative: float, absolute: float) -> Array:
            flat = y.ravel()
            squares = flat.dot(flat)
            if not squares < math.inf or not relative >= 0 <= absolute or not x.size:
                return otherwise(np, x, y, relative=relative, absolute=absolute, equal_nan=equal_nan)
            if not reduce:
                return np.less_equal(_beyond(x, y, np.array(relative, dtype)), np.array(absolute, dtype))
            far = np.subtract(x, y)
            np.absolute(far, far)
            furthest = far.item(far.argmax())
            if furthest <= absolute or furthest > absolute + relative * math.sqrt(squares) * _SURE:  # no |y| is larger than that
                return np.array(furthest <= absolute)
            beyond = _beyond(x, y, np.array(relative, dtype))
            return np.array(beyond.item(beyond.argmax()) <= absolute)

        return front_run

    @front.to_file
    def to_file(w: FileWriter, op: Op) -> None:
        a = op.attrs
        texts = {
            "rtol": ("str", repr(a["relative"])),
            "atol": ("str", repr(a["absolute"])),
            "equal_nan": ("bool", a["equal_nan"]),
        }
        w.write(name, {"Input": op.inputs[0], "Other": op.inputs[1]}, {"Out": op.out}, texts)

    @front.from_file
    def from_file(r: FileReader) -> Tensor:
        rtol, atol = (float(r.attrs.get(name, value)) for name, value in (("rtol", 1e-05), ("atol", 1e-08)))  # texts or numbers
        return front(r.input("Input"), r.input("Other"), rtol, atol, r.attr("equal_nan", False))

    front.samples(
        lambda: [
            Sample(np.asarray([1.0, 2.0]), np.asarray([1.0, 2.0 + 1e-7]), relative=1e-5, absolute=1e-8, equal_nan=False)
        ]
    )
    return front


isclose = _declare_close("isclose", False, "Compare elementwise: True where ``|x - y| <= atol + rtol * |y|``.")
allclose = _declare_close(
    "allclose", True, "True if ``|x - y| <= atol + rtol * |y|`` everywhere, as a 0-D boolean tensor."
)
