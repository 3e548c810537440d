"""Docstrings of public functions and classes: an example, every parameter, and the errors that the function raises itself.

In-place forms point to the function whose arguments, errors and example they share.
"""

from __future__ import annotations

import ast
import enum
import importlib
import inspect
import re
import textwrap
from collections.abc import Callable
from functools import cache
from typing import Any

import to_static
from to_static.core.diagnostics.paddle_names import NAMES

POINTER = re.compile(r"`[\w.]+` for the[^.]*arguments|[Aa]rguments[^.]*`[\w.]+`")  # to the docstring of the same arguments
IN_PLACE = re.compile(r"In-place form of `(\w+)`")


@cache
def public() -> list[tuple[str, str, Any]]:
    """(room, name, object) of every public function and class, once."""
    things, ids = [], set()
    for room in NAMES:
        try:
            module = importlib.import_module("to_static" if room == "paddle" else f"to_static.{room}")
        except ModuleNotFoundError:
            continue
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            if callable(thing) and not inspect.ismodule(thing) and id(thing) not in ids:
                ids.add(id(thing))
                things.append((room, name, thing))
    return things


def docstring(thing: Any) -> str:
    """The text about a function, or about a class and its constructor."""
    own = inspect.getdoc(thing) or ""
    return f"{own}\n{inspect.getdoc(thing.__init__) or ''}" if inspect.isclass(thing) else own


def unnamed(thing: Any) -> list[str]:
    """The parameters that the docstring does not name, unless it points to one that does."""
    if POINTER.search(docstring(thing)) or (inspect.isclass(thing) and issubclass(thing, enum.Enum)):
        return []
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (ValueError, TypeError):  # of a class in C
        return []
    many = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    names = [p.name for p in parameters if p.kind not in many and p.name != "name" and not p.name.startswith("_")]
    return [name for name in names if not re.search(rf"\b{name}\b", docstring(thing))]


def raises(thing: Any) -> bool:
    """Whether the function, or the constructor of the class, has a ``raise`` of its own."""
    try:
        tree: Any = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(thing)))).body[0]
    except (OSError, TypeError, SyntaxError):  # written by a program, or in C
        return False
    if isinstance(tree, ast.ClassDef):
        tree = next((node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "__init__"), None)
    return tree is not None and any(isinstance(node, ast.Raise) and node.exc is not None for node in ast.walk(tree))


def lacking(says: Callable[[Any, str], Any]) -> list[str]:
    """The public things whose docstring lacks something, by ``says(thing, text)``."""
    texts = [(f"{room}.{name}", thing, docstring(thing)) for room, name, thing in public()]
    return [name for name, thing, text in texts if not IN_PLACE.search(text) and not says(thing, text)]


def test_public_things_have_an_example() -> None:
    assert lacking(lambda thing, text: ">>>" in text or text.startswith("Raises ")) == []  # the latter have nothing to show


def test_docstrings_name_every_parameter() -> None:
    assert lacking(lambda thing, text: not unnamed(thing)) == []


def test_docstrings_name_the_errors_that_a_function_raises() -> None:
    assert lacking(lambda thing, text: not raises(thing) or re.search(r"[Rr]aise|Error|refuse", text)) == []


def test_in_place_forms_point_to_a_public_function() -> None:
    forms = [(name, match[1]) for _, name, thing in public() if (match := IN_PLACE.search(docstring(thing)))]
    assert forms
    homes = to_static, to_static.nn.functional
    assert [pair for pair in forms if not any(hasattr(home, pair[1]) for home in homes)] == []


def test_what_is_lacking_is_found() -> None:
    def scaled(x: Any, factor: float) -> Any:
        """``x`` times a number."""
        if not factor:
            raise ValueError("no factor")

    assert unnamed(scaled) == ["factor"]
    assert raises(scaled)
    assert not raises(docstring)
