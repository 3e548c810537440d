"""Any callable, found any way, is translated when translated code calls it."""

import collections
import functools
import itertools
import queue

import pytest
from both import T, check, left_to_python

import to_static as paddle
from to_static.compiler.frontend.jst import operators
from to_static.core.errors import TracedValueError, TranslationError

X = [T([1.0, 2.0]), T([-1.0, -2.0])]


def flip(x, factor=1):
    if x.sum() < 0:
        x = -x
    return x * factor


def make(n):
    def scaled(x):
        return flip(x) * n if x.sum() > 1 else x

    return scaled


class Tool:
    kinds = {"flip": flip}

    def __init__(self, n):
        self.n = n

    def __call__(self, x):
        return flip(x, self.n)

    def method(self, x, *rest, k=1, **more):
        if x.sum() > 0:
            return x * self.n + k
        return x - self.n + len(rest) + len(more)

    @staticmethod
    def static(x):
        return flip(x)

    @classmethod
    def made(cls, x):
        return cls(2)(x)

    @property
    def prop(self):
        return flip


def test_every_kind_of_callable():
    tool = Tool(3)
    partial = functools.partial(flip, factor=4)

    def f(x):
        total = flip(x) + make(2)(x) + tool(x) + tool.method(x, x, k=2, other=1) + Tool.static(x) + Tool.made(x)
        total = total + partial(x) + tool.prop(x) + Tool.kinds["flip"](x) + Tool.method(tool, x)
        total = total + (lambda v: v if v.sum() > 0 else v * 5)(x) + [flip, abs][0](x)
        for g in (flip, tool):
            total = total + g(x)
        return total + sum(map(flip, [x, x]), x), sorted([3, 1, 2], key=lambda v: -v)

    check(f, *X)


def test_recursion_bounded_by_python_values():
    def power(x, n):
        if n == 0:
            return x * 0 + 1
        return x * power(x, n - 1) if x.sum() > 0 else -power(-x, n - 1)

    def f(x, n):
        return power(x, n)

    check(f, (X[0], 3))


def test_recursion_bounded_by_tensors_is_refused():
    def halve(x):
        if x > 1:
            return halve(x / 2)
        return x

    left_to_python(halve, T(5.0), why="a function that calls itself until a tensor says stop")


def test_decorated_callees_keep_their_decorators():
    runs = []

    def doubling(function):
        runs.append(1)

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return function(*args, **kwargs) * 2

        return wrapper

    decorated = doubling(flip)

    def f(x):
        return decorated(x, factor=3)

    check(f, *X)
    assert runs == [1]


