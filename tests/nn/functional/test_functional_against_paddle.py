"""nn.functional against results and gradients recorded with Paddle 2.6.2."""

import pathlib

import numpy as np
import pytest

from tests.golden.functional_cases import CASES, evaluate
from to_static.nn import functional
from to_static.ops.create import to_tensor

GOLDEN = np.load(pathlib.Path(__file__).parents[2] / "golden" / "functional.npz")


@pytest.mark.parametrize("number", range(len(CASES)), ids=[case.replace(" ", "") for case in CASES])
def test_functional_equals_paddle(number):
    found = evaluate(CASES[number], functional, to_tensor)
    want = [GOLDEN[f"{number}.{k}"] for k in range(sum(name.startswith(f"{number}.") for name in GOLDEN.files))]
    assert len(found) == len(want) > 0
    for ours, theirs in zip(found, want, strict=True):
        assert (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype)
        np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=2e-6)
