"""The way of a batch from a worker process to the main one.

Arrays travel beside the pickle (protocol 5, out of band). Where the system has anonymous shared memory, large ones are
written there once and the receiver maps the same pages: nothing to name, nothing to clean up, and nothing left behind
when either side is killed.
"""

from __future__ import annotations

import mmap
import os
import pickle
import struct
from multiprocessing import reduction
from typing import Any

SHARED_FROM = 1 << 16  # bytes; below this, copying through the pipe costs less than a mapping
ALIGNMENT = 64  # NumPy is faster on arrays that start at a cache line
PIPED, SHARED = 0, 1


def can_share(connection: Any) -> bool:
    """Return whether this system and connection can pass shared memory."""
    return hasattr(os, "memfd_create") and hasattr(reduction, "send_handle") and hasattr(connection, "fileno")


def _padded(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def send(connection: Any, value: Any, use_shared_memory: bool) -> None:
    """Send a picklable value; with ``use_shared_memory``, arrays of 64 KiB and more in total go through shared memory.

    Raises whatever pickling raises, before anything is sent.
    """
    parts: list[Any] = []
    head = pickle.dumps(value, protocol=5, buffer_callback=lambda part: parts.append(part.raw()))
    sizes = [part.nbytes for part in parts]
    use_shared_memory = use_shared_memory and sum(sizes) >= SHARED_FROM
    prefix = struct.pack(f"<BI{len(sizes)}Q", SHARED if use_shared_memory else PIPED, len(sizes), *sizes)
    if not use_shared_memory:
        connection.send_bytes(prefix + head)
        for part in parts:
            connection.send_bytes(part)
        return
    handle = os.memfd_create("to_static_batch")
    try:
        with mmap_of(handle, sum(map(_padded, sizes))) as memory:
            offset = 0
            for part, size in zip(parts, sizes, strict=True):
                memory[offset : offset + size] = part
                offset += _padded(size)
        connection.send_bytes(prefix + head)
        reduction.send_handle(connection, handle, None)
    finally:
        os.close(handle)


def mmap_of(handle: int, size: int) -> mmap.mmap:
    """A writable mapping of ``size`` bytes of a new shared memory file."""
    os.ftruncate(handle, size)
    return mmap.mmap(handle, size)


def receive(connection: Any) -> Any:
    """The next value that the other side sent. Raises EOFError when it is gone."""
    message = memoryview(connection.recv_bytes())
    storage, count = struct.unpack_from("<BI", message)
    start = struct.calcsize("<BI")
    sizes = struct.unpack_from(f"<{count}Q", message, start)
    head = message[start + 8 * count :]
    buffers: list[Any] = []
    if storage == SHARED:
        handle = reduction.recv_handle(connection)
        try:
            memory = memoryview(mmap.mmap(handle, 0))  # stays mapped as long as an array looks into it
        finally:
            os.close(handle)
        offset = 0
        for size in sizes:
            buffers.append(memory[offset : offset + size])
            offset += _padded(size)
    else:
        for size in sizes:
            buffer = bytearray(size)
            if size:
                connection.recv_bytes_into(buffer)
            else:
                connection.recv_bytes()
            buffers.append(buffer)
    return pickle.loads(head, buffers=buffers)
