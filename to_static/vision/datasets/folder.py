"""Images in folders."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from to_static.core.dtypes import get_default_dtype
from to_static.io.dataset import Dataset
from to_static.vision import pillow
from to_static.vision.image import get_image_backend

IMG_EXTENSIONS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")


def has_valid_extension(filename: str, extensions: Sequence[str]) -> bool:
    """Return whether a name ends with one of ``extensions``, in letters of either case."""
    return filename.lower().endswith(tuple(ending.lower() for ending in extensions))


def default_loader(path: Any) -> Any:
    """The image of a file, in red, green, blue: Pillow's, or a uint8 array [H, W, 3] where another backend is set."""
    with pillow.need("reading images").open(path) as image:
        picture = image.convert("RGB")
    return picture if get_image_backend() == "pil" else np.asarray(picture)


def _chosen(extensions: Sequence[str] | None, is_valid_file: Callable[[str], bool] | None) -> Callable[[str], bool]:
    if extensions is None and is_valid_file is not None:
        return is_valid_file
    endings = IMG_EXTENSIONS if extensions is None else tuple(extensions)
    return lambda path: has_valid_extension(path, endings)


def _files(folder: Any, accepts: Callable[[str], bool]) -> list[str]:
    """The paths of the files wanted, folder by folder, by name."""
    paths = [
        os.path.join(root, name)
        for root, _, names in sorted(os.walk(os.path.expanduser(folder), followlinks=True))
        for name in sorted(names)
    ]
    return [path for path in paths if accepts(path)]


def _some(samples: list[Any], root: Any, extensions: Sequence[str]) -> list[Any]:
    if not samples:
        raise RuntimeError(f"{os.fspath(root)}: found no file there that is wanted; extensions: {', '.join(extensions)}")
    return samples


class DatasetFolder(Dataset):
    """Images whose classes are the folders that they are in: ``root/class/.../name.png``.

    Args:
        root: the folder of the classes. loader: called with the path of a file (default: an image in red, green, blue, of the form
            of `set_image_backend`). extensions: of the files wanted (default: of images).
        transform: called with each image. is_valid_file: called with a path, which files are wanted; not where there are
            ``extensions``.

    Each sample is ``(image, number of its class)``; ``classes``, ``class_to_idx``, ``samples`` (paths and numbers) and ``targets``
    say more.

    Raises OSError when there is no such folder, RuntimeError when there are no such files in it, ImportError when Pillow is needed
    and not installed.

    Example:
        >>> image, label = DatasetFolder("pets")[0]  # pets/cat/1.png, pets/dog/1.png, ...
    """

    def __init__(
        self, root: Any, loader: Callable[[Any], Any] | None = None, extensions: Sequence[str] | None = None,
        transform: Callable[[Any], Any] | None = None, is_valid_file: Callable[[str], bool] | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.root, self.transform = root, transform
        self.extensions = IMG_EXTENSIONS if extensions is None else tuple(extensions)
        self.loader = loader or default_loader
        with os.scandir(os.path.expanduser(root)) as entries:
            self.classes = sorted(entry.name for entry in entries if entry.is_dir())
        self.class_to_idx = {name: index for index, name in enumerate(self.classes)}
        accepts = _chosen(extensions, is_valid_file)
        samples = [(path, n) for name, n in self.class_to_idx.items() for path in _files(os.path.join(root, name), accepts)]
        self.samples = _some(samples, root, self.extensions)
        self.targets = [index for _, index in self.samples]
        self.dtype = get_default_dtype()

    def __getitem__(self, index: int) -> tuple[Any, int]:
        path, target = self.samples[index]
        sample = self.loader(path)
        return (sample if self.transform is None else self.transform(sample)), target

    def __len__(self) -> int:
        return len(self.samples)


class ImageFolder(Dataset):
    """The images in a folder and the folders in it, without classes. Arguments and errors are those of `DatasetFolder`.

    Each sample is a list of one image; ``samples`` has the paths.

    Example:
        >>> [image] = ImageFolder("pets")[0]
    """

    def __init__(
        self, root: Any, loader: Callable[[Any], Any] | None = None, extensions: Sequence[str] | None = None,
        transform: Callable[[Any], Any] | None = None, is_valid_file: Callable[[str], bool] | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.root, self.transform = root, transform
        self.extensions = IMG_EXTENSIONS if extensions is None else tuple(extensions)
        self.loader = loader or default_loader
        self.samples = _some(_files(root, _chosen(extensions, is_valid_file)), root, self.extensions)

    def __getitem__(self, index: int) -> list[Any]:
        sample = self.loader(self.samples[index])
        return [sample if self.transform is None else self.transform(sample)]

    def __len__(self) -> int:
        return len(self.samples)
