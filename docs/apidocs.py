"""Builds the API reference as a site, with pdoc: `python docs/apidocs.py [FOLDER]` (default out/apidocs).

Every module under one of Paddle's public paths that is here gets a page with its `__all__`: signatures, docstrings,
examples. What [differences.md](differences.md) says of a name is put below it as "Differs from Paddle". `make
apidocs` installs pdoc and runs this.
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import pdoc.doc
import pdoc.render

import to_static
from to_static.core.diagnostics.paddle_names import NAMES

DOCS = Path(__file__).parent
HOME = """
# API reference

The modules are those of PaddlePaddle 2.6; `import to_static as paddle` is how programs begin. In examples `np` is
NumPy, `nn`, `F` and `static` are `paddle.nn`, `paddle.nn.functional` and `paddle.static`, `x` and `y` are tensors,
`net` is a Layer and `opt` its optimizer. A test runs the examples, so what they show is what comes out.

"""


def modules(rooms: Iterable[str]) -> list[ModuleType]:
    """The public modules among ``rooms``, with all of their names looked up (they are loaded when first used otherwise)."""
    found = []
    for room in rooms:
        try:
            module = importlib.import_module("to_static" if room == "paddle" else f"to_static.{room}")
        except ModuleNotFoundError:
            continue  # a class, or what is not here yet
        for name in getattr(module, "__all__", ()):
            vars(module)[name] = getattr(module, name)
        found.append(module)
    return found


_POINT = re.compile(r"^\* (.*?)(?=^\* |^\n|\Z)", re.M | re.S)
_ROW = re.compile(r"^\| (.+?) \| (.*?) \| (.*?) ?\|$", re.M)  # call, here, Paddle


def differences(text: str) -> dict[str, list[str]]:
    """The points and table rows of differences.md, by the names at the head of each."""
    points = [(re.split(r"(?<=[:.]) |\(Paddle", point, maxsplit=1)[0], point) for point in map(_one_line, _POINT.findall(text))]
    for call, here, paddle in _ROW.findall(text):
        points.append((call, f"{call}: {here}{f' (Paddle: {paddle})' if paddle else ''}"))
    notes: dict[str, list[str]] = {}
    for head, point in points:
        for code in re.findall(r"`([^`]+)`", head):
            if name := re.match(r"(?:[a-z]\w*\.)*([A-Za-z_]\w*)", code):
                notes.setdefault(name[1], []).append(point)
    return notes


def _one_line(text: str) -> str:
    return " ".join(text.split())


def annotated(docs: Iterable[pdoc.doc.Module]) -> int:
    """Put what differs below the docstrings; how many names that are."""
    said = differences((DOCS / "differences.md").read_text(encoding="utf-8"))
    count = 0
    for module in docs:
        for member in module.members.values():
            if points := said.get(member.name):
                notes = "\n".join(f"* {point}" for point in points)
                member.docstring = f"{member.docstring}\n\n**Differs from Paddle**\n\n{notes}\n"
                count += 1
    return count


def plain(doc: pdoc.doc.Doc) -> None:
    """Leave out what tells a user nothing: decorators, and that something may be of any type (docstrings name types and shapes)."""
    if isinstance(doc, pdoc.doc.Class):
        for member in doc.members.values():
            plain(member)
    elif isinstance(doc, pdoc.doc.Function):
        empty = inspect.Signature.empty
        given = doc.signature
        rest = [
            p.replace(annotation=empty) if p.annotation in (Any, "Any") else p for p in given.parameters.values()
        ]
        returned = empty if given.return_annotation in (Any, "Any") else given.return_annotation
        vars(doc)["decorators"] = []
        vars(doc)["signature"] = given.replace(parameters=rest, return_annotation=returned)


def build(folder: Path, rooms: Iterable[str] = NAMES) -> dict[str, pdoc.doc.Module]:
    """Write the site; the modules that have a page."""
    to_static.__doc__ = f"{HOME}\n{inspect.getdoc(to_static)}"
    names = {module.__name__ for module in modules(rooms)}
    pdoc.render.configure(docformat="google", footer_text=f"to_static {to_static.__version__}", search=True, show_source=False)
    docs = {name: pdoc.doc.Module(importlib.import_module(name)) for name in sorted(names)}
    for module in docs.values():
        for member in module.members.values():
            plain(member)
    annotated(docs.values())
    for name, doc in docs.items():
        page = folder / f"{name.replace('.', '/')}.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(pdoc.render.html_module(doc, docs), encoding="utf-8")
    (folder / "index.html").write_text(pdoc.render.html_index(docs), encoding="utf-8")
    (folder / "search.js").write_text(pdoc.render.search_index(docs), encoding="utf-8")
    return docs


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    target = Path(sys.argv[1] if sys.argv[1:] else "out/apidocs")
    pages = build(target)
    print(f"{target / 'index.html'}: {len(pages)} modules, {sum(len(doc.members) for doc in pages.values())} names")
