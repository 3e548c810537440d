"""Single elements that a plan keeps as Python numbers: an operation on these takes a tenth of the time of an array-module call.

Truths are comparisons and logic that only decide branches and loops. Their results are those of the arrays (also for NaN), because
each dtype converts to a Python number exactly. Counters are integers to which a loop only adds a constant. `Schedule` and `codegen`
call this module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from to_static.compiler.ir.program import Op
from to_static.compiler.ir.spec import TensorSpec
from to_static.core.dtypes import int64

if TYPE_CHECKING:
    from to_static.compiler.runtime.schedule import KernelCall, Value

COMPARISONS = {
    "equal": "==", "not_equal": "!=", "less_than": "<", "less_equal": "<=", "greater_than": ">", "greater_equal": ">=",
}  # fmt: skip
LOGICAL = {"logical_and": "and", "logical_or": "or", "logical_not": "not"}
TRUTHS = {**COMPARISONS, **LOGICAL}
STEPS = {"add": "+", "subtract": "-"}
_COUNTER = TensorSpec((), int64)
_MIRRORED = str.maketrans("<>", "><")
_FARTHEST = 1 << 31  # a counter with a smaller step cannot exceed 64 bits in a run that ends


def of_single_elements(op: Op) -> bool:
    """True if all inputs are known to have one element."""
    return all(getattr(v.spec, "size", None) == 1 for v in op.operands())


def counts(call: KernelCall, carried: Value, first: Value) -> bool:
    """True if ``call`` adds a constant to the loop variable ``carried``, or subtracts one."""
    if call.op.name not in STEPS or carried.spec != _COUNTER or first.spec != _COUNTER:
        return False
    x, y = call.inputs
    if y is carried and call.op.name == "add":
        x, y = y, x
    return x is carried and y.array is not None and y.array.ndim == 0 and abs(int(y.array)) < _FARTHEST


def step(call: KernelCall) -> int:
    """Return the constant that a call for which `counts` is true adds to its variable."""
    (increment,) = (int(v.array) for v in call.inputs if v.array is not None)
    return increment if call.op.name == "add" else -increment


def limit(test: KernelCall, carried: Value, step: int) -> tuple[Any, str] | None:
    """Return the end of the `range` for a loop whose ``carried`` counter grows by ``step`` while ``test`` holds.

    The result is a value and the text that is added to it; None if the test is no such comparison.
    """
    if test.op.name not in COMPARISONS:
        return None
    x, y = test.inputs
    sign = COMPARISONS[test.op.name]
    if y is carried:
        x, y, sign = y, x, sign.translate(_MIRRORED)
    ends = {"<": "", "<=": " + 1"} if step > 0 else {">": "", ">=": " - 1"}
    if x is not carried or y is carried or step == 0 or y.spec != _COUNTER or sign not in ends:
        return None
    return y, ends[sign]


def expression(name: str, operands: list[str]) -> str:
    """The Python expression for an operator of `TRUTHS` or `STEPS`."""
    if len(operands) == 1:
        return f"not {operands[0]}"  # operands are names, numbers and calls: no parentheses are needed
    return f"{operands[0]} {TRUTHS.get(name) or STEPS[name]} {operands[1]}"
