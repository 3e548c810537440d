"""A loaded model is a Layer in every respect: static, a part of others, trained, frozen, saved again, hooked, copied, counted."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.compiler.ir.input_spec import InputSpec
from to_static.core.errors import DTypeError, ShapeError

SPEC = [InputSpec([None, 4], "float32", "x")]
X = np.random.default_rng(0).normal(size=(3, 4)).astype("float32")


class Net(nn.Layer):
    """Branches, loops, a norm with statistics, a buffer that counts."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.norm = nn.BatchNorm1D(4)
        self.register_buffer("calls", paddle.zeros([1]))

    def forward(self, x):
        self.calls.add_(paddle.ones([1]))
        h = self.norm(self.fc(x))
        if h.mean() > 0:
            h = h * 2
        n = paddle.zeros([1])
        while h.abs().sum() < 100 and n < 9:
            h, n = h * 1.5, n + 1
        return h + self.calls


class Two(nn.Layer):
    @paddle.jit.to_static(input_spec=[*SPEC, InputSpec([None, 4], "float32", "y")])
    def forward(self, x, y):
        return x + y, x * y

    @paddle.jit.to_static(input_spec=[InputSpec([None, None, 4], "float32", "z")])
    def encode(self, z):
        return self.gru(z)[0]

    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(4, 3)


@pytest.fixture(scope="module")
def prefixes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("loaded")
    for name, net, spec in (("net", Net(), SPEC), ("two", Two(), None)):
        net.eval()
        paddle.jit.save(net, str(folder / name), input_spec=spec)
    return folder


def head():
    made = nn.Linear(4, 2)
    made.weight.set_value(paddle.full([4, 2], 0.5))
    return made


def branch(net):
    return lambda x: net(x) if x.sum() > 0 else net(-x) * 2


def outside(net):
    other = paddle.to_tensor(X)
    return lambda x: net(other) + x


def loop(net):
    def run(x):
        n = paddle.zeros([1])
        while n < 3:
            x, n = net(x) * 0.1, n + 1
        return x

    return run


def step(net):
    optimizer = paddle.optimizer.Adam(0.1, parameters=net.parameters())

    def run(x):
        loss = net(x).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return run


WAYS = {
    "itself": lambda net: net,
    "in a network": lambda net: nn.Sequential(net, head(), nn.ReLU()),
    "twice in a network": lambda net: nn.Sequential(net, net),
    "in a function": lambda net: lambda x: net(x) * 2,
    "called on a tensor from outside": outside,
    "in a branch": branch,
    "in a loop": loop,
    "in a training step": step,
    "by DataParallel": paddle.DataParallel,
}


def mode_of(net, mode):
    getattr(net, mode)()
    return net


@pytest.mark.parametrize("mode", ["train", "eval"])
@pytest.mark.parametrize("way", WAYS)
def test_static_is_as_dynamic(way, mode, prefixes):
    found = []
    for static in (False, True):
        net = paddle.jit.load(str(prefixes / "net"))
        whole = WAYS[way](net)
        for layer in (net, whole):
            if isinstance(layer, nn.Layer):
                getattr(layer, mode)()
        run = paddle.jit.to_static(whole, full_graph=True) if static else whole
        results = []
        for sign in (1, -1, 1):
            out = run(paddle.to_tensor(sign * X))
            if not out.stop_gradient and way != "in a training step":
                out.sum().backward()
            results.append(out.numpy())
            net.set_state_dict({**net.state_dict(), "fc.bias": net.fc.bias.numpy() + 0.1})
        grads = [p.grad.numpy() for p in net.parameters() if p.grad is not None]
        found.append([*results, *grads, *(value.numpy() for value in net.state_dict().values())])
    assert len(found[0]) == len(found[1])
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("way", ["itself", "in a network", "twice in a network", "by DataParallel"])
def test_what_has_a_loaded_model_is_saved_and_loaded_again_and_again(way, prefixes, tmp_path):
    net = mode_of(WAYS[way](paddle.jit.load(str(prefixes / "net"))), "eval")
    for static in (False, True):
        net = paddle.jit.to_static(net, full_graph=True) if static else net
        paddle.jit.save(net, str(tmp_path / "net"), input_spec=SPEC)
        loaded = paddle.jit.load(str(tmp_path / "net"))
        state = {key: value.numpy() for key, value in net.state_dict().items()}
        assert {key.removeprefix("_layers.") for key in loaded.state_dict()} <= {key.removeprefix("_layers.") for key in state}
        result = loaded(paddle.to_tensor(X)).numpy()
        np.testing.assert_allclose(result, net(paddle.to_tensor(X)).numpy(), rtol=1e-5, atol=1e-5)
        net = loaded


def test_two_loads_of_a_file_are_two_models(prefixes, tmp_path):
    net = mode_of(nn.Sequential(*(paddle.jit.load(str(prefixes / "net")) for _ in range(2))), "eval")
    net[1].fc.weight.set_value(paddle.ones([4, 4]))
    paddle.jit.save(net, str(tmp_path / "net"), input_spec=SPEC)
    loaded = paddle.jit.load(str(tmp_path / "net"))
    assert len(loaded.state_dict()) == 14
    np.testing.assert_allclose(loaded(paddle.to_tensor(X)).numpy(), net(paddle.to_tensor(X)).numpy(), rtol=1e-5)


