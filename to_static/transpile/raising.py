"""Which functions of a module a ``try`` of it may catch errors of, as far as names tell: what is printed asks these only."""

from __future__ import annotations

import ast
import functools
from typing import Any

from to_static.transpile import visiting


@functools.lru_cache(maxsize=64)
def caught_names(module: ast.AST) -> frozenset[str]:
    """Names of functions and classes that may fail, or call others that do, and are called in a ``try`` or ``with``."""
    calls: dict[str, set[str]] = {}
    failing: set[str] = set()
    nodes: list[Any] = list(visiting.walk(module))  # type: ignore[arg-type]
    for node in nodes:
        body = node if isinstance(node, ast.FunctionDef) else _start(node) if isinstance(node, ast.ClassDef) else None
        if body is not None:
            calls.setdefault(node.name, set()).update(_called(body))
            if any(map(_fails, visiting.walk(body))):
                failing.add(node.name)
    while more := {name for name, called in calls.items() if called & failing} - failing:
        failing |= more
    tries = [n for n in nodes if isinstance(n, ast.Try) or (isinstance(n, ast.With) and _ends(n, calls))]
    called: set[str] = set().union(*map(_called, tries))
    held = called & {_stored(n) for n in nodes} - set(calls) if failing else set()  # variables and attributes: any function
    found = failing | held if held else called & failing
    if tries:
        found |= {name for name in failing if is_special(name)}  # no call of these is written
    while more := {name for known in found for name in calls.get(known, set()) & failing} - found:
        found |= more
    return frozenset(found)


@functools.lru_cache(maxsize=64)
def setters(module: ast.AST) -> frozenset[str]:
    """Names of the properties whose setters the module defines."""
    functions = (n for n in visiting.walk(module) if isinstance(n, ast.FunctionDef))  # type: ignore[arg-type]
    return frozenset(f.name for f in functions if any(getattr(d, "attr", "") == "setter" for d in f.decorator_list))


def is_special(name: str) -> bool:
    """Whether Python calls a method of this name by itself, other than for calls."""
    return name.startswith("__") and name.endswith("__") and name not in ("__init__", "__call__", "__enter__", "__exit__")


def _start(kind: ast.ClassDef) -> Any:
    """What runs when an object of a class is made."""
    return next((f for f in kind.body if isinstance(f, ast.FunctionDef) and f.name == "__init__"), None)


def _fails(node: Any) -> bool:
    if isinstance(node, ast.Subscript):
        return not isinstance(node.slice, (ast.Constant, ast.Slice, ast.Tuple))
    divides = isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod))
    return isinstance(node, (ast.Raise, ast.Assert)) or (divides and not isinstance(node.right, ast.Constant))


def _ends(node: ast.With, known: dict[str, set[str]]) -> bool:
    """Whether an object of this ``with`` may do something about an error."""
    return any(not isinstance(i.context_expr, ast.Call) or _called(i.context_expr) & {"suppress", *known} for i in node.items)


def _stored(node: Any) -> str:
    """The variable or attribute that gets a value here; '' for what is none."""
    if not isinstance(getattr(node, "ctx", None), ast.Store):
        return ""
    return getattr(node, "attr", getattr(node, "id", ""))


def _called(node: Any) -> set[str]:
    functions = (n.func if isinstance(n, ast.Call) else n for n in visiting.walk(node) if isinstance(n, (ast.Call, ast.Attribute)))
    return {getattr(f, "attr", getattr(f, "id", "")) for f in functions}  # attributes may be properties
