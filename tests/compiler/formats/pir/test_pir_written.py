"""Models written for Paddle 3: what is read of them computes what was saved. (No test lets PaddlePaddle 3 itself load them.)"""

import json
import os

import daily
import numpy as np
import pytest
from pir_archive import check, names, numbers, unpack

import to_static as paddle
import to_static.nn.functional as F
from to_static import nn
from to_static.compiler.formats import hub
from to_static.compiler.passes.pipeline import EXPORT, optimize
from to_static.core.errors import FormatError
from to_static.inference import Config, create_predictor
from to_static.static import InputSpec


def predicted(path, inputs):
    predictor = create_predictor(Config(str(path)))
    for key in predictor.get_input_names():
        predictor.get_input_handle(key).copy_from_cpu(inputs[key])
    predictor.run()
    return [predictor.get_output_handle(key).copy_to_cpu() for key in predictor.get_output_names()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return unpack(tmp_path_factory.mktemp("pir"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", daily.some("models there and back", names(), 60))
def test_there_and_back(folder, tmp_path, name):
    """`.json` -> `.pdmodel` -> `.json`: numbers stay."""
    inputs, expected = numbers(folder / name)
    hub.write_models({str(tmp_path / "old"): optimize(hub.open_model(f"{folder / name}.json").program(), EXPORT)}, "pdmodel")
    hub.write_models({str(tmp_path / "new"): optimize(hub.open_model(tmp_path / "old.pdmodel").program(), EXPORT)}, "json")
    for path in ("old.pdmodel", "new.json"):
        check(predicted(tmp_path / path, inputs), expected, folder / name)


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.norm = nn.BatchNorm1D(2)
        self.register_buffer("count", paddle.zeros([1]))

    @paddle.jit.to_static(input_spec=[InputSpec([None, 3], "float32", "x")])
    def forward(self, x):
        self.count += 1
        return self.norm(self.fc(x)) * self.count

    @paddle.jit.to_static(input_spec=[InputSpec([None, 3], "float32", "x")])
    def twice(self, x):
        return self.fc(x) * 2


@pytest.fixture
def saved(tmp_path):
    paddle.seed(0)
    net = Net()
    paddle.jit.save(net, str(tmp_path / "net"), format="json")
    return net, str(tmp_path / "net")


def test_names_state_and_methods(saved):
    net, prefix = saved
    assert sorted(os.path.basename(path) for path in os.listdir(os.path.dirname(prefix))) == [
        "net.json", "net.pdiparams", "net.pdiparams.info", "net.twice.json", "net.twice.pdiparams", "net.twice.pdiparams.info",
    ]  # fmt: skip
    loaded = paddle.jit.load(prefix)
    assert sorted(loaded.state_dict()) == sorted(net.state_dict())
    x = paddle.to_tensor(np.float32([[1, 2, 3]]))
    net.eval()
    for _ in range(2):
        np.testing.assert_allclose(loaded(x), net(x), rtol=1e-6)
    np.testing.assert_allclose(loaded.twice(x), net.twice(x), rtol=1e-6)
    loaded.train()
    loaded(paddle.to_tensor(np.float32([[1, 2, 3], [4, 5, 6]]))).sum().backward()
    assert loaded.fc.weight.grad is not None


def test_the_same_program_gives_the_same_bytes(saved):
    _, prefix = saved
    program = hub.open_model(prefix + ".json").program
    for name in ("a", "b"):
        hub.write_models({f"{prefix}_{name}": program()}, "json")
    with open(prefix + "_a.json", "rb") as a, open(prefix + "_b.json", "rb") as b:
        assert a.read() == b.read()


def test_a_model_of_another_format_with_the_same_parameters_goes(saved):
    net, prefix = saved
    paddle.jit.save(net, prefix)
    assert not os.path.exists(prefix + ".json")
    assert not os.path.exists(prefix + ".twice.json")
    paddle.jit.save(net, prefix, format="json")
    assert not os.path.exists(prefix + ".pdmodel")


def test_two_models_of_one_prefix(saved, tmp_path):
    net, prefix = saved
    paddle.jit.save(net, str(tmp_path / "other" / "net"))
    os.replace(tmp_path / "other" / "net.pdmodel", prefix + ".pdmodel")
    with pytest.warns(UserWarning, match=r"net.pdmodel and .*net.json are models of one prefix: .*net.pdmodel is taken"):
        paddle.jit.load(prefix)
    assert paddle.jit.load(prefix + ".json").fc.weight.shape == [3, 2]


def collected(x, n):
    items, total = [], paddle.zeros([1])
    for i in range(n):
        if x.sum() > i:
            items.append(x * i)
            total = total + 1
        else:
            total = total - 1
    items[0] = items[0] + 1
    last = items.pop()
    return paddle.stack(items), last, total, paddle.to_tensor(len(items))


def test_branches_loops_and_lists(tmp_path):
    specs = [InputSpec([None], "float32", "x"), InputSpec([], "int64", "n")]
    paddle.jit.save(collected, str(tmp_path / "f"), specs, format="json")
    loaded = paddle.jit.load(str(tmp_path / "f"))
    for x, n in ((np.float32([3, 4]), 4), (np.float32([1, 0.5]), 3)):
        for got, expected in zip(loaded(x, np.int64(n)), collected(paddle.to_tensor(x), paddle.to_tensor(n)), strict=True):
            np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 2**62 + 1, 3, True, 0.1])
def test_constants(tmp_path, value):
    dtype = "float32" if isinstance(value, float) else "bool" if value is True else "int64"

    def f(x):
        return paddle.full([2], value, dtype), paddle.full([], value, dtype), x

    paddle.jit.save(f, str(tmp_path / "f"), [InputSpec([1], "float32", "x")], format="json")
    text = (tmp_path / "f.json").read_text()
    assert "VD" not in text  # PaddlePaddle 3.3 does not read what it writes there
    assert json.loads(text)["base_code"] == {"magic": "pir", "trainable": True, "version": 1}
    pair, one, _ = paddle.jit.load(str(tmp_path / "f"))(np.zeros(1, "float32"))
    np.testing.assert_array_equal(pair, np.full(2, value, dtype))
    np.testing.assert_array_equal(one, np.array(value, dtype))


def attributes_of(path):
    """Types and values of attributes by operation and name, in all blocks."""
    parts = [json.loads(path.read_text())["program"]]
    attributes = {}
    for part in parts:
        for op in (op for region in part.get("regions", ()) for block in region["blocks"] for op in block["ops"]):
            parts.append(op)
            if op["#"] != "p":
                attributes.update({(op["#"], entry["N"]): entry["AT"] for entry in op["A"]})
    return attributes


def test_files_have_the_oldest_version_that_holds_them(tmp_path):
    """PaddlePaddle 3.0 reads them: its attributes have the types of that time, in branches too."""

    def f(x):
        if x.sum() > 0:
            x = F.max_pool2d(F.leaky_relu(x, 0.1), 2)
        else:
            x = F.pad(x[:, :, :2, :2], [1, 0, 0, 1], value=0.1)[:, :, :2, :2]
        return F.interpolate(x, scale_factor=1.5)

    paddle.jit.save(f, str(tmp_path / "f"), [InputSpec([1, 2, 4, 4], "float32", "x")], format="json")
    attributes = attributes_of(tmp_path / "f.json")
    assert json.loads((tmp_path / "f.json").read_text())["base_code"]["version"] == 1
    assert [item["#"] for item in attributes["1.pool2d", "strides"]["D"]] == ["0.a_i32"] * 2
    assert attributes["1.leaky_relu", "negative_slope"] == {"#": "0.a_f32", "D": float(np.float32(0.1))}
    assert attributes["1.pad3d", "pad_value"]["#"] == "0.a_f32"
    assert {item["#"] for item in attributes["1.nearest_interp", "scale"]["D"]} == {"0.a_f32"}
    x = np.arange(32, dtype="float32").reshape(1, 2, 4, 4)
    for array in (x, -x):
        np.testing.assert_array_equal(paddle.jit.load(str(tmp_path / "f"))(array), f(paddle.to_tensor(array)))


def test_a_scale_that_is_no_float32_keeps_the_newest_version(tmp_path):
    """PaddlePaddle 3.3 multiplies sizes by a double: 10 times the float32 next to 0.9 are 8 rows."""

    def f(x):
        return F.interpolate(x, scale_factor=0.9)

    paddle.jit.save(f, str(tmp_path / "f"), [InputSpec([1, 1, 10, 10], "float32", "x")], format="json")
    assert json.loads((tmp_path / "f.json").read_text())["base_code"]["version"] == 4
    assert attributes_of(tmp_path / "f.json")["1.nearest_interp", "scale"]["D"][0] == {"#": "0.a_f64", "D": 0.9}


def test_what_has_no_form_is_refused(tmp_path):
    def f(x):
        return paddle.to_tensor(sorted([float(v) for v in x])[0])

    with pytest.raises((FormatError, paddle.core.errors.ToStaticError)):
        paddle.jit.save(f, str(tmp_path / "f"), [InputSpec([None], "float32", "x")], format="json")
    assert not os.listdir(tmp_path)


def swapped(x):
    kept, count, again = x, paddle.zeros([1], "int64"), paddle.zeros([1], "int64")
    while count < 3:
        inner, turned = x, kept
        while again < count:
            inner, turned, again = turned + 1, inner, again + 1
        kept, count = kept + inner, count + 1
    return kept, x, kept, count


class Weighed(nn.Layer):
    def __init__(self):
        super().__init__()
        self.weight = self.create_parameter([1, 2])

    def forward(self, x):
        total, i = self.weight, paddle.zeros([1], "int64")
        while i < x.shape[0]:
            total, i = total + x[i], i + 1
        return total


def items(x):
    rows = []
    for i in range(x.shape[0]):
        rows.append(x[i])
        rows.append(x[i] * 2)
    rows[0] = rows[0] + rows[1]
    first = rows[0]
    rows[0] = first * 2
    return rows.pop(), rows.pop(0), first, paddle.stack(rows)


def operations(block, path=()):
    """Each operation with the numbers of the operations that it stands in."""
    for i, operation in enumerate(block["ops"]):
        yield path, operation
        for region in operation.get("regions", []):
            yield from operations(region["blocks"][0], (*path, i))


def document(folder, model):
    paddle.jit.save(paddle.jit.to_static(model), str(folder / "f"), [InputSpec([None, 2], "float32", "x")], format="json")
    content = json.loads((folder / "f.json").read_text())
    return list(operations(content["program"]["regions"][0]["blocks"][0]))


@pytest.mark.parametrize("model", [swapped, Weighed, items])
def test_a_loop_carries_what_nothing_else_reads(tmp_path, model):
    """PaddlePaddle 3.3 moves the memory of what a loop begins with into the loop."""
    written = document(tmp_path, model() if isinstance(model, type) else model)
    loops = [(i, path, operation) for i, (path, operation) in enumerate(written) if operation["#"] == "1.while"]
    assert loops
    for i, path, loop in loops:
        in_or_after_loop = [operand["%"] for _, operation in written[i + 1 :] for operand in operation.get("I", [])]
        made_beside = [
            result["%"] for place, operation in written[:i] if place == path and operation["#"] not in ("p", "1.data")
            for result in operation["O"]
        ]  # fmt: skip
        for operand in loop["I"][1:]:
            assert operand["%"] not in in_or_after_loop
            assert operand["%"] < 0 or operand["%"] in made_beside


def test_a_changed_list_has_a_new_number(tmp_path):
    """PaddlePaddle's engine computes equal operations once, also if a list changes between them."""
    written = document(tmp_path, items)
    for kind in ("1.array_length", "1.array_read", "1.array_write_"):
        lists = [(path, operation["I"][0]["%"]) for path, operation in written if operation["#"] == kind]
        assert lists
        if kind == "1.array_write_":
            assert len(set(lists)) == len(lists)
    changed = [(i, operation) for i, (_, operation) in enumerate(written) if operation["#"] == "1.array_write_"]
    for i, write in changed:
        after = [operand["%"] for _, operation in written[i + 1 :] for operand in operation["I"]]
        assert write["I"][0]["%"] not in after
        assert write["O"][0]["%"] in after


def test_an_output_that_comes_twice_is_copied(tmp_path):
    """PaddlePaddle's engine finds one output only of those that are equal."""
    written = document(tmp_path, swapped)
    fetched = [operation["I"][0]["%"] for _, operation in written if operation["#"] == "1.fetch"]
    assert len(fetched) == len(set(fetched)) == 4


def test_a_0_d_operand_is_written_as_it_is(tmp_path):
    written = document(tmp_path, lambda x: x.sum(1) + x[0, 1])
    assert not [operation for _, operation in written if operation["#"] == "1.unsqueeze"]


def test_forms_that_the_engine_of_paddle_needs(tmp_path):
    """An element gets its shape by `reshape`; a vector is not transposed."""
    written = document(tmp_path, lambda x: (x[0, 1] * 2, paddle.matmul(x, x[0], transpose_y=True)))
    readers = {operand["%"]: operation["#"] for _, operation in written for operand in operation["I"]}
    elements = [operation for _, operation in written if operation["#"] == "1.slice" and operation["O"][0]["TT"]["D"][1] == []]
    assert [readers[operation["O"][0]["%"]] for operation in elements] == ["1.reshape"]
    (matmul,) = [operation for _, operation in written if operation["#"] == "1.matmul"]
    assert [attribute["AT"]["D"] for attribute in matmul["A"]] == [False, False]
    x = np.float32([[1, 2], [3, 4]])
    for result, expected in zip(paddle.jit.load(str(tmp_path / "f"))(x), (4, [5, 11]), strict=True):
        np.testing.assert_array_equal(result, expected)


def test_numbers_are_rounded_as_before(tmp_path):
    """`round` of Paddle 3.1 takes halves to the even number; numbers just below a half and large odd ones are exact, too."""
    x = np.float32([0.5, 1.5, 2.5, 0.49999997, 8388609, 8388607.5, 4194304.5, 1e30, np.inf])
    x = np.concatenate([x, -x, [0, np.nan]]).astype("float32")
    written = document(tmp_path, lambda x: paddle.round(x))
    assert "1.round" not in [operation["#"] for _, operation in written]
    expected = [1, 2, 3, 0, 8388609, 8388608, 4194305, 1e30, np.inf]
    expected = np.float32([*expected, *np.negative(expected), 0, np.nan])
    np.testing.assert_array_equal(paddle.round(paddle.to_tensor(x)), expected)
    np.testing.assert_array_equal(paddle.jit.load(str(tmp_path / "f"))(np.resize(x, [2, 10])), expected.reshape(2, 10))


def test_a_tensor_without_elements_is_filled(tmp_path):
    """PaddlePaddle 2.6.2 refuses to expand a number to a shape with a 0, and reads this Program as `.pdmodel`."""
    names_written = [operation["#"] for _, operation in document(tmp_path, lambda x: paddle.zeros([x.shape[0], 0, 8]))]
    assert "1.full_with_tensor" in names_written
    program = hub.open_model(tmp_path / "f.json").program()
    assert "expand" not in str(program)
    assert paddle.jit.load(str(tmp_path / "f"))(np.ones([3, 2], "float32")).shape == [3, 0, 8]
