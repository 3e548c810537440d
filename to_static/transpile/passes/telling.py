"""Errors that pass from function to function, where tensors may decide that they are raised: they are told of, not raised.

Such a function returns whether it ended by an error, the error, and its result: ``raise e`` becomes ``error = e; raised = True``
and ``return raised, error, result``. What it calls, and what the body of a ``try`` calls, is asked to tell: ``y = check(x)``
becomes ``raised, error, told = _jst.told(check)(x)``, and ``y = told`` goes behind ``if not raised``. So do items, divisions and
``next``, which may fail. Only what is traced where a ``try`` would else have to be refused gets these forms (see `jit.trace`).
"""

from __future__ import annotations

import builtins
import math
from typing import Any

import gast

from to_static.transpile import template, visiting
from to_static.transpile.context import Context
from to_static.transpile.passes import assignments
from to_static.transpile.passes.calls import fresh_containers, is_generator
from to_static.transpile.passes.spill import CONSUMERS, is_path
from to_static.transpile.passes.unbound import finishes
from to_static.transpile.raising import is_special
from to_static.transpile.scopes import COMPREHENSIONS, EXPRESSIONS, FUNCTIONS, MUTATORS, names_of, walk_scope
from to_static.transpile.suppressing import called, of_library
from to_static.transpile.updates import calls, kept, updated

_DIVISIONS = {gast.Div: "/", gast.FloorDiv: "//", gast.Mod: "%"}
_FAILING = frozenset(["pop", "remove", "popitem", "popleft", "index"])  # methods of containers that raise errors
_OF_MATH = frozenset(vars(math))
_SAFE = MUTATORS - _FAILING
_ALL = frozenset(["call", "item", "division", "operator"])
_OPERATORS = (gast.Attribute, gast.BinOp, gast.UnaryOp, gast.Subscript, gast.Compare, gast.JoinedStr)  # classes have methods for
_SIMPLE = (
    *_OPERATORS, gast.FormattedValue, gast.Name, gast.Constant, gast.Slice, gast.Tuple,
    gast.operator, gast.unaryop, gast.cmpop, gast.expr_context,
)  # fmt: skip
_ASKING = frozenset(["len", "str", "repr", "abs", "int", "float", "bool", "round", "divmod", "format", "hash"])  # the same
_PLAIN = frozenset(["shape", "dtype", "training"])  # attributes that are no property of the user's
_CAUGHT = {"item": (IndexError, KeyError), "division": (ZeroDivisionError,), "attribute": (AttributeError,)}


def may_tell(function: gast.FunctionDef) -> bool:
    """Whether this function may have an error to tell of."""
    kinds = (gast.Raise, gast.Assert, gast.Call, gast.Subscript, gast.BinOp)
    return any(isinstance(n, kinds) for n in walk_scope(function.body)) and not is_generator(function)


def ask(function: gast.FunctionDef, ctx: Context) -> None:
    """Take out what is asked to tell of its errors, as statements marked ``told``."""
    if ctx.asks and not is_generator(function):
        marks = _Marks(function, ctx)
        function.body = marks.block(function.body, _ALL if ctx.telling else frozenset())
        if marks.found:
            assignments.run(function, ctx)


