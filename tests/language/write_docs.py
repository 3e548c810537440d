"""Writes docs/language.md from the table of constructs: ``python tests/language/write_docs.py``."""

from __future__ import annotations

import importlib
import inspect
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
sys.path.insert(0, str(pathlib.Path(__file__).parent))
from language_table import SECTIONS, rows, run

PATH = pathlib.Path(__file__).parents[2] / "docs" / "language.md"
ERRORS_PATH = PATH.with_name("errors.md")
INTRO = """# The language

What `to_static` makes of Python, construct by construct. This page is written by `tests/language/write_docs.py` from the cases
in `tests/language`; each was run dynamically and statically on several inputs, and value, Python type, dtype, shape, printed text,
errors and changes of arguments were compared. *Becomes* names the control operators found in the Program; "no control operator"
means that it is decided while tracing, or made of plain tensor operators. What is refused is refused before anything runs, with
file, line, reason and a rewrite.
"""


def document(becomes):
    """The page; ``becomes(row)`` gives what a construct becomes, in words."""
    text = [INTRO]
    for section in SECTIONS:
        title = (importlib.import_module(f"case_{section}").__doc__ or section).strip().split("\n")[0].rstrip(".")
        mine = [row for row in rows() if row.section == section]
        text.append(f"## {title}\n\n| construct | becomes |\n|---|---|")
        for row in mine:
            text.append(line(row, becomes(row)))
        text.append("")
        for row in mine:
            if row.kind == "refused":
                text.append(f"```python\n{_source(row)}\n```\n")
    return "\n".join(text).rstrip() + "\n"


def line(row, becomes):
    """The line of one construct."""
    note = f" ({row.note})" if row.note else ""
    return f"| {_cell(row.title)}{note} | {_cell(becomes)} |"


def written():
    """What the page says of each row's construct, by the row's name; '' for what is not there."""
    sections, found = PATH.read_text().split("\n## ")[1:], {}
    for section, text in zip(SECTIONS, sections, strict=False):
        lines = text.split("\n")
        for row in [row for row in rows() if row.section == section]:
            start = line(row, "").removesuffix(" |")
            cell = next((x[len(start) : -2] for x in lines if x.startswith(start)), "")
            found[row.name] = cell.replace("\\|", "|")
    return found


ERRORS = """# What is refused

Every refusal of the table in [language.md](language.md) as it is printed: the reason, with the variable or expression; the
place in the user's file; what to write instead. This page is written by `tests/language/write_docs.py`. Frames of to_static itself
are left out of tracebacks; `TO_STATIC_FULL_TRACEBACK=1` shows them.
"""


def errors(refusals):
    """The page of all refusals."""
    return "\n".join([ERRORS, *refusals]).rstrip() + "\n"


def refusal(row):
    """The part of that page about one row, which was run."""
    return f"## {row.title[0].upper()}{row.title[1:]}\n\n```text\n{_anywhere(row.message)}\n```\n"


def _anywhere(message):
    """The message without what depends on where the case stands: its folder, and how many lines are above it."""
    message = re.sub(r'File "(?!<).*/(\w+\.py)"', r'File "\1"', message)
    first = re.search(r"\n(?:-->|   ) +(\d+) \|", message)
    less = int(first[1]) - 1 if first else 0
    message = re.sub(r"(\n(?:-->|   )) +(\d+) \|", lambda m: f"{m[1]} {int(m[2]) - less:4d} |", message)
    return re.sub(r"\b(lines?) (\d+)", lambda m: f"{m[1]} {int(m[2]) - less}", message)


def _cell(text):
    return text.replace("|", "\\|")


def _source(row):
    lines = inspect.getsource(row.function).splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(("def ", "async def ")))
    return "\n".join([f"# refused: {row.title}", *lines[start:]])


if __name__ == "__main__":
    PATH.write_text(document(run))
    ERRORS_PATH.write_text(errors([refusal(row) for row in rows() if row.kind == "refused"]))
