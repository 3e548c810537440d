"""Files that somebody made to hang, crash or confuse whoever loads them: a plain error, or they are loaded; always at once."""

import os
import pickle
import shutil
import struct
import warnings

import numpy as np
import pytest

import to_static as paddle
from tests.compiler.formats.paddle.large_programs import (
    SHAPES,
    block,
    chain,
    feed_fetch,
    op,
    program,
    special,
    unary,
    var,
    write,
)
from to_static.compiler.formats.paddle.messages.schema import new
from to_static.core.errors import FormatError

HEAD = b"\x80\x04"


def model(folder, name="m"):
    prefix = str(folder / name)
    write(SHAPES["parameters"](4)[0], prefix, SHAPES["parameters"](4)[1])
    return prefix


def with_info(prefix, names):
    entries = {f"w{i:06}": {"structured_name": name, "trainable": True} for i, name in enumerate(names)}
    with open(prefix + ".pdiparams.info", "wb") as file:
        pickle.dump(entries, file, protocol=2)
    return prefix


# structured names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "forward", "weight.", ".", ".weight", "a..", "__class__", "__dict__", "_methods", "_parameters", "a.forward", "training.w",
        "state_dict", "program", "a." * 1600 + "b", "a." * 100 + "b",
    ],
)  # fmt: skip
def test_structured_names_that_are_places_of_no_layer(tmp_path, name):
    with pytest.raises(FormatError, match="structured names"):
        paddle.jit.load(with_info(model(tmp_path), ["a0", name, "c", "d"]))


@pytest.mark.parametrize("names", ["a a b c", "a a.b c d", "a.b a c d", "a.b.c d a.b e"])
def test_structured_names_that_two_values_want(tmp_path, names):
    prefix = with_info(model(tmp_path), names.split())
    for load in (paddle.jit.load, paddle.load):
        with pytest.raises(FormatError, match="structured name"):
            load(prefix)


@pytest.mark.parametrize(
    "names",
    [["", "x", "y", "z"], ["a b", "a\nb", "é", "if"], ["a." * 99 + "b", "a.b", "c", "d"], ["x..y.z", "a..b", "0...c", "d"]],
)
def test_other_structured_names_are_kept(tmp_path, names):
    net = paddle.jit.load(with_info(model(tmp_path), names))
    assert len(net.state_dict()) == 4 == len(net.parameters())
    assert {*filter(None, names)} <= {*net.state_dict()}
    paddle.jit.save(net, str(tmp_path / "again"))
    assert len(paddle.jit.load(str(tmp_path / "again")).state_dict()) == 4


def test_variables_without_structured_names_get_free_ones(tmp_path):
    kept = ["forward", "a.b", "a_b", "eval", "__class__", "_methods"]
    out = ["x", *(f"v{i}" for i in range(len(kept)))]
    pairs = zip(out, kept, out[1:], strict=False)
    ops = [op("elementwise_add", {"X": [x], "Y": [w]}, {"Out": [y]}, axis=("int", -1)) for x, w, y in pairs]
    message = program([*map(var, out), *(var(name, persistable=True) for name in kept)], ops, out[-1])
    write(message, str(tmp_path / "m"), {name: np.ones((2, 3), "float32") for name in kept})
    net = paddle.jit.load(str(tmp_path / "m"))
    assert len(net.state_dict()) == len(net.parameters()) == len(kept)
    net.eval()
    assert net(paddle.zeros([2, 3])).tolist() == [[6.0] * 3] * 2


