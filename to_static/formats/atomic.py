"""Writing a file so that nobody ever sees half of it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A binary file that becomes ``path`` when the ``with`` block ends well; missing folders are made.

    The bytes go to a temporary file in the same folder, which replaces ``path`` at the end. When the block raises, ``path``
    is as it was. Raises OSError when the folder can't be written.

    Example:
        >>> with writing("model.bin") as f:
        ...     f.write(b"whole or not at all")
    """
    target = os.path.abspath(os.fspath(path))
    folder = os.path.dirname(target)
    os.makedirs(folder, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=f".{os.path.basename(target)[:64]}.", suffix=".part", dir=folder)
    try:
        with os.fdopen(handle, "wb") as f:
            yield f
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def _mode(target: str) -> int:
    """Permission bits for the new file: those of the file it replaces, else what ``open`` would have given it."""
    try:
        return os.stat(target).st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
