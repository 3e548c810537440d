"""Ratings of films (MovieLens)."""

from __future__ import annotations

import re
import zipfile
from typing import Any

import numpy as np

from to_static.core.errors import FormatError
from to_static.io.dataset import Dataset
from to_static.io.download import located
from to_static.text.datasets.archives import checked_mode

AGES = [1, 18, 25, 35, 45, 50, 56]  # the youngest of each group
_TITLE = re.compile(r"^(.*)\((\d+)\)$")


class MovieInfo:
    """A film: its number, ``categories`` and ``title``."""

    def __init__(self, index: str, categories: list[str], title: str) -> None:
        self.index, self.categories, self.title = int(index), categories, title

    def value(self, categories_dict: dict[str, int], movie_title_dict: dict[str, int]) -> list[list[int]]:
        """Its number, those of its categories and those of the words of its title."""
        words = [movie_title_dict[word.lower()] for word in self.title.split()]
        return [[self.index], [categories_dict[c] for c in self.categories], words]

    def __repr__(self) -> str:
        return f"<MovieInfo id({self.index}), title({self.title}), categories({self.categories})>"


class UserInfo:
    """Somebody who judges films: a number, ``is_male``, the group of ``age`` and a ``job_id``."""

    def __init__(self, index: str, gender: str, age: str, job_id: str) -> None:
        self.index, self.is_male, self.age, self.job_id = int(index), gender == "M", AGES.index(int(age)), int(job_id)

    def value(self) -> list[list[int]]:
        """The number, 0 for a man and 1 for a woman, the number of the group of age, that of the job."""
        return [[self.index], [0 if self.is_male else 1], [self.age], [self.job_id]]

    def __repr__(self) -> str:
        return f"<UserInfo id({self.index}), gender({'M' if self.is_male else 'F'}), age({AGES[self.age]}), job({self.job_id})>"


class Movielens(Dataset):
    """A million judgements of films.

    Args:
        data_file: ``ml-1m.zip``, as it is published; downloaded when None.
        mode: 'train' (default) or 'test'.
        test_ratio: the part that is for testing, drawn by NumPy's generator (default 0.1).
        rand_seed: of that generator (default 0).
        download: whether the file may be downloaded (default True).

    Each sample is eight arrays: of the user a number, gender, group of age and job, of the film a number, its categories and the
    words of its title (numbered as they come), and the judgement from -3 to 5.

    Raises:
        DownloadError: the file is not there and cannot be downloaded.
        FormatError: it is not that of the data set.
        ValueError: ``mode`` is neither 'train' nor 'test'.

    Example:
        >>> user, gender, age, job, film, categories, title, judgement = paddle.text.Movielens('ml-1m.zip')[0]

    Source: F. M. Harper, J. A. Konstan, "The MovieLens datasets", 2015.
    """

    _URL = "https://dataset.bj.bcebos.com/movielens%2Fml-1m.zip"
    _MD5 = "c4d9eecfca2ab87c1945afe126590906"

    def __init__(
        self, data_file: Any = None, mode: str = "train", test_ratio: float = 0.1, rand_seed: int = 0, download: bool = True
    ) -> None:
        super().__init__()
        self.mode = checked_mode(mode, "train", "test")
        self.data_file = located(data_file, "data_file", "sentiment", self._URL, self._MD5, download)
        self.test_ratio, self.rand_seed = test_ratio, rand_seed
        self.movie_info: dict[int, MovieInfo] = {}
        self.user_info: dict[int, UserInfo] = {}
        self.movie_title_dict: dict[str, int] = {}
        self.categories_dict: dict[str, int] = {}
        try:
            with zipfile.ZipFile(self.data_file) as archive:
                self._read_films(self._rows(archive, "movies"))
                for index, gender, age, job, _ in self._rows(archive, "users"):
                    self.user_info[int(index)] = UserInfo(index, gender, age, job)
                self.data = self._judgements(self._rows(archive, "ratings"))
        except (zipfile.BadZipFile, KeyError, ValueError, EOFError) as error:
            expected = "a ZIP archive with ml-1m/movies.dat, users.dat and ratings.dat"
            raise FormatError(self.data_file, expected, str(error)) from error

    @staticmethod
    def _rows(archive: zipfile.ZipFile, name: str) -> list[list[str]]:
        return [line.strip().split("::") for line in archive.read(f"ml-1m/{name}.dat").decode("latin").splitlines()]

    def _read_films(self, rows: list[list[str]]) -> None:
        for index, title, categories in rows:
            match = _TITLE.match(title)
            if match is None:
                raise ValueError(f"a title without a year, {title!r}")
            film = MovieInfo(index, categories.split("|"), match[1])
            self.movie_info[int(index)] = film
            for category in film.categories:
                self.categories_dict.setdefault(category, len(self.categories_dict))
            for word in film.title.lower().split():
                self.movie_title_dict.setdefault(word, len(self.movie_title_dict))

    def _judgements(self, rows: list[list[str]]) -> list[list[list[Any]]]:
        drawn = np.random.RandomState(self.rand_seed).random_sample(len(rows)) < self.test_ratio
        ratings: list[list[list[Any]]] = []
        for (user, film, judgement, _), test in zip(rows, drawn, strict=True):
            if test == (self.mode == "test"):
                about = self.movie_info[int(film)].value(self.categories_dict, self.movie_title_dict)
                ratings.append([*self.user_info[int(user)].value(), *about, [float(judgement) * 2 - 5]])
        return ratings

    def __getitem__(self, idx: int) -> tuple[np.ndarray, ...]:
        return tuple(np.array(part) for part in self.data[idx])

    def __len__(self) -> int:
        return len(self.data)
