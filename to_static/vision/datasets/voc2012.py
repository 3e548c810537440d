"""Pascal VOC 2012: photographs with a class for each pixel."""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from typing import Any

from to_static.core.dtypes import get_default_dtype
from to_static.core.errors import FormatError
from to_static.io.dataset import Dataset
from to_static.io.download import located
from to_static.vision.datasets.pictures import dataset_backend, read_image

URL = "https://dataset.bj.bcebos.com/voc/VOCtrainval_11-May-2012.tar"
MD5 = "6cd6e144f989b92b3379bac3b3de84fd"
SETS = {"train": "trainval", "test": "train", "valid": "val"}  # as in Paddle
FOLDER = "VOCdevkit/VOC2012/"


class VOC2012(Dataset):
    """Photographs and, for each pixel, which of 21 classes it belongs to (255: none).

    Args:
        data_file: ``VOCtrainval_11-May-2012.tar``, as it is published; downloaded when None. It is read where it is, not unpacked.
        mode: 'train' (2913 images), 'valid' (1449) or 'test' (1464).
        transform: called with each image. download: whether the file may be downloaded (default True).
        backend: the form of images and classes, see `set_image_backend`: 'pil', 'cv2' (arrays of the default dtype) or 'numpy'
            (uint8 arrays [H, W, 3] and [H, W]).

    Each sample is ``(image, classes)``.

    Raises:
        DownloadError: the file is not there and cannot be downloaded. FormatError: it is no such archive.
        ImportError: Pillow is not installed. ValueError: ``mode`` or ``backend`` has an unknown value.

    Source: M. Everingham et al., http://host.robots.ox.ac.uk/pascal/VOC/voc2012/.

    Example:
        >>> data = paddle.vision.datasets.VOC2012("VOCtrainval_11-May-2012.tar")
    """

    def __init__(
        self, data_file: Any = None, mode: str = "train", transform: Callable[[Any], Any] | None = None, download: bool = True,
        backend: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if mode.lower() not in SETS:
            raise ValueError(f"mode should be one of {', '.join(SETS)}, got {mode!r}")
        self.backend = dataset_backend(backend)
        self.flag = SETS[mode.lower()]
        self.data_file = located(data_file, "data_file", "voc2012", URL, MD5, download)
        self.transform = transform
        self.dtype = get_default_dtype()
        try:
            with tarfile.open(self.data_file, "r:") as tar:  # not packed: so that parts can be read where they are
                self._places = {member.name: (member.offset_data, member.size) for member in tar if member.isfile()}
        except (tarfile.TarError, EOFError) as error:
            raise FormatError(self.data_file, "a tar archive that is not compressed", f"something else ({error})") from error
        names = self._bytes(f"ImageSets/Segmentation/{self.flag}.txt").decode().split()
        self.data = [f"JPEGImages/{name}.jpg" for name in names]
        self.labels = [f"SegmentationClass/{name}.png" for name in names]

    def _bytes(self, name: str) -> bytes:
        if FOLDER + name not in self._places:
            raise FormatError(self.data_file, f"{FOLDER}{name} in the archive", "no such file")
        start, size = self._places[FOLDER + name]
        with open(self.data_file, "rb") as file:  # opened each time: processes that share a file would share its position
            file.seek(start)
            return file.read(size)

    def __getitem__(self, idx: int) -> tuple[Any, Any]:
        image, classes = (read_image(self._bytes(names[idx]), self.backend, "VOC2012") for names in (self.data, self.labels))
        if self.transform is not None:
            image = self.transform(image)
        if self.backend == "cv2":
            image, classes = image.astype(self.dtype), classes.astype(self.dtype)
        return image, classes

    def __len__(self) -> int:
        return len(self.data)
