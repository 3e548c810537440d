"""Image transforms as objects that can be put into a dataset. Random ones draw from Python's ``random``, as Paddle's do."""

from __future__ import annotations

import numbers
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir.tensor import Tensor
from to_static.core.importing.paddle_module_aliases import names_around
from to_static.vision.transforms import functional as F


def _check_input(
    value: Any, name: str, center: float = 1, bound: tuple[float, float] = (0, float("inf")), clip_first_on_zero: bool = True
) -> Any:
    """The range of a random factor: two numbers around ``center``; None where it is always ``center``.

    Raises ValueError for a negative number or a range out of ``bound``, TypeError for anything else.
    """
    if isinstance(value, numbers.Number):
        if value < 0:  # type: ignore[operator]
            raise ValueError(f"If {name} is a single number, it must be non negative.")
        value = [center - value, center + value]  # type: ignore[operator]
        if clip_first_on_zero:
            value[0] = max(value[0], 0)
    elif not isinstance(value, (tuple, list)) or len(value) != 2:
        raise TypeError(f"{name} should be a single number or a list/tuple with length 2.")
    elif not bound[0] <= value[0] <= value[1] <= bound[1]:
        raise ValueError(f"{name} values should be between {bound}")
    return None if value[0] == value[1] == center else value


class Compose:
    """Several transforms one after another.

    ``transforms``: a list of them; anything else raises TypeError.

    Example:
        >>> Compose([Resize(32), ToTensor(), Normalize(0.5, 0.5)])
    """

    def __init__(self, transforms: Sequence[Callable[[Any], Any]]) -> None:
        if callable(transforms):
            raise TypeError(f"Compose: expected a list of transforms, `Compose([...])`, got {type(transforms).__name__}")
        self.transforms = transforms

    def __call__(self, data: Any) -> Any:
        for transform in self.transforms:
            data = transform(data)
        return data

    def __repr__(self) -> str:
        return "\n".join(["Compose(", *(f"    {transform}" for transform in self.transforms), ")"])


class BaseTransform:
    """One transform. Subclasses define ``_apply_image``, and ``_apply_<key>`` for further kinds of data.

    Args:
        keys: what the entries of an input tuple are, such as ``('image', 'boxes')``; entries without a key or a method for it
            pass through (default: ``('image',)``).

    A subclass that needs the same random numbers for all entries draws them in ``_get_params(inputs)`` and finds them
    in ``self.params``.

    Example:
        >>> class Halve(paddle.vision.transforms.BaseTransform):
        ...     def _apply_image(self, image):
        ...         return image // 2
        ...
        >>> Halve()(np.full([1, 1], 8, "uint8")).tolist()
        [[4]]
    """

    def __init__(self, keys: Sequence[str] | None = None) -> None:
        self.keys = ("image",) if keys is None else tuple(keys)
        self.params: Any = None

    def _get_params(self, inputs: tuple[Any, ...]) -> Any:
        return None

    def __call__(self, inputs: Any) -> Any:
        entries = inputs if isinstance(inputs, tuple) else (inputs,)
        self.params = self._get_params(entries)
        outputs = list(entries)
        for i, key in enumerate(self.keys[: len(entries)]):
            apply = getattr(self, f"_apply_{key}", None)
            if apply is not None:
                outputs[i] = apply(entries[i])
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    def _apply_image(self, image: Any) -> Any:
        raise NotImplementedError(f"'_apply_image' is not implemented in class {type(self).__name__}")


