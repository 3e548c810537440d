"""Random changes of colour. They draw from Python's ``random``, in the order in which Paddle's do."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from to_static.vision.transforms import functional as F
from to_static.vision.transforms.transforms import BaseTransform, Compose

Range = float | Sequence[float]


def checked_range(
    value: Any, name: str, center: float = 1.0, bound: tuple[float, float] = (0.0, float("inf")), from_zero: bool = True
) -> tuple[float, float] | None:
    """The numbers that a factor is drawn from: around ``center``, or the two given; None where that is ``center`` only.

    Raises ValueError for a negative number or numbers out of ``bound``, TypeError for anything else.
    """
    if isinstance(value, (int, float)):
        if value < 0:
            raise ValueError(f"{name}: a single number should not be negative, got {value!r}")
        low, high = center - value, center + value
        if from_zero:
            low = max(low, 0)
        if not bound[0] <= low <= high <= bound[1]:
            raise ValueError(f"{name}: the number should be at most {bound[1] - center}, got {value!r}")
    elif isinstance(value, (list, tuple)) and len(value) == 2:
        low, high = value
        if not bound[0] <= low <= high <= bound[1]:
            raise ValueError(f"{name}: the two numbers should rise and be between {bound[0]} and {bound[1]}, got {value!r}")
    else:
        raise TypeError(f"{name}: expected a number or two, got {value!r}")
    return None if low == high == center else (low, high)


class _Adjusted(BaseTransform):
    """The base of transforms with a range ``value`` of factors and a function that takes one."""

    value: tuple[float, float] | None
    _change: Callable[[Any, float], Any]

    def _apply_image(self, image: Any) -> Any:
        return image if self.value is None else type(self)._change(image, random.uniform(*self.value))


class BrightnessTransform(_Adjusted):
    """The image at a random brightness: its numbers times 1 - value to 1 + value (or times one of two numbers' range).

    Raises ValueError for a negative value.
    ``keys``: see `BaseTransform`.

    Example:
        >>> image = np.zeros([32, 32, 3], 'uint8')
        >>> BrightnessTransform(0.4)(image).shape
        (32, 32, 3)
    """

    _change = staticmethod(F.adjust_brightness)

    def __init__(self, value: Range, keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.value = checked_range(value, "brightness")


class ContrastTransform(_Adjusted):
    """The image with a random contrast; see `BrightnessTransform` and `functional.adjust_contrast`.

    ``value``: the largest change, or a pair of factors. ``keys``: see `BaseTransform`. Raises ValueError for a
    negative value.

    Example:
        >>> paddle.vision.transforms.ContrastTransform(0.4)(np.zeros([4, 6, 3], "uint8")).shape
        (4, 6, 3)
    """

    _change = staticmethod(F.adjust_contrast)

    def __init__(self, value: Range, keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.value = checked_range(value, "contrast")


class SaturationTransform(_Adjusted):
    """The image with a random saturation; see `BrightnessTransform` and `functional.adjust_saturation`.

    ``value``: the largest change, or a pair of factors. ``keys``: see `BaseTransform`. Raises ValueError for a
    negative value.

    Example:
        >>> paddle.vision.transforms.SaturationTransform(0.4)(np.zeros([4, 6, 3], "uint8")).shape
        (4, 6, 3)
    """

    _change = staticmethod(F.adjust_saturation)

    def __init__(self, value: Range, keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.value = checked_range(value, "saturation")


class HueTransform(_Adjusted):
    """The image with its colours turned by -value to value of the circle, at most 0.5; see `functional.adjust_hue`.

    ``keys``: see `BaseTransform`. Raises ValueError for another value.

    Example:
        >>> paddle.vision.transforms.HueTransform(0.4)(np.zeros([4, 6, 3], "uint8")).shape
        (4, 6, 3)
    """

    _change = staticmethod(F.adjust_hue)

    def __init__(self, value: Range, keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.value = checked_range(value, "hue", 0.0, (-0.5, 0.5), from_zero=False)


class ColorJitter(BaseTransform):
    """Random brightness, contrast, saturation and hue, in random order.

    Args:
        brightness, contrast, saturation, hue: as of `BrightnessTransform` and its like (default 0: no change).
        keys: see `BaseTransform`.

    Example:
        >>> image = np.zeros([32, 32, 3], 'uint8')
        >>> ColorJitter(0.4, 0.4, 0.4, 0.1)(image).shape
        (32, 32, 3)
    """

    def __init__(
        self, brightness: Any = 0, contrast: Any = 0, saturation: Any = 0, hue: Any = 0, keys: Sequence[str] | None = None
    ) -> None:
        super().__init__(keys)
        self.brightness, self.contrast, self.saturation, self.hue = brightness, contrast, saturation, hue

    def _apply_image(self, image: Any) -> Any:
        transform_types: tuple[tuple[Any, Any], ...] = (
            (BrightnessTransform, self.brightness), (ContrastTransform, self.contrast),
            (SaturationTransform, self.saturation), (HueTransform, self.hue),
        )  # fmt: skip
        steps = [transform_type(value, self.keys) for transform_type, value in transform_types if value is not None]
        random.shuffle(steps)
        return Compose(steps)(image)


class Grayscale(BaseTransform):
    """The image in grey, see `functional.to_grayscale`.

    ``num_output_channels``: 1 (default) or 3. ``keys``: see `BaseTransform`.

    Example:
        >>> paddle.vision.transforms.Grayscale()(np.zeros([4, 6, 3], "uint8")).shape
        (4, 6, 1)
    """

    def __init__(self, num_output_channels: int = 1, keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.num_output_channels = num_output_channels

    def _apply_image(self, image: Any) -> Any:
        return F.to_grayscale(image, self.num_output_channels)