# names of methods ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["__class__", "__call__", "__init__", "eval", "state_dict", "training", "program", "_methods"])
def test_methods_that_mean_something_else_are_left_out(tmp_path, name):
    prefix = model(tmp_path)
    alone = model(tmp_path, f"m.{name}")
    with pytest.warns(UserWarning, match="is left out: .* method or attribute of every Layer"):
        net = paddle.jit.load(prefix)
    assert type(net).__name__ == "TranslatedLayer"
    net.train()
    net.eval()
    assert len(net.state_dict()) == 4 and net(paddle.zeros([2, 3])).shape == [2, 3]
    assert paddle.jit.load(alone)(paddle.zeros([2, 3])).shape == [2, 3]  # a model of that name is one of its own
    os.remove(prefix + ".pdmodel")
    with pytest.raises(FormatError, match="a method that is not one of every Layer"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        paddle.jit.load(prefix)


def test_a_second_forward_is_not_the_first(tmp_path):
    prefix = model(tmp_path)
    write(chain(1)[0], str(tmp_path / "m.forward"))
    assert paddle.jit.load(prefix)(paddle.zeros([2, 3])).tolist() == [[4.0] * 3] * 2


# what is no file, or too large -----------------------------------------------------------------------------------------------

pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")


@pipes
@pytest.mark.parametrize("suffix", [".pdmodel", ".pdiparams", ".pdiparams.info"])
def test_pipes_do_not_block(tmp_path, suffix):
    prefix = with_info(model(tmp_path), "abcd")
    os.remove(prefix + suffix)
    os.mkfifo(prefix + suffix)
    with pytest.raises(FormatError, match="a regular file, found a pipe"):
        paddle.jit.load(prefix)


@pipes
def test_a_pipe_is_no_state_and_no_journal(tmp_path):
    os.mkfifo(tmp_path / "s.pdparams")
    with pytest.raises(FormatError, match="a regular file, found a pipe"):
        paddle.load(str(tmp_path / "s.pdparams"))
    os.mkfifo(tmp_path / "m.journal.part")
    with pytest.raises(FileExistsError, match="in the way of a save"):
        paddle.jit.load(model(tmp_path))


@pytest.mark.parametrize("text", ["[" * 100_000, '{"save": ' + "[" * 100_000 + "\n", '{"a":' + "[" * 50_000 + "]" * 50_000 + "}\n"])
def test_a_journal_of_brackets_is_none(tmp_path, text):
    prefix = model(tmp_path)
    (tmp_path / "m.journal.part").write_text(text)
    with pytest.raises(FileExistsError, match="in the way of a save"):
        paddle.jit.load(prefix)


def longer(path, size=1 << 40):
    try:
        with open(path, "ab") as file:
            file.truncate(size)
    except OSError:
        pytest.skip("no such large files here")


@pytest.mark.parametrize("suffix", [".pdmodel", ".pdiparams", ".pdiparams.info"])
def test_files_of_holes_are_not_read(tmp_path, suffix):
    prefix = with_info(model(tmp_path), "abcd")
    longer(prefix + suffix)
    with pytest.raises(FormatError, match="found one of 1099511627776 bytes"):
        paddle.jit.load(prefix)


@pytest.mark.parametrize("head", [HEAD + b"}(", struct.pack("<IQI", 0, 0, 0), b"\n"])
def test_states_of_holes_are_not_read(tmp_path, head):
    path = tmp_path / "s.pdparams"
    path.write_bytes(head)
    longer(path)
    with pytest.raises(FormatError, match="found one of 109951162777[0-9] bytes"):
        paddle.load(str(path))


def test_a_large_value_of_another_shape_is_not_read(tmp_path):
    prefix = model(tmp_path)
    desc = new("TensorDesc", data_type=5, dims=[1 << 15, 1 << 10]).SerializeToString()
    with open(prefix + ".pdiparams", "wb") as file:
        file.write(struct.pack("<IQIi", 0, 0, 0, len(desc)) + desc)
    longer(prefix + ".pdiparams", 1 << 28)
    with pytest.raises(FormatError, match=r"a tensor of shape \[2, 3\], as the program declares it"):
        paddle.jit.load(prefix)


# pickles -----------------------------------------------------------------------------------------------------------------------


def integer(value):
    data = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
    return b"\x8a" + bytes([len(data)]) + data


def loaded(tmp_path, data):
    (tmp_path / "s.pdparams").write_bytes(HEAD + data)
    return paddle.load(str(tmp_path / "s.pdparams"))


COLLIDING = {
    "multiples": lambda i: integer(i * ((1 << 61) - 1)),
    "negative": lambda i: integer(-i * ((1 << 61) - 1)),
    "tuples": lambda i: b"(" + integer(i) + integer(7 * i) + b"t",
}


@pytest.mark.parametrize("key", COLLIDING.values(), ids=COLLIDING)
def test_keys_that_may_all_collide_are_few(tmp_path, key):
    with pytest.raises(FormatError, match="more than 1000 dict keys"):
        loaded(tmp_path, b"}(" + b"".join(key(i + 1) + b"N" for i in range(1001)) + b"u.")
    assert len(loaded(tmp_path, b"}(" + b"".join(key(i + 1) + b"N" for i in range(1000)) + b"u.")) == 1000


def test_plain_keys_may_be_many(tmp_path):
    assert len(loaded(tmp_path, b"}(" + b"".join(integer(i << 40) + b"N" for i in range(20_000)) + b"u.")) == 20_000


def test_lists_in_lists_are_walked_without_calls(tmp_path):
    deep = loaded(tmp_path, b"]" * 100_000 + b"a" * 99_999 + b".")
    for _ in range(99_999):
        (deep,) = deep
    assert deep == []


def test_shared_lists_stay_shared(tmp_path):
    lists = b"".join(b"](" + (b"j" + struct.pack("<I", i)) * 10 + b"e\x94" for i in range(60))
    found = loaded(tmp_path, b"(]\x94" + lists + b"t.")
    assert len(found) == 61 and all(item is found[-2] for item in found[-1])


# programs ------------------------------------------------------------------------------------------------------------------------


def bad(variables, ops, result="y", *blocks):
    return program([var("x"), *variables], ops, result, *blocks)


RELU = unary("relu", "x", "y")
BRANCH = {"sub_block": ("block", 1), "is_scalar_condition": ("bool", True)}


def branch(index):
    return op("conditional_block", {"Cond": ["c"]}, {"Out": ["y"], "Scope": ["s"]}, **{**BRANCH, "sub_block": ("block", index)})


def nested(depth):
    blocks = [block([], [branch(i + 2)] if i + 1 < depth else [RELU], i + 1, i) for i in range(depth)]
    return bad([var("y"), var("c", (), dtype="bool"), special("s", "STEP_SCOPES")], [branch(1)], "y", *blocks)


def dims(*shape):
    tensor = new("TensorDesc", data_type=5, dims=shape)
    kind = new("VarType", type=7, lod_tensor=new("LoDTensorDesc", tensor=tensor, lod_level=0))
    return new("VarDesc", name="p", type=kind, persistable=True)


PROGRAMS = {
    "blocks in blocks": lambda: nested(1000),
    "a block in itself": lambda: bad([var("y"), var("c", (), dtype="bool")], [branch(0)]),
    "a block that is not there": lambda: bad([var("y"), var("c", (), dtype="bool")], [branch(7)]),
    "a negative block": lambda: bad([var("y"), var("c", (), dtype="bool")], [branch(-1)]),
    "a block of two": lambda: bad([var("y"), var("c", (), dtype="bool")], [branch(1), branch(1)], "y", block([], [RELU], 1, 0)),
    "a block of another parent": lambda: bad([var("y"), var("c", (), dtype="bool")], [branch(1)], "y", block([], [RELU], 1, 5)),
    "an input that nobody declares": lambda: bad([var("y")], [unary("relu", "nothing", "y")]),
    "an output that nobody writes": lambda: bad([var("y"), var("z")], [RELU], "z"),
    "an output that nobody declares": lambda: bad([var("y")], [RELU], "nothing"),
    "a negative size": lambda: bad([var("y"), dims(-5, 3)], [RELU]),
    "a huge size": lambda: bad([var("y"), dims(1 << 62)], [RELU]),
    "a huge product": lambda: bad([var("y"), dims(1 << 40, 1 << 40, 1 << 40)], [RELU]),
    "many dimensions": lambda: bad([var("y"), dims(*[1] * 1000)], [RELU]),
    "an operator without inputs": lambda: bad([var("y")], [op("relu", {}, {"Out": ["y"]})]),
    "an operator that nobody knows": lambda: bad([var("y")], [unary("x" * 1000, "x", "y")]),
    "attributes of other types": lambda: bad([var("y")], [op("softmax", {"X": ["x"]}, {"Out": ["y"]}, axis=("str", "1"))]),
    "an axis far away": lambda: bad([var("y")], [op("softmax", {"X": ["x"]}, {"Out": ["y"]}, axis=("int", 1 << 30))]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_that_do_not_fit(tmp_path, name):
    message = PROGRAMS[name]()
    kept = [v.name for v in message.blocks[0].vars if v.persistable]
    write(message, str(tmp_path / "m"), {name: np.ones((2, 3), "float32") for name in kept})
    with pytest.raises(FormatError):
        paddle.jit.load(str(tmp_path / "m"))


FEEDS = {
    "a column far away": lambda: feed_fetch([("x", 1 << 30)], [("y", 0)]),
    "a negative column": lambda: feed_fetch([("x", -5)], [("y", -1)]),
    "two of one column": lambda: feed_fetch([("x", 0)], [("y", 3), ("y", 3)]),
}


@pytest.mark.parametrize("name", FEEDS)
def test_columns_give_an_order_and_no_more(tmp_path, name):
    write(FEEDS[name](), str(tmp_path / "m"))
    found = paddle.jit.load(str(tmp_path / "m"))(paddle.ones([2, 3]))
    assert all(y.tolist() == [[1.0] * 3] * 2 for y in (found if isinstance(found, (list, tuple)) else [found]))


def test_an_input_twice_is_refused(tmp_path):
    write(feed_fetch([("x", 0), ("x", 1)], [("y", 0)]), str(tmp_path / "m"))
    with pytest.raises(FormatError):
        paddle.jit.load(str(tmp_path / "m"))


def test_a_variable_declared_twice_is_the_last_one(tmp_path):
    write(bad([var("y"), var("y", (7,)), var("x")], [RELU]), str(tmp_path / "m"))
    assert paddle.jit.load(str(tmp_path / "m"))(paddle.ones([2, 3])).shape == [2, 3]


def test_copies_of_files_are_loaded(tmp_path):  # what all of this must not break
    prefix = with_info(model(tmp_path), ["a.w", "a.b", "c", "_d"])
    for suffix in (".pdmodel", ".pdiparams", ".pdiparams.info"):
        os.symlink(shutil.copy(prefix + suffix, tmp_path / ("copy" + suffix)), tmp_path / ("link" + suffix))
    assert list(paddle.jit.load(str(tmp_path / "link")).state_dict()) == ["c", "_d", "a.w", "a.b"]
