"""nn.functional against results and gradients recorded with Paddle 2.6.2."""

import pathlib

import numpy as np
import pytest

from tests.golden.functional_cases import CASES, evaluate
from to_static.compiler.autodiff.backward import gradients
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.spec import spec_of
from to_static.compiler.ops.shapes.create import to_tensor
from to_static.compiler.runtime.interpret import interpret
from to_static.core.backend import NUMPY
from to_static.nn import functional

GOLDEN = np.load(pathlib.Path(__file__).parents[2] / "golden" / "functional.npz")


IDS = [case.replace(" ", "") for case in CASES]
FROM_THE_END = "F.embedding(T([[1,0],[1,3]]),w,-1)"  # needs to know the number of rows


def recorded(number):
    return [GOLDEN[f"{number}.{k}"] for k in range(sum(name.startswith(f"{number}.") for name in GOLDEN.files))]


@pytest.mark.parametrize("number", range(len(CASES)), ids=IDS)
def test_functional_equals_paddle(number):
    found, want = evaluate(CASES[number], functional, to_tensor), recorded(number)
    assert len(found) == len(want) > 0
    for ours, theirs in zip(found, want, strict=True):
        assert (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype)
        np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=2e-6)


WITH_GRADIENTS = [i for i, case in enumerate(CASES) if case.startswith("G(") and FROM_THE_END not in case]


@pytest.mark.parametrize("number", WITH_GRADIENTS, ids=[IDS[i] for i in WITH_GRADIENTS])
def test_a_program_for_any_batch_size_gives_the_same_values_and_gradients(number):
    want = recorded(number)

    def run(function, *arrays):
        builder = Builder()
        with mode.use(builder):
            specs = [spec_of(a) for a in arrays]
            feeds = [
                builder.feed(s.with_shape((-1, *s.shape[1:])) if i == 0 else s, None, False) for i, s in enumerate(specs)
            ]
            results = function(*feeds)
            results = list(results) if isinstance(results, (list, tuple)) else [results]
            weights = [np.random.default_rng(7 + i).uniform(-1, 1, want[i].shape) for i in range(len(results))]
            slopes = [builder.constant(w.astype("float32")) for w in weights]
            program = builder.finish(results + gradients(results, feeds, slopes))
        return interpret(program, list(arrays), NUMPY)

    for ours, theirs in zip(evaluate(CASES[number], functional, to_tensor, run), want, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=3e-5, atol=3e-6)
