"""What real Paddle computed, loaded once."""

import functools
import pathlib

import numpy as np


@functools.cache
def recorded():
    with np.load(pathlib.Path(__file__).parents[1] / "golden" / "optimizers.npz") as file:
        return dict(file)
