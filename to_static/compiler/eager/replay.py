"""Runs a Program op by op on eager tensors, so that the tape records each op: for gradients of gradients of static functions."""

from __future__ import annotations

from typing import Any

from to_static.compiler.autodiff.vjp import zeros_for
from to_static.compiler.eager import tape
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir import mode
from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.spec import ListSpec
from to_static.core.errors import AutogradError


def replay(program: Program, feeds: list[Any], params: list[Any]) -> list[Any]:
    """The Program's outputs as eager tensors that know their graph. ``params``: tensors for ``program.params``."""
    env: dict[Var, Any] = dict(zip(program.params, params, strict=True))
    with mode.default_mode():
        results = _run(program.block, feeds, env)
    return results[: len(program.outputs)]


def _run(block: Block, args: list[Any], env: dict[Var, Any]) -> list[Any]:
    env.update(zip(block.args, args, strict=True))
    for op in block.ops:
        inputs: Any = tuple(None if v is None else [env[u] for u in v] if isinstance(v, tuple) else env[v] for v in op.inputs)
        if not op.outputs:  # an effect, which the run had
            results: Any = ()
        elif op.name == "cond":
            results = _run(op.blocks[0 if bool(inputs[0]) else 1], inputs[1], {})
        elif op.name == "while_loop":
            values, n = inputs[0], op.attrs["carried"]
            while bool(_run(op.blocks[0], values, {})[0]):
                values = _run(op.blocks[1], values, {}) + values[n:]
            results = values[:n]
        elif op.name == "custom_gradient":
            results = _custom(op, *inputs)
        elif op.name == "current_number" or any(isinstance(v.spec, ListSpec) for v in [*op.operands(), *op.outputs]):
            what = "reads a learning rate" if op.name == "current_number" else "appends to lists in a tensor loop"
            raise AutogradError(f"create_graph=True through a static function that {what} is not possible yet")
        else:
            recorded = mode.grad_enabled() and not all(v.stop_gradient for v in op.outputs)  # not inside of a `no_grad`
            with mode.grad_mode(recorded):
                results = mode.current().apply(op.opdef, inputs, op.attrs)
            if not op.opdef.multi:
                results = (results,)
        env.update(zip(op.outputs, results, strict=True))
    return [env[v] for v in block.results]


class _CustomNode(tape.Node):
    """A `custom_gradient` on the tape."""

    __slots__ = ("captured", "inputs", "op", "outputs")

    def __init__(self, op: Op, values: list[Any], inputs: list[Any], captured: list[Any]) -> None:
        super().__init__(op.name, [*(None for _ in values), *map(tape.edge_of, inputs), *(None for _ in captured)], len(values))
        self.op = op
        self.captured = captured
        self.inputs = inputs
        self.outputs = values

    def vjp(self, gouts: list[Any]) -> list[Any]:
        weights = [zeros_for(out) if g is None else g for g, out in zip(gouts, self.outputs, strict=True)]
        block = self.op.attrs["backward"]
        by_index = dict(zip(self.op.attrs["wanted"], _run(block, [*weights, *self.captured], {}), strict=True))
        grads = [by_index.get(i) for i in range(len(self.inputs))]
        return [*(None for _ in self.outputs), *grads, *(None for _ in self.captured)]


def _custom(op: Op, values: list[Any], inputs: list[Any], captured: list[Any]) -> list[Any]:
    tensors = [EagerTensor(x._array) for x in values]
    by_value = {id(x): new for x, new in zip(values, tensors, strict=True)}
    node = _CustomNode(op, tensors, inputs, [by_value.get(id(x), x) for x in captured])
    for i, (new, var) in enumerate(zip(tensors, op.outputs, strict=True)):
        if not var.stop_gradient:
            new._node, new._index, new.stop_gradient = node, i, False
    return tensors
