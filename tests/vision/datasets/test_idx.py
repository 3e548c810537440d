import gzip
import struct

import numpy as np
import pytest

from to_static.core.errors import FormatError
from to_static.vision.datasets.idx import DTYPES, read_idx


def encode(array, code):
    return (
        bytes([0, 0, code, array.ndim])
        + struct.pack(f">{array.ndim}I", *array.shape)
        + array.astype(DTYPES[code]).tobytes()
    )


@pytest.mark.parametrize("code", DTYPES)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_round_trip(tmp_path, code, pack):
    array = np.arange(24).reshape(2, 3, 4)
    (tmp_path / "f").write_bytes(pack(encode(array, code)))
    found = read_idx(tmp_path / "f")
    assert np.array_equal(found, array)
    assert found.dtype == np.dtype(DTYPES[code]).newbyteorder("=")
    found[0] = 0  # writable


def test_an_empty_array(tmp_path):
    (tmp_path / "f").write_bytes(encode(np.zeros((0, 28, 28)), 8))
    assert read_idx(tmp_path / "f").shape == (0, 28, 28)


WHOLE = encode(np.arange(10), 8)
PACKED = gzip.compress(WHOLE, mtime=0)


@pytest.mark.parametrize(
    ("data", "offset", "match"),
    [
        (b"", 0, "found nothing"),
        (b"\x89PNG\r\n", 0, "89 50 4e 47"),
        (b"\0\0\x07\1\0\0\0\0", 0, "00 00 07 01"),
        (WHOLE[:6], 4, "1 dimensions of 4 bytes"),
        (WHOLE[:-3], 8, "10 bytes of elements.*found 7 bytes"),
        (WHOLE + b"x", 8, "found more"),
        (PACKED[:-9], None, "damaged"),
        (PACKED[:-6] + b"\0" * 6, None, "damaged"),
        (PACKED[:10] + b"\x07" * 9, None, "damaged"),
    ],
)
def test_damaged_files(tmp_path, data, offset, match):
    path = tmp_path / "train.idx"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=match) as caught:
        read_idx(path)
    assert caught.value.offset == offset
    assert str(path) in str(caught.value)


def test_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_idx(tmp_path / "none")
