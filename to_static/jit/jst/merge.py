"""Joining what two branches left: trees of tensors, Python values and names without value become one tree."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from to_static.core.conditions import condition
from to_static.core.dtypes import bool_, int64
from to_static.core.errors import TranslationError
from to_static.core.expressions import quoted
from to_static.core.namespace import type_of
from to_static.ir.number import Number
from to_static.ir.spec import ListSpec
from to_static.ir.tensor import Tensor
from to_static.ir.variable import Variable
from to_static.jit.jst.alternatives import choose, plain
from to_static.jit.jst.blocks import Raised
from to_static.jit.jst.choice import Choice
from to_static.jit.jst.copies import Copies
from to_static.jit.jst.groups import check_shared
from to_static.jit.jst.grown import grown, parts_of
from to_static.jit.jst.growth import Grows, can_grow
from to_static.jit.jst.in_place import expected
from to_static.jit.jst.joined import may_be, number_of, one_tensor
from to_static.jit.jst.joined_tables import alone, joinable, together
from to_static.jit.jst.levels import NUMBERS, level
from to_static.jit.jst.lists import Mixed, TensorList, joined_holds
from to_static.jit.jst.objects import Object, can_be_shared, is_object
from to_static.jit.jst.owners import reached
from to_static.jit.jst.pairing import Pairing
from to_static.jit.jst.rows import Rows, RowsTree, conform
from to_static.jit.jst.stands import Stand
from to_static.jit.jst.text import Parts, Text
from to_static.jit.jst.traced import (
    DTYPES,
    constant,
    failure,
    is_number,
    is_numeric,
    is_tensor,
    python_type,
)
from to_static.jit.jst.trees import Chosen, Into, Slot, describe, filler, parts, rebuild, same, shape_of
from to_static.jit.jst.tuples import TensorTuple
from to_static.jit.jst.unbound import Maybe, Unbound


class Merge:
    """Pairs the values of two traced branches. ``true`` and ``false`` are `Traced`; ``copies`` their `Copies`."""

    def __init__(self, builder: Any, true: Any, false: Any, copies: tuple[Copies, Copies]) -> None:
        self.builder = builder
        self.blocks = (true, false)
        self.copies = copies
        self.pairs: list[tuple[Any, Any]] = []
        self.strict = False  # join only values of one kind
        self.raised = False  # one of the branches does not come to its end
        self.joined: dict[tuple[int, int], Any] = {}  # ids of two objects -> what they became, for other names of them
        self.alone: dict[tuple[int, int], Any] = {}  # branch and id of an object -> what it became as an option
        self.kept: list[tuple[Any, int]] = []  # objects of one branch that stay what they are
        self.replaced: tuple[set[int], set[int]] = (set(), set())  # ids of objects in whose place others came
        self.pairing = Pairing(self.blocks, copies)
        self.asked: bool | None = None  # whether somebody asks which tensor is which, once it is known

    def pair(self, a: Any, b: Any, number: bool = False) -> Slot:
        """A result of the ``cond``."""
        self.pairs.append((a, b))
        return Slot(len(self.pairs) - 1, number)

    def named(self, slot: Slot, *known: Any) -> Slot:
        """The place of a tensor: which of those in the two branches it is (None: of one that nothing reads)."""
        slot.may = frozenset().union(*(may_be(x) for x in known if x is not None))
        if self.asked is None:
            self.asked = expected()
        if self.asked:
            found = [self.which(x, side) for side, x in enumerate(known)]
            if None not in found:
                slot.which = len(self.pairs)
                self.pairs.append((found[0], found[1]))
        return slot

    def which(self, value: Any, side: int) -> Any:
        with self.builder.resume(self.blocks[side]):
            return constant(0, int64) if value is None else number_of(value)

    def merge(self, a: Any, b: Any, name: str) -> Any:
        """One tree from two; ``name`` is the variable's, for errors."""
        if a is b:
            return a
        if type(a) is Raised or type(b) is Raised:
            self.raised = True
            return self.only(b, 1) if type(a) is Raised else self.only(a, 0)
        check_shared(a, b)
        known = self.joined.get((id(a), id(b)))
        if known is None:
            known = self.joined[id(a), id(b)] = self.join(a, b, name)
        return known

    def join(self, a: Any, b: Any, name: str) -> Any:
        """`merge` of two objects that did not meet before."""
        if type(a) in (Unbound, Maybe) or type(b) in (Unbound, Maybe):
            return self.maybe(a, b, name)
        if grown(a, b):
            return self.strings(a, b, name)
        if type(a) is Choice or type(b) is Choice:
            return choose(self, a, b, name)
        if self.late(a, b):
            return choose(self, a, b, name)
        if can_be_shared(a) or can_be_shared(b):
            if self.pairing.apart(a, b):
                return choose(self, a, b, name)
            for side, x in enumerate((a, b)):
                if self.copies[side].original(x) is None:
                    self.replaced[side].add(id(x))
        if (isinstance(a, Stand) or isinstance(b, Stand)) and joinable(a, b) and not self.strict:
            return together(self, a, b, name)
        if is_object(a) and type(a) is type(b):
            return self.objects(a, b, name)
        if isinstance(a, Tensor) or isinstance(b, Tensor) or (is_numeric(a) and is_numeric(b)):
            return self.tensors(a, b, name)
        shape = shape_of(a)
        if shape is not None and shape == shape_of(b):
            items = [self.merge(x, y, f"{name}{_item(a, i)}") for i, (x, y) in enumerate(zip(parts(a), parts(b), strict=True))]
            target = self.pairing.from_before(a, 0) if can_be_shared(a) else None  # a closure may have its own name for it
            made = rebuild(a, items)
            return Into(target, made) if target is not None and target is self.pairing.from_before(b, 1) else made
        if type(a) is list and type(b) is list:
            return self.lists(a, b, name)
        if same(a, b):
            return a
        return choose(self, a, b, name)

    def late(self, a: Any, b: Any) -> bool:
        """Whether the Program chooses between these numbers, lists or tuples of numbers, or lists of two lengths: see `levels`."""
        if level() < NUMBERS or type(a) is not type(b) or same(a, b):
            return False
        if type(a) is list and self.copies[0].original(a) is not None is not self.copies[1].original(b):
            return False  # a list that a branch changes
        if type(a) is list and len(a) != len(b):
            return True
        numbers = [x for x in (a, b) if is_number(x) or (type(x) in (list, tuple) and x and all(map(is_number, x)))]
        return len(numbers) == 2

    def objects(self, a: Any, b: Any, name: str) -> Any:
        """Two objects of one class that nobody else sees, as a new one."""
        left, right = self.pairing.fields(a, 0), self.pairing.fields(b, 1)
        if list(left) != list(right):
            return choose(self, a, b, name)
        made = self.joined[id(a), id(b)] = Object(type(a))
        for field, value in left.items():
            made.content[field] = self.merge(value, right[field], f"{name}.{field}")
        return made

    def tensors(self, a: Any, b: Any, name: str) -> Any:
        if same(a, b):
            return a
        for value in (a, b):
            if isinstance(value, Tensor) and isinstance(value.spec, ListSpec):
                if all(type(x) is list or (isinstance(x, TensorList) and not isinstance(x, TensorTuple)) for x in (a, b)):
                    return self.lists(a, b, name)
                if isinstance(a, TensorTuple) or isinstance(b, TensorTuple):
                    raise self.differ(a, b, name)
                return choose(self, a, b, name)
        if is_numeric(a) and is_numeric(b):
            kind = python_type(a)
            if kind is not python_type(b) or isinstance(a, np.generic) or isinstance(b, np.generic):
                return choose(self, a, b, name)
            return self.pair(self.as_tensor(a, DTYPES[kind], 0), self.as_tensor(b, DTYPES[kind], 1), number=True)
        if not all(isinstance(x, Tensor) and not isinstance(x, Number) for x in (a, b)):
            return choose(self, a, b, name)
        if a.spec.dtype is not b.spec.dtype or a.spec.ndim != b.spec.ndim:
            return choose(self, a, b, name)
        return self.named(self.pair(a, b), a, b)

    def as_tensor(self, value: Any, dtype: Any, side: int) -> Any:
        with self.builder.resume(self.blocks[side]):
            return constant(value, dtype) if is_number(value) else value

    def lists(self, a: Any, b: Any, name: str) -> Any:
        """Two lists, each of Python or of the Program, as one of the Program."""
        target = self.copies[0].original(a)
        if target is not None and target is self.copies[1].original(b) and can_grow(target):
            raise Grows(target)
        first, second = self.as_list(a, 0, name), self.as_list(b, 1, name)
        try:
            holds = joined_holds(first, second)
        except Mixed as found:
            sides = [self.conformed(x, side, found.kinds) for side, x in enumerate((first, second))]
            return RowsTree(found.kinds, [self.column(x, y) for x, y in zip(sides[0].columns, sides[1].columns, strict=True)])
        return self.column(first, second, holds)

    def strings(self, a: Any, b: Any, name: str) -> Text:
        """Two strings of which one is of as many parts as tensors say."""
        found: list[Any] = []
        for block, value in zip(self.blocks, (a, b), strict=True):
            with self.builder.resume(block):
                found.append(parts_of(value))
        return Text([Parts(self.lists(found[0], found[1], name))])

    def column(self, a: Any, b: Any, holds: Any = None) -> Slot:
        """Two lists of elements of one kind as one."""
        slot = self.pair(a, b)
        slot.holds = holds or a.holds or b.holds
        return slot

    def conformed(self, value: Any, side: int, kinds: list[Any]) -> Any:
        with self.builder.resume(self.blocks[side]):
            return conform(value, kinds)

    def as_list(self, value: Any, side: int, name: str) -> Any:
        if isinstance(value, Tensor):
            return value
        with self.builder.resume(self.blocks[side]):
            return TensorList.of(value, name)

    def maybe(self, a: Any, b: Any, name: str) -> Any:
        """A name that one of the branches may leave without value."""
        known = next(x.name for x in (a, b) if type(x) in (Unbound, Maybe))
        if type(a) is Unbound and type(b) is Unbound:
            return a
        if type(a) is Unbound:
            value = self.only(b.value if type(b) is Maybe else b, 1)
        elif type(b) is Unbound:
            value = self.only(a.value if type(a) is Maybe else a, 0)
        else:
            value = self.merge(a.value if type(a) is Maybe else a, b.value if type(b) is Maybe else b, name)
        return Maybe(known, value, self.pair(self.defined(a, 0), self.defined(b, 1)))

    def defined(self, value: Any, side: int) -> Any:
        if type(value) is Maybe:
            return value.defined
        with self.builder.resume(self.blocks[side]):
            return constant(type(value) is not Unbound, bool_)

    def only(self, value: Any, side: int) -> Any:
        """A value that exists in one branch; the other branch gives filler that nothing will read."""
        if type(value) is Maybe:
            return Maybe(value.name, self.only(value.value, side), self.only(value.defined, side))
        if type(value) is Choice:
            if value.frame is not self.blocks[side].frame:
                return value
            return Chosen(self.only(value.which, side), [self.only(x, side) for x in value.options])
        if isinstance(value, Stand) and self.pairing.from_before(value, side) is None:
            return alone(value, lambda x: self.only(x, side))
        if isinstance(value, Rows) and value.frame is self.blocks[side].frame:
            return RowsTree(value.kinds, [self.only(x, side) for x in value.columns])
        if isinstance(value, Variable) and value.frame is self.blocks[side].frame:
            with self.builder.resume(self.blocks[1 - side]):
                other = filler(value.spec)
            first, second = (value, other) if side == 0 else (other, value)
            slot = self.pair(first, second, number=isinstance(value, Number))
            slot.holds = getattr(value, "holds", None)
            if one_tensor(value):
                return self.named(slot, *((value, None) if side == 0 else (None, value)))
            if isinstance(value, TensorTuple):
                raise failure(
                    TranslationError,
                    f"a tuple that has as many items as a tensor says is made under a tensor condition{_test()}",
                    "a list: `list(items)`",
                )
            return slot
        target = self.copies[side].original(value)
        if target is not None and not self.raised:  # the other branch has its copy of this container, perhaps changed
            return self.merge(self.copies[0].copy_of(target), self.copies[1].copy_of(target), "a container")
        if target is None and self.pairing.from_before(value, side) is not None:
            return value
        if not can_be_shared(value):
            items = parts(value)
            if not items and not isinstance(value, tuple) and not plain(value):
                self.kept.append((value, side))
            return rebuild(value, [self.only(x, side) for x in items])
        for pair, tree in self.joined.items():
            if pair[side] == id(value) and type(tree) is not Chosen:
                return tree  # what another name of it became
        if target is None:
            self.replaced[side].add(id(value))
        made = self.alone.get((side, id(value)))
        if made is None and is_object(value):
            made = self.alone[side, id(value)] = Object(type(value))
            made.content.update((name, self.only(x, side)) for name, x in vars(value).items())
        elif made is None:
            made = rebuild(value, [self.only(x, side) for x in parts(value)])
            made = self.alone[side, id(value)] = made if target is None else Into(target, made)
        return made

    def check_kept(self) -> None:
        """Refuse what stays what it is (a function) but sees an object in whose place another one came."""
        for value, side in self.kept:
            if not self.replaced[side].isdisjoint(reached(value)):
                raise failure(
                    TranslationError,
                    f"{describe(value)} made in one branch of a tensor condition{_test()} sees an object made there, and both are "
                    "used afterwards",
                    "make the object before the condition, or the function after it",
                )

    @staticmethod
    def differ(a: Any, b: Any, name: str) -> Exception:
        return failure(
            TranslationError,
            f"{name} is {_either(describe(a), describe(b))}: under a tensor condition both must be tensors of one dtype and number "
            "of dimensions, or the same Python value",
            _advice(a, b, f"{name}"),
        )


