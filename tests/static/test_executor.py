"""Running static Programs: feeds, fetches, state, scopes, training."""

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import DTypeError, ModeError, ProgramError, ShapeError


def test_feed_and_fetch(static):
    x = static.data("x", [None, 2])
    y = x * 2.0
    exe = static.Executor(paddle.CPUPlace())
    main = static.default_main_program()
    for rows in (1, 3):
        value = np.ones((rows, 2), "float32")
        [got, same] = exe.run(main, feed={"x": value}, fetch_list=[y, y.name])
        np.testing.assert_array_equal(got, value * 2)
        np.testing.assert_array_equal(got, same)
    [tensor] = exe.run(feed={"x": [[1, 2]]}, fetch_list=y, return_numpy=False)
    assert isinstance(tensor, paddle.base.LoDTensor) and tensor.lod() == [] and tensor.shape() == [1, 2]
    np.testing.assert_array_equal(tensor, [[2, 4]])
    assert exe.run(main, feed={"x": tensor}, fetch_list=[y])[0].tolist() == [[4, 8]]
    assert exe.run(static.default_startup_program()) == []


def test_results_are_not_overwritten(static):
    x = static.data("x", [3])
    y = x + 1.0
    exe = static.Executor()
    first = exe.run(feed={"x": np.zeros(3, "float32")}, fetch_list=[y, x])
    exe.run(feed={"x": np.ones(3, "float32")}, fetch_list=[y, x])
    assert first[0].tolist() == [1, 1, 1] and first[1].tolist() == [0, 0, 0]


def test_operators_added_later_are_seen(static):
    x = static.data("x", [2])
    exe = static.Executor()
    assert exe.run(feed={"x": [1, 2]}, fetch_list=[x])[0].tolist() == [1, 2]
    y = x * 3.0
    assert exe.run(feed={"x": [1, 2]}, fetch_list=[y])[0].tolist() == [3, 6]


@pytest.mark.parametrize(
    "feed, error, message",
    [
        ({}, ProgramError, "feed lacks 'x'"),
        ({"x": np.ones(2)}, DTypeError, "input x must be float32, got float64"),
        ({"x": np.ones(3, "float32")}, ShapeError, r"input x must be f32\[2\], got an array of shape \[3\]"),
        ([1, 2], TypeError, "feed must be a dict"),
    ],
)
def test_wrong_feeds(static, feed, error, message):
    x = static.data("x", [2])
    static.data("label", [1], "int64")
    with pytest.raises(error, match=message):
        static.Executor().run(feed=feed, fetch_list=[x * 2.0])


def test_a_feed_that_the_program_does_not_have_is_told_by_a_warning(static):
    x = static.data("x", [2])
    with pytest.warns(UserWarning, match="no input 'z'; its inputs: 'x'"):
        [found] = static.Executor().run(feed={"x": np.ones(2, "float32"), "z": 1}, fetch_list=[x * 2.0])
    np.testing.assert_array_equal(found, [2, 2])


def test_lists_inside_of_a_fetch_list_count_as_their_items(static):
    x = static.data("x", [2])
    x.stop_gradient = False
    y = x * x
    found = static.Executor().run(
        feed={"x": np.full(2, 3, "float32")}, fetch_list=[y, static.gradients(y, x), None, ("x", [y])]
    )
    assert [list(a) for a in found] == [[9, 9], [6, 6], [3, 3], [9, 9]]


def test_shapes_of_a_program_built_by_hand_are_tuples_of_ints(static):
    x = static.data("x", [None, 3])
    assert x.shape == (-1, 3)
    assert (x + 1).shape == (-1, 3)
    assert type(static.data("y", [2, 3]).shape) is tuple
    flat = paddle.nn.functional.interpolate(static.data("z", [None, 1, 4, None]), scale_factor=2)  # the library knows better
    assert flat.shape == (-1, 1, 8, -1)
    [found] = static.Executor().run(feed={"z": np.ones((2, 1, 4, 3), "float32")}, fetch_list=[flat])
    assert found.shape == (2, 1, 8, 6)


def test_what_is_not_needed_may_be_fed_or_left_out(static):
    x, y = static.data("x", [2]), static.data("y", [2])
    result = static.Executor().run(feed={"x": [1, 2], "y": [3, 4]}, fetch_list=[x * 2.0])
    assert result[0].tolist() == [2, 4]
    assert static.Executor().run(feed={"y": [3, 4]}, fetch_list=[y * 2.0])[0].tolist() == [6, 8]


def test_a_parameter_that_no_operator_reads_can_be_fetched(static):
    layer = paddle.nn.Linear(2, 3)
    [found] = static.Executor().run(fetch_list=[layer.weight])
    assert found.tolist() == layer.weight.tolist()


