"""Keeps the output shown in a document true: every block is run, and what it prints is compared with, or put into, the document.

Kinds of fenced blocks:

* ``python file=NAME``: written to NAME in an empty directory, where everything below runs;
* ``diff file=NAME``: lines of that file, some of which get a ``+`` or ``-``: they are found and changed;
* ``python``: run, all of them in one namespace; a ``text`` block that follows directly shows what it prints;
* ``python raises=NAME``: the same, and it ends in that exception, whose last line is shown. Any other exception is a mistake;
* ``py``: not run: an excerpt, or a program that needs packages or a server that the tests have not;
* ``console``: each line that starts with ``$ `` is run by the shell, and the lines below it show what that prints. A
  traceback is a mistake.

What lies between ``<!-- made by MODULE -->`` and ``<!-- end -->`` is what ``table()`` of that module beside this one gives.

Documents that change to_static itself (`OF_SOURCE`) have a copy of the package and its tests in that directory.

``python tests/docs/fresh.py`` brings all documents up to date, ``python tests/docs/fresh.py README.md docs/guide.md`` only those.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import linecache
import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # this checkout, not one that happens to be installed

from to_static.core import unique_name  # noqa: E402

PAGES = "guide tour language errors debugging paddle precision formats onnx deploy distributed"
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *(ROOT / "docs" / f"{name}.md" for name in PAGES.split()),
]
OF_SOURCE = {"CONTRIBUTING.md": ("to_static", "tests", "pyproject.toml", "setup.cfg")}
MADE = re.compile(r"^<!-- made by (\w+) -->\n(.*?)^<!-- end -->$", re.M | re.S)
FENCE = re.compile(r"^```(python|text|console|diff)(?: file=(\S+))?(?: raises=(\S+))?\n(.*?)^```$", re.M | re.S)


def refreshed(text: str, source: tuple[str, ...] = ()) -> str:
    """The document's text with all output as it is now. ``source``: what of the repository is copied to where it runs."""
    pieces: list[str] = []
    position = 0
    printed: str | None = None  # output of the python block just above, not shown yet
    namespace: dict[str, object] = {"__name__": "__main__"}
    with _workplace(source), unique_name.guard():  # names count from 0, whatever ran before
        for block_index, block in enumerate(FENCE.finditer(text), 1):
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
            text_now = body
            if kind == "diff":
                _change(Path(name), body)
            elif name:
                Path(name).parent.mkdir(parents=True, exist_ok=True)
                Path(name).write_text(body)
            elif kind == "python":
                printed = _run_python(body, block_index, namespace, raises)
            elif kind == "console":
                text_now = _run_console(body)
            pieces.append(f"```{kind}{f' file={name}' if name else ''}{f' raises={raises}' if raises else ''}\n{text_now}```")
    if printed:
        pieces.append(f"\n\n```text\n{printed}```")
    pieces.append(text[position:])
    return MADE.sub(_made, "".join(pieces))


def _made(found: re.Match[str]) -> str:
    table = importlib.import_module(f"tests.docs.{found[1]}").table()
    return f"<!-- made by {found[1]} -->\n{table}\n<!-- end -->"


@contextlib.contextmanager
def _workplace(source: tuple[str, ...]):
    """An empty current directory from which modules can be imported, but for copies of ``source``."""
    folder, modules = os.getcwd(), set(sys.modules)
    with tempfile.TemporaryDirectory() as directory:
        for name in source:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, Path(directory) / name)
            else:
                shutil.copy2(ROOT / name, directory)
        os.chdir(directory)
        sys.path.insert(0, directory)
        try:
            yield
        finally:
            os.chdir(folder)
            sys.path.remove(directory)
            for name in set(sys.modules) - modules:
                if str(getattr(sys.modules[name], "__file__", None)).startswith(directory):
                    del sys.modules[name]


def _change(path: Path, lines: str) -> None:
    """Make the lines that begin with a blank or ``-`` those that begin with a blank or ``+``; they are in the file once.

    ``...`` stands for what is there in a line, in order, as ``...`` of the new lines.
    """
    old, new = ("".join(line[1:] for line in lines.splitlines(keepends=True) if line[0] in kept) for kept in (" -", " +"))
    text = path.read_text()
    places = list(re.finditer("^" + re.escape(old).replace(r"\.\.\.", "(.*)"), text, re.M))
    assert len(places) == 1, (
        f"{path} has {len(places)} places for\n{lines}"
        "A change of that file needs the lines of this block changed, too: unmarked lines and those with - are in the file once"
    )
    for rest in places[0].groups():
        new = new.replace("...", rest, 1)
    path.write_text(text[: places[0].start()] + new + text[places[0].end() :])


def _run_python(body: str, block_index: int, namespace: dict[str, object], raises: str | None) -> str:
    output = io.StringIO()
    name = f"block_{block_index}.py"
    linecache.cache[name] = (len(body), None, body.splitlines(keepends=True), name)  # so that functions have a source
    with contextlib.redirect_stdout(output):
        try:
            exec(compile(body, name, "exec"), namespace)
        except Exception as error:
            if type(error).__name__ != raises:
                raise AssertionError(f"block {block_index} ends in an exception that it does not announce:\n{body}") from error
            print(traceback.format_exception_only(error)[-1].strip())
        else:
            assert raises is None, f"block {block_index} announces {raises}, and ends well:\n{body}"
    text = output.getvalue().rstrip("\n")
    return text and text + "\n"


def _run_console(body: str) -> str:
    outputs = []
    for line in body.splitlines():
        if not line.startswith("$ "):
            continue
        has_package = Path("to_static").is_dir()
        environment = {**os.environ, "PYTHONPATH": os.getcwd() if has_package else str(ROOT), "COLUMNS": "100"}
        command = re.sub(
            r"^((?:\w+=\S+ )*)(to_static|python)\b",
            lambda m: f"{m[1]}{sys.executable}{' -m to_static' if m[2] != 'python' else ''}",
            line[2:],
        )
        result = subprocess.run(
            command, shell=True, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert "Traceback (most recent call last)" not in result.stdout, f"$ {line[2:]}\n{result.stdout}"
        outputs.append(f"{line}\n{result.stdout}")
    return "\n".join(piece.rstrip("\n") + "\n" for piece in outputs)


def chosen(names: list[str]) -> list[Path]:
    """The documents of these names, ``guide.md`` or ``docs/guide.md``; all without a name. ValueError for another name."""
    by_name = {name: path for path in DOCUMENTS for name in (path.name, path.relative_to(ROOT).as_posix())}
    unknown = [name for name in names if name not in by_name]
    if unknown:
        choices = ", ".join(path.relative_to(ROOT).as_posix() for path in DOCUMENTS)
        raise ValueError(f"no document that is brought up to date: {', '.join(unknown)}; these are: {choices}")
    return [path for path in DOCUMENTS if not names or path in [by_name[name] for name in names]]


def refresh(documents: list[Path]) -> int:
    """Bring documents up to date. One that can't be does not keep the others from it. Returns how many could not."""
    failures = 0
    for document in documents:
        old = document.read_text()
        try:
            new = refreshed(old, OF_SOURCE.get(document.name, ()))
        except AssertionError as error:
            failures += 1
            print(f"{document.name}: not brought up to date: {error}", file=sys.stderr)
            continue
        document.write_text(new)
        print(f"{document.name}: {'up to date' if new == old else 'changed'}")
    return failures


if __name__ == "__main__":
    try:
        documents = chosen(sys.argv[1:])
    except ValueError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    sys.exit(refresh(documents) > 0)
