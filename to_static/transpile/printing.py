"""Translated trees as text: readable layout, comments, and a map from printed lines to the user's lines.

astor prints; `ast.unparse` does where astor cannot print a node or is broken on the running Python. The text is parsed again and
its statements are paired with the statements of the tree, which tells what every printed line came from. Comments go in then:
ours (``# line 5: while n > 1``) and the user's own.
"""

from __future__ import annotations

import ast
import functools
import io
import tokenize
import warnings
from dataclasses import dataclass
from typing import Any

import gast

from to_static.transpile import visiting


@dataclass
class Printed:
    """Text and, for the lines on which a statement starts, the user's line it came from."""

    text: str
    lines: dict[int, int]


def render(node: gast.stmt, comments: dict[int, tuple[bool, str]] | None = None) -> Printed:
    """Print one statement. ``comments``: the user's own by line, each with whether it has the line for itself."""
    _without_pass(node)
    tree = gast.gast_to_ast(gast.Module([node], []))
    text = _source(tree)
    printed = ast.parse(text)
    pairs = list(zip(_statements(node), _statements(printed.body[0]), strict=True))
    return _layout(text.splitlines(), pairs, dict(comments or {}))


def _without_pass(node: gast.stmt) -> None:
    """``pass`` says nothing beside other statements: translation leaves it where it takes statements away."""
    for inner in visiting.walk(node):
        for part in ("body", "orelse", "finalbody"):
            block = getattr(inner, part, None)
            if isinstance(block, list) and len(block) > 1:
                block[:] = [s for s in block if not isinstance(s, gast.Pass)] or block[:1]


def _source(tree: ast.Module) -> str:
    ast.fix_missing_locations(tree)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # astor asks for node classes that newer Pythons deprecate
            import astor

            text = _wrapped(astor.to_source(tree, pretty_source="".join, source_generator_class=_generator()))
        if same(ast.parse(text), tree):
            return text
    except (ImportError, AttributeError, NotImplementedError, SyntaxError, TypeError, ValueError):
        pass  # astor does not know some node of this Python
    return ast.unparse(tree)


def same(a: Any, b: Any) -> bool:
    """Whether two trees say the same, wherever their text was."""
    if a.__class__ is not b.__class__:
        return False
    if a.__class__ is list:
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, ast.AST):
        return all(same(getattr(a, name, None), getattr(b, name, None)) for name in a._fields)
    return bool(a == b) and repr(a) == repr(b)  # 0.0 is not -0.0


@functools.lru_cache(maxsize=1)
def _generator() -> Any:
    """astor's printer, writing ``lambda: x`` for ``lambda : x``, ``f(a: int = 2) -> int`` for ``f(a: int=2) ->int``."""
    import astor

    class Generator(astor.SourceGenerator):  # type: ignore[name-defined, misc]
        annotated = False

        def conditional_write(self, *parts: Any) -> Any:
            if parts[0] == "=" and self.annotated:
                parts = (" = ", *parts[1:])
            elif parts[0] == " ->":
                parts = (" -> ", *parts[1:])
            elif parts[0] == ": ":
                self.annotated = parts[-1] is not None
            return super().conditional_write(*parts)

        def visit_Lambda(self, node: ast.Lambda) -> None:
            args = node.args
            if args.posonlyargs or args.args or args.vararg or args.kwonlyargs or args.kwarg:
                super().visit_Lambda(node)
                return
            with self.delimit(node) as delimiters:
                astor.code_gen.set_precedence(delimiters.p, node.body)
                self.write("lambda: ", node.body)

    return Generator


def _wrapped(text: str, width: int = 110) -> str:
    """Break lines that are too long after the opening parenthesis of their last call."""
    out = []
    for line in text.split("\n"):
        out += _wrap_line(line, width) if len(line) > width else [line]
    return "\n".join(out)


