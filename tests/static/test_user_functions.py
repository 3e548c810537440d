"""Functions of the user's in Programs: `py_func` runs them, `static_pylayer` takes their gradients; and `nce`."""

from __future__ import annotations

import io

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.formats.paddle.messages import schema
from to_static.core.errors import AutogradError, DTypeError, ModeError, ToStaticError
from to_static.static import nn


def _out(static, name, shape, dtype="float32"):
    return static.default_main_program().current_block().create_var(name=name, shape=shape, dtype=dtype)


def test_py_func(static):
    seen = []
    x = static.data("x", [None, 2])
    x.stop_gradient = False
    out = _out(static, "h", [-1, 2])
    y = static.py_func(np.tanh, x, out, lambda y, dy: np.array(dy) * (1 - np.square(np.array(y))), skip_vars_in_backward_input=x)
    assert y is out and y.name == "h"
    static.py_func(lambda v: seen.append(np.array(v)), y, None)
    total = (y * 2).sum()
    [gradient] = static.gradients([total], [x])
    value = np.array([[0.5, -1.0]], "float32")
    found = static.Executor().run(feed={"x": value}, fetch_list=["h", gradient])
    np.testing.assert_allclose(found[0], np.tanh(value), rtol=1e-6)
    np.testing.assert_allclose(found[1], 2 * (1 - np.tanh(value) ** 2), rtol=1e-6)
    np.testing.assert_allclose(seen, [np.tanh(value)], rtol=1e-6)


def test_py_func_of_several(static, tmp_path):
    x, y = static.data("x", [2], "int32"), static.data("y", [2], "int32")
    a, b = _out(static, "a", [2], "int32"), _out(static, "b", [1], "float32")
    static.py_func(lambda x, y: [np.array(x) + np.array(y), np.float32([7])], [x, y], [a, b])
    value = np.array([1, 2], "int32")
    exe = static.Executor()
    found = exe.run(feed={"x": value, "y": value}, fetch_list=[a, b])
    assert [f.tolist() for f in found] == [[2, 4], [7.0]]
    with pytest.raises(ToStaticError, match="py_func"):
        static.save_inference_model(str(tmp_path / "m"), [x, y], [a], exe)
    wrong = _out(static, "c", [2], "int64")
    static.py_func(lambda x: np.array(x), x, wrong)
    with pytest.raises(DTypeError, match="int32, the result was declared int64"):
        exe.run(feed={"x": value, "y": value}, fetch_list=[wrong])
    with pytest.raises(TypeError, match="callable"):
        static.py_func(3, x, a)


def test_static_pylayer(static):
    x = static.data("x", [None, 3])
    x.stop_gradient = False
    y = nn.static_pylayer(lambda x: {"y": paddle.exp(x), "n": None}, [x], lambda dy: 2 * paddle.exp(dy))
    assert y["n"] is None
    [gradient] = static.gradients([y["y"]], [x])
    cut = nn.static_pylayer(paddle.exp, [x])
    assert cut.stop_gradient
    value = np.array([[1, 2, 3]], "float32")
    found = static.Executor().run(feed={"x": value}, fetch_list=[y["y"], gradient, cut])
    np.testing.assert_allclose(found[0], np.exp(value), rtol=1e-6)
    np.testing.assert_allclose(found[1], np.full([1, 3], 2 * np.e), rtol=1e-6)
    np.testing.assert_allclose(found[2], np.exp(value), rtol=1e-6)
    with pytest.raises(AutogradError, match="returned 2 gradients"):
        nn.static_pylayer(paddle.exp, [x], lambda dy: (dy, dy))
    with pytest.raises(TypeError, match="callable"):
        nn.static_pylayer(3, [x])
    with pytest.raises(TypeError, match="list of tensors"):
        nn.static_pylayer(paddle.exp, x)
    paddle.disable_static()
    with pytest.raises(ModeError, match="enable_static"):
        nn.static_pylayer(paddle.exp, [paddle.ones([2])])


# what Paddle 2.6 computes where every negative sample is class 2
_NCE = (
    [0.001115376129746437, 0.001996071543544531, 0.6626551747322083],
    [0.2698881030, -0.0690969675, -0.0913834646, 0.0784576237],
)


def test_nce(static):
    rng = np.random.RandomState(0)
    value, w, b = (rng.randn(*shape).astype("float32") for shape in ((3, 4), (5, 4), (5, 1)))

    def made(array):
        return paddle.ParamAttr(initializer=paddle.nn.initializer.Assign(array))

    x, label = static.data("x", [None, 4]), static.data("l", [None, 2], "int64")
    x.stop_gradient = False
    draws = {"sampler": "custom_dist", "custom_dist": [0, 0, 1.0, 0, 0], "num_neg_samples": 3}
    loss = nn.nce(x, label, 5, param_attr=made(w), bias_attr=made(b), **draws)
    fetch = [loss, *static.gradients([loss.sum()], [x])]
    for sampler in ("uniform", "log_uniform"):
        fetch.append(nn.nce(x, label, 5, sampler=sampler, seed=3, sample_weight=paddle.ones([3, 1])))
    found = static.Executor().run(feed={"x": value, "l": np.array([[0, 1], [3, 3], [4, 2]])}, fetch_list=fetch)
    np.testing.assert_allclose(found[0].ravel(), _NCE[0], rtol=1e-4)
    np.testing.assert_allclose(found[1][2], _NCE[1], rtol=1e-4)
    assert all(f.shape == (3, 1) and np.isfinite(f).all() for f in found[2:])
    with pytest.raises(ValueError, match="sampler"):
        nn.nce(x, label, 5, sampler="other")


