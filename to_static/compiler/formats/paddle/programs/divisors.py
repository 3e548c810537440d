"""Writes `gcd` and `lcm` as loops of Euclid's algorithm, because Paddle lacks these operators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.formats.paddle.programs.control_writer import assign, lowers, write_loop
from to_static.compiler.ir.program import Op
from to_static.compiler.ir.spec import TensorSpec
from to_static.core.dtypes import bool_, int32, int64

if TYPE_CHECKING:
    from to_static.compiler.formats.paddle.programs.program_writer import ProgramWriter
    from to_static.compiler.ir.program import Var

_BESIDE = {"axis": ("int", -1)}
_COMPARE = {**_BESIDE, "force_cpu": ("bool", False)}


@lowers("gcd", "lcm")
def _divisor(w: ProgramWriter, op: Op) -> None:
    spec = op.out.spec
    assert isinstance(spec, TensorSpec)
    if spec.dtype not in (int32, int64):
        w.refuse(f"Paddle's files have no integer division of {spec.dtype.name}; write `{op.name}` of `x.astype('int64')`")

    def binary(function: str, x: Var | str, y: Var | str, out: Any = None) -> Any:
        out = w.temp(spec) if out is None else out
        w.write(f"elementwise_{function}", {"X": x, "Y": y}, {"Out": out}, _BESIDE)
        return out

    def positive(x: Var | str, like: Any) -> str:
        """``abs(x)`` as large as the result is."""
        size, nothing = w.temp(spec), binary("sub", like, like)
        w.write("abs", {"X": binary("add", x, nothing)}, {"Out": size}, {})
        return size

    def choose(condition: str, x: Var | str, y: Var | str) -> str:
        out = w.temp(spec)
        w.write("where", {"Condition": condition, "X": x, "Y": y}, {"Out": out}, {})
        return out

    def is_zero(x: str) -> str:
        out = w.temp(spec.with_dtype(bool_))
        w.write("equal", {"X": x, "Y": w.constant(np.zeros((), spec.dtype.np))}, {"Out": out}, _COMPARE)
        return out

    def any_left(x: str) -> str:
        apart, out = w.temp(spec.with_dtype(bool_)), w.temp(TensorSpec((), bool_))
        w.write("not_equal", {"X": x, "Y": w.constant(np.zeros((), spec.dtype.np))}, {"Out": apart}, _COMPARE)
        attrs = {"dim": ("longs", []), "keep_dim": ("bool", False), "reduce_all": ("bool", True)}
        w.write("reduce_any", {"X": apart}, {"Out": out}, {**attrs, "in_dtype": ("int", -1), "out_dtype": ("int", -1)})
        return out

    x, y = positive(*op.inputs), positive(*reversed(op.inputs))
    zero, one = binary("sub", x, x), w.temp(spec)
    plus = {"scale": ("float", 1.0), "bias": ("float", 1.0), "bias_after_scale": ("bool", True)}
    w.write("scale", {"X": zero}, {"Out": one}, plus)
    larger, remainder, condition = w.temp(spec, "larger"), w.temp(spec, "rest"), w.temp(TensorSpec((), bool_), "condition")
    assign(w, x, larger)
    assign(w, y, remainder)
    assign(w, any_left(remainder), condition)
    scope = w.temp("STEP_SCOPES", "scope")
    inner = w.open_block()
    done = is_zero(remainder)
    steps_left = choose(done, zero, binary("mod", larger, choose(done, one, remainder)))
    following = choose(done, larger, remainder)
    assign(w, following, larger)
    assign(w, steps_left, remainder)
    assign(w, any_left(remainder), condition)
    write_loop(w, inner, condition, [larger, remainder], scope)
    if op.name == "gcd":
        w.write("assign", {"X": larger}, {"Out": op.out}, {})
        return
    shares = binary("floordiv", x, choose(is_zero(larger), one, larger))
    binary("mul", shares, y, op.out)
