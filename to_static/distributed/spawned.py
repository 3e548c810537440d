"""``python -m to_static.distributed.spawned FILE``: each process that `spawn` starts runs the call that its parent has pickled."""

from __future__ import annotations

import pickle
import sys
from multiprocessing import spawn

from to_static.distributed.world import connect


def main() -> None:
    """Meet the others, import the parent's main module as `multiprocessing` does, and call the function."""
    connect()
    with open(sys.argv[1], "rb") as file:
        spawn.prepare(pickle.load(file))
        func, args = pickle.load(file)
    func(*args)


if __name__ == "__main__":
    main()
