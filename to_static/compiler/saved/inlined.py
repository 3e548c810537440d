"""A saved Program as a part of the Program that is being built: its operators are called once more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from to_static.compiler.ir import mode, registry
from to_static.compiler.ir.program import Block, Program, Var

if TYPE_CHECKING:
    from to_static.compiler.ir.building.builder import Builder


def inlined(program: Program, feeds: list[Any], traced: Mapping[str | None, Any]) -> list[Any]:
    """The Program's outputs for traced ``feeds``; its parameters and state are those of the Program that is being built.

    ``traced``: values of that Program which stand for parameters and buffers, by their variables' names.
    Shapes are those that the operators give for these feeds, whatever sizes the saved Program had. Raises ShapeError and DTypeError
    as operators do.
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
    env.update(zip(block.args, args, strict=True))
    for op in block.ops:
        inputs: Any = tuple(None if v is None else [env[u] for u in v] if isinstance(v, tuple) else env[v] for v in op.inputs)
        results: Any
        if op.name == "cond":
            true, false = op.blocks
            pred, operands = inputs
            results = builder.cond(pred, _of(builder, true, operands), _of(builder, false, operands))
        elif op.name == "while_loop":
            (values,), count = inputs, op.attrs["carried"]
            test, body = (_of(builder, block, values[count:]) for block in op.blocks)
            results = builder.while_loop(_first_of(test), body, values[:count])
        else:
            results = builder.apply(op.opdef, inputs, op.attrs)
            if not op.opdef.multi:
                results = (results,)
        env.update(zip(op.outputs, results, strict=True))
    return [env[v] for v in block.results]


def _of(builder: Builder, block: Block, outside: list[Any]) -> Callable[..., list[Any]]:
    """A branch, or a part of a loop, as a function of what changes from round to round."""
    return lambda *changing: _run(builder, block, [*changing, *outside], {})


def _first_of(function: Callable[..., list[Any]]) -> Callable[..., Any]:
    return lambda *changing: function(*changing)[0]
