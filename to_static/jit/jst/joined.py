"""Which tensor a variable is, where conditions and loops before decide it.

Python's variables are names of tensors, and an in-place change through one name is seen through all others. Every tensor handle
has a number. The result of a branch or a loop may be one of several tensors: a `Joined` knows the numbers of these, and, where
something may change in place or ask with ``is`` (see `in_place`), a value of the Program that says which of them it is. When a
tensor changes in place, every other handle that may be the same tensor is changed under the condition that it is.
"""

from __future__ import annotations

import weakref
from typing import Any

from to_static.core.dtypes import int64
from to_static.core.errors import ShapeError, TranslationError
from to_static.core.expressions import target
from to_static.ir import mode
from to_static.ir.number import number
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import ListSpec
from to_static.ir.tensor import Tensor
from to_static.ir.variable import Variable
from to_static.jit.jst.traced import constant, failure

_TRIP = 1 << 24  # numbers of tensors that one trip of a loop makes are this much above those of the trip before


class Joined(Variable):
    """A tensor that may be any of those with the numbers ``may``; ``which`` is the number (traced) of the one that it is."""

    __slots__ = ("may", "which")
    may: frozenset[int]
    which: Any  # None where nobody was expected to ask


Joined.__name__ = Variable.__name__  # in Python's messages


class Numbers:
    """The numbers of the tensors of one trace; ``builder.aliases`` once there is a `Joined`."""

    def __init__(self) -> None:
        self._count = 0
        self._of: dict[int, tuple[Any, int]] = {}  # id of a handle -> weak reference to it, its number
        self._frames: dict[int, Any] = {}  # number -> the block that made the tensor
        self._known: dict[int, list[Any]] = {}  # number -> weak references to the handles that may be the tensor
        self._taken: set[int] = set()  # those of tensors that came out of a list of the Program
        self._listed: set[int] = set()  # numbers of tensors that lists of the Program hold, by value
        self._of_trips: set[int] = set()  # numbers of all tensors that trips of one loop make
        self._trips: Any = None  # how many trips of loops made tensors, so far: a value of the Program
        self.asked = False  # a caller wants to know which of his tensors a result is
        self.exact = False  # somebody wants to know which tensors are one, those of different trips too

    def new(self, frame: Any) -> int:
        """A number for a tensor, or the tensors, that this block makes."""
        self._count += 1
        self._frames[self._count] = frame
        return self._count

    def of_trips(self, frame: Any) -> int:
        """The same for what the trips of a loop make."""
        made = self.new(frame)
        self._of_trips.add(made)
        return made

    def meet(self, a: Variable, b: Variable) -> bool:
        """Whether two handles may be one tensor, but for what trips of a loop make and give to both."""
        return not (self.may(a) & self.may(b)) <= self._of_trips

    def of(self, handle: Variable) -> int:
        """The number of a tensor that no condition chose."""
        known = self._of.get(id(handle))
        if known is None or known[0]() is not handle:
            known = self._of[id(handle)] = (weakref.ref(handle), self.new(handle.frame))
            self._known[known[1]] = [known[0]]
        return known[1]

    def known(self, handle: Variable) -> int | None:
        """The number of a tensor that no condition chose, if anybody asked for it."""
        found = self._of.get(id(handle))
        return found[1] if found is not None and found[0]() is handle else None

    def add(self, made: Joined) -> None:
        """Remember a handle as one of those that may be some tensors."""
        for one in made.may:
            self._known.setdefault(one, []).append(weakref.ref(made))

    def may(self, handle: Variable) -> frozenset[int]:
        """The numbers that a tensor may have."""
        return handle.may if isinstance(handle, Joined) else frozenset([self.of(handle)])

    def from_before(self, handle: Variable, frame: Any) -> frozenset[int]:
        """Those of tensors that were there before the block ``frame``."""
        return frozenset(n for n in self.may(handle) if not inside(self._frames[n], frame))

    def which(self, handle: Variable) -> Any:
        """The number of the tensor, as a value of the Program."""
        return handle.which if isinstance(handle, Joined) else constant(self.of(handle), int64)

    def which_after(self, handle: Variable, frame: Any) -> Any:
        """The same at the end of a trip of a loop: what the trip made has another number in the next."""
        which = self.which(handle)
        own = [n for n in self.may(handle) if inside(self._frames[n], frame)]
        if which is None or not own or not self.exact:
            return which
        moved = FUNCTIONS["add"](which, FUNCTIONS["multiply"](self._trip(), constant(_TRIP, int64)))
        here = [FUNCTIONS["equal"](which, constant(n, int64)) for n in own]
        while len(here) > 1:
            here.append(FUNCTIONS["logical_or"](here.pop(), here.pop()))
        return FUNCTIONS["where"](here[0], moved, which)

    def _trip(self) -> Any:
        builder = mode.state.mode
        if self._trips is None:
            saved, builder.frame = builder.frame, builder.root
            self._trips = constant(1, int64)
            builder.frame = saved
        return self._trips

    def next_trip(self) -> None:
        """Called at the end of the body of a loop that keeps numbers."""
        if self._trips is not None:
            mode.state.mode.hold(self._trips, FUNCTIONS["add"](self._trips, constant(1, int64)))

    def same(self, a: Variable, b: Variable) -> Any:
        """Whether two handles are one tensor: a bool, a traced one, or None where the Program does not know."""
        if a is b:
            return True
        if a.spec.dtype is not b.spec.dtype or a.spec.ndim != b.spec.ndim:
            return False
        if self.may(a).isdisjoint(self.may(b)):
            hidden = (self._taken & self.may(x) and self.is_listed(self.may(y)) for x, y in ((a, b), (b, a)))
            return None if any(hidden) else False
        if len(self.may(a)) == len(self.may(b)) == 1 and not (isinstance(a, Joined) and isinstance(b, Joined)):
            return True
        first, second = self.which(a), self.which(b)
        return None if first is None or second is None else FUNCTIONS["equal"](first, second)

    def taken(self, handle: Any) -> None:
        """This tensor comes from a list of the Program: it may be any that was put into one."""
        self._taken |= self.may(handle)

    def listed(self, handle: Any) -> None:
        """A list of the Program holds the value of this tensor: it does not see in-place changes."""
        if isinstance(handle, Tensor) and handle.python_type is None:
            self._listed |= self.may(handle_of(handle))

    def is_listed(self, numbers: frozenset[int]) -> bool:
        """Whether one of these tensors may be in a list of the Program."""
        return not self._listed.isdisjoint(numbers)

    def spread_listed(self, handle: Variable, made: int) -> None:
        """What a trip leaves here has the number ``made`` in the next one."""
        if self.is_listed(self.may(handle)):
            self._listed.add(made)

    def others(self, handle: Variable) -> list[Variable]:
        """The handles within reach that may be the same tensor."""
        found = {id(x): x for n in self.may(handle) for ref in self._known.get(n, ()) if (x := ref()) is not None}
        found.pop(id(handle), None)
        return [x for x in found.values() if inside(mode.state.mode.frame, x.frame)]

    def __call__(self, handle: Variable, new: Any) -> list[tuple[Variable, Variable]]:
        """What else changes when ``handle`` gets the value ``new`` in place: handles, and their new values."""
        if not isinstance(handle, Joined) and id(handle) not in self._of:
            return []
        if self.is_listed(self.may(handle)):
            name = target()
            rewrite = f"copy it first: `{name} = {name}.clone()`; or put a copy into the list: `items.append({name}.clone())`"
            if name == "a tensor":
                rewrite = "put a new tensor in its place: `y = y + x` for `y.add_(x)`"
            elif not name.isidentifier():
                rewrite = f"put a new tensor in its place: `{name} = {name} + 1`"
                name = f"`{name}`"
            raise failure(
                TranslationError,
                f"{name} is changed in place, and a list that changes under a tensor condition or in a tensor loop holds it, or "
                "held it before",
                rewrite,
            )
        return [(x, self._changed(same, x, new)) for x in self.others(handle) if (same := self.same(handle, x)) is not False]

    @staticmethod
    def _changed(same: Any, handle: Variable, new: Any) -> Any:
        if same is True:
            return new
        name = target()
        if same is None:
            raise failure(
                TranslationError,
                f"{name} is changed in place, but a condition or loop before decides whether another variable is the same tensor "
                "or a new one",
                f"copy it first: `{name} = {name}.clone()`",
            )
        try:
            return mode.state.mode.cond(same, lambda: [new], lambda: [handle])[0]
        except ShapeError:
            raise failure(
                TranslationError,
                f"{name} is changed in place to another dtype or number of dimensions, but a condition or loop before decides "
                "whether another variable is the same tensor",
                f"copy it first: `{name} = {name}.clone()`",
            ) from None


