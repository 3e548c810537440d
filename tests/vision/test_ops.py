"""Operators of detectors: what they refuse, and detections of several classes (numbers: `tests/ops/paddle_expressions.txt`)."""

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import ShapeError
from to_static.ops.suppress import multiclass_nms
from to_static.vision import ops

BOXES = np.array([[0, 0, 4, 4], [0.5, 0.5, 4.5, 4], [6, 6, 9, 9], [0, 1, 4, 4], [6, 5, 9, 8]], "float32")


def test_boxes_of_categories_do_not_suppress_each_other():
    boxes, scores = paddle.to_tensor(BOXES), paddle.to_tensor([0.1, 0.5, 0.3, 0.9, 0.4])
    apart = ops.nms(boxes, 0.3, scores, paddle.to_tensor([0, 1, 2, 3, 4]), [0, 1, 2, 3, 4])
    assert apart.tolist() == [3, 1, 4, 2, 0]
    assert ops.nms(boxes, 0.3, scores, paddle.to_tensor([0, 1, 0, 1, 9]), [0, 1]).tolist() == [3, 2, 0]
    with pytest.raises(ValueError, match="top_k must be at most"):
        ops.nms(boxes, 0.3, scores, top_k=9)
    with pytest.raises(ValueError, match="categories must list"):
        ops.nms(boxes, 0.3, scores, paddle.to_tensor([0] * 5))


def test_detections_of_several_classes():
    scores = np.array([[[0.1, 0.5, 0.3, 0.9, 0.4], [0.2, 0.05, 0.7, 0.6, 0.1]]], "float32")
    out, index, count = multiclass_nms(
        paddle.to_tensor(BOXES[None]), paddle.to_tensor(scores), None, -1, 0.15, 5, 0.3, 1.0, 3, True
    )
    # the best three of [class 0: 3 (0.9), 4 (0.4)], [class 1: 2 (0.7), 3 (0.6)], by class
    assert [(int(a), round(float(b), 2)) for a, b in out.numpy()[:, :2]] == [(0, 0.9), (1, 0.7), (1, 0.6)]
    assert index.numpy()[:, 0].tolist() == [3, 2, 3] and count.tolist() == [3]
    none = multiclass_nms(paddle.to_tensor(BOXES[None]), paddle.to_tensor(scores), None, -1, 0.99, 5, 0.3, 1.0, 3, True)
    assert [t.shape for t in none] == [[0, 6], [0, 1], [1]]


def test_a_region_without_points_is_zero():
    boxes = paddle.to_tensor([[2.0, 0.5, 2.0, 0.5]])
    found = ops.roi_align(paddle.ones([1, 1, 4, 4]), boxes, paddle.to_tensor([1], dtype="int32"), 2)
    assert found.shape == [1, 1, 2, 2] and not found.numpy().any()  # Paddle gives nan


def test_gradients_of_regions_in_a_static_function():
    boxes, count = paddle.to_tensor(BOXES), paddle.to_tensor([2, 3], dtype="int32")
    found = []
    for static in (False, True):
        x = paddle.to_tensor(np.random.default_rng(0).normal(size=(2, 3, 8, 8)).astype("float32"), stop_gradient=False)

        def both(x):
            return ops.roi_align(x, boxes, count, 2), ops.roi_pool(x, boxes, count, (1, 3), 0.5)

        a, b = (paddle.jit.to_static(both) if static else both)(x)
        ((a * a).sum() + (b * b).sum()).backward()
        found.append(x.grad.numpy())
    np.testing.assert_allclose(*found, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda t: ops.roi_align(t(2, 3, 4), t(3, 4), paddle.ones([2], "int32"), 2), "roi_align: expected"),
        (lambda t: ops.roi_pool(t(2, 3, 4, 4), t(3, 4), paddle.ones([2], "int32"), 0), "the output size must be positive"),
        (lambda t: ops.yolo_box(t(1, 17, 2, 2), paddle.ones([1, 2], "int32"), [1, 2], 4, 0.1, 8), "yolo_box: expected"),
        (lambda t: ops.prior_box(t(1, 3, 2, 2), t(1, 3, 8, 8), [4.0], [5.0, 6.0]), "as many max_sizes as min_sizes"),
        (lambda t: ops.box_coder(t(5, 4), None, t(3, 2, 4), "decode_center_size"), "5 prior boxes do not fit"),
        (lambda t: ops.nms(t(5, 3)), "nms: expected boxes"),
    ],
)
def test_what_does_not_fit_is_refused(call, message):
    with pytest.raises(ShapeError, match=message):
        call(lambda *shape: paddle.ones(shape))


DETECTIONS = [  # attributes, and classes and positions that Paddle's `multiclass_nms3` gives for the boxes and scores below
    (
        (-1, 0.1, 8, 0.3, 1.0, 5, True),
        [0, 1, 1, 1, 2, 0, 0, 1, 1, 2], [7, 1, 10, 8, 2, 20, 23, 17, 15, 20], [5, 5],
    ),
    (
        (1, 0.05, 6, 0.7, 0.9, 10, True),
        [0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2],
        [7, 2, 6, 4, 2, 0, 8, 3, 10, 5, 20, 23, 17, 18, 15, 20, 19, 21, 12, 18], [10, 10],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("attrs", "labels", "places", "counts"), DETECTIONS)
def test_detections_are_those_of_paddle(attrs, labels, places, counts):
    random = np.random.RandomState(0)
    low = random.uniform(0, 8, (2, 12, 2))
    boxes = np.concatenate([low, low + random.uniform(2, 6, (2, 12, 2))], -1).astype("float32")
    scores = random.uniform(0, 1, (2, 3, 12)).astype("float32")
    out, index, count = multiclass_nms(paddle.to_tensor(boxes), paddle.to_tensor(scores), None, *attrs)
    assert out.numpy()[:, 0].tolist() == labels and index.numpy()[:, 0].tolist() == places and count.tolist() == counts
    for row, label, place in zip(out.numpy(), labels, places, strict=True):
        assert row[1] == scores[place // 12, label, place % 12]
        np.testing.assert_array_equal(row[2:], boxes[place // 12, place % 12])
