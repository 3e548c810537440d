"""Boxes of large maps take no copy of the map each, and give the same numbers; boxes of no image are left out or refused."""

import types

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.ops.detection import psroi, regions
from to_static.core.errors import ArgumentError, ShapeError

DRAWN = np.random.default_rng(0)
MAPS = DRAWN.uniform(size=(2, 3, 20, 30)).astype("float32")
BOXES = np.sort(DRAWN.uniform(-3, 25, (9, 2, 2)), axis=1).reshape(9, 4).astype("float32")


def results(number):
    out = []
    calls = [
        lambda x, *given, ratio=ratio, aligned=aligned: paddle.vision.ops.roi_align(x, *given, 3, 1.0, ratio, aligned)
        for ratio in (-1, 2)
        for aligned in (True, False)
    ]
    for call in [*calls, lambda x, *given: paddle.vision.ops.roi_pool(x, *given, 3)]:
        x = paddle.to_tensor(MAPS, stop_gradient=False)
        y = call(x, paddle.to_tensor(BOXES), paddle.to_tensor(number, "int32"))
        (y * y).sum().backward()
        out += [y.numpy(), x.grad.numpy()]
    return out


def test_one_at_a_time(monkeypatch):
    quick = results([4, 5])
    monkeypatch.setattr(regions, "_MANY", 1)
    for a, b in zip(quick, results([4, 5]), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def test_boxes_of_no_image():
    with pytest.raises(ArgumentError, match="there are 9, but boxes_num adds up to 7"):
        results([4, 3])


@pytest.mark.parametrize("number", [2, [2], [1, 1], [[2]]])
def test_proposals_of_fewer_boxes(number):
    boxes = paddle.to_tensor([[0.0, 0, 30, 30], [0, 0, 400, 400], [1, 1, 50, 60]])
    call = paddle.vision.ops.distribute_fpn_proposals
    rois, restore, counts = call(boxes, 2, 5, 4, 224, rois_num=paddle.to_tensor(number, "int32"))
    assert [r.shape[0] for r in rois] == [1, 0, 1, 0]
    assert restore.numpy().tolist() == [[0], [1]]
    assert [c.numpy().sum() for c in counts] == [1, 0, 1, 0]


def _first_maximum(part):
    """The maximum of each channel and its row and column, the first in the order of the memory, a nan before all."""
    best = part.reshape(part.shape[0], -1).argmax(1)
    return part.reshape(part.shape[0], -1)[range(len(best)), best], *np.divmod(best, part.shape[2])


@pytest.mark.parametrize("maps", ["drawn", "ties", "nan"])
def test_maxima_and_where_they_are(maps):
    x = np.random.default_rng(1).normal(size=(2, 3, 11, 13)).astype("float32")
    x = {"drawn": x, "ties": np.maximum(np.round(x), 0), "nan": np.where(np.abs(x) < 0.05, np.float32(np.nan), np.round(x))}[maps]
    boxes = np.sort(np.random.default_rng(2).integers(-4, 15, (9, 2, 2)), axis=1).reshape(9, 4).astype("float32")
    kernel = regions.roi_pool_op.op.kernels["*"]
    sizes = {"pooled_height": 3, "pooled_width": 2, "spatial_scale": 1.0}
    out, where = kernel(np, x, boxes, np.asarray([4, 5]), **sizes)
    for r, (left, top, right, bottom) in enumerate(boxes.astype(int)):
        for i, j in np.ndindex(3, 2):
            height, width = (max(bottom - top + 1, 1) / 3, max(right - left + 1, 1) / 2)
            rows = np.clip([top + int(np.floor(i * height)), top + int(np.ceil((i + 1) * height))], 0, 11)
            columns = np.clip([left + int(np.floor(j * width)), left + int(np.ceil((j + 1) * width))], 0, 13)
            part = x[int(r >= 4), :, slice(*rows), slice(*columns)]
            if not part.size:
                assert (out[r, :, i, j] == 0).all() and (where[r, :, i, j] == -1).all()
                continue
            values, row, column = _first_maximum(part)
            np.testing.assert_array_equal(out[r, :, i, j], values)
            np.testing.assert_array_equal(where[r, :, i, j], (row + rows[0]) * 13 + column + columns[0])
    other = types.ModuleType("other")  # another array module: arrays of devices take all boxes at once
    other.__dict__.update(vars(np))
    for a, b in zip((out, where), kernel(other, x, boxes, np.asarray([4, 5]), **sizes), strict=True):
        np.testing.assert_array_equal(a, b)


def test_numbers_of_boxes_are_one_for_each_image():
    x, boxes = paddle.to_tensor(MAPS[:, :1].repeat(4, 1)), paddle.to_tensor(BOXES)
    ops = paddle.vision.ops
    for call in (ops.roi_align, ops.roi_pool, ops.psroi_pool):
        with pytest.raises(ShapeError, match=r"the number of boxes of each of 2 images, got \[1\] numbers"):
            call(x, boxes, paddle.to_tensor([9], "int32"), 2)


@pytest.mark.parametrize("number", [[9, 0], [0, 9]])
def test_gradients_of_an_image_without_boxes(number):
    x = paddle.to_tensor(MAPS[:, :1].repeat(8, 1), stop_gradient=False)
    paddle.vision.ops.psroi_pool(x, paddle.to_tensor(BOXES), paddle.to_tensor(number, "int32"), 2).sum().backward()
    sums = np.abs(x.grad.numpy()).sum((1, 2, 3))
    assert (sums > 0).tolist() == [n > 0 for n in number]


def test_boxes_of_psroi_pool_in_batches(monkeypatch):
    x, boxes = paddle.to_tensor(MAPS[:, :1].repeat(24, 1) * np.arange(24, dtype="float32")[:, None, None]), paddle.to_tensor(BOXES)
    number = paddle.to_tensor([4, 5], "int32")
    together = paddle.vision.ops.psroi_pool(x, boxes, number, (3, 4)).numpy()
    monkeypatch.setattr(psroi, "_MANY", 1)
    np.testing.assert_allclose(paddle.vision.ops.psroi_pool(x, boxes, number, (3, 4)).numpy(), together, rtol=1e-5, atol=1e-5)
