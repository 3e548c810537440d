"""List comprehensions and f-strings become calls, because their conditions and parts may be tensors.

``[f(v) for v in xs if v > 0]`` -> ``_jst.list_of(lambda v: f(v), xs, lambda v: v > 0)``; so do generator expressions handed to
``sum``, ``list``, ``max``... f-strings with something in braces become ``_jst.text('loss ', (loss, '', '.3f'))``, and
``'loss %.3f' % loss`` becomes ``_jst.percent('loss %.3f', loss)``.
"""

from __future__ import annotations

from typing import Any

import gast

from to_static.compiler.frontend.transpile.analysis.activity import OneFunction, names_of
from to_static.compiler.frontend.transpile.analysis.bindings import fresh_containers
from to_static.compiler.frontend.transpile.analysis.static_values import is_plain_iterable
from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.pyct import template, visiting

EAGER = ("list", "tuple", "sum", "max", "min", "sorted", "dict", "set")  # builtins that take all items of what they are given


def convert_comprehensions(function: gast.FunctionDef, ctx: Context) -> None:
    """Rewrite the expressions in the body of ``function`` in place."""
    rewriter = _Collections(ctx, fresh_containers(function, ctx))
    function.body = [rewriter.visit(s) for s in function.body]


class _Collections(OneFunction):
    def __init__(self, ctx: Context, fresh: set[str]) -> None:
        self.ctx = ctx
        self.fresh = fresh

    def visit_ListComp(self, node: gast.ListComp) -> gast.AST:
        self.generic_visit(node)
        return self.lists(node) or node

    def visit_DictComp(self, node: gast.DictComp) -> gast.AST:
        self.generic_visit(node)
        pair = gast.copy_location(gast.Tuple([node.key, node.value], gast.Load()), node.key)
        return self.append_call("dict", pair, node) or node

    def visit_SetComp(self, node: gast.SetComp) -> gast.AST:
        self.generic_visit(node)
        return self.append_call("set", node.elt, node) or node

    def append_call(self, container_name: str, item: gast.expr, node: Any) -> gast.expr | None:
        """A dict or set, made of a list."""
        items = self.lists(gast.copy_location(gast.ListComp(item, node.generators), node))
        return items and template.expression(f"_jst.{container_name}(ITEMS)", at=node, ITEMS=items)

    def visit_Call(self, node: gast.Call) -> gast.AST:
        name = getattr(node.func, "id", "")
        items = node.args[0] if node.args and name in ("sum", "len") and self.ctx.builtin(name) else None
        if isinstance(items, (gast.GeneratorExp, gast.ListComp)) and isinstance(items.elt, (gast.Name, gast.Subscript)):
            items.elt = template.expression("_jst.value_of(ITEM)", at=items.elt, ITEM=items.elt)
        self.generic_visit(node)
        if not node.args or not isinstance(node.args[0], gast.GeneratorExp):
            return node
        if len(node.args) == 2 and getattr(node.func, "id", "") == "next" and self.ctx.builtin("next"):
            return self.first(*node.args) or node
        is_sum = len(node.args) == 2 and getattr(node.func, "id", "") == "sum"  # with a start
        if len(node.args) != 1 and not is_sum:
            return node
        if is_join(node) or is_extend(node, self.fresh):
            node.args[0] = self.lists(node.args[0]) or node.args[0]
        if isinstance(node.func, gast.Name) and self.ctx.builtin(node.func.id):
            if node.func.id in ("any", "all"):
                return self.search_call(node.args[0], f"_jst.{node.func.id}_of") or node
            if node.func.id in EAGER:
                node.args[0] = self.lists(node.args[0]) or node.args[0]
        return node

    def search_call(self, node: Any, name: str) -> gast.expr | None:
        """``any(f(v) for v in xs if v > 0)`` -> ``_jst.any_of(lambda v: f(v), xs, lambda v: v > 0)``, or None."""
        if not _is_made_of_lambdas(node):
            return None
        result = node.elt
        for g in reversed(node.generators):
            result = template.expression(f"{name}(PARTS)", at=node, PARTS=_parts(g, result))
        return result

    def first(self, node: Any, default: gast.expr) -> gast.expr | None:
        """``next((f(v) for v in xs if v > 0), None)`` -> ``_jst.first_of(lambda v: f(v), xs, lambda v: v > 0, None)``, or None."""
        if len(node.generators) > 1 or not node.generators[0].ifs or not _is_made_of_lambdas(node):
            return None
        parts = [*_parts(node.generators[0], node.elt), default]
        return template.expression("_jst.first_of(PARTS)", at=node, PARTS=parts)

    def lists(self, node: Any) -> gast.expr | None:
        """A comprehension as a call, or None when it stays as it is."""
        generators = node.generators
        if not _is_made_of_lambdas(node):
            return None
        if all(not g.ifs and is_plain_iterable(g.iter, self.ctx) for g in generators):
            return None
        result = node.elt
        for depth, g in enumerate(reversed(generators)):
            name = "_jst.flat_list_of" if depth else "_jst.list_of"
            result = template.expression(f"{name}(PARTS)", at=node, PARTS=_parts(g, result))
        return result

    def visit_BinOp(self, node: gast.BinOp) -> gast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, gast.Mod) or isinstance(node.right, gast.Constant):
            return node
        if not _is_text(node.left) and not isinstance(node.right, (gast.Tuple, gast.Dict)):
            return node  # of numbers, as a rule
        return template.expression("_jst.percent(LEFT, RIGHT)", at=node, LEFT=node.left, RIGHT=node.right)

    def visit_JoinedStr(self, node: gast.JoinedStr) -> gast.AST:
        self.generic_visit(node)
        parts: list[gast.expr] = []
        for value in node.values:
            if not isinstance(value, gast.FormattedValue):
                parts.append(value)
                continue
            spec: Any = value.format_spec
            if spec is None:
                spec = gast.Constant("", None)
            elif isinstance(spec, gast.JoinedStr) and all(isinstance(v, gast.Constant) for v in spec.values):
                spec = gast.Constant("".join(v.value for v in spec.values), None)
            conversion = "" if value.conversion == -1 else chr(value.conversion)
            spec = gast.copy_location(spec, node)
            parts.append(template.expression(f"(VALUE, {conversion!r}, SPEC)", at=node, VALUE=value.value, SPEC=spec))
        if all(isinstance(part, gast.Constant) for part in parts):
            return node
        for part in parts:
            gast.copy_location(part, node)
        return template.expression("_jst.text(PARTS)", at=node, PARTS=parts)


