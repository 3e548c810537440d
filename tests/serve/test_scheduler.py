"""The queue, its batches and its workers, on workers that are no processes."""

import asyncio
import threading

import numpy as np
import pytest

from to_static.serve.model_pool import ModelRefused, WorkerDied
from to_static.serve.refusal import Refusal
from to_static.serve.row_independence import BatchAxes
from to_static.serve.scheduler import Scheduler


class Worker:
    """Doubles its input. Inputs with a 13 are refused; those with a 66 kill it; `gate` holds it up."""

    def __init__(self, pool):
        self.pool = pool
        self.pid = pool.started
        self.dead = threading.Event()

    def run(self, inputs):
        if self.pool.broken:
            self.pool.broken -= 1
            raise WorkerDied(began=False)
        self.pool.runs.append([x.shape for x in inputs])
        while not self.pool.gate.wait(0.01):
            if self.dead.is_set():
                raise WorkerDied
        x = inputs[0]
        if (x == 66).any():
            raise WorkerDied
        if (x == 13).any():
            raise ModelRefused("no 13, please")
        return [x * 2, x.sum(1)]

    def kill(self):
        self.dead.set()

    def close(self):
        self.pool.closed += 1


ROWS = BatchAxes(0, (0, 0))


class Pool:
    template_pid = 0

    def __init__(self, axes=ROWS, stateful=False):
        self.axes, self.stateful = axes, stateful
        self.runs, self.started, self.closed = [], 0, 0
        self.broken = 0  # workers that are dead before they get anything
        self.gate = threading.Event()
        self.gate.set()

    def worker(self):
        self.started += 1
        return Worker(self)

    def close(self):
        self.closed += 1


def scheduled(test, pool=None, **settings):
    """Run ``test(scheduler, pool)``."""
    pool = pool or Pool()
    deaths = []
    settings = {"workers": 1, "max_batch": 8, "max_delay": 0.0, "queue": 100, "timeout": 5.0, **settings}

    async def main():
        scheduler = Scheduler(pool, report=lambda report: None, died=deaths.append, **settings)
        await scheduler.start()
        await test(scheduler, pool)
        pool.gate.set()
        await scheduler.close()
        assert scheduler.waiting == 0 and pool.closed == pool.started + 1
        return deaths

    return asyncio.run(main())


def rows(count, value=1.0, width=2):
    return [np.full((count, width), value, "float32")]


async def held(scheduler, pool, *requests):
    """Tasks of requests that wait behind one that runs; the first task is that one's."""
    pool.gate.clear()
    first = asyncio.create_task(scheduler.infer(rows(1, 9.0)))
    while not pool.runs:
        await asyncio.sleep(0.001)
    tasks = [asyncio.create_task(scheduler.infer(request)) for request in requests]
    await asyncio.sleep(0)
    return [first, *tasks]


def test_rows_of_requests_run_together_and_come_back_to_them():
    async def test(scheduler, pool):
        tasks = await held(scheduler, pool, *(rows(n, float(n)) for n in (1, 2, 3, 4)))
        pool.gate.set()
        results = await asyncio.gather(*tasks)
        assert [shape[0] for [shape] in pool.runs] == [1, 6, 4]
        for n, (doubled, sums) in zip((1, 2, 3, 4), results[1:], strict=True):
            assert doubled.shape == (n, 2) and (doubled == 2 * n).all() and sums.tolist() == [2.0 * n] * n

    scheduled(test)


def test_requests_of_other_shapes_wait_in_buckets_of_their_own():
    async def test(scheduler, pool):
        tasks = await held(scheduler, pool, rows(1), rows(1, width=3), rows(2), rows(2, width=3))
        pool.gate.set()
        await asyncio.gather(*tasks)
        assert pool.runs[1:] == [[(3, 2)], [(3, 3)]]

    scheduled(test)


def test_a_large_request_is_split():
    async def test(scheduler, pool):
        doubled, sums = await scheduler.infer([-np.arange(40, dtype="float32").reshape(20, 2)])
        assert [shape[0] for [shape] in pool.runs] == [8, 8, 4]
        assert doubled.reshape(-1).tolist() == list(range(0, -80, -2)) and sums.shape == (20,)
        empty, _ = await scheduler.infer(rows(0))
        assert empty.shape == (0, 2)

    scheduled(test)


