"""`PlanExecutor` runs one Program on inputs of many shapes, with a bounded number of plans, each for one combination of shapes.

Static functions, predictors and `static.Executor` run their Programs through it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from to_static.compiler.ir.program import LazyClone, Program
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.runtime.plan import Plan, compile_plan
from to_static.compiler.runtime.plan_cache import PlanCache
from to_static.core.atomic import Steps
from to_static.core.backend import Backend
from to_static.core.diagnostics.printable import printable
from to_static.core.errors import DTypeError, ShapeError
from to_static.core.log import log
from to_static.core.processes.compile_lock import COMPILE_LOCK

if TYPE_CHECKING:
    from to_static.core.array_types import Array


class PlanExecutor:
    """A Program that runs on any shapes its feeds allow.

    ``prepare(program, shapes)`` returns the Program that is compiled for these shapes
    (`optimize_for` of `passes.simplify.specialize_shapes`). Without it, results of unknown shapes have no buffers.
    ``update_state``, ``weights_frozen``: see `compile_plan`.

    Example:
        >>> run = PlanExecutor(program, backend, optimize_for)
        >>> [y] = run(x)
    """

    def __init__(
        self,
        program: Program,
        backend: Backend,
        prepare: Callable[[Program, Sequence[Any]], Program] | None = None,
        update_state: bool = True,
        weights_frozen: bool = False,
    ) -> None:
        self.weights_frozen = weights_frozen
        self._program = LazyClone(program)
        self.backend = backend
        self.prepare = prepare
        self.update_state = update_state
        specs = [v.spec for v in program.params]
        weights = sum(spec.size for spec in specs if isinstance(spec, TensorSpec) and spec.is_static)
        constants = sum(op.attrs["value"].size for op in program.block.ops if op.name == "constant")
        self._cache = PlanCache(weights + constants)
        self._plans = self._cache.young
        self._general: Plan | None = None  # the plan for any shapes

    @property
    def program(self) -> Program:
        """The Program."""
        return self._program()

    def with_holders(self, replacement: Callable[[Any], Any]) -> PlanExecutor:
        """Return a copy whose plans use other holders: ``replacement`` maps each holder to the one that takes its place."""
        copied = copy.copy(self)
        copied._program = LazyClone(self._program, replacement)
        copied._cache = self._cache.with_holders(replacement)
        copied._plans = copied._cache.young
        copied._general = None if self._general is None else self._general.with_holders(replacement)
        return copied

    def reseat(self, replacements: dict[int, Any]) -> None:
        """See `Plan.reseat`."""
        self._program.reseat(replacements)
        for plan in self._cache.plans() + ([] if self._general is None else [self._general]):
            plan.reseat(replacements)

    def __call__(self, *arrays: Array) -> tuple[Any, ...]:
        """Run on one array per feed; returns one array per output.

        Raises ShapeError or DTypeError, naming the feed, when an array does not fit it.
        """
        plan = self._plans.get(tuple([(a.shape, a.dtype) for a in arrays]))
        if plan is None:
            plan = self.plan_for(arrays)
        return plan.call(*arrays)

    def attempt(self, *arrays: Array) -> tuple[tuple[Any, ...], list[Steps]]:
        """A run that leaves the writing of state to the caller: the results, and the steps for `core.atomic.commit`."""
        return self.plan_for(arrays).attempt(*arrays)

    def plan_for(self, arrays: Sequence[Any]) -> Plan:
        """Return the plan for arrays of these shapes, which is compiled if there is none yet.

        Shapes that are used too rarely for a plan of their own get the plan for any shapes.
        """
        self._check(arrays)
        key = tuple([(a.shape, a.dtype) for a in arrays])
        with COMPILE_LOCK:  # for changes of the cache only; a hit takes none
            plan = self._cache.find(key)
            if plan is None and self._cache.wants(key, sum([a.size for a in arrays])):
                log(1, f"no plan for shapes {[a.shape for a in arrays]} yet; {len(self._cache)} in the cache")
                plan = self._compile([a.shape for a in arrays], arrays)
                self._cache.add(key, plan)
            if plan is None:
                plan = self._general = self._general or self._compile([None] * len(arrays), arrays)
            return plan

    def plans(self) -> list[Plan]:
        """Return all plans, oldest first. If there are none, the plan for any shapes is compiled and returned."""
        with COMPILE_LOCK:
            all_plans = self._cache.plans() + ([] if self._general is None else [self._general])
            if not all_plans:
                self._general = self._compile([None] * len(self.program.feeds), ())
                all_plans = [self._general]
            return all_plans

    @property
    def nbytes(self) -> int:
        """The bytes of the buffers of all plans."""
        return self._cache.nbytes + (0 if self._general is None else self._general.nbytes)

    def release(self) -> None:
        """Free all buffers that no call is using; the next calls make new ones."""
        self._cache.release()
        if self._general is not None:
            self._general.release()

    def _compile(self, shapes: list[Any], arrays: Sequence[Any]) -> Plan:
        try:
            program = self.program if self.prepare is None else self.prepare(self.program, shapes)
        except Exception as error:  # an op refuses these shapes: run the ops before it first, which may print or raise
            completed = error.__dict__.pop("__completed__", None)
            if completed is not None:
                compile_plan(completed, self.backend, False).call(*arrays)
            raise
        return compile_plan(program, self.backend, self.update_state, self.weights_frozen)

    def _check(self, arrays: Sequence[Any]) -> None:
        feeds = self.program.feeds
        if len(arrays) != len(feeds):
            raise TypeError(f"expected {len(feeds)} inputs, got {len(arrays)}")
        for i, (array, feed) in enumerate(zip(arrays, feeds, strict=True)):
            spec = feed.spec
            if not isinstance(spec, TensorSpec):
                continue
            name = feed.name or f"number {i}"
            if array.dtype != spec.dtype.np:
                raise DTypeError(f"input {printable(name)} must be {spec.dtype.name}, got {array.dtype}")
            if len(array.shape) != spec.ndim or any(
                want not in (-1, have) for want, have in zip(spec.shape, array.shape, strict=True)
            ):
                raise ShapeError(f"input {printable(name)} must be {spec}, got an array of shape {list(array.shape)}")