def is_simple(target: gast.expr) -> bool:
    """A name, or a tuple of names."""
    return isinstance(target, gast.Name) or (isinstance(target, gast.Tuple) and all(isinstance(e, gast.Name) for e in target.elts))


def _is_made_of_lambdas(node: Any) -> bool:
    """True if the parts of a comprehension can become functions: none is kept that sees later items by its variables."""
    bound_names = names_of([g.target for g in node.generators]).writes
    if bound_names & names_of([child for child in visiting.children(node) if not isinstance(child, gast.comprehension)]).captures:
        return False
    if any(isinstance(n, (gast.NamedExpr, gast.Await, gast.Yield, gast.YieldFrom)) for n in visiting.walk(node)):
        return False
    return not any(g.is_async or not is_simple(g.target) for g in node.generators)


def _parts(generator: Any, result: gast.expr) -> list[gast.expr]:
    """Return the element function, the iterable and the conditions of one ``for`` of a comprehension."""
    parts = [function_of(generator.target, result), generator.iter]
    if generator.ifs:
        ifs = generator.ifs
        test = gast.copy_location(ifs[0] if len(ifs) == 1 else gast.BoolOp(gast.And(), ifs), ifs[0])
        test.truth = True
        parts.append(function_of(generator.target, test))
    return parts


def function_of(target: gast.expr, value: gast.expr) -> gast.expr:
    """``lambda target: value``, marked as run at once."""
    import copy

    value = copy.deepcopy(value)
    names = [target.id] if isinstance(target, gast.Name) else [e.id for e in target.elts]
    thunk = template.expression("lambda PARAMS: VALUE", at=value, PARAMS=names, VALUE=value)
    thunk.thunk = True
    if isinstance(target, gast.Tuple):
        thunk = template.expression(f"lambda item: INNER(*_jst.item_values(item, {len(names)}))", at=value, INNER=thunk)
        thunk.thunk = True
    return thunk


def is_join(node: gast.Call) -> bool:
    """True if this joins strings, with one that is written out."""
    return isinstance(node.func, gast.Attribute) and node.func.attr == "join" and _is_text(node.func.value)


def is_extend(node: gast.Call, fresh: set[str]) -> bool:
    """True if this extends a list that the function made."""
    owner = node.func.value if isinstance(node.func, gast.Attribute) and node.func.attr == "extend" else None
    return isinstance(owner, gast.Name) and owner.id in fresh


def _is_text(node: gast.expr) -> bool:
    """True if a string is written out."""
    return isinstance(node, gast.JoinedStr) or (isinstance(node, gast.Constant) and isinstance(node.value, str))
