"""`Training`: the forward and backward plans of a Program, and the tape node of a run with gradients."""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from to_static.compiler.autodiff.gradient_reachability import Reach
from to_static.compiler.eager import tape
from to_static.compiler.eager.compiled_backward import written
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.function.program.buffer_slots import tensor_of
from to_static.compiler.frontend.function.program.completion import tensors_of
from to_static.compiler.frontend.function.program.recording import Recording
from to_static.compiler.frontend.function.program.returned_list import ReturnedList, weight
from to_static.compiler.frontend.function.program.root_values import NOBODY
from to_static.compiler.ir import mode
from to_static.compiler.ir.program import Var, reseat
from to_static.compiler.ir.rewriter import contains
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.uses import Uses
from to_static.compiler.runtime.writes.written_rows import DonatedFeed
from to_static.compiler.selected_rows.backward_rows import by_rows, gradients
from to_static.core.arrays import past
from to_static.core.atomic import Steps
from to_static.core.caching.cached_property import kept_property

if TYPE_CHECKING:
    from to_static.compiler.frontend.function.program.concrete import ConcreteProgram

_NOTHING: list[Steps] = []
_array_of = operator.attrgetter("_array")


class Training:
    """Forward and backward plans for one choice of tensors that require a gradient, joined by one tape node.

    The choice is ``stops``: ``stop_gradient`` of each input of the Program, then of each root value that may have a gradient.
    If all are True, the object is not ``active``: it has no plans, and calls run as without gradients.

    Attributes:
        forward, backward: the runners of the plans. commits: whether ``forward`` leaves the writing of state to its caller.
        split: how the Program is divided. The forward plan gives ``count`` outputs, then the ``residuals`` that the backward
            plan takes, then the ``vectors`` which tell for this run what gradients depend on (``reach``).
        stop_gradients: of each output.
        path_dependent: outputs that require a gradient or not, depending on the path taken through control flow.
        is_direct: whether there is one output, a tensor, and all edges get a gradient from it.
        feed_edges: the inputs that get gradients. param_leaves, param_edges: the parameters that do, and their tape edges.
        changing_params: those of them that are no parameters, so their history on the tape may differ between runs.
        has_fixed_edges: whether the edges are the same in all runs.
        returned_only: inputs that the function only returns; the node does not keep them.
        rows: the gradients that are row-sparse.
        recording: makes the tape node of a run. derived: whether an entry may run the plan.
        node: the class of the tape node.
    """

    def __init__(self, concrete: ConcreteProgram, stops: list[bool]) -> None:
        self.concrete = concrete
        self.stops = stops
        self.node = ProgramNode
        self.active = not all(stops)
        if self.active:
            feeds, params = concrete.gradient_targets(stops)
            self._partition(feeds, params)
            self._compile_plans(len(feeds), params)
            self._set_gradient_targets(feeds, params)

    def _partition(self, feeds: list[int], params: list[Var]) -> None:
        """Partition the Program into forward and backward; ``feeds``, ``params``: what requires a gradient."""
        # imported here because runs without gradients, as of a model in a file, do not need it
        from to_static.compiler.autodiff.partition import partition_joint

        concrete = self.concrete
        program, clones = concrete.main_program.clone_with_map()
        wanted = [clones[v] for v in [*(concrete.inputs[i] for i in feeds), *params]]
        # outputs that are tensors from before the call get their gradients directly, not through the node of the run, which
        # would keep the inputs of the other outputs alive
        old_outputs = {i for i, source in concrete.traced.same if not isinstance(source, tuple)}
        self.split = partition_joint(program, wanted, with_reach=True, but=old_outputs)
        reach = self.reach = cast(Reach, self.split.reach)
        self.count = len(concrete.outputs)
        self.residuals = slice(self.count, self.count + self.split.residual_count)
        self.vectors = slice(self.residuals.stop, None)
        self.stop_gradients = [not possible for possible in reach.possible]
        self.path_dependent = [i for i in reach.places if not reach.certain[i] and isinstance(concrete.outputs[i].spec, TensorSpec)]
        has_one_tensor = self.count == 1 and isinstance(concrete.outputs[0].spec, TensorSpec)
        self.is_direct = has_one_tensor and not reach.places and list(self.split.output_index) == [0]

    def _compile_plans(self, feeds: int, params: list[Var]) -> None:
        """Compile the two plans; ``feeds``: how many inputs require a gradient; they come before the ``params``."""
        concrete, facts = self.concrete, self.concrete.facts
        tables = [p.row_gradient and type(p._array) is np.ndarray for p in (tensor_of(v.holder) for v in params)]
        row_results = [k for k, i in enumerate(self.split.wanted_index) if i >= feeds and tables[i - feeds]]
        self.rows = by_rows(self.split.backward, row_results)
        runner = concrete.plan_set.make_runner
        self.forward = runner(self.split.forward, "calls with gradients", False, facts.donated_feeds, concrete.carried)
        self.commits = facts.commits
        self.backward = runner(self.split.backward, "the gradients of these calls")

    def _set_gradient_targets(self, feeds: list[int], params: list[Var]) -> None:
        """Set the edges that the backward plan has a gradient for: inputs (by position) and parameters."""
        wanted_index = self.split.wanted_index
        self.feed_edges = [feeds[i] for i in wanted_index if i < len(feeds)]
        uses, inputs = Uses(self.concrete.main_program.block), self.concrete.inputs
        # (a node that kept these inputs would keep their graphs alive)
        self.returned_only = frozenset(i for i in feeds if i not in self.feed_edges and not uses.users(inputs[i]))
        self.param_leaves = [params[i - len(feeds)].holder for i in wanted_index if i >= len(feeds)]
        self.param_edges = [tape.Edge(tensor_of(p)) for p in self.param_leaves]
        self.changing_params = [i for i, p in enumerate(self.param_leaves) if not tensor_of(p).is_parameter]
        self.has_fixed_edges = not (self.feed_edges or self.changing_params)
        self.recording = Recording(self)
        facts = self.concrete.facts
        self.derived = self.recording.derived and facts.gives_tensors and not (facts.still_leaves or self.path_dependent)

    def copy_for(self, concrete: ConcreteProgram, replacement: Callable[[Any], Any]) -> Training:
        """Return a copy for ``concrete``, which has other objects: ``replacement`` returns the new object for each old one."""
        copied = copy.copy(self)
        copied.concrete = concrete
        if not self.active:
            return copied
        for name in ("step", "sharing"):
            copied.__dict__.pop(name, None)
        plans, copied_plans = self.concrete.plan_set, concrete.plan_set
        copied.forward = plans.add_copy(copied_plans, self.forward, replacement)
        copied.backward = plans.add_copy(copied_plans, self.backward, replacement)
        copied.param_leaves = list(map(replacement, self.param_leaves))
        copied.param_edges = [tape.Edge(tensor_of(p)) for p in copied.param_leaves]
        copied.recording = Recording(copied)
        return copied

    def reseat(self, replacements: dict[int, Any]) -> None:
        """Give gradients to other tensors in later runs (see `ConcreteProgram.reseat`)."""
        if not self.active:
            return
        leaves, edges = self.param_leaves, self.param_edges
        replacements[NOBODY].append(edges)
        self.param_leaves = list(map(replacements.get, map(id, leaves), leaves))
        self.param_edges = replacements[id(edges)] = [
            old if new is leaf else tape.Edge(tensor_of(new))
            for old, leaf, new in zip(edges, leaves, self.param_leaves, strict=True)
        ]
        step = self.__dict__.get("step")
        if step is not None:
            space = step.__globals__
            replacements[NOBODY].append(space["leaves"])
            replacements[id(space["leaves"])] = [replacements.get(id(x), x) for x in space["leaves"]]
            reseat(space, replacements)

    def run(self, tensors: Sequence[Any]) -> tuple[list[Any], list[Steps]]:
        """Run the forward plan and record its node; return the results as tensors, and the steps that write state."""
        concrete = self.concrete
        arrays = list(map(_array_of, tensors))
        facts = concrete.facts
        arrays_before = self.recording.arrays.do(arrays)
        for i in facts.donated_feeds:
            arrays[i] = DonatedFeed(tensors[i])
        results, steps = self.forward(*arrays) if self.commits else (self.forward(*arrays), _NOTHING)
        node = self.recording.do(results, tensors, arrays_before)
        if facts.gives_tensors and not self.path_dependent:
            return tensors_of(results, self.stop_gradients, node), steps
        stops = list(self.stop_gradients)
        for i in self.path_dependent:
            stops[i] = stops[i] or self.needs_no_gradient(i, results)
        outputs = tensors_of(results, stops, node)
        for i, stop in enumerate(stops):
            if not stop and isinstance(results[i], list):
                needs = [not self.needs_no_gradient(i, results, k) for k in range(len(results[i]))]
                outputs[i] = ReturnedList(results[i], node, i, needs)
        return outputs, steps

    def node_of_repeated_run(self, tensors: Sequence[Any], arrays: Sequence[Any]) -> ProgramNode | None:
        """Repeat an earlier run, given its inputs and arrays, and return its node; None if a root value has changed since."""
        feeds, read = arrays[: len(tensors)], arrays[len(tensors) :]
        results: Any = self.forward(*feeds) if self._roots_have(read) else None
        return self.recording.do(results, tensors, arrays) if self._roots_have(read) else None

    def _roots_have(self, arrays: Sequence[Any]) -> bool:
        """True if the root values still have these arrays."""
        return all(holder._array is array for holder, array in zip(self.concrete.roots.holders, arrays, strict=True))

    def needs_no_gradient(self, output: int, results: Sequence[Any], element: int | None = None) -> bool:
        """True if an output, or an element of it, depends on nothing in this run that requires a gradient."""
        return not self.reach.mask_of(output, results[self.vectors], element)

    def touched(self, gouts: list[Any], results: Sequence[Any]) -> list[bool]:
        """Return for each edge whether an output with a gradient depends on it in this run."""
        mask, vectors = 0, results[self.vectors]
        for i, gout in enumerate(gouts):
            if gout is not None and isinstance(results[i], list):
                for k, g in enumerate(gout._array):
                    mask |= 0 if g is None else self.reach.mask_of(i, vectors, k)
            elif gout is not None:
                mask |= self.reach.mask_of(i, vectors)
        return [bool(mask >> i & 1) for i in self.split.wanted_index]

    @kept_property
    def step(self) -> Callable[[ProgramNode], bool] | None:
        """A generated function for `backward` of the one output, if its gradient goes to the same leaves in all runs; else None."""
        plan, leaves = self.concrete.plan_of(self.backward), [edge.leaf for edge in self.param_edges]
        spec: Any = self.concrete.outputs[0].spec
        distinct_leaves = self.has_fixed_edges and len(set(map(id, leaves))) == len(leaves) and None not in leaves
        # (a failed plan runs again for its error message, and must not print again)
        prints_or_draws = any(contains(op, "effect") for op in self.split.backward.block.ops)
        if plan is None or self.rows or prints_or_draws or not (self.is_direct and distinct_leaves and spec.is_static):
            return None
        return written(plan, spec, range(self.residuals.start, self.residuals.stop), leaves)

    @kept_property
    def sharing(self) -> list[list[int]]:
        """For each output, the outputs whose gradients need the same computations."""
        from to_static.compiler.autodiff.shared_subgraph import sharing

        return sharing(self.concrete.main_program.block, self.concrete.outputs)

    def gradients(self, *gradients_in: Any) -> list[EagerTensor]:
        """Run the backward plan on the residuals and the gradients of outputs."""
        arrays = self.backward(*gradients_in)
        return gradients(arrays, len(self.split.wanted_index), self.rows) if self.rows else list(map(EagerTensor, arrays))


