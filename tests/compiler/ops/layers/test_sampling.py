"""Images whose sizes are known only when a Program runs are read as those of known sizes are."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import to_static as paddle
from to_static.static import InputSpec

F = paddle.nn.functional
DRAW = np.random.RandomState(2)
IMAGE, GRID = DRAW.randn(2, 3, 4, 5).astype("float32"), (DRAW.rand(2, 3, 6, 2) * 3 - 1.5).astype("float32")
WAYS = list(itertools.product(("bilinear", "nearest"), ("zeros", "border", "reflection"), (True, False)))


@pytest.mark.parametrize(("mode", "padding", "aligned"), WAYS)
@pytest.mark.parametrize("channels, last", [(3, 2), (None, None)])
def test_unknown_sizes(mode, padding, aligned, channels, last):
    shape = InputSpec([None, channels, None, None], "float32"), InputSpec([None, None, None, last], "float32")
    net = paddle.jit.to_static(lambda x, g: F.grid_sample(x, g, mode, padding, aligned), input_spec=shape)
    for image in (IMAGE, IMAGE[:, :, :1, :], IMAGE[:, :, :, :1]):
        x, g = paddle.to_tensor(image, stop_gradient=False), paddle.to_tensor(GRID, stop_gradient=False)
        found = net(x, g)
        found.square().sum().backward()
        gradients = [t.grad.numpy() for t in (x, g)]
        x.clear_grad(), g.clear_grad()
        wanted = F.grid_sample(x, g, mode, padding, aligned)
        wanted.square().sum().backward()
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), 1e-5, 1e-6)
        for mine, other in zip(gradients, (x.grad, g.grad), strict=True):
            np.testing.assert_allclose(mine, other.numpy(), 1e-4, 1e-5)


def test_a_grid_whose_last_dimension_does_not_fit():
    net = paddle.jit.to_static(F.grid_sample, input_spec=[InputSpec([1, None, 4, 5]), InputSpec([1, 2, 3, None])], full_graph=True)
    with pytest.raises(paddle.core.errors.ShapeError, match="the last dimension of the grid must be 2"):
        net(paddle.ones([1, 2, 4, 5]), paddle.ones([1, 2, 3, 3]))
