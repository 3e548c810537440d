"""The conditions that the user wrote: which one is asked, and what to write instead of one that can't be answered.

Looked at only when an error is made.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import types
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from to_static.core.diagnostics import source_location
from to_static.core.diagnostics.source_expressions import (
    LONGEST,
    as_written,
    by_line,
    by_position,
    part_of,
    spelled,
    statement_of,
    telling_part,
    users_frame,
    within,
)
from to_static.core.diagnostics.source_lines import line_in


class _Asked(NamedTuple):
    """The condition that is asked for its truth: the expression, or the statement around it."""

    node: ast.AST | None
    is_condition: bool  # else it is the running expression, in which no condition is written
    only: bool  # and no other one of the statement is meant


def condition() -> str:
    """The condition of the user that is asked: the test of his running `if`, `while` or `assert`, or one in his expression.

    '' where he wrote none.
    """
    frame = users_frame()
    asked = None if frame is None else _asked(frame, frame.f_lasti, frame.f_lineno)
    return spelled(asked.node) if asked is not None and asked.is_condition else ""


def _asked(frame: types.FrameType, instruction: int, line: int) -> _Asked:
    file = frame.f_code.co_filename
    _, node = within(frame, instruction)
    if isinstance(node, ast.Call) and node.args:
        operator = ast.unparse(node.func).removeprefix("_jst.")
        if operator in _JOINS or operator in _TESTS:
            written = as_written(node if operator in _JOINS else node.args[0], file)
            if "_jst" not in ast.unparse(written):
                return _Asked(written, True, True)
    statement = statement_of(file, line)
    part = part_of(statement)
    condition = None if part is None else _only_condition(part)
    if condition is not None or isinstance(statement, (ast.If, ast.While, ast.Assert)):
        return _Asked(condition or part, True, condition is not None)
    return _Asked(telling_part(statement), False, False)


_JOINS = ("and_", "and_value", "or_", "or_value")
_TESTS = ("if_", "not_", "assert_", "decided")


def _only_condition(part: ast.AST) -> ast.AST | None:
    """The one condition in an expression; None where it holds none or several."""
    by_id: dict[int, ast.AST] = {}
    for node in ast.walk(part):
        tests: list[ast.expr] = []
        if isinstance(node, ast.IfExp) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
            tests = [node.test if isinstance(node, ast.IfExp) else node.operand]
        elif isinstance(node, ast.comprehension):
            tests = node.ifs
        elif isinstance(node, ast.BoolOp) or (isinstance(node, ast.Compare) and len(node.ops) > 1):
            tests = [node]
        by_id.update((id(test), test) for test in tests)
    return next(iter(by_id.values())) if len(by_id) == 1 else None


def of_several(what: str, spec: object, operands: Sequence[int] = ()) -> tuple[str, str]:
    """The message for a condition (``what``) that is a tensor of several elements, with the rewrite.

    ``operands``: which one of ``a and b`` or ``a or b`` it is, counted from 0, and which others have several elements, too.
    """
    frame = users_frame()
    node, _, only = _Asked(None, False, False) if frame is None else _asked(frame, frame.f_lasti, frame.f_lineno)
    subject = f"`{spelled(node) or 'x'}`"
    if not isinstance(node, ast.expr):
        node = ast.Name("x")
    if isinstance(node, ast.BoolOp) and only and operands:
        subject = f"`{spelled(node.values[operands[0]])}`"
        rewritten = [_with(node, operands, reduction) for reduction in ("all", "any")]
        return f"{what} must have one element, {subject} is {spec}", _ways(rewritten)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and hasattr(builtins, node.func.id):
        name, subject = node.func.id, f"what {subject} decides by"  # it is Python that asks, in `sorted(items)`
        if name in ("max", "min", "sorted"):
            same = {"max": "paddle.maximum(a, b)", "min": "paddle.minimum(a, b)", "sorted": "paddle.sort(x)"}[name]
            return f"{what} must have one element, {subject} is {spec}", (
                f"by one number of each, `{name}(items, key=lambda v: v.sum())`; or element by element, `{same}`"
            )
        one = f"{name}(v.%s() for v in items)" if name in ("any", "all") else "v.%s()"
        rewritten = [one % reduction for reduction in ("all", "any")]
    else:
        parts, word = _operands(node)
        if len(parts) > 1:
            subject = f"an operand of {subject}"
        rewritten = [word.join(_reduced(part, reduction, parts) for part in parts) for reduction in ("all", "any")]
    return f"{what} must have one element, {subject} is {spec}", _ways(rewritten)


def _ways(rewritten: Iterable[str]) -> str:
    return f"say with all() or any() which is meant: {' or '.join(f'`{way}`' for way in rewritten)}"


def _with(node: ast.BoolOp, operands: Sequence[int], reduction: str) -> str:
    """``a and b`` with some operands made one truth each, or only the first of these where the whole is long."""
    reduced = {i: _reduced(node.values[i], reduction, [node.values[i]]) for i in operands}
    values = [ast.parse(reduced[i], mode="eval").body if i in reduced else value for i, value in enumerate(node.values)]
    text = ast.unparse(ast.BoolOp(node.op, values))
    return text if len(text) <= LONGEST else reduced[operands[0]]


def _is_condition(frame: types.FrameType) -> bool:
    """Return whether the condition of a statement of Python's own runs."""
    tests = (n.test for n in ast.walk(within(frame)[0]) if isinstance(n, (ast.If, ast.While)))
    return any(test.lineno <= frame.f_lineno <= (test.end_lineno or 0) for test in tests)


