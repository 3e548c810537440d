"""Fields that are written without a message around them are what the protobuf library reads."""

import numpy as np
import pytest

from to_static.compiler.formats.onnx import schema
from to_static.compiler.formats.protobuf.framing import field_header


@pytest.mark.parametrize("size", [0, 1, 127, 128, 16383, 16384, 300000])
def test_a_field_of_bytes(size):
    message = schema.new("TensorProto", name="x", raw_data=bytes(size))
    start = schema.new("TensorProto", name="x").SerializeToString()
    assert start + field_header(9, size) + bytes(size) == message.SerializeToString()


def test_field_numbers_of_two_bytes():
    assert field_header(16, 3) == b"\x82\x01\x03"
    assert field_header(15, np.int64(2)) == b"z\x02"
