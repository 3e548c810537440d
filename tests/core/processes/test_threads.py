"""Helpers of large work: all of it is done once, whoever does it, and nobody is left waiting."""

import itertools
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from to_static.core.flags import set_flags
from to_static.core.processes import threads


@pytest.fixture(autouse=True)
def as_before():
    before = threads.threads.value
    yield
    set_flags({"TO_STATIC_THREADS": before})


@pytest.mark.parametrize(
    ("setting", "omp", "blas", "wanted"),
    [(3, "1", "", 3), (100, "", "", threads.MOST), (0, "1", "", 1), (0, "", "1", 1), (0, "5", "1", 1), (0, "many", "0", None)],
)
def test_how_many(monkeypatch, setting, omp, blas, wanted):
    set_flags({"TO_STATIC_THREADS": setting})
    monkeypatch.setenv("OMP_NUM_THREADS", omp)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", blas)
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert threads.allowed() == (min(here, threads.MOST) if wanted is None else wanted)


def shared(pieces, count, step=lambda number: None):
    """What each call did, where each of several takes pieces until none is left."""
    left, done = list(range(pieces)), [[] for _ in range(count)]

    def work(number):
        while left:
            try:
                piece = left.pop()
            except IndexError:
                return
            step(number)
            done[number].append(piece)

    threads.share(work, count)
    return done


@pytest.mark.parametrize("count", [1, 2, 4])
def test_every_piece_is_done_once(count):
    for _ in range(20):
        assert sorted(itertools.chain(*shared(50, count))) == list(range(50))


def test_helpers_do_help():
    both = threading.Barrier(2, timeout=20)  # passed by two at a time only
    done = shared(2, 2, lambda number: both.wait())
    assert list(map(len, done)) == [1, 1]


def test_callers_of_busy_helpers_work_alone():
    helpers = max(1, threads._helpers.count)
    begun, go_on = threading.Barrier(helpers + 2, timeout=20), threading.Event()

    def keep(number):
        begun.wait()
        go_on.wait(20)

    caller = threading.Thread(target=threads.share, args=(keep, helpers + 1))
    caller.start()
    begun.wait()
    assert shared(9, 2) == [list(range(8, -1, -1)), []]
    go_on.set()
    caller.join(20)
    assert not caller.is_alive()


@pytest.mark.parametrize("failing", [0, 1])
def test_errors_are_the_caller_s(failing):
    both = threading.Barrier(2, timeout=20)

    def work(number):
        both.wait()
        if number == failing:
            raise ValueError(f"from {number}")

    with pytest.raises(ValueError, match=f"from {failing}"):
        threads.share(work, 2)
    assert sorted(itertools.chain(*shared(9, 2))) == list(range(9))


def test_error_settings_of_numpy_are_the_caller_s():
    both, zero = threading.Barrier(2, timeout=20), np.zeros(3)

    def work(number):
        both.wait()
        if number:
            np.divide(1, zero)

    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        threads.share(work, 2)
    with np.errstate(divide="ignore"):
        threads.share(work, 2)


SCRIPT = """
import os
import numpy as np
import to_static as paddle

paddle.set_flags({"TO_STATIC_THREADS": 3})
f = paddle.jit.to_static(lambda x: paddle.tanh(x * 2 + 1) - x)
x = paddle.to_tensor(np.arange(1 << 20, dtype="float32") / (1 << 18))
wanted = f(x).numpy()
child = os.fork()
same = bool((f(x).numpy() == wanted).all())
if child == 0:
    os._exit(0 if same else 1)
assert same and os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
print("done")
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_forked_children_and_the_end_of_the_interpreter():
    quiet = ["-W", "ignore::DeprecationWarning"]  # Python 3.12 warns of every fork beside threads
    ran = subprocess.run([sys.executable, *quiet, "-c", SCRIPT], capture_output=True, text=True, timeout=120)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "done\n", "")
