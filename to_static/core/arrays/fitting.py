"""Arrays of Python's numbers: an integer that does not fit raises OverflowError, also before NumPy 2, which lets it wrap around."""

from __future__ import annotations

import numpy as np


def need_fit(value: object, dtype: np.dtype | None) -> None:
    """Raise OverflowError, with NumPy's words, for a Python integer (in nested lists, too) that an integer dtype can't hold."""
    if isinstance(value, (list, tuple)):
        for item in value:
            need_fit(item, dtype)
    elif type(value) is int:
        np_dtype = np.dtype(dtype)
        if np_dtype.kind in "iu" and not np.iinfo(np_dtype).min <= value <= np.iinfo(np_dtype).max:
            raise OverflowError(f"Python integer {value} out of bounds for {np_dtype.name}")


def _checked(value: object, dtype: np.dtype | None = None) -> np.ndarray:
    if dtype is not None:
        need_fit(value, dtype)
    return np.array(value, dtype)


def _checked_or_same(value: object, dtype: np.dtype | None = None) -> np.ndarray:
    return value if isinstance(value, np.ndarray) and value.dtype == dtype else _checked(value, dtype)


_IS_CHECKED = int(np.__version__.partition(".")[0]) >= 2  # by NumPy itself
array_of = np.array if _IS_CHECKED else _checked
as_array_of = np.asarray if _IS_CHECKED else _checked_or_same
