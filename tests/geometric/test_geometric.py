"""Graphs: messages, segments and neighbours as real Paddle 2.6.2 has them; gradients; static functions."""

from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from tests import recorded
from to_static import geometric
from to_static.core.errors import ShapeError

RECORDS = recorded.records(Path(__file__).with_name("paddle_expressions.json"))


@pytest.mark.parametrize(("text", "record"), RECORDS, ids=[r[0].removeprefix("paddle.geometric.") for r in RECORDS])
def test_as_paddle_eagerly_and_in_a_program(text, record):
    recorded.check(recorded.in_eager_mode(text), record, text)
    recorded.check(recorded.in_a_program(text), record, text)


@pytest.mark.parametrize("how", ["sum", "mean", "max", "min"])
def test_a_layer_of_a_graph_network_trains(how):
    source, target = paddle.to_tensor([0, 1, 2, 0, 3]), paddle.to_tensor([1, 2, 1, 0, 1])

    def network(x, weight):
        return (geometric.send_u_recv(x @ weight, source, target, how) ** 2).sum()

    static = paddle.jit.to_static(network, full_graph=True)
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=shape).astype("float32") for shape in ((4, 3), (3, 2))]
    grads = []
    for function in (network, static):
        x, weight = (paddle.to_tensor(a, stop_gradient=False) for a in arrays)
        function(x, weight).backward()
        grads.append((x.grad.numpy(), weight.grad.numpy()))
    for a, b in zip(*grads, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
    moved, step = arrays[1].copy(), 1e-2
    moved[0, 0] += step
    arguments = [paddle.to_tensor(arrays[0]), paddle.to_tensor(moved)]
    slope = (float(network(*arguments)) - float(network(arguments[0], paddle.to_tensor(arrays[1])))) / step
    assert slope == pytest.approx(grads[0][1][0, 0], rel=0.1, abs=0.1)


def test_draws_are_without_replacement_and_follow_the_weights():
    paddle.seed(0)
    row, colptr = paddle.arange(4), paddle.to_tensor([0, 4])
    nodes = paddle.zeros([2000], "int64")
    drawn, count = geometric.sample_neighbors(row, colptr, nodes, 2)
    pairs = drawn.numpy().reshape(-1, 2)
    assert (pairs[:, 0] != pairs[:, 1]).all() and (count.numpy() == 2).all()
    np.testing.assert_allclose(np.bincount(pairs.ravel()) / 4000, 0.25, atol=0.03)
    weighted, _ = geometric.weighted_sample_neighbors(row, colptr, paddle.to_tensor([1.0, 0.0, 3.0, 0.0]), nodes, 1)
    np.testing.assert_allclose(np.bincount(weighted.numpy(), minlength=4) / 2000, [0.25, 0, 0.75, 0], atol=0.04)


X, E = np.ones((3, 2), "float32"), np.asarray([0, 5])
BAD = [
    (lambda T: geometric.send_u_recv(T(X), T(E * 0), T(E * 0), "median"), ValueError, "sum, mean, max, min"),
    (lambda T: geometric.send_uv(T(X), T(X), T(E * 0), T(E * 0), "pow"), ValueError, "add, sub, mul, div"),
    (lambda T: geometric.send_u_recv(T(X), T(E * 0), T(E), "max"), ShapeError, r"ids must be in \[0, 3\)"),
    (lambda T: geometric.reindex_graph(T(E), T(E), T(E)), ShapeError, "count must tell"),
    (lambda T: geometric.sample_neighbors(T(E), T(E), T(E)), ShapeError, r"nodes must be in \[0, 1\)"),
    (lambda T: geometric.sample_neighbors(T(E), T(E), T(E), return_eids=True), ValueError, "eids"),
]


@pytest.mark.parametrize(("call", "kind", "words"), BAD, ids=[words for _, _, words in BAD])
def test_what_is_refused(call, kind, words):
    with pytest.raises(kind, match=words):
        call(paddle.to_tensor)
