"""`TraceResult`: a Program, and how arguments, results and side effects of a function map to it.

Loaded models are such Programs, too, so this module uses neither the tracer nor the translator.
"""

from __future__ import annotations

import collections
import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import starmap
from typing import Any

from to_static.compiler.frontend.function.program.aliasing.kept_views import RunViews, View, join, with_history
from to_static.compiler.frontend.function.program.aliasing.result_choice import DerivedView, ResultChoice
from to_static.compiler.frontend.function.program.buffer_slots import Binding, BufferSlot, tensor_of
from to_static.compiler.frontend.jst.protocol import ConstantSpec, ValueSpec
from to_static.compiler.frontend.jst.values.container import Container
from to_static.compiler.frontend.jst.values.tensor import OneTensor
from to_static.compiler.frontend.jst.values.text import OneText
from to_static.compiler.frontend.tracing.gradient_writes import GradientWrite
from to_static.compiler.frontend.tracing.side_effects import AttributeTarget, ItemsTarget, WriteTarget
from to_static.compiler.ir.program import Program, Var
from to_static.compiler.ir.tensor import Tensor
from to_static.core import tree
from to_static.core.atomic import Steps
from to_static.core.diagnostics.source_location import SourceLocation
from to_static.nn.layer import Layer


class Write:
    """A write that every run does to a target.

    ``spec``: the spec of the value; a run makes it from the next ``count`` outputs. ``appends``: the value has only items that are
    appended to a list. ``argument_index``: the index of the container among the arguments that is the target's owner in each call.
    """

    __slots__ = ("appends", "argument_index", "count", "spec", "target")

    def __init__(self, target: WriteTarget, spec: ValueSpec, appends: bool = False, argument_index: int | None = None) -> None:
        self.target = target
        self.argument_index = argument_index
        self.spec = spec
        self.appends = appends
        self.count = len(spec.tensor_specs())

    def copy_for(self, replacement: Callable[[Any], Any]) -> Write:
        """Return a copy for other objects: ``replacement`` returns the new object for each old one."""
        copied = copy.copy(self)
        copied.target = copy.copy(self.target)
        copied.target.owner = replacement(self.target.owner)
        return copied

    def steps(self, tensors: Iterator[Any], argument_containers: list[Any]) -> list[Steps]:
        """The steps that write the value made of the next tensors. ``argument_containers``: the containers among the arguments."""
        value = self.spec.unflatten(tensors)
        target = self.target
        if self.argument_index is not None:  # the owner is an argument, another object in each call
            owner = argument_containers[self.argument_index]
            target = AttributeTarget(owner, target.name) if isinstance(target, AttributeTarget) else ItemsTarget(owner)
        if self.appends:
            return [map(target.owner.extend, (value,))]
        if isinstance(target, AttributeTarget) and isinstance(target.owner, Layer) and isinstance(value, Tensor):
            return [starmap(Layer.__setattr__, [(target.owner, target.name, value)])]  # a buffer, as in dynamic mode
        return target.steps(list(value.items()) if isinstance(target, ItemsTarget) and isinstance(value, dict) else value)


