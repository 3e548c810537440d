"""`to_static.device` is another way to the same switches."""

import pytest

import to_static as paddle
from to_static.core.errors import DeviceError


def test_the_device_module_is_the_same_switch():
    assert paddle.device.set_device("cpu").is_cpu_place()
    assert paddle.device.get_device() == paddle.get_device() == "cpu"
    with pytest.raises(DeviceError, match="known: 'cpu'"):
        paddle.device.set_device("abacus")
