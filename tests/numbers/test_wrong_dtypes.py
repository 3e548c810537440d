"""Each input of each public function and layer in a wrong dtype: the same dtypes as Paddle's results, or an error on both sides."""

from __future__ import annotations

import json
import re
import warnings
from pathlib import Path

import daily
import numpy as np
import pytest

import to_static
from tests.numbers.wrong_dtypes import outcome
from tests.numbers.wrong_dtypes_allowed import REFUSED, REFUSES, WRONG, reason
from to_static.core.errors import DTypeError

HERE = Path(__file__).parent
RECORDS = json.loads((HERE / "wrong_dtypes.json").read_text())


@pytest.mark.parametrize("record", daily.some("wrong dtypes", RECORDS, 120), ids=lambda record: record[0])
def test_as_paddle(record):
    text, own, found = record
    differing = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for place, outcomes in enumerate(found):
            for dtype, theirs in outcomes.items():
                to_static.seed(1)
                ours = outcome(text, place, dtype, to_static)
                if ours != theirs and reason(text, own, place, dtype, theirs, ours) is None:
                    differing.append(f"input {place}, {own[place]}, as {dtype}: {ours}, Paddle's {theirs}")
    assert not differing, "\n".join([text, *differing])


def test_the_headings_are_there():
    page = (HERE.parents[1] / "docs" / "differences.md").read_text()
    for heading in (REFUSES, REFUSED, WRONG):
        assert f"\n## {heading}\n" in page


def test_what_is_refused_says_what_to_write():
    x, label = to_static.ones([2, 3]), to_static.ones([2, 3], "int64")
    words = "got float32 and int64; convert the second: `.astype('float32')`"
    with pytest.raises(DTypeError, match=f"l1_loss: expected two tensors of one dtype.*{re.escape(words)}"):
        to_static.nn.functional.l1_loss(x, label)
    with pytest.raises(DTypeError, match=re.escape("where: expected two tensors of one dtype")):
        to_static.where(x > 0, x, label)
    with pytest.raises(DTypeError, match="relu: complex numbers have no order"):
        to_static.nn.functional.relu(x.astype("complex64"))
    with pytest.raises(DTypeError, match=re.escape("accuracy: labels must be integers, `.astype('int64')`, got float32")):
        to_static.metric.accuracy(x, to_static.ones([2, 1]))