class _Marks:
    def __init__(self, function: gast.FunctionDef, ctx: Context) -> None:
        self.ctx = ctx
        self.fresh = fresh_containers(function)
        self.special = ctx.caught is None or any(map(is_special, ctx.caught))  # whether operators may fail
        self.all = _ALL if ctx.caught is None else frozenset(["call", "operator"])
        self.captured = names_of(function.body).captures
        self.found = False

    def block(self, stmts: list[gast.stmt], told: frozenset[str]) -> list[gast.stmt]:
        return [made for s in stmts for made in self.statement(s, told)]

    def statement(self, s: gast.stmt, told: frozenset[str]) -> list[gast.stmt]:
        """``told``: what has to tell of its errors here."""
        if isinstance(s, (*FUNCTIONS, gast.ClassDef)):
            return [s]
        if isinstance(s, gast.For) and "call" in told and self.is_map(s.iter):
            *out, s = self.each(s)
            return [*out, *self.statement(s, told)]
        items = "item" in told or ("operator" in told and self.special)
        setters = "operator" in told
        if isinstance(s, gast.Assign) and ((items and _is_item(s.targets)) or (setters and self.is_setter(s.targets))):
            *before, last = self.stored(s)
            last.value.tells = self.found = True
            return [*(made for part in before for made in self.statement(part, told)), last]
        inner = around = told
        if isinstance(s, gast.Try):
            around = self.all if s.finalbody else told
            kinds = [h.type.elts if isinstance(h.type, gast.Tuple) else [h.type] for h in s.handlers]
            inner = around | self.caught([k for some in kinds for k in some])
        elif isinstance(s, gast.With):
            inner = around.union(*map(self.ended, s.items))
        for part in ("body", "orelse", "finalbody"):
            if getattr(s, part, None):
                setattr(s, part, self.block(getattr(s, part), {"body": inner, "orelse": around}.get(part, told)))
        for handler in getattr(s, "handlers", []):
            handler.body = self.block(handler.body, around)
        for field in EXPRESSIONS:
            for n in walk_scope(getattr(s, field, None) or []):
                if isinstance(n, gast.Lambda):  # becomes a function, which has a form that tells
                    self.mark(n.body, frozenset(["call"]))
        if not told:
            return [s]
        marked = [self.mark(s.items[0].context_expr, told)] if isinstance(s, gast.With) else []
        for field in EXPRESSIONS:
            value = getattr(s, field, None)
            if isinstance(value, gast.AST):
                marked.append(self.mark(value, told, isinstance(s, gast.Raise)))
                if "operator" in told and not isinstance(s, (gast.While, gast.For)):
                    marked.append(self.mark_operators(value))
        if not isinstance(s, gast.AugAssign):
            return [s]
        divides = "division" in told and type(s.op) in _DIVISIONS and not isinstance(s.value, gast.Constant)
        place = (setters and self.is_setter([s.target])) or ("call" in told and calls(s.target))
        made = updated(s, self.captured, self.ctx) if divides or place or any(marked) else [s]
        made = [self.divided(x) if x is s and divides else x for x in made]
        again = [place and isinstance(x, gast.Assign) and not getattr(x.value, "tells", False) for x in made]
        return [part for x, asks in zip(made, again, strict=True) for part in (self.statement(x, told) if asks else [x])]

    def caught(self, kinds: list[Any]) -> frozenset[str]:
        """What may raise errors of these kinds."""
        found = {"call", "operator"} if kinds else set()
        for kind in kinds:
            known = getattr(builtins, getattr(kind, "id", ""), None)
            if self.ctx.caught is not None and known in (None, BaseException, Exception):  # said for anything
                continue
            for name, errors in _CAUGHT.items():
                if not isinstance(known, type) or any(issubclass(e, known) for e in errors):
                    found.add(name)
        return frozenset(found)

    def divided(self, s: gast.AugAssign) -> gast.stmt:
        """``k //= n`` as ``k = k // n``, which remembers that it may change what ``k`` is."""
        value = template.expression("A / B", at=s, A=template.loaded(s.target), B=s.value)
        value.op, value.updates = s.op, "="
        value.tells = self.found = True
        return gast.copy_location(gast.Assign([s.target], value, None), s)

    def ended(self, item: Any) -> frozenset[str]:
        """What has to tell of its errors because an object of a ``with`` may do something about them."""
        manager = item.context_expr
        if not of_library(manager, self.ctx):
            return self.all
        return self.caught(manager.args) if called(manager) == "suppress" else frozenset()

    def mark(self, node: gast.expr, told: frozenset[str], raised: bool = False) -> bool:
        """Mark what is to be taken out of an expression; ``raised``: its value is raised. True where there is something."""
        found = False
        todo = [*node.args, *(k.value for k in node.keywords)] if raised and isinstance(node, gast.Call) else [node]
        for part in todo:
            for n in list(walk_scope(part)):
                if isinstance(n, gast.Call) and isinstance(n.func, gast.Name) and n.func.id in CONSUMERS and len(n.args) == 1:
                    if "call" in told and self.is_map(n.args[0]):
                        call, item, items = self.mapped(n.args[0])
                        n.args[0] = template.expression("(CALL for ITEM in XS)", at=n, CALL=call, ITEM=item.id, XS=items)
                    n.args[0].at_once = True
            for n in walk_scope(part):
                if isinstance(n, gast.GeneratorExp) and not getattr(n, "at_once", False):
                    for inner in walk_scope(n):
                        inner.later = True
                elif not getattr(n, "later", False) and self.kind(n) in told:
                    n.tells = found = self.found = True
        return found

    def is_map(self, node: Any) -> bool:
        """``map(f, xs)``, of a function that has a name, or a lambda"""
        named = isinstance(node, gast.Call) and getattr(node.func, "id", "") == "map" and self.ctx.builtin("map")
        if not named or node.keywords or len(node.args) < 2 or any(isinstance(a, gast.Starred) for a in node.args):
            return False
        return is_path(node.args[0]) or isinstance(node.args[0], gast.Lambda)

    def mapped(self, node: Any) -> tuple[gast.expr, gast.expr, gast.expr]:
        """Of ``map(f, xs)``: the call for an item, the item, and what they are taken of."""
        item = template.expression("NAME", at=node, NAME=self.ctx.variable("item"))
        given = [item] if len(node.args) == 2 else [gast.copy_location(gast.Starred(item, gast.Load()), node)]
        items = node.args[1] if len(node.args) == 2 else template.expression("zip(XS)", at=node, XS=node.args[1:])
        call: Any = template.expression("F(GIVEN)", at=node, F=node.args[0], GIVEN=given)
        if isinstance(call.func, gast.Lambda):
            call.tells = self.found = True
        return call, item, items

    def each(self, s: gast.For) -> list[gast.stmt]:
        """``for y in map(f, xs): ...`` as ``for item in xs: y = f(item); ...``"""
        out: list[gast.stmt] = []
        if isinstance(s.iter.args[0], gast.Attribute):
            s.iter.args[0] = kept(s.iter.args[0], out, self.ctx)
        call, item, s.iter = self.mapped(s.iter)
        s.body.insert(0, gast.copy_location(gast.Assign([s.target], call, None), s))
        s.target = gast.copy_location(gast.Name(item.id, gast.Store(), None, None), s.target)
        return [*out, s]

    def mark_operators(self, node: gast.AST) -> bool:
        """Mark operators, items and attributes, which may be methods of the user's: the largest parts of nothing else."""
        if isinstance(node, (gast.Lambda, gast.BoolOp, gast.IfExp, *COMPREHENSIONS)):
            return False
        found = self.is_operator(node)
        if found:
            node.tells = self.found = True
            inner = list(walk_scope(node))
            divides = any(isinstance(n, gast.BinOp) and type(n.op) in _DIVISIONS for n in inner)
            if not divides and all(isinstance(n, _SIMPLE) and (n is node or not getattr(n, "tells", False)) for n in inner):
                return True
        parts = visiting.children(node)
        if isinstance(node, gast.FormattedValue) and node.format_spec is not None:  # whose text is none by itself
            parts[1:] = visiting.children(node.format_spec)
        if isinstance(node, gast.Call):  # what is called is asked by itself
            func = parts.pop(0)
            if isinstance(func, gast.Attribute) and func.attr not in MUTATORS and not self.ctx.library(func):
                parts.insert(0, func.value)
        return found | any([self.mark_operators(part) for part in parts])  # noqa: C419  (all of them)

    def is_operator(self, node: gast.AST) -> bool:
        if isinstance(node, gast.Attribute):
            root: Any = node
            while isinstance(root, gast.Attribute):
                root = root.value
            asked = node.attr not in _PLAIN if self.ctx.caught is None else node.attr in self.ctx.caught
            return asked and getattr(root, "id", "") != "_jst" and not self.ctx.library(node)
        if not self.special:
            return False
        if isinstance(node, gast.Subscript):
            return isinstance(node.ctx, gast.Load) and getattr(node.value, "attr", "") not in _PLAIN
        if isinstance(node, gast.Compare):
            return len(node.ops) == 1 and not isinstance(node.ops[0], (gast.Is, gast.IsNot))
        if isinstance(node, gast.Call):
            return isinstance(node.func, gast.Name) and node.func.id in _ASKING and self.ctx.builtin(node.func.id)
        if isinstance(node, gast.UnaryOp):
            return not isinstance(node.op, gast.Not)
        return isinstance(node, (gast.BinOp, gast.JoinedStr))

    def kind(self, node: gast.AST) -> str:
        if isinstance(node, gast.Call):
            return "call" if self.may_raise(node) else ""
        if isinstance(node, gast.Subscript):
            plain = isinstance(node.slice, (gast.Slice, gast.Tuple)) or getattr(node.value, "attr", "") == "shape"
            return "item" if isinstance(node.ctx, gast.Load) and not plain else ""
        if isinstance(node, gast.Attribute):  # which the module sets or deletes
            return "attribute" if isinstance(node.ctx, gast.Load) and node.attr in self.ctx.assigned else ""
        divides = isinstance(node, gast.BinOp) and type(node.op) in _DIVISIONS
        text = divides and isinstance(node.left, (gast.JoinedStr, gast.Constant)) and not isinstance(
            getattr(node.left, "value", ""), (int, float)
        )
        return "division" if divides and not text and not isinstance(node.right, gast.Constant) else ""

    def may_raise(self, node: gast.Call) -> bool:
        func = node.func
        name = func.id if isinstance(func, gast.Name) else ""
        if name == "next" and self.ctx.builtin("next"):
            return len(node.args) == 1
        if self.ctx.library(func) or name == "super":
            return name in _OF_MATH or getattr(getattr(func, "value", None), "id", "") == "math"
        if self.ctx.caught is not None:
            return called(node) in self.ctx.caught | _FAILING
        if isinstance(func, gast.Attribute):
            owner = func.value
            if isinstance(owner, (gast.Constant, gast.JoinedStr)):
                return False
            if isinstance(owner, gast.Name) and (owner.id == "_jst" or (owner.id in self.fresh and func.attr in _SAFE)):
                return False
        return True

    def stored(self, s: gast.Assign) -> list[gast.stmt]:
        """``items[i] = v`` or ``owner.name = v`` as the call that it is: the value comes first."""
        target: Any = s.targets[0]
        out: list[gast.stmt] = []
        value = kept(s.value, out, self.ctx)
        owner = target.value if is_path(target.value) else kept(target.value, out, self.ctx)
        if isinstance(target, gast.Subscript):
            place = kept(target.slice, out, self.ctx)
            call = template.expression("_jst.set_item(OWNER, PLACE, V)", at=s, OWNER=owner, PLACE=place, V=value)
        else:
            call = template.expression(f"_jst.set_attribute(OWNER, {target.attr!r}, V)", at=s, OWNER=owner, V=value)
        return [*out, gast.copy_location(gast.Expr(call), s)]

    def is_setter(self, targets: list[gast.expr]) -> bool:
        """``owner.name = ...``, where that may call a function of the user's."""
        return len(targets) == 1 and isinstance(targets[0], gast.Attribute) and targets[0].attr in self.ctx.setters


