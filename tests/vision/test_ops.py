"""Operators of detectors: refusals, and detections of several classes (numbers: `tests/compiler/ops/paddle_expressions.txt`)."""

from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from tests import recorded
from to_static.compiler.ops.detection.nms import multiclass_nms
from to_static.core.errors import AutogradError, ShapeError
from to_static.vision import ops

RECORDS = recorded.records(Path(__file__).with_name("paddle_expressions.json"))
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
        (lambda t: ops.psroi_pool(t(1, 5, 4, 4), t(3, 4), paddle.ones([1], "int32"), 2), "psroi_pool: expected channels"),
        (lambda t: ops.deform_conv2d(t(1, 2, 4, 4), t(1, 9, 2, 2), t(1, 2, 3, 3)), "expected an offset .*18"),
        (lambda t: ops.deform_conv2d(t(1, 3, 4, 4), t(1, 18, 2, 2), t(2, 2, 3, 3)), "does not fit 3 channels"),
        (lambda t: ops.distribute_fpn_proposals(t(5, 4), 3, 2, 3, 224), "levels must rise"),
        (lambda t: ops.matrix_nms(t(5, 4), t(1, 2, 5), 0.1, 0.1, 4, 4), "matrix_nms: expected boxes"),
        (lambda t: ops.yolo_loss(t(1, 9, 2, 2), t(1, 1, 4), t(1, 1).astype("int32"), [1, 2], [1], 4, 0.5, 8), "numbers of them"),
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


@pytest.mark.parametrize(("text", "record"), RECORDS, ids=[r[0] for r in RECORDS])
def test_numbers_are_those_of_paddle(text, record):
    """What cannot stand in `tests/compiler/ops/paddle_expressions.txt`, since Paddle's static mode crashes there."""
    recorded.check(recorded.in_eager_mode(text), record, text)
    if "stop_gradient" not in text:
        recorded.check(recorded.in_a_program(text), record, text)


def test_proposals_without_counts():
    boxes = paddle.to_tensor(BOXES)
    rois, restore, counts = ops.distribute_fpn_proposals(boxes, 2, 3, 2, 4)
    assert counts is None and sum(r.shape[0] for r in rois) == 5
    assert np.array_equal(paddle.concat(rois).numpy()[restore.numpy()[:, 0]], BOXES)
    scores, deltas, anchors = paddle.ones([1, 5, 1, 1]), paddle.zeros([1, 20, 1, 1]), boxes.reshape([1, 1, 5, 4])
    found = ops.generate_proposals(scores, deltas, paddle.to_tensor([[9.0, 9.0]]), anchors, paddle.ones([1, 1, 5, 4]))
    assert found[2] is None and found[0].shape[1] == 4


def test_layers_of_regions_and_shifted_windows():
    boxes, count = paddle.to_tensor(BOXES), paddle.to_tensor([2, 3], dtype="int32")
    x = paddle.rand([2, 4, 8, 8])
    for layer, function in ((ops.RoIAlign(2, 0.5), ops.roi_align), (ops.RoIPool(2, 0.5), ops.roi_pool)):
        assert np.array_equal(layer(x, boxes, count).numpy(), function(x, boxes, count, 2, 0.5).numpy())
        assert repr(layer).endswith("(output_size=2, spatial_scale=0.5)")
    assert np.array_equal(ops.PSRoIPool((2, 1))(x, boxes, count).numpy(), ops.psroi_pool(x, boxes, count, (2, 1)).numpy())
    conv = ops.DeformConv2D(4, 6, 3, stride=2, padding=1, groups=2)
    assert [conv.weight.shape, conv.bias.shape] == [[6, 2, 3, 3], [6]]
    plain = paddle.nn.functional.conv2d(x, conv.weight, conv.bias, 2, 1, groups=2)
    np.testing.assert_allclose(conv(x, paddle.zeros([2, 18, 4, 4])), plain, rtol=1e-4, atol=1e-5)
    static = paddle.jit.to_static(conv)
    np.testing.assert_allclose(static(x, paddle.zeros([2, 18, 4, 4]), paddle.ones([2, 9, 4, 4])), plain, rtol=1e-4, atol=1e-5)
    assert ops.DeformConv2D(4, 6, 3, bias_attr=False).bias is None


def test_training_with_shifted_windows_in_a_static_function():
    found = []
    for static in (False, True):
        paddle.seed(3)
        conv = ops.DeformConv2D(2, 3, 3, padding=1)
        where = paddle.nn.Conv2D(2, 27, 3, padding=1)

        def loss(x, conv=conv, where=where):
            moved = where(x)
            return (conv(x, moved[:, :18], paddle.nn.functional.sigmoid(moved[:, 18:])) ** 2).sum()

        (paddle.jit.to_static(loss) if static else loss)(paddle.ones([1, 2, 5, 5])).backward()
        found.append([p.grad.numpy() for p in (*conv.parameters(), *where.parameters())])
    for eager, static in zip(*found, strict=True):
        np.testing.assert_allclose(static, eager, rtol=1e-4, atol=1e-5)


def test_no_gradients_of_gradients():
    x = paddle.rand([1, 2, 4, 4])
    x.stop_gradient = False
    [g] = paddle.grad(ops.deform_conv2d(x, paddle.zeros([1, 18, 2, 2]), paddle.ones([1, 2, 3, 3])).sum(), [x], create_graph=True)
    with pytest.raises(AutogradError, match="no gradients of gradients"):
        paddle.grad(g.sum(), [x])


def test_files_of_images(tmp_path):
    Image = pytest.importorskip("PIL.Image")
    pixels = np.full((4, 5, 3), 100, "uint8")
    Image.fromarray(pixels).save(tmp_path / "a.jpg", quality=95)
    data = ops.read_file(str(tmp_path / "a.jpg"))
    assert (data.dtype, data.numpy().tobytes()) == (paddle.uint8, (tmp_path / "a.jpg").read_bytes())
    assert np.abs(ops.decode_jpeg(data).numpy().astype(int) - 100).max() < 3
    assert [ops.decode_jpeg(data, mode).shape for mode in ("unchanged", "gray", "rgb")] == [[3, 4, 5], [1, 4, 5], [3, 4, 5]]
    with pytest.raises(ValueError, match="one of unchanged, gray, rgb, got 'cmyk'"):
        ops.decode_jpeg(data, "cmyk")
    with pytest.raises(FileNotFoundError):
        ops.read_file(tmp_path / "b.jpg")


def test_blocks():
    block = ops.ConvNormActivation(3, 4, 5, stride=2, norm_layer=None, activation_layer=paddle.nn.Tanh)
    assert block(paddle.ones([1, 3, 8, 8])).shape == [1, 4, 4, 4] and len(block) == 2 and block[0].bias is not None
    assert ops.ConvNormActivation(3, 4)[0].bias is None
    assert ops.ConvNormActivation(3, 4, dilation=2)(paddle.ones([1, 3, 8, 8])).shape == [1, 4, 8, 8]
