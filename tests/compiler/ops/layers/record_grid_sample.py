"""Record what PaddlePaddle 2.6.2 reads at positions, and its gradients: `python record_grid_sample.py` with PaddlePaddle."""

from __future__ import annotations

from pathlib import Path

import numpy as np

MODES, PADDINGS = ("bilinear", "nearest"), ("zeros", "border", "reflection")


def images(n):
    """An image, and two grids: one of positions between pixels, and one with some on pixels and borders."""
    draw = np.random.RandomState(0)
    x = draw.randn(2, 3, *(4, 5, 3)[:n]).astype("float32")
    between = (draw.rand(2, *(3, 2, 2)[:n], n) * 3 - 1.5).astype("float32")
    on_pixels = between.copy()
    on_pixels.flat[:8] = [-1, 1, 0, 0.5, -1, -1, 1, 1]
    return x, between, on_pixels


def computed(paddle, n, which, mode, padding, aligned):
    """The result and both gradients."""
    image, *grids = images(n)
    x, grid = paddle.to_tensor(image, stop_gradient=False), paddle.to_tensor(grids[which], stop_gradient=False)
    y = paddle.nn.functional.grid_sample(x, grid, mode, padding, aligned)
    (y * y).sum().backward()
    return y.numpy(), x.grad.numpy(), grid.grad.numpy()


CASES = [(n, which, m, p, a) for n in (2, 3) for which in (0, 1) for m in MODES for p in PADDINGS for a in (True, False)]

if __name__ == "__main__":
    import paddle

    arrays = {}
    for i, case in enumerate(CASES):
        arrays.update({f"{i}_{j}": array for j, array in enumerate(computed(paddle, *case))})
    np.savez_compressed(Path(__file__).with_name("grid_sample.npz"), **arrays)
