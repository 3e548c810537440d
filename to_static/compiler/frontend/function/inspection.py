"""The texts that a static function returns about itself: `StaticFunction.explain` and `code`. `explain.py` makes their parts."""

from __future__ import annotations

import functools
import types
from typing import Any

from to_static.compiler.frontend.function import explain as explanation
from to_static.compiler.frontend.function.compilation import Compilation
from to_static.compiler.frontend.function.graph_breaks import PythonFallback
from to_static.compiler.frontend.function.target import TargetFunction
from to_static.compiler.frontend.jst import operators
from to_static.compiler.frontend.transpile import transpile_function
from to_static.core.diagnostics.printable import printable
from to_static.core.diagnostics.source_location import report
from to_static.core.errors import TranslationError

_LINE = 1000  # the most characters of a line


class Explanation(str):
    """A string whose ``repr`` is itself, so that a prompt or notebook shows it as lines."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def python_function(function: object) -> types.FunctionType | None:
    """Return the Python function behind a partial, a method or a `functools.cache`; None for a builtin."""
    while not isinstance(function, types.FunctionType):
        if isinstance(function, functools.partial):
            function = function.func
        elif isinstance(function, types.MethodType):
            function = function.__func__
        elif hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        else:
            return None
    return function


class Inspector:
    """Makes the texts about one static function: its code, its Programs, and the outcome of a call. It runs and traces nothing."""

    __slots__ = ("_compilation", "_fallback", "_target")

    def __init__(self, target: TargetFunction, compilation: Compilation, fallback: PythonFallback) -> None:
        self._target = target
        self._compilation = compilation
        self._fallback = fallback

    def code(self) -> str:
        """See `StaticFunction.code`."""
        function = python_function(self._target.function)
        if function is None:
            raise TranslationError(report(f"{self._target.name} has no Python source: it runs as it is", None, "call it directly"))
        return transpile_function(function, operators)[1]

    def explain(self, args: tuple[Any, ...], kwargs: dict[str, Any], plan: bool) -> str:
        """See `StaticFunction.explain`."""
        target, compilation = self._target, self._compilation
        function = python_function(target.function)
        items = explanation.built_in(function, target.instance) if function is not None else []
        built_in = [f"  built in: {item}" for item in items]
        if function is not None:
            surroundings = compilation.surroundings
            guarded = explanation.guarded(surroundings.guards, surroundings.layers, function, target.instance)
            built_in += [f"  compared at each call: {line}" for line in guarded]
        if not args and not kwargs and target.signature().parameters:
            return _explanation([*self._overview(plan), *built_in])
        try:
            bound = target.signature().bind(args, kwargs)
            key, _ = compilation.key_of(bound)
        except (TypeError, ValueError) as error:  # (also for arguments that do not fit the input_spec)
            lines = [f"{target.name}: this call fails, {type(error).__name__}: {error}"]
        else:
            lines = self._outcome(key, bound.paths, plan)
        return _explanation([*lines, *built_in])

    def _overview(self, plan: bool) -> list[str]:
        """The lines about all Programs and graph breaks; ``plan``: with the plans."""
        cache, breaks = self._compilation.programs.cache, self._fallback.breaks
        lines = [f"{self._target.name}: {_counted(len(cache), 'Program')} in the cache"]
        if breaks:
            lines[0] += f", {_counted(len(breaks), 'graph break')}"
        keys, guards = self._compilation.programs.keys_of_calls(), self._compilation.surroundings.guards
        for index, key in enumerate(keys, 1):
            program = cache[key]
            lines.append(f"  Program {index}: for ({explanation.arguments(key, program.traced.outside)})")
            lines += [f"    {line}" for line in explanation.cause(key, keys[: index - 1], program.call.paths, guards)]
            lines += [f"    {line}" for line in self._contents(key, plan)]
        for key in [k for k in cache if k[0] == "specs"]:
            lines.append(f"  Program of the input_spec: for ({explanation.declared(key)})")
            lines += [f"    {line}" for line in self._contents(key, plan)]
        lines += self.split("  ", {id(self)})
        if breaks and breaks.every is not None:
            lines.append(f"  Further kinds of calls run in Python: {self._limit_reached()}")
        return lines

    def _limit_reached(self) -> str:
        """The reason why no call with a new key is traced any more."""
        count = len(self._fallback.breaks)
        return f"{count} graph breaks are the limit for new traces; `program_cache.clear()` makes all calls be traced again"

    def _contents(self, key: tuple[Any, ...], plan: bool) -> list[str]:
        """The lines about the inputs and actions of a Program, and about its plans if ``plan``."""
        program = self._compilation.programs.cache[key]
        lines = explanation.inputs(program.traced) + explanation.contents(program.main_program)
        return lines + (explanation.plans(program.plans()) if plan else [])

    def split(self, indent: str, visited: set[int]) -> list[str]:
        """Return the lines about graph breaks, and about the static functions that Python then calls, recursively.

        ``visited``: ids of the inspectors whose lines are there already.
        """
        lines = []
        for index, (key, recorded) in enumerate(self._fallback.breaks.items(), 1):
            lines.append(
                f"{indent}Graph break {index}: for ({explanation.arguments(key)}), which runs in Python: {recorded.line()}"
            )
        for part, name in list(self._fallback.parts.compiled.items()):
            inspector: Inspector = part._inspector
            general_break = inspector._fallback.breaks.every
            summary = _counted(len(part.program_cache), "Program")
            summary += f"; others in Python, {general_break.line()}" if general_break else ""
            lines.append(f"{indent}calls {name}: {summary}")
            if id(inspector) not in visited:
                lines += inspector.split(indent + "  ", visited | {id(inspector)})
        return lines

    def _outcome(self, key: tuple[Any, ...], paths: list[str], plan: bool) -> list[str]:
        """The lines about a call with this key: the Program that it runs, a graph break, or a new Program and why."""
        program_keys, breaks = self._compilation.programs.keys_of_calls(), self._fallback.breaks
        if key in program_keys:
            position = f"{program_keys.index(key) + 1} of {len(program_keys)}"
            lines = [f"{self._target.name}: this call runs Program {position} in the cache"]
            return lines + [f"  {line}" for line in self._contents(key, plan)]
        broken = breaks.get(key, breaks.every)
        if broken is not None and self._target.may_break:
            if breaks and key not in breaks:
                return [f"{self._target.name}: this call runs in Python without a trace: {self._limit_reached()}"]
            return [f"{self._target.name}: this call runs in Python, a graph break: {broken.line()}"]
        return explanation.new_program(self._target.name, key, program_keys, paths, self._compilation.surroundings.guards)


def _explanation(lines: list[str]) -> Explanation:
    """Join lines whose unprintable characters are escaped."""
    return Explanation("\n".join(printable(line, _LINE) for line in lines))


def _counted(count: int, noun: str) -> str:
    """``3 Programs``, ``1 Program``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
