"""Docstrings say what a thing is or does: none opens with a bare clause ("What a call gives.")."""

from __future__ import annotations

import re
from pathlib import Path

import to_static

ROOT = Path(to_static.__file__).parent
CLAUSE = re.compile(r'^ *"""(?:What|Which|How|Whether|Where|When|Who|Why)\b', re.M)


def opening(source: str) -> int:
    """How many docstrings of a source open with a clause."""
    return len(CLAUSE.findall(source))


def test_docstrings_open_with_what_they_describe() -> None:
    modules = [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py") if opening(path.read_text(encoding="utf-8"))]
    assert not modules, "a docstring opens with a bare clause: begin with a noun or a verb"


def test_what_counts() -> None:
    assert opening('def f():\n    """What a call gives."""\n') == 1
    assert opening('"""Which mode is on."""') == 1
    assert opening('def f():\n    """Return what a call gives. Which one is said."""') == 0
    assert opening('def f():\n    """Whatever comes."""') == 0
