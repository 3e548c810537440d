"""The journal of a save: which files it replaces, and whether all new files are written.

While `model/net.pdmodel`, `model/net.pdiparams` and so on are saved, `model/net.journal.part` exists, and each new file is
`model/net.pdmodel.saving.part`. Files whose names are equal up to the first dot share a journal. Its first line names the files
that are replaced and removed. A second line, ``complete``, is written when every new file is on the disk; from then on the new
version is valid. Then the files are renamed, and the journal is removed. After a crash, the next save or load finishes a save with
``complete`` and undoes any other (`mend`).

The journal is also a lock (``flock``), so that two saves of the same files run one after the other. A file system without such
locks only loses this.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import warnings
from typing import NamedTuple

from to_static.compiler.formats.regular_files import open_regular
from to_static.core.diagnostics.source_location import capture
from to_static.core.errors import FormatError
from to_static.core.file_replacement import replace_file
from to_static.core.flags import declare

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]
else:
    if not hasattr(fcntl, "flock"):  # the kernel of JupyterLite has the module without its functions
        fcntl = None  # type: ignore[assignment]

SUFFIX, PART = ".journal.part", ".saving.part"
MAX_NAME = 255  # bytes of a file's name
MAX_JOURNAL = 1 << 20
COMPLETE = b"complete"
fsync = declare("TO_STATIC_FSYNC", True, "Wait until a saved file is on the disk, so that a power cut does not tear it either")


class JournalEntry(NamedTuple):
    """The entry of a journal: names of the files that are replaced and removed, in its own folder."""

    replaced: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    complete: bool = False


def journal_of(path: str) -> str:
    """Path of the journal of whatever saves the file ``path``."""
    folder, name = os.path.split(os.path.abspath(path))
    hidden = len(name) - len(name.lstrip("."))
    stem = name[:hidden] + name[hidden:].partition(".")[0]
    return os.path.join(folder, _with(stem, SUFFIX))


def part_of(path: str) -> str:
    """Path of the new file while ``path`` is saved; it lies beside the file that a symbolic link leads to."""
    folder, name = os.path.split(os.path.realpath(path))
    return os.path.join(folder, _with(name, PART))


def _with(name: str, suffix: str) -> str:
    data = os.fsencode(name)
    if len(data) + len(suffix) <= MAX_NAME:
        return name + suffix
    import hashlib  # few names are that long, and who starts to predict should not wait for it

    return f"{os.fsdecode(data[:100])}-{hashlib.sha1(data).hexdigest()}{suffix}"


def pending(journal: str) -> JournalEntry | None:
    """Return the plan of a save that is in progress or was killed; None if there is neither.

    Raises FileExistsError for a foreign file.
    """
    try:
        with open_regular(journal) as file:
            return _parse(file.read(MAX_JOURNAL), journal)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except FormatError as error:
        raise FileExistsError(errno.EEXIST, f"in the way of a save (it is {error.found})", journal) from None


def _parse(data: bytes, journal: str) -> JournalEntry:
    import json  # only where a save is under way: it costs start-up time

    head, end, body = data.partition(b"\n")
    if not end and (not head.strip(b"\0") or head.startswith(b'{"save": ')):
        return JournalEntry()  # nothing was begun yet
    try:
        entry = json.loads(head)
        replaced, removed = tuple(entry["save"]), tuple(entry["without"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise FileExistsError(errno.EEXIST, "in the way of a save (and no journal of one)", journal) from None
    for name in (*replaced, *removed):  # whoever sends a journal along may not reach further than the files beside it
        if not isinstance(name, str) or os.path.basename(name) != name or journal_of(_beside(journal, name)) != journal:
            raise FileExistsError(errno.EEXIST, f"names {name!r}, which this journal can't be about", journal)
    return JournalEntry(replaced, removed, body.startswith(COMPLETE))


def _beside(journal: str, name: str) -> str:
    return os.path.join(os.path.dirname(journal), name)


class Journal:
    """A journal that this process holds. ``begun``: some file has been replaced, so there is no way back."""

    def __init__(self, path: str, handle: int) -> None:
        self.path = path
        self._handle = handle
        self._plan = JournalEntry()
        self.begun = False

    @classmethod
    def acquire(cls, path: str, wait: bool = True) -> Journal | None:
        """Lock and return the journal; create it if it is missing.

        Without ``wait`` return None if it is missing or may be locked.
        """
        flags = os.O_RDWR | (os.O_CREAT if wait else 0)
        flags |= getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)  # as the system has them
        with contextlib.suppress(FileNotFoundError):  # asked once: the save that has the journal may remove it meanwhile
            mode = os.lstat(path).st_mode
            if not (stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
                raise FileExistsError(errno.EEXIST, "in the way of a save (and no journal of one)", path)
        while True:
            try:
                handle = os.open(path, flags, 0o666)
            except FileNotFoundError:
                if wait:
                    raise
                return None
            locked = _lock(handle, wait)
            if locked is False or (locked is None and not wait):  # a save may be going on
                os.close(handle)
                return None
            try:
                if os.path.samestat(os.fstat(handle), os.stat(path)):
                    return cls(path, handle)
            except FileNotFoundError:
                pass
            os.close(handle)  # the save that held it is done, and has removed it

    def recover(self) -> JournalEntry:
        """Finish or undo what a killed save left; returns its plan. Raises OSError, and lets go of the journal, where it can't."""
        try:
            plan = self._plan = _parse(self._read(), self.path)
            if plan.complete:
                self.replace()
            else:
                self.undo()
        except BaseException:
            self.release(remove=False)
            raise
        self.begun = False
        return plan

    def begin(self, replaced: list[str], removed: list[str]) -> None:
        """Write the names of the files of a new save: paths in the folder of the journal."""
        import json

        names = [[os.path.basename(path) for path in paths] for paths in (replaced, removed)]
        self._plan = JournalEntry(tuple(names[0]), tuple(names[1]))
        os.ftruncate(self._handle, 0)
        self._append(json.dumps({"save": names[0], "without": names[1]}).encode() + b"\n")

    def commit(self) -> None:
        """The new files are written: they count from now on. Raises OSError, having changed nothing or as much as it can."""
        if len(self._plan.replaced) + len(self._plan.removed) > 1:  # one file is renamed at once
            self._sync_folders()
            self._append(COMPLETE + b"\n")
            to_disk(self._handle)
        self.replace()

    def replace(self) -> None:
        """Put the new files in place of the old ones, those that are not there yet."""
        for name in self._plan.replaced:
            target = _beside(self.path, name)
            part = part_of(target)
            if not os.path.lexists(part):
                continue  # done before
            first, self.begun = not self.begun, True
            try:
                replace_file(part, os.path.realpath(target))
            except OSError:
                self.begun = not first
                raise
        for name in self._plan.removed:
            if os.path.lexists(_beside(self.path, name)):
                self.begun = True
                os.unlink(_beside(self.path, name))
        self._sync_folders()

    def undo(self) -> None:
        """Remove the new files; the old files stay."""
        os.ftruncate(self._handle, self._read().find(b"\n") + 1)  # no longer complete
        if self._plan.replaced:
            to_disk(self._handle)
        for name in self._plan.replaced:
            part = part_of(_beside(self.path, name))
            if os.path.lexists(part):
                os.unlink(part)

    def release(self, remove: bool = True) -> None:
        """Let the next save go on."""
        if fcntl is None:
            os.close(self._handle)  # Windows removes no open files
        if remove:
            os.unlink(self.path)  # before the lock goes, so that whoever waits for it sees that this file is no journal any more
        if fcntl is not None:
            _unlock(self._handle)
            os.close(self._handle)

    def _read(self) -> bytes:
        os.lseek(self._handle, 0, os.SEEK_SET)
        return os.read(self._handle, MAX_JOURNAL)

    def _append(self, data: bytes) -> None:
        os.lseek(self._handle, 0, os.SEEK_END)
        os.write(self._handle, data)

    def _sync_folders(self) -> None:
        folders = {os.path.dirname(os.path.realpath(_beside(self.path, name))) for name in self._plan.replaced}
        for folder in sorted(folders | {os.path.dirname(self.path)}):
            _sync_folder(folder)


