import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.ir.registry import REGISTRY
from to_static.compiler.ops.linalg import skinny_matmul

SIZES = [(2, 768, 768), (4, 1024, 260), (7, 300, 1000), (8, 512, 257), (16, 768, 100), (32, 256, 512)]


@pytest.fixture(autouse=True)
def small_products(monkeypatch):
    """As on a processor that has them; and nothing is remembered of it."""
    skinny_matmul.blocks.cache_clear()
    monkeypatch.setattr(skinny_matmul, "has_small_products", lambda: True)
    yield
    skinny_matmul.blocks.cache_clear()


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("rows", "inner", "columns"), SIZES)
def test_blocks_are_all_columns_once(rows, inner, columns, turned):
    cuts = skinny_matmul.blocks(rows, inner, columns, turned)
    if cuts:
        assert [c for cut in cuts for c in range(cut.start, cut.stop)] == list(range(columns))
        assert rows * inner * (cuts[0].stop - cuts[0].start) <= skinny_matmul.SIZE
    assert cuts or not turned


def test_what_is_left_alone():
    assert not skinny_matmul.blocks(1, 768, 768, True)  # a matrix and a vector
    assert not skinny_matmul.blocks(64, 768, 768, True)
    assert not skinny_matmul.blocks(24, 768, 768, False)
    assert not skinny_matmul.blocks(8, 16, 16, True)
    assert not skinny_matmul.blocks(4, 0, 5000, True) and not skinny_matmul.blocks(0, 5, 5000, True)


def test_processors_without_small_products(monkeypatch):
    monkeypatch.undo()
    skinny_matmul.blocks.cache_clear()
    skinny_matmul.has_small_products.cache_clear()
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    try:
        assert not skinny_matmul.has_small_products() and not skinny_matmul.blocks(4, 768, 768, True)
    finally:
        skinny_matmul.has_small_products.cache_clear()


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("rows", "inner", "columns"), SIZES)
def test_products(rows, inner, columns, turned):
    rng = np.random.default_rng(rows)
    x, w = rng.normal(size=(rows, inner)).astype("float32"), rng.normal(size=(inner, columns)).astype("float32")
    given = paddle.to_tensor(w.T.copy() if turned else w)
    wanted = x.astype("float64") @ w
    call = lambda x, w: paddle.matmul(x, w, transpose_y=turned)
    static = paddle.jit.to_static(call)
    for function in (call, call, static, static):
        found = function(paddle.to_tensor(x), given).numpy()
        np.testing.assert_allclose(found, wanted, atol=2e-4)
    deep = paddle.to_tensor(np.stack([x, -x]).transpose(1, 0, 2))
    for function in (call, call, static, static):
        found = function(deep, given).numpy()
        np.testing.assert_allclose(found.transpose(1, 0, 2), [wanted, -wanted], atol=2e-4)
    out = np.empty((columns, rows, 2), "float32").T
    kernel = REGISTRY["matmul"].kernel_for("numpy")
    kernel(np, deep.numpy().transpose(1, 0, 2), given.numpy(), trans_x=False, trans_y=turned, out=out)
    np.testing.assert_allclose(out, [wanted, -wanted], atol=2e-4)


def test_frequencies_of_few_tiles():
    """Winograd's products: 16 rows with 96 x 700 numbers each."""
    paddle.seed(0)
    layer, x = paddle.nn.Conv2D(700, 96, 3, padding=1), paddle.randn([1, 700, 8, 8])
    assert skinny_matmul.blocks(16, 700, 96, False)
    layer.eval()
    with paddle.no_grad():
        wanted = layer(x).numpy()
        static = paddle.jit.to_static(layer.forward)
        for _ in range(2):
            np.testing.assert_allclose(static(x).numpy(), wanted, atol=1e-4)


def test_gradients():
    layer = paddle.nn.Linear(600, 700)
    static = paddle.jit.to_static(layer.forward)
    x = np.random.default_rng(0).normal(size=(6, 600)).astype("float32")
    found = []
    for function in (lambda t: paddle.matmul(t.astype("float64"), layer.weight.astype("float64")) + layer.bias, layer, static):
        t = paddle.to_tensor(x, stop_gradient=False)
        layer.clear_gradients()
        (function(t) ** 2).sum().backward()
        found.append((t.grad.numpy(), layer.weight.grad.numpy()))
    for t, w in found[1:]:
        np.testing.assert_allclose(t, found[0][0], rtol=1e-4, atol=1e-3)
        np.testing.assert_allclose(w, found[0][1], rtol=1e-4, atol=1e-3)
