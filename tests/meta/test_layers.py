"""Imports run only downwards: a module imports from rows below its own, never sideways or up, not even inside a function."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import to_static

ROOT = Path(to_static.__file__).parent

ROWS = [
    ["core"],
    ["ir", "transpile", "version", "sysconfig"],
    ["ops"],
    ["autodiff", "passes", "runtime", "formats"],
    ["eager", "regularizer", "device", "hub", "fft", "signal"],
    ["nn", "optimizer", "io", "metric", "amp", "vision", "linalg", "utils", "distribution", "geometric", "sparse", "audio", "text"],
    ["tracing"],
    ["lower"],
    ["function"],
    ["saved"],
    ["autograd"],
    ["jit", "static", "inference", "onnx", "distributed", "framework", "incubate", "callbacks", "profiler", "quantization",
     "tuning"],
    ["hapi", "base", "_C_ops", "_legacy_C_ops", "__init__"],
    ["cli", "__main__"],  # a user of the public names, like everybody
]
RANK = {name: rank for rank, row in enumerate(ROWS) for name in row}
# `transpile` knows nothing but the ground floor; these pairs of one row may meet because one is built from the other.
ONLY_CORE = {"transpile"}
NEIGHBOURS = {
    ("vision", "io"), ("vision", "nn"), ("optimizer", "nn"), ("amp", "nn"), ("amp", "optimizer"),
    ("static", "jit"), ("jit", "framework"), ("distributed", "framework"), ("distributed", "jit"),
    ("sparse", "nn"), ("audio", "io"), ("audio", "nn"), ("text", "io"), ("text", "nn"),
    ("static", "framework"), ("quantization", "static"), ("quantization", "distributed"), ("inference", "jit"), ("__main__", "cli"),
}  # fmt: skip


def room(path: Path) -> str:
    part = path.relative_to(ROOT).parts[0]
    return part.removesuffix(".py")


def imports(path: Path) -> list[tuple[int, str]]:
    """All (line, room) that a file imports from this package."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            if node.module == "to_static":
                names = [f"to_static.{alias.name}" for alias in node.names]
            elif node.module:
                names = [node.module]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            if name.split(".")[0] == "to_static":
                found.append((node.lineno, (name.split(".") + ["__init__"])[1]))
    return found


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_run_downwards(path):
    mine = room(path)
    assert mine in RANK, f"{mine} has no place in the layers: add it to ROWS and to docs/architecture.md"
    for line, other in imports(path):
        if other == mine or (mine, other) in NEIGHBOURS:
            continue
        assert other in RANK, f"{path}:{line} imports to_static.{other}, which has no place in the layers"
        assert RANK[other] < RANK[mine], f"{path}:{line}: {mine} may not import {other}"
        if mine in ONLY_CORE:
            assert other == "core", f"{path}:{line}: {mine} imports core only"
