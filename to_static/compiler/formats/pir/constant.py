"""A constant of a program of Paddle 3 that no operator of the Program holds yet: most are attributes of other operators."""

from __future__ import annotations

import numpy as np


class PirConstant:
    """An array that becomes an operator where it is read as a tensor."""

    __slots__ = ("array",)

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
