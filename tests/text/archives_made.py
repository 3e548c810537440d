"""Small archives in the form of the published data sets, written into a directory: for the tests, and for the recorder."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

REVIEWS = {
    "train/pos/0_9.txt": "A good film, really good!\n", "train/neg/1_2.txt": "bad; a bad film", "train/unsup/2_0.txt": "not read",
    "test/pos/0_8.txt": "Good. A film!", "test/neg/0_1.txt": "a film that is bad", "test/neg/1_1.txt": "Not a good film",
}  # fmt: skip
SENTENCES = {
    "train": "the cat sat on the <unk>\n a dog saw the cat \nthe dog\n", "valid": "the cat saw a dog\n",
    "test": "a cat sat\nthe bird flew on\n",
}  # fmt: skip
FILMS = "1::Toy Story (1995)::Animation|Comedy\n2::The Story (1996)::Comedy\n3::Heat (1995)::Crime\n"
USERS = "1::F::1::10::48067\n2::M::56::16::70072\n"
RATINGS = "".join(f"{1 + i % 2}::{1 + i % 3}::{1 + i % 5}::97{i}\n" for i in range(20))
FRENCH = "the cat\tle chat\nno tab here\nthe dog sat\tle chien assis\n" + "a " * 90 + "\tun\n"
GERMAN = "a man sits\tein Mann sitzt\na dog\tein Hund\nno tab\nthe man and the man\tder Mann und der Mann\n"
WORDS = "The\ncat\nchased\nmice\n\nDogs\nbark\n\nNo\nverb\n\n"
PROPS = "-\t(A0*\n-\t*)\nchase\t(V*)\n-\t(A1*)\n\n-\t(A0*)\nbark\t(V*)\n\n-\n-\n\n"


def _tar(path: Path, files: dict[str, str | bytes], mode: str = "w:gz") -> str:
    with tarfile.open(path, mode) as archive:
        for name, text in files.items():
            data = text.encode() if isinstance(text, str) else text
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return str(path)


def _text(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


def made(folder: Path) -> dict[str, tuple[str, ...]]:
    """The files of each data set."""
    dictionary = "<s>\n<e>\n<unk>\n"
    with zipfile.ZipFile(folder / "ml-1m.zip", "w") as archive:
        for name, text in (("movies", FILMS), ("users", USERS), ("ratings", RATINGS)):
            archive.writestr(f"ml-1m/{name}.dat", text)
    rows = "\n".join(" ".join(str((i * 7 + j * 3) % 11 + j / 4) for j in range(14)) for i in range(10))
    conll = "conll05st-release/test.wsj/{0}/test.wsj.{0}.gz"
    parts = {conll.format("words"): gzip.compress(WORDS.encode()), conll.format("props"): gzip.compress(PROPS.encode())}
    return {
        "UCIHousing": (_text(folder / "housing.data", rows),),
        "Imdb": (_tar(folder / "imdb.tar.gz", {f"aclImdb/{name}": text for name, text in REVIEWS.items()}),),
        "Imikolov": (
            _tar(folder / "ptb.tgz", {f"./simple-examples/data/ptb.{part}.txt": text for part, text in SENTENCES.items()}),
        ),
        "Movielens": (str(folder / "ml-1m.zip"),),
        "WMT14": (
            _tar(folder / "wmt14.tgz", {
                "wmt14/src.dict": dictionary + "the\ncat\ndog\n", "wmt14/trg.dict": dictionary + "le\nchat\nchien\n",
                "wmt14/train/train": FRENCH, "wmt14/test/test": "the bird\tle oiseau\n",
            }),
        ),
        "WMT16": (_tar(folder / "wmt16.tar.gz", {f"wmt16/{part}": GERMAN for part in ("train", "test", "val")}),),
        "Conll05st": (
            _tar(folder / "conll05st-tests.tar.gz", parts), _text(folder / "words", "<unk>\nthe\ncat\nmice\nDogs\nbos\neos\n"),
            _text(folder / "verbs", "chase\nbark\n"), _text(folder / "tags", "B-A0\nI-A0\nO\n"), _text(folder / "emb", ""),
        ),
    }  # fmt: skip


CASES = [
    ("UCIHousing", {"mode": "train"}), ("UCIHousing", {"mode": "TEST"}),
    ("Imdb", {"mode": "train", "cutoff": 1}), ("Imdb", {"mode": "test", "cutoff": 2}),
    ("Imikolov", {"window_size": 3, "min_word_freq": 1}), ("Imikolov", {"data_type": "seq", "mode": "test", "min_word_freq": 0}),
    ("Imikolov", {"data_type": "SEQ", "window_size": 4, "min_word_freq": 2}),
    ("Movielens", {"test_ratio": 0.3}), ("Movielens", {"mode": "test", "test_ratio": 0.3, "rand_seed": 3}),
    ("WMT14", {"dict_size": 6}), ("WMT14", {"dict_size": 4, "mode": "test"}),
    ("WMT16", {"src_dict_size": 6, "trg_dict_size": 7}),
    ("Conll05st", {}),
]  # fmt: skip


# Paddle numbers categories and words of titles in the order of a set, another in each process, and makes the dictionary of WMT16's
# target of the words of the source: these parts of samples are left out
COMPARED = {"Movielens": (0, 1, 2, 3, 4, 7), "WMT16": (0,)}


def samples(text, folder: Path):
    """The samples of each case, as nested lists, of either package's ``paddle.text``."""
    files = made(folder)
    return [
        [[part.tolist() for k, part in enumerate(data[i]) if k in COMPARED.get(name, range(9))] for i in range(len(data))]
        for name, arguments in CASES
        for data in [getattr(text, name)(*files[name], **arguments)]
    ]
