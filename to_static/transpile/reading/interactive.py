"""The text of functions that no file holds: given to ``python -c``, to ``python < file``, or typed at the plain prompt.

Python before 3.13 forgets what is typed, but the line editor of a terminal keeps its history. What is found there is only
believed when compiling it makes the very code that is to be translated.
"""

from __future__ import annotations

import ast
import io
import itertools
import linecache
import os
import re
import stat
import sys
import types
from collections.abc import Iterator

from to_static.transpile.reading import freshness

_LONGEST = 400  # lines of one statement at the prompt
_count = itertools.count(1)
_found: dict[types.CodeType, str] = {}  # the name under which linecache knows a function's text


def lines_of(code: types.CodeType) -> tuple[str, list[str]]:
    """The name and the lines of the text that holds ``code``; no lines where it is not known."""
    file = code.co_filename
    if file == "<string>":
        given = sys.orig_argv
        return file, _split(given[given.index("-c") + 1] if "-c" in given[:-1] else "")
    if file != "<stdin>":
        return file, []
    if code not in _found:
        for text in itertools.chain(_piped(), _history(code.co_name)):
            tree = _parse(text)
            if tree is not None and freshness.holds(tree, code):
                name = _found[code] = f"<prompt {next(_count)}>"
                linecache.cache[name] = (len(text), None, _split(text), name)
                break
        else:
            return file, []
    return _found[code], linecache.getlines(_found[code])


def _piped() -> Iterator[str]:
    """The whole of standard input where it is a file, which can be read again."""
    try:
        state = os.fstat(0)
        if stat.S_ISREG(state.st_mode) and hasattr(os, "pread"):
            yield os.pread(0, state.st_size, 0).decode()
    except (OSError, UnicodeDecodeError):
        return


def _history(name: str) -> Iterator[str]:
    """Statements typed at the prompt that may define ``name``, the newest first."""
    editor = sys.modules.get("readline")
    if editor is None:
        return
    lines = [editor.get_history_item(i + 1) or "" for i in range(editor.get_current_history_length())]
    word = re.compile(r"\blambda\b" if name == "<lambda>" else rf"\bdef\s+{re.escape(name)}\b")
    for start in reversed(range(len(lines))):
        if lines[start][:1].isspace():
            continue
        for end in range(start + 1, min(len(lines), start + _LONGEST) + 1):
            text = "".join(f"{line}\n" for line in lines[start:end])
            whole = end == len(lines) or not re.match(r"\s|(else|elif|except|finally)\b", lines[end])
            if whole and _parse(text) is not None:
                if word.search(text):
                    yield text
                break


def _parse(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def _split(text: str) -> list[str]:
    return io.StringIO(text).readlines()