def test_other_methods_several_results_and_inputs_by_name(prefixes):
    net, z = paddle.jit.load(str(prefixes / "two")), paddle.rand([2, 5, 4])
    static = paddle.jit.to_static(lambda x, y, z: (net(y=y, x=x), net.encode(z)), full_graph=True)
    (total, product), codes = static(paddle.to_tensor(X), paddle.to_tensor(2 * X), z)
    np.testing.assert_allclose(total.numpy(), 3 * X, rtol=1e-6)
    np.testing.assert_allclose(product.numpy(), 2 * X * X, rtol=1e-6)
    np.testing.assert_allclose(codes.numpy(), net.encode(z).numpy(), rtol=1e-6)
    net.train()
    static(paddle.to_tensor(X), paddle.to_tensor(X), z)[1].sum().backward()
    assert all(p.grad is not None for p in net.parameters())


def test_hooks_of_a_loaded_model_are_saved(prefixes, tmp_path):
    net = paddle.jit.load(str(prefixes / "two"))
    net.register_forward_pre_hook(lambda layer, inputs: (inputs[0] * 2, inputs[1]))
    net.register_forward_post_hook(lambda layer, inputs, outputs: outputs[0] - outputs[1])
    x, z = paddle.to_tensor(X), paddle.rand([2, 5, 4])
    np.testing.assert_allclose(net(x, x).numpy(), 3 * X - 2 * X * X, rtol=1e-5, atol=1e-5)
    paddle.jit.save(net, str(tmp_path / "net"))
    loaded = paddle.jit.load(str(tmp_path / "net"))
    np.testing.assert_allclose(loaded(x, x).numpy(), net(x, x).numpy(), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(loaded.encode(z).numpy(), net.encode(z).numpy(), rtol=1e-5)


def test_each_mode_has_its_program(prefixes):
    net = paddle.jit.load(str(prefixes / "net"))
    static = paddle.jit.to_static(lambda x: net(x) * 1, full_graph=True)
    for mode in ("eval", "train", "eval", "train"):
        twin = copy.deepcopy(mode_of(net, mode))
        np.testing.assert_allclose(static(paddle.to_tensor(X)).numpy(), twin(paddle.to_tensor(X)).numpy(), rtol=1e-5)


def test_frozen_parameters_get_no_gradients(prefixes):
    net = paddle.jit.load(str(prefixes / "net"))
    static = paddle.jit.to_static(mode_of(nn.Sequential(net, head()), "train"), full_graph=True)
    net.fc.weight.stop_gradient = True
    static(paddle.to_tensor(X)).sum().backward()
    assert net.fc.weight.grad is None and net.fc.bias.grad is not None
    net.fc.weight.stop_gradient = False
    static(paddle.to_tensor(X)).sum().backward()
    assert net.fc.weight.grad is not None


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda net: pickle.loads(pickle.dumps(net))], ids=["deepcopy", "pickle"])
def test_copies_are_models_of_their_own(copied, prefixes):
    net = mode_of(nn.Sequential(paddle.jit.load(str(prefixes / "net")), nn.ReLU()), "eval")
    expected, other = net(paddle.to_tensor(X)).numpy(), copied(net)
    other[0].fc.weight.set_value(paddle.zeros([4, 4]))
    other[0].calls.set_value(paddle.zeros([1]))
    static = paddle.jit.to_static(other, full_graph=True)
    assert np.ptp(static(paddle.to_tensor(X)).numpy(), axis=0).max() < 1e-6
    net[0].calls.set_value(paddle.zeros([1]))
    np.testing.assert_allclose(net(paddle.to_tensor(X)).numpy(), expected, rtol=1e-5)


def test_programs_built_by_hand_take_loaded_models(prefixes):
    net = paddle.jit.load(str(prefixes / "two"))
    paddle.enable_static()
    try:
        with paddle.static.program_guard(paddle.static.Program()):
            x = paddle.static.data("x", [None, 4])
            total, _ = net(x, x)
            (found,) = paddle.static.Executor().run(feed={"x": X}, fetch_list=[total])
    finally:
        paddle.disable_static()
    np.testing.assert_allclose(found, 2 * X)


def test_inputs_that_do_not_fit_are_told_by_name(prefixes):
    net = paddle.jit.load(str(prefixes / "net"))
    static = paddle.jit.to_static(lambda x: net(x), full_graph=True)
    with pytest.raises(DTypeError, match="argument 'x' is i64"):
        static(paddle.to_tensor(X.astype("int64")))
    with pytest.raises(ShapeError, match=r"argument 'x' is f32\[3, 5\], which does not fit its InputSpec f32\[\?, 4\]"):
        static(paddle.ones([3, 5]))


def test_summary_and_flops_count_its_parameters(prefixes, capsys):
    net = paddle.jit.load(str(prefixes / "net"))
    count = sum(value.size for value in net.state_dict().values())  # statistics, too
    assert paddle.summary(net, (3, 4))["total_params"] == count
    assert paddle.summary(nn.Sequential(net, head()), (3, 4))["total_params"] == count + 10
    capsys.readouterr()
    assert paddle.flops(nn.Sequential(net, head()), [3, 4]) == 4 * 6
    assert f"Total Params: {count + 10}" in capsys.readouterr().out


@pytest.mark.parametrize("way", ["itself", "twice in a network", "in a function", "in a branch", "in a loop"])
def test_gradients_are_those_of_the_layer_that_was_saved(way, tmp_path):
    net = mode_of(Net(), "eval")
    paddle.jit.save(net, str(tmp_path / "net"), input_spec=SPEC)
    loaded = paddle.jit.load(str(tmp_path / "net"))
    found = []
    for model in (net, loaded):
        x = paddle.to_tensor(X, stop_gradient=False)
        WAYS[way](model)(x).sum().backward()
        found.append({"x": x.grad.numpy(), **{name: p.grad.numpy() for name, p in model.named_parameters() if p.grad is not None}})
    assert found[0].keys() == found[1].keys() and len(found[0]) == 5
    for name, grad in found[0].items():
        np.testing.assert_allclose(found[1][name], grad, rtol=1e-4, atol=1e-3, err_msg=name)