class ProgramNode(tape.Node):
    """A run of a static function on the tape: its backward is the backward plan."""

    __slots__ = ("arrays", "freed", "results", "sent", "tensors", "training")
    name = "static function"
    makes_fresh = True

    def __init__(
        self, training: Training, edges: list[Any], results: Sequence[Any], tensors: Sequence[Any], arrays: Sequence[Any]
    ) -> None:
        self.edges = edges  # (the fields of a Node are set here, because a call of its __init__ takes as long as all of this)
        self.order = next(tape.order)
        self.hooks = self.retained = None
        self.freed: frozenset[int] | None = None  # outputs whose part of the graph was freed
        self.training = training
        self.results = results
        self.tensors = tensors
        self.arrays = arrays  # of the inputs and root values, or a `Past`, which restores an array that changed in place

    @property
    def count(self) -> int:  # type: ignore[override]
        """The number of outputs."""
        return self.training.count

    @property
    def step(self) -> Any:
        """See `Training.step`."""
        return self.training.step

    def vjp(self, gouts: list[Any]) -> list[Any]:
        training, results, count = self.training, self.results, self.count
        if training.is_direct and not mode.grad_enabled():
            return training.gradients(*results[training.residuals], gouts[0]._array)
        if count > 1:
            self.sent = [i for i, gout in enumerate(gouts) if gout is not None]
            if self.freed and not self.freed.isdisjoint(self.sent):
                raise tape.was_freed(self)
        if mode.grad_enabled():
            return self.vjp_with_graph(gouts)
        split, residuals = training.split, results[training.residuals]
        out_grads = [weight(gouts[i], results[i]) for i in split.output_index]
        grads = training.gradients(*residuals, *out_grads)
        if not training.reach.places and all(gouts[i] is not None for i in split.output_index):
            return grads  # all edges have a gradient in every run
        touched = training.touched(gouts, results)
        return [g if is_reached else None for g, is_reached in zip(grads, touched, strict=True)]

    def vjp_with_graph(self, gouts: list[Any]) -> list[Any]:
        """Repeat the run op by op on the tape, and return its gradients, which have a graph."""
        from to_static.compiler.eager.replay import replay

        training, count, node_edges = self.training, len(self.tensors), self.edges or ()
        program = training.concrete.main_program
        input_indices = {id(v.holder): count + i for i, v in enumerate(program.params)}
        wanted = [*training.feed_edges, *(input_indices[id(p)] for p in training.param_leaves)]
        edges = dict(zip(wanted, node_edges, strict=True))  # their history at the time of the run
        arrays = [array.restored() if type(array) is past.Past else array for array in self.arrays]
        inputs = [tape.rebuilt(array, edges.get(i)) for i, array in enumerate(arrays)]
        outputs = replay(program, inputs[:count], inputs[count:])
        pairs = [(out, g) for out, g in zip(outputs, gouts, strict=True) if g is not None and not out.stop_gradient]
        return tape.grad_up_to([p[0] for p in pairs], [p[1] for p in pairs], [inputs[i] for i in wanted])

    def free(self) -> None:
        if self.training.count > 1:  # outputs that share no computation with those that had a gradient stay differentiable
            sharing = self.training.sharing
            self.freed = (self.freed or frozenset()).union(*(sharing[i] for i in self.sent))
            if not self.freed.issuperset(self.training.split.output_index):
                return
        self.edges = None
        self.results = self.tensors = self.arrays = ()
