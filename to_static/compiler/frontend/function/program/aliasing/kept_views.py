"""Results that share memory with a tensor that existed before the run, or with each other.

``self.kept = self.weight.detach()``, ``return x.T``: in dynamic mode such a tensor shows later changes of its base. A Program
only computes values. Therefore each run turns these outputs into views.

`program/tracer.py` finds the views with `Memories`. `ConcreteProgram` makes them in each run with `KeptViews`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.function.program.aliasing.result_choice import DerivedView, TensorIdentities
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.ir import mode
from to_static.compiler.ir.program import Var
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ir.symbolic.views import Step
from to_static.compiler.ir.tensor import Tensor

Source = int | Var | tuple[int]  # an argument leaf, a root value, an output
TensorOf = Callable[[Any], Any]  # the tensor of a leaf or root value


class At(NamedTuple):
    """In the inputs of a step: the output of the Program that the step takes."""

    output: int


class View(NamedTuple):
    """The base of a view, and the steps that make the view from it. Tensors among the inputs of steps are outputs (`At`)."""

    source: Source
    path: tuple[Step, ...]

    @property
    def is_settled(self) -> bool:
        """True if the view can be made before the run: it takes no output."""
        return not isinstance(self.source, tuple) and not any(_places(step.inputs) for step in self.path)

    def make(self, source: Any, outputs: list[Any]) -> Any:
        """Return the view of ``source``, as dynamic mode makes it; None if that is a copy, or if ``source`` is an array."""
        if not isinstance(source, EagerTensor):
            return None
        view: Any = source
        with mode.grad_mode(False):
            for step in self.path:
                view = step._replace(inputs=_filled(step.inputs, outputs)).follow(view)
            view = view.detach() if view is source else view
        return view if view._memory is not None and view._memory is source._memory else None


def _places(inputs: object) -> list[int]:
    """The indices of the outputs among the inputs of a step."""
    if isinstance(inputs, At):
        return [inputs.output]
    return [position for item in inputs for position in _places(item)] if isinstance(inputs, (tuple, list)) else []


def _filled(inputs: Any, outputs: list[Any]) -> Any:
    """The inputs of a step, with the outputs of a run in place of `At`."""
    if isinstance(inputs, At):
        return outputs[inputs.output]
    return type(inputs)(_filled(item, outputs) for item in inputs) if isinstance(inputs, (tuple, list)) else inputs


class Memories:
    """The memories that tensors of a trace share, and the argument or root value that each memory belongs to, if any.

    ``handles``: the argument leaves with their symbolic tensors. ``outputs``: the outputs of the Program; the inputs of view steps
    are appended to them.
    """

    def __init__(self, builder: Any, handles: list[tuple[int, Variable, Any]], outputs: list[Any]) -> None:
        self._builder = builder
        self._outputs = outputs
        self._added: dict[int, int] = {}
        self._sources: dict[int, tuple[Any, tuple[Step, ...]]] = {}
        roots = {id(param.holder): param for param in builder.program.params}
        outside = [(roots[key], handle) for key, (_, handle) in builder.captured.items() if key in roots]
        for source, handle in [*((i, handle) for i, handle, _ in handles), *outside]:
            if handle.views is not None:
                memory, path = handle.views
                self._sources.setdefault(id(memory), (source, path))

    def among(self, fixed: Iterable[int]) -> dict[int, View]:
        """Return the outputs that are views, by index, except ``fixed`` ones: tensors from before the call or earlier outputs."""
        fixed = set(fixed)
        outputs, memories = self._outputs, dict[int, tuple[Any, list[int]]]()
        for index, output in enumerate(outputs):
            if type(output) is Variable and index not in fixed and output.views is not None and output.frame is self._builder.root:
                memories.setdefault(id(output.views[0]), (output.views[0], []))[1].append(index)
        views: dict[int, View] = {}
        for memory, indexes in memories.values():
            if id(memory) in self._sources:
                source, start = self._sources[id(memory)]
            elif len(indexes) == 1 and memory.data_dependent_handle is None:
                continue
            else:
                source, start = (self._storage_output(memory, indexes),), ()
            for index in indexes:
                path = outputs[index].views[1]
                if source != (index,) and path[: len(start)] == start:
                    views[index] = View(source, tuple(map(self._with_places, path[len(start) :])))
        return views

    def _storage_output(self, memory: Any, indexes: list[int]) -> int:
        """Return the index of the output that is the base of views in a memory that the Program makes; added if necessary."""
        outputs, first = self._outputs, memory.first
        for index in indexes:
            if outputs[index] is first:
                return index
        outputs.append(self._builder.detach(memory.storage) if memory.data_dependent_handle is None else memory.storage)
        return len(outputs) - 1

    def _with_places(self, step: Step) -> Step:
        """Return a step with outputs (`At`) in place of its tensor inputs."""
        return step._replace(inputs=self._numbered(step.inputs))

    def _numbered(self, inputs: object) -> Any:
        """Return the inputs with `At` in place of tensors, which become outputs of the Program."""
        if isinstance(inputs, Tensor):
            if id(inputs) not in self._added:
                self._added[id(inputs)] = len(self._outputs)
                self._outputs.append(inputs)
            return At(self._added[id(inputs)])
        return type(inputs)(map(self._numbered, inputs)) if isinstance(inputs, (tuple, list)) else inputs

    def candidates(self) -> tuple[dict[Var, View | None], dict[Var, tuple[Step, ...]]]:
        """Return the values of the Program that are views of an argument or root value; and the steps of the other views.

        A view of a root value at a position that the Program computes is None.
        """
        views: dict[Var, View | None] = {}
        steps: dict[Var, tuple[Step, ...]] = {}
        for var, (memory, path) in self._builder.view_values.items():
            source, start = self._sources.get(id(memory), (0, None))
            if start is not None and path[: len(start)] == start:
                remaining_path = path[len(start) :]
                if _is_static(remaining_path) or isinstance(source, Var):
                    views[var] = View(source, remaining_path) if _is_static(remaining_path) else None
            elif var.op is not None and var.op.name == "assign":  # `detach`: all of its base
                steps[var] = ()
            elif var.op is not None and path and path[-1].opdef is var.op.opdef and _is_static(path[-1:]):
                steps[var] = (path[-1],)
        return views, steps


def _is_static(path: Iterable[Step]) -> bool:
    """True if no step takes a tensor."""
    return not any(isinstance(x, (Tensor, list, tuple)) and x for step in path for x in step.inputs)


def chosen_views(
    tensor_identities: TensorIdentities, outputs: Iterable[Var], candidates: dict[Var, View | None], sources: Sequence[int | Var]
) -> tuple[dict[int, View], dict[int, DerivedView]]:
    """Return the views that outputs with choices may be, by identity: of tensors from before the call, and of new tensors.

    ``sources``: the argument leaves and root values, which have the first identities. ``candidates``: see `Memories.candidates`.

    Raises a graph break for a view of a root value at a position that the Program computes.
    """
    root_vars, derived = tensor_identities.views(outputs)
    root_views = {identity: candidates[var] for identity, var in root_vars.items()}
    if None in root_views.values():
        refuse_undecided()
    views = {identity: view for identity, view in root_views.items() if view is not None}
    new_views: dict[int, DerivedView] = {}
    for identity, view in derived.items():
        base = views.get(view.base) or (View(sources[view.base], ()) if view.base < len(sources) else None)
        if base is None:
            new_views[identity] = view
        else:
            views[identity] = View(base.source, (*base.path, *view.path))
    return views, new_views


def refuse_undecided() -> None:
    """Break the graph: a tensor decides whether a view of a tensor from outside, at a computed position, is stored or returned."""
    raise broken(
        "a view of a tensor that existed before the call, at a position that depends on tensors, is stored "
        "or returned only under a tensor condition",
        "a copy of it: `self.table[i].clone()`",
    )


class KeptViews:
    """Makes the views among the outputs of a Program, in each run.

    ``views``: the views, by output. ``chosen``: the views, by identity, among which the run chooses (`result_choice`).
    ``changed_sources``: the argument leaves and root values that runs change in place.
    """

    def __init__(self, views: dict[int, View], chosen: dict[int, View], changed_sources: Iterable[Any]) -> None:
        changed_sources = set(changed_sources)
        self._chosen = chosen
        self._constant_views = {index: view for index, view in views.items() if view.is_settled}
        self._views_after_run: dict[int, View] = {}
        self._views_after_writes: dict[int, View] = {}
        for index, view in views.items():
            if not view.is_settled:
                base_changes = not isinstance(view.source, tuple) and view.source in changed_sources
                (self._views_after_writes if base_changes else self._views_after_run)[index] = view

    def views_of_run(self, tensor_of: TensorOf) -> RunViews:
        """Return the views of one run, called before it. The views of existing tensors are made now, and see the run's changes."""
        constant_views, options = (
            {key: _view_of(view, tensor_of) for key, view in views.items()} for views in (self._constant_views, self._chosen)
        )
        return RunViews(tensor_of, constant_views, options, self._views_after_run, self._views_after_writes)


