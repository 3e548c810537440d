"""Which of the user's expressions is running, and what kind of code it stands in: for the words of an error, and only then."""

from __future__ import annotations

import ast
import builtins
import copy
import functools
import inspect
import itertools
import keyword
import linecache
import re
import sys
import types
from typing import Any

from to_static.core import site

LONGEST = 60  # characters of an expression that a message shows


def running() -> str:
    """The text of the user's innermost expression that is being evaluated, such as ``x.sum() > 0``; '' when it can't be told."""
    frame = users_frame()
    if frame is None:
        return ""
    return _by_position(frame) or _by_line(site.resolve(frame.f_code.co_filename, frame.f_lineno))


def quoted() -> str:
    """``in `x.sum() > 0``` with a blank before it, or ''."""
    text = running()
    return f" in `{text}`" if text else ""


def shown() -> str:
    """``(`x.sum() > 0`)`` with a blank before it, or ''."""
    text = running()
    return f" (`{text}`)" if text else ""


def condition() -> str:
    """The test of the user's running `if`, `while` or `assert`, or his running expression; '' when it can't be told."""
    frame = users_frame()
    if frame is None:
        return ""
    _, node = within(frame)
    if isinstance(node, ast.Call) and node.args and ast.unparse(node.func) == "_jst.if_":  # one of several in a statement
        text = _shown(_as_written(node.args[0], frame.f_code.co_filename))
        if "_jst" not in text:
            return text
    return _by_line(site.resolve(frame.f_code.co_filename, frame.f_lineno))


def all_or_any(test: str) -> str:
    """Two ways to write a condition of several elements."""
    try:
        node: ast.AST = ast.parse(test, mode="eval").body
    except SyntaxError:
        return "`x.all()` or `x.any()`"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and hasattr(builtins, node.func.id):
        test = "x"  # it is Python that compares, in `sorted(items)`
    elif not isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
        test = f"({test})"
    return f"`{test}.all()` or `{test}.any()`"


def target() -> str:
    """What the user's running statement changes: ``y`` of ``y[0] = 5`` and ``y.add_(x)``; 'a tensor' when it can't be told."""
    frame = users_frame()
    line = "" if frame is None else _line(frame)
    try:
        statement: Any = ast.parse(line).body[0]
    except (SyntaxError, IndexError):
        statement = None
    node = getattr(statement, "target", None) or (getattr(statement, "targets", None) or [getattr(statement, "value", None)])[0]
    node = getattr(node, "func", node)
    if isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(statement, ast.AugAssign):
        return ast.unparse(node.value)
    found = re.match(r"([^\W\d]\w*)", line)
    return found[1] if found and not keyword.iskeyword(found[1]) else "a tensor"


