"""Views of a plan's buffers that are the same in every run: they are made once, together with the buffers. `codegen` calls this."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.runtime.schedule import ARENA, IN_PLACE, KernelCall, Schedule, Value
from to_static.core.code_generation import evaluate

SIGHTS = frozenset(("reshape", "reshape_as", "squeeze", "unsqueeze", "transpose", "slice"))


class PlanViews:
    """Names for the views of buffers that a plan needs, so that code makes each view once.

    ``lines``: the assignments that make the views, in order; `name_of` and `reshaped` return the names.
    ``space``: the objects that the lines refer to.
    ``written(call, source)``: returns the expression of an operator of `SIGHTS` on the array ``source``, or None.
    """

    def __init__(
        self, schedule: Schedule, buffers: dict[int, str], space: dict[str, Any], written: Callable[[KernelCall, str], str | None]
    ) -> None:
        self.lines: list[str] = []
        self._buffers, self._space, self._written = buffers, space, written
        numpy = schedule.backend.name == "numpy"
        self._calls = {call.outputs[0]: call for call in schedule.calls if numpy and call.op.name in SIGHTS}
        self._names: dict[Value, str | None] = {}
        self._like: dict[str, Any] = {}  # name -> an array of the same shape and strides, which must not be read
        self._view_names: dict[str, str] = {}  # expression -> name of the view

    @property
    def definitions(self) -> list[str]:
        """The names of the views, in the order in which they are made."""
        return list(self._view_names.values())

    def name_of(self, value: Value) -> str | None:
        """Return the name of the buffer or view that a value is in every run; None if there is none."""
        if value not in self._names:
            self._names[value] = self._find(value)
        return self._names[value]

    def in_one_piece(self, name: str) -> bool:
        """True if the buffer or view ``name`` is contiguous."""
        return bool(self._like[name].flags.c_contiguous)

    def reshaped(self, name: str | None, shape: tuple[int, ...]) -> str | None:
        """Return a name for a view of ``name`` in another shape; None if the reshape would copy."""
        if name is None or not self.in_one_piece(name):
            return None
        return name if self._like[name].shape == shape else self._make(f"{name}.reshape({tuple(map(int, shape))})", name)

    def _find(self, value: Value) -> str | None:
        root = value.allocation
        if root is not None:
            if root.storage not in (ARENA, IN_PLACE) or root.buffer is None:
                return None
            name = self._buffers[id(root.buffer)]
            self._like.setdefault(name, _like(root.spec))
            return name
        call = self._calls.get(value)
        source = self.name_of(call.inputs[0]) if call is not None else None
        if call is None or source is None or not call.op.out.spec.is_static:
            return None
        if call.op.name not in ("transpose", "slice"):
            return self.reshaped(source, call.op.out.spec.shape)
        text = self._written(call, source)
        return None if text is None else self._make(text, source)

    def _make(self, text: str, source: str) -> str:
        if text not in self._view_names:
            name = self._view_names[text] = f"r{len(self._view_names)}"
            self._like[name] = evaluate(text, self._space, {source: self._like[source]})
            self.lines.append(f"{name} = {text}")
        return self._view_names[text]


def _like(spec: TensorSpec) -> Any:
    """A contiguous array of this shape and dtype that has memory for one element only, and must not be read."""
    one = np.empty(1, spec.dtype.np)
    strides = [prod(spec.shape[i + 1 :]) * one.itemsize for i in range(spec.ndim)]
    return np.lib.stride_tricks.as_strided(one, spec.shape, strides)
