"""`py_func`: calls a Python function of the user in each run of a Program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, op
from to_static.compiler.ir.tensor import Tensor
from to_static.core.array_types import ArrayModule
from to_static.core.backend import backend_of
from to_static.core.errors import DTypeError, ShapeError


class PutBack:
    """The function that a `py_func` calls, when it notes its changes (`core.atomic.Ahead`): a failed run has not called it."""

    def __init__(self, call: Callable[[list[Any]], list[Any]]) -> None:
        self._call = call

    def __call__(self, arrays: list[Any]) -> list[Any]:
        return self._call(arrays)


@op("py_func(X* -> Out*) call backward results", file=None, traits="effect dynamic may_raise check_shapes")
def py_func(x: Sequence[Tensor], call: Any, backward: Any, results: Any) -> Any:
    """``call(arrays)`` in every run: a list of arrays, one for each spec of ``results``.

    ``backward``: the same for gradients, of the arrays of ``x``, of the results and of their gradients; None: there are none.
    """
    return py_func.emit(list(x), call=call, backward=backward, results=results)


@py_func.infer
def _(x: Any, call: Any, backward: Any, results: Any) -> Any:
    return list(results)


@py_func.kernel
def _(xp: ArrayModule, x: Any, call: Any, backward: Any, results: Any) -> Any:
    returned = call([backend_of(a).to_numpy(a) for a in x])
    if len(returned) != len(results):
        raise ShapeError(f"py_func: expected {len(results)} results, the function gave {len(returned)}")
    return [xp.asarray(_checked(a, spec)) for a, spec in zip(returned, results, strict=True)]


def _checked(returned: Any, spec: Any) -> np.ndarray:
    array = np.asarray(returned)
    if array.dtype != spec.dtype.np:
        raise DTypeError(f"py_func: the function gave {array.dtype}, the result was declared {spec.dtype.name}")
    return array


@py_func.grad
def _(ctx: GradContext, *gouts: Tensor) -> Any:
    backward = ctx.attrs["backward"]
    if backward is None:
        return [None] * len(ctx.inputs[0])
    xs, outs = list(ctx.inputs[0]), list(ctx.outputs)
    out_grads = [g for g in gouts if g is not None]
    missing = tuple(g is None for g in gouts)
    wanted = tuple(x.spec.dtype.is_floating for x in xs)
    specs = tuple(x.spec for x in xs if x.spec.dtype.is_floating)

    def call(arrays: list[np.ndarray]) -> list[Any]:
        gradients_out = iter(arrays[len(xs) + len(outs) :])
        gradients = [None if gone else next(gradients_out) for gone in missing]
        returned = backward([*arrays[: len(xs) + len(outs)], *gradients])
        if len(returned) != len(xs):
            raise ShapeError(f"py_func: backward_func gave {len(returned)} gradients for {len(xs)} inputs")
        wanted_pairs = [(g, x) for g, x, want in zip(returned, arrays, wanted, strict=False) if want]
        return [np.zeros_like(x) if g is None else np.asarray(g) for g, x in wanted_pairs]

    returned = iter(py_func([*xs, *outs, *out_grads], call, None, specs))
    return [next(returned) if want else None for want in wanted]
