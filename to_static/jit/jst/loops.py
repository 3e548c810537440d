"""``while_``: Python's loop while the condition is a Python value, a ``while_loop`` op from where it is traced.

The graph loop starts with everything taken as unchanged: tensors and objects are used as they are, Python numbers stay numbers.
The body is traced; what it gave back changed becomes a carried tensor, and it is traced again, until nothing new changes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.core.dtypes import bool_
from to_static.core.errors import TranslationError
from to_static.ir import mode
from to_static.ir.number import Number
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import UNKNOWN, ListSpec, TensorSpec
from to_static.ir.tensor import Tensor
from to_static.jit.jst.blocks import Copies, Raised, in_block
from to_static.jit.jst.doubles import carried_once, doubles
from to_static.jit.jst.lists import TensorList, wrap
from to_static.jit.jst.names import receivers
from to_static.jit.jst.traced import (
    DTYPES,
    common_type,
    constant,
    dtype_beside,
    failure,
    is_number,
    is_numeric,
    is_traced,
    python_type,
    truth,
)
from to_static.jit.jst.trees import Into, Slot, describe, fill, parts, rebuild, same, shape_of
from to_static.jit.jst.unbound import Maybe, Unbound

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
        condition = test(*values)
        if is_traced(condition):
            return pack(graph_while(test, lambda *v: unpack(body(*v), count), values, lambda: receivers(count)))
        if not condition:
            return pack(values)
        values = unpack(body(*values), count)


class Carry:
    """How the value at one place is carried.

    As a Python number of type ``number``, or (``number`` is None) as a tensor of ``dtype``; numbers get ``shape`` then.
    ``fixed``: the loop starts with a tensor, whose dtype and rank are what they are.
    """

    __slots__ = ("dtype", "fixed", "number", "shape")

    def __init__(self, dtype: Any, shape: Any = (), number: type | None = None, fixed: bool = False) -> None:
        self.dtype = dtype
        self.shape = shape
        self.number = number
        self.fixed = fixed

    @staticmethod
    def numbers(kind: type) -> Carry:
        """A Python number of type ``kind``."""
        return Carry(DTYPES[kind], number=kind)


class Plan:
    """What is carried, by path into the tree of loop variables: `Carry`, 'list', or ('maybe', sample value)."""

    def __init__(self, names: Callable[[], list[str]]) -> None:
        self.names = names
        self.at: dict[Path, Any] = {}
        self.changed = False

    def set(self, path: Path, decision: Any) -> None:
        self.at[path] = decision
        self.changed = True

    # before the loop -------------------------------------------------------------------------------------------------

    def start(self, value: Any, path: Path, init: list[Any]) -> Any:
        """The value's tree with slots for what is carried; their first tensors are appended to ``init``."""
        decision = self.at.get(path)
        if decision is None:
            items = [self.start(x, (*path, i), init) for i, x in enumerate(parts(value))]
            return rebuild(value, items) if items else value
        if isinstance(decision, Carry):
            made = self.tensor(value, decision, path)
            return self.slot(made, init, [value] if made is value else [], decision.number is not None)
        if decision == "list":
            return self.slot(value if isinstance(value, Tensor) else TensorList.of(value), init)
        defined = value.defined if type(value) is Maybe else constant(False, bool_)
        held = value.value if type(value) is Maybe else self.filler(decision[1])
        return Maybe(value.name, self.start(held, (*path, "value"), init), self.slot(defined, init))

    @staticmethod
    def slot(tensor: Any, init: list[Any], sources: list[Any] | None = None, number: bool = False) -> Slot:
        init.append(tensor)
        return Slot(len(init) - 1, sources or [], number)

    def filler(self, sample: Any) -> Any:
        """A value built like ``sample`` that nothing reads; tensors of the body can't be used outside of it."""
        if isinstance(sample, Number):
            return sample.python_type(0)
        if isinstance(sample, Tensor):
            spec = sample.spec
            return TensorList.of([]) if isinstance(spec, ListSpec) else constant(0, spec.dtype, spec.shape)
        return rebuild(sample, [self.filler(x) for x in parts(sample)])

    def tensor(self, value: Any, carry: Carry, path: Path) -> Any:
        if is_number(value):
            return constant(value, carry.dtype, carry.shape)
        if value.spec.dtype is not carry.dtype:
            value = FUNCTIONS["cast"](value, carry.dtype)
        if isinstance(value, Number) and carry.number is None and carry.shape != ():
            ones = [1 if d == UNKNOWN else d for d in carry.shape]
            value = FUNCTIONS["expand"](FUNCTIONS["reshape"](value, [1] * len(ones)), ones)
        return value

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
        if decision is not None:
            self.compatible(old, new, decision, path)
            return
        if same(old, new):
            return
        shape = shape_of(old)
        if shape is not None and shape == shape_of(new):
            for i, (a, b) in enumerate(zip(parts(old), parts(new), strict=True)):
                self.settle(a, b, (*path, i), copies)
        elif all(type(x) is list or isinstance(x, TensorList) for x in (old, new)):
            self.set(path, "list")
        elif is_numeric(old) and is_numeric(new):
            self.set(path, Carry.numbers(common_type(python_type(old), python_type(new))))
        elif is_numeric(old) and isinstance(new, Tensor):
            self.set(path, Carry(dtype_beside(python_type(old), new.spec.dtype), new.spec.shape))
        elif isinstance(old, Tensor) and is_numeric(new):
            self.set(path, Carry(dtype_beside(python_type(new), old.spec.dtype), old.spec.shape, fixed=True))
        elif isinstance(old, Tensor) and isinstance(new, Tensor):
            self.set(path, Carry(old.spec.dtype, old.spec.shape, fixed=True))
            self.compatible(old, new, self.at[path], path)
        else:
            raise self.refuse(old, new, path)

    def compatible(self, old: Any, new: Any, decision: Any, path: Path) -> None:
        """Widen a decision by what came out of an iteration; raises when the value can't be carried."""
        if decision == "list":
            if not (type(new) is list or isinstance(new, TensorList)):
                raise self.refuse(old, new, path)
            return
        if is_numeric(new):
            kind = python_type(new)
            if decision.number is not None:
                if common_type(decision.number, kind) is not decision.number:
                    self.set(path, Carry.numbers(kind))
                return
            dtype, ndim = dtype_beside(kind, decision.dtype), len(decision.shape)
        elif isinstance(new, Tensor) and isinstance(new.spec, TensorSpec):
            if decision.number is not None:
                self.set(path, Carry(dtype_beside(decision.number, new.spec.dtype), new.spec.shape))
                return
            dtype, ndim = new.spec.dtype, new.spec.ndim
        else:
            raise self.refuse(old, new, path)
        if dtype is decision.dtype and ndim == len(decision.shape):
            return
        if decision.fixed or ndim < len(decision.shape):
            raise self.refuse(old, new, path)
        self.set(path, Carry(dtype, decision.shape if is_numeric(new) else new.spec.shape))

    def refuse(self, old: Any, new: Any, path: Path) -> Exception:
        name = self.names()[path[0]] + "".join(f"[{p!r}]" for p in path[1:] if p != "value")
        return failure(
            TranslationError,
            f"{name} is {describe(old)} before an iteration and {describe(new)} after it: a loop with a tensor condition can "
            "carry tensors whose dtype and number of dimensions stay the same, numbers, and Python values that do not change. "
            f"Give {name} its final dtype and shape before the loop, for instance with zeros()",
        )

    # results of the body ---------------------------------------------------------------------------------------------

    def end(self, tree: Any, value: Any, path: Path, out: list[Any]) -> None:
        """Append to ``out`` the tensors of ``value`` that belong into the slots of ``tree``, in order."""
        decision = self.at.get(path)
        if isinstance(decision, Carry):
            out.append(self.tensor(value, decision, path))
        elif decision == "list":
            out.append(value if isinstance(value, Tensor) else TensorList.of(value))
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


