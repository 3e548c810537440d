"""Semantic roles (CoNLL 2005): sentences of the Wall Street Journal with the roles of their parts."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Any

import numpy as np

from to_static.core.errors import FormatError
from to_static.io.dataset import Dataset
from to_static.io.download import located
from to_static.text.datasets.archives import member, opened

_PART = "conll05st-release/test.wsj/{0}/test.wsj.{0}.gz"
UNKNOWN = 0


def _roles(marks: list[str], path: Any) -> list[str]:
    """The roles of a column such as ``(A0* *) (V*)`` as B-, I- and O tags."""
    roles, role, in_span = [], "O", False
    for mark in marks:
        if "(" in mark:
            role = mark[1 : mark.find("*")]
            in_span = ")" not in mark
            roles.append(f"B-{role}")
        elif mark in ("*", "*)"):
            roles.append(f"I-{role}" if in_span or mark == "*)" else "O")
            in_span = in_span and mark == "*"
        else:
            raise FormatError(path, "roles such as (A0*, * and *)", repr(mark))
    return roles


class Conll05st(Dataset):
    """The test part of CoNLL-2005: a sample for each verb of each sentence. The others are not public.

    Args:
        data_file: ``conll05st-tests.tar.gz``; downloaded when None, as the others are.
        word_dict_file, verb_dict_file, target_dict_file: words, verbs and tags, one a line.
        emb_file: vectors of words, for `get_embedding`.
        download: whether files may be downloaded (default True).

    Each sample is nine int64 arrays [words]: the words, the second and first word before the verb, the verb, the first and second
    word after it, the verb by its dictionary, 1 at these places, and the tags. Tags are numbered as they come in their file.

    Raises:
        DownloadError: a file is not there and cannot be downloaded.
        FormatError: one is not that of the data set.

    Example:
        >>> data = paddle.text.Conll05st('conll05st-tests.tar.gz', 'wordDict.txt', 'verbDict.txt', 'targetDict.txt', 'emb')

    Source: X. Carreras, L. Marquez, "Introduction to the CoNLL-2005 shared task", 2005.
    """

    _HOME = "http://paddlemodels.bj.bcebos.com/conll05st"
    _FILES = {
        "data_file": ("/conll05st-tests.tar.gz", "387719152ae52d60422c016e92a742fc"),
        "word_dict_file": ("%2FwordDict.txt", "ea7fb7d4c75cc6254716f0177a506baa"),
        "verb_dict_file": ("%2FverbDict.txt", "0d2977293bbb6cbefab5b0f97db1e77c"),
        "target_dict_file": ("%2FtargetDict.txt", "d8c7f03ceb5fc2e5a0fa7503a4353751"),
        "emb_file": ("%2Femb", "bf436eb0faa1f6f9103017f8be57cdb7"),
    }

    def __init__(
        self, data_file: Any = None, word_dict_file: Any = None, verb_dict_file: Any = None, target_dict_file: Any = None,
        emb_file: Any = None, download: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        files = (data_file, word_dict_file, verb_dict_file, target_dict_file, emb_file)
        for value, (name, (end, md5)) in zip(files, self._FILES.items(), strict=True):
            setattr(self, name, located(value, name, "conll05st", self._HOME + end, md5, download))
        self.word_dict = self._line_numbers("word_dict_file")
        self.predicate_dict = self._line_numbers("verb_dict_file")
        labels = dict.fromkeys(line[2:] for line in self._line_numbers("target_dict_file") if line[:2] in ("B-", "I-"))
        tags = [f"{side}-{label}" for label in labels for side in "BI"]
        self.label_dict = {tag: i for i, tag in enumerate([*tags, "O"])}
        self.sentences: list[list[str]] = []
        self.predicates: list[str] = []
        self.labels: list[list[str]] = []
        for sentence, rows in self._annotated():
            columns = [list(column) for column in zip(*rows, strict=True)]
            verbs = [verb for verb in columns[0] if verb != "-"]
            for verb, marks in zip(verbs, columns[1:], strict=True):
                self.sentences.append(sentence)
                self.predicates.append(verb)
                self.labels.append(_roles(marks, self._path("data_file")))

    def _path(self, name: str) -> Any:
        return getattr(self, name)

    def _line_numbers(self, name: str) -> dict[str, int]:
        with open(self._path(name), encoding="utf-8") as file:
            return {line.strip(): i for i, line in enumerate(file)}

    def _annotated(self) -> Iterator[tuple[list[str], list[list[str]]]]:
        """Each sentence with the row of marks of each of its words."""
        path = self._path("data_file")
        with opened(path) as archive:
            words, props = (gzip.decompress(member(archive, path, _PART.format(part)).read()) for part in ("words", "props"))
        sentence: list[str] = []
        rows: list[list[str]] = []
        for word, marks in zip(words.decode().splitlines(), props.decode().splitlines(), strict=False):
            row = marks.split()
            if row:
                sentence.append(word.strip())
                rows.append(row)
            elif rows:
                yield sentence, rows
                sentence, rows = [], []

    def __getitem__(self, idx: int) -> tuple[np.ndarray, ...]:
        sentence, labels = self.sentences[idx], self.labels[idx]
        length, verb = len(sentence), labels.index("B-V")
        context_words = [*["bos"] * 2, *sentence, *["eos"] * 2][verb : verb + 5]
        mark = [int(abs(i - verb) <= 2) for i in range(length)]
        word_ids = self.word_dict
        context = [[word_ids.get(word, UNKNOWN)] * length for word in context_words]
        words = [word_ids.get(word, UNKNOWN) for word in sentence]
        verbs = [self.predicate_dict.get(self.predicates[idx])] * length
        return tuple(np.array(part) for part in (words, *context, verbs, mark, [self.label_dict.get(label) for label in labels]))

    def __len__(self) -> int:
        return len(self.sentences)

    def get_dict(self) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
        """The numbers of words, verbs and tags."""
        return self.word_dict, self.predicate_dict, self.label_dict

    def get_embedding(self) -> Any:
        """The path of the file of vectors."""
        return self._path("emb_file")
