"""Calls: ``f(x)`` becomes ``_jst.call(f)(x)`` where ``f`` may be the user's; some builtins get a tensor-aware twin. Items whose
index may be a tensor: ``items[i]`` becomes ``_jst.at(items)[i]``.

Left alone: library functions (the context knows), functions defined right here (they are translated in place), methods of
literals, and ``append`` and friends of lists that were made in this function.
"""

from __future__ import annotations

import math

import gast

from to_static.compiler.frontend.transpile.analysis.activity import MUTATORS, STOPS, OneFunction
from to_static.compiler.frontend.transpile.analysis.bindings import (
    counters,
    fresh_containers,
    growing_elsewhere,
    is_literal,
    local_functions,
)
from to_static.compiler.frontend.transpile.analysis.resolve import dotted
from to_static.compiler.frontend.transpile.analysis.side_effects import may_read_environment, may_touch_outside
from to_static.compiler.frontend.transpile.analysis.static_values import asks_attribute, is_settled, takes_optional
from to_static.compiler.frontend.transpile.builtin_table import BUILTINS
from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.pyct import template

_LOGS = ("debug", "info", "warning", "warn", "error", "exception", "critical", "log")  # of `logging`, and `warnings.warn`
_ITERATORS = (  # of functools, itertools and collections
    "reduce", "chain", "from_iterable", "islice", "accumulate", "starmap", "takewhile", "dropwhile", "filterfalse", "compress",
    "Counter",
)  # fmt: skip
_UPDATES = ("iadd", "iconcat", "ior")  # of operator
_BUILTINS = ("setattr", "delattr", "next", "ord", "chr", "open", "id", "iter")
_SETTERS = ("__setattr__", "__delattr__")  # of object
_COPIES = ("copy", "deepcopy", "replace")  # of copy and dataclasses
_SPREAD = ("print", "max", "min", "zip")  # builtins that may be handed as many arguments as a tensor says
_NAMED = ("getattr", "hasattr")  # builtins that take an object and a name, both of which tensors may choose


def _constant(node: gast.Call) -> bool:
    return not node.keywords and all(isinstance(a, gast.Constant) for a in node.args)


def convert_calls(function: gast.FunctionDef, ctx: Context) -> None:
    """Rewrite all calls in the body of ``function`` in place."""
    rewriter = _CallConverter(function, ctx)
    function.body = [rewriter.visit(s) for s in function.body]


