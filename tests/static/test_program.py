"""Programs of the static API: which one is built, copies, looking things up."""

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import ModeError, ProgramError, ShapeError


def test_modes():
    assert paddle.in_dynamic_mode()
    paddle.enable_static()
    try:
        assert not paddle.in_dynamic_mode()
        assert isinstance(paddle.ones([2]), paddle.static.Variable)
    finally:
        paddle.disable_static()
    assert paddle.in_dynamic_mode()
    assert paddle.ones([2]).numpy().tolist() == [1, 1]


def test_modes_can_not_be_switched_in_a_static_function():
    @paddle.jit.to_static
    def f(x):
        paddle.enable_static()
        return x

    with pytest.raises(ModeError, match="no place inside a static function"):
        f(paddle.ones([2]))


def test_data_needs_static_mode():
    with pytest.raises(ModeError, match="call paddle.enable_static"):
        paddle.static.data("x", [2])


def test_programs_are_separate(static):
    a, b = static.Program(), static.Program()
    with static.program_guard(a):
        static.data("x", [2]) + 1.0
        assert static.default_main_program() is a
    with static.program_guard(b):
        static.data("y", [2])
    assert [v.name for v in a.builder.program.feeds] == ["x"] and "add(" in str(a)
    assert [v.name for v in b.builder.program.feeds] == ["y"] and "add(" not in str(b)
    with pytest.raises(ProgramError, match="takes a static.Program"), static.program_guard("a"):
        pass


def test_data(static):
    x = static.data("x", [None, 3], "int64")
    assert x.name == "x" and x.spec.shape == (-1, 3) and x.stop_gradient
    assert static.data("x", [-1, 3], "int64").ssa is x.ssa
    with pytest.raises(ShapeError, match="is already .*; choose another name"):
        static.data("x", [2, 3], "int64")
    assert static.data("z", [1]).dtype is paddle.float32


def test_looking_at_a_program(static):
    x = static.data("x", [None, 4])
    y = static.nn.fc(x, 2)
    main = static.default_main_program()
    weight, bias = main.all_parameters()
    block = main.global_block()
    assert block.var("x").ssa is x.ssa and block.has_var(weight.name) and not block.has_var("other")
    assert [op.type for op in block.ops] == ["matmul_v2", "elementwise_add"] and main.block(0).idx == 0
    assert block.vars[bias.name] is bias and block.all_parameters() == [weight, bias]
    assert any(v is weight for v in main.list_vars()) and y.block is main.builder.program.block
    assert str(main) == main.to_string() == str(block) and f"param %{weight.name}" in str(main)
    assert set(main.state_dict()) == {weight.name, bias.name} and main.state_dict("opt") == {}
    main.set_state_dict({bias.name: np.array([5, 6]), "unknown": np.ones(1)})
    assert bias.numpy().tolist() == [5, 6]
    with pytest.raises(ShapeError, match="has shape"):
        main.set_state_dict({bias.name: np.ones(7)})
    with pytest.raises(ProgramError, match="no value 'nothing'"):
        block.var("nothing")


def test_clone_for_test(static):
    x = static.data("x", [4, 3])
    h = static.nn.batch_norm(x)
    y = paddle.nn.functional.dropout(h, 0.5)
    loss = y.sum()
    main = static.default_main_program()
    test = main.clone(for_test=True)
    static.append_backward(loss)
    exe = static.Executor()
    value = np.random.default_rng(0).normal(3, 2, (4, 3)).astype("float32")
    first = exe.run(test, {"x": value}, [y, loss, h.name])
    np.testing.assert_allclose(first[0], value, rtol=1e-4)  # running mean 0 and variance 1, nothing dropped
    assert first[1].shape == ()
    np.testing.assert_array_equal(first[0], first[2])
    trained = exe.run(main, {"x": value}, [h])[0]
    np.testing.assert_allclose(trained.mean(0), 0, atol=1e-5)
    assert not np.allclose(exe.run(test, {"x": value}, [h])[0], first[0])  # the statistics moved
    assert len(test.builder.program.block.ops) < len(main.builder.program.block.ops)


