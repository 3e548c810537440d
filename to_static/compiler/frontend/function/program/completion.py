"""The steps of a call after its plan has run: results, gradients, writes. Each step is declared once, as an action and as
source text.

The slow path does the actions in order (`Completion.do`), and then assigns all new values at once. A specialized entry is
generated from the texts (`Completion.derive`), in the same order. If a step has no text, the Program has no entry that runs its
plan.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from to_static.compiler.eager import tape
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.function.program.aliasing.kept_views import RunViews
from to_static.compiler.frontend.function.program.buffer_slots import tensor_of
from to_static.compiler.frontend.function.program.containers import containers
from to_static.compiler.frontend.function.program.returned_list import elements
from to_static.compiler.frontend.jst.values.container import Container
from to_static.compiler.frontend.jst.values.tensor import OneTensor
from to_static.compiler.frontend.tracing.gradient_writes import GradientWrite
from to_static.compiler.ir import mode
from to_static.compiler.runtime.writes.stores import Stores
from to_static.core.atomic import Steps, commit, set_all, setting

if TYPE_CHECKING:
    from to_static.compiler.frontend.function.program.concrete import ConcreteProgram

CONSUMED_GRAPH = tape.Node("static function", [], 1)  # the node of results for which the function has called backward()
CONSUMED_GRAPH.free()


class CompletedRun:
    """The data of a run after its plan.

    Attributes:
        outputs: the outputs of the plan, as tensors. leaves, arguments: of the call.
        views: see `KeptViews.views_of_run`.
        steps: the writes, which are committed together. staged: tensors that these steps change, by id.
        result: the result of the call.
    """

    __slots__ = ("arguments", "leaves", "outputs", "result", "staged", "steps", "views")

    def __init__(
        self, outputs: list[Any], leaves: Sequence[Any], arguments: object, steps: list[Steps], views: RunViews | None
    ) -> None:
        self.outputs = outputs
        self.leaves = leaves
        self.arguments = arguments
        self.steps = steps
        self.views = views
        self.staged: dict[int, Any] = {}
        self.result: Any = None


class CompletionText:
    """The lines that follow the run of a plan in an entry.

    In the text ``y0``, ``y1`` are the outputs, ``r`` their arrays, ``node`` the tape node of the run.

    Attributes:
        stops: which outputs have no gradient. nodes: the name of each output's tape node.
        space: the globals of the entry.
        early, late: lines before and after the writes.
        tests: if all are true in a call, the writes are done quickly, as assignments of ``values`` to the attributes ``names``
            of ``targets``; otherwise by ``steps``, expressions of steps.
    """

    def __init__(self, stops: list[bool], space: dict[str, Any], prefix: str) -> None:
        self.nodes = [None if stop else "node" for stop in stops]
        self.stops = list(stops)
        self.space = space
        self.early: list[str] = []
        self.late: list[str] = []
        self.tests: list[str] = []
        self.targets: list[Any] = []
        self.names: list[str] = []
        self.values: list[str] = []
        self.steps: list[str] = []
        self._prefix = prefix
        self._deferred = ""
        self._end: list[str] = []

    def store(self, stores: Stores, versions: list[str] | None) -> None:
        """Add the writes of state, whose new values the plan calls ``new``. ``versions``: expressions of the next versions."""
        prefix = self._prefix
        self.space |= {f"{prefix}moved": stores.changing, f"{prefix}steps": stores.steps}
        many = f"*[v + 1 for v in map(version_of, {prefix}moved)]"
        self.values += ["*new", *([many] if versions is None else versions), *["None"] * stores.unknown]
        self.targets += stores.objects
        self.names += stores.names
        self.steps.append(f"*{prefix}steps(new)")
        self._deferred = "*deferred_writes, " * stores.overwrites
        self._end.append(f"{prefix}give(run)")

    def lines(self) -> list[str]:
        """Return the lines of the text."""
        lines = []
        for i, (stop, node) in enumerate(zip(self.stops, self.nodes, strict=True)):
            lines.append(f"y{i} = Tensor(r[{i}], {bool(stop)})")
            if node is not None:
                lines.append(f"y{i}._node = {node}")
            if node == "node" and i:
                lines.append(f"y{i}._index = {i}")
        return [*lines, *self.early, *self._change(), *self._end, *self.late]

    def _change(self) -> list[str]:
        """The lines that do all writes."""
        if not self.steps:
            return []
        prefix = self._prefix
        self.space |= {
            f"{prefix}objects": tuple(self.targets), f"{prefix}attributes": tuple(self.names), "commit": commit, "set_all": set_all,
        }  # fmt: skip
        changes = f"{prefix}objects, {prefix}attributes, ({', '.join(self.values)},)"
        assigned = f"set_all({changes})" if self.values else "pass"
        change = f"commit(({self._deferred}map(setattr, {changes}),))" if self._deferred else assigned
        otherwise = f"commit(({self._deferred}{', '.join(self.steps)},))"
        return [f"if {' and '.join(self.tests)}: {change}", f"else: {otherwise}"] if self.tests else [change]


class OldTensorTexts(Protocol):
    """The expressions, in the text of an entry, for tensors that exist before the call."""

    def old_tensor(self, identity: int) -> str:
        """Return the expression for the tensor with this identity: its index among feeds and root values."""


def tensors_of(arrays: Sequence[Any], stop_gradients: list[bool], node: tape.Node | None) -> list[Any]:
    """Return the outputs of a run as tensors; those with a gradient belong to ``node``. `CompletionText.lines` is its text."""
    outputs = [EagerTensor(array) for array in arrays[: len(stop_gradients)]]
    for i, stop in enumerate(stop_gradients):
        if not stop:
            out = outputs[i]
            out._node, out._index, out.stop_gradient = node, i, False
    return outputs


class Completion:
    """One part of what follows the plan. ``derived``: whether `derive` has a text for it."""

    derived = False

    def do(self, run: CompletedRun) -> None:
        """Do this part; add its writes to ``run.steps``."""
        raise NotImplementedError("a subclass must define this method")

    def derive(self, text: CompletionText, tensors: OldTensorTexts) -> None:
        """Add the lines that do this part to the text of an entry."""
        raise NotImplementedError("a subclass must define this method")


class NewLeaves(Completion):
    """Sets ``stop_gradient`` to False for outputs that are new leaves."""

    def __init__(self, outputs: Collection[int]) -> None:
        self._outputs = outputs

    def do(self, run: CompletedRun) -> None:
        for index in self._outputs:
            run.outputs[index].stop_gradient = False


class StillLeaves(Completion):
    """Removes the tape node of outputs that tensors of the caller hold afterwards, which stay leaves."""

    def __init__(self, outputs: Collection[int]) -> None:
        self._outputs = outputs

    def do(self, run: CompletedRun) -> None:
        for index in self._outputs:
            run.outputs[index]._node = None


class ConsumedGraphs(Completion):
    """Marks outputs for which the function has called backward(): their graph is freed."""

    def __init__(self, outputs: list[int], derived: bool) -> None:
        self._outputs = outputs
        self.derived = derived

    def do(self, run: CompletedRun) -> None:
        for index in self._outputs:
            run.outputs[index]._node, run.outputs[index].stop_gradient = CONSUMED_GRAPH, False

    def derive(self, text: CompletionText, tensors: OldTensorTexts) -> None:
        text.space["spent"] = CONSUMED_GRAPH
        for index in self._outputs:
            text.stops[index], text.nodes[index] = False, "spent"


class GradientAssignments(Completion):
    """Assigns to ``.grad`` of tensors."""

    def __init__(self, writes: list[GradientWrite], derived: bool) -> None:
        self._writes = writes
        self.derived = derived and not any(type(write.target) is int for write in writes)

    def do(self, run: CompletedRun) -> None:
        run.steps += [step for write in self._writes for step in write.steps(run.outputs, run.leaves)]

    def derive(self, text: CompletionText, tensors: OldTensorTexts) -> None:
        text.space["cleared"] = tape.CLEARED
        for i, write in enumerate(self._writes):
            text.space |= {f"t{i}": write.target, f"write{i}": write.steps_for}
            gradient = f"y{write.index}" if write.index >= 0 else None
            text.steps.append(f"*write{i}(t{i}, {gradient})")
            if write.index == GradientWrite.FORGET:
                text.tests += ["False"] * (write.old_grad_action == GradientWrite.ZEROS)
            else:
                none = f"t{i}._grad is None or " if write.index != GradientWrite.CLEAR else ""
                text.tests.append(f"({none}t{i}._grad is cleared)")
            if gradient is not None or write.index == GradientWrite.FORGET:
                text.values.append(str(gradient))
                text.targets.append(write.target)
                text.names.append("_grad")
            if gradient is not None:
                text.early.append(f"{gradient}.stop_gradient = False")


class CarriedState(Completion):
    """Assigns outputs to root values; gradients flow through these."""

    def __init__(self, carried: list[tuple[Any, int]]) -> None:
        self._carried = carried

    def do(self, run: CompletedRun) -> None:
        for holder, index in self._carried:
            run.steps += tensor_of(holder).becoming(run.outputs[index], run.staged)


class Identities(Completion):
    """Replaces outputs by the tensors that they are: tensors from before the call, other outputs, or views of these."""

    def __init__(self, program: ConcreteProgram) -> None:
        self._traced = program.traced
        traced = self._traced
        self._choice = traced.choice
        self.derived = self._choice is not None and not (traced.same or traced.views)

    def do(self, run: CompletedRun) -> None:
        self._traced.substitute_tensors(run.outputs, run.leaves, run.views)

    def derive(self, text: CompletionText, tensors: OldTensorTexts) -> None:
        choice = self._choice
        assert choice is not None
        text.late.append(f"k = r[{choice.which}].item()")
        text.late += [f"if k == {identity}: y{choice.output} = {tensors.old_tensor(identity)}" for identity in choice.roots]


class Result(Completion):
    """Makes the result of the call from the first outputs. ``is_one``: whether it is one tensor."""

    derived = True

    def __init__(self, program: ConcreteProgram) -> None:
        spec = program.traced.result
        self._make = spec.unflatten
        self._count = len(spec.tensor_specs())
        self._has_lists = not program.facts.gives_tensors
        self.is_one = type(spec) is OneTensor
        is_sequence = (
            isinstance(spec, Container)
            and spec.python_type in (tuple, list)
            and all(type(part) is OneTensor for part in spec.parts)
        )
        self.sequence: type | None = spec.python_type if is_sequence else None  # type: ignore[attr-defined]

    def do(self, run: CompletedRun) -> None:
        if self.is_one:
            run.result = run.outputs[0]
            return
        tensors = run.outputs[: self._count]
        if self._has_lists:
            tensors = _with_elements(tensors)
        run.result = self._make(iter(tensors)) if self.sequence is None else self.sequence(tensors)

    def derive(self, text: CompletionText, tensors: OldTensorTexts) -> None:
        every = "".join(f"y{i}, " for i in range(self._count))
        if self.is_one:
            text.late.append("return y0")
        elif self.sequence is not None:
            text.late.append(f"return [{every}]" if self.sequence is list else f"return ({every})")
        else:
            text.space["made"] = self._make
            text.late.append(f"return made(iter(({every})))")


class ObjectWrites(Completion):
    """Writes attributes, lists, dicts and globals, from the outputs after those of the result."""

    def __init__(self, program: ConcreteProgram) -> None:
        traced = program.traced
        self._writes = traced.writes
        self._start = len(traced.result.tensor_specs())
        self._into_arguments = any(write.argument_index is not None for write in traced.writes)
        self._has_lists = not program.facts.gives_tensors

    def do(self, run: CompletedRun) -> None:
        argument_containers = containers(run.arguments) if self._into_arguments else []
        outputs = run.outputs
        tensors: Iterator[Any] = iter(_with_elements(outputs[self._start :]) if self._has_lists else outputs[self._start :])
        for write in self._writes:
            run.steps += write.steps(tensors, argument_containers)


class BufferBindings(Completion):
    """Assigns new tensors to buffers."""

    def __init__(self, program: ConcreteProgram) -> None:
        self._bind = program.traced.bind

    def do(self, run: CompletedRun) -> None:
        run.steps += self._bind(run.outputs)


class ChangedArguments(Completion):
    """Changes tensors among the arguments in place."""

    def __init__(self, changes: list[tuple[int, int]], still: Collection[int]) -> None:
        self._changes = changes
        self._still = still

    def do(self, run: CompletedRun) -> None:
        for position, index in self._changes:
            with mode.grad_mode(mode.grad_enabled() and index not in self._still):
                run.steps += run.leaves[position].becoming(run.outputs[index], run.staged)


class StopGradients(Completion):
    """Assigns to ``stop_gradient`` of arguments."""

    def __init__(self, stops: list[tuple[int, bool]]) -> None:
        self._stops = stops

    def do(self, run: CompletedRun) -> None:
        run.steps.append(setting(*[(run.leaves[position], "stop_gradient", stop) for position, stop in self._stops]))


def _with_elements(outputs: list[Any]) -> list[Any]:
    """Return the outputs, with lists of tensors in place of outputs that are lists."""
    return [elements(x) if isinstance(x._array, list) else x for x in outputs]


def completions_of(program: ConcreteProgram) -> list[Completion]:
    """Return the parts that follow the plan of a Program, in order. (The steps that the plan returns write its state.)"""
    traced, facts = program.traced, program.facts
    derived = not facts.differentiable
    parts: list[Completion] = []
    if facts.new_leaves:
        parts.append(NewLeaves(facts.new_leaves))
    if facts.still_leaves:
        parts.append(StillLeaves(facts.still_leaves))
    if traced.consumed_graphs:
        parts.append(ConsumedGraphs(traced.consumed_graphs, derived))
    if program.carried:
        parts.append(CarriedState(program.carried))
    if traced.grads:
        parts.append(GradientAssignments(traced.grads, derived))
    if traced.same or traced.choices or traced.views or traced.viewed:
        parts.append(Identities(program))
    parts.append(Result(program))
    if traced.writes:
        parts.append(ObjectWrites(program))
    if traced.bindings:
        parts.append(BufferBindings(program))
    if traced.changed_arguments:
        parts.append(ChangedArguments(traced.changed_arguments, facts.still_leaves))
    if traced.stop_gradient_sets:
        parts.append(StopGradients(traced.stop_gradient_sets))
    return parts
