"""Image transforms on arrays, Pillow images and Tensors."""

from to_static.core.missing import names_missing
from to_static.vision.transforms import functional
from to_static.vision.transforms.functional import (
    center_crop,
    crop,
    hflip,
    normalize,
    pad,
    resize,
    to_tensor,
    vflip,
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
    "BaseTransform",
    "CenterCrop",
    "Compose",
    "Normalize",
    "Pad",
    "RandomCrop",
    "RandomHorizontalFlip",
    "RandomVerticalFlip",
    "Resize",
    "ToTensor",
    "Transpose",
    "center_crop",
    "crop",
    "functional",
    "hflip",
    "normalize",
    "pad",
    "resize",
    "to_tensor",
    "vflip",
]

__getattr__ = names_missing(__name__)
