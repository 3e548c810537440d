"""Patterns of operators: what a rewrite looks for, as text.

    >>> find = Pattern("relu(add(conv:packed_conv(...), bias))")
    >>> match = find.at(op, uses)

Names with parentheses are operators, ``name:operator(...)`` keeps the `Op` under that name, a bare name keeps the `Var`, ``_``
stands for any. ``...`` takes whatever inputs there are. Operators with the trait `commutative` match in both orders. Results
inside of the pattern must have no other reader: they go away with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from to_static.compiler.ir.program import Op, Var
from to_static.compiler.ir.uses import Uses

_TOKEN = re.compile(r"\s*(\.\.\.|[\w|]+|[(),:])")


class _Node(NamedTuple):
    label: str | None
    names: frozenset[str]  # of operators; none: any value
    inputs: tuple[Any, ...] | None  # None: whatever inputs there are


class Pattern:
    """A tree of operators with one result each."""

    def __init__(self, text: str) -> None:
        tokens = _TOKEN.findall(text)
        self.root = _parse(tokens)
        assert not tokens, f"cannot read {text!r}"

    def at(self, op: Op, uses: Uses) -> dict[str, Any] | None:
        """Match the pattern with ``op`` as its outermost operator. Returns ops and values by name, or None."""
        return next(_match_op(self.root, op, {}, uses), None)


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


def _match(node: _Node, var: Any, match: dict[str, Any], uses: Uses) -> Iterator[dict[str, Any]]:
    if node.names:
        if isinstance(var, Var) and var.op is not None and len(var.op.outputs) == 1 and uses.has_one_use(var):
            yield from _match_op(node, var.op, match, uses)
    elif node.label is None or match.get(node.label, var) is var:
        yield match if node.label is None else {**match, node.label: var}


def _match_op(node: _Node, op: Op, match: dict[str, Any], uses: Uses) -> Iterator[dict[str, Any]]:
    if op.name not in node.names:
        return
    if node.label is not None:
        match = {**match, node.label: op}
    if node.inputs is None:
        yield match
        return
    if len(op.inputs) != len(node.inputs):
        return
    orders = [op.inputs, op.inputs[::-1]] if "commutative" in op.opdef.traits and len(op.inputs) == 2 else [op.inputs]
    for order in orders:
        yield from _match_all(list(zip(node.inputs, order, strict=True)), match, uses)


def _match_all(pairs: list[Any], match: dict[str, Any], uses: Uses) -> Iterator[dict[str, Any]]:
    if not pairs:
        yield match
        return
    (node, var), *rest = pairs
    for more in _match(node, var, match, uses):
        yield from _match_all(rest, more, uses)
