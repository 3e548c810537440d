"""Small expressions against what real Paddle 2.6.2 computed for them: dtypes, shapes and numbers, and the same inside a Program."""

from __future__ import annotations

import pytest

from tests import recorded
from tests.compiler.ops.record_paddle_expressions import HERE

RECORDS = recorded.records(HERE / "paddle_expressions.json")
DYNAMIC = ("item()", "repeat_interleave(T(F(3))", "T(1):T(3)", "stop_gradient", ".numpy")
IN_PROGRAMS = [r for r in RECORDS if not any(d in r[0] for d in DYNAMIC)]


@pytest.mark.parametrize(("text", "record"), RECORDS, ids=[r[0] for r in RECORDS])
def test_eager(text, record):
    recorded.check(recorded.in_eager_mode(text), record, text)


@pytest.mark.parametrize(("text", "record"), IN_PROGRAMS, ids=[r[0] for r in IN_PROGRAMS])
def test_in_a_program(text, record):
    recorded.check(recorded.in_a_program(text), record, text)
