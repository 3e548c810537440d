"""Steps on small parameters in dynamic mode: taken at once, as plans do (`passes/updates.py`), and with the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.ir.spec import spec_of
from to_static.ops.packed.packed_update import ARRAYS, SMALL, TOGETHER, packed_update

_MOST = 64  # ways of taking steps that are kept: of one optimizer there are a few, unless gradients come and go


class Together:
    """Steps that wait for others of their kind until a ``with`` block ends; if that raises, none of them is taken.

    Copies and pickles of it are empty.
    """

    def __init__(self) -> None:
        self._waiting: dict[Any, list[Any]] = {}  # by what must be the same for all: [numbers, steps]
        self._ways: dict[Any, Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return Together, ()

    def __enter__(self) -> None:
        """Steps may wait from now on, until the block ends."""

    def __exit__(self, kind: Any, *_: Any) -> None:
        waiting, self._waiting = self._waiting, {}
        for _, *steps in waiting.values() if kind is None else ():
            self._take(*steps)

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
            results = update.op.kernel_for("numpy")(np, *steps[0][0], **attrs, reuse=True)
        else:
            params, gradients, *state, rates = columns
            kept = [array for column in state for array in column]
            results = self._way(update.op.name, attrs, params, kept)(params, gradients, kept, rates[0], reuse=True)
        targets = [tensor for column in zip(*(targets for _, targets, _ in steps), strict=True) for tensor in column]
        for tensor, array in zip(targets, results, strict=True):
            tensor.hold(array)

    def _way(self, rule: str, attrs: dict[str, Any], params: Any, kept: list[Any]) -> Any:
        """How steps on parameters of these shapes are taken."""
        key = (rule, *attrs.values(), params[0].dtype, *[array.shape for array in params])
        way = self._ways.get(key)
        if way is None:
            specs = ([spec_of(a) for a in params], None, [spec_of(a) for a in kept], None)
            if len(self._ways) >= _MOST:
                self._ways.clear()
            prepared = packed_update.op.prepare_rule(specs, rule=rule, settings=tuple(attrs.items()))
            way = self._ways[key] = prepared.bind(None, [None], [], [])
        return way
