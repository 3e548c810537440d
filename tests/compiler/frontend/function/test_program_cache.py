"""The Programs of a static function are bounded in number and in bytes."""

import numpy as np
import pytest

import to_static as paddle
from to_static.core import flags

pytestmark = pytest.mark.filterwarnings("ignore:.* has more than 10 static Programs")


@pytest.fixture
def bound(monkeypatch):
    return lambda name, value: monkeypatch.setattr(flags.FLAGS[f"TO_STATIC_PROGRAM_CACHE{name}"], "value", value)


def test_those_used_last_stay(bound):
    bound("", 4)
    static, x = paddle.jit.to_static(lambda x, k: x * k), paddle.ones([2])
    first = None
    for k in range(1, 20):
        np.testing.assert_array_equal(static(x, k).numpy(), [k, k])
        np.testing.assert_array_equal(static(x, 1).numpy(), [1, 1])
        first = first or static.program_cache.last()[1][0]
        assert len(static.program_cache) <= 4
    assert first in static.program_cache.concrete_programs(), "it was used all the time"
    assert static(x, 2).tolist() == [2.0, 2.0]


def test_quick_calls_count_as_uses(bound):
    bound("", 3)
    static = paddle.jit.to_static(lambda x: x * 2)
    tensors = [paddle.ones([1] * n) for n in range(1, 9)]  # of another rank each
    for n in range(1, 8):
        static(tensors[n])
        static(tensors[0]), static(tensors[0])
    ranks = [p.inputs[0].spec.ndim for p in static.program_cache.concrete_programs()]
    assert len(ranks) == 3 and 1 in ranks and 8 in ranks


def test_bytes_are_bounded_too(bound):
    static = paddle.jit.to_static(lambda x, k: ((x * k).exp() @ x).sin() + k)
    x = paddle.to_tensor(np.eye(50, dtype="float32"))
    static(x, 1)
    one = static.program_cache.last()[1][0].nbytes
    assert one >= 50 * 50 * 4
    bound("_BYTES", 3 * one)
    for k in range(2, 12):
        expected = np.sin(np.exp(np.eye(50, dtype="float32") * k)) + k
        np.testing.assert_allclose(static(x, k).numpy(), expected, rtol=1e-5, atol=1e-4)
        assert sum(p.nbytes for p in static.program_cache.concrete_programs()) <= 4 * one
    bound("_BYTES", 1)
    assert static(x, 20).shape == [50, 50] and static(x, 21).shape == [50, 50]
    assert len(static.program_cache) <= 3  # the number is an input


def test_a_graph_outlives_its_program(bound):
    bound("", 1)
    static, x = paddle.jit.to_static(lambda x, k: (x * k).exp()), paddle.to_tensor([0.5, 1.0], stop_gradient=False)
    y = static(x, 2)
    static(x, 3), static(x, 4)
    assert len(static.program_cache) == 1
    y.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), 2 * np.exp([1.0, 2.0]), rtol=1e-6)
