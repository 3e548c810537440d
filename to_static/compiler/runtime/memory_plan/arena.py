"""Memory planning: allocations that live at different times share one 64-byte aligned arena. `Plan` makes a `MemoryPlan`."""

from __future__ import annotations

import heapq
import itertools
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from to_static.compiler.ir.opdef import PaddedBuffer
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.runtime.memory_plan.arena_gaps import Gaps
from to_static.compiler.runtime.schedule import ARENA, DOUBLE_BUFFER, IN_PLACE, Allocation, Schedule
from to_static.core.backend import Backend

if TYPE_CHECKING:
    from to_static.core.array_types import Array

FEW = 200  # with more buffers, placement by size is not tried: it would take long
LOOKS = 1_000_000  # visits of live buffers after which placement by start gives up on finding the lowest gap
ALIGNMENT = 64  # a cache line: NumPy's loops run up to twice as fast on aligned memory


class Buffer:
    """A part of the arena, from ``start`` to ``end`` in positions and at ``offset`` in bytes."""

    __slots__ = ("end", "nbytes", "offset", "room", "spec", "start", "zero")

    def __init__(self, spec: TensorSpec, start: int, end: float, zero: bool = False) -> None:
        self.spec = spec
        self.start = start
        self.end = end
        self.offset = 0
        self.zero = zero  # True if it starts as zeros; the operations that own it keep these zeros for the plan's lifetime
        self.nbytes = spec.size * spec.dtype.itemsize
        self.room = -(-self.nbytes // ALIGNMENT) * ALIGNMENT


class MemoryReport(NamedTuple):
    """The memory of one run of a plan in bytes; its text has one line for each figure.

    ``arena``: all buffers, as placed. ``live``: the buffers in use at the fullest moment, a lower bound of any placement.
    ``unshared``: the sum of all buffers, without sharing. ``persistent``: the part of the arena that belongs to single operators.
    ``weights``: parameters and constants. ``derived``: stored values that depend on weights only.
    """

    arena: int
    live: int
    unshared: int
    persistent: int
    weights: int
    derived: int

    def __str__(self) -> str:
        return "\n".join(f"{name:9s}{value:14,d} bytes" for name, value in self._asdict().items())


class MemoryPlan:
    """The buffers of a schedule, with their offsets. ``nbytes``: size of the arena; ``unshared``: its size without sharing."""

    def __init__(self, schedule: Schedule) -> None:
        self.buffers: list[Buffer] = []
        self._framed: dict[PaddedBuffer, Buffer] = {}
        self._tailed = set(schedule.tails.values())
        for root in schedule.roots:
            self._assign(root)
        for call in schedule.calls:
            if call.prepared is not None:
                call.work = [Buffer(spec, call.position, call.position) for spec in call.prepared.work]
                self.buffers += call.work
                call.persistent = [self._zeros(spec) for spec in call.prepared.persistent]
        self.nbytes = _place(self.buffers)
        self.unshared = sum(b.room for b in self.buffers)

    def _zeros(self, request: TensorSpec | PaddedBuffer) -> Buffer:
        if isinstance(request, PaddedBuffer):
            buffer = self._framed.get(request)
            if buffer is None:
                buffer = self._framed[request] = self._zeros(request.spec)
            return buffer
        self.buffers.append(Buffer(request, 0, inf, zero=True))
        return self.buffers[-1]

    def _assign(self, root: Allocation) -> None:
        if root.storage == ARENA and root.takes_over is not None:
            root.buffer = root.takes_over.buffer
            root.buffer.end = max(root.buffer.end, root.end)
        elif root.storage in (ARENA, IN_PLACE):
            spec = root.spec.with_shape((1, root.spec.size + 1)) if root in self._tailed else root.spec
            root.buffer = Buffer(spec, root.start, root.end)
            self.buffers.append(root.buffer)
        elif root.storage == DOUBLE_BUFFER:
            root.buffer = (Buffer(root.spec, root.start, root.end), Buffer(root.spec, root.start, root.end))
            self.buffers.extend(root.buffer)

    def report(self, weights: int, derived: int) -> MemoryReport:
        """Return the `MemoryReport` of the plan; ``weights`` and ``derived`` are the bytes of weights and of values from them."""
        shared_buffers = [b for b in self.buffers if not b.zero]
        live = _live(shared_buffers)
        zeros = sum(b.room for b in self.buffers if b.zero)
        return MemoryReport(self.nbytes, live + zeros, self.unshared, zeros, weights, derived)

    def allocate(self, backend: Backend) -> list[Any]:
        """Allocate an arena; returns one array for each buffer, in the order of ``buffers``."""
        if not self.buffers:
            return []
        raw = backend.xp.empty(self.nbytes + ALIGNMENT, "uint8")
        skip = -_address(raw) % ALIGNMENT
        arrays = []
        for b in self.buffers:
            part = raw[skip + b.offset : skip + b.offset + b.nbytes]
            arrays.append(part.view(b.spec.dtype.np).reshape(b.spec.shape))
            if b.zero:
                part.fill(0)
        return arrays


def _address(array: Array) -> int:
    """The address of an array's memory; 0 for array types that do not have one."""
    if hasattr(array, "ctypes"):
        return array.ctypes.data
    return getattr(getattr(array, "data", None), "ptr", 0)


def _place(buffers: list[Buffer]) -> int:
    """Give each buffer its offset; returns the total size."""
    total = _place_by_start(buffers)
    if len(buffers) > FEW or total <= _live(buffers) * 1.02:
        return total
    offsets = [b.offset for b in buffers]
    by_size = _place_by_size(buffers)
    if by_size < total:
        return by_size
    for buffer, offset in zip(buffers, offsets, strict=True):
        buffer.offset = offset
    return total


def _live(buffers: list[Buffer]) -> int:
    """The peak number of bytes that are live at once."""
    starts = [(b.start, 0, b.room) for b in buffers]
    ends = [(b.end, 1, -b.room) for b in buffers]  # 1: a buffer is still live at its last position, so ends come after starts
    return max(itertools.accumulate(change for _, _, change in sorted(starts + ends)), default=0)


def _place_by_size(buffers: list[Buffer]) -> int:
    """Place the largest first, each in the lowest gap between buffers that live at its time; returns the size.

    It often needs less memory than `_place_by_start`, but takes longer.
    """
    placed: list[Buffer] = []
    for buffer in sorted(buffers, key=lambda b: (-b.nbytes, b.start)):
        offset = 0
        for neighbour in placed:  # in order of their offsets
            if neighbour.start <= buffer.end and buffer.start <= neighbour.end:
                if neighbour.offset - offset >= buffer.room:
                    break
                offset = max(offset, neighbour.offset + neighbour.room)
        buffer.offset = offset
        placed.append(buffer)
        placed.sort(key=lambda b: b.offset)
    return max((b.offset + b.room for b in buffers), default=0)


def _place_by_start(buffers: list[Buffer]) -> int:
    """Place buffers in order of their starts, each in the lowest gap between the live ones; returns the size."""
    active: list[Buffer] = []  # in order of their offsets
    total = looked = 0
    for buffer in sorted(buffers, key=lambda b: (b.start, -b.nbytes)):
        looked += len(active)
        if looked > LOOKS:
            return _place_in_gaps(buffers)
        active = [b for b in active if b.end >= buffer.start]
        offset = end = 0
        for neighbour in active:
            if neighbour.offset - offset >= buffer.nbytes:
                break
            offset = max(offset, neighbour.offset + neighbour.room)
            end += 1
        buffer.offset = offset
        active.insert(end, buffer)
        total = max(total, offset + buffer.room)
    return total


def _place_in_gaps(buffers: list[Buffer]) -> int:
    """Place buffers in order of their starts, each in a gap that `Gaps` finds by its size; returns the size.

    The time is linear in the number of buffers.
    """
    gaps, total = Gaps(), 0
    active: list[tuple[float, int, int]] = []  # end, offset and room of those that live
    for buffer in sorted(buffers, key=lambda b: (b.start, -b.nbytes)):
        while active and active[0][0] < buffer.start:
            _, offset, room = heapq.heappop(active)
            gaps.give(offset, room)
        offset = gaps.take(buffer.room, total)
        buffer.offset = offset
        total = max(total, offset + buffer.room)
        heapq.heappush(active, (buffer.end, offset, buffer.room))
    return total
