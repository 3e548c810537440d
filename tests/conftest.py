"""What every test gets: the same seeds, the CPU, and a fresh start of names."""

from __future__ import annotations

import functools
import gc
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("TO_STATIC_FSYNC", "0")  # tests survive no power cut; tests/compiler/formats/test_atomic_write.py looks at it

import daily
import numpy as np
import pytest
from hypothesis import settings

# the same examples in every run, so that a red run means a change; HYPOTHESIS_PROFILE=fresh draws new ones
settings.register_profile("everyday", deadline=None, max_examples=50, print_blob=True, derandomize=True)
settings.register_profile("fresh", deadline=None, max_examples=500, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "everyday"))


@pytest.fixture(autouse=True)
def same_start():
    """Same random numbers and default device in every test, whatever ran before it.

    Static functions are to be static in tests: what has no Program is refused, unless a test asks for `graph_breaks`.
    """
    from to_static.core import backend, flags

    np.random.seed(0)
    backend.seed(0)
    backend.set_device("cpu")
    flags.full_graph.value = True
    yield
    backend.set_device("cpu")
    flags.full_graph.value = False


@pytest.fixture
def graph_breaks(same_start):
    """What has no Program runs in Python, as users have it."""
    from to_static.core import flags

    flags.full_graph.value = False


def pytest_collection_finish(session):
    """Tens of thousands of collected tests stay until the end: garbage is not looked for among them (a fifth of the time)."""
    gc.collect()
    gc.freeze()


def pytest_report_header():
    return daily.WORDS


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(daily.WORDS)


NEEDS = {"test_cupy.py": "gpu", "test_with_paddle.py": "interop"}  # files of which each test needs what is rarely here


def pytest_ignore_collect(collection_path, config):
    """Without it they are not even collected, unless they are named."""
    marker = NEEDS.get(collection_path.name)
    return True if marker and not _is_here(marker, config) else None


def pytest_collection_modifyitems(config, items):
    """The other tests of that kind are skipped with the reason, unless asked for with -m. (Keywords would name folders, too.)"""
    for item in items:
        if item.get_closest_marker("interop") and not _is_here("interop", config):
            item.add_marker(pytest.mark.skip(reason="needs real PaddlePaddle: make interop"))
        if item.get_closest_marker("gpu") and not _is_here("gpu", config):
            item.add_marker(pytest.mark.skip(reason="needs a CUDA device and CuPy"))


def _is_here(marker, config) -> bool:
    return _has_gpu() if marker == "gpu" else "interop" in (config.getoption("-m") or "")


@functools.cache
def _has_gpu() -> bool:
    from to_static.core import backend
    from to_static.core.errors import DeviceError

    try:
        backend.get_backend("gpu:0")
    except DeviceError:
        return False
    return True