class ToTensor(BaseTransform):
    """The image as a Tensor of floats, see `functional.to_tensor`.

    ``data_format``: 'CHW' (default) or 'HWC'. ``keys``: see `BaseTransform`.

    Example:
        >>> paddle.vision.transforms.ToTensor()(np.zeros([4, 6, 3], "uint8")).shape
        [3, 4, 6]
    """

    def __init__(self, data_format: str = "CHW", keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.data_format = data_format

    def _apply_image(self, image: Any) -> Any:
        return F.to_tensor(image, self.data_format)


class Normalize(BaseTransform):
    """``(img - mean) / std`` for each channel, see `functional.normalize`.

    ``mean``, ``std``, ``data_format``, ``to_rgb``: as there. ``keys``: see `BaseTransform`.

    Example:
        >>> paddle.vision.transforms.Normalize(0.5, 0.5)(np.ones([1, 2, 2], "float32")).tolist()
        [[[1.0, 1.0], [1.0, 1.0]]]
    """

    def __init__(
        self,
        mean: Any = 0.0,
        std: Any = 1.0,
        data_format: str = "CHW",
        to_rgb: bool = False,
        keys: Sequence[str] | None = None,
    ) -> None:
        super().__init__(keys)
        self.mean = mean
        self.std = std
        self.data_format = data_format
        self.to_rgb = to_rgb

    def _apply_image(self, image: Any) -> Any:
        return F.normalize(image, self.mean, self.std, self.data_format, self.to_rgb)


class Transpose(BaseTransform):
    """An image with its axes in another order (default: [H, W, C] to [C, H, W]); [H, W] counts as one channel.

    ``keys``: see `BaseTransform`.

    Example:
        >>> paddle.vision.transforms.Transpose()(np.zeros([4, 6, 3], "uint8")).shape
        (3, 4, 6)
    """

    def __init__(self, order: Sequence[int] = (2, 0, 1), keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.order = tuple(order)

    def _apply_image(self, image: Any) -> Any:
        if isinstance(image, Tensor):
            return image.transpose(self.order)
        array = np.asarray(image)
        return np.ascontiguousarray((array[..., None] if array.ndim == 2 else array).transpose(self.order))


class Resize(BaseTransform):
    """The image at another size, see `functional.resize`.

    ``size``, ``interpolation``: as there. ``keys``: see `BaseTransform`.

    Example:
        >>> paddle.vision.transforms.Resize([2, 3])(np.zeros([4, 6, 3], "uint8")).shape
        (2, 3, 3)
    """

    def __init__(
        self, size: int | Sequence[int], interpolation: str = "bilinear", keys: Sequence[str] | None = None
    ) -> None:
        super().__init__(keys)
        self.size = size
        self.interpolation = interpolation

    def _apply_image(self, image: Any) -> Any:
        return F.resize(image, self.size, self.interpolation)


class CenterCrop(BaseTransform):
    """The middle of the image, see `functional.center_crop`.

    ``size``: a side, or (height, width). ``keys``: see `BaseTransform`.

    Example:
        >>> paddle.vision.transforms.CenterCrop(2)(np.zeros([4, 6, 3], "uint8")).shape
        (2, 2, 3)
    """

    def __init__(self, size: int | Sequence[int], keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.size = F.pair(size, "CenterCrop")

    def _apply_image(self, image: Any) -> Any:
        return F.center_crop(image, self.size)


class Pad(BaseTransform):
    """The image with a border, see `functional.pad`.

    ``padding``, ``fill``, ``padding_mode``: as there. ``keys``: see `BaseTransform`.

    Example:
        >>> paddle.vision.transforms.Pad(1)(np.zeros([4, 6, 3], "uint8")).shape
        (6, 8, 3)
    """

    def __init__(
        self,
        padding: int | Sequence[int],
        fill: Any = 0,
        padding_mode: str = "constant",
        keys: Sequence[str] | None = None,
    ) -> None:
        super().__init__(keys)
        self.padding = padding
        self.fill = fill
        self.padding_mode = padding_mode

    def _apply_image(self, image: Any) -> Any:
        return F.pad(image, self.padding, self.fill, self.padding_mode)


class RandomCrop(BaseTransform):
    """A rectangle at a random place.

    Args:
        size: its side, or (height, width).
        padding: border to add first, as in `functional.pad` (default: none).
        pad_if_needed: add what is missing when the image is smaller (default False).
        fill, padding_mode: of these borders.

    Raises ValueError (when called) for an image that is too small.

    ``keys``: see `BaseTransform`.

    Example:
        >>> paddle.vision.transforms.RandomCrop(2)(np.zeros([4, 6, 3], "uint8")).shape
        (2, 2, 3)
    """

    def __init__(
        self,
        size: int | Sequence[int],
        padding: int | Sequence[int] | None = None,
        pad_if_needed: bool = False,
        fill: Any = 0,
        padding_mode: str = "constant",
        keys: Sequence[str] | None = None,
    ) -> None:
        super().__init__(keys)
        self.size = F.pair(size, "RandomCrop")
        self.padding = padding
        self.pad_if_needed = pad_if_needed
        self.fill = fill
        self.padding_mode = padding_mode

    def _apply_image(self, image: Any) -> Any:
        if self.padding is not None:
            image = F.pad(image, self.padding, self.fill, self.padding_mode)
        height, width = self.size
        if self.pad_if_needed:
            rows, columns = F.image_size(image)
            missing = (max(width - columns, 0), max(height - rows, 0))
            if any(missing):
                image = F.pad(image, missing, self.fill, self.padding_mode)
        return F.crop(image, *self._get_param(image, (height, width)))

    def _get_param(self, img: Any, output_size: Sequence[int]) -> tuple[int, int, int, int]:
        """Return where to crop, (top, left, height, width): programs use it to crop an image and its labels alike."""
        height, width = output_size
        rows, columns = F.image_size(img)
        if rows < height or columns < width:
            raise ValueError(f"RandomCrop: an image of {rows}x{columns} is smaller than {height}x{width}; use pad_if_needed=True")
        return random.randint(0, rows - height), random.randint(0, columns - width), height, width


class RandomHorizontalFlip(BaseTransform):
    """The image mirrored left to right, with probability ``prob`` (default 0.5).

    ``keys``: see `BaseTransform`.

    Example:
        >>> paddle.vision.transforms.RandomHorizontalFlip(prob=1.0)(np.array([[[1], [2]]], "uint8")).tolist()
        [[[2], [1]]]
    """

    def __init__(self, prob: float = 0.5, keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.prob = checked_probability(prob, "RandomHorizontalFlip")

    def _apply_image(self, image: Any) -> Any:
        return F.hflip(image) if random.random() < self.prob else image


class RandomVerticalFlip(BaseTransform):
    """The image upside down, with probability ``prob`` (default 0.5).

    ``keys``: see `BaseTransform`.

    Example:
        >>> paddle.vision.transforms.RandomVerticalFlip(prob=1.0)(np.array([[[1]], [[2]]], "uint8")).tolist()
        [[[2]], [[1]]]
    """

    def __init__(self, prob: float = 0.5, keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.prob = checked_probability(prob, "RandomVerticalFlip")

    def _apply_image(self, image: Any) -> Any:
        return F.vflip(image) if random.random() < self.prob else image


def checked_probability(value: float, owner: str, name: str = "prob") -> float:
    """``value`` itself. Raises ValueError unless it is between 0 and 1."""
    if not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise ValueError(f"{owner}: {name} should be between 0 and 1, got {value!r}")
    return float(value)


__getattr__ = names_around(__name__)
