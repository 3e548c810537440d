"""Integers that do not fit a dtype raise with every NumPy, with the words of NumPy 2."""

import numpy as np
import pytest

from to_static.core.arrays import fitting

OLD = [fitting._checked, fitting._checked_or_same]
NOW = [fitting.array_of, fitting.as_array_of]


@pytest.mark.parametrize("make", [*OLD, *NOW])
def test_integers_that_do_not_fit(make):
    for value, dtype in ((200, np.int8), ([[1, 2], [2, -1]], np.uint8), (2**70, np.dtype("int64"))):
        with pytest.raises(OverflowError):
            make(value, dtype)
    if make in OLD:
        with pytest.raises(OverflowError, match="^Python integer 200 out of bounds for int8$"):
            make((1, 200), np.int8)


@pytest.mark.parametrize("make", [*OLD, *NOW])
def test_what_fits_is_as_numpy_makes_it(make):
    for value, dtype in ((127, "int8"), ([1, 2.5], "int64"), (300, "float32"), (True, "uint8"), ([], None), (np.int64(9), "int16")):
        found, expected = make(value, dtype), np.array(value, dtype)
        assert found.dtype == expected.dtype
        assert found.tolist() == expected.tolist()


def test_no_copy_where_none_is_needed():
    array = np.ones(3, np.int8)
    for make in (fitting._checked_or_same, fitting.as_array_of):
        assert make(array, np.dtype("int8")) is array