def _either(a: str, b: str) -> str:
    """``1 when the condition `x > 0` is true and 2 when it is false``; without a condition of the user's where he wrote none."""
    text = condition()
    b = b.replace("a ", "another ", 1) if a == b and b.startswith("a ") else b
    if text:
        return f"{a} when the condition `{text}` is true and {b} when it is false"
    return f"{a} for one of the values that tensors choose among{quoted()} and {b} for another"


def _test() -> str:
    text = condition()
    return f" `{text}`" if text else ""


def _advice(a: Any, b: Any, name: str) -> str:
    if isinstance(a, TensorTuple) or isinstance(b, TensorTuple):
        return f"a list in place of the tuple: `{name} = list({name})`"
    if is_tensor(a) and is_tensor(b):
        if a.spec.dtype is not b.spec.dtype:
            return f"convert one of them: `{name} = {name}.astype('{a.spec.dtype.name}')`"
        return f"bring both to one number of dimensions: `{name} = {name}.reshape([1, -1])`, or unsqueeze()"
    if a is None or b is None:
        return f"give {name} a tensor where it is None: `{name} = paddle.zeros([1])`"
    if type_of(a) is dict and type_of(b) is dict:
        missing = [key for key in {**a, **b} if key not in a or key not in b]
        key = f"{missing[0]!r}" if missing else "'key'"
        return f"give {name} all its keys before the condition: `{name}[{key}] = paddle.zeros([1])`"
    if isinstance(a, (list, tuple)) or isinstance(b, (list, tuple)):
        return f"give {name} the same number of items, of the same kinds, in both branches"
    if callable(a) and callable(b):
        return f"call {name} in both branches and keep its result, or define it once, with what differs as an argument"
    if type(a) is type(b) and any(vars(base).get("__slots__") for base in type(a).__mro__):
        return f"leave out the `__slots__` of {type(a).__name__}, or make it a dataclass"
    return f"compute {name} as one tensor in both branches, or choose it with `paddle.where(condition, a, b)`"


def _item(container: Any, index: int) -> str:
    if type_of(container) is dict:
        return f"[{list(container)[index]!r}]"
    if dataclasses.is_dataclass(container):
        return f".{dataclasses.fields(container)[index].name}"
    return f"[{index}]"
