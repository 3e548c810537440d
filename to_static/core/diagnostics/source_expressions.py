"""The user's expression that is running, for the text of an error."""

from __future__ import annotations

import ast
import builtins
import contextlib
import copy
import functools
import itertools
import keyword
import re
import sys
import types
from typing import Any

from to_static.core.diagnostics import source_location
from to_static.core.diagnostics.source_lines import line_in, lines_in

LONGEST = 60  # characters of an expression that a message shows


def running_expression() -> str:
    """The text of the user's innermost expression that is being evaluated, such as ``x.sum() > 0``; '' when it can't be told."""
    frame = users_frame()
    if frame is None:
        return ""
    outer_frame: types.FrameType | None = frame
    while outer_frame is not None and not (
        source_location.is_user_file(outer_frame.f_code.co_filename)
        and outer_frame.f_code.co_filename != source_location.SYNTHETIC_FILE
    ):
        outer_frame = outer_frame.f_back
    frame = outer_frame or frame  # code without a text is told of where it is called, as `site.capture` does
    return by_position(frame) or by_line(frame.f_code.co_filename, frame.f_lineno)


def of_error(error: BaseException, entire: bool = False) -> tuple[str, types.FrameType | None]:
    """The text of the user's innermost expression that an error came out of, '' when it can't be told, and its frame.

    It is cut where it is long, unless ``entire`` is True.
    """
    step_found, trace = None, error.__traceback__
    while trace is not None:
        step_found = trace if source_location.is_user_file(trace.tb_frame.f_code.co_filename) else step_found
        trace = trace.tb_next
    if step_found is None:
        return "", None
    frame = step_found.tb_frame
    return by_position(frame, step_found.tb_lasti, entire) or by_line(frame.f_code.co_filename, step_found.tb_lineno, entire), frame


def in_expression() -> str:
    """``in `x.sum() > 0``` with a blank before it, or ''."""
    text = running_expression()
    return f" in `{text}`" if text else ""


def at_expression() -> str:
    """``(`x.sum() > 0`)`` with a blank before it, or ''."""
    text = running_expression()
    return f" (`{text}`)" if text else ""


def in_assignment() -> str:
    """Return what `in_expression` returns, for a write: of an assignment the whole statement, ``a[k] = v``."""
    frame = users_frame()
    statement = None if frame is None else statement_of(frame.f_code.co_filename, frame.f_lineno)
    is_assignment = isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete))
    return f" in `{spelled(statement)}`" if is_assignment else in_expression()


def assignment_target() -> str:
    """The target that the user's running statement changes: ``y`` of ``y[0] = 5`` and ``y.add_(x)``; 'a tensor' when unknown."""
    frame = users_frame()
    line = "" if frame is None else line_of(frame)
    statement: Any = None
    for header in ("", "if 0: pass\n", "try: pass\n"):  # before `else: y.add_(x)`, and `finally: y.add_(x)`
        with contextlib.suppress(SyntaxError):
            statement = next((n for n in reversed([*ast.walk(ast.parse(header + line))]) if isinstance(n, ast.stmt)), None)
            break
    line = line if statement is None else ast.unparse(statement)
    node = getattr(statement, "target", None) or (getattr(statement, "targets", None) or [getattr(statement, "value", None)])[0]
    node = getattr(node, "func", node)
    if isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(statement, ast.AugAssign):
        return ast.unparse(node.value)
    match = re.match(r"([^\W\d]\w*)", line)
    return match[1] if match and not keyword.iskeyword(match[1]) else "a tensor"


def assigned(name: str, location: source_location.SourceLocation) -> tuple[list[int], list[int]]:
    """The other lines of the function around a place that give a variable a value, and those that delete it."""
    function_nodes = (ast.FunctionDef, ast.AsyncFunctionDef)
    enclosing = [
        n
        for n in ast.walk(_tree(location.file))
        if isinstance(n, function_nodes) and n.lineno <= location.line <= (n.end_lineno or 0)
    ]
    bindings = [_bindings(function, name) for function in reversed(enclosing)]  # the innermost first
    gives, deletes = next((both for both in bindings if any(both)), (set(), set()))
    return sorted(gives - {location.line}), sorted(deletes)


def _bindings(function: ast.AST, name: str) -> tuple[set[int], set[int]]:
    """The lines of a function that give a variable a value, and those that delete it."""
    gives: set[int] = set()
    deletes: set[int] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load):
            (deletes if isinstance(node.ctx, ast.Del) else gives).add(node.lineno)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            gives.update(node.lineno for a in node.names if (a.asname or a.name.partition(".")[0]) == name)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler)) and node.name == name:
            gives.add(node.lineno)
    return gives, deletes


def line_of(frame: types.FrameType) -> str:
    """The user's line."""
    location = source_location.resolve(frame.f_code.co_filename, frame.f_lineno)
    return line_in(location.file, location.line).strip()


