"""Small archives of the datasets' own forms."""

from __future__ import annotations

import io
import struct
import tarfile

import numpy as np


def python2(value):
    """What Python 2's pickle (protocol 2) makes of dicts, lists, numbers, bytes and uint8 arrays, without its frame."""
    if isinstance(value, dict):
        return b"}(" + b"".join(python2(k) + python2(v) for k, v in value.items()) + b"u"
    if isinstance(value, list):
        return b"](" + b"".join(map(python2, value)) + b"e"
    if isinstance(value, int):
        return b"J" + struct.pack("<i", value)
    if isinstance(value, np.ndarray):
        start = b"cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\0\x85U\x01b\x87R(K\x01"
        dtype = b"cnumpy\ndtype\nU\x02u1K\0K\x01\x87R(K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb"
        shape = b"(" + b"".join(map(python2, value.shape)) + b"t"
        return start + shape + dtype + b"\x89" + python2(value.tobytes()) + b"tb"
    return (b"U" + struct.pack("B", len(value)) if len(value) < 256 else b"T" + struct.pack("<i", len(value))) + value


def tar(path, files, mode="w"):
    """An archive of the files given as bytes by name."""
    with tarfile.open(path, mode) as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path


def picture(array, kind="png"):
    """The bytes of an image file."""
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(array).save(file, kind)
    return file.getvalue()


def cifar(path, labels=b"labels", names=("data_batch_1", "data_batch_2", "test_batch", "batches.meta")):
    """Three files of two images each; returns their pixels [6, 3, 32, 32] and labels."""
    pixels = np.random.RandomState(0).randint(0, 256, (6, 3 * 32 * 32)).astype("uint8")
    batches = [
        {b"data": pixels[2 * k : 2 * k + 2], labels: [2 * k, 2 * k + 1], b"batch_label": b"training batch"} for k in range(3)
    ]
    contents = [*batches, {b"label_names": [b"a"]}]
    tar(path, {f"cifar/{name}": b"\x80\x02" + python2(c) + b"." for name, c in zip(names, contents, strict=True)}, "w:gz")
    return pixels.reshape(6, 3, 32, 32)


def mat(path, order="<", **arrays):
    """A file of MATLAB's level 5, not compressed."""
    body = b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack(f"{order}HH", 0x0100, 0x4D49)
    for name, array in arrays.items():
        code, kind = {"uint8": (2, 9), "float64": (9, 6)}[array.dtype.name]
        parts = [
            (6, struct.pack(f"{order}II", kind, 0)), (5, struct.pack(f"{order}{array.ndim}i", *array.shape)),
            (1, name.encode()), (code, array.astype(array.dtype.newbyteorder(order)).tobytes("F")),
        ]  # fmt: skip
        matrix = b"".join(_element(order, *part) for part in parts)
        body += _element(order, 14, matrix)
    path.write_bytes(body)
    return path


def _element(order, kind, data):
    if len(data) <= 4:
        small = (kind | len(data) << 16,)
        return struct.pack(f"{order}I", *small) + data.ljust(4, b"\0")
    return struct.pack(f"{order}II", kind, len(data)) + data + b"\0" * (-len(data) % 8)
