"""The networks of `vision.models` that are compared with Paddle's: by the names of what they hold, and some by their numbers."""

from __future__ import annotations

import hashlib
import zlib

import numpy as np

ARCHITECTURES = (
    "LeNet alexnet densenet121 densenet161 densenet169 densenet201 densenet264 googlenet inception_v3 mobilenet_v1 mobilenet_v2 "
    "mobilenet_v3_large mobilenet_v3_small resnet18 resnet34 resnet50 resnet101 resnet152 resnext50_32x4d resnext50_64x4d "
    "resnext101_32x4d resnext101_64x4d resnext152_32x4d resnext152_64x4d wide_resnet50_2 wide_resnet101_2 shufflenet_v2_swish "
    "shufflenet_v2_x0_25 shufflenet_v2_x0_33 shufflenet_v2_x0_5 shufflenet_v2_x1_0 shufflenet_v2_x1_5 shufflenet_v2_x2_0 "
    "squeezenet1_0 squeezenet1_1 vgg11 vgg13 vgg16 vgg19"
).split()
RUN = {  # name: arguments, channels and side of the image
    "LeNet": ({}, 1, 28),
    "mobilenet_v1": ({"scale": 0.25, "num_classes": 5}, 3, 32),
    "mobilenet_v2": ({"scale": 0.25, "num_classes": 5}, 3, 32),
    "mobilenet_v3_small": ({"scale": 0.5, "num_classes": 5}, 3, 32),
    "shufflenet_v2_x0_25": ({"num_classes": 5}, 3, 32),
    "squeezenet1_1": ({"num_classes": 5}, 3, 32),
    "resnet18": ({"num_classes": 0, "with_pool": False}, 3, 32),
}


def filled(key, shape):
    """Numbers for the state ``key`` that depend on nothing else, of a size that keeps activations in bounds."""
    random = np.random.RandomState(zlib.crc32(key.encode()))
    if key.endswith("_mean") or key.endswith("bias"):
        return (random.randn(*shape) * 0.1).astype("float32")
    if len(shape) == 1:
        return random.uniform(0.5, 1.5, shape).astype("float32")
    fan_in = np.prod(shape[1:]) if len(shape) == 4 else shape[0]
    return (random.randn(*shape) * np.sqrt(2 / fan_in)).astype("float32")


def image(channels, side):
    """Two images of random numbers."""
    return np.random.RandomState(7).rand(2, channels, side, side).astype("float32")


def described(net):
    """How many entries the state of a network has, and a checksum of their names, shapes and variables in order."""
    lines = [f"{key} {list(value.shape)} {value.name}" for key, value in net.state_dict().items()]
    return [len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]]


def outputs(paddle, name):
    """What a network of `RUN` with filled parameters gives."""
    arguments, channels, side = RUN[name]
    net = getattr(paddle.vision.models, name)(**arguments)
    net.set_state_dict({key: paddle.to_tensor(filled(key, value.shape)) for key, value in net.state_dict().items()})
    net.eval()
    return net, net(paddle.to_tensor(image(channels, side)))
