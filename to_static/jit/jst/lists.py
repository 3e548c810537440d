"""`TensorList`: a Python list of tensors whose length or contents depend on traced tensors."""

from __future__ import annotations

import operator
import sys
from collections.abc import Iterable
from typing import Any

from to_static.core.errors import TracedValueError
from to_static.core.expressions import quoted
from to_static.core.site import is_internal
from to_static.ir.number import number
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import ListSpec
from to_static.ir.tensor import Tensor
from to_static.ir.variable import Variable
from to_static.jit.jst.catching import check_uncaught
from to_static.jit.jst.joined import from_list, kept_in_list
from to_static.jit.jst.kinds import Leaf, joined_kinds, kinds_of, refused_item
from to_static.jit.jst.traced import DTYPES, as_index, as_place, constant, failure, is_number, is_tensor, python_type


class TensorList(Variable):
    """A list of tensors that exists when the Program runs.

    It can be appended to, extended, popped from, indexed (also by tensors), assigned to, iterated over, measured with ``len`` and
    handed to `stack` and `concat`. All elements have one dtype and one number of dimensions. ``holds`` is what Python sees in it:
    `Tensor`, or bool, int or float for a list of Python numbers; None while it has always been empty.
    """

    __slots__ = ("columns", "holds", "kinds")  # the others are those of `Rows`
    columns: list[Any]
    holds: Any
    kinds: list[Any]
    stands_for: type = list

    def __getattribute__(self, name: str) -> Any:
        kind = object.__getattribute__(self, "stands_for")
        if hasattr(kind, name) or name.startswith("__") or is_internal(sys._getframe(1).f_code.co_filename):
            return object.__getattribute__(self, name)
        raise AttributeError  # also for what tensors have

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or is_internal(sys._getframe(1).f_code.co_filename):
            return super().__getattr__(name)
        raise AttributeError(f"{self.stands_for.__name__!r} object has no attribute {name!r}")

    @staticmethod
    def of(items: Iterable[Any], name: str = "a list") -> TensorList:
        """The list value that holds the tensors or numbers of a Python list; ``name`` is the variable's, for errors."""
        from to_static.jit.jst import rows

        items = list(items)
        kinds: list[Any] = []
        for item in items:
            kinds = joined_kinds(kinds, found := kinds_of(item))
            if None in found:
                raise refused_item(item, name)
        if len(kinds) > 1 or not all(isinstance(kind, Leaf) for kind in kinds):
            return rows.rows_of(items)
        holds = (kinds[0].number or Tensor) if kinds else None
        return wrap(FUNCTIONS["list_new"]([_element(x) for x in items]), holds)

    def is_spelled(self) -> bool:
        """Whether all items have one form; which of several tensors have a gradient nobody knows."""
        return self.holds not in (None, Tensor) or self.stop_gradient

    @property
    def main(self) -> TensorList:
        """A list of the Program that is as long."""
        return self

    def takes(self, item: Any) -> bool:
        """Whether an item is of the kind that all are; if not, it is a list of several kinds from now on (see `Rows`)."""
        from to_static.jit.jst import rows

        found = kinds_of(item)
        if None in found:
            raise refused_item(item)
        kinds = joined_kinds(rows.kinds_in(self), found)
        if len(kinds) == 1 and isinstance(kinds[0], Leaf) and len(found) == 1:
            self.holds = kinds[0].number or Tensor
            return True
        rows.widen(self, found)
        return False

    def taken(self, value: Any) -> Any:
        """An element as Python sees it."""
        return from_list(value) if self.holds in (None, Tensor) else number(value)

    def append(self, item: Any) -> None:
        """Add ``item`` at the end."""
        if self.takes(item):
            self._become(FUNCTIONS["list_append"](self, _element(item)))
        else:
            self.append(item)

    def extend(self, items: Any) -> None:
        """Add all ``items`` (a list, tuple or list of the Program) at the end."""
        items = list_methods().taken(items)
        if isinstance(items, TensorList):
            from to_static.jit.jst.iterate import for_

            def add(item: Any) -> None:
                self.append(item)

            for_(items.elements(), add)
            return
        if isinstance(items, Tensor):
            raise failure(
                TracedValueError,
                f"a list that changes under a tensor condition or in a tensor loop is extended by a tensor{quoted()}",
                "`for row in tensor: items.append(row)`",
            )
        for item in items:
            self.append(item)

    def elements(self) -> TensorList:
        """Another list of the same elements."""
        return wrap(Variable(self.ssa, self.builder), self.holds)

    def copy(self) -> TensorList:
        """``items.copy()``"""
        return self.elements()

    def __deepcopy__(self, memo: Any) -> TensorList:
        if not self.stop_gradient:
            return super().__deepcopy__(memo)  # type: ignore[return-value]
        made = memo[id(self)] = self.copy()
        return made

    def __copy__(self) -> TensorList:
        return self.copy()

    def clear(self) -> None:
        """Remove all elements."""
        self._become(FUNCTIONS["list_new"]([]))

    def reverse(self) -> None:
        """Turn the order of the elements round."""
        self._become(self._slice(slice(None, None, -1)))

    def _slice(self, index: slice) -> TensorList:
        """A list of the elements that ``index`` chooses; only bounds and steps of whole slices of Python's."""
        from to_static.jit.jst.branch import if_
        from to_static.jit.jst.casts import len_
        from to_static.jit.jst.folds import max_, min_
        from to_static.jit.jst.iterate import for_
        from to_static.jit.jst.ranges import range_

        step = 1 if index.step is None else index.step
        if isinstance(step, Tensor) or step == 0:
            raise failure(
                TracedValueError,
                f"a list that changes under a tensor condition is sliced with a step that is a tensor or 0{quoted()}",
                "a Python int as step, or slice a tensor: `paddle.stack(items)[::step]`",
            )
        if self.spec.element is None:  # empty, or traced again when it is known what an enclosing loop puts into it
            return self.elements()
        length = len_(self)

        def bound(value: Any, otherwise: Any) -> Any:
            if value is None:
                return otherwise
            value = as_index(value)
            low, high = (0, length) if step > 0 else (-1, length - 1)
            return if_(value >= 0, lambda: min_(value, high), lambda: max_(length + value, low))

        first = bound(index.start, 0 if step > 0 else length - 1)
        last = bound(index.stop, length if step > 0 else -1)

        def add(i: Any, made: Any) -> Any:
            made.append(self.item(i))
            return made

        return for_(range_(first, last, step), add, list_methods().empty(self))

    def to_tensor(self, dtype: Any = None) -> Any:
        """What `to_tensor` makes of the list."""
        return list_methods().stacked(self, dtype)

    def as_index(self) -> Any:
        """The positions that it holds, as ``x[items]`` asks for them."""
        return list_methods().positions(self)

    def __add__(self, other: Any) -> Any:
        if _is_tensor(other):
            return self.to_tensor() + other
        made = self.elements()
        made.extend(other)
        return made

    def __radd__(self, other: Any) -> Any:
        if _is_tensor(other):
            return other + self.to_tensor()
        return list_methods().added(other, self, sys._getframe(1))

    def __eq__(self, other: Any) -> Any:
        return list_methods().equal(self, other)

    def __ne__(self, other: Any) -> Any:
        from to_static.jit.jst.logic import not_

        return not_(self == other)

    __hash__ = Variable.__hash__

    def __mul__(self, times: Any) -> Any:
        return list_methods().repeated(self, times)

    __rmul__ = __mul__

    def __imul__(self, times: Any) -> TensorList:  # type: ignore[misc]
        self._become(self * times)
        return self

    def count(self, value: Any) -> Any:
        """How many elements are equal to ``value``."""
        return list_methods().counted(self, value)

    def index(self, value: Any) -> Any:
        """The first position of ``value``; ValueError when it is not there."""
        return list_methods().position(self, value)

    def remove(self, value: Any) -> None:
        """Remove the first element that is equal to ``value``."""
        self.pop(list_methods().position(self, value, "list.remove(x): x not in list"))

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:
        """Bring the elements in order; equal ones keep theirs."""
        from to_static.jit.jst.convert import call

        self._become(list_methods().in_order(self, None if key is None else call(key), reverse))

    def __iadd__(self, items: Any) -> TensorList:  # type: ignore[misc]
        self.extend(items)
        return self

    def pop(self, index: Any = -1) -> Any:
        """Remove and return the element at ``index`` (an int or an integer tensor)."""
        if self.spec.element is None:  # empty wherever this can run
            raise IndexError("pop from empty list")
        check_uncaught(IndexError)
        return self.take_out(index)

    def take_out(self, index: Any) -> Any:
        """Remove and return the element at ``index``, which is there."""
        rest, item = FUNCTIONS["list_pop"](self, as_place(index))
        self._become(rest)
        return self.taken(item)

    def insert(self, index: Any, item: Any) -> None:
        """Put ``item`` before position ``index``, or at the nearest end."""
        if self.takes(item):
            index = list_methods().bounded(self, index)
            self._become(FUNCTIONS["list_insert"](self, as_place(index), _element(item)))
        else:
            self.insert(index, item)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._slice(index)
        if self.spec.element is None:
            raise IndexError("list index out of range")
        check_uncaught(IndexError)
        return self.item(index)

    def item(self, index: Any) -> Any:  # type: ignore[override]
        """The element at ``index``, which is there."""
        return self.taken(FUNCTIONS["list_get"](self, as_place(index)))

    def __setitem__(self, index: Any, item: Any) -> None:
        if isinstance(index, slice):
            list_methods().put(self, index, item.elements() if item is self else item)
            return
        check_uncaught(IndexError)
        self.set_item(index, item)

    def set_item(self, index: Any, item: Any) -> None:
        """``self[index] = item`` for one index."""
        if self.takes(item):
            self._become(FUNCTIONS["list_set"](self, as_place(index), _element(item)))
        else:
            self.set_item(index, item)

    def __delitem__(self, index: Any) -> None:
        if isinstance(index, slice):
            before, behind = list_methods().cut(self, index)
            self._become(before + behind)
        else:
            self.pop(index)

    def __len__(self) -> int:
        raise self._needs_value("len() of a list that changes under a tensor condition", "call len() in translated code")

    def __contains__(self, value: Any) -> bool:
        raise self._needs_value("`in` a list that changes under a tensor condition", "`in` in translated code")

    def __iter__(self) -> Any:
        from to_static.jit.jst.unpacking import unpacked_by

        return unpacked_by(self, sys._getframe(1))


