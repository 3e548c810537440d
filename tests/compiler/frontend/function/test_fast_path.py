"""The quick way of a call gives what Python gives, and tells apart what the long way tells apart."""

import collections
import math
import threading

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.frontend.function import bailout, fast_path
from to_static.compiler.frontend.function.static_function import StaticFunction

A, B = paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([3.0, 5.0])
to_static = paddle.jit.to_static


def shown(value):
    if isinstance(value, (list, tuple)):
        return [shown(x) for x in value]
    return {k: shown(x) for k, x in value.items()} if isinstance(value, dict) else getattr(value, "numpy", lambda: value)()


def both(function, *calls):
    """Each call twice by Python and by one static function, in turn; returns that."""
    static = to_static(function)
    for _ in range(2):
        for args, kwargs in calls:
            np.testing.assert_equal(shown(static(*args, **kwargs)), shown(function(*args, **kwargs)))
    return static


@pytest.fixture
def long_calls(monkeypatch):
    """The functions whose calls went the long way."""
    found = []
    slow = StaticFunction._slow_call
    monkeypatch.setattr(StaticFunction, "_slow_call", lambda self, a, k: (found.append(self.__name__), slow(self, a, k))[1])
    return found


def scaled(x, y=None, k=2.0, flag=False, name="n"):
    total = x * k if y is None else x * k + y
    return (total, name) if flag else total


QUICK = {
    "one": ((A,), {}),
    "two": ((A, B), {}),
    "one tensor twice": ((A, A), {}),
    "by keyword": ((), {"x": A, "y": B}),
    "in another order": ((), {"y": B, "x": A}),
    "mixed": ((A,), {"k": 3, "y": B}),
    "plain values": ((A, None, 0.5, True, "m"), {}),
    "arrays": ((np.float32([1, 2]), np.float32([3, 4])), {}),
}


@pytest.mark.parametrize("call", QUICK.values(), ids=QUICK)
def test_calls_on_the_quick_way(call, long_calls):
    args, kwargs = call
    static = to_static(scaled)
    first = shown(static(*args, **kwargs))
    np.testing.assert_equal(first, shown(scaled(*args, **kwargs)))
    del long_calls[:]
    np.testing.assert_equal(shown(static(*args, **kwargs)), first)
    assert long_calls == []


def test_sequentials_methods_and_loaded_models_are_quick(tmp_path, long_calls):
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.inner = paddle.nn.Linear(2, 2)

        @to_static
        def predict(self, x, scale=1):
            return self.inner(x) * scale

    net, chain = Net(), to_static(paddle.nn.Sequential(paddle.nn.Linear(2, 2), paddle.nn.ReLU()))
    calls = [lambda: net.predict(A), lambda: net.predict(x=A, scale=3), lambda: chain(A)]
    expected = [shown(call()) for call in calls]
    del long_calls[:]
    for grads in (True, False):
        with paddle.set_grad_enabled(grads):
            assert all((shown(call()) == value).all() for call, value in zip(calls, expected, strict=True))
    assert long_calls == []


def test_containers_are_quick(long_calls):
    def f(pair, table):
        return {"sum": pair[0] + table["b"][0], "k": table["k"]}

    both(f, (((A, B), {"b": [B], "k": 1}), {}), (([A, B], {"b": [B], "k": 1}), {}), (((A, B), {"k": 1, "b": [B]}), {}))
    assert len(long_calls) == 3


def test_values_that_compare_equal_are_told_apart():
    def f(x, k):
        return x * k, type(k).__name__, math.copysign(1, k) if isinstance(k, float) else k

    static = both(f, *(((A, k), {}) for k in (1, True, 1.0, 0, False, 0.0, -0.0)))
    assert static.get_traced_count() == 6  # with its second value a number is an input, whose sign is asked
    both(lambda x, k: x + (k != k), ((A, math.nan), {}), ((A, 1.0), {}))


