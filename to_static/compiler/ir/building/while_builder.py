"""`WhileLoopBuilder` builds a ``while_loop`` op: it traces the body again until the carried specs are stable. `Builder` calls it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from to_static.compiler.ir import registry
from to_static.compiler.ir.program import Var
from to_static.compiler.ir.spec import Spec, join
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.core.diagnostics.source_location import capture, report
from to_static.core.errors import ProgramError, ShapeError, TranslationError

if TYPE_CHECKING:
    from to_static.compiler.ir.building.builder import Builder


class WhileLoopBuilder:
    """A loop under construction: its body is traced again until the carried specs and rebound handles are stable."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.handles: dict[Variable, Spec] = {}  # outer handles that an iteration rebinds
        self.stops: dict[Variable, bool] = {}  # whether their gradients stop

    def traced(
        self,
        cond_fn: Callable[..., Any],
        body_fn: Callable[..., list[Any] | None],
        init: list[Any],
        wider: dict[int, Spec] | None = None,
    ) -> list[Variable] | None:
        """Append the op that carries ``init``; returns its results. See `Builder.while_loop`.

        ``wider``: index of a variable -> its spec, if not that of ``init``. If a body returns None, nothing is appended, and None
        is returned: the caller calls again with another ``init``, and the specs of rebound handles are kept.
        """
        builder = self.builder
        start: list[Var] = [builder.var(x) for x in init]
        specs: list[Any] = [(wider or {}).get(i, v.spec) for i, v in enumerate(start)]
        stops = [v.stop_gradient for v in start]
        for _ in range(len(specs) + 16):
            body = builder.trace_block(body_fn, specs, self.handles, [*stops], self.stops)
            stable = self._is_stable(body.rebound)
            if body.value is None:
                return None
            with builder.resume(body):
                values = [builder.result_of(body, x) for x in body.value]
            if len(values) != len(specs):
                raise ProgramError(f"a loop body got {len(specs)} values and returned {len(values)}")
            for i, value in enumerate(values):
                joined = join(specs[i], value.spec)
                if joined is None:
                    raise ShapeError(
                        f"loop variable {i} is {specs[i]} before an iteration and {value.spec} after it: rank and dtype "
                        "must stay the same"
                    )
                if joined != specs[i]:
                    specs[i], stable = joined, False
                if stops[i] and not value.stop_gradient:
                    stops[i], stable = False, False
            if not stable:
                continue
            test = builder.trace_block(cond_fn, specs, self.handles, [*stops], self.stops)
            with builder.resume(test):
                test.block.results = [builder.result_of(test, test.value)]
            if self._is_stable(test.rebound):
                break
        else:
            raise ShapeError("the shapes of the loop variables do not become stable")
        if any(test.rebound[h] not in test.block.args for h in test.rebound):
            text = "a loop condition changes a tensor in place"
            rewrite = "move the change into the loop's body: `while True: x.add_(1)`, and `break`"
            raise TranslationError(report(text, capture(), rewrite))
        order = list(self.handles)
        carried = len(specs) + len(order)
        body.block.results = values + [builder.result_of(body, h) for h in order]
        operands = builder.close([test, body], carried)
        first = start + [builder.var(h) for h in order]
        op = builder.append(
            registry.get("while_loop"),
            (tuple(first + operands),),
            {"carried": carried},
            tuple(specs) + tuple(self.handles[h] for h in order),
            (test.block, body.block),
        )
        for var, value, begin in zip(op.outputs, body.block.results, first, strict=True):
            var.stop_gradient = value.stop_gradient and begin.stop_gradient
        results = [Variable(v, builder) for v in op.outputs]
        for handle, result in zip(order, results[len(specs) :], strict=True):
            builder.hold(handle, result)
        return results[: len(specs)]

    def _is_stable(self, rebound: dict[Variable, Var]) -> bool:
        """Join the specs of rebound handles with those of earlier traces; returns False if this changed one."""
        stable = True
        for handle, value in rebound.items():
            carried_spec = self.handles.get(handle)
            joined = join(carried_spec or handle.ssa.spec, value.spec)
            if joined is None:
                raise ShapeError(f"a tensor changed in place in a loop is {handle.ssa.spec} before and {value.spec} after")
            stop = self.stops.get(handle, handle.ssa.stop_gradient) and value.stop_gradient
            stable = stable and joined == carried_spec and stop is self.stops.get(handle)
            self.handles[handle], self.stops[handle] = joined, stop
        return stable
