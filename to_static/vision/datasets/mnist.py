"""MNIST and Fashion-MNIST: 28x28 images in ten classes."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.core.dtypes import get_default_dtype
from to_static.core.errors import DownloadError, FormatError
from to_static.io.dataset import Dataset
from to_static.io.download import located
from to_static.vision.datasets.digits import checked_mode, load_digits
from to_static.vision.datasets.idx import read_idx
from to_static.vision.datasets.pictures import as_image, dataset_backend

SIDE = 28


class MNIST(Dataset):
    """70000 handwritten digits.

    Args:
        image_path: IDX file of the images (gzip or not); downloaded when None.
        label_path: IDX file of the labels; downloaded when None.
        mode: 'train' (60000 images) or 'test' (10000).
        transform: called with each image.
        download: whether files may be downloaded (default True). They are kept in ``~/.cache/to_static/dataset``.
        backend: the form of the images, see `set_image_backend`: 'pil', 'cv2' (float32 arrays [28, 28]) or 'numpy' (uint8 arrays).
        fallback: ``'digits'`` uses the `Digits` set, enlarged to 28x28, when the files cannot be had, and warns about it.
            None (default) raises.

    Each sample is ``(image, label)``; the label is an int64 array of shape [1].

    Raises:
        DownloadError: a file is not there and cannot be downloaded.
        FormatError: a file is not a whole IDX file of images or labels, or their counts differ.
        ValueError: an argument has an unknown value.

    Example:
        >>> image, label = MNIST(mode="test", transform=ToTensor())[0]

    Source: Y. LeCun, C. Cortes, C. Burges, http://yann.lecun.com/exdb/mnist/.
    """

    NAME = "mnist"
    URL_PREFIX = "https://dataset.bj.bcebos.com/mnist/"
    # as Paddle publishes them
    TRAIN_IMAGE_URL = f"{URL_PREFIX}train-images-idx3-ubyte.gz"
    TRAIN_LABEL_URL = f"{URL_PREFIX}train-labels-idx1-ubyte.gz"
    TEST_IMAGE_URL = f"{URL_PREFIX}t10k-images-idx3-ubyte.gz"
    TEST_LABEL_URL = f"{URL_PREFIX}t10k-labels-idx1-ubyte.gz"
    TRAIN_IMAGE_MD5 = "f68b3c2dcbeaaa9fbdd348bbdeb94873"
    TRAIN_LABEL_MD5 = "d53e105ee54ea40749a09fcbcd1e9432"
    TEST_IMAGE_MD5 = "9fb629c4189551a2d022fa330f9573f3"
    TEST_LABEL_MD5 = "ec29112dd5afa0611ce80d1b7f02629c"

    def __init__(
        self,
        image_path: Any = None,
        label_path: Any = None,
        mode: str = "train",
        transform: Callable[[Any], Any] | None = None,
        download: bool = True,
        backend: str | None = None,
        fallback: str | None = None,
    ) -> None:
        super().__init__()
        self.mode = checked_mode(mode)
        self.backend = dataset_backend(backend)
        if fallback not in (None, "digits"):
            raise ValueError(f"{type(self).__name__}: fallback should be None or 'digits', got {fallback!r}")
        self.transform = transform
        self.dtype = get_default_dtype()
        try:
            self.image_path = self._find("images", image_path, download)
            self.label_path = self._find("labels", label_path, download)
        except DownloadError as error:
            if fallback is None:
                raise
            warnings.warn(
                f"{type(self).__name__} is not at hand, so scikit-learn's digits set takes its place: fewer and simpler "
                f"images, resized to {SIDE}x{SIDE}. ({error})",
                stacklevel=2,
            )
            self.image_path = self.label_path = None
            self.images, self.labels = load_digits(self.mode, SIDE)
        else:
            self.images, self.labels = self._read()

    def _find(self, what: str, path: Any, download: bool) -> Any:
        one = f"{self.mode}_{what[:-1]}".upper()  # TRAIN_IMAGE
        url, md5 = getattr(self, f"{one}_URL"), getattr(self, f"{one}_MD5")
        return located(path, f"{what[:-1]}_path", self.NAME, url, md5, download)

    def _read(self) -> tuple[np.ndarray, np.ndarray]:
        images, labels = read_idx(self.image_path), read_idx(self.label_path)
        for path, array, rank in ((self.image_path, images, 3), (self.label_path, labels, 1)):
            if array.ndim != rank or array.dtype != np.uint8:
                raise FormatError(path, f"uint8 elements in {rank} dimension(s)", f"{array.dtype} in {array.ndim}", 2)
        if len(images) != len(labels):
            raise FormatError(
                self.label_path, f"a label for each of the {len(images)} images", f"{len(labels)} labels", 4
            )
        return images, labels.astype(np.int64)

    def __getitem__(self, idx: int) -> tuple[Any, np.ndarray]:
        image: Any = as_image(self.images[idx], self.backend)
        if self.backend == "cv2":
            image = image.astype(np.float32)
        if self.transform is not None:
            image = self.transform(image)
        if self.backend == "cv2":
            image = image.astype(self.dtype)
        return image, self.labels[idx : idx + 1].copy()

    def __len__(self) -> int:
        return len(self.labels)


class FashionMNIST(MNIST):
    """70000 pictures of clothes, as a drop-in for `MNIST`; see there for the arguments.

    Source: H. Xiao, K. Rasul, R. Vollgraf, https://github.com/zalandoresearch/fashion-mnist.
    They are ``image_path``, ``label_path``, ``mode``, ``transform``, ``download``, ``backend`` and ``fallback``.

    Example:
        >>> data = paddle.vision.datasets.FashionMNIST("images.gz", "labels.gz")
    """

    NAME = "fashion-mnist"
    URL_PREFIX = "https://dataset.bj.bcebos.com/fashion_mnist/"
    TRAIN_IMAGE_URL = f"{URL_PREFIX}train-images-idx3-ubyte.gz"
    TRAIN_LABEL_URL = f"{URL_PREFIX}train-labels-idx1-ubyte.gz"
    TEST_IMAGE_URL = f"{URL_PREFIX}t10k-images-idx3-ubyte.gz"
    TEST_LABEL_URL = f"{URL_PREFIX}t10k-labels-idx1-ubyte.gz"
    TRAIN_IMAGE_MD5 = "8d4fb7e6c68d591d4c3dfef9ec88bf0d"
    TRAIN_LABEL_MD5 = "25c81989df183df01b3e8a0aad5dffbe"
    TEST_IMAGE_MD5 = "bef4ecab320f06d8554ea6380940ec79"
    TEST_LABEL_MD5 = "bb300cfdad3c16e7a12a480ee83cd310"
