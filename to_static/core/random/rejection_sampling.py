"""Numbers drawn one at a time, each from as many words of the stream as it takes: the counts of Poisson, and gamma variables.

``unit(kind)`` gives the next number evenly from [0, 1) in float32 or float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    pass

Unit = Callable[[Any], Any]


def normals(unit: Unit, cls: type) -> tuple[Any, Any]:
    """Two numbers of the standard normal distribution, by the polar method."""
    while True:
        x, y = cls(2) * unit(cls) - cls(1), cls(2) * unit(cls) - cls(1)
        square = x * x + y * y
        if 0 < square <= 1:
            factor = np.sqrt(cls(-2) * cls(math.log(square)) / square)
            return y * factor, x * factor


def poisson(rate: float, unit: Unit) -> int:
    """A count of the Poisson distribution: for small rates how many numbers it takes until their product is below exp(-rate)."""
    if rate >= 12:
        return _Poisson(rate).draw(unit)
    least, product, count = math.exp(-rate), float(unit(np.float64)), 0
    while product > least:
        product *= float(unit(np.float64))
        count += 1
    return count


class _Poisson:
    """Counts of a large rate, by rejection.

    Source: Devroye, "Non-Uniform Random Variate Generation", 1986, X.3, with its errata, as C++'s library of GNU has it.
    """

    def __init__(self, rate: float) -> None:
        self.log_rate = math.log(rate)
        mode = self.mode = math.floor(rate)
        self.log_factorial = math.lgamma(mode + 1)
        width = math.sqrt(2 * mode * math.log(32 * mode / (math.pi / 4)))
        self.tail = tail = float(math.floor(max(6.0, min(mode, width)) + 0.5))  # where the tail of the right begins
        spread = self.spread = 2 * mode + tail
        self.left, self.right = math.sqrt(mode), math.sqrt(spread / 2)  # how wide the two halves are
        # The weights of the six pieces that lie over the distribution, added up.
        a = self.left * math.sqrt(math.pi / 2)
        b = math.sqrt(math.pi / 4 * spread) * math.exp(1 / spread) + a
        self.pieces = (a, b, b + 1, b + 1 + 1, b + 1 + 1 + _E78)
        beyond = 2 * spread * math.exp(-tail * (1 / spread) * (1 + tail / 2)) / tail
        self.weight = beyond + self.pieces[-1]

    def draw(self, unit: Unit) -> int:
        """One count."""
        spare: list[Any] = []  # the second number of a pair of normal ones

        def normal() -> float:
            if spare:
                return float(spare.pop())
            first, second = normals(unit, np.float64)
            spare.append(second)
            return float(first)

        while True:
            position = self.weight * float(unit(np.float64))
            slack = -math.log(1.0 - float(unit(np.float64)))
            x, log_height = self._candidate(position, normal, unit)
            if x is None:
                continue
            count = x + self.mode
            if log_height - slack - x * self.log_rate <= self.log_factorial - math.lgamma(count + 1):
                return int(count)

    def _candidate(self, position: float, normal: Callable[[], float], unit: Unit) -> tuple[float | None, float]:
        """A distance from the mode, and the logarithm of how high the piece that it comes from is there."""
        a, b, c, d, e = self.pieces
        if position <= a:
            n = normal()
            x = math.floor(-abs(n) * self.left - 1)
            return (None if x < -self.mode else x), -n * n / 2
        if position <= b:
            y = 1 + abs(normal()) * self.right
            x = math.ceil(y)
            return (None if x > self.tail else x), y * (2 - y) * (1 / self.spread)
        if position <= c:
            return -1, 0.0
        if position <= d:
            return 0, 0.0
        if position <= e:
            return 1, 1 / 78
        v = -math.log(1.0 - float(unit(np.float64)))
        y = self.tail + v * (2 * self.spread) / self.tail
        return math.ceil(y), -self.tail * (1 / self.spread) * (1 + y / 2)


_E78 = math.exp(1 / 78)


def gamma(shape: Any, unit: Unit) -> Any:
    """A number of the gamma distribution of ``shape``, a number of float32 or float64; of that dtype.

    Source: Marsaglia and Tsang, "A simple method for generating gamma variables", 2000; Paddle's constants have 32 bits.
    """
    cls = type(shape)
    scale, single = cls(1), np.float32
    if shape < 1:
        if shape == 0:
            return cls(0)
        scale = (cls(1) - unit(cls)) ** (cls(1) / shape)
        shape = shape + cls(1)
    d = shape - cls(single(1) / single(3))
    c = cls(1) / np.sqrt(cls(9) * d)
    while True:
        x = normals(unit, cls)[0]
        y = cls(1) + c * x
        if y <= 0:
            continue
        v = y * y * y
        u = cls(1) - unit(cls)
        if u < cls(1) - cls(single(0.0331)) * (x * x) * (x * x):
            break
        if cls(math.log(u)) < cls(0.5) * (x * x) + d * (cls(1) - v + cls(math.log(v))):
            break
    return scale * d * v
