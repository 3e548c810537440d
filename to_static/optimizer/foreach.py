"""One step of an optimizer in dynamic mode: all is computed, then it is written in one go, as plans do.

Steps on small parameters are taken at once, as in plans, too (`passes/training/fuse_optimizer_updates.py`), and with the same bits.
"""

from __future__ import annotations

from itertools import chain, repeat
from operator import attrgetter
from typing import Any

import numpy as np

from to_static.compiler.ir.spec import spec_of
from to_static.compiler.ops.fused.foreach_update import ARRAYS, SMALL, TOGETHER, packed_update
from to_static.core.atomic import Steps, commit, putting, set_all

_memory_of, _version_of = attrgetter("_memory"), attrgetter("_version")
_MOST = 64  # ways of taking steps that are kept: of one optimizer there are a few, unless gradients come and go


class Together:
    """The writes of a ``with`` block, done when it ends; if it raises, none happens. Steps wait here for others of their kind.

    Copies and pickles of it are empty. ``deferred_writes``: steps that overwrite arrays when the block ends (see `core.atomic`).
    """

    def __init__(self) -> None:
        self._waiting: dict[Any, list[Any]] = {}  # by what must be the same for all: [numbers, steps]
        self._ways: dict[Any, Any] = {}
        self._step_counts: dict[Any, int] = {}  # how many steps of one way there were
        self._new: dict[int, tuple[Any, Any]] = {}  # by id: a tensor, and the array that it is to hold
        self.deferred_writes: list[Steps] = []
        self._halves: list[tuple[Any, Any]] = []  # parameters, and the copies of higher precision that they follow

    def __reduce__(self) -> tuple[Any, ...]:
        return Together, ()

    def __enter__(self) -> None:
        """Steps may wait from now on, until the block ends. (What a signal has left of another one is gone.)"""
        if self._new or self._waiting or self.deferred_writes or self._halves or self._step_counts:
            self._start()

    def _start(self) -> None:
        self._waiting, self._step_counts, self._new, self._halves, self.deferred_writes = {}, {}, {}, [], []

    def __exit__(self, exc_type: Any, *_: Any) -> None:
        try:
            if exc_type is None:
                self._write()
        finally:
            self._start()

    def _write(self) -> None:
        for _, *steps in self._waiting.values():
            self._take(*steps)
        for param, copy in self._halves:
            array = self._new[id(copy)][1]
            if type(array) is np.ndarray:
                float16_array = np.empty(array.shape, param._array.dtype)
                self.deferred_writes.append(putting((float16_array, ..., array)))
            else:
                float16_array = array.astype(param._array.dtype)
            self.set(param, float16_array)
        if not self._new:
            commit(self.deferred_writes)
            return
        tensors, arrays = zip(*self._new.values(), strict=True)
        if any(map(_memory_of, tensors)):
            staged: dict[int, Any] = {}
            commit([*self.deferred_writes, *(step for t, array in self._new.values() for step in t.holding(array, staged))])
            return
        count = len(tensors)
        names = chain(repeat("_array", count), repeat("_spec", count), repeat("_version", count))
        values = *arrays, *[None] * count, *[version + 1 for version in map(_version_of, tensors)]
        if self.deferred_writes:
            commit([*self.deferred_writes, map(setattr, tensors * 3, names, values)])
        else:
            set_all(tensors * 3, names, values)

    def set(self, tensor: Any, array: Any) -> None:
        """Let ``tensor`` hold ``array`` when the block ends, unless it does so already (and is written over, later)."""
        if tensor._array is not array:
            self._new[id(tensor)] = tensor, array

    def follow(self, param: Any, copy: Any) -> None:
        """Let ``param`` hold the numbers of its ``copy`` of higher precision when the block ends."""
        self._halves.append((param, copy))

    def add(self, update: Any, inputs: list[Any], arrays: list[Any], targets: list[Any], attrs: dict[str, Any]) -> bool:
        """Let a step (an update operator, what it gets, and the tensors that are to hold its results) wait, if it may."""
        name, param = update.op.name, arrays[0]
        count = ARRAYS.get(name, 0)
        if not count or type(param) is not np.ndarray or not 0 < param.size <= SMALL or attrs.get("lazy_mode"):
            return False
        shape, dtype = param.shape, param.dtype
        for array in arrays:
            if array.dtype is not dtype:
                return False
        for array in arrays[1 : count + 2]:
            if array.shape != shape:
                return False
        key = (name, dtype, id(inputs[-1]), *attrs.values())
        waiting = self._waiting.get(key)
        if waiting is None:
            waiting = self._waiting[key] = [0, update, attrs, []]
        elif waiting[0] + param.size > TOGETHER:
            self._take(*waiting[1:])
            waiting[0], waiting[-1] = 0, []
        waiting[0] += param.size
        waiting[-1].append((arrays, targets, inputs))
        return True

    def _take(self, update: Any, attrs: dict[str, Any], steps: list[Any]) -> None:
        columns = list(zip(*(arrays for arrays, _, _ in steps), strict=True))
        if len(steps) == 1:
            results = update.op.kernel_for("numpy")(np, *steps[0][0], **attrs, deferred_writes=self.deferred_writes)
        else:
            params, gradients, *state, rates = columns
            state_arrays = [array for column in state for array in column]
            step = self._way(update.op.name, attrs, params, state_arrays)
            results = step(params, gradients, state_arrays, rates[0], deferred_writes=self.deferred_writes)
        targets = [tensor for column in zip(*(targets for _, targets, _ in steps), strict=True) for tensor in column]
        new = self._new
        for tensor, array in zip(targets, results, strict=True):
            if tensor._array is not array:
                new[id(tensor)] = tensor, array

    def _way(self, rule: str, attrs: dict[str, Any], params: Any, arrays: list[Any]) -> Any:
        """Return the way to take steps on parameters of these shapes."""
        key = (rule, *attrs.values(), params[0].dtype, *[array.shape for array in params])
        count = self._step_counts[key] = self._step_counts.get(key, 0) + 1  # each has memory of its own until all is written
        key = (count, *key)
        way = self._ways.get(key)
        if way is None:
            specs = ([spec_of(a) for a in params], None, [spec_of(a) for a in arrays], None)
            if len(self._ways) >= _MOST:
                self._ways.clear()
            assert packed_update.op.prepare_rule is not None
            prepared = packed_update.op.prepare_rule(specs, rule=rule, settings=tuple(attrs.items()))
            way = self._ways[key] = prepared.bind(None, [None], [], [])
        return way
