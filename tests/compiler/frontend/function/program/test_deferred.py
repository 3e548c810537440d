"""Loaded models in eval mode keep what backward needs once somebody asks: same numbers as if it had been kept all the time."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.frontend.function.program.concrete import Training
from to_static.compiler.frontend.function.program.deferred import Deferred

X = np.random.RandomState(1).uniform(-1, 1, (3, 4)).astype("float32")


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.first, self.norm, self.last = paddle.nn.Linear(4, 5), paddle.nn.BatchNorm1D(5), paddle.nn.Linear(5, 2)

    def forward(self, x):
        h = self.norm(paddle.tanh(self.first(x)))
        return self.last(h), (h * h).sum()


class Gated(Net):
    def forward(self, x):
        if x.sum() > 0:
            return self.last(self.first(x))
        return self.last(paddle.zeros([3, 5]))


class Noisy(Net):
    def forward(self, x):
        return self.first(x) * paddle.uniform([3, 5])


class Elementwise(Net):
    def forward(self, x):
        return paddle.nn.functional.dropout(self.first(x), 0.5, training=self.training).exp()


@pytest.fixture
def loaded(tmp_path):
    def make(kind=Net, shape=(3, 4)):
        paddle.seed(3)
        net = kind()
        paddle.jit.save(net, str(tmp_path / "net"), input_spec=[paddle.static.InputSpec(list(shape), "float32")])
        net.eval()
        return net, paddle.jit.load(str(tmp_path / "net"))

    return make


def gradients(layer, x=None):
    found = {name: p.grad for name, p in layer.named_parameters() if "._" not in name} | ({} if x is None else {"x": x.grad})
    return {name: None if g is None else g.numpy() for name, g in found.items()}


def same(found, expected):
    assert found.keys() <= expected.keys()  # a file has the parameters that its Program reads
    for name in found:
        value = expected[name]
        assert (found[name] is None) == (value is None), name
        if value is not None:
            np.testing.assert_allclose(found[name], value, rtol=1e-5, atol=1e-6, err_msg=name)


def given(stop_gradient=False):
    x = paddle.to_tensor(X.copy())
    x.stop_gradient = stop_gradient
    return x


def total(outputs):
    return outputs.sum() if not isinstance(outputs, (list, tuple)) else outputs[0].sum() + outputs[1] * 0.5


def of(model):
    return model._methods["forward"].concrete_program


@pytest.mark.parametrize("kind", [Net, Gated, Elementwise])
@pytest.mark.parametrize("shape", [(3, 4), (None, 4)])
def test_gradients_are_those_of_the_saved_layer(loaded, kind, shape):
    net, model = loaded(kind, shape)
    for stop_gradient in (True, False, True):
        for times in range(4):  # the quick ways of calls come with the second
            for layer in (net, model):
                layer.clear_gradients()
            a, b = given(stop_gradient), given(stop_gradient)
            total(net(a)).backward()
            if times != 1:
                total(model(b)).backward()
            else:
                outputs = model(b)
                model(b)
                total(outputs).backward()
            same(gradients(model, b), gradients(net, a))


def test_calls_keep_nothing_until_one_is_asked(loaded):
    _, model = loaded()
    for _ in range(3):
        outputs = model(given(True))
        assert [out.stop_gradient for out in outputs] == [False, False]
        assert isinstance(of(model).training, Deferred)
    assert [kind for kind, _ in of(model).plans()] == ["calls without gradients"]
    total(outputs).backward()
    for _ in range(3):
        total(model(given(True))).backward()
        assert isinstance(of(model).training, Training)
    model.train()
    model(given())
    assert isinstance(of(model).training, Training)  # in train mode from the first call


@pytest.mark.parametrize("kind", [Gated, Noisy])
def test_runs_that_would_not_be_the_same_again_are_recorded(loaded, kind):
    """That draw other numbers, or whose control flow decides what gets a gradient."""
    _, model = loaded(kind)
    x = given()
    out = model(x)
    assert isinstance(of(model).training, Training)
    out.sum().backward()
    if kind is Noisy:
        drawn = out.numpy() / (X @ model.first.weight.numpy() + model.first.bias.numpy())
        np.testing.assert_allclose(model.first.bias.grad.numpy(), drawn.sum(0), rtol=1e-4)


def test_what_changes_between_the_call_and_backward(loaded):
    net, model = loaded()
    a, b = given(), given()
    outs = [net(a), model(b)]
    for layer, x in ((net, a), (model, b)):
        with paddle.no_grad():
            x[0] = 7.0
            for p in layer.parameters():
                p.set_value(p * 2 + 1)
    # (dynamic mode refuses what it would compute with other numbers; the numbers are those of the calls)
    fresh, expected = loaded()[0], given()
    total(fresh(expected)).backward()
    total(outs[1]).backward()
    same(gradients(model), gradients(fresh))
    np.testing.assert_allclose(b.grad.numpy(), expected.grad.numpy(), rtol=1e-5, atol=1e-6)


def test_gradients_of_gradients_and_a_graph_that_is_kept(loaded):
    net, model = loaded()
    found = []
    for layer in (net, model):
        x = given()
        out = total(layer(x))
        [g] = paddle.grad(out, x, create_graph=True)
        (g * g).sum().backward()
        found.append(gradients(layer, x))
        layer.clear_gradients()
        x.clear_gradient()
        out = total(layer(x))
        out.backward(retain_graph=True)
        out.backward()
        found.append(gradients(layer, x))
        with pytest.raises(RuntimeError, match="freed"):
            out.backward()
    same(found[2], found[0])
    same(found[3], found[1])


def test_one_output_at_a_time(loaded):
    net, model = loaded()
    for layer in (net, model):
        first, second = layer(given(True))
        second.backward(retain_graph=True)
        first.sum().backward()
    same(gradients(model), gradients(net))


def test_frozen_parameters(loaded):
    net, model = loaded()
    for layer in (net, model):
        for p in layer.first.parameters():
            p.stop_gradient = True
        total(layer(given(True))).backward()
    same(gradients(model), gradients(net))
    for p in model.parameters():
        p.stop_gradient = True
    assert [out.stop_gradient for out in model(given(True))] == [True, True]


def test_other_sizes_than_the_saved_ones(loaded):
    net, model = loaded()
    more = paddle.to_tensor(np.concatenate([X, X]))
    for _ in range(3):
        for layer in (net, model):
            layer.clear_gradients()
            total(layer(more)).backward()
        same(gradients(model), gradients(net))
    reshaped = model._methods["forward"]._for_shapes(model._input_spec(), [more])
    assert isinstance(reshaped.concrete_program.training, Training)


def test_threads_that_ask_at_once(loaded):
    net, model = loaded()
    total(net(given(True))).backward()
    outs = [model(given(True)) for _ in range(6)]
    threads = [threading.Thread(target=lambda out=out: total(out).backward()) for out in outs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    same(gradients(model), {name: None if g is None else g * 6 for name, g in gradients(net).items()})
