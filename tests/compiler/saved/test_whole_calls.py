"""What a call of a Layer does beside `forward` (hooks, `__call__`) is the same in Python, static, loaded and in a predictor."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import to_static as paddle
from to_static import inference, nn
from to_static.compiler.ir.input_spec import InputSpec


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.scale = 3.0

    def forward(self, x):
        return self.fc(x)


class OwnCall(Net):
    def __call__(self, x):
        return super().__call__(x * 2) * self.scale


class OwnCallOfAnything(Net):
    def __call__(self, *args, **kwargs):
        return super().__call__(*args, **kwargs) * self.scale


class OwnCallOfForward(Net):
    def __call__(self, x):
        if x.sum() > 0:
            x = -x
        return self.forward(x)


class TwoInputs(Net):
    def forward(self, x, weight):
        return self.fc(x) * weight


def doubled(function):
    def inner(self, *args, **kwargs):
        return function(self, *args, **kwargs) * 2

    return inner


def shifted(function):
    @functools.wraps(function)
    def inner(self, x):
        return function(self, x) + 1

    return inner


class Decorated(Net):
    @doubled
    @shifted
    def forward(self, x):
        return self.fc(x)


class WithoutGradients(Net):
    @paddle.no_grad()
    def forward(self, x):
        return self.fc(x)


class Hooks:
    def __call__(self, layer, inputs):
        return inputs[0] - 1

    def pair(self, layer, inputs, output):
        return output, inputs[0]


def hooked(make, *hooks):
    def made():
        layer = make()
        for kind, hook in hooks:
            getattr(layer, f"register_forward_{kind}_hook")(hook)
        return layer

    return made


def with_a_hooked_sublayer():
    net = Net()
    net.fc.register_forward_post_hook(lambda layer, inputs, output: output + 5)
    return net


def without_its_hook():
    net = Net()
    net.register_forward_post_hook(lambda layer, inputs, output: output + 5).remove()
    return net


def in_a_network():
    return nn.Sequential(hooked(Net, ("pre", louder))(), nn.ReLU())


def louder(layer, inputs):
    (x,) = inputs
    if x.sum() > 0:
        x = x * 10
    return x


def plus(layer, inputs, output):
    return output + inputs[0]


def with_sums(layer, inputs):
    return inputs[0], inputs[0].sum(-1, keepdim=True)


def wider(layer, inputs):
    return paddle.concat([*inputs, *inputs], -1)


def times(count, layer, inputs, output):
    return output * count


LAYERS = {
    "nothing": Net,
    "a hook before": hooked(Net, ("pre", lambda layer, inputs: (inputs[0] * 2,))),
    "a hook before that changes nothing": hooked(Net, ("pre", lambda layer, inputs: None)),
    "a hook after": hooked(Net, ("post", plus)),
    "several hooks": hooked(Net, ("pre", louder), ("pre", Hooks()), ("post", functools.partial(times, 4)), ("post", Hooks().pair)),
    "a hook that gives a dictionary": hooked(Net, ("post", lambda layer, inputs, output: {"b": output, "a": inputs[0]})),
    "a hook that asks for the mode": hooked(Net, ("post", lambda layer, inputs, output: output * (2 if layer.training else 3))),
    "a hook that makes two inputs of one": hooked(TwoInputs, ("pre", with_sums)),
    "a hook that makes the input wider": hooked(lambda: nn.Linear(8, 2), ("pre", wider)),
    "hooks around a network of hooked layers": hooked(in_a_network, ("post", plus)),
    "a hook of a sublayer": with_a_hooked_sublayer,
    "a hook that was removed": without_its_hook,
    "its own call": OwnCall,
    "its own call of anything": OwnCallOfAnything,
    "its own call, past the hooks": hooked(OwnCallOfForward, ("post", plus)),
    "its own call, and hooks": hooked(OwnCall, ("pre", louder), ("post", plus)),
    "a decorated forward": Decorated,
    "a forward without gradients": WithoutGradients,
    "weight_norm": lambda: nn.utils.weight_norm(nn.Linear(4, 2)),
    "spectral_norm": lambda: nn.utils.spectral_norm(nn.Linear(4, 2)),
    "spectral_norm of a sublayer": lambda: nn.Sequential(nn.utils.spectral_norm(nn.Linear(4, 3)), nn.Tanh()),
    "DataParallel": lambda: paddle.DataParallel(hooked(Net, ("post", plus))()),
}
SPEC = [InputSpec([None, 4], "float32", "x")]


def numbers(result):
    if isinstance(result, dict):
        result = [result[key] for key in sorted(result)]
    return [part.numpy() for part in (result if isinstance(result, (list, tuple)) else [result])]


def predicted(prefix, x):
    predictor = inference.create_predictor(inference.Config(prefix + ".pdmodel", prefix + ".pdiparams"))
    predictor.get_input_handle(predictor.get_input_names()[0]).copy_from_cpu(x)
    predictor.run()
    return [predictor.get_output_handle(name).copy_to_cpu() for name in predictor.get_output_names()]


@pytest.mark.parametrize("way", ["with a spec", "static, with a spec", "static, called", "static, called with many sizes"])
@pytest.mark.parametrize("name", LAYERS)
def test_all_that_a_call_does_is_saved(name, way, tmp_path):
    net = LAYERS[name]()
    net.eval()
    x, *others = (paddle.to_tensor(np.random.default_rng(n).normal(size=(n, 4)).astype("float32")) for n in (2, 3, 5))
    expected = numbers(net(x))
    if way.startswith("static"):
        net = paddle.jit.to_static(net)
        for given in (x, *others[: 2 * way.endswith("sizes")]):
            result = net(given)
            if given is x:
                compare(numbers(result), expected)
    prefix = str(tmp_path / "net")
    paddle.jit.save(net, prefix, input_spec=SPEC if way.endswith("spec") else None)
    compare(numbers(paddle.jit.load(prefix)(x)), expected)
    compare(predicted(prefix, x.numpy()), expected)


def compare(got, expected):
    for one, other in zip(got, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


def test_hooks_are_those_of_the_time_of_saving(tmp_path):
    net, prefix, x = paddle.jit.to_static(Net()), str(tmp_path / "net"), paddle.ones([2, 4])
    bare = net(x).numpy()
    hook = net.register_forward_post_hook(lambda layer, inputs, output: output + 1)
    paddle.jit.save(net, prefix)
    np.testing.assert_allclose(paddle.jit.load(prefix)(x).numpy(), bare + 1, rtol=1e-5)
    hook.remove()
    paddle.jit.save(net, prefix)
    np.testing.assert_allclose(paddle.jit.load(prefix)(x).numpy(), bare, rtol=1e-5)


def test_a_call_that_needs_python_is_told_to_be_left_out(tmp_path):
    class ByNumPy(Net):
        def __call__(self, x):
            return super().__call__(x) + float(np.median(x.numpy()))

    net, prefix, x = ByNumPy(), str(tmp_path / "net"), paddle.ones([2, 4])
    with pytest.warns(UserWarning, match=r"ByNumPy.__call__ can't be a part of a file, which holds forward\(\) alone: .*numpy"):
        paddle.jit.save(net, prefix, input_spec=SPEC)
    np.testing.assert_allclose(paddle.jit.load(prefix)(x).numpy(), net.forward(x).numpy(), rtol=1e-5)


def test_hooks_are_of_forward_alone(tmp_path):
    class Two(Net):
        @paddle.jit.to_static(input_spec=SPEC)
        def half(self, x):
            return self.fc(x) / 2

        @paddle.jit.to_static(input_spec=SPEC)
        def forward(self, x):
            return self.fc(x)

    net, prefix, x = hooked(Two, ("post", plus))(), str(tmp_path / "net"), paddle.ones([2, 4])
    paddle.jit.save(net, prefix)
    loaded = paddle.jit.load(prefix)
    np.testing.assert_allclose(loaded(x).numpy(), net(x).numpy(), rtol=1e-5)
    np.testing.assert_allclose(loaded.half(x).numpy(), net.half(x).numpy(), rtol=1e-5)
