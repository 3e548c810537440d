import multiprocessing
import os
import threading

import numpy as np
import pytest

from to_static.io import transport

VALUES = {
    "small": {"a": [1, "x", None], "b": np.arange(3)},
    "large": [np.random.default_rng(0).random((300, 300)), np.arange(7, dtype="int8"), np.float32(2.5)],
    "empty": [np.zeros((0, 3)), np.zeros(100_000)],
    "strided": np.arange(100_000).reshape(100, 1000)[:, ::2],
    "big_pickle": "x" * 300_000,
}


def send_in_thread(connection, value, shared):
    thread = threading.Thread(target=transport.send, args=(connection, value, shared))
    thread.start()
    return thread


def same(a, b):
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return a == b


@pytest.fixture
def pipe():
    ends = multiprocessing.Pipe()
    yield ends
    for end in ends:
        end.close()


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("name", VALUES)
def test_round_trip(pipe, name, shared):
    thread = send_in_thread(pipe[0], VALUES[name], shared and transport.can_share(pipe[0]))
    assert same(VALUES[name], transport.receive(pipe[1]))
    thread.join()


@pytest.mark.parametrize("shared", [False, True])
def test_received_arrays_can_be_written(pipe, shared):
    thread = send_in_thread(pipe[0], np.zeros(20_000), shared and transport.can_share(pipe[0]))
    array = transport.receive(pipe[1])
    thread.join()
    array[:] = 1
    assert array.sum() == 20_000


def test_shared_arrays_outlive_the_connection_and_leave_no_open_file():
    if not transport.can_share(multiprocessing.Pipe()[0]):
        pytest.skip("no anonymous shared memory here")
    ours, theirs = multiprocessing.Pipe()
    thread = send_in_thread(ours, np.arange(50_000), True)
    array = transport.receive(theirs)
    thread.join()
    ours.close()
    theirs.close()
    before = len(os.listdir("/proc/self/fd"))
    assert array.ctypes.data % transport.ALIGNMENT == 0
    assert array[-1] == 49_999
    del array
    assert len(os.listdir("/proc/self/fd")) <= before


def test_what_cannot_be_pickled_is_refused_before_anything_is_sent(pipe):
    with pytest.raises((AttributeError, TypeError, transport.pickle.PicklingError)):
        transport.send(pipe[0], [np.zeros(10), lambda: 0], True)
    assert not pipe[1].poll(0)


def test_the_end_of_the_other_side(pipe):
    pipe[0].close()
    with pytest.raises(EOFError):
        transport.receive(pipe[1])
