"""Results that share memory with a tensor that existed before the run, or with each other.

``self.kept = self.weight.detach()``, ``return x.T``: in dynamic mode such a tensor shows later changes of the tensor that it is
a view of. A Program only computes numbers. Therefore these tensors are turned into views after each run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.function.program.aliasing.result_choice import DerivedView, Numbers
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.ir import mode
from to_static.compiler.ir.program import Var
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ir.symbolic.views import Step
from to_static.compiler.ir.tensor import Tensor

Source = int | Var | tuple[int]  # an argument leaf, a root value, an output
TensorOf = Callable[[Any], Any]  # the tensor of a leaf or root value


class At(NamedTuple):
    """The output that is an input of a step."""

    output: int


class View(NamedTuple):
    """The base of a view, and the steps that make the view of it; their inputs are outputs (`At`)."""

    source: Source
    path: tuple[Step, ...]

    @property
    def is_settled(self) -> bool:
        """True if it can be made before a run."""
        return not isinstance(self.source, tuple) and not any(_places(step.inputs) for step in self.path)

    def of(self, source: Any, outputs: list[Any]) -> Any:
        """The view, as dynamic mode makes it; None where that is a copy, and of what is no tensor (an array that is handed in)."""
        if not isinstance(source, EagerTensor):
            return None
        view: Any = source
        with mode.grad_mode(False):
            for step in self.path:
                view = step._replace(inputs=_filled(step.inputs, outputs)).follow(view)
            view = view.detach() if view is source else view
        return view if view._memory is not None and view._memory is source._memory else None


def _places(inputs: object) -> list[int]:
    if isinstance(inputs, At):
        return [inputs.output]
    return [position for item in inputs for position in _places(item)] if isinstance(inputs, (tuple, list)) else []


def _filled(inputs: Any, outputs: list[Any]) -> Any:
    if isinstance(inputs, At):
        return outputs[inputs.output]
    return type(inputs)(_filled(item, outputs) for item in inputs) if isinstance(inputs, (tuple, list)) else inputs


class Memories:
    """The memories that handles of a trace share, and what was there before it of each.

    ``handles``: those of the argument leaves. ``outputs``: of the Program, which get what steps of views need.
    """

    def __init__(self, builder: Any, handles: list[tuple[int, Variable, Any]], outputs: list[Any]) -> None:
        self._builder = builder
        self._outputs = outputs
        self._added: dict[int, int] = {}
        self._before: dict[int, tuple[Any, tuple[Step, ...]]] = {}
        roots = {id(param.holder): param for param in builder.program.params}
        outside = [(roots[key], handle) for key, (_, handle) in builder.captured.items() if key in roots]
        for source, handle in [*((i, handle) for i, handle, _ in handles), *outside]:
            if handle.views is not None:
                memory, path = handle.views
                self._before.setdefault(id(memory), (source, path))

    def among(self, fixed: Iterable[int]) -> dict[int, View]:
        """The outputs that are views, but ``fixed`` ones, which are tensors of before or earlier outputs."""
        fixed = set(fixed)
        outputs, memories = self._outputs, dict[int, tuple[Any, list[int]]]()
        for index, output in enumerate(outputs):
            if type(output) is Variable and index not in fixed and output.views is not None and output.frame is self._builder.root:
                memories.setdefault(id(output.views[0]), (output.views[0], []))[1].append(index)
        views: dict[int, View] = {}
        for memory, indexes in memories.values():
            if id(memory) in self._before:
                source, start = self._before[id(memory)]
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
        """The output that views in a memory which the Program makes are views of, or of which it tells which tensor it is."""
        outputs, first = self._outputs, memory.first
        for index in indexes:
            if outputs[index] is first:
                return index
        outputs.append(self._builder.detach(memory.storage) if memory.data_dependent_handle is None else memory.storage)
        return len(outputs) - 1

    def _with_places(self, step: Step) -> Step:
        return step._replace(inputs=self._numbered(step.inputs))

    def _numbered(self, inputs: object) -> Any:
        if isinstance(inputs, Tensor):
            if id(inputs) not in self._added:
                self._added[id(inputs)] = len(self._outputs)
                self._outputs.append(inputs)
            return At(self._added[id(inputs)])
        return type(inputs)(map(self._numbered, inputs)) if isinstance(inputs, (tuple, list)) else inputs

    def candidates(self) -> tuple[dict[Var, View | None], dict[Var, tuple[Step, ...]]]:
        """Values of the Program that are views of what was there before; and other views, with how each is made of its base.

        None for those of tensors from outside at places that the Program computes.
        """
        views: dict[Var, View | None] = {}
        steps: dict[Var, tuple[Step, ...]] = {}
        for var, (memory, path) in self._builder.view_values.items():
            source, start = self._before.get(id(memory), (0, None))
            if start is not None and path[: len(start)] == start:
                rest = path[len(start) :]
                if _is_static(rest) or isinstance(source, Var):
                    views[var] = View(source, rest) if _is_static(rest) else None
            elif var.op is not None and var.op.name == "assign":  # `detach`: all of its base
                steps[var] = ()
            elif var.op is not None and path and path[-1].opdef is var.op.opdef and _is_static(path[-1:]):
                steps[var] = (path[-1],)
        return views, steps


def _is_static(path: Iterable[Step]) -> bool:
    """True if no step takes what the Program computes."""
    return not any(isinstance(x, (Tensor, list, tuple)) and x for step in path for x in step.inputs)


def chosen_views(
    numbers: Numbers, outputs: Iterable[Var], candidates: dict[Var, View | None], sources: Sequence[int | Var]
) -> tuple[dict[int, View], dict[int, DerivedView]]:
    """The views that outputs of which a Program tells may be, by number: of tensors of before, and of tensors that runs make.

    ``sources``: the argument leaf or root value of the numbers that are tensors of before.

    Raises a graph break for parts of tensors from outside at places that the Program computes.
    """
    before, derived = numbers.views(outputs)
    of_before = {number: candidates[var] for number, var in before.items()}
    if None in of_before.values():
        refuse_undecided()
    views = {number: view for number, view in of_before.items() if view is not None}
    by_number: dict[int, DerivedView] = {}
    for number, view in derived.items():
        base = views.get(view.base) or (View(sources[view.base], ()) if view.base < len(sources) else None)
        if base is None:
            by_number[number] = view
        else:
            views[number] = View(base.source, (*base.path, *view.path))
    return views, by_number


def refuse_undecided() -> None:
    """Break where a tensor decides which part of a tensor from outside, at a place that is computed, is kept or returned."""
    raise broken(
        "a view of a tensor that existed before the call, at a position that depends on tensors, is stored "
        "or returned only under a tensor condition",
        "a copy of it: `self.table[i].clone()`",
    )


class KeptViews:
    """The views among the outputs of a Program, as runs make them.

    ``chosen``: by their numbers, the views of which each run tells whether an output is one (see `result_choice`); ``changed``: the
    argument leaves and root values that runs change in place.
    """

    def __init__(self, views: dict[int, View], chosen: dict[int, View], changed: Iterable[Any]) -> None:
        changed = set(changed)
        self._chosen = chosen
        self._constant_views = {index: view for index, view in views.items() if view.is_settled}
        others = {index: view for index, view in views.items() if not view.is_settled}
        self._last = {i: view for i, view in others.items() if not isinstance(view.source, tuple) and view.source in changed}
        self._after = {i: view for i, view in others.items() if i not in self._last}

    def before(self, tensor_of: TensorOf) -> RunViews:
        """Before a run: views of what is there; when the run changes the numbers, these follow."""
        fixed_views, options = (
            {key: _view_of(view, tensor_of) for key, view in views.items()} for views in (self._constant_views, self._chosen)
        )
        return RunViews(tensor_of, fixed_views, options, self._after, self._last)


def _view_of(view: View, tensor_of: TensorOf) -> Any:
    try:
        return view.of(tensor_of(view.source), [])
    except Exception:  # the run says what is wrong, in its order: or it does not come there
        return None


class RunViews:
    """The views that one run makes."""

    __slots__ = ("_after", "_derived", "_last", "_new", "_outputs", "_tensor_of", "options")

    def __init__(
        self, tensor_of: TensorOf, derived: dict[int, Any], options: dict[int, Any], after: dict[int, View], last: dict[int, View]
    ) -> None:
        self._tensor_of = tensor_of
        self._derived = derived
        self.options = options  # by number: the tensors that outputs may be
        self._after = after
        self._last = list(last.items())
        self._new: set[int] = set()
        self._outputs: list[Any] = []

    def install_views(self, outputs: list[Any]) -> None:
        """After a run, before anything is written: the views that were made before it are the tensors of their outputs."""
        self._new = set(map(id, outputs))
        for index, tensor in self._derived.items():
            if tensor is not None:
                outputs[index] = with_history(tensor, outputs[index])

    def join(self, outputs: list[Any]) -> None:
        """Join views of outputs with each other, and with positions that the run computed, once the outputs' tensors are known."""
        self._outputs = outputs
        for index, view in self._after.items():
            if isinstance(view.source, tuple) and id(outputs[view.source[0]]) not in self._new:
                self._last.append((index, view))  # of a tensor of before, which may change now
            else:
                self._join(index, view, outputs)

    def follow_changes(self) -> None:
        """Update views of tensors that the run changed, when all is written: those whose position or tensor the run decided."""
        for index, view in self._last:
            self._join(index, view, self._outputs)

    def _join(self, index: int, view: View, outputs: list[Any]) -> None:
        source = view.source
        join(view, outputs[source[0]] if isinstance(source, tuple) else self._tensor_of(source), outputs[index], outputs)


def join(view: View, source: Any, output: EagerTensor, outputs: list[Any]) -> None:
    """Make an output that is a view of ``source`` share its memory, unless the view is a copy."""
    same_view = view.of(source, outputs)
    if same_view is not None and same_view._array.shape == output._array.shape and same_view._array.dtype == output._array.dtype:
        output._array = same_view._array
        same_view._memory.add(output)


def with_history(view: Any, computed: Any) -> Any:
    """``view``, with the gradient that a run computed of it."""
    view._node, view._index, view.stop_gradient = computed._node, computed._index, computed.stop_gradient
    return view
