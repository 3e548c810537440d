"""Before/after of each pass: `cases/<pass>.case` holds functions and, behind a line of dashes, what they become.

After a wanted change of the printed form run this file with TO_STATIC_WRITE_CASES=1 and read the difference.
"""

import os
from pathlib import Path

import pytest

from to_static.compiler.frontend.transpile import transpile_module
from to_static.compiler.frontend.transpile.module import IMPORT

CASES = sorted(Path(__file__).parent.glob("cases/*.case"))
DIVIDER = "# " + "-" * 30 + " becomes " + "-" * 30 + "\n"


def translated(source):
    return transpile_module(source, "case.py").replace(IMPORT + "\n", "")


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_case(path):
    source, _, expected = path.read_text().partition(DIVIDER)
    actual = translated(source)
    if os.environ.get("TO_STATIC_WRITE_CASES"):
        path.write_text(source + DIVIDER + actual)
    else:
        assert actual == expected


def test_every_pass_has_a_case():
    passes = Path(__file__).parents[5] / "to_static" / "compiler" / "frontend" / "transpile" / "passes"
    of_their_own = {p.stem.removeprefix("test_") for p in Path(__file__).parent.glob("test_*.py")}
    assert {p.stem for p in passes.glob("[a-z]*.py")} <= {c.stem for c in CASES} | of_their_own
