"""Schedules: the steps of a program that are recorded."""

from __future__ import annotations

import enum
import warnings
from collections.abc import Callable


class ProfilerState(enum.Enum):
    """The states of a `Profiler` in a step: closed, ready, recording, or recording the last step before it returns.

    Example:
        >>> paddle.profiler.ProfilerState.RECORD.name
        'RECORD'
    """

    CLOSED = 0
    READY = 1
    RECORD = 2
    RECORD_AND_RETURN = 3


class ProfilerTarget(enum.Enum):
    """The devices that can be measured; here the processor (`CPU`).

    Example:
        >>> paddle.profiler.ProfilerTarget.CPU.name
        'CPU'
    """

    CPU = 0
    GPU = 1
    XPU = 2
    CUSTOM_DEVICE = 3


def make_scheduler(
    *, closed: int, ready: int, record: int, repeat: int = 0, skip_first: int = 0
) -> Callable[[int], ProfilerState]:
    """A function that says for the number of a step what a `Profiler` does in it.

    After ``skip_first`` steps come periods of ``closed`` steps of nothing, ``ready`` of getting ready and ``record`` of recording,
    the last of which gives the result; ``repeat`` of them, or without end when that is 0. Raises AssertionError for counts below 0
    and for ``record=0``, as Paddle.

    Example:
        >>> state = paddle.profiler.make_scheduler(closed=1, ready=1, record=2)
        >>> [state(step).name for step in range(5)]
        ['CLOSED', 'READY', 'RECORD', 'RECORD_AND_RETURN', 'CLOSED']

    Source: PaddlePaddle 2.6, ``paddle.profiler.make_scheduler``.
    """
    if min(closed, ready, repeat, skip_first) < 0 or record <= 0:
        raise AssertionError("Invalid profiler scheduler arguments: counts are 0 or more, record 1 or more")
    if ready == 0:
        warnings.warn("with ready=0 what is recorded first may be noisy: it holds what getting ready costs", stacklevel=2)
    period = closed + ready + record

    def state(step: int) -> ProfilerState:
        if step < 0:
            raise AssertionError(f"steps are counted from 0, got {step}")
        rounds, position = divmod(step - skip_first, period)
        if step < skip_first or (repeat > 0 and rounds >= repeat) or position < closed:
            return ProfilerState.CLOSED
        if position < closed + ready:
            return ProfilerState.READY
        return ProfilerState.RECORD if position < period - 1 else ProfilerState.RECORD_AND_RETURN

    return state


def always(step: int) -> ProfilerState:
    """Recording from beginning to end."""
    return ProfilerState.RECORD
