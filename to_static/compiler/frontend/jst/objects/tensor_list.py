"""`TensorList`: a Python list whose length or items depend on tensors.

All items have one structure (a tensor, a number, a tuple of these, ...). Each tensor of this structure is a column: a list
value of the Program.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import Any

from to_static.compiler.frontend.jst import protocol
from to_static.compiler.frontend.jst.control.branch import if_
from to_static.compiler.frontend.jst.control.logic import and_
from to_static.compiler.frontend.jst.control.raising import check
from to_static.compiler.frontend.jst.iteration.indexed import IndexedIterable
from to_static.compiler.frontend.jst.iteration.iterate import for_
from to_static.compiler.frontend.jst.iteration.ranges import range_
from to_static.compiler.frontend.jst.objects.union import UnionSpec, UnionValue, fits
from to_static.compiler.frontend.jst.protocol import ConstantSpec, NotJoinable, ValueSpec, join, value_spec_of
from to_static.compiler.frontend.jst.tracer_queries import DTYPES, as_index, constant, is_tensor
from to_static.compiler.frontend.jst.values.container import freeze_memory, parts_of
from to_static.compiler.frontend.jst.values.number import OneNumber
from to_static.compiler.frontend.jst.values.tensor import OneTensor
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.side_effects import POISON
from to_static.compiler.frontend.tracing.trace_context import building, current
from to_static.compiler.frontend.tracing.untranslated_code import STAND_INS
from to_static.compiler.ir import mode
from to_static.compiler.ir.spec import ListSpec
from to_static.compiler.ir.symbolic.sym_number import SymNumber, as_sym_number
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.core.diagnostics.source_expressions import in_assignment, in_expression
from to_static.core.dtypes import default_dtype, int64
from to_static.core.errors import NumberError


def item_spec(item: object) -> ValueSpec:
    """Return the spec of an item in a list of the Program: a Python number becomes a number of the Program."""
    return _varying(value_spec_of(item))


def _varying(spec: ValueSpec) -> ValueSpec:
    if isinstance(spec, ConstantSpec) and type(spec.value) in DTYPES:
        return OneNumber(type(spec.value))
    parts = getattr(spec, "parts", None)
    if parts is not None and issubclass(spec.python_type, tuple):  # type: ignore[attr-defined]
        return type(spec)(spec.python_type, spec.keys, list(map(_varying, parts)))  # type: ignore[attr-defined, call-arg]
    if parts is not None or (isinstance(spec, ConstantSpec) and isinstance(spec.value, (list, dict, set))):
        raise broken(
            f"a list that changes under a tensor condition or in a tensor loop holds {spec.describe()}{in_expression()}, which may "
            "change",
            "append a tuple, `items.append(tuple(inner))`, of an object its values, `items.append((best.score, best.place))`, "
            "or a tensor, `items.append(paddle.stack(inner))`",
        )
    return spec


class ListOf(ValueSpec):
    """The spec of a list whose length tensors decide. ``item``: the spec of every item; None if there was none yet."""

    __slots__ = ("item",)

    def __init__(self, item: ValueSpec | None) -> None:
        self.item = item

    def flatten(self, value: object) -> list[Any]:
        as_list = TensorList.of_items(value, self.item)
        if as_list.row is not None and self.item is not None and as_list.row.key() != self.item.key():
            raise broken(
                f"the items of a list have several types{in_expression()}: {as_list.row.describe()} and {self.item.describe()}",
                "a list for each kind, or items of one kind",
            )
        return [Variable(column.ssa, column.builder) for column in as_list.columns]

    def unflatten(self, tensors: Iterator[Any]) -> Any:
        count = _columns(self.item)
        columns = [next(tensors) for _ in range(count)]
        if mode.building():
            return TensorList(self.item, columns)
        rows = [list(column) for column in columns]  # eager lists of the Program: what is found after a run
        assert self.item is not None or not any(rows)
        return [self.item.unflatten(iter(row)) for row in zip(*rows, strict=True)]  # type: ignore[union-attr]

    def tensor_specs(self) -> list[Any]:
        specs = self.item.tensor_specs() if self.item is not None else []
        return [ListSpec(spec) for spec in specs] or [ListSpec(None)]

    def joined(self, other_spec: ValueSpec) -> ValueSpec | None:
        if isinstance(other_spec, ListOf):
            if self.item is None or other_spec.item is None:
                return ListOf(self.item or other_spec.item)
            return ListOf(join(self.item, other_spec.item))
        return None

    def key(self) -> Any:
        return ("list", None if self.item is None else self.item.key())

    def describe(self) -> str:
        return "a list whose length depends on tensors"


def _columns(item: ValueSpec | None) -> int:
    return max(1, len(item.tensor_specs())) if item is not None else 1


def list_spec(items: Sequence[Any]) -> ListOf:
    """Return the spec of the list of the Program that a Python list becomes."""
    element_spec: ValueSpec | None = None
    for item in items:
        one = item_spec(item)
        element_spec = one if element_spec is None else join(element_spec, one)
    return ListOf(element_spec)


@protocol.first_spec_function
def describe_list(value: object) -> ValueSpec | None:
    """Return the spec of a list of the Program, and of a Python list that it replaces."""
    if value is POISON:
        raise value.error()
    if type(value) is list and building():
        value = current().effects.resolved(value)
    return ListOf(value.row) if isinstance(value, TensorList) else None


@protocol.JOINERS.append
def join_lists(a: ValueSpec, b: ValueSpec) -> ValueSpec | None:
    """Return the common spec of lists of two lengths, or of a Python list and a list of the Program."""
    specs = []
    for spec in (a, b):
        if isinstance(spec, ListOf):
            specs.append(spec)
        elif getattr(spec, "python_type", None) is list:
            item: ValueSpec | None = None
            for part in spec.parts:  # type: ignore[attr-defined]
                one = _varying(part)
                item = one if item is None else join(item, one)
            specs.append(ListOf(item))
        else:
            return None
    return join(*specs)


@protocol.UNIFIERS.append
def unify_lists(spec: ValueSpec, old_list: object, value: object) -> ValueSpec | None:
    """Return the spec of a Python list that has changed its length, from the common spec of its items."""
    if type(old_list) is not list or type(value) is not list or isinstance(spec, ListOf):
        return None
    a, b = parts_of(old_list), parts_of(value)
    if isinstance(a, TensorList) or isinstance(b, TensorList) or len(a) == len(b):
        return None
    return join(list_spec(a), list_spec(b))


class TensorList(Variable):
    """A list of the Program. It can be appended to, extended, popped from, indexed, assigned to, iterated over and measured."""

    __slots__ = ("columns", "row")
    data_dependent = True
    is_union = False
    is_list = True

    def __init__(self, item: ValueSpec | None, columns: list[Any]) -> None:
        set_own = object.__setattr__
        set_own(self, "row", item)
        set_own(self, "columns", [c if type(c) is Variable else Variable(c.ssa, c.builder) for c in columns])
        set_own(self, "builder", self.columns[0].builder)
        set_own(self, "frame", self.builder.frame)
        for column in self.columns:
            column.frame = self.builder.frame

    @property
    def ssa(self) -> Any:  # type: ignore[override]
        if len(self.columns) > 1 or not (self.row is None or isinstance(self.row, (OneTensor, OneNumber))):
            raise broken(
                f"a list of tuples whose length depends on tensors is used as a list of tensors{in_expression()}",
                "a list for each: `xs.append(x)` and `ys.append(y)`",
            )
        return self.columns[0].ssa

    @property
    def spec(self) -> Any:
        return self.columns[0].ssa.spec

    @property
    def python_type(self) -> Any:  # type: ignore[override]
        return None

    @staticmethod
    def of_items(items: object, item: ValueSpec | None = None) -> TensorList:
        """Return a list of the Program with these items; ``item``: the spec of an item, if known."""
        items = current().effects.resolved(items)
        if isinstance(items, TensorList):
            if item is not None and items.row is None and _columns(item) > 1:
                return TensorList(item, [F.list_new([]) for _ in range(_columns(item))])
            return items
        items = list(items)
        if item is None:
            item = list_spec(items).item
        rows = [_row(item, x) for x in items]  # type: ignore[arg-type]
        count = _columns(item)
        return TensorList(item, [F.list_new([row[i] for row in rows]) for i in range(count)])

    # reading -------------------------------------------------------------------------------------------------------------

    def length(self) -> Any:
        """Return the number of items."""
        return as_sym_number(F.list_len(self.columns[0]), int)

    def get(self, index: object) -> Any:
        """Return the item at a valid index."""
        if self.row is None:
            raise _empty("an item of it is read")
        position = _place(index)
        return _mark_list_item(self.row.unflatten(iter([F.list_get(column, position) for column in self.columns])))

    def __getitem__(self, index: object) -> Any:
        if isinstance(index, slice):
            return self._slice(index)
        if self.row is None:
            raise IndexError("list index out of range")
        self._check(index, "list index out of range")
        return self.get(index)

    def _check(self, index: object, words: str) -> None:
        """Make the Program raise Python's error for an invalid index."""
        length = self.length()
        position = as_index(index)
        if not isinstance(position, SymNumber):
            position = operator.index(position)
            check(length >= (-position if position < 0 else position + 1), IndexError(words))
        else:
            check(and_(position >= -length, lambda: position < length), IndexError(words))

    def _slice(self, index: slice) -> TensorList:
        step = 1 if index.step is None else index.step
        if isinstance(step, Tensor) or step == 0:
            raise broken(
                f"the step of a slice depends on a tensor{in_expression()}",
                "a step that is written out",
            )
        if self.row is None:
            return self.copy()
        length = self.length()

        def limit(value: object, otherwise: object) -> Any:
            if value is None:
                return otherwise
            value = as_index(value)
            low, high = (0, length) if step > 0 else (-1, length - 1)
            return if_(value >= 0, lambda: _smaller(value, high), lambda: _larger(value + length, low))

        start, stop = (0, length) if step > 0 else (length - 1, -1)
        part = TensorList(self.row, [F.list_new([]) for _ in self.columns])

        def add(i: object) -> None:
            part.append(self.get(i))

        for_(range_(limit(index.start, start), limit(index.stop, stop), step), add)
        return part

    def copy(self) -> TensorList:
        """Return another list with the same items."""
        return TensorList(self.row, [Variable(column.ssa, column.builder) for column in self.columns])

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> TensorList:
        return self.copy()  # whoever reads an item gets one of his own

    def count(self, value: object) -> Any:
        """Return the number of items that equal ``value``."""
        return for_(self, lambda item, n: if_(item == value, lambda: n + 1, lambda: n), 0)

    # writing -------------------------------------------------------------------------------------------------------------

    def _check_own(self) -> None:
        """Break the graph at a write to a list that a tensor chose among several."""
        current().effects.write_count += 1
        if current().effects.is_ambiguous(self):
            raise broken(
                f"a list is written{in_assignment()} that is one of several, which a tensor selects",
                "change it in the branches of the condition, where it is certain which list it is",
            )

    def _takes(self, item: object) -> list[Any]:
        self._check_own()
        if type(item) is UnionValue and self.row is not None and not isinstance(self.row, UnionSpec):
            item = item.assumed(lambda option: fits(self.row, value_spec_of(option)))
        spec = item_spec(item)
        if self.row is None:
            if _columns(spec) > 1 and self.frame is not self.builder.frame:
                raise _empty("a tuple or container is appended to it")
            if _columns(spec) > 1:
                object.__setattr__(self, "columns", TensorList.of_items([], spec).columns)
            object.__setattr__(self, "row", spec)
        else:
            try:
                row = join(self.row, spec)
                if _columns(row) != len(self.columns):
                    alike = self.row.describe() == spec.describe()
                    why = "some of its parts are Python values first, and depend on tensors later" if alike else ""
                    raise NotJoinable(self.row, spec, why)
                object.__setattr__(self, "row", row)
            except NotJoinable as found:
                raise protocol.differ(f"an item of a list{in_expression()}", found, "later", "first") from None
        return _row(self.row, item)  # type: ignore[arg-type]

    def append(self, item: object) -> None:
        """Add ``item`` at the end."""
        row = self._takes(item)
        for column, value in zip(self.columns, row, strict=True):
            column._become(F.list_append(column, value))

    def extend(self, items: object) -> None:
        """Add all ``items`` at the end."""
        items = items.copy() if isinstance(items, TensorList) else items
        for_(items, self.append)

    def insert(self, index: object, item: object) -> None:
        """Insert ``item`` before an index, or at the end."""
        row = self._takes(item)
        position = as_index(index)
        length = self.length()
        position = _larger(_smaller(if_(position < 0, lambda: position + length, lambda: position), length), 0)
        for column, value in zip(self.columns, row, strict=True):
            column._become(F.list_insert(column, _place(position), value))

    def pop(self, index: object = -1) -> Any:
        """Remove and return the item at ``index``."""
        self._check_own()
        if self.row is None:
            raise IndexError("pop from empty list")
        self._check(index, "pop from empty list" if isinstance(index, int) and index == -1 else "pop index out of range")
        position, popped = _place(index), []
        for column in self.columns:
            items_left, item = F.list_pop(column, position)
            column._become(items_left)
            popped.append(item)
        return self.row.unflatten(iter(popped))

    def __setitem__(self, index: object, item: object) -> None:
        if isinstance(index, slice):
            raise _method("[a:b] = ...")
        row = self._takes(item)
        self._check(index, "list assignment index out of range")
        for column, value in zip(self.columns, row, strict=True):
            column._become(F.list_set(column, _place(index), value))

    def __delitem__(self, index: object) -> None:
        if isinstance(index, slice):
            raise _method("del items[a:b]")
        self.pop(index)

    def clear(self) -> None:
        """Remove all items."""
        self._check_own()
        for column in self.columns:
            column._become(F.list_new([]))

    def reverse(self) -> None:
        """Reverse the items."""
        self._check_own()
        backwards = self._slice(slice(None, None, -1))
        for column, new in zip(self.columns, backwards.columns, strict=True):
            column._become(new)

    def sort(self, *, key: object = None, reverse: bool = False) -> None:
        """Sort the items by insertion. A key function sees an empty list, as in Python."""
        rank = (lambda value: value) if key is None else mode.current().translate(key)
        items, ordered, ranks = self.copy(), TensorList.of_items([], self.row), TensorList.of_items([])
        self.clear()

        def store_item(item: object) -> None:
            item_rank = rank(item)
            if isinstance(item_rank, tuple):
                words = f"tuples are brought in order{in_expression()}, as many as tensors say"
                raise broken(words, "a key that is a number: `sorted(pairs, key=lambda pair: pair[0])`")
            check(item_rank == item_rank, NumberError("the order of NaN is known to Python only"))
            position = for_(
                ranks,
                lambda old_rank, n: if_(old_rank < item_rank if reverse else item_rank < old_rank, lambda: n, lambda: n + 1),
                0,
            )
            ranks.insert(position, item_rank)
            ordered.insert(position, item)

        for_(items, store_item)
        for column, new in zip(self.columns, ordered.columns, strict=True):
            column._become(new)

    def __add__(self, other: object) -> Any:
        if isinstance(other, (TensorList, list)):
            total_list = self.copy()
            total_list.extend(other)
            return total_list
        raise _method("+")

    def __radd__(self, other: object) -> Any:
        if type(other) is list:
            total_list = TensorList.of_items(other, self.row)
            total_list.extend(self)
            return total_list
        raise _method("+")

    def __iadd__(self, other: object) -> Any:  # type: ignore[misc]
        self.extend(other)
        return self

    def to_tensor(self, dtype: object = None) -> Any:
        """Return the list as a tensor. If the list is empty in a run, Python repeats the call."""
        check(self.length() > 0, NumberError("a list that is made a tensor is empty here, and the Program was built for items"))
        stacked = F.list_stack(self.columns[0], 0)
        if dtype is None and isinstance(self.row, OneNumber) and self.row.python_type is float:
            dtype = default_dtype()
        return stacked if dtype is None else F.cast(stacked, dtype)

    # what Python asks ----------------------------------------------------------------------------------------------------

    def __getattribute__(self, name: str) -> Any:
        if name in _OWN or (name.startswith("__") and name.endswith("__")):
            return object.__getattribute__(self, name)
        if hasattr(list, name):
            raise _method(name)
        raise AttributeError(name)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"'list' object has no attribute {name!r}")

    def __iter__(self) -> Any:
        raise _method("an untranslated iteration")

    def _python(self, *args: object) -> Any:
        raise _method("an untranslated use")

    def __len__(self) -> int:
        return self._python()  # type: ignore[no-any-return]

    def __contains__(self, item: object) -> bool:
        return self._python()  # type: ignore[no-any-return]

    __bool__ = __str__ = __repr__ = __format__ = __hash__ = _python  # type: ignore[assignment]
    __eq__ = __ne__ = __lt__ = __gt__ = __le__ = __ge__ = __mul__ = __rmul__ = _python  # type: ignore[assignment]


