"""Training in several processes: time of a step by the number of processes, and what an exchange costs.

    python benchmarks/distributed.py                    # 1 and 2 processes
    python benchmarks/distributed.py --processes 1 2 4

The batch is shared out: each process has its part of it. With one thread each, a perfect 2 processes take half the time of one.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from typing import Any

BATCH, STEPS, ROUNDS = 256, 10, 5
THREADS = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def best(step: Any) -> float:
    """Milliseconds of a call: the quickest of some rounds."""
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        for _ in range(STEPS):
            step()
        times.append((time.perf_counter() - started) / STEPS)
    return min(times) * 1000


def work() -> None:
    """One process: measure, and let the first one print."""
    import numpy as np

    import to_static as paddle
    from to_static import distributed as dist

    dist.init_parallel_env()
    rank, size = dist.get_rank(), dist.get_world_size()
    paddle.seed(0)
    layers = [paddle.nn.Linear(784, 1024), paddle.nn.ReLU(), paddle.nn.Linear(1024, 1024), paddle.nn.ReLU()]
    net = paddle.DataParallel(paddle.nn.Sequential(*layers, paddle.nn.Linear(1024, 10)), comm_buffer_size=4)  # two buckets
    opt = paddle.optimizer.SGD(0.01, parameters=net.parameters())
    rng = np.random.default_rng(rank)
    x = paddle.to_tensor(rng.standard_normal((BATCH // size, 784)).astype("float32"))
    y = paddle.to_tensor(rng.integers(0, 10, BATCH // size))

    def step() -> Any:
        loss = paddle.nn.functional.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
        opt.clear_grad()
        return loss

    static = paddle.jit.to_static(step)
    flat_gradients = paddle.zeros([sum(int(np.prod(p.shape)) for p in net.parameters())])
    one = paddle.zeros([1])
    rows = {
        "a step, dynamic": step,
        "a step, static": static,
        f"all_reduce of {flat_gradients.shape[0] * 4 / 1e6:.1f} MB": lambda: dist.all_reduce(flat_gradients, dist.ReduceOp.AVG),
        "all_reduce of one number": lambda: dist.all_reduce(one),
        "barrier": dist.barrier,
    }
    for name, function in rows.items():
        for _ in range(3):
            function()
        dist.barrier()
        milliseconds = best(function)
        if rank == 0:
            print(f"{size} processes  {name:26s} {milliseconds:9.3f} ms", flush=True)


def main(words: list[str]) -> int:
    """Start the processes."""
    parser = argparse.ArgumentParser(description="Training in several processes.")
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    for count in parser.parse_args(words).processes:
        command = [sys.executable, "-m", "to_static.distributed.launch", "--nproc_per_node", str(count), __file__]
        status = subprocess.run([*command, "--work"], env={**os.environ, **THREADS}).returncode
        if status:
            return status
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--work"]:
        work()
    else:
        sys.exit(main(sys.argv[1:]))
