"""Every construct of the table gives Python's result by default, and is static, or not, as `tests/golden/language.json` says."""

import sys

import daily
import pytest
from language_table import rows, run
from record_language import Late, limited, written

pytestmark = pytest.mark.slow
RECORDED = written()
WAYS_OF_CASES = ("values", "gradients")
STALE = "run: python tests/language/record_language.py"


# traced once a day, for its values or with its gradients: `make test-long` does both
WAYS = [(row, way) for row in rows() for way in (daily.way(row.name, WAYS_OF_CASES) if row.kind == "case" else ["values"])]


@pytest.mark.parametrize(("row", "way"), WAYS, ids=[f"{row.name}-{way}" for row, way in WAYS])
def test_construct(row, way):
    recorded = RECORDED[row.name]
    if "differs" in recorded:  # as it should not: who mends it records it anew
        with pytest.raises((AssertionError, Late)), limited(20):
            run(row)
        return
    found = run(row, way == "gradients")
    assert found.keys() == recorded.keys(), (found, recorded)
    if sys.version_info[:2] == (3, 11):  # that the table is recorded with: messages differ a little between versions of Python
        assert found == recorded, STALE


def test_names_are_unique():
    names = [row.name for row in rows()]
    assert len(names) == len(set(names))


def test_all_rows_are_recorded_and_no_others():
    assert list(RECORDED) == [row.name for row in rows()], STALE