_OWN = frozenset(
    ["columns", "row", "is_list", "_check_own",
     "builder", "frame", "ssa", "spec", "python_type", "data_dependent", "is_union", "length", "get",
     "_check", "_slice",
     "copy", "count", "_takes", "append", "extend", "insert", "pop", "clear", "reverse", "sort", "to_tensor", "_python",
     "stop_gradient"]
)  # fmt: skip


def _mark_list_item(item: object) -> Any:
    """Mark the tensors of an item of a list of the Program, which may not change in place; return the item."""
    for part in item if isinstance(item, tuple) else (item,):
        if is_tensor(part):
            current().effects.mark_ambiguous(part)
            freeze_memory(part)
    return item


def _row(spec: ValueSpec, item: object) -> list[Any]:
    """Return the tensors of an item; a zero for an item without tensors, so that the list has a length."""
    tensors = spec.flatten(_mark_list_item(item))
    return tensors or [constant(0, int64)]


def _place(index: object) -> Any:
    index = as_index(index)
    return index if isinstance(index, Tensor) else constant(operator.index(index), int64)


def _smaller(a: Tensor, b: Tensor | int) -> Any:
    return as_sym_number(F.minimum(a, b)) if isinstance(a, Tensor) or isinstance(b, Tensor) else min(a, b)


def _larger(a: Tensor, b: Tensor | int) -> Any:
    return as_sym_number(F.maximum(a, b)) if isinstance(a, Tensor) or isinstance(b, Tensor) else max(a, b)


def _empty(what: str) -> BaseException:
    return broken(f"{what}{in_expression()}, and the list has had no item so far", "append its first item before the loop")


def _method(name: str) -> BaseException:
    return broken(
        f"{name} of a list whose length depends on tensors{in_expression()}",
        "append, pop, an index, len() and a `for` statement; or a tensor of its items: `paddle.stack(items)`",
    )


def _counted(items: TensorList) -> IndexedIterable:
    """Return an iterable of the items. It is empty until an item is appended: an enclosing loop is then traced again."""
    if items.row is None:
        return IndexedIterable(0, items.get, type(iter([])))
    return IndexedIterable(items.length(), items.get, type(iter([])), items.length)


STAND_INS[TensorList] = True
protocol.INDEXABLE[TensorList] = _counted
protocol.LENGTHS[TensorList] = lambda value: value.length()
protocol.TRUTHS[TensorList] = lambda value: F.greater_than(F.list_len(value.columns[0]), 0)
