"""Layers whose class has a ``__setattr__`` of its own: dynamic, static and saved."""

import warnings

import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.core.errors import TranslationError


class Logs(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.count = 0

    def __setattr__(self, name, value):
        self.__dict__.setdefault("log", []).append(name)
        super().__setattr__(name, value)

    def forward(self, x):
        self.last = self.fc(x)
        self.count = self.count + 1
        return self.last * 2 + self.count


class Doubles(nn.Layer):
    def __init__(self):
        super().__init__()
        self.scale = 1.0

    def __setattr__(self, name, value):
        if name == "scale":
            value = value * 2
        if isinstance(value, paddle.Tensor) and name == "hidden":
            value = value.detach() + 1
        super().__setattr__(name, value)

    def forward(self, x):
        self.hidden = x * 3
        self.scale = self.scale * 0.75
        return self.hidden * self.scale


class Counts(nn.Layer):
    def __setattr__(self, name, value):
        object.__setattr__(self, "_writes", getattr(self, "_writes", 0) + 1)
        nn.Layer.__setattr__(self, name, value)

    def forward(self, x):
        self.hidden = x + 1
        return self.hidden + self._writes


NAMES: list[str] = []


class LogsOutside(nn.Layer):
    def __setattr__(self, name, value):
        NAMES.append(name)
        super().__setattr__(name, value)

    def forward(self, x):
        self.hidden = x * 2
        return self.hidden


class LogsInItsClass(nn.Layer):
    names: list[str] = []

    def __setattr__(self, name, value):
        type(self).names.append(name)
        super().__setattr__(name, value)

    def forward(self, x):
        self.hidden = x * 2
        return self.hidden


class MakesNames(nn.Layer):
    def __setattr__(self, name, value):
        self.__dict__["_" + name] = value
        super().__setattr__(name, value)

    def forward(self, x):
        self.hidden = x * 2
        return self._hidden


def state(net):
    own = {key: value for key, value in vars(net).items() if key in ("log", "count", "scale", "_writes")}
    return own, {name: value.tolist() for name, value in net.named_buffers()}


@pytest.mark.parametrize("full_graph", [True, False])
@pytest.mark.parametrize("cls", [Logs, Doubles, Counts])
def test_static_is_dynamic(cls, full_graph):
    net, other = cls(), cls()
    other.set_state_dict(net.state_dict())
    static = paddle.jit.to_static(other, full_graph=full_graph)
    for both in (net, other):  # `to_static` sets the attribute `forward`, too
        vars(both).pop("log", None)
        vars(both).pop("_writes", None)
    for i in range(4):
        x = paddle.to_tensor(np.random.RandomState(i).randn(4, 3).astype("float32"))
        np.testing.assert_allclose(static(x).numpy(), net(x).numpy(), rtol=1e-6)
        assert state(other) == state(net)


@pytest.mark.parametrize("cls", [Logs, Doubles, Counts])
def test_saved(cls, tmp_path):
    net, x = cls(), paddle.ones([4, 3])
    paddle.jit.save(net, str(tmp_path / "m"), input_spec=[paddle.static.InputSpec([None, 3], "float32")])
    np.testing.assert_allclose(paddle.jit.load(str(tmp_path / "m"))(x).numpy(), net(x).numpy(), rtol=1e-6)


@pytest.mark.parametrize(
    ("cls", "words"),
    [
        (LogsOutside, "__setattr__ of its own"),
        (LogsInItsClass, "__setattr__ of its own"),
        (MakesNames, "which computes the name"),
    ],
)
@pytest.mark.usefixtures("graph_breaks")
def test_setters_that_do_more_run_in_python(cls, words):
    x = paddle.ones([2])
    with pytest.raises(TranslationError, match=words):
        paddle.jit.to_static(cls(), full_graph=True)(x)
    net, other = cls(), paddle.jit.to_static(cls())
    with pytest.warns(UserWarning, match=words):
        other(x)
    warnings.simplefilter("ignore")  # the second call breaks at another place
    for _ in range(3):
        NAMES.clear()
        LogsInItsClass.names.clear()
        assert net(x).tolist() == other(x).tolist()
        assert NAMES == (["hidden"] * 2 if cls is LogsOutside else [])
        assert LogsInItsClass.names == (["hidden"] * 2 if cls is LogsInItsClass else [])
        assert ("_hidden" in vars(other)) is (cls is MakesNames)


CALLS: list[str] = []


def _adapted(layer, name, value):
    if name == "forward":
        CALLS.append(name)
        warnings.warn("forward is replaced", stacklevel=2)
    return value


def _told(layer, name, value):
    CALLS.append(name)
    return value


class Adapts(nn.Layer):
    """As PaddleNLP's models: a function of the module looks at the name first, and does something for one of them."""

    def __setattr__(self, name, value):
        value = _adapted(self, name, value)
        return super(Adapts, self).__setattr__(name, value)

    def forward(self, x):
        self.checkpoints = []
        self.checkpoints.append(x + 1)
        return self.checkpoints[0] * 2


class Tells(Adapts):
    def __setattr__(self, name, value):
        super().__setattr__(name, _told(self, name, value))


def test_a_function_that_does_something_for_another_name_only(tmp_path):
    layer = Adapts()
    x = paddle.to_tensor([1.0, 2.0])
    f = paddle.jit.to_static(layer.forward, full_graph=True)
    assert f(x).tolist() == [4.0, 6.0] and f(x).tolist() == [4.0, 6.0]
    assert [part.tolist() for part in layer.checkpoints] == [[2.0, 3.0]]
    paddle.jit.save(layer, str(tmp_path / "net"), input_spec=[paddle.static.InputSpec([None], "float32")])
    assert paddle.jit.load(str(tmp_path / "net"))(x).tolist() == [4.0, 6.0]


@pytest.mark.usefixtures("graph_breaks")
def test_a_function_that_notes_every_name_is_called_by_python():
    layer = Tells()
    x = paddle.to_tensor([1.0, 2.0])
    f = paddle.jit.to_static(layer.forward)
    CALLS.clear()
    with pytest.warns(UserWarning, match="a __setattr__ of its own"):
        assert f(x).tolist() == [4.0, 6.0]
    assert f(x).tolist() == [4.0, 6.0]
    assert CALLS == ["checkpoints"] * 2
    with pytest.raises(TranslationError, match="a __setattr__ of its own"):
        paddle.jit.to_static(Tells().forward, full_graph=True)(x)
