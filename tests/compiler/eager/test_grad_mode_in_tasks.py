"""Guards around an ``await`` are of their asyncio task alone; decorated coroutines and generators leave their callers' mode."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import threading

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.ir import mode

GUARDS = {
    "no_grad": (paddle.no_grad, lambda: not paddle.is_grad_enabled()),
    "set_grad_enabled": (lambda: paddle.set_grad_enabled(False), lambda: not paddle.is_grad_enabled()),
    "hooks": (
        lambda: paddle.autograd.saved_tensors_hooks(lambda x: x, lambda x: x),
        lambda: type((_x() * _x())._node.inputs[0]).__name__ == "Packed",
    ),
    "LazyGuard": (paddle.LazyGuard, lambda: bool(np.isnan(paddle.nn.Linear(1, 1).weight.numpy()).any())),
    "a Program": (lambda: mode.use(paddle.static.Program().builder), mode.building),
}


def _x():
    return paddle.to_tensor([1.0, 2.0], stop_gradient=False)


@pytest.mark.parametrize("name", GUARDS)
def test_a_guard_around_an_await_is_of_its_task(name):
    guard, inside = GUARDS[name]
    seen = []

    async def guarded(entered, left):
        with guard():
            assert inside()
            entered.set()
            await left.wait()
            assert inside()
        assert not inside()

    async def other(entered, left):
        await entered.wait()
        seen.append(inside())
        with guard():
            await asyncio.sleep(0)
        seen.append(inside())
        left.set()
        await asyncio.sleep(0)
        seen.append(inside())

    async def main():
        entered, left = asyncio.Event(), asyncio.Event()
        await asyncio.gather(guarded(entered, left), other(entered, left))
        assert not inside()

    asyncio.run(main())
    assert seen == [False, False, False] and not inside()


def test_a_task_begins_in_the_mode_of_who_makes_it_and_a_thread_records():
    async def ask():
        await asyncio.sleep(0)
        return paddle.is_grad_enabled()

    async def main():
        with paddle.no_grad():
            task = asyncio.ensure_future(ask())
            there = await asyncio.to_thread(paddle.is_grad_enabled)
        return paddle.is_grad_enabled(), await task, there

    assert asyncio.run(main()) == (True, False, False)
    found = []
    with paddle.no_grad():
        thread = threading.Thread(target=lambda: found.append(paddle.is_grad_enabled()))
        thread.start()
        thread.join()
    assert found == [True]


def test_many_tasks_with_gradients_and_without():
    w = _x()

    async def work(k):
        for step in range(20):
            if (k + step) % 2:
                with paddle.no_grad():
                    await asyncio.sleep(0)
                    assert (w * k).stop_gradient
                    with paddle.enable_grad():
                        await asyncio.sleep(0)
                        assert not (w * k).stop_gradient
            else:
                await asyncio.sleep(0)
                assert not (w * k).stop_gradient

    async def main():
        await asyncio.gather(*map(work, range(10)))

    asyncio.run(main())


def test_a_static_function_follows_the_mode_of_the_task():
    f = paddle.jit.to_static(lambda x: x * 2)
    w = _x()

    async def without():
        with paddle.no_grad():
            for _ in range(5):
                assert f(w).stop_gradient
                await asyncio.sleep(0)

    async def recorded():
        for _ in range(5):
            assert not f(w).stop_gradient
            await asyncio.sleep(0)

    async def main():
        await asyncio.gather(without(), recorded(), without(), recorded())

    asyncio.run(main())


@pytest.mark.parametrize("decorate", [paddle.no_grad, paddle.no_grad(), lambda f: paddle.set_grad_enabled(False)(f)])
@pytest.mark.parametrize("partial", [False, True])
def test_a_decorated_coroutine(decorate, partial):
    async def work(x):
        assert not paddle.is_grad_enabled()
        await asyncio.sleep(0)
        return x * 2

    work = decorate(functools.partial(work) if partial else work)

    async def main():
        task = asyncio.ensure_future(work(_x()))
        await asyncio.sleep(0)
        assert paddle.is_grad_enabled()
        assert (await task).stop_gradient and paddle.is_grad_enabled()
        assert (await work(_x())).stop_gradient and paddle.is_grad_enabled()

    asyncio.run(main())


def test_a_decorated_async_generator():
    ended = []

    @paddle.no_grad()
    async def items():
        try:
            got = yield paddle.is_grad_enabled()
            await asyncio.sleep(0)
            try:
                yield got, paddle.is_grad_enabled()
            except KeyError:
                yield "caught", paddle.is_grad_enabled()
        finally:
            ended.append(paddle.is_grad_enabled())

    async def main():
        steps = items()
        assert await steps.__anext__() is False and paddle.is_grad_enabled()
        assert await steps.asend(3) == (3, False) and paddle.is_grad_enabled()
        assert await steps.athrow(KeyError()) == ("caught", False) and paddle.is_grad_enabled()
        await steps.aclose()
        assert ended == [False] and [x async for x in items()] == [False, (None, False)]
        assert paddle.is_grad_enabled()

    asyncio.run(main())


def test_a_decorated_generator_takes_what_is_sent_and_thrown():
    ended = []

    @paddle.no_grad()
    def items():
        try:
            got = yield paddle.is_grad_enabled()
            try:
                yield got, paddle.is_grad_enabled()
            except KeyError:
                yield "caught", paddle.is_grad_enabled()
            return 7
        finally:
            ended.append(paddle.is_grad_enabled())

    steps = items()
    assert next(steps) is False and paddle.is_grad_enabled()
    assert steps.send(3) == (3, False) and paddle.is_grad_enabled()
    assert steps.throw(KeyError()) == ("caught", False) and paddle.is_grad_enabled()
    with pytest.raises(StopIteration) as stop:
        next(steps)
    assert stop.value.value == 7 and ended == [False]
    steps = items()
    next(steps)
    with pytest.raises(ValueError, match="mine"):
        steps.throw(ValueError("mine"))
    steps = items()
    next(steps)
    steps.close()
    assert ended == [False] * 3 and paddle.is_grad_enabled()


def test_a_generator_may_end_in_another_context():
    def items():
        with paddle.no_grad():
            yield 1

    steps = items()
    contextvars.copy_context().run(next, steps)
    assert paddle.is_grad_enabled()
    steps.close()  # no error, and what it gives back is what was there
    assert paddle.is_grad_enabled()