def _view_of(view: View, tensor_of: TensorOf) -> Any:
    """Make a view before a run; None if it cannot be made."""
    try:
        return view.make(tensor_of(view.source), [])
    except Exception:  # the run raises the error, if it gets as far as this view
        return None


class RunViews:
    """The views of one run.

    ``options``: the views, by identity, that outputs may be.
    """

    __slots__ = ("_derived", "_new", "_outputs", "_tensor_of", "_views_after_run", "_views_after_writes", "options")

    def __init__(
        self,
        tensor_of: TensorOf,
        derived: dict[int, Any],
        options: dict[int, Any],
        views_after_run: dict[int, View],
        views_after_writes: dict[int, View],
    ) -> None:
        self._tensor_of = tensor_of
        self._derived = derived
        self.options = options
        self._views_after_run = views_after_run
        self._views_after_writes = list(views_after_writes.items())
        self._new: set[int] = set()
        self._outputs: list[Any] = []

    def install_views(self, outputs: list[Any]) -> None:
        """Put the views that were made before the run in place of their outputs. Called after the plan, before any write."""
        self._new = set(map(id, outputs))
        for index, tensor in self._derived.items():
            if tensor is not None:
                outputs[index] = with_history(tensor, outputs[index])

    def join(self, outputs: list[Any]) -> None:
        """Make views of outputs, and views at computed positions, share memory with their bases. Called before any write."""
        self._outputs = outputs
        for index, view in self._views_after_run.items():
            if isinstance(view.source, tuple) and id(outputs[view.source[0]]) not in self._new:
                self._views_after_writes.append((index, view))  # the base is an old tensor, which a write may change
            else:
                self._join(index, view, outputs)

    def follow_changes(self) -> None:
        """Make views of tensors that the run changed share memory with them. Called after all writes."""
        for index, view in self._views_after_writes:
            self._join(index, view, self._outputs)

    def _join(self, index: int, view: View, outputs: list[Any]) -> None:
        """Make the output ``index`` share memory with the base of its view."""
        source = view.source
        join(view, outputs[source[0]] if isinstance(source, tuple) else self._tensor_of(source), outputs[index], outputs)


def join(view: View, source: Any, output: EagerTensor, outputs: list[Any]) -> None:
    """Make an output that is a view of ``source`` share its memory, unless the view is a copy."""
    same_view = view.make(source, outputs)
    if same_view is not None and same_view._array.shape == output._array.shape and same_view._array.dtype == output._array.dtype:
        output._array = same_view._array
        same_view._memory.add(output)


def with_history(view: Any, computed: Any) -> Any:
    """Return ``view`` with the tape node and ``stop_gradient`` of the tensor that the run computed for it."""
    view._node, view._index, view.stop_gradient = computed._node, computed._index, computed.stop_gradient
    return view
