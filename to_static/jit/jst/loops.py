"""``while_``: Python's loop while the condition is a Python value, a ``while_loop`` op from where it is traced.

The graph loop starts with everything taken as unchanged: tensors and objects are used as they are, Python numbers stay numbers.
The body is traced; what it gave back changed becomes a carried tensor, and it is traced again, until nothing new changes.
Where a variable becomes a value of another kind (None, then a tensor), the first trip is traced before the loop:
``while c: b`` is ``if c: b; while c: b``. What still changes its kind after that is carried as a `Choice`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from to_static.core.dtypes import bool_
from to_static.core.errors import TranslationError
from to_static.core.expressions import shown
from to_static.ir import mode
from to_static.ir.number import Number
from to_static.ir.spec import ListSpec
from to_static.ir.tensor import Tensor
from to_static.jit.jst import carried_objects
from to_static.jit.jst.acting import acts, carrying
from to_static.jit.jst.blocks import Copies, Raised, in_block
from to_static.jit.jst.branch import if_
from to_static.jit.jst.carried_attributes import NewAttributes, check_carried, with_attributes
from to_static.jit.jst.carried_lists import ListCarry
from to_static.jit.jst.carried_objects import OBJECT, Peel, alike, taken
from to_static.jit.jst.carried_tensors import CarriedTensors
from to_static.jit.jst.carry import Carry, not_carried
from to_static.jit.jst.choice import Choice
from to_static.jit.jst.doubles import Parted, carried_once, doubles
from to_static.jit.jst.growth import Grows, can_grow, growing
from to_static.jit.jst.joined import numbers
from to_static.jit.jst.lists import TensorList, wrap
from to_static.jit.jst.names import receivers
from to_static.jit.jst.objects import is_object, remade
from to_static.jit.jst.options import Options
from to_static.jit.jst.special import asked
from to_static.jit.jst.traced import (
    constant,
    failure,
    is_number,
    is_numeric,
    is_tensor,
    is_traced,
    python_type,
    truth,
)
from to_static.jit.jst.trees import Into, Slot, fill, parts, rebuild, same, shape_of
from to_static.jit.jst.unbound import Maybe, Unbound

_ROUNDS = 100  # of tracing a loop until it is known how its values are carried; a few are enough, in nested structures some more
Path = tuple[Any, ...]


def pack(values: tuple[Any, ...]) -> Any:
    """Loop variables as translated code receives them: nothing, one value, or a tuple."""
    return values if len(values) > 1 else values[0] if values else None


def unpack(value: Any, count: int) -> tuple[Any, ...]:
    """The opposite of `pack`."""
    return () if count == 0 else (value,) if count == 1 else tuple(value)


def while_(test: Callable[..., Any], body: Callable[..., Any], *values: Any) -> Any:
    """Run ``values = body(*values)`` while ``test(*values)`` holds; returns the last values.

    Raises TranslationError naming the variable when a traced loop changes one in a way that a graph can't carry.
    """
    count = len(values)
    while True:
        condition = asked(test(*values))
        if is_traced(condition):
            step, names = (lambda *v: unpack(body(*v), count)), (lambda: receivers(count))
            return pack(_from_here(condition, test, step, values, names))
        if not condition:
            return pack(values)
        values = unpack(body(*values), count)


@growing
def _from_here(
    condition: Any, test: Callable[..., Any], step: Callable[..., Any], values: tuple[Any, ...], names: Callable[[], list[str]]
) -> tuple[Any, ...]:
    """The loop in the Program, whose condition was evaluated once."""
    if acts(test, values):
        return carrying(graph_while, condition, test, step, values, names)
    return graph_while(test, step, values, names)


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
        self.filled: dict[Any, Any] = {}  # lists around the loop, empty before it -> their specs once they hold something
        self.changed = False

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

    def start(self, value: Any, path: Path, init: list[Any]) -> Any:
        """The value's tree with slots for what is carried; their first tensors are appended to ``init``."""
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
            tree = decision.tree(iter(slots))
            for slot, which in zip(decision.places(tree), decision.whiches(value, self.tensors.before), strict=True):
                self.tensors.name(slot, value, path, init, which)
            for slot in slots:
                if slot.may is None and not slot.number:  # inside of a tuple
                    self.tensors.no_name(slot, value, path)
            return tree
        if decision is OBJECT:
            return carried_objects.start(self, value, path, init)
        if isinstance(decision, ListCarry):
            return decision.tree(value, self.name(path), lambda x: self.slot(x, init), self.elements.get(path), self.specs)
        defined = value.defined if type(value) is Maybe else constant(False, bool_)
        held = value.value if type(value) is Maybe else self.filler(decision[1])
        return Maybe(value.name, self.start(held, (*path, "value"), init), self.slot(defined, init))

    @staticmethod
    def slot(tensor: Any, init: list[Any], number: bool = False) -> Slot:
        init.append(tensor)
        return Slot(len(init) - 1, number)

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

    def settle(self, old: Any, new: Any, path: Path, copies: Copies) -> None:
        """Compare a variable's value before an iteration with the one after it, and decide how to carry it."""
        decision = self.at.get(path)
        if type(old) is Maybe and decision is not None:
            if type(new) is not Unbound:
                self.settle(old.value, new.value if type(new) is Maybe else new, (*path, "value"), copies)
            return
        if type(old) in (Unbound, Maybe):
            if new is not old:
                held = new.value if type(new) is Maybe else new
                if type(held) is not Unbound:
                    self.set(path, ("maybe", held))
            return
        if alike(old, new) and (new is not old or decision is OBJECT):
            carried_objects.settle(self, old, new, path, copies)
            return
        if type(old) in (list, dict) and decision is None and copies.original(new) is not old:
            carried_objects.check_names(self, path)
        if self.tensors.settle(old, new, path):
            self.changed = True
        if type(new) is TensorList and new.spec.element is not None and path not in self.elements:
            self.elements[path] = new.spec
            self.changed = True
        if decision is not None:
            self.compatible(old, new, decision, path)
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
        elif type(old) is dict and type(new) is dict and copies.original(new) is old and can_grow(self.value_at(path)):
            raise Grows(self.value_at(path))
        elif is_numeric(old) and is_numeric(new) and python_type(old) is python_type(new):
            self.set(path, Carry.numbers(python_type(old)))
        elif is_tensor(old) and is_tensor(new) and old.spec.dtype is new.spec.dtype and old.spec.ndim == new.spec.ndim:
            self.set(path, Carry(old.spec.dtype, old.spec.shape))
        else:
            self.unlike(old, new, path)

    def name(self, path: Path) -> str:
        """What a loop variable is called."""
        return self.names()[path[0]]

    def compatible(self, old: Any, new: Any, decision: Any, path: Path) -> None:
        """Widen a decision by what came out of an iteration; raises when the value can't be carried."""
        if decision is OBJECT:
            raise self.refuse(old, new, path)
        if isinstance(decision, ListCarry):
            if not (type(new) is list or isinstance(new, TensorList)):
                raise self.refuse(old, new, path)
            made = ListCarry.joining(old, new, self.name(path))
            if not decision.covers(made):
                self.set(path, made)
        elif isinstance(decision, Options):
            news = decision.take(new)
            if news is None:
                raise self.refuse(old, new, path)
            self.changed = self.changed or news
        elif decision.number is not None:
            if not is_numeric(new) or python_type(new) is not decision.number:
                self.unlike(old, new, path)
        elif not is_tensor(new) or new.spec.dtype is not decision.dtype or new.spec.ndim != len(decision.shape):
            self.unlike(old, new, path)

    def unlike(self, old: Any, new: Any, path: Path) -> None:
        """A variable that becomes a value of another kind: another trip before the loop, or all kinds are carried."""
        if self.peels and type(new) is not Choice and type(old) is not Choice:
            raise Peel
        start = self.values[path[0]]
        options = Options(own=type(start) in (Unbound, Maybe) and not start.name)
        if options.take(old) is None or options.take(new) is None:
            raise self.refuse(old, new, path)
        self.set(path, options)

    def refuse(self, old: Any, new: Any, path: Path) -> Exception:
        return not_carried(self.name(path), old, new, path)

    # results of the body ---------------------------------------------------------------------------------------------

    def end(self, tree: Any, value: Any, path: Path, out: list[Any]) -> None:
        """Append to ``out`` the tensors of ``value`` that belong into the slots of ``tree``, in order."""
        decision = self.at.get(path)
        if isinstance(decision, Carry):
            out.append(self.tensor(value, decision))
            if decision.number is None and self.tensors.keeps(path):
                out.append(self.tensors.after(value))
        elif isinstance(decision, Options):
            out += decision.encode(value, self.tensor, self.name(path))
            if self.tensors.keeps(path):
                out += decision.whiches(value, self.tensors.after)
        elif isinstance(decision, ListCarry):
            out += decision.tensors(value, self.name(path))
        elif decision is OBJECT:
            carried_objects.end(self, tree, value, path, out)
        elif decision is not None:  # may have no value
            if type(value) is Unbound:
                value = self.filler(decision[1])
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


