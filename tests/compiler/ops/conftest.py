"""The strict stand-in for a GPU, as a device of the tests."""

from __future__ import annotations

import pytest

from tests.compiler.ops.strict_arrays import StrictArray, StrictBackend
from to_static.compiler.ir.registry import REGISTRY
from to_static.core import backend


@pytest.fixture(scope="module")
def strict():
    made = StrictBackend()
    backend.register("strict:0", made)
    known_failures = [
        o for o in REGISTRY.values() if "cupy" in o.kernels and "cupyx" not in str(o.kernels["cupy"].__code__.co_names)
    ]
    for opdef in known_failures:  # kernels that CuPy alone uses, as far as they need no CUDA library
        opdef.kernels["strict"] = opdef.kernels["cupy"]
    yield made
    for opdef in known_failures:
        del opdef.kernels["strict"]
    backend._open.pop("strict:0")
    backend._by_array_type.pop(StrictArray)
    backend.OPENERS.pop("strict")


@pytest.fixture
def here(strict, same_start):
    backend.set_device("strict:0")
    return strict
