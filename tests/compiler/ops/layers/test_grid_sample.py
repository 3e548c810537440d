"""Images whose sizes are known only when a Program runs are read as those of known sizes are."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from tests.compiler.ops.layers.record_grid_sample import CASES, MODES, PADDINGS, computed, images
from to_static.compiler.ir.registry import REGISTRY
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
    with pytest.raises(paddle.core.errors.ShapeError, match="grid \\[1, 2, 3, 3\\] do not fit"):
        net(paddle.ones([1, 2, 4, 5]), paddle.ones([1, 2, 3, 3]))


@pytest.mark.parametrize("index", range(len(CASES)))
def test_numbers_and_gradients_of_paddle(index):
    with np.load(Path(__file__).with_name("grid_sample.npz")) as record:
        for j, array in enumerate(computed(paddle, *CASES[index])):
            np.testing.assert_allclose(array, record[f"{index}_{j}"], 1e-4, 1e-4)


def test_the_composition_has_the_numbers_of_the_kernel():
    compose = REGISTRY["grid_sample"].composition_rule
    for (image, *grids), mode, padding, aligned in itertools.product(map(images, (2, 3)), MODES, PADDINGS, (True, False)):
        x, grid = paddle.to_tensor(image), paddle.to_tensor(grids[1])
        composed = compose(x, grid, mode=mode, padding_mode=padding, align_corners=aligned)
        np.testing.assert_array_equal(composed.numpy(), F.grid_sample(x, grid, mode, padding, aligned).numpy())
