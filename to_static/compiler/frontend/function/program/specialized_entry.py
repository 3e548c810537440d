"""The entry of a static function: a generated function that recognises a call like the last one and runs its plan.

An entry handles tensors and plain values as arguments, and returns `OTHER` for every call that it does not recognise. If its
plan raises, it also returns `OTHER`: such a run has changed nothing, so the slow path can repeat it and make the error message.

An entry tests, in this order: the number of arguments and the names of keyword arguments; type, shape, dtype and
``stop_gradient`` of tensors, and which are one object; the values of other arguments; the outcomes of tests on number inputs;
the conditions of the Program (`conditions.py`); which root values require gradients. If the arguments fit, but the entry cannot
run the plan itself, it calls `Call.run`. The caller (`StaticFunction`) has checked the guards before.

The entry of ``x * k + x`` for a tensor ``x`` without gradient and an int ``k``, as generated; ``c0`` is the shape, ``c1`` the
int::

    def entry(args, kwargs):
        if len(args) != 2 or kwargs: return other
        x0, x1, = args
        if not (type(x0) is Tensor and (a0 := x0._array).shape == c0 and a0.dtype is d0 and x0.stop_gradient and (x1 is c1 or ...)):
            return other
        try:
            run = q_take()  # the plan with a set of buffers
        except IndexError:
            run = q_make()
        try:
            r = run(a0)
        except (Exception, SystemExit):
            return other
        finally:
            q_give(run)
        y0 = Tensor(r[0], True)
        return y0
"""

from __future__ import annotations

import functools
import operator
import re
import types
from collections.abc import Callable
from typing import Any

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.function.program.call import Call
from to_static.compiler.frontend.function.program.completion import CompletionText
from to_static.compiler.frontend.tracing.input_places import NUMBERS
from to_static.compiler.ir import mode
from to_static.compiler.ir.symbolic.scalar_arithmetic import DTYPES
from to_static.compiler.runtime.plan import Plan
from to_static.core import backend as backends
from to_static.core.code_generation import define
from to_static.nn.layer import Layer

_MOST = 6  # the most arguments of an entry
_FEW = 32  # the most root values that have one global name each in the text
_GLOBALS = {
    "Tensor": EagerTensor, "grad_enabled": mode.grad_enabled,
    "array_of": operator.attrgetter("_array"), "stop_of": operator.attrgetter("stop_gradient"),
    "memory_of": operator.attrgetter("_memory"), "version_of": operator.attrgetter("_version"),
}  # fmt: skip
OTHER: Any = type("Other", (), {})()
EXACT = frozenset((bool, int, str, type(None)))  # types whose equal values are interchangeable (0.0 and -0.0 are not)
_OTHERWISE = "return other"


def no_entry(*call: Any) -> Any:
    """The entry of calls that can have none: it accepts no call."""
    return OTHER


