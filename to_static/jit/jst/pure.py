"""Library functions that are written in C and in Python: translated code calls the latter, translated (`heapq`, `bisect`).

The C form compares items and changes lists by itself, where no operator of ours is asked.
"""

from __future__ import annotations

import ast
import bisect
import functools
import heapq
import importlib.util
import types
from typing import Any

_MODULES = {"_heapq": heapq, "_bisect": bisect}  # by the names of their parts in C


def form_of(function: Any) -> types.FunctionType | None:
    """The form in Python of a function written in C; None where there is none."""
    module = _MODULES.get(getattr(function, "__module__", None) or "")
    return None if module is None else _forms(module).get(function.__name__)


@functools.cache
def _forms(module: types.ModuleType) -> dict[str, Any]:
    """What the source of a module defines, without what it imports in place of that."""
    spec: Any = importlib.util.find_spec(module.__name__)
    tree = ast.parse(spec.loader.get_source(module.__name__) or "")
    tree.body = [node for node in tree.body if not isinstance(node, ast.Try)]
    space: dict[str, Any] = {"__name__": f"{module.__name__} in Python"}  # a name of no library: so that they are translated
    exec(compile(tree, spec.origin, "exec"), space)
    return {name: space[name] for name in dir(module) if type(space.get(name)) is types.FunctionType}
