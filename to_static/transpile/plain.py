"""Conditions and iterables that are Python values for sure, whatever the variables hold.

Python's own statements are kept for them. Being wrong here is safe: a tensor in a Python condition raises an error.
"""

from __future__ import annotations

import gast

from to_static.transpile.context import Context

_QUESTIONS = ("isinstance", "issubclass", "callable", "hasattr")


def is_plain(test: gast.expr, ctx: Context) -> bool:
    """True when ``test`` can only be a Python value: ``x is None``, ``isinstance(...)``, ``mode == 'sum'``, ``self.training``."""
    if isinstance(test, gast.Constant):
        return True
    if isinstance(test, gast.Compare):
        if all(isinstance(op, (gast.Is, gast.IsNot, gast.In, gast.NotIn)) for op in test.ops):
            return True
        return any(isinstance(side, gast.Constant) and isinstance(side.value, str) for side in test.comparators)
    if isinstance(test, gast.UnaryOp):
        return isinstance(test.op, gast.Not) and is_plain(test.operand, ctx)
    if isinstance(test, gast.BoolOp):
        return all(is_plain(value, ctx) for value in test.values)
    if isinstance(test, gast.Call):
        return isinstance(test.func, gast.Name) and test.func.id in _QUESTIONS and ctx.builtin(test.func.id)
    return isinstance(test, gast.Attribute) and test.attr == "training"


def is_plain_iterable(iterable: gast.expr, ctx: Context) -> bool:
    """True for ``range`` of literal numbers and for tuples and lists written out."""
    if isinstance(iterable, (gast.Tuple, gast.List)):
        return not any(isinstance(item, gast.Starred) for item in iterable.elts)
    return (
        isinstance(iterable, gast.Call)
        and isinstance(iterable.func, gast.Name)
        and iterable.func.id == "range"
        and ctx.builtin("range")
        and all(isinstance(_unsigned(arg), gast.Constant) for arg in iterable.args)
    )


def _unsigned(node: gast.expr) -> gast.expr:
    return node.operand if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) else node
