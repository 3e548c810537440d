"""Long lines of printed source, broken inside brackets the way people do it: one argument or item per line where they must be."""

from __future__ import annotations

import io
import tokenize

WIDTH = 110
_OPENING, _CLOSING = "([{", ")]}"


def wrapped(text: str, width: int = WIDTH) -> str:
    """``text`` with the lines broken that are longer than ``width`` and have a bracket to break in."""
    out = []
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        out += _folded(indent, line.strip(), width) if len(line) > width else [line]
    return "\n".join(out)


def _folded(indent: str, text: str, width: int) -> list[str]:
    """The lines of one statement, argument or item."""
    if len(indent) + len(text) <= width:
        return [indent + text]
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text.strip()).readline))
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return [indent + text]  # part of a longer statement or string
    groups = _groups(tokens)
    if not groups:
        return [indent + text]
    begin, end = max(groups, key=lambda group: group[1] - group[0])
    inner, deeper = text[begin + 1 : end], indent + "    "
    if len(deeper) + len(inner) <= width:
        lines = [deeper + inner]
    else:
        items = _items(inner)
        lines = [line for item in items for line in _folded(deeper, item + ("," if len(items) > 1 else ""), width)]
    return [indent + text[: begin + 1], *lines, indent + text[end:]]


def _groups(tokens: list[tokenize.TokenInfo]) -> list[tuple[int, int]]:
    """The outermost bracket pairs that hold something."""
    groups, opened = [], []
    for token in tokens:
        if token.type == tokenize.OP and token.string in _OPENING:
            opened.append(token.start[1])
        elif token.type == tokenize.OP and token.string in _CLOSING and opened:
            begin = opened.pop()
            if not opened and token.start[1] > begin + 1:
                groups.append((begin, token.start[1]))
    return groups


def _commas(tokens: list[tokenize.TokenInfo]) -> list[int]:
    """The columns of the commas outside of all brackets, without those between the parameters of a lambda."""
    depth, lambdas, columns = 0, 0, []
    for token in tokens:
        if token.type == tokenize.OP:
            depth += (token.string in _OPENING) - (token.string in _CLOSING)
        if depth == 0 and token.string == "lambda":
            lambdas += 1
        elif depth == 0 and token.string == ":" and lambdas:
            lambdas -= 1
        elif depth == 0 and token.string == "," and not lambdas:
            columns.append(token.start[1])
    return columns


def _items(text: str) -> list[str]:
    """The parts of ``text`` between its outer commas."""
    commas = _commas(list(tokenize.generate_tokens(io.StringIO(text.strip()).readline)))
    text = text.strip()
    parts = [text[a:b] for a, b in zip([0, *(c + 1 for c in commas)], [*commas, len(text)], strict=True)]
    return [part.strip() for part in parts if part.strip()]
