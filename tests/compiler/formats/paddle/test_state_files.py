"""Reading and writing `.pdparams`, `.pdopt`, `.pdiparams` and `.info`, against files of real Paddle and hostile ones."""

import io
import os
import pickle
import struct
from collections import OrderedDict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import to_static
from to_static.compiler.formats.paddle import model_writer
from to_static.compiler.formats.paddle.pickles import state
from to_static.compiler.formats.paddle.pickles.pickling import pickled
from to_static.compiler.formats.paddle.pickles.state import NamedArray
from to_static.compiler.formats.paddle.pickles.unpickling import unpickle, unpickle_opened
from to_static.compiler.formats.paddle.weights import info, params_reader, params_writer
from to_static.core.errors import DTypeError, FormatError

GOLDEN = Path(__file__).parents[3] / "golden" / "paddle"
QUICK = settings(max_examples=60, deadline=None)


def same(a, b):
    """Equal structures with equal arrays of equal dtypes."""
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, dict):
        return type(a) is type(b) and list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and (a == b or a != a)


@pytest.mark.parametrize("name", ["state.pdparams", "state_protocol2.pdparams"])
def test_reads_a_state_dict_of_real_paddle(name):
    expected = np.load(GOLDEN / "state.npz")
    found = state.read_object(GOLDEN / name)
    table = found.pop(state.NAME_TABLE)
    assert table["conv.weight"] == "conv2d_0.w_0"
    assert {f"param:{k}" for k in found} == {k for k in expected.files if k.startswith("param:")}
    assert all(same(array, expected[f"param:{key}"]) for key, array in found.items())


def test_reads_an_optimizer_state_of_real_paddle():
    expected = np.load(GOLDEN / "state.npz")
    found = state.read_object(GOLDEN / "state.pdopt")
    assert found["LR_Scheduler"]["last_epoch"] == 2
    arrays = {k: v for k, v in found.items() if isinstance(v, np.ndarray)}
    assert arrays and all(same(array, expected[f"opt:{key}"]) for key, array in arrays.items())


def test_reads_nested_and_bare_tensors_of_real_paddle():
    found = state.read_object(GOLDEN / "nested.pdparams")
    assert found["tensor"].name and same(found["tensor"].array, np.array([1.5, 2.5], "float32"))
    assert same(found["half"].array, np.array([1, 2], "float32"))  # stored as bfloat16
    assert found["list"][1:] == ["text", 3, None] and found[5] == (1, 2.5, True)
    assert found["scalar"].array.shape == () and found["nested"]["empty"].array.shape == (0, 2)
    for name in ("bare.pdtensor", "binary.pdtensor"):
        assert same(state.read_object(GOLDEN / name).array, np.array([3, 4], "int32"))


SAVED = {
    "array": np.arange(6, dtype="float32").reshape(2, 3), "scalar": np.asarray(7), "bool": np.array([True, False]),
    "named": NamedArray("tensor_0", np.array([1 + 2j], "complex64")), "fortran": np.asfortranarray(np.ones((2, 3), "int8")),
    "numbers": [1, -1, 2**31, -(2**40), 2**2000, 1.5, float("inf"), True, None], 3: "text", "bytes": b"\x00\xff", "empty": {},
    "ordered": OrderedDict(a=1), "tuple": ((), (1,), ([],)), "unicode": "αβ", "number": np.float32(1.5),
}  # fmt: skip


@pytest.mark.parametrize("protocol", [2, 3, 4])
def test_what_is_written_is_read_back(tmp_path, protocol):
    path = tmp_path / "new" / "folder" / "x.pdparams"
    saved = {**SAVED, "numbers": [1, -1, 2**31, -(2**40), 1.5, float("inf"), True, None]}
    state.write_object(path, saved, protocol=protocol)
    assert same(state.read_object(path), saved)
    before = path.read_bytes()
    state.write_object(path, saved, protocol=protocol)
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == ["x.pdparams"]


@pytest.mark.parametrize("protocol", [2, 3, 4])
def test_pythons_own_pickles_are_read_and_ours_are_read_by_python(protocol):
    value = {k: v for k, v in SAVED.items() if k != "named"}
    value["numbers"] = value["numbers"][:4]
    assert same(unpickle(pickle.dumps(value, protocol=protocol), "memory"), value)
    assert same(pickle.loads(pickled(_without_arrays(value), protocol)), _without_arrays(value))
    assert b"numpy.core.multiarray" in pickled(SAVED["array"], protocol)