def test_a_clone_goes_on_alone(static):
    x = static.data("x", [2])
    y = x * 2.0
    copy = static.default_main_program().clone()
    with static.program_guard(copy):
        z = copy.global_block().var("x") + 1.0
    exe = static.Executor()
    assert exe.run(copy, {"x": [1, 2]}, [y, z])[1].tolist() == [2, 3]
    with pytest.raises(ProgramError, match="no value"):
        exe.run(static.default_main_program(), {"x": [1, 2]}, [z])


def test_state_of_a_clone(static):
    count = static.create_global_var([1], 3.0, "float32", persistable=True)
    count.set_value(count + 1.0)
    main = static.default_main_program()
    copy = main.clone()
    exe = static.Executor()
    exe.run(copy)
    exe.run(main)
    assert count.numpy().tolist() == [5]
    with static.program_guard(copy):
        count.set_value(count + 10.0)
    exe.run(copy)
    assert count.numpy().tolist() == [16]


def test_a_guard_leaves_the_mode_to_those_who_change_it():
    paddle.enable_static()
    main, other = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main):
        paddle.disable_static()
        assert float(paddle.ones([1]) + 1) == 2.0
    assert paddle.in_dynamic_mode()
    with paddle.static.program_guard(main):
        paddle.enable_static()
        with paddle.static.program_guard(other):
            paddle.static.data("x", [1])
        paddle.static.data("y", [1])
    paddle.static.data("z", [1])
    places = ((main, "y"), (other, "x"), (main, "z"))
    assert [program.global_block().has_var(name) for program, name in places] == [True, True, False]
    paddle.disable_static()


def _trained(static, late_metric=False):
    main = static.Program()
    with static.program_guard(main):
        x, y = static.data("x", [None, 4]), static.data("y", [None, 1])
        hidden = paddle.nn.functional.dropout(static.nn.fc(x, 8, activation="relu"), 0.5)
        out = static.nn.fc(hidden, 1)
        loss = ((out - y) ** 2).mean()
        forward = [op.type for op in main.global_block().ops]
        paddle.optimizer.Adam(0.1).minimize(loss)
        metric = (out - y).abs().max() if late_metric else None
    return main, forward, out, loss, metric


def test_a_copy_for_tests_after_minimize_has_the_forward_operators_only(static):
    main, forward, out, loss, metric = _trained(static, late_metric=True)
    copies = [main.clone(for_test=True), main.clone().clone(for_test=True)]
    for test in copies:
        types = [op.type for op in test.global_block().ops]
        assert types[: len(forward)] == forward
        assert types[len(forward) :] == ["elementwise_sub", "abs", "reduce_max"]  # what came after, from forward values
        feed = {"x": np.ones([3, 4], "float32"), "y": np.ones([3, 1], "float32")}
        first, second = (static.Executor().run(test, feed=feed, fetch_list=[out, loss, metric]) for _ in range(2))
        assert [a.tobytes() for a in first] == [b.tobytes() for b in second]  # nothing learns
        assert test.desc.serialize_to_string()


def test_a_program_that_trains_has_no_form_in_files(static, tmp_path):
    main, forward, *_ = _trained(static)
    for program in (main, main.clone()):
        with pytest.raises(ProgramError, match=r"clone\(for_test=True\)"):
            program.desc.serialize_to_string()
    with pytest.raises(ProgramError, match="trains"):
        paddle.save(main, str(tmp_path / "main.pdmodel"))
    assert not list(tmp_path.iterdir())
    data = main.clone(for_test=True).desc.serialize_to_string()
    again = static.Program.parse_from_string(data)
    assert [op.type for op in again.global_block().ops] == forward
