"""In-place writes: operators of a plan that write a part of an input in its memory, so that `cache[i] = x` copies only ``x``.

A loop-carried value, or a value that a tensor from outside holds before and after a run, may be overwritten if nothing reads the
old numbers after the write. Such a loop begins with a copy of its initial value. A run writes into the array of the tensor
(`written_rows.Rows`), also in loops. `Schedule` makes an `InPlace`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from to_static.compiler.runtime.schedule import KernelCall, LoopStep, Schedule, Value

OVERLAPPING = frozenset(("set_value",))  # operators whose values may be a view of the array that they write to


class Chain(NamedTuple):
    """A chain of writes from one value to another."""

    writes: list[Any]  # the calls that write
    elided_copies: list[Any]  # the ``assign`` calls between them, which need no copy
    values: dict[Any, int]  # each value of the chain -> its first position
    loops: list[tuple[Any, int]]  # the loops that it passes through, each with the index of the carried variable


class InPlace:
    """The writes that ``schedule`` may do in place.

    ``state``: pairs of a root value that runs change and the index of the result that is its new value.

    Attributes:
        calls: the calls that overwrite a part of their input.
        logged: those of them that write to the array of a tensor from outside, and so need the undo log.
        elided_copies: ``assign`` calls between them, which need no copy.
        copied_at_entry: pairs (loop, index of a carried variable) for which the loop begins with a copy.
        written_roots: root values whose arrays are written to -> True if a loop does so.
        returned_roots: indices of the results that are these arrays.
        early_copies: views of an array that is overwritten later, which then only the caller reads: copied when they are made.
    """

    def __init__(self, schedule: Schedule, state: list[tuple[Any, int]]) -> None:
        self.calls: set[Any] = set()
        self.elided_copies: set[Any] = set()
        self.returned_roots: set[int] = set()
        self.logged: set[Any] = set()
        self.copied_at_entry: list[tuple[Any, int]] = []
        self.written_roots: dict[Any, bool] = {}
        self.early_copies: set[Any] = set()
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
        self._open: set[Any] = set()  # carried values whose chains are being traced
        for source, target in schedule._edges:
            self._targets.setdefault(source, []).append(target)
        self._backs = {(r, c) for loop in schedule.loops for r, c in zip(loop.results, loop.carried, strict=True)}
        for old_value, result_index in state:
            chain = self._chain(old_value, schedule.results[result_index], None)
            if chain is not None and chain.writes and self._is_safe(chain, None, None):
                self._take(chain)
                self.logged.update(chain.writes)
                self.written_roots[old_value] = bool(chain.loops)
                self.returned_roots.add(result_index)
        for loop in reversed(schedule.loops):  # outer ones first
            for k, (carried, result) in enumerate(zip(loop.carried, loop.results, strict=True)):
                chain = self._chain(carried, result, loop)
                is_shared = chain is not None and not self.calls.isdisjoint(chain.writes)
                if chain is None or not chain.writes or is_shared or not self._is_safe(chain, loop, k):
                    continue
                self._take(chain)
                self.copied_at_entry.append((loop, k))

    def _take(self, chain: Chain) -> None:
        self.calls.update(chain.writes)
        self.elided_copies.update(chain.elided_copies)

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
                return False  # loop variables that exchange their values
            loop, k = self._carried[value]
            self._open.add(value)
            inner = self._chain(value, loop.results[k], loop)
            self._open.discard(value)
            if inner is None or not self._trace(loop.first[k], first, chain):
                return False
            chain.writes.extend(inner.writes)
            chain.elided_copies.extend(inner.elided_copies)
            chain.values.update(inner.values)
            chain.loops.extend([*inner.loops, (loop, k)])
            return True
        call = self._makers.get(value)
        if call is None or not (call.op.opdef.writes_a_part or call.op.name == "assign"):
            return False
        chain.values[value] = call.position
        (chain.elided_copies if call.op.name == "assign" else chain.writes).append(call)
        return self._trace(call.inputs[0], first, chain)

    def _is_safe(self, chain: Chain, loop: LoopStep | None, k: int | None) -> bool:
        """True if nothing reads old numbers after a write of ``chain`` (to variable ``k`` of ``loop``, or to a root value)."""
        positions = dict(chain.values)  # and views of these values
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
        for inner_loop, index in inner.items():  # no other variable of an inner loop may have the array
            if any(result in positions for i, result in enumerate(inner_loop.results) if i != index):
                return False
            if any(first in positions for i, first in enumerate(inner_loop.first) if i != index):
                return False
        end = float("inf") if loop is None else loop.end
        for value, first_position in positions.items():
            for position in self._reads.get(value, ()):
                if position > end:
                    made_now = end  # the result of the loop
                elif value in self._carried and self._carried[value][0] in inner and position > self._carried[value][0].end:
                    made_now = self._carried[value][0].end
                else:
                    made_now = first_position
                if not all(self._may_read(value, made_now, position, write, inner) for write in chain.writes):
                    return False
        self.early_copies |= early
        return True

    def _is_early(self, view: Value, chain: Chain) -> bool:
        """True if only the caller reads ``view`` after the first write that follows it. Such a view is copied when it is made."""
        call = self._makers.get(view)
        if call is None or "alias" not in call.op.opdef.traits or view.allocation is not None:
            return False
        write = min((w.position for w in chain.writes if w.position > call.position), default=self._end)
        return {position for position in self._reads.get(view, ()) if position > write} == {self._end}

    def _may_read(self, value: Value, first_position: float, position: int, write: KernelCall, inner: dict[Any, int]) -> bool:
        """True if the read of ``value`` at ``position`` does not see what ``write`` overwrites.

        ``first_position``: the position from which on ``value`` exists; ``inner``: the loops of the chain.
        """
        write_position = write.position
        if position == write_position:
            source = write.inputs[0]
            return value is source or write.op.name in OVERLAPPING
        if first_position < write_position < position and not self._are_exclusive(write_position, position):
            return False
        for loop in inner:  # each iteration comes after the write of the previous one
            both_in_loop = loop.start < write_position <= loop.end and loop.start < position <= loop.end
            if both_in_loop and first_position <= loop.start and self._carried.get(value, (None,))[0] is not loop:
                return False
        return True

    def _are_exclusive(self, first: int, second: int) -> bool:
        """True if two positions are in different sides of a branch, so that a run reaches only one of them."""
        for branch in self._branches:
            (a, b), (c, d) = branch.spans
            if (a <= first <= b and c <= second <= d) or (a <= second <= b and c <= first <= d):
                return True
        return False
