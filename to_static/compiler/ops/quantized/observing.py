"""An operator that observes the magnitudes of a tensor, as a moving average (moving_average_abs_max_scale)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, op
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks
from to_static.compiler.ops.quantized.fake import averages
from to_static.core.array_types import Array
from to_static.core.errors import ArgumentError

if TYPE_CHECKING:
    from to_static.compiler.ir.file_hooks import FileWriter


@op(
    "moving_average_abs_max_scale(X, InAccum?!, InState?!, InScale?! -> Out, OutScale?, OutState?, OutAccum?) "
    "moving_rate:float is_test:bool",
    traits="check_shapes",
)
def moving_average_abs_max_scale(
    x: Tensor,
    in_accum: Tensor | None = None,
    in_state: Tensor | None = None,
    in_scale: Any = None,
    moving_rate: float = 0.9,
    is_test: bool = False,
) -> tuple[Tensor, ...]:
    """``x``, a moving average of its largest magnitudes, and the new ``state`` and ``accum``; with ``is_test`` the given ones."""
    return moving_average_abs_max_scale.emit(x, in_accum, in_state, in_scale, moving_rate=moving_rate, is_test=is_test)


@moving_average_abs_max_scale.infer
def _(x: TensorSpec, accum: Any, state: Any, scale: TensorSpec | None, moving_rate: float, is_test: bool) -> Any:
    dtype_checks.need_float(x, "moving_average_abs_max_scale")
    if not is_test and (accum is None or state is None):
        raise ArgumentError("moving_average_abs_max_scale: training needs InAccum and InState")
    one = TensorSpec((1,), x.dtype)
    return x, *(one if part is None else part for part in (scale or accum, state, accum))


@moving_average_abs_max_scale.kernel
def _(xp: Any, x: Any, accum: Any, state: Any, scale: Array | None, moving_rate: float, is_test: bool) -> Any:
    if is_test:
        return x.copy(), *(xp.zeros(1, x.dtype) if part is None else part.copy() for part in (scale, state, accum))
    return x.copy(), *(part.astype(accum.dtype) for part in averages(xp, x, accum, state, moving_rate))


@moving_average_abs_max_scale.grad
def _(ctx: GradContext, g: Tensor, *unused: Tensor) -> Any:
    return g, None, None, None


@moving_average_abs_max_scale.to_file
def _(w: FileWriter, o: Op) -> None:
    """The scale is no input in files: what is written there is the variable that holds it."""
    x, accum, state, scale = o.inputs
    test = w.inference or o.attrs["is_test"]
    out, out_scale, out_state, out_accum = o.outputs
    inputs: dict[str, Any] = {"X": x}
    outputs: dict[str, Any] = {"Out": out, "OutScale": out_scale if scale is None else w.name(scale)}
    if not test:
        inputs |= {"InAccum": accum, "InState": state}
        outputs |= {"OutState": out_state, "OutAccum": out_accum}
    attrs = {"moving_rate": ("float", o.attrs["moving_rate"]), "is_test": ("bool", bool(test))}
    w.write("moving_average_abs_max_scale", inputs, outputs, attrs)


def _f(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).uniform(-2, 2, shape).astype("float32")


def _s(value: float) -> np.ndarray:
    return np.asarray([value], "float32")


moving_average_abs_max_scale.samples(
    lambda: [
        Sample(_f(3, 4), _s(1), _s(1), None, moving_rate=0.9, is_test=False, grad=()),
        Sample(_f(3, 4), None, None, _s(2), moving_rate=0.9, is_test=True, grad=()),
    ]
)
