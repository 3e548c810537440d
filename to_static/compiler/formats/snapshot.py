"""Opens files that were saved together, so that all of them belong to one version."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import IO

from to_static.compiler.formats.journal import JournalEntry, journal_of, mend, part_of, pending
from to_static.compiler.formats.regular_files import open_regular

ATTEMPTS = 1000  # each takes as long as opening the files; a save in between is what makes another one necessary


@contextmanager
def opened(wanted: Callable[[], Iterable[str]]) -> Iterator[dict[str, IO[bytes]]]:
    """Files by path, of those that ``wanted()`` names the ones that are there.

    Whatever `atomic.writing_all` saved together is opened as one save left it, also while another one goes on, and after a process
    was killed (a UserWarning says which version it is). ``wanted`` is asked again where a save came in between.
    Raises OSError when a file can't be opened, FormatError for one that is not regular (a pipe, a device).
    """
    for _ in range(ATTEMPTS):
        with ExitStack() as stack:
            paths = list(wanted())
            for path in paths:
                mend(path)
            plans = _plans(paths)
            files: dict[str, IO[bytes]] = {}
            for path in paths:
                source = _place(path, plans)
                if source is not None:
                    try:
                        files[path] = stack.enter_context(open_regular(source))
                    except (FileNotFoundError, NotADirectoryError):
                        continue
            if _plans(paths) == plans and all(_is(files.get(path), _place(path, plans)) for path in paths):
                yield files
                return
    raise OSError(f"{', '.join(paths)}: saved again and again while they were opened")


def names_in(prefix: str) -> list[str]:
    """Names of the files beside a prefix, sorted: those of the version that `opened` opens."""
    folder = os.path.dirname(prefix) or "."
    if not os.path.isdir(folder):
        return []
    mend(prefix)
    plan = pending(journal_of(prefix)) or JournalEntry()
    names = set(os.listdir(folder))
    if plan.complete:
        names = (names | set(plan.replaced)) - set(plan.removed)
    return sorted(names)


def is_there(path: str | os.PathLike[str]) -> bool:
    """True if there is such a file, in the version that `opened` opens."""
    path = os.fspath(path)
    mend(path)
    source = _place(path, _plans([path]))
    return source is not None and os.path.isfile(source)


def _plans(paths: Iterable[str]) -> dict[str, JournalEntry]:
    """The entries of saves in progress, by journal, as far as they count already."""
    journals = {journal_of(path) for path in paths}
    plans = {journal: pending(journal) for journal in journals}
    return {journal: plan for journal, plan in plans.items() if plan is not None and plan.complete}


def _place(path: str, plans: dict[str, JournalEntry]) -> str | None:
    """Return the file that is valid for ``path``, or None."""
    plan = plans.get(journal_of(path), JournalEntry())
    name = os.path.basename(path)
    if name in plan.removed:
        return None
    part = part_of(path)
    return part if name in plan.replaced and os.path.exists(part) else path


def _is(file: IO[bytes] | None, source: str | None) -> bool:
    """True if the file that was opened is still the one of that name."""
    try:
        now = None if source is None else os.stat(source)
    except (FileNotFoundError, NotADirectoryError):
        now = None
    if file is None or now is None:
        return file is None and now is None
    return os.path.samestat(os.fstat(file.fileno()), now)
