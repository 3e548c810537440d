"""What a static function tells of itself."""

from __future__ import annotations

import functools
import inspect
import types
from typing import Any

from to_static.compiler.frontend.function import explain as explanation
from to_static.compiler.frontend.function.attribute_forwarding import AttributeForwarding
from to_static.compiler.frontend.function.function_spec import FunctionSpec
from to_static.compiler.frontend.function.program.concrete import ConcreteProgram
from to_static.compiler.frontend.function.program_cache import ProgramCache
from to_static.compiler.frontend.jst import operators
from to_static.compiler.frontend.transpile import transpile_function
from to_static.compiler.ir.program import Program
from to_static.core.errors import TranslationError
from to_static.core.printable import printable
from to_static.core.source_location import report

_LINE = 1000  # characters of a line that is shown


class Explanation(str):
    """A text that shows as itself, lines and all, where a prompt or notebook shows the value of a line."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class _OwnSignature:
    """What `inspect.signature` shows: the parameters of the function, without ``self`` for a method of an object."""

    def __get__(self, static: Any, owner: Any = None) -> inspect.Signature | None:
        return None if static is None else inspect.signature(static.dygraph_function)


def python_function(function: Any) -> types.FunctionType | None:
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


class Inspection(AttributeForwarding):
    """The part of `StaticFunction` that only looks."""

    __signature__ = _OwnSignature()
    is_property = False  # made with ``to_static(property=True)``

    @property
    def dygraph_function(self) -> Any:
        """The original function (bound, for methods)."""
        instance = self._instance
        return self._function if instance is None else types.MethodType(self._function, instance)

    @property
    def function_spec(self) -> FunctionSpec:
        """What the function takes: names of parameters, declared inputs."""
        return FunctionSpec(self._function, self._signature().signature, self._input_spec)

    @property
    def code(self) -> str:
        """The translated source, as it runs. Raises TranslationError for a function that is not written in Python."""
        function = python_function(self._function)
        if function is None:
            raise TranslationError(report(f"{self.__name__} has no Python source: it runs as it is", None, "call it directly"))
        return transpile_function(function, operators)[1]

    @property
    def program_cache(self) -> ProgramCache:
        """All Programs traced so far, by key."""
        return self._cache

    @property
    def concrete_program(self) -> ConcreteProgram:
        """The newest Program; traced from the input_spec when there was no call yet."""
        return self.concrete_program_specify_input_spec()

    @property
    def main_program(self) -> Program:
        """The newest Program as traced."""
        return self.concrete_program.main_program

    program = main_program

    @property
    def optimized_program(self) -> Program:
        """The newest Program as the passes leave it: what its plan for calls without gradients runs."""
        return self.concrete_program.plans()[0][1].program  # type: ignore[no-any-return]

    @property
    def plan(self) -> str:
        """The Python that runs in calls of the newest Program without gradients, as text.

        Where sizes are unknown there is one plan for each combination that was met; this is the first. `explain` with ``plan=True``
        shows all, those for gradients, too.

        Example:
            >>> print(f.plan)
            def make(b0):
                def run(x0):
                    ...
        """
        return self.concrete_program.plans()[0][1].source  # type: ignore[no-any-return]

    @property
    def inputs(self) -> list[Any]:
        """Input Vars of the newest Program."""
        return self.concrete_program.inputs

    @property
    def outputs(self) -> list[Any]:
        """Output Vars of the newest Program."""
        return self.concrete_program.outputs

    @property
    def graph_breaks(self) -> int:
        """How many kinds of calls have no Program, and so run in Python; `explain` says why."""
        return len(self._breaks)

    def explain(self, *args: Any, plan: bool = False, **kwargs: Any) -> str:
        """What a call with these arguments would do: run a known Program, or trace another one, and why; or fail, and why.

        Without arguments it tells of the Programs that there are. Also lists Python values from outside that are built into the
        Programs. With ``plan=True`` the plans are shown, too: the Python that runs. Nothing is run or traced.

        Example:
            >>> print(f.explain(paddle.ones([3, 2])))
            f: this call makes a new Program (1 in the cache); the closest is Program 1:
              x: f32[3, 2] here, f32[2, 2] there
              ...
        """
        known = self._known_keys()
        function = python_function(self._function)
        items = explanation.built_in(function, self._instance) if function is not None else []
        built_in = [f"  built in: {item}" for item in items]
        if not args and not kwargs and self._signature().parameters:
            return Explanation("\n".join(printable(line, _LINE) for line in [*self._overview(known, plan), *built_in]))
        try:
            bound = self._signature().bind(args, kwargs)
            key = self._key(bound, self._declared_specs(bound))
        except (TypeError, ValueError) as error:  # among them what does not fit the input_spec
            lines = [f"{self.__name__}: this call fails, {type(error).__name__}: {error}"]
        else:
            lines = self._outcome(key, known, bound.paths, plan)
        return Explanation("\n".join(printable(line, _LINE) for line in [*lines, *built_in]))

    def _overview(self, known: list[Any], plan: bool) -> list[str]:
        count = len(self._cache)
        lines = [f"{self.__name__}: {count} Program{'' if count == 1 else 's'} in the cache"]
        if self._breaks:
            lines[0] += f", {len(self._breaks)} graph break{'' if len(self._breaks) == 1 else 's'}"
        for number, key in enumerate(known, 1):
            lines.append(f"  Program {number}: for ({explanation.arguments(key)})")
            lines += [f"    {line}" for line in self._contents(key, plan)]
        for key in [k for k in self._cache if k[0] == "specs"]:
            lines.append(f"  Program of the input_spec: for ({explanation.declared(key)})")
            lines += [f"    {line}" for line in self._contents(key, plan)]
        return [*lines, *self._split("  ", {id(self)})]

    def _contents(self, key: Any, plan: bool) -> list[str]:
        """What a known Program does when it runs, and its plans."""
        concrete = self._cache[key]
        told = explanation.inputs(concrete.traced) + explanation.contents(concrete.main_program)
        return told + (explanation.plans(concrete.plans()) if plan else [])

    def _split(self, indent: str, seen: set[int]) -> list[str]:
        """The graph breaks, and what is static of the functions that run in Python."""
        lines = []
        for number, (key, recorded) in enumerate(self._breaks.items(), 1):
            lines.append(
                f"{indent}Graph break {number}: for ({explanation.arguments(key)}), which runs in Python: {recorded.line()}"
            )
        for part, name in list(self._parts.made.items()):
            programs, every = len(part._cache), part._breaks.every
            how = f"{programs} Program{'' if programs == 1 else 's'}" + (f"; others in Python, {every.line()}" if every else "")
            lines.append(f"{indent}calls {name}: {how}")
            if id(part) not in seen:
                lines += part._split(indent + "  ", seen | {id(part)})
        return lines

    def _known_keys(self) -> list[Any]:
        """The kinds of calls for which there are Programs."""
        return [k for k in self._cache if k[0] != "specs"]

    def _outcome(self, key: Any, known: list[Any], paths: list[str], plan: bool = False) -> list[str]:
        """What a call with this key does."""
        if key in self._cache:
            lines = [f"{self.__name__}: this call runs Program {known.index(key) + 1} of {len(known)} in the cache"]
            return lines + [f"  {line}" for line in self._contents(key, plan)]
        broken = self._breaks.get(key, self._breaks.every)
        if broken is not None and self.may_break():
            return [f"{self.__name__}: this call runs in Python, a graph break: {broken.line()}"]
        lines = [f"{self.__name__}: this call makes a new Program ({len(known)} in the cache)"]
        nearest = explanation.closest(key, known)
        if nearest is not None:
            lines[0] += f"; the closest is Program {known.index(nearest) + 1}:"
            reasons = explanation.differences(key, nearest, paths, self._guards)
            lines += [f"  {line}" for line in [*reasons, *explanation.advice(key, nearest, paths)]]
        return lines

    def get_traced_count(self) -> int:
        """How many Programs were traced."""
        return len(self._cache)

    def __repr__(self) -> str:
        return f"<StaticFunction {printable(self.__name__)}, {len(self._cache)} Programs>"
