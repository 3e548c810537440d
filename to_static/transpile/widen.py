"""Translated functions in files that `convert` wrote, translated further for a trace that needs it.

With library code called by way of ``_jst.call``, too. What is translated when it is called is translated anew for that; here the
text is the user's own file.
"""

from __future__ import annotations

import types
from typing import Any

import gast

from to_static.core.site import is_generated
from to_static.transpile import resolve, template
from to_static.transpile.plain import replaces, takes_values
from to_static.transpile.rebuild import code_like, function_like
from to_static.transpile.scopes import local_names
from to_static.transpile.source import source_of
from to_static.transpile.visiting import walk

_made: dict[int, tuple[types.CodeType, types.CodeType]] = {}  # by id of code: the code, kept alive; the new one
_new: dict[int, types.CodeType] = {}  # by id: code that was made here


def widened(function: types.FunctionType, wide: bool) -> types.FunctionType:
    """``function``, which is translated, in the ``wide`` form of `transpile_function` where that is asked for."""
    code = function.__code__
    if not wide or is_generated(code.co_filename) or id(code) in _new:
        return function  # it came out of one that is
    if id(code) not in _made:
        _made[id(code)] = (code, _code(function))
        _note(_made[id(code)][1])
    return function_like(function, _made[id(code)][1])


def _note(code: types.CodeType) -> None:
    _new[id(code)] = code
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            _note(inner)


def _code(function: types.FunctionType) -> types.CodeType:
    source = source_of(function)
    tree: Any = source.tree()
    tree.decorator_list = []
    library, _ = resolve.of_function(function, local_names(tree))
    for node in list(walk(tree)):
        if isinstance(node, gast.Call) and library(node.func) and takes_values(node):
            node.func = template.expression("_jst.call(FUNC)", at=node.func, FUNC=node.func)
        elif replaces(node):
            node.value = template.expression("_jst.at(CONTAINER)", at=node.value, CONTAINER=node.value)
    return code_like(function, [gast.gast_to_ast(tree)], source.file, tree.name)