def test_models_whose_rows_depend_run_each_request_alone():
    async def test(scheduler, pool):
        tasks = await held(scheduler, pool, rows(1), rows(20), rows(1))
        pool.gate.set()
        await asyncio.gather(*tasks)
        assert pool.runs == [[(1, 2)], [(1, 2)], [(20, 2)], [(1, 2)]]

    scheduled(test, Pool(axes=None))


def test_a_delay_collects_rows():
    async def test(scheduler, pool):
        await asyncio.gather(*(scheduler.infer(rows(1)) for _ in range(5)))
        assert pool.runs == [[(5, 2)]]
        await asyncio.gather(*(scheduler.infer(rows(4)) for _ in range(2)))  # full: nothing is waited for
        assert pool.runs[1:] == [[(8, 2)]]

    scheduled(test, max_delay=0.2)


def test_a_full_queue_refuses():
    async def test(scheduler, pool):
        tasks = await held(scheduler, pool, rows(1), rows(1))
        with pytest.raises(Refusal, match="wait already") as caught:
            await scheduler.infer(rows(1))
        assert caught.value.status == 429 and caught.value.retry_after >= 1
        pool.gate.set()
        await asyncio.gather(*tasks)

    scheduled(test, queue=2)


def test_a_client_that_goes_away_leaves_the_queue():
    async def test(scheduler, pool):
        tasks = await held(scheduler, pool, rows(1, 5.0), rows(1, 6.0))
        tasks[1].cancel()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert scheduler.waiting == 1 and scheduler.oldest > 0
        pool.gate.set()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert isinstance(results[1], asyncio.CancelledError) and results[2][0][0, 0] == 12.0
        assert len(pool.runs) == 2

    scheduled(test)


def test_one_bad_request_does_not_spoil_the_others():
    async def test(scheduler, pool):
        tasks = await held(scheduler, pool, rows(1, 5.0), rows(1, 13.0), rows(1, 6.0))
        pool.gate.set()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert results[2].status == 400 and "no 13" in str(results[2])
        assert [results[i][0][0, 0] for i in (1, 3)] == [10.0, 12.0]

    assert scheduled(test) == []


def test_requests_of_a_worker_that_dies_are_done_again_and_the_deadly_one_gives_up():
    async def test(scheduler, pool):
        tasks = await held(scheduler, pool, rows(1, 5.0), rows(1, 66.0), rows(1, 6.0))
        pool.gate.set()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert results[2].status == 503 and [results[i][0][0, 0] for i in (1, 3)] == [10.0, 12.0]
        assert (await scheduler.infer(rows(1)))[0].shape == (1, 2)

    assert len(scheduled(test)) == 2


def test_workers_that_died_before_cost_no_request():
    async def test(scheduler, pool):
        pool.broken = 3
        assert (await scheduler.infer(rows(1)))[0].tolist() == [[2.0, 2.0]]

    assert len(scheduled(test, workers=2)) == 3
    assert len(scheduled(test, Pool(axes=None, stateful=True))) == 3


def test_a_model_that_changes_itself_runs_on_one_worker_and_nothing_twice():
    async def test(scheduler, pool):
        assert pool.started == 1
        with pytest.raises(Refusal) as caught:
            await scheduler.infer(rows(1, 66.0))
        assert caught.value.status == 503 and len(pool.runs) == 1

    scheduled(test, Pool(axes=None, stateful=True), workers=3)


def test_a_worker_that_runs_too_long_is_ended():
    async def test(scheduler, pool):
        pool.gate.clear()
        with pytest.raises(Refusal, match="longer than") as caught:
            await scheduler.infer(rows(1))
        assert caught.value.status == 504
        pool.gate.set()
        await scheduler.infer(rows(1))

    assert len(scheduled(test, timeout=0.1)) == 1


def test_inputs_of_unlike_rows_are_refused():
    async def test(scheduler, pool):
        with pytest.raises(Refusal, match="2 and 3 rows"):
            await scheduler.infer([np.ones((2, 2)), np.ones((3, 2))])

    scheduled(test)
