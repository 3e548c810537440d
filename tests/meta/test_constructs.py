"""Each file of the frontend that supports a construct of Python has a row that names models which need it."""

from __future__ import annotations

from pathlib import Path

import to_static

FRONTEND = Path(to_static.__file__).parent / "compiler" / "frontend"
ROOMS = ("transpile/passes", "jst", "tracing")


def _rows() -> dict[str, list[str]]:
    """The cells of each row, by room and file."""
    rows: dict[str, list[str]] = {}
    room = ""
    for line in (FRONTEND / "MODELS.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            room = line[3:].strip("`")
        elif line.startswith("| `"):
            files, *cells = (cell.strip() for cell in line.strip("|").split(" | "))
            rows.update((f"{room}/{file.strip('`')}", cells) for file in files.split(", "))
    return rows


def test_each_construct_names_its_models() -> None:
    paths = [p for room in ROOMS for p in (FRONTEND / room).rglob("*.py") if p.name != "__init__.py"]
    rest = {"jst/operators.py", "jst/protocol.py", "jst/tracer_queries.py"}  # for all constructs
    files = {p.relative_to(FRONTEND).as_posix() for p in paths} - rest
    assert files == set(_rows())


def test_a_row_without_models_says_why() -> None:
    for file, (construct, layers, *models) in _rows().items():
        named = [name for name in models[0].strip("| ").split(", ") if name]
        elsewhere = any(mark in "".join(named) for mark in ("as `", "see below", "PaddleTest", "all its"))
        assert construct, file
        assert layers == "all" or len(named) >= 3 or elsewhere, file
