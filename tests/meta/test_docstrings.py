"""Docstrings say what a thing is or does: none opens with a bare clause; their lists name what is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import to_static

ROOT = Path(to_static.__file__).parent
CLAUSE = re.compile(r'^ *"""(?:What|Which|How|Whether|Where|When|Who|Why)\b', re.M)


def opening(source: str) -> int:
    """How many docstrings of a source open with a clause."""
    return len(CLAUSE.findall(source))


def test_docstrings_open_with_what_they_describe() -> None:
    modules = [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py") if opening(path.read_text(encoding="utf-8"))]
    assert not modules, "a docstring opens with a bare clause: begin with a noun or a verb"


def test_what_counts() -> None:
    assert opening('def f():\n    """What a call gives."""\n') == 1
    assert opening('"""Which mode is on."""') == 1
    assert opening('def f():\n    """Return what a call gives. Which one is said."""') == 0
    assert opening('def f():\n    """Whatever comes."""') == 0


SECTION = re.compile(r"^(?P<section>Args|Attributes):\n(?P<lines>(?:[ \t]+.*(?:\n|$)|\n)+)", re.M)


def listed(docstring: str) -> set[str]:
    """The names with which the lines of the sections Args and Attributes begin."""
    names: set[str] = set()
    for section in SECTION.finditer(docstring):
        lines = section["lines"].splitlines()
        indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
        for line in lines:
            entry = re.match(r" {%d}(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: \([^)]*\))?:" % indent, line)
            names.update(re.findall(r"\w+", entry[1]) if entry else ())
    return names


def stale(source: str) -> dict[str, set[str]]:
    """Names in such lists that are no parameter of the function, or that the module of the class does not have."""
    missing: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse(source)):
        docstring = ast.get_docstring(node) if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else None
        names = listed(docstring) if docstring else set()
        if not names:
            continue
        if isinstance(node, ast.ClassDef):
            rest = source.replace(ast.get_docstring(node, clean=False) or "", "")
            absent = {name for name in names if not re.search(rf"\b{name}\b", rest)}
        else:
            assert isinstance(node, ast.FunctionDef)
            of_stars = [arg.arg for arg in (node.args.vararg, node.args.kwarg) if arg]
            parameters = {*of_stars, *(arg.arg for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs))}
            absent = set() if node.args.kwarg else names - parameters
        if absent:
            missing[node.name] = absent
    return missing


def test_lists_of_docstrings_name_parameters_and_attributes_that_exist() -> None:
    sources = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py")}
    found = {module: stale(source) for module, source in sources.items() if "Args:\n" in source or "Attributes:\n" in source}
    assert not {module: names for module, names in found.items() if names}, "a docstring lists a name that was renamed or removed"


def test_what_is_stale() -> None:
    assert stale('def f(x):\n    """Do it.\n\n    Args:\n        x: a number.\n        y, z: two.\n    """\n') == {"f": {"y", "z"}}
    assert stale('class A:\n    """One.\n\n    Attributes:\n        a: x.\n        b: y.\n    """\n\n    a = 1\n') == {"A": {"b"}}
    assert stale('def f(x):\n    """Do it.\n\n    Args:\n        x: a number.\n    """\n') == {}