def users_frame() -> types.FrameType | None:
    """The innermost frame that is the user's own; translated code counts as the user's."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None and not source_location.is_user_file(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def by_position(frame: types.FrameType, instruction: int | None = None, entire: bool = False) -> str:
    """The text of the expression that a frame evaluates, by its columns; '' when these are not known."""
    _, node = within(frame, instruction)
    if node is None or isinstance(node, (ast.Constant, ast.Name)):
        return ""
    written = as_written(node, frame.f_code.co_filename)
    return "" if "_jst" in ast.unparse(written) else spelled(written, entire)


def within(frame: types.FrameType, instruction: int | None = None) -> tuple[ast.AST, ast.expr | None]:
    """The syntax tree of a frame's file and the expression that it evaluates, by the columns that Python 3.11 and later know.

    ``instruction``: the one that a traceback says, where that is not the running one.
    """
    tree = _tree(frame.f_code.co_filename)
    positions = getattr(frame.f_code, "co_positions", None)
    if positions is None:
        return tree, None
    offset = frame.f_lasti if instruction is None else instruction
    return tree, _places(tree).get(next(itertools.islice(positions(), offset // 2, None)))


@functools.lru_cache(maxsize=32)
def _places(tree: ast.AST) -> dict[tuple[int | None, ...], ast.expr]:
    """The expressions of a tree, the outermost at each place."""
    nodes: dict[tuple[int | None, ...], ast.expr] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            nodes.setdefault((node.lineno, node.end_lineno, node.col_offset, node.end_col_offset), node)
    return nodes


@functools.lru_cache(maxsize=32)
def _names(tree: ast.AST) -> frozenset[str]:
    return frozenset(n.id for n in ast.walk(tree) if isinstance(n, ast.Name))


@functools.lru_cache(maxsize=32)
def _assigned(tree: ast.AST) -> dict[str, ast.expr]:
    """The value of the last assignment to each name of a tree."""
    pairs = [(s.targets[0], s.value) for s in ast.walk(tree) if isinstance(s, ast.Assign)]
    return {target.id: value for target, value in pairs if isinstance(target, ast.Name)}


@functools.lru_cache(maxsize=32)
def _statements(tree: ast.AST) -> list[ast.stmt]:
    """The statements of a tree, inner ones later."""
    return [n for n in ast.walk(tree) if isinstance(n, ast.stmt)]


def as_written(node: ast.AST, file: str) -> ast.AST:
    """``_jst.call(f)(kept)`` as the user wrote it: ``f(x + 1)``."""
    written = _names(_tree(source_location.resolve(file, 1).file))
    assigned = {name: value for name, value in _assigned(_tree(file)).items() if name not in written}

    class Calls(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            value = assigned.pop(node.id, None)  # once: one that is made of itself is not followed
            return node if value is None else self.visit(copy.deepcopy(value))

        def visit_Call(self, node: ast.Call) -> ast.AST:
            self.generic_visit(node)
            function = ast.unparse(node.func)
            if function == "_jst.call" and len(node.args) == 1:
                return node.args[0]
            return _operator(function.removeprefix("_jst."), [getattr(x, "body", x) for x in node.args]) or node

        def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
            self.generic_visit(node)
            of_ours = isinstance(node.value, ast.Name) and node.value.id == "_jst" and hasattr(builtins, node.attr)
            return ast.Name(node.attr, node.ctx) if of_ours else node

    return Calls().visit(copy.deepcopy(node))


def _operator(name: str, operands: list[Any]) -> ast.expr | None:
    """The expression that the user wrote for a call of our operator of this name; None where that was no operator of Python's."""
    if name in ("and_", "and_value", "or_", "or_value"):
        return ast.BoolOp(ast.And() if name.startswith("and") else ast.Or(), operands)
    if name == "not_":
        return ast.UnaryOp(ast.Not(), operands[0])
    if name == "compare":
        return ast.Compare(operands[0], [_SIGNS[sign.value]() for sign in operands[1::2]], operands[2::2])
    if name in _SIGNED:
        return ast.Compare(operands[0], [_SIGNED[name]()], operands[1:])
    return None


_SIGNS: dict[str, type[ast.cmpop]] = {
    "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE, "==": ast.Eq, "!=": ast.NotEq,
    "is": ast.Is, "is not": ast.IsNot, "in": ast.In, "not in": ast.NotIn,
}  # fmt: skip
_SIGNED: dict[str, type[ast.cmpop]] = {"is_": ast.Is, "is_not": ast.IsNot, "in_": ast.In, "not_in": ast.NotIn}


def by_line(file: str, line: int, entire: bool = False) -> str:
    """The test, iterable or value of the user's statement that a line is of, which may be one of translated code."""
    return spelled(telling_part(statement_of(file, line)), entire)


def telling_part(statement: ast.AST | None) -> ast.AST | None:
    """The part of a statement that says which one it is: the whole where that part is a mere name."""
    part = part_of(statement)
    return statement if isinstance(part, (ast.Constant, ast.Name)) and not isinstance(statement, ast.For) else part


def part_of(statement: ast.AST | None) -> ast.AST | None:
    """The test, iterable or value of a statement."""
    parts = (getattr(statement, name, None) for name in ("test", "iter", "value", "exc", "subject"))
    return next((part for part in parts if part is not None), None)


def statement_of(file: str, line: int) -> ast.AST | None:
    """The user's innermost statement that a line is of; among several on it the one that translated code tells, or the last."""
    location, column = source_location.resolve(file, line), source_location.column(file, line)
    statement: ast.AST | None = None
    for node in _statements(_tree(location.file)):
        if column is not None and (node.lineno, node.col_offset) == (location.line, column):
            return node
        if node.lineno <= location.line <= (node.end_lineno or 0) and not _in_body(node, location.line):
            statement = node
    return statement


def _in_body(node: ast.stmt, line: int) -> bool:
    """Return whether the line is in the body of a compound statement."""
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    if not body:
        return False
    first = body[0]
    return bool(line >= getattr(first, "lineno", line))


def spelled(node: ast.AST | None, entire: bool = False) -> str:
    """The text of a syntax tree, cut where it is long, unless ``entire`` is True; '' of None."""
    text = "" if node is None else ast.unparse(node).replace("\n", " ")
    return text if entire or len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _tree(file: str) -> ast.AST:
    try:
        return _parsed("".join(lines_in(file)))
    except (SyntaxError, ValueError):
        return ast.Module([], [])


@functools.lru_cache(maxsize=32)
def _parsed(text: str) -> ast.Module:
    return ast.parse(text)
