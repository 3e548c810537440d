"""Operators of quantization-aware training: numbers are rounded to multiples of a scale that is observed.

`ops.quantized.linear` defines the rounding. The scale is the largest magnitude of the input, or a moving average of it:
``state = rate * state + 1``, ``accum = rate * accum + max(abs(x))``, ``scale = accum / state``; with ``is_test`` the given scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import GradContext, Sample, op
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks
from to_static.compiler.ops.quantized.linear import along, back, rounded
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import ArgumentError

_SLOTS = ("Out", "OutScale", "OutState", "OutAccum")


def _straight(ctx: GradContext, g: Tensor, *unused: Any) -> Tensor | Sequence[Tensor | None]:
    return (g, *[None] * (len(ctx.inputs) - 1)) if len(ctx.inputs) > 1 else g


def _integers_or_back(xp: ArrayModule, x: Array, scale: Array, bits: int, round_type: int, gives_back: bool) -> Array:
    """``x`` as whole multiples, or what these stand for."""
    levels = rounded(xp, x, scale, bits, round_type == 1)
    return back(xp, levels, scale, bits) if gives_back else levels


def _f(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).uniform(-2, 2, shape).astype("float32")


def _s(value: float) -> np.ndarray:
    return np.asarray([value], "float32")


def _per_tensor(name: str, gives_back: bool) -> Any:
    """Declare an operator with one scale, the largest magnitude; ``gives_back``: the result is what the whole numbers stand for."""

    def function(x: Tensor, bit_length: int = 8, round_type: int = 1) -> tuple[Tensor, ...]:
        return front.emit(x, bit_length=bit_length, round_type=round_type)

    function.__name__ = function.__qualname__ = name
    what = "rounded to" if gives_back else "as"
    function.__doc__ = f"""``x`` {what} whole multiples of its largest magnitude, and that, ``[1]``."""
    front: Any = op(f"{name}(X -> Out, OutScale?) bit_length:int round_type:int", traits="check_shapes")(function)

    @front.infer
    def _(x: TensorSpec, bit_length: int, round_type: int) -> tuple[TensorSpec, ...]:
        dtype_checks.need_float(x, name)
        return x, TensorSpec((1,), x.dtype)

    @front.kernel
    def _(xp: ArrayModule, x: Array, bit_length: int, round_type: int) -> tuple[Array, ...]:
        scale = xp.asarray(abs(x).max(initial=0)).reshape(1).astype(x.dtype)
        return _integers_or_back(xp, x, scale.reshape(()), bit_length, round_type, gives_back), scale

    front.grad(_straight)
    front.samples(
        lambda: [
            Sample(_f(3, 4), bit_length=8, round_type=1, grad=()),
            Sample(_f(2, 3), bit_length=4, round_type=0, grad=()),
            Sample(_f(1)[0], bit_length=8, round_type=1, grad=()),
            Sample(_f(1)[0], bit_length=8, round_type=0, grad=()),
        ]
    )
    return front


fake_quantize_abs_max = _per_tensor("fake_quantize_abs_max", False)
fake_quantize_dequantize_abs_max = _per_tensor("fake_quantize_dequantize_abs_max", True)


def _by_channel(name: str, gives_back: bool) -> Any:
    """Declare an operator with a scale for each index of a dimension."""

    def function(x: Tensor, quant_axis: int = 0, bit_length: int = 8, round_type: int = 1) -> tuple[Tensor, ...]:
        return front.emit(x, quant_axis=quant_axis, bit_length=bit_length, round_type=round_type)

    function.__name__ = function.__qualname__ = name
    what = "rounded to" if gives_back else "as"
    function.__doc__ = f"""``x`` {what} whole multiples of the largest magnitude of each channel, and these."""
    front: Any = op(f"{name}(X -> Out, OutScale?) quant_axis:int bit_length:int round_type:int", traits="check_shapes")(function)

    @front.infer
    def _(x: TensorSpec, quant_axis: int, bit_length: int, round_type: int) -> tuple[TensorSpec, ...]:
        dtype_checks.need_float(x, name)
        if not 0 <= quant_axis < x.ndim:
            raise ArgumentError(f"{name}: quant_axis is {quant_axis}, but the input has {x.ndim} dimensions")
        return x, TensorSpec((x.shape[quant_axis],), x.dtype)

    @front.kernel
    def _(xp: ArrayModule, x: Array, quant_axis: int, bit_length: int, round_type: int) -> tuple[Array, ...]:
        scale = abs(x).max(tuple(i for i in range(x.ndim) if i != quant_axis), initial=0)
        return _integers_or_back(xp, x, along(xp, scale, x, quant_axis), bit_length, round_type, gives_back), scale

    front.grad(_straight)
    front.samples(
        lambda: [
            Sample(_f(3, 4), quant_axis=0, bit_length=8, round_type=1, grad=()),
            Sample(_f(2, 3, 2), quant_axis=1, bit_length=4, round_type=0, grad=()),
        ]
    )
    return front


fake_channel_wise_quantize_abs_max = _by_channel("fake_channel_wise_quantize_abs_max", False)
fake_channel_wise_quantize_dequantize_abs_max = _by_channel("fake_channel_wise_quantize_dequantize_abs_max", True)


def averages(xp: ArrayModule, x: Array, accum: Array, state: Array, rate: float) -> tuple[Any, Any, Any]:
    """The scale and the new averages."""
    rate = x.dtype.type(rate)
    new_state = rate * state + x.dtype.type(1)
    new_accum = rate * accum + abs(x).max(initial=0)
    return new_accum / new_state, new_state, new_accum


def _moving(name: str, gives_back: bool) -> Any:
    """Declare an operator with one scale, a moving average of the largest magnitudes."""

    def function(
        x: Tensor,
        in_scale: Tensor,
        in_accum: Tensor | None = None,
        in_state: Tensor | None = None,
        moving_rate: float = 0.9,
        bit_length: int = 8,
        is_test: bool = False,
        round_type: int = 1,
    ) -> tuple[Tensor, ...]:
        attrs = {"moving_rate": moving_rate, "bit_length": bit_length, "is_test": is_test, "round_type": round_type}
        return front.emit(x, in_scale, in_accum, in_state, **attrs)

    function.__name__ = function.__qualname__ = name
    what = "rounded to" if gives_back else "as"
    function.__doc__ = f"""``x`` {what} whole multiples of a moving average, that, and the new ``state`` and ``accum``."""
    front: Any = op(
        f"{name}(X, InScale!, InAccum?!, InState?! -> Out, OutScale?, OutState?, OutAccum?) "
        "moving_rate:float bit_length:int is_test:bool round_type:int",
        traits="check_shapes",
    )(function)

    @front.infer
    def _(x: TensorSpec, scale: TensorSpec, accum: Any, state: Any, is_test: bool, **attrs: Any) -> Any:
        dtype_checks.need_float(x, name)
        if not is_test and (accum is None or state is None):
            raise ArgumentError(f"{name}: training needs InAccum and InState")
        return x, scale, scale if state is None else state, scale if accum is None else accum

    @front.kernel
    def _(xp: Any, x: Any, scale: Any, accum: Any, state: Any, **attrs: Any) -> Any:
        moving_rate, bit_length, is_test, round_type = (attrs[k] for k in ("moving_rate", "bit_length", "is_test", "round_type"))
        if is_test:
            new = [(scale if part is None else part).copy() for part in (scale, state, accum)]
        else:
            new = [part.astype(scale.dtype) for part in averages(xp, x, accum, state, moving_rate)]
        one = new[0].reshape(()).astype(x.dtype)
        return _integers_or_back(xp, x, one, bit_length, round_type, gives_back), *new

    @front.to_file
    def _(w: Any, o: Any) -> None:
        """In evaluation the scale is written where it was read, as Paddle has it, and averages are not there."""
        if not o.attrs["is_test"]:
            w.default(o)
        else:
            w.default(o, outputs={"OutScale": w.name(o.inputs[1]), "OutState": None, "OutAccum": None})

    @front.from_file
    def _(r: Any) -> Any:
        outputs = r.read_declared(front.op)
        if r.attr("is_test", False):
            return {"Out": outputs[0], "OutScale": r.input("InScale")}  # nothing changes it then, but files may read it
        return dict(zip(_SLOTS, outputs, strict=True))

    front.grad(_straight)
    attrs: dict[str, Any] = {"moving_rate": 0.9, "bit_length": 8, "round_type": 1}
    front.samples(
        lambda: [
            Sample(_f(3, 4), _s(1.5), None, None, is_test=True, grad=(), **attrs),
            Sample(_f(3, 4), _s(1.5), _s(1), _s(1), is_test=False, grad=(), **attrs),
            Sample(_f(1)[0], _s(1.5), _s(1), _s(1), is_test=False, grad=(), **attrs),
        ]
    )
    return front


fake_quantize_moving_average_abs_max = _moving("fake_quantize_moving_average_abs_max", False)
fake_quantize_dequantize_moving_average_abs_max = _moving("fake_quantize_dequantize_moving_average_abs_max", True)