def graph_while(
    test: Callable[..., Any], body: Callable[..., Any], values: tuple[Any, ...], names: Callable[[], list[str]]
) -> tuple[Any, ...]:
    """A ``while_loop`` from ``values`` on; ``body`` returns a tuple. ``names`` gives the variables' names for errors."""
    found = doubles(values)
    if found:
        return carried_once(graph_while, found, test, body, values, names)
    builder = mode.state.mode
    plan = Plan(names)
    while True:
        init: list[Any] = []
        trees = tuple(plan.start(v, (i,), init) for i, v in enumerate(values))
        plan.changed = False
        copies = Copies()
        _probe(builder, plan, trees, body, init, copies)
        if not plan.changed:
            break

    def run_test(*handles: Any) -> Any:
        copies = Copies()
        answer = in_block(builder, copies, lambda: test(*copies.take(fill(trees, list(handles)))))()
        if isinstance(answer, Raised):
            raise answer.error
        return truth(answer) if is_traced(answer) else constant(bool(answer), bool_)

    def run_body(*handles: Any) -> list[Any]:
        copies = Copies()
        before = fill(trees, list(handles))
        after = in_block(builder, copies, lambda: body(*copies.take(before)))()
        if isinstance(after, Raised):
            after = before  # the Program raises before anything reads them
        out: list[Any] = []
        for i, (tree, value) in enumerate(zip(trees, after, strict=True)):
            plan.end(tree, value, (i,), out)
        return out

    results = builder.while_loop(run_test, run_body, init)
    done: dict[int, Any] = {}
    final = [_into(v, t) for v, t in zip(values, trees, strict=True)]
    return tuple(fill(t, results, done) for t in final)


def _probe(builder: Any, plan: Plan, trees: Any, body: Callable[..., Any], init: list[Any], copies: Copies) -> None:
    """Trace one iteration only to see what it changes."""

    def run(*handles: Any) -> None:
        before = fill(trees, [wrap(h) for h in handles])  # compared with what comes back; the body gets copies of containers
        after = in_block(builder, copies, lambda: body(*copies.take(before)))()
        if not isinstance(after, Raised):
            for i, (old, new) in enumerate(zip(before, after, strict=True)):
                plan.settle(old, new, (i,), copies)

    builder.trace_block(run, [builder.var(x).spec for x in init])


def _into(value: Any, tree: Any) -> Any:
    """Lists and dicts of the start get their new contents in place, so that other names for them see it."""
    if type(value) in (list, dict) and type(tree) is type(value):
        items = [_into(v, t) for v, t in zip(parts(value), parts(tree), strict=True)]
        return Into(value, rebuild(tree, items))
    return tree
