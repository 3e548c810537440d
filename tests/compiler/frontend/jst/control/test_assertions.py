"""Casts, `len`, `print`, `assert`, `raise` and names without value in static functions."""

import sys

import pytest
from both import T, check

import to_static as paddle
from to_static.core.errors import UnboundVariableError


def test_casts_compute_as_python_numbers():
    def f(x):
        n, r, b = int(x), float(x), bool(x)
        return n, r, b, n // 2, n / 2, r * 2, -n, n * x, x + r, len([n]), int("7"), int(), float("1.5")

    check(f, T(-3.7), T(0.0), T(7.0), T([2.5]))


def test_len():
    def f(x, items):
        return len(x), len(items), len("abc")

    check(f, (T([[1.0], [2.0]]), [1, 2, 3]))


def test_print_at_every_run(capsys):
    def f(x):
        print("x:", x.sum(), {"a": 1}, sep=" | ", end="!\n")
        print("{done}", 3)
        if x.sum() > 0:
            print("positive")
        return x

    static = paddle.jit.to_static(f)
    x = T([1.0, 2.0])
    static(x)
    first = capsys.readouterr().out
    static(x)
    assert capsys.readouterr().out == first
    assert first.startswith("x: | ") and "| {'a': 1}!\n{done} 3\npositive\n" in first and "3" in first.split("|")[1]
    static(-x)
    assert "positive" not in capsys.readouterr().out


def test_assertions_keep_message_and_type():
    def f(x):
        assert x.sum() > 0, f"sum must be positive, limit {1 + 1}"
        assert x[0] != 5, x[0]
        assert True, "never"
        return x

    check(f, T([1.0, 2.0]), T([-1.0, -2.0]), T([5.0, 1.0]), raises=AssertionError)


def test_assertion_under_a_condition():
    def f(x):
        if x.sum() > 0:
            assert x[0] > 0, "first"
        return x

    check(f, T([1.0, 2.0]), T([-1.0, 2.0]), T([-1.0, -2.0]), raises=AssertionError)


def test_raise_under_a_tensor_condition():
    def f(x):
        if x.sum() > 10:
            raise ValueError(f"too large: {10}")
        if x.sum() < -10:
            raise KeyError
        if x.sum() < 0:
            y = x * 2
        else:
            y = x * 3
        return y

    check(f, T([1.0]), T([-1.0]), T([11.0]), T([-11.0]), raises=(ValueError, KeyError))


def test_raise_in_a_called_function_and_a_loop():
    def positive(x):
        if x < 0:
            raise ValueError("negative")
        return x

    def f(x, n):
        for i in range(n):
            x = positive(x) - 1
        return x

    check(f, (T(2.0), T(2)), (T(1.0), T(3)), (T(-1.0), T(0)), raises=ValueError)


def test_names_without_value():
    def f(x):
        if x > 0:
            y = x * 2
        if x > 1:
            return y
        return x

    def g(x):
        if x > 0:
            y = x * 2
        return y

    def h(x, n):
        if n > 0:
            y = x
        while x < 3:
            x = x + 1
            z = x
        return y if n > 1 else z

    check(f, T(2.0), T(0.5), T(-1.0))
    static = paddle.jit.to_static(g)
    assert float(static(T(2.0))) == 4.0
    with pytest.raises(UnboundVariableError, match="local variable 'y' is used before it has a value"):
        static(T(-2.0))
    static = paddle.jit.to_static(h)
    assert [float(static(T(x), n)) for x, n in [(0.0, 1), (0.0, 2), (5.0, 2)]] == [3.0, 0.0, 5.0]
    for x, n in [(5.0, 1), (5.0, 0)]:
        with pytest.raises(UnboundVariableError, match="'z'"):
            static(T(x), n)


def test_name_that_surely_has_no_value():
    def f(x, n):
        if n > 0:
            y = x
        return y

    with pytest.raises(UnboundVariableError, match="'y'") as caught:
        paddle.jit.to_static(f)(T(1.0), 0)
    assert "return y" in str(caught.value)


def test_a_run_that_fails_has_written_to_standard_error_once(capsys):
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.calls = 0

        def forward(self, x):
            self.calls += 1
            print("err", file=sys.stderr)
            assert x.sum() > 0, "must be positive"
            return x

    net = Net()
    run = paddle.jit.to_static(net)
    run(paddle.to_tensor([1.0, 2.0]))
    with pytest.raises(AssertionError, match="must be positive"):
        run(paddle.to_tensor([-1.0, -2.0]))
    assert net.calls == 2
    assert capsys.readouterr().err == "err\nerr\n"
