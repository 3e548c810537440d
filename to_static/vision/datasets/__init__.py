"""Datasets of images: digits, clothes, photographs, flowers, scenes, and folders of one's own."""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.vision.datasets.cifar import Cifar10, Cifar100
from to_static.vision.datasets.digits import Digits
from to_static.vision.datasets.flowers import Flowers
from to_static.vision.datasets.folder import DatasetFolder, ImageFolder
from to_static.vision.datasets.idx import read_idx
from to_static.vision.datasets.mnist import MNIST, FashionMNIST
from to_static.vision.datasets.voc2012 import VOC2012

__all__ = [
    "MNIST", "VOC2012", "Cifar10", "Cifar100", "DatasetFolder", "Digits", "FashionMNIST", "Flowers", "ImageFolder", "read_idx",
]  # fmt: skip

__getattr__ = names_missing(__name__)
