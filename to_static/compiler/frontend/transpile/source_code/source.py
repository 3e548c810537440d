"""The syntax tree of a live function, found by position in its file.

The whole file is parsed (once) and the function's node is looked up by its first line and name: decorators, lambdas,
methods, nested functions, encodings and line continuations need no special care then.
"""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import os
import sys
import types
from dataclasses import dataclass
from typing import Any

import gast

from to_static.compiler.frontend.transpile.pyct import template, visiting
from to_static.compiler.frontend.transpile.source_code import freshness
from to_static.core.code_generation import compiled, lines_of
from to_static.core.diagnostics.source_lines import lines_in
from to_static.core.diagnostics.source_location import SourceLocation, report
from to_static.core.errors import TranslationError


@dataclass
class Source:
    """The place of a function's text: its stdlib ``node``, the ``file``, the file's ``lines``, the ``module`` around it."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    file: str
    lines: list[str]
    module: ast.Module  # the tree of the whole text

    def tree(self) -> gast.FunctionDef:
        """A fresh gast tree with the line numbers of the file. A lambda becomes a one-line function named ``lambda_``."""
        if isinstance(self.node, ast.Lambda):
            as_gast = gast.ast_to_gast(self.node)
            function = template.statement("def lambda_():\n    return VALUE", at=as_gast, VALUE=as_gast.body)
            function.args = as_gast.args
            return function
        return gast.ast_to_gast(self.node)


_parsed: dict[str, tuple[list[str], ast.Module]] = {}


def _parse_file(file: str, lines: list[str]) -> ast.Module | None:
    cached = _parsed.get(file)
    if cached is not None and cached[0] == lines:
        return cached[1]
    try:
        tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError):
        return None  # for instance a notebook cell with magics
    _parsed[file] = (lines, tree)
    return tree


def source_of(function: types.FunctionType) -> Source:
    """Find the source of ``function``. Raises TranslationError if there is none, or if the file changed since the import."""
    code = function.__code__
    file = code.co_filename
    linecache.checkcache(file)
    lines = lines_in(file, function.__globals__)
    if not lines and file == "<string>" and "-c" in sys.orig_argv[:-1]:  # of `python -c`
        lines = lines_of(sys.orig_argv[sys.orig_argv.index("-c") + 1])
    tree = _parse_file(file, lines)
    candidates = [] if tree is None else _candidates(tree, code)
    if file == "<string>":  # the name of the text of `python -c`, and of any text that exec() gets
        lines = lines if tree is not None and freshness.holds(tree, code) else []
    if not lines:
        name = code.co_name if code.co_name.isidentifier() else "f"
        raise _no_source(
            code,
            f"cannot read the source of {function.__qualname__!r}: functions made by exec(), or that Python reads from its "
            "standard input, have none",
            f"put it into a file and import it, `from functions import {name}`, or use IPython, which keeps what is typed",
        )
    if tree is not None and freshness.doubtful(file) and not freshness.holds(tree, code):
        candidates = []
    if len(candidates) > 1:
        candidates = _same_code(candidates, code)
    if tree is None or not candidates:
        raise _no_source(
            code,
            f"{os.path.basename(file)} does not hold the function {function.__qualname__!r} that is to run (line "
            f"{code.co_firstlineno}): the file was changed after it was imported",
            "restart Python, or reload the module: `importlib.reload(module)`",
        )
    return Source(candidates[0], file, lines, tree)


def _no_source(code: types.CodeType, why: str, rewrite: str) -> TranslationError:
    file, line = code.co_filename, code.co_firstlineno
    return TranslationError(report(why, SourceLocation(file, line, code.co_name), rewrite), file, line)


def _first_line(node: Any) -> int:
    return min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])


def _candidates(tree: ast.AST, code: types.CodeType) -> list[Any]:
    same_position = _functions(tree).get((code.co_name, code.co_firstlineno), [])
    return [node for node in same_position if len(_arguments(node)) == _argument_count(code)]


@functools.lru_cache(maxsize=32)
def _functions(tree: ast.AST) -> dict[tuple[str, int], list[Any]]:
    """The functions of a tree, by name and first line: a file is gone through once for all that it holds."""
    by_position: dict[tuple[str, int], list[Any]] = {}
    for node in visiting.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            by_position.setdefault((getattr(node, "name", "<lambda>"), _first_line(node)), []).append(node)
    return by_position


def _arguments(node: Any) -> list[Any]:
    a = node.args
    return [*a.posonlyargs, *a.args, *a.kwonlyargs, *filter(None, [a.vararg, a.kwarg])]


def _argument_count(code: types.CodeType) -> int:
    stars = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_argcount + code.co_kwonlyargcount + stars


def _same_code(candidates: list[Any], code: types.CodeType) -> list[Any]:
    """Of several lambdas on one line, those whose own compilation gives the same code."""

    def made_of(node: Any) -> types.CodeType:
        outer = ast.parse("def outer():\n    return 0")
        outer.body[0].args.args = [ast.arg(name) for name in code.co_freevars]  # type: ignore[attr-defined]
        outer.body[0].body[0].value = node  # type: ignore[attr-defined]
        outer_code = compiled(ast.fix_missing_locations(outer), code.co_filename)
        outer_code = next(c for c in outer_code.co_consts if isinstance(c, types.CodeType))
        return next(c for c in outer_code.co_consts if isinstance(c, types.CodeType))

    if hasattr(code, "co_positions"):  # Python 3.11 and later know the columns
        positions = {p[:1] + p[2:3] for p in code.co_positions() if p[0] is not None and p[2] is not None}
        spots = positions - {(code.co_firstlineno, 0)}
        inside = [n for n in candidates if all(_within(n.body, spot) for spot in spots)]
        if len(inside) == 1:
            return inside
    return [n for n in candidates if isinstance(n, ast.Lambda) and freshness.alike(made_of(n), code)]


def _within(node: Any, spot: Any) -> bool:
    return bool((node.lineno, node.col_offset) <= spot <= (node.end_lineno, node.end_col_offset))
