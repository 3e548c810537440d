"""append_backward and gradients as functions."""

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import AutogradError, ModeError, ShapeError


@pytest.fixture
def static():
    program = paddle.static.Program()
    paddle.enable_static()
    try:
        with paddle.static.program_guard(program):
            yield paddle.static
    finally:
        paddle.disable_static()


def leaf(static, name="x", shape=(3,)):
    x = static.data(name, list(shape))
    x.stop_gradient = False
    return x


def value(static, tensors, **feeds):
    return static.Executor().run(feed={k: np.asarray(v, "float32") for k, v in feeds.items()}, fetch_list=tensors)


def test_gradients(static):
    x, y = leaf(static), leaf(static, "y")
    gx, gy = static.gradients([x * y, x], [x, y])
    assert gx.name == "x@GRAD" and gy.name == "y@GRAD"
    got = value(static, [gx, "y@GRAD"], x=[1, 2, 3], y=[4, 5, 6])
    np.testing.assert_array_equal(got, [[5, 6, 7], [1, 2, 3]])


def test_weights(static):
    x = leaf(static)
    w = static.data("w", [3])
    [g] = static.gradients([x * 2.0, x * x], x, [w, None])
    assert value(static, [g], x=[1, 2, 3], w=[10, 20, 30])[0].tolist() == [22, 44, 66]
    with pytest.raises(ShapeError, match="must have the spec of its target"):
        static.gradients(x * 2.0, x, static.data("v", [2]))
    with pytest.raises(ShapeError, match="expected one of target_gradients for each of 1 targets, got 2"):
        static.gradients(x * 2.0, x, [w, w])


def test_the_same_target_twice(static):
    x = leaf(static)
    y = x * x
    [g] = static.gradients([y, y], x)
    assert value(static, [g], x=[1, 2, 3])[0].tolist() == [4, 8, 12]


def test_a_target_may_be_an_input(static):
    x = leaf(static)
    y = x * 3.0
    gx, gy = static.gradients(y * y, [x, y])
    got = value(static, [gx, gy], x=[1, 2, 3])
    assert got[0].tolist() == [18, 36, 54] and got[1].tolist() == [6, 12, 18]
    [one] = static.gradients(x, x)
    assert value(static, [one], x=[1, 2, 3])[0].tolist() == [1, 1, 1]


def test_what_has_no_gradient_is_none(static):
    x, z = leaf(static), static.data("z", [3])
    other = leaf(static, "other")
    assert static.gradients(x * z, [z, other, x])[:2] == [None, None]
    assert static.gradients(x.detach() * 2.0, x) == [None]
    assert static.gradients(x.argmax(), x) == [None]


def test_no_grad_set(static):
    x = leaf(static)
    y = x * 2.0
    y.name = "y"
    [g] = static.gradients(y * x, x, no_grad_set={y})
    assert value(static, [g], x=[1, 2, 3])[0].tolist() == [2, 4, 6]
    assert static.gradients(y, x, no_grad_set=["x"]) == [None]
    with pytest.raises(AutogradError, match="no value of the Program is called 'nothing'"):
        static.gradients(y, x, no_grad_set="nothing")


def test_third_order(static):
    x = leaf(static)
    y = x * x * x * x
    for _ in range(3):
        [y] = static.gradients(y, x)
    assert value(static, [y], x=[1, 2, 3])[0].tolist() == [24, 48, 72]


def test_backward_ops_point_at_the_line_they_differentiate(static):
    x = leaf(static)
    y = x * x
    where = static.default_main_program().global_block().ops[-1].site
    static.gradients(y, x)
    last = static.default_main_program().global_block().ops[-1]
    assert last.site == where and where.file == __file__


def test_append_backward(static):
    x = static.data("x", [None, 3])
    y = static.nn.fc(x, 2)
    unused = paddle.create_parameter([2], "float32")
    main = static.default_main_program()
    main.builder.capture(unused)
    seen = []
    loss = (y * y).mean()
    pairs = static.append_backward(loss, callbacks=[lambda block, context: seen.append(context["op"].name)])
    weight, bias = main.all_parameters()[:2]
    assert [p for p, _ in pairs] == [weight, bias] and pairs[0][1].name == f"{weight.name}@GRAD"
    assert seen[-1] == "matmul" and len(seen) >= 4
    data = np.ones((4, 3), "float32")
    got = value(static, [g for _, g in pairs], x=data)
    paddle.disable_static()
    (paddle.nn.functional.linear(paddle.to_tensor(data), weight, bias) ** 2).mean().backward()
    np.testing.assert_allclose(got[0], weight.grad.numpy(), rtol=1e-5)
    np.testing.assert_allclose(got[1], bias.grad.numpy(), rtol=1e-5)


def test_append_backward_for_some_parameters(static):
    x = static.data("x", [1, 3])
    loss = static.nn.fc(x, 1).sum()
    weight, bias = static.default_main_program().all_parameters()
    assert [p for p, _ in static.append_backward(loss, parameter_list=[bias.name])] == [bias]
    assert [p for p, _ in static.append_backward(loss, no_grad_set={bias})] == [weight]
    bias.stop_gradient = True


def test_frozen_parameters_are_left_out(static):
    x = static.data("x", [1, 3])
    loss = static.nn.fc(x, 1, bias_attr=paddle.ParamAttr(trainable=False)).sum()
    assert [p.shape for p, _ in static.append_backward(loss)] == [[3, 1]]


def test_wrong_losses(static):
    x = leaf(static)
    with pytest.raises(ShapeError, match="must have one element"):
        static.append_backward(x * 2.0)
    with pytest.raises(AutogradError, match="depends on nothing that takes a gradient"):
        static.append_backward(static.data("z", [1]) * 2.0)
    with pytest.raises(AutogradError, match="checkpoints"):
        static.append_backward(x.sum(), checkpoints=[x])


def test_dynamic_mode_has_no_program():
    x = paddle.to_tensor([1.0], stop_gradient=False)
    with pytest.raises(ModeError, match=r"use backward\(\) or grad\(\)"):
        paddle.static.gradients(x * x, x)
    with pytest.raises(ModeError, match=r"use backward\(\) or grad\(\)"):
        paddle.static.append_backward(x * x)


def test_an_operator_without_gradient_says_so(static):
    from to_static.compiler.ir.registry import get

    x = leaf(static)
    opdef = get("tanh")
    y = paddle.tanh(x)
    rule, opdef.grad_rule = opdef.grad_rule, None
    try:
        with pytest.raises(AutogradError, match="'tanh' has no gradient"):
            static.gradients(y, x)
    finally:
        opdef.grad_rule = rule


def test_grad_inside_a_static_function():
    @paddle.jit.to_static
    def f(x):
        y = x * x * x
        (g,) = paddle.grad(y, x)
        return g * 2

    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    assert f(x).tolist() == [6, 24]


def test_unused_inputs_of_grad_inside_a_static_function():
    @paddle.jit.to_static
    def f(x, z):
        (g,) = paddle.grad(x * 2, z)
        return g

    x = paddle.to_tensor([1.0], stop_gradient=False)
    with pytest.raises(AutogradError, match="allow_unused"):
        f(x, paddle.to_tensor([1.0], stop_gradient=False))


def test_gradients_of_a_penalty_train():
    """Double backward through a static function: the gradient's norm is part of the loss."""

    @paddle.jit.to_static
    def f(x):
        (g,) = paddle.grad((x**3).sum(), x, create_graph=True)
        return (g * g).sum()

    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    f(x).backward()
    np.testing.assert_allclose(x.grad.numpy(), [36, 288], rtol=1e-5)  # d/dx 9 x**4
