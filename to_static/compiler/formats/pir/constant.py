"""`PirConstant`: a constant in a program of Paddle 3 that is not yet an op, since most constants become attributes of other ops."""

from __future__ import annotations

import numpy as np


class PirConstant:
    """An array that becomes a ``constant`` op when it is read as a tensor."""

    __slots__ = ("array",)

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
