"""Every construct of the table, dynamically and statically; `docs/language.md` is what this test saw."""

import pytest
import write_docs
from language_table import rows, run


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.name)
def test_construct(row):
    run(row)


def test_names_are_unique():
    names = [row.name for row in rows()]
    assert len(names) == len(set(names))


def test_the_document_is_fresh():
    assert write_docs.PATH.read_text() == write_docs.document(), "run: python tests/language/write_docs.py"
