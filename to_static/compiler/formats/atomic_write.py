"""Atomic writes: readers see either all old files or all new ones, and no partial file."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import IO

from to_static.compiler.formats.journal import Journal, journal_of, part_of, to_disk


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A binary file that becomes ``path`` when the ``with`` block ends well; see `writing_all`.

    Example:
        >>> with writing("model.bin") as f:
        ...     f.write(b"whole or not at all")
    """
    with writing_all([path]) as (file,):
        yield file


@contextmanager
def writing_all(
    paths: Sequence[str | os.PathLike[str]], removed: Sequence[str | os.PathLike[str]] = ()
) -> Iterator[list[IO[bytes]]]:
    """Binary files that become ``paths`` together when the ``with`` block ends well, and ``removed`` are gone then.

    They are in one folder, which is made when it is missing, and their names are the same up to the first dot. When the block
    raises, everything is as it was; when the process is killed, all files are old or all are new for whoever opens them with
    `snapshot.opened` (see `journal`). Another process that saves the same waits. A symbolic link stays one, permissions stay; a
    path that is no file (a pipe, a device) is written when the block ends. Raises OSError, before anything is changed, when
    a file can't be written; ValueError for paths of different folders or names.

    Example:
        >>> with writing_all(["net.pdmodel", "net.pdiparams"]) as (model, params):
        ...     model.write(b"program")
        ...     params.write(b"weights")
    """
    targets = [os.path.abspath(os.fspath(path)) for path in paths]
    gone = [path for path in (os.path.abspath(os.fspath(path)) for path in removed) if os.path.lexists(path)]
    journals = {journal_of(path) for path in (*targets, *gone)}
    if len(journals) != 1:
        raise ValueError(f"files that are saved together begin alike, in one folder; got {', '.join(map(str, paths))}")
    special = [target for target in targets if _is_special(target)]
    files = [target for target in targets if target not in special]
    with _replacing(journals.pop(), files, gone) as parts, _pouring(special) as spools:
        opened = dict(zip(files, parts, strict=True)) | dict(zip(special, spools, strict=True))
        yield [opened[target] for target in targets]


@contextmanager
def _replacing(path: str, files: list[str], gone: list[str]) -> Iterator[list[IO[bytes]]]:
    """The new files, which replace ``files`` at the end. ``path``: of their journal."""
    if not files and not gone:
        yield []
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    journal = Journal.acquire(path)
    assert journal is not None  # it was waited for
    journal.recover()
    parts: list[IO[bytes]] = []
    try:
        journal.begin(files, gone)
        for target in files:
            parts.append(_part(target))
        yield parts
        for target, part in zip(files, parts, strict=True):
            _finish(part, target)
        journal.commit()
    except BaseException:
        for part in parts:
            with suppress(OSError):  # of a full disk
                part.close()
        if not journal.begun:
            journal.undo()
        journal.release(remove=not journal.begun)
        raise
    journal.release()


@contextmanager
def _pouring(targets: list[str]) -> Iterator[list[IO[bytes]]]:
    """Temporary files, whose bytes go into ``targets`` at the end."""
    with ExitStack() as stack:
        spools: list[IO[bytes]] = [stack.enter_context(tempfile.TemporaryFile()) for _ in targets]
        yield spools
        for spool, target in zip(spools, targets, strict=True):
            spool.seek(0)
            with open(target, "wb") as file:
                shutil.copyfileobj(spool, file)


def _is_special(path: str) -> bool:
    """True if a path is a pipe, a device or similar, which must not be replaced. Raises OSError for a folder."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    return not stat.S_ISREG(mode)


def _part(target: str) -> IO[bytes]:
    """Create the new file, with the permissions of the file that it replaces, or the default permissions."""
    part = part_of(target)
    if os.path.lexists(part):
        os.unlink(part)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(part, flags, 0o666), "wb")


def _finish(file: IO[bytes], target: str) -> None:
    file.flush()
    to_disk(file.fileno())
    file.close()
    if os.path.exists(target):
        os.chmod(part_of(target), os.stat(target).st_mode & 0o777)
