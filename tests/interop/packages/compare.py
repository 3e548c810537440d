"""What two sides recorded of the same cases, stage by stage."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

Stages = dict[str, dict[str, Any]]
SINGLE, HALF, DOUBLE = 2e-3, 3e-2, 1e-6  # bounds of a difference, beside the largest number of an array
NOISE = 1e-3  # of the largest number of a stage: what is smaller is compared with this
BESIDE = {"static": "dynamic", "loaded": "dynamic", "static gradients": "gradients"}


@dataclass
class Tally:
    """What came of the stages that run on Paddle."""

    runs: int = 0
    equal: int = 0
    differing: list[str] = field(default_factory=list)
    failing: list[str] = field(default_factory=list)
    only_ours: int = 0
    seconds: float = 0.0
    their_seconds: float = 0.0
    stand_ins: set[str] = field(default_factory=set)

    def add(self, other: Tally) -> None:
        """Count what another one has, too."""
        for name in ("runs", "equal", "differing", "failing", "only_ours", "seconds", "their_seconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.stand_ins |= other.stand_ins


def difference(ours: list[np.ndarray], theirs: list[np.ndarray], double: bool = False) -> str | None:
    """What differs between the arrays of a stage, None if nothing does."""
    if len(ours) != len(theirs):
        return f"{len(ours)} arrays, not {len(theirs)}"
    finite_magnitudes = [np.abs(a[np.isfinite(a)]) for a in theirs if a.dtype.kind in "fc"]
    top = max((float(a.max()) for a in finite_magnitudes if a.size), default=0.0)
    for index, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        if a.shape != b.shape or a.dtype.kind != b.dtype.kind or (a.dtype != b.dtype and a.dtype.kind not in "UO"):
            return f"array {index}: {a.dtype}{list(a.shape)}, not {b.dtype}{list(b.shape)}"
        if a.dtype.kind not in "fc":
            if not np.array_equal(a, b):
                return f"array {index}: {int((a != b).sum())} of {b.size} items"
            continue
        finite = np.isfinite(b)
        if not np.array_equal(np.isfinite(a), finite):
            return f"array {index}: nan or inf"
        if finite.any():
            scale = max(float(np.abs(b[finite]).max()), NOISE * top, 1e-6)
            error = float(np.abs(a[finite].astype("complex128") - b[finite]).max()) / scale
            bound = HALF if b.dtype.itemsize <= 2 else DOUBLE if double and b.dtype.itemsize >= 8 else SINGLE
            if error > bound:
                return f"array {index}: {error:.1e}"
    return None


def read(folder: Path, stage: dict[str, Any]) -> list[np.ndarray]:
    """The arrays of a stage."""
    if "file" not in stage:
        return []
    with np.load(folder / stage["file"], allow_pickle=True) as file:
        return [file[name] for name in file.files]


def cases(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The records of a side, by the name of the case."""
    for path in sorted(folder.glob("*.json")):
        yield path.stem, json.loads(path.read_text("utf-8"))


def compare(ours: Path, theirs: Path, quick: bool = False) -> Tally:
    """Compare two folders, each with the records of one side. quick: Paddle's has no static stages.

    A static stage is right, too, where it equals what Paddle computes dynamically and Paddle's own static mode does not.
    """
    found = Tally()
    mine = dict(cases(ours))
    for name, record in cases(theirs):
        other = mine.get(name, {"stages": {"whole case": {"error": "no record", "seconds": 0}}, "stand-ins": []})
        found.stand_ins |= {*record["stand-ins"]}
        double = record["double"]
        found.seconds += sum(stage.get("seconds", 0) for stage in other["stages"].values())
        stages: Stages = record["stages"]
        if quick:  # our static stages stand beside Paddle's dynamic ones
            stages |= {
                title: stages[beside]
                for title, beside in BESIDE.items()
                if title in other["stages"] and beside in stages
            }
        for title, stage in stages.items():
            found.their_seconds += stage.get("seconds", 0)
            here = other["stages"].get(title)
            if "error" in stage:
                found.only_ours += here is not None and "error" not in here
                continue
            found.runs += 1
            label = f"{name}, {title}"
            if here is None or "error" in here:
                whole = other["stages"].get("whole case", {}).get("error")
                found.failing.append(f"{label}: {whole or 'not reached' if here is None else here['error']}")
                continue
            wrong = difference(read(ours, here), read(theirs, stage), double)
            beside = stages.get(BESIDE.get(title, ""), {"error": ""})
            if wrong and "error" not in beside and not difference(read(ours, here), read(theirs, beside), double):
                wrong = None
            if wrong:
                found.differing.append(f"{label}: {wrong}")
            found.equal += wrong is None
    return found
