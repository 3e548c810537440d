"""CIFAR-10 and CIFAR-100: 32x32 images in ten and a hundred classes."""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.formats.paddle.pickles.unpickling import unpickle
from to_static.core.dtypes import get_default_dtype
from to_static.core.errors import FormatError
from to_static.io.dataset import Dataset
from to_static.io.download import located
from to_static.vision.datasets.digits import checked_mode
from to_static.vision.datasets.pictures import as_image, dataset_backend

SIDE = 32


class Cifar10(Dataset):
    """60000 small photographs in ten classes.

    Args:
        data_file: ``cifar-10-python.tar.gz``, as it is published; downloaded when None.
        mode: 'train' (50000 images) or 'test' (10000).
        transform: called with each image.
        download: whether the file may be downloaded (default True). It is kept in ``~/.cache/to_static/dataset``.
        backend: the form of the images, see `set_image_backend`: 'pil', 'cv2' (arrays [32, 32, 3] of the default dtype) or 'numpy'
            (uint8 arrays).

    Each sample is ``(image, label)``; the label is an int64 array without dimensions.

    Raises:
        DownloadError: the file is not there and cannot be downloaded.
        FormatError: it is not CIFAR's; nothing in it is ever executed.
        ValueError: ``mode`` or ``backend`` has an unknown value.

    Example:
        >>> image, label = Cifar10("cifar-10-python.tar.gz", mode="test")[0]

    Source: A. Krizhevsky, "Learning Multiple Layers of Features from Tiny Images", https://www.cs.toronto.edu/~kriz/cifar.html.
    """

    _URL = "https://dataset.bj.bcebos.com/cifar/cifar-10-python.tar.gz"
    _MD5 = "c58f30108f718f92721af3b95e74349a"
    _MEMBERS = {"train": "data_batch", "test": "test_batch"}
    _LABELS = "labels"

    def __init__(
        self, data_file: Any = None, mode: str = "train", transform: Callable[[Any], Any] | None = None, download: bool = True,
        backend: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.mode = checked_mode(mode)
        self.backend = dataset_backend(backend)
        self.data_file = located(data_file, "data_file", "cifar", self._URL, self._MD5, download)
        self.transform = transform
        self.dtype = get_default_dtype()
        self.images, self.labels = self._read()

    def _read(self) -> tuple[np.ndarray, np.ndarray]:
        images, labels = [], []
        try:
            with tarfile.open(self.data_file) as tar:
                for name in sorted(tar.getnames()):
                    file = tar.extractfile(name) if self._MEMBERS[self.mode] in name.rpartition("/")[2] else None
                    if file is not None:
                        batch = self._batch(file.read(), f"{self.data_file}: {name}")
                        images.append(batch[0])
                        labels.append(batch[1])
        except (tarfile.TarError, EOFError) as error:
            raise FormatError(self.data_file, "a tar archive", f"damaged data ({error})") from error
        if not images:
            raise FormatError(self.data_file, f"files named {self._MEMBERS[self.mode]}* in the archive", "none")
        return np.concatenate(images), np.concatenate(labels)

    def _batch(self, data: bytes, path: str) -> tuple[np.ndarray, np.ndarray]:
        """Images [n, 32, 32, 3] and labels [n] of one file of the archive."""
        batch = unpickle(data, path)
        if isinstance(batch, dict):
            named = {key.decode("latin1") if isinstance(key, bytes) else key: value for key, value in batch.items()}
            rows: Any = named.get("data")
            labels: Any = named.get(self._LABELS)
            is_image_table = isinstance(rows, np.ndarray) and rows.dtype == np.uint8 and rows.shape[1:] == (3 * SIDE * SIDE,)
            if is_image_table and isinstance(labels, (list, np.ndarray)) and len(labels) == len(rows):
                planes = rows.reshape(-1, 3, SIDE, SIDE)
                return np.ascontiguousarray(planes.transpose(0, 2, 3, 1)), np.asarray(labels, np.int64)
        raise FormatError(path, f"a dict with 'data' (uint8 [n, {3 * SIDE * SIDE}]) and n {self._LABELS!r}", "something else")

    def __getitem__(self, idx: int) -> tuple[Any, np.ndarray]:
        image = as_image(self.images[idx], self.backend)
        if self.transform is not None:
            image = self.transform(image)
        if self.backend == "cv2":
            image = image.astype(self.dtype)
        return image, np.array(self.labels[idx])

    def __len__(self) -> int:
        return len(self.labels)


class Cifar100(Cifar10):
    """60000 small photographs in a hundred classes, as a drop-in for `Cifar10`; see there for the arguments.

    They are ``data_file``, ``mode``, ``transform``, ``download`` and ``backend``.

    Example:
        >>> data = paddle.vision.datasets.Cifar100("cifar-100-python.tar.gz")
    """

    _URL = "https://dataset.bj.bcebos.com/cifar/cifar-100-python.tar.gz"
    _MD5 = "eb9058c3a382ffc7106e4002c42a8d85"
    _MEMBERS = {"train": "train", "test": "test"}
    _LABELS = "fine_labels"