def _without_arrays(value):
    return {k: v for k, v in value.items() if not isinstance(v, (np.ndarray, np.generic))}


def test_shared_arrays_stay_shared():
    array = np.ones(3)
    found = unpickle(pickled([array, array]), "memory")
    assert found[0] is found[1]


@pytest.mark.parametrize("protocol", [2, 3, 4])
def test_containers_in_several_places_are_stored_once(protocol):
    inner = [1]
    pair, table = (inner, 2), {"x": inner}
    value = {"a": inner, "b": [pair, pair, table], "c": OrderedDict(q=table)}
    value["d"] = [value["c"], value["c"]]
    for found in (pickle.loads(pickled(value, protocol)), unpickle(pickled(value, protocol), "memory")):
        assert found == value and found["b"][0] is found["b"][1] and found["d"][0] is found["d"][1] is found["c"]
        assert found["a"] is found["b"][0][0] is found["b"][2]["x"] and found["c"]["q"] is found["b"][2]
    for kind in (lambda x: [x, x], lambda x: (x, x), lambda x: {"l": x, "r": x}):
        value = [0.5]
        for _ in range(60):
            value = kind(value)
        assert len(pickled(value, protocol)) < 4000


def test_large_arrays_and_bytes_wherever_they_are():
    """They are read to where they stay: each array has memory of its own, and bytes are Python's."""
    big, order = np.arange(40_000, dtype="float32").reshape(200, 200), np.asfortranarray(np.arange(90_000.0).reshape(300, 300))
    data = bytes(range(256)) * 400
    value = {"a": big, "f": order, data: [data, (data, {"deep": data})], "m": np.ones(70_000, bool), "s": big.astype(">f4")}
    found = unpickle(pickle.dumps(value, 4), "x")
    assert list(found) == list(value)
    assert all(same(found[key], value[key].astype(value[key].dtype.newbyteorder("="))) for key in "afms")
    assert found[data] == value[data] and type(found[data][0]) is bytes and found[data][0] is found[data][1][0]
    assert found["a"].flags.writeable and found["f"].flags.c_contiguous and found["a"].ctypes.data % 64 == 0


def test_two_arrays_of_the_same_bytes_share_no_memory():
    array = np.zeros(100_000, "uint8")
    kind, _, state = array.__reduce__()

    class Same:
        def __reduce__(self):
            return kind, (np.ndarray, (0,), b"b"), state

    found = unpickle(pickle.dumps([Same(), Same()], 4), "x")
    assert same(found, [array, array]) and not np.may_share_memory(*found)


def test_a_file_that_gets_shorter_while_it_is_read():
    class Short(io.BytesIO):
        def readinto(self, into):
            return super().readinto(memoryview(into)[:-1])

    with pytest.raises(FormatError, match="got shorter"):
        unpickle_opened(Short(pickle.dumps(np.zeros(100_000, "uint8"), 4)), "x")


def test_several_large_objects_one_after_the_other_in_memory():
    memory, values = io.BytesIO(), [np.full(30_000, float(i)) for i in range(3)]
    for value in values:
        state.put_object(memory, {"a": value})
    memory.seek(0)
    assert all(same(state.take_object(memory)["a"], value) for value in values)


def test_arrays_that_old_protocols_cut_into_pieces_are_joined(tmp_path):
    pieces = {"w@@.0": np.arange(3.0), "w@@.1": np.arange(3.0, 6.0), "b": np.zeros(1)}
    pieces[state.SLICES] = {"w": {"OriginShape": (2, 3), "slices": ["w@@.0", "w@@.1"]}}
    state.write_object(tmp_path / "x", pieces)
    found = state.read_object(tmp_path / "x")
    assert sorted(found) == ["b", "w"] and same(found["w"], np.arange(6.0).reshape(2, 3))


class Attack:
    def __reduce__(self):
        return (os.system, ("echo attacked > attacked.txt",))


@pytest.mark.parametrize("protocol", [2, 4])
def test_nothing_in_a_file_is_executed(tmp_path, monkeypatch, protocol):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "x.pdparams"
    path.write_bytes(pickle.dumps({"w": Attack()}, protocol=protocol))
    with pytest.raises(FormatError, match=r"never loaded .*must not run code") as caught:
        state.read_object(path)
    assert caught.value.path == str(path) and caught.value.offset is not None
    assert not (tmp_path / "attacked.txt").exists()


