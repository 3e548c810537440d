"""What every test gets: the same seeds, the CPU, and a fresh start of names."""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("TO_STATIC_FSYNC", "0")  # tests survive no power cut; tests/formats/test_atomic.py looks at it

import numpy as np
import pytest
from hypothesis import settings

# the same examples in every run, so that a red run means a change; HYPOTHESIS_PROFILE=fresh draws new ones
settings.register_profile("everyday", deadline=None, max_examples=50, print_blob=True, derandomize=True)
settings.register_profile("fresh", deadline=None, max_examples=500, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "everyday"))


@pytest.fixture(autouse=True)
def same_start():
    """Same random numbers and default device in every test, whatever ran before it."""
    from to_static.core import backend

    np.random.seed(0)
    backend.seed(0)
    backend.set_device("cpu")
    yield
    backend.set_device("cpu")


def pytest_collection_modifyitems(config, items):
    """Tests of hardware or software that is not here are skipped with the reason, unless asked for with -m."""
    chosen = config.getoption("-m") or ""
    for item in items:
        if "interop" in item.keywords and "interop" not in chosen:
            item.add_marker(pytest.mark.skip(reason="needs real PaddlePaddle: make interop"))
        if "gpu" in item.keywords and not _has_gpu():
            item.add_marker(pytest.mark.skip(reason="needs a CUDA device and CuPy"))


def _has_gpu() -> bool:
    from to_static.core import backend
    from to_static.core.errors import DeviceError

    try:
        backend.get_backend("gpu:0")
    except DeviceError:
        return False
    return True
