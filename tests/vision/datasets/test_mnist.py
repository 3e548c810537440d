import gzip
import hashlib
import struct

import numpy as np
import pytest

from to_static.core.errors import DownloadError, FormatError
from to_static.core.flags import set_flags
from to_static.io import download
from to_static.vision import datasets, image, set_image_backend
from to_static.vision.datasets import MNIST, FashionMNIST


def idx(array):
    return bytes([0, 0, 8, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape) + array.astype("u1").tobytes()


PIXELS = np.arange(3 * 28 * 28).reshape(3, 28, 28) % 251


@pytest.fixture(autouse=True)
def cache(tmp_path):
    set_flags({"TO_STATIC_DATA": str(tmp_path / "cache")})
    yield tmp_path / "cache"
    set_flags({"TO_STATIC_DATA": ""})


@pytest.fixture
def paths(tmp_path):
    (tmp_path / "images.gz").write_bytes(gzip.compress(idx(PIXELS)))
    (tmp_path / "labels").write_bytes(idx(np.array([7, 0, 3])))
    return {"image_path": tmp_path / "images.gz", "label_path": tmp_path / "labels"}


def test_local_files(paths):
    data = MNIST(**paths, backend="numpy")
    assert len(data) == 3
    pixels, label = data[1]
    assert pixels.dtype == np.uint8
    assert np.array_equal(pixels, PIXELS[1])
    assert label.tolist() == [0]
    assert (label.dtype, label.shape) == (np.int64, (1,))


def test_backends(paths, monkeypatch):
    assert MNIST(**paths, backend="cv2")[0][0].dtype == np.float32
    monkeypatch.setattr(image, "_backend", None)
    set_image_backend("cv2")
    assert MNIST(**paths)[0][0].dtype == np.float32
    with pytest.raises(ValueError, match="backend"):
        MNIST(**paths, backend="tensor")


def test_pillow_images(paths):
    pytest.importorskip("PIL")
    picture, _ = MNIST(**paths)[2]  # what images are at first
    assert picture.size == (28, 28)
    assert np.array_equal(np.asarray(picture), PIXELS[2])


def test_transform_sees_the_image(paths):
    data = MNIST(**paths, transform=lambda picture: np.asarray(picture)[:2, :3])
    assert data[2][0].tolist() == PIXELS[2][:2, :3].tolist()


@pytest.mark.parametrize("swap", [("labels", "labels"), ("images", "images"), ("images", "other")])
def test_files_that_do_not_fit(paths, tmp_path, swap):
    (tmp_path / "other").write_bytes(idx(np.array([7, 0])))
    names = {"labels": paths["label_path"], "images": paths["image_path"], "other": tmp_path / "other"}
    with pytest.raises(FormatError, match="expected (uint8 elements in|a label for each of the 3 images)"):
        MNIST(names[swap[0]], names[swap[1]])


def test_files_in_the_cache_are_used_when_their_checksum_is_right(paths, cache, monkeypatch):
    (cache / "mnist").mkdir(parents=True)
    for what in ("image", "label"):
        name = getattr(MNIST, f"TEST_{what.upper()}_URL").rpartition("/")[2]
        (cache / "mnist" / name).write_bytes(paths[f"{what}_path"].read_bytes())
        monkeypatch.setattr(MNIST, f"TEST_{what.upper()}_MD5", hashlib.md5(paths[f"{what}_path"].read_bytes()).hexdigest())
    assert len(MNIST(mode="test", download=False)) == 3


def test_no_download_when_not_allowed():
    with pytest.raises(DownloadError, match=r"train-images.*image_path is not given"):
        MNIST(download=False)


@pytest.fixture
def offline(monkeypatch):
    def fetch(url, md5, directory):
        raise DownloadError(f"cannot download {url}: no network")

    monkeypatch.setattr(download, "fetch", fetch)


def test_offline_without_a_fallback(offline):
    with pytest.raises(DownloadError, match=r"fashion_mnist/train-images-idx3-ubyte\.gz"):
        FashionMNIST()


def test_offline_with_the_digits_for_a_fallback(offline):
    pytest.importorskip("sklearn")
    with pytest.warns(UserWarning, match=r"MNIST is not at hand.*digits set.*28x28.*no network"):
        data = MNIST(mode="test", fallback="digits", backend="numpy")
    assert len(data) == len(datasets.Digits("test"))
    pixels, label = data[0]
    assert pixels.shape == (28, 28)
    assert pixels.dtype == np.uint8
    assert label.shape == (1,)


def test_no_fallback_when_a_given_file_is_damaged(tmp_path, paths):
    paths["image_path"].write_bytes(b"damaged")
    with pytest.raises(FormatError):
        MNIST(**paths, fallback="digits")


@pytest.mark.parametrize("kwargs", [{"mode": "valid"}, {"fallback": "zeros"}])
def test_refusals(paths, kwargs):
    with pytest.raises(ValueError, match=next(iter(kwargs))):
        MNIST(**paths, **kwargs)