def _operator(symbol: str, function: Any, reflected: bool) -> Any:
    def method(self: TensorList, other: Any) -> Any:
        if not _is_tensor(other):
            left, right = ("list", type(other).__name__)[:: -1 if reflected else 1]
            raise TypeError(f"unsupported operand type(s) for {symbol}: {left!r} and {right!r}")
        made = self.to_tensor()
        return function(other, made) if reflected else function(made, other)

    return method


_OPERATORS = {"sub": "-", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "** or pow()", "matmul": "@"}
for _name, _symbol in _OPERATORS.items():
    _function = getattr(operator, _name)
    setattr(TensorList, f"__{_name}__", _operator(_symbol, _function, False))
    setattr(TensorList, f"__r{_name}__", _operator(_symbol, _function, True))


def _unary(symbol: str) -> Any:
    def method(self: TensorList) -> Any:
        raise TypeError(f"bad operand type for {symbol}: {getattr(self, 'stands_for', list).__name__!r}")

    return method


def _comparison(symbol: str, function: Any) -> Any:
    def method(self: TensorList, other: Any) -> Any:
        if _is_tensor(other):
            return function(self.to_tensor(), other)
        kind = getattr(self, "stands_for", list)
        if isinstance(other, (kind, TensorList)):
            text = f"a list that changes under a tensor condition or in a tensor loop is compared by {symbol}{quoted()}"
            raise failure(TracedValueError, text, "a comparison of the items that matter: `a[0] < b[0]`")
        raise TypeError(f"{symbol!r} not supported between instances of {kind.__name__!r} and {type(other).__name__!r}")

    return method


