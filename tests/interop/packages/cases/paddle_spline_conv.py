"""paddle-spline-conv: the convolution on graphs, its parts and gradients."""

import numpy as np
from paddle_spline_conv import nn, ops
from suite import case, image, net, record, tensors

EDGES = np.array([[0, 1, 2, 3, 0], [1, 2, 3, 0, 2]])
WHERE = np.random.RandomState(0).uniform(0, 1, [5, 2]).astype("float32")
X = image(4, 3)


def layer(**options):
    return nn.SplineConv(3, 2, kernel_size=3, dim=2, **options)


net("layer", lambda: layer(), [X, EDGES, WHERE], save=False)
net("degree2", lambda: layer(degree=2), [X, EDGES, WHERE], save=False)
net("closed", lambda: layer(is_open_spline=False), [X, EDGES, WHERE], save=False)


@case
def parts():
    size, closed = tensors(np.array([3, 3])), tensors(np.array([1, 1]))
    record("basis", lambda: list(ops.spline_basis(tensors(WHERE), size, closed, 1)))
    record("kernel", lambda: [ops.mod_c(tensors(np.array([-1, 5])), tensors(np.array([3, 3])))])