@growing
def graph_while(
    test: Callable[..., Any],
    body: Callable[..., Any],
    values: tuple[Any, ...],
    names: Callable[[], list[str]],
    peels: int = 2,
    carried: frozenset[Any] = frozenset(),
) -> tuple[Any, ...]:
    """A ``while_loop`` from ``values`` on; ``body`` returns a tuple. ``names`` gives the variables' names for errors."""
    found = doubles(values)
    try:
        if found:
            return carried_once(graph_while, found, test, body, values, names)
        return _loop(test, body, values, Plan(names, peels, values, carried), carried)
    except NewAttributes as found:
        return with_attributes(graph_while, test, body, values, names, peels, carried, found.attributes)
    except (Peel, Parted) as change:
        if type(change) is Parted and not found:
            raise  # by the loop around this one, which carries two names once: it has to trace the trip
        if type(change) is Parted and not peels:
            raise change.refusal() from None

        def more(*v: Any) -> tuple[Any, ...]:
            try:
                v = body(*v)
                again = asked(test(*v))
                return graph_while(test, body, v, names, peels - 1, carried) if is_traced(again) or again else v
            except Parted as late:  # this trip is part of the Program by now, and must not be traced once more
                raise late.refusal() from None

        return unpack(if_(test(*values), more, lambda *v: v, *values), len(values)) if len(values) > 1 else (
            if_(test(*values), lambda v: more(v)[0], None, *values),
        )


