"""Outputs of models as PaddleNLP and ppdiffusers have them, an OrderedDict that is a dataclass, from static functions."""

import collections
from dataclasses import dataclass, fields

import numpy as np
import pytest

import to_static as paddle
from to_static import nn


class ModelOutput(collections.OrderedDict):
    def __post_init__(self):
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None:
                self[field.name] = value

    def __getitem__(self, key):
        return dict(self.items())[key] if isinstance(key, str) else tuple(self.values())[key]

    def __setattr__(self, name, value):
        if name in self.keys() and value is not None:
            super().__setitem__(name, value)
        super().__setattr__(name, value)

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        super().__setattr__(key, value)


@dataclass
class Output(ModelOutput):
    logits: object = None
    loss: object = None
    hidden: object = None


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x, labels=None):
        h = self.fc(x)
        out = Output(logits=h * 2, hidden=(x, h))
        if labels is not None:
            out.loss = (out["logits"] - labels).square().mean()
        return out


def plain(value):
    if isinstance(value, dict):
        return [(key, plain(item)) for key, item in value.items()], {name: plain(part) for name, part in vars(value).items()}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value.numpy().tolist() if isinstance(value, paddle.Tensor) else value


@pytest.mark.parametrize("with_labels", [False, True])
def test_a_static_function_returns_them(with_labels):
    net = Net()
    static = paddle.jit.to_static(net.forward, full_graph=True)
    for i in range(3):
        x = paddle.to_tensor(np.random.RandomState(i).randn(4, 3).astype("float32"))
        arguments = (x, paddle.ones([4, 2])) if with_labels else (x,)
        ours, expected = static(*arguments), net(*arguments)
        assert type(ours) is Output and plain(ours) == plain(expected)
        assert ours.logits is ours["logits"] is ours[0] and ours.hidden is ours["hidden"]
    assert ours is not static(*arguments)
    (ours.loss if with_labels else ours.logits).sum().backward()
    assert net.fc.weight.grad is not None


def test_one_that_was_there_before_is_not_made_anew(graph_breaks):
    net = Net()
    net.kept = Output(logits=1)

    @paddle.jit.to_static
    def f(x):
        net.kept.logits = x * 2
        return net.kept

    with pytest.warns(UserWarning, match="graph break"):
        assert f(paddle.ones([2])) is net.kept
    assert net.kept["logits"].tolist() == [2.0, 2.0]


def test_saved_as_their_items(tmp_path):
    net, x = Net(), paddle.ones([4, 3])
    paddle.jit.save(net, str(tmp_path / "m"), input_spec=[paddle.static.InputSpec([None, 3], "float32")])
    found = paddle.jit.load(str(tmp_path / "m"))(x)
    expected = net(x)
    for ours, theirs in zip(found, (*expected.hidden, expected.logits), strict=True):
        np.testing.assert_allclose(ours.numpy(), theirs.numpy())
