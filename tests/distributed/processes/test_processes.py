"""Several processes under a real mpiexec: exchanges, training, and what happens when one of them is wrong, ill or gone."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import to_static as paddle
from tests.daily import LONG, some
from to_static.core.errors import ModeError
from to_static.distributed.launching import mpiexec

pytest.importorskip("mpi4py", reason="mpi4py comes with the extra `mpi`")
try:
    mpiexec()
except ModeError:
    pytest.skip("there is no mpiexec", allow_module_level=True)

pytestmark = pytest.mark.slow
PROGRAM = Path(__file__).with_name("program.py")
ROOT = PROGRAM.parents[3]


def launched(count, *words, timeout="60"):
    command = [sys.executable, "-W", "ignore", "-m", "to_static.distributed.launch", "--nproc_per_node", str(count)]
    command += ["--timeout", timeout, str(PROGRAM), *words]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=200, cwd=ROOT)


def results(count, case):
    done = launched(count, case)
    assert done.returncode == 0, done.stderr[-3000:]
    lines = dict(json.loads(line) for line in done.stdout.splitlines() if line.startswith("["))
    assert sorted(lines) == list(range(count))
    return [lines[rank] for rank in range(count)]


@pytest.fixture(scope="module")
def three():
    return results(3, "all")


def test_exchanges(three):
    for rank, found in enumerate(entry["exchanges"] for entry in three):
        assert [found[name] for name in ("SUM", "MAX", "MIN", "PROD", "AVG")] == [
            [6.0, 6.0], [3.0, 2.0], [1.0, 2.0], [6.0, 8.0], [2.0, 2.0],
        ]  # fmt: skip
        assert found["bool"] == [False, True] and found["half"] == [4.5]
        assert found["gathered"] == [[0], [1], [2]] and found["objects"] == [{"rank": i} for i in range(3)]
        assert found["moved"] == [[10.0 * i + rank] for i in range(3)] and found["rows"] == [10.0 * i + rank for i in range(3)]
        assert found["broadcast"] == [1.0] and found["part"] == [rank, rank + 1] and found["total"] == [3.0 * rank + 3]
        assert found["listed"] == [None, {"b": 0}] and found["one"] == ["abc"[rank]]
        assert found.get("received") == ([[7.0, 8.0], [9.0]] if rank == 1 else None)
        assert found.get("group") == ([2.0] if rank < 2 else None)


def check_training(found):
    for name, (difference, fall) in found.items():
        assert difference < 1e-6 and fall > 0.1, (name, difference, fall)


def test_losses_are_those_of_one_process_on_the_whole_batch(three):
    for entry in three:
        check_training(entry["training"])


@pytest.mark.skipif(not LONG, reason="TEST_LONG: four processes need four processors")
@pytest.mark.parametrize("count", [2, 4])
def test_losses_of_other_numbers_of_processes(count):
    for entry in results(count, "training"):
        check_training(entry)


def test_gradients_that_are_added_up_and_parameters_that_are_not_used(three):
    for entry in three:
        found = entry["accumulated"]
        heads = [4 / 3], [2 / 3]  # the means of 2, 0, 2 and of 0, 2, 0
        assert found["far"] < 1e-6 and found["heads"] == [pytest.approx(mean) for mean in heads]


def test_buckets_travel_while_the_backward_pass_goes_on(three):
    for entry in three:
        found = entry["overlapped"]
        events, names = found["events"], found["names"]
        assert events.count("start_next") == 5 and events[-1] == "finish"
        assert events.index("start_next") == 1 and events.count("final") == 6, "the first bucket starts after the first gradient"
        starts = [i for i, name in enumerate(names) if name == "py_func"]
        assert len(starts) == 6 and names[starts[1] : starts[4]].count("matmul_v2") == 3, "so do operators of a static step"
        assert 0 < found["started"] < 5, "a pass that failed had begun"
        assert max(found["far"], found["far_static"], found["far_again"]) < 1e-7


WRONG = {
    "step": ["of network 0, 5 messages of 724200 numbers; process 1: ", "of network 0 again, a pass failed after 2 messages"],
    "shape": ["the processes do not do the same", "0: all_reduce sum float32[2]; process 1: all_reduce sum float32[3]"],
    "name": ["process 0: all_reduce sum float32[2]; process 1: barrier"],
    "sent": ["process 0 sent float32[2], this one expects float32[3]"],
    "raised": ["ValueError: one is ill", "process 1 of 2 failed: all end"],
    "killed": ["rank 1", "signal 9"],
    "stalled": ["process 1 of 2 did not come within 2 s"],
}


@pytest.mark.parametrize("case", some("processes", sorted(WRONG), 2))
def test_what_goes_wrong_ends_all_and_is_told(case):
    done = launched(2, case, timeout="2")
    assert done.returncode != 0
    for text in WRONG[case]:
        assert text in done.stderr.replace("\n", " "), done.stderr


def called(path, value):
    from to_static import distributed as dist

    dist.init_parallel_env()
    total = paddle.to_tensor([value * (1 + dist.get_rank())])
    dist.all_reduce(total)
    Path(path, str(dist.get_rank())).write_text(str(total.tolist()))


def test_spawn(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    assert paddle.distributed.spawn(called, (str(tmp_path), 2.0), nprocs=2).join()
    assert [path.read_text() for path in sorted(tmp_path.iterdir())] == ["[6.0]", "[6.0]"]