def test_one_tensor_twice_is_another_program():
    def f(x, y):
        return x is y, x + y

    static = both(f, ((A, B), {}), ((A, A), {}))
    assert static.get_traced_count() == 2


def test_one_list_twice_is_pythons(graph_breaks):
    def lists(a, b):
        a.append(1)
        return len(b)

    static, one = to_static(lists), [A]
    with pytest.warns(UserWarning, match="passed for two arguments"):
        assert [static([A], [A]), static([A], [A]), static(one, one), static(one, one)] == [1, 1, 2, 3]
    assert static.graph_breaks == 2


def test_what_a_run_changes_does_not_change_its_key():
    w = paddle.to_tensor([2.0, 2.0], stop_gradient=False)

    def grows(items, x):
        items.append(x)
        return len(items)

    static, items = to_static(grows), []
    assert [static(items, A) for _ in range(4)] == [1, 2, 3, 4]

    @to_static
    def in_place(x):
        x.multiply_(w)
        return x.sum()

    for _ in range(3):
        x = paddle.to_tensor([1.0, 2.0])
        y = in_place(x)
        assert not x.stop_gradient and not y.stop_gradient and float(y) == 6
    assert in_place.get_traced_count() == 1


def test_containers_among_arguments_are_written_to_in_any_order(monkeypatch):
    monkeypatch.setattr(bailout, "is_python_s", lambda error: False)  # Python does not do it over

    def f(a, b, x):
        a.append(x)
        b["k"] = x * 2

    static = to_static(f)
    for _ in range(3):
        a, b = [], {}
        static(b=b, a=a, x=A)
        assert len(a) == 1 and b["k"].tolist() == [2, 4]


def test_default_values_that_may_change_are_read_in_every_call():
    def f(x, table={"k": 2}, pair=(1, 2)):  # noqa: B006
        return x * table["k"] + pair[1]

    static = to_static(f)
    got = [static(A).tolist() for _ in range(2)]
    f.__defaults__[0]["k"] = 3
    assert [*got, static(A).tolist()] == [[4, 6], [4, 6], [5, 8]]


def test_layers_as_default_values_are_quick_and_watched(long_calls):
    class Scale(paddle.nn.Layer):
        def __init__(self, k):
            super().__init__()
            self.k, self.more = k, [1]

        def forward(self, x):
            return x * self.k + len(self.more)

    net = Scale(2)

    def f(x, net=net, *, other=net):
        return net(x) + other.k

    static = to_static(f)
    assert static(A).tolist() == static(A).tolist() == [5, 7]
    assert len(long_calls) == 1
    net.k = 3
    assert static(A).tolist() == static(A).tolist() == [7, 10]
    net.more.append(2)
    assert static(A).tolist() == static(A).tolist() == [8, 11]
    f.__defaults__ = (Scale(1),)
    assert static(A).tolist() == static(A).tolist() == [5, 6]
    f.__kwdefaults__ = {"other": Scale(5)}
    assert static(A).tolist() == static(A).tolist() == [7, 8]


@pytest.mark.parametrize("grads", [True, False])
def test_calls_after_one_that_failed_and_beside_others(grads):
    layer = paddle.nn.Linear(2, 2)

    def f(x, k=1):
        y = paddle.nn.functional.relu(layer(x) * k)
        assert x.sum() < 100, "too much"
        return y

    static, wrong = to_static(f), []
    inputs = [paddle.full([3, 2], float(i)) for i in range(8)]
    expected = [f(x).numpy() for x in inputs]

    def work(number):
        with paddle.set_grad_enabled(grads):
            for _ in range(40):
                if not np.array_equal(static(inputs[number]).numpy(), expected[number]):
                    wrong.append(number)

    with paddle.set_grad_enabled(grads):
        for _ in range(3):
            static(inputs[0])
            with pytest.raises(AssertionError, match="too much"):
                static(paddle.full([3, 2], 100.0))
            with pytest.raises(AssertionError, match="too much"):
                static(k=1, x=paddle.full([3, 2], 100.0))
    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(inputs))]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert wrong == []