def test_branches_of_different_kinds_where_constants_decide(static):
    one, two = paddle.full([1], 1, "int32"), paddle.full([1], 2, "int32")
    fns = {1: lambda: paddle.full([1, 2], 1.0), 2: lambda: paddle.full([2, 2], 2, "int32"), 7: lambda: paddle.full([3], 3, "int32")}
    found = [nn.switch_case(i, fns) for i in (one, two, one + two)]
    found.append(nn.case([(one > two, fns[1]), (two > one, fns[7])], fns[2]))
    results = static.Executor().run(fetch_list=found)
    assert [r.tolist() for r in results] == [[[1.0, 1.0]], [[2, 2], [2, 2]], [3, 3, 3], [3, 3, 3]]
    with pytest.raises(ValueError, match="ranks and dtypes"):
        nn.cond(static.data("x", [1]) > 0, fns[1], fns[7])


@pytest.mark.parametrize("dim", [None, 0, 1])
def test_weights_of_length_and_direction(static, dim):
    x = static.data("x", [None, 3])
    attr = static.WeightNormParamAttr(dim=dim, name="w", initializer=paddle.nn.initializer.Normal(), regularizer=None)
    y = nn.fc(x, 2, weight_attr=attr, bias_attr=False)
    found = {p.name: p for p in static.default_main_program().all_parameters()}
    assert found["w_g"].shape == [1 if dim is None else (3, 2)[dim]]
    value = np.ones((1, 3), "float32")
    exe = static.Executor()
    [before] = exe.run(feed={"x": value}, fetch_list=[y])
    np.testing.assert_allclose(before, value @ np.asarray(found["w_v"]._array), rtol=1e-5)
    found["w_v"]._array = found["w_v"]._array * 3  # its length does not count
    np.testing.assert_allclose(exe.run(feed={"x": value}, fetch_list=[y])[0], before, rtol=1e-5)


def test_what_paddle_says_of_variables(static):
    x = _out(static, "X", [-1, 2])
    tensor = "    tensor {\n      data_type: FP32\n      dims: -1\n      dims: 2\n    }\n"
    text = f'name: "X"\ntype {{\n  type: LOD_TENSOR\n  lod_tensor {{\n{tensor}  }}\n}}\nstop_gradient: false\n'
    assert x.to_string(True) == text and x.to_string(True, True) == text + "error_clip: None\n"
    assert x.grad_name == "X@GRAD" and str(x.type) == "VarType.LOD_TENSOR"


def test_programs_as_bytes(static):
    x = static.data("X", [None, 2])
    y = paddle.tanh(x) * 2.0
    restored = static.Program.parse_from_string(static.default_main_program().desc.serialize_to_string())
    value = np.ones((1, 2), "float32")
    exe = static.Executor()
    [expected] = exe.run(feed={"X": value}, fetch_list=[y])
    np.testing.assert_allclose(exe.run(restored, feed={"X": value}, fetch_list=restored.outputs)[0], expected)


def test_programs_in_files(static, tmp_path):
    x = static.data("X", [None, 2])
    y = paddle.tanh(static.nn.fc(x, 3, name="part"))
    main, exe, value = static.default_main_program(), static.Executor(), np.ones((1, 2), "float32")
    exe.run(static.default_startup_program())
    path = tmp_path / "new" / "net.pdmodel"
    paddle.save(main, path)
    memory = io.BytesIO()
    paddle.save(main, memory)
    assert memory.getvalue() == path.read_bytes() == main.desc.serialize_to_string()
    loaded = paddle.load(path)
    assert [op.type for op in loaded.global_block().ops] == [op.type for op in main.global_block().ops]
    loaded.set_state_dict(main.state_dict())
    [expected] = exe.run(main, feed={"X": value}, fetch_list=[y])
    np.testing.assert_array_equal(exe.run(loaded, feed={"X": value}, fetch_list=loaded.outputs)[0], expected)

    # as Paddle writes a Program that nobody made ready for inference
    bare = schema.messages()["ProgramDesc"].FromString(path.read_bytes())
    kept = [op for op in bare.blocks[0].ops if op.type not in ("feed", "fetch", "scale")]
    del bare.blocks[0].ops[:]
    bare.blocks[0].ops.extend(kept)
    next(var for var in bare.blocks[0].vars if var.name == "X").need_check_feed = True
    path.write_bytes(bare.SerializeToString())
    loaded, name = paddle.load(path), kept[-1].outputs[0].arguments[0]
    loaded.set_state_dict(main.state_dict())
    np.testing.assert_array_equal(exe.run(loaded, feed={"X": value}, fetch_list=[name])[0], expected)
