"""Binary elementwise arithmetic, with NumPy broadcasting: rows of a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.core.errors import ShapeError
from to_static.ir.opdef import Sample, op
from to_static.ir.spec import TensorSpec
from to_static.ops import rules


def declare(
    name: str, file: str, ufunc: str, doc: str, grad: Callable[..., Any] | None, samples: Any, commutative: bool = False
) -> Any:
    """Declare a binary operator that is one array-module function."""

    def function(x: Any, y: Any, name: Any = None) -> Any:
        x, y = rules.operands(x, y, function.__name__)
        return function.emit(x, y)  # type: ignore[attr-defined]

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    traits = "elementwise commutative" if commutative else "elementwise"
    front: Any = op(
        f"{name}(X, Y -> Out)",
        file=file,
        traits=traits,
        method=True,
        inplace=True,
        ufunc=ufunc,
        file_attrs={"axis": ("int", -1)},
    )(function)

    @front.infer
    def infer(x: TensorSpec, y: TensorSpec) -> TensorSpec:
        return TensorSpec(rules.broadcast(x.shape, y.shape, name), x.dtype)

    @front.kernel
    def kernel(xp: Any, x: Any, y: Any, out: Any = None) -> Any:
        return getattr(xp, ufunc)(x, y, out)

    if grad is not None:
        front.grad(grad)
    front.samples(samples)
    return front


def _f(*shape: int, seed: int = 0, low: float = -2.0, high: float = 2.0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(low, high, shape).astype("float32")


def _pairs(**kw: Any) -> Callable[[], list[Sample]]:
    return lambda: [
        Sample(_f(2, 3, **kw), _f(2, 3, seed=1, **kw)),
        Sample(_f(2, 3, **kw), _f(3, seed=1, **kw)),
        Sample(_f(2, 1, **kw), _f(1, 3, seed=1, **kw)),
        Sample(_f(4, **kw), _f(seed=1, **kw)),
    ]


def _both(ctx: Any, gx: Any, gy: Any) -> tuple[Any, Any]:
    x, y = ctx.inputs
    return (
        rules.unbroadcast(gx(), x) if ctx.needs[0] else None,
        rules.unbroadcast(gy(), y) if ctx.needs[1] else None,
    )


add = declare(
    "add", "elementwise_add", "add", "``x + y``, elementwise with broadcasting.",
    lambda ctx, g: _both(ctx, lambda: g, lambda: g), _pairs(), True,
)  # fmt: skip
subtract = declare(
    "subtract", "elementwise_sub", "subtract", "``x - y``, elementwise with broadcasting.",
    lambda ctx, g: _both(ctx, lambda: g, lambda: -g), _pairs(),
)  # fmt: skip
multiply = declare(
    "multiply", "elementwise_mul", "multiply", "``x * y``, elementwise with broadcasting.",
    lambda ctx, g: _both(ctx, lambda: g * ctx.inputs[1], lambda: g * ctx.inputs[0]), _pairs(), True,
)  # fmt: skip


@op("sum_to(X, Like -> Out)", file=None)
def sum_to(x: Any, like: Any) -> Any:
    """Sum ``x`` over the dimensions along which a tensor shaped as ``like`` was broadcast to it."""
    return sum_to.emit(x, like)


@sum_to.infer
def _(x: Any, like: Any) -> Any:
    if rules.broadcast(x.shape, like.shape, "sum_to") != x.shape and x.is_static:
        raise ShapeError(f"sum_to: {rules.show(like.shape)} was not broadcast to {rules.show(x.shape)}")
    return x.with_shape(like.shape)


@sum_to.kernel
def _(xp: Any, x: Any, like: Any) -> Any:
    extra = x.ndim - like.ndim
    axes = tuple(range(extra)) + tuple(
        i + extra for i, d in enumerate(like.shape) if d == 1 and x.shape[i + extra] != 1
    )
    return x.sum(axes, dtype=x.dtype).reshape(like.shape) if axes else x.copy()


@sum_to.grad
def _(ctx: Any, g: Any) -> Any:
    return g + (ctx.inputs[0] - ctx.inputs[0]).detach(), None


sum_to.samples(lambda: [Sample(_f(2, 3), _f(3), grad=(0,)), Sample(_f(2, 3), _f(2, 1), grad=(0,)), Sample(_f(2), _f())])
