"""Which boxes stay: compared with going through all boxes one by one, and with what PaddlePaddle 2.6.2 counts at the edges."""

from __future__ import annotations

import numpy as np
import pytest

from to_static.compiler.ops.detection import overlaps
from to_static.compiler.ops.detection.overlaps import detectors_share, nms_share, suppressed


def one_by_one(boxes, threshold, eta=1.0, more=0, share=detectors_share, ends=None):
    """Each box compared with all of its class that stay before it."""
    kept, start = [], 0
    planes = boxes.T
    for end in [len(boxes)] if ends is None else ends:
        stay, bound = [], boxes.dtype.type(threshold)
        for i in range(start, end):
            if stay:
                shares = share(planes[:, [i]], planes[:, stay], more)
                if not (shares <= bound).all():
                    continue
            stay.append(i)
            if eta < 1 and bound > 0.5:
                bound *= boxes.dtype.type(eta)
        kept += stay
        start = end
    return kept


def some_boxes(draw, n, corners):
    low = draw.uniform(0, 60, (n, 2))
    boxes = np.concatenate([low, low + draw.uniform(0, 40, (n, 2)) * draw.choice([0.1, 1, 2], (n, 1))], 1)
    if corners == "whole":  # many that touch, are the same or have no area
        boxes = np.round(boxes / 8)
    elif corners == "backwards":
        boxes[::7] = boxes[::7, [2, 3, 0, 1]]
    elif corners == "not finite":
        boxes[::31, 1], boxes[5::40, 2], boxes[6::50, 0] = np.nan, np.inf, -np.inf
    elif corners == "tiny":
        boxes *= 1e-21
    elif corners == "far":
        boxes[:, ::2] += 1e6
    elif corners == "huge":
        boxes *= 1e30
    elif corners == "one far":  # beside which the others are near to each other
        boxes[3] += 1e5
    return boxes


@pytest.mark.parametrize("corners", ["usual", "whole", "backwards", "not finite", "tiny", "far", "huge", "one far"])
@pytest.mark.parametrize("share", [detectors_share, nms_share])
def test_the_same_boxes_stay_as_one_by_one(corners, share, monkeypatch):
    monkeypatch.setattr(overlaps, "_BLOCK", 24)
    monkeypatch.setattr(overlaps, "_FEW", 24)
    monkeypatch.setattr(overlaps, "_COMPARED", 3000)
    draw = np.random.RandomState(5)
    for number, threshold, eta, more in [
        ("float32", 0.5, 1.0, 0), ("float32", 0.0, 1.0, 0), ("float64", 0.3, 1.0, 1), ("float32", 0.9, 0.8, 0),
        ("float32", 0.7, 0.95, 1), ("float32", 1.0, 1.0, 0), ("float32", -0.25, 1.0, 0), ("float16", 0.4, 1.0, 0),
    ]:  # fmt: skip
        if share is nms_share and more:
            continue
        with np.errstate(all="ignore"):
            boxes = some_boxes(draw, 180, corners).astype(number)
            ends = np.asarray([40, 40, 45, 150, 180])
            stay = suppressed(boxes, threshold, eta, more, share)
            assert stay.tolist() == one_by_one(boxes, threshold, eta, more, share), (number, threshold, eta, more)
            assert suppressed(boxes, threshold, eta, more, share, max_boxes=9).tolist() == stay[:9].tolist()
            of_classes = suppressed(boxes, threshold, eta, more, share, ends)
            assert of_classes.tolist() == one_by_one(boxes, threshold, eta, more, share, ends)


def test_boxes_without_area_and_boxes_that_touch():
    """As PaddlePaddle 2.6.2 counts: two boxes without area at one place give no number, and only the first stays."""
    line, flat = [0.0, 2.0, 4.0, 2.0], [4.0, 0.0, 8.0, 4.0]
    boxes = np.asarray([line, line, flat, [8.5, 0.0, 9.0, 4.0], [3.0, 3.0, 1.0, 1.0]], "float32")
    assert suppressed(boxes, 0.5).tolist() == [0, 2, 3, 4]
    assert suppressed(boxes, 0.5, share=nms_share).tolist() == [0, 1, 2, 3, 4]
    planes = boxes[2:4].T
    assert detectors_share(planes[:, :, None], planes[:, None], 1).tolist() == [[1.0, 0.0], [0.0, 1.0]]  # half a pixel apart


def test_the_best_box_stays_below_a_negative_threshold():
    boxes = np.asarray([[0, 0, 1, 1], [5, 5, 6, 6], [9, 9, 10, 10]], "float32")
    assert suppressed(boxes, -0.1).tolist() == [0]
    assert suppressed(boxes, -0.1, ends=np.asarray([1, 3])).tolist() == [0, 1]


def test_shares_are_computed_of_few_pairs(monkeypatch):
    """Of a thousand boxes in a large image most are far apart: their shares are not asked."""
    computed = []

    def counted(first, second, more):
        shares = detectors_share(first, second, more)
        computed.append(shares.size)
        return shares

    draw = np.random.RandomState(1)
    low = draw.uniform(0, 1000, (1000, 2))
    boxes = np.concatenate([low, low + draw.uniform(20, 60, (1000, 2))], 1).astype("float32")
    stay = suppressed(boxes, 0.4, share=counted)
    assert stay.tolist() == one_by_one(boxes, 0.4)
    assert sum(computed) < 10_000  # of half a million pairs
