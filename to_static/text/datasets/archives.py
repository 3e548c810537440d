"""Readers of archives of texts: members by name, counted words, words as numbers."""

from __future__ import annotations

import contextlib
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from to_static.core.errors import FormatError
from to_static.io.dataset import Dataset


def checked_mode(mode: str, *modes: str) -> str:
    """``mode`` in lower case; raises ValueError unless it is one of ``modes``."""
    if mode.lower() not in modes:
        raise ValueError(f"mode should be one of {', '.join(map(repr, modes))}, got {mode!r}")
    return mode.lower()


@contextlib.contextmanager
def opened(path: Any) -> Iterator[tarfile.TarFile]:
    """A tar archive; damage found while it is read is a FormatError."""
    try:
        with tarfile.open(path) as archive:
            yield archive
    except (tarfile.TarError, EOFError) as error:
        raise FormatError(path, "a tar archive", f"damaged data ({error})") from error


def member(archive: tarfile.TarFile, path: Any, name: str) -> Any:
    """The file ``name`` of an archive, with or without ``./`` before it. Raises FormatError when it is not there."""
    wanted_name = name.removeprefix("./")
    for member_name in archive.getnames():
        if member_name.removeprefix("./") == wanted_name:
            file = archive.extractfile(member_name)
            if file is not None:
                return file
    raise FormatError(path, f"a file {name} in the archive", "none")


def by_count(words: Counter[Any], more_than: int) -> dict[Any, int]:
    """A number for each word that occurs more often than that, the most frequent first, and the last for '<unk>'."""
    frequent = sorted((word for word, count in words.items() if count > more_than), key=lambda word: (-words[word], str(word)))
    return {**{word: i for i, word in enumerate(frequent)}, "<unk>": len(frequent)}


def pairs(lines: Iterable[bytes]) -> Iterator[list[list[str]]]:
    """The words of both sentences of each line that has two, with a tab between them."""
    for line in lines:
        halves = line.decode().strip().split("\t")
        if len(halves) == 2:
            yield [sentence.split() for sentence in halves]


class Translations(Dataset):
    """Pairs of sentences as numbers: of the source, of the target after its start, and of the target before its end."""

    def __init__(self) -> None:
        super().__init__()
        self.src_ids: list[list[int]] = []
        self.trg_ids: list[list[int]] = []
        self.trg_ids_next: list[list[int]] = []

    def _keep(self, source: list[int], target: list[int], start: int, end: int) -> None:
        self.src_ids.append(source)
        self.trg_ids.append([start, *target])
        self.trg_ids_next.append([*target, end])

    def __getitem__(self, idx: int) -> tuple[np.ndarray, ...]:
        return np.array(self.src_ids[idx]), np.array(self.trg_ids[idx]), np.array(self.trg_ids_next[idx])

    def __len__(self) -> int:
        return len(self.src_ids)
