"""`compile_plan` compiles a Program into a `Plan`, a callable of arrays. `PlanExecutor` calls it for each combination of shapes."""

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

_plan_numbers = itertools.count()


class Lines(list[str]):
    """The lines of a plan's source in `linecache`. They are removed when the plan's functions are gone (``reader``)."""

    reader: weakref.ref[Any]


class _Lines(dict[int, Op]):
    """Line number -> op. It lives as long as a function of the plan; it is a class because dicts have no weak references."""


class Plan:
    """A Program compiled for a backend: call it with one array per feed, get a tuple with one array per output.

    The arrays must have the shapes and dtypes of the Program's feeds (`PlanExecutor` checks that, a plan does not).
    Parameters are read when it is called; new values of the Program's state are stored at the end of a call that
    succeeds. Results are never overwritten by later calls. A plan may be called from several threads at once: each call
    takes a set of buffers of its own.

    Attributes:
        program: the Program.
        source: the generated Python, with remarks on its lines.
        nbytes: the size of one set of buffers.
        call: the function behind ``__call__``. It takes a function with its buffers (`take`), makes one if that raises IndexError
            (`make`), and gives it back after the run (`give`). Generated callers do these steps themselves.
        stores: the holders to which a run writes state; None if the Program has no state.
        attempt: a run that leaves the writing to its caller: it returns the results, and steps for `core.atomic.commit`.

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
        self._written = [var.holder for op in last for var in state_of(op)]  # the last operators overwrite their arrays
        memory = MemoryPlan(schedule)
        probe = Probe(backend) if debug.value >= 5 else None
        generated = Generated(schedule, memory, probe, update_state)
        self.source = remarked(generated.source, generated.remarks)
        self.stores = Stores(program, last, bool(last) or bool(schedule.in_place.logged)) if generated.commits else None
        self.nbytes = memory.nbytes
        self._memory = memory
        self.steps = len(schedule.calls)
        self.filename = f"<plan {next(_plan_numbers)}>"
        lines = Lines(lines_of(self.source))
        linecache.cache[self.filename] = (len(self.source), None, lines, self.filename)
        self._space = define(generated.source, generated.namespace, self.filename)
        self._profile_arguments = program, backend, self.prologue, last, update_state, self.filename
        self._replacement: Callable[[Any], Any] | None = None
        self._lines = _Lines(generated.lines)
        self._ready()
        self._free.append(self.make())
        lines.reader = weakref.ref(self._lines, forgets(linecache.cache, self.filename))
        log(2, f"{self!r}: {memory.nbytes} bytes of buffers ({memory.unshared} without sharing)")
        log(4, f"{self!r}\n{self.source}")

    def _ready(self) -> None:
        """Store the functions that create, take and return the generated function."""
        space, memory, backend = self._space, self._memory, self.backend
        profile_arguments, replacement = self._profile_arguments, self._replacement

        def make() -> Any:
            recorder = op_profiler.recorder()
            if recorder is not None:
                return _profiled_run(recorder, replacement, *profile_arguments)
            return space["make"](*memory.allocate(backend))

        self.make = make
        self._free = op_profiler.stock([])  # functions, each with its own buffers, that no call is using
        self.take, self.give = self._free.pop, self._free.append
        self.call, self.attempt = self._callables()

    @property
    def program(self) -> Program:
        """The Program."""
        return self._program()

    def with_holders(self, replacement: Callable[[Any], Any]) -> Plan:
        """Return a plan with the same code and other holders.

        ``replacement``: maps an object of the plan's namespace to the new one; objects that are no holders map to themselves.
        """
        copied, old = copy.copy(self), self.prologue
        copied._program = LazyClone(self._program, replacement)
        if old is not None:
            new = copied.prologue = old.with_holders(replacement)
            copied._replacement = lambda value: new if value is old else replacement(value)
        else:
            copied._replacement = replacement
        copied.stores = None if self.stores is None else self.stores.with_holders(replacement)
        copied._written = list(map(replacement, self._written))
        copied._space = _with_objects(self._space, copied._replacement)
        copied._ready()
        return copied

    def reseat(self, replacements: dict[int, Any]) -> None:
        """Run on other holders from now on: ``replacements`` maps the id of a holder to the new one.

        The caller guarantees that runs write to none of these holders.
        """
        reseat(self._space, replacements)
        self._program.reseat(replacements)
        if self.prologue is not None:
            holders = self.prologue.holders
            holders[:] = [replacements.get(id(holder), holder) for holder in holders]

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
                results, values, deferred_writes = run(*arrays)
            except Exception as error:
                give(run)
                reported = explain(error, filename, lines)
                if reported is error:
                    raise
                raise reported from error
            return results, [*deferred_writes, *stores.steps(values), map(give, (run,))]  # the values may be in the run's buffers

        def committed(*arrays: Array) -> Any:
            results, steps = attempt(*arrays)
            commit(steps)
            return results

        return committed, attempt

    def call_lines(self, prefix: str, results: str, arguments: str, failed: str) -> tuple[dict[str, Any], list[str]]:
        """Return source lines that run the plan, and the names they use (each starts with ``prefix``), for generated callers.

        The lines take a function with its buffers, assign ``results``, and give the function back. If the run raises, they execute
        the statement ``failed`` instead. If a run changes state, the lines also assign ``new`` (the values for `stores`) and
        ``deferred_writes`` (the steps before them). Then the caller must call ``give(run)`` after the commit, and make sure that no
        tensor of the state shares memory with the buffers.
        """
        take, give, make = (prefix + word for word in ("take", "give", "make"))
        lines = ["try:", f"    run = {take}()", "except IndexError:", f"    run = {make}()"]
        failing = ["except (Exception, SystemExit):", f"    {failed}"]
        if self.stores is not None:
            lines += ["try:", f"    {results}, new, deferred_writes = run({arguments})", failing[0], f"    {give}(run)", failing[1]]
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


def _with_objects(space: dict[str, Any], replacement: Callable[[Any], Any] | None) -> dict[str, Any]:
    """A copy of a plan's namespace in which ``replacement`` maps each object, and ``make`` reads the copy."""
    if replacement is None:
        return space
    replaced = {name: replacement(value) for name, value in space.items()}
    replaced["make"] = types.FunctionType(space["make"].__code__, replaced)
    return replaced


def _profiled_run(
    recorder: Recorder,
    replacement: Callable[[Any], Any] | None,
    program: Program,
    backend: Backend,
    prologue: Prologue | None,
    last: list[Op],
    update_state: bool,
    filename: str,
) -> Any:
    """Generate the function of a plan anew, so that it calls ``recorder`` after every operator.

    ``replacement``: see `Plan.with_holders`; the other parameters are those of the plan.
    """
    schedule = Schedule(program, backend, prologue, last, update_state and program.writes_outside)
    memory = MemoryPlan(schedule)
    generated = Generated(schedule, memory, recorder, update_state)
    mine = filename.replace("plan", "measured plan")  # another name, since line numbers differ
    space = _with_objects(define(generated.source, generated.namespace, mine), replacement)
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
    ``update_state=False``: runs do not write the Program's state. ``weights_frozen``: weights seldom change, so values that depend
    only on weights are computed once and kept.
    """
    return Plan(program, backend, update_state, weights_frozen)
