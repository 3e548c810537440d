"""An explanation of the translation, line by line. It is read from the translated text, so it can't disagree with it."""

from __future__ import annotations

import ast
import bisect
from collections.abc import Iterator
from typing import Any

from to_static.compiler.frontend.transpile.builtin_table import BUILTINS
from to_static.compiler.frontend.transpile.module import is_done, prepared

# operator -> what it became, and why; of builtins the table of these says it
BECAME = {
    "if_": "a branch: both sides are in the Program when the condition is a tensor, else Python takes one while tracing",
    "while_": "a loop: a loop of the Program when the condition is a tensor, else Python repeats the body while tracing",
    "for_": "a loop: a loop of the Program over a tensor or a traced range, else Python repeats the body while tracing",
    "and_": "`and`: the right side is in a branch, so that it does not run when the left side is false",
    "or_": "`or`: the right side is in a branch, so that it does not run when the left side is true",
    "and_value": "`and` whose value is used: as above, and one of the operands is the result",
    "or_value": "`or` whose value is used: as above, and one of the operands is the result",
    "not_": "`not`: a boolean tensor when the operand is a tensor",
    "compare": "a chained comparison: each part is computed once, later ones only where the earlier hold",
    "assert_": "a check at every run when the condition is a tensor, with the same message",
    "call": "a call: the function called is translated too when it is yours, once",
    "value_of": "an item of which only the numbers are used: it shares its memory with nobody",
    "any_of": "any of a generator expression: nothing is computed behind the first that is true",
    "all_of": "all of a generator expression: nothing is computed behind the first that is false",
    "first_of": "next of a generator expression: nothing is computed behind the first",
    "caught": "the body of a `try`: an error that depends on a tensor is refused here",
    "list_of": "a list comprehension: a list of the Program where its condition or what it goes over is a tensor",
    "dict_display": "a dict with keys that may be tensors",
    "set_display": "a set with members that may be tensors",
    "flat_list_of": "a list comprehension with several `for`: as above",
    "is_": "`is`: answered at every run for a variable that is None or a tensor, say, depending on a tensor",
    "is_not": "`is not`: answered at every run for a variable that is None or a tensor, say, depending on a tensor",
    "in_": "`in`: compared at every run when tensors take part",
    "not_in": "`not in`: compared at every run when tensors take part",
    "class_of": "`__class__`, for numbers and lists of the Program that of the Python values they stand for",
    "evaluated": "`eval`: the text becomes a function of the module, translated once",
    "percent": "a `%` format, made at every run if a tensor is in it",
    "text": "an f-string, made at every run if a tensor is in it",
    "unbound": "a marker: some path does not assign this variable",
    "bound": "a use of a variable that some path does not assign: Python's own error when that path was taken",
    "at": "an item by an index or key that may be a tensor: chosen at every run",
    "attribute": "an attribute that is a property of a class: what that runs is translated, too",
    "resolve_list": "a list in an expression such as `items + more`: the list of the Program that stands for it, if there is one",
    "spread": "the translated form of what is called with a star, which may hand it as many arguments as a tensor says",
    "starred": "`*items`, also of a list of the Program",
    "display": "a list or tuple with a star in it, also before a list of the Program",
    "item_values": "the parts of an item that a comprehension takes apart, also of a list of the Program",
    "unpack": "an assignment with a star, also from a list of the Program",
    "assign": "an assignment expression to a variable that closures share, announced",
    "outer": "a global or nonlocal variable, which a branch or loop may change",
    "guard_stop_gradient": "`stop_gradient` or `trainable` of a tensor: from outside, followed between calls",
    "touch": "a change of an object from outside: announced, since it can't be undone when a branch is not taken",
    "touch_entry": "an entry of the namespace of an object that changes: announced, too",
    "sequence": "the pattern `[a, b]`, also for a list of the Program",
    "instance": "the pattern `Kind(a, field=b)`",
    "field": "what `a` gets in the pattern `Kind(a)`",
    "decided": "a condition around a `yield` in a generator whose items are taken one by one: Python's",
    "entering": "a `with` of an object of the user's: an error that depends on a tensor is refused here",
    "cells": "variables that functions inside share with this one, as attributes of one object",
    "caught_types": "what the clauses of a `try` catch",
    "raises": "a raise under a condition: a check at every run when the condition is a tensor",
}


_KEPT = {
    ast.If: "if: Python's own: its condition is a Python value for sure, whatever the variables hold",
    ast.IfExp: "a ternary: Python's own: its condition is a Python value for sure, whatever the variables hold",
    ast.For: "for: Python's own: what it goes over is written out here, so it is repeated while tracing",
}
_JUMPS = {
    ast.Break: "break: a flag, `broke`, that ends the loop; what follows here runs only while it is not set",
    ast.Continue: "continue: what follows in the body moved into the other branch, or behind a flag, `skipped`",
    ast.Return: "return in a loop: a flag, `returned`, ends the loop, and `result` keeps the value until the function ends",
}


def explain_module(source: str, filename: str = "<module>", function: str | None = None) -> str:
    """One line for each construct that translation changed: where, what it became and why. Arguments as `transpile_module`.

    Example:
        >>> print(explain_module(open('net.py').read(), 'net.py'))
        net.py:7: while n > 1
            _jst.while_: a loop: ...
    """
    module = prepared(source, filename, function)
    pieces = []
    for node in module.chosen:
        name = module.full_name(node)
        if is_done(node):
            pieces.append(f"{name} ({filename}:{node.lineno}): translated already")
            continue
        result = module.printed(node)
        starts = sorted(result.lines)
        notes: dict[int, dict[str, None]] = {}  # by line: what to say of it, once each, in this order
        untranslated_lines = {node_class: _lines_with(node, node_class) for node_class in _KEPT}
        inner: Any
        for inner in ast.walk(ast.parse(result.text)):
            operator = isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name) and inner.value.id == "_jst"
            if operator or type(inner) in _KEPT:
                start_index = bisect.bisect_right(starts, inner.lineno) - 1
                line = result.lines[starts[start_index]] if start_index >= 0 else node.lineno
                if operator:
                    words = BECAME[inner.attr] if inner.attr in BECAME else BUILTINS[inner.attr].words
                    text = f"_jst.{inner.attr}: {words}"
                elif line in untranslated_lines[type(inner)]:
                    text = _KEPT[type(inner)]
                else:
                    continue  # of our own making
                notes.setdefault(line, {})[text] = None
        for jump in _jumps(node.body, False):
            notes.setdefault(jump.lineno, {})[_JUMPS[type(jump)]] = None
        pieces.append(f"{name} ({filename}:{node.lineno})" + ("" if notes else ": nothing to change"))
        for line in sorted(notes):
            pieces.append(f"  {filename}:{line}: {module.lines[line - 1].strip()}")
            pieces += [f"      {text}" for text in notes[line]]
    return "\n".join(pieces) + "\n"


def _lines_with(function: ast.AST, cls: type[ast.AST]) -> set[int]:
    return {n.lineno for n in ast.walk(function) if isinstance(n, cls)}  # type: ignore[attr-defined]


def _jumps(code: list[Any], inside: bool) -> Iterator[ast.stmt]:
    """The breaks and continues, and the returns in loops, of the user's text."""
    for s in code:
        if isinstance(s, (ast.Break, ast.Continue)) or (isinstance(s, ast.Return) and inside):
            yield s
        inner = not isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and inside
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            below = getattr(s, part, [])
            yield from _jumps(below, inner or (isinstance(s, (ast.For, ast.While)) and part == "body"))
