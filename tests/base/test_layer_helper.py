"""Operators called by their types through `LayerHelper`, ``layer._helper`` and blocks, in all modes."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle
from to_static.base import LayerHelper
from to_static.core.errors import DTypeError, ProgramError


@paddle.jit.not_to_static
def both(x, y, act=None, bias_attr=False):
    """``x + y`` in one row, with a bias and an activation, as functions of Paddle's are written."""
    helper = LayerHelper("both", input=[x, y], act=act, bias_attr=bias_attr)
    total, flat, shape = (helper.create_variable_for_type_inference(helper.input_dtype()) for _ in range(3))
    helper.append_op(type="elementwise_add", inputs={"X": x, "Y": [y]}, outputs={"Out": [total]}, attrs={"axis": -1})
    helper.append_op(
        type="reshape2", inputs={"X": total}, outputs={"Out": [flat], "XShape": [shape]}, attrs={"shape": (1, -1)}
    )
    return helper.append_activation(helper.append_bias_op(flat))


def test_dynamic_with_gradient():
    x = paddle.to_tensor([[1.0, -2.0], [3.0, -4.0]], stop_gradient=False)
    out = both(x, x, "relu", None)
    assert out.tolist() == [[2.0, 0.0, 6.0, 0.0]]
    out.sum().backward()
    assert x.grad.tolist() == [[2.0, 0.0], [2.0, 0.0]]


def test_traced_and_built_by_hand():
    x = paddle.to_tensor([[1.0, 2.0]])
    assert paddle.jit.to_static(lambda a: both(a, a, "square"))(x).tolist() == [[4.0, 16.0]]
    main = paddle.static.Program()
    paddle.enable_static()
    try:
        with paddle.static.program_guard(main):
            fed = paddle.static.data("fed", [1, 2], "float32")
            made = both(fed, fed)
            block = main.global_block()
            last = block.create_var(name="last", shape=[1, 2], dtype="float32")
            block.append_op(type="scale", inputs={"X": made}, outputs={"Out": last}, attrs={"scale": 2.0})
            [found] = paddle.static.Executor().run(main, {"fed": x.numpy()}, [last])
    finally:
        paddle.disable_static()
    assert found.tolist() == [[4.0, 8.0]]


def test_of_a_layer():
    class Normed(paddle.nn.Layer):
        def forward(self, weight, u, v):
            out = self._helper.create_variable_for_type_inference(weight.dtype)
            attrs = {"dim": 0, "power_iters": 2, "eps": 1e-12}
            inputs = {"Weight": weight, "U": u, "V": v}
            self._helper.append_op(type="spectral_norm", inputs=inputs, outputs={"Out": out}, attrs=attrs, stop_gradient=True)
            return out

    weight = paddle.to_tensor(np.eye(3, dtype="float32") * 4)
    weight.stop_gradient = False
    out = Normed()(weight, paddle.ones([3]), paddle.ones([3]))
    np.testing.assert_allclose(out.numpy(), np.eye(3), 1e-5, 1e-6)
    assert out.stop_gradient


def test_what_does_not_fit():
    x = paddle.ones([2])
    helper = LayerHelper("thing", input=[x, paddle.ones([2], "int64")])
    out = helper.create_variable_for_type_inference("float32")
    with pytest.raises(DTypeError, match="thing: the tensors of input must have one dtype, got float32, int64"):
        helper.input_dtype()
    with pytest.raises(ValueError, match="thing takes one tensor as input, got 2"):
        helper.input()
    with pytest.raises(ProgramError, match="operator 'nothing': this operator is not supported"):
        helper.append_op(type="nothing", inputs={"X": x}, outputs={"Out": out})
    with pytest.raises(ProgramError, match="operator 'relu' has no results 'Mask'; it has Out"):
        helper.append_op(type="relu", inputs={"X": x}, outputs={"Out": out, "Mask": out})
    with pytest.raises(ProgramError, match="operator 'relu' has 1 results 'Out', not 2"):
        helper.append_op(type="relu", inputs={"X": x}, outputs={"Out": [out, out]})


@pytest.mark.parametrize(
    ("act", "values"),
    [
        ("leaky_relu", [-0.04, 1.0]), ("hard_sigmoid", [0.1, 0.7]), ("hard_swish", [-1 / 3, 2 / 3]),
        ("softplus", [0.126928, 1.313262]),
    ],
)
def test_activations_have_the_defaults_of_the_operators(act, values):
    """As PaddlePaddle 2.6.2 has them, which are not those of the functions of these names."""
    x = paddle.to_tensor([[-2.0, 1.0]])
    norm = paddle.nn.BatchNorm(2, act=act, epsilon=0.0)
    norm.eval()
    np.testing.assert_allclose(norm(x).numpy(), [values], 1e-5)
    np.testing.assert_allclose(LayerHelper("thing", act=act).append_activation(x).numpy(), [values], 1e-5)
    with pytest.raises(ValueError, match="unknown activation 'rellu'"):
        paddle.nn.BatchNorm(2, act="rellu")(x)


def test_default_dtype():
    assert LayerHelper("one").get_default_dtype() == paddle.nn.Linear(1, 1)._helper.get_default_dtype() == "float32"
    paddle.set_default_dtype("float64")
    try:
        assert paddle.nn.Linear(1, 1)._helper.get_default_dtype() == "float64"
    finally:
        paddle.set_default_dtype("float32")


def test_values_of_the_main_program():
    main = paddle.static.Program()
    paddle.enable_static()
    try:
        with paddle.static.program_guard(main, paddle.static.Program()):
            helper = LayerHelper("fc", param_attr=paddle.ParamAttr(name="w"))
            x = paddle.static.data("x", [2, 3])
            total, is_new = helper.create_or_get_global_variable("total", shape=[3], dtype="float32")
            helper.set_variable_initializer(total, paddle.nn.initializer.Constant(2.0))
            w = helper.create_parameter(helper.param_attr, [3], "float32")
            y = (x * total * w).sum()
            assert is_new and helper.create_or_get_global_variable("x")[1] is False
            assert helper.get_parameter("w") is w
            found = paddle.static.Executor().run(main, {"x": np.ones((2, 3), "float32")}, [y])
            np.testing.assert_allclose(found[0], 4 * w.numpy().sum(), 1e-5)
            with pytest.raises(ValueError, match="no Parameter name v found"):
                helper.get_parameter("v")
    finally:
        paddle.disable_static()


def test_several_descriptions_of_weights():
    one = LayerHelper("fc", param_attr=paddle.ParamAttr(learning_rate=0.5)).multiple_param_attr(2)
    assert [attr.learning_rate for attr in one] == [0.5, 0.5] and one[0] is not one[1]
    with pytest.raises(ValueError, match="3 weights, and 2 descriptions"):
        LayerHelper("fc", param_attr=[None, None]).multiple_param_attr(3)


def test_a_default_dtype_of_its_own(monkeypatch):
    monkeypatch.setattr(LayerHelper, "_dtype", None)
    LayerHelper.set_default_dtype("float64")
    assert LayerHelper("fc").create_parameter(None, [2]).dtype == paddle.float64