class _CallConverter(OneFunction):
    def __init__(self, function: gast.FunctionDef, ctx: Context) -> None:
        self.ctx = ctx
        self.fresh = fresh_containers(function, ctx)
        self.functions = local_functions(function)
        self.counters = counters(function, ctx)
        self.growing = growing_elsewhere(function)
        self.keywords = function.args.kwarg.id if function.args.kwarg is not None else ""
        self.lazy = False  # inside of an expression that a tensor may decide to evaluate: nobody hands it copies

    def _lazily(self, node: gast.AST) -> gast.AST:
        around, self.lazy = self.lazy, True
        self.generic_visit(node)
        self.lazy = around
        return node

    visit_IfExp = visit_BoolOp = visit_Lambda = _lazily

    def visit_Compare(self, node: gast.Compare) -> gast.AST:
        return self._lazily(node) if len(node.ops) > 1 else self.generic_visit(node)

    def visit_While(self, node: gast.While) -> gast.AST:
        around, self.lazy = self.lazy, True
        node.test = self.visit(node.test)
        self.lazy = around
        node.body, node.orelse = [self.visit(s) for s in node.body], [self.visit(s) for s in node.orelse]
        return node

    def visit_TypeAlias(self, node: gast.AST) -> gast.AST:
        return node

    def visit_AnnAssign(self, node: gast.AnnAssign) -> gast.AST:
        node.target = self.visit(node.target)
        node.value = node.value if node.value is None else self.visit(node.value)
        return node

    def visit_Subscript(self, node: gast.Subscript) -> gast.AST:
        grows = getattr(node.value, "id", "") in self.growing or getattr(node.value, "attr", "") in self.ctx.assigned
        grows = grows or isinstance(node.value, gast.Subscript)
        self.generic_visit(node)
        if grows or not is_literal(node.slice, self.counters):
            node.value = template.expression("_jst.at(CONTAINER)", at=node.value, CONTAINER=node.value)
            node.value.container = True
        return node

    def visit_BinOp(self, node: gast.BinOp) -> gast.AST:
        self.generic_visit(node)
        for side in ("left", "right"):
            operand = getattr(node, side)
            if isinstance(operand, gast.Name) and operand.id in self.growing:
                setattr(node, side, template.expression("_jst.resolve_list(ITEMS)", at=operand, ITEMS=operand))
        return node

    def visit_Attribute(self, node: gast.Attribute) -> gast.AST:
        self.generic_visit(node)
        if node.attr in STOPS and isinstance(node.ctx, gast.Load):
            node.value = template.expression("_jst.guard_stop_gradient(TENSOR)", at=node, TENSOR=node.value)
            return node
        if node.attr in self.ctx.properties and isinstance(node.ctx, gast.Load):
            return template.expression(f"_jst.attribute(OBJECT, {node.attr!r})", at=node, OBJECT=node.value)
        if node.attr != "__class__" or not isinstance(node.ctx, gast.Load) or self._is_self(node.value):
            return node
        return template.expression("_jst.class_of(VALUE)", at=node, VALUE=node.value)

    def visit_Assign(self, node: gast.Assign) -> gast.AST:
        self.generic_visit(node)
        (target, *more), value = node.targets, node.value
        if more or not isinstance(target, (gast.Tuple, gast.List)) or isinstance(value, (gast.Tuple, gast.List)):
            return node
        stars = [i for i, part in enumerate(target.elts) if isinstance(part, gast.Starred)]
        if stars:  # Python would look into what has no length yet
            names_after = len(target.elts) - stars[0] - 1
            target.elts[stars[0]] = target.elts[stars[0]].value
            node.value = template.expression(f"_jst.unpack(VALUE, {stars[0]}, {names_after})", at=value, VALUE=value)
        return node

    def visit_List(self, node: gast.List) -> gast.AST:
        self.generic_visit(node)
        if not (isinstance(node.ctx, gast.Load) and self.wrap_starred(node.elts)):
            return node
        call = template.expression("_jst.display(PARTS)", at=node, PARTS=node.elts)
        return call if isinstance(node, gast.List) else template.expression("_jst.tuple(MADE)", at=node, MADE=call)

    visit_Tuple = visit_List

    def visit_Dict(self, node: gast.Dict) -> gast.AST:
        self.generic_visit(node)
        if None in node.keys or all(isinstance(key, gast.Constant) for key in node.keys):
            return node
        entries = zip(node.keys, node.values, strict=True)
        pairs = [template.expression("(KEY, VALUE)", at=value, KEY=key, VALUE=value) for key, value in entries]
        return template.expression("_jst.dict_display([PAIRS])", at=node, PAIRS=pairs)

    def visit_Set(self, node: gast.Set) -> gast.AST:
        if all(isinstance(item, gast.Constant) for item in node.elts):
            return node
        items = self.visit(gast.copy_location(gast.List(node.elts, gast.Load()), node))
        return template.expression("_jst.set_display(ITEMS)", at=node, ITEMS=items)

    def wrap_starred(self, parts: list[gast.expr]) -> bool:
        """Wrap starred arguments, which may be lists of the Program, in ``_jst.starred``; return True if there are any."""
        literals = (gast.Tuple, gast.List, gast.Constant)
        starred = [p for p in parts if isinstance(p, gast.Starred) and not isinstance(p.value, literals)]
        for part in starred:
            part.value = template.expression("_jst.starred(ITEMS)", at=part, ITEMS=part.value)
        return bool(starred)

    def visit_Call(self, node: gast.Call) -> gast.AST:
        library = self.ctx.library(node.func)
        node.args = [self.visit(a) for a in node.args]
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)
        named = any(keyword.arg is None and not self._is_own_keywords(keyword.value) for keyword in node.keywords)
        func = node.func
        if isinstance(func, gast.Name):
            if func.id == "super" and not node.args and self.ctx.builtin("super"):
                return self._super(node)
            has_starred = (not library or (func.id in _SPREAD and self.ctx.builtin(func.id))) and self.wrap_starred(node.args)
            if has_starred:
                node.func = template.expression("_jst.spread(FUNC)", at=func, FUNC=func)
                return node
            if func.id in self.functions:
                return node
            if func.id == "type" and len(node.args) == 1 and self._is_self(node.args[0]):
                return node
            if func.id in BUILTINS and self.ctx.builtin(func.id):
                if func.id == "print" or not all(isinstance(a, gast.Constant) for a in node.args):
                    node.func = template.expression(f"_jst.{func.id}", at=func)
                return node
        elif isinstance(func, gast.Attribute):
            if isinstance(func.value, (gast.Constant, gast.JoinedStr)) and _constant(node):
                return node
            if isinstance(func.value, gast.Name) and func.value.id == "_jst":
                return node
            if isinstance(func.value, gast.Name) and func.value.id in self.fresh and not self.lazy and self._grows(node):
                return node
        if library and not (named or takes_optional(node, self.ctx) or self._changes(node) or self._computes(node)):
            return node
        node.func = self.visit(func)
        if getattr(func, "thunk", False):
            return node
        name = "_jst.spread" if self.wrap_starred(node.args) else "_jst.call"
        node.func = template.expression(f"{name}(FUNC)", at=func, FUNC=node.func)
        return node

    def _super(self, node: gast.Call) -> gast.AST:
        """``super()`` with its arguments: branches and loops become functions, which have others."""
        if self.ctx.class_name is None:
            what = f"`super()` without arguments in {self.ctx.function!r}, which is not defined in a class"
            raise self.ctx.refuse(node, what, "name the class and the object: `super(Net, self)`")
        return template.expression("super(__class__, SELF)", at=node, SELF=self.ctx.self_name) if self.ctx.self_name else node

    def _is_self(self, node: gast.expr) -> bool:
        return bool(self.ctx.class_name) and isinstance(node, gast.Name) and node.id == self.ctx.self_name

    def _is_own_keywords(self, node: gast.expr) -> bool:
        return isinstance(node, gast.Name) and node.id == self.keywords

    def _grows(self, node: gast.Call) -> bool:
        """True if this method changes a container in a way that no tensor can decide."""
        if node.func.attr in ("pop", "insert"):
            return not node.keywords and (not node.args or is_literal(node.args[0], self.counters))
        if node.func.attr == "extend":  # by what tensors may give a length
            return bool(node.args) and isinstance(node.args[0], (gast.List, gast.Tuple))
        if node.func.attr.startswith("__"):  # by a key that may be a tensor
            return False
        return node.func.attr in MUTATORS and node.func.attr not in ("remove", "sort", "update", "setdefault")

    def _changes(self, node: gast.Call) -> bool:
        """True if a library function changes what code around sees, writes, or takes a name or text that tensors may choose."""
        func = node.func
        names = dotted(func)
        if names and (may_touch_outside(names) or may_read_environment(names)):
            return True
        if isinstance(func, gast.Name):
            if func.id in _NAMED and len(node.args) > 1:
                asks = func.id == "hasattr" or len(node.args) > 2  # whether it is there, which tensors may decide
                code = ("__class__", *STOPS, *self.ctx.properties)
                is_other_attribute = isinstance(node.args[1], gast.Constant) and node.args[1].value not in code
                return not is_other_attribute or (asks and not self._is_known(node.args[0]))
            if func.id == "callable":
                return not all(map(self.ctx.library, node.args))
            return func.id in (*_BUILTINS, *_COPIES, *_ITERATORS, *_UPDATES, *_LOGS)
        return isinstance(func, gast.Attribute) and func.attr in ("write", *_SETTERS, *_COPIES, *_ITERATORS, *_UPDATES, *_LOGS)

    @staticmethod
    def _computes(node: gast.Call) -> bool:
        """True if this may be a function of `math`, which numbers of the Program go through."""
        func = node.func
        if node.args and _constant(node):
            return False
        name = func.id if isinstance(func, gast.Name) else func.attr if isinstance(func, gast.Attribute) else ""
        return hasattr(math, name)

    def _is_known(self, value: gast.expr) -> bool:
        return is_settled(value, self.ctx) and not asks_attribute(value)