@dataclass
class TraceResult:
    """A traced function: its Program, and how arguments, results and effects map onto it.

    Attributes:
        feeds: positions, among the leaves, of the inputs of the Program. names: their names.
        result: the spec of the result, made of the first outputs. writes: what is made of the next outputs.
        same: outputs that are a tensor from before the call (see `tracer`).
        choices: outputs for which each run decides which tensor they are: one of ``roots`` (argument leaves, root values) or
            a new one. new_identities: outputs that are one new tensor in all runs, with the identity that choices use for it.
        views: outputs that share memory (`kept_views`). viewed: by identity, choices that share memory with tensors from before
            the call. derived: by identity, choices that share memory with other outputs.
        changed_arguments: (argument leaf, output) of arguments that change in place.
        stop_gradient_sets: (argument leaf, its ``stop_gradient`` afterwards).
        inputs_requiring_grad: argument leaves whose ``stop_gradient`` the function sets to False.
        carried: (root value, output) of root values to which outputs are assigned, through which gradients flow.
        bindings: buffers to which new tensors are assigned.
        twins: pairs of a buffer slot and the slot or tensor that must be the same tensor in each call.
        grads: what happens to ``.grad`` of tensors. grad_inputs: argument leaves among these, which must have no gradient yet.
        consumed_graphs: outputs whose graph the function has freed. trains: whether the function calls backward().
        layers: the Layers that were called.
        order: argument leaves in the order of Paddle's files.
        errors_carry_tensors: whether the function may raise an error that holds tensors (the Program's error has only the
            text), or one after writes in a block that always ends with it.
        inputs: leaves that are number inputs. types: their types.
        asked: the tests of the trace on number inputs, with the outcomes (`ir.symbolic.sym_number_inputs`).
        random_calls: calls of Python's or NumPy's random numbers, with their lines, whose results are constants (in files only).
        compared: (argument leaf, tensor from outside, whether they are one) for comparisons by ``is``.
        outside: leaves that are inputs from outside, not arguments.
    """

    program: Program
    feeds: list[int]
    names: list[str]
    result: ValueSpec = field(default_factory=lambda: ConstantSpec(None))
    writes: list[Write] = field(default_factory=list)
    changed_arguments: list[tuple[int, int]] = field(default_factory=list)
    same: list[tuple[int, Any]] = field(default_factory=list)
    stop_gradient_sets: list[tuple[int, bool]] = field(default_factory=list)
    inputs_requiring_grad: list[int] = field(default_factory=list)
    carried: list[tuple[Var, int]] = field(default_factory=list)
    bindings: list[Binding] = field(default_factory=list)
    views: dict[int, View] = field(default_factory=dict)
    viewed: dict[int, View] = field(default_factory=dict)
    derived: dict[int, DerivedView] = field(default_factory=dict)
    twins: list[tuple[BufferSlot, Any]] = field(default_factory=list)
    choices: list[ResultChoice] = field(default_factory=list)
    new_identities: dict[int, int] = field(default_factory=dict)
    roots: list[int | Var] = field(default_factory=list)
    grads: list[GradientWrite] = field(default_factory=list)
    grad_inputs: list[int] = field(default_factory=list)
    consumed_graphs: list[int] = field(default_factory=list)
    trains: bool = False
    layers: list[Layer] = field(default_factory=list)
    order: list[int] = field(default_factory=list)
    errors_carry_tensors: bool = False
    inputs: list[int] = field(default_factory=list)
    types: list[type] = field(default_factory=list)
    asked: list[tuple[Any, Any]] = field(default_factory=list)
    random_calls: list[tuple[str, SourceLocation | None]] = field(default_factory=list)
    compared: list[tuple[int, Any, bool]] = field(default_factory=list)
    outside: list[int] = field(default_factory=list)

    def attributes_written(self) -> set[tuple[int, str]]:
        """Return the attributes that runs set, each as (id of the owner, name)."""
        targets = [write.target for write in self.writes if write.argument_index is None]
        return {(id(target.owner), target.name) for target in targets if isinstance(target, AttributeTarget)}

    def copy_for(self, replacement: Callable[[Any], Any]) -> TraceResult:
        """Return a copy for other objects: ``replacement`` returns the new object for each old one."""
        copied = copy.copy(self)
        copied.writes = [write.copy_for(replacement) for write in self.writes]
        copied.bindings = [Binding(replacement(slot), output) for slot, output in self.bindings]
        copied.layers, copied.twins = list(map(replacement, self.layers)), list(self.twins)
        return copied

    @property
    def questions(self) -> set[str]:
        """The texts of the tests on number inputs."""
        return {question.text for question, _ in self.asked}

    def substitute_tensors(self, outputs: list[Any], leaves: Sequence[Any], views: RunViews | None) -> None:
        """Replace outputs by the tensors that they are: those of ``same``, and those that this run chooses. Makes their views."""
        if views is not None:
            views.install_views(outputs)
        if self.choices:
            self._choose(outputs, leaves, {} if views is None else views.options)
        if views is not None:
            views.join(outputs)
        if self.derived:
            self._join_derived(outputs)
        for index, source in self.same:
            if isinstance(source, Var):
                outputs[index] = tensor_of(source.holder)
            else:
                outputs[index] = outputs[source[0]] if isinstance(source, tuple) else leaves[source]

    def _choose(self, outputs: list[Any], leaves: Sequence[Any], views: dict[int, Any]) -> None:
        """Replace outputs by the tensors that this run chooses."""
        by_identity = {identity: outputs[index] for index, identity in self.new_identities.items()}
        for index, which, _ in self.choices:
            identity = int(outputs[which]._array) if which >= 0 else ~which
            if identity < 0:
                continue
            if identity < len(self.roots):
                root = self.roots[identity]
                tensor = tensor_of(root.holder) if isinstance(root, Var) else leaves[root]
                outputs[index] = tensor if isinstance(tensor, Tensor) else outputs[index]  # (an argument may be an array)
            elif identity in by_identity or views.get(identity) is None:
                outputs[index] = by_identity.setdefault(identity, outputs[index])
            else:
                outputs[index] = by_identity[identity] = with_history(views[identity], outputs[index])

    def _join_derived(self, outputs: list[Any]) -> None:
        """Make outputs that are views of another output in this run share its memory."""
        identities = {index: int(outputs[which]._array) for index, which, _ in self.choices if which >= 0}
        index_of = {identity: index for index, identity in (*identities.items(), *self.new_identities.items())}
        for index, identity in identities.items():
            view = self.derived.get(identity)
            if view is not None and view.base in index_of:
                base = index_of[view.base]
                join(View((base,), view.path), outputs[base], outputs[index], outputs)

    def objects(self) -> set[int]:
        """Return the ids of the objects from outside that runs write or return."""
        objects = {id(write.target.owner) for write in self.writes}
        specs = [self.result, *(write.spec for write in self.writes)]
        while specs:
            spec = specs.pop()
            if isinstance(spec, ConstantSpec):
                objects.add(id(spec.value))
            elif isinstance(spec, Container):
                specs += spec.parts
        return objects

    def bind(self, outputs: list[Any]) -> list[Steps]:
        """Return the steps that assign outputs to buffers."""
        return [step for slot, index in self.bindings for step in slot.putting(outputs[index])]

    def tensors(self, refuse: Callable[[str], Exception]) -> list[int]:
        """Return the indices of the outputs that are parts of the result, in the order of a file: dicts by sorted keys.

        Raises ``refuse(kind)`` for a kind of part that a file cannot have.
        """
        return _output_indices(self.result, 0, refuse)

    def key_names(self) -> list[str] | None:
        """Return names for `tensors` from the keys of a dict: ``boxes``, ``boxes_0``, ``head_boxes``; None for other results."""
        names = _names(self.result, "")
        return names if isinstance(self.result, Container) and issubclass(self.result.python_type, dict) and all(names) else None

    @property
    def choice(self) -> ResultChoice | None:
        """The only choice, if it is between tensors from before the call and a new tensor; else None."""
        choice = self.choices[0] if len(self.choices) == 1 else None
        return None if choice is None or self.new_identities or self.viewed or self.derived or choice.which < 0 else choice


