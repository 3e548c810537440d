import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from to_static.vision.transforms.resample import METHODS, resample

IMAGE = np.array([[0, 10, 20, 30], [40, 50, 60, 70], [80, 90, 250, 110]], "float32")

RECORDED = {  # from OpenCV 4, by (method, height, width)
    ("nearest", 2, 2): [[0, 20], [40, 60]],
    ("nearest", 3, 8): [
        [0, 0, 10, 10, 20, 20, 30, 30],
        [40, 40, 50, 50, 60, 60, 70, 70],
        [80, 80, 90, 90, 250, 250, 110, 110],
    ],
    ("bilinear", 2, 2): [[15, 35], [75, 151.25]],
    ("bilinear", 5, 6): [
        [0, 5, 11.667, 18.333, 25, 30],
        [16, 21, 27.667, 34.333, 41, 46],
        [40, 45, 51.667, 58.333, 65, 70],
        [64, 69, 90.667, 157.333, 134, 94],
        [80, 85, 116.667, 223.333, 180, 110],
    ],
    ("bicubic", 2, 2): [[12.213, 30.463], [65.53, 167.166]],
    ("bicubic", 3, 8): [
        [-1.055, 1.914, 6.68, 12.969, 17.031, 23.32, 28.086, 31.055],
        [38.945, 41.914, 46.68, 52.969, 57.031, 63.32, 68.086, 71.055],
        [78.945, 76.641, 70.859, 132.227, 228.867, 235.156, 147.344, 95.234],
    ],
}


@pytest.mark.parametrize(("method", "height", "width"), RECORDED)
def test_numbers_are_opencvs(method, height, width):
    expected = RECORDED[method, height, width]
    assert resample(IMAGE, height, width, method) == pytest.approx(np.array(expected), abs=0.15)
    in_colour = resample(np.stack([IMAGE, IMAGE + 1], 2), height, width, method)
    assert in_colour[..., 1] == pytest.approx(np.array(expected) + 1, abs=0.15)


def test_integers_are_rounded_and_clipped():
    result = resample(IMAGE.astype("uint8"), 5, 6, "bicubic")
    assert result.dtype == np.uint8
    assert result[0].tolist() == [0, 0, 8, 14, 22, 27]
    assert result[4].tolist() == [83, 72, 122, 255, 207, 100]


@given(st.sampled_from(METHODS), st.integers(1, 9), st.integers(1, 9), st.integers(1, 9), st.integers(1, 9))
def test_constant_images_and_same_sizes_do_not_change(method, h, w, height, width):
    assert resample(np.full((h, w), 7.0), height, width, method) == pytest.approx(np.full((height, width), 7.0))
    image = np.random.default_rng(h * 10 + w).random((h, w, 3))
    assert resample(image, h, w, method) == pytest.approx(image)


def test_unknown_method():
    with pytest.raises(ValueError, match="nearest, bilinear, area, bicubic, lanczos, got 'linear'"):
        resample(IMAGE, 2, 2, "linear")