def _is_item(targets: list[gast.expr]) -> bool:
    """``items[i] = ...``"""
    target: Any = targets[0]
    return len(targets) == 1 and isinstance(target, gast.Subscript) and not isinstance(target.slice, (gast.Slice, gast.Tuple))


def asked(s: gast.Assign, raised: str, error: str) -> gast.stmt:
    """The statement of something that tells of its error: ``raised, error, name = ...``"""
    value = s.value
    if isinstance(value, gast.Call):
        value.func = template.expression("_jst.told(FUNC)", at=value, FUNC=value.func)
        value.func.thunk = True
    elif isinstance(value, gast.BinOp) and type(value.op) in _DIVISIONS:
        sign = repr(_DIVISIONS[type(value.op)] + getattr(value, "updates", ""))
        value = template.expression(f"_jst.told(_jst.quotient)({sign}, A, B)", at=value, A=value.left, B=value.right)
        value.func.thunk = True
    else:
        value = template.expression("_jst.computed(lambda: VALUE)", at=value, VALUE=value)
        value.args[0].thunk = True
    return template.statement("RAISED, ERROR, NAME = VALUE", at=s, RAISED=raised, ERROR=error, NAME=s.targets[0].id, VALUE=value)


def as_value(error: gast.expr) -> gast.expr:
    """What is raised; for the error of a ``try`` that did not catch it, which may be one of several, that value."""
    if isinstance(error, gast.Call) and getattr(error.func, "attr", "") == "again":
        return template.expression("_jst.error(FAILURE)", at=error, FAILURE=error.args)
    return error


