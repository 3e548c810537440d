"""``range`` with bounds that tensors decide."""

from __future__ import annotations

import builtins
from typing import Any

from to_static.core.errors import TracedValueError
from to_static.core.expressions import quoted
from to_static.ir.number import Number, number
from to_static.ir.registry import FUNCTIONS
from to_static.ir.tensor import Tensor
from to_static.jit.jst.casts import int_
from to_static.jit.jst.catching import check
from to_static.jit.jst.chosen import over
from to_static.jit.jst.counted import Counted
from to_static.jit.jst.logic import and_, not_, or_
from to_static.jit.jst.traced import failure, is_traced


class Range(Counted):
    """A range of Python's, of which the Program knows the bounds."""

    stands_for = builtins.range
    __later__ = True  # its text is known when the Program runs

    def __init__(self, start: Any, stop: Any, step: Any, length: Any, item: Any) -> None:
        super().__init__(length, item)
        self.start, self.stop, self.step = start, stop, step

    def recipe(self) -> Any:
        """How every run makes it."""
        return (builtins.range,), (self.start, self.stop, self.step)

    def __held__(self) -> Any:
        return None, [self.start, self.stop, self.step]

    def __repr__(self) -> str:
        if isinstance(self.step, Number):
            raise self._refused("the text of a range with a step that depends on tensors")
        bounds = (self.start, self.stop, *([self.step] if self.step != 1 else []))
        return f"range({', '.join(map(repr, bounds))})"

    def __format__(self, spec: str) -> str:
        if spec:
            raise TypeError("unsupported format string passed to range.__format__")
        return str(self)

    def __eq__(self, other: Any) -> Any:
        if not isinstance(other, (Range, builtins.range)):
            return NotImplemented
        size = other.size if isinstance(other, Range) else len(other)
        first = lambda: self.start == other.start  # noqa: E731
        step = lambda: or_(size == 1, lambda: self.step == other.step)  # noqa: E731
        return and_(self.size == size, lambda: or_(size == 0, lambda: and_(first(), step)))

    def __ne__(self, other: Any) -> Any:
        return not_(self == other) if isinstance(other, (Range, builtins.range)) else NotImplemented

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            raise self._refused("a slice of a range whose bounds depend on tensors")
        size = self.size
        place = index + size * int_(index < 0)
        check(and_(place >= 0, lambda: place < size), IndexError("range object index out of range"))
        return self.start + place * self.step

    def _refused(self, what: str) -> Exception:
        return failure(
            TracedValueError,
            f"{what}{quoted()}, which has values only when the static Program runs",
            "its bounds, `(start, stop)`, in place of the range",
        )

    def _refuse(self, *args: Any) -> Any:
        raise self._refused("Python's own code needs a range whose bounds depend on tensors")

    index = count = _refuse
    __hash__ = __len__ = __reduce_ex__ = _refuse  # type: ignore[assignment]

    def __copy__(self) -> Range:
        return self

    def __deepcopy__(self, memo: Any) -> Range:
        return self


@over
def range_(*args: Any) -> Any:
    """``range``, also with traced bounds and step."""
    if not any(is_traced(a) for a in args):
        return builtins.range(*args)
    for a in args:
        if isinstance(a, Tensor) and not a.spec.dtype.is_integer:
            raise TypeError(f"range() takes integers, got a tensor {a.spec}")
    if not 1 <= len(args) <= 3:
        raise TypeError(f"range expected 1 to 3 arguments, got {len(args)}")
    values: list[Any] = [number(a, int) if isinstance(a, Tensor) else a for a in args]
    bounds: list[Any] = [0, values[0], 1] if len(values) == 1 else [*values, 1][:3]
    start, stop, step = bounds
    if isinstance(step, Tensor):
        check(step != 0, ValueError("range() arg 3 must not be zero"))
        up = number(FUNCTIONS["greater_than"](step, 0), int) * 2 - 1
        towards, size = (stop - start) * up, step * up
    elif int(step) == 0:
        raise ValueError("range() arg 3 must not be zero")
    else:
        towards, size = (stop - start, step) if int(step) > 0 else (start - stop, -step)
    length = towards if isinstance(size, int) and size == 1 else (towards + (size - 1)) // size
    simple = isinstance(start, int) and start == 0 and isinstance(step, int) and step == 1
    return Range(start, stop, step, length, (lambda i: i) if simple else (lambda i: start + i * step))
