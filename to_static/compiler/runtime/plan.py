"""`compile_plan`: a Program becomes a `Plan`, a callable of arrays."""

from __future__ import annotations

import copy
import itertools
import linecache
import types
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from to_static.compiler.ir.program import LazyClone, Op, Program, reseat
from to_static.compiler.runtime.codegen import Generated
from to_static.compiler.runtime.diagnostics import op_profiler
from to_static.compiler.runtime.diagnostics.debug_probe import Probe
from to_static.compiler.runtime.diagnostics.failure import explain
from to_static.compiler.runtime.memory_plan.arena import MemoryPlan, MemoryReport
from to_static.compiler.runtime.memory_plan.buffer_reuse import own_all
from to_static.compiler.runtime.schedule import Schedule
from to_static.compiler.runtime.weight_preprocessing import Prologue
from to_static.compiler.runtime.writes.donation import donates_state, state_of
from to_static.compiler.runtime.writes.stores import Stores
from to_static.core.atomic import Steps, commit
from to_static.core.backend import Backend
from to_static.core.caching.weak_tables import forgets
from to_static.core.code_generation import define, lines_of, remarked
from to_static.core.flags import debug
from to_static.core.log import log

if TYPE_CHECKING:
    from to_static.compiler.runtime.diagnostics.op_profiler import Recorder
    from to_static.core.array_types import Array

_numbers = itertools.count()


class Lines(list[str]):
    """The lines of a plan's source, which are there as long as the function that they are of."""

    reader: weakref.ref[Any]


class _Lines(dict[int, Op]):
    """The operators of lines, which live as long as a function of a plan with this text."""


class Plan:
    """A Program compiled for a backend: call it with one array per feed, get a tuple with one array per output.

    The arrays must have the shapes and dtypes of the Program's feeds (`PlanExecutor` checks that, a plan does not).
    Parameters are read when it is called; new values of the Program's state are stored at the end of a call that
    succeeds. Results are never overwritten by later calls. A plan may be called from several threads at once: each call
    takes a set of buffers of its own.

    Attributes: ``program``, ``source`` (the generated Python with remarks on its lines), ``nbytes`` (size of one set of buffers),
    ``call`` (the bare function, the fastest way to run it but for what it does itself: `take` a function with its buffers,
    `make` one where that raises IndexError, and `give` it back after the run), ``stores`` (where a run writes state; None where it
    has none), ``attempt`` (a run that leaves the writing to its caller: it returns results, and steps for `core.atomic.commit`).

    Example:
        >>> plan = compile_plan(program, backend)
        >>> [y] = plan(x)
    """

    def __init__(self, program: Program, backend: Backend, update_state: bool = True, weights_frozen: bool = False) -> None:
        self._program = LazyClone(program)
        self.backend = backend
        self.prologue = Prologue(program, backend) if weights_frozen else None
        last = donates_state(program) if update_state and backend.name == "numpy" else []
        schedule = Schedule(program, backend, self.prologue, last, update_state and program.writes_outside)
        self._written = [var.holder for op in last for var in state_of(op)]  # over which the last operators write
        memory = MemoryPlan(schedule)
        probe = Probe(backend) if debug.value >= 5 else None
        generated = Generated(schedule, memory, probe, update_state)
        self.source = remarked(generated.source, generated.remarks)
        self.stores = Stores(program, last, bool(last) or bool(schedule.in_place.logged)) if generated.commits else None
        self.nbytes = memory.nbytes
        self._memory = memory
        self.steps = len(schedule.calls)
        self.filename = f"<plan {next(_numbers)}>"
        lines = Lines(lines_of(self.source))
        linecache.cache[self.filename] = (len(self.source), None, lines, self.filename)
        self._space = define(generated.source, generated.namespace, self.filename)
        self._measured = program, backend, self.prologue, last, update_state, self.filename
        self._other: Callable[[Any], Any] | None = None
        self._lines = _Lines(generated.lines)
        self._ready()
        self._free.append(self.make())
        lines.reader = weakref.ref(self._lines, forgets(linecache.cache, self.filename))
        log(2, f"{self!r}: {memory.nbytes} bytes of buffers ({memory.unshared} without sharing)")
        log(4, f"{self!r}\n{self.source}")

    def _ready(self) -> None:
        """Store the functions that create, take and return the generated function."""
        space, memory, backend, measured, other = self._space, self._memory, self.backend, self._measured, self._other

        def make() -> Any:
            recorder = op_profiler.recorder()
            return space["make"](*memory.allocate(backend)) if recorder is None else _measured(recorder, other, *measured)

        self.make = make
        self._free = op_profiler.stock([])  # functions, each with its own buffers, that no call is using
        self.take, self.give = self._free.pop, self._free.append
        self.call, self.attempt = self._callables()

    @property
    def program(self) -> Program:
        """The Program."""
        return self._program()

    def with_holders(self, replacement: Callable[[Any], Any]) -> Plan:
        """Return a plan of the same code on other holders. ``replacement``: a holder or other object -> the new one, or itself."""
        copied, old = copy.copy(self), self.prologue
        copied._program = LazyClone(self._program, replacement)
        if old is not None:
            new = copied.prologue = old.with_holders(replacement)
            copied._other = lambda thing: new if thing is old else replacement(thing)
        else:
            copied._other = replacement
        copied.stores = None if self.stores is None else self.stores.with_holders(replacement)
        copied._written = list(map(replacement, self._written))
        copied._space = _moved(self._space, copied._other)
        copied._ready()
        return copied

    def reseat(self, others: dict[int, Any]) -> None:
        """Run on other holders from now on: ``others`` maps the id of a holder to its replacement. Runs write to none of them."""
        reseat(self._space, others)
        self._program.reseat(others)
        if self.prologue is not None:
            holders = self.prologue.holders
            holders[:] = [others.get(id(holder), holder) for holder in holders]

    def release(self) -> None:
        """Free the buffers and the values computed from weights; the next call makes new ones."""
        self._free.clear()
        if self.prologue is not None:
            self.prologue.release()

    def __call__(self, *arrays: Array) -> tuple[Any, ...]:
        """Run on one array per feed; returns one array per output."""
        return self.call(*arrays)

    def _callables(self) -> tuple[Callable[..., tuple[Any, ...]], Callable[..., tuple[tuple[Any, ...], list[Steps]]]]:
        make, take, give = self.make, self.take, self.give
        filename, lines = self.filename, self._lines

        def call(*arrays: Array) -> tuple[Any, ...]:
            try:
                run = take()  # atomic, so no lock is needed
            except IndexError:
                run = make()
            try:
                return run(*arrays)
            except Exception as error:
                reported = explain(error, filename, lines)
                if reported is error:
                    raise
                raise reported from error
            finally:
                give(run)

        stores = self.stores
        if stores is None:
            return call, lambda *arrays: (call(*arrays), [])

        written = self._written

        def attempt(*arrays: Array) -> Any:
            if written:
                own_all(written)
            try:
                run = take()
            except IndexError:
                run = make()
            try:
                results, values, later = run(*arrays)
            except Exception as error:
                give(run)
                reported = explain(error, filename, lines)
                if reported is error:
                    raise
                raise reported from error
            return results, [*later, *stores.steps(values), map(give, (run,))]  # until then it needs its buffers

        def committed(*arrays: Array) -> Any:
            results, steps = attempt(*arrays)
            commit(steps)
            return results

        return committed, attempt

    def call_lines(self, prefix: str, results: str, arguments: str, failed: str) -> tuple[dict[str, Any], list[str]]:
        """Return source lines that run the plan, and the names they use (each starts with ``prefix``), for generated callers.

        The lines take a function with its buffers, assign ``results``, and give the function back. If the run raises, they execute
        the statement ``failed`` instead. If a run changes state, the lines also assign ``new`` (the values for `stores`) and
        ``later`` (the steps before them). Then the caller must call ``give(run)`` after the commit, and make sure that no tensor of
        the state shares memory with the buffers.
        """
        take, give, make = (prefix + word for word in ("take", "give", "make"))
        lines = ["try:", f"    run = {take}()", "except IndexError:", f"    run = {make}()"]
        failing = ["except (Exception, SystemExit):", f"    {failed}"]
        if self.stores is not None:
            lines += ["try:", f"    {results}, new, later = run({arguments})", failing[0], f"    {give}(run)", failing[1]]
            return {take: self.take, give: self.give, make: self.make}, lines
        lines += ["try:", f"    {results} = run({arguments})", *failing]
        return {take: self.take, give: self.give, make: self.make}, [*lines, "finally:", f"    {give}(run)"]

    def memory_report(self) -> MemoryReport:
        """Return the bytes of the plan's buffers, of its weights, and of the values that it computed from weights.

        Example:
            >>> print(plan.memory_report())
        """
        constants = [op.attrs["value"] for op in self.program.block.walk() if op.name == "constant"]
        arrays = [*(v.holder._array for v in self.program.params), *constants]
        weights = sum(a.nbytes for a in arrays if hasattr(a, "nbytes"))
        return self._memory.report(weights, self.prologue.nbytes if self.prologue is not None else 0)

    def __repr__(self) -> str:
        return f"Plan({self.steps} steps, {len(self.program.feeds)} feeds, {len(self.program.outputs)} outputs)"