def tell(function: gast.FunctionDef, ctx: Context) -> None:
    """Have ``function`` return its errors."""
    if ctx.telling and not is_generator(function):
        _Tells(function, ctx)


class _Tells:
    def __init__(self, function: gast.FunctionDef, ctx: Context) -> None:
        self.raised, self.error, self.result = ctx.flag("raised"), ctx.flag("error"), ctx.flag("result")
        first = function.body[0]
        told = "'the returned value'" if finishes(function) else ""
        body = self.block(function.body, False)
        self.names = {"RAISED": self.raised, "ERROR": self.error, "RESULT": self.result}
        start = f"RAISED = False\nERROR = _jst.unbound()\nRESULT = _jst.unbound({told})"
        end = self.returned(gast.copy_location(gast.Return(None), body[-1]))
        function.body = [*template.statements(start, at=first, **self.names), *body, *end]
        function.leaves = end[-1].value

    def block(self, stmts: list[gast.stmt], caught: bool) -> list[gast.stmt]:
        return [made for s in stmts for made in self.statement(s, caught)]

    def statement(self, s: gast.stmt, caught: bool) -> list[gast.stmt]:
        """``caught``: in the body of a ``try`` that stays Python's."""
        if isinstance(s, (*FUNCTIONS, gast.ClassDef)):
            return [s]
        if isinstance(s, gast.Return):
            return self.returned(s)
        if isinstance(s, gast.Raise) and s.exc is not None and not caught:
            text = f"{self.error} = _jst.failing(ERROR)\n{self.raised} = True"
            return [*template.statements(text, at=s, ERROR=as_value(s.exc)), self.leave(s)]
        if isinstance(s, gast.Assert) and not caught:
            error = template.expression("AssertionError(MESSAGE)", at=s, MESSAGE=[] if s.msg is None else [s.msg])
            body = self.statement(gast.copy_location(gast.Raise(error, None), s), caught)
            return template.statements("if not TEST:\n    BODY", at=s, TEST=s.test, BODY=body)
        if getattr(s, "tells", False) and not caught:
            check = template.statement(f"if {self.raised}:\n    BODY", at=s, BODY=[self.leave(s)])
            return [asked(s, self.raised, self.error), check]
        for part in ("body", "orelse", "finalbody"):
            if getattr(s, part, None):
                inside = caught or (part == "body" and bool(getattr(s, "handlers", None)))
                setattr(s, part, self.block(getattr(s, part), inside))
        for handler in getattr(s, "handlers", []):
            handler.body = self.block(handler.body, caught)
        return [s]

    def returned(self, s: gast.Return) -> list[gast.stmt]:
        value = s.value or template.expression("None", at=s)
        return [*template.statements(f"{self.result} = VALUE", at=s, VALUE=value), self.leave(s)]

    def leave(self, at: gast.AST) -> gast.Return:
        return template.statement(f"return {self.raised}, {self.error}, {self.result}", at=at)
