"""Patterns of operators: what a rewrite looks for, as text.

    >>> find = Pattern("relu(add(conv:packed_conv(...), bias))")
    >>> found = find.at(op, readers)

Names with parentheses are operators, ``name:operator(...)`` keeps the `Op` under that name, a bare name keeps the `Var`, ``_``
stands for any. ``...`` takes whatever inputs there are. Operators with the trait `commutative` match in both orders. Results
inside of the pattern must have no other reader: they go away with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from to_static.compiler.ir.program import Block, Op, Var
from to_static.compiler.ir.rewriter import compute_uses

_TOKEN = re.compile(r"\s*(\.\.\.|[\w|]+|[(),:])")


class _Node(NamedTuple):
    label: str | None
    names: frozenset[str]  # of operators; none: any value
    inputs: tuple[Any, ...] | None  # None: whatever inputs there are


class Uses:
    """Who reads the values of a block, as it is now."""

    def __init__(self, block: Block) -> None:
        self.ops = compute_uses(block)
        self.results = set(block.results)

    def alone(self, var: Var) -> bool:
        """Whether one op reads the value, once, and nobody else."""
        readers = self.ops.get(var, [])
        return len(readers) == 1 and var not in self.results and sum(v is var for v in readers[0].operands()) == 1

    def added(self, *ops: Op) -> None:
        """Operators that were put into the block."""
        for op in ops:
            for var in dict.fromkeys(op.operands()):
                self.ops.setdefault(var, []).append(op)

    def replaced(self, old: Var, new: Var) -> None:
        """Who read ``old`` reads ``new`` from now on."""
        self.ops[new] = self.ops.pop(old, [])
        if old in self.results:
            self.results.add(new)


class Pattern:
    """A tree of operators with one result each."""

    def __init__(self, text: str) -> None:
        tokens = _TOKEN.findall(text)
        self.root = _parse(tokens)
        assert not tokens, f"cannot read {text!r}"

    def at(self, op: Op, readers: Uses) -> dict[str, Any] | None:
        """What the names of the pattern stand for where ``op`` is its outermost operator; None where it does not match."""
        return next(_match_op(self.root, op, {}, readers), None)


def _parse(tokens: list[str]) -> _Node:
    name, label = tokens.pop(0), None
    if tokens[:1] == [":"]:
        label, name = name, tokens[1]
        del tokens[:2]
    if tokens[:1] != ["("]:
        return _Node(None if name == "_" else name, frozenset(), None)
    tokens.pop(0)
    inputs: list[_Node] | None = []
    while tokens[0] != ")":
        if tokens[0] == "...":
            inputs = None
            tokens.pop(0)
        else:
            assert inputs is not None
            inputs.append(_parse(tokens))
        if tokens[0] == ",":
            tokens.pop(0)
    tokens.pop(0)
    return _Node(label, frozenset(name.split("|")), None if inputs is None else tuple(inputs))


def _match(node: _Node, var: Any, found: dict[str, Any], readers: Uses) -> Iterator[dict[str, Any]]:
    if node.names:
        if isinstance(var, Var) and var.op is not None and len(var.op.outputs) == 1 and readers.alone(var):
            yield from _match_op(node, var.op, found, readers)
    elif node.label is None or found.get(node.label, var) is var:
        yield found if node.label is None else {**found, node.label: var}


def _match_op(node: _Node, op: Op, found: dict[str, Any], readers: Uses) -> Iterator[dict[str, Any]]:
    if op.name not in node.names:
        return
    if node.label is not None:
        found = {**found, node.label: op}
    if node.inputs is None:
        yield found
        return
    if len(op.inputs) != len(node.inputs):
        return
    orders = [op.inputs, op.inputs[::-1]] if "commutative" in op.opdef.traits and len(op.inputs) == 2 else [op.inputs]
    for order in orders:
        yield from _match_all(list(zip(node.inputs, order, strict=True)), found, readers)


def _match_all(pairs: list[Any], found: dict[str, Any], readers: Uses) -> Iterator[dict[str, Any]]:
    if not pairs:
        yield found
        return
    (node, var), *rest = pairs
    for more in _match(node, var, found, readers):
        yield from _match_all(rest, more, readers)
