"""Sentences in English and French, of the workshop on translation of 2014."""

from __future__ import annotations

from typing import Any

from to_static.core.errors import FormatError
from to_static.io.download import located
from to_static.text.datasets.archives import Translations, checked_mode, opened, pairs

START, END, UNKNOWN, LONGEST = "<s>", "<e>", 2, 80


class WMT14(Translations):
    """A small part of WMT14, English to French.

    Args:
        data_file: ``wmt14.tgz``, as Paddle publishes it; downloaded when None.
        mode: 'train' (default), 'test' or 'gen'.
        dict_size: how many words of each dictionary are known; it has to be given.
        download: whether the file may be downloaded (default True).

    Each sample is three int64 arrays: the source, the target after its start, the target before its end. Sentences of more than 80
    words are left out.

    Raises:
        DownloadError: the file is not there and cannot be downloaded.
        FormatError: it is not that of the data set.
        ValueError: ``mode`` is something else, or ``dict_size`` is not positive.

    Example:
        >>> source, target, following = paddle.text.WMT14('wmt14.tgz', dict_size=50)[0]

    Source: O. Bojar et al., "Findings of the 2014 workshop on statistical machine translation", 2014.
    """

    _URL = "http://paddlemodels.bj.bcebos.com/wmt/wmt14.tgz"
    _MD5 = "0791583d57d5beb693b9414c5b36798c"

    def __init__(self, data_file: Any = None, mode: str = "train", dict_size: int = -1, download: bool = True) -> None:
        super().__init__()
        self.mode = checked_mode(mode, "train", "test", "gen")
        self.data_file = located(data_file, "data_file", "wmt14", self._URL, self._MD5, download)
        if dict_size <= 0:
            raise ValueError(f"dict_size should be positive, got {dict_size}")
        self.dict_size = dict_size
        with opened(self.data_file) as archive:
            self.src_dict, self.trg_dict = (self._dictionary(archive, f"{part}.dict") for part in ("src", "trg"))
            start, end = self.trg_dict[START], self.trg_dict[END]
            for name in archive.getnames():
                if name.endswith(f"{self.mode}/{self.mode}"):
                    for sentence, translation in pairs(archive.extractfile(name) or []):
                        source = [self.src_dict.get(word, UNKNOWN) for word in (START, *sentence, END)]
                        target = [self.trg_dict.get(word, UNKNOWN) for word in translation]
                        if len(source) <= LONGEST and len(target) <= LONGEST:
                            self._keep(source, target, start, end)

    def _dictionary(self, archive: Any, suffix: str) -> dict[str, int]:
        names = [name for name in archive.getnames() if name.endswith(suffix)]
        if len(names) != 1:
            raise FormatError(self.data_file, f"one file *{suffix} in the archive", f"{len(names)} of them")
        words = archive.extractfile(names[0]).read().decode().splitlines()[: self.dict_size]
        word_index = {word.strip(): i for i, word in enumerate(words)}
        if not {START, END} <= set(word_index):
            raise FormatError(self.data_file, f"{START} and {END} among the first {self.dict_size} words of {names[0]}", "others")
        return word_index

    def get_dict(self, reverse: bool = False) -> tuple[dict[Any, Any], dict[Any, Any]]:
        """The dictionaries of source and target: word to number, or number to word where ``reverse`` (default False)."""
        if reverse:
            return {i: word for word, i in self.src_dict.items()}, {i: word for word, i in self.trg_dict.items()}
        return self.src_dict, self.trg_dict
