"""Detections of several classes where each has boxes of its own, as PaddlePaddle 2.6.2 gives them."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import ShapeError
from to_static.ops.detection.suppress import multiclass_nms, shares, suppressed


def drawn():
    draw = np.random.RandomState(3)
    low = draw.uniform(0, 8, (9, 3, 2))
    boxes = np.concatenate([low, low + draw.uniform(2, 6, (9, 3, 2))], -1).astype("float32")
    return paddle.to_tensor(boxes), paddle.to_tensor(draw.uniform(0, 1, (9, 3)).astype("float32"))


@pytest.mark.parametrize(
    ("background", "most", "numbers", "positions", "counts"),
    [
        (-1, 5, [4, 5], [0, 1, 7, 2, 8, 18, 24, 25, 14, 23], [5, 5]),
        (0, -1, [9], [1, 7, 25, 2, 8, 14, 23], [7]),
        (1, 3, [3, 0, 6], [0, 2, 8, 18, 14, 23], [3, 0, 3]),
    ],
)
def test_boxes_of_all_images_one_after_the_other(background, most, numbers, positions, counts):
    boxes, scores = drawn()
    images = paddle.to_tensor(np.asarray(numbers, "int32"))
    found, index, per_image = multiclass_nms(boxes, scores, images, background, 0.1, 6, 0.3, 1.0, most)
    assert index.flatten().tolist() == positions and per_image.tolist() == counts
    for (label, score, *corners), place in zip(found.tolist(), positions, strict=True):
        assert label == place % 3 and score == scores.flatten()[place].item()
        assert corners == boxes.reshape([27, 4])[place].tolist()


def test_numbers_that_are_not_all_boxes():
    boxes, scores = drawn()
    with pytest.raises(ValueError, match=r"RoisNum \[4, 4\] does not sum to 9 boxes"):
        multiclass_nms(boxes, scores, paddle.to_tensor(np.asarray([4, 4], "int32")))
    with pytest.raises(ShapeError, match=r"expected boxes \[N, M, 4\] and scores \[N, classes, M\], got \[9, 3, 4\] and \[9, 3\]"):
        multiclass_nms(boxes, scores)


@pytest.mark.parametrize(("eta", "threshold", "more"), [(1.0, 0.3, 0), (0.9, 0.7, 1)])
def test_many_boxes_one_by_one(eta, threshold, more):
    """They are compared in groups; what stays is what stays when each is compared with all that stay before it."""
    draw = np.random.RandomState(7)
    low = draw.uniform(0, 30, (150, 2))
    boxes = np.concatenate([low, low + draw.uniform(0, 20, (150, 2))], -1).astype("float32")
    common, kept, most = shares(boxes, boxes, more), [], np.float32(threshold)
    for i in range(len(boxes)):
        if all(common[i, k] <= most for k in kept):
            kept.append(i)
            most *= np.float32(eta) if most > 0.5 else 1
    assert suppressed(boxes, threshold, eta, more) == kept


def test_boxes_without_area_and_boxes_that_touch():
    """As PaddlePaddle 2.6.2 counts: two boxes without area at one place give no number, and only the first stays."""
    line, flat = [0.0, 2.0, 4.0, 2.0], [4.0, 0.0, 8.0, 4.0]
    boxes = np.asarray([line, line, flat, [8.5, 0.0, 9.0, 4.0], [3.0, 3.0, 1.0, 1.0]], "float32")
    assert suppressed(boxes, 0.5, 1.0, 0) == [0, 2, 3, 4]
    assert shares(boxes[2:4], boxes[2:4], 1).tolist() == [[1.0, 0.0], [0.0, 1.0]]  # half a pixel apart: they do not meet
