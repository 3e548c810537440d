"""The Penn Treebank, as Mikolov prepared it for models of language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from to_static.io.dataset import Dataset
from to_static.io.download import located
from to_static.text.datasets.archives import by_count, checked_mode, member, opened

_FILE = "simple-examples/data/ptb.{}.txt"


class Imikolov(Dataset):
    """Sentences of the Wall Street Journal, as runs of words or whole.

    Args:
        data_file: ``simple-examples.tgz``, as it is published; downloaded when None.
        data_type: 'NGRAM' (default) for each run of ``window_size`` words, 'SEQ' for a sentence after its start and before its end.
        window_size: words of a run; of 'SEQ', the most words of a sentence, if positive (default -1).
        mode: 'train' (default), 'test' or 'valid'.
        min_word_freq: words that occur more often than that are known (default 50); ``word_idx`` has their numbers.
        download: whether the file may be downloaded (default True).

    Each sample is a tuple of int64 arrays: ``window_size`` of them without dimensions, or two of one dimension.

    Raises:
        DownloadError: the file is not there and cannot be downloaded.
        FormatError: it is not that of the data set.
        ValueError: ``data_type`` or ``mode`` is something else, or 'NGRAM' has no ``window_size``.

    Example:
        >>> runs = paddle.text.Imikolov('simple-examples.tgz', 'NGRAM', window_size=5)

    Source: T. Mikolov, http://www.fit.vutbr.cz/~imikolov/rnnlm/.
    """

    _URL = "https://dataset.bj.bcebos.com/imikolov%2Fsimple-examples.tgz"
    _MD5 = "30177ea32e27c525793142b6bf2c8e2d"

    def __init__(
        self, data_file: Any = None, data_type: str = "NGRAM", window_size: int = -1, mode: str = "train", min_word_freq: int = 50,
        download: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        if data_type.upper() not in ("NGRAM", "SEQ"):
            raise ValueError(f"data_type should be 'NGRAM' or 'SEQ', got {data_type!r}")
        self.data_type, self.mode = data_type.upper(), checked_mode(mode, "train", "test", "valid")
        if self.data_type == "NGRAM" and window_size < 0:
            raise ValueError(f"'NGRAM' needs a window_size, the words of a run, got {window_size}")
        self.window_size, self.min_word_freq = window_size, min_word_freq
        self.data_file = located(data_file, "data_file", "imikolov", self._URL, self._MD5, download)
        with opened(self.data_file) as archive:
            sentences = {
                part: [line.split() for line in member(archive, self.data_file, _FILE.format(part))]
                for part in dict.fromkeys(("train", "valid", self.mode))
            }
        counts = _counted(sentences["train"] + sentences["valid"], Counter())
        self.word_idx = by_count(counts, min_word_freq)
        self.data = [sample for sentence in sentences[self.mode] for sample in self._samples(sentence)]

    def word_count(self, f: Iterable[Any], word_freq: dict[Any, int] | None = None) -> dict[Any, int]:
        """Count each word of some lines, with ``'<s>'`` and ``'<e>'`` around each line; the counts are added to ``word_freq``."""
        return _counted((line.split() for line in f), {} if word_freq is None else word_freq)

    def _samples(self, sentence: list[bytes]) -> list[tuple[Any, ...]]:
        word_index, size = self.word_idx, self.window_size
        words = [word_index.get(word, word_index["<unk>"]) for word in ("<s>", *sentence, "<e>")]
        if self.data_type == "NGRAM":
            return [tuple(words[i : i + size]) for i in range(len(words) - size + 1)]
        return [] if 0 < size < len(words) - 1 else [(words[:-1], words[1:])]

    def __getitem__(self, idx: int) -> tuple[np.ndarray, ...]:
        return tuple(np.array(part) for part in self.data[idx])

    def __len__(self) -> int:
        return len(self.data)


def _counted(sentences: Iterable[list[Any]], counts: Any) -> Any:
    for sentence in sentences:
        for word in (*sentence, "<s>", "<e>"):
            counts[word] = counts.get(word, 0) + 1
    return counts
