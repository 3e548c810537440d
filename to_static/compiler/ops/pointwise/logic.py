"""Logical and bitwise operators, and tests of floating-point values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Sample, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import operands, shape_rules, traced_values
from to_static.compiler.ops.pointwise.elementwise import f32
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import bool_
from to_static.core.errors import DTypeError


def _is_number_beside(value: Tensor, tensor: Tensor) -> bool:
    """True if a traced value stands for a Python number and the other one is a tensor."""
    return value.python_type is not None and isinstance(tensor, Tensor) and tensor.python_type is None


def _declare(
    name: str,
    ufunc: str,
    doc: str,
    arity: int,
    result: Callable[..., TensorSpec],
    samples: Callable[..., Any],
    file: str = "",
    method: bool = True,
    commutative: bool = True,
    inplace: bool = True,
    takes_out: bool = True,
) -> Any:
    if not takes_out:

        def function(x: Tensor, name: str | None = None) -> Tensor:
            return emit(x)
    elif arity == 1:

        def function(x: Tensor, out: Any = None, name: str | None = None) -> Tensor:  # type: ignore[misc]
            y = emit(x)
            return y if out is None else out._become(y)
    else:

        def function(x: Tensor, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:  # type: ignore[misc]
            if not isinstance(x, Tensor) or _is_number_beside(x, y):
                x = operands.tensor(x, y)
            if not isinstance(y, Tensor) or _is_number_beside(y, x):
                y = operands.tensor(y, x)
            z = emit(x, y)
            return z if out is None else out._become(z)

    function.__name__ = function.__qualname__ = name
    one, two = ("x > 0.2", "y > 1.2") if name.startswith("bitwise") else ("x", "y")
    call = f"{one}, {two}" if arity == 2 else one
    into = "``out``: a tensor that holds the result afterwards, in place. " if takes_out else ""
    function.__doc__ = f"""{doc}

    {into}Operands broadcast; raises ShapeError when they do not.

    Example:
        >>> paddle.{name}({call})
    """
    traits = "elementwise nodiff" + (" commutative" if arity == 2 and commutative else "")
    slots = "X" if arity == 1 else "X, Y"
    front: Any = op(f"{name}({slots} -> Out)", file=file, traits=traits, method=method, inplace=inplace, ufunc=ufunc)(
        function
    )
    emit = front.emit
    front.infer(result)

    if arity == 1:

        @front.kernel
        def kernel1(xp: ArrayModule, x: Array, out: Array | None = None) -> Array:
            return getattr(xp, ufunc)(x, out=out)
    else:
        front.may_raise(traced_values.may_not_broadcast)

        @front.kernel
        def kernel2(xp: ArrayModule, x: Array, y: Array, out: Array | None = None) -> Array:
            return getattr(xp, ufunc)(x, y, out=out)

    front.samples(samples)
    return front


def _truth(x: TensorSpec, y: TensorSpec | None = None) -> TensorSpec:
    return x.with_dtype(bool_) if y is None else shape_rules.comparison_spec(x, y, "logical operator")


def _bits(name: str) -> Callable[..., TensorSpec]:
    def infer(x: TensorSpec, y: TensorSpec | None = None) -> TensorSpec:
        if x.dtype.kind not in "biu":
            raise DTypeError(f"{name}: expected an integer or boolean tensor, got {x.dtype.name}")
        if y is None:
            return x
        if y.dtype is not x.dtype:
            raise DTypeError(f"{name}: dtypes {x.dtype.name} and {y.dtype.name} differ; convert one with astype()")
        return TensorSpec(shape_rules.broadcast(x.shape, y.shape, name), x.dtype)

    return infer


def _flags() -> list[Sample]:
    return [
        Sample(np.asarray([[True, False], [False, True]]), np.asarray([True, False])),
        Sample(np.asarray([1.0, 0.0], "float32"), np.asarray([0.0, 0.0], "float32")),
    ]


def _integers() -> list[Sample]:
    return [Sample(np.asarray([5, 6, -1]), np.asarray([3, 3, 8])), Sample(np.asarray([True, False]), np.asarray(True))]


logical_and = _declare(
    "logical_and", "logical_and", "Whether both are true (not zero), elementwise.", 2, _truth, _flags
)
logical_or = _declare("logical_or", "logical_or", "Whether either is true (not zero), elementwise.", 2, _truth, _flags)
logical_xor = _declare(
    "logical_xor", "logical_xor", "Whether exactly one is true (not zero), elementwise.", 2, _truth, _flags
)
logical_not = _declare(
    "logical_not",
    "logical_not",
    "Whether it is false (zero), elementwise.",
    1,
    _truth,
    lambda: [Sample(s.inputs[0]) for s in _flags()],
)
bitwise_and = _declare(
    "bitwise_and", "bitwise_and", "``x & y``: integers or booleans of one dtype.", 2, _bits("bitwise_and"), _integers
)
bitwise_or = _declare(
    "bitwise_or", "bitwise_or", "``x | y``: integers or booleans of one dtype.", 2, _bits("bitwise_or"), _integers
)
bitwise_xor = _declare(
    "bitwise_xor", "bitwise_xor", "``x ^ y``: integers or booleans of one dtype.", 2, _bits("bitwise_xor"), _integers
)
bitwise_not = _declare(
    "bitwise_not", "invert", "``~x``: each bit flipped; for booleans, not.", 1, _bits("bitwise_not"),
    lambda: [Sample(s.inputs[0]) for s in _integers()],
)  # fmt: skip


def _special() -> list[Sample]:
    return [Sample(np.asarray([1.0, np.nan, np.inf, -np.inf], "float32"), grad=()), Sample(f32(2, 2), grad=())]


def _test(name: str, doc: str) -> Any:
    return _declare(name, name, doc, 1, _truth, _special, file=f"{name}_v2", inplace=False, takes_out=False)


isnan = _test("isnan", "Whether each element is not a number.")
isinf = _test("isinf", "Whether each element is infinite.")
isfinite = _test("isfinite", "Whether each element is neither infinite nor nan.")
