"""The short way of Python's operators gives what the way of all tensors does, in later calls as in the first."""

import itertools
import operator
import warnings

import numpy as np
import pytest

import to_static as paddle
from to_static import profiler
from to_static.amp import op_observer
from to_static.compiler.eager import arithmetic
from to_static.compiler.ir import mode
from to_static.compiler.ir.tensor import Tensor

DTYPES = ("bool", "uint8", "int32", "int64", "float16", "float32", "float64", "complex64")
NUMBERS = (2, -3, 0, 0.5, -0.0, float("inf"), 300, True, 1 << 40, 2j)
DUNDERS = [f"__{short}__" for short in arithmetic._OPERATORS] + [f"__r{short}__" for short in arithmetic._REFLECTED]


def outcome(function, *operands):
    """What comes of a call: the numbers to the last bit, or the error."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            y = function(*operands)
        except Exception as error:
            return type(error), str(error).split("\n")[0]
    return NotImplemented if y is NotImplemented else (y.dtype, y.shape, y.stop_gradient, y.numpy().tobytes())


def tensor(dtype, shape=(2, 3), **how):
    """A tensor of small numbers, some of them 0."""
    return paddle.to_tensor((np.arange(6)[: int(np.prod(shape))].reshape(shape) % 4).astype(dtype), **how)


@pytest.mark.parametrize("dunder", DUNDERS)
def test_as_all_tensors_do(dunder):
    short, general = getattr(paddle.Tensor, dunder), vars(Tensor)[dunder]
    assert short is not general
    for dtype in DTYPES:
        x = tensor(dtype)
        others = [*map(tensor, DTYPES), *(tensor(dtype, shape) for shape in ((3,), (), (4,))), np.ones(3), [1, 2, 3], "a", None]
        for other in (*NUMBERS, *others):
            expected = outcome(general, x, other)
            for _ in range(3):
                assert outcome(short, x, other) == expected, (dtype, other)


CALLS = [
    lambda x: x + 2.0, lambda x: 2 - x, lambda x: x * 3, lambda x: 1.5 / x, lambda x: x / 2, lambda x: x - x * 0.5,
    lambda x: x * x / 3.0,
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_gradients(call):
    for _ in range(3):
        x = paddle.to_tensor([1.0, 2.0, 4.0], stop_gradient=False)
        (first,) = paddle.grad(call(x).sum(), x, create_graph=True)
        exact = [(float(call(v + 1e-6)) - float(call(v - 1e-6))) / 2e-6 for v in paddle.to_tensor([1.0, 2.0, 4.0], dtype="float64")]
        np.testing.assert_allclose(first.numpy(), exact, rtol=1e-4)
        assert call(x.detach()).stop_gradient and not call(x).stop_gradient
        with paddle.no_grad():
            assert call(x).stop_gradient


def test_what_was_recorded_stays_when_a_view_is_written_to():
    for write, number in itertools.product((lambda x: x[0].fill_(9.0), lambda x: x.fill_(9.0)), (2.0, 3)):
        results = []
        for multiply in (operator.mul, vars(Tensor)["__mul__"]):
            w = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
            x = w * 1.0
            part = x[:1]
            y = multiply(x, number) * x
            with paddle.no_grad():
                write(x)
            z = multiply(x, number) + part
            results.append((y.numpy().tolist(), z.numpy().tolist()))
        assert results[0] == results[1]


def test_hooks_of_what_is_saved_get_the_tensors():
    packed = []
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    for _ in range(2):
        x * 2.0
    with paddle.autograd.saved_tensors_hooks(lambda t: packed.append(t.numpy().tolist()) or t, lambda t: t):
        y = x * 2.0
    y.sum().backward()
    assert packed == [[1.0, 2.0], 2.0] and x.grad.numpy().tolist() == [2.0, 2.0]


def test_parameters_and_traced_functions():
    layer = paddle.nn.Linear(2, 2)
    for _ in range(3):
        assert (layer.weight + layer.weight * 2).shape == [2, 2]
    static = paddle.jit.to_static(lambda x: (x * 2.0 + layer.weight) > 0.5)
    x = paddle.ones([2, 2])
    assert static(x).numpy().tolist() == ((x * 2.0 + layer.weight) > 0.5).numpy().tolist()


def test_bytes_in_another_order():
    x = paddle.to_tensor(np.arange(3, dtype=">f4"))
    for _ in range(3):
        assert (x + x).numpy().tolist() == [0, 2, 4] and (x * 2.0).numpy().tolist() == [0, 2, 4]


def test_who_watches_operators_sees_them_all():
    x = paddle.ones([2, 2])

    def work():
        _ = x + x, x * 2.0, x > 1, x[0], x[1, 1]
        x[0] = 1.0

    work()
    seen = []
    op_observer.watch(watcher := lambda name, results: seen.append(name))
    try:
        work()
    finally:
        op_observer.leave(watcher)
    assert seen == ["add", "multiply", "greater_than", "slice", "slice", "set_value"]
    with profiler.Profiler(on_trace_ready=lambda _: None) as found:
        work()
    told = [e.name.split()[0] for e in found.profiler_result.events if e.event_type is profiler.TracerEventType.Operator]
    assert told == seen and mode.current().direct