def _wrap_line(line: str, width: int) -> list[str]:
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(line.strip()).readline))
    except (tokenize.TokenError, IndentationError):
        return [line]  # part of a longer statement or string
    indent = line[: len(line) - len(line.lstrip())]
    text = line.strip()
    depth, opened, breaks = 0, -1, []
    for token in tokens:
        if token.string in "([{" and token.type == tokenize.OP:
            depth += 1
            if depth == 1 and token.string == "(":
                opened, breaks = token.end[1], [token.end[1]]
        elif token.string in ")]}" and token.type == tokenize.OP:
            depth -= 1
        elif token.string == "," and depth == 1 and opened >= 0:
            breaks.append(token.end[1])
    if not text.endswith((")", ":")) or opened < 0:
        return [line]
    pieces = [text[a:b].strip() for a, b in zip(breaks, [*breaks[1:], len(text)], strict=True)]
    made = [indent + text[:opened]]
    current = indent + "   "
    for piece in pieces:
        if len(current) + 1 + len(piece) > width and current.strip():
            made.append(current)
            current = indent + "   "
        current += " " + piece
    return [*made, current]


def _statements(node: Any) -> list[Any]:
    """All statements from ``node`` on, in source order; works on gast and ast trees alike."""
    found = [node]
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        children = getattr(node, part, None)
        if isinstance(children, list):
            for child in children:
                found += _statements(child)
    return found


def user_comments(lines: list[str], first: int, last: int) -> dict[int, tuple[bool, str]]:
    """The comments in lines ``first`` to ``last`` (counted from 1): line -> (alone on its line, text)."""
    found: dict[int, tuple[bool, str]] = {}
    text = "".join(lines[first - 1 : last])
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                found[first - 1 + token.start[0]] = (token.line[: token.start[1]].strip() == "", token.string)
    except (tokenize.TokenError, IndentationError):
        pass  # a block cut out of its file need not tokenize to its very end; what came before counts
    return found


def _layout(text: list[str], pairs: list[tuple[Any, Any]], comments: dict[int, tuple[bool, str]]) -> Printed:
    """Blank lines around nested functions, comments, and the line map."""
    starts: dict[int, tuple[Any, Any]] = {}
    inside: set[int] = set()  # lines that continue a statement: never touched
    for source, printed in pairs:
        first = min([printed.lineno, *(d.lineno for d in getattr(printed, "decorator_list", []))])
        starts.setdefault(first, (source, printed))
        end = printed.lineno if hasattr(printed, "body") else printed.end_lineno
        inside.update(range(first + 1, (end or first) + 1))
    out: list[str] = []
    lines: dict[int, int] = {}
    ended: list[int] = []  # last lines of open functions
    previous_opens = True
    for number, line in enumerate(text, 1):
        if number in inside:
            out.append(line)
            continue
        if not line.strip():
            continue
        source, printed = starts.get(number, (None, None))
        indent = line[: len(line) - len(line.lstrip())]
        closes = bool(ended) and number > ended[-1]
        while ended and number > ended[-1]:
            ended.pop()
        is_function = isinstance(printed, (ast.FunctionDef, ast.ClassDef))
        if out and not previous_opens and (is_function or closes):
            out.append("")
        if source is not None and (hasattr(source, "comment") or not hasattr(source, "generated")):
            for at in sorted(at for at in comments if at <= source.lineno and comments[at][0]):
                out.append(indent + comments.pop(at)[1])
        if is_function:
            ended.append(printed.end_lineno)
        out.append(line)
        if source is not None:
            lines[len(out)] = source.lineno
            notes = [f"# {source.comment}"] if getattr(source, "comment", "") else []
            whole = hasattr(source, "comment") or not hasattr(source, "generated")
            last = source.lineno if hasattr(source, "body") else getattr(source, "end_lineno", None) or source.lineno
            behind = range(source.lineno, last + 1) if whole else ()
            notes += [comments.pop(at)[1] for at in behind if at in comments and not comments[at][0]]
            if notes:
                out[-1] += "  " + "  ".join(notes)
        previous_opens = line.rstrip().endswith(":")
    return Printed("\n".join(out) + "\n", lines)
