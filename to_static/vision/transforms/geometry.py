"""Matrices of image transforms: from the pixels of the result to those of the image."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np


def affine_matrix(
    center: Sequence[float], angle: float, translate: Sequence[float], scale: float, shear: Sequence[float]
) -> list[float]:
    """The six numbers a, b, c, d, e, f of (a x + b y + c, d x + e y + f): where a pixel of the result comes from.

    The image is sheared, turned clockwise by ``angle`` degrees and scaled about ``center``, then moved.
    """
    turn, along_x, along_y = math.radians(angle), math.radians(shear[0]), math.radians(shear[1])
    a = math.cos(turn - along_y) / math.cos(along_y)
    b = -a * math.tan(along_x) - math.sin(turn)
    c = math.sin(turn - along_y) / math.cos(along_y)
    d = -c * math.tan(along_x) + math.cos(turn)
    matrix = [d / scale, -b / scale, 0.0, -c / scale, a / scale, 0.0]
    x, y = center[0] + translate[0], center[1] + translate[1]
    matrix[2] = center[0] - matrix[0] * x - matrix[1] * y
    matrix[5] = center[1] - matrix[3] * x - matrix[4] * y
    return matrix


def perspective_coefficients(startpoints: Sequence[Sequence[float]], endpoints: Sequence[Sequence[float]]) -> list[float]:
    """The eight numbers a ... h of ((a x + b y + c) / (g x + h y + 1), (d x + e y + f) / (g x + h y + 1)) from end to start."""
    rows = []
    for (x, y), (u, v) in zip(endpoints, startpoints, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
    coefficients = np.linalg.lstsq(np.asarray(rows, np.float64), np.asarray(startpoints, np.float64).reshape(8), rcond=None)[0]
    return [float(coefficient) for coefficient in coefficients]
