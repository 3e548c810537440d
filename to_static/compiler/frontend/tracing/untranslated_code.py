"""Values that untranslated code can read during a trace: operators of classes, generators, functions without translation, and
properties that `jst.attribute` cannot translate.

Such code gets symbolic values. A symbolic tensor works, or refuses. A list whose contents depend on tensors, and a
`UnionValue`, cannot answer Python's ``len``, ``is`` or ``isinstance``. If the code could reach one of these, judged by the
names in it, that is a graph break.
"""

from __future__ import annotations

import inspect
import types
import weakref
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any

from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.object_graph import names_in, referents
from to_static.core.diagnostics.source_expressions import in_expression

if TYPE_CHECKING:
    from to_static.compiler.frontend.tracing.side_effects import SideEffects

STAND_INS: dict[type, bool] = {}  # types of values that replace Python's: True if `is` and `len` have other results, too
_TYPE_TESTS = frozenset(["isinstance", "issubclass", "type", "__class__"])


class UntranslatedReads:
    """The methods that may run without translation, each with its object and the names that its code mentions."""

    def __init__(self, effects: SideEffects) -> None:
        self.effects: SideEffects = weakref.proxy(effects)  # a strong reference would be a cycle, freed only by the collector
        self.watched: dict[tuple[int, str], tuple[Any, Any, Any, str]] = {}
        self.mentioned: set[str] = set()  # names of attributes that the traced code mentions
        self.iterated: set[type] = set()  # classes of the objects that Python iterates over
        self._checks: dict[str, list[Callable[[], None]]] = {}  # method name -> checks to do when such a method may run

    def add(self, value: object, method: str, names: Iterable[str], whose: str, reads: object = None) -> None:
        """Record that ``method`` of ``value``, whose code mentions ``names``, may run from now on.

        ``whose``: the method in words, for messages; ``reads``: the objects that it starts from, by default ``value``.
        """
        if names and (id(value), method) not in self.watched:
            self.watched[id(value), method] = value, [value] if reads is None else reads, names, whose
            if method.startswith("__") or method in self.mentioned:
                self.mention(names)
            self.check_all(method)

    def add_check(self, method: str, check: Callable[[], None]) -> None:
        """Call ``check``, which may break the graph, when a method of this name may run: a special one now, others if mentioned."""
        if method.startswith("__") or method in self.mentioned:
            check()
        else:
            self._checks.setdefault(method, []).append(check)

    def mention(self, names: Iterable[str]) -> None:
        """Record that the traced code mentions these attribute names, some of which may be properties."""
        new_names = set(names) - self.mentioned
        self.mentioned |= new_names
        for method in self._checks.keys() & new_names:
            for check in self._checks.pop(method):
                check()
        for method in {method for _, method in self.watched} & new_names:
            entries = [entry for (_, watched_method), entry in self.watched.items() if watched_method == method]
            self.mention({name for _, _, method_names, _ in entries for name in method_names})
            self.check_all(method)

    def iterate(self, value: object) -> None:
        """Record that Python iterates over ``value``, and perhaps over its attributes."""
        self.iterated |= {type(value), *map(type, getattr(value, "__dict__", {}).values())}
        self.check_all("__iter__")

    def check_before(self, state: Any) -> None:
        """Run `check_all` before a write replaces ``state``, if that is, or may hold, a value that replaces one of Python's."""
        replaces = type(state) in STAND_INS or id(state) in self.effects.traced_lists
        if self.watched and (replaces or isinstance(state, (list, tuple, dict))):
            self.check_all()

    def check_all(self, method: str = "") -> None:
        """Break the graph if one of the methods, or the one of this name, can reach a stand-in now."""
        for (_, name), (value, *reads) in self.watched.items():
            is_special = name.startswith("__")
            may_run = type(value) in self.iterated if name == "__iter__" else is_special or name in self.mentioned
            if (name == method or not method) and may_run and not _is_exhausted(value):
                self.check(*reads)

    def check(self, roots: Iterable[Any], names: Collection[str] | None, whose: str) -> None:
        """Break the graph if code that mentions ``names`` (None: any) can reach a stand-in from ``roots``; ``whose``: the code."""
        todo, visited = list(roots), set()
        tests_types = names is not None and not _TYPE_TESTS.isdisjoint(names)
        while todo:
            value = todo.pop()
            if id(value) in visited:
                continue
            visited.add(id(value))
            cls = type(value)
            if cls is types.FunctionType and names is not None:  # the code may call it, and so read the names that it mentions
                names = {*names, *names_in(value.__code__)}
            if (STAND_INS[cls] or tests_types) if cls in STAND_INS else id(value) in self.effects.traced_lists:
                traced = "a value" if cls in STAND_INS else "a list"
                raise broken(
                    f"{whose} may read {traced} that depends on tensors{in_expression()}, and runs untranslated",
                    "a named method, `def size(self)`, in place of a property or operator; a plain function in place of a "
                    "generator; a tensor of the items, `paddle.stack(items)`",
                )
            todo += [x for x in referents(value, names) if names is not None or not isinstance(x, types.FunctionType | type)]


def _is_exhausted(value: object) -> bool:
    """True for a generator that has ended."""
    return isinstance(value, types.GeneratorType) and inspect.getgeneratorstate(value) == inspect.GEN_CLOSED
