"""Detections of several classes where each has boxes of its own, as PaddlePaddle 2.6.2 gives them."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.ops.detection.nms import multiclass_nms
from to_static.core.errors import ShapeError


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


@pytest.mark.parametrize("attrs", [{}, {"nms_top_k": 40}, {"nms_eta": 0.9, "nms_threshold": 0.8}, {"background_label": 2}])
def test_the_best_of_all_classes_are_the_best_of_all_that_stay(attrs):
    """A limit on the results lets the operator stop early; they are those that it cuts off from all."""
    draw = np.random.RandomState(4)
    low = draw.uniform(0, 60, (2, 700, 2))
    boxes = paddle.to_tensor(np.concatenate([low, low + draw.uniform(2, 30, (2, 700, 2))], -1).astype("float32"))
    scores = paddle.to_tensor((draw.randint(0, 200, (2, 4, 700)) / 200).astype("float32"))  # with many that are the same
    attrs = {"background_label": -1, **attrs}
    found, index, counts = (x.numpy() for x in multiclass_nms(boxes, scores, **attrs))
    for wanted in (0, 1, 20, 150, 100_000):
        parts = []
        for image, end in zip(np.split(np.arange(len(found)), [counts[0]]), np.cumsum(counts), strict=True):
            best = image[np.argsort(-found[image, 1], kind="stable")][:wanted]
            parts.append(best[np.argsort(found[best, 0], kind="stable")])
            assert len(image) == 0 or image[-1] + 1 == end
        expected = np.concatenate(parts)
        few, places, _ = multiclass_nms(boxes, scores, keep_top_k=wanted, **attrs)
        np.testing.assert_array_equal(few.numpy(), found[expected])
        np.testing.assert_array_equal(places.numpy(), index[expected])


def test_the_best_lowered_scores_are_the_best_of_all():
    draw = np.random.RandomState(4)
    low = draw.uniform(0, 60, (1, 700, 2))
    boxes = paddle.to_tensor(np.concatenate([low, low + draw.uniform(2, 30, (1, 700, 2))], -1).astype("float32"))
    scores = paddle.to_tensor(draw.uniform(-0.2, 1, (1, 4, 700)).astype("float32"))
    for threshold in (0.1, -0.1):
        everything = paddle.vision.ops.matrix_nms(boxes, scores, threshold, 0.2, 300, -1, background_label=-1)[0]
        for wanted in (0, 1, 20, 150, 100_000):
            best = paddle.vision.ops.matrix_nms(boxes, scores, threshold, 0.2, 300, wanted, background_label=-1)[0]
            np.testing.assert_array_equal(best.numpy(), everything.numpy()[:wanted])


def test_the_best_proposals_of_many():
    """The best of all scores are found before they are sorted: of those that are the same the first."""
    draw = np.random.RandomState(2)
    scores = (draw.randint(0, 40, (1, 3, 20, 20)) / 40).astype("float32")
    low = draw.uniform(0, 300, (20, 20, 3, 2))
    anchors = np.concatenate([low, low + draw.uniform(10, 60, (20, 20, 3, 2))], -1).astype("float32")
    arrays = scores, np.zeros((1, 12, 20, 20), "float32"), np.asarray([[400.0, 400.0]], "float32"), anchors, np.ones_like(anchors)
    tensors = [paddle.to_tensor(x) for x in arrays]
    boxes, values, _ = paddle.vision.ops.generate_proposals(*tensors, pre_nms_top_n=500, post_nms_top_n=0, nms_thresh=0.0)
    order = np.argsort(-scores[0].transpose(1, 2, 0).ravel(), kind="stable")[:500]
    np.testing.assert_array_equal(values.numpy()[:, 0], scores[0].transpose(1, 2, 0).ravel()[order])
    np.testing.assert_allclose(boxes.numpy(), anchors.reshape(-1, 4)[order], rtol=1e-6)


@pytest.mark.parametrize(("most_of_a_class", "most"), [(2, -1), (-1, 2)])
def test_doubles_that_float32_cannot_tell_apart_are_ties(most_of_a_class, most):
    """Paddle 2.6.2 sorts doubles as float32: of equal ones the first boxes come first."""
    corner = np.arange(4.0)[:, None] * 10
    boxes = np.concatenate([corner, corner, corner + 5, corner + 5], 1)[None]
    scores = 0.5 + np.array([[[0, 3e-9, 1e-9, 2e-9]]])
    settings = (0.1, most_of_a_class, most, 0.3, True, 1.0, -1)
    rows, positions, _ = paddle._C_ops.multiclass_nms3(paddle.to_tensor(boxes), paddle.to_tensor(scores), None, *settings)
    assert positions.numpy().ravel().tolist() == [0, 1]
    assert rows.numpy()[:, 1].tolist() == scores[0, 0, :2].tolist()
