"""A function whose calls are handed over: ``f(x)`` becomes ``__calls__(f)(x)``. Nothing else of it changes, lines included.

It is for functions that run in Python, and call others that need not.
"""

from __future__ import annotations

import ast
import builtins
import copy
import inspect
import types
from collections.abc import Callable
from typing import Any

from to_static.compiler.frontend.transpile.rebind.rebuild import code_like, function_like
from to_static.compiler.frontend.transpile.source_code.source import source_of
from to_static.core.caching.identity_cache import cached_by_identity
from to_static.core.errors import TranslationError

_NAME = "__calls__"
_BUILTINS = frozenset(vars(builtins))
_LOOKS = frozenset(("locals", "vars", "dir", "eval", "exec", "_getframe", "currentframe", "stack", "__code__", "__closure__"))
_LEFT = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def intercepting(function: Any, calls: Callable[[Any], Any]) -> Any:
    """Return a copy of ``function`` that passes each callee through ``calls``, which returns the function to call instead.

    Returns ``function`` itself if it is a generator function, a lambda, has no source, or reads its own variables or frames.
    Nested functions are not changed.

    Example:
        >>> intercepting(f, lambda called: print(called) or called)(x)
    """
    if type(function) is not types.FunctionType:
        return function
    code = _code(function)
    return function if code is None else function_like(function, code, **{_NAME: types.CellType(calls)})


@cached_by_identity("__code__")
def _code(function: types.FunctionType) -> types.CodeType | None:
    code = function.__code__
    if code.co_flags & _LEFT or not _LOOKS.isdisjoint(code.co_names):
        return None
    try:
        node = source_of(function).node
    except TranslationError:
        return None
    if not isinstance(node, ast.FunctionDef) or any(map(_is_mangled, (*code.co_names, *code.co_varnames, *code.co_freevars))):
        return None
    duplicate = copy.deepcopy(node)
    duplicate.decorator_list, duplicate.returns = [], None  # they ran when the function was defined
    duplicate.body = [_Interceptor().visit(statement) for statement in duplicate.body]
    try:
        new_code = code_like(function, [duplicate], code.co_filename, node.name, more=(_NAME,))
    except (SyntaxError, ValueError):
        return None
    alike = new_code.co_varnames[: new_code.co_argcount] == code.co_varnames[: code.co_argcount]
    cells = {*code.co_freevars, _NAME}
    if not alike or _NAME not in new_code.co_freevars or not cells.issuperset(new_code.co_freevars):
        return None
    return new_code


def _is_mangled(name: str) -> bool:
    """True if a private name was changed, or would be: its class is not there to do it again."""
    return name.startswith("_") and "__" in name and not name.endswith("__")


class _Interceptor(ast.NodeTransformer):
    def _unchanged(self, node: Any) -> Any:
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = _unchanged

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Name) and function.id in _BUILTINS:
            return node
        if isinstance(function, ast.Attribute) and isinstance(function.value, (ast.Constant, ast.JoinedStr)):
            return node
        intercepted = ast.Call(ast.copy_location(ast.Name(_NAME, ast.Load()), function), [function], [])
        node.func = ast.copy_location(intercepted, function)
        return node
