"""Instances of one class whose static methods share Programs, such as the members of an ensemble or the folds of a
cross-validation.

The first instance traces its own Programs. From the second instance on, a Program is also stored without its objects
(`Template`), and an instance with the same structure (`Structure`) runs it on its own objects. If there have been many
instances, each may serve only few calls; the first calls of such an instance run in Python.
"""

from __future__ import annotations

import copy
import types
from collections.abc import Collection
from typing import Any

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.function.alike.structure import Structure
from to_static.compiler.frontend.function.lookup.surroundings import Surroundings
from to_static.compiler.frontend.function.program.buffer_slots import BufferSlot, BufferSlots
from to_static.compiler.frontend.function.program.concrete import ConcreteProgram
from to_static.compiler.frontend.function.program.template import Template, can_be_shared
from to_static.compiler.frontend.function.program_cache import Programs
from to_static.compiler.frontend.function.signature import Bound
from to_static.compiler.frontend.function.target import TargetFunction
from to_static.compiler.frontend.tracing.guards import Guards, GuardSource
from to_static.compiler.ir import mode
from to_static.compiler.passes.kernel_choice import tuned_kernels
from to_static.nn.layer import Layer

_SHARING = 2  # from this instance on, Programs are stored as templates
_MANY = 8  # from this instance on, the first calls run in Python
_WAITING = 24  # how many calls these are: to take over a Program costs as much
_MOST = 32  # templates of one class
FAMILIES = "_static_families"  # the attribute of a function that holds its `Families`
_PLAIN = (bool, int, float, str, type(None))


class Family:
    """The state that the instances of one class share for one method. It refers to no object of an instance.

    Attributes:
        instance_count: how many instances there have been.
        guards: the facts about the functions that the guards of an instance track (`Guards.watched_state`).
        roots: the places where the walk of the guards starts: the index of a Layer, or a `GuardSource` that all instances share.
        slots: the buffers that the method assigns, as (index of the Layer, name, whether Programs read it).
        templates: Programs without objects, by structure and key of the call.
    """

    def __init__(self) -> None:
        self.instance_count = 0
        self.guards: dict[str, Any] = {}
        self.roots: list[Any] = []
        self.slots: list[Any] = []
        self.templates: dict[Any, Template] = {}

    def record_instance(self, layers: list[Layer], parts: Collection[int], guards: Guards, slots: BufferSlots) -> bool:
        """Store the tracked functions and roots of an instance's guards, with which later instances begin.

        Returns False if these refer to objects of this instance. ``parts``: the ids of its objects.
        """
        layer_indices = {id(layer): layer_index for layer_index, layer in enumerate(layers)}
        roots = [(layer_indices.get(id(root.owner)), root) for root in guards.roots]
        numbered_slots = [(layer_indices.get(id(slot.layer)), slot.buffer, is_read) for slot, is_read in slots.each()]
        sources = guards.collected[0]
        if any(n is None for n, *_ in numbered_slots) or any(_is_own_function(source, parts) for source in sources):
            return False
        if not all(layer_index is not None or _is_shared_owner(root.owner, parts) for layer_index, root in roots):
            return False
        self.roots = [layer_index if layer_index is not None else _without_value(root) for layer_index, root in roots]
        self.slots = numbered_slots
        if any(getattr(guards, name) != self.guards.get(name) for name in ("names", "read")):
            self.templates.clear()
        self.guards = guards.watched_state()
        return True


def _is_shared_owner(owner: Any, parts: Collection[int]) -> bool:
    """True if the owner of a guarded place is not an object of an instance, but one that all instances share."""
    return id(owner) not in parts and (type(owner) in (types.FunctionType, types.CellType, dict) or owner is mode.grad_enabled)


def _is_own_function(source: GuardSource, parts: Collection[int]) -> bool:
    """True if a place of an instance holds a function that may have been made for it, and may refer to it."""
    value = source.value
    return id(source.owner) in parts and type(value) is types.FunctionType and "<locals>" in value.__qualname__


def _without_value(root: GuardSource) -> GuardSource:
    """Return a copy of a place that keeps no value alive."""
    copied = copy.copy(root)
    if copied.read is not None:
        copied.value = copied.key = None
    return copied


class Families:
    """The families of one method, by class. Valid only for the function ``owner``: a wrapper may copy its attributes."""

    __slots__ = ("by_class", "owner")

    def __init__(self, owner: Any = None) -> None:
        self.owner = owner
        self.by_class: dict[type, Family] = {}

    def __reduce__(self) -> Any:
        return Families, ()


def family_of(function: Any, instance: Any) -> Family | None:
    """Return the family for a method of a Layer, None for other functions. The function holds it, so both are freed together."""
    if not isinstance(instance, Layer) or type(function) is not types.FunctionType:
        return None
    families = vars(function).get(FAMILIES)
    if type(families) is not Families or families.owner is not function:
        families = vars(function)[FAMILIES] = Families(function)
    return families.by_class.setdefault(type(instance), Family())


