"""Every layer against what real Paddle computed with the same parameters and inputs (tests/golden/record_layers.py)."""

import functools
from pathlib import Path

import numpy as np
import pytest

from tests.golden.layer_cases import CALLS, LAYERS, ONLY_EVAL, draw, flat, set_parameters, weights
from to_static import nn
from to_static.compiler.eager.tensor import EagerTensor
from to_static.jit import to_static

CLOSE = {"rtol": 2e-5, "atol": 2e-5}


@functools.cache
def recorded():
    with np.load(Path(__file__).parents[1] / "golden" / "layers.npz") as file:
        return dict(file)


def make(name):
    text, *shapes = LAYERS[name]
    layer = eval(text, {"nn": nn})
    set_parameters(layer)
    inputs = [EagerTensor(a, stop_gradient=a.dtype != np.float32) for a in draw(shapes)]
    return layer, inputs


@pytest.mark.parametrize("name", LAYERS)
def test_evaluation(name):
    layer, inputs = make(name)
    assert repr(layer) == str(recorded()[f"{name}.repr"])
    layer.eval()
    result = layer(*inputs)
    expected = recorded()[f"{name}.eval"]
    assert result.shape == list(expected.shape) and result.dtype.np == expected.dtype
    np.testing.assert_allclose(result.numpy(), expected, **CLOSE)


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("name", sorted(set(LAYERS) - ONLY_EVAL))
def test_training_and_gradients(name, static):
    layer, inputs = make(name)
    result = (to_static(layer) if static else layer)(*inputs)
    np.testing.assert_allclose(result.numpy(), recorded()[f"{name}.train"], **CLOSE)
    (result * EagerTensor(weights(result.shape))).sum().backward()
    for key, expected in recorded().items():
        case, _, kind = key.partition(".")
        if case != name or not kind.startswith(("grad.", "state.")):
            continue
        what, _, target = kind.partition(".")
        if what == "state":
            found = layer.state_dict()[target]
        else:
            found = inputs[0].grad if target == "input" else layer.state_dict()[target].grad
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-4, atol=5e-5, err_msg=key)


@pytest.mark.parametrize("static", [False, True], ids=["dynamic", "static"])
@pytest.mark.parametrize("name", CALLS)
def test_calls_with_several_inputs_and_outputs(name, static):
    text, call, *shapes = CALLS[name]
    layer = eval(text, {"nn": nn})
    set_parameters(layer)
    x = [EagerTensor(a, stop_gradient=a.dtype != np.float32) for a in draw(shapes)]

    def run(*x):
        return call(layer, x)

    results = flat((to_static(run) if static else run)(*x))
    for i, result in enumerate(results):
        np.testing.assert_allclose(result.numpy(), recorded()[f"{name}.{i}"], **CLOSE)
    sum((r * EagerTensor(weights(r.shape))).sum() for r in results).backward()
    found = {key: p.grad for key, p in layer.named_parameters() if p.grad is not None}
    np.testing.assert_allclose(x[0].grad.numpy(), recorded()[f"{name}.grad.input"], rtol=1e-4, atol=5e-5)
    expected = {key.split(".grad.")[1]: value for key, value in recorded().items() if key.startswith(f"{name}.grad.")}
    assert set(found) == set(expected) - {"input"}
    for key, gradient in found.items():
        np.testing.assert_allclose(gradient.numpy(), expected[key], rtol=1e-4, atol=5e-5, err_msg=key)


@pytest.mark.parametrize("name", ["Dropout", "Dropout2D", "Dropout3D", "AlphaDropout"])
def test_dropout_acts_in_training_only(name):
    layer = getattr(nn, name)(0.5)
    x = EagerTensor(np.ones((4, 8, 2, 2, 2) if name == "Dropout3D" else (4, 8, 2, 2), "float32"))
    dropped = layer(x).numpy()
    assert len(np.unique(dropped)) == 2
    if name == "Dropout":
        assert sorted(np.unique(dropped)) == [0.0, 2.0]
    if name in ("Dropout2D", "Dropout3D"):
        assert (dropped.reshape(4, 8, -1) == dropped.reshape(4, 8, -1)[..., :1]).all()  # whole channels
    layer.eval()
    np.testing.assert_array_equal(layer(x).numpy(), x.numpy())


def test_settings_are_attributes():
    layer = nn.Dropout(p=0.9)
    layer.p = 0.0
    x = EagerTensor(np.ones((4, 4), "float32"))
    np.testing.assert_array_equal(layer(x).numpy(), x.numpy())
    with pytest.raises(TypeError, match="MaxPool2D: missing a required argument: 'kernel_size'"):
        nn.MaxPool2D()
    with pytest.raises(TypeError, match="ReLU: .*'slope'"):
        nn.ReLU(slope=1)


def test_wrong_arguments_are_refused():
    for build in (
        lambda: nn.Conv2D(3, 4, 3, groups=2),
        lambda: nn.Conv2D(3, 4, 3, padding_mode="mirror"),
        lambda: nn.Conv2D(3, 4, 3, weight_attr=False),
        lambda: nn.Conv2D(3, 4, [3, 3, 3]),
        lambda: nn.Embedding(0, 3),
        lambda: nn.Embedding(4, 3, padding_idx=4),
        lambda: nn.BatchNorm2D(3, data_format="CHW"),
        lambda: nn.BatchNorm(3, data_layout="CHW"),
        lambda: nn.GroupNorm(2, 4, data_format="CHW"),
        lambda: nn.InstanceNorm2D(3, weight_attr=False),
        lambda: nn.BatchNorm2D(3)(EagerTensor(np.ones((2, 3), "float32"))),
        lambda: nn.Softmax2D()(EagerTensor(np.ones((2, 3), "float32"))),
    ):
        with pytest.raises(ValueError):
            build()
    with pytest.raises(TypeError, match="needs an int as padding"):
        nn.Conv2D(3, 4, 3, padding=[1, 1], padding_mode="reflect")
