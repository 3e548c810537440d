"""`save` and `load`: round trips, files of real Paddle, refusals."""

from collections import OrderedDict
from pathlib import Path

import numpy as np
import pytest

from to_static import nn, optimizer
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.formats.paddle.pickles.state import NAME_TABLE, NamedArray, read_object
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.spec import spec_of
from to_static.core import unique_name
from to_static.core.errors import FormatError
from to_static.framework import load, save

GOLDEN = Path(__file__).parents[1] / "golden" / "paddle"


@pytest.fixture(autouse=True)
def fresh_names():
    with unique_name.guard():
        yield


def tensor(*values, name=None):
    return EagerTensor(np.float32(values), name=name)


def test_a_layers_state_goes_through_a_file(tmp_path):
    path = tmp_path / "new" / "folder" / "net.pdparams"
    net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1D(3))
    save(net.state_dict(), path)
    assert read_object(path)[NAME_TABLE]["1._mean"] == "batch_norm1d_0.w_1"
    state = load(str(path))
    assert list(state) == list(net.state_dict())
    assert all(isinstance(t, EagerTensor) and t.stop_gradient for t in state.values())
    assert state["0.weight"].name == "linear_0.w_0"
    other = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1D(3))
    assert other.set_state_dict(state) == ([], [])
    np.testing.assert_array_equal(other[0].weight.numpy(), net[0].weight.numpy())


def test_an_optimizers_state_goes_through_a_file(tmp_path):
    net = nn.Linear(2, 2)
    for p in net.parameters():
        p.grad = EagerTensor(np.ones(p.shape, "float32"))
    opt = optimizer.Adam(optimizer.lr.StepDecay(0.1, 2), parameters=net.parameters())
    opt.step()
    opt._learning_rate.step()
    save(opt.state_dict(), tmp_path / "net.pdopt")
    other = optimizer.Adam(optimizer.lr.StepDecay(0.1, 2), parameters=net.parameters())
    other.set_state_dict(load(tmp_path / "net.pdopt"))
    assert other._learning_rate.last_epoch == 1
    opt.step()
    moved = net.weight.numpy()
    net.weight.set_value(np.zeros((2, 2), "float32"))
    other.step()
    first, second = opt.state_dict(), other.state_dict()
    for (key, a), b in zip(first.items(), second.values(), strict=True):
        if key != "LR_Scheduler":
            np.testing.assert_array_equal(a.numpy(), b.numpy())
    assert moved.any()


def test_nested_data_keeps_its_structure(tmp_path):
    value = {
        "tensor": tensor(1, 2, name="t"),
        "list": [tensor(3), "text", 4, None, 2.5],
        "tuple": (True, {"deep": tensor(5)}),
        "ordered": OrderedDict(a=1),
        "array": np.int64([7]),
    }
    save(value, tmp_path / "x.pd")
    found = load(tmp_path / "x.pd")
    assert found["tensor"].name == "t" and found["tensor"].numpy().tolist() == [1.0, 2.0]
    assert found["list"][1:] == ["text", 4, None, 2.5] and found["tuple"][0] is True
    assert found["tuple"][1]["deep"].numpy().tolist() == [5.0] and found["ordered"] == OrderedDict(a=1)
    assert isinstance(found["array"], np.ndarray)  # tensors are marked in this file, so an array is an array
    plain = load(tmp_path / "x.pd", return_numpy=True)
    assert isinstance(plain["tensor"], np.ndarray)


def test_arrays_become_tensors_where_no_tensor_is_marked(tmp_path):
    save([np.float32([1.0]), 2], tmp_path / "x.pd")
    assert isinstance(load(tmp_path / "x.pd")[0], EagerTensor)
    assert isinstance(load(tmp_path / "x.pd", return_numpy=True)[0], np.ndarray)


@pytest.mark.parametrize("binary", [False, True])
def test_one_tensor(tmp_path, binary):
    save(tensor(1, 2), tmp_path / "x.pdtensor", use_binary_format=binary)
    assert load(tmp_path / "x.pdtensor").numpy().tolist() == [1.0, 2.0]