class ProgramSharing:
    """Shares the Programs of a static function with those of other instances of its class.

    ``python_calls_left``: how many of the next calls run in Python without a lookup; -1 before the first call.
    """

    __slots__ = ("_family", "_programs", "_surroundings", "_target", "python_calls_left")

    def __init__(self, target: TargetFunction, surroundings: Surroundings, programs: Programs) -> None:
        self._target = target
        self._surroundings = surroundings
        self._programs = programs
        self._family: Family | None = None
        self.python_calls_left = -1

    def takes_python_call(self) -> bool:
        """Count a call, and return True if it runs in Python, because this instance may serve only few calls.

        The first call registers the instance. Once calls do not run in Python, it takes over the guards of the last instance.
        """
        if self.python_calls_left < 0:
            self.python_calls_left = 0
            target = self._target
            if not target.is_part and target.input_spec is None and not tuned_kernels.in_use():
                family = self._family = family_of(target.function, target.instance)
                if family is not None:
                    family.instance_count += 1
                    self.python_calls_left = _WAITING if family.instance_count >= _MANY and target.may_break else 0
                    if not self.python_calls_left:
                        self._begin_as_another_instance(family, target.instance)
        if self.python_calls_left > 0:
            self.python_calls_left -= 1
            if not self.python_calls_left and self._family is not None:
                self._begin_as_another_instance(self._family, self._target.instance)
            return True
        return False

    def _begin_as_another_instance(self, family: Family, instance: Layer) -> None:
        """Copy the guards and buffer slots of another instance, if one has shared a Program, so that keys can be compared."""
        if not family.templates:
            return
        layers = instance.sublayers(include_self=True)
        layer_indices = [*(root for root in family.roots if type(root) is int), *(layer_index for layer_index, *_ in family.slots)]
        if max(layer_indices, default=0) >= len(layers):
            return
        surroundings = self._surroundings
        surroundings.guards.adopt(family.guards, [layers[root] if type(root) is int else root for root in family.roots])
        slots = [(BufferSlot(layers[layer_index], buffer), is_read) for layer_index, buffer, is_read in family.slots]
        surroundings.slots.adopt(slots)

    def _present_structure(self) -> Structure | None:
        """Return the present structure of the instance; None if Programs also depend on Layers outside of it."""
        surroundings = self._surroundings
        return Structure(surroundings.layers, surroundings.guards) if surroundings.only_below_instance else None

    def adopt_program(self, bound: Bound, key: tuple[Any, ...]) -> ConcreteProgram | None:
        """Take over a Program that another instance has shared, bind it to this one's objects and store it; None if there is none.

        `Compilation` calls this if it has no Program for a call.
        """
        family, surroundings = self._family, self._surroundings
        if family is None or not family.templates or bound.inputs or surroundings.guards.not_by_value:
            return None
        structure = self._present_structure()
        template = None if structure is None else family.templates.get((structure.key, _key_without_instance(key)))
        if template is None or structure is None:
            return None
        program = template.on(structure.parts)
        if not surroundings.seats.accept_program(program.traced, surroundings.guards):
            surroundings.expire()
            return None
        program.call.outside, program.call.paths = surroundings.guards.values(), bound.paths
        program.add_buffer_aliases()
        program.call.arguments = bound.recipe, bound.specs()
        self._programs.add(key, program, self._target)
        return program

    def share_program(self, bound: Bound, key: tuple[Any, ...], program: ConcreteProgram) -> ConcreteProgram:
        """Store a new Program as a template for other instances.

        Returns the Program that this instance runs: the template on its own objects, or ``program`` if it cannot be shared.
        """
        family, surroundings = self._family, self._surroundings
        if family is None or family.instance_count < _SHARING or bound.inputs or surroundings.guards.not_by_value:
            return program
        if program.has_dynamic_sizes or self._target.input_spec:
            return program
        if not all(isinstance(leaf, EagerTensor) or type(leaf) in _PLAIN for leaf in bound.leaves):
            return program
        structure = self._present_structure()
        if structure is None or not can_be_shared(program, structure.ids):
            return program
        if not family.record_instance(surroundings.layers, structure.ids, surroundings.guards, surroundings.slots):
            return program
        template = Template(program, structure.parts)
        if len(family.templates) >= _MOST:
            family.templates.clear()
        family.templates[structure.key, _key_without_instance(key)] = template
        bound_program = template.on(structure.parts)
        bound_program.call.arguments, bound_program.call.outside = program.call.arguments, program.call.outside
        bound_program.call.paths = program.call.paths
        bound_program.add_buffer_aliases()
        return bound_program


def _key_without_instance(key: tuple[Any, ...]) -> Any:
    """Return the key of a call without its flags, which contain ids of the instance's objects."""
    return (*key[:3], *key[4:])
