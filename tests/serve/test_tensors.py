"""Tensors on the wire: nothing is rounded, cut or guessed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from to_static.serve.refusal import Refusal
from to_static.serve.tensors import (
    NUMBERS,
    datatype_of,
    from_bytes,
    from_numbers,
    need_dtype,
    need_shape,
    to_bytes,
    to_numbers,
    top_classes,
)  # fmt: skip

ARRAYS = st.sampled_from(sorted(NUMBERS)).flatmap(
    lambda name: hnp.arrays(NUMBERS[name], hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3),
                            elements={"allow_nan": False, "allow_infinity": False} if "FP" in name else None)
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(ARRAYS)
def test_arrays_come_back_bit_by_bit(array):
    dtype = need_dtype(datatype_of(array.dtype), "x")
    for back in (
        from_bytes(to_bytes(array), dtype, array.shape, "x"),
        from_numbers(to_numbers(array, "y"), dtype, array.shape, "x"),
        from_numbers(array.tolist(), dtype, array.shape, "x"),
    ):
        assert back.dtype == array.dtype and back.shape == array.shape
        np.testing.assert_array_equal(back, array)


def test_strings_come_back():
    strings = np.array([b"", b"\x00\xff", "ä".encode()], object)
    np.testing.assert_array_equal(from_bytes(to_bytes(strings), np.dtype(object), (3,), "s"), strings)
    assert from_numbers([["a"], ["b"]], np.dtype(object), (2, 1), "s").tolist() == [[b"a"], [b"b"]]
    for data in (b"\x01", b"\x05\x00\x00\x00ab"):
        with pytest.raises(Refusal, match="ends within"):
            from_bytes(data, np.dtype(object), (1,), "s")


@pytest.mark.parametrize(
    ("data", "datatype", "shape", "words"),
    [
        ([1.5], "INT32", [1], "must be int32, got float64"),
        ([3000000000], "INT32", [1], "does not fit"),
        ([-1], "UINT8", [1], "does not fit"),
        ([1e39], "FP32", [1], "too large"),
        ([70000.0], "FP16", [1], "too large"),
        ([True], "INT64", [1], "true and false"),
        ([1], "BOOL", [1], "must be bool"),
        (["1"], "FP32", [1], "strings"),
        ([2**70], "INT64", [1], "too large"),
        ([[1, 2], [3]], "FP32", [3], "one length"),
        ([1, 2, 3], "FP32", [2], "2 elements, data has 3"),
        ([None], "FP32", [1], "must be float32"),
        ({"a": 1}, "FP32", [1], "must be float32"),
        ([1], "BYTES", [1], "takes strings"),
        ([1], "FP8", [1], "datatype must be one of"),
        ([1], ["FP32"], [1], "datatype must be one of"),
        ([1], "FP32", [-1], "whole numbers"),
        ([1], "FP32", [True], "whole numbers"),
        ([1], "FP32", "1", "whole numbers"),
        ([], "FP32", [1 << 40, 1 << 40], "no tensor has shape"),
    ],
)
def test_what_does_not_fit_is_refused(data, datatype, shape, words):
    with pytest.raises(Refusal, match=words) as caught:
        from_numbers(data, need_dtype(datatype, "x"), need_shape(shape, "x"), "x")
    assert caught.value.status == 400


def test_bytes_that_do_not_fit_are_refused():
    with pytest.raises(Refusal, match="takes 8 bytes, got 7"):
        from_bytes(b"1234567", np.dtype("float32"), (2,), "x")
    with pytest.raises(Refusal, match="bytes 0 and 1"):
        from_bytes(b"\x02", np.dtype(bool), (1,), "x")


def test_numbers_that_json_can_not_say_are_refused():
    with pytest.raises(Refusal, match="binary data"):
        to_numbers(np.array([np.inf]), "y")


def test_classes():
    array = np.array([[0.1, 0.7, 0.2], [3.0, 1.0, 2.0]], "float32")
    assert top_classes(array, 2, batched=True).tolist() == [[b"0.700000:1", b"0.200000:2"], [b"3.000000:0", b"2.000000:2"]]
    assert top_classes(array, 1, batched=False).tolist() == [b"3.000000:3"]
    assert top_classes(np.array([1, 200], "uint8"), 5, batched=False).tolist() == [b"200.000000:1", b"1.000000:0"]
