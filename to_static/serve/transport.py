"""Messages between the server and its workers: a word, JSON fields, and arrays as raw bytes. Nothing is unpickled."""

from __future__ import annotations

import json
from collections.abc import Sequence
from multiprocessing.connection import Connection
from typing import Any

import numpy as np


def send(connection: Connection, word: str, fields: Any = None, arrays: Sequence[np.ndarray] = ()) -> None:
    """Send a message. Raises OSError when the other side is gone."""
    arrays = [np.ascontiguousarray(array) for array in arrays]
    connection.send_bytes(json.dumps([word, fields, [(array.dtype.str, array.shape) for array in arrays]]).encode())
    for array in arrays:
        if array.nbytes:
            connection.send_bytes(_bytes_of(array))


def receive(connection: Connection) -> tuple[str, Any, list[np.ndarray]]:
    """Wait for a message; returns its word, fields and arrays. Raises EOFError or OSError when the other side is gone."""
    word, fields, descriptions = json.loads(connection.recv_bytes())
    arrays = []
    for dtype, shape in descriptions:
        array = np.empty(shape, dtype)
        if array.nbytes:
            connection.recv_bytes_into(_bytes_of(array))
        arrays.append(array)
    return word, fields, arrays


def _bytes_of(array: np.ndarray) -> memoryview:
    return array.reshape(-1).view(np.uint8).data
