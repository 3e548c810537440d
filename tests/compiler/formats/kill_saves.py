"""Processes that save over and over are killed with ``kill -9`` at random moments; what is loaded then is one version, whole.

    python tests/compiler/formats/kill_saves.py [KILLS [SEED]]

Two processes save to one prefix at the same time. Prints how many loads were torn (must be 0), and how often a save had to be
finished or undone.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from test_killed_saves import OfObjects, OfStates, OfTheJit, TwoMethods

import to_static as paddle


def main(kills: int, seed: int) -> int:
    random.seed(seed)
    ways = []
    for kind in (OfTheJit, OfStates, OfObjects):
        paddle.enable_static() if kind is OfStates else paddle.disable_static()
        ways.append(kind())
        if kind is OfTheJit:
            ways[-1].layers = {version: TwoMethods(version) for version in range(1, 10)}
            for layer in ways[-1].layers.values():  # traced now, so that the children do nothing but save
                paddle.jit.save(layer, os.path.join(tempfile.mkdtemp(), "net"))
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for kill_index in range(kills):
            way = ways[kill_index % len(ways)]
            place = Path(folder) / type(way).__name__
            static = isinstance(way, OfStates)
            paddle.enable_static() if static else paddle.disable_static()
            children = [child(way, place, first) for first in (1, 4)]
            time.sleep(random.uniform(0, 0.4))
            for process in children:
                os.kill(process, signal.SIGKILL)
            for process in children:
                os.waitpid(process, 0)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                try:
                    versions = way.load(place)
                    counts["whole" if len(versions) == 1 else "TORN"] += 1
                except FileNotFoundError:
                    counts["not there yet"] += 1
                except Exception as error:
                    print(f"{type(way).__name__}: {type(error).__name__}: {error}")
                    counts["TORN"] += 1
            for warning in caught:
                counts["finished" if "new version" in str(warning.message) else "undone"] += 1
            if place.exists() and any(name.endswith(".part") for name in os.listdir(place)):
                counts["LEFT OVER"] += 1
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    return bool(counts["TORN"] or counts["LEFT OVER"])


def child(way, place: Path, first: int) -> int:
    process = os.fork()
    if process == 0:
        while True:
            for version in range(first, first + 3):
                way.save(place, version)
    return process


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200, int(sys.argv[2]) if len(sys.argv) > 2 else 0))
