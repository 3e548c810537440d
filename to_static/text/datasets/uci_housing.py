"""Prices of houses in Boston, with thirteen numbers about where they stand."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.core.dtypes import get_default_dtype
from to_static.core.errors import FormatError
from to_static.io.dataset import Dataset
from to_static.io.download import located
from to_static.text.datasets.archives import checked_mode

COLUMNS = 14


class UCIHousing(Dataset):
    """506 parts of Boston: thirteen numbers each, around 0, and the price of a house.

    Args:
        data_file: ``housing.data``, as it is published; downloaded when None.
        mode: 'train' (default, the first four fifths) or 'test'.
        download: whether the file may be downloaded (default True).

    Each sample is ``(features, price)``: arrays [13] and [1] of the default dtype.

    Raises:
        DownloadError: the file is not there and cannot be downloaded.
        FormatError: it is not that of the data set.
        ValueError: ``mode`` is neither 'train' nor 'test'.

    Example:
        >>> features, price = paddle.text.UCIHousing('housing.data', mode='test')[0]

    Source: D. Harrison, D. L. Rubinfeld, "Hedonic prices and the demand for clean air", 1978.
    """

    _URL = "http://paddlemodels.bj.bcebos.com/uci_housing/housing.data"
    _MD5 = "d4accdce7a25600298819f8e28e8d593"

    def __init__(self, data_file: Any = None, mode: str = "train", download: bool = True) -> None:
        super().__init__()
        self.mode = checked_mode(mode, "train", "test")
        self.data_file = located(data_file, "data_file", "uci_housing", self._URL, self._MD5, download)
        try:
            with open(self.data_file, encoding="ascii") as file:
                values = np.array(file.read().split(), np.float64)
            table = values.reshape(-1, COLUMNS)
        except ValueError as error:
            raise FormatError(self.data_file, f"rows of {COLUMNS} numbers", str(error)) from error
        features = table[:, :-1]
        table[:, :-1] = (features - features.mean(0)) / (features.max(0) - features.min(0))
        first = int(len(table) * 0.8)
        self.data = table[:first] if self.mode == "train" else table[first:]
        self.dtype = get_default_dtype()

    def __getitem__(self, idx: int) -> tuple[np.ndarray, np.ndarray]:
        row = self.data[idx].astype(self.dtype)
        return row[:-1], row[-1:]

    def __len__(self) -> int:
        return len(self.data)
