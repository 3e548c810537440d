"""Threads that call what nobody has called yet (see `first_calls.py`)."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from to_static.core.processes.compile_lock import COMPILE_LOCK

PROGRAM = Path(__file__).with_name("first_calls.py")


@pytest.mark.parametrize("threads", [4, 12])
def test_first_calls_of_many_threads(threads):
    environment = {**os.environ, "PYTHONPATH": str(PROGRAM.parents[4]), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-W", "ignore", str(PROGRAM), str(threads), "1"]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0 and "0 errors" in ran.stdout, ran.stdout + ran.stderr


@pytest.mark.parametrize("static", [False, True])
def test_gradients_of_several_threads_add_up(static):
    net, x = paddle.nn.Linear(2, 3), paddle.ones([2, 2])
    net = paddle.jit.to_static(net) if static else net
    net(x)
    start = threading.Barrier(6)

    def work():
        start.wait()
        for _ in range(40):
            net(x).sum().backward()

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    np.testing.assert_array_equal(net.weight.grad.numpy(), np.full((2, 3), 6 * 40 * 2))


def test_calls_of_finished_plans_wait_for_nobody():
    f = paddle.jit.to_static(lambda x, y=1: x * 2 + y)
    g = paddle.jit.to_static(lambda xs: xs[0] + xs[1][0])
    x = paddle.to_tensor(np.ones(3, "float32"))
    calls = [lambda: f(x), lambda: f(x, y=3), lambda: f(x=x), lambda: g([x, [x]])]
    expected = [call().numpy() for call in calls]
    found = []
    with COMPILE_LOCK:  # as a thread that traces a large model
        other = threading.Thread(target=lambda: found.extend(call().numpy() for call in calls), daemon=True)
        other.start()
        other.join(30)
        assert not other.is_alive()
    np.testing.assert_array_equal(found, expected)
