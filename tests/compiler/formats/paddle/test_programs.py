"""`.pdmodel` files: what real Paddle recorded is read with its numbers, what we write is read back, damage is reported."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import to_static as paddle
from to_static.compiler.formats.paddle import model_reader, model_writer
from to_static.compiler.formats.paddle.messages import schema
from to_static.compiler.formats.paddle.operators.op_reader import OpReader
from to_static.compiler.formats.paddle.programs import program_reader
from to_static.compiler.formats.paddle.programs.program_writer import write_program
from to_static.compiler.formats.paddle.weights.params_reader import read_params
from to_static.compiler.formats.paddle.weights.params_writer import write_params
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.program import Stored
from to_static.compiler.ir.registry import FUNCTIONS as F
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.var_kinds import BUFFER
from to_static.compiler.runtime.interpret import interpret
from to_static.core import backend
from to_static.core.dtypes import as_dtype, bool_, float32, int64
from to_static.core.errors import FormatError

GOLDEN = Path(__file__).parents[3] / "golden" / "paddle"
MODELS = sorted(p.stem for p in GOLDEN.glob("*.pdmodel"))


def run(program, arrays):
    return interpret(program, list(arrays), backend.current(), update_state=False)


def calls(name):
    """Recorded calls of a model: lists of inputs and outputs."""
    z = np.load(GOLDEN / f"{name}.npz")
    for prefix in ("", "call1_", "call2_"):
        counts = {kind: sum(k.startswith(f"{prefix}{kind}_") for k in z.files) for kind in ("in", "out")}
        if counts["in"]:
            yield tuple([z[f"{prefix}{kind}_{i}"] for i in range(n)] for kind, n in counts.items())


def check(found, expected):
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", MODELS)
def test_every_recorded_program_encodes_to_the_same_bytes(name):
    data = (GOLDEN / f"{name}.pdmodel").read_bytes()
    assert schema.messages()["ProgramDesc"].FromString(data).SerializeToString() == data


@pytest.mark.parametrize("name", MODELS)
def test_recorded_models_give_paddles_numbers(name):
    program = model_reader.read_model(GOLDEN / f"{name}.pdmodel")
    for arrays, expected in calls(name):
        check(run(program, arrays), expected)


@pytest.mark.parametrize("name", MODELS)
def test_models_written_again_give_the_same_numbers_and_bytes(tmp_path, name):
    program = model_reader.read_model(GOLDEN / f"{name}.pdmodel")
    model_writer.write_model(tmp_path / "m", program)
    data = (tmp_path / "m.pdmodel").read_bytes()
    again = model_reader.read_model(tmp_path / "m.pdmodel")
    assert [v.name for v in again.feeds] == [v.name for v in program.feeds]
    assert [v.name for v in again.params] == [v.name for v in program.params]
    for arrays, expected in calls(name):
        check(run(again, arrays), expected)
    model_writer.write_model(tmp_path / "m", program)
    assert (tmp_path / "m.pdmodel").read_bytes() == data


def test_parameters_keep_what_the_layer_calls_them():
    program = model_reader.read_model(GOLDEN / "batchnorm.pdmodel")
    by_name = {p.name: p for p in program.params}
    assert by_name["conv2d_0.w_0"].holder.structured_name == "conv.weight"
    assert by_name["conv2d_0.w_0"].kind == "param" and by_name["batch_norm2d_0.w_1"].kind == "buffer"
    assert program.output_names == ["save_infer_model/scale_0.tmp_0"]


def test_state_is_written_back(tmp_path):
    program = model_reader.read_model(GOLDEN / "counter.pdmodel")
    x = np.ones(2, "float32")
    for expected in (1, 2, 3):
        check(interpret(program, [x], backend.current()), [x * expected])
    model_writer.write_model(tmp_path / "m", program)
    check(interpret(model_reader.read_model(tmp_path / "m.pdmodel"), [x], backend.current()), [x * 4])


# Programs of our own -------------------------------------------------------------------------------------------------


def build(function, *arrays):
    """The Program of a function of tensors, its inputs named a, b, ..."""
    builder = Builder()
    with mode.use(builder):
        feeds = [builder.feed(TensorSpec(a.shape, as_dtype(a.dtype)), "abcdef"[i]) for i, a in enumerate(arrays)]
        result = function(builder, *feeds)
    return builder.finish(list(result) if isinstance(result, (tuple, list)) else [result])


def swap(b, x, y):
    i = F["full"]([], 0, int64)
    out = b.while_loop(lambda i, x, y: i < 3, lambda i, x, y: [i + 1, y, x + y], [i, x, y])
    return out[1:]


def rotate(b, x, y):  # pure exchange of carried values, and one that never changes
    i = F["full"]([], 0, int64)
    out = b.while_loop(lambda i, x, y, z: i < 1, lambda i, x, y, z: [i + 1, y, x, z], [i, x, y, x])
    return out[1:]


def nested(b, x, y):
    def body(i, s):
        inner = b.while_loop(lambda j, s: j < i, lambda j, s: [j + 1, s + x], [F["full"]([], 0, int64), s])
        (t,) = b.cond(i > 1, lambda: [inner[1] * 2], lambda: b.cond(i > 0, lambda: [inner[1]], lambda: [y]))
        return [i + 1, t]

    return b.while_loop(lambda i, s: i < 4, body, [F["full"]([], 0, int64), y])[1]


def list_in_loop(b, x, y):
    items = F["list_new"]([x])
    i = F["full"]([], 0, int64)
    grow = lambda i, items: [i + 1, F["list_append"](items, y * i.astype("float32"))]
    out = b.while_loop(lambda i, items: i < 3, grow, [i, items])
    items = out[1]
    changed = F["list_set"](items, F["constant"](np.asarray(-1)), x * 10)
    return (
        F["list_stack"](items), F["list_concat"](changed), F["list_get"](items, out[0]), F["list_len"](changed),
        F["list_get"](changed, F["constant"](np.asarray(-2))),
    )  # fmt: skip


def list_pop(b, x, y):
    items = F["list_new"]([x, y, x * 2])
    rest, last = F["list_pop"](items, F["constant"](np.asarray(-1)))
    rest, middle = F["list_pop"](rest, F["constant"](np.asarray(1)))
    return last, middle, F["list_stack"](rest), F["list_len"](items)


def list_in_branch(b, x, y):
    items = F["list_new"]([x, y])
    grown = b.cond(x.sum() > 0, lambda: [F["list_append"](items, x)], lambda: [items])[0]
    return F["list_stack"](grown), F["list_len"](items)


def in_place(b, x, y):
    def true():
        x[0] = 9.0
        return []

    b.cond(y.sum() > 0, true, lambda: [])
    return x


def identity(b, x, y):
    return x, y, x


def constants(b, x, y):
    return (
        x + F["constant"](np.arange(2, dtype="float32")), F["constant"](np.array([[True], [False]])),
        F["constant"](np.array([1e300, -np.inf])), F["constant"](np.array([np.nan] * 2, "float32")),
        F["constant"](np.arange(2000)), F["constant"](np.asarray(2**62)), F["constant"](np.zeros((0, 3), "float32")),
        F["constant"](np.array([1.5, 2.5], "float16")), F["constant"](np.array([1, 2], "uint8")), x * 1e-30 * 0.1,
    )  # fmt: skip


def boolean(b, x, y):
    return x > y, x + y, F["cast"](x, "bool")


CASES = [swap, rotate, nested, list_in_loop, list_pop, list_in_branch, in_place, identity, constants, boolean]
X, Y = np.array([1.0, 2.0], "float32"), np.array([-3.0, 0.5], "float32")


@pytest.mark.parametrize("case", CASES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("arrays", [(X, Y), (Y, X)], ids=["xy", "yx"])
def test_what_we_write_we_read(tmp_path, case, arrays):
    program = build(case, *arrays)
    expected = run(program, arrays)
    model_writer.write_model(tmp_path / "m", program)
    again = model_reader.read_model(tmp_path / "m.pdmodel")
    assert [v.name for v in again.feeds] == ["a", "b"]
    found = run(again, arrays)
    check(found, expected)
    assert write_program(build(case, *arrays), "memory").data() == (tmp_path / "m.pdmodel").read_bytes()


def test_a_loop_whose_body_never_changes_its_condition(tmp_path):
    """Paddle writes `while y: x = 2` so: the loop is not entered, or never left."""
    count = lambda b, x, y: b.while_loop(lambda s: s.sum() > 0, lambda s: [s - x], [y])[0]
    desc = schema.messages()["ProgramDesc"].FromString(write_program(build(count, X, Y), "memory").data())
    loop = next(op for op in desc.blocks[0].ops if op.type == "while")
    (condition,) = next(v.arguments for v in loop.inputs if v.parameter == "Condition")
    body = desc.blocks[next(a.block_idx for a in loop.attrs if a.name == "sub_block")]
    changing = [op for op in body.ops if any(condition in out.arguments for out in op.outputs)]
    assert changing
    for op in changing:
        body.ops.remove(op)
    (tmp_path / "m.pdmodel").write_bytes(desc.SerializeToString())
    check(run(model_reader.read_model(tmp_path / "m.pdmodel"), (X, Y)), [Y])


def test_a_program_without_parameters_has_one_file_and_old_files_go(tmp_path):
    program = build(lambda b, x, y: x + y, X, Y)
    write_params(tmp_path / "m.pdiparams", [X])
    (tmp_path / "m.pdiparams.info").write_bytes(b"old")
    assert model_writer.write_model(tmp_path / "m", program) == [str(tmp_path / "m.pdmodel")]
    assert [p.name for p in tmp_path.iterdir()] == ["m.pdmodel"]


def test_two_states_that_exchange_values(tmp_path):
    builder = Builder()
    with mode.use(builder):
        builder.feed(TensorSpec((), float32), "x")
        p, q = (
            builder.root_value(TensorSpec((1,), float32), BUFFER, Stored(np.full(1, v, "float32"), n), n)
            for v, n in ((1, "p"), (2, "q"))
        )
        old_p, old_q = F["assign"](p), F["assign"](q)
        builder.rebind(p, old_q)
        builder.rebind(q, old_p)
    program = builder.finish([old_p, old_q])
    model_writer.write_model(tmp_path / "m", program)
    again = model_reader.read_model(tmp_path / "m.pdmodel")
    x = np.zeros((), "float32")
    for expected in ([1], [2]), ([2], [1]), ([1], [2]):
        found = interpret(again, [x], backend.current())
        assert [a.tolist() for a in found] == list(expected)


def test_a_folder_with_a_file_for_each_variable(tmp_path):
    desc = program_reader.parse_program((GOLDEN / "mlp.pdmodel").read_bytes(), "m")
    arrays = read_params(GOLDEN / "mlp.pdiparams", list(program_reader.persistable_vars(desc)))
    for name, array in arrays.items():
        write_params(tmp_path / name, [array])
    program = model_reader.read_model(GOLDEN / "mlp.pdmodel", tmp_path)
    for inputs, expected in calls("mlp"):
        check(run(program, inputs), expected)
    (tmp_path / "linear_0.w_0").unlink()
    with pytest.raises(FormatError, match=r"a file for variable 'linear_0\.w_0'"):
        model_reader.read_model(GOLDEN / "mlp.pdmodel", tmp_path)


def test_a_common_model_does_not_load_every_operator_family():
    code = (
        "import sys, numpy as np; from to_static import inference; from to_static.compiler.ir import registry; "
        f"prefix = {str(GOLDEN / 'lenet')!r}; made = inference.Config(prefix + '.pdmodel', prefix + '.pdiparams'); "
        "inference.create_predictor(made).run([np.ones([1, 1, 16, 16], 'float32')]); sys.exit(registry._loader is None)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


# errors --------------------------------------------------------------------------------------------------------------


def test_an_operator_that_is_unknown_is_named_with_the_file(tmp_path):
    written = write_program(build(lambda b, x, y: x + y, X, Y), "memory")
    written.desc.blocks[0].ops[2].type = "frobnicate"
    path = tmp_path / "m.pdmodel"
    path.write_bytes(written.data())
    with pytest.raises(FormatError, match=r"m\.pdmodel.*operators that can be read, found others: 1 frobnicate"):
        model_reader.read_model(path)


def test_an_operator_that_files_do_not_have_is_named_with_its_line():
    def case(b, x, y):
        return F["list_len"](F["list_zeros"](F["list_new"]([x])))

    with pytest.raises(FormatError, match=r"x\.pdmodel.*'list_zeros' at test_programs\.py:\d+.*no such operator"):
        write_program(build(case, X, Y), "x.pdmodel")


@pytest.mark.parametrize(
    "data, message",
    [
        (b"", "empty file"), (b'{"base_code": 1}', "Paddle 3"), (b"\x00\x01\x02", "ProgramDesc"),
        (schema.new("ProgramDesc", version=schema.new("Version", version=2006002)).SerializeToString(), "at least one block"),
    ],
)  # fmt: skip
def test_foreign_files(tmp_path, data, message):
    path = tmp_path / "m.pdmodel"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=message):
        model_reader.read_model(path)


def test_parameters_that_are_missing_or_do_not_fit(tmp_path):
    data = (GOLDEN / "mlp.pdmodel").read_bytes()
    path = tmp_path / "m.pdmodel"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=r"4 parameters in m\.pdiparams.*no such file"):
        model_reader.read_model(path)
    shapes = [(5,), (6, 5), (3,), (5, 4)]
    write_params(tmp_path / "m.pdiparams", [np.zeros(s, "float32") for s in shapes])
    with pytest.raises(FormatError, match=r"'linear_1.w_0' of f32\[5, 3\].*f32\[5, 4\]"):
        model_reader.read_model(path)


def test_loops_inside_loops_without_end_are_refused():
    blocks = []
    for i in range(20):
        attr = schema.new("Attr", name="sub_block", type=schema.ATTR_TYPE["BLOCK"], block_idx=i + 1)
        ops = [schema.new("OpDesc", type="while", attrs=[attr])] if i < 19 else []
        blocks.append(schema.new("BlockDesc", idx=i, parent_idx=i - 1, ops=ops))
    data = schema.new("ProgramDesc", blocks=blocks).SerializeToString()
    with pytest.raises(FormatError, match="loops inside each other"):
        program_reader.parse_program(data, "m")
    twice = schema.new("ProgramDesc", blocks=blocks[:2])
    twice.blocks[1].ClearField("ops")
    twice.blocks[0].ops.append(twice.blocks[0].ops[0])
    with pytest.raises(FormatError, match="block of its own"):
        program_reader.parse_program(twice.SerializeToString(), "m")


def test_a_count_that_asks_for_billions_of_results_is_refused():
    written = write_program(build(lambda b, x, y: F["split"](x, 2), X, Y), "memory")
    split = next(op for op in written.desc.blocks[0].ops if op.type == "split")
    attrs = {a.name: a for a in split.attrs}
    attrs["sections"].ClearField("ints")
    attrs["num"].i = 2**31 - 1
    written.desc.blocks[0].vars[0].type.lod_tensor.tensor.dims[0] = -1
    with pytest.raises(FormatError, match="2147483647 pieces for 2 names"):
        program_reader.read_program(written.desc, "m")


@pytest.mark.parametrize("name", ["mlp", "fn_elif", "fn_return_in_loop", "fn_list_append"])
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_any_damage_gives_a_format_error_or_a_program(name, data):
    changed = bytearray((GOLDEN / f"{name}.pdmodel").read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(changed) - 1))
        if data.draw(st.booleans()):
            changed[at] = data.draw(st.integers(0, 255))
        else:
            del changed[at : at + data.draw(st.integers(1, 12))]
    rng = np.random.default_rng(0)
    try:
        desc = program_reader.parse_program(bytes(changed), "damaged")
        arrays = {}
        for key, var in program_reader.persistable_vars(desc).items():
            spec = program_reader.var_spec(var, "damaged")
            if isinstance(spec, TensorSpec) and 0 <= spec.size < 1000 and spec.dtype is not bool_:
                arrays[key] = rng.random(spec.shape).astype(spec.dtype.np)
        program_reader.read_program(desc, "damaged", arrays)
    except FormatError as error:
        assert "damaged" in str(error)


def test_a_batch_norm_without_weight_and_bias(tmp_path):
    """A file of Paddle's has no slots for what a layer lacks."""
    layer = paddle.nn.BatchNorm2D(3, weight_attr=False, bias_attr=False)
    layer._mean.set_value(np.array([1, 2, 3], "float32"))
    layer.eval()
    paddle.jit.save(layer, str(tmp_path / "net"), [paddle.static.InputSpec([None, 3, 2, 2])])
    path = tmp_path / "net.pdmodel"
    desc = schema.messages()["ProgramDesc"].FromString(path.read_bytes())
    [op] = [op for op in desc.blocks[0].ops if op.type == "batch_norm"]
    kept = [slot for slot in op.inputs if slot.parameter not in ("Scale", "Bias")]
    del op.inputs[:]
    op.inputs.extend(kept)

    path.write_bytes(desc.SerializeToString())
    x = np.random.default_rng(0).normal(size=(2, 3, 2, 2)).astype("float32")
    check(run(model_reader.read_model(path), [x]), [layer(paddle.to_tensor(x)).numpy()])


