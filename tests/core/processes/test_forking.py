"""A forked child finds no lock held by a thread that it does not have, whatever its parent's threads were doing."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

BEFORE = """
import os, random, signal, sys, threading, time, warnings
warnings.simplefilter("ignore")
import numpy as np
import to_static as paddle
from to_static.core import backend
from to_static.core.processes import forking
from to_static.compiler.eager import tape

def work():
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    (x * x).sum().backward()
    assert x.grad.tolist() == [2, 4]
    paddle.jit.to_static(lambda v: v * 2 + 1, full_graph=True)(x).sum().backward()
    paddle.rand([3]), paddle.randn([3]), np.random.rand(3), random.random()
    layer = paddle.nn.Linear(2, 2)
    paddle.jit.to_static(layer)(x.detach())
    optimizer = paddle.optimizer.Adam(parameters=layer.parameters())
    layer(x).sum().backward()
    optimizer.step()
    with paddle.no_grad():
        assert paddle.tanh(paddle.ones([300, 300])).sum() > 0

def child(then=work):
    number = os.fork()
    if not number:
        signal.alarm(20)
        try:
            then()
            os._exit(0)
        except BaseException:
            import traceback
            traceback.print_exc()
            os._exit(1)
    _, status = os.waitpid(number, 0)
    assert status == 0, f"the child ended with {status}"

def meanwhile(function):
    begun = threading.Event()
    thread = threading.Thread(target=function, args=(begun,), daemon=True)
    thread.start()
    assert begun.wait(20)
    return thread

work()
"""


def run(script):
    made = subprocess.run(
        [sys.executable, "-c", BEFORE + textwrap.dedent(script)], capture_output=True, text=True, timeout=120, env={**os.environ}
    )
    assert made.returncode == 0, made.stderr[-3000:]


@pytest.mark.parametrize("seed", ["", "paddle.seed(3)"])
def test_every_lock_may_be_held_by_another_thread(seed):
    run(f"""
    {seed}
    paddle.rand([1])
    done = threading.Event()

    def hold(begun):
        locks = [reference() for reference, patiently in forking._locks.values() if not patiently]
        locks.append(np.random.get_bit_generator().lock)
        assert any(lock is tape.adding for lock in locks) and len(locks) >= 4
        for lock in locks:
            lock.acquire()
        begun.set()
        done.wait()
        for lock in locks:
            lock.release()

    thread = meanwhile(hold)
    child()
    done.set()
    thread.join()
    work()  # here all are free again
    child()
    """)


def test_what_is_being_made_is_finished_first():
    run("""
    from to_static.core.processes.compile_lock import COMPILE_LOCK
    made = []

    def trace(begun):
        with COMPILE_LOCK:
            begun.set()
            time.sleep(0.3)
            made.append(1)

    meanwhile(trace)

    def then():
        assert made == [1]
        work()

    child(then)
    work()
    """)


def test_who_forks_keeps_the_locks_that_it_holds():
    run("""
    with tape.adding:
        child(lambda: None)
        number = os.fork()
        if not number:
            signal.alarm(20)
            assert tape.adding._is_owned()
    if not number:
        assert not tape.adding._is_owned()
        work()
        os._exit(0)
    assert os.waitpid(number, 0)[1] == 0 and not tape.adding._is_owned()
    """)


def test_modules_that_another_thread_imports_are_waited_for(tmp_path):
    (tmp_path / "slow_to_import.py").write_text("import time\ntime.sleep(0.5)\nx = 7\n", encoding="utf-8")
    run(f"""
    paddle.__path__.append({str(tmp_path)!r})

    def load(begun):
        threading.Timer(0.2, begun.set).start()
        import to_static.slow_to_import

    meanwhile(load)

    def then():
        from to_static.slow_to_import import x
        assert x == 7

    child(then)
    """)


def test_forks_under_load():
    run("""
    end = threading.Event()

    def backwards(begun):
        w = paddle.to_tensor(np.ones([50, 50], "float32"), stop_gradient=False)
        while not end.is_set():
            paddle.tanh(w @ w).sum().backward()
            begun.set()

    def draws(begun):
        while not end.is_set():
            np.random.rand(20000), paddle.rand([2000])
            begun.set()

    def traces(begun):
        while not end.is_set():
            paddle.jit.to_static(lambda x: x * 2)(paddle.ones([2]))
            begun.set()

    def large(begun):
        x = paddle.ones([1 << 21])
        while not end.is_set():
            paddle.tanh(x)
            begun.set()

    threads = [meanwhile(f) for f in (backwards, draws, traces, large)]
    for _ in range(12):
        child()
    end.set()
    for thread in threads:
        thread.join()
    """)


def test_a_trace_never_waits_for_numpy():
    """Also where the lock is that of a thread of a process that forked before this package was there."""
    run("""
    def hold(begun):
        np.random.get_bit_generator().lock.acquire()
        begun.set()
        time.sleep(60)

    meanwhile(hold)
    signal.alarm(20)
    assert paddle.jit.to_static(lambda x: x * 2, full_graph=True)(paddle.ones([1])).item() == 2
    """)