def of_outputs(program: Program) -> TraceResult:
    """Return the `TraceResult` of a Program without a function: it takes its feeds, and returns one tensor or a list."""
    names = [str(var.name) for var in program.feeds]
    result = TraceResult(program, list(range(len(names))), names)
    specs: list[ValueSpec] = [OneTensor(var.spec) for var in program.outputs]  # type: ignore[arg-type]
    result.result = specs[0] if len(specs) == 1 else Container(list, None, specs)
    return result


def _output_indices(spec: ValueSpec, start: int, refuse: Callable[[str], Exception]) -> list[int]:
    """The indices of the outputs of a part of the result, the first of which is ``start``, in the order of a file."""
    if isinstance(spec, Container):
        part_output_indices: list[list[int]] = []
        for part in spec.parts:
            part_output_indices.append(_output_indices(part, start, refuse))
            start += len(part.tensor_specs())
        if spec.python_type in (dict, collections.OrderedDict):
            part_output_indices = [part_output_indices[i] for i in tree.key_order(list(spec.keys))]
        return [position for positions in part_output_indices for position in positions]
    count = len(spec.tensor_specs())
    if count > 1:
        raise refuse(spec.describe())
    if isinstance(spec, OneText):
        raise refuse("a string made of tensors")
    return [start] * count


def _names(spec: ValueSpec, name: str) -> list[str]:
    """A name for each of `_output_indices`."""
    if not isinstance(spec, Container):
        return [name] * len(spec.tensor_specs())
    keys = list(range(len(spec.parts))) if spec.keys is None else list(spec.keys)
    order = tree.key_order(keys) if spec.python_type in (dict, collections.OrderedDict) else range(len(keys))
    inner = [_names(spec.parts[i], f"{name}_{keys[i]}" if name else f"{keys[i]}") for i in order]
    return [part_name for names in inner for part_name in names]
