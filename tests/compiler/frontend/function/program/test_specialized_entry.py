"""The entry of a kind of call takes calls of that kind, and no others."""

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.frontend.function import fast_path

A, B, C = (paddle.to_tensor(numbers) for numbers in ([1.0, 2.0], [3.0, 5.0], [7.0, 11.0]))
to_static = paddle.jit.to_static


def shown(value):
    if isinstance(value, (list, tuple)):
        return [shown(x) for x in value]
    return str(value.dtype), value.stop_gradient, value.tolist()


@pytest.fixture
def looked_up(monkeypatch):
    """How many calls were looked up, since they were not of the kind of the last one."""
    found = []
    key_of = fast_path.key_of
    monkeypatch.setattr(fast_path, "key_of", lambda *args: (found.append(1), key_of(*args))[1])
    return found


def wide(x, y=None, k=2.0, flag=False, **more):
    """A result that tells all kinds of calls apart."""
    total = x * (len(type(k).__name__) + (repr(k) == "-0.0") + x.ndim + 10 * (x is y))
    for n, name in enumerate(more):
        total = total + more[name] * n + (50 if name == "c" else 70) * n
    return (total if y is None else total * k + y, x - 1) if flag else total if y is None else total * k + y


KINDS = {
    "one tensor": ((A,), {}),
    "two": ((A, B), {}),
    "one twice": ((A, A), {}),
    "keywords": ((), {"x": A, "k": 3}),
    "in another order": ((), {"k": 3, "x": A}),
    "among further ones": ((C,), {"c": A, "d": B}),
    "these in another order": ((C,), {"d": A, "c": B}),
    "under another name": ((C,), {"c": A, "e": B}),
    "plain": ((A, None, 0.5), {}),
    "an int": ((A, None, 1), {}),
    "a bool": ((A, None, True), {}),
    "a zero": ((A, None, 0.0), {}),
    "another zero": ((A, None, -0.0), {}),
    "two results": ((A,), {"flag": True}),
    "that wants a gradient": ((paddle.to_tensor([1.0, 4.0], stop_gradient=False),), {}),
    "another shape": ((paddle.to_tensor([[1.0, 2.0]]),), {}),
    "another dtype": ((paddle.to_tensor([1.0, 2.0], "float64"),), {}),
}


@pytest.mark.parametrize("grads", [True, False])
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_calls_of_one_kind_are_not_looked_up(kind, grads, looked_up):
    args, kwargs = kind
    static = to_static(wide)
    with paddle.set_grad_enabled(grads):
        static(*args, **kwargs), static(*args, **kwargs)
        del looked_up[:]
        assert shown(static(*args, **kwargs)) == shown(wide(*args, **kwargs))
    assert looked_up == ([1] if any(kind is KINDS[zero] for zero in ("a zero", "another zero")) else [])


@pytest.mark.filterwarnings("ignore:wide has more than 10 static Programs")
def test_every_kind_after_every_other():
    static = to_static(wide)
    for _ in range(2):
        for args, kwargs in KINDS.values():
            static(*args, **kwargs), static(*args, **kwargs)
    for first in KINDS.values():
        for args, kwargs in KINDS.values():
            static(*first[0], **first[1])
            got, expected = static(*args, **kwargs), wide(*args, **kwargs)
            assert type(got) is type(expected) and shown(got) == shown(expected)


def test_calls_that_fit_no_parameters_are_refused():
    static = to_static(wide)
    static(A), static(A)
    for args, kwargs in (((), {}), ((), {"z": A}), ((A, B, 1, True, 5), {})):
        with pytest.raises(TypeError):
            static(*args, **kwargs)


def test_gradients_are_recorded_and_not(looked_up):
    layer = paddle.nn.Linear(2, 2)
    static = to_static(lambda x: (layer(x), x * 2))
    x = paddle.ones([1, 2])
    x.stop_gradient = False
    for grads in (True, False, True, True, False):
        layer.clear_gradients()
        with paddle.set_grad_enabled(grads):
            y, z = static(x)
            assert (y.stop_gradient, z.stop_gradient) == (not grads, not grads)
            if grads:
                (y.sum() * 3 + z.sum()).backward()
                np.testing.assert_array_equal(layer.bias.grad, [3, 3])
                np.testing.assert_allclose(x.grad, 3 * layer.weight.numpy().sum(1)[None] + 2, rtol=1e-6)
                x.clear_gradient(set_to_zero=False)
    assert len(looked_up) <= 5


def test_freezing_and_thawing_count_at_once():
    layer = paddle.nn.Linear(2, 2)
    static = to_static(lambda x: layer(x))
    x = paddle.ones([1, 2])
    for frozen in (False, True, False, False, True, True):
        layer.weight.stop_gradient = layer.bias.stop_gradient = frozen
        for _ in range(3):
            assert static(x).stop_gradient == frozen


def test_weights_of_before_are_what_second_gradients_see():
    layer = paddle.nn.Linear(2, 1)
    static = to_static(lambda x: (layer(x) ** 3).sum())
    found = []
    for function in (static, static, static, lambda x: (layer(x) ** 3).sum()):
        x = paddle.to_tensor([[1.0, 2.0]], stop_gradient=False)
        y, before = function(x), layer.weight.numpy()
        layer.weight.set_value(before * 5)
        [g] = paddle.grad(y, x, create_graph=True)
        g.sum().backward()
        found.append(x.grad.numpy())
        layer.weight.set_value(before)
    for other in found[:3]:
        np.testing.assert_allclose(other, found[3], rtol=1e-5)


def test_what_is_done_beside_is_done_once(looked_up):
    net, count = paddle.nn.BatchNorm1D(2), paddle.zeros([1])

    @to_static
    def counted(x, by):
        count.add_(paddle.full([1], by))
        net(x)

    for n in range(1, 7):
        assert counted(paddle.ones([3, 2]) * n, 2) is None
        assert count.item() == 2 * n
    assert len(looked_up) <= 3


@pytest.mark.parametrize("grads", [True, False])
def test_a_run_that_fails_says_why_each_time(grads):
    layer = paddle.nn.Linear(2, 2)

    @to_static
    def checked(x):
        assert x.sum() < 5, "too much"
        return layer(x)

    with paddle.set_grad_enabled(grads):
        for _ in range(4):
            assert checked(paddle.ones([1, 2])).shape == [1, 2]
            with pytest.raises(AssertionError, match="too much"):
                checked(paddle.full([1, 2], 9.0))


def test_many_weights_and_a_loaded_model(tmp_path):
    net = paddle.nn.Sequential(*(paddle.nn.Linear(2, 2) for _ in range(20)))
    x, static = paddle.ones([1, 2]), to_static(net)
    for _ in range(3):
        net.clear_gradients()
        static(x).sum().backward()
    np.testing.assert_array_equal(net[19].bias.grad, [1, 1])
    net[3].bias.stop_gradient = True
    net.clear_gradients()
    for p in net.parameters():
        p.clear_gradient(set_to_zero=False)
    static(x).sum().backward()
    assert net[3].bias.grad is None and net[4].bias.grad is not None
    paddle.jit.save(net, str(tmp_path / "net"), input_spec=[paddle.static.InputSpec([1, 2], "float32", "x")])
    loaded = paddle.jit.load(str(tmp_path / "net"))
    for grads in (True, False, True):
        with paddle.set_grad_enabled(grads):
            for call in (lambda: loaded(x), lambda: loaded(x=x)):
                assert all(np.allclose(call(), static(x), atol=1e-6) for _ in range(3))