def test_unpooling_to_a_whole_shape_of_which_the_batch_is_unknown(tmp_path):
    def there_and_back(x):
        pooled, mask = paddle.nn.functional.max_pool2d(x, 2, return_mask=True)
        return paddle.nn.functional.max_unpool2d(pooled, mask, 2, output_size=x.shape)

    static = paddle.jit.to_static(there_and_back)
    paddle.jit.save(static, str(tmp_path / "net"), [paddle.static.InputSpec([None, 2, 5, 5], "float32")])
    x = np.random.default_rng(0).normal(size=(3, 2, 5, 5)).astype("float32")
    check(run(model_reader.read_model(tmp_path / "net.pdmodel"), [x]), [there_and_back(paddle.to_tensor(x)).numpy()])


def test_numbers_of_an_attribute_that_names_constants():
    """As Paddle writes the sizes of `unpool` where code gives tensors."""
    reader = object.__new__(OpReader)
    reader.attrs, reader.scope = {"output_size": ["a", 7]}, SimpleNamespace(read=lambda name: name)
    reader.const = {"a": np.array([5])}.get
    assert reader.constant_integers("output_size") == [5, 7] and reader.constant_integers("others") == []
    reader.attrs["output_size"][0], reader.type, reader.reader = "b", "unpool", SimpleNamespace(path="file")
    with pytest.raises(FormatError, match="of which 'b' is no number that is known"):
        reader.constant_integers("output_size")
