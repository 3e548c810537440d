"""Data sets of texts from local archives, as Paddle read the same ones (see `record_samples`), and Viterbi's algorithm."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from tests.text.archives_made import CASES, made, samples
from to_static.core.errors import DownloadError, DTypeError, FormatError, ShapeError

RECORDED = json.loads((Path(__file__).parent / "paddle_samples.json").read_text())
NAMES = sorted({name for name, _ in CASES})


def test_samples_are_paddles(tmp_path):
    for case, found, expected in zip(CASES, samples(paddle.text, tmp_path), RECORDED, strict=True):
        assert found == expected, case


def test_what_paddle_numbers_otherwise(tmp_path):
    files = made(tmp_path)
    films = paddle.text.Movielens(*files["Movielens"])
    assert films.categories_dict == {"Animation": 0, "Comedy": 1, "Crime": 2}
    assert films.movie_title_dict == {"toy": 0, "story": 1, "the": 2, "heat": 3}
    assert [part.tolist() for part in films[0]][5:7] == [[0, 1], [0, 1]]
    assert (str(films.movie_info[3]), str(films.user_info[2])) == (
        "<MovieInfo id(3), title(Heat ), categories(['Crime'])>", "<UserInfo id(2), gender(M), age(56), job(16)>",
    )  # fmt: skip
    german = paddle.text.WMT16(*files["WMT16"], src_dict_size=6, trg_dict_size=9)
    assert german.get_dict("de") == {"<s>": 0, "<e>": 1, "<unk>": 2, "Mann": 3, "ein": 4, "der": 5, "sitzt": 6, "Hund": 7, "und": 8}
    assert german.get_dict("en", reverse=True)[3] == "man"
    assert german[0][1].tolist() == [0, 4, 3, 6]
    assert german[0][2].tolist() == [4, 3, 6, 1]


def test_dictionaries(tmp_path):
    files = made(tmp_path)
    source, target = paddle.text.WMT14(*files["WMT14"], dict_size=5).get_dict(reverse=True)
    assert (source[3], target[4]) == ("the", "chat")
    words, verbs, tags = paddle.text.Conll05st(*files["Conll05st"]).get_dict()
    assert (words["cat"], verbs["bark"], tags) == (2, 1, {"B-A0": 0, "I-A0": 1, "O": 2})
    assert paddle.text.Conll05st(*files["Conll05st"]).get_embedding() == files["Conll05st"][-1]


@pytest.mark.parametrize("name", NAMES)
def test_files_that_are_not_there_or_foreign(name, tmp_path, monkeypatch):
    arguments = dict(next(given for known, given in CASES if known == name))
    arguments.pop("mode", None)
    monkeypatch.setattr("to_static.io.download.data_home.value", str(tmp_path))
    with pytest.raises(DownloadError, match="not there"):
        getattr(paddle.text, name)(download=False, **arguments)
    foreign = tmp_path / "foreign"
    foreign.write_text("one two three")
    files = made(tmp_path)[name][1:]
    with pytest.raises(FormatError):
        getattr(paddle.text, name)(str(foreign), *files, **arguments)
    if name != "Conll05st":
        with pytest.raises(ValueError, match="mode"):
            getattr(paddle.text, name)(str(foreign), mode="other", **arguments)


def best(scores, steps, length, tags):
    """The best of all sequences, by trying them."""
    def total(path):
        inside = sum(scores[i, tag] for i, tag in enumerate(path)) + sum(steps[a, b] for a, b in itertools.pairwise(path))
        return inside + (steps[-1, path[0]] + steps[-2, path[-1]] if tags else 0)

    return max(itertools.product(range(len(steps)), repeat=length), key=total)


@pytest.mark.parametrize("tags", [True, False])
def test_viterbi_finds_the_best_of_all_sequences(tags):
    drawn = np.random.RandomState(5)
    scores, steps, lengths = drawn.normal(size=(4, 5, 3)), drawn.normal(size=(3, 3)), [5, 1, 3, 2]
    arguments = [paddle.to_tensor(x) for x in (scores, steps, lengths)]
    for function in (paddle.text.viterbi_decode, paddle.jit.to_static(lambda *a: paddle.text.viterbi_decode(*a))):
        paths = function(*arguments, tags)[1].numpy()
        for path, score, length in zip(paths, scores, lengths, strict=True):
            assert tuple(path[:length]) == best(score, steps, length, tags)
            assert not path[length:].any()


def test_viterbi_refuses():
    scores, steps = paddle.zeros([2, 3, 4]), paddle.zeros([4, 4])
    with pytest.raises(ShapeError, match="lengths"):
        paddle.text.viterbi_decode(scores, steps, paddle.to_tensor([4, 1]))
    with pytest.raises(ShapeError, match="expected"):
        paddle.text.viterbi_decode(scores, paddle.zeros([3, 3]), paddle.to_tensor([1, 1]))
    with pytest.raises(DTypeError):
        paddle.text.viterbi_decode(scores, steps, paddle.to_tensor([1.0, 1.0]))