@pytest.mark.parametrize(
    "data",
    [
        b"", b"hello", b"\x80", b"\x80\x04", b"\x80\x04.", b"\x80\x04]", b"\x80\x04(.", b"\x80\x04K\x01K\x02.",
        b"\x80\x04\x8e" + b"\xff" * 8 + b"x.",  # announces 2**64 bytes
        b"\x80\x05\x96" + b"\xff" * 7 + b"\x7f.",  # a bytearray of 2**63 bytes
        b"\x80\x04}(]K\x01u.",  # a list as key
        b"\x80\x04cos\nsystem\n.", b"\x80\x04cnumpy\nndarray\n.",
        b"\x80\x04ccollections\nOrderedDict\n(K\x01tR.", b"\x80\x04K\x01K\x02b.", b"\x80\x04h\x05.", b"\x80\x04(\x94h\x00.",
        b"\x80\x04)\x94" + b"".join(b"h" + bytes([i]) * 1 + b"h" + bytes([i]) + b"\x86\x94" for i in range(200)) + b".",
    ],
)  # fmt: skip
def test_damaged_and_hostile_pickles_are_refused(tmp_path, data):
    path = tmp_path / "x.pdparams"
    path.write_bytes(data)
    with pytest.raises(FormatError):
        state.read_object(path)


def test_structures_made_to_explode_do_not():
    doubling = b"\x80\x04]\x94" + b"".join(b"]\x94(h" + bytes([i]) + b"h" + bytes([i]) + b"e" for i in range(100))
    nested = doubling + b"0" * 100 + b"."
    assert unpickle(nested, "memory") == []
    deep = b"\x80\x04" + b"]" * 100_000 + b"a" * 99_999 + b"."
    assert type(unpickle(deep, "memory")) is list
    assert unpickle(b"\x80\x04]r\xff\xff\xff\xff.", "memory") == []  # a memo index of 2**32 allocates nothing
    cyclic = unpickle(b"\x80\x04]\x94h\x00a.", "memory")
    assert cyclic[0] is cyclic


def test_writing_refuses_what_a_file_cannot_hold(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"old")
    loop = []
    loop.append(loop)
    for value, error in [(lambda: 1, TypeError), (loop, ValueError), (np.array([1], "M8[s]"), DTypeError)]:
        with pytest.raises(error):
            state.write_object(path, value)
    with pytest.raises(ValueError, match="protocol"):
        state.write_object(path, 1, protocol=5)
    assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["x"]


# .pdiparams ----------------------------------------------------------------------------------------------------------

ARRAYS = {
    "a": np.array([1.0, 2.0], "float32"), "b": np.asarray(3), "c": np.zeros((2, 0), "float64"), "d": np.array([[True]]),
    "e": np.array([1 + 2j]), "f": np.array([1.5], "float16"), "g": np.arange(5, dtype="uint8"),
}  # fmt: skip


def test_params_round_trip_and_exact_bytes(tmp_path):
    path = tmp_path / "x.pdiparams"
    params_writer.write_params(path, ARRAYS.values())
    assert same(params_reader.read_params(path, list(ARRAYS)), ARRAYS)
    head = "00000000 0000000000000000 00000000 04000000 08051002 0000803f00000040"
    assert path.read_bytes().startswith(bytes.fromhex(head))


def test_params_read_level_of_detail_and_bfloat16(tmp_path):
    path = tmp_path / "x"
    desc = bytes([0x08, 22, 0x10, 2])
    lod = struct.pack("<QQQQ", 1, 16, 0, 2)
    path.write_bytes(struct.pack("<I", 0) + lod + struct.pack("<Ii", 0, 4) + desc + b"\x80\x3f\x00\x40")
    assert same(params_reader.read_params(path, ["w"])["w"], np.array([1, 2], "float32"))


def test_params_errors_name_file_offset_and_tensor(tmp_path):
    path = tmp_path / "x.pdiparams"
    params_writer.write_params(path, [np.ones(3), np.ones(2)])
    with pytest.raises(FormatError, match="tensor 'c'.*after 2 tensors"):
        params_reader.read_params(path, ["a", "b", "c"])
    with pytest.raises(FormatError, match="more bytes"):
        params_reader.read_params(path, ["a"])
    data = path.read_bytes()
    path.write_bytes(data[:-1])
    with pytest.raises(FormatError, match=r"x\.pdiparams, byte \d+: expected 16 bytes of data .* found 15") as caught:
        params_reader.read_params(path, ["a", "b"])
    assert caught.value.offset == len(data) - 16


