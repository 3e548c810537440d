"""Plans on an array module that is not NumPy and refuses to become it."""

import numpy as np
import pytest

from tests.compiler.ops.strict_arrays import StrictArray, StrictBackend
from tests.compiler.runtime.generated import build, inputs, script
from to_static.compiler.passes.pipeline import INFERENCE, optimize
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core import backend
from to_static.core.backend import NUMPY


@pytest.fixture
def strict():
    made = StrictBackend()
    backend.register("strict:0", made)
    yield made
    backend._open.pop("strict:0")
    backend._by_array_type.pop(StrictArray)
    backend.OPENERS.pop("strict")


@pytest.mark.parametrize("passes", [(), INFERENCE], ids=["as traced", "inference"])
def test_random_programs(strict, passes):
    for seed in range(40):
        program = build(script(seed))
        plan = compile_plan(optimize(program.clone(), passes), strict)
        for trips in (0, 2):
            arrays = inputs(seed, trips)
            found = plan(*map(strict.asarray, arrays))
            expected = interpret(program, arrays, NUMPY)
            for a, b in zip(found, expected, strict=True):
                assert type(a) is StrictArray
                np.testing.assert_allclose(strict.to_numpy(a), b, rtol=1e-6)
