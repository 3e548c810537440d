"""cond, while_loop, case and switch_case: the same in both modes."""

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import ProgramError, ShapeError

nn = paddle.static.nn


def both(function, *arrays):
    """The result of ``function(*tensors)`` in dynamic mode, after checking that a Program gives the same."""
    dynamic = function(*[paddle.to_tensor(a) for a in arrays])
    main = paddle.static.Program()
    paddle.enable_static()
    try:
        with paddle.static.program_guard(main):
            feeds = [paddle.static.data(f"x{i}", a.shape, a.dtype) for i, a in enumerate(arrays)]
            result = function(*feeds)
            flat = result if isinstance(result, (list, tuple)) else [result]
            fetched = paddle.static.Executor().run(
                main, {f"x{i}": a for i, a in enumerate(arrays)}, [t for t in flat if isinstance(t, paddle.Tensor)]
            )
    finally:
        paddle.disable_static()
    expected = dynamic if isinstance(dynamic, (list, tuple)) else [dynamic]
    for got, want in zip(fetched, [t for t in expected if isinstance(t, paddle.Tensor)], strict=True):
        np.testing.assert_allclose(got, want.numpy())
    return [t.tolist() if isinstance(t, paddle.Tensor) else t for t in expected]


@pytest.mark.parametrize("x", [2.0, -3.0])
def test_cond(x):
    x = np.array(x, "float32")
    [got] = both(lambda t: nn.cond(t > 0, lambda: t * 2, lambda: -t), x)
    assert got == (4 if x > 0 else 3)


def test_cond_with_structures_and_numbers():
    def f(t):
        found = nn.cond(t > 0, lambda: {"a": t, "b": [1.0, None], "c": "same"}, lambda: {"a": -t, "b": [2.0, None], "c": "same"})
        assert found["b"][1] is None and found["c"] == "same"
        return found["a"], found["b"][0] * paddle.ones([])

    assert both(f, np.array(-3.0, "float32")) == [3, 2]


def test_cond_without_a_function():
    assert nn.cond(paddle.to_tensor(False), lambda: 1) is None
    assert nn.cond(True, lambda: 1, lambda: 2) == 1


def test_branches_must_agree(static):
    x = static.data("x", [2])
    with pytest.raises(ProgramError, match="same structure"):
        nn.cond(x.sum() > 0, lambda: [x, x], lambda: [x])
    with pytest.raises(ProgramError, match="other returns None"):
        nn.cond(x.sum() > 0, lambda: x, lambda: None)
    with pytest.raises(ShapeError, match="ranks and dtypes must agree"):
        nn.cond(x.sum() > 0, lambda: x, lambda: x.astype("int64"))
    with pytest.raises(TypeError, match="must be callable"):
        nn.cond(x.sum() > 0, x, x)


@pytest.mark.parametrize("n", [0, 1, 5])
def test_while_loop(n):
    def f(limit):
        zero = paddle.zeros([], "int64")
        return nn.while_loop(lambda i, t: i < limit, lambda i, t: [i + 1, t + i], [zero, zero + 100])

    assert both(f, np.array(n)) == [n, 100 + sum(range(n))]


def test_while_loop_with_structures():
    def f(x):
        (_, found) = nn.while_loop(lambda i, d: i < 3, lambda i, d: (i + 1, {"v": d["v"] * x}), [paddle.zeros([]), {"v": x}])
        return found["v"]

    assert both(f, np.array(2.0, "float32")) == [16]


def test_wrong_loops(static):
    x = static.data("x", [2])
    with pytest.raises(ValueError, match="must not be empty"):
        nn.while_loop(lambda: True, lambda: [], [])
    with pytest.raises(TypeError, match="must be callable"):
        nn.while_loop(True, lambda v: v, [x])
    with pytest.raises(TypeError, match="list or tuple"):
        nn.while_loop(lambda v: v, lambda v: v, x)
    with pytest.raises(ProgramError, match="must return 1 values, it returned 2"):
        nn.while_loop(lambda v: v.sum() > 0, lambda v: [v, v], [x])
    with pytest.raises(ShapeError, match="rank and dtype"):
        nn.while_loop(lambda v: v.sum() > 0, lambda v: [v.sum()], [x])


@pytest.mark.parametrize("x, want", [(2, 20), (0, 0), (-2, 2)])
@pytest.mark.parametrize("default", [True, False])
def test_case(x, want, default):
    def f(t):
        pairs = [(t > 1, lambda: t * 10), (t < 0, lambda: -t)]
        if default:
            return nn.case(pairs, default=lambda: t * 0)
        return nn.case([*pairs, (t == 0, lambda: t * 0)])

    assert both(f, np.array(x)) == [want]


@pytest.mark.parametrize("i, want", [(0, 5), (1, 15), (2, 50), (7, 50)])
def test_switch_case(i, want):
    x = np.array(5)
    for functions in (
        lambda t: {1: lambda: t + 10, 2: lambda: t * 10, 0: lambda: t},
        lambda t: [lambda: t, lambda: t + 10, lambda: t * 10],
        lambda t: [(2, lambda: t * 10), (0, lambda: t), (1, lambda: t + 10)],
    ):
        assert both(lambda k, t, f=functions: nn.switch_case(k, f(t)), np.array(i), x) == [want]
    assert both(lambda k, t: nn.switch_case(k, [lambda: t], default=lambda: -t), np.array(i), x) == [5 if i == 0 else -5]


def test_wrong_cases():
    with pytest.raises(TypeError, match="non-empty"):
        nn.case([])
    with pytest.raises(TypeError, match="pair of a predicate"):
        nn.case([lambda: 1])
    with pytest.raises(ValueError, match="twice"):
        nn.switch_case(paddle.to_tensor(1), [(1, lambda: 1), (1, lambda: 2)])


def test_gradients_through_the_calls(static):
    x = static.data("x", [])
    x.stop_gradient = False
    y = nn.cond(x > 1, lambda: x * x, lambda: x * 3)
    [z] = nn.while_loop(lambda v: v < 100, lambda v: [v * x], [y])
    [g] = static.gradients(z, x)
    exe = static.Executor()
    assert exe.run(feed={"x": 3.0}, fetch_list=[z, g]) == [243, 5 * 81]
    with np.errstate(all="ignore"):
        assert exe.run(feed={"x": 10.0}, fetch_list=[z, g]) == [100, 20]
