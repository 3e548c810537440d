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

_BEFORE: Any = object()  # the gradient before the call
_BEFORE_CLEARED: Any = object()  # zeros if there was a gradient before the call, else None


class _Leaf:
    """A tensor to which `backward` adds gradients, and its present ``.grad``."""

    __slots__ = ("old_grad_action", "tensor", "value", "var")

    def __init__(self, tensor: Any, var: Var | None, value: Any) -> None:
        self.old_grad_action = GradientWrite.FOLLOWS  # see `GradientWrite`
        self.tensor = tensor  # a tensor from outside, or the index of an argument leaf; None for a tensor that the trace made
        self.var = var
        self.value = value  # a tensor of the Program, None, CLEARED, _BEFORE or _BEFORE_CLEARED


class Gradients:
    """The gradients of one trace. ``arguments``: the Var of each tensor argument -> the index of its leaf, and the tensor."""

    def __init__(self, builder: Builder, guards: Guards) -> None:
        self._builder = builder
        self._guards = guards
        self.arguments: dict[Var, tuple[int, Any]] = {}
        self.grad_inputs: list[int] = []  # indices of the argument leaves that get a gradient
        self.hook = hook
        self.ran = False  # whether backward() was called
        self._leaves: dict[Any, _Leaf] = {}  # by id of a tensor from outside, else by Var
        self._retained: dict[Var, _Leaf] = {}
        self._freed: dict[Op, None] = {}

    # -- what the user calls ------------------------------------------------------------------------------------------

    def backward(self, tensors: list[Any], weights: list[Any], retain_graph: bool) -> None:
        """Add the gradients of ``tensors`` to the ``.grad`` of the leaves on which they depend, except with stop_gradient=True.

        Raises AutogradError as dynamic mode does, GraphBreak if a Program cannot do it.
        """
        builder = self._builder
        self._outside_of_blocks("backward()", "call it after the condition or loop, on the result")
        builder.on_grad_mode_read()
        pairs = [(t, w) for t, w in zip(tensors, weights, strict=True) if takes_part(t, w)]
        tensors = [tensor for tensor, _ in pairs]
        visited = self._visited([builder.var(t) for t in tensors])
        if not self._freed.keys().isdisjoint(visited):
            raise AutogradError("the graph of a tensor was freed by an earlier backward; call that one with retain_graph=True")
        leaves = self._leaves_reached(visited, [builder.var(t) for t in tensors])
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
        """Return the present ``.grad`` of a tensor; the gradient before the call becomes an input or a guarded constant."""
        leaf = self._leaf(tensor)
        if leaf is None:
            return None
        if leaf.value is _BEFORE:
            leaf.value = self._gradient_before_call(leaf, ("none", "cleared", "numbers"))
        elif leaf.value is _BEFORE_CLEARED:
            leaf.value = CLEARED if self._gradient_before_call(leaf, ("none", "some", "some")) is not None else None
        if leaf.value is CLEARED:
            with mode.grad_mode(False):
                leaf.value = F.zeros_like(tensor)
        builder, handle = self._builder, leaf.value
        is_leaf = handle is not None and handle.ssa.stop_gradient and handle.ssa.op is not None and builder.frame is builder.root
        if is_leaf and not source_location.is_internal(source_location.caller_file(2)):
            leaf.value = handle = builder.detached_view(handle)  # a leaf, as in dynamic mode; optimizers do not need one
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
            if not self._update_handle(leaf, value):
                leaf.value = value

    def clear(self, tensor: object, set_to_zero: bool) -> None:
        """Set the ``.grad`` of a tensor to zeros if it has one, or to None if not ``set_to_zero``."""
        self._outside_of_blocks("clear_grad()", "call it before the condition or loop, or after")
        leaf = self._leaf(tensor, True)
        if not set_to_zero:
            self._leave(leaf, None, GradientWrite.STAYS)
        elif leaf.value is _BEFORE:
            self._leave(leaf, _BEFORE_CLEARED, GradientWrite.ZEROS)
        elif leaf.value is not None and leaf.value is not _BEFORE_CLEARED:
            if isinstance(leaf.value, Variable):
                with mode.grad_mode(False):
                    self._update_handle(leaf, F.zeros_like(leaf.value))
            self._leave(leaf, CLEARED, GradientWrite.ZEROS)

    @staticmethod
    def _leave(leaf: _Leaf, value: object, old_grad_action: str) -> None:
        """Replace the gradient of a leaf; ``old_grad_action`` says what happens to the tensor that was its gradient."""
        leaf.value = value
        if leaf.old_grad_action is GradientWrite.FOLLOWS:
            leaf.old_grad_action = old_grad_action

    def _update_handle(self, leaf: _Leaf, value: Any) -> bool:
        """Bind the handle of a leaf's gradient to ``value``, if the function has read it. Returns whether it has."""
        has_views = isinstance(leaf.value, Variable) and leaf.value.views is not None
        if has_views:
            self._builder.rebind(leaf.value, value)
        return has_views

    def retain(self, tensor: Tensor) -> None:
        """Keep the gradient of a tensor that is not a leaf."""
        var = self._builder.var(tensor)
        if leaf_of(var) is None:
            self._retained.setdefault(var, _Leaf(None, var, None))

    # -- the end of the trace -----------------------------------------------------------------------------------------

    def spend(self) -> set[Var]:
        """Set stop_gradient on all values whose graph an earlier backward has freed, also in part, and return them."""
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
        """Return the writes of every run to gradients of tensors that exist after the run; appends their values to ``outputs``."""
        gradient_writes = []
        for leaf in self._leaves.values():
            if leaf.tensor is None or leaf.value is _BEFORE:
                continue
            if isinstance(leaf.value, Variable):
                output_index = next((i for i, output in enumerate(outputs) if output is leaf.value), len(outputs))
                gradient_writes.append(GradientWrite(leaf.tensor, output_index, leaf.old_grad_action))
                if output_index == len(outputs):
                    outputs.append(leaf.value)
            elif leaf.value is None:
                gradient_writes.append(GradientWrite(leaf.tensor, GradientWrite.FORGET, leaf.old_grad_action))
            else:
                cleared = GradientWrite.CLEAR if leaf.value is CLEARED else GradientWrite.CLEAR_IF_THERE
                gradient_writes.append(GradientWrite(leaf.tensor, cleared, leaf.old_grad_action))
        return gradient_writes

    # -- leaves -------------------------------------------------------------------------------------------------------

    def _outside_of_blocks(self, what: str, rewrite: str) -> None:
        """Break the graph inside of a branch or loop body: a Program cannot do ``what`` there."""
        if self._builder.frame is not self._builder.root:
            raise broken(f"{what} is used under a tensor condition or in a tensor loop{in_expression()}", rewrite)

    def _leaf(self, tensor: Any, is_result: bool = False) -> Any:
        """The `_Leaf` of a tensor; None if it is not a leaf and keeps no gradient. ``is_result``: it is given one now."""
        if isinstance(tensor, EagerTensor):
            leaf = self._leaves.get(id(tensor))
            if leaf is None:
                self._guards.reads_stop(tensor)
                leaf = self._leaves[id(tensor)] = _Leaf(tensor, None, _BEFORE)
            return leaf
        var = leaf_of(tensor.ssa)
        if var is None:
            if is_result:
                self.retain(tensor)
            return self._retained.get(tensor.ssa)
        return self._leaf_of_var(var)

    def _leaf_of_var(self, var: Var) -> _Leaf:
        """The `_Leaf` of a leaf of the Program. Breaks for an argument that has a gradient or a graph."""
        leaf = self._leaves.get(var)
        if leaf is None:
            argument_index, tensor = self.arguments.get(var, (None, None))
            if argument_index is not None:  # each call checks that its argument has no gradient (`program/conditions.py`)
                self.grad_inputs.append(argument_index)
                if isinstance(tensor, EagerTensor) and not is_fresh(tensor):
                    raise broken(
                        f"a gradient is added to the argument {var.name!r}, which has one already or was computed from other "
                        "tensors",
                        "`x.detach()` as the argument, or `x.clear_grad()` before the call",
                    )
            leaf = self._leaves[var] = _Leaf(argument_index, var, None)
        return leaf

    def _leaves_reached(self, visited: dict[Op, None], targets: list[Var]) -> list[_Leaf]:
        """The leaves on which the visited part of the graph, or a target, depends."""
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
                leaf = self._leaf_of_var(origin)
            reached.append(leaf)
        return reached

    def _hooks_of(self, tensor: Any) -> Any:
        """The gradient hooks of a leaf, guarded."""
        if not isinstance(tensor, EagerTensor):
            return ()
        self._guards.reads_stop(tensor, "_hooks")
        return tensor._hooks or ()

    def _visited(self, targets: list[Var]) -> dict[Op, None]:
        """The ops through which a gradient of the targets flows, as the keys of a dict in order."""
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
        """Add to the gradient of a leaf."""
        if leaf.value is _BEFORE:
            leaf.value = self._gradient_before_call(leaf, ("added", "added", "numbers"))
        if isinstance(leaf.value, Variable):
            gradient = leaf.value + gradient
            if self._update_handle(leaf, gradient):
                return
        leaf.value = gradient

    def _gradient_before_call(self, leaf: _Leaf, words: tuple[str, str, str]) -> Any:
        """Return the gradient before the call: None, CLEARED or an input; its state is guarded. ``words``: see `word_of`."""
        tensor = leaf.tensor
        grad_state = state_of(tensor)
        self._guards.reads_grad(tensor, functools.partial(word_of, tensor, words), _WORD.format(*words))
        if grad_state == 2:
            return self._builder.root_value(tensor._grad.spec, BUFFER, GradientOf(tensor), None)
        return CLEARED if grad_state == 1 else None


# `word_of` as an expression, in which words are names (`_NAMES` of `guards.py`)
_WORD = (
    "(linked if {{0}}._node is not None or {{0}}._hooks else {} if {{0}}._grad is None else {} if {{0}}._grad is CLEARED else {})"
)


def word_of(tensor: EagerTensor, words: tuple[str, str, str]) -> str:
    """Return the state of a gradient as a word: "linked" with a graph or hooks, else the word for None, for zeros or for values."""
    return words[state_of(tensor)] if tensor._node is None and not tensor._hooks else "linked"
