import numpy as np
import pytest

import to_static  # noqa: F401
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.input_spec import spec_from
from to_static.compiler.ir.program import Stored
from to_static.compiler.ir.registry import FUNCTIONS as F
from to_static.compiler.ir.spec import spec_of
from to_static.compiler.ir.verifier import verify
from to_static.compiler.passes.fusion import fold_batch_norm
from to_static.compiler.passes.pipeline import inference_passes, optimize
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY


def network(bias=True, layout="NCHW", keep=False, is_test=True, twice=False):
    rng = np.random.default_rng(0)
    builder = Builder()
    program = builder.program

    def param(name, *shape, low=-1.0):
        array = rng.uniform(low, 1, shape).astype("float32")
        return builder._handle(program.add_param(spec_of(array), "param", Stored(array, name), name), builder.root)

    with mode.use(builder):
        x = builder.feed(spec_from([2, 3, 5, 6] if layout == "NCHW" else [2, 5, 6, 3]))
        y = F["conv2d"](x, param("w", 4, 3, 3, 3), param("b", 4) if bias else None, padding=1, data_format=layout)
        stats = [param("scale", 4), param("shift", 4), param("mean", 4), param("variance", 4, low=0.2)]
        z, *others = F["batch_norm"](y, *stats, is_test=is_test, data_format=layout)
        return builder.finish([z, *([y] if keep else []), *(others[2:3] if twice else [])])


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_batch_norm_becomes_weight_and_bias(bias, layout):
    program = network(bias, layout)
    shape = program.feeds[0].shape
    x = np.random.default_rng(1).uniform(-1, 1, shape).astype("float32")
    (wanted,) = interpret(program, [x], NUMPY)
    weight = program.params[0].holder._array.copy()
    folded = program.clone()
    assert fold_batch_norm.fold_batch_norm(folded) == 1
    verify(folded)
    shape = folded.outputs[0].shape
    assert [op.name for op in folded.block.ops if op.out.shape == shape] == ["conv2d", "add"]
    np.testing.assert_allclose(interpret(folded, [x], NUMPY)[0], wanted, rtol=2e-5, atol=2e-6)
    np.testing.assert_array_equal(program.params[0].holder._array, weight)  # the model keeps its own
    frozen = optimize(program.clone(), inference_passes("numpy", frozen=True))
    assert not frozen.params
    np.testing.assert_allclose(compile_plan(frozen, NUMPY)(x)[0], wanted, rtol=2e-5, atol=2e-6)
    calm = compile_plan(optimize(program.clone(), inference_passes("numpy")), NUMPY, weights_frozen=True)
    np.testing.assert_allclose(calm(x)[0], wanted, rtol=2e-5, atol=2e-6)
    for param in program.params:  # weights that change are folded again
        param.holder._array = param.holder._array * np.float32(1.5)
    np.testing.assert_allclose(calm(x)[0], interpret(program, [x], NUMPY)[0], rtol=2e-5, atol=5e-6)


@pytest.mark.parametrize(
    "options", [{"is_test": False}, {"twice": True}], ids=["training", "statistics used"]
)
def test_what_someone_else_sees_stays(options):
    program = network(**options)
    before = str(program)
    assert fold_batch_norm.fold_batch_norm(program) == 0
    assert str(program) == before


def test_a_convolution_that_others_read_keeps_its_weight():
    program = network(keep=True)
    x = np.random.default_rng(1).uniform(-1, 1, program.feeds[0].shape).astype("float32")
    wanted = interpret(program, [x], NUMPY)
    assert fold_batch_norm.fold_batch_norm(program) == 1
    verify(program)
    assert "batch_norm" not in [op.name for op in program.block.ops]
    for a, b in zip(interpret(program, [x], NUMPY), wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-6)
