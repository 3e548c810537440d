"""Messages of files are read as the protobuf library reads them, the damaged ones, too."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from to_static.compiler.formats.paddle.messages import schema
from to_static.compiler.formats.paddle.messages.wire import parse
from to_static.core.errors import FormatError

GOLDEN = Path(__file__).parents[4] / "golden" / "paddle"
MODELS = sorted(GOLDEN.glob("*.pdmodel"))


def plain(name, message):
    """All fields of a message, with the types of their values."""

    def one(field, value):
        if field.type_name in schema.MESSAGES:
            return plain(field.type_name, value)
        return type(value), "nan" if isinstance(value, float) and math.isnan(value) else value

    found = {}
    for field in schema.fields_of(name):
        value = getattr(message, field.name)
        found[field.name] = [one(field, v) for v in value] if field.repeated else one(field, value)
    return found


def by_protobuf(name, data):
    """The same by protobuf; None where it refuses."""
    message = schema.messages()[name]()
    try:
        message.MergeFromString(data)
        if message.IsInitialized() and message.SerializeToString() is not None:  # text that is no UTF-8 may show only now
            return plain(name, message)
    except Exception as error:
        assert "Error" in type(error).__name__
    return None


@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.stem)
def test_recorded_programs_are_read_as_protobuf_reads_them(path):
    data = path.read_bytes()
    expected = by_protobuf("ProgramDesc", data)
    assert expected["blocks"]
    assert plain("ProgramDesc", parse("ProgramDesc", data, path)) == expected


def _messages(name, message):
    data = message.SerializeToString()
    if len(data) < 400:
        yield name, data
    for field in schema.fields_of(name):
        if field.type_name in schema.MESSAGES:
            if field.label == "*":
                values = getattr(message, field.name)
            else:
                values = [getattr(message, field.name)] if message.HasField(field.name) else []
            for value in values:
                yield from _messages(field.type_name, value)


def _seeds():
    found = {}
    for stem in ("fn_elif", "attention"):
        program = schema.messages()["ProgramDesc"].FromString((GOLDEN / f"{stem}.pdmodel").read_bytes())
        for name, data in _messages("ProgramDesc", program):
            found.setdefault(name, {})[data] = None
    new = schema.new
    scalars = [new("Scalar", type=4, c=new("Complex", r=1.0, i=-2.0)), new("Scalar", type=2, i=-3)]
    attr = new(
        "Attr", name="all", type=17, scalars=scalars, scalar=scalars[0], floats=[1.5, -0.0], float64s=[1e300], longs=[-1, 1 << 62],
        bools=[True, False], ints=[-5, 1 << 30], blocks_idx=[1], strings=["é", ""], var_name="v", vars_name=["a"], float64=math.inf,
    )  # fmt: skip
    found["Attr"][attr.SerializeToString()] = None
    return {name: list(values) for name, values in found.items()}


SEEDS = _seeds()
BYTES = st.one_of(st.sampled_from([0, 1, 8, 10, 11, 12, 18, 127, 128, 255]), st.integers(0, 255))


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_damaged_messages_are_read_as_protobuf_reads_them(data):
    name = data.draw(st.sampled_from(sorted(SEEDS)))
    changed = bytearray(data.draw(st.sampled_from(SEEDS[name])))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(changed)))
        change = data.draw(st.sampled_from(["set", "insert", "delete", "repeat", "cut", "other"]))
        if change == "set":
            changed[at : at + 1] = bytes([data.draw(BYTES)])
        elif change == "insert":
            changed[at:at] = bytes(data.draw(st.lists(BYTES, max_size=12)))
        elif change == "delete":
            del changed[at : at + data.draw(st.integers(1, 8))]
        elif change == "repeat":
            changed[at:at] = changed[at : at + data.draw(st.integers(1, 40))]
        elif change == "cut":
            del changed[at:]
        else:
            changed += data.draw(st.sampled_from(SEEDS[data.draw(st.sampled_from(sorted(SEEDS)))]))
    try:
        found = plain(name, parse(name, bytes(changed), "damaged"))
    except FormatError as error:
        assert "damaged" in str(error)
        assert "not UTF-8" in str(error) or by_protobuf(name, bytes(changed)) is None  # protobuf takes it where it is replaced
    else:
        assert found == by_protobuf(name, bytes(changed))


def varint(number):
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


@pytest.mark.parametrize(
    "name, data",
    [
        ("Version", b"\x08" + b"\xff" * 9 + b"\x01"),  # -1
        ("Version", b"\x08" + b"\xff" * 9 + b"\x02"),  # more than 64 bits
        ("Version", b"\x08" + b"\xff" * 10 + b"\x01"),  # more than ten bytes
        ("Version", b"\x88\x00\x05"),  # a tag that is longer than it must be
        ("Version", b"\x88\x80\x80\x80\x80\x00\x05"),
        ("Version", b"\x0b\x13\x14\x08\x07\x0c\x08\x09"),  # an unknown group, with another and a field in it
        ("Version", b"\x0b\x14"),
        ("Version", b"\x13" * 99 + b"\x14" * 99),
        ("Version", b"\x13" * 101 + b"\x14" * 101),
        ("Version", b"\x0c"),
        ("Version", b"\x00\x01"),
        ("Version", b"\x0e\x01"),
        ("Version", varint(1 << 32 | 8) + b"\x01"),
        ("TensorDesc", b"\x08\x05\x12\x03\x01\x02\x03\x10\x04"),  # packed and single ones
        ("TensorDesc", b"\x08\x05\x12\x03\x01\x02\x80"),
        ("TensorDesc", b"\x08\x63"),  # a dtype that there is not: a required field is missing
        ("TensorDesc", b"\x08\x63\x08\x05"),
        ("Tuple", b"\x0a\x03\x05\x63\x06"),
        ("VarType", b"\x08\x07\x1a\x02\x0a\x00\x1a\x04\x0a\x02\x08\x05\x1a\x04\x0a\x02\x10\x03"),  # a message in three parts
        ("Complex", b"\x09" + b"\x00" * 7 + b"\x40\x11" + b"\x00" * 7),
        ("Attr", b"\x0a\x01a\x10\x01\x25\x00\x00\xc0\x7f"),
        ("Attr", b"\x0a\x01a\x10\x01\x18" + varint((1 << 40) + 3)),  # 32 bits of it count
    ],
    ids=str,
)
def test_edges_of_the_encoding(name, data):
    try:
        found = plain(name, parse(name, data, "m"))
    except FormatError:
        found = None
    assert found == by_protobuf(name, data)


def test_errors_say_what_is_wrong():
    for data, message in [
        (b"\x08\x05\x10", "end in the middle of a field"), (b"\x0a\x7fab", "behind its message"),
        (b"\x08\x05\x17", "a field of kind 7"),
        (b"\x10\x03", "required fields data_type"), (b"\x08" + b"\x80" * 12, "more than 10 bytes"),
    ]:  # fmt: skip
        kind = "OpDesc" if data[0] == 10 else "TensorDesc"
        with pytest.raises(FormatError, match=rf"weights.*a {kind} message \({len(data)} bytes\).*{message}"):
            parse(kind, data, "weights")
    with pytest.raises(FormatError, match="text that is not UTF-8"):
        parse("Var", b"\x0a\x01\xff", "m")


def test_reading_a_program_does_not_import_protobuf():
    code = (
        f"import sys; from to_static.compiler.formats.paddle.model_reader import read_model; read_model({str(MODELS[0])!r}); "
        "print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not [name for name in run.stdout.split() if name.startswith("google.")]
