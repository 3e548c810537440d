"""Files of arrays that are damaged, or made to do harm, are refused in a line."""

import io
import random
import struct
import zipfile

import numpy as np
import pytest

from to_static.cli import arrays
from to_static.core.errors import FormatError


def npy(shape="(2,)", descr="<f4", data=b"\0" * 8, version=b"\x01\x00", text=None):
    header = text or f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n"
    length = struct.pack("<H" if version == b"\x01\x00" else "<I", len(header))
    return b"\x93NUMPY" + version + length + header.encode() + data


def npz(compression=zipfile.ZIP_DEFLATED, **members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(f"{name}.npy", data)
    return file.getvalue()


def read(data, tmp_path):
    (tmp_path / "x").write_bytes(data)
    return {name: source() for name, source in arrays.sources(str(tmp_path / "x")).items()}


def test_what_numpy_writes_is_read(tmp_path):
    a, b = np.arange(6.0).reshape(2, 3), np.asfortranarray(np.arange(6).reshape(2, 3))
    for save in (np.savez, np.savez_compressed):
        file = io.BytesIO()
        save(file, a=a, b=b)
        found = read(file.getvalue(), tmp_path)
        assert found["a"].tolist() == a.tolist() and found["b"].tolist() == b.tolist()
    for array in (a, b, np.float32(3), np.zeros((0, 2**40))):
        file = io.BytesIO()
        np.save(file, array)
        found = read(file.getvalue(), tmp_path)[""]
        assert found.shape == array.shape and found.dtype == array.dtype and found.tolist() == array.tolist()
    assert read(npy(version=b"\x02\x00"), tmp_path)[""].tolist() == [0, 0]


@pytest.mark.parametrize(
    "data, said",
    [
        (npy("(1099511627776,)"), "expected 4398046511104 bytes of data for shape [1099511627776], found 8 bytes"),
        (npy("(4611686018427387904, 4611686018427387904)"), "found 8 bytes"),
        (npy("(-1,)"), "found 8 bytes"),
        (npy("(3,)"), "expected 12 bytes of data for shape [3], found 8 bytes"),
        (npy(descr="|O"), "Python objects"),
        (npy(version=b"\x03\x00"), "version 3.0"),
        (npy(version=b"\x09\x00"), "version 9.0"),
        (npy(text="{'descr': "), "damaged data"),
        (npy(text="((((" * 1000), "damaged data"),
        (npy(text="{'descr': '<f4', 'fortran_order': False, 'shape': ('a',)}"), "damaged data"),
        (b"\x93NUMPY", "damaged data"),
        (b"\x93NUMPY\x01", "damaged data"),
        (b"", "an empty file"),
        (b"\x80\x04.", "Python objects, or another kind of file"),
        (b"PK\x03\x04", "damaged data"),
        (npz(a=npy("(1099511627776,)")), "x: a.npy: expected 4398046511104 bytes"),
        (npz(a=b"text"), "damaged data"),
        (npz(a=npy())[:60] + b"\xff" * 8 + npz(a=npy())[68:], "damaged data"),
    ],
)
def test_what_is_announced_is_not_believed(data, said, tmp_path):
    with pytest.raises(FormatError) as caught:
        read(data, tmp_path)
    assert said in str(caught.value) and str(tmp_path / "x") in str(caught.value)


def test_an_archive_that_grows_beyond_the_memory_is_not_unpacked(tmp_path, monkeypatch):
    bomb = npz(a=npy("(4194304,)", data=bytes(1 << 24)))
    assert len(bomb) < 1 << 15
    monkeypatch.setattr(arrays, "physical_memory", lambda: 1 << 20)
    with pytest.raises(FormatError, match=r"an array that fits into memory \(1048576 bytes\), found one of 16777216 bytes"):
        read(bomb, tmp_path)


def test_out_of_memory_is_said(tmp_path, monkeypatch):
    def full(*args, **kwargs):
        raise MemoryError

    monkeypatch.setattr(np.lib.format, "read_array", full)
    with pytest.raises(FormatError, match="more of them than fit into memory"):
        read(npy(), tmp_path)


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_no_damage_raises_anything_else(compression, tmp_path):
    random.seed(1)
    whole = [npy(), npz(compression, a=npy(), b=npy("(1, 2)"))]
    refused = 0
    for _ in range(150):
        data = bytearray(random.choice(whole))
        for _ in range(random.randint(1, 3)):
            data[random.randrange(len(data))] = random.choice([0, 1, 0x27, 0x28, 0x7F, 0xFF, random.randrange(256)])
        try:
            read(bytes(data[: random.choice([None, random.randrange(len(data))])]), tmp_path)
        except FormatError:
            refused += 1
    assert refused > 50
