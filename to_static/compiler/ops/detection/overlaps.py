"""Overlap of boxes, and the algorithm of non-maximum suppression: a box that overlaps a better one too much is removed.

Coordinates are separate rows ([4, n]: all left sides, all upper sides, ...), which NumPy processes several times as fast as a
trailing axis of four. Most pairs of boxes are far apart, which a few comparisons show (`Near`). The overlap is computed only for
the other pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf

import numpy as np

from to_static.compiler.ops.detection import polygons

Share = Callable[[np.ndarray, np.ndarray, float], np.ndarray]
"""Intersection over union of boxes given as planes [4, ...], whose shapes after the first axis are broadcast."""


def detectors_share(first: np.ndarray, second: np.ndarray, more: float) -> np.ndarray:
    """Intersection over union as the detectors' operators count it.

    Boxes that only touch meet; two without area at one place give NaN, which is no number below any threshold: Paddle's numbers.
    ``more``: 1 for boxes of whole pixels.
    """
    left, top, right, bottom = first
    others_left, others_top, others_right, others_bottom = second
    width = np.minimum(right, others_right) - np.maximum(left, others_left)
    height = np.minimum(bottom, others_bottom) - np.maximum(top, others_top)
    meet = (right >= others_left) & (others_right >= left) & (bottom >= others_top) & (others_bottom >= top)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        common = (width + more) * (height + more)
        return np.where(meet, common / (_areas(first, more) + _areas(second, more) - common), common.dtype.type(0))


def _areas(boxes: np.ndarray, more: float) -> np.ndarray:
    """Areas of boxes given as planes; those that end before they start have none."""
    width, height = boxes[2] - boxes[0], boxes[3] - boxes[1]
    return np.where((width < 0) | (height < 0), boxes.dtype.type(0), (width + more) * (height + more))


def nms_share(first: np.ndarray, second: np.ndarray, more: float) -> np.ndarray:
    """Intersection over union as `paddle.vision.ops.nms` counts it: 0 where boxes only touch, -inf for NaN, above no threshold."""
    width = np.minimum(first[2], second[2]) - np.maximum(first[0], second[0])
    height = np.minimum(first[3], second[3]) - np.maximum(first[1], second[1])
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        common = width * height
        first_area, second_area = ((x[2] - x[0]) * (x[3] - x[1]) for x in (first, second))
        share = np.where((width > 0) & (height > 0), common / (first_area + second_area - common), common.dtype.type(0))
    return np.where(np.isnan(share), share.dtype.type(-np.inf), share)


def polygons_share(first: np.ndarray, second: np.ndarray, more: float) -> np.ndarray:
    """Intersection over union of polygons, planes [8, n, 1] (or 16, 24, 32) with others [8, 1, m]."""
    return polygons.shares(first[:, :, 0].T, second[:, 0].T)


# pairs that share much -----------------------------------------------------------------------------------------------

_COMPARED = 1 << 19  # pairs that are compared at once: their marks fit a cache
_COMPUTED = 1 << 14  # pairs whose shares are computed at once: memory of this size is at hand, while larger one comes as new pages
_SLACK = 1e-4  # more than rounding makes of a share
_FEW = 128  # boxes whose shares are computed sooner than compared
_BLOCK = 192  # boxes among which the first that stays decides about the next; the later ones are compared with those that stay


class Near:
    """Finds the pairs of boxes that share more than ``bound``, or NaN.

    What two boxes have in common is more than ``bound`` of each of them, so each reaches into the other by that part of its width
    and height, and neither's area is less than that part of the other's. Each box has its own numbers (``_limits``) that those of
    others are compared with (``_extents``): whole ones of 16 bits, in the order of the boxes' own, of which a processor compares
    twice as many at once; where two become one number, a share is computed. This holds for finite numbers and boxes that do not
    end before they start; otherwise shares are computed of all pairs, as they are of few boxes.
    """

    __slots__ = ("_bound", "_boxes", "_extents", "_limits", "_marks", "_more", "_share")

    def __init__(self, boxes: np.ndarray, bound: float, more: float, share: Share) -> None:
        self._boxes, self._bound, self._more, self._share = boxes, bound, more, share
        self._limits: np.ndarray | None = None
        self._marks = np.empty((2, min(_COMPARED, _BLOCK * boxes.shape[1])), bool)
        if len(boxes) != 4 or boxes.shape[1] <= _FEW or boxes.dtype.itemsize < 4 or not bound >= 0:
            return
        with np.errstate(invalid="ignore", over="ignore"):
            spans = boxes[2:] - boxes[:2]
            area = (spans[0] + more) * (spans[1] + more)
        limits = np.finfo(boxes.dtype)
        roughly = (area > 0) & (area < limits.tiny / limits.eps)  # shares of such areas are not exact enough
        if not (spans >= 0).all() or not np.isfinite(area).all() or roughly.any():
            return
        part = bound * (1 - _SLACK)
        inside = np.maximum(part * (spans.astype("float64") + more) - more, 0)
        inside[:, area == 0] = 0  # these share nothing, or NaN where they meet
        with np.errstate(over="ignore", invalid="ignore"):
            max_area = area / part if part > 0 else np.full(len(area), np.inf)
            sizes = [_short(part * area), _short(max_area * (1 + _SLACK)), _short(area)]
        starts, ends = boxes[:2] + inside, boxes[2:] - inside
        low = boxes[:2].min(1, keepdims=True).astype("float64")
        steps = _STEPS / np.maximum(boxes[2:].max(1, keepdims=True) - low, limits.tiny)
        self._limits = np.concatenate([_steps(starts, low, steps), _steps(ends, low, steps), sizes[:2]])
        self._extents = np.concatenate([_steps(boxes[:2], low, steps), _steps(boxes[2:], low, steps), sizes[2:]])

    def pairs(self, queries: np.ndarray, candidates: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of boxes at the positions ``queries`` with those at ``candidates``: the places of each pair in these, and what it shares.

        NaN is given as infinity. Pairs of at most 2**14 boxes are in order.
        """
        parts = list(self._all(queries, candidates) if self._limits is None else self._close(queries, candidates))
        if len(parts) == 1:
            return parts[0]
        rows, columns, shares = (np.concatenate(part) for part in zip(*parts, strict=True))
        return rows, columns, shares

    def _all(self, queries: np.ndarray, candidates: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        first = self._boxes[:, queries, None]
        step = max(1, _COMPUTED // len(queries))
        for start in range(0, len(candidates), step):
            shares = self._share(first, self._boxes[:, None, candidates[start : start + step]], self._more)
            rows, columns = np.nonzero(~(shares <= self._bound))
            yield rows, columns + start, _without_nan(shares[rows, columns])

    def _close(self, queries: np.ndarray, candidates: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        assert self._limits is not None
        left_edge, top_edge, right_edge, bottom_edge, min_area, max_area = self._limits.take(queries, 1)[:, :, None]
        step = max(8, _COMPARED // len(queries) // 8 * 8)
        for start in range(0, len(candidates), step):
            block = candidates[start : start + step]
            starts_x, starts_y, ends_x, ends_y, area = self._extents.take(block, 1)  # each row in one piece, unlike [:, block]
            close, test = self._marks[:, : len(queries) * len(block)].reshape(2, len(queries), len(block))
            np.less_equal(left_edge, ends_x, out=close)
            for compare, query_limit, limit in (
                (np.greater_equal, right_edge, starts_x), (np.less_equal, top_edge, ends_y),
                (np.greater_equal, bottom_edge, starts_y),
                (np.less_equal, min_area, area), (np.greater_equal, max_area, area),
            ):  # fmt: skip
                np.logical_and(close, compare(query_limit, limit, out=test), out=close)
            rows, columns = np.divmod(np.flatnonzero(close), len(block))
            shares = self._share(self._boxes.take(queries[rows], 1), self._boxes.take(block[columns], 1), self._more)
            above = ~(shares <= self._bound)
            yield rows[above], columns[above] + start, _without_nan(shares[above])


_STEPS = 65535  # from the least coordinate to the largest


def _steps(coordinates: np.ndarray, low: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Coordinates [2, n] as 16 bits, in their order; near ones may become the same."""
    return np.clip((coordinates - low) * steps, 0, _STEPS).astype("uint16")


def _short(values: np.ndarray) -> np.ndarray:
    """Numbers that are not negative as 16 bits, in their order: bits of floats are in that of the floats."""
    return (values.astype("float32").view("uint32") >> 16).astype("uint16")


def _without_nan(shares: np.ndarray) -> np.ndarray:
    """NaN, which is below no threshold, as infinity."""
    return np.where(np.isnan(shares), shares.dtype.type(np.inf), shares)


# suppression ---------------------------------------------------------------------------------------------------------


def suppressed(
    boxes: np.ndarray, threshold: float, eta: float = 1.0, more: float = 0, share: Share = detectors_share,
    ends: np.ndarray | None = None, max_boxes: int = -1,
) -> np.ndarray:  # fmt: skip
    """Non-maximum suppression: return the indices of the boxes that overlap no better box of their class that is retained.

    Args:
        boxes: [n, 4], one class after the other, and in each the best one first; or polygons [n, 8] (16, 24, 32).
        threshold: the overlap that two boxes may have.
        eta: each retained box multiplies the threshold by it, as long as the threshold is above 0.5.
        more: 1 for boxes of whole pixels. share: the measure of overlap. ends: the end of each class (default: one class).
        max_boxes: with one class, the number of boxes to return (-1: all).
    """
    scalar_type = boxes.dtype.type
    planes = np.ascontiguousarray(boxes.T)
    bound = first = float(scalar_type(threshold))
    shrinks = eta < 1 and first > 0.5
    min_share = min(first, 0.5 * eta * (1 - _SLACK)) if shrinks else first
    near = Near(planes, min_share, more, share if len(planes) == 4 else polygons_share)
    ends = np.asarray([len(boxes)]) if ends is None else ends
    of_class = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
    worst = np.full(len(boxes), -np.inf)  # how much each box shares with one that stays
    survivors_so_far: list[int] = []
    queue = np.arange(0)  # what is left of the last class that has been begun
    begun, current = 0, 0  # boxes that are in the queue or have been; the class of ``bound``
    while begun < len(boxes) or len(queue):
        block, queue = queue[:_BLOCK], queue[_BLOCK:]
        if len(block) < _BLOCK and begun < len(boxes):
            stop = min(begun + _BLOCK - len(block), len(boxes))
            end = int(ends[of_class[stop - 1]])
            block, queue, begun = np.concatenate([block, np.arange(begun, stop)]), np.arange(stop, end), end
        labels = of_class[block]
        rows, columns, shares = near.pairs(block, block)
        together = (rows < columns) & (labels[rows] == labels[columns])
        begins = np.searchsorted(rows[together], np.arange(len(block) + 1)).tolist()
        partners, overlap_now, survivors = columns[together].tolist(), worst[block].tolist(), []
        if not shrinks:  # each of the pairs shares too much
            current = labels[-1]
            for i, overlap in enumerate(overlap_now):
                if overlap <= bound:
                    survivors.append(i)
                    for k in partners[begins[i] : begins[i + 1]]:
                        overlap_now[k] = inf
        else:
            overlaps = shares[together].tolist()
            for i, label in enumerate(labels.tolist()):
                if label != current:
                    current, bound = label, first
                if overlap_now[i] > bound:
                    continue
                survivors.append(i)
                for k in range(begins[i], begins[i + 1]):
                    overlap_now[partners[k]] = max(overlap_now[partners[k]], overlaps[k])
                if bound > 0.5:
                    bound = float(scalar_type(bound) * scalar_type(eta))
        survivors_so_far += block[survivors].tolist()
        if -1 < max_boxes <= len(survivors_so_far):
            return np.asarray(survivors_so_far[:max_boxes], "int64")
        better = block[survivors][labels[survivors] == current]
        if len(better) and len(queue):
            _, columns, shares = near.pairs(better, queue)
            if shrinks:
                np.maximum.at(worst, queue[columns], shares)
            else:
                worst[queue[columns]] = inf
            queue = queue[worst[queue] <= bound]
    return np.asarray(survivors_so_far, "int64")
