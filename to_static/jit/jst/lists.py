"""`TensorList`: a Python list of tensors whose length or contents depend on traced tensors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from to_static.core.dtypes import default_dtype, int64, scalar_dtype
from to_static.core.errors import TracedValueError
from to_static.ir import mode
from to_static.ir.number import Number
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import ListSpec
from to_static.ir.tensor import Tensor
from to_static.ir.variable import Variable
from to_static.jit.jst.traced import failure, is_number


class TensorList(Variable):
    """A list of tensors that exists when the Program runs.

    It can be appended to, extended, popped from, indexed (also by tensors), assigned to, iterated over, measured with ``len`` and
    handed to `stack` and `concat`. All elements have one dtype and one number of dimensions.
    """

    __slots__ = ()

    @staticmethod
    def of(items: Iterable[Any]) -> TensorList:
        """The list value that holds the tensors and numbers of a Python list."""
        made = [element(x) for x in items]
        return wrap(FUNCTIONS["list_new"](made))

    def append(self, item: Any) -> None:
        """Add ``item`` at the end."""
        self._become(FUNCTIONS["list_append"](self, element(item)))

    def extend(self, items: Any) -> None:
        """Add all ``items`` (a Python list or tuple) at the end."""
        if isinstance(items, Tensor):
            raise failure(TracedValueError, "a list of tensors can be extended only by a Python list here: append in a loop")
        for item in items:
            self.append(item)

    def __iadd__(self, items: Any) -> TensorList:  # type: ignore[misc]
        self.extend(items)
        return self

    def pop(self, index: Any = -1) -> Any:
        """Remove and return the element at ``index`` (an int or an integer tensor)."""
        rest, item = FUNCTIONS["list_pop"](self, _index(index))
        self._become(rest)
        return item

    def insert(self, index: Any, item: Any) -> None:
        """Put ``item`` before position ``index`` (a non-negative int)."""
        if isinstance(index, Tensor) or index < 0:
            raise failure(TracedValueError, "insert() into a list of tensors takes a position that is a non-negative int")
        self._become(FUNCTIONS["list_insert"](self, _index(index), element(item)))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            raise failure(TracedValueError, "a list that changes under a tensor condition can't be sliced: stack it first")
        return FUNCTIONS["list_get"](self, _index(index))

    def __setitem__(self, index: Any, item: Any) -> None:
        if isinstance(index, slice):
            raise failure(TracedValueError, "a slice of a list that changes under a tensor condition can't be assigned to")
        self._become(FUNCTIONS["list_set"](self, _index(index), element(item)))

    def __len__(self) -> int:
        raise self._needs_value("len() of a list that changes under a tensor condition", "call len() in translated code")

    def __iter__(self) -> Any:
        raise self._needs_value(
            "iteration over a list that changes under a tensor condition", "use a `for` statement in translated code, or stack it"
        )


def wrap(value: Any) -> Any:
    """A Variable as a `TensorList` when its value is a list."""
    if isinstance(value, Variable) and isinstance(value.spec, ListSpec) and not isinstance(value, TensorList):
        made = TensorList(value.var, value.builder)
        made.frame = value.frame
        return made
    return value


def element(item: Any) -> Any:
    """A list element as a tensor; raises TracedValueError for what is no tensor or number."""
    if isinstance(item, Number):  # Paddle makes lists of Python floats into tensors of the default float
        return FUNCTIONS["cast"](item, default_dtype()) if item.python_type is float else item
    if isinstance(item, Tensor):
        return item
    if is_number(item):
        return mode.state.mode.constant(np.asarray(item, scalar_dtype(item).np))
    raise failure(
        TracedValueError,
        f"a list that changes under a tensor condition can hold only tensors and numbers, not {type(item).__name__}: keep other "
        "objects in a list that does not change there",
    )


def _index(index: Any) -> Any:
    return index if isinstance(index, Tensor) else mode.state.mode.constant(np.asarray(index, int64.np))
