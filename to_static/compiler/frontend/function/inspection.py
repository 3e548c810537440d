"""`StaticFunction.explain`, `code` and other texts that a static function returns about itself."""

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

_LINE = 1000  # characters of a line that is shown


class Explanation(str):
    """A text that shows as itself, lines and all, where a prompt or notebook shows the value of a line."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def python_function(function: object) -> types.FunctionType | None:
    """The Python function behind a partial, a method or a cache; None when there is none (a builtin)."""
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
    """Tells of one static function: its code, its Programs, and what a call would do. It runs and traces nothing."""

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
        if not args and not kwargs and target.signature().parameters:
            return _explanation([*self._overview(plan), *built_in])
        try:
            bound = target.signature().bind(args, kwargs)
            key, _ = compilation.key_of(bound)
        except (TypeError, ValueError) as error:  # among them what does not fit the input_spec
            lines = [f"{target.name}: this call fails, {type(error).__name__}: {error}"]
        else:
            lines = self._outcome(key, bound.paths, plan)
        return _explanation([*lines, *built_in])

    def _overview(self, plan: bool) -> list[str]:
        cache, breaks = self._compilation.programs.cache, self._fallback.breaks
        lines = [f"{self._target.name}: {_counted(len(cache), 'Program')} in the cache"]
        if breaks:
            lines[0] += f", {_counted(len(breaks), 'graph break')}"
        keys, guards = self._compilation.programs.keys_of_calls(), self._compilation.surroundings.guards
        for number, key in enumerate(keys, 1):
            program = cache[key]
            lines.append(f"  Program {number}: for ({explanation.arguments(key, program.traced.outside)})")
            lines += [f"    {line}" for line in explanation.cause(key, keys[: number - 1], program.call.paths, guards)]
            lines += [f"    {line}" for line in self._contents(key, plan)]
        for key in [k for k in cache if k[0] == "specs"]:
            lines.append(f"  Program of the input_spec: for ({explanation.declared(key)})")
            lines += [f"    {line}" for line in self._contents(key, plan)]
        lines += self.split("  ", {id(self)})
        if breaks and breaks.every is not None:
            lines.append(f"  Further kinds of calls run in Python: {self._limit_reached()}")
        return lines

    def _limit_reached(self) -> str:
        """The reason why calls of new kinds are not traced any more."""
        count = len(self._fallback.breaks)
        return f"{count} graph breaks are the limit for new traces; `program_cache.clear()` makes all calls be traced again"

    def _contents(self, key: tuple[Any, ...], plan: bool) -> list[str]:
        """The actions of a Program's runs, and its plans."""
        program = self._compilation.programs.cache[key]
        lines = explanation.inputs(program.traced) + explanation.contents(program.main_program)
        return lines + (explanation.plans(program.plans()) if plan else [])

    def split(self, indent: str, visited: set[int]) -> list[str]:
        """The graph breaks, and what is static of the functions that run in Python."""
        lines = []
        for number, (key, recorded) in enumerate(self._fallback.breaks.items(), 1):
            lines.append(
                f"{indent}Graph break {number}: for ({explanation.arguments(key)}), which runs in Python: {recorded.line()}"
            )
        for part, name in list(self._fallback.parts.compiled.items()):
            inspector: Inspector = part._inspector
            every = inspector._fallback.breaks.every
            how = _counted(len(part.program_cache), "Program") + (f"; others in Python, {every.line()}" if every else "")
            lines.append(f"{indent}calls {name}: {how}")
            if id(inspector) not in visited:
                lines += inspector.split(indent + "  ", visited | {id(inspector)})
        return lines

    def _outcome(self, key: tuple[Any, ...], paths: list[str], plan: bool) -> list[str]:
        """The outcome of a call with this key."""
        others, breaks = self._compilation.programs.keys_of_calls(), self._fallback.breaks
        if key in others:
            lines = [f"{self._target.name}: this call runs Program {others.index(key) + 1} of {len(others)} in the cache"]
            return lines + [f"  {line}" for line in self._contents(key, plan)]
        broken = breaks.get(key, breaks.every)
        if broken is not None and self._target.may_break:
            if breaks and key not in breaks:
                return [f"{self._target.name}: this call runs in Python without a trace: {self._limit_reached()}"]
            return [f"{self._target.name}: this call runs in Python, a graph break: {broken.line()}"]
        return explanation.new_program(self._target.name, key, others, paths, self._compilation.surroundings.guards)


def _explanation(lines: list[str]) -> Explanation:
    return Explanation("\n".join(printable(line, _LINE) for line in lines))


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