@pytest.mark.parametrize("protocol", [2, 3, 4])
def test_protocols(tmp_path, protocol):
    save({"w": tensor(1)}, tmp_path / "x.pdparams", protocol)
    assert (tmp_path / "x.pdparams").read_bytes()[1] == protocol
    assert load(tmp_path / "x.pdparams")["w"].numpy().tolist() == [1.0]


def test_name_table_can_be_kept(tmp_path):
    save({"w": tensor(1, name="linear_0.w_0")}, tmp_path / "x.pdparams")
    assert load(tmp_path / "x.pdparams", keep_name_table=True)[NAME_TABLE] == {"w": "linear_0.w_0"}


def test_files_of_real_paddle():
    expected = np.load(GOLDEN / "state.npz")
    state = load(GOLDEN / "state.pdparams")
    assert state["conv.weight"].name == "conv2d_0.w_0"
    for key, value in state.items():
        np.testing.assert_array_equal(value.numpy(), expected[f"param:{key}"])
    nested = load(GOLDEN / "nested.pdparams")
    assert nested["tensor"].numpy().tolist() == [1.5, 2.5] and nested["tensor"].name
    assert load(GOLDEN / "binary.pdtensor").numpy().tolist() == [3, 4]
    assert load(GOLDEN / "state.pdopt")["LR_Scheduler"]["last_epoch"] == 2


def test_wrong_arguments_are_refused(tmp_path):
    with pytest.raises(TypeError, match=r"state_dict\(\)"):
        save(nn.Linear(1, 1), tmp_path / "x")
    with pytest.raises(TypeError, match=r"state_dict\(\)"):
        save({"net": nn.Linear(1, 1)}, tmp_path / "x")
    with pytest.raises(TypeError, match="one tensor, got dict"):
        save({}, tmp_path / "x", use_binary_format=True)
    with pytest.raises(TypeError, match=r"unknown options \['zip'\]"):
        save({}, tmp_path / "x", zip=True)
    with pytest.raises(TypeError, match="unknown options"):
        load(tmp_path / "x", zip=True)
    assert not (tmp_path / "x").exists()


def test_missing_and_foreign_files(tmp_path):
    save({"w": tensor(1)}, tmp_path / "net.pdparams")
    with pytest.raises(FileNotFoundError, match=r"give the full name: .*net\.pdparams"):
        load(tmp_path / "net")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(FormatError, match="expected a file written by save"):
        load(tmp_path / "text")


def test_a_traced_tensor_has_nothing_to_save(tmp_path):
    with mode.use(Builder()) as builder:
        x = builder.feed(spec_of(np.zeros(2, "float32")), "x")
        with pytest.raises(Exception, match="outside of the static function"):
            save({"x": x}, tmp_path / "x")


def test_what_is_written_is_marked_as_paddle_marks_it(tmp_path):
    save([tensor(1, name="t")], tmp_path / "x")
    assert isinstance(read_object(tmp_path / "x")[0], NamedArray)


def test_lists_as_deep_as_they_like(tmp_path):
    value = [tensor(1, 1), tensor(0)]
    for _ in range(5000):
        value = [value]
    save(value, tmp_path / "deep")
    found = load(tmp_path / "deep")
    while len(found) == 1:
        [found] = found
    assert [x.numpy().tolist() for x in found] == [[1, 1], [0]]


def test_a_list_that_contains_itself_loads_and_is_not_saved(tmp_path):
    (tmp_path / "cyclic").write_bytes(b"\x80\x04]\x94h\x00a.")
    found = load(tmp_path / "cyclic")
    assert found[0] is found
    with pytest.raises(ValueError, match="contains itself"):
        save(found, tmp_path / "again")


def test_a_table_of_names_that_is_none(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"\x80\x04}\x8c\x1bStructuredToParameterName@@K\x01s.")
    with pytest.raises(FormatError, match="expected a dict as StructuredToParameterName@@, found int"):
        load(path)
