"""What objects hold that is none of their attributes: the state of arrays, generators of random numbers, buffers of text, and the
items of classes that are made from list, dict or set. It is taken before a trace, and put back if the trace is given up.
"""

from __future__ import annotations

import array
import io
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.jit.handback import base_of

_LIMIT = 1 << 24  # bytes of an array of which a copy is kept


class State:
    """The state that an object had; no code of the user's runs when it is put back."""

    def __init__(self, value: Any, state: Any, put: Callable[[Any, Any], Any]) -> None:
        self.value, self.state, self.put = value, state, put

    def put_back(self) -> None:
        """Give the object its state again."""
        self.put(self.value, self.state)


def state_of(value: Any) -> State | None:
    """The state of an object; None where attributes are all, or nothing can be put back."""
    kind: Any = type(value)
    if isinstance(value, np.ndarray):
        kept = value.nbytes <= _LIMIT and not value.dtype.hasobject and value.flags.writeable
        return State(value, value.copy(), np.copyto) if kept else None
    if kind in (bytearray, array.array):
        return State(value, value[:], _put_slice)
    if kind is random.Random:
        return State(value, value.getstate(), random.Random.setstate)
    if kind is np.random.RandomState:
        return State(value, value.get_state(), np.random.RandomState.set_state)
    if kind is np.random.Generator:
        return State(value, value.bit_generator.state, _put_bits)
    if kind in (io.StringIO, io.BytesIO) and not value.closed:
        return State(value, (value.getvalue(), value.tell()), _put_text)
    base = base_of(kind)
    return None if base is None else State(value, base.copy(value), _put_items)


def _put_slice(value: Any, state: Any) -> None:
    value[:] = state


def _put_bits(value: Any, state: Any) -> None:
    value.bit_generator.state = state


def _put_text(value: Any, state: Any) -> None:
    text, place = state
    value.seek(0)
    value.truncate()
    value.write(text)
    value.seek(place)


def _put_items(value: Any, items: Any) -> None:
    kind: Any = type(value)
    base: Any = base_of(kind)
    base.clear(value)
    (base.extend if base is list else base.update)(value, items)


__all__ = ["State", "state_of"]
