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
errors and changes of arguments were compared.

Some words. The first call of a static function with arguments of a kind *traces* it: its Python runs once, with stand-ins for the
tensors, and what it does to them becomes a *Program*, which that call and later ones run. What *tensors decide* is known only when
the Program runs: a branch on a tensor, how often a loop over a tensor goes round. *A number of the Program* is a Python number that
tensors give (`int(x)`, `len(x)`, the index of such a loop); it computes, compares and prints as Python's numbers do, and comes back
as one. A list, dict or set that changes under a tensor condition or in a tensor loop is one *that tensors make*.

*Becomes* names the control operators found in the Program: `cond` is a branch, `while_loop` a loop, `assert` a check that
raises Python's error, `list_...` an operation of a list that tensors make. "No control operator" means that it is decided while
tracing, or made of plain tensor operators; "the same, seen from outside", that a piece of a user's program was run both ways.
*Refused* is what no Program can be made of. By default that is a *graph break*: such calls run in Python, with Python's result,
and one warning gives file, line, reason and a rewrite; nothing of the trace is left. With `to_static(full_graph=True)` or
`TO_STATIC_FULL_GRAPH=1`, and where a Program is needed (`jit.save`), it is an error with the same text
([errors.md](errors.md) shows each as it is printed). The last section lists what differs although it should not: each was seen
to differ.
"""


def document(becomes):
    """The page; ``becomes(row)`` gives what a construct becomes, in words."""
    text = [INTRO, *(f"- [{title(section)}](#{anchor(title(section))})" for section in SECTIONS), ""]
    for section in SECTIONS:
        mine = [row for row in rows() if row.section == section]
        text.append(f"## {title(section)}\n\n| construct | becomes |\n|---|---|")
        for row in mine:
            text.append(line(row, becomes(row)))
        text.append("")
        for row in mine:
            if row.kind == "refused":
                text.append(f"```python\n{_source(row)}\n```\n")
    return "\n".join(text).rstrip() + "\n"


def title(section):
    """The heading of a section: the first line of its module."""
    return (importlib.import_module(f"case_{section}").__doc__ or section).strip().split("\n")[0].rstrip(".")


def anchor(heading):
    """What a link to a heading says."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


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
place in your file, with five lines of it; what to write instead, in code that can be pasted (`x`, `items`, `f` stand for your own
names). Nothing has run, printed or changed when you read one. By default these are warnings, and the call runs in Python
instead; `to_static(full_graph=True)`, `TO_STATIC_FULL_GRAPH=1` and `jit.save` make errors of them. This page
is written by `tests/language/write_docs.py`.

A refusal is a `ToStaticError`: a `TranslationError` (a construct has no translation), a `TracedValueError` (Python, NumPy or a
library asks for the numbers of a tensor, which are known only when the Program runs), a `SeveralValuesError` (a condition of
several elements, which is a `ValueError` in dynamic mode as well), a `ModeError` or an `AutogradError` (gradients are taken
outside).

Other errors are those that your code raises, with the same type and message as in dynamic mode; an operator that fails when the
Program runs raises an `ExecutionError` that is also of the class of the error in dynamic mode, `IndexError` for instance. Frames of
to_static itself are left out of tracebacks; `TO_STATIC_FULL_TRACEBACK=1` shows them.
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
