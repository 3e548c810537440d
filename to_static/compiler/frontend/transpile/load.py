"""`transpile_function`: translates a live function. It finds the source, applies the passes and compiles the printed text."""

from __future__ import annotations

import ast
import functools
import inspect
import itertools
import linecache
import os
import textwrap
import types
from typing import Any

from to_static.compiler.frontend.transpile.analysis import properties
from to_static.compiler.frontend.transpile.function_context import SourceModule
from to_static.compiler.frontend.transpile.pipeline import translated_text
from to_static.compiler.frontend.transpile.rebind.rebuild import code_like, function_like
from to_static.compiler.frontend.transpile.source_code.source import source_of
from to_static.core.code_generation import lines_of
from to_static.core.diagnostics.source_location import Origin, capture, is_generated, register_origin, report
from to_static.core.errors import TranslationError
from to_static.core.log import log
from to_static.core.processes.compile_lock import with_compile_lock

_count = itertools.count(1)
_FUNCTOOLS = functools.singledispatch.__code__.co_filename
# (id of code, id of globals) -> (the code, kept alive so that its id stays; translated code; text)
_translated: dict[tuple[int, int], tuple[types.CodeType, types.CodeType, str]] = {}
_printed: dict[int, types.CodeType] = {}  # by id: code in files that `convert` wrote


@with_compile_lock
def transpile_function(function: types.FunctionType, operators: Any) -> tuple[Any, str]:
    """Translate a Python function; returns the new function and its source text.

    ``operators`` is the object that the text calls ``_jst``: `to_static.compiler.frontend.jst.operators`, which lives above this
    package. Wherever it is called from, under a tensor condition perhaps, it announces what it changes of outside objects. Closure
    cells, globals, defaults and attributes are the original's. A function that is translated already comes back as it is. Raises
    TranslationError for what cannot be translated.

    Example:
        >>> new, text = transpile_function(f, operators)
    """
    if is_translated(function.__code__):
        return function, textwrap.dedent(inspect.getsource(function.__code__))
    key = (id(function.__code__), id(function.__globals__))
    if key not in _translated:
        _translated[key] = (function.__code__, *_translate(function))
    _, code, text = _translated[key]
    return function_like(function, code, _jst=types.CellType(operators)), text


def is_translated(code: types.CodeType) -> bool:
    """True for code of a translated function: compiled here, or imported from a translated file."""
    if is_generated(code.co_filename) or id(code) in _printed:
        return True
    uses_jst = "_jst" in code.co_names or "_jst" in code.co_freevars
    if not uses_jst:
        return any(is_translated(inner) for inner in _inside(code))
    todo = [code]  # functions inside are translated too, whether or not they needed an operator
    while todo:
        inner = todo.pop()
        _printed[id(inner)] = inner
        todo += _inside(inner)
    return True


def _inside(code: types.CodeType) -> list[types.CodeType]:
    return [c for c in code.co_consts if isinstance(c, types.CodeType)]


def _translate(function: types.FunctionType) -> tuple[types.CodeType, str]:
    if function.__code__.co_filename == _FUNCTOOLS and hasattr(function, "register"):  # of the user's by its names only
        what = f"cannot translate {function.__name__!r}, which `functools.singledispatch` makes: what is registered may change"
        raise TranslationError(report(what, capture(), "`if isinstance(x, list): ...` in one function"))
    source = source_of(function)
    tree = source.tree()
    tree.decorator_list = []  # they ran when the function was defined
    outside = None if os.path.isfile(source.file) else function.__globals__
    module = SourceModule(source.file, source.lines, source.module, properties.of_function(function), outside)
    ctx = module.context(source.node, tree, function)
    first = source.node.lineno
    printed = translated_text(tree, ctx, first, source.node.end_lineno or first)
    name = f"<to_static {os.path.basename(source.file)}:{first} {tree.name} #{next(_count)}>"
    linecache.cache[name] = (len(printed.text), None, lines_of(printed.text), name)
    functions = [(*span[:2], function.__name__) if i == 0 else span for i, span in enumerate(printed.functions)]
    register_origin(name, Origin(source.file, printed.lines, functions, printed.statement_spans, printed.columns))
    log(3, f"translated {function.__qualname__}:\n{printed.text}")
    return code_like(function, ast.parse(printed.text).body, name, tree.name, ctx.class_name, ("_jst",)), printed.text
