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
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.object_graph import names_in, referents
from to_static.core.diagnostics.source_expressions import in_expression

if TYPE_CHECKING:
    from to_static.compiler.frontend.tracing.side_effects import SideEffects

STAND_INS: dict[type, bool] = {}  # kinds of values that stand for Python's: True if not even `is` and `len` have Python's answer
_TYPE_TESTS = frozenset(["isinstance", "issubclass", "type", "__class__"])


class UntranslatedReads:
    """Objects from which code that a trace can't see starts, each with the names that this mentions."""

    def __init__(self, effects: SideEffects) -> None:
        self.effects: SideEffects = weakref.proxy(effects)  # whose part this is: a cycle would wait for the garbage collector
        self.watched: dict[tuple[int, str], tuple[Any, Any, Any, str]] = {}
        self.mentioned: set[str] = set()  # names of attributes that the program mentions
        self.iterated: set[type] = set()  # classes of objects of which Python takes the items

    def add(self, value: object, method: str, names: Iterable[str], whose: str, reads: object = None) -> None:
        """A method of ``value`` (``whose``, in words) that mentions ``names`` may run from now on, from ``reads`` or the value."""
        if names and (id(value), method) not in self.watched:
            self.watched[id(value), method] = value, [value] if reads is None else reads, names, whose
            if method.startswith("__") or method in self.mentioned:
                self.mention(names)
            self.check_all(method)

    def mention(self, names: Iterable[str]) -> None:
        """The program mentions these attributes, which may be properties."""
        new = set(names) - self.mentioned
        self.mentioned |= new
        for method in {method for _, method in self.watched} & new:
            self.mention({name for (_, read_method), what in self.watched.items() if read_method == method for name in what[2]})
            self.check_all(method)

    def iterate(self, value: object) -> None:
        """Python takes the items of ``value``, and perhaps of what that holds."""
        self.iterated |= {type(value), *map(type, getattr(value, "__dict__", {}).values())}
        self.check_all("__iter__")

    def check_before(self, state: Any) -> None:
        """Something is about to take the place of ``state``."""
        if self.watched and (type(state) in STAND_INS or id(state) in self.effects.lists or isinstance(state, (list, tuple, dict))):
            self.check_all()

    def check_all(self, method: str = "") -> None:
        """Break where some of that code, or a method of this name, may come to a stand-in now."""
        for (_, name), (value, *what) in self.watched.items():
            special = name.startswith("__")
            runs = type(value) in self.iterated if name == "__iter__" else special or name in self.mentioned
            if (name == method or not method) and runs and not _is_done(value):
                self.check(*what)

    def check(self, roots: Iterable[Any], names: Collection[str] | None, whose: str) -> None:
        """Break where code that mentions ``names`` (None: all) may come from ``roots`` to a stand-in."""
        todo, visited = list(roots), set()
        tests_types = names is not None and not _TYPE_TESTS.isdisjoint(names)
        while todo:
            value = todo.pop()
            if id(value) in visited:
                continue
            visited.add(id(value))
            cls = type(value)
            if cls is types.FunctionType and names is not None:  # it may be called: then what it mentions is read, too
                names = {*names, *names_in(value.__code__)}
            if (STAND_INS[cls] or tests_types) if cls in STAND_INS else id(value) in self.effects.lists:
                what = "a value" if cls in STAND_INS else "a list"
                raise broken(
                    f"{whose} may read {what} that depends on tensors{in_expression()}, and runs untranslated",
                    "a named method, `def size(self)`, in place of a property or operator; a plain function in place of a "
                    "generator; a tensor of the items, `paddle.stack(items)`",
                )
            todo += [x for x in referents(value, names) if names is not None or not isinstance(x, types.FunctionType | type)]


def _is_done(value: object) -> bool:
    return isinstance(value, types.GeneratorType) and inspect.getgeneratorstate(value) == inspect.GEN_CLOSED
