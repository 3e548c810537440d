"""Eager tensors as Python objects: numbers in and out, in-place changes, copies, devices."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import AutogradError, DeviceError, ShapeError


def t(values, dtype="float32", grad=False):
    return paddle.to_tensor(np.asarray(values, dtype), stop_gradient=not grad)


def test_attributes():
    x = t([[1.0, 2.0, 3.0]])
    assert (x.shape, x.ndim, x.size, x.dtype, str(x.place)) == ([1, 3], 2, 3, paddle.float32, "Place(cpu)")
    assert x.stop_gradient and x.is_leaf and x.grad is None and not x.persistable
    assert isinstance(x, paddle.Tensor) and len(x) == 1
    assert x.element_size() == 4 and x.strides == [3, 1] and x.dim() == 2


def test_names_count_up():
    a, b = paddle.to_tensor(1.0), paddle.to_tensor(1.0)
    assert a.name.startswith("generated_tensor_")
    assert int(b.name.rsplit("_", 1)[1]) == int(a.name.rsplit("_", 1)[1]) + 1


def test_numpy_interop():
    x = t([1.0, 2.0])
    np.testing.assert_array_equal(np.asarray(x), [1.0, 2.0])
    assert isinstance(np.ones(2, "float32") + x, paddle.Tensor), "our operator, not a loop over elements"
    host = x.numpy()
    host[0] = 9.0
    assert x.numpy()[0] == 1.0, "numpy() is a copy"
    assert x.tolist() == [1.0, 2.0] and x.item(1) == 2.0 and t([[3.0]]).item() == 3.0


def test_python_conversions():
    assert bool(t([1.0])) and not bool(t(0.0)) and int(t(3.7)) == 3 and float(t([2.5])) == 2.5
    assert [10, 20, 30][t(1, "int64")] == 20 and complex(t(1.0)) == 1 + 0j
    assert f"{t(1.25):.1f}" == "1.2"
    with pytest.raises(ValueError, match=r"any\(\), all\(\)"):
        bool(t([1.0, 2.0]))
    with pytest.raises(ValueError, match="one element"):
        t([1.0, 2.0]).item()
    with pytest.raises(TypeError, match="integer tensors"):
        [1, 2][t(1.0)]
    with pytest.raises(TypeError, match="0-D"):
        len(t(1.0))
    with pytest.raises(TypeError, match="0-D"):
        iter(t(1.0))


def test_iteration_and_containment():
    rows = list(t([[1.0, 2.0], [3.0, 4.0]]))
    assert [r.tolist() for r in rows] == [[1.0, 2.0], [3.0, 4.0]]
    assert 2.0 in t([1.0, 2.0]) and 5.0 not in t([1.0, 2.0])


def test_in_place_changes_are_seen_through_every_alias():
    x = t([1.0, 2.0])
    y = x
    x.add_(t([1.0, 1.0]))
    x[0] = 7.0
    assert y.tolist() == [7.0, 3.0]


def test_in_place_changes_after_use_do_not_change_recorded_gradients():
    x = t([2.0, 3.0], grad=True)
    h = x * 1.0
    y = h * h
    h.add_(t([10.0, 10.0]))
    y.sum().backward()
    np.testing.assert_array_equal(x.grad.numpy(), [4.0, 6.0])


def test_leaves_with_gradients_refuse_in_place_changes():
    x = t([1.0], grad=True)
    with pytest.raises(AutogradError, match="leaf"):
        x.add_(t([1.0]))
    with paddle.no_grad():
        x.add_(t([1.0]))
    assert x.tolist() == [2.0] and not x.stop_gradient


def test_set_value():
    x = t([1.0, 2.0], grad=True)
    source = np.array([3.0, 4.0])
    x.set_value(source)
    source[0] = 0
    assert x.tolist() == [3.0, 4.0] and x.dtype == paddle.float32
    with pytest.raises(ShapeError, match="shape"):
        x.set_value(np.zeros(3))


def test_copies():
    x = t([1.0], grad=True)
    for source in (x, x * 1, (x * 2).detach()[0:1] / 2):
        for twin in (copy.deepcopy(source), copy.copy(source), pickle.loads(pickle.dumps(source))):
            assert twin.tolist() == [1.0] and twin.stop_gradient is source.stop_gradient and twin.is_leaf and twin is not source
        twin = copy.deepcopy(source)
        source.add_(t([1.0])) if source is not x else None
        assert twin.tolist() == [1.0]
    assert x.clone().stop_gradient is False and x.detach().stop_gradient is True


def test_copies_of_layers_have_what_the_layers_kept():
    class Keeps(paddle.nn.Layer):
        def __init__(self):
            super().__init__()
            self.fc = paddle.nn.Linear(2, 2)
            self.shadow = None

        def forward(self, x):
            self.last = self.fc(x)
            self.history = [self.last]
            return self.last

    for static in (False, True):
        net = Keeps()
        net.register_buffer("computed", net.fc.weight * 2)
        net = paddle.jit.to_static(net) if static else net
        out = net(t([[1.0, 2.0]]))
        best = copy.deepcopy(net)
        assert best.last is best.history[0] and best.last is not net.last and best.last.is_leaf
        assert best.last.tolist() == out.tolist() and best.computed.tolist() == net.computed.tolist()
        best(t([[1.0, 2.0]])).sum().backward()
        assert best.fc.weight.grad is not None and net.fc.weight.grad is None
        out.sum().backward()
        assert net.fc.weight.grad is not None


def test_devices():
    x = t([1.0])
    assert x.cpu() is x and x.to("cpu") is x and x.to("float64").dtype == paddle.float64
    try:
        paddle.set_device("gpu:0")
    except DeviceError as error:
        assert "CuPy" in str(error) or "CUDA" in str(error)
        with pytest.raises(DeviceError):
            x.cuda()
    else:
        paddle.set_device("cpu")
        assert str(x.cuda().place) == "Place(gpu:0)" and x.cuda().cpu().tolist() == [1.0]


def test_objects_that_are_no_tensors_are_left_to_python():
    with pytest.raises(TypeError):
        t([1.0]) + "a"
    with pytest.raises(TypeError):
        t([1.0]) * object()


@pytest.mark.parametrize("given", [[1.0, 2.0], (1.0,), np.ones([2], "float32")])
def test_what_is_no_tensor_is_told_how_to_become_one(given):
    got = f"got {type(given).__name__}; `paddle.to_tensor"
    with pytest.raises(TypeError, match=f"relu: X must be a Tensor, {got}"):
        paddle.nn.functional.relu(given)


def test_a_condition_on_a_negative_number_warns_once_for_its_line():
    def branch(t):
        return 1 if t else 2

    negative = paddle.to_tensor(-2.0)
    with pytest.warns(UserWarning, match=r"a condition is -2\.0, which is True in Python; PaddlePaddle 2\.6 takes negative"):
        assert branch(negative) == 1
    assert branch(negative) == branch(paddle.to_tensor(3)) == 1 and branch(paddle.to_tensor(0.0)) == 2
    with pytest.warns(UserWarning, match="a condition is nan"):
        assert bool(paddle.to_tensor(float("nan")))
    with pytest.warns(UserWarning, match="a condition is -1, "):
        assert paddle.to_tensor([-1])
    assert (negative < 0) and (negative != 0) and paddle.to_tensor(True)
