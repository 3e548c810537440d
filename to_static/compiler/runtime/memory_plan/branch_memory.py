"""Memory of branches: both sides write a result to the same memory, over their input if possible. `Schedule` calls this module.

Only one side runs, so two results that are one output of the branch never live at the same time. An elementwise op of a side may
overwrite its input if only the other side reads the input later.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from to_static.compiler.runtime.schedule import Allocation, BranchStep, KernelCall, Value

MANY = 256  # if more values share memory, the analysis of a branch gives up


class BranchMemory:
    """Merges allocations of the two sides of branches.

    ``values``: the values that have an allocation; ``targets``: value -> values that may share its memory; ``reads``: value -> the
    positions of its uses; ``elementwise(call)``: True if a call may overwrite an input. Call `share` for inner branches first.
    """

    def __init__(
        self,
        values: Iterable[Any],
        targets: dict[Any, list[Any]],
        reads: dict[Any, list[int]],
        elementwise: Callable[[Any], bool],
    ) -> None:
        self._holders: dict[Any, list[Any]] = {}
        self._overwritten_input: dict[Any, Any] = {}  # result -> the input that its op overwrites
        for value in values:
            self._holders.setdefault(value.allocation, []).append(value)
        self._targets = targets
        self._reads = reads
        self._elementwise = elementwise

    @property
    def roots(self) -> list[Any]:
        """The allocations that are left after sharing."""
        return list(self._holders)

    def share(self, branch: BranchStep) -> None:
        """Let ops of the sides of ``branch`` overwrite their inputs, and give each output one allocation for both sides."""
        result_pairs = [set(zip(results, branch.outputs, strict=True)) for _, results in branch.sides]
        for side in (0, 1):
            left_out = result_pairs[1 - side] - result_pairs[side]
            for call in branch.sides[side][0]:
                if getattr(call, "prepared", 0) is None and call.outputs and call.outputs[0].allocation and self._elementwise(call):
                    self._write_over(branch, side, call, left_out)
        used: set[Any] = set()  # merged allocations: a value that one side returns twice may be two values of the other side
        for output, yes, no in zip(branch.outputs, branch.sides[0][1], branch.sides[1][1], strict=True):
            if yes.allocation is None or no.allocation is None:
                continue
            if used.isdisjoint((yes.allocation, no.allocation)) and self._may_be_one(branch, yes.allocation, no.allocation):
                self._merge(no.allocation, yes.allocation)
                used.add(yes.allocation)
            if yes.allocation is no.allocation:
                output.allocation = yes.allocation
                self._holders[yes.allocation].append(output)
                if self._overwritten_input.get(yes) is no or self._overwritten_input.get(no) is yes:
                    source = no if yes in self._overwritten_input else yes
                    yes.name = no.name = output.name = source.name  # it is one array, so one name is enough

    def _write_over(self, branch: BranchStep, side: int, call: KernelCall, left_out: set[tuple[Any, Any]]) -> None:
        target = call.outputs[0].allocation
        assert target is not None
        for value in call.inputs:
            root = getattr(value, "allocation", None)
            if root is None or root is target or root.loops != target.loops or root.spec != target.spec:
                continue
            # an inner allocation of a side is in the arena, where memory is shared anyway
            is_outer = root.start < branch.spans[0][0]
            if is_outer and self._is_last(root, branch.spans[1 - side], call, left_out):
                self._merge(target, root)
                self._overwritten_input[call.outputs[0]] = self._overwritten_input.get(value, value)
                return

    def _is_last(self, root: Allocation, other_side: tuple[int, int], call: KernelCall, left_out: set[tuple[Any, Any]]) -> bool:
        """True if ``call`` is the last reader of ``root`` when its side runs. ``other_side``: (start, end) of the other side."""
        sharing = self._reached(self._holders[root], left_out)
        if sharing is None or any(v in sharing and v.allocation is not root for v in call.inputs if not isinstance(v, tuple)):
            return False
        first, last = max(other_side[0], call.position + 1), other_side[1]  # the part of the other side that is after the call
        return all(
            _count(reads, 0, call.position) + _count(reads, first, last) == len(reads) for reads in map(self._reads_of, sharing)
        )

    def _reads_of(self, value: Value) -> list[int]:
        return self._reads.get(value, [])

    def _reached(self, values: list[Any], left_out: set[tuple[Any, Any]]) -> set[Any] | None:
        """Return the values that may share the memory of ``values``; None if there are more than `MANY`."""
        if len(values) > MANY:
            return None
        reached, todo, looked = set(values), list(values), 0
        while todo:
            source = todo.pop()
            for target in self._targets.get(source, ()):
                looked += 1
                if looked > MANY:
                    return None
                if target not in reached and (source, target) not in left_out:
                    reached.add(target)
                    todo.append(target)
        return reached

    def _may_be_one(self, branch: BranchStep, yes: Allocation, no: Allocation) -> bool:
        inside = all(first <= root.start <= last for (first, last), root in zip(branch.spans, (yes, no), strict=True))
        few = len(self._holders[yes]) + len(self._holders[no]) <= MANY if inside else False
        return few and yes is not no and yes.spec == no.spec and yes.loops == no.loops

    def _merge(self, root: Allocation, into: Allocation) -> None:
        for value in self._holders.pop(root):
            value.allocation, value.roots = into, {into}
            self._holders[into].append(value)
        into.start = min(into.start, root.start)
        into.makers += root.makers


def _count(positions: list[int], first: int, last: int) -> int:
    """The number of (sorted) positions from ``first`` to ``last``, both included."""
    return max(bisect_right(positions, last) - bisect_left(positions, first), 0)
