"""Static Programs in files."""

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import FormatError, ProgramError, ShapeError


def net(static):
    x = static.data("x", [None, 4])
    label = static.data("label", [None, 1], "int64")
    h = paddle.nn.functional.dropout(static.nn.fc(x, 8, activation="relu"), 0.5)
    y = static.nn.fc(h, 3)
    loss = paddle.nn.functional.cross_entropy(y, label)
    static.append_backward(loss)
    return x, label, y


def test_inference_model(static, tmp_path):
    x, _, y = net(static)
    exe = static.Executor()
    main = static.default_main_program()
    value = np.random.default_rng(0).normal(size=(2, 4)).astype("float32")
    want = exe.run(main.clone(for_test=True), {"x": value}, [y])[0]
    static.save_inference_model(str(tmp_path / "sub" / "model"), [x], [y], exe)
    assert sorted(p.name for p in (tmp_path / "sub").iterdir()) == ["model.pdiparams", "model.pdmodel"]
    program, feeds, fetches = static.load_inference_model(str(tmp_path / "sub" / "model"), exe)
    assert feeds == ["x"] and len(fetches) == 1
    np.testing.assert_array_equal(exe.run(program, {feeds[0]: value}, fetches)[0], want)
    assert "is_test=True" in str(program) and "cross_entropy" not in str(program)
    with static.program_guard(program):
        doubled = fetches[0] * 2.0
    np.testing.assert_array_equal(exe.run(program, {"x": value}, [doubled])[0], want * 2)


def test_model_in_a_folder(static, tmp_path):
    x = static.data("x", [2])
    static.save_inference_model(str(tmp_path / "m"), x, x * 2.0)
    (tmp_path / "m.pdmodel").rename(tmp_path / "__model__")
    program, feeds, fetches = static.load_inference_model(str(tmp_path), None, model_filename="__model__")
    assert static.Executor().run(program, {feeds[0]: [1, 2]}, fetches)[0].tolist() == [2, 4]


def test_normalize_program(static):
    x, _, y = net(static)
    main = static.default_main_program()
    normal = static.normalize_program(main, [x], [y])
    assert [v.name for v in normal.builder.program.feeds] == ["x"]
    with pytest.raises(ProgramError, match=r"need the inputs \['x'\]"):
        static.normalize_program(main, [], [y])
    with pytest.raises(ProgramError, match="which is no input"):
        static.normalize_program(main, [y], [y])
    with pytest.raises(ProgramError, match="must not be empty"):
        static.normalize_program(main, [x], [])


def test_a_gradient_can_be_saved(static, tmp_path):
    x = static.data("x", [3])
    x.stop_gradient = False
    y = x * x * x + 2.0
    [g] = static.gradients(y, x)
    static.save_inference_model(str(tmp_path / "g"), [x], [y, g])
    program, _, fetches = static.load_inference_model(str(tmp_path / "g"))
    got = static.Executor().run(program, {"x": [1, 2, 3]}, fetches)
    np.testing.assert_allclose(got[1], [3, 12, 27], rtol=1e-6)


def test_save_and_load_state(static, tmp_path):
    net(static)
    main = static.default_main_program()
    count = static.create_global_var([1], 7, "float32", name="count")
    count.set_value(count + 0.0)
    weight = main.all_parameters()[0]
    saved = weight.numpy()
    static.save(main, str(tmp_path / "state"))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["state.pdopt", "state.pdparams"]
    main.set_state_dict({weight.name: saved * 0, "count": np.zeros(1)})
    static.load(main, str(tmp_path / "state"))
    np.testing.assert_array_equal(weight.numpy(), saved)
    assert count.numpy().tolist() == [7]
    other = static.Program()
    with static.program_guard(other):
        static.nn.fc(static.data("x", [None, 4]), 2)
    with pytest.raises(ProgramError, match="has no value for"):
        static.load(other, str(tmp_path / "state"))
    with pytest.raises(FileNotFoundError):
        static.load(main, str(tmp_path / "nothing"))
    with pytest.raises(ValueError, match="separator"):
        static.save(main, str(tmp_path) + "/")


def test_state_must_fit(static):
    net(static)
    main = static.default_main_program()
    name = main.all_parameters()[0].name
    with pytest.raises(ShapeError, match="has shape"):
        main.set_state_dict({name: np.zeros(1)})


def test_programs_and_parameters_as_bytes(static, tmp_path):
    x = static.data("x", [None, 3])
    y = static.nn.fc(x, 2, activation="relu")
    executor, feed = static.Executor(), {"x": np.ones((1, 3), "float32")}
    [expected] = executor.run(feed=feed, fetch_list=[y])
    program, values = static.serialize_program([x], [y]), static.serialize_persistables([x], [y], executor)
    static.save_inference_model(str(tmp_path / "net"), [x], [y], executor)
    assert program == (tmp_path / "net.pdmodel").read_bytes() and values == (tmp_path / "net.pdiparams").read_bytes()
    again = static.deserialize_program(program)
    [zeros] = executor.run(again, feed=feed, fetch_list=again.outputs)
    assert not zeros.any()
    static.deserialize_persistables(again, values, executor)
    np.testing.assert_array_equal(executor.run(again, feed=feed, fetch_list=again.outputs)[0], expected)
    with pytest.raises(FormatError):
        static.deserialize_program(b"no program")
    with pytest.raises(FormatError):
        static.deserialize_persistables(again, values[:-3], executor)
    static.save_to_file(tmp_path / "bytes", values)
    assert static.load_from_file(tmp_path / "bytes") == values
    with pytest.raises(TypeError, match="should be bytes"):
        static.save_to_file(tmp_path / "text", "text")


def test_the_state_of_a_program(static, tmp_path):
    x = static.data("x", [None, 3])
    static.nn.fc(x, 2)
    main = static.default_main_program()
    static.save(main, str(tmp_path / "state"))
    state = static.load_program_state(str(tmp_path / "state"))
    weight, bias = main.all_parameters()
    assert set(state) == {weight.name, bias.name} and np.array_equal(state[weight.name], weight.numpy())
    assert list(static.load_program_state(str(tmp_path / "state"), [bias])) == [bias.name]
    with pytest.warns(UserWarning, match="has no other"):
        static.set_program_state(main, {bias.name: np.asarray([3, 4], "float32"), "other": np.ones(1)})
    assert bias.numpy().tolist() == [3, 4]
