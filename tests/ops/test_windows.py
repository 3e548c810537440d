"""Padding attributes, output sizes and strided views."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from to_static.core.errors import ShapeError
from to_static.ops import windows


@pytest.mark.parametrize(
    ("padding", "want"),
    [
        (1, ([1, 1], "EXPLICIT")),
        ([2], ([2, 2], "EXPLICIT")),
        ([1, 2], ([1, 2], "EXPLICIT")),
        ([1, 2, 3, 4], ([1, 2, 3, 4], "EXPLICIT")),
        ([1, 1, 3, 3], ([1, 3], "EXPLICIT")),
        ([[0, 0], [0, 0], [1, 2], [3, 3]], ([1, 2, 3, 3], "EXPLICIT")),
        ([(1, 1), (2, 2)], ([1, 2], "EXPLICIT")),
        ("same", ([0, 0], "SAME")),
        ("VALID", ([0, 0], "VALID")),
    ],
)
def test_forms_of_padding(padding, want):
    assert windows.padding_attrs(padding, 2, False, "op") == want


def test_channel_last_pairs_have_the_channel_at_the_end():
    assert windows.padding_attrs([[0, 0], [1, 2], [3, 4], [0, 0]], 2, True, "op") == ([1, 2, 3, 4], "EXPLICIT")
    with pytest.raises(ShapeError, match="batch and channel"):
        windows.padding_attrs([[0, 0], [0, 0], [1, 2], [3, 4]], 2, True, "op")


@given(st.integers(1, 12), st.integers(1, 4), st.integers(1, 4))
def test_same_padding_gives_size_over_stride_rounded_up(size, kernel, stride):
    [(before, after)] = windows.resolve([0], "SAME", [size], [kernel], [stride])
    assert 0 <= after - before <= 1
    [out] = windows.output_sizes([size], [kernel], [stride], [1], [0], "SAME")
    assert out == -(-size // stride)
    assert (size + before + after - kernel) // stride + 1 == out or kernel < stride


def test_rounding_up_counts_a_window_that_sticks_out():
    sizes = ([6], [3], [2], [1], [0], "EXPLICIT")
    assert windows.output_sizes(*sizes) == [2]
    assert windows.output_sizes(*sizes, ceil_mode=True) == [3]
    assert windows.output_sizes([-1], *sizes[1:]) == [-1]


def test_views_share_memory_and_hold_every_window():
    x = np.arange(24.0).reshape(1, 1, 4, 6)
    view = windows.view(np, x, (2, 3), (1, 2), (2, 1), (2, 2))
    assert view.shape == (1, 1, 2, 3, 2, 2) and np.shares_memory(view, x)
    np.testing.assert_array_equal(view[0, 0, :, :, 1, 1], x[0, 0, 1:4:2, 2:5])
    for offset in windows.offsets((2, 3)):
        np.testing.assert_array_equal(view[(0, 0, *offset)], x[windows.slices(offset, (1, 2), (2, 1), (2, 2))][0, 0])


def test_padding_and_cropping_are_inverse():
    x = np.ones((2, 3, 4))
    wide = windows.pad(np, x, [(1, 0), (2, 1)], 5.0)
    assert wide.shape == (2, 4, 7) and wide[0, 0, 0] == 5
    np.testing.assert_array_equal(windows.crop(wide, [(1, 0), (2, 1)], (3, 4)), x)
    assert windows.pad(np, x, [(0, 0), (0, 0)]) is x