def test_a_parameter_that_is_fed_keeps_the_value(static):
    x = static.data("x", [1, 2])
    layer = paddle.nn.Linear(2, 1)
    run = static.Executor().run
    [found] = run(feed={"x": np.ones([1, 2], "float32"), layer.weight.name: np.float32([[3], [4]])}, fetch_list=[layer(x)])
    assert found.tolist() == [[7.0]] and layer.weight.tolist() == [[3.0], [4.0]]
    with pytest.raises(ShapeError, match="has shape"):
        run(feed={"x": np.ones([1, 2], "float32"), layer.weight.name: np.ones([3, 1], "float32")}, fetch_list=[x])


def test_unknown_fetches(static):
    x = static.data("x", [2])
    exe = static.Executor()
    with pytest.raises(ProgramError, match="no value 'y'"):
        exe.run(feed={"x": [1, 2]}, fetch_list=["y"])
    inside = []
    static.nn.cond(x.sum() > 0, lambda: inside.append(x * 2.0) or x, lambda: x)
    with pytest.raises(ProgramError, match="inside a branch"):
        exe.run(feed={"x": [1, 2]}, fetch_list=inside)
    with pytest.raises(ProgramError, match=r"takes a static\.Program"):
        exe.run("main")


def test_a_closed_executor_refuses(static):
    exe = static.Executor()
    exe.close()
    with pytest.raises(ModeError, match="closed"):
        exe.run()


def test_state_and_pruning(static):
    x = static.data("x", [1])
    seen = static.create_global_var([1], 0, "float32", persistable=True, name="seen")
    seen.set_value(seen + x)
    exe = static.Executor()
    assert exe.run(feed={"x": [2]}, fetch_list=["seen"])[0].tolist() == [2]
    exe.run(feed={"x": [3]})
    assert seen.numpy().tolist() == [5]
    assert exe.run(feed={"x": [3]}, fetch_list=[x], use_prune=True)[0].tolist() == [3]
    assert seen.numpy().tolist() == [5]


def test_scopes(static):
    x = static.data("x", [None, 2])
    y = static.nn.fc(x, 1, bias_attr=False)
    exe = static.Executor()
    [before] = exe.run(feed={"x": [[1, 1]]}, fetch_list=[y])
    [weight] = static.default_main_program().all_parameters()
    var = static.global_scope().find_var(weight.name)
    np.testing.assert_array_equal(np.array(var.get_tensor()), weight.numpy())
    var.get_tensor().set(weight.numpy() * 2, exe.place)
    np.testing.assert_allclose(exe.run(feed={"x": [[1, 1]]}, fetch_list=[y])[0], before * 2, rtol=1e-6)
    assert static.global_scope().find_var("nothing") is None
    with static.scope_guard(static.Scope()):
        assert static.global_scope().find_var(weight.name) is None


def test_training(static):
    x = static.data("x", [None, 2])
    target = static.data("y", [None, 1])
    loss = ((static.nn.fc(x, 1) - target) ** 2).mean()
    paddle.optimizer.SGD(0.1).minimize(loss)
    exe = static.Executor()
    exe.run(static.default_startup_program())
    rng = np.random.default_rng(0)
    data = rng.normal(size=(64, 2)).astype("float32")
    wanted = data @ np.array([[2.0], [-3.0]], "float32") + 0.5
    losses = [float(exe.run(feed={"x": data, "y": wanted}, fetch_list=[loss])[0]) for _ in range(100)]
    assert losses[-1] < 1e-4 * losses[0]
    weight, bias = static.default_main_program().all_parameters()
    np.testing.assert_allclose(weight.numpy(), [[2], [-3]], atol=0.02)
    np.testing.assert_allclose(bias.numpy(), [0.5], atol=0.02)


def test_a_compiled_program_runs(static):
    x = static.data("x", [2])
    program = static.CompiledProgram(static.default_main_program(), build_strategy=static.BuildStrategy())
    assert static.Executor().run(program, feed={"x": [1, 2]}, fetch_list=[x * 2.0])[0].tolist() == [2, 4]


def test_printing(static, capsys):
    x = static.data("x", [2], "int64")
    y = static.Print(x, message="value {}:") * 2
    assert static.Executor().run(feed={"x": [1, 2]}, fetch_list=[y])[0].tolist() == [2, 4]
    out = capsys.readouterr().out
    assert out.startswith("value {}: x: ") and "1" in out and "2" in out


def test_guards(static):
    with static.device_guard("cpu"), static.name_scope("part"):
        x = static.data("x", [1])
    assert x.name == "x"
    assert [str(p) for p in static.cpu_places(2)] == ["Place(cpu)", "Place(cpu)"]
    assert [str(p) for p in static.cuda_places([0])] == ["Place(gpu:0)"]
    with pytest.raises(ValueError, match="must not be empty"), static.name_scope(""):
        pass


def test_numbers_of_a_batch_are_a_column(static):
    x, w = paddle.static.data("x", [None, 1]), paddle.static.data("w", [None, 4])
    executor = paddle.static.Executor()
    [found] = executor.run(feed={"x": np.arange(3, dtype="float32")}, fetch_list=[x * 2])
    assert found.tolist() == [[0], [2], [4]]
    with pytest.raises(ShapeError, match="input w must be"):
        executor.run(feed={"w": np.ones(8, "float32")}, fetch_list=[w * 2])
