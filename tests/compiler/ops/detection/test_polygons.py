import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.ops.detection import nms, polygons
from to_static.compiler.ops.detection.overlaps import detectors_share

QUADS = [  # turned and concave ones, one twice, two side by side, one without area; clockwise and not
    [
        [10, 10, 20, 12, 18, 22, 8, 20], [12, 11, 22, 13, 20, 23, 10, 21], [40, 40, 50, 40, 50, 50, 40, 50],
        [50, 40, 60, 40, 60, 50, 50, 50], [40, 40, 50, 40, 50, 50, 40, 50], [41, 41, 41, 52, 45, 45, 52, 41],
        [9, 21, 19, 23, 21, 13, 11, 11], [70, 70, 70, 70, 70, 70, 70, 70],
    ],
]  # fmt: skip
SCORES = [[[0.9, 0.8, 0.7, 0.65, 0.6, 0.5, 0.85, 0.95], [0.2, 0.3, 0.91, 0.4, 0.92, 0.93, 0.1, 0.05]]]
KEPT = {0.3: [7, 0, 2, 3, 5, 3, 1, 7], 0.6: [7, 0, 1, 2, 3, 5, 5, 4, 3, 1, 0, 7]}  # as PaddlePaddle 2.6.2 gives them


@pytest.mark.parametrize("threshold", KEPT)
def test_polygons_that_stay(threshold):
    boxes, scores = (paddle.to_tensor(np.asarray(v, "float32")) for v in (QUADS, SCORES))
    call = lambda b, s: nms.multiclass_nms(b, s, None, -1, 0.01, 100, threshold, 1.0, 100, True)
    for function in (call, paddle.jit.to_static(call)):
        found, index, count = (v.numpy() for v in function(boxes, scores))
        assert index.ravel().tolist() == KEPT[threshold] and count.tolist() == [len(index)]
        np.testing.assert_array_equal(found[:, 2:], np.asarray(QUADS[0], "float32")[index.ravel()])


def test_boxes_are_polygons_of_four_corners():
    rng = np.random.default_rng(0)
    low = rng.integers(0, 10, (2, 30, 2))
    boxes, others = (np.concatenate([p, p + rng.integers(1, 8, (30, 2))], 1).astype("float64") for p in low)
    found = polygons.shares(boxes[:, [0, 1, 2, 1, 2, 3, 0, 3]], others[:, [0, 3, 2, 3, 2, 1, 0, 1]])
    np.testing.assert_allclose(found, detectors_share(boxes.T[:, :, None], others.T[:, None], 0), atol=1e-12)


def test_what_is_cut_out_is_not_shared():
    arrow = np.asarray([[0, 0, 4, 2, 0, 4, 2, 2]], "float32")  # area 4
    assert polygons.shares(arrow, np.asarray([[0, 1, 1.5, 1, 1.5, 3, 0, 3]], "float32")) == pytest.approx(0.25 / 6.75)
    assert polygons.shares(arrow, arrow) == pytest.approx(1)
