"""Results that share memory with what they were computed from: those of real Paddle 2.6.2, also in static functions."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

import to_static as paddle
from tests.compiler.eager.record_sharing import BASES, HERE, numbers, shared, tensors

RECORDS = json.loads((HERE / "sharing.json").read_text(encoding="utf-8"))
NOT_IN_PROGRAMS = ("numpy()", "copy.", "pickle.", "static.nn.cond", "linalg.inv", "unique", "masked_select", "get_tensor")
SHARING = [text for text, rows in RECORDS.items() if any(any(flags) for row in rows.values() for flags in row)]
TRACED = [text for text in (*SHARING, "x.T.flatten()", "x.T.reshape([-1])", "paddle.diag(x)", "x.T*1.0", "x+0") if
          not any(word in text for word in NOT_IN_PROGRAMS)]  # fmt: skip


@pytest.mark.parametrize("text", RECORDS)
def test_dynamic_mode_shares_what_paddle_does(text):
    found = {base: shared(paddle, text, base) for base in RECORDS[text]}
    assert found == RECORDS[text]


@pytest.mark.parametrize("text", dict.fromkeys(TRACED))
def test_static_functions_share_what_dynamic_mode_does(text, tmp_path):
    lines = ["import to_static as paddle", "from tests.compiler.eager.record_sharing import numbers as F", "T = paddle.to_tensor"]
    for base in RECORDS[text]:
        body = [f"x = {BASES[base][0]}", f"r = {text}", "with paddle.no_grad():", "    a.add_(T(1.0))", "return r"]
        lines += [f"def {base}(a):", *(f"    {line}" for line in body)]
    path = tmp_path / "functions.py"
    path.write_text("\n".join(lines))
    names = {"__name__": "functions", "__file__": str(path)}
    exec(compile(path.read_text(), str(path), "exec"), names)
    for base in RECORDS[text]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected, found = (
                [t.numpy() for t in tensors(function(paddle.to_tensor(numbers(*BASES[base][1]))), paddle.Tensor)]
                for function in (names[base], paddle.jit.to_static(names[base], full_graph=True))
            )
        for one, other in zip(expected, found, strict=True):
            np.testing.assert_array_equal(one, other, err_msg=f"{text} of {base}")