def _loop(
    test: Callable[..., Any], body: Callable[..., Any], values: tuple[Any, ...], plan: Plan, carried: frozenset[Any]
) -> tuple[Any, ...]:
    builder = mode.state.mode
    for _ in range(_ROUNDS):
        init: list[Any] = []
        trees = tuple(plan.start(v, (i,), init) for i, v in enumerate(values))
        plan.changed = False
        copies = Copies()
        _probe(builder, plan, trees, body, init, copies)
        check_carried(copies, carried)
        if not plan.changed:
            break
    else:
        raise failure(
            TranslationError,
            f"what this tensor loop carries{shown()} is of yet another kind after every iteration",
            "keep the variables of the loop tensors of one dtype and number of dimensions, `x = x.astype('float32')`",
        )

    def run_test(*handles: Any) -> Any:
        copies = Copies()
        before = fill(trees, list(handles))
        copies.stand(before, values)
        answer = in_block(builder, copies, lambda: asked(test(*copies.take(before))), test, values)()
        if isinstance(answer, Raised):
            raise answer.error
        return truth(answer) if is_traced(answer) else constant(bool(answer), bool_)

    def run_body(*handles: Any) -> list[Any]:
        copies = Copies()
        before = fill(trees, list(handles))
        copies.stand(before, values)
        after = in_block(builder, copies, lambda: taken(plan, body(*copies.take(before)), copies), body, before)()
        if isinstance(after, Raised):
            after = before  # the Program raises before anything reads them
        out: list[Any] = []
        for i, (tree, value) in enumerate(zip(trees, after, strict=True)):
            plan.end(tree, value, (i,), out)
        numbers().next_trip()
        return out

    results = builder.while_loop(run_test, run_body, init)
    done: dict[int, Any] = {}
    final = [_into(v, t) for v, t in zip(values, trees, strict=True)]
    return tuple(fill(t, results, done) for t in final)


def _probe(builder: Any, plan: Plan, trees: Any, body: Callable[..., Any], init: list[Any], copies: Copies) -> None:
    """Trace one iteration only to see what it changes."""

    def run(*handles: Any) -> None:
        before = fill(trees, [wrap(h) for h in handles])  # compared with what comes back; the body gets copies of containers
        copies.stand(before, plan.values)
        after = in_block(builder, copies, lambda: taken(plan, body(*copies.take(before)), copies), body, before)()
        if not isinstance(after, Raised):
            for i, (old, new) in enumerate(zip(before, after, strict=True)):
                plan.settle(old, new, (i,), copies)

    specs = [builder.var(x).spec for x in init]
    specs = [plan.specs.get(i, s) if getattr(s, "element", s) is None else s for i, s in enumerate(specs)]
    traced = builder.trace_block(run, specs, plan.filled)
    for handle, value in traced.rebound.items():  # lists around the loop that it begins to fill
        is_empty = isinstance(handle.spec, ListSpec) and handle.spec.element is None and handle not in plan.filled
        if is_empty and value.spec.element is not None:
            plan.filled[handle] = value.spec
            plan.changed = True


def _into(value: Any, tree: Any) -> Any:
    """Lists and dicts of the start get their new contents in place, so that other names for them see it."""
    if type(value) in (list, dict) and type(tree) is type(value):
        items = [_into(v, t) for v, t in zip(parts(value), parts(tree), strict=True)]
        return Into(value, rebuild(tree, items))
    if type(value) is tuple and type(tree) is tuple:
        return tuple(_into(v, t) for v, t in zip(value, tree, strict=True))
    return tree
