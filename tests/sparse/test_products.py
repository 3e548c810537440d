"""Products of sparse matrices, which Paddle has for GPUs only: the numbers and gradients of the dense product."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import ShapeError

_DRAWN = np.random.RandomState(3)
KINDS = {"coo": lambda x: x.to_sparse_coo(x.ndim), "csr": lambda x: x.to_sparse_csr()}
each_kind = pytest.mark.parametrize("sparse", KINDS.values(), ids=KINDS.keys())
each_batch = pytest.mark.parametrize("batch", [(), (2,)], ids=["matrix", "batch"])


def drawn(*shape, density=1.0):
    numbers = _DRAWN.uniform(0.5, 2, shape) * (_DRAWN.uniform(size=shape) < density)
    return paddle.to_tensor(numbers.astype("float64"), stop_gradient=False)


def gradients(out, *inputs):
    for x in inputs:
        x.clear_gradient(False)
        x.grad = None
    weights = paddle.cos(paddle.arange(float(out.size)).astype("float64").reshape(out.shape))
    (out * weights).sum().backward()
    return [x.grad.numpy() for x in inputs]


def agree(made, wanted, *inputs, masks=None):
    """The same numbers, and the same gradients where the sparse inputs have numbers (``masks``)."""
    np.testing.assert_allclose(made.numpy(), wanted.numpy(), rtol=1e-12)
    masks = masks or [x.numpy() != 0 for x in inputs]
    for found, expected, mask in zip(gradients(made, *inputs), gradients(wanted, *inputs), masks, strict=True):
        np.testing.assert_allclose(found, expected * mask, rtol=1e-10)


@each_kind
@each_batch
def test_sparse_by_dense(sparse, batch):
    x, y = drawn(*batch, 3, 4, density=0.5), drawn(*batch, 4, 2)
    agree(paddle.sparse.matmul(sparse(x), y), x @ y, x, y)


@each_kind
@each_batch
def test_sparse_by_sparse(sparse, batch):
    x, y = drawn(*batch, 3, 4, density=0.5), drawn(*batch, 4, 5, density=0.4)
    made = paddle.sparse.matmul(sparse(x), sparse(y))
    assert type(made) is type(sparse(x))
    agree(made.to_dense(), x @ y, x, y)


@each_kind
def test_masked(sparse):
    x, y, mask = drawn(2, 3, 4), drawn(2, 4, 3), drawn(2, 3, 3, density=0.5)
    made = paddle.sparse.masked_matmul(x, y, sparse(mask))
    agree(made.to_dense(), (x @ y) * (mask.detach() != 0).astype("float64"), x, y)


@each_kind
def test_vector(sparse):
    x, v = drawn(3, 4, density=0.5), drawn(4)
    agree(paddle.sparse.mv(sparse(x), v), x @ v, x, v)


@each_kind
def test_added(sparse):
    start, x, y = drawn(3, 2), drawn(3, 4, density=0.5), drawn(4, 2, density=0.5)
    made = paddle.sparse.addmm(start, sparse(x), y, 3.0, 2.0)
    agree(made, 3 * start + 2 * (x @ y), x, start, masks=[x.numpy() != 0, True])
    made = paddle.sparse.addmm(sparse(start), sparse(x), sparse(y), 3.0, 2.0)
    agree(made.to_dense(), 3 * start + 2 * (x @ y), x, y, start)


def test_attention_is_the_dense_one_where_the_mask_lets_it_look():
    q, k, v = (drawn(2, 2, 4, 3) for _ in range(3))
    pattern = np.tril(np.ones((4, 4)))
    mask = paddle.to_tensor(np.broadcast_to(pattern, (4, 4, 4)).copy()).to_sparse_csr()
    keys = paddle.to_tensor([[1.0, 1.0, 0.0, 1.0], [1.0, 1.0, 1.0, 1.0]]).astype("float64")
    pairs = paddle.to_tensor(np.where(np.eye(4, k=-3), 0.0, 1.0))
    made = paddle.sparse.nn.functional.attention(q, k, v, mask, keys, pairs)
    seen = pattern * pairs.numpy() * keys.numpy()[:, None, None, :]
    scores = q @ k.transpose([0, 1, 3, 2]) / np.sqrt(3) + paddle.to_tensor(np.where(seen, 0.0, -1e30))
    wanted = paddle.nn.functional.softmax(scores) @ v
    agree(made, wanted, q, k, v, masks=[True] * 3)


@pytest.mark.parametrize(("m", "n"), [(9, 4), (4, 9)])
def test_low_rank(m, n):
    paddle.seed(1)
    x = drawn(m, n, density=0.6).detach()
    u, s, v = paddle.sparse.pca_lowrank(x.to_sparse_csr(), q=4)
    centred = x.numpy() - x.numpy().mean(0)
    np.testing.assert_allclose(s.numpy(), np.linalg.svd(centred, compute_uv=False)[:4], rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose((u * s @ v.T).numpy(), centred, atol=1e-8)
    plain = paddle.sparse.pca_lowrank(x.to_sparse_coo(2), q=4, center=False)[1]
    np.testing.assert_allclose(plain.numpy(), np.linalg.svd(x.numpy(), compute_uv=False)[:4], rtol=1e-6)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: paddle.sparse.matmul(x, paddle.ones([3, 2])),
        lambda x: paddle.sparse.mv(x, paddle.ones([3])),
        lambda x: paddle.sparse.masked_matmul(paddle.ones([2, 3]), paddle.ones([3, 4]), x),
        lambda x: paddle.sparse.addmm(paddle.ones([2, 2]), x, paddle.ones([4, 2])),
        lambda x: paddle.sparse.add(x, paddle.ones([4, 3]).to_sparse_coo(2)),
    ],
)
def test_shapes_that_do_not_fit(call):
    with pytest.raises(ShapeError):
        call(paddle.ones([3, 4]).to_sparse_coo(2))


@pytest.mark.parametrize("m, k, n", [(0, 3, 2), (2, 0, 3), (2, 3, 0), (0, 0, 0)])
@pytest.mark.parametrize("batch", [[], [2], [0]])
@each_kind
def test_products_of_what_has_no_rows_or_columns(m, k, n, batch, sparse):
    x, y = sparse(paddle.zeros([*batch, m, k])), paddle.ones([*batch, k, n])
    out = paddle.zeros([*batch, m, n])
    for found in (
        paddle.sparse.matmul(x, y),
        paddle.sparse.matmul(x, sparse(paddle.zeros([*batch, k, n]))),
        paddle.sparse.addmm(out, x, y),
        paddle.sparse.masked_matmul(paddle.ones([*batch, m, k]), y, sparse(out)),
    ):
        np.testing.assert_array_equal(found.numpy(), out.numpy())
    np.testing.assert_array_equal(paddle.sparse.add(x, x).numpy(), np.zeros([*batch, m, k], "float32"))
    if 0 in (m, k):
        assert paddle.sparse.divide(x, x).to_dense().shape == [*batch, m, k]
