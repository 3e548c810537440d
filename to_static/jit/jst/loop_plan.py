"""How a loop of the Program carries each of its variables, and the parts of these: found out by tracing an iteration."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from to_static.core.dtypes import bool_
from to_static.core.namespace import type_of
from to_static.ir.number import Number
from to_static.ir.spec import ListSpec
from to_static.ir.tensor import Tensor
from to_static.jit.jst import carried_objects
from to_static.jit.jst.alternatives import alternatives
from to_static.jit.jst.carried_lists import ListCarry
from to_static.jit.jst.carried_objects import OBJECT, Peel, alike
from to_static.jit.jst.carried_tensors import CarriedTensors
from to_static.jit.jst.carry import Carry, not_carried
from to_static.jit.jst.choice import Choice
from to_static.jit.jst.copies import Copies
from to_static.jit.jst.doubles import Doubles, takes_another
from to_static.jit.jst.groups import check_shared
from to_static.jit.jst.grown import TextCarry, grown, grows
from to_static.jit.jst.growth import Grows, can_grow
from to_static.jit.jst.lists import TensorList
from to_static.jit.jst.objects import can_be_shared, is_object, remade
from to_static.jit.jst.options import FILLER, Options
from to_static.jit.jst.owners import has_other_names
from to_static.jit.jst.text import Text
from to_static.jit.jst.traced import (
    constant,
    is_number,
    is_numeric,
    is_tensor,
    python_type,
)
from to_static.jit.jst.trees import Slot, parts, rebuild, same, shape_of
from to_static.jit.jst.unbound import Maybe, Unbound

Path = tuple[Any, ...]


class Plan:
    """What is carried, by path into the tree of loop variables.

    `Carry`, `Options`, `ListCarry` or ('maybe', sample value).
    ``peels``: how many trips may still be traced before the loop; ``carried``: attributes among the variables."""

    def __init__(self, names: Callable[[], list[str]], peels: int, values: tuple[Any, ...], carried: frozenset[Any]) -> None:
        self.carried = carried
        self.names = names
        self.values = values
        self.peels = peels
        self.at: dict[Path, Any] = {}
        self.tensors = CarriedTensors()
        self.elements: dict[Path, Any] = {}  # specs of lists that are empty before the loop, once they hold something
        self.specs: dict[int, Any] = {}  # these, by position among the first tensors
        self.changed = False
        self.after: tuple[Any, ...] = ()
        self.doubles = Doubles()
        self.fillers: dict[Path, Any] = {}  # what variables without a value hold before the loop

    def value_at(self, path: Path) -> Any:
        """What a loop variable, or the part of one, is before the loop; None where there was no such thing."""
        value = self.values[path[0]]
        for step in path[1:]:
            value = carried_objects.part_of(value, step)
        return value

    def set(self, path: Path, decision: Any) -> None:
        self.at[path] = decision
        self.changed = True

    # before the loop -------------------------------------------------------------------------------------------------

    def begin(self, init: list[Any]) -> tuple[Any, ...]:
        """The trees of all variables with slots for what is carried; their first tensors are appended to ``init``."""
        self.doubles, self.specs = Doubles(), {}
        return tuple(self.start(value, (i,), init) for i, value in enumerate(self.values))

    def start(self, value: Any, path: Path, init: list[Any]) -> Any:
        """The tree of one value."""
        if type_of(value) in (list, dict) and not carried_objects.is_result(self.values[path[0]]):
            return self.doubles.tree(value, path, lambda: self._start(value, path, init))
        return self._start(value, path, init)

    def _start(self, value: Any, path: Path, init: list[Any]) -> Any:
        decision = self.at.get(path)
        if decision is None:
            if dataclasses.is_dataclass(value) and not any(known[: len(path)] == path for known in self.at):
                return value  # an object, until an iteration makes another one of it
            items = [self.start(x, (*path, i), init) for i, x in enumerate(parts(value))]
            return rebuild(value, items) if items else value
        if isinstance(decision, Carry):
            made = self.tensor(value, decision)
            slot = self.slot(made, init, decision.number is not None)
            return slot if slot.number else self.tensors.name(slot, value, path, init, self.tensors.before(value))
        if isinstance(decision, Options):
            slots = [self.slot(x, init) for x in decision.encode(value, self.tensor, self.name(path))]
            tree = decision.tree(iter(slots), self.specs)
            for slot, which in zip(decision.places(tree), decision.whiches(value, self.tensors.before), strict=True):
                self.tensors.name(slot, value, path, init, which)
            for slot in slots:
                if slot.may is None and not slot.number:  # inside of a tuple
                    self.tensors.no_name(slot, value, path)
            return tree
        if decision is OBJECT:
            return carried_objects.start(self, value, path, init)
        if isinstance(decision, TextCarry):
            return decision.tree(value, self.name(path), lambda x: self.slot(x, init), self.specs)
        if isinstance(decision, ListCarry):
            return decision.tree(value, self.name(path), lambda x: self.slot(x, init), self.elements.get(path), self.specs)
        defined = value.defined if type(value) is Maybe else constant(False, bool_)
        held = value.value if type(value) is Maybe else self.unbound(decision[1], path)
        if held is not FILLER:  # the same tensors in every round, or each would bring new ones that a variable may become
            held = self.fillers.setdefault(path, held)
        return Maybe(value.name, self.start(held, (*path, "value"), init), self.slot(defined, init))

    @staticmethod
    def slot(tensor: Any, init: list[Any], number: bool = False) -> Slot:
        init.append(tensor)
        return Slot(len(init) - 1, number)

    def unbound(self, sample: Any, path: Path) -> Any:
        """What stands for a variable that has no value, and may become one like ``sample``."""
        return FILLER if isinstance(self.at.get((*path, "value")), Options) else self.filler(sample)

    def filler(self, sample: Any) -> Any:
        """A value built like ``sample`` that nothing reads; tensors of the body can't be used outside of it."""
        if type(sample) is Choice:
            return self.filler(sample.options[0])
        if isinstance(sample, Number):
            return sample.python_type(0)
        if isinstance(sample, Tensor):
            spec = sample.spec
            return TensorList.of([]) if isinstance(spec, ListSpec) else constant(0, spec.dtype, spec.shape)
        if is_object(sample):
            return remade(sample, self.filler)
        return rebuild(sample, [self.filler(x) for x in parts(sample)])

    @staticmethod
    def tensor(value: Any, carry: Carry) -> Any:
        return constant(value, carry.dtype, carry.shape) if is_number(value) else value

    # after one iteration ---------------------------------------------------------------------------------------------

    def grows(self, before: tuple[Any, ...], after: tuple[Any, ...], copies: Copies) -> bool:
        """Take in what an iteration makes of the loop variables; whether more has to be carried than was."""
        self.changed = False
        self.after = after
        self.doubles.begin(after)
        for i, (old, new) in enumerate(zip(before, after, strict=True)):
            self.settle(old, new, (i,), copies)
        return self.changed

    def settle(self, old: Any, new: Any, path: Path, copies: Copies) -> None:
        """Compare a variable's value before an iteration with the one after it, and decide how to carry it."""
        decision = self.at.get(path)
        if new is not old:
            check_shared(*alternatives(new))
        if not carried_objects.is_result(self.values[path[0]]):
            if new is not old and self.doubles.is_around(new, old, path, self, copies):
                raise takes_another(self.names()[path[0]], path, new, self.peels)
            if type_of(old) in (list, dict) and self.doubles.settled(new, path, self, copies):
                return
        if type(old) is Maybe and decision is not None:
            if type(new) is not Unbound:
                self.settle(old.value, new.value if type(new) is Maybe else new, (*path, "value"), copies)
            return
        if type(old) in (Unbound, Maybe):
            held = new.value if type(new) is Maybe else new
            if new is not old and type(held) is not Unbound:
                self.set(path, ("maybe", held))
                if carried_objects.is_result(old):
                    self.keep(held, (*path, "value"), carried_objects.staying(copies))
            return
        if decision in (None, OBJECT) and alike(old, new) and (new is not old or decision is OBJECT):
            if not carried_objects.settle(self, old, new, path, copies):
                self.choose(old, new, path, copies)
            return
        if type_of(old) in (list, dict) and decision is None and copies.original(new) is not old and copies.outer(old) is not new:
            carried_objects.check_names(self, path)
        if self.tensors.settle(old, new, path):
            self.changed = True
        if type(new) is TensorList and new.spec.element is not None and path not in self.elements:
            self.elements[path] = new.spec
            self.changed = True
        if decision is not None:
            self.compatible(old, new, decision, path, copies)
            return
        if same(old, new):
            return
        shape = shape_of(old)
        if shape is not None and shape == shape_of(new):
            for i, (a, b) in enumerate(zip(parts(old), parts(new), strict=True)):
                self.settle(a, b, (*path, i), copies)
        elif all(type(x) is list or (isinstance(x, TensorList) and x.stands_for is list) for x in (old, new)):
            if copies.original(new) is old and can_grow(self.value_at(path)):
                raise Grows(self.value_at(path))
            self.set(path, ListCarry.joining(old, new, self.name(path)))
        elif type_of(old) is dict and type_of(new) is dict and copies.original(new) is old and can_grow(self.value_at(path)):
            raise Grows(self.value_at(path))
        elif is_numeric(old) and is_numeric(new) and python_type(old) is python_type(new):
            self.set(path, Carry.numbers(python_type(old)))
        elif is_tensor(old) and is_tensor(new) and old.spec.dtype is new.spec.dtype and old.spec.ndim == new.spec.ndim:
            self.set(path, Carry(old.spec.dtype, old.spec.shape))
        else:
            self.unlike(old, new, path, copies)

    def keep(self, result: Any, path: Path, stays: Callable[[Any], bool]) -> None:
        """Carry lists and dicts from before the loop, which are or are in what it returns, as the objects that they are."""
        options = Options(result=True)
        if _holds_one(result, stays) and options.take(result, stays) is not None:
            self.set(path, options)

    def name(self, path: Path) -> str:
        """What a loop variable is called."""
        value = self.values[path[0]]
        return value.name if type(value) in (Unbound, Maybe) and value.name else self.names()[path[0]]

    def compatible(self, old: Any, new: Any, decision: Any, path: Path, copies: Copies) -> None:
        """Widen a decision by what came out of an iteration; raises when the value can't be carried."""
        if decision is OBJECT:
            self.choose(old, new, path, copies)
        elif isinstance(decision, TextCarry) and grown(old, new):
            self.carry_text(old, new, path)
        elif isinstance(decision, ListCarry):
            if not (type(new) is list or isinstance(new, TensorList)):
                raise self.refuse(old, new, path)
            made = ListCarry.joining(old, new, self.name(path))
            if not decision.covers(made):
                self.set(path, made)
        elif isinstance(decision, Options):
            unknown = [x for x in alternatives(new) if decision.place(x) is None]
            stays = carried_objects.staying(copies)
            if decision.own and not decision.result:
                stays = _but_lists(stays)
                if not self.alone(new, path):
                    raise self.refuse(old, new, path, True)
            news = decision.take(new, stays)
            if grows(old, new, unknown):
                self.carry_text(old, new, path)
                return
            if news is None:
                raise self.refuse(old, new, path)
            self.changed = self.changed or news
        elif decision.number is not None:
            if not is_numeric(new) or python_type(new) is not decision.number:
                self.unlike(old, new, path, copies)
        elif not is_tensor(new) or new.spec.dtype is not decision.dtype or new.spec.ndim != len(decision.shape):
            self.unlike(old, new, path, copies)

    def unlike(self, old: Any, new: Any, path: Path, copies: Copies) -> None:
        """A variable that becomes a value of another kind: another trip before the loop, or all kinds are carried."""
        if grown(old, new):
            self.carry_text(old, new, path)
            return
        if self.peels and not grows(old, new, alternatives(new)) and type(new) is not Choice and type(old) is not Choice:
            raise Peel
        self.choose(old, new, path, copies)

    def carry_text(self, old: Any, new: Any, path: Path) -> None:
        """Carry a string that becomes longer in every iteration by its parts."""
        before, known = self.value_at(path), self.at.get(path)
        made = TextCarry.joining([old, *([before] if isinstance(before, (str, Text, Choice)) else []), new], self.name(path))
        if not isinstance(known, TextCarry) or len(made.kinds) > len(known.kinds):
            self.set(path, made)

    def choose(self, old: Any, new: Any, path: Path, copies: Copies) -> None:
        """Carry a variable that is ``old`` before an iteration and ``new`` after it as one of both."""
        options, stays = Options(carried_objects.is_result(self.values[path[0]])), carried_objects.staying(copies)
        known = self.at.get(path) is OBJECT and "value" not in path  # `old` stands for the object from before the loop
        taken = options.take(self.value_at(path), lambda _: True) if known else options.take(old, stays)
        if taken is None or options.take(new, stays) is None:
            options, stays, aliased = Options(own=True), _but_lists(stays), not self.alone(new, path)
            if aliased or None in [options.take(x, stays) for x in (old, new)]:
                raise self.refuse(old, new, path, aliased)
        self.set(path, options)

    def alone(self, new: Any, path: Path) -> bool:
        """Whether nobody else has a name for the lists and dicts that a variable is, which may be carried by what they hold."""
        before, after = carried_objects.others(self, path), [x for i, x in enumerate(self.after) if i != path[0]]
        whole = self.after[path[0]]
        for step in path[1:]:
            if step == "value":
                whole = whole.value if type(whole) is Maybe else whole
                continue
            if not isinstance(whole, tuple):
                return False
            after += [x for i, x in enumerate(whole) if i != step]
            whole = whole[step]
        return not any(
            _is_list(x) and has_other_names(x, holders, lambda owner, name: (id(owner), name) in self.carried)
            for value, holders in ((self.value_at(path), before), (new, after))
            for x in alternatives(value)
        )

    def refuse(self, old: Any, new: Any, path: Path, aliased: bool = False) -> Exception:
        return not_carried(self.name(path), old, new, path, aliased)

    # results of the body ---------------------------------------------------------------------------------------------

    def end(self, tree: Any, value: Any, path: Path, out: list[Any]) -> None:
        """Append to ``out`` the tensors of ``value`` that belong into the slots of ``tree``, in order."""
        decision = self.at.get(path)
        if path in self.doubles.first:
            return
        if isinstance(decision, Carry):
            out.append(self.tensor(value, decision))
            if decision.number is None and self.tensors.keeps(path):
                out.append(self.tensors.after(value))
        elif isinstance(decision, Options):
            out += decision.encode(value, self.tensor, self.name(path))
            if self.tensors.keeps(path):
                out += decision.whiches(value, self.tensors.after)
        elif isinstance(decision, (ListCarry, TextCarry)):
            out += decision.tensors(value, self.name(path))
        elif decision is OBJECT:
            carried_objects.end(self, tree, value, path, out)
        elif decision is not None:  # may have no value
            if type(value) is Unbound:
                value = self.unbound(decision[1], path)
                defined = constant(False, bool_)
            elif type(value) is Maybe:
                value, defined = value.value, value.defined
            else:
                defined = constant(True, bool_)
            self.end(tree.value, value, (*path, "value"), out)
            out.append(defined)
        else:
            for i, (a, b) in enumerate(zip(parts(tree), parts(value), strict=True)):
                self.end(a, b, (*path, i), out)


def _is_list(value: Any) -> bool:
    return type_of(value) in (list, dict) or (isinstance(value, Tensor) and can_be_shared(value))


def _but_lists(stays: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: not _is_list(value) and stays(value)


def _holds_one(value: Any, stays: Callable[[Any], bool]) -> bool:
    """Whether a value is a list or dict from before the loop, or has one in it: which is the caller's object, not a copy."""
    return (type_of(value) in (list, dict) and stays(value)) or any(_holds_one(x, stays) for x in parts(value))
