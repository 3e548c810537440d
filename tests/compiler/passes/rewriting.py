"""Before/Expected tests of passes, in the Program's text form."""

from __future__ import annotations

import textwrap
from typing import Any

import to_static  # noqa: F401
from to_static.compiler.ir.parser import parse_program
from to_static.compiler.ir.verifier import verify


def becomes(run: Any, source: str, expected: str) -> None:
    """Check that the pass turns one Program text into the other, and counts changes only where there are some."""
    program, wanted = (parse_program(textwrap.dedent(text)) for text in (source, expected))
    verify(program)
    changes = run(program)
    verify(program, "the pass")
    assert str(program) == str(wanted)
    assert bool(changes) == (str(parse_program(textwrap.dedent(source))) != str(wanted))


def stays(run: Any, text: str) -> None:
    """Check that the pass leaves a Program alone."""
    becomes(run, text, text)


def program_of(text: str) -> Any:
    """The Program of a text."""
    program = parse_program(textwrap.dedent(text))
    verify(program)
    return program