def inside(inner: Any, frame: Any) -> bool:
    """Whether block ``inner`` is ``frame`` or one in it."""
    while inner is not None and inner is not frame:
        inner = inner.parent
    return inner is frame


def numbers() -> Numbers:
    """Those of the trace that runs."""
    builder = mode.state.mode
    if not isinstance(builder.aliases, Numbers):
        builder.aliases = Numbers()
    return builder.aliases


def handle_of(value: Any) -> Variable:
    """The handle of a tensor, also of one from outside."""
    return value if isinstance(value, Variable) else mode.state.mode.capture(value)


def one_tensor(value: Any) -> bool:
    """True for what has a number: a tensor, no list, no number, nothing that may be something else."""
    known = isinstance(value, Tensor) and value.python_type is None and not getattr(value, "undecided", False)
    return known and not isinstance(value.spec, ListSpec)


def number_of(value: Any) -> Any:
    """The number of a tensor as a value of the Program; None where that is not known."""
    return numbers().which(handle_of(value))


def may_be(value: Any) -> frozenset[int]:
    """The numbers that a tensor may have; none for what is no tensor."""
    return numbers().may(handle_of(value)) if one_tensor(value) else frozenset()


def kept_in_list(value: Any) -> Any:
    """``value``, of which it is noted that a list of the Program holds it by value, or held it."""
    if one_tensor(value):
        numbers().listed(value)
    return value


def from_list(value: Any) -> Any:
    """``value``, which a list of the Program gave: nobody knows which tensor it is."""
    if one_tensor(kept_in_list(value)):
        numbers().taken(value)
    return value


def same_tensor(a: Any, b: Any) -> Any:
    """``a is b``"""
    if a is b or not (one_tensor(a) and one_tensor(b)) or not mode.building():
        return a is b
    same = numbers().same(handle_of(a), handle_of(b))
    if same is None:
        raise failure(
            TranslationError,
            "`is` asks whether two variables are the same tensor, which a condition or loop before decides",
            "keep the answer in a variable of its own: `same = True` before, `same = False` where the tensor is made",
        )
    return same if isinstance(same, bool) else number(same)


def joined(value: Variable, may: frozenset[int], which: Any = None) -> Variable:
    """``value`` as a `Joined` that may be one of the tensors with these numbers."""
    if value.undecided or isinstance(value.spec, ListSpec):
        return value
    made = Joined(value.ssa, value.builder)
    made.frame = value.frame
    made.may, made.which = may, which
    numbers().add(made)
    return made
