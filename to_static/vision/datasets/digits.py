"""Real handwritten digits that need no download: scikit-learn's copy of the UCI set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.io.dataset import Dataset
from to_static.vision.transforms.resample import resample

TEST_EVERY = 6  # each sixth image is a test image


class Digits(Dataset):
    """The 1797 handwritten digits of the UCI "Optical Recognition of Handwritten Digits" test set (8x8 pixels).

    Args:
        mode: 'train' (1498 images) or 'test' (299 images).
        transform: called with each image.
        size: side of the images in pixels; other than 8, they are resized bilinearly.

    Each sample is ``(image, label)``: image a uint8 array [size, size] from 0 (paper) to 255 (ink), label an int64 array [1].

    Raises:
        ImportError: scikit-learn is not installed.
        ValueError: ``mode`` is neither 'train' nor 'test'.

    Example:
        >>> image, label = Digits(mode="test", size=28)[0]

    Source: E. Alpaydin, C. Kaynak, UCI Machine Learning Repository, 1998, https://doi.org/10.24432/C50P49.
    """

    def __init__(self, mode: str = "train", transform: Callable[[Any], Any] | None = None, size: int = 8) -> None:
        super().__init__()
        self.mode = checked_mode(mode)
        self.transform = transform
        self.images, self.labels = load_digits(self.mode, size)

    def __getitem__(self, idx: int) -> tuple[Any, np.ndarray]:
        image = self.images[idx]
        return (image if self.transform is None else self.transform(image)), self.labels[idx : idx + 1].copy()

    def __len__(self) -> int:
        return len(self.labels)


def checked_mode(mode: str) -> str:
    """``mode`` in lower case. Raises ValueError when it is neither 'train' nor 'test'."""
    if mode.lower() not in ("train", "test"):
        raise ValueError(f"mode should be 'train' or 'test', got {mode!r}")
    return mode.lower()


def load_digits(mode: str, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Images [n, size, size] uint8 and labels [n] int64 of one part of the set."""
    try:
        from sklearn.datasets import load_digits as load
    except ImportError:
        raise ImportError(
            "the digits set comes with scikit-learn, which is not installed: pip install scikit-learn "
            "(or to_static[samples])"
        ) from None
    digits = load()
    test = np.arange(len(digits.target)) % TEST_EVERY == TEST_EVERY - 1
    keep = test if mode == "test" else ~test
    images = digits.images[keep].astype(np.float32) * (255 / 16)  # 16 grey levels
    if size != images.shape[1]:
        images = resample(images.transpose(1, 2, 0), size, size, "bilinear").transpose(2, 0, 1)
    return np.ascontiguousarray(np.rint(images).clip(0, 255)).astype(np.uint8), digits.target[keep].astype(np.int64)
