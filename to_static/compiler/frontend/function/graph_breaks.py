"""Graph breaks: the calls that run in Python because they have no Program, each with the reason, the line and a rewrite.

`StaticFunction` and `Compilation` ask `PythonFallback` whether a call runs in Python, and run it there.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from to_static.compiler.frontend.function.callee_compilation import SplitCalls
from to_static.compiler.frontend.function.explain import by_tensors_only, closest, differences
from to_static.compiler.frontend.function.patience import FEW, Patience
from to_static.compiler.frontend.function.signature import Bound
from to_static.compiler.frontend.function.target import TargetFunction
from to_static.compiler.frontend.tracing.guards import Guards
from to_static.compiler.frontend.tracing.input_places import wait_for_values
from to_static.compiler.frontend.transpile.rebind.intercept import intercepting
from to_static.compiler.ir.input_spec import InputSpec
from to_static.core.diagnostics.source_location import Report, of_function, report
from to_static.core.errors import ToStaticError, TranslationError
from to_static.core.log import warn_once

_MANY, _MORE = 4, 10  # graph breaks after which all calls without a Program run in Python, of a function without and with Programs
_KINDS = 8  # the most Programs of a function that the user did not make static
_PLAIN = frozenset([InputSpec, bool, int, float, str, type(None)])
_warned: set[str] = set()
_KEPT = "a buffer for a number that calls change, `self.register_buffer('n', paddle.zeros([1]))`; return what others are to see"
_HINT = "to_static(full_graph=True), or TO_STATIC_FULL_GRAPH=1, makes an error of this"


class RecordedBreak:
    """The record of a kind of call that breaks the graph: the refusal of its trace, and the Python function that runs in its place.

    Attributes:
        reason: why there is no Program.
        place: the user's lines, as errors show them.
        rewrite: what to write instead.
        key: the reason and the line as one text, to warn once.
        refusal: the error of the trace, without its frames.
        arguments: structure and leaves of the arguments, specs in place of tensors; None if objects are among them.
        warned: whether the user was warned.
    """

    def __init__(self, refusal: BaseException, run: Callable[..., Any], arguments: Any = None) -> None:
        text = refusal.args[0] if refusal.args else ""
        break_report = text if isinstance(text, Report) else Report(str(refusal) or type(refusal).__name__, "", "")
        self.reason, self.place, self.rewrite = break_report.reason, break_report.place, break_report.rewrite
        self.key = f"graph break: {self.place.splitlines()[:1]} {self.reason}"
        self.refusal = refusal.with_traceback(None)
        refusal.__context__ = refusal.__cause__ = None  # (they hold the frames of the trace)
        self._run = run
        self.arguments = arguments
        self.warned = False

    def run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run a call in Python."""
        wait_for_values()
        return self._run(*args, **kwargs)

    def refuse(self) -> BaseException:
        """Return a copy of the refusal, for a caller that needs a Program and raises it."""
        refusal = self.refusal
        if isinstance(refusal, ToStaticError):
            refusal_copy = type(refusal)(*refusal.args)
            refusal_copy.__dict__.update(refusal.__dict__)
            return refusal_copy
        return refusal

    def line(self) -> str:
        """The break in one line: the reason, the place, the rewrite."""
        location = self.place.split("\n")[0].strip()
        reason = self.reason.split("\n")[0] + (f" ({location})" if location else "")
        return f"{reason}; rewrite: {self.rewrite}" if self.rewrite else reason

    def warn(self, name: str, function: Any, is_part: bool) -> None:
        """Warn once for each function and reason that calls run in Python. ``is_part``: do not warn if the caller did."""
        if not (is_part and self.key in _warned):
            warn_once(self.key, f"{name} runs in Python, a graph break: {self.refusal}\n  {_HINT}", function)
        _warned.add(self.key)
        self.warned = True


class RecordedBreaks(dict[Any, RecordedBreak]):
    """The graph breaks of one static function, by the complete keys of calls.

    ``every``: the graph break by which all calls without a Program run in Python, after too many breaks; else None. Without it
    new kinds of calls would be traced without end. ``patience``: counts traces and calls in Python.
    """

    every: RecordedBreak | None = None

    def __init__(self) -> None:
        super().__init__()
        self.patience = Patience()

    def add(self, key: tuple[Any, ...], recorded: RecordedBreak, programs: int) -> None:
        """Record a graph break; ``programs``: how many Programs the function has."""
        self[key] = recorded
        if len(self) >= (_MORE if programs else _MANY):
            self.every = recorded

    def reasons(self) -> list[str]:
        """Return the distinct breaks, a line each."""
        return list(dict.fromkeys(recorded.line() for recorded in self.values()))

    def forget(self, key: tuple[Any, ...]) -> None:
        """Forget one break, and the limit if this break reached it."""
        recorded = self.pop(key, None)
        if recorded is self.every:
            self.every = None

    def clear(self) -> None:
        """Forget all breaks: the next call of each kind is traced again."""
        super().clear()
        self.every = None
        self.patience.clear()


