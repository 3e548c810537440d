"""Operators called by position give what PaddlePaddle 2.6.2 gives (`record_positions.py`), in dynamic mode and in a Program."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from record_positions import CALLS, computed, names

import to_static as paddle
from to_static.compiler.formats.paddle.operators import c_ops_signatures
from to_static.core.errors import ProgramError

RECORDS = json.loads((Path(__file__).parent / "positions.json").read_text())
NOT_COMPUTED = {  # results that are None here
    "L.layer_norm": (1, 2),
    "L.rnn": (1, 3),
}


def alike(ours, theirs, where):
    if isinstance(theirs, list):
        assert len(ours) == len(theirs), where
        skipped = NOT_COMPUTED.get(where.partition("(")[0], ())
        for i, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
            if i not in skipped:
                alike(mine, other, f"{where}[{i}]")
    else:
        assert (ours["dtype"], ours["shape"]) == (theirs["dtype"], theirs["shape"]), where
        np.testing.assert_allclose(ours["values"], theirs["values"], 1e-4, 1e-5, err_msg=where)


@pytest.mark.parametrize("call", CALLS)
def test_as_paddle_computes_it(call):
    alike(computed(call, paddle), RECORDS[call], call)


def test_every_row_of_the_newer_names_is_called():
    called = {call.partition("(")[0][2:] for call in CALLS if call.startswith("C.")}
    assert set(c_ops_signatures._NEW) <= called


def test_in_a_traced_function_with_a_gradient():
    @paddle.jit.to_static
    def net(x, y):
        return paddle._legacy_C_ops.elementwise_mul(paddle._C_ops.softmax(x, -1), y, "axis", -1)

    x = names(paddle)["x"]
    x.stop_gradient = False
    y = names(paddle)["y"]
    net(x, y).sum().backward()
    static = x.grad.numpy()
    x.clear_grad()
    (paddle.nn.functional.softmax(x) * y).sum().backward()
    np.testing.assert_allclose(static, x.grad.numpy(), 1e-5)


def test_what_there_is_not():
    with pytest.raises(AttributeError, match="has no operator 'fused_thing'"):
        _ = paddle._legacy_C_ops.fused_thing
    with pytest.raises(AttributeError, match="has no operator 'fused_thing'"):
        _ = paddle._C_ops.fused_thing
    x = names(paddle)["x"]
    with pytest.raises(ProgramError, match=r"matmul_v2 takes X, Y, then names .* got 1 arguments"):
        paddle._legacy_C_ops.matmul_v2(x)
    with pytest.raises(ProgramError, match=r"softmax takes X, axis by position; got 3"):
        paddle._C_ops.softmax(x, 0, 1)
    with pytest.raises(ProgramError, match=r"operator 'hard_swish': attribute threshold = 7.0, where only 6.0"):
        paddle._legacy_C_ops.hard_swish(x, "threshold", 7.0)
