"""The Oxford flowers: 8189 photographs in 102 classes."""

from __future__ import annotations

import os
import re
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from to_static.core.dtypes import get_default_dtype
from to_static.core.errors import FormatError
from to_static.io.dataset import Dataset
from to_static.io.download import located
from to_static.vision.datasets.matlab import read_mat
from to_static.vision.datasets.pictures import dataset_backend, read_image

HOME = "http://paddlemodels.bj.bcebos.com/flowers/"
FILES = {
    "data_file": ("102flowers.tgz", "52808999861908f626f3c1f4e79d11fa"),
    "label_file": ("imagelabels.mat", "e0620be6f572b9609742df49c70aed4d"),
    "setid_file": ("setid.mat", "a5357ecc9cb78c4bef273ce3793fc85c"),
}
SETS = {"train": "tstid", "test": "trnid", "valid": "valid"}  # as in Paddle: the largest part, meant for tests, is trained on
_IMAGE = re.compile(r"(?:\./)?jpg/image_\d{5}\.jpg")


class Flowers(Dataset):
    """Photographs of flowers in 102 classes.

    Args:
        data_file, label_file, setid_file: ``102flowers.tgz``, ``imagelabels.mat`` and ``setid.mat``, as they are published;
            downloaded when None. The images are unpacked into a folder beside the archive.
        mode: 'train' (6149 images), 'valid' (1020) or 'test' (1020).
        transform: called with each image. download: whether files may be downloaded (default True).
        backend: the form of the images, see `set_image_backend`: 'pil', 'cv2' (arrays [H, W, 3] of the default dtype) or 'numpy'.

    Each sample is ``(image, label)``; the label is an int64 array [1], from 1.

    Raises:
        DownloadError: a file is not there and cannot be downloaded. FormatError: a file is not what it should be.
        ImportError: Pillow is not installed. ValueError: ``mode`` or ``backend`` has an unknown value.

    Source: M.-E. Nilsback, A. Zisserman, https://www.robots.ox.ac.uk/~vgg/data/flowers/102/.

    Example:
        >>> data = paddle.vision.datasets.Flowers("102flowers.tgz", "imagelabels.mat", "setid.mat")
    """

    def __init__(
        self, data_file: Any = None, label_file: Any = None, setid_file: Any = None, mode: str = "train",
        transform: Callable[[Any], Any] | None = None, download: bool = True, backend: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if mode.lower() not in SETS:
            raise ValueError(f"mode should be one of {', '.join(SETS)}, got {mode!r}")
        self.backend = dataset_backend(backend)
        files = {"data_file": data_file, "label_file": label_file, "setid_file": setid_file}
        paths = {
            key: located(path, key, "flowers", HOME + FILES[key][0], FILES[key][1], download) for key, path in files.items()
        }
        self.transform = transform
        self.labels = _row(paths["label_file"], "labels")
        self.indexes = _row(paths["setid_file"], SETS[mode.lower()])
        self.data_path = _unpacked(paths["data_file"])

    def __getitem__(self, idx: int) -> tuple[Any, np.ndarray]:
        index = int(self.indexes[idx])
        data = (self.data_path / "jpg" / f"image_{index:05d}.jpg").read_bytes()
        image = read_image(data, self.backend, "Flowers")
        if self.transform is not None:
            image = self.transform(image)
        if self.backend == "cv2":
            image = image.astype(get_default_dtype())
        return image, np.array([self.labels[index - 1]], np.int64)

    def __len__(self) -> int:
        return len(self.indexes)


def _row(path: Any, name: str) -> np.ndarray:
    variables = read_mat(path)
    if name not in variables:
        raise FormatError(path, f"a variable {name!r}", f"only {', '.join(variables) or 'none'}")
    return variables[name].reshape(-1).astype(np.int64)


def _unpacked(path: Any) -> Path:
    """The folder beside an archive that its images are in; what is not there yet is unpacked, and nothing but images."""
    folder = Path(str(path).removesuffix(".tgz") if str(path).endswith(".tgz") else f"{os.fspath(path)}.images")
    try:
        with tarfile.open(path) as tar:
            for member in tar:
                target = folder / member.name
                if not member.isfile() or not _IMAGE.fullmatch(member.name):
                    continue
                if target.exists() and target.stat().st_size == member.size:
                    continue
                target.parent.mkdir(parents=True, exist_ok=True)
                file = tar.extractfile(member)
                assert file is not None
                target.write_bytes(file.read())
    except (tarfile.TarError, EOFError) as error:
        raise FormatError(path, "a tar archive", f"damaged data ({error})") from error
    return folder
