"""A line search for a point where the strong conditions of Wolfe hold (Nocedal and Wright, "Numerical Optimization", 2006:
algorithms 3.5 and 3.6)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

SEARCHES = 25  # values of the function that are taken, at most


class Point:
    """A point on the line that is searched: its step length, the value and the gradient there, and the slope along the line."""

    __slots__ = ("grad", "slope", "step", "value")

    def __init__(self, step_length: float, value: float, grad: Any, slope: float) -> None:
        self.step, self.value, self.grad, self.slope = step_length, value, grad, slope


def _lowest(a: Point, b: Point, low: float, high: float) -> float:
    """Return the minimum, between two bounds, of the cubic through two points with their slopes."""
    if b.step == a.step:
        return (low + high) / 2
    a, b = (a, b) if a.step <= b.step else (b, a)
    bend = a.slope + b.slope - 3 * (a.value - b.value) / (a.step - b.step)
    square = bend * bend - a.slope * b.slope
    if square < 0:
        return (low + high) / 2
    root = math.sqrt(square)
    bottom = b.slope - a.slope + 2 * root
    minimum = b.step - (b.step - a.step) * ((b.slope + root - bend) / bottom) if bottom else (low + high) / 2
    return min(max(minimum, low), high)


def search(
    at: Callable[[float], Point], start: Point, step_length: float, size: float, min_change: float, max_evaluations: int = SEARCHES
) -> tuple[Point, int]:
    """A point that is low and flat enough (the strong Wolfe conditions), and how many values of the function that took.

    ``at`` gives the point at a step length, ``step_length`` is the first one tried, ``size`` the largest element of the direction.
    Intervals in which no element changes by ``min_change`` are not searched. ``max_evaluations`` limits the calls of ``at``.
    """

    def too_high(point: Point) -> bool:
        return point.value > start.value + 1e-4 * point.step * start.slope

    def flat(point: Point) -> bool:
        return abs(point.slope) <= -0.9 * start.slope

    previous, point, used = start, at(step_length), 1
    for tries in range(max_evaluations):  # go on until an interval must contain such a point
        if too_high(point) or (tries > 1 and point.value >= previous.value):
            break
        if flat(point):
            return point, used
        if point.slope >= 0:
            break
        reach = _lowest(previous, point, point.step + 0.01 * (point.step - previous.step), point.step * 10)
        previous, point = point, at(reach)
        used += 1
    else:
        previous = start
    low, high = (previous, point) if previous.value <= point.value else (point, previous)
    stuck = False
    while used <= max_evaluations and abs(high.step - low.step) * size >= min_change:  # make it smaller
        left, right = min(low.step, high.step), max(low.step, high.step)
        reach = _lowest(low, high, left, right)
        margin = 0.1 * (right - left)
        if min(right - reach, reach - left) < margin:  # twice so near to an end: away from it
            if stuck or reach >= right or reach <= left:
                reach = right - margin if right - reach < reach - left else left + margin
                stuck = False
            else:
                stuck = True
        else:
            stuck = False
        point = at(reach)
        used += 1
        if too_high(point) or point.value >= low.value:
            high = point
        else:
            if flat(point):
                return point, used
            if point.slope * (high.step - low.step) >= 0:
                high = low
            low = point
        if high.value < low.value:
            low, high = high, low
    return low, used