class PythonFallback:
    """Runs calls of one static function in Python, and records why.

    Attributes: ``breaks`` records the graph breaks; ``patience`` decides whether another trace pays; ``parts`` handles the calls
    that the function makes in Python, and makes static functions of its callees.
    """

    __slots__ = ("_target", "breaks", "parts", "patience")

    def __init__(self, target: TargetFunction, parts: SplitCalls) -> None:
        self._target = target
        self.parts = parts
        self.breaks = RecordedBreaks()
        self.patience = self.breaks.patience

    def break_without_lookup(self) -> RecordedBreak | None:
        """Return the graph break by which this call runs in Python without a lookup; None if it needs a lookup."""
        return self.patience.next_skipped() if self._target.input_spec is None else None

    def may_run_original(self, graph_break: RecordedBreak | None) -> bool:
        """True if the original function may run in place of `python_function`, which intercepts calls of its callees.

        That is so if the user has been warned of this break, and all static callees skip their lookup, too.
        """
        warned = graph_break is not None and graph_break.warned and not self._target.is_part
        return warned and self._target.may_break and all(part.skips_lookup for part in self.parts.compiled)

    def python_function(self) -> Callable[..., Any]:
        """Return the function that Python runs after a graph break: its calls go to static functions where possible."""
        target = self._target
        function = intercepting(target.function, self.parts)
        return function if target.instance is None else types.MethodType(function, target.instance)

    def new_break(self, refusal: BaseException, bound: Bound) -> RecordedBreak:
        """Return the graph break of calls like this one; the trace has undone its writes."""
        # usually an error of the user's function: its calls are not intercepted, so that its traceback has no internal frames
        is_user_error = not isinstance(refusal, ToStaticError) or isinstance(refusal, NameError)
        python = self._target.python if is_user_error else self.python_function()
        leaves = bound.specs()
        is_plain = all(type(leaf) in _PLAIN for leaf in leaves)  # the record keeps no object alive
        graph_break = RecordedBreak(refusal, python, (bound.recipe, leaves) if is_plain else None)
        if not self._target.is_part:
            _warned.add(graph_break.key)  # `run` warns after this call
        return graph_break

    def run(self, graph_break: RecordedBreak, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run a call in Python; warn at the first one."""
        result = graph_break.run(args, kwargs)
        if not graph_break.warned:  # (after the run: if Python raises, its error says what is wrong)
            graph_break.warn(self._target.name, self._target.function, self._target.is_part)
            if graph_break is self.breaks.every and not self._target.is_part:
                self._warn_of_limit()
        return result

    def _warn_of_limit(self) -> None:
        """Warn that calls of new kinds run in Python from now on, and name the graph breaks that caused it."""
        lines = [f"\n  {reason}" for reason in self.breaks.reasons()]
        text = (
            f"{self._target.name}: {len(self.breaks)} kinds of calls have broken the graph, which is the limit. Calls of further "
            f"kinds run in Python, without a trace and without a warning:{''.join(lines)}\n"
            f"  rewrite: remove these graph breaks; `program_cache.clear()` makes all calls be traced again\n  {_HINT}"
        )
        warn_once("the limit of graph breaks", text, self._target.function)

    def run_new(self, graph_break: RecordedBreak, key: tuple[Any, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run the first call by a graph break, which has this ``key``; forget the break if Python raises the same error."""
        refusal = graph_break.refusal
        try:
            return self.run(graph_break, args, kwargs)
        except (Exception, SystemExit) as error:
            unbound = isinstance(error, NameError) and isinstance(refusal, NameError)
            # the error of the user's function, not a graph break
            if unbound or (type(error) is type(refusal) and str(error) == str(refusal)):
                self.breaks.forget(key)
            raise

    def not_worth(self, key: tuple[Any, ...], program_keys: list[Any], paths: list[str], guards: Guards) -> RecordedBreak | None:
        """Return the graph break of a call whose reason has made enough Programs (``self.n += 1``); None if it may be traced.

        The reason is the difference of its ``key`` and the closest of ``program_keys``.
        """
        nearest = closest(key, program_keys)
        if nearest is None or not self._target.may_break:
            return None
        reason = tuple(dict.fromkeys(line.split(":")[0] for line in differences(key, nearest, paths, guards)))
        if self.patience.allows_trace(reason, by_tensors_only(key, nearest)):
            return None
        graph_break = self.patience.break_of.get(reason)
        if graph_break is None:
            text = f"each of {FEW} calls made a new Program: another {' and '.join(reason)}"
            refusal = TranslationError(report(text, of_function(self._target.function), _KEPT))
            graph_break = self.patience.break_of[reason] = self.breaks[key] = RecordedBreak(refusal, self.python_function())
        return graph_break

    def end_tracing_of_callee(self, programs: int) -> None:
        """End the traces of a function that the user did not make static, if it has many Programs already."""
        if programs >= _KINDS:
            why = f"it is called in more than {_KINDS} ways"
            refusal = TranslationError(report(why, of_function(self._target.function), ""))
            self.breaks.every = RecordedBreak(refusal, self.python_function())
            self.breaks.every.warned = True