def _moved(space: dict[str, Any], other: Callable[[Any], Any] | None) -> dict[str, Any]:
    """The namespace of a plan with other objects in it, and its function of these."""
    if other is None:
        return space
    replaced = {name: other(thing) for name, thing in space.items()}
    replaced["make"] = types.FunctionType(space["make"].__code__, replaced)
    return replaced


def _measured(
    recorder: Recorder,
    other: Callable[[Any], Any] | None,
    program: Program,
    backend: Backend,
    prologue: Prologue | None,
    last: list[Op],
    update_state: bool,
    filename: str,
) -> Any:
    """The function of a plan that calls ``recorder`` after every operator. ``other``: see `Plan.with_holders`."""
    schedule = Schedule(program, backend, prologue, last, update_state and program.writes_outside)
    memory = MemoryPlan(schedule)
    generated = Generated(schedule, memory, recorder, update_state)
    mine = filename.replace("plan", "measured plan")  # its lines are others
    space = _moved(define(generated.source, generated.namespace, mine), other)
    run = recorder.around(space["make"](*memory.allocate(backend)), filename.strip("<>"))

    def profiled(*arrays: Array) -> tuple[Any, ...]:
        try:
            return run(*arrays)  # type: ignore[no-any-return]
        except Exception as error:
            raise explain(error, mine, generated.lines) from error.__cause__

    return profiled


def compile_plan(program: Program, backend: Backend, update_state: bool = True, weights_frozen: bool = False) -> Plan:
    """Compile ``program`` as it is into a `Plan` for ``backend``.

    Ops whose shapes are unknown run without preallocated buffers; `PlanExecutor` first makes the feeds' shapes known.
    ``update_state=False`` leaves the holders of the Program's state alone. ``weights_frozen``: weights seldom change, so that what
    depends on them alone is kept from call to call.
    """
    return Plan(program, backend, update_state, weights_frozen)
