"""`ConcreteProgram`: one traced Program of a static function with its plans for inference and training."""

from __future__ import annotations

from typing import Any

from to_static.autodiff.split import forward_backward
from to_static.core import backend as backends
from to_static.core import tree
from to_static.eager import tape
from to_static.eager.tensor import EagerTensor
from to_static.ir import mode
from to_static.ir.program import Program, Var
from to_static.ir.spec import ListSpec, TensorSpec
from to_static.jit.replay import replay
from to_static.jit.trace import Traced
from to_static.passes.pipeline import TRAINING, optimize
from to_static.passes.specialise import optimize_for
from to_static.runtime.executor import Executor
from to_static.runtime.plan import compile_plan


class ConcreteProgram:
    """A Program for one cache key, callable on the flattened arguments.

    Attributes (Paddle's names): ``main_program`` (as traced), ``inputs`` and ``outputs`` (Vars), ``parameters``.
    """

    def __init__(self, traced: Traced, backend: Any = None) -> None:
        self.traced = traced
        self.main_program: Program = traced.program
        self.backend = backend or backends.current()
        self.feeds = traced.feeds
        self._plan: Any = None
        self._training: _Training | None = None
        self.simple = not traced.changed and traced.leaves == [("out", 0)] and traced.result is tree.LEAF
        self.params = [v.holder for v in self.main_program.params if v.spec.dtype.is_floating]
        self.stop_gradients = [v.stop_gradient for v in self.main_program.outputs]
        self.differentiable = not all(self.stop_gradients)

    @property
    def inputs(self) -> list[Var]:
        """Input Vars."""
        return self.main_program.feeds

    @property
    def outputs(self) -> list[Var]:
        """Output Vars."""
        return self.main_program.outputs

    @property
    def parameters(self) -> list[Any]:
        """The tensors that the Program reads from outside: parameters, buffers, closed-over tensors."""
        return [v.holder for v in self.main_program.params]

    @property
    def plan(self) -> Any:
        """The plan for calls without gradients."""
        if self._plan is None:
            self._plan = runner(self.main_program, self.backend)
        return self._plan

    def __call__(self, tensors: Any, leaves: Any) -> Any:
        """Run on the tensors that the Program takes; ``leaves`` are all flattened arguments of the call."""
        if self.differentiable and mode.state.grad:
            flags = [not t.stop_gradient for t in tensors] + [not p.stop_gradient for p in self.params]
            if True in flags:
                return self._finish(self._train(tensors, tuple(flags)), leaves)
        outputs = self.plan(*[t._array for t in tensors])
        if self.simple:
            return EagerTensor(outputs[0])
        return self._finish([EagerTensor(a) for a in outputs], leaves)

    def _finish(self, outputs: list[Any], leaves: list[Any]) -> Any:
        """Give results the structure that the function returned, after in-place changes of its arguments."""
        if self.simple:
            return outputs[0]
        for position, index in self.traced.changed:
            leaves[position]._become(outputs[index])
        found = [
            outputs[x] if kind == "out" else leaves[x] if kind == "arg" else outputs[x].item() if kind == "number" else x
            for kind, x in self.traced.leaves
        ]
        return tree.unflatten(self.traced.result, found)

    def _train(self, tensors: list[Any], flags: tuple[bool, ...]) -> list[Any]:
        training = self._training
        if training is None or training.flags != flags:
            training = self._training = _Training(self, flags)
        return training(tensors)


def runner(program: Program, backend: Any) -> Any:
    """A callable of arrays: one plan when all shapes are known, else a plan for each combination of shapes met."""
    specs = [v.spec for v in program.feeds]
    if all(isinstance(s, TensorSpec) and s.is_static for s in specs) or any(isinstance(s, ListSpec) for s in specs):
        return compile_plan(optimize(program.clone(), TRAINING), backend).call
    return Executor(program, backend, optimize_for)


