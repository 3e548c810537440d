"""Operators that files hold as compositions of others: dynamic mode, Programs and files give the same numbers."""

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.building.composition import composed, recorded
from to_static.compiler.ir.registry import REGISTRY
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ops import functions as F
from to_static.core.dtypes import float32
from to_static.core.errors import ProgramError
from to_static.static import InputSpec

_X, _Y = [[0.25, 0.5, 0.0], [0.75, 1.0, 0.125]], [[0.5, 2.0, 3.0], [1.0, 0.0, 0.25]]
CALLS = {
    "hypot": (lambda x, y: paddle.hypot(x, y), "float32 float64"),
    "hypot_broadcast": (lambda x, y: paddle.hypot(x[:1], y[:, :1]), "float32 float64"),
    "heaviside": (lambda x, y: paddle.heaviside(x, y), "float32 float64 int32 int64"),
    "kron": (lambda x, y: paddle.kron(x, y[0]), "float32 float64 int32 int64"),
    "logit": (lambda x, y: paddle.logit(x, 0.1), "float32 float64"),
    "trace": (lambda x, y: paddle.trace(x, 1), "float32 float64 int32 int64"),
    "nanmedian": (lambda x, y: paddle.nanmedian(paddle.concat([x, y]), 0), "float32 float64 int32 int64"),
    "kthvalue": (lambda x, y: paddle.kthvalue(paddle.concat([x, y]), 2, 0), "float32 float64 int32 int64"),
    "unstack": (lambda x, y: paddle.unstack(x, 1), "float32 float64 int32 int64"),
    "repeat_interleave": (lambda x, y: paddle.repeat_interleave(x, 2, 0), "float32 float64 int32 int64"),
    "cross": (lambda x, y: paddle.cross(x, y), "float32 float64 int32 int64"),
    "index_add": (lambda x, y: paddle.index_add(x, paddle.to_tensor([-1, 0]), 1, y[:, :2]), "float32 float64 int32 int64"),
    "unique": (lambda x, y: paddle.unique(x), "float32 float64 int32 int64"),
    "unique_counts": (lambda x, y: paddle.unique(x, return_counts=True), "float32 float64 int32 int64"),
    "masked_select_grad": (lambda x, y: paddle.grad(paddle.masked_select(paddle.square(x), x > 0.1).sum(), x), "float32 float64"),
}


def _numbers(results):
    return [t.numpy() for t in (results if isinstance(results, (list, tuple)) else [results])]


@pytest.mark.parametrize("rows", [2, None])
@pytest.mark.parametrize(("name", "dtype"), [(name, dtype) for name, (_, dtypes) in CALLS.items() for dtype in dtypes.split()])
def test_modes_and_files_agree(name, dtype, rows, tmp_path):
    function = CALLS[name][0]
    static = paddle.jit.to_static(
        function,
        input_spec=[InputSpec([rows, 3], dtype, "x", stop_gradient=False), InputSpec([rows, 3], dtype, "y")],
        full_graph=True,
    )
    x, y = (paddle.to_tensor(np.asarray(a).astype(dtype), stop_gradient=dtype[0] == "i") for a in (_X, _Y))
    expected = _numbers(function(x, y))
    paddle.jit.save(static, str(tmp_path / "f"))
    loaded = paddle.jit.load(str(tmp_path / "f"))
    for found in (_numbers(static(x, y)), _numbers(loaded(x, y))):
        assert [a.dtype for a in found] == [a.dtype for a in expected]
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-6)


def test_an_operator_in_a_branch_is_written(tmp_path):
    def function(x):
        return paddle.hypot(x, x + 1) if x.sum() > 0 else paddle.kron(x, x)[:3]

    static = paddle.jit.to_static(function, input_spec=[InputSpec([3], "float32", "x")], full_graph=True)
    paddle.jit.save(static, str(tmp_path / "f"))
    loaded = paddle.jit.load(str(tmp_path / "f"))
    for numbers in ([1.0, 2.0, 3.0], [-1.0, -2.0, -3.0]):
        x = paddle.to_tensor(numbers)
        np.testing.assert_allclose(loaded(x).numpy(), function(x).numpy(), rtol=1e-6)


def _operation(name, *specs, **attrs):
    with mode.use(Builder()) as builder:
        results = REGISTRY[name].emit(*map(builder.feed, specs), **attrs)
    return (results[0] if isinstance(results, tuple) else results).ssa.op


def test_operations_of_a_composition_have_the_results_and_the_line_of_the_operator():
    spec = TensorSpec((2, 3), float32)
    op = _operation("kthvalue", spec, k=2, axis=1, keepdim=False)
    block = composed(op)
    assert block.results == op.outputs
    assert {var for inner in block.ops for var in inner.outputs} >= set(op.outputs)
    assert op.inputs[0] in {var for inner in block.ops for var in inner.operands()}
    assert {inner.site for inner in block.ops} == {op.site}


def test_a_composition_may_give_an_input_and_one_value_twice():
    op = _operation("hypot", *[TensorSpec((2,), float32)] * 2)
    x, y = op.inputs
    block = recorded(lambda x, y: (x, total := F.add(x, y), total), (x, y), {})
    assert block.results == [x, block.ops[-1].out, block.ops[-1].out]
    assert block.ops[-1].inputs == (x, y)


def test_a_composition_may_not_compute_with_an_unknown_size_in_python():
    op = _operation("hypot", *[TensorSpec((UNKNOWN, 3), float32)] * 2)
    with pytest.raises(ProgramError, match=r"calls operator.truediv with a size .*functions.dim_size\(x, axis\)"):
        recorded(lambda x, y: x * (x.shape[0] / 2), op.inputs, {})
    block = recorded(lambda x, y: x * (F.dim_size(x, 0).astype("float32") / 2 + x.shape[1] / 2), op.inputs, {})
    assert "python" not in {inner.name for inner in block.walk()}
