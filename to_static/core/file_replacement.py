"""Putting a new file in the place of an old one, also where that may be refused for a moment."""

from __future__ import annotations

import os
import time

WAITS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)  # seconds
REFUSES_OPEN_FILES = os.name == "nt"  # Windows replaces no file that is open or mapped, by a reader or a scanner


def replace_file(new: str | os.PathLike[str], target: str | os.PathLike[str]) -> None:
    """``os.replace``; on Windows it is tried again for a second while the target is open elsewhere.

    Raises OSError; a PermissionError says what to do there.

    Example:
        >>> replace_file("model.pdparams.part", "model.pdparams")
    """
    for wait in WAITS if REFUSES_OPEN_FILES else ():
        try:
            return os.replace(new, target)
        except PermissionError:
            time.sleep(wait)
    try:
        os.replace(new, target)
    except PermissionError as error:
        if REFUSES_OPEN_FILES:
            words = "a file that is open or mapped can't be replaced on Windows; close it, or load it with another name"
            raise PermissionError(error.errno, words, os.fspath(target)) from error
        raise
