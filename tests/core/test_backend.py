from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle
from to_static.core import backend
from to_static.core.errors import DeviceError


def test_the_cpu_is_always_there():
    assert backend.set_device("cpu") == backend.CPUPlace() and backend.get_device() == "cpu"
    assert backend.CPUPlace()._equals(backend.CPUPlace()) and not backend.CPUPlace()._equals(backend.CUDAPlace(0))
    assert str(backend.CPUPlace()) == "Place(cpu)" and str(backend.CUDAPlace(1)) == "Place(gpu:1)"
    assert backend.backend_of(np.zeros(1)) is backend.NUMPY


@pytest.mark.parametrize("name", ["tpu", "gpu:x", "cpuu", 3, None])
def test_unknown_devices_are_refused_by_name(name):
    with pytest.raises(DeviceError, match="device"):
        backend.get_backend(name)


def test_a_gpu_that_is_not_there_is_a_clear_error(monkeypatch):
    def nothing(name):
        raise ImportError("No module named 'cupy'")

    monkeypatch.setattr(backend.importlib, "import_module", nothing)
    monkeypatch.setattr(backend, "_open", {"cpu": backend.NUMPY})
    with pytest.raises(DeviceError, match=r"CuPy is not installed.*pip install .\.\[gpu\]"):
        backend.set_device("gpu:0")
    assert backend.get_device() == "cpu"


def test_the_same_seed_gives_the_same_numbers():
    backend.seed(3)
    a = backend.NUMPY.generator.uniform((4,))
    backend.seed(3)
    np.testing.assert_array_equal(a, backend.NUMPY.generator.uniform((4,)))


def test_foreign_arrays_are_refused():
    with pytest.raises(TypeError, match="list: `paddle.to_tensor"):
        backend.backend_of([1.0])


def test_what_to_write_for_another_s_name_of_a_device():
    with pytest.raises(DeviceError, match="unknown device 'cuda:0'; known: 'cpu', 'gpu', 'gpu:0'.*; NVIDIA's are 'gpu' here"):
        backend.get_backend("cuda:0")


def test_a_tensor_goes_to_no_device_of_another_s_name():
    with pytest.raises(DeviceError, match="NVIDIA's are 'gpu' here"):
        paddle.ones([1]).to("cuda")