class _Training:
    """Forward and backward plans for one choice of what needs a gradient, joined by one tape node."""

    def __init__(self, concrete: ConcreteProgram, flags: tuple[bool, ...]) -> None:
        self.concrete = concrete
        self.flags = flags
        program, seen = concrete.main_program.clone_with_map()
        floating = [v for v in concrete.main_program.params if v.spec.dtype.is_floating]
        sources = [*concrete.main_program.feeds, *floating]
        wanted = [seen[v] for v, flag in zip(sources, flags, strict=True) if flag and v.spec.dtype.is_floating]
        self.split = forward_backward(program, wanted)
        self.forward = runner(self.split.forward, concrete.backend)
        self.backward = runner(self.split.backward, concrete.backend)
        self.count = len(concrete.outputs)
        # where the gradients go: feeds (by position) and parameters, of those that have one
        feeds = [i for i, v in enumerate(concrete.inputs) if flags[i] and v.spec.dtype.is_floating]
        leaves = [p for p, flag in zip(concrete.params, flags[len(concrete.inputs) :], strict=True) if flag]
        found = self.split.wanted_index
        self.feed_edges = [feeds[i] for i in found if i < len(feeds)]
        self.param_leaves = [leaves[i - len(feeds)] for i in found if i >= len(feeds)]
        self._edges: list[Any] | None = None

    def __call__(self, tensors: list[Any]) -> list[Any]:
        results = self.forward(*[t._array for t in tensors])
        edges = [tape.Edge(tensors[i]) for i in self.feed_edges]
        if self._edges is None or any(p._node is not None for p in self.param_leaves):
            self._edges = [tape.Edge(p) for p in self.param_leaves]
        node = ProgramNode(self, edges + self._edges, results[self.count :], tensors)
        outputs = []
        for i, stop in enumerate(self.concrete.stop_gradients):
            out = EagerTensor(results[i])
            if not stop:
                out._node, out._index, out.stop_gradient = node, i, False
            outputs.append(out)
        node.shapes = [(a.shape, a.dtype) for a in results[: self.count]]
        return outputs


class ProgramNode(tape.Node):
    """A run of a static function on the tape: its backward is the backward plan."""

    __slots__ = ("params", "residuals", "shapes", "tensors", "training")

    def __init__(self, training: _Training, edges: list[Any], residuals: Any, tensors: Any) -> None:
        super().__init__("static function", edges, training.count)
        self.training = training
        self.residuals = residuals
        self.tensors = [(t._array, t) for t in tensors]
        self.params = [v.holder._array for v in training.concrete.main_program.params]
        self.shapes: Any = None

    def vjp(self, gouts: list[Any]) -> list[Any]:
        if mode.grad_enabled():
            return self._vjp_with_graph(gouts)
        xp = self.training.concrete.backend.xp
        chosen = [
            xp.zeros(*self.shapes[i]) if gouts[i] is None else gouts[i]._array for i in self.training.split.output_index
        ]
        return [EagerTensor(a) for a in self.training.backward(*self.residuals, *chosen)]

    def _vjp_with_graph(self, gouts: list[Any]) -> list[Any]:
        """Repeat the run op by op on the tape, then differentiate that."""
        training = self.training
        program = training.concrete.main_program
        feeds = [t if t._array is array else EagerTensor(array, t.stop_gradient) for array, t in self.tensors]
        params = [
            v.holder if v.holder._array is array else EagerTensor(array, v.holder.stop_gradient)
            for v, array in zip(program.params, self.params, strict=True)
        ]
        outputs = replay(program, feeds, params)
        by_holder = {id(v.holder): p for v, p in zip(program.params, params, strict=True)}
        chosen = [feeds[i] for i in training.feed_edges] + [by_holder[id(p)] for p in training.param_leaves]
        pairs = [(out, g) for out, g in zip(outputs, gouts, strict=True) if g is not None and not out.stop_gradient]
        return tape.grad(
            [p[0] for p in pairs], chosen, [p[1] for p in pairs], create_graph=True, allow_unused=True
        )

    def free(self) -> None:
        super().free()
        self.residuals = ()
        self.tensors = []
        self.params = []
