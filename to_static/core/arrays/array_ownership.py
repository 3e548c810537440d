"""Sole ownership of memory: a tensor that nobody else can see may be written over.

Who shares memory with a tensor by what the user did (views) is known to `eager.view_tracking`. Here references are counted, which
finds everybody else as well: a tape, a result, a value kept from one call to the next. In doubt there is somebody, which costs a
copy.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from to_static.core.caching.weak_tables import WeakKeys

WHOLES: WeakKeys[Any, int] = WeakKeys()  # into how many pieces an array is cut, one for each tensor, which whoever cuts keeps, too


def is_sole_owner(holder: Any, more: int = 0) -> bool:
    """True if only ``holder`` and ``more`` variables of the caller have their array, or another one in its memory.

    When in doubt: no. (The pieces of one of `WHOLES` are apart from each other.)
    """
    if holder._memory is not None or type(holder._array) is not np.ndarray:
        return False
    base = holder._array.base
    if base is None:
        return sys.getrefcount(holder._array) == _ONE + more
    pieces = WHOLES.get(base)
    if pieces is not None:
        return sys.getrefcount(holder._array) == _ONE + more + 1 and sys.getrefcount(base) == _TWO + pieces
    if sys.getrefcount(holder._array) != _ONE + more:
        return False
    return type(base) is np.ndarray and base.base is None and sys.getrefcount(base) == _TWO


class _Holder:
    def __init__(self) -> None:
        self._array = np.empty(1)


def _counts() -> tuple[int, int]:
    """The reference counts, in this Python, of an object's attribute value, alone and with one more variable."""
    one = _Holder()
    sole_count, array = sys.getrefcount(one._array), one._array
    return sole_count, sys.getrefcount(array)


_ONE, _TWO = _counts()
