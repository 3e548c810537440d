"""Overlap of polygons, for detectors of rotated boxes.

A polygon is the sum of the triangles of its first corner with each side; these count negatively where it is not convex. The
intersection of two triangles is bounded by the parts of their sides that are inside the other triangle (Green's theorem).
"""

from __future__ import annotations

import numpy as np


def shares(polygons: np.ndarray, other_polygons: np.ndarray) -> np.ndarray:
    """Intersection over union of polygons [n, 2 * corners] with others [m, 2 * corners]: [n, m]; 0 where one has no area."""
    first, second = (p.astype("float64").reshape(len(p), -1, 2) for p in (polygons, other_polygons))
    middle = first.mean((0, 1)) if first.size else 0
    (a, of_a), (b, of_b) = (_triangles(p - middle) for p in (first, second))
    common = np.zeros((len(a), len(b)))
    for i in range(a.shape[1]):
        for j in range(b.shape[1]):
            edge, other_edge = a[:, None, i], b[None, :, j]
            both = np.maximum(_inside(edge, other_edge, True) + _inside(other_edge, edge, False), 0)
            common += np.sign(of_a[:, None, i]) * np.sign(of_b[None, :, j]) * both
    areas = np.abs(of_a.sum(1))[:, None], np.abs(of_b.sum(1))[None, :]
    common = np.abs(common)
    has_area = (areas[0] > 0) & (areas[1] > 0) & (common > 0)
    return np.where(has_area, common / np.where(has_area, areas[0] + areas[1] - common, 1), 0).astype(polygons.dtype)


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def _triangles(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Triangles [n, corners - 2, 3, 2], each the other way round where it is negative, and their areas with signs."""
    start = np.broadcast_to(corners[:, :1], corners[:, 1:-1].shape)
    triangles = np.stack([start, corners[:, 1:-1], corners[:, 2:]], 2)
    areas = _cross(triangles[:, :, 1] - triangles[:, :, 0], triangles[:, :, 2] - triangles[:, :, 0]) / 2
    return np.where((areas < 0)[..., None, None], triangles[:, :, [0, 2, 1]], triangles), areas


def _inside(sides: np.ndarray, triangle: np.ndarray, is_shared: bool) -> np.ndarray:
    """Half the sum of ``x dy - y dx`` along the parts of the sides of triangles that are inside others.

    ``is_shared``: whether a side counts that lies on a side of the other triangle with the same direction. One with the opposite
    direction never counts.
    """
    total = np.zeros(np.broadcast_shapes(sides.shape, triangle.shape)[:-2])
    for i in range(3):
        start, way = sides[..., i, :], sides[..., (i + 1) % 3, :] - sides[..., i, :]
        low, high = np.zeros(total.shape), np.ones(total.shape)
        for j in range(3):
            along = triangle[..., (j + 1) % 3, :] - triangle[..., j, :]
            depth, growth = _cross(along, start - triangle[..., j, :]), _cross(along, way)
            position = -depth / np.where(growth == 0, 1, growth)
            low = np.where(growth > 0, np.maximum(low, position), low)
            high = np.where(growth < 0, np.minimum(high, position), high)
            on_side = is_shared & ((along * way).sum(-1) > 0)
            high = np.where((growth == 0) & ((depth < 0) | ((depth == 0) & ~on_side)), 0, high)
        total += np.maximum(high - low, 0) * _cross(start, way) / 2
    return total
