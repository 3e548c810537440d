"""Random changes of place: crops, turns, views, erased parts.

They draw from Python's ``random`` and from ``numpy.random``, in the order in which Paddle's do.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir.tensor import Tensor
from to_static.core.errors import ShapeError
from to_static.vision.transforms import functional as F
from to_static.vision.transforms.transforms import BaseTransform, checked_probability

ATTEMPTS = 10  # how often a part that does not fit is drawn again


def _span(value: Any, name: str, max_value: float = float("inf")) -> tuple[float, float]:
    """Two numbers that rise, at least 0. Raises ValueError for anything else."""
    if not isinstance(value, (list, tuple)) or len(value) != 2 or not 0 <= value[0] <= value[1] <= max_value:
        raise ValueError(f"{name} should be two numbers that rise, between 0 and {max_value}, got {value!r}")
    return value[0], value[1]


def _angles(value: Any, name: str, counts: Sequence[int] = (2,)) -> list[float]:
    """-value to value of a number; or the numbers given. Raises ValueError for a negative number or another count of them."""
    if isinstance(value, (int, float)):
        if value < 0:
            raise ValueError(f"{name}: a single number should not be negative, got {value!r}")
        return [-float(value), float(value)]
    if not isinstance(value, (list, tuple)) or len(value) not in counts:
        raise ValueError(f"{name} should be a number or {' or '.join(map(str, counts))} numbers, got {value!r}")
    return [float(angle) for angle in value]


class RandomResizedCrop(BaseTransform):
    """A random part of the image, at one size.

    Args:
        size: its side, or (height, width). scale: what part of the image's area (default (0.08, 1)).
        ratio: width over height of the part (default (3 / 4, 4 / 3)). interpolation: of `functional.resize`.

    Raises ValueError when a range does not rise.

    ``keys``: see `BaseTransform`.

    Example:
        >>> image = np.zeros([32, 32, 3], 'uint8')
        >>> RandomResizedCrop(24)(image).shape
        (24, 24, 3)

        ce: Szegedy et al., "Going Deeper with Convolutions".
    """

    def __init__(
        self, size: int | Sequence[int], scale: Sequence[float] = (0.08, 1.0), ratio: Sequence[float] = (3.0 / 4, 4.0 / 3),
        interpolation: str = "bilinear", keys: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(keys)
        self.size = F.pair(size, "RandomResizedCrop")
        self.scale = _span(scale, "RandomResizedCrop: scale")
        self.ratio = _span(ratio, "RandomResizedCrop: ratio")
        self.interpolation = interpolation

    def _part(self, height: int, width: int) -> tuple[int, int, int, int]:
        for _ in range(ATTEMPTS):
            area = np.random.uniform(*self.scale) * height * width
            ratio = math.exp(np.random.uniform(math.log(self.ratio[0]), math.log(self.ratio[1])))
            w, h = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
            if 0 < w <= width and 0 < h <= height:
                return random.randint(0, height - h), random.randint(0, width - w), h, w
        h, w = height, width
        if width / height < self.ratio[0]:
            h = round(width / self.ratio[0])
        elif width / height > self.ratio[1]:
            w = round(height * self.ratio[1])
        return (height - h) // 2, (width - w) // 2, h, w

    def _apply_image(self, image: Any) -> Any:
        return F.resize(F.crop(image, *self._part(*F.image_size(image))), self.size, self.interpolation)


class RandomRotation(BaseTransform):
    """The image turned by a random angle.

    Args:
        degrees: the largest angle either way, or (least, largest). interpolation, expand, center, fill: of `functional.rotate`.

    Raises ValueError for a negative number or another count of numbers.

    ``keys``: see `BaseTransform`.

    Example:
        >>> paddle.vision.transforms.RandomRotation(30)(np.zeros([4, 6, 3], "uint8")).shape
        (4, 6, 3)
    """

    def __init__(
        self, degrees: F.Numbers, interpolation: str = "nearest", expand: bool = False, center: Any = None, fill: Any = 0,
        keys: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(keys)
        self.degrees = _angles(degrees, "RandomRotation: degrees")
        self.interpolation, self.expand, self.center, self.fill = interpolation, expand, center, fill

    def _apply_image(self, image: Any) -> Any:
        angle = random.uniform(*self.degrees)
        return F.rotate(image, angle, self.interpolation, self.expand, self.center, self.fill)


class RandomAffine(BaseTransform):
    """The image turned, moved, scaled and sheared at random.

    Args:
        degrees: as of `RandomRotation`. translate: the largest move, (across, down), in parts of the image (default: none).
        scale: (least, largest) (default: none). shear: the largest shear along x in degrees, two numbers, or four: also along y.
        interpolation, fill, center: of `functional.affine`.

    Raises ValueError when an argument is none of these.

    ``keys``: see `BaseTransform`.

    Example:
        >>> paddle.vision.transforms.RandomAffine(30)(np.zeros([4, 6, 3], "uint8")).shape
        (4, 6, 3)
    """

    def __init__(
        self, degrees: F.Numbers, translate: Sequence[float] | None = None, scale: Sequence[float] | None = None,
        shear: F.Numbers | None = None, interpolation: str = "nearest", fill: Any = 0, center: Any = None,
        keys: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(keys)
        self.degrees = _angles(degrees, "RandomAffine: degrees")
        if translate is not None and (len(translate) != 2 or not all(0 <= part <= 1 for part in translate)):
            raise ValueError(f"RandomAffine: translate should be two numbers between 0 and 1, got {translate!r}")
        if scale is not None and (len(scale) != 2 or min(scale) <= 0):
            raise ValueError(f"RandomAffine: scale should be two positive numbers, got {scale!r}")
        self.translate, self.scale = translate, scale
        self.shear = None if shear is None else _angles(shear, "RandomAffine: shear", (2, 4))
        self.interpolation, self.fill, self.center = interpolation, 0 if fill is None else fill, center

    def _apply_image(self, image: Any) -> Any:
        height, width = F.image_size(image)
        angle, move, scale, shear = random.uniform(*self.degrees), (0, 0), 1.0, [0.0, 0.0]
        if self.translate is not None:
            max_x, max_y = float(self.translate[0] * width), float(self.translate[1] * height)
            move = int(random.uniform(-max_x, max_x)), int(random.uniform(-max_y, max_y))
        if self.scale is not None:
            scale = random.uniform(*self.scale)
        if self.shear is not None:
            shear[0] = random.uniform(*self.shear[:2])
            if len(self.shear) == 4:
                shear[1] = random.uniform(*self.shear[2:])
        return F.affine(image, angle, move, scale, shear, self.interpolation, self.fill, self.center)


class RandomPerspective(BaseTransform):
    """The image seen from a random side, with probability ``prob``.

    Args:
        prob: default 0.5. distortion_scale: how far corners move, in parts of half the image (0 to 1, default 0.5).
        interpolation, fill: of `functional.perspective`.

    Raises ValueError for a probability or scale that is not between 0 and 1.

    ``keys``: see `BaseTransform`.

    Example:
        >>> paddle.vision.transforms.RandomPerspective()(np.zeros([4, 6, 3], "uint8")).shape
        (4, 6, 3)
    """

    def __init__(
        self, prob: float = 0.5, distortion_scale: float = 0.5, interpolation: str = "nearest", fill: Any = 0,
        keys: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(keys)
        self.prob = checked_probability(prob, "RandomPerspective")
        self.distortion_scale = checked_probability(distortion_scale, "RandomPerspective", "distortion_scale")
        self.interpolation, self.fill = interpolation, fill

    def get_params(self, width: int, height: int, distortion_scale: float) -> tuple[list[list[int]], list[list[int]]]:
        """The corners of the image, and where they go."""
        max_x, max_y = int(distortion_scale * (width // 2)), int(distortion_scale * (height // 2))
        near, right = (0, max_x + 1), (width - max_x - 1, width)
        upper, lower = (0, max_y + 1), (height - max_y - 1, height)
        ends = [
            [int(random.uniform(*x)), int(random.uniform(*y))]
            for x, y in ((near, upper), (right, upper), (right, lower), (near, lower))
        ]
        return [[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], ends

    def _apply_image(self, image: Any) -> Any:
        if random.random() >= self.prob:
            return image
        height, width = F.image_size(image)
        return F.perspective(image, *self.get_params(width, height, self.distortion_scale), self.interpolation, self.fill)


class RandomErasing(BaseTransform):
    """The image with a random part erased, with probability ``prob``.

    Args:
        prob: default 0.5. scale: the part's share of the area (default (0.02, 0.33)). ratio: its height over its width
            (default (0.3, 3.3)).
        value: what stands there: a number, one for each of three channels, or 'random'. inplace: of `functional.erase`.

    Raises ValueError when an argument is none of these, ShapeError (when called) for an image without channels.

    Source: Zhong et al., "Random Erasing Data Augmentation".

    ``keys``: see `BaseTransform`.

    Example:
        >>> paddle.vision.transforms.RandomErasing()(np.zeros([4, 6, 3], "uint8")).shape
        (4, 6, 3)
    """

    def __init__(
        self, prob: float = 0.5, scale: Sequence[float] = (0.02, 0.33), ratio: Sequence[float] = (0.3, 3.3), value: Any = 0,
        inplace: bool = False, keys: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(keys)
        self.prob = checked_probability(prob, "RandomErasing")
        self.scale = _span(scale, "RandomErasing: scale", 1)
        self.ratio = _span(ratio, "RandomErasing: ratio")
        several = isinstance(value, (list, tuple)) and len(value) in (1, 3)
        if not (value == "random" or isinstance(value, (int, float)) or several):
            raise ValueError(f"RandomErasing: value should be a number, one for each channel or 'random', got {value!r}")
        self.value, self.inplace = value, inplace

    def _apply_image(self, image: Any) -> Any:
        if random.random() >= self.prob:
            return image
        height, width = F.image_size(image)
        for _ in range(ATTEMPTS):
            area = np.random.uniform(*self.scale) * height * width
            ratio = np.exp(np.random.uniform(*np.log(self.ratio)))
            h, w = round(np.sqrt(area * ratio)), round(np.sqrt(area / ratio))
            if h >= height or w >= width:
                continue
            value = self._value(image, h, w)
            top, left = np.random.randint(0, height - h + 1), np.random.randint(0, width - w + 1)
            return F.erase(image, top, left, h, w, value, self.inplace)
        return image

    def _value(self, image: Any, h: int, w: int) -> Any:
        first = isinstance(image, Tensor)
        shape = tuple(image.shape) if first else np.asarray(image).shape
        if len(shape) < 3:
            raise ShapeError(f"RandomErasing: expected an image with channels, got one of shape {list(shape)}")
        if self.value == "random":
            channels = shape[-3] if first else shape[-1]
            return np.random.normal(size=(channels, h, w)) if first else np.random.normal(size=(h, w, channels)) * 255
        row = np.asarray(self.value).reshape(-1)
        return row[:, None, None] if first else row[None, None, :]