class Gate(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = paddle.nn.Linear(2, 2)

    def forward(self, x):
        if x.sum() > 0:
            return self.fc(x)
        return x * 2


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.gates = paddle.nn.LayerList([Gate(), Gate()])
        self.tail = paddle.nn.Sequential(Gate(), paddle.nn.ReLU(), Gate())
        self.scale = 2.0

    def forward(self, x, use_tail=True):
        for gate in self.gates:
            x = gate(x)
        return self.tail(x) * self.scale if use_tail else self.helper(x)

    def helper(self, x):
        while x.sum() < 10:
            x = x + self.scale
        return x


class Deeper(Net):
    def forward(self, x):
        if x.max() > 1:
            return super().forward(x, use_tail=False)
        return super().forward(x)


def test_sub_layers_inside_library_containers():
    net = Deeper()
    expected = [net(x).numpy() for x in X]
    static = paddle.jit.to_static(net)
    for x, value in zip(X, expected, strict=True):
        assert abs(static(x).numpy() - value).max() < 1e-6


def test_hooks_run():
    net = Gate()
    net.register_forward_pre_hook(lambda layer, inputs: inputs[0] + 1)
    net.register_forward_post_hook(lambda layer, inputs, output: output * 10)

    def f(x):
        return net(x)

    check(f, *X)


def test_static_functions_inside_static_functions():
    inner = paddle.jit.to_static(flip)

    def f(x):
        return inner(x) + 1

    check(f, *X)


def test_not_to_static_stays_python():
    @paddle.jit.not_to_static
    def plain(x):
        return x if x.sum() > 0 else -x

    def f(x):
        return plain(x)

    with pytest.raises(TypeError, match=r"bool\(\) needs the value"):
        paddle.jit.to_static(f)(X[0])


def test_refused_callees_show_their_own_source():
    def bad(x):
        return locals()

    def f(x):
        return bad(x)

    with pytest.raises(TranslationError, match=r"`locals\(\)`") as caught:
        paddle.jit.to_static(f)(X[0])
    assert 'return locals()' in str(caught.value) and caught.value.filename == __file__


def test_what_is_left_alone():
    def generator():
        yield 1

    assert list(operators.call(generator)()) == [1]
    for target in (abs, frozenset, paddle.ones, str.upper, "a".join, paddle.nn.Linear):
        assert operators.call(target) is target
    assert operators.call(len) is operators.len and operators.call(print) is operators.print
    translated = operators.call(flip)
    assert translated is not flip and operators.call(translated) is translated
    bound = operators.call(Tool(2).method)
    assert bound.__self__.n == 2 and operators.call(bound) == bound


def test_ignored_modules(monkeypatch):
    from to_static.compiler.frontend.jst.calls import converted_call

    monkeypatch.setattr(converted_call, "_ignored", set())
    operators.ignore_modules([__name__])
    assert operators.call(flip) is flip


class Reading:
    def __init__(self, value):
        self.value, self.asked = value, 0

    @property
    def seen(self):
        self.asked += 1
        return self.value

    @property
    def lost(self):
        self.asked += 1
        raise AttributeError("lost")


class Perhaps:
    def __init__(self, value):
        self.value = value

    @property
    def positive(self):
        if self.value.sum() < 0:
            raise AttributeError("negative")
        return self.value


def test_getattr_asks_a_property_once():
    def f(x):
        reading = Reading(x)
        found = getattr(reading, "seen", None), getattr(reading, "lost", 7), hasattr(reading, "seen"), getattr(reading, "other", 3)
        return found, reading.asked

    why = r"the class 'Reading' has an operator, property or iteration that changes something[\s\S]*test_converted_call.py.*in seen"
    left_to_python(f, *X, why=why)


@pytest.mark.parametrize("asks", [True, False])
def test_a_property_that_tensors_let_fail(asks):
    def f(x):
        if asks:
            return hasattr(Perhaps(x), "positive")
        return getattr(Perhaps(x), "positive", None)

    with pytest.raises(TracedValueError, match="rewrite: 'positive' runs as plain Python here"):
        paddle.jit.to_static(f)(X[0])


def test_what_makes_the_values_of_a_dict_runs_once():
    def f(x):
        made = []

        def zero():
            made.append(1)
            return 0

        total = collections.defaultdict(zero)
        for v in x:
            if v > 0:
                total["positive"] += v
            else:
                total["other"] -= v
        return dict(total), made

    left_to_python(f, *X, why="a defaultdict gets or loses a key under a tensor condition or in a tensor loop")


def test_an_iterator_that_makes_the_values_of_a_dict():
    def f(x):
        numbers = collections.defaultdict(itertools.count().__next__)
        if x.sum() > 0:
            return numbers["a"]
        return None

    check(f, *X, X[0])  # it is new in every call


def test_a_queue():
    def f(x):
        waiting = queue.Queue()
        if x.sum() > 0:
            waiting.put(1)
        return x + waiting.qsize()

    left_to_python(f, *X, why=r"put\(\) is called in `waiting\.put.*`, which changes the Queue in every call")


class Attention(paddle.nn.Layer):
    need_weights = False

    def forward(self, x):
        return (x * 2, x) if self.need_weights else x


class Block(paddle.nn.Layer):
    """As PaddleNLP patches ``nn.TransformerEncoderLayer``."""

    def __init__(self):
        super().__init__()
        self.attention, self.calls = Attention(), []

    @paddle.jit.not_to_static
    def forward(self, x, output_attentions=False):
        self.attention.need_weights = output_attentions
        self.calls.append(len(self.calls))
        found = self.attention(x)
        return sum(found) if isinstance(found, tuple) else found


def test_what_not_to_static_methods_write_is_written_in_every_run(tmp_path):
    class Net(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.block = Block()

        def forward(self, x, output_attentions=False):
            return self.block(x, output_attentions)

    dynamic, static = Net(), paddle.jit.to_static(Net(), full_graph=True)
    for wanted in (True, False, True, True):
        assert dynamic(X[0], wanted).tolist() == static(X[0], wanted).tolist()
        assert static.block.attention.need_weights is wanted
    assert static.block.calls == dynamic.block.calls == [0, 1, 2, 3]
    paddle.jit.save(static, str(tmp_path / "net"), input_spec=[paddle.static.InputSpec([None], "float32")])
    assert paddle.jit.load(str(tmp_path / "net"))(X[0]).tolist() == X[0].tolist()
    assert static.block.calls == [0, 1, 2, 3] and static.block.attention.need_weights is True
