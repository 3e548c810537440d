"""Programs that instances of one class share: traced for one instance, run for all with the same structure.

A `Template` is a Program with placeholders for the user's objects. `Template.on` binds it to the objects of one instance. The
plans are compiled once; for each instance their code is the same and only the objects that it refers to differ. A template
keeps no reference to an instance.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.function.program.buffer_slots import BufferSlot
from to_static.compiler.frontend.function.program.concrete import ConcreteProgram
from to_static.compiler.frontend.function.program.trace_result import TraceResult
from to_static.compiler.frontend.jst.protocol import ConstantSpec, ValueSpec
from to_static.compiler.frontend.jst.values.container import Container
from to_static.compiler.frontend.jst.values.tensor import OneTensor
from to_static.compiler.frontend.jst.values.text import OneText
from to_static.compiler.frontend.tracing.name_usage import is_plain
from to_static.compiler.frontend.tracing.side_effects import MISSING, AttributeTarget, GlobalTarget, ItemsTarget
from to_static.compiler.ir.program import Program, Var
from to_static.core import backend as backends
from to_static.nn.parameter import Parameter

_FIXED = (types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type, enum.Enum)


class Hole:
    """The placeholder for an object of an instance in a template. That of a Layer has placeholders for the buffers."""

    def __init__(self) -> None:
        self._buffers: dict[str, Any] = {}


class Replacements:
    """A function that returns the object of ``replacements`` for each object of ``originals``, and any other object itself."""

    def __init__(self, originals: Sequence[Any], replacements: Sequence[Any]) -> None:
        self._originals: list[Any] = list(originals)  # kept alive, so that ids stay unique
        self._replacements = {id(original): replacement for original, replacement in zip(originals, replacements, strict=True)}

    def reseat(self, replacements: dict[int, Any]) -> None:
        """Replace the objects in the placeholders: ``replacements`` maps the id of each to the new one."""
        for key, thing in self._replacements.items():
            self._replacements[key] = replacements.get(id(thing), thing)

    def __call__(self, thing: Any) -> Any:
        """Return the replacement of an object, or the object itself if it has none."""
        replacement = self._replacements.get(id(thing))
        if replacement is None:
            if type(thing) is not BufferSlot:
                return thing
            replacement = self._replacements[id(thing)] = BufferSlot(self(thing.layer), thing.buffer)
            self._originals.append(thing)
        return replacement


class Template:
    """A Program with holes (placeholders) for ``parts``, the objects of the instance that it was traced for."""

    def __init__(self, program: ConcreteProgram, parts: Sequence[Any]) -> None:
        self._holes = [_hole(part) for part in parts]
        replacements = Replacements(parts, self._holes)
        for holder in program.roots.holders:
            if isinstance(holder, BufferSlot):
                replacements(holder.layer)._buffers[holder.buffer] = replacements(holder.tensor)
        self._program = program.copy_for(replacements)
        self._program.traced.program = self._program.main_program  # (a lazy copy would refer to the instance)

    def on(self, parts: Sequence[Any]) -> ConcreteProgram:
        """Return the Program for an instance, whose ``parts`` are in the same order (see `Structure`)."""
        return self._program.copy_for(Replacements(self._holes, parts), self._program)


def can_be_shared(program: ConcreteProgram, parts: Collection[int]) -> bool:
    """True if a Program traced for an instance with these ``parts`` (ids) depends on their structure only, not on identity."""
    traced = program.traced
    if (
        traced.carried
        or traced.grads
        or traced.grad_inputs
        or traced.choices
        or traced.twins
        or traced.consumed_graphs
        or traced.inputs
    ):
        return False
    if traced.compared or _aliased_root_vars(traced):
        return False
    for holder in program.roots.holders:
        if isinstance(holder, BufferSlot):
            if id(holder.layer) not in parts or type(holder.tensor) is not EagerTensor or id(holder.tensor) not in parts:
                return False
        elif type(holder) not in (EagerTensor, Parameter) or id(holder) not in parts or holder._memory is not None:
            return False
    if any(id(binding.slot.layer) not in parts for binding in traced.bindings):
        return False
    for write in traced.writes:
        is_of_instance = id(write.target.owner) in parts and isinstance(write.target, (AttributeTarget, ItemsTarget))
        if not (is_of_instance or isinstance(write.target, GlobalTarget) or write.argument_index is not None):
            return False
    return _is_instance_independent(traced, program.main_program, parts)


def depends_on(traced: TraceResult, parts: Collection[int]) -> bool:
    """True if a Program does more with one of these ``parts`` (ids) than read tensors, so that it is valid only for this object."""
    program = traced.program
    if traced.grads or traced.choices or traced.trains or traced.compared or any(id(var.holder) in parts for var in program.state):
        return True
    holders = [var.holder for var in (*_aliased_root_vars(traced), *(var for var, _ in traced.carried))]
    holders += [x for pair in traced.twins for x in pair]
    slots = [x for x in (*holders, *(v.holder for v in program.params), *(b.slot for b in traced.bindings)) if hasattr(x, "layer")]
    owners = (w.target.owner for w in traced.writes)
    objects = [*holders, *(slot.layer for slot in slots), *(slot.tensor for slot in slots), *owners]
    return any(id(thing) in parts for thing in objects) or not _is_instance_independent(traced, program, parts)


def _aliased_root_vars(traced: TraceResult) -> list[Var]:
    """Return the root Vars that a result is one object with, or a view of."""
    views = [view.source for view in (*traced.views.values(), *traced.viewed.values())]
    return [source for source in (*views, *(source for _, source in traced.same)) if isinstance(source, Var)]


def _is_instance_independent(traced: TraceResult, program: Program, parts: Collection[int]) -> bool:
    """True if results and writes are made equally for all instances, and no operator calls a function of one."""
    if not all(_spec_is_instance_independent(spec, parts) for spec in (traced.result, *(write.spec for write in traced.writes))):
        return False
    return not any(callable(value) for op in program.block.walk() for value in op.attrs.values())


def _spec_is_instance_independent(spec: ValueSpec, parts: Collection[int]) -> bool:
    """True if a value of this spec contains no constant that belongs to one instance."""
    if isinstance(spec, ConstantSpec):
        value = spec.value
        return id(value) not in parts and (value is MISSING or is_plain(value) or isinstance(value, _FIXED))
    if isinstance(spec, Container):
        return all(_spec_is_instance_independent(part, parts) for part in spec.parts)
    return isinstance(spec, (OneTensor, OneText))


def _hole(part: Any) -> Any:
    """Return the placeholder for an object; for a tensor, a tensor of the same spec that takes no memory."""
    cls: Any = type(part)
    if cls not in (EagerTensor, Parameter):
        return Hole()
    xp = backends.backend_of(part._array).xp
    hole = cls.__new__(cls)
    EagerTensor.__init__(hole, xp.broadcast_to(xp.zeros((), part._array.dtype), part._array.shape), part.stop_gradient, part.name)
    if part.row_gradient:
        hole.row_gradient = True
    return hole


def kinds_of(tensors: Iterable[Any]) -> tuple[Any, ...]:
    """Return the properties of tensors from outside on which a Program depends."""
    return tuple([None if t is None else _kind_of(t) for t in tensors])


def _kind_of(tensor: Any) -> Any:
    """The properties of one tensor; an ``object``, which equals no other, for a tensor of another class."""
    if type(tensor) not in (EagerTensor, Parameter):
        return object()  # equals nothing else
    return type(tensor), tensor.spec, tensor.stop_gradient, tensor.row_gradient, tensor._memory is None
