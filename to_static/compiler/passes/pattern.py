"""`Pattern`: a tree of operators that a pass looks for, written as text.

    >>> find = Pattern("relu(add(conv:packed_conv(...), bias))")
    >>> match = find.at(op, uses)

A name with parentheses is an operator; ``a|b(...)`` is one of several. ``name:operator(...)`` stores the `Op` under ``name``, a
bare name stores the `Var`, and ``_`` matches any value. ``...`` matches any inputs. Operators with the trait `commutative` match in
both orders. Results inside the pattern must have no other reader, because the rewrite removes them.
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
    names: frozenset[str]  # names of operators; empty: any value
    inputs: tuple[Any, ...] | None  # None: any inputs


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
    (node, var), *remaining_pairs = pairs
    for extended in _match(node, var, match, uses):
        yield from _match_all(remaining_pairs, extended, uses)
