"""Datasets read from the files that they are published as."""

import gzip
import pickle

import archives
import numpy as np
import pytest

from to_static.core.errors import DownloadError, FormatError
from to_static.io import DataLoader, download
from to_static.vision import transforms
from to_static.vision.datasets import VOC2012, Cifar10, Cifar100, Flowers
from to_static.vision.datasets.matlab import read_mat

Image = pytest.importorskip("PIL.Image")


def test_cifar10(tmp_path):
    path = tmp_path / "cifar-10-python.tar.gz"
    pixels = archives.cifar(path)
    train, test = Cifar10(path), Cifar10(str(path), mode="test", backend="numpy")
    assert (len(train), len(test)) == (4, 2)
    image, label = train[3]
    assert isinstance(image, Image.Image) and image.mode == "RGB"
    assert np.array_equal(np.asarray(image), pixels[3].transpose(1, 2, 0))
    assert (label, label.dtype, label.shape) == (3, np.int64, ())
    assert np.array_equal(test[1][0], pixels[5].transpose(1, 2, 0)) and test[1][0].dtype == np.uint8
    assert Cifar10(path, backend="cv2")[0][0].dtype == np.float32
    assert Cifar10(path, transform=transforms.ToTensor())[0][0].shape == [3, 32, 32]


def test_cifar100_and_files_of_python_3(tmp_path):
    pixels = archives.cifar(tmp_path / "a", b"fine_labels", ("train", "other", "test", "meta"))
    assert np.array_equal(Cifar100(tmp_path / "a", mode="test", backend="numpy").images, pixels[4:].transpose(0, 2, 3, 1))
    batch = {"data": pixels[:1].reshape(1, -1), "fine_labels": [7]}
    archives.tar(tmp_path / "b", {"x/train": pickle.dumps(batch, 4)})
    assert Cifar100(tmp_path / "b").labels.tolist() == [7]


class Evil:
    def __reduce__(self):
        return (print, ("run",))


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"c/test_batch": b""}, "files named data_batch"),
        ({"c/data_batch_1": pickle.dumps({"data": [1], "labels": [1]}, 2)}, "expected a dict with 'data'"),
        ({"c/data_batch_1": pickle.dumps(Evil(), 2)}, "a file must not run code"),
    ],
)
def test_what_is_no_cifar(tmp_path, files, message, capsys):
    with pytest.raises(FormatError, match=message):
        Cifar10(archives.tar(tmp_path / "a.tar", files))
    assert not capsys.readouterr().out


def test_no_archive(tmp_path):
    (tmp_path / "file").write_bytes(b"nothing")
    for kind in (Cifar10, VOC2012):
        with pytest.raises(FormatError, match="a tar archive"):
            kind(tmp_path / "file")


def flowers(folder, compressed=False):
    pixels = {n: np.full((4, 5, 3), 20 * n, "uint8") for n in (1, 2, 3)}
    files = {f"jpg/image_{n:05d}.jpg": archives.picture(array, "jpeg") for n, array in pixels.items()}
    archives.tar(folder / "102flowers.tgz", files | {"../evil.jpg": b"x", "jpg/other.txt": b"x"}, "w:gz")
    archives.mat(folder / "labels.mat", labels=np.array([[7, 5, 9]], "uint8"))
    archives.mat(folder / "sets.mat", ">", tstid=np.array([[3.0, 1.0]]), trnid=np.array([[2.0]]), valid=np.array([[1.0]]))
    return {"data_file": folder / "102flowers.tgz", "label_file": folder / "labels.mat", "setid_file": folder / "sets.mat"}


def test_flowers(tmp_path):
    files = flowers(tmp_path)
    train = Flowers(**files, backend="numpy")
    assert len(train) == 2 and (len(Flowers(**files, mode="valid")), len(Flowers(**files, mode="test"))) == (1, 1)
    image, label = train[0]
    assert image.shape == (4, 5, 3) and abs(int(image.mean()) - 60) < 2
    assert (label.tolist(), label.dtype) == ([9], np.int64)
    assert Flowers(**files, mode="test")[0][0].size == (5, 4)
    assert Flowers(**files, backend="cv2")[0][0].dtype == np.float32
    unpacked = sorted(str(p.relative_to(tmp_path)) for p in (tmp_path / "102flowers").rglob("*") if p.is_file())
    assert unpacked == [f"102flowers/jpg/image_{n:05d}.jpg" for n in (1, 2, 3)]  # nothing else is written, nor outside
    with pytest.raises(FormatError, match="a variable 'labels', found only tstid, trnid, valid"):
        Flowers(**files | {"label_file": files["setid_file"]})


