"""Keeps the output shown in a document true: every block is run, and what it prints is compared with, or put into, the document.

Kinds of fenced blocks:

* ``python file=NAME``: written to NAME in an empty directory, where everything below runs;
* ``python``: run, all of them in one namespace; a ``text`` block that follows directly shows what it prints;
* ``python raises=NAME``: the same, and it ends in that exception, whose last line is shown. Any other exception is a mistake;
* ``console``: each line that starts with ``$ `` is run by the shell, and the lines below it show what that prints. A
  traceback is a mistake.

``python tests/docs/fresh.py`` brings all documents up to date.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import os
import re
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

from to_static.core import unique_name

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", *(ROOT / "docs" / name for name in ("tour.md", "language.md", "errors.md"))]
FENCE = re.compile(r"^```(python|text|console)(?: file=(\S+))?(?: raises=(\S+))?\n(.*?)^```$", re.M | re.S)


def refreshed(text: str) -> str:
    """The document's text with all output as it is now."""
    pieces: list[str] = []
    position = 0
    printed: str | None = None  # output of the python block just above, not shown yet
    namespace: dict[str, object] = {"__name__": "__main__"}
    with _workplace(), unique_name.guard():  # names count from 0, whatever ran before
        for number, block in enumerate(FENCE.finditer(text), 1):
            between = text[position : block.start()]
            kind, name, raises, body = block.groups()
            if printed and not (kind == "text" and not between.strip()):
                pieces.append(f"\n\n```text\n{printed}```")
            follows = kind == "text" and not between.strip() and printed is not None
            pieces.append(between)
            position = block.end()
            if follows:
                pieces.append(f"```text\n{printed}```")
                printed = None
                continue
            printed = None
            shown = body
            if name:
                Path(name).write_text(body)
            elif kind == "python":
                printed = _run_python(body, number, namespace, raises)
            elif kind == "console":
                shown = _run_console(body)
            pieces.append(f"```{kind}{f' file={name}' if name else ''}{f' raises={raises}' if raises else ''}\n{shown}```")
    if printed:
        pieces.append(f"\n\n```text\n{printed}```")
    pieces.append(text[position:])
    return "".join(pieces)


@contextlib.contextmanager
def _workplace():
    """An empty current directory from which modules can be imported."""
    before, modules = os.getcwd(), set(sys.modules)
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        sys.path.insert(0, directory)
        try:
            yield
        finally:
            os.chdir(before)
            sys.path.remove(directory)
            for name in set(sys.modules) - modules:
                if str(getattr(sys.modules[name], "__file__", None)).startswith(directory):
                    del sys.modules[name]


def _run_python(body: str, number: int, namespace: dict[str, object], raises: str | None) -> str:
    output = io.StringIO()
    name = f"block_{number}.py"
    linecache.cache[name] = (len(body), None, body.splitlines(keepends=True), name)  # so that functions have a source
    with contextlib.redirect_stdout(output):
        try:
            exec(compile(body, name, "exec"), namespace)
        except Exception as error:
            if type(error).__name__ != raises:
                raise AssertionError(f"block {number} ends in an exception that it does not announce:\n{body}") from error
            print(traceback.format_exception_only(error)[-1].strip())
        else:
            assert raises is None, f"block {number} announces {raises}, and ends well:\n{body}"
    text = output.getvalue().rstrip("\n")
    return text and text + "\n"


def _run_console(body: str) -> str:
    shown = []
    for line in body.splitlines():
        if not line.startswith("$ "):
            continue
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"}
        command = re.sub(
            r"^(to_static|python)\b",
            lambda m: f"{sys.executable}{' -m to_static' if m[1] != 'python' else ''}",
            line[2:],
        )
        result = subprocess.run(
            command, shell=True, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert "Traceback (most recent call last)" not in result.stdout, f"$ {line[2:]}\n{result.stdout}"
        shown.append(f"{line}\n{result.stdout}")
    return "\n".join(piece.rstrip("\n") + "\n" for piece in shown)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    for document in DOCUMENTS:
        old = document.read_text()
        new = refreshed(old)
        document.write_text(new)
        print(f"{document.relative_to(ROOT)}: {'up to date' if new == old else 'changed'}")
