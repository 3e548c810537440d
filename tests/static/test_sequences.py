"""Sequences in the rows of a tensor: what Paddle computes, gradients too, and how offsets travel."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from tests.static.sequence_cases import CASES, results
from to_static import base
from to_static.core.errors import ModeError, ProgramError, ShapeError
from to_static.static import nn

TABLE = json.loads(Path(__file__).with_name("paddle_sequences.json").read_text(encoding="utf-8"))


def test_the_table_is_whole():
    assert list(TABLE) == list(CASES)


@pytest.mark.parametrize("name", CASES)
def test_results_are_paddles(name):
    found, expected = results(paddle, name), TABLE[name]
    if expected == "error":
        assert found == expected
        return
    assert [row[:2] for row in found] == [row[:2] for row in expected]
    for mine, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(mine[2], theirs[2], rtol=1e-5, atol=1e-6)


pytestmark = pytest.mark.usefixtures("static")


def test_offsets_are_fed_and_fetched(static):
    x = static.data("x", [None, 2], lod_level=1)
    y = paddle.nn.functional.relu(x) + 1.0
    assert (x.lod_level, y.lod_level) == (1, 1)
    exe = static.Executor()
    fed = base.create_lod_tensor(np.ones([3, 2], "float32"), [[1, 2]], paddle.CPUPlace())
    [found] = exe.run(feed={"x": fed}, fetch_list=[y], return_numpy=False)
    assert isinstance(found, base.LoDTensor) and found.lod() == [[0, 1, 3]]
    [array] = exe.run(feed={"x": fed}, fetch_list=[y])
    np.testing.assert_array_equal(array, np.full([3, 2], 2.0))
    copied = static.default_main_program().clone(for_test=True)
    [found] = exe.run(copied, feed={"x": fed}, fetch_list=[y.name], return_numpy=False)
    assert found.lod() == [[0, 1, 3]]


def test_results_have_offsets_only_of_the_rows_that_they_have(static):
    x = static.data("x", [None, 2], lod_level=1)
    fetch = [x * 2, x[1:], paddle.flatten(x), paddle.mean(x), paddle.ones([3])]
    fed = base.create_lod_tensor(np.ones([3, 2], "float32"), [[1, 2]], paddle.CPUPlace())
    found = static.Executor().run(feed={"x": fed}, fetch_list=fetch, return_numpy=False)
    assert [value.lod() for value in found] == [[[0, 1, 3]], [], [], [], []]
    assert [value.shape() for value in found] == [[3, 2], [2, 2], [6], [], [3]]


def test_gradients_of_concat_and_scatter(static):
    x, y, u = (static.data(name, [None, 1], lod_level=1) for name in "xyu")
    i = static.data("i", [None, 1], "int64", lod_level=1)
    for var in (x, y, u):
        var.stop_gradient = False
    z = nn.sequence_concat([x, y])
    total = (z * z).sum() + (nn.sequence_scatter(paddle.ones([2, 4]), i, u) ** 2).sum()
    found = static.gradients([total], [x, y, u])
    rows = np.arange(5, dtype="float32").reshape(5, 1)
    made = base.create_lod_tensor
    feed = {"x": made(rows, [[2, 3]]), "y": made(rows, [[1, 4]]), "u": made(rows, [[2, 3]])}
    feed["i"] = made(rows.astype("int64") % 4, [[2, 3]])
    gx, gy, gu = static.Executor().run(feed=feed, fetch_list=found)
    np.testing.assert_allclose(gx, 2 * rows)
    np.testing.assert_allclose(gy, 2 * rows)
    np.testing.assert_allclose(gu, 2 * (1 + rows))


def test_where_offsets_can_not_come_from(static):
    with pytest.raises(ProgramError, match="comes from nothing that is fed"):
        nn.sequence_pool(paddle.ones([2, 1]), "sum")
    x = static.data("x", [None, 1], lod_level=1)
    with pytest.raises(ProgramError, match="comes from nothing that is fed"):
        nn.sequence_pool(nn.sequence_pad(x, paddle.zeros([1]))[0], "sum")
    with pytest.raises(ValueError, match="pool_type"):
        nn.sequence_pool(x, "median")
    y = nn.sequence_slice(x, paddle.to_tensor([[0]]), paddle.to_tensor([[9]]))
    with pytest.raises(ShapeError, match="leave sequences"):
        static.Executor().run(feed={"x": base.create_lod_tensor(np.ones([2, 1], "float32"), [[2]])}, fetch_list=[y])
    paddle.disable_static()
    with pytest.raises(ModeError, match="enable_static"):
        nn.sequence_reverse(paddle.ones([2, 1]))