def test_files_of_matlab(tmp_path):
    numbers = np.random.RandomState(0).rand(3, 4)
    for order in "<>":
        archives.mat(tmp_path / "a.mat", order, x=numbers, ab=np.arange(6, dtype="uint8").reshape(2, 3))
        found = read_mat(tmp_path / "a.mat")
        assert np.array_equal(found["x"], numbers) and found["ab"].tolist() == [[0, 1, 2], [3, 4, 5]]
    scipy = pytest.importorskip("scipy.io")
    scipy.savemat(tmp_path / "b.mat", {"x": numbers, "n": np.arange(5, dtype="int16"), "s": "text"}, do_compression=True)
    found = read_mat(tmp_path / "b.mat")
    assert np.array_equal(found["x"], numbers) and found["n"].tolist() == [[0, 1, 2, 3, 4]] and "s" not in found
    whole = (tmp_path / "a.mat").read_bytes()
    for damaged in (b"", b"x" * 200, whole[:150], whole[:-9]):
        (tmp_path / "c.mat").write_bytes(damaged)
        with pytest.raises(FormatError, match="a MATLAB file of level 5"):
            read_mat(tmp_path / "c.mat")


def voc(path):
    pixels = np.random.RandomState(0).randint(0, 20, (2, 4, 5, 3)).astype("uint8")
    sets = {"trainval": "a\nb\n", "train": "a\n", "val": "b\n"}
    files = {f"ImageSets/Segmentation/{name}.txt": text.encode() for name, text in sets.items()}
    for name, array in zip("ab", pixels, strict=True):
        files[f"JPEGImages/{name}.jpg"] = archives.picture(array)  # without loss, so that numbers can be compared
        files[f"SegmentationClass/{name}.png"] = archives.picture(array[..., 0])
    archives.tar(path, {f"VOCdevkit/VOC2012/{name}": data for name, data in files.items()})
    return pixels


def test_voc2012(tmp_path):
    pixels = voc(tmp_path / "voc.tar")
    train = VOC2012(tmp_path / "voc.tar", backend="numpy")
    assert [len(train), *(len(VOC2012(tmp_path / "voc.tar", mode=mode)) for mode in ("valid", "test"))] == [2, 1, 1]
    assert np.array_equal(train[1][0], pixels[1]) and np.array_equal(train[1][1], pixels[1, ..., 0])
    image, classes = VOC2012(tmp_path / "voc.tar", transform=transforms.Resize((2, 2)))[0]
    assert (image.size, classes.size) == ((2, 2), (5, 4))
    found = VOC2012(tmp_path / "voc.tar", backend="cv2")[0]
    assert found[0].dtype == found[1].dtype == np.float32
    data = VOC2012(tmp_path / "voc.tar", backend="cv2")
    [batch] = list(DataLoader(data, batch_size=2, num_workers=2))
    assert np.array_equal(batch[0].numpy(), pixels)
    (tmp_path / "voc.tar.gz").write_bytes(gzip.compress((tmp_path / "voc.tar").read_bytes()))
    with pytest.raises(FormatError, match="not compressed"):
        VOC2012(tmp_path / "voc.tar.gz")


@pytest.mark.parametrize("kind", [Cifar10, Cifar100, Flowers, VOC2012])
def test_files_that_are_not_there(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(download, "cache_directory", lambda name: tmp_path / name)
    with pytest.raises(DownloadError, match="data_file is not given, and download is False"):
        kind(download=False)
    monkeypatch.setattr(download.urllib.request, "urlopen", _offline)
    with pytest.raises(DownloadError, match="get the file elsewhere and put it into"):
        kind()
    with pytest.raises(ValueError, match="mode"):
        kind(mode="other")
    with pytest.raises(ValueError, match="backend"):
        kind(backend="tensor")


def _offline(*args, **kwargs):
    raise OSError("no network")
