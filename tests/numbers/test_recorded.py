"""Every public function, method and layer against what real Paddle 2.6.2 gave for the same call, dynamic and in a Program.

The calls are texts (``calls/*.txt``, see `evaluate`), the records ``recorded/*.json``; `record` makes them.
"""

from __future__ import annotations

import json
import re
import warnings
from collections import defaultdict
from pathlib import Path

import daily
import pytest

import to_static
from tests.numbers.compare import differences
from tests.numbers.differences import DIFFERENCES, lacking, reason
from tests.numbers.evaluate import evaluate
from tests.numbers.in_a_program import evaluate_in_a_program, no_program
from to_static.core.errors import TracedValueError

HERE = Path(__file__).parent
RECORDS = {p.stem: json.loads(p.read_text()) for p in sorted((HERE / "recorded").glob("*.json"))}
NAME = re.compile(r"(?:paddle|F|nn|linalg)\.(?:utils\.|linalg\.)?(\w+)|\.(\w+)\(")


def by_name():
    """Records by the first public name in their text."""
    found = defaultdict(list)
    for group, records in RECORDS.items():
        for text, record in records:
            match = NAME.search(text)
            found[f"{group}-{(match[1] or match[2]) if match else 'operators'}"].append((text, record))
    return found


CASES = by_name()
every_name = pytest.mark.parametrize("cases", CASES.values(), ids=CASES.keys())


def problems(cases, evaluated):
    """What differs without a reason, and what has one and does not differ."""
    found = []
    for text, record in cases:
        if lacking(text):
            continue
        to_static.seed(1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about operands of different dtypes
            try:
                words = differences(evaluated(text), record)
            except TracedValueError:  # refused, with a rewrite, where a value would have to be known
                words = []
            except Exception as error:
                words = [f"{type(error).__name__}: {error}"]
        if words and reason(text) is None:
            found.append("\n    ".join([text, *words]))
    return found


@every_name
def test_dynamic(cases):
    found = problems(cases, lambda text: evaluate(text, to_static))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", daily.some("calls in programs", list(CASES), len(CASES) // 3))
def test_in_a_program(name):
    found = problems([c for c in CASES[name] if not no_program(c[0])], evaluate_in_a_program)
    assert not found, "\n".join(found)


def test_every_reason_has_a_call_that_differs_and_a_heading():
    page = (HERE.parents[1] / "docs" / "differences.md").read_text()
    for why, texts in DIFFERENCES.items():
        assert f"\n## {why}\n" in page
        for pattern in texts:
            calls = [(t, r) for records in RECORDS.values() for t, r in records if re.fullmatch(pattern, t)]
            assert calls, f"no call matches {pattern}"
            assert any(differs(text, record) for text, record in calls), (
                f"nothing that matches {pattern} differs any more"
            )


def differs(text, record):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return bool(differences(evaluate(text, to_static), record))
        except Exception:
            return True
