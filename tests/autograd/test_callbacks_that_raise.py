"""What callbacks of the user's raise comes out of static functions where it does dynamically; no result is made up."""

import warnings

import pytest

import to_static as paddle
from to_static.autograd import PyLayer

ERRORS = [ValueError, KeyError, RuntimeError, AssertionError, StopIteration, GeneratorExit, SystemExit, KeyboardInterrupt]


def in_backward(error, when):
    class Doubled(PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            if when(g):
                raise error("callback")
            return g * 2

    return lambda x: Doubled.apply(x)


def in_forward(error, when):
    class Doubled(PyLayer):
        @staticmethod
        def forward(ctx, x):
            if when(x):
                raise error("callback")
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    return lambda x: Doubled.apply(x) + 1


def in_hook(error, when):
    def hook(g):
        if when(g):
            raise error("callback")

    def f(x):
        y = x * 2
        y.register_hook(hook)
        return y

    return f


def in_branch_function(error, when):
    def chosen():
        raise error("callback")

    return lambda x: paddle.static.nn.cond(x.sum() > 1, chosen, lambda: x * 2)


def in_loop_function(error, when):
    def body(i, x):
        if when(x):
            raise error("callback")
        return [i + 1, x * 2]

    return lambda x: paddle.static.nn.while_loop(lambda i, x: i < 2, body, [paddle.zeros([1]), x])[1]


def in_property(error, when):
    class Owner:
        @property
        def value(self):
            raise error("callback")

    owner = Owner()
    return lambda x: x + owner.value


def in_getattr(error, when):
    class Owner:
        def __getattr__(self, name):
            raise error("callback")

    owner = Owner()
    return lambda x: x + owner.value


def in_iterator(error, when):
    class Items:
        def __iter__(self):
            yield 1.0
            raise error("callback")

    items = Items()

    def f(x):
        for item in items:
            x = x + item
        return x

    return f


def in_own_backward(error, when):
    layer = in_backward(error, when)

    def f(x):
        y = layer(x * 1)
        y.sum().backward()
        return y.detach() * x

    return f


def in_layer_hook(error, when):
    net = paddle.nn.Linear(2, 2)

    def hook(layer, inputs):
        if when(inputs[0]):
            raise error("callback")

    net.register_forward_pre_hook(hook)
    return lambda x: net(x).sum() * 0 + x


MAKERS = [value for name, value in dict(globals()).items() if name.startswith("in_")]


def outcome(f):
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    where = "forward"
    try:
        y = f(x)
        where = "backward"
        (y * 1.0).sum().backward()
    except BaseException as error:
        assert not isinstance(error, AttributeError), error
        return where, type(error), str(error)
    assert y is not None
    return where, y.tolist(), x.grad.tolist()


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_an_error_is_that_of_dynamic_mode(make, error, graph_breaks):
    for when in (lambda x: True, lambda x: x.sum() > 0, lambda x: x.sum() > 1e6):
        f = make(error, when)
        dynamic = outcome(f)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            static = paddle.jit.to_static(f)
            assert [outcome(static), outcome(static)] == [dynamic, dynamic]


@pytest.mark.parametrize("make", [in_backward, in_own_backward])
def test_a_whole_graph_raises_it_too(make):
    for when in (lambda x: True, lambda x: x.sum() > 0):
        f = make(ValueError, when)
        assert outcome(paddle.jit.to_static(f, full_graph=True)) == outcome(f)


def test_a_backward_prints_once(capfd):
    class Said(PyLayer):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            print("backward", g.sum())
            if g.sum() > 1:
                raise ValueError("callback")
            return g * 2

    for f in (lambda x: Said.apply(x), paddle.jit.to_static(lambda x: Said.apply(x), full_graph=True)):
        assert outcome(f)[:2] == ("backward", ValueError)
        assert capfd.readouterr().out.count("backward") == 1