def assigned(name: str, where: site.Site) -> list[int]:
    """The lines of the function around a place that assign a variable."""
    around: ast.AST | None = None
    for node in ast.walk(_tree(where.file)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.lineno <= where.line <= (node.end_lineno or 0):
            around = node
    names = (n for n in ast.walk(around or ast.Module([], [])) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    return sorted({n.lineno for n in names if n.id == name})


def how_to_decide() -> str:
    """What to write instead of a ``bool(tensor)`` that Python asks for here: that depends on the kind of code around it."""
    frame = users_frame()
    text = _test(frame) if frame is not None else "condition"
    choice = f"`paddle.where({text}, a, b)`" if len(text) < 30 else "`paddle.where(condition, a, b)`"
    if frame is None:
        return choice
    code = frame.f_code
    name = code.co_name
    generator = code.co_flags & inspect.CO_GENERATOR and not name.startswith("<")
    if not code.co_flags & inspect.CO_OPTIMIZED and name != "<module>":
        return f"class bodies run as plain Python: decide before the class; or choose with {choice}"
    if code.co_flags & inspect.CO_COROUTINE:
        return f"coroutines run as plain Python: make {name!r} a plain function (`def` for `async def`); or choose with {choice}"
    if not _in_translation(frame):
        return f"decorate the function around it with @to_static, or write `paddle.static.nn.cond({text}, lambda: a, lambda: b)`"
    if site.is_generated(code.co_filename) and not generator:
        if _line(frame).startswith(("if ", "elif ", "while ")):  # an `except` has to see what it assigns (see `flow`)
            return (
                "put this statement before the `try` or behind it: it assigns what `except` or `finally` reads, under a name that "
                f"is deleted, or is that of a function or error, too; or choose with {choice}"
            )
        return f"write it as a `for` statement with an `if` in it, which to_static translates, or choose with {choice}"
    if generator:
        return f"generators run as plain Python: let {name!r} append to a list and return it, or choose with {choice}"
    if getattr(_function(frame), "__not_to_static__", False):
        return f"take @not_to_static off {name!r}, so that its conditions are translated; or choose with {choice}"
    if not linecache.getline(code.co_filename, frame.f_lineno):
        return f"{name!r} has no source that could be translated: put it into a file; or choose with {choice}"
    called = "let translated code call it (no library, no module given to ignore_module)"
    return f"{name!r} runs as plain Python here: {called}; or choose with {choice}"


def _line(frame: types.FrameType) -> str:
    """The user's line."""
    where = site.resolve(frame.f_code.co_filename, frame.f_lineno)
    return linecache.getline(where.file, where.line).strip()


def _test(frame: types.FrameType) -> str:
    """The condition whose truth is asked for, where the user wrote one; 'condition' otherwise."""
    text = _by_position(frame) or _by_line(site.resolve(frame.f_code.co_filename, frame.f_lineno))
    try:
        node: ast.AST | None = ast.parse(text, mode="eval").body
    except SyntaxError:
        node = None
    if isinstance(node, ast.IfExp):
        return ast.unparse(node.test)
    if isinstance(node, (ast.Compare, ast.BoolOp, ast.UnaryOp)):
        return text
    return "condition"


def _in_translation(frame: types.FrameType | None) -> bool:
    while frame is not None and not site.is_generated(frame.f_code.co_filename):
        frame = frame.f_back
    return frame is not None


def users_frame() -> types.FrameType | None:
    """The innermost frame that is the user's own; translated code counts as the user's."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and not site.is_users(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def _function(frame: types.FrameType) -> object:
    """The function that a frame runs, where its name leads to it."""
    name = frame.f_code.co_name
    owner = next(iter(frame.f_locals.values()), None) if frame.f_code.co_argcount else None
    found = frame.f_globals.get(name) or getattr(type(owner), name, None)
    outer = frame.f_back
    while found is None and outer is not None:
        found, outer = outer.f_locals.get(name), outer.f_back
    return found


def _by_position(frame: types.FrameType) -> str:
    _, node = within(frame)
    if node is None or isinstance(node, (ast.Constant, ast.Name)):
        return ""
    text = _shown(_as_written(node, frame.f_code.co_filename))
    return "" if "_jst" in text else text


def within(frame: types.FrameType) -> tuple[ast.AST, ast.expr | None]:
    """The syntax tree of a frame's file and the expression that it evaluates, by the columns that Python 3.11 and later know."""
    tree = _tree(frame.f_code.co_filename)
    positions = getattr(frame.f_code, "co_positions", None)
    if positions is None:
        return tree, None
    return tree, _places(tree).get(next(itertools.islice(positions(), frame.f_lasti // 2, None)))


@functools.lru_cache(maxsize=32)
def _places(tree: ast.AST) -> dict[tuple[int | None, ...], ast.expr]:
    """The expressions of a tree, the outermost at each place."""
    found: dict[tuple[int | None, ...], ast.expr] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            found.setdefault((node.lineno, node.end_lineno, node.col_offset, node.end_col_offset), node)
    return found


def _as_written(node: ast.AST, file: str) -> ast.AST:
    """``_jst.call(f)(kept)`` as the user wrote it: ``f(x + 1)``."""
    written = {n.id for n in ast.walk(_tree(site.resolve(file, 1).file)) if isinstance(n, ast.Name)}
    made = {
        s.targets[0].id: s.value
        for s in ast.walk(_tree(file))
        if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name) and s.targets[0].id not in written
    }

    class Calls(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            value = made.pop(node.id, None)  # once: one that is made of itself is not followed
            return node if value is None else self.visit(copy.deepcopy(value))

        def visit_Call(self, node: ast.Call) -> ast.AST:
            self.generic_visit(node)
            if ast.unparse(node.func) == "_jst.call" and len(node.args) == 1:
                return node.args[0]
            return node

        def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
            self.generic_visit(node)
            of_ours = isinstance(node.value, ast.Name) and node.value.id == "_jst" and hasattr(builtins, node.attr)
            return ast.Name(node.attr, node.ctx) if of_ours else node

    return Calls().visit(copy.deepcopy(node))


def _by_line(where: site.Site) -> str:
    """The test, iterable or value of the innermost statement of the user's file that begins on the line."""
    found: ast.AST | None = None
    for node in ast.walk(_tree(where.file)):
        if isinstance(node, ast.stmt) and node.lineno <= where.line <= (node.end_lineno or 0) and not _in_body(node, where.line):
            found = node
    parts = (getattr(found, name, None) for name in ("test", "iter", "value", "exc", "subject"))
    part = next((part for part in parts if part is not None), None)
    return _shown(found if isinstance(part, (ast.Constant, ast.Name)) and not isinstance(found, ast.For) else part)


def _in_body(node: ast.stmt, line: int) -> bool:
    """Whether the line is in the body of a compound statement."""
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    if not body:
        return False
    first = body[0]
    return bool(line >= getattr(first, "lineno", line))


def _shown(node: ast.AST | None) -> str:
    text = "" if node is None else ast.unparse(node).replace("\n", " ")
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _tree(file: str) -> ast.AST:
    try:
        return _parsed("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return ast.Module([], [])


@functools.lru_cache(maxsize=32)
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)
