"""Boxes of large maps take no copy of the map each, and give the same numbers; boxes of no image are left out or refused."""

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.ops.detection import regions
from to_static.core.errors import ArgumentError

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
