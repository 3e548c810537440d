"""`Context`: the state that all passes share for one function: names in use, the meaning of names, errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import gast

from to_static.core.diagnostics.source_location import SourceLocation, report
from to_static.core.errors import TranslationError


@dataclass
class Context:
    """One function being translated.

    ``library(expression)`` says whether a called expression surely is library code; ``builtin(name)`` whether a name
    surely means Python's builtin. The translation does for every call of the function, those under a tensor condition included.
    """

    file: str
    function: str
    used_names: set[str]
    library: Callable[[gast.expr], bool]
    builtin: Callable[[str], bool]
    class_name: str | None = None
    self_name: str | None = None
    lines: list[str] = field(default_factory=list)
    finishes: bool = False  # a `finally` may change what the function returns
    nonlocals: set[str] = field(default_factory=set)  # variables of the function around that this one assigns
    declared: dict[str, str] = field(default_factory=dict)  # 'global' or 'nonlocal' by name
    generated: set[str] = field(default_factory=set)
    flags: set[str] = field(default_factory=set)  # what stands for jumps
    temporaries: set[str] = field(default_factory=set)  # the translator's own variables, read only right after they are set
    locals: set[str] = field(default_factory=set)
    around: frozenset[str] = frozenset()  # variables of functions around this one
    assigned: frozenset[str] = frozenset()  # attributes that the module changes after the objects are made
    properties: frozenset[str] = frozenset()  # names of attributes that may be the user's code
    may_be_dynamic: set[str] = field(default_factory=set)  # names whose kind of value (None, string, tensor) may depend on tensors
    optional: frozenset[str] = frozenset()  # names that are None somewhere: a tensor may decide whether they are
    parameters: frozenset[str] = frozenset()
    constant_until: dict[str, int] = field(default_factory=dict)  # parameters that are the caller's up to this line
    outlined_names: dict[str, str] = field(default_factory=dict)  # the names of outlined functions, in all scopes

    def unique_name(self, name: str) -> str:
        """Return an unused name: ``name``, or ``name_2``, ...; it counts as used from now on."""
        candidate, count = name, 1
        while candidate in self.used_names:
            count += 1
            candidate = f"{name}_{count}"
        self.used_names.add(candidate)
        return candidate

    def variable(self, name: str) -> str:
        """Return the name of a new local variable, whose values may have any type."""
        unique = self.unique_name(name)
        self.temporaries.add(unique)
        self.may_be_dynamic.add(unique)
        self.locals.add(unique)
        return unique

    def flag(self, name: str) -> str:
        """Return the name of a new variable for a jump (did it happen?) or for the value that a ``return`` carries."""
        unique = self.unique_name(name)
        self.flags.add(unique)
        return unique

    def outlined(self, name: str) -> str:
        """Return a name for a function that is called right after its definition, so that several scopes may use it."""
        if name not in self.outlined_names:
            self.outlined_names[name] = self.unique_name(name)
        return self.outlined_names[name]

    def refuse(self, node: gast.AST, what: str, rewrite: str) -> TranslationError:
        """Return the error for a construct that has no translation: what it is, where, and what to write instead."""
        line = getattr(node, "lineno", 1)
        site = SourceLocation(self.file, line, self.function)
        return TranslationError(report(f"cannot translate {what}", site, rewrite), self.file, line)
