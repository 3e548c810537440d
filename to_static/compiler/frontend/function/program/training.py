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
    """Forward and backward plans for one choice of what needs a gradient, joined by one tape node."""

    def __init__(self, concrete: ConcreteProgram, stops: list[bool]) -> None:
        self.concrete = concrete
        self.stops = stops
        self.node = ProgramNode
        self.active = not all(stops)
        if self.active:
            feeds, chosen = concrete.wanted(stops)
            self._divide(feeds, chosen)
            self._compile(len(feeds), chosen)
            self._aim(feeds, chosen)

    def _divide(self, feeds: list[int], chosen: list[Var]) -> None:
        """Divide the Program into what runs forward and backward."""
        # which runs without gradients, as of a model in a file, do not need
        from to_static.compiler.autodiff.partition import partition_joint

        concrete = self.concrete
        program, clones = concrete.main_program.clone_with_map()
        wanted = [clones[v] for v in [*(concrete.inputs[i] for i in feeds), *chosen]]
        # those that are tensors of before get gradients themselves; by way of the run, that would keep alive what others came from
        before = {i for i, what in concrete.traced.same if not isinstance(what, tuple)}
        self.split = partition_joint(program, wanted, with_reach=True, but=before)
        reach = self.reach = cast(Reach, self.split.reach)
        self.count = len(concrete.outputs)
        self.residuals = slice(self.count, self.count + self.split.residual_count)
        self.vectors = slice(self.residuals.stop, None)  # what the forward plan says about it
        self.stop_gradients = [not possible for possible in reach.possible]
        # tensors that need a gradient or not, depending on the path taken
        self.maybe = [i for i in reach.places if not reach.certain[i] and isinstance(concrete.outputs[i].spec, TensorSpec)]
        # one tensor, whose gradient is that of all edges
        one = self.count == 1 and isinstance(concrete.outputs[0].spec, TensorSpec)
        self.direct = one and not reach.places and list(self.split.output_index) == [0]

    def _compile(self, feeds: int, chosen: list[Var]) -> None:
        """Make the plans; ``feeds``: how many of the wanted values are feeds, which come before the others."""
        concrete, facts = self.concrete, self.concrete.facts
        tables = [p.row_gradient and type(p._array) is np.ndarray for p in (tensor_of(v.holder) for v in chosen)]
        row_results = [k for k, i in enumerate(self.split.wanted_index) if i >= feeds and tables[i - feeds]]
        self.rows = by_rows(self.split.backward, row_results)
        runner = concrete.plan_cache.runner
        self.forward = runner(self.split.forward, "calls with gradients", False, facts.donated_feeds, concrete.carried)
        self.commits = facts.commits  # whether that leaves the writing of state to its caller
        self.backward = runner(self.split.backward, "the gradients of these calls")

    def _aim(self, feeds: list[int], chosen: list[Var]) -> None:
        """Say where the gradients go: to feeds (by position) and parameters, of those that have one."""
        wanted_index = self.split.wanted_index
        self.feed_edges = [feeds[i] for i in wanted_index if i < len(feeds)]
        uses, inputs = Uses(self.concrete.main_program.block), self.concrete.inputs
        # feeds that the function only gives back: a run that kept them would keep alive what they came from
        self.passive = frozenset(i for i in feeds if i not in self.feed_edges and not uses.of(inputs[i]))
        self.param_leaves = [chosen[i - len(feeds)].holder for i in wanted_index if i >= len(feeds)]
        self.param_edges = [tape.Edge(tensor_of(p)) for p in self.param_leaves]
        self.moving = [i for i, p in enumerate(self.param_leaves) if not tensor_of(p).is_parameter]  # may get another history
        self.fixed = not (self.feed_edges or self.moving)  # whether all runs have the same edges
        self.recording = Recording(self)
        # whether an entry may run the plan
        facts = self.concrete.facts
        self.derived = self.recording.derived and facts.gives_tensors and not (facts.still_leaves or self.maybe)

    def moved(self, concrete: ConcreteProgram, replacement: Callable[[Any], Any]) -> Training:
        """The same for ``concrete``, whose objects are others: ``replacement`` says which takes the place of each."""
        copied = copy.copy(self)
        copied.concrete = concrete
        if not self.active:
            return copied
        for name in ("step", "sharing"):
            copied.__dict__.pop(name, None)
        mine, theirs = self.concrete.plan_cache, concrete.plan_cache
        copied.forward = mine.onto(theirs, self.forward, replacement)
        copied.backward = mine.onto(theirs, self.backward, replacement)
        copied.param_leaves = list(map(replacement, self.param_leaves))
        copied.param_edges = [tape.Edge(tensor_of(p)) for p in copied.param_leaves]
        copied.recording = Recording(copied)
        return copied

    def reseat(self, others: dict[int, Any]) -> None:
        """See `ConcreteProgram.reseat`."""
        if not self.active:
            return
        leaves, edges = self.param_leaves, self.param_edges
        others[NOBODY].append(edges)
        self.param_leaves = list(map(others.get, map(id, leaves), leaves))
        self.param_edges = others[id(edges)] = [
            old if new is leaf else tape.Edge(tensor_of(new))
            for old, leaf, new in zip(edges, leaves, self.param_leaves, strict=True)
        ]
        step = self.__dict__.get("step")
        if step is not None:
            space = step.__globals__
            others[NOBODY].append(space["leaves"])
            others[id(space["leaves"])] = [others.get(id(x), x) for x in space["leaves"]]
            reseat(space, others)

    def run(self, tensors: Sequence[Any]) -> tuple[list[Any], list[Steps]]:
        """Run; gives the results as tensors, and what is left to do."""
        concrete = self.concrete
        arrays = list(map(_array_of, tensors))
        facts = concrete.facts
        arrays_before = self.recording.arrays.do(arrays)
        for i in facts.donated_feeds:
            arrays[i] = DonatedFeed(tensors[i])
        results, steps = self.forward(*arrays) if self.commits else (self.forward(*arrays), _NOTHING)
        node = self.recording.do(results, tensors, arrays_before)
        if facts.gives_tensors and not self.maybe:
            return tensors_of(results, self.stop_gradients, node), steps
        stops = [stop or (i in self.maybe and self.untouched(i, results)) for i, stop in enumerate(self.stop_gradients)]
        outputs = tensors_of(results, stops, node)
        for i, stop in enumerate(stops):
            if not stop and isinstance(results[i], list):
                needs = [not self.untouched(i, results, k) for k in range(len(results[i]))]
                outputs[i] = ReturnedList(results[i], node, i, needs)
        return outputs, steps

    def again(self, tensors: Sequence[Any], arrays: Sequence[Any]) -> ProgramNode | None:
        """The node of a run of what another one was given; None where something that it reads is not what it was then."""
        feeds, read = arrays[: len(tensors)], arrays[len(tensors) :]
        results: Any = self.forward(*feeds) if self._reads(read) else None
        return self.recording.do(results, tensors, arrays) if self._reads(read) else None

    def _reads(self, arrays: Sequence[Any]) -> bool:
        return all(holder._array is array for holder, array in zip(self.concrete.roots.holders, arrays, strict=True))

    def untouched(self, output: int, results: Sequence[Any], element: int | None = None) -> bool:
        """True if nothing that wants a gradient entered an output, or an element of it, in this run."""
        return not self.reach.mask_of(output, results[self.vectors], element)

    def touched(self, gouts: list[Any], results: Sequence[Any]) -> list[bool]:
        """For each edge, True if an output that has a gradient depends on it in this run."""
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
        """The function that does `backward` of the result, if its gradient goes to the same leaves in all runs."""
        plan, leaves = self.concrete.plan_of(self.backward), [edge.leaf for edge in self.param_edges]
        spec: Any = self.concrete.outputs[0].spec
        distinct = self.fixed and len(set(map(id, leaves))) == len(leaves) and None not in leaves
        # (one that fails is run again to say why, which must not print again)
        prints_or_draws = any(contains(op, "effect") for op in self.split.backward.block.ops)
        if plan is None or self.rows or prints_or_draws or not (self.direct and distinct and spec.is_static):
            return None
        return written(plan, spec, range(self.residuals.start, self.residuals.stop), leaves)

    @kept_property
    def sharing(self) -> list[list[int]]:
        """For each output: those whose gradients need the same computations."""
        from to_static.compiler.autodiff.shared_subgraph import sharing

        return sharing(self.concrete.main_program.block, self.concrete.outputs)

    def gradients(self, *gradients_in: Any) -> list[EagerTensor]:
        """The results of the backward plan for residuals and the gradients of outputs."""
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
        self.edges = edges  # the fields of a Node, set here: a call of its __init__ costs as much as all of them
        self.order = next(tape.order)
        self.hooks = self.retained = None
        self.freed: frozenset[int] | None = None  # outputs from which no gradient can come any more
        self.training = training
        self.results = results
        self.tensors = tensors
        self.arrays = arrays  # the arrays of these, and of what was read from outside, or what knows their numbers (`Past`)

    @property
    def count(self) -> int:  # type: ignore[override]
        """The number of outputs."""
        return self.training.count

    @property
    def step(self) -> Any:
        """The function that does `backward` of the one result; made for the first."""
        return self.training.step

    def vjp(self, gouts: list[Any]) -> list[Any]:
        training, results, count = self.training, self.results, self.count
        if training.direct and not mode.grad_enabled():
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
            return grads  # all of them, without a question
        touched = training.touched(gouts, results)
        return [g if here else None for g, here in zip(grads, touched, strict=True)]

    def vjp_with_graph(self, gouts: list[Any]) -> list[Any]:
        """Repeat the run op by op on the tape, then differentiate that."""
        from to_static.compiler.eager.replay import replay

        training, count, there = self.training, len(self.tensors), self.edges or ()
        program = training.concrete.main_program
        numbers = {id(v.holder): count + i for i, v in enumerate(program.params)}
        wanted = [*training.feed_edges, *(numbers[id(p)] for p in training.param_leaves)]
        edges = dict(zip(wanted, there, strict=True))  # where these came from then
        arrays = [array.numbers() if type(array) is past.Past else array for array in self.arrays]
        inputs = [tape.rebuilt(array, edges.get(i)) for i, array in enumerate(arrays)]
        outputs = replay(program, inputs[:count], inputs[count:])
        pairs = [(out, g) for out, g in zip(outputs, gouts, strict=True) if g is not None and not out.stop_gradient]
        return tape.grad_up_to([p[0] for p in pairs], [p[1] for p in pairs], [inputs[i] for i in wanted])

    def free(self) -> None:
        if self.training.count > 1:  # the outputs that share nothing with those that had a gradient keep what they need
            sharing = self.training.sharing
            self.freed = (self.freed or frozenset()).union(*(sharing[i] for i in self.sent))
            if not self.freed.issuperset(self.training.split.output_index):
                return
        self.edges = None
        self.results = self.tensors = self.arrays = ()
