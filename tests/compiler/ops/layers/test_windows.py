"""Padding attributes, output sizes and strided views."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import to_static as paddle
from to_static.compiler.ops.layers import windows
from to_static.core.errors import ShapeError


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


ONE_TOO_LARGE = {  # numbers of Paddle 2.6.2 for the image [[1, 2], [3, 4]] under a 3x3 window with stride 2, and their gradients
    "F.max_pool2d(x, 3, 2)": ([4.0], [0, 0, 0, 1]),
    "F.avg_pool2d(x, 3, 2)": ([2.5], [0.25] * 4),
    "F.avg_pool2d(x, 3, 2, exclusive=False)": ([2.5], [0.25] * 4),
    "F.avg_pool2d(x, 3, 2, ceil_mode=True)": ([2.5], [0.25] * 4),
    "F.avg_pool2d(x, 3, 2, divisor_override=5)": ([4.5], [0.45] * 4),
    "F.avg_pool2d(x, 4, 3)": ([2.5], [0.25] * 4),
    "F.max_pool2d(x, 3, 2, return_mask=True)[0]": ([4.0], [0, 0, 0, 1]),
    "F.max_pool2d(x, 3, 2, [1, 0], ceil_mode=True)": ([4.0, 4.0], [0, 0, 0, 2]),
    "F.avg_pool3d(x.unsqueeze(0), [1, 3, 3], 2)": ([2.5], [0.25] * 4),
    "F.conv2d(x, paddle.ones([1, 1, 3, 3]), stride=2)": ([10.0], [1.0] * 4),
    "F.conv3d(x.unsqueeze(0), paddle.ones([1, 1, 1, 3, 3]), stride=2)": ([10.0], [1.0] * 4),
    "F.unfold(x, 3, 2)": ([1, 2, 0, 3, 4, 0, 0, 0, 0], [1.0] * 4),
}


@pytest.mark.parametrize("text", ONE_TOO_LARGE)
@pytest.mark.parametrize("sizes", [None, [1, 1, 2, 2], [None, 1, None, None]])
def test_a_window_larger_than_the_image_by_less_than_a_stride(text, sizes):
    @paddle.jit.not_to_static
    def given(x):
        return eval(text, {"x": x, "F": paddle.nn.functional, "paddle": paddle})

    def function(x):
        return given(x)

    if sizes is not None and not (None in sizes and "unfold" in text):  # unfold's gradient needs to know the sizes
        function = paddle.jit.to_static(function, input_spec=[paddle.static.InputSpec(sizes, "float32", "x")])
    x = paddle.to_tensor(np.arange(1, 5, dtype="float32").reshape(1, 1, 2, 2), stop_gradient=False)
    y = function(x)
    y.sum().backward()
    values, slopes = ONE_TOO_LARGE[text]
    np.testing.assert_allclose(y.numpy().reshape(-1), values, rtol=1e-6)
    np.testing.assert_allclose(x.grad.numpy().reshape(-1), slopes, rtol=1e-6)


def test_a_window_larger_by_a_stride_is_refused():
    with pytest.raises(ShapeError, match="smaller than the window"):
        paddle.nn.functional.avg_pool2d(paddle.ones([1, 1, 2, 2]), 4, 2)
