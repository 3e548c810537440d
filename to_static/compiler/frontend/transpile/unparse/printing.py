"""Translated trees as text: readable layout, comments, and a map from printed lines to the user's lines.

astor prints; `ast.unparse` does where astor cannot print a node or is broken on the running Python. The text is parsed again and
its statements are paired with the statements of the tree, which tells what every printed line came from. Comments go in then:
ours (``# line 5: while n > 1``) and the user's own.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import io
import tokenize
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast

from to_static.compiler.frontend.transpile.unparse.wrapping import wrapped
from to_static.core.diagnostics.printable import printable
from to_static.core.diagnostics.source_location import Span


@dataclass
class Printed:
    """Text and what it came from.

    ``lines``: for the lines on which a statement starts, the user's line. ``functions``: first and last line of the functions that
    the user wrote, outer ones first, with his name for them. ``statement_spans``: the parts of statements that are several lines in
    the user's text, by line, with the user's line of each. ``columns``: where on the user's line a statement starts.
    """

    text: str
    lines: dict[int, int]
    functions: list[tuple[int, int, str]] = field(default_factory=list)
    statement_spans: dict[int, list[tuple[Span, int]]] = field(default_factory=dict)
    columns: dict[int, int] = field(default_factory=dict)


def render(node: gast.stmt, lines: list[str], first: int, last: int) -> Printed:
    """Print the translation of lines ``first`` to ``last`` (counted from 1) of a file, with the user's comments and blank lines."""
    _without_pass(node)
    tree = gast.gast_to_ast(gast.Module([node], []))
    text, printed = _source(tree, lines)
    pairs = list(zip(_statements(node), _statements(printed.body[0]), strict=True))
    layout, new_line = _layout(text.split("\n"), pairs, user_comments(lines, first, last), _after_blank(lines, first, last))
    for source, output in pairs:
        if isinstance(output, ast.FunctionDef) and not hasattr(source, "generated"):
            name = getattr(source, "written", output.name)
            layout.functions.append((new_line[output.lineno], new_line[output.end_lineno or output.lineno], name))
    for source, output in zip(_statements(tree.body[0]), _statements(printed.body[0]), strict=True):
        if _header_end(source) > source.lineno:
            for (begin, end, column, behind), line in _parts(source, output):
                span = (new_line[begin], new_line[end], column, behind)
                for line_number in range(span[0], span[1] + 1):
                    layout.statement_spans.setdefault(line_number, []).append((span, line))
    return layout


def _header_end(statement: Any) -> int:
    """The last line of the user's text of a statement, without the statements in it."""
    return max((n.end_lineno or 0 for n in ast.iter_child_nodes(statement) if isinstance(n, ast.expr)), default=0)


def _parts(source: ast.AST, output: ast.AST) -> Iterator[tuple[Span, int]]:
    """Yield the span of each expression of a statement in the printed text, with the user's line."""
    for input_child, output_child in zip(ast.iter_child_nodes(source), ast.iter_child_nodes(output), strict=True):
        if isinstance(input_child, ast.stmt):
            continue
        if isinstance(input_child, ast.expr) and isinstance(output_child, ast.expr):
            called = input_child.func if isinstance(input_child, ast.Call) else None
            if isinstance(called, ast.Call) and ast.unparse(called.func) == "_jst.call":
                called = called.args[0]
            line = (
                called.end_lineno if isinstance(called, ast.Attribute) else None
            ) or input_child.lineno  # `.sum()` may have its own
            yield (
                (
                    output_child.lineno,
                    output_child.end_lineno or output_child.lineno,
                    output_child.col_offset,
                    output_child.end_col_offset or 0,
                ),
                line,
            )
        yield from _parts(input_child, output_child)


def _without_pass(node: gast.stmt) -> None:
    """``pass`` says nothing beside other statements: translation leaves it where it takes statements away."""
    for inner in _statements(node):
        for part in ("body", "orelse", "finalbody"):
            block = getattr(inner, part, None)
            if isinstance(block, list) and len(block) > 1:
                block[:] = [s for s in block if not isinstance(s, gast.Pass)] or block[:1]


