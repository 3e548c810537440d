"""Names of rooms are found in `vision` itself, as in Paddle, and rooms load when they are asked for."""

import subprocess
import sys

import pytest

from to_static import vision


def test_names_of_rooms():
    assert vision.resnet18 is vision.models.resnet18 and vision.Resize is vision.transforms.Resize
    assert vision.MNIST is vision.datasets.MNIST and vision.Cifar10 is vision.datasets.Cifar10
    with pytest.raises(AttributeError, match="no attribute 'resnet19'"):
        vision.resnet19
    with pytest.raises(AttributeError, match="no attribute 'nms'"):
        vision.nms  # only in vision.ops, as in Paddle


def test_rooms_load_when_they_are_asked_for():
    code = "import to_static.vision.transforms, sys; print('to_static.nn' in sys.modules, 'PIL' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "False"]
