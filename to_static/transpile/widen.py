"""Translated functions in files that `convert` wrote, with library code called by way of ``_jst.call``, too.

What is translated when it is called is translated anew for that; here the text is the user's own file.
"""

from __future__ import annotations

import ast
import types
from typing import Any

import gast

from to_static.core.site import is_generated
from to_static.transpile import resolve, template
from to_static.transpile.plain import takes_values
from to_static.transpile.scopes import local_names
from to_static.transpile.source import source_of
from to_static.transpile.visiting import walk

_made: dict[int, tuple[types.CodeType, types.CodeType]] = {}  # id of code -> the code, kept alive; the new one


def widened(function: types.FunctionType) -> types.FunctionType:
    """``function``, which is translated, so that its library code may be called with values of several kinds."""
    code = function.__code__
    if is_generated(code.co_filename):
        return function  # it came out of one that is wide
    if id(code) not in _made:
        _made[id(code)] = (code, _code(function))
    new = _made[id(code)][1]
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    closure = tuple(cells[name] for name in new.co_freevars)
    made = types.FunctionType(new, function.__globals__, function.__name__, function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    made.__qualname__ = function.__qualname__
    made.__dict__.update(function.__dict__)
    return made


def _code(function: types.FunctionType) -> types.CodeType:
    source = source_of(function)
    tree: Any = source.tree()
    tree.decorator_list = []
    library, _ = resolve.of_function(function, local_names(tree))
    for node in list(walk(tree)):
        if isinstance(node, gast.Call) and library(node.func) and takes_values(node):
            node.func = template.expression("_jst.call(FUNC)", at=node.func, FUNC=node.func)
    names = function.__code__.co_freevars
    outer: Any = ast.parse(f"def _make({', '.join(names)}): pass")
    outer.body[0].body = [gast.gast_to_ast(tree)]
    ast.fix_missing_locations(outer)
    maker = next(c for c in compile(outer, source.file, "exec", dont_inherit=True).co_consts if isinstance(c, types.CodeType))
    return next(c for c in maker.co_consts if isinstance(c, types.CodeType) and c.co_name == tree.name)
