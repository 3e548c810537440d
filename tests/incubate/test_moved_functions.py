"""Functions that are elsewhere by now, and small ones that are fused in Paddle's GPU kernels."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle

incubate = paddle.incubate


def test_graphs_are_those_of_geometric():
    row, columns, nodes = (paddle.to_tensor(v) for v in ([3, 7, 0, 9, 1], [0, 2, 4, 5], [0, 2]))
    edges = paddle.to_tensor([5, 6, 7, 8, 9])
    for found, expected in (
        (incubate.graph_sample_neighbors(row, columns, nodes), paddle.geometric.sample_neighbors(row, columns, nodes)),
        (
            incubate.graph_sample_neighbors(row, columns, nodes, edges, return_eids=True),
            paddle.geometric.sample_neighbors(row, columns, nodes, eids=edges, return_eids=True),
        ),
        (
            incubate.graph_reindex(nodes, row[:3], paddle.to_tensor([2, 1])),
            paddle.geometric.reindex_graph(nodes, row[:3], paddle.to_tensor([2, 1])),
        ),
    ):
        assert [t.tolist() for t in found] == [t.tolist() for t in expected]
    x, src, dst = paddle.to_tensor([[1.0], [2.0], [4.0]]), paddle.to_tensor([0, 1, 2]), paddle.to_tensor([1, 1, 0])
    assert incubate.graph_send_recv(x, src, dst, "mean").tolist() == [[4.0], [1.5], [0.0]]
    assert incubate.segment_max is paddle.geometric.segment_max


@pytest.mark.parametrize(
    ("nodes", "sizes", "expected"),  # as Paddle 2.6.2 has them, where all neighbours are drawn
    [
        ([0, 8, 1, 2], [9, 9], [[4, 5, 6, 5, 0, 6, 2, 7], [0, 0, 1, 1, 2, 2, 3, 4], [0, 8, 1, 2, 3, 7, 9, 4], [0, 1, 2, 3]]),
        ([2], [9, 9, 9], [[1, 2, 3, 4, 5], [0, 1, 1, 2, 2], [2, 1, 0, 9, 3, 7], [0]]),
        ([5, 6], [9, -1], [[4, 3, 4, 2, 5, 4, 6], [0, 0, 1, 1, 2, 2, 3], [5, 6, 1, 3, 9, 0, 4], [0, 1]]),
    ],
)
def test_neighbours_of_neighbours(nodes, sizes, expected):
    row = paddle.to_tensor([3, 7, 0, 9, 1, 4, 2, 9, 3, 9, 1, 9, 7])
    columns = paddle.to_tensor([0, 2, 4, 5, 6, 7, 9, 11, 11, 13, 13])
    found = incubate.graph_khop_sampler(row, columns, paddle.to_tensor(nodes), sizes)
    assert [t.flatten().tolist() for t in found] == expected
    assert [t.ndim for t in found] == [2, 2, 1, 1]
    edges = incubate.graph_khop_sampler(row, columns, paddle.to_tensor(nodes), sizes, paddle.arange(13), True)[4]
    assert paddle.gather(row, edges).tolist() == [expected[2][i] for i in expected[0]]


@pytest.mark.parametrize(("reduction", "expected"), [("sum", 6.0), (0, 6.0), ("mean", 2.0), (1, 2.0), (2, [1.0, 2.0, 3.0])])
def test_identity_loss(reduction, expected):
    assert incubate.identity_loss(paddle.to_tensor([1.0, 2.0, 3.0]), reduction).tolist() == expected
    with pytest.raises(ValueError, match="reduction"):
        incubate.identity_loss(paddle.to_tensor([1.0]), "all")


def test_masked_softmax():
    x = paddle.to_tensor(np.random.RandomState(0).normal(size=(2, 2, 3, 3)), stop_gradient=False)
    mask = np.where(np.tril(np.ones((3, 3))), 0.0, -1e30)
    expected = paddle.nn.functional.softmax(x + paddle.to_tensor(mask))
    for found in (
        incubate.softmax_mask_fuse_upper_triangle(x),
        incubate.softmax_mask_fuse(x, paddle.to_tensor(np.broadcast_to(mask, (2, 1, 3, 3)).copy())),
    ):
        np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-12)
        [gradient] = paddle.grad((found * found).sum(), x)
        [wanted] = paddle.grad((expected * expected).sum(), x, retain_graph=True)
        np.testing.assert_allclose(gradient.numpy(), wanted.numpy(), rtol=1e-9, atol=1e-12)


def test_primitive_operators_are_only_talked_about():
    assert not incubate.autograd.prim_enabled()
    incubate.autograd.enable_prim()
    try:
        assert incubate.autograd.prim_enabled()
    finally:
        incubate.autograd.disable_prim()
    assert not incubate.autograd.prim_enabled()


def test_forward_gradients_in_a_program():
    paddle.enable_static()
    try:
        main = paddle.static.Program()
        with paddle.static.program_guard(main, paddle.static.Program()):
            x = paddle.static.data("x", [3], "float32")
            x.stop_gradient = False
            y = x * x * 2
            ones = incubate.autograd.forward_grad(y, x)
            [first, second] = incubate.autograd.forward_grad([y, y.sum()], [x], [paddle.to_tensor([1.0, 0.0, 2.0])])
            incubate.autograd.prim2orig()
        found = paddle.static.Executor().run(main, feed={"x": np.float32([1, 2, 3])}, fetch_list=[ones, first, second])
    finally:
        paddle.disable_static()
    np.testing.assert_allclose(found[0], [4, 8, 12])
    np.testing.assert_allclose(found[1], [4, 0, 24])
    np.testing.assert_allclose(found[2], 28)
