"""Images in folders."""

import archives
import numpy as np
import pytest

from to_static.vision import image, set_image_backend, transforms
from to_static.vision.datasets import DatasetFolder, ImageFolder

pytest.importorskip("PIL.Image")
PIXELS = np.arange(60).reshape(4, 5, 3).astype("uint8")


@pytest.fixture
def root(tmp_path):
    for name in ("dog/b.png", "dog/a.PNG", "dog/more/c.png", "cat/d.png", "cat/notes.txt", "e.png"):
        path = tmp_path / "pets" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(archives.picture(PIXELS) if name.lower().endswith("png") else b"text")
    return tmp_path / "pets"


def names(paths, root):
    return [str(path)[len(str(root)) + 1 :] for path in paths]


def test_folders_are_classes(root):
    data = DatasetFolder(str(root))
    assert data.classes == ["cat", "dog"] and data.class_to_idx == {"cat": 0, "dog": 1} and data.targets == [0, 1, 1, 1]
    assert names([path for path, _ in data.samples], root) == ["cat/d.png", "dog/a.PNG", "dog/b.png", "dog/more/c.png"]
    picture, label = data[1]
    assert len(data) == 4 and label == 1 and np.array_equal(np.asarray(picture), PIXELS)
    assert DatasetFolder(root, transform=transforms.ToTensor())[0][0].shape == [3, 4, 5]
    assert DatasetFolder(root, loader=lambda path: path[-5:])[0][0] == "d.png"


def test_images_without_classes(root):
    data = ImageFolder(root)
    assert names(data.samples, root) == ["e.png", "cat/d.png", "dog/a.PNG", "dog/b.png", "dog/more/c.png"]
    [picture] = data[0]
    assert picture.size == (5, 4) and len(data) == 5
    assert ImageFolder(root, transform=lambda picture: picture.size)[0] == [(5, 4)]


def test_which_files(root):
    assert names(ImageFolder(root, extensions=[".txt"]).samples, root) == ["cat/notes.txt"]
    assert len(DatasetFolder(root, is_valid_file=lambda path: "more" in path)) == 1
    for kind in (DatasetFolder, ImageFolder):
        with pytest.raises(RuntimeError, match="found no file there that is wanted; extensions: .gif"):
            kind(root, extensions=(".gif",))
    with pytest.raises(FileNotFoundError):
        DatasetFolder(root / "none")


def test_forms_of_images(root, monkeypatch):
    monkeypatch.setattr(image, "_backend", None)
    path = root / "e.png"
    assert image.get_image_backend() == "pil" and image.image_load(path).size == (5, 4)
    assert np.array_equal(image.image_load(str(path), "cv2"), PIXELS[..., ::-1])
    assert np.array_equal(image.image_load(path, "numpy"), PIXELS)
    assert np.array_equal(image.image_load(path, "tensor").numpy(), PIXELS.transpose(2, 0, 1))
    set_image_backend("cv2")
    assert np.array_equal(ImageFolder(root)[0][0], PIXELS)  # red, green, blue, as Paddle's loader has it
    assert isinstance(image.image_load(path), np.ndarray)
    with pytest.raises(ValueError, match="among pil, cv2, tensor, numpy, got 'jpeg'"):
        set_image_backend("jpeg")


def test_without_pillow(root, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "PIL.Image", None)
    with pytest.raises(ImportError, match=r"reading images needs Pillow.*pip install 'to_static\[vision\]'"):
        ImageFolder(root)[0]
    with pytest.raises(ImportError, match="image_load needs Pillow"):
        image.image_load(root / "e.png")