def _operands(node: ast.AST) -> tuple[list[ast.expr], str]:
    """The operands whose truth a condition tests, and the operator between them."""
    if isinstance(node, ast.BoolOp):
        return node.values, " and " if isinstance(node.op, ast.And) else " or "
    if isinstance(node, ast.Compare):
        values = [node.left, *node.comparators]
        return [ast.Compare(values[i], [sign], [values[i + 1]]) for i, sign in enumerate(node.ops)], " and "
    return [node], ""  # type: ignore[list-item]


def _reduced(node: ast.expr, reduction: str, parts: list[ast.expr]) -> str:
    """An operand as one truth, by ``all`` or ``any``; among comparisons, only these are made so."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return f"not {_reduced(node.operand, reduction, [node.operand])}"
    text = ast.unparse(node)
    if isinstance(node, ast.Constant):
        return text
    if isinstance(node, ast.Compare):
        return f"({text}).{reduction}()"
    if any(isinstance(part, (ast.Compare, ast.UnaryOp)) for part in parts):
        return text
    if isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
        return f"{text}.{reduction}()"
    return f"({text}).{reduction}()"


class _AskingFrame(NamedTuple):
    """The frame in which Python asks for the truth of a tensor."""

    frame: types.FrameType
    name: str  # of the function
    flags: int  # of its code

    @property
    def is_generator(self) -> bool:
        """True in a generator function, which a generator expression is not."""
        return bool(self.flags & inspect.CO_GENERATOR) and not self.name.startswith("<")

    @property
    def is_class_body(self) -> bool:
        """True in the body of a class."""
        return not self.flags & inspect.CO_OPTIMIZED and self.name != "<module>"

    @property
    def is_translated(self) -> bool:
        """True in a statement of translated code that stays Python's."""
        return source_location.is_generated(self.frame.f_code.co_filename) and not self.is_generator

    @property
    def has_source(self) -> bool:
        """True if the line can be read."""
        return bool(line_in(self.frame.f_code.co_filename, self.frame.f_lineno))


# what to write, by the code that asks: the first row that applies. ``{choice}`` is a call of `paddle.where`
_REWRITES: tuple[tuple[Callable[[_AskingFrame], object], str], ...] = (
    (
        lambda asking: asking.is_class_body,
        "class bodies run as plain Python: decide before the class; or choose with {choice}",
    ),
    (
        lambda asking: asking.flags & inspect.CO_COROUTINE,
        "coroutines run as plain Python: make {name!r} a plain function (`def` for `async def`); or choose with {choice}",
    ),
    (
        lambda asking: not _in_translation(asking.frame),
        "decorate the function around it with @to_static, or write `paddle.static.nn.cond({test}, lambda: a, lambda: b)`",
    ),
    (
        lambda asking: asking.is_translated and _is_condition(asking.frame),  # an `except` has to see what it assigns
        "put this statement before the `try` or behind it: it assigns what `except` or `finally` reads, under a name that "
        "is deleted, or is that of a function or error, too; or choose with {choice}",
    ),
    (
        lambda asking: asking.is_translated,
        "write it as a `for` statement with an `if` in it, which to_static translates, or choose with {choice}",
    ),
    (
        lambda asking: asking.is_generator,
        "generators run as plain Python: let {name!r} append to a list and return it, or choose with {choice}",
    ),
    (
        lambda asking: getattr(_function(asking.frame), "__not_to_static__", False),
        "take @not_to_static off {name!r}, so that its conditions are translated; or choose with {choice}",
    ),
    (
        lambda asking: not asking.has_source and asking.name == "__eq__",
        "compare what the objects hold, which @dataclass leaves to Python: `a.x == b.x and a.y == b.y`",
    ),
    (
        lambda asking: not asking.has_source,
        "{name!r} has no source that could be translated: put it into a file; or choose with {choice}",
    ),
    (
        lambda asking: True,
        "{name!r} runs as plain Python here: let translated code call it (no library, no module given to ignore_module); "
        "or choose with {choice}",
    ),
)


def how_to_decide() -> str:
    """The rewrite for a ``bool(tensor)`` that Python calls here, by the code around it."""
    frame = users_frame()
    test = _test(frame) if frame is not None else "condition"
    choice = f"`paddle.where({test}, a, b)`" if len(test) < 30 else "`paddle.where(condition, a, b)`"
    if frame is None:
        return choice
    asking = _AskingFrame(frame, frame.f_code.co_name, frame.f_code.co_flags)
    rewrite = next(text for applies, text in _REWRITES if applies(asking))
    return rewrite.format(name=asking.name, choice=choice, test=test)


def _test(frame: types.FrameType) -> str:
    """The condition whose truth is asked for, where the user wrote one; 'condition' otherwise."""
    text = by_position(frame) or by_line(frame.f_code.co_filename, frame.f_lineno)
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
    while frame is not None and not source_location.is_generated(frame.f_code.co_filename):
        frame = frame.f_back
    return frame is not None


def _function(frame: types.FrameType) -> object:
    """The function that a frame runs, where its name leads to it."""
    name = frame.f_code.co_name
    owner = next(iter(frame.f_locals.values()), None) if frame.f_code.co_argcount else None
    function = frame.f_globals.get(name) or getattr(type(owner), name, None)
    outer = frame.f_back
    while function is None and outer is not None:
        function, outer = outer.f_locals.get(name), outer.f_back
    return function
