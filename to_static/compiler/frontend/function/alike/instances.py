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

_SHARING = 2  # the number of the instance from which on Programs are left for others
_MANY = 8  # the number of the one from which on the first calls run in Python
_WAITING = 24  # how many these are: taking over a Program costs as much
_MOST = 32  # Programs of one class
FAMILIES = "_static_families"  # an attribute of functions that is ours
_PLAIN = (bool, int, float, str, type(None))


class Family:
    """The state that the instances of one class share for one method.

    ``met``: how many there have been; what the guards of one know, without its objects; ``templates``: by structure and kind of
    call.
    """

    def __init__(self) -> None:
        self.met = 0
        self.guards: dict[str, Any] = {}
        self.roots: list[Any] = []
        self.slots: list[Any] = []
        self.templates: dict[Any, Template] = {}

    def record_instance(self, layers: list[Layer], parts: Collection[int], guards: Guards, slots: BufferSlots) -> bool:
        """Take down what an instance knows, for the next ones to begin with; False where that leads to objects of its own.

        ``parts``: the ids of these.
        """
        numbers = {id(layer): number for number, layer in enumerate(layers)}
        roots = [(numbers.get(id(root.owner)), root) for root in guards.roots]
        numbered_slots = [(numbers.get(id(slot.layer)), slot.buffer, is_read) for slot, is_read in slots.each()]
        sources = guards.collected[0]
        if any(n is None for n, *_ in numbered_slots) or any(_is_made_for_one(source, parts) for source in sources):
            return False
        if not all(number is not None or _is_of_all(root.owner, parts) for number, root in roots):
            return False
        self.roots = [number if number is not None else _emptied(root) for number, root in roots]
        self.slots = numbered_slots
        if any(getattr(guards, name) != self.guards.get(name) for name in ("names", "read")):
            self.templates.clear()
        self.guards = guards.watched_state()
        return True


def _is_of_all(owner: Any, parts: Collection[int]) -> bool:
    """True if what a place belongs to is no object of an instance."""
    return id(owner) not in parts and (type(owner) in (types.FunctionType, types.CellType, dict) or owner is mode.grad_enabled)


def _is_made_for_one(source: GuardSource, parts: Collection[int]) -> bool:
    """True if the place of an instance has a function that may have been made for it, and know it."""
    value = source.value
    return id(source.owner) in parts and type(value) is types.FunctionType and "<locals>" in value.__qualname__


def _emptied(root: GuardSource) -> GuardSource:
    emptied = copy.copy(root)
    if emptied.read is not None:
        emptied.value = emptied.key = None
    return emptied


class Families:
    """Those of one method, by class. What has the attributes of its ``owner``, a wrapper or a copy, has none of them."""

    __slots__ = ("of", "owner")

    def __init__(self, owner: Any = None) -> None:
        self.owner = owner
        self.of: dict[type, Family] = {}

    def __reduce__(self) -> Any:
        return Families, ()


def family_of(function: Any, instance: Any) -> Family | None:
    """That of a method of a Layer, which the function keeps, so that they are freed together; None for other functions."""
    if not isinstance(instance, Layer) or type(function) is not types.FunctionType:
        return None
    families = vars(function).get(FAMILIES)
    if type(families) is not Families or families.owner is not function:
        families = vars(function)[FAMILIES] = Families(function)
    return families.of.setdefault(type(instance), Family())


class ProgramSharing:
    """The state that a static function shares with those of other instances of its class.

    ``python_calls_left``: how many of the next calls run in Python before anything is looked at; -1: not known yet.
    """

    __slots__ = ("_family", "_programs", "_surroundings", "_target", "python_calls_left")

    def __init__(self, target: TargetFunction, surroundings: Surroundings, programs: Programs) -> None:
        self._target = target
        self._surroundings = surroundings
        self._programs = programs
        self._family: Family | None = None
        self.python_calls_left = -1

    def takes_python_call(self) -> bool:
        """True if a call runs in Python since nobody knows if more will come."""
        if self.python_calls_left < 0:
            self.python_calls_left = 0
            target = self._target
            if not target.is_part and target.input_spec is None and not tuned_kernels.in_use():
                family = self._family = family_of(target.function, target.instance)
                if family is not None:
                    family.met += 1
                    self.python_calls_left = _WAITING if family.met >= _MANY and target.may_break else 0
                    if not self.python_calls_left:
                        self._begin_as_another_instance(family, target.instance)
        if self.python_calls_left > 0:
            self.python_calls_left -= 1
            if not self.python_calls_left and self._family is not None:
                self._begin_as_another_instance(self._family, self._target.instance)
            return True
        return False

    def _begin_as_another_instance(self, family: Family, instance: Layer) -> None:
        """Begin with what another instance knows; nothing if none has left a Program."""
        if not family.templates:
            return
        layers = instance.sublayers(include_self=True)
        numbers = [*(root for root in family.roots if type(root) is int), *(number for number, *_ in family.slots)]
        if max(numbers, default=0) >= len(layers):
            return
        surroundings = self._surroundings
        surroundings.guards.take(family.guards, [layers[root] if type(root) is int else root for root in family.roots])
        surroundings.slots.take([(BufferSlot(layers[number], buffer), is_read) for number, buffer, is_read in family.slots])

    def _structure_of_now(self) -> Structure | None:
        """The structure of the instance; None where Programs depend on other Layers, too."""
        surroundings = self._surroundings
        return Structure(surroundings.layers, surroundings.guards) if surroundings.only_own else None

    def adopt_program(self, bound: Bound, key: tuple[Any, ...]) -> ConcreteProgram | None:
        """The Program of another instance for this call, on the objects of this one; None where there is none."""
        family, surroundings = self._family, self._surroundings
        if family is None or not family.templates or bound.inputs or surroundings.guards.apart:
            return None
        structure = self._structure_of_now()
        template = None if structure is None else family.templates.get((structure.key, _key_without_instance(key)))
        if template is None or structure is None:
            return None
        program = template.on(structure.parts)
        if not surroundings.seats.fit(program.traced, surroundings.guards):
            surroundings.expire()
            return None
        program.call.outside, program.call.paths = surroundings.guards.values(), bound.paths
        program.add_buffer_aliases()
        program.call.arguments = bound.recipe, bound.specs()
        self._programs.add(key, program, self._target)
        return program

    def share_program(self, bound: Bound, key: tuple[Any, ...], program: ConcreteProgram) -> ConcreteProgram:
        """Leave a new Program for other instances; gives what runs in its place for this one."""
        family, surroundings = self._family, self._surroundings
        if family is None or family.met < _SHARING or bound.inputs or surroundings.guards.apart:
            return program
        if program.has_dynamic_sizes or self._target.input_spec:
            return program
        if not all(isinstance(leaf, EagerTensor) or type(leaf) in _PLAIN for leaf in bound.leaves):
            return program
        structure = self._structure_of_now()
        if structure is None or not can_be_shared(program, structure.ids):
            return program
        if not family.record_instance(surroundings.layers, structure.ids, surroundings.guards, surroundings.slots):
            return program
        template = Template(program, structure.parts)
        if len(family.templates) >= _MOST:
            family.templates.clear()
        family.templates[structure.key, _key_without_instance(key)] = template
        moved = template.on(structure.parts)
        moved.call.arguments, moved.call.outside = program.call.arguments, program.call.outside
        moved.call.paths = program.call.paths
        moved.add_buffer_aliases()
        return moved


def _key_without_instance(key: tuple[Any, ...]) -> Any:
    """The key of a call without the instance."""
    return (*key[:3], *key[4:])
