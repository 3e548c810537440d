"""Results that share memory with inputs: the trait `alias` says so, and plans keep that memory as long as the result."""

from __future__ import annotations

import daily
import numpy as np
import pytest

from tests.compiler.ops.idle_calls import idle_calls
from tests.compiler.ops.operator_table import SPECIAL, flat, run_kernel, same, unflatten
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.registry import REGISTRY
from to_static.compiler.ir.spec import spec_of
from to_static.compiler.ops import functions as F
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core import backend

EVERY_OP = sorted(set(REGISTRY) - SPECIAL)


def views(slots, results):
    """(flat input, result) of those that share memory."""
    return [
        (i, k)
        for i, array in enumerate(flat(slots))
        for k, result in enumerate(results)
        if isinstance(result, np.ndarray) and array.size and result.size and np.may_share_memory(array, result)
    ]


def calls(opdef):
    """The idle calls that the kernel can do, with what shares memory then. Kernels may not write into what they are given."""
    for slots, attrs in idle_calls(opdef):
        for array in flat(slots):
            array.setflags(write=False)
        try:
            results = run_kernel(opdef, slots, attrs)
        except Exception as error:
            assert "read-only" not in str(error), f"{opdef.name} writes into its input: {attrs}"
            continue
        yield slots, attrs, views(slots, results)


@pytest.mark.parametrize("name", daily.some("views", EVERY_OP, 120))
def test_only_results_of_alias_operators_are_views_and_of_input_0(name):
    opdef = REGISTRY[name]
    planned = []  # a call of every operator, and one that gives a view
    for slots, attrs, found in calls(opdef):
        allowed = "alias" in opdef.traits and isinstance(slots[0], np.ndarray)
        right = all(allowed and i == 0 for i, _ in found)
        assert right, f"{name} {attrs} of {[a.shape for a in flat(slots)]}: results are views {found}"
        if not planned or (found and not any(planned)):
            planned.append(bool(found))
            plan_keeps_the_memory(opdef, slots, attrs)


def plan_keeps_the_memory(opdef, slots, attrs):
    """The result of an operator on memory of the plan's own is right although others want that memory afterwards."""
    builder = Builder()
    with mode.use(builder):
        feeds = [builder.feed(spec_of(a), f"x{i}") for i, a in enumerate(flat(slots))]
        own = [F.add(x, 0.0) if x.dtype.is_floating else x for x in feeds]
        results = opdef.emit(*unflatten(slots, own), **attrs)
        others = [F.sum(F.tanh(x)) for x in feeds if x.dtype.is_floating]
    program = builder.finish([*(results if opdef.multi else [results]), *others])
    plan = compile_plan(program, backend.NUMPY)
    backend.seed(7)
    expected = interpret(program, flat(slots), backend.NUMPY)
    backend.seed(7)
    found = plan(*flat(slots))
    plan(*[(a * 0.5).astype(a.dtype) if a.dtype.kind == "f" else a for a in flat(slots)])  # what was returned is the caller's
    for actual, right in zip(found, expected, strict=True):
        same(actual, right, rtol=1e-5)
