"""Docstrings of public functions and classes: an example, every parameter, and the errors that the function raises itself.

The numbers of what is missing may only fall. In-place forms point to the function whose arguments, errors and example they share.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import to_static
from to_static.core.diagnostics.paddle_names import NAMES

POINTER = re.compile(r"`[\w.]+` for the[^.]*arguments|[Aa]rguments[^.]*`[\w.]+`")  # to the docstring of the same arguments
IN_PLACE = re.compile(r"In-place form of `(\w+)`")
# how many public things of a room lack something, at most; rooms that are not here lack nothing. Lower a number when it falls.
NO_EXAMPLE: dict[str, int] = {
    "paddle": 1, "nn.functional": 1, "static": 6, "static.nn": 2, "distribution": 10, "vision": 2, "vision.transforms": 31,
    "vision.models": 38, "vision.ops": 3, "vision.datasets": 4, "amp": 2, "amp.debugging": 6, "autograd": 3, "incubate": 3,
    "incubate.nn": 3, "incubate.nn.functional": 15, "incubate.autograd": 7, "distributed": 50, "distributed.fleet": 24,
    "callbacks": 1, "inference": 11, "device": 9, "device.cuda": 6, "profiler": 6, "quantization": 9, "geometric": 2,
    "framework": 11, "version": 7, "sysconfig": 2,
}  # fmt: skip
NO_PARAMETER: dict[str, int] = {
    "paddle": 1, "optimizer.lr": 1, "static": 3, "static.nn": 1, "distribution": 1, "vision": 1, "vision.transforms": 32,
    "vision.models": 32, "vision.ops": 6, "vision.datasets": 2, "amp": 3, "amp.debugging": 3, "autograd": 3, "incubate": 8,
    "incubate.nn": 5, "incubate.nn.functional": 11, "incubate.autograd": 2, "distributed": 37, "distributed.fleet": 9,
    "audio": 1, "audio.functional": 1, "hub": 2, "inference": 9, "utils": 6, "device": 4, "device.cuda": 5, "profiler": 8,
    "quantization": 11, "geometric": 2, "framework": 6,
}  # fmt: skip
NO_ERROR: dict[str, int] = {
    "distribution": 6, "vision.transforms": 1, "amp": 1, "autograd": 1, "incubate.nn.functional": 2, "inference": 1,
    "utils": 1, "quantization": 1,
}  # fmt: skip


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
    if POINTER.search(docstring(thing)):
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


def lacking(says: Any) -> Iterator[tuple[str, str]]:
    """(room, name) of the public things whose docstring lacks something, by ``says(thing, text)``."""
    for room, name, thing in public():
        text = docstring(thing)
        if not IN_PLACE.search(text) and not says(thing, text):
            yield room, name


def check(found: Iterator[tuple[str, str]], most: dict[str, int]) -> None:
    """Compare the numbers of a room with those that it may have."""
    names = list(found)
    counts = Counter(room for room, _ in names)
    more = {room: [name for of, name in names if of == room] for room in counts if counts[room] > most.get(room, 0)}
    assert not more, f"docstrings lack something: {more}"
    fewer = {room: counts[room] for room in most if counts[room] < most[room]}
    assert not fewer, f"lower the numbers: {fewer}"


def test_public_things_have_an_example() -> None:
    check(lacking(lambda thing, text: ">>>" in text), NO_EXAMPLE)


def test_docstrings_name_every_parameter() -> None:
    check(lacking(lambda thing, text: not unnamed(thing)), NO_PARAMETER)


def test_docstrings_name_the_errors_that_a_function_raises() -> None:
    check(lacking(lambda thing, text: not raises(thing) or re.search(r"[Rr]aise|Error|refuse", text)), NO_ERROR)


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
