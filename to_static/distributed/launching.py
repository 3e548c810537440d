"""`spawn` and `launch`, which start the processes that train together: one."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable, Sequence
from typing import Any

from to_static.core.errors import ModeError


class SpawnContext:
    """The result of `spawn`: a process that has ended."""

    def join(self, timeout: float | None = None) -> bool:
        """Wait for its end: True."""
        return True


def spawn(
    func: Callable[..., Any], args: Sequence[Any] = (), nprocs: int = -1, join: bool = True, daemon: bool = False, **options: Any
) -> SpawnContext:
    """Call ``func(*args)``, in this process.

    ``nprocs``: 1, or -1 for as many as there are devices, which is one. Raises ModeError for more.

    Example:
        >>> paddle.distributed.spawn(train, args=(True,))
    """
    if nprocs not in (-1, 1):
        raise ModeError(f"spawn: there is a world of one process, so that nprocs={nprocs} is not possible; use nprocs=1")
    func(*args)
    return SpawnContext()


def launch() -> None:
    """Run ``python -m paddle.distributed.launch [options] script.py [arguments]``: the script, in this process.

    Raises ModeError when the options ask for more than one process, SystemExit without a script.
    """
    words = sys.argv[1:]
    place = next((i for i, word in enumerate(words) if word.endswith(".py")), None)
    if place is None:
        raise SystemExit("usage: launch [options] script.py [arguments]")
    options = dict(zip(*[iter(" ".join(words[:place]).replace("=", " ").split())] * 2, strict=False))
    for name in ("--nproc_per_node", "--nnodes"):
        if options.get(name, "1") != "1":
            raise ModeError(f"launch: there is a world of one process, so that {name}={options[name]} is not possible")
    sys.argv = words[place:]
    runpy.run_path(sys.argv[0], run_name="__main__")
