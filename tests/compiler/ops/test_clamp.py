"""Limits are the same numbers however many there are at a time."""

import numpy as np
import pytest

from to_static.compiler.ops.clamp import LINE, MOST, WORTH, at_least, at_most, full


@pytest.mark.parametrize("size", [0, 7, WORTH, MOST, MOST + 1, 3 * LINE, 3 * LINE + 5])
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_limits(size, dtype):
    x = np.random.default_rng(0).normal(size=size).astype(dtype)
    x[:2] = np.nan
    before = x.copy()
    for function, plain in ((at_least, np.maximum), (at_most, np.minimum)):
        wanted, out = plain(x, x.dtype.type(0.25)), np.empty_like(x)
        np.testing.assert_array_equal(function(np, x, 0.25), wanted)
        assert function(np, x, 0.25, out) is out
        np.testing.assert_array_equal(out, wanted)
        np.testing.assert_array_equal(x, before)
    at_least(np, x, 0.25, x)
    np.testing.assert_array_equal(x, np.maximum(before, before.dtype.type(0.25)))


@pytest.mark.parametrize("shape", [(130, 70), (3, 90, 80)])
def test_parts_of_arrays(shape):
    x = np.random.default_rng(0).normal(size=shape).astype("float32")
    for part in (x.T, x[::2], x[..., 1:]):
        wanted, out = np.maximum(part, np.float32(0)), np.empty(part.T.shape, "float32").T
        np.testing.assert_array_equal(at_least(np, part, 0), wanted)
        at_least(np, np.ascontiguousarray(part), 0, out)
        np.testing.assert_array_equal(out, wanted)


def test_equal_numbers_are_shared_and_kept():
    zeros = full((4, 8), 0, "float32")
    assert np.shares_memory(zeros, full((2, 3), 0, "float32")) and zeros.ctypes.data % 64 == 0
    with pytest.raises(ValueError, match="read-only"):
        zeros[0] = 1
