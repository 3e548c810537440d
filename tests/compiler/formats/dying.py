"""An `os` for the modules that write files, in which the process dies at the n-th step."""

from __future__ import annotations

import os
from contextlib import contextmanager

from to_static.compiler.formats import atomic_write, journal
from to_static.core import file_replacement

STEPS = ("open", "write", "fsync", "replace", "unlink", "ftruncate", "chmod", "close", "fdopen", "makedirs")


class Death(BaseException):
    """The end of the process: nothing is cleaned up."""


class DyingOS:
    """Does what `os` does, but for the waiting; after so many ``steps`` of these kinds it is dead."""

    def __init__(self, steps: int, kinds: tuple[str, ...] = STEPS) -> None:
        self.left = steps
        self.kinds = kinds
        self.dead = False
        self.handles: set[int] = set()  # of journals, whose locks end with a process

    def __getattr__(self, name):
        real = getattr(os, name)
        if name not in STEPS:
            return real

        def step(*args, **kwargs):
            if self.left == 0 and (name in self.kinds or self.dead):
                self.dead = True
                raise Death(name)
            self.left -= name in self.kinds
            result = None if name == "fsync" else real(*args, **kwargs)
            if name == "open" and str(args[0]).endswith(journal.SUFFIX):
                self.handles.add(result)
            if name == "close":
                self.handles.discard(args[0])
            return result

        return step


@contextmanager
def dying_after(steps: int, monkeypatch, kinds: tuple[str, ...] = STEPS):
    """Whatever is saved in the block dies after so many calls of the system; gives the `DyingOS`."""
    dying = DyingOS(steps, kinds)
    with monkeypatch.context() as patch:
        patch.setattr(atomic_write, "os", dying)
        patch.setattr(journal, "os", dying)
        patch.setattr(file_replacement, "os", dying)
        try:
            yield dying
        except Death:
            pass
        finally:
            for handle in dying.handles:
                os.close(handle)
