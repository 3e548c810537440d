"""The environment of processes that this one starts with its own Python."""

from __future__ import annotations

import os
from pathlib import Path

_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")  # of matrix libraries


def child_environment(threads: int) -> dict[str, str]:
    """The environment of a process that imports this package, as this one does.

    ``threads``: those of the matrix library, unless the user has said how many.
    """
    environment = {**dict.fromkeys(_THREADS, str(max(1, threads))), **os.environ}
    root = str(Path(__file__).parents[3])
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (root, environment.get("PYTHONPATH"))))
    return environment
