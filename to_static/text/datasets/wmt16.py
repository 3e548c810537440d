"""Descriptions of pictures in English and German, of the workshop on translation of 2016."""

from __future__ import annotations

from collections import Counter
from typing import Any

from to_static.io.download import located
from to_static.text.datasets.archives import Translations, checked_mode, member, opened, pairs

START, END, UNKNOWN = "<s>", "<e>", "<unk>"
COLUMNS = {"en": 0, "de": 1}
MOST = {"en": 11250, "de": 19220}  # words that there are


class WMT16(Translations):
    """Multi30K: 30000 descriptions of pictures in English and German.

    Args:
        data_file: ``wmt16.tar.gz``, as Paddle publishes it; downloaded when None.
        mode: 'train' (default), 'test' or 'val'.
        src_dict_size, trg_dict_size: how many words of each language are known, the most frequent of the training part; they have
            to be given.
        lang: the language of the source, 'en' (default) or 'de'.
        download: whether the file may be downloaded (default True).

    Each sample is three int64 arrays: the source, the target after its start, the target before its end.

    Raises:
        DownloadError: the file is not there and cannot be downloaded.
        FormatError: it is not that of the data set.
        ValueError: ``mode`` or ``lang`` is something else, or a size is not positive.

    Example:
        >>> data = paddle.text.WMT16('wmt16.tar.gz', src_dict_size=50, trg_dict_size=50)

    Source: D. Elliott et al., "Multi30K: Multilingual English-German image descriptions", 2016.
    """

    _URL = "http://paddlemodels.bj.bcebos.com/wmt/wmt16.tar.gz"
    _MD5 = "0c38be43600334966403524a40dcd81e"

    def __init__(
        self, data_file: Any = None, mode: str = "train", src_dict_size: int = -1, trg_dict_size: int = -1, lang: str = "en",
        download: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.mode = checked_mode(mode, "train", "test", "val")
        if lang not in COLUMNS:
            raise ValueError(f"lang should be 'en' or 'de', got {lang!r}")
        if src_dict_size <= 0 or trg_dict_size <= 0:
            raise ValueError(f"src_dict_size and trg_dict_size should be positive, got {src_dict_size} and {trg_dict_size}")
        self.data_file = located(data_file, "data_file", "wmt16", self._URL, self._MD5, download)
        self.lang, target_lang = lang, "de" if lang == "en" else "en"
        self.src_dict_size, self.trg_dict_size = min(src_dict_size, MOST[lang]), min(trg_dict_size, MOST[target_lang])
        with opened(self.data_file) as archive:
            sentences = list(pairs(member(archive, self.data_file, "wmt16/train")))
            self.src_dict = self._dictionary(sentences, lang, src_dict_size)
            self.trg_dict = self._dictionary(sentences, target_lang, trg_dict_size)
            start, end, unknown = (self.src_dict[mark] for mark in (START, END, UNKNOWN))
            for pair in pairs(member(archive, self.data_file, f"wmt16/{self.mode}")):
                source = [self.src_dict.get(word, unknown) for word in pair[COLUMNS[lang]]]
                target = [self.trg_dict.get(word, unknown) for word in pair[COLUMNS[target_lang]]]
                self._keep([start, *source, end], target, start, end)

    @staticmethod
    def _dictionary(sentences: list[list[list[str]]], lang: str, size: int) -> dict[str, int]:
        words = Counter(word for pair in sentences for word in pair[COLUMNS[lang]])
        vocabulary = [START, END, UNKNOWN, *(word for word, _ in words.most_common(max(size - 3, 0)))]
        return {word: i for i, word in enumerate(vocabulary)}

    def get_dict(self, lang: str, reverse: bool = False) -> dict[Any, Any]:
        """The dictionary of a language, 'en' or 'de': word to number, or number to word where ``reverse`` (default False)."""
        words = self.src_dict if lang == self.lang else self.trg_dict
        return {i: word for word, i in words.items()} if reverse else words
