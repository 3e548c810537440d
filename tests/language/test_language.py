"""Every construct of the table, dynamically and statically; `docs/language.md` is what this test saw."""

import sys

import pytest
import write_docs
from language_table import rows, run


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.name)
def test_construct(row):
    run(row)


def test_names_are_unique():
    names = [row.name for row in rows()]
    assert len(names) == len(set(names))


@pytest.mark.skipif(sys.version_info < (3, 11), reason="messages find expressions by columns, which Python 3.10 does not keep")
def test_the_document_is_fresh():
    assert write_docs.PATH.read_text() == write_docs.document(), "run: python tests/language/write_docs.py"
    assert write_docs.PATH.with_name("errors.md").read_text() == write_docs.errors(), "run: python tests/language/write_docs.py"
