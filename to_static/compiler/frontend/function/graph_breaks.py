"""A graph break: a kind of call that has no Program, and so runs in Python. Why, where, and what to write instead."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from to_static.compiler.frontend.function.attribute_forwarding import AttributeForwarding
from to_static.compiler.frontend.function.explain import by_tensors_only, closest, differences
from to_static.compiler.frontend.function.patience import FEW, Patience
from to_static.compiler.frontend.transpile.rebind.intercept import intercepting
from to_static.compiler.ir.input_spec import InputSpec
from to_static.core.compile_lock import COMPILE_LOCK
from to_static.core.errors import ToStaticError, TranslationError
from to_static.core.flags import full_graph
from to_static.core.log import Log, log, warn_once
from to_static.core.source_location import Report, of_function, report

_MANY, _MORE = 4, 10  # kinds of calls that break before all of them do, in a function without and with Programs
_KINDS = 8  # Programs of a function that nobody asked to be static
_PLAIN = frozenset([InputSpec, bool, int, float, str, type(None)])
_warned: set[str] = set()
_KEPT = "a buffer for a number that calls change, `self.register_buffer('n', paddle.zeros([1]))`; return what others are to see"
_HINT = "to_static(full_graph=True), or TO_STATIC_FULL_GRAPH=1, makes an error of this"


class RecordedBreak:
    """What is remembered of a kind of call: the refusal of its trace, and the Python function that runs in its place.

    ``reason``: why there is no Program; ``place``: the user's lines, as errors show them; ``rewrite``: what to write instead;
    ``given``: structure of the arguments and their leaves, specs in place of tensors; None where others are among these.
    """

    def __init__(self, refusal: BaseException, run: Callable[..., Any], given: Any = None) -> None:
        text = refusal.args[0] if refusal.args else ""
        shown = text if isinstance(text, Report) else Report(str(refusal) or type(refusal).__name__, "", "")
        self.reason, self.place, self.rewrite = shown.reason, shown.place, shown.rewrite
        self.key = f"graph break: {self.place.splitlines()[:1]} {self.reason}"
        self.refusal = refusal.with_traceback(None)
        refusal.__context__ = refusal.__cause__ = None  # which hold the frames of the trace
        self._run = run
        self.given = given
        self.warned = False  # whether the user was

    def run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What Python makes of a call."""
        try:
            return self._run(*args, **kwargs)
        except (Exception, SystemExit) as error:
            error.__dict__.pop("__traced__", None)  # of a static function that was called, which breaks on its own
            raise

    def refuse(self) -> BaseException:
        """The refusal anew, for who needs a Program."""
        refusal = self.refusal
        if isinstance(refusal, ToStaticError):
            refusal_copy = type(refusal)(*refusal.args)
            refusal_copy.__dict__.update(refusal.__dict__)
            return refusal_copy
        return refusal

    def line(self) -> str:
        """The break in one line: the reason, the place, the rewrite."""
        place = self.place.split("\n")[0].strip()
        reason = self.reason.split("\n")[0] + (f" ({place})" if place else "")
        return f"{reason}; rewrite: {self.rewrite}" if self.rewrite else reason

    def warn(self, name: str, function: Any, is_part: bool) -> None:
        """Say once for each function and reason that it runs in Python; of a part of others, where these did not say so."""
        if not (is_part and self.key in _warned):
            warn_once(self.key, f"{name} runs in Python, a graph break: {self.refusal}\n  {_HINT}", function)
        _warned.add(self.key)
        self.warned = True


class RecordedBreaks(dict[Any, RecordedBreak]):
    """The graph breaks of one static function, by the key of a kind of call. ``every``: the one because of which all calls run
    in Python that have no Program yet; they would be traced without end."""

    every: RecordedBreak | None = None

    def __init__(self) -> None:
        super().__init__()
        self.patience = Patience()

    def add(self, key: Any, found: RecordedBreak, programs: int) -> None:
        """Remember one more; ``programs``: how many kinds of calls have a Program."""
        self[key] = found
        if len(self) >= (_MORE if programs else _MANY):
            self.every = found

    def clear(self) -> None:
        """Forget them: the next call of each kind is traced again."""
        super().clear()
        self.every = None
        self.patience.clear()


