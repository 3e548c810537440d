"""Datasets of images: handwritten digits and clothes."""

from to_static.core.missing import names_missing
from to_static.vision.datasets.digits import Digits
from to_static.vision.datasets.idx import read_idx
from to_static.vision.datasets.mnist import MNIST, FashionMNIST

__all__ = ["MNIST", "Digits", "FashionMNIST", "read_idx"]

__getattr__ = names_missing(__name__)
