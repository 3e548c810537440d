"""Image transforms on Pillow images, arrays and Tensors."""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.vision.transforms import functional
from to_static.vision.transforms.colour import (
    BrightnessTransform,
    ColorJitter,
    ContrastTransform,
    Grayscale,
    HueTransform,
    SaturationTransform,
)
from to_static.vision.transforms.functional import (
    adjust_brightness,
    adjust_contrast,
    adjust_hue,
    affine,
    center_crop,
    crop,
    erase,
    hflip,
    normalize,
    pad,
    perspective,
    resize,
    rotate,
    to_grayscale,
    to_tensor,
    vflip,
)
from to_static.vision.transforms.random_geometry import (
    RandomAffine,
    RandomErasing,
    RandomPerspective,
    RandomResizedCrop,
    RandomRotation,
)
from to_static.vision.transforms.transforms import (
    BaseTransform,
    CenterCrop,
    Compose,
    Normalize,
    Pad,
    RandomCrop,
    RandomHorizontalFlip,
    RandomVerticalFlip,
    Resize,
    ToTensor,
    Transpose,
)

__all__ = [
    "BaseTransform", "BrightnessTransform", "CenterCrop", "ColorJitter", "Compose", "ContrastTransform", "Grayscale",
    "HueTransform", "Normalize", "Pad", "RandomAffine", "RandomCrop", "RandomErasing", "RandomHorizontalFlip",
    "RandomPerspective", "RandomResizedCrop", "RandomRotation", "RandomVerticalFlip", "Resize", "SaturationTransform",
    "ToTensor", "Transpose", "adjust_brightness", "adjust_contrast", "adjust_hue", "affine", "center_crop", "crop",
    "erase", "functional", "hflip", "normalize", "pad", "perspective", "resize", "rotate", "to_grayscale", "to_tensor",
    "vflip",
]  # fmt: skip

__getattr__ = names_missing(__name__)
