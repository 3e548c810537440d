"""`Gradients`: the ``.grad`` of tensors while a function is traced that calls ``backward()`` itself, such as a training step.

In dynamic mode ``backward()`` adds to the ``.grad`` of leaves, an optimizer reads it, and ``clear_grad()`` removes it. In a
trace ``backward()`` appends the backward ops to the Program, and ``.grad`` is a traced value; each run assigns its value at the
end of the trace. The ``.grad`` before the call matters only if the function reads it before writing it: then it is guarded
(`Guards.reads_grad`), and its numbers are an input of the Program.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from to_static.compiler.autodiff.backward import differentiate
from to_static.compiler.autodiff.custom_vjp import hook
from to_static.compiler.autodiff.gradient_reachability import need_all
from to_static.compiler.eager.tape import CLEARED, run_hooks, takes_part
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.frontend.tracing.gradient_writes import GradientOf, GradientWrite, is_fresh, state_of
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.leaves import leaf_of
from to_static.compiler.ir.program import Op, Var
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ir.var_kinds import BUFFER
from to_static.compiler.ops import functions as F
from to_static.core import after_backward
from to_static.core.diagnostics import source_location
from to_static.core.diagnostics.source_expressions import in_expression
from to_static.core.errors import AutogradError

if TYPE_CHECKING:
    from to_static.compiler.frontend.tracing.guards import Guards

_BEFORE: Any = object()  # what was there before the call
_BEFORE_CLEARED: Any = object()  # zeros where something was there, None where not


class _Leaf:
    """A tensor that gradients are added to, and its ``.grad`` now."""

    __slots__ = ("before", "tensor", "value", "var")

    def __init__(self, tensor: Any, var: Var | None, value: Any) -> None:
        self.before = GradientWrite.FOLLOWS  # what becomes of the tensor that was there before the call
        self.tensor = tensor  # from outside, or the number of the argument leaf that it is; None for one that the trace made
        self.var = var
        self.value = value  # a tensor of the Program, None, CLEARED, _BEFORE or _BEFORE_CLEARED


class Gradients:
    """Part of one trace. ``arguments``: the Vars of tensors among the arguments, with their leaf numbers and the tensors."""

    def __init__(self, builder: Builder, watch: Guards) -> None:
        self._builder = builder
        self._watch = watch
        self.arguments: dict[Var, tuple[int, Any]] = {}
        self.grad_inputs: list[int] = []  # argument leaves that a gradient is added to
        self.hook = hook
        self.ran = False  # whether backward() was called
        self._leaves: dict[Any, _Leaf] = {}  # by id of a tensor from outside, else by Var
        self._retained: dict[Var, _Leaf] = {}
        self._freed: dict[Op, None] = {}

    # -- what the user calls ------------------------------------------------------------------------------------------

    def backward(self, tensors: list[Any], weights: list[Any], retain_graph: bool) -> None:
        """Add the gradients of ``tensors`` to the ``.grad`` of the leaves they depend on; what has stop_gradient=True is left out.

        Raises AutogradError as dynamic mode does, GraphBreak where a Program can't.
        """
        builder = self._builder
        self._outside_of_blocks("backward()", "call it after the condition or loop, on the result")
        builder.on_grad_mode_read()
        pairs = [(t, w) for t, w in zip(tensors, weights, strict=True) if takes_part(t, w)]
        tensors = [tensor for tensor, _ in pairs]
        visited = self._visited([builder.var(t) for t in tensors])
        if not self._freed.keys().isdisjoint(visited):
            raise AutogradError("the graph of a tensor was freed by an earlier backward; call that one with retain_graph=True")
        leaves = self._reached(visited, [builder.var(t) for t in tensors])
        retained = [leaf for var, leaf in self._retained.items() if var.op in visited]
        handles = [Variable(leaf.var, builder) for leaf in [*leaves, *retained]]  # type: ignore[arg-type]
        with mode.grad_mode(False):
            need_all(builder, tensors, [h.ssa for h in handles])
            grads = differentiate(builder, pairs, [h.ssa for h in handles], set())
            for leaf, gradient in zip([*leaves, *retained], grads, strict=True):
                if gradient is not None:
                    hooks = self._hooks_of(leaf.tensor)
                    self._add(leaf, run_hooks(list(map(builder.translate, hooks)), gradient) if hooks else gradient)
        self.ran = True
        if not retain_graph:
            self._freed.update(visited)
        after_backward.gradients_added({id(leaf.tensor) for leaf in leaves})

    def read(self, tensor: Tensor) -> Any:
        """The ``.grad`` of a tensor."""
        leaf = self._leaf(tensor)
        if leaf is None:
            return None
        if leaf.value is _BEFORE:
            leaf.value = self._entering(leaf, ("none", "cleared", "numbers"))
        elif leaf.value is _BEFORE_CLEARED:
            leaf.value = CLEARED if self._entering(leaf, ("none", "some", "some")) is not None else None
        if leaf.value is CLEARED:
            with mode.grad_mode(False):
                leaf.value = F.zeros_like(tensor)
        builder, handle = self._builder, leaf.value
        is_leaf = handle is not None and handle.ssa.stop_gradient and handle.ssa.op is not None and builder.frame is builder.root
        if is_leaf and not source_location.is_internal(source_location.caller_file(2)):
            leaf.value = handle = builder.detached_view(handle)  # a leaf, as it is dynamically; optimizers don't ask
            handle.ssa.stop_gradient = False
        return handle

    def write(self, tensor: object, value: Tensor | None) -> None:
        """Set the ``.grad`` of a tensor."""
        self._outside_of_blocks("setting `.grad`", "choose the gradient: `w.grad = paddle.where(small, w.grad, limit)`")
        leaf = self._leaf(tensor, True)
        if value is None:
            self._leave(leaf, None, GradientWrite.STAYS)
            return
        with mode.grad_mode(False):
            value = self._builder.detach(value)
            if not self._shows(leaf, value):
                leaf.value = value

    def clear(self, tensor: object, set_to_zero: bool) -> None:
        """Make the ``.grad`` of a tensor zeros, if it has one, or forget it."""
        self._outside_of_blocks("clear_grad()", "call it before the condition or loop, or after")
        leaf = self._leaf(tensor, True)
        if not set_to_zero:
            self._leave(leaf, None, GradientWrite.STAYS)
        elif leaf.value is _BEFORE:
            self._leave(leaf, _BEFORE_CLEARED, GradientWrite.ZEROS)
        elif leaf.value is not None and leaf.value is not _BEFORE_CLEARED:
            if isinstance(leaf.value, Variable):
                with mode.grad_mode(False):
                    self._shows(leaf, F.zeros_like(leaf.value))
            self._leave(leaf, CLEARED, GradientWrite.ZEROS)

    @staticmethod
    def _leave(leaf: _Leaf, value: object, before: str) -> None:
        """Let a leaf have another gradient than the tensor that it had."""
        leaf.value = value
        if leaf.before is GradientWrite.FOLLOWS:
            leaf.before = before

    def _shows(self, leaf: _Leaf, value: Any) -> bool:
        """Let the gradient of a leaf be ``value`` for those who have got it in the function, if there are any."""
        has_views = isinstance(leaf.value, Variable) and leaf.value.views is not None
        if has_views:
            self._builder.rebind(leaf.value, value)
        return has_views

    def retain(self, tensor: Tensor) -> None:
        """Keep the gradient of a tensor that is no leaf."""
        var = self._builder.var(tensor)
        if leaf_of(var) is None:
            self._retained.setdefault(var, _Leaf(None, var, None))

    # -- the end of the trace -----------------------------------------------------------------------------------------

    def spend(self) -> set[Var]:
        """The values whose graph is freed by now, wholly or in part. No gradient flows through them any more."""
        spent: set[Var] = set()
        for op in self._builder.program.block.ops if self._freed else ():
            differentiable = [v for v in op.outputs if not v.stop_gradient]
            spent_operands = op.inputs[1:] if op.name == "as_leaf" else op.operands()
            if op in self._freed or any(v in spent for v in spent_operands):
                spent.update(differentiable)
        for var in spent:
            var.stop_gradient = True
        return spent

    def writes(self, outputs: list[Any]) -> list[GradientWrite]:
        """The writes of every run to gradients of tensors that live on. Their values are added to ``outputs``."""
        gradient_writes = []
        for leaf in self._leaves.values():
            if leaf.tensor is None or leaf.value is _BEFORE:
                continue
            if isinstance(leaf.value, Variable):
                output_index = next((i for i, output in enumerate(outputs) if output is leaf.value), len(outputs))
                gradient_writes.append(GradientWrite(leaf.tensor, output_index, leaf.before))
                if output_index == len(outputs):
                    outputs.append(leaf.value)
            elif leaf.value is None:
                gradient_writes.append(GradientWrite(leaf.tensor, GradientWrite.FORGET, leaf.before))
            else:
                cleared = GradientWrite.CLEAR if leaf.value is CLEARED else GradientWrite.CLEAR_IF_THERE
                gradient_writes.append(GradientWrite(leaf.tensor, cleared, leaf.before))
        return gradient_writes

    # -- leaves -------------------------------------------------------------------------------------------------------

    def _outside_of_blocks(self, what: str, rewrite: str) -> None:
        if self._builder.frame is not self._builder.root:
            raise broken(f"{what} is used under a tensor condition or in a tensor loop{in_expression()}", rewrite)

    def _leaf(self, tensor: Any, is_result: bool = False) -> Any:
        """The entry of a tensor; None for one that is no leaf and keeps no gradient."""
        if isinstance(tensor, EagerTensor):
            leaf = self._leaves.get(id(tensor))
            if leaf is None:
                self._watch.reads_stop(tensor)
                leaf = self._leaves[id(tensor)] = _Leaf(tensor, None, _BEFORE)
            return leaf
        var = leaf_of(tensor.ssa)
        if var is None:
            if is_result:
                self.retain(tensor)
            return self._retained.get(tensor.ssa)
        return self._of_var(var)

    def _of_var(self, var: Var) -> _Leaf:
        leaf = self._leaves.get(var)
        if leaf is None:
            argument_index, tensor = self.arguments.get(var, (None, None))
            if argument_index is not None:  # each call is asked whether its argument is such a leaf (`ConcreteProgram`)
                self.grad_inputs.append(argument_index)
                if isinstance(tensor, EagerTensor) and not is_fresh(tensor):
                    raise broken(
                        f"a gradient is added to the argument {var.name!r}, which has one already or was computed from other "
                        "tensors",
                        "`x.detach()` as the argument, or `x.clear_grad()` before the call",
                    )
            leaf = self._leaves[var] = _Leaf(argument_index, var, None)
        return leaf

    def _reached(self, visited: dict[Op, None], targets: list[Var]) -> list[_Leaf]:
        """The leaves that the visited part of the graph began with."""
        read = {v for op in visited for v in op.operands()} | set(targets)
        reached: list[_Leaf] = []
        done: set[Var] = set()
        for var in read:
            origin = leaf_of(var)
            if origin is None or origin.stop_gradient or origin in done:
                continue
            done.add(origin)
            holder = origin.holder
            if isinstance(holder, EagerTensor):
                if holder._node is not None:
                    raise broken(
                        f"backward() continues{in_expression()} into the graph of {holder.name!r}, which was computed outside "
                        "of the function",
                        "`x.detach()` of it, or backward() outside of the static function",
                    )
                leaf = self._leaf(holder)
                leaf.var = origin
            else:
                leaf = self._of_var(origin)
            reached.append(leaf)
        return reached

    def _hooks_of(self, tensor: Any) -> Any:
        if not isinstance(tensor, EagerTensor):
            return ()
        self._watch.reads_stop(tensor, "_hooks")
        return tensor._hooks or ()

    def _visited(self, targets: list[Var]) -> dict[Op, None]:
        """The ops that a gradient of the targets goes through."""
        visited: dict[Op, None] = {}
        todo = list(targets)
        while todo:
            var = todo.pop()
            op = var.op
            if op is None or op in visited or var.stop_gradient or op.stops_gradient():
                continue
            if op.name == "as_leaf" and leaf_of(var) is not None:
                continue
            visited[op] = None
            flags = op.differentiable_flags()
            todo.extend(v for v, flows in zip(op.operands(), flags, strict=True) if flows and not v.stop_gradient)
        return visited

    def _add(self, leaf: _Leaf, gradient: object) -> None:
        if leaf.value is _BEFORE:
            leaf.value = self._entering(leaf, ("added", "added", "numbers"))
        if isinstance(leaf.value, Variable):
            gradient = leaf.value + gradient
            if self._shows(leaf, gradient):
                return
        leaf.value = gradient

    def _entering(self, leaf: _Leaf, words: tuple[str, str, str]) -> Any:
        """The gradient before the call: None, CLEARED or the numbers. The Program serves calls that find the same state."""
        tensor = leaf.tensor
        grad_state = state_of(tensor)
        self._watch.reads_grad(tensor, functools.partial(word_of, tensor, words), _WORD.format(*words))
        if grad_state == 2:
            return self._builder.root_value(tensor._grad.spec, BUFFER, GradientOf(tensor), None)
        return CLEARED if grad_state == 1 else None


# `word_of` as an expression, in which words are names (`guards.py` has them)
_WORD = (
    "(linked if {{0}}._node is not None or {{0}}._hooks else {} if {{0}}._grad is None else {} if {{0}}._grad is CLEARED else {})"
)


def word_of(tensor: EagerTensor, words: tuple[str, str, str]) -> str:
    """The state of a gradient as one of three words: for None, for zeros, for other numbers."""
    return words[state_of(tensor)] if tensor._node is None and not tensor._hooks else "linked"
