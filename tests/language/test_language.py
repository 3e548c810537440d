"""Every construct of the table, dynamically and statically; `docs/language.md` is what this test saw."""

import re
import sys

import daily
import pytest
import write_docs
from language_table import rows, run

pytestmark = pytest.mark.slow
WRITTEN = write_docs.written()
REFUSALS = re.split("(?m)^(?=## )", write_docs.ERRORS_PATH.read_text())[1:]
WAYS_OF_CASES = ("values", "gradients")
STALE = "run: python tests/language/write_docs.py"


# traced once a day, for its values or with its gradients: `make test-long` does both
WAYS = [(row, way) for row in rows() for way in (daily.way(row.name, WAYS_OF_CASES) if row.kind == "case" else ["values"])]


@pytest.mark.parametrize(("row", "way"), WAYS, ids=[f"{row.name}-{way}" for row, way in WAYS])
def test_construct(row, way):
    becomes = run(row, way == "gradients")
    if sys.version_info >= (3, 11):  # messages find expressions by columns, which Python 3.10 does not keep
        assert WRITTEN[row.name] == becomes, STALE
        assert row.kind != "refused" or write_docs.refusal(row).rstrip() in map(str.rstrip, REFUSALS), STALE


def test_names_are_unique():
    names = [row.name for row in rows()]
    assert len(names) == len(set(names))


def test_the_documents_have_these_rows_and_no_others():
    assert write_docs.PATH.read_text() == write_docs.document(lambda row: WRITTEN[row.name]), STALE
    titles = [f"## {row.title[0].upper()}{row.title[1:]}" for row in rows() if row.kind == "refused"]
    assert [part.split("\n")[0] for part in REFUSALS] == titles, STALE
    assert write_docs.ERRORS_PATH.read_text() == write_docs.errors(REFUSALS).replace("\n\n\n", "\n\n"), STALE
