"""The one place where text that we wrote becomes code.

Text of others (names, attributes, dtypes of files, of users, of the environment) is never part of it: strings are objects that the
code finds in its namespace, and remarks are a table beside the text (`remarked`). `define` refuses text with a quote, a comment, a
backslash or anything but ASCII before Python reads it.
"""

from __future__ import annotations

import ast
import io
import keyword
import re
import types
from typing import Any

from to_static.core.diagnostics.printable import printable
from to_static.core.errors import GeneratedCodeError

_COLUMN = 76  # of remarks
# what our code is made of: names, numbers, brackets, operators; no strings, no comments, no continued lines
_OTHER = re.compile(r"[^A-Za-z0-9_ \n()\[\],.:=<>!+\-*/%&|@]")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def define(text: str, space: dict[str, Any], filename: str = "<generated>") -> dict[str, Any]:
    """Run ``text``, definitions that we wrote, in the namespace ``space``, and return that.

    Raises GeneratedCodeError for text with characters that our code has not.
    """
    _check(text)
    exec(compile(text, filename, "exec", dont_inherit=True), space)
    return space


def evaluate(text: str, space: dict[str, Any], names: dict[str, Any]) -> Any:
    """The value of an expression that we wrote, which names what is in ``names`` or in ``space``.

    Raises GeneratedCodeError for text with characters that our code has not.
    """
    _check(text)
    return eval(text, space, names)


def compiled(tree: ast.Module, filename: str, flags: int = 0) -> types.CodeType:
    """The code of a tree of nodes, in which nothing of a name or of a string can be taken for code."""
    return compile(tree, filename, "exec", flags=flags, dont_inherit=True)


def word(name: str) -> str:
    """``name``, which is to be a name in generated text. Raises GeneratedCodeError where it is none."""
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise GeneratedCodeError(f"{printable(name)!r} cannot be a name in generated code")
    return name


def remarked(text: str, remarks: dict[int, str]) -> str:
    """``text`` as it is shown: with a remark behind each of those lines (counted from 1) that have one."""
    lines = text.split("\n")
    for line, remark in remarks.items():
        lines[line - 1] = f"{lines[line - 1].ljust(_COLUMN)}  # {printable(remark)}"
    return "\n".join(lines)


def lines_of(text: str) -> list[str]:
    """The lines of Python source with their ends. `str.splitlines` knows more ends than Python does, form feeds for instance."""
    return io.StringIO(text, newline="").readlines()


def _check(text: str) -> None:
    foreign = _OTHER.search(text)
    if foreign is not None:
        raise GeneratedCodeError(f"generated code would hold {foreign.group()!a}: it is not run")
