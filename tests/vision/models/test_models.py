"""The networks are Paddle's: what they hold, what they compute, and where their weights come from."""

import json
from pathlib import Path

import numpy as np
import pytest
import small_networks

import to_static as paddle
from to_static.core.errors import DownloadError, FormatError
from to_static.nn import initializer
from to_static.vision import models
from to_static.vision.models import weights
from to_static.vision.models.resnet import BasicBlock, ResNet

RECORD = json.loads((Path(__file__).parent / "paddle_models.json").read_text())


@pytest.mark.parametrize("name", small_networks.ARCHITECTURES)
def test_names_and_shapes_are_those_of_paddle(name, monkeypatch):
    for drawn in ("_uniform", "_normal"):  # numbers do not matter here
        monkeypatch.setattr(initializer, drawn, lambda shape, dtype, *bounds: np.zeros(shape, dtype))
    with paddle.utils.unique_name.guard():
        net = getattr(models, name)()
    assert small_networks.described(net) == RECORD["states"][name]


@pytest.mark.parametrize("name", small_networks.RUN)
def test_numbers_are_those_of_paddle(name):
    net, found = small_networks.outputs(paddle, name)
    np.testing.assert_allclose(found.numpy().ravel()[:40], RECORD["outputs"][name], rtol=2e-4, atol=1e-5)
    if name in ("LeNet", "shufflenet_v2_x0_25"):
        static = paddle.jit.to_static(net)
        image = paddle.to_tensor(small_networks.image(*small_networks.RUN[name][1:]))
        np.testing.assert_allclose(static(image), found, rtol=1e-4, atol=1e-5)


def test_every_public_name_is_there():
    assert sum(callable(getattr(models, name)) for name in models.__all__) == 51


def test_weights_from_a_file(tmp_path):
    net = models.shufflenet_v2_x0_25(num_classes=3)
    paddle.save(net.state_dict(), tmp_path / "net.pdparams")
    again = models.shufflenet_v2_x0_25(pretrained=str(tmp_path / "net.pdparams"), num_classes=3)
    for key, value in net.state_dict().items():
        np.testing.assert_array_equal(again.state_dict()[key].numpy(), value.numpy())
    paddle.save({"other": paddle.ones([2])}, tmp_path / "other.pdparams")
    with pytest.raises(FormatError, match="weights of shuffle.* by names such as '_conv1.0.weight', found a dict with 'other'"):
        models.shufflenet_v2_x0_25(pretrained=str(tmp_path / "other.pdparams"))
    with pytest.raises(FileNotFoundError):
        models.shufflenet_v2_x0_25(pretrained=str(tmp_path / "none.pdparams"))


def test_weights_that_paddle_has_downloaded_are_found(tmp_path, monkeypatch):
    monkeypatch.setattr(weights, "PADDLES", tmp_path)
    net = models.mobilenet_v1(scale=0.25, num_classes=3)
    paddle.save(net.state_dict(), tmp_path / "mine.pdparams")
    published = {"mine": ("https://127.0.0.1:9/mine.pdparams", "0" * 32)}
    found = weights.with_weights(models.mobilenet_v1(scale=0.25, num_classes=3), "mine", published, True)
    np.testing.assert_array_equal(found.fc.weight.numpy(), net.fc.weight.numpy())


def test_weights_that_are_nowhere(tmp_path, monkeypatch):
    monkeypatch.setattr(weights, "PADDLES", tmp_path)
    monkeypatch.setenv("TO_STATIC_DATA", str(tmp_path))
    with pytest.raises(ValueError, match="mobilenetv1_0.25: Paddle publishes no weights for it, only for mobilenetv1_1.0"):
        models.mobilenet_v1(pretrained=True, scale=0.25)
    message = r"get http://127.0.0.1:9/net.pdparams elsewhere and give its path, net\(pretrained='path/net"
    with pytest.raises(DownloadError, match=message):
        weights.with_weights(models.LeNet(), "net", {"net": ("http://127.0.0.1:9/net.pdparams", "0" * 32)}, True)


def test_what_does_not_exist_is_refused():
    for make, message in (
        (lambda: ResNet(BasicBlock, 20), "depth must be one of 18, 34, 50, 101, 152, got 20"),
        (lambda: models.DenseNet(120), "layers must be one of 121"),
        (lambda: models.SqueezeNet("2.0"), "version must be one of 1.0, 1.1"),
        (lambda: models.ShuffleNetV2(3.0), "scale must be one of 0.25"),
        (lambda: models.ShuffleNetV2(act="tanh"), "act must be 'relu', 'swish' or None"),
    ):
        with pytest.raises(ValueError, match=message):
            make()
    with pytest.raises(NotImplementedError, match="dilation 1, got 2"):
        BasicBlock(4, 4, dilation=2)
