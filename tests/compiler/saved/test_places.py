"""A loaded model runs, trains and saves the parameters and buffers that it has now, whichever way they were put there."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.compiler.ir.input_spec import InputSpec
from to_static.core.errors import DTypeError, ProgramError, ShapeError

SPEC = [InputSpec([None, 4], "float32", "x")]
X, FEW = (np.random.default_rng(seed).normal(size=(size, 4)).astype("float32") for seed, size in ((0, 5), (1, 2)))


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)
        self.norm = nn.BatchNorm1D(3)
        self.register_buffer("scale", paddle.ones([3]))

    def forward(self, x):
        return self.norm(self.fc(x)) * self.scale

    @paddle.jit.to_static(input_spec=SPEC)
    def half(self, x):
        return self.fc(x) / 2


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("places") / "net")
    net = Net()
    net.forward = paddle.jit.to_static(net.forward, input_spec=SPEC)
    net.eval()
    paddle.jit.save(net, path)
    return path


def parameter(seed, shape=(4, 3), dtype="float32"):
    made = paddle.create_parameter(list(shape), dtype)
    made.set_value(np.random.default_rng(seed).normal(size=shape).astype(dtype))
    return made


def by_deletion(net, new):
    del net.fc.weight
    net.fc.weight = new


def with_its_layer(net, new):
    other = nn.Linear(4, 3)
    other.weight, other.bias = new, net.fc.bias
    net.fc = other


def as_a_buffer(net, new):
    del net.fc.weight
    net.fc.register_buffer("weight", new.detach())


def as_an_attribute(net, new):
    by_deletion(net, paddle.zeros([4, 3]))
    net(paddle.to_tensor(X))
    net.fc.weight = new.detach()


PUT = {
    "attribute": lambda net, new: setattr(net.fc, "weight", new),
    "add_parameter": lambda net, new: net.fc.add_parameter("weight", new),
    "table": lambda net, new: net.fc._parameters.__setitem__("weight", new),
    "update": lambda net, new: net.fc._parameters.update(weight=new),
    "deletion": by_deletion,
    "layer": with_its_layer,
    "buffer": as_a_buffer,
    "plain attribute": as_an_attribute,
}
WAYS = {
    "itself": lambda net: net,
    "in a network": lambda net: nn.Sequential(net, nn.Tanh()),
    "static": paddle.jit.to_static,
    "in a static network": lambda net: paddle.jit.to_static(nn.Sequential(net, nn.Tanh()), full_graph=True),
    "in a function": lambda net: paddle.jit.to_static(lambda x: net(x) * 2),
    "another method": lambda net: net.half,
    "another method, static": lambda net: paddle.jit.to_static(net.half),
}


def same(one, other):
    np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-4, atol=1e-4)


def both(prefix, way, training):
    """A loaded model and one of Python's with the same numbers, each with what runs it."""
    loaded, net = paddle.jit.load(prefix), Net()
    net.set_state_dict(loaded.state_dict())
    for model in (loaded, net):
        model.train() if training else model.eval()
    return loaded, WAYS[way](loaded), net, WAYS[way](net)