def mend(path: str | os.PathLike[str]) -> None:
    """Finish or undo the save of ``path`` that was killed, if one was; warns which.

    Where that is not possible (a folder that can't be written), `snapshot.opened` reads what the journal says.
    """
    journal = journal_of(os.fspath(path))
    if not os.path.lexists(journal):
        return
    try:
        journal_lock = Journal.acquire(journal, wait=False)
        if journal_lock is not None:
            plan = journal_lock.recover()
            journal_lock.release()
            _warn_of_interrupted_save(journal, plan)
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise
        _warn_of_interrupted_save(journal, pending(journal))


def _warn_of_interrupted_save(journal: str, plan: JournalEntry | None) -> None:
    if plan is None or not (plan.replaced or plan.removed):
        return
    stem = os.path.basename(journal).removesuffix(SUFFIX)
    which = "after it was written: this is the new version" if plan.complete else "half way: this is the version before it"
    message = f"the save of {stem!r} in {os.path.dirname(journal)} was interrupted {which}"
    where = capture(2)
    if where is None:
        warnings.warn(message, stacklevel=2)
    else:
        warnings.warn_explicit(message, UserWarning, where.file, where.line)


def _lock(handle: int, wait: bool) -> bool | None:
    """True if the lock was acquired; None if the file system has no locks."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL):
            raise
        return None
    return True


def _unlock(handle: int) -> None:
    """Let the lock go, also where a child that was forked meanwhile has the file open."""
    with contextlib.suppress(OSError):  # there are no locks
        fcntl.flock(handle, fcntl.LOCK_UN)


def to_disk(handle: int) -> None:
    """Wait until the written data is on the disk."""
    if fsync.value:
        os.fsync(handle)


def _sync_folder(folder: str) -> None:
    if not fsync.value or os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
