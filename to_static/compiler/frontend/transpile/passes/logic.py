"""``and``, ``or``, ``not``, ``is``, ``in``, chained comparisons and ternaries become operators with the lazy parts in lambdas.

``a and b`` -> ``_jst.and_(a, lambda: b)`` (``_jst.and_value`` where more than its truth counts); ``lo < f(x) < hi`` ->
``_jst.compare(lo, '<', lambda: f(x), '<', lambda: hi)`` (the middle is evaluated once); ``a if c else b`` ->
``_jst.if_(c, lambda: a, lambda: b)``. Expressions that can only be Python values keep Python's operators.
"""

from __future__ import annotations

import gast

from to_static.compiler.frontend.transpile.analysis.activity import OneFunction, walk_scope
from to_static.compiler.frontend.transpile.analysis.static_values import asks_attribute, is_plain
from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.pyct import template

_SIGNS = {
    gast.Lt: "<", gast.LtE: "<=", gast.Gt: ">", gast.GtE: ">=", gast.Eq: "==", gast.NotEq: "!=",
    gast.Is: "is", gast.IsNot: "is not", gast.In: "in", gast.NotIn: "not in",
}  # fmt: skip
_SEQUENCES = (gast.Lt, gast.LtE, gast.Gt, gast.GtE, gast.Eq, gast.NotEq)  # comparisons that look into lists and tuples


def convert_logic(function: gast.FunctionDef, ctx: Context) -> None:
    """Rewrite the expressions in the body of ``function`` in place."""
    rewriter = _Logic(ctx, _sequences(function))
    function.body = [rewriter.visit(s) for s in function.body]


def thunk(value: gast.expr) -> gast.expr:
    """``lambda: value``, marked as run at once by the operator that gets it."""
    node = template.expression("lambda: VALUE", at=value, VALUE=value)
    node.thunk = True
    return node


def _only_truth(node: gast.expr) -> None:
    """Mark that only the truth of ``node`` counts, so that ``and`` and ``or`` need not return an operand."""
    node.truth = True


class _Logic(OneFunction):
    def __init__(self, ctx: Context, sequences: frozenset[str]) -> None:
        self.ctx = ctx
        self.sequences = sequences

    def visit_If(self, node: gast.If | gast.While) -> gast.AST:
        _only_truth(node.test)
        return self.generic_visit(node)

    visit_While = visit_If

    def visit_BoolOp(self, node: gast.BoolOp) -> gast.AST:
        if is_plain(node, self.ctx):
            return node
        value = not getattr(node, "truth", False)
        if not value:
            for part in node.values:
                _only_truth(part)
        self.generic_visit(node)
        name = ("_jst.and_" if isinstance(node.op, gast.And) else "_jst.or_") + ("value" if value else "")
        lazy = [thunk(v) for v in node.values[1:]]
        return template.expression(f"{name}(FIRST, REST)", at=node, FIRST=node.values[0], REST=lazy)

    def visit_UnaryOp(self, node: gast.UnaryOp) -> gast.AST:
        is_python = is_plain(node, self.ctx)
        if isinstance(node.op, gast.Not):
            _only_truth(node.operand)
        self.generic_visit(node)
        if is_python or not isinstance(node.op, gast.Not):
            return node
        return template.expression("_jst.not_(VALUE)", at=node, VALUE=node.operand)

    def visit_Compare(self, node: gast.Compare) -> gast.AST:
        identity = any(isinstance(op, (gast.Is, gast.IsNot)) for op in node.ops)
        is_python = is_plain(node, self.ctx) and not (identity and asks_attribute(node.left, *node.comparators))
        self.generic_visit(node)
        if is_python:
            return node
        if len(node.ops) == 1 and not self._of_sequences(node):
            return self._single(node)
        parts: list[gast.expr] = []
        for op, value in zip(node.ops, node.comparators, strict=True):
            parts += [template.expression(repr(_SIGNS[type(op)]), at=value), thunk(value)]
        return template.expression("_jst.compare(LEFT, PARTS)", at=node, LEFT=node.left, PARTS=parts)

    def _single(self, node: gast.Compare) -> gast.AST:
        """``is`` and ``in`` of values that may be tensors; other comparisons are the values' own."""
        (op,), (right,) = node.ops, node.comparators
        name = {gast.Is: "is_", gast.IsNot: "is_not", gast.In: "in_", gast.NotIn: "not_in"}.get(type(op))
        if name is None:
            return node
        return template.expression(f"_jst.{name}(LEFT, RIGHT)", at=node, LEFT=node.left, RIGHT=right)

    def _of_sequences(self, node: gast.Compare) -> bool:
        """Return whether one side is a list or tuple in the source.

        Python would then compare its items and ask for their truth.
        """
        sides = (node.left, *node.comparators)
        is_sequence = any(_is_sequence(x) or (isinstance(x, gast.Name) and x.id in self.sequences) for x in sides)
        if isinstance(node.ops[0], (gast.Eq, gast.NotEq)):
            is_sequence = is_sequence or all(map(_may_be_list, sides))
        return is_sequence and type(node.ops[0]) in _SEQUENCES

    def visit_IfExp(self, node: gast.IfExp) -> gast.AST:
        is_python = is_plain(node.test, self.ctx)
        _only_truth(node.test)
        self.generic_visit(node)
        if is_python:
            return node
        return template.expression("_jst.if_(TEST, YES, NO)", at=node, TEST=node.test, YES=thunk(node.body), NO=thunk(node.orelse))


def _is_sequence(side: gast.expr) -> bool:
    """True if an expression is certainly a list or tuple."""
    if isinstance(side, gast.Subscript) and isinstance(side.slice, gast.Slice):
        side = side.value
    return isinstance(side, (gast.List, gast.Tuple)) or (isinstance(side, gast.Attribute) and side.attr == "shape")


def _may_be_list(side: gast.expr) -> bool:
    """True if a name, attribute or item may be a list, or an object with lists."""
    return isinstance(side, (gast.Name, gast.Attribute, gast.Subscript, gast.Call))


def _sequences(function: gast.FunctionDef) -> frozenset[str]:
    """Variables to which a function assigns lists or tuples."""
    todo = [(t, n.value) for n in walk_scope(function.body) if isinstance(n, gast.Assign) for t in n.targets]
    sequences = set()
    while todo:
        target, value = todo.pop()
        if isinstance(target, gast.Name) and _is_sequence(value):
            sequences.add(target.id)
        elif isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple):
            todo += zip(target.elts, value.elts, strict=False)
    return frozenset(sequences)
