"""Film reviews that like the film or do not."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from to_static.core.errors import FormatError
from to_static.io.dataset import Dataset
from to_static.io.download import located
from to_static.text.datasets.archives import by_count, checked_mode, opened

_REVIEW = re.compile(r"(?:\./)?aclImdb/(train|test)/(pos|neg)/.*\.txt$")
_PUNCTUATION = string.punctuation.encode("latin-1")


class Imdb(Dataset):
    """50000 film reviews, half of them for training.

    Args:
        data_file: ``aclImdb_v1.tar.gz``, as it is published; downloaded when None.
        mode: 'train' (default) or 'test'.
        cutoff: words that occur more often than that are known (default 150); ``word_idx`` has their numbers.
        download: whether the file may be downloaded (default True).

    Each sample is ``(words, label)``: int64 arrays [n] and [1]; the label is 0 for a review that likes the film, else 1.

    Raises:
        DownloadError: the file is not there and cannot be downloaded.
        FormatError: it is not that of the data set.
        ValueError: ``mode`` is neither 'train' nor 'test'.

    Example:
        >>> words, label = paddle.text.Imdb('aclImdb_v1.tar.gz', mode='test')[0]

    Source: A. Maas et al., "Learning word vectors for sentiment analysis", ACL 2011.
    """

    _URL = "https://dataset.bj.bcebos.com/imdb%2FaclImdb_v1.tar.gz"
    _MD5 = "7c2ac02c03563afcf9b574c7e56c153a"

    def __init__(self, data_file: Any = None, mode: str = "train", cutoff: int = 150, download: bool = True) -> None:
        super().__init__()
        self.mode = checked_mode(mode, "train", "test")
        self.data_file = located(data_file, "data_file", "imdb", self._URL, self._MD5, download)
        counts: Counter[bytes] = Counter()
        reviews: dict[str, list[list[bytes]]] = {"pos": [], "neg": []}
        for part, label, words in self._reviews():
            counts.update(words)
            if part == self.mode:
                reviews[label].append(words)
        if not counts:
            raise FormatError(self.data_file, "reviews aclImdb/train/pos/*.txt and so on", "none")
        self.word_idx = by_count(counts, cutoff)
        unknown = self.word_idx["<unk>"]
        self.docs = [[self.word_idx.get(word, unknown) for word in words] for words in reviews["pos"] + reviews["neg"]]
        self.labels = [0] * len(reviews["pos"]) + [1] * len(reviews["neg"])

    def _reviews(self) -> Iterator[tuple[str, str, list[bytes]]]:
        with opened(self.data_file) as archive:
            for item in archive:
                match = _REVIEW.match(item.name)
                file = archive.extractfile(item) if match else None
                if match and file is not None:
                    review = file.read().rstrip(b"\n\r").translate(None, _PUNCTUATION)
                    yield match[1], match[2], review.lower().split()

    def __getitem__(self, idx: int) -> tuple[np.ndarray, np.ndarray]:
        return np.array(self.docs[idx]), np.array([self.labels[idx]])

    def __len__(self) -> int:
        return len(self.docs)
