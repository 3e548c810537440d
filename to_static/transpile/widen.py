"""Translated functions in files that `convert` wrote, translated further for a trace that needs it.

With library code called by way of ``_jst.call``, too, or with operands in variables (see `passes.apart`). What is translated when
it is called is translated anew for that; here the text is the user's own file.
"""

from __future__ import annotations

import types
from typing import Any

import gast

from to_static.core.site import is_generated
from to_static.transpile import resolve, template
from to_static.transpile.context import Context
from to_static.transpile.passes import apart, assignments
from to_static.transpile.plain import replaces, takes_values
from to_static.transpile.rebuild import code_like, function_like
from to_static.transpile.scopes import identifiers, local_names
from to_static.transpile.source import source_of
from to_static.transpile.visiting import walk

# (id of code, wide, apart) -> the code, kept alive; the new one
_made: dict[tuple[int, bool, bool], tuple[types.CodeType, types.CodeType]] = {}
_new: dict[int, tuple[types.CodeType, bool]] = {}  # by id: code that was made here, and whether its operands are in variables


def widened(function: types.FunctionType, wide: bool, apart: bool) -> types.FunctionType:
    """``function``, which is translated, in the forms of `transpile_function` that go by these names."""
    code = function.__code__
    if not (wide or apart) or is_generated(code.co_filename) or id(code) in _new:
        return function  # it came out of one that is
    key = (id(code), wide, apart)
    if key not in _made:
        _made[key] = (code, _code(function, wide, apart))
        _note(_made[key][1], apart)
    return function_like(function, _made[key][1])


def is_apart(code: types.CodeType) -> bool:
    """Whether `widened` has put the operands of this code into variables. Its text is still that of the file."""
    return id(code) in _new and _new[id(code)][1]


def _note(code: types.CodeType, apart: bool) -> None:
    _new[id(code)] = code, apart
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            _note(inner, apart)


def _code(function: types.FunctionType, wide: bool, take_apart: bool) -> types.CodeType:
    source = source_of(function)
    tree: Any = source.tree()
    tree.decorator_list = []
    library, builtin = resolve.of_function(function, local_names(tree))
    for node in list(walk(tree)):
        if wide and isinstance(node, gast.Call) and library(node.func) and takes_values(node):
            node.func = template.expression("_jst.call(FUNC)", at=node.func, FUNC=node.func)
        elif wide and replaces(node):
            node.value = template.expression("_jst.at(CONTAINER)", at=node.value, CONTAINER=node.value)
    if take_apart:
        ctx = Context(source.file, tree.name, identifiers(tree), library, builtin, apart=True)
        for node in list(walk(tree))[::-1]:
            if isinstance(node, gast.FunctionDef):
                apart.run(node, ctx)
                assignments.run(node, ctx)
    return code_like(function, [gast.gast_to_ast(tree)], source.file, tree.name)
