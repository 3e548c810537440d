"""What the tests draw anew each day: random programs, and in which of several ways a case is checked.

Two runs of one day draw the same, so that a red run means a change or the program that it names; ``TEST_DAY=2026-11-22 make test``
draws what was drawn on that day. ``TEST_LONG=1`` (``make test-long``) draws many more and checks each case in every way.
"""

from __future__ import annotations

import datetime
import os
import random
from collections.abc import Sequence
from typing import TypeVar

# set, so that the processes of pytest-xdist draw alike when midnight comes between their starts
DAY = os.environ.setdefault("TEST_DAY", datetime.date.today().isoformat())
LONG = os.environ.get("TEST_LONG", "0") != "0"
WORDS = f"drawn for TEST_DAY={DAY}" + (", in all ways (TEST_LONG)" if LONG else "")

Item = TypeVar("Item")


def _random(topic: str) -> random.Random:
    return random.Random(f"{DAY} {topic}")


def seeds(topic: str, everyday: int, long: int) -> list[int]:
    """Seeds of the day for programs of a kind: ``everyday`` of them, or ``long``, which begin with the others."""
    drawn = _random(topic)
    return [drawn.randrange(10**8) for _ in range(long if LONG else everyday)]


def way(topic: str, ways: Sequence[Item]) -> Sequence[Item]:
    """One of the ways for the day, all of them in a long run."""
    return ways if LONG else [_random(topic).choice(ways)]


def some(topic: str, items: Sequence[Item], everyday: int) -> Sequence[Item]:
    """``everyday`` of the items for the day, all of them in a long run; in their order."""
    if LONG:
        return items
    kept = set(_random(topic).sample(range(len(items)), everyday))
    return [item for index, item in enumerate(items) if index in kept]
