"""Resizing: weights of the methods, and what is refused."""

import numpy as np
import pytest

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ops.layers.interpolate import matrix
from to_static.core.errors import ShapeError
from to_static.nn import functional as F


def t(*shape):
    return EagerTensor(np.ones(shape, "float32"))


@pytest.mark.parametrize("method", ["nearest", "linear", "bicubic"])
@pytest.mark.parametrize("corners", [False, True])
@pytest.mark.parametrize(("size", "target"), [(3, 7), (7, 3), (4, 4), (5, 1), (1, 3)])
def test_weights_of_an_output_element_sum_to_one(method, corners, size, target):
    np.testing.assert_allclose(matrix(method, size, target, 0, corners, 0).sum(1), 1, atol=1e-5)


def test_the_same_size_changes_nothing():
    for method in ("nearest", "linear", "bicubic"):
        np.testing.assert_allclose(matrix(method, 5, 5, 0, False, 0), np.eye(5), atol=1e-6)


def test_aligned_corners_keep_the_ends():
    m = matrix("linear", 3, 5, 0, True, 0)
    np.testing.assert_allclose(m @ [0, 1, 2], [0, 0.5, 1, 1.5, 2], atol=1e-6)


@pytest.mark.parametrize(
    ("shape", "options", "error", "message"),
    [
        ((1, 1, 2, 2), {}, ValueError, "either size or scale_factor"),
        ((1, 1, 2, 2), {"size": 3, "scale_factor": 2}, ValueError, "either size or scale_factor"),
        ((1, 1, 2, 2), {"size": 3, "mode": "lanczos"}, ValueError, "mode must be one of"),
        ((1, 1, 2), {"size": 3}, ShapeError, "nearest needs 4 dimensions"),
        ((1, 1, 2, 2), {"size": [3, 3, 3]}, ShapeError, "size"),
        ((1, 1, 2, 2), {"scale_factor": 0.1}, ShapeError, "would have spatial size"),
        ((1, 1, 2, 2), {"scale_factor": -1}, ValueError, "positive scale_factor"),
        ((1, 1, 2, 2), {"size": 3, "align_corners": True}, ValueError, "no meaning for nearest"),
        ((1, 1, 2, 2), {"size": 3, "align_mode": 2}, ValueError, "align_mode"),
        ((1, 1, 2, 2), {"size": 3, "data_format": "NCW"}, ValueError, "data_format"),
        ((1, 1, 2, 2), {"scale_factor": 2, "mode": "area"}, ValueError, "area needs size"),
        ((2, 2), {"size": 3}, ShapeError, "3 to 5 dimensions"),
    ],
)
def test_what_does_not_fit_is_refused(shape, options, error, message):
    with pytest.raises(error, match=message):
        F.interpolate(t(*shape), **options)
