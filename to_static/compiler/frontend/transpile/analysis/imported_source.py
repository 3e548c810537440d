"""The sources of imported modules, found by their names. Nothing is imported or run."""

from __future__ import annotations

import ast
import functools
import importlib.machinery
import os
import sys
from collections.abc import Iterable

from to_static.core import callables

_OURS = os.path.dirname(os.path.dirname(os.path.abspath(callables.__file__)))


@functools.lru_cache(maxsize=1024)
def is_library_module(name: str) -> bool:
    """True if a dotted name of a library, or of Paddle, is a module rather than a member of one."""
    root, *parts = name.split(".")
    if root in ("paddle", "to_static"):
        path = os.path.join(_OURS, *parts)
        return os.path.isdir(path) or os.path.isfile(f"{path}.py")
    return name in sys.builtin_module_names or name == "os.path" or source_file(name, ()) is not None


def source_file(module: str, beside: Iterable[str]) -> str | None:
    """The file of the module with this dotted name; ``beside``: folders to look into before the path of Python.

    The packages around it are searched, not imported. None for modules that are not found, or are no files of Python's.
    """
    path: list[str] = [*beside, *sys.path]
    spec = None
    parts = module.split(".")
    for count in range(1, len(parts) + 1):
        try:
            spec = importlib.machinery.PathFinder.find_spec(".".join(parts[:count]), path)
        except (ImportError, ValueError, OSError):
            return None
        if spec is None:
            return None
        path = list(spec.submodule_search_locations or ())
    return spec.origin if spec is not None else None


def resolved_name(module: str, file: str) -> tuple[str, list[str]]:
    """Return the absolute name of a module that ``file`` imports as ``module`` (``..layers``, say), and the folders to search."""
    folder, package = os.path.dirname(os.path.abspath(file)), list[str]()
    while os.path.isfile(os.path.join(folder, "__init__.py")) and os.path.dirname(folder) != folder:
        package.insert(0, os.path.basename(folder))
        folder = os.path.dirname(folder)
    name = module.lstrip(".")
    level = len(module) - len(name)
    if not level:
        return name, [folder]
    if not package:  # a file that is run from inside a package
        package = [os.path.basename(os.path.dirname(os.path.abspath(file)))]
        folder = os.path.dirname(os.path.dirname(os.path.abspath(file)))
    package = package[: len(package) - level + 1]
    return ".".join([*package, *([name] if name else [])]), [folder]


@functools.lru_cache(maxsize=256)
def parsed(file: str, modified: float) -> ast.Module | None:
    """Return the tree of a source file; None if it cannot be read. ``modified``: its modification time, for the cache."""
    try:
        with open(file, "rb") as source:
            return ast.parse(source.read())
    except (OSError, SyntaxError, ValueError):
        return None


def tree_of(file: str) -> ast.Module | None:
    """Return the tree of the present source file; None if it cannot be read."""
    try:
        return parsed(file, os.stat(file).st_mtime) if file.endswith(".py") else None
    except OSError:
        return None
