"""Views in a traced function: variables that share memory in dynamic mode, so that an in-place change of one changes all.

A Program has values and no memory. So an in-place change of a variable writes the new value back into the value of the whole
memory, and each other variable that is alive gets its new view of it. Dead-code elimination removes unused views. As in Paddle's
dynamic mode, the other variables keep their gradients; only their values change. `Builder` calls this module.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from to_static.compiler.ir import mode, registry, strides
from to_static.compiler.ir.opdef import GradContext, OpDef
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.symbolic.variable import Variable

if TYPE_CHECKING:
    from to_static.compiler.ir.building.builder import Builder
    from to_static.compiler.ir.program import Var
    from to_static.compiler.ir.tensor import Tensor
    from to_static.core.array_types import Array


class Step(NamedTuple):
    """The operator that makes a view of a tensor: its other inputs, its attributes, and the index of the result that is the view.

    ``spec``: the spec of the view when it was made.
    """

    opdef: OpDef
    inputs: tuple[Any, ...]
    attrs: dict[str, Any]
    result: int
    spec: Any

    def follow(self, x: Tensor) -> Any:
        """The view of ``x``."""
        result = self.opdef.emit(x, *self.inputs, **self.attrs)
        return result[self.result] if self.opdef.multi else result

    def layout_of(self, array: Array) -> Any:
        """Return the memory layout of the view of an array with the layout ``array`` (see `strides`); None if it is a copy."""
        if self.opdef.name in ("reshape", "reshape_as"):
            return strides.reshaped(array, self.spec)
        if any(type(x) not in (list, tuple) or x for x in self.inputs):  # places that the Program computes
            return strides.placeholder(self.spec)
        try:
            result = self.opdef.kernel_for("numpy")(np, array, *self.inputs, **self.attrs)
        except ValueError:  # bits of elements that lie apart
            return strides.placeholder(self.spec)
        return result[self.result] if self.opdef.multi else result

    def inverse(self, x: Tensor, value: Tensor) -> Any:
        """Return a tensor like ``x`` whose view is ``value``. Without an inverse rule, the view is a reshape."""
        if self.opdef.view_inverse_rule is None:
            return FUNCTIONS["reshape_as"](value, x)
        return self.opdef.view_inverse_rule(GradContext((x, *self.inputs), (), self.attrs, ()), value, self.result)


class TracedViews:
    """The handles of one memory.

    ``storage`` is a handle of the whole memory; conditions and loops that change the memory rebind it like any other handle.
    """

    __slots__ = ("__weakref__", "_members", "data_dependent_handle", "storage")

    def __init__(self, first: Variable) -> None:
        self.data_dependent_handle: Any = None  # the handle (weakly) that is one of several, of which a tensor decides
        self.storage = Variable(first.ssa, first.builder)
        self.storage.frame = first.frame
        for frame in first.builder.open_frames():  # blocks that changed it before it was looked at through a view
            outer_value = next((old for handle, old in frame.rebound.items() if handle is first), None)  # a number has no hash
            if outer_value is not None:
                frame.rebound[self.storage] = outer_value
        self._members: list[tuple[weakref.ref[Variable], tuple[Step, ...]]] = []
        self.add(first, ())

    @property
    def handles(self) -> list[Variable]:
        """The handles that are alive and see this memory."""
        return [m for ref, _ in self._members if (m := ref()) is not None and m.views is not None and m.views[0] is self]

    @property
    def first(self) -> Variable | None:
        """The handle of which the others are views; None once it is gone."""
        return self._members[0][0]()

    def add(self, handle: Variable, path: tuple[Step, ...]) -> None:
        """Add a handle that is the view of the memory along ``path``."""
        self._members.append((weakref.ref(handle), path))
        handle.views = (self, path)

    def write(self, builder: Builder, handle: Variable, path: tuple[Step, ...], old: Var) -> None:
        """Update the other handles after ``handle``, which held ``old``, got a new value."""
        frames = list(builder.open_frames())
        aliases = [
            (m, p)
            for ref, p in self._members
            if (m := ref()) is not None and m is not handle and m.views == (self, p) and m.frame in frames
        ]
        if (not aliases and handle.frame is builder.frame) or handle.ssa.spec != old.spec:
            handle.views = None
            return
        with mode.grad_mode(False):
            levels: list[Any] = [self.storage]
            for step in path[:-1]:
                levels.append(step.follow(levels[-1]))
            value: Any = builder.detach(handle)
            for step, level in zip(reversed(path), reversed(levels), strict=False):
                value = step.inverse(level, value)
            builder.hold(self.storage, value)
            for alias, steps in aliases:
                view: Any = self.storage
                for step in steps:
                    view = step.follow(view)
                if not steps:
                    view = builder.detach(view)
                if not alias.ssa.stop_gradient:
                    view = registry.get("as_leaf").emit(view, alias)
                builder.hold(alias, view)


def share(source: Tensor, view: Variable, step: Step | None) -> None:
    """Record that ``view`` was made of ``source`` by ``step`` (None: it is the whole of it), unless it is a copy."""
    builder = view.builder
    handle = source if isinstance(source, Variable) else builder.capture(source)
    if step is not None and step.opdef.name in ("reshape", "reshape_as") and step.layout_of(layout_of(handle)) is None:
        return
    memory_of(handle).add(view, handle.views[1] if step is None else (*handle.views[1], step))


def layout_of(handle: Variable) -> Any:
    """The memory layout of a handle in dynamic mode, as an array that must not be read (see `strides`)."""
    if handle.views is None:
        return strides.placeholder(handle.ssa.spec)
    memory, path = handle.views
    layout = strides.placeholder(memory.storage.ssa.spec)
    for step in path:
        layout = step.layout_of(layout)
    return layout


def memory_of(handle: Variable) -> TracedViews:
    """The memory that a handle sees."""
    if handle.views is None:
        TracedViews(handle)
    memory: TracedViews = handle.views[0]
    return memory
