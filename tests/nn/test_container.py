"""Sequential, LayerList, LayerDict, ParameterList."""

import numpy as np
import pytest

from to_static import nn
from to_static.nn.parameter import Parameter


class Add(nn.Layer):
    def __init__(self, n):
        super().__init__()
        self.n = n

    def forward(self, x):
        return x + self.n


def numbers(layers):
    return [layer.n for layer in layers]


def test_sequential_by_position_and_name():
    net = nn.Sequential(Add(1), Add(10), Add(100))
    assert net(0) == 111 and len(net) == 3
    assert (
        net[-1].n == 100 and net["1"].n == 10 and numbers(net[1:]) == [10, 100] and isinstance(net[1:], nn.Sequential)
    )
    net[0] = Add(2)
    del net[1]
    assert net(0) == 102
    named = nn.Sequential(("a", Add(1)), ("b", Add(2)))
    assert named.a.n == 1 and list(named._sub_layers) == ["a", "b"] and named(0) == 3
    assert nn.Sequential()(5) == 5 and nn.Sequential()
    with pytest.raises(IndexError, match="out of range for 2 entries"):
        net[2]


def test_layer_list_changes():
    layers = nn.LayerList([Add(1), Add(2)])
    assert layers.append(Add(4)) is layers
    layers.insert(1, Add(9))
    assert numbers(layers) == [1, 9, 2, 4]
    layers.insert(4, Add(5))
    layers.extend([Add(6)])
    assert numbers(layers) == [1, 9, 2, 4, 5, 6]
    del layers[1]
    del layers[-2:]
    assert numbers(layers) == [1, 2, 4] and list(layers._sub_layers) == ["0", "1", "2"]
    layers[-1] = Add(7)
    assert layers[-1].n == layers[2].n == 7 and numbers(layers[:2]) == [1, 2]
    layers["0"] = Add(3)  # names, as code has them that finds layers by text
    assert layers["0"] is layers[0] and layers["0"].n == 3
    layers[0] = Add(1)
    for index in (3, -4):
        with pytest.raises(IndexError):
            layers[index]


def test_layer_dict_changes():
    layers = nn.LayerDict({"a": Add(1)})
    layers["b"] = Add(2)
    layers.update([("c", Add(3)), ("a", Add(4))])
    layers.update(nn.LayerDict({"d": Add(5)}))
    assert list(layers) == list(layers.keys()) == ["a", "b", "c", "d"] and numbers(layers.values()) == [4, 2, 3, 5]
    assert "b" in layers and layers.pop("b").n == 2 and "b" not in layers
    del layers["c"]
    assert len(layers) == 2 and dict(layers.items())["d"].n == 5
    layers.clear()
    assert len(layers) == 0
    with pytest.raises(KeyError):
        layers["a"]
    with pytest.raises(TypeError, match="expected a Layer"):
        layers["x"] = 1


def test_parameter_list_owns():
    first, second, third = (Parameter(np.zeros(1, "float32"), name) for name in "abc")
    params = nn.ParameterList([first])
    assert params.append(second) is params and len(params) == 2 and params[-1] is second
    params[0] = third
    assert list(params) == [third, second] == params.parameters()
    with pytest.raises(IndexError):
        params[2]
    with pytest.raises(TypeError):
        params.append(1)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: nn.Sequential([nn.ReLU(), nn.Tanh()]), r"given one by one, `Sequential\(\*layers\)`"),
        (lambda: nn.Sequential([nn.ReLU(), nn.Tanh(), nn.ReLU()]), "given one by one"),
        (lambda: nn.Sequential(nn.ReLU(), nn.functional.relu), "got the function relu; layers are objects"),
        (lambda: nn.LayerList([nn.ReLU]), r"got the class ReLU itself; `ReLU\(...\)` makes a layer"),
        (lambda: nn.Sequential(nn.ReLU(), 3), "expected a Layer or None, got int$"),
    ],
)
def test_what_is_no_layer(make, said):
    with pytest.raises(TypeError, match=said):
        make()


def test_a_list_of_layers_is_no_layer_to_call():
    with pytest.raises(NotImplementedError, match=r"`for layer in layers: x = layer\(x\)`; nn.Sequential"):
        nn.LayerList([nn.ReLU()])(1)
    with pytest.raises(TypeError, match=r"LayerList: expected a list of layers, `LayerList\(\[...\]\)`, got ReLU"):
        nn.LayerList(nn.ReLU())