def entry(call: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[..., Any]:
    """Return the entry for calls like this one (``args``, ``kwargs``), of the kind ``call``; `no_entry` if there can be none.

    The entry runs the plans that this call has run, so it is generated after the call.
    """
    values = (*args, *kwargs.values())
    by_type = [type(x) is EagerTensor or type(x) in EXACT or (type(x) is float and x != 0) or isinstance(x, Layer) for x in values]
    is_exact = [is_known or (type(values[i]) in NUMBERS and i in call.number_types) for i, is_known in enumerate(by_type)]
    prints = call.program.facts.prints_or_draws
    if (call.outside and not call.has_no_aliases) or prints or len(values) > _MOST or not all(is_exact):
        return no_entry
    return _Text(call, values, kwargs).function()


class _Text:
    """Generates the text of an entry, and ``space``, its globals.

    Names in the text:
        x0, x1, ...: all leaves of the call, in the order of `Call.complete`; a0: the array of x0.
        c0, d0: the shape and dtype that x0 must have, or its value; p0: the outcome of a test on number inputs.
        e1: a function that reads the input x1 from outside; h0, h1, ...: the root values of the Program.
        r: the results of the plan; kept, node: see `recording`; general: `Call.run`; other: `OTHER`.
        Names of the plan begin with q_ (without gradients) or g_ (with gradients).
    """

    def __init__(self, call: Call, values: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        program = self.program = call.program
        self.call = call
        self.number_types = call.number_types
        self.feeds = call.feeds
        holders = program.roots.holders
        self.few = len(holders) <= _FEW
        self.names = {id(holder): f"h{i}" for i, holder in enumerate(holders)}
        self.space: dict[str, Any] = {**_GLOBALS, "other": OTHER, "names": tuple(kwargs), "general": call.run}
        self.space.update((self.names[id(holder)], holder) for holder in holders if self.few)
        count = len(values) - len(kwargs)
        names = [f"x{i}, " for i in range(len(values))]
        further_names = [f"x{i}, " for i in range(len(values), len(values) + len(call.defaults) + len(call.reads))]
        # (a run may write to the array of a donated argument, if no name of this frame refers to it)
        donated = [self.feeds[i] for i in program.facts.donated_feeds]
        self.general = [f"a{i} = None" for i in donated if i < len(values) or i in call.outside]
        self.general.append(f"return general([{''.join(names + further_names)}], args, kwargs)")
        lines = [f"if len(args) != {count} or {'tuple(kwargs) != names' if kwargs else 'kwargs'}: return other"]
        lines += [f"{''.join(names[:count])}= args"] if count else []
        lines += [f"{''.join(names[count:])}= kwargs.values()"] if kwargs else []
        lines += [f"if not ({' and '.join(self._tests(values))}): return other"] if values else []
        outside_lines = self._outside_inputs(len(values))
        if outside_lines:
            lines += ["try:", *(f"    {line}" for line in outside_lines), "except Exception:", "    return other"]
        if program.runs_in_entry:
            lines += [f"if {condition.fails(self)}: return other" for condition in program.conditions]
        if program.runs_in_entry and program.depends_on_requires_grad:
            lines += ["if grad_enabled():", *(f"    {line}" for line in self._with_gradients())]
        without_gradients = self._run(program.runner, "q_", [], [], [True] * len(program.facts.stop_gradients))
        self.text = "\n    ".join(["def entry(args, kwargs):", *lines, *without_gradients])

    def function(self) -> Callable[..., Any]:
        """Return the entry."""
        return types.FunctionType(_code(self.text), self.space)

    def _tests(self, values: tuple[Any, ...]) -> list[str]:
        """Return the tests that the arguments of a call must pass, as expressions."""
        tests, tensors = [], [i for i, value in enumerate(values) if type(value) is EagerTensor]
        for i, value in enumerate(values):
            self.space[f"c{i}"] = value
            if i in self.number_types:
                tests.append(f"type(x{i}) is {type(value).__name__}")
                continue
            if isinstance(value, Layer):
                tests.append(f"x{i} is c{i}")
                continue
            if i not in tensors:
                tests.append(f"(x{i} is c{i} or (type(x{i}) is type(c{i}) and x{i} == c{i}))")
                continue
            self.space |= {f"c{i}": value._array.shape, f"d{i}": value._array.dtype}
            tests.append(f"type(x{i}) is Tensor and (a{i} := x{i}._array).shape == c{i} and a{i}.dtype is d{i}")
            tests.append(f"{'' if value.stop_gradient else 'not '}x{i}.stop_gradient")
            tests += [f"x{i} is {'' if values[k] is value else 'not '}x{k}" for k in tensors if k < i]
        return tests

    def _outside_inputs(self, count: int) -> list[str]:
        """Return lines that read inputs from outside, and that refuse calls for which number tests have other outcomes."""
        call, lines = self.call, []
        for i, default in enumerate(call.defaults, count):
            self.space[f"x{i}"] = default
        for i, read in enumerate(call.reads, count + len(call.defaults)):
            self.space[f"e{i}"] = read
            lines.append(f"x{i} = e{i}()")
            if i in call.outside:
                tensors = [k for k in self.feeds if k != i and k not in self.number_types]
                lines += [f"if x{i} is x{k}: return other" for k in tensors if k < i or k not in call.outside]
                lines.append(f"a{i} = x{i}._array")
            if i in call.number_types:
                lines.append(f"if type(x{i}) is not {call.number_types[i].__name__}: return other")
        for k, (question, answer) in enumerate(self.program.traced.asked):
            self.space |= {f"p{k}": answer, **question.names}
            text = re.sub(r"n\[(\d+)\]", lambda m: f"x{call.order[int(m[1])]}", question.text)
            lines.append(f"if {text} != p{k}: return other")
        for i, number_type in call.number_types.items():
            self.space |= {"array": backends.current().xp.asarray, f"d{i}": DTYPES[number_type].np}
            lines.append(f"a{i} = array(x{i}, d{i})")
        if call.number_types:
            self.space["traced"] = self.program.call
            lines.append(f"traced.last_numbers = [{', '.join(f'x{i}' for i in call.number_types)}]")
        return lines

    def root_arrays(self) -> str:
        """The text of the arrays of root values."""
        if self.few:
            return "".join(f"{name}._array, " for name in self.names.values())
        self.space["holders"] = self.program.roots.holders
        return "*map(array_of, holders), "

    def tensor(self, i: int) -> str:
        """The text of the input tensor for ``xi``."""
        return f"Tensor(a{i})" if i in self.number_types else f"x{i}"

    def _with_gradients(self) -> list[str]:
        """Return lines for calls while gradients are recorded; they end the entry if the call has gradients."""
        program, training = self.program, self.program.training
        roots = program.roots
        if not program.facts.differentiable:
            return [self._unless(roots.frozen, [True] * len(roots.frozen))]
        if training is None or (training.active and not training.derived):
            return self.general if training else [_OTHERWISE]
        lines = [self._unless(roots.params, training.stops[len(self.feeds) :])]
        if not training.active:
            return lines
        prologue, epilogue = training.recording.derive(self)
        return [*lines, *self._run(training.forward, "g_", prologue, epilogue, training.stop_gradients)]

    def _completed(self, plan: Plan, prefix: str, stops: list[bool]) -> list[str]:
        """Return lines for the completion of a run (see `completion.py`)."""
        text = CompletionText(stops, self.space, prefix)
        if plan.stores is not None:
            versions = [f"{self.names[id(holder)]}._version + 1" for holder in plan.stores.changing] if self.few else None
            text.store(plan.stores, versions)
        for part in self.program.completions:
            part.derive(text, self)
        return text.lines()

    def old_tensor(self, identity: int) -> str:
        """The text of an argument or root value, by its identity: feeds come first, then root values."""
        if identity < len(self.feeds):
            return f"x{self.feeds[identity]}"
        position = identity - len(self.feeds)
        holders = self.space["held_before"] = self.program.roots.holders
        return self.names[id(holders[position])] if self.few else f"held_before[{position}]"

    def any_memory(self, holders: list[Any], name: str) -> list[str]:
        """See `EntryText.any_memory`."""
        self.space[name] = holders
        return [f"{self.names[id(holder)]}._memory" for holder in holders] if self.few else [f"any(map(memory_of, {name}))"]

    def _unless(self, tensors: list[Any], stops: list[bool]) -> str:
        """Return a line that refuses calls in which a tensor from outside has another ``stop_gradient`` than last time."""
        if not self.few:
            self.space |= {"tensors": tensors, "stops": stops}
            return "if [*map(stop_of, tensors)] != stops: return other"
        mismatches = [f"{'not ' if stop else ''}{self.names[id(p)]}.stop_gradient" for p, stop in zip(tensors, stops, strict=True)]
        return f"if {' or '.join(mismatches) or False}: return other"

    def _run(self, runner: Any, prefix: str, prologue: list[str], epilogue: list[str], stops: list[bool]) -> list[str]:
        """Return lines that run a plan, between ``prologue`` and ``epilogue``; if ``runner`` has no plan, a call of `Call.run`."""
        program = self.program
        plan = program.plan_of(runner) if program.runs_in_entry else None
        if plan is None or not (plan.stores is None or plan.stores.tensors_only):
            return [_OTHERWISE] if runner is None and program.runs_in_entry else self.general
        names, lines = plan.call_lines(prefix, "r", ", ".join(f"a{i}" for i in self.feeds), _OTHERWISE)
        self.space |= names
        return [*prologue, *lines, *epilogue, *self._completed(plan, prefix, stops)]


@functools.lru_cache(maxsize=1000)
def _code(text: str) -> types.CodeType:
    """Return the code of the function that a text defines; equal texts share it."""
    return define(text, {})["entry"].__code__  # type: ignore[no-any-return]
