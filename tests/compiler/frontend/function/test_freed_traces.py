"""What a trace needs is freed when the trace is over: what waits for the garbage collector makes later calls of others slow.

A full collection looks at every object of the process. It comes the more often, the more objects wait for it.
"""

from __future__ import annotations

import contextlib
import gc
from collections import Counter

import pytest

import to_static as paddle
from to_static.compiler.frontend.function.program.tracing_builder import TracingBuilder
from to_static.compiler.frontend.tracing.gradients import Gradients
from to_static.compiler.frontend.tracing.side_effects import SideEffects
from to_static.compiler.frontend.tracing.trace_context import TraceContext
from to_static.compiler.frontend.tracing.untranslated_code import UntranslatedReads
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.runtime.codegen import Generated
from to_static.compiler.runtime.memory_plan.buffer_views import PlanViews
from to_static.compiler.runtime.schedule import KernelCall, Schedule, Value

OF_A_TRACE = [TracingBuilder, Builder, TraceContext, SideEffects, UntranslatedReads, Gradients, Variable]
OF_A_PLAN = [Schedule, Generated, PlanViews, KernelCall, Value]


@contextlib.contextmanager
def without_collections():
    """No garbage collection inside, and nothing left of before."""
    gc.collect()
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def living(classes):
    """How many objects of each class there are."""
    counts = Counter(map(type, gc.get_objects()))
    return {cls.__name__: counts[cls] for cls in classes if counts[cls]}


def plain(x, mode):
    return paddle.tanh(x) * 2 if mode else x


def ends_in_python(x, mode):
    if mode == "python":
        print(float(x.sum()), end="")
    return x * 2


def with_branches(x, mode):
    if x.sum() > 1:
        x = x - 1
    return x


NET = paddle.nn.Sequential(paddle.nn.Linear(4, 4), paddle.nn.ReLU(), paddle.nn.Linear(4, 4))


def with_layers(x, mode):
    y = NET(x)
    if mode:
        y.sum().backward()
    return y


@pytest.mark.parametrize("function", [plain, with_branches, with_layers, ends_in_python])
def test_a_trace_and_its_plans_are_freed_without_a_collection(function):
    static = paddle.jit.to_static(function)
    x = paddle.ones([3, 4])
    with without_collections():
        before = living(OF_A_TRACE + OF_A_PLAN)
        for mode in ("", "a", "python", 2):
            static(x, mode)
        assert static.get_traced_count() > 1
        assert living(OF_A_TRACE + OF_A_PLAN) == before


def test_a_further_trace_leaves_nothing_to_collect():
    static = paddle.jit.to_static(plain)
    for mode in (1, 2):
        static(paddle.ones([3, 4]), str(mode))
    with without_collections():
        for mode in (3, 4):
            static(paddle.ones([3, 4]), str(mode))
        assert gc.collect() < 20
        assert static.get_traced_count() == 4