for _name, _symbol in {"neg": "unary -", "pos": "unary +", "invert": "unary ~", "abs": "abs()"}.items():
    setattr(TensorList, f"__{_name}__", _unary(_symbol))
for _name, _symbol in {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
    setattr(TensorList, f"__{_name}__", _comparison(_symbol, getattr(operator, _name)))


def _is_tensor(value: Any) -> bool:
    """True for a tensor that is no list and stands for no number: beside it a list becomes a tensor."""
    return is_tensor(value) and value.python_type is None and not isinstance(value.spec, ListSpec)


def list_methods() -> Any:
    """The module of what lists can do by loops and branches, which are made of lists themselves."""
    from to_static.jit.jst import list_methods

    return list_methods


def wrap(value: Any, holds: Any = None) -> Any:
    """A Variable as a `TensorList` when its value is a list."""
    if isinstance(value, TensorList):
        value.holds = value.holds or holds
        return value
    if isinstance(value, Variable) and not value.undecided and isinstance(value.spec, ListSpec):
        made = TensorList(value.ssa, value.builder)
        made.frame = value.frame
        made.holds = holds
        return made
    return value


def joined_holds(a: TensorList, b: TensorList) -> Any:
    """What two lists hold that become one of a single kind of elements; raises `Mixed` when they hold others."""
    from to_static.jit.jst import rows

    kinds = joined_kinds(rows.kinds_in(a), rows.kinds_in(b))
    if isinstance(a, rows.Rows) or isinstance(b, rows.Rows) or len(kinds) > 1:
        raise Mixed(kinds)
    return a.holds or b.holds


class Mixed(Exception):
    """The items of a list are of these ``kinds``."""

    def __init__(self, kinds: list[Any]) -> None:
        self.kinds = kinds


def _element(item: Any) -> Any:
    """A tensor or number as an element of a list."""
    return constant(item, DTYPES[python_type(item)]) if is_number(item) else kept_in_list(item)