def _source(tree: ast.Module, lines: list[str]) -> tuple[str, ast.Module]:
    """The text of a tree, and the tree of this text, which has its lines."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # astor asks for node classes that newer Pythons deprecate
            import astor

            generator = _generator()
            generator.lines = lines
            text = wrapped(astor.to_source(tree, pretty_source="".join, source_generator_class=generator))
        printed = ast.parse(text)
        if same(printed, tree):
            return text, printed
    except (ImportError, AttributeError, NotImplementedError, SyntaxError, TypeError, ValueError):
        pass  # astor does not know some node of this Python
    printed_text = ast.unparse(tree)
    with contextlib.suppress(SyntaxError):
        text = wrapped(printed_text)
        printed = ast.parse(text)
        if same(printed, tree):
            return text, printed
    return printed_text, ast.parse(printed_text)


def same(tree: Any, other_tree: Any) -> bool:
    """Return whether two trees are equal but for their positions in the text."""
    todo = [(tree, other_tree)]
    while todo:
        a, b = todo.pop()
        cls = a.__class__
        if cls is not b.__class__:
            return False
        if cls is list:
            if len(a) != len(b):
                return False
            todo += zip(a, b, strict=True)
        elif issubclass(cls, ast.AST):
            fields, other_fields = a.__dict__, b.__dict__
            todo += [(fields.get(name), other_fields.get(name)) for name in cls._fields]
        elif a is not b and (a != b or repr(a) != repr(b)):  # 0.0 is not -0.0
            return False
    return True


@functools.lru_cache(maxsize=1)
def _generator() -> Any:
    """astor's printer, writing ``lambda: x`` for ``lambda : x``, ``f(a: int = 2) -> int`` for ``f(a: int=2) ->int``.

    Strings and numbers are written as in the user's ``lines``.
    """
    import astor

    class CommentedSource(astor.SourceGenerator):  # type: ignore[name-defined, misc]
        lines: list[str] = []
        annotated = False
        inside = False  # of an f-string, which has its own rules for quotes

        def visit_Constant(self, node: ast.Constant) -> None:
            text = spelled(node, self.lines) if isinstance(node.value, (int, float)) else ""
            if text and not self.inside:
                self.write(text)
            else:
                super().visit_Constant(node)

        def visit_Attribute(self, node: ast.Attribute) -> None:
            if isinstance(node.value, ast.Constant) and isinstance(node.value.value, int):  # `5.real` is no number
                self.write("(", node.value, ").", node.attr)
            else:
                super().visit_Attribute(node)

        def _handle_string_constant(self, node: Any, value: Any, is_joined: bool = False) -> None:
            text = "" if self.inside or is_joined else spelled(node, self.lines)
            if text:
                self.write(text)
                return
            around, self.inside = self.inside, self.inside or is_joined
            super()._handle_string_constant(node, value, is_joined)
            self.inside = around

        def conditional_write(self, *parts: Any) -> Any:
            if parts[0] == "=" and self.annotated:
                parts = (" = ", *parts[1:])
            elif parts[0] == " ->":
                parts = (" -> ", *parts[1:])
            elif parts[0] == ": ":
                self.annotated = parts[-1] is not None
            if parts[0] in (": ", " -> ") and isinstance(parts[-1], ast.BinOp):  # `x: int | None` needs no parentheses
                astor.code_gen.set_precedence(astor.op_util.Precedence.Comma, parts[-1])
            return super().conditional_write(*parts)

        def visit_Lambda(self, node: ast.Lambda) -> None:
            args = node.args
            if args.posonlyargs or args.args or args.vararg or args.kwonlyargs or args.kwarg:
                super().visit_Lambda(node)
                return
            with self.delimit(node) as delimiters:
                astor.code_gen.set_precedence(delimiters.p, node.body)
                self.write("lambda: ", node.body)

    return CommentedSource


def spelled(node: ast.Constant, lines: list[str]) -> str:
    """A constant as the user wrote it on one line; '' if the place holds something else (a constant of ours)."""
    line, column, end = getattr(node, "lineno", 0), getattr(node, "col_offset", 0), getattr(node, "end_col_offset", None)
    if not 0 < line <= len(lines) or node.end_lineno != line or end is None or end <= column:
        return ""
    text = lines[line - 1].encode()[column:end].decode(errors="replace")
    value = _value_of(text)
    return text if type(value) is type(node.value) and repr(value) == repr(node.value) else ""


@functools.lru_cache(maxsize=1024)
def _value_of(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def _statements(node: Any) -> list[Any]:
    """All statements from ``node`` on, in source order; works on gast and ast trees alike."""
    statements = [node]
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        children = getattr(node, part, None)
        if isinstance(children, list):
            for child in children:
                statements += _statements(child)
    return statements


def user_comments(lines: list[str], first: int, last: int) -> dict[int, tuple[bool, str]]:
    """The comments in lines ``first`` to ``last`` (counted from 1): line -> (alone on its line, text)."""
    comments: dict[int, tuple[bool, str]] = {}
    text = "".join(lines[first - 1 : last])
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                comments[first - 1 + token.start[0]] = (token.line[: token.start[1]].strip() == "", token.string)
    except (tokenize.TokenError, IndentationError):
        pass  # a block cut out of its file need not tokenize to its very end; what came before counts
    return comments


def _after_blank(lines: list[str], first: int, last: int) -> set[int]:
    """The lines after the first that follow a blank line."""
    return {n for n in range(first + 1, last + 1) if n <= len(lines) and lines[n - 1].strip() and not lines[n - 2].strip()}


def _layout(
    text: list[str], pairs: list[tuple[Any, Any]], comments: dict[int, tuple[bool, str]], spaced: set[int]
) -> tuple[Printed, dict[int, int]]:
    """Add blank lines around nested functions and comments. Return the text with its line map, and the new line of each old one."""
    starts: dict[int, tuple[Any, Any]] = {}
    headed = {source.lineno for source, _ in pairs if getattr(source, "comment", "")}  # lines whose comments go to a function
    inside: set[int] = set()  # lines that continue a statement: never touched
    for source, printed in pairs:
        first = min([printed.lineno, *(d.lineno for d in getattr(printed, "decorator_list", []))])
        starts.setdefault(first, (source, printed))
        end = printed.lineno if hasattr(printed, "body") else printed.end_lineno
        inside.update(range(first + 1, (end or first) + 1))
    out: list[str] = []
    lines: dict[int, int] = {}
    columns: dict[int, int] = {}
    new_line: dict[int, int] = {}
    ended: list[int] = []  # last lines of open functions
    previous_opens = True
    for old_line, line in enumerate(text, 1):
        if old_line in inside:
            out.append(line)
            new_line[old_line] = len(out)
            continue
        if not line.strip():
            continue
        source, printed = starts.get(old_line, (None, None))
        indent = line[: len(line) - len(line.lstrip())]
        closes = bool(ended) and old_line > ended[-1]
        while ended and old_line > ended[-1]:
            ended.pop()
        is_function = isinstance(printed, (ast.FunctionDef, ast.ClassDef))
        above = []
        if source is not None and (hasattr(source, "comment") or not hasattr(source, "generated")):
            above = sorted(at for at in comments if at <= source.lineno and comments[at][0])
        blank_lines = {*above, source.lineno} & spaced if source is not None else set()
        spaced -= blank_lines
        if out and not previous_opens and (is_function or closes or blank_lines):
            out.append("")
        out += [indent + comments.pop(at)[1] for at in above]
        if is_function:
            ended.append(printed.end_lineno)
        out.append(line)
        new_line[old_line] = len(out)
        if source is not None:
            lines[len(out)] = source.lineno
            columns[len(out)] = source.col_offset
            notes = [f"# {printable(source.comment)}"] if getattr(source, "comment", "") else []
            keeps_comments = hasattr(source, "comment") or not hasattr(source, "generated")
            last = source.lineno if hasattr(source, "body") else getattr(source, "end_lineno", None) or source.lineno
            rows = range(source.lineno, last + 1) if keeps_comments else ()
            behind = [at for at in rows if hasattr(source, "comment") or at not in headed]
            notes += [comments.pop(at)[1] for at in behind if at in comments and not comments[at][0]]
            if notes:
                out[-1] += "  " + "  ".join(notes)
        previous_opens = line.rstrip().endswith(":")
    return Printed("\n".join(out) + "\n", lines, columns=columns), new_line
