"""Sizes that vary: one Program for all of them, with the numbers that each alone gives; where there is none, one for each."""

import warnings

import numpy as np
import pytest

import to_static as paddle
import to_static.nn.functional as F
from to_static.compiler.ir.registry import REGISTRY
from to_static.compiler.ir.spec import UNKNOWN
from to_static.core import flags
from to_static.core.errors import ShapeError

SIZES = (2, 5, 3, 4, 7, 1, 6, 4, 0, 9)


def rows(n, seed=0):
    return paddle.to_tensor(np.random.default_rng(seed + n).uniform(-1, 1, (n, 3)).astype("float32"), stop_gradient=False)


def compared(function, sizes=SIZES, make=rows, gradients=True):
    """The static function after calls with all sizes, each compared with Python, values and gradients."""
    static = paddle.jit.to_static(function)
    for n in sizes:
        results = []
        for f in (static, function):
            x = make(n)
            y = f(x)
            flat = [v for v in (y if isinstance(y, (list, tuple)) else [y])]
            if gradients and n:
                sum(v.sum() for v in flat if isinstance(v, paddle.Tensor)).backward()
            results.append([*(v.numpy() if isinstance(v, paddle.Tensor) else v for v in flat), x.grad])
        for a, b in zip(*results, strict=True):
            if a is not None or b is not None:
                assert type(a) is type(b)
                np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
    return static


def branch(x):
    return x * 2 if x.shape[0] > 4 else x - 1


def loop(x):
    total = x[0] * 0 if x.shape[0] > 0 else paddle.zeros([3])
    for i in range(x.shape[0]):
        total = total + x[i] * i
    return total


def grows(x):
    y = x
    for _ in range(2):
        y = paddle.concat([y, paddle.ones([y.shape[0], 3])])
    return y


FOR_ALL = {
    "mean": lambda x: x.sum() / max(x.shape[0], 1),
    "reshaped": lambda x: (x.reshape([-1]) * 2).reshape([x.shape[0], 3]) @ paddle.ones([3, 2]),
    "returned size": lambda x: (x * 2, x.shape[0]),
    "branch": branch,
    "softmax": lambda x: F.softmax(x, axis=0) * paddle.arange(x.shape[0]).astype("float32").unsqueeze(1),
    "grows": grows,
    "normalised": lambda x: (x - x.sum(0)) / ((x * x).sum(0, keepdim=True) + 1e-3),
}


@pytest.mark.parametrize("name", FOR_ALL)
def test_one_program_for_all_sizes(name):
    static = compared(FOR_ALL[name])
    # of 2 and 5, of all sizes from the third on, and of 1 and 0, where tensors broadcast or are empty
    assert len(static.program_cache) == 5 and not static.graph_breaks


def test_loops_over_a_size_that_varies():
    assert len(compared(loop).program_cache) <= 5


def test_each_dimension_has_sizes_of_its_own():
    static = paddle.jit.to_static(lambda x: x * x.shape[1] + x.shape[0])
    seen = [(2, 4), (3, 5), (4, 4), (5, 5), (6, 4), (7, 6), (8, 7), (9, 6)]
    for shape in seen:
        np.testing.assert_array_equal(static(paddle.ones(shape)).numpy(), np.full(shape, sum(shape)))
    known = [tuple(p.inputs[0].spec.shape) for p in static.program_cache.concrete_programs()]
    assert known == [(2, 4), (3, 5), (-1, 4), (-1, 5), (-1, -1)]


def no_size_in_python(x):
    return x * len("ab" * x.shape[0]) + paddle.to_tensor(np.arange(x.shape[0] * 3).reshape(-1, 3).astype("float32"))


def no_gradient(x):
    return x.tanh()


def known_sizes_only(ctx, g):
    if UNKNOWN in ctx.x.spec.shape:
        raise ShapeError("tanh: the gradient needs an input whose sizes are known")
    return g * (1 - ctx.out * ctx.out)


@pytest.mark.parametrize("function", [no_size_in_python, no_gradient])
def test_what_has_no_program_for_all_sizes_has_one_for_each(function, monkeypatch):
    monkeypatch.setattr(REGISTRY["tanh"], "grad_rule", known_sizes_only)
    sizes = (2, 5, 3, 4, 7, 4)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        static = compared(function, sizes)
    assert len(static.program_cache) == len(set(sizes)) and not static.graph_breaks
    assert all(p.inputs[0].spec.is_static for p in static.program_cache.concrete_programs())
    texts = [str(w.message) for w in told]
    assert sum("makes a Program for each size of x: InputSpec([None, 3])" in text for text in texts) == 1, texts


def test_errors_of_the_function_do_not_end_programs_for_all_sizes():
    def checked(x):
        y = x + paddle.ones([3])
        assert y.sum() < 50, "too large"
        return y @ paddle.ones([x.shape[1], 2])

    static = paddle.jit.to_static(checked)
    for n in (2, 3, 4, 20, 5, 21, 6):
        if n >= 20:
            with pytest.raises(AssertionError, match="too large"):
                static(paddle.ones([n, 3]))
        else:
            np.testing.assert_array_equal(static(paddle.ones([n, 3])).numpy(), np.full((n, 2), 6))
    assert len(static.program_cache) == 3


def test_layers_train_on_sizes_that_vary():
    paddle.seed(0)
    layers = lambda: (paddle.nn.Linear(3, 8), paddle.nn.BatchNorm1D(8), paddle.nn.Linear(8, 2))
    first, second = (paddle.nn.Sequential(*layers()) for _ in range(2))
    second.set_state_dict(first.state_dict())
    static = paddle.jit.to_static(first)
    nets = [(static, paddle.optimizer.SGD(0.1, parameters=static.parameters())),
            (second, paddle.optimizer.SGD(0.1, parameters=second.parameters()))]  # fmt: skip
    for n in (4, 5, 6, 7, 8, 4):
        for net, optimizer in nets:
            F.cross_entropy(net(rows(n)), paddle.to_tensor(np.arange(n) % 2)).backward()
            optimizer.step()
            optimizer.clear_grad()
    for a, b in zip(static.state_dict().values(), second.state_dict().values(), strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-4, atol=1e-5)
    assert len(static.forward.program_cache) == 3


def test_without_the_flag_each_size_has_a_program(monkeypatch):
    monkeypatch.setattr(flags.FLAGS["TO_STATIC_DYNAMIC_SHAPES"], "value", 0)
    static = paddle.jit.to_static(lambda x: x * 3)
    for n in (2, 3, 4, 5):
        static(rows(n))
    assert len(static.program_cache) == 4
