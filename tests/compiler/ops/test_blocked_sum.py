"""Every operator that adds up many numbers: to 1e-6 of what double precision gives, dynamic and in plans."""

import itertools

import numpy as np
import pytest

import to_static as paddle
import to_static.nn.functional as F
from to_static import geometric
from to_static.compiler.ops import blocked_sum

N = 200_000
_RANDOM = np.random.default_rng(0)
ROWS = _RANDOM.random((N, 3)).astype("float32")
EQUAL = np.full((N, 3), 0.1, "float32")  # whose rounding errors all have one direction
IDS = np.repeat(np.arange(4), N // 4)
SHUFFLED = _RANDOM.permutation(IDS)


def wide(x):
    return x.astype("float64")


def spread(x):
    return wide(x) - wide(x).mean(0)


def by_segment(x, ids, count=4):
    return np.stack([wide(x)[ids == k].sum(0) for k in range(count)])


def through(f, weigh=False):
    """The gradient of a row that is broadcast."""

    def run(x):
        row = paddle.ones([3])
        row.stop_gradient = False
        f(row, x).backward()
        return row.grad

    return run


def embedding_gradient(x):
    table = paddle.ones([4, 3])
    table.stop_gradient = False
    (F.embedding(paddle.to_tensor(SHUFFLED), table) * x).sum().backward()
    return table.grad


def gathered(x):
    table = paddle.ones([4, 3])
    table.stop_gradient = False
    (paddle.gather(table, paddle.to_tensor(SHUFFLED)) * x).sum().backward()
    return table.grad


def indexed(x):
    table = paddle.ones([4, 3])
    table.stop_gradient = False
    (table[paddle.to_tensor(SHUFFLED)] * x).sum().backward()
    return table.grad


def layer_bias(x):
    layer = paddle.nn.Linear(3, 2)
    (layer(x) * x[:, :1]).sum().backward()
    return layer.bias.grad


def convolution_bias(x):
    layer = paddle.nn.Conv2D(3, 2, 1)
    (layer(x.reshape([-1, 3, 1, 1])) * x[:, :1].reshape([-1, 1, 1, 1])).sum().backward()
    return layer.bias.grad


def batch_norm(x):
    layer = paddle.nn.BatchNorm1D(3, momentum=0.0)
    layer(x)
    return paddle.stack([layer._mean, layer._variance])


def layer_norm_bias(x):
    layer = paddle.nn.LayerNorm(3)
    (layer(x) * 0 + layer.bias * x).sum().backward()
    return layer.bias.grad


T = paddle.to_tensor
CASES = {
    "sum": (lambda x: x.sum(0), lambda x: wide(x).sum(0)),
    "sum, kept": (lambda x: x.sum(0, keepdim=True), lambda x: wide(x).sum(0, keepdims=True)),
    "sum of a middle dimension": (lambda x: x.reshape([2, -1, 3]).sum(1), lambda x: wide(x).reshape(2, -1, 3).sum(1)),
    "sum around a dimension": (lambda x: x.reshape([-1, 3, 2]).sum([0, 2]), lambda x: wide(x).reshape(-1, 3, 2).sum((0, 2))),
    "sum of a transposed matrix": (lambda x: x.t().sum(1), lambda x: wide(x).sum(0)),
    "sum of all of a transposed matrix": (lambda x: x.t().sum(), lambda x: wide(x).sum()),
    "sum of what a transposed matrix gives": (lambda x: (x.t() * 2).sum(1), lambda x: wide(x).sum(0) * 2),
    "sum of every other column": (lambda x: x[:, ::2].sum(), lambda x: wide(x)[:, ::2].sum()),
    "mean": (lambda x: x.mean(0), lambda x: wide(x).mean(0)),
    "mean of a transposed matrix": (lambda x: x.t().mean(-1), lambda x: wide(x).mean(0)),
    "nansum": (lambda x: paddle.nansum(x, 0), lambda x: wide(x).sum(0)),
    "nanmean": (lambda x: paddle.nanmean(x, 0), lambda x: wide(x).mean(0)),
    "add_n, expanded": (lambda x: (x.expand([2, N, 3])).sum([0, 1]), lambda x: 2 * wide(x).sum(0)),
    "logsumexp": (lambda x: paddle.logsumexp(x, 0), lambda x: np.log(np.exp(wide(x)).sum(0))),
    "norm 2": (lambda x: paddle.linalg.norm(x, 2, 0), lambda x: np.sqrt((wide(x) ** 2).sum(0))),
    "norm 1": (lambda x: paddle.linalg.norm(x, 1, 0), lambda x: wide(x).sum(0)),
    "norm 3": (lambda x: paddle.linalg.norm(x, 3, 0), lambda x: (wide(x) ** 3).sum(0) ** (1 / 3)),
    "norm of a matrix": (lambda x: paddle.linalg.norm(x, "fro", [0, 1]), lambda x: np.sqrt((wide(x) ** 2).sum())),
    "prod": (lambda x: paddle.prod(x + (1 - x.mean(0)), 0), None),
    "cumsum": (lambda x: x.cumsum(0), lambda x: wide(x).cumsum(0)),
    "cumsum of one dimension": (lambda x: x.flatten().cumsum(0), lambda x: wide(x).reshape(-1).cumsum()),
    "cumsum of many rows at once": (lambda x: x.reshape([2, -1, 2, 3]).cumsum(1), lambda x: wide(x).reshape(2, -1, 2, 3).cumsum(1)),
    "cumsum of broad rows": (lambda x: x.reshape([-1, 40]).cumsum(0), lambda x: wide(x).reshape(-1, 40).cumsum(0)),
    "cumsum of several rows": (lambda x: x.reshape([4, -1]).cumsum(1), lambda x: wide(x).reshape(4, -1).cumsum(1)),
    "cumsum of wide rows": (lambda x: x.reshape([-1, 150]).cumsum(0), lambda x: wide(x).reshape(-1, 150).cumsum(0)),
    "cumprod": (lambda x: paddle.cumprod(1 + x * 1e-5, 0), lambda x: np.cumprod(wide(1 + x * np.float32(1e-5)), 0)),
    "logcumsumexp": (lambda x: paddle.logcumsumexp(x[:20000], 0), lambda x: np.logaddexp.accumulate(wide(x)[:20000], 0)),
    "softmax": (lambda x: F.softmax(x, 0), lambda x: np.exp(wide(x)) / np.exp(wide(x)).sum(0)),
    "log_softmax": (lambda x: F.log_softmax(x, 0), lambda x: wide(x) - np.log(np.exp(wide(x)).sum(0))),
    "segment_sum": (lambda x: geometric.segment_sum(x, T(IDS)), lambda x: by_segment(x, IDS)),
    "segment_mean": (lambda x: geometric.segment_mean(x, T(IDS)), lambda x: by_segment(x, IDS) / (N // 4)),
    "send_u_recv": (lambda x: geometric.send_u_recv(x, T(np.arange(N)), T(SHUFFLED), "sum")[:4], lambda x: by_segment(x, SHUFFLED)),
    "scatter": (lambda x: paddle.scatter(paddle.zeros([4, 3]), T(SHUFFLED), x, overwrite=False), lambda x: by_segment(x, SHUFFLED)),
    "scatter_nd_add": (
        lambda x: paddle.scatter_nd_add(paddle.ones([4, 3]), T(SHUFFLED[:, None]), x), lambda x: 1 + by_segment(x, SHUFFLED)
    ),
    "scatter_nd_add of numbers": (
        lambda x: paddle.scatter_nd_add(paddle.ones([2, 4]), T(np.stack([SHUFFLED % 2, SHUFFLED], 1)), x[:, 0])[0, 2],
        lambda x: 1 + by_segment(x, SHUFFLED)[2, 0],
    ),
    "index_add": (lambda x: paddle.index_add(paddle.zeros([4, 3]), T(SHUFFLED), 0, x), lambda x: by_segment(x, SHUFFLED)),
    "index_add of columns": (
        lambda x: paddle.index_add(paddle.zeros([3, 4]), T(SHUFFLED), 1, x.t()), lambda x: by_segment(x, SHUFFLED).T
    ),
    "index_put": (
        lambda x: paddle.index_put(paddle.zeros([4, 3]), (T(SHUFFLED),), x, accumulate=True), lambda x: by_segment(x, SHUFFLED)
    ),
    "put_along_axis": (
        lambda x: paddle.put_along_axis(paddle.zeros([4, 3]), T(np.stack([SHUFFLED] * 3, 1)), x, 0, "add"),
        lambda x: by_segment(x, SHUFFLED),
    ),
    "bincount": (lambda x: paddle.bincount(T(SHUFFLED), x[:, 0]), lambda x: by_segment(x, SHUFFLED)[:, 0]),
    "embedding, backward": (embedding_gradient, lambda x: by_segment(x, SHUFFLED)),
    "gather, backward": (gathered, lambda x: by_segment(x, SHUFFLED)),
    "index, backward": (indexed, lambda x: by_segment(x, SHUFFLED)),
    "add, backward": (through(lambda row, x: ((row + x) * x).sum()), lambda x: wide(x).sum(0)),
    "multiply, backward": (through(lambda row, x: (row * x).sum()), lambda x: wide(x).sum(0)),
    "subtract, backward": (through(lambda row, x: ((x - row) * x).mean(0).sum()), lambda x: -wide(x).mean(0)),
    "expand, backward": (through(lambda row, x: (row.expand([N, 3]) * x).sum()), lambda x: wide(x).sum(0)),
    "tile, backward": (through(lambda row, x: (row.tile([N, 1]) * x).sum()), lambda x: wide(x).sum(0)),
    "linear, backward": (layer_bias, lambda x: np.repeat(wide(x)[:, 0].sum(), 2)),
    "conv2d, backward": (convolution_bias, lambda x: np.repeat(wide(x)[:, 0].sum(), 2)),
    "layer_norm, backward": (layer_norm_bias, lambda x: wide(x).sum(0)),
    "avg_pool1d": (lambda x: F.avg_pool1d(x.t().unsqueeze(0), 20000), lambda x: wide(x).reshape(-1, 20000, 3).mean(1).T[None]),
    "avg_pool2d": (
        lambda x: F.avg_pool2d(x[:163840, :1].reshape([1, 1, 512, 320]), [256, 160]),
        lambda x: wide(x)[:163840, :1].reshape(1, 1, 2, 256, 2, 160).mean((3, 5)),
    ),
    "adaptive_avg_pool1d": (lambda x: F.adaptive_avg_pool1d(x.t().unsqueeze(0), 1), lambda x: wide(x).mean(0)[None, :, None]),
    "einsum": (lambda x: paddle.einsum("ij->j", x), lambda x: wide(x).sum(0)),
    "trapezoid": (lambda x: paddle.trapezoid(x, axis=0), lambda x: (wide(x)[1:] + wide(x)[:-1]).sum(0) / 2),
    "mse_loss": (lambda x: F.mse_loss(x, x * 0), lambda x: (wide(x) ** 2).mean()),
    "l1_loss of a transposed matrix": (lambda x: F.l1_loss(x.t(), x.t() * 0, "sum"), lambda x: wide(x).sum()),
    "kl_div": (lambda x: F.kl_div(paddle.zeros([N, 3]), x, "sum"), lambda x: (wide(x) * np.log(wide(x))).sum()),
    "batch_norm": (batch_norm, lambda x: np.stack([wide(x).mean(0), (spread(x) ** 2).mean(0)])),
    "group_norm": (lambda x: F.group_norm(x.reshape([1, 2, -1]), 1).std(), None),
}


def _far(got, want, scale):
    return float(np.max(np.abs(got.astype("float64") - want) / scale))


@pytest.mark.parametrize("name", [name for name, (_, exact) in CASES.items() if exact is not None])
@pytest.mark.parametrize("equal", [False, True])
def test_sums(name, equal):
    if equal and name in ("batch_norm", "kl_div"):
        pytest.skip("what is left of equal numbers is rounding, or nothing")
    f, exact = CASES[name]
    x = EQUAL if equal else ROWS
    want = exact(x)
    for run in (f, paddle.jit.to_static(f)):
        got = run(T(x)).numpy()
        assert got.shape == want.shape and _far(got, want, np.abs(want)) < 1e-6, (name, got, want)


@pytest.mark.parametrize("offset", [0, 1000])
def test_spreads(offset):
    x = (ROWS + np.float32(offset)).astype("float32")
    variance = (spread(x) ** 2).sum(0) / (N - 1)
    for wrap in (lambda f: f, paddle.jit.to_static):
        assert _far(wrap(lambda x: x.var(0))(T(x)).numpy(), variance, variance) < 1e-6
        assert _far(wrap(lambda x: x.std(0))(T(x)).numpy(), np.sqrt(variance), np.sqrt(variance)) < 1e-6
        assert _far(wrap(lambda x: x.t().std(1))(T(x)).numpy(), np.sqrt(variance), np.sqrt(variance)) < 1e-6
        got = wrap(batch_norm)(T(x)).numpy()
        assert _far(got[0], wide(x).mean(0), wide(x).mean(0)) < 1e-6 and _far(got[1], variance, variance) < 1e-5


def test_unknown_sizes():
    f = paddle.jit.to_static(lambda x: x.sum(0), input_spec=[paddle.static.InputSpec([None, 3], "float32")])
    for n in (5, 100_000, 150_000, N):
        assert _far(f(T(EQUAL[:n])).numpy(), wide(EQUAL[:n]).sum(0), wide(EQUAL[:n]).sum(0)) < 1e-6


def test_half_precision_is_added_up_as_single():
    x = np.full((5000, 2), 0.1, "float16")
    for f in (lambda x: x.sum(0), lambda x: x.mean(0) * 5000):
        for run in (f, paddle.jit.to_static(f)):
            assert run(T(x)).numpy() == pytest.approx([wide(x)[:, 0].sum()] * 2, rel=1e-3)


_SHAPES = [(20000,), (20000, 1), (1, 20000), (20000, 3), (3, 20000), (300, 2, 50), (5, 4000, 7), (2, 300, 3, 129), (200, 2, 200, 3)]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64"])
@pytest.mark.parametrize("shape", _SHAPES)
def test_total_of_any_shape_and_order(shape, dtype):
    base = np.full(shape, 0.1, dtype) / (64 if dtype == "float16" else 1)
    orders = list(itertools.permutations(range(len(shape))))
    for count in range(1, len(shape) + 1):
        for axes in itertools.combinations(range(len(shape)), count):
            for x in (base, base[::2], base[..., ::-1], np.broadcast_to(base[:1], shape), base.transpose(orders[len(orders) // 2])):
                for keep in (False, True):
                    want = np.sum(x, axes, "complex128" if dtype == "complex64" else "float64", keepdims=keep)
                    out = np.empty(want.shape, dtype)
                    share, near = want.size / x.size, 1e-3 if dtype == "float16" else 2e-6
                    assert np.allclose(blocked_sum.mean(x, axes, keep), want * share, near, 0)
                    for got in (blocked_sum.total(x, axes, keep), blocked_sum.total(x, axes, keep, out)):
                        assert got.shape == want.shape and np.allclose(got, want, near, 0)


@pytest.mark.parametrize(
    "shape, axes", [((300,), (0,)), ((7, 90), (1,)), ((90, 7), (0,)), ((4, 5, 6), (0, 1)), ((4, 5, 6), (1,)), ((3, 4), (0, 1))]
)
@pytest.mark.parametrize("keepdims", [True, False])
def test_sums_of_a_few_numbers(shape, axes, keepdims):
    x = _RANDOM.random(shape).astype("float32")
    exact = wide(x).sum(axes, keepdims=keepdims)
    turned = np.asfortranarray(x)
    for given in (x, turned, np.repeat(x, 2, -1)[..., ::2]):
        for found in (blocked_sum.total(given, axes, keepdims), blocked_sum.adder(shape, "f", axes, keepdims)(given)):
            assert found.shape == exact.shape and found.dtype == np.float32
            np.testing.assert_allclose(found, exact, rtol=1e-6)
    out = np.empty(exact.shape, "float32")
    assert blocked_sum.total(x, axes, keepdims, out) is out
    np.testing.assert_allclose(out, exact, rtol=1e-6)
    assert np.isnan(blocked_sum.total(np.where(x == x.max(), np.nan, x).astype("float32"), axes, keepdims)).sum() == 1
    assert np.isinf(blocked_sum.total(np.where(x == x.max(), np.inf, x).astype("float32"), axes, keepdims)).sum() == 1
