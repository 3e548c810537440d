"""Imports run only downwards: a module imports from rows below its own, never from one above, not even inside a function.

A text that is the name of a module counts as an import of it: `importlib.import_module` gets it, or a table of names that load on
first use. Paddle's inner modules are no imports: `core/importing/paddle_module_aliases.py` finds their names by paths of Paddle.
Rooms of one row are strangers, but for the pairs in `NEIGHBOURS`: the first is built from the second, and no pairs make a circle.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Sequence
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import to_static

ROOT = Path(to_static.__file__).parent

ROWS = [
    ["core"],
    ["compiler", "compiler.frontend", "compiler.ir", "compiler.frontend.transpile", "version", "sysconfig"],
    ["compiler.ops"],
    ["compiler.autodiff", "compiler.passes", "compiler.runtime", "compiler.formats"],
    ["compiler.eager", "regularizer", "device", "hub", "fft", "signal"],
    ["compiler.selected_rows"],
    ["nn", "optimizer", "io", "metric", "amp", "vision", "linalg", "utils", "distribution", "geometric", "sparse", "audio", "text"],
    ["compiler.frontend.tracing"],
    ["compiler.frontend.jst"],
    ["compiler.frontend.function"],
    ["compiler.saved"],
    ["autograd"],
    ["jit", "static", "inference", "onnx", "distributed", "framework", "incubate", "callbacks", "profiler", "quantization",
     "compiler.tuning"],
    ["hapi", "base", "_C_ops", "_legacy_C_ops"],
    ["__init__"],
    ["serve"],
    ["batch"],
    ["cli", "__main__"],  # a user of the public names, like everybody
]
RANK = {name: rank for rank, row in enumerate(ROWS) for name in row}
# `transpile` knows nothing but the ground floor; these pairs of one row may meet because one is built from the other.
ONLY_CORE = {"compiler.frontend.transpile"}
NEIGHBOURS = {
    ("vision", "io"), ("vision", "nn"), ("optimizer", "nn"), ("amp", "nn"), ("amp", "optimizer"),
    ("distributed", "framework"), ("distributed", "jit"), ("distributed", "static"),
    ("sparse", "nn"), ("audio", "io"), ("audio", "nn"), ("text", "io"), ("text", "nn"),
    ("static", "framework"), ("quantization", "static"), ("quantization", "distributed"), ("__main__", "cli"),
}  # fmt: skip
# texts that are the name of a module and import nothing: the namespace of a protobuf schema, a look at what is loaded already
NAMED_ONLY = {("compiler.formats", "to_static.onnx"), ("core", "to_static.nn")}


def room(parts: Sequence[str]) -> str:
    """The room of a module, by the parts of its name below the package."""
    return ".".join(parts[: 1 + parts[0].startswith("compiler") + (tuple(parts[:2]) == ("compiler", "frontend"))])


@functools.cache
def imports(path: Path) -> list[tuple[int, str]]:
    """All (line, room) that a file imports from this package."""
    return _imports_of(path, path.read_text(encoding="utf-8"))


def _imports_of(path: Path, source: str) -> list[tuple[int, str]]:
    found = []
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.Constant) and _names_a_module(node.value) and (_room_of(path), node.value) not in NAMED_ONLY:
            names = [node.value]
        for name in names:
            if name.split(".")[0] == "to_static":
                found.append((node.lineno, room(name.split(".")[1:] or ["__init__"])))
    return found


@pytest.mark.parametrize("folder", sorted({path.parent for path in ROOT.rglob("*.py")}), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_run_downwards(folder):
    for path in sorted(folder.glob("*.py")):
        _check(path)


def test_neighbours_are_needed_and_make_no_circle():
    every = {(_room_of(path), other) for path in ROOT.rglob("*.py") for _, other in imports(path)}
    pairs = {(room, other) for room, other in every if RANK[room] == RANK.get(other)}
    assert pairs >= NEIGHBOURS, f"these import nothing of each other: take {NEIGHBOURS - pairs} out of NEIGHBOURS"
    TopologicalSorter({room: {b for a, b in NEIGHBOURS if a == room} for room, _ in NEIGHBOURS}).prepare()  # raises for a circle


def _names_a_module(text):
    if type(text) is not str or not re.fullmatch(r"to_static(\.\w+)+", text):
        return False
    path = ROOT.joinpath(*text.split(".")[1:])
    return path.is_dir() or path.with_suffix(".py").is_file()


def test_a_text_that_names_a_module_is_an_import():
    path = ROOT / "optimizer" / "made_for_this_test.py"  # which is not there: only its name counts
    source = """
def block():
    return importlib.import_module("to_static.static").default_main_program(), "to_static.nothing", "to_static.static is a module"

_HOMES = {"to_static.nn.linear": "Linear", "to_static.onnx": "export"}
"""
    assert sorted(_imports_of(path, source)) == [(3, "static"), (5, "nn"), (5, "onnx")]
    assert sorted(_imports_of(ROOT / "compiler" / "formats" / "onnx" / "schema.py", source)) == [(3, "static"), (5, "nn")]


def _room_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return room(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def _check(path):
    mine = _room_of(path)
    assert mine in RANK, f"{mine} has no place in the layers: add it to ROWS and to docs/architecture.md"
    for line, other in imports(path):
        if other == mine or (mine, other) in NEIGHBOURS:
            continue
        assert other in RANK, f"{path}:{line} imports to_static.{other}, which has no place in the layers"
        assert RANK[other] < RANK[mine], f"{path}:{line}: {mine} may not import {other}"
        if mine in ONLY_CORE:
            assert other == "core", f"{path}:{line}: {mine} imports core only"
