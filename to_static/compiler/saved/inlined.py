"""A saved Program as a part of the Program that is being built: its operators are called once more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from to_static.compiler.ir import mode, registry
from to_static.compiler.ir.program import Block, Program, Var

if TYPE_CHECKING:
    from to_static.compiler.ir.building.builder import Builder


def inlined(program: Program, feeds: list[Any], traced: Mapping[str | None, Any]) -> list[Any]:
    """Append a saved Program to the Program that is being built; return its outputs for the traced ``feeds``.

    Its parameters and state become those of the Program that is being built. ``traced``: values that replace parameters and
    buffers, by the names of their variables. The operators compute the shapes anew, so the feeds may have other sizes than in
    the saved Program. Raises the ShapeError and DTypeError of the operators.
    """
    builder = mode.current()
    env: dict[Var, Any] = {}
    for var in program.params:
        env[var] = traced[var.name] if var.name in traced else builder.capture(var.holder)
    outside = {id(handle) for handle in (*feeds, *env.values())}
    results = [
        builder.apply(registry.get("assign"), (value,), {}) if id(value) in outside else value
        for value in _run(builder, program.block, feeds, env)
    ]
    count = len(program.outputs)
    for var, value in zip(program.state, results[count:], strict=True):
        traced.get(var.name, var.holder)._become(value)
    return results[:count]


def _run(builder: Builder, block: Block, args: list[Any], env: dict[Var, Any]) -> list[Any]:
    """Append the operators of a block to the Program that is being built; return its results. ``env``: the values by Var."""
    env.update(zip(block.args, args, strict=True))
    for op in block.ops:
        inputs: Any = tuple(None if v is None else [env[u] for u in v] if isinstance(v, tuple) else env[v] for v in op.inputs)
        results: Any
        if op.name == "cond":
            true, false = op.blocks
            pred, operands = inputs
            results = builder.cond(pred, _block_function(builder, true, operands), _block_function(builder, false, operands))
        elif op.name == "while_loop":
            (values,), count = inputs, op.attrs["carried"]
            test, body = (_block_function(builder, block, values[count:]) for block in op.blocks)
            results = builder.while_loop(_first_of(test), body, values[:count])
        else:
            results = builder.apply(op.opdef, inputs, op.attrs)
            if not op.opdef.multi:
                results = (results,)
        env.update(zip(op.outputs, results, strict=True))
    return [env[v] for v in block.results]


def _block_function(builder: Builder, block: Block, outside: list[Any]) -> Callable[..., list[Any]]:
    """Return a block of a ``cond`` or ``while_loop`` as a function of its first arguments; ``outside`` are the other ones."""
    return lambda *carried: _run(builder, block, [*carried, *outside], {})


def _first_of(function: Callable[..., list[Any]]) -> Callable[..., Any]:
    """Return a function that returns the first result of ``function``."""
    return lambda *carried: function(*carried)[0]
