"""In-place writes: operators of a plan that write a part of an input in its memory, so that `cache[i] = x` costs what it writes.

A value that a loop carries, or one that a tensor from outside holds before and after a run, may be written over where nobody reads
the old numbers after the write. A loop then begins with a copy, unless what it begins with is nobody else's; a run writes into the
array that the tensor has (`written_rows.Rows`), also in loops.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from to_static.compiler.runtime.schedule import KernelCall, LoopStep, Schedule, Value

OVERLAPPING = frozenset(("set_value",))  # operators that take what they write from where they write it


class Chain(NamedTuple):
    """A chain of writes from one value to another: the writes, and the values on the way, each with its first position."""

    writes: list[Any]
    same: list[Any]
    values: dict[Any, int]
    loops: list[tuple[Any, int]]  # loops that it goes through, each with the number of the variable


class InPlace:
    """The writes that ``schedule`` may do in place.

    ``calls``: operators that write over their input, ``logged``: those of them that do so in the memory of a tensor from outside,
    ``same``: copies between them that are none; ``entered``: (loop, number of a variable) that begin with a copy; ``taken``: root
    values whose arrays are written to, each with whether a loop does that; ``handed_back``: the numbers of the results that are
    these; ``early``: views of numbers that are written over later, which only the caller reads then: copied when they are made.

    ``state``: root values that runs change, each with the number of the result that is its new value.
    """

    def __init__(self, schedule: Schedule, state: list[tuple[Any, int]]) -> None:
        self.calls: set[Any] = set()
        self.same: set[Any] = set()
        self.handed_back: set[int] = set()
        self.logged: set[Any] = set()
        self.entered: list[tuple[Any, int]] = []
        self.taken: dict[Any, bool] = {}
        self.early: set[Any] = set()
        self._end: int = schedule.end
        self._reads: dict[Any, list[int]] = schedule._reads
        self._branches = schedule.branches
        self._makers = {v: call for call in schedule.calls for v in call.outputs[:1]}
        if not any(call.op.opdef.writes_a_part for call in schedule.calls):
            return
        self._merges = {v: (branch, k) for branch in schedule.branches for k, v in enumerate(branch.outputs)}
        self._carried = {v: (loop, k) for loop in schedule.loops for k, v in enumerate(loop.carried)}
        self._escaping = set(schedule._escaping)
        self._targets: dict[Any, list[Any]] = {}
        self._open: set[Any] = set()  # what loops carry, while it is looked where that comes from
        for source, target in schedule._edges:
            self._targets.setdefault(source, []).append(target)
        self._backs = {(r, c) for loop in schedule.loops for r, c in zip(loop.results, loop.carried, strict=True)}
        for old_value, result_index in state:
            chain = self._chain(old_value, schedule.results[result_index], None)
            if chain is not None and chain.writes and self._is_right(chain, None, None):
                self._take(chain)
                self.logged.update(chain.writes)
                self.taken[old_value] = bool(chain.loops)
                self.handed_back.add(result_index)
        for loop in reversed(schedule.loops):  # outer ones first
            for k, (carried, result) in enumerate(zip(loop.carried, loop.results, strict=True)):
                chain = self._chain(carried, result, loop)
                is_shared = chain is not None and not self.calls.isdisjoint(chain.writes)
                if chain is None or not chain.writes or is_shared or not self._is_right(chain, loop, k):
                    continue
                self._take(chain)
                self.entered.append((loop, k))

    def _take(self, chain: Chain) -> None:
        self.calls.update(chain.writes)
        self.same.update(chain.same)

    def _chain(self, first: Value, last: Value, loop: LoopStep | None) -> Chain | None:
        """Return the chain of writes from ``first`` to ``last``, through branches and loops; None if another op is between."""
        chain = Chain([], [], {first: first.defined_at}, [])
        return chain if self._trace(last, first, chain) else None

    def _trace(self, value: Value, first: Value, chain: Chain) -> bool:
        if value in chain.values:
            return True
        if value in self._merges:
            branch, k = self._merges[value]
            chain.values[value] = branch.spans[1][1]
            return all(self._trace(results[k], first, chain) for _, results in branch.sides)
        if value in self._carried:
            if value in self._open:
                return False  # variables of a loop that become one another
            loop, k = self._carried[value]
            self._open.add(value)
            inner = self._chain(value, loop.results[k], loop)
            self._open.discard(value)
            if inner is None or not self._trace(loop.first[k], first, chain):
                return False
            chain.writes.extend(inner.writes)
            chain.same.extend(inner.same)
            chain.values.update(inner.values)
            chain.loops.extend([*inner.loops, (loop, k)])
            return True
        call = self._makers.get(value)
        if call is None or not (call.op.opdef.writes_a_part or call.op.name == "assign"):
            return False
        chain.values[value] = call.position
        (chain.same if call.op.name == "assign" else chain.writes).append(call)
        return self._trace(call.inputs[0], first, chain)

    def _is_right(self, chain: Chain, loop: LoopStep | None, k: int | None) -> bool:
        """True if no number is read after it was written over."""
        positions = dict(chain.values)  # and views of these
        todo = list(positions)
        while todo:
            source = todo.pop()
            for target in self._targets.get(source, ()):
                if target not in positions and (source, target) not in self._backs:
                    positions[target] = target.defined_at
                    todo.append(target)
        if not self._escaping.isdisjoint(positions):
            return False
        inner = dict(chain.loops)
        early = set()
        if loop is None and not inner:
            early = {v for v in positions if v not in chain.values and self._is_early(v, chain)}
        for value in early:
            del positions[value]
        if loop is not None and any(result in positions for i, result in enumerate(loop.results) if i != k):
            return False
        if any(result in positions for other, n in inner.items() for i, result in enumerate(other.results) if i != n):
            return False
        if any(first in positions for other, n in inner.items() for i, first in enumerate(other.first) if i != n):
            return False
        end = float("inf") if loop is None else loop.end
        for value, first_position in positions.items():
            for position in self._reads.get(value, ()):
                if position > end:
                    made_now = end  # what the loop gives back
                elif value in self._carried and self._carried[value][0] in inner and position > self._carried[value][0].end:
                    made_now = self._carried[value][0].end
                else:
                    made_now = first_position
                if not all(self._may_read(value, made_now, position, write, inner) for write in chain.writes):
                    return False
        self.early |= early
        return True

    def _is_early(self, view: Value, chain: Chain) -> bool:
        """Return whether a view of the overwritten array is read after a later write, by the caller only; it is copied early."""
        call = self._makers.get(view)
        if call is None or "alias" not in call.op.opdef.traits or view.allocation is not None:
            return False
        write = min((w.position for w in chain.writes if w.position > call.position), default=self._end)
        return {position for position in self._reads.get(view, ()) if position > write} == {self._end}

    def _may_read(self, value: Value, first_position: float, position: int, write: KernelCall, inner: dict[Any, int]) -> bool:
        at = write.position
        if position == at:
            source = write.inputs[0]
            return value is source or write.op.name in OVERLAPPING
        if first_position < at < position and not self._apart(at, position):
            return False
        for loop in inner:  # each iteration comes after the write of the one before
            within = loop.start < at <= loop.end and loop.start < position <= loop.end
            if within and first_position <= loop.start and self._carried.get(value, (None,))[0] is not loop:
                return False
        return True

    def _apart(self, first: int, second: int) -> bool:
        """True if two positions are in the two sides of a branch, of which one runs."""
        for branch in self._branches:
            (a, b), (c, d) = branch.spans
            if (a <= first <= b and c <= second <= d) or (a <= second <= b and c <= first <= d):
                return True
        return False
