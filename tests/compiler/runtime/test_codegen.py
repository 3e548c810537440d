"""The generated source: readable, with the user's lines, and careful about what it is given."""

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.input_spec import spec_from
from to_static.compiler.ir.registry import FUNCTIONS as F
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY
from to_static.core.errors import ShapeError
from to_static.core.flags import debug


def test_source_of_a_layer():
    builder = Builder()
    rng = np.random.default_rng(0)
    w, b = (paddle.to_tensor(rng.normal(size=s).astype("float32")) for s in ((3, 4), (4,)))
    with mode.use(builder):
        x = builder.feed(spec_from([2, 3]))
        h = F["relu"](F["matmul"](x, w) + b)
        program = builder.finish([h * h])
    plan = compile_plan(program, NUMPY)
    lines = [line.split("#")[0].strip() for line in plan.source.splitlines()]
    assert "v0 = x0.dot(p0, b0)" in lines
    assert "v1 = add(v0, p1, b0)" in lines
    assert "v2 = maximum(v1, full, out=b0)" in lines
    assert "v3 = multiply(v2, v2)" in lines  # the caller's
    assert "# test_codegen.py:" in plan.source
    x = rng.normal(size=(2, 3)).astype("float32")
    np.testing.assert_allclose(plan(x)[0], np.maximum(x @ w.numpy() + b.numpy(), 0) ** 2, rtol=1e-6)


def test_tensors_from_outside_that_changed_their_shape_are_refused():
    outside = paddle.to_tensor(np.ones((2, 3), "float32"))
    builder = Builder()
    with mode.use(builder):
        x = builder.feed(spec_from([2, 3]))
        program = builder.finish([x * outside + x])
    plan = compile_plan(program, NUMPY)
    x = np.ones((2, 3), "float32")
    np.testing.assert_array_equal(plan(x)[0], 2 * x)
    outside.set_value(np.full((2, 3), 2, "float32"))
    np.testing.assert_array_equal(plan(x)[0], 3 * x)
    outside._become(paddle.to_tensor(np.ones((1, 3), "float32")))  # would broadcast into the planned buffers
    with pytest.raises(ShapeError, match=r"is float32\[1, 3\] now, but this Program was built when it was f32\[2, 3\]"):
        plan(x)


def test_state_may_change_its_shape():
    seen = paddle.to_tensor(np.zeros(2, "float32"))
    builder = Builder()
    with mode.use(builder):
        x = builder.feed(spec_from([-1]))
        seen._become(x * 2)
        program = builder.finish([x + 1])
    compile_plan(program, NUMPY)(np.ones(5, "float32"))
    assert seen.shape == [5] and seen.spec.shape == (5,)


def test_attributes_become_literals_or_names():
    builder = Builder()
    with mode.use(builder):
        x = builder.feed(spec_from([2, 3]))
        program = builder.finish([F["cumsum"](x, 1), F["full_like"](x, float("inf"))])
    plan = compile_plan(program, NUMPY)
    assert "axis=1" in plan.source
    found = plan(np.ones((2, 3), "float32"))
    assert found[0].shape == (2, 3) and np.isinf(found[1]).all()


def test_the_ladder_shows_sources_times_and_nan(monkeypatch, capsys):
    builder = Builder()
    with mode.use(builder):
        x = builder.feed(spec_from([3]))
        i = builder.constant(np.asarray(0))
        i, y = builder.while_loop(lambda i, y: i < 2, lambda i, y: [i + 1, F["log"](y)], [i, x])
        program = builder.finish([y, i])
    monkeypatch.setattr(debug, "value", 5)
    plan = compile_plan(program, NUMPY)
    with np.errstate(all="ignore"):
        y, i = plan(np.asarray([0.5, 1.0, 3.0], "float32"))
    assert np.isnan(y).any() and i == 2
    said = capsys.readouterr().err
    assert "def run(x0):" in said and "bytes of buffers" in said
    assert "us  log  test_codegen.py:" in said
    assert said.count("NaN in the result of log") == 1