@pytest.mark.filterwarnings("ignore:.*already a static function")
@pytest.mark.parametrize("training", [False, True], ids=["eval", "train"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("put", PUT)
def test_what_is_put_in_place_of_a_parameter_runs_and_trains(put, way, training, prefix):
    loaded, run, net, expected = both(prefix, way, training)
    for seed in range(2):
        new = parameter(seed)
        PUT[put](loaded, new)
        net.set_state_dict({**net.state_dict(), **loaded.state_dict()})
        net.fc.weight.set_value(new)
        for x in (X, FEW, X):
            found = run(paddle.to_tensor(x)), expected(paddle.to_tensor(x))
            same(*found)
            for result in found:
                result.square().sum().backward()
        if any(p is new for p in loaded.parameters()):
            same(new.grad, net.fc.weight.grad)
            for model in (loaded, net):
                sgd = paddle.optimizer.SGD(0.1, parameters=model.parameters())
                sgd.step()
                sgd.clear_grad()
            same(run(paddle.to_tensor(X)), expected(paddle.to_tensor(X)))
            net.clear_gradients()


@pytest.mark.parametrize("training", [False, True], ids=["eval", "train"])
@pytest.mark.parametrize("way", list(WAYS)[:5])
@pytest.mark.parametrize("place", ["scale", "norm._mean"])
def test_what_is_put_in_place_of_a_buffer_runs_and_changes(place, way, training, prefix):
    loaded, run, net, expected = both(prefix, way, training)
    for seed in range(3):
        new = parameter(seed, (3,)).detach()
        owner = loaded.norm if place == "norm._mean" else loaded
        setattr(owner, place.split(".")[-1], new)
        net.set_state_dict({**net.state_dict(), **loaded.state_dict()})
        for x in (X, FEW):
            same(run(paddle.to_tensor(x)), expected(paddle.to_tensor(x)))
    for name, value in net.state_dict().items():
        same(loaded.state_dict()[name], value)


@pytest.mark.parametrize("called", [False, True])
@pytest.mark.parametrize("keep", ["save", "save in a network", "deepcopy", "pickle"])
def test_what_is_there_is_kept(keep, called, prefix, tmp_path):
    loaded = paddle.jit.load(prefix)
    loaded.fc.weight, loaded.fc.bias = parameter(1), parameter(2, (3,))
    loaded.fc.weight.name = loaded.fc.bias.name = "one name"
    loaded.scale = paddle.full([3], 7.0)
    if called:
        loaded(paddle.to_tensor(X))
    if keep == "deepcopy":
        kept = copy.deepcopy(loaded)
    elif keep == "pickle":
        kept = pickle.loads(pickle.dumps(loaded))
    else:
        whole = nn.Sequential(loaded) if keep == "save in a network" else loaded
        paddle.jit.save(whole, str(tmp_path / "net"), **({"input_spec": SPEC} if whole is not loaded else {}))
        kept = paddle.jit.load(str(tmp_path / "net"))
    same(kept(paddle.to_tensor(X)), loaded(paddle.to_tensor(X)))
    if keep != "save in a network":
        same(kept.half(paddle.to_tensor(X)), loaded.half(paddle.to_tensor(X)))
        kept.fc.weight = parameter(5)
        assert not np.allclose(kept(paddle.to_tensor(X)).numpy(), loaded(paddle.to_tensor(X)).numpy())


WRONG = {
    "shape": (lambda net: setattr(net.fc, "weight", parameter(0, (4, 5))), ShapeError, r"'fc.weight' .* is f32\[4, 5\], but"),
    "dtype": (lambda net: setattr(net.fc, "weight", parameter(0, (4, 3), "float64")), DTypeError, r"f64.*astype\('float32'\)"),
    "none": (lambda net: setattr(net.fc, "weight", None), ProgramError, "'fc.weight' of this loaded model is missing"),
    "deleted": (lambda net: delattr(net.fc, "weight"), ProgramError, "'fc.weight' of this loaded model is missing"),
    "no tensor": (lambda net: net.fc._parameters.__setitem__("weight", 3), TypeError, "must be a Tensor .* got int"),
    "another layer": (lambda net: setattr(net, "fc", nn.ReLU()), ProgramError, "'fc.[a-z]*' of this loaded model is missing"),
    "buffer": (lambda net: setattr(net.norm, "_mean", paddle.ones([5])), ShapeError, r"'norm._mean' .* is f32\[5\], but"),
}


@pytest.mark.parametrize("way", list(WAYS)[:5])
@pytest.mark.parametrize("wrong", WRONG)
def test_what_its_program_cannot_read_is_refused_until_it_is_mended(wrong, way, prefix):
    change, error, message = WRONG[wrong]
    loaded = paddle.jit.load(prefix)
    run = WAYS[way](loaded)
    before = run(paddle.to_tensor(X))
    fc, weight, mean = loaded.fc, loaded.fc.weight, loaded.norm._mean
    change(loaded)
    for _ in range(2):
        with pytest.raises(error, match=message):
            run(paddle.to_tensor(X))
    loaded.fc, loaded.norm._mean = fc, mean
    fc.weight = weight
    same(run(paddle.to_tensor(X)), before)


def test_a_static_function_puts_tensors_into_a_loaded_model(prefix):
    def run(net, x):
        if x.sum() > 0:
            net.scale = x.mean(0)[:3]
        kept, net.fc.weight = net.fc.weight, net.other
        result = net(x)
        net.fc.weight = kept
        return result + net(x)

    found = []
    for static in (False, True):
        net = paddle.jit.load(prefix)
        net.other = parameter(3)
        function = paddle.jit.to_static(run, full_graph=True) if static else run
        found.append([function(net, paddle.to_tensor(x)) for x in (X, -X, FEW)] + [net.scale, net.fc.weight])
    for one, other in zip(*found, strict=True):
        same(one, other)


def test_other_layers_make_no_new_programs(prefix):
    loaded, other = paddle.jit.load(prefix), nn.Linear(2, 2)
    static = paddle.jit.to_static(loaded)
    programs = set()
    for _ in range(5):
        static(paddle.to_tensor(X))
        programs.add(id(loaded.forward.concrete_program))
        other.weight = parameter(0, (2, 2))
    assert len(programs) == 1