def test_weights_that_are_set_or_replaced_count_at_once():
    layer = paddle.nn.Linear(2, 2)
    static = to_static(lambda x: layer(x).tanh())
    with paddle.no_grad():
        for k in range(4):
            if k % 2:
                layer.weight.set_value(np.full((2, 2), k, "float32"))
            else:
                layer.weight = layer.create_parameter([2, 2])
            for _ in range(3):
                np.testing.assert_array_equal(static(A.reshape([1, 2])), layer(A.reshape([1, 2])).tanh())


def test_results_are_their_own():
    static = to_static(lambda x: x.reshape([2, 1]) * 1.0)
    with paddle.no_grad():
        x = paddle.to_tensor([1.0, 2.0])
        results = [static(x) for _ in range(4)]
        results[-1].fill_(7.0)
        x.fill_(5.0)
    assert [r.numpy().ravel().tolist() for r in results] == [[1, 2]] * 3 + [[7, 7]]


def test_results_that_are_views_follow_the_argument_as_in_dynamic_mode():
    static = to_static(lambda x: x.reshape([2, 1]))
    x = paddle.to_tensor([1.0, 2.0])
    results = [static(x) for _ in range(4)]
    results[-1].fill_(7.0)
    assert x.tolist() == [7, 7]
    x.fill_(5.0)
    assert [r.numpy().ravel().tolist() for r in results] == [[5, 5]] * 4


def test_calls_that_python_makes_get_what_the_caller_gave(graph_breaks, long_calls):
    def f(x, k=1, *, note):
        note.append(type(x).__name__)
        return x.numpy() * k if isinstance(x, paddle.Tensor) else x

    static = to_static(f)
    with pytest.warns(UserWarning, match="graph break"):
        static(A, note=[])
    static(A, note=[])
    del long_calls[:]
    note = []
    assert static(A, note=note).tolist() == [1, 2] and note == ["Tensor"] and long_calls == []


def test_what_has_no_quick_key():
    point = collections.namedtuple("point", "x y")(A, B)
    shared = [A]
    for args in ((point,), (object(),), (shared, shared), (np.array(["a"]),), (1j,), ({1: object()},)):
        assert fast_path.key_of(args, {}, []) is None, args


def test_the_settings_around_a_call_count():
    made = to_static(lambda x: paddle.zeros([1]))
    try:
        for _ in range(2):
            for dtype in ("float32", "float64"):
                paddle.set_default_dtype(dtype)
                assert str(made(A).dtype) == f"paddle.{dtype}"
    finally:
        paddle.set_default_dtype("float32")


def test_switching_off_and_on(monkeypatch):
    seen = []
    static = to_static(lambda x: (seen.append(paddle.in_dynamic_mode()), x + 1)[1])
    static(A), static(A)
    del seen[:]
    paddle.jit.enable_to_static(False)
    try:
        static(A), static(A)
        assert seen == [True, True]
    finally:
        paddle.jit.enable_to_static(True)
    before = len(seen)
    static(A)
    assert len(seen) <= before + 1 and True not in seen[before:]


def test_the_number_of_known_kinds_is_bounded(monkeypatch):
    monkeypatch.setattr(fast_path, "_MOST", 3)
    static = to_static(lambda x, k: x * k)
    for _ in range(2):
        assert [static(A, k).tolist() for k in range(6)] == [[k, 2.0 * k] for k in range(6)]
    assert len(static._surroundings.calls.quick) <= 3


def test_a_result_that_is_no_tensor_of_a_function_with_defaults():
    def losses(x, weights=(1.0, 0.5)):
        return {"a": x * weights[0], "b": x * weights[1]}

    both(losses, ((A,), {}), ((B,), {}))
