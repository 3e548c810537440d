"""Docstrings say what a thing is or does: those that open with a bare clause ("What a call gives.") may only become fewer."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import to_static

ROOT = Path(to_static.__file__).parent
CLAUSE = re.compile(r'^ *"""(?:What|Which|How|Whether|Where|When|Who|Why)\b', re.M)
# how many of a room open so, at most; lower a number when it falls. Rooms that are not here have none.
MOST = {"compiler": 329}


def opening(source: str) -> int:
    """How many docstrings of a source open with a clause."""
    return len(CLAUSE.findall(source))


def test_docstrings_open_with_what_they_describe() -> None:
    counts: Counter[str] = Counter()
    for path in ROOT.rglob("*.py"):
        counts[path.relative_to(ROOT).parts[0].removesuffix(".py")] += opening(path.read_text(encoding="utf-8"))
    more = {room: count for room, count in counts.items() if count > MOST.get(room, 0)}
    assert not more, f"{more} docstrings open with a bare clause: begin with a noun or a verb"


def test_what_counts() -> None:
    assert opening('def f():\n    """What a call gives."""\n') == 1
    assert opening('"""Which mode is on."""') == 1
    assert opening('def f():\n    """Return what a call gives. Which one is said."""') == 0
    assert opening('def f():\n    """Whatever comes."""') == 0
