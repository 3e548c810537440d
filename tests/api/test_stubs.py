"""The stubs that editors and type checkers read have the names that the packages have, and the samples use no others."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import warnings
from pathlib import Path
from types import ModuleType

import pytest

from tests.api import stubs

SAMPLES = sorted((stubs.ROOT / "samples").glob("*.py"))


def test_stubs_are_up_to_date() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the expressions that tell what functions give
        stale = [
            package for package in stubs.PACKAGES if stubs.stub(package) != _path(package).read_text(encoding="utf-8")
        ]
    assert not stale, f"the stubs of {stale} differ from their packages: run `make stubs`"


@pytest.mark.parametrize("name", stubs.OVERLOADS)
def test_overloads_take_what_the_functions_take(name: str) -> None:
    function = getattr(importlib.import_module("to_static"), name)
    for parameters, _ in stubs.OVERLOADS[name]:
        definition = ast.parse(f"def f({parameters}): ...").body[0]
        assert isinstance(definition, ast.FunctionDef)
        arguments = definition.args
        assert [a.arg for a in arguments.args + arguments.kwonlyargs] == list(inspect.signature(function).parameters)


def test_every_package_that_looks_names_up_has_a_stub() -> None:
    wrong = []
    for path in (stubs.ROOT / "to_static").rglob("__init__.py"):
        package = ".".join(path.parent.relative_to(stubs.ROOT).parts)
        if "compiler" not in path.parts and package not in stubs.PACKAGES:
            inner = {p.stem for p in path.parent.glob("*.py")} | {p.parent.name for p in path.parent.glob("*/__init__.py")}
            public = getattr(importlib.import_module(package), "__all__", ())
            wrong += [f"{package}.{name}" for name in public if name not in _bound(path) | inner]
    assert not wrong, f"no editor sees {wrong}: add the package to stubs.PACKAGES and run `make stubs`"
    assert (stubs.ROOT / "to_static" / "py.typed").is_file()


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_samples_use_names_of_stubs(sample: Path) -> None:
    assert unknown(sample.read_text(encoding="utf-8")) == []


def test_unknown_names_are_found() -> None:
    assert unknown("import to_static as paddle\npaddle.nn.Nothing(), paddle.nn.Linear, paddle.nothing") == [
        "nn.Nothing",
        "nothing",
    ]
    assert unknown("from to_static.vision import nothing, models") == ["vision.nothing"]


def unknown(source: str) -> list[str]:
    """The names below the package that a program uses and that the stubs have not."""
    tree = ast.parse(source)
    chains = [names for node in ast.walk(tree) if (names := _chain(node)) and names[0] in ("paddle", "to_static")]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in ("paddle", "to_static"):
            chains += [[*node.module.split("."), alias.name] for alias in node.names]
    return sorted({".".join(names[1 : i + 1]) for names in chains if (i := _first_unknown(names))})


def _chain(node: ast.AST) -> list[str]:
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.insert(0, node.attr)
        node = node.value
    return [node.id, *names] if isinstance(node, ast.Name) and names else []


def _first_unknown(names: list[str]) -> int:
    """Which of the names no stub has; 0 where all are there, or are members of a class or function."""
    package = "to_static"
    for i, name in enumerate(names[1:], 1):
        if package in stubs.PACKAGES:
            if name not in _declared(package):
                return i
        elif name not in dir(importlib.import_module(package)):
            return i
        if not isinstance(getattr(importlib.import_module(package), name), ModuleType):
            return 0
        package = f"{package}.{name}"
    return 0


def _declared(package: str) -> set[str]:
    return _bound(_path(package))


@functools.cache
def _bound(path: Path) -> set[str]:
    """The names that a module binds."""
    names: set[str] = set()
    nodes: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while nodes:
        node = nodes.pop()
        nodes += [] if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else ast.iter_child_nodes(node)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


def _path(package: str) -> Path:
    return Path(importlib.import_module(package).__file__ or "").with_suffix(".pyi")
