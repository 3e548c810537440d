"""The quick way of a call gives what Python gives, and tells apart what the long way tells apart."""

import collections
import dataclasses
import enum
import math
import threading

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.frontend.function import bailout, fast_path
from to_static.compiler.frontend.function.compilation import Compilation
from to_static.compiler.frontend.function.static_function import StaticFunction
from to_static.static import InputSpec

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
    monkeypatch.setattr(bailout, "must_rerun_in_python", lambda error: False)  # Python does not do it over

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
    shared = [A]
    for args in ((object(),), (shared, shared), (np.array(["a"]),), (1j,), ({1: object()},)):
        assert fast_path.key_of(args, {}, []) is None, args


class Level(enum.Enum):
    LOW = 1
    HIGH = 2


@dataclasses.dataclass
class Settings:
    rate: float
    name: str = "n"
    parts: list = dataclasses.field(default_factory=list)


Pair = collections.namedtuple("Pair", "a b")
OTHERS = {
    "enumerations": (lambda x, v: x * (2 if v is Level.LOW else 3), [Level.LOW, Level.HIGH]),
    "NumPy's ints": (lambda x, v: x * int(v), [np.int64(2), np.int64(3), np.int32(2)]),
    "NumPy's bools": (lambda x, v: x * 2 if v else x, [np.bool_(True), np.bool_(False)]),
    "NumPy's floats": (lambda x, v: paddle.atan2(x * 0, x * 0 + float(v)), [np.float32(0.0), np.float32(-0.0), np.float64(0.0)]),
    "named tuples": (lambda x, v: x * v.a + v.b, [Pair(1, 2), Pair(2, 1), Pair(A, 1)]),
    "data": (lambda x, v: x * v.rate + len(v.parts), [Settings(1.5), Settings(2.5, "m"), Settings(1.5, "n", [A])]),
    "ordered": (lambda x, v: [x * k for k in v], [collections.OrderedDict({2: 1, 3: 1}), collections.OrderedDict({3: 1, 2: 1})]),
    "functions": (lambda x, v: v(x), [paddle.sin, paddle.cos, paddle.nn.functional.relu]),
}


@pytest.mark.parametrize("case", OTHERS.values(), ids=OTHERS)
def test_other_kinds_of_values_on_the_quick_way(case, long_calls):
    function, values = case
    static = both(function, *[((A, value), {}) for value in values])
    del long_calls[:]
    for value in values:
        np.testing.assert_equal(shown(static(A, value)), shown(function(A, value)))
    assert long_calls == []


class Scaled(paddle.nn.Layer):
    def __init__(self, scale):
        super().__init__()
        self.linear, self.scale, self.more = paddle.nn.Linear(2, 2), scale, [1.0]

    def forward(self, x):
        return self.linear(x) * self.scale + self.more[-1]


@pytest.mark.filterwarnings("ignore")
def test_networks_that_are_arguments_are_on_the_quick_way(long_calls):
    x, nets = A.reshape([1, 2]), [Scaled(k) for k in range(3)]
    static = both(lambda net, x: net(x) * 2.0, *[((net, x), {}) for net in nets])
    del long_calls[:]
    for net in nets:
        static(net, x)
    assert long_calls == []
    changes = [
        lambda net: setattr(net, "scale", net.scale + 5),
        lambda net: net.more.append(7.0),
        lambda net: net.more.__setitem__(0, 2.0),
        lambda net: setattr(net, "linear", paddle.nn.Linear(2, 2)),
        lambda net: net.linear.weight.set_value(net.linear.weight * 3.0),
        lambda net: net.eval(),
        lambda net: net.register_forward_post_hook(lambda layer, given, y: y - 1.0),
    ]
    for change in changes:
        for net in nets:
            change(net)
            for other in nets:
                np.testing.assert_array_equal(static(other, x), other(x) * 2.0)


@pytest.mark.filterwarnings("ignore")
def test_a_network_that_takes_the_memory_of_another_is_no_other():
    static = to_static(lambda net, x: net(x))
    x = A.reshape([1, 2])
    for k in range(30):
        net = Scaled(k)
        np.testing.assert_array_equal(static(net, x), net(x))


def test_numbers_that_are_declared_to_be_tensors():
    static = to_static(lambda x, v: x * v, input_spec=[InputSpec([2]), InputSpec([], "float32")])
    for value in (np.float32(2.0), np.float32(3.0), np.float32(2.0)):
        for _ in range(2):
            np.testing.assert_array_equal(static(A, value), A * float(value))


def test_calls_that_write_what_is_watched_are_on_the_quick_way(long_calls):
    class Flips(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.phase, self.kept = "a", None

        def forward(self, x):
            self.phase = "b" if self.phase == "a" else "a"
            return x * (2.0 if self.phase == "a" else 3.0)

    net, plain = to_static(Flips()), Flips()
    for _ in range(6):
        np.testing.assert_array_equal(net(A), plain(A))
    del long_calls[:]
    for _ in range(4):
        np.testing.assert_array_equal(net(A), plain(A))
        assert net.phase == plain.phase
    assert long_calls == []


def test_a_value_from_before_the_first_trace_is_found_again(monkeypatch):
    """What was looked at before a trace knew what to watch tells fewer states apart."""
    traces = []
    trace = Compilation.trace_target
    monkeypatch.setattr(Compilation, "trace_target", lambda self, *a, **k: (traces.append(1), trace(self, *a, **k))[1])

    def part(x, mode):
        return x.mean() if mode == "mean" else x.sum() if mode == "sum" else x

    class Net(paddle.nn.Layer):
        mode = None
        forward = lambda self, x: part(x, self.mode)

    net, static = Net(), to_static(Net())
    for k in range(12):
        net.mode = static.mode = ("mean", "sum", "none")[k % 3]
        np.testing.assert_array_equal(static(A), net(A))
    assert len(traces) == 3


def test_entries_are_kept_while_other_tensors_want_gradients(monkeypatch):
    made = []
    entry = fast_path.entry
    monkeypatch.setattr(fast_path, "entry", lambda *call: (made.append(1), entry(*call))[1])
    layer = paddle.nn.Linear(2, 2)
    static = to_static(lambda x: layer(x).tanh())
    for k in range(24):
        layer.weight.stop_gradient, layer.bias.stop_gradient = bool(k & 1), bool(k & 2)
        y = static(A.reshape([1, 2]))
        assert y.stop_gradient == (k % 4 == 3)
        np.testing.assert_array_equal(y, layer(A.reshape([1, 2])).tanh())
    assert len(made) <= 8


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