def test_a_huge_announced_tensor_is_not_allocated(tmp_path):
    path = tmp_path / "x"
    from to_static.compiler.formats.paddle.messages import schema

    for dims in ([2**40, 2**40], [-1], [1] * 40, [0, 2**62, 2**62]):
        desc = schema.new("TensorDesc", data_type=5, dims=dims).SerializeToString()
        path.write_bytes(struct.pack("<IQIi", 0, 0, 0, len(desc)) + desc)
        with pytest.raises(FormatError):
            params_reader.read_params(path, ["w"])


# .info ---------------------------------------------------------------------------------------------------------------


def test_info_of_real_paddle_and_round_trip(tmp_path):
    found = info.read_info(GOLDEN / "batchnorm.pdiparams.info")
    assert found["conv2d_0.w_0"] == {"structured_name": "conv.weight", "stop_gradient": False, "trainable": True}
    assert found["batch_norm2d_0.w_1"]["trainable"] is False
    (tmp_path / "i").write_bytes(model_writer.info_bytes(found))
    assert info.read_info(tmp_path / "i") == found
    assert pickle.loads((tmp_path / "i").read_bytes()) == found


@pytest.mark.parametrize("value", [[], {"w": 1}, {1: {}}, {"w": {"trainable": 1}}, {"w": {"structured_name": np.ones(1)}}])
def test_info_of_another_form_is_refused(tmp_path, value):
    path = tmp_path / "i"
    path.write_bytes(pickled(value, 2))
    with pytest.raises(FormatError):
        info.read_info(path)


# damage anywhere -----------------------------------------------------------------------------------------------------


def _params_file():
    names = [f"batch_norm2d_0.{x}" for x in ("b_0", "w_0", "w_1", "w_2")]
    return (GOLDEN / "batchnorm.pdiparams").read_bytes(), lambda p: params_reader.read_params(p, names)


SUBJECTS = {
    "state": lambda: ((GOLDEN / "state.pdparams").read_bytes(), state.read_object),
    "protocol2": lambda: ((GOLDEN / "state_protocol2.pdparams").read_bytes(), state.read_object),
    "nested": lambda: ((GOLDEN / "nested.pdparams").read_bytes(), state.read_object),
    "stream": lambda: ((GOLDEN / "binary.pdtensor").read_bytes(), state.read_object),
    "params": lambda: ((GOLDEN / "lenet.pdiparams").read_bytes(), params_reader.read_tensors),
    "info": lambda: ((GOLDEN / "mlp.pdiparams.info").read_bytes(), info.read_info),
}


@pytest.mark.parametrize("subject", SUBJECTS)
@QUICK
@given(data=st.data())
def test_any_damage_gives_a_format_error_or_a_value(tmp_path_factory, subject, data):
    original, read = SUBJECTS[subject]()
    changed = bytearray(original)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, max(0, len(changed) - 1)))
        what = data.draw(st.sampled_from(["byte", "cut", "insert", "delete"]))
        if what == "cut":
            del changed[at:]
        elif what == "delete":
            del changed[at : at + data.draw(st.integers(1, 9))]
        elif what == "insert":
            changed[at:at] = data.draw(st.binary(min_size=1, max_size=9))
        elif changed:
            changed[at] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("fuzz") / "file"
    path.write_bytes(changed)
    try:
        read(path)
    except FormatError as error:
        assert str(path) in str(error)


@pytest.mark.parametrize("protocol", [2, 4])
def test_the_state_of_numpys_random_numbers_is_kept(tmp_path, protocol):
    state = np.random.RandomState(3).get_state()
    to_static.save({"numpy": state, "wide": np.array([1 << 63], "uint64")}, str(tmp_path / "rng.pth"), protocol=protocol)
    loaded = to_static.load(str(tmp_path / "rng.pth"), return_numpy=True)
    again = np.random.RandomState(0)
    again.set_state(loaded["numpy"])
    assert again.rand() == np.random.RandomState(3).rand() and loaded["wide"][0] == 1 << 63