class MayBreak(AttributeForwarding):
    """The part of `StaticFunction` that runs in Python."""

    def may_break(self) -> bool:
        """Whether a call for which there is no Program runs in Python; else it is refused."""
        return not self._full_graph and not full_graph.value

    def break_at(self, refusal: BaseException, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Remember that calls of this kind run in Python, and run this one; what the trace did outside was taken back."""
        with COMPILE_LOCK:
            self._guards.collect()
            self._epoch = -1
            # an error of the user's own, as a rule: no parts, which would be told of
            own = not isinstance(refusal, ToStaticError) or isinstance(refusal, NameError)
            bound = self._signature().bind(args, kwargs)
            python = self.dygraph_function if own else self._python_function()
            leaves = bound.specs()
            plain = all(type(leaf) in _PLAIN for leaf in leaves)  # nothing that would live on for it
            graph_break = RecordedBreak(refusal, python, (bound.recipe, leaves) if plain else None)
            if not self._is_part:
                _warned.add(graph_break.key)  # will be, when it has run
            key, _ = self._key_of(bound)
            self._breaks.add(key, graph_break, len(self._cache))
        log(1, f"{self.__name__}: graph break: {graph_break.line()}")
        try:
            return self._in_python(graph_break, args, kwargs)
        except (Exception, SystemExit) as error:
            unbound = isinstance(error, NameError) and isinstance(refusal, NameError)
            if unbound or (type(error) is type(refusal) and str(error) == str(refusal)):  # the program's own error, not a break
                self._breaks.pop(key, None)
            raise

    def _python_function(self) -> Any:
        """What Python runs: the function, with static functions in place of what it calls."""
        function = intercepting(self._function, self._parts)
        return function if self._instance is None else types.MethodType(function, self._instance)

    def _part_for(self, bound: Any, key: Any, specs: Any) -> Any:
        """The Program for a call of which the user did not say that it is to have one: only while that pays."""
        before, Log.quiet = Log.quiet, True
        try:
            concrete = self._concrete_for(bound, key, specs)
        finally:
            Log.quiet = before
        if len(self._cache) >= _KINDS:
            self._end_tracing(f"it is called in more than {_KINDS} ways").warned = True
        return concrete

    def _not_worth(self, key: Any, paths: list[str]) -> RecordedBreak | None:
        """The break of a call that would make one Program more for a reason that has made enough: ``self.n += 1``."""
        nearest = closest(key, self._known_keys())
        if nearest is None or not self.may_break():
            return None
        reason = tuple(dict.fromkeys(line.split(":")[0] for line in differences(key, nearest, paths, self._guards)))
        if self._patience.pays(reason, by_tensors_only(key, nearest)):
            return None
        graph_break = self._patience.break_of.get(reason)
        if graph_break is None:
            text = f"each of {FEW} calls made a new Program: another {' and '.join(reason)}"
            refusal = TranslationError(report(text, of_function(self._function), _KEPT))
            graph_break = self._patience.break_of[reason] = self._breaks[key] = RecordedBreak(refusal, self._python_function())
        return graph_break

    def _end_tracing(self, why: str, rewrite: str = "") -> RecordedBreak:
        refusal = TranslationError(report(why, of_function(self._function), rewrite))
        self._breaks.every = RecordedBreak(refusal, self._python_function())
        return self._breaks.every

    def _in_python(self, found: RecordedBreak, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        result = found.run(args, kwargs)
        if not found.warned:  # where Python raises an error, that says what is wrong
            found.warn(self.__name__, self._function, self._is_part)
        return result
