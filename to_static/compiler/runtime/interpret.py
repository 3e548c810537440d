"""The reference interpreter: it runs a Program op by op, slowly and obviously. Tests compare every plan with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir.program import Block, Op, Program, Var, hold
from to_static.compiler.runtime.diagnostics.runtime_shape_check import kernel_of
from to_static.core.backend import Backend

Watch = Callable[[Op, Any], None]


def interpret(
    program: Program, feeds: list[Any], backend: Backend, update_state: bool = True, watch: Watch | None = None
) -> list[Any]:
    """Run a Program on arrays of ``backend``: one per feed, in order; returns one per output.

    New values of the Program's state are stored in their holders, unless ``update_state`` is False. ``watch`` is called with each
    operator that ran, and its results.
    """
    params = {var: var.holder._array for var in program.params}
    results = run_block(program.block, feeds, backend, params, watch)
    count = len(results) - len(program.state)
    if update_state:
        for var, value in zip(program.state, results[count:], strict=True):
            hold(var.holder, value)
    return results[:count]


def run_block(
    block: Block,
    args: list[Any],
    backend: Backend,
    env: dict[Var, Any] | None = None,
    watch: Watch | None = None,
    spent: Mapping[Op, Sequence[Var]] | None = None,
) -> list[Any]:
    """Run a closed block on argument values; returns its results.

    ``env``: values of Vars that are known before; ``watch``: see `interpret`; ``spent``: values that are dropped after an op.
    """
    env = {} if env is None else env
    env.update(zip(block.args, args, strict=True))
    for op in block.ops:
        inputs: list[Any] = [
            None if v is None else [env[u] for u in v] if isinstance(v, tuple) else env[v] for v in op.inputs
        ]
        if op.name == "cond":
            results = run_block(op.blocks[0 if bool(inputs[0]) else 1], inputs[1], backend, watch=watch)
        elif op.name == "while_loop":
            (values,) = inputs
            n = op.attrs["carried"]
            while bool(run_block(op.blocks[0], values, backend, watch=watch)[0]):
                values = run_block(op.blocks[1], values, backend, watch=watch) + values[n:]
            results = values[:n]
        else:
            results = kernel_of(op, backend.name)(backend.xp, *inputs, **op.attrs)
            if not op.opdef.multi:
                results = (results,)
        if watch is not None:
            watch(op, results)
        for var, value in zip(op.outputs, results, strict=True):
            env[var] = np.asarray(value) if isinstance(value, np.generic) else value
        if spent is not None:
            for var in spent.get(op, ()):
                del env[var]
    return [env[v] for v in block.results]
