"""``while_``: a Python loop as long as the condition is a Python value, then a ``while_loop`` op.

At first all variables count as loop invariant. The body is traced; variables that it changes become carried, and the body is
traced again, until no further variable changes (a fixed point). If a variable changes its type in the first iteration (a
number, then a tensor), or an attribute gets its first value, the first iteration is traced before the loop: ``while c: b``
becomes ``if c: b; while c: b``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from to_static.compiler.frontend.jst.control.block import AlwaysRaises, EffectProbe, TracedBody, current_values
from to_static.compiler.frontend.jst.control.branch import if_
from to_static.compiler.frontend.jst.control.merge_writes import as_value, unify_target, write_merged
from to_static.compiler.frontend.jst.control.variable_names import receivers
from to_static.compiler.frontend.jst.protocol import ConstantSpec, NotJoinable, ValueSpec, differ, unify
from to_static.compiler.frontend.jst.tracer_queries import constant, is_list, is_tensor, is_traced, truth
from to_static.compiler.frontend.jst.values.container import can_be_shared, freeze_memory, mark_ambiguous
from to_static.compiler.frontend.jst.values.number import protocol_truth
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.side_effects import MISSING, reachable
from to_static.compiler.frontend.tracing.trace_context import current
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.while_builder import WhileLoopBuilder
from to_static.compiler.ir.spec import ListSpec
from to_static.compiler.ir.symbolic.sym_number import as_sym_number
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ir.trace_errors.unroll_warning import Unrolled
from to_static.core.diagnostics.source_expressions import at_expression
from to_static.core.dtypes import bool_
from to_static.core.errors import ShapeError
from to_static.core.random.host_random_state import Drawn

ROUNDS = 40
DEPTH = 6  # of containers in one another that a loop builds up


def pack(values: tuple[Any, ...]) -> Any:
    """Return loop variables in the form that translated code receives: None, one value, or a tuple."""
    return values if len(values) > 1 else values[0] if values else None


def unpack(value: Any, count: int) -> tuple[Any, ...]:
    """Return the loop variables of a value that `pack` returned."""
    return () if count == 0 else (value,) if count == 1 else tuple(value)


def while_(test: Callable[..., Any], body: Callable[..., Any], *values: object) -> Any:
    """Run ``values = body(*values)`` while ``test(*values)`` holds; returns the last values."""
    count = len(values)
    step = lambda *v: unpack(body(*v), count)  # noqa: E731
    unrolled = Unrolled()
    while True:
        aside = EffectProbe() if mode.building() else None
        condition = protocol_truth(test(*values))
        if is_traced(condition):
            names = lambda: receivers(body, count)  # noqa: E731
            has_effects = aside is not None and aside.has_side_effects()
            return pack(_carrying(test, step, values, names, condition) if has_effects else graph_while(test, step, values, names))
        if not condition:
            return pack(values)
        unrolled.iteration()
        values = step(*values)


def _carrying(
    test: Callable[..., Any], body: Callable[..., Any], values: tuple[Any, ...], names: Callable[[], list[str]], condition: Any
) -> tuple[Any, ...]:
    """Run a loop whose condition has a side effect: it is computed once an iteration, after the body, and carried."""

    def step(again: object, *v: Any) -> tuple[Any, ...]:
        v = body(*v)
        answer = protocol_truth(test(*v))
        return (as_sym_number(answer) if is_traced(answer) else answer, *v)

    return graph_while(lambda again, *v: again, step, (as_sym_number(condition), *values), lambda: ["the condition", *names()])[1:]


def _depth(spec: ValueSpec) -> int:
    """The nesting depth of containers."""
    inner = getattr(spec, "parts", None)
    if inner is not None:
        return 1 + max(map(_depth, inner), default=0)
    return max(map(_depth, getattr(spec, "options", None) or ()), default=0)


class Peel(Exception):
    """Raised if the first iteration must be traced before the loop."""


def graph_while(
    test: Callable[..., Any],
    body: Callable[..., tuple[Any, ...]],
    values: tuple[Any, ...],
    names: Callable[[], list[str]],
    peels: int = 2,
) -> tuple[Any, ...]:
    """Append a ``while_loop`` that starts with ``values``; ``names`` returns the names of the variables, for messages."""
    try:
        return _WhileLoop(test, body, values, names, peels > 0).traced()
    except Peel:

        def more(*v: object) -> Any:
            v = body(*v)
            again = protocol_truth(test(*v))
            return pack(graph_while(test, body, v, names, peels - 1) if is_traced(again) or again else v)

        return unpack(if_(protocol_truth(test(*values)), more, None, *values), len(values))


class _WhileLoop:
    """One loop under construction."""

    def __init__(
        self,
        test: Callable[..., Any],
        body: Callable[..., Any],
        values: tuple[Any, ...],
        names: Callable[[], list[str]],
        peels: bool,
    ) -> None:
        self.test, self.body, self.values, self.names, self.peels = test, body, values, names, peels
        self.specs: list[ValueSpec] = [ConstantSpec(value) for value in values]
        self.targets: dict[Any, tuple[Any, Any, ValueSpec]] = {}  # key -> place, what it held before the loop, spec
        self.drawn = Drawn() if current().for_file else None

    def traced(self) -> tuple[Any, ...]:
        loop = WhileLoopBuilder(mode.current())
        for _ in range(ROUNDS):
            init = [x for spec, value in zip(self.specs, self.values, strict=True) for x in spec.flatten(value)]
            for _, value_before, spec in self.targets.values():
                init += spec.flatten(value_before)
            try:
                results = loop.traced(self._condition, self._iteration, init, self._filled(init))
            except ShapeError as error:
                raise broken(
                    f"a variable of a tensor loop{at_expression()} changes its dtype or number of dimensions: "
                    f"{str(error).splitlines()[0]}",
                    "bring it to one dtype and rank before the loop: `x = x.astype('float32')`",
                ) from None
            if results is not None:
                for handle in loop.handles:  # an iteration may have put one into a list, after it had changed
                    current().effects.check_in_place(handle)
                return self._finish(results)
        raise self._unstable()

    def _filled(self, init: list[Any]) -> dict[int, Any]:
        """Lists that are empty before the loop, of which an iteration has told what it appends: it may read them before it does."""
        specs = [s for spec in [*self.specs, *(spec for _, _, spec in self.targets.values())] for s in spec.tensor_specs()]
        empty = [i for i, x in enumerate(init) if mode.current().var(x).spec == ListSpec(None)]
        return {i: specs[i] for i in empty if isinstance(specs[i], ListSpec)}

    @staticmethod
    def _unstable() -> BaseException:
        return broken(
            f"a variable of this tensor loop{at_expression()} has another type after every iteration",
            "keep the variables of the loop tensors of one dtype and number of dimensions",
        )

    def _enter(self, handles: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[Any, Any]]:
        """Return the variables at the start of an iteration, and write the carried values to their targets."""
        handles_left = iter(handles)
        carried = tuple(spec.unflatten(handles_left) for spec in self.specs)
        for old_value, value in zip(self.values, carried, strict=True):
            if (
                value is not old_value and can_be_shared(old_value) and can_be_shared(value)
            ):  # in the first iteration it is the old value
                current().effects.mark_ambiguous(value)
        targets_now = {}
        for key, (target, old_value, spec) in self.targets.items():
            value = spec.unflatten(handles_left)
            write_merged(target, value)
            if value is not old_value and is_tensor(old_value) and is_tensor(value):
                current().effects.mark_ambiguous(value)
            targets_now[key] = value
        return carried, targets_now

    def _condition(self, *handles: Tensor) -> Any:
        runner = TracedBody(lambda *h: protocol_truth(self.test(*current_values(self._enter(h)[0]))), self.values)
        answer = runner(*handles)
        if isinstance(answer, AlwaysRaises):
            raise broken(
                f"the condition of a tensor loop fails{at_expression()}: {answer.error}",
                "test it inside of the loop, and `break`",
            )
        if set(runner.written) - set(self.targets):
            raise broken("the condition of a tensor loop changes an object", "`while True:` with an `if ...: break` in it")
        return truth(answer) if is_traced(answer) else constant(bool(answer), bool_)

    def _iteration(self, *handles: Tensor) -> list[Any] | None:
        if self.drawn is not None:  # the numbers of the one iteration that is in the file
            self.drawn.go_back()
        carried: Any = ()
        targets_now: dict[Any, Any] = {}

        def run(*h: Tensor) -> Any:
            nonlocal carried, targets_now
            carried, targets_now = self._enter(h)
            return self.body(*current_values(carried))

        runner = TracedBody(run, self.values)
        values_after = runner(*handles)
        written = runner.written
        raised = isinstance(values_after, AlwaysRaises)
        if raised:
            values_after, written = carried, {}  # the Program raises before anything reads them
        specs_changed = False
        values_after = tuple(current().effects.resolved(a) if is_list(g) else a for a, g in zip(values_after, carried, strict=True))
        for value, g in zip(values_after, carried, strict=True):
            if value is not g:
                freeze_memory(value)
        for i, (spec, g, a) in enumerate(zip(self.specs, carried, values_after, strict=True)):
            try:
                joined = unify(spec, g, a)
            except NotJoinable as found:
                raise differ(self.names()[i], found, "after an iteration", f"before a tensor loop{at_expression()}") from None
            if (_depth(joined) > _depth(spec) + 2 and not isinstance(spec, ConstantSpec)) or _depth(joined) > DEPTH:
                raise self._unstable()
            if joined.key() != spec.key():
                if self.peels and joined.is_union and not spec.is_union and isinstance(a, Tensor):
                    raise Peel
                self.specs[i], specs_changed = joined, True
        finals = {}
        for key, (target, state) in written.items():
            carried_target = self.targets.get(key)
            state = as_value(target, state)
            if carried_target is None:
                value_before = as_value(target, target.read())
                if self.peels and value_before is MISSING:
                    raise Peel  # a first iteration that is certain to run sets the attribute
                self.targets[key] = (target, value_before, unify_target(target, ConstantSpec(value_before), value_before, state))
                specs_changed = True
            else:
                joined = unify_target(target, carried_target[2], targets_now[key], state)
                if joined.key() != carried_target[2].key():
                    self.targets[key], specs_changed = (target, carried_target[1], joined), True
                finals[key] = state
        if specs_changed:
            return None
        finals = {
            key: finals.get(key, targets_now[key] if raised else value_before)
            for key, (_, value_before, _) in self.targets.items()
        }
        self.end_state = [*values_after, *finals.values()]
        specs = [*self.specs, *(spec for _, _, spec in self.targets.values())]
        return [x for spec, value in zip(specs, self.end_state, strict=True) for x in spec.flatten(value)]

    def _finish(self, results: list[Any]) -> tuple[Any, ...]:
        results_left = iter(results)
        joined_values = [spec.unflatten(results_left) for spec in self.specs]
        values = tuple(joined_values)
        for target, _, spec in self.targets.values():
            joined_values.append(spec.unflatten(results_left))
            write_merged(target, joined_values[-1])
        visible = functools.cache(lambda: reachable((self.test, self.body, self.values)))
        values_before = [*self.values, *(before_value for _, before_value, _ in self.targets.values())]
        for state in zip(values_before, self.end_state, joined_values, strict=True):
            mark_ambiguous(*state, visible)
        for target, _, _ in self.targets.values():
            current().effects.check_owner(target)  # an iteration before may have left it under another name
        return current_values(values)
