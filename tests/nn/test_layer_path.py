"""An error inside a network says which of its layers it comes from."""

from __future__ import annotations

import pytest

import to_static as paddle
from to_static import nn
from to_static.core.diagnostics.exception_notes import notes_of


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(5, 4)
        self.features = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Sequential(nn.Linear(4, 2)))
        self.heads = nn.LayerDict({"one": nn.Linear(4, 3)})

    def forward(self, x):
        return self.features(self.embedding(x))

    def second(self, x):
        return self.heads["one"](self.features[0](self.embedding(x)))


def place(call):
    with pytest.raises((ValueError, IndexError, RuntimeError)) as caught:
        call()
    [line] = notes_of(caught.value)
    return line


@pytest.mark.parametrize("static", [False, True])
def test_the_path_and_the_kind(static, graph_breaks):
    net = Net()
    if static:
        net = paddle.jit.to_static(net)
    assert place(lambda: net(paddle.to_tensor([1, 2]))) == "in net.features.2.0 (Linear)"
    assert place(lambda: net(paddle.to_tensor([1, 7]))) == "in net.embedding (Embedding)"


def test_without_a_name_it_is_the_class():
    assert place(lambda: Net()(paddle.to_tensor([1, 2]))) == "in Net.features.2.0 (Linear)"
    assert place(lambda: nn.Sequential(nn.Conv2D(3, 4, 3))(paddle.ones([1, 2, 8, 8]))) == "in Sequential.0 (Conv2D)"


def test_a_layer_of_another_tree_keeps_its_own_path():
    other = nn.Sequential(nn.Linear(2, 2))

    class Calls(nn.Layer):
        def forward(self, x):
            return other(x)

    net = Calls()
    assert place(lambda: net(paddle.ones([1, 3]))) == "in other.0 (Linear)"


def test_a_layer_alone_has_no_path_and_the_text_stays():
    linear = nn.Linear(2, 2)
    with pytest.raises(ValueError) as caught:
        linear(paddle.ones([1, 3]))
    alone = caught.value
    net = nn.Sequential(linear)
    with pytest.raises(ValueError) as caught:
        net(paddle.ones([1, 3]))
    assert notes_of(alone) == [] and str(alone) == str(caught.value)
    assert notes_of(caught.value) == ["in net.0 (Linear)"]


def test_errors_of_the_user_have_it_too():
    class Refuses(nn.Layer):
        def forward(self, x):
            raise KeyError("mine")

    net = nn.Sequential(nn.Linear(1, 1), Refuses())
    with pytest.raises(KeyError, match="mine") as caught:
        net(paddle.ones([1, 1]))
    assert notes_of(caught.value) == ["in net.1 (Refuses)"]
