"""Announces writes to objects: the run-time operators must know of them, because they may be under a tensor condition.

``_jst.touch(self, 'steps')`` goes before ``self.steps = ...``, ``_jst.touch(cache)`` before ``cache[k] = v``, and ``raise error``
becomes ``raise _jst.raises(error)``. That is so at the top level of a function, too: it may be called from inside a branch.
"""

from __future__ import annotations

import gast

from to_static.compiler.frontend.transpile.analysis.activity import OneFunction, names_of, walk_scope
from to_static.compiler.frontend.transpile.analysis.bindings import fresh_containers
from to_static.compiler.frontend.transpile.analysis.context_managers import may_suppress
from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.pyct import template
from to_static.compiler.frontend.transpile.pyct.targets import calls, evaluate_once


def insert_write_barriers(function: gast.FunctionDef, ctx: Context) -> None:
    """Insert the announcements in ``function``, in place."""
    outer = names_of(function.body).outer - ctx.nonlocals
    function.body = [_Rebinds(outer).visit(s) for s in function.body] if outer else function.body
    function.body = _Effects(function, ctx).block(function.body)
    written = sorted(names_of(function.body).writes & ctx.nonlocals)
    function.body = [template.statement(f"_jst.touch(None, {n!r})", at=function.body[0]) for n in written] + function.body


class _Rebinds(OneFunction):
    """``(counter := value)`` of global and nonlocal variables, announced."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_NamedExpr(self, node: gast.NamedExpr) -> gast.AST:
        self.generic_visit(node)
        name = node.target.id
        if name not in self.names:
            return node
        return template.expression(f"_jst.assign(_jst.outer(lambda: {name}), {name!r}, VALUE)", at=node, VALUE=node.value)

    visit_Lambda = visit_AsyncFunctionDef = OneFunction.visit_FunctionDef  # their variables are not the function's


_DISPLAYS = (gast.List, gast.ListComp, gast.Tuple, gast.Set, gast.Dict)  # what shows that `x += ...` changes a container


class _Effects:
    def __init__(self, function: gast.FunctionDef, ctx: Context) -> None:
        self.ctx = ctx
        self.fresh = fresh_containers(function, ctx)
        self.outer = names_of(function.body).outer

    def block(self, stmts: list[gast.stmt]) -> list[gast.stmt]:
        return [new for s in stmts for new in self.statement(s)]

    def statement(self, s: gast.stmt) -> list[gast.stmt]:
        if isinstance(s, (gast.If, gast.While, gast.For, gast.With, gast.Try)):
            for part in ("body", "orelse", "finalbody"):
                setattr(s, part, self.block(getattr(s, part, [])))
            for item in s.items if isinstance(s, gast.With) else []:
                if may_suppress(item.context_expr, self.ctx):
                    item.context_expr = template.expression("_jst.entering(MANAGER)", at=s, MANAGER=item.context_expr)
            if isinstance(s, gast.Try) and s.handlers:
                s.body = [self.caught(s.body, [h.type or template.expression("BaseException", at=h) for h in s.handlers])]
            has_effects = isinstance(s, gast.Try) and any(map(self.is_seen, walk_scope(s.finalbody)))
            for handler in getattr(s, "handlers", []):
                classes = [] if handler.type is None else getattr(handler.type, "elts", [handler.type])
                if not classes or any(getattr(cls, "id", "") == "BaseException" for cls in classes):
                    handler.type = template.expression(
                        "_jst.caught_types(KINDS)", at=handler, KINDS=classes
                    )  # not what carries refusals
                handler.body = self.block(handler.body)
            return [self.finished(s)] if has_effects else [s]
        if isinstance(s, gast.Raise) and s.exc is not None:
            s.exc = template.expression("_jst.raises(ERROR)", at=s, ERROR=s.exc)
            return [s]
        targets = _targets(s)
        if not targets:
            return [s]
        notices = self.owner(s)
        for target in targets:
            notices += self.notice(target, s)
        return [*notices, s]

    def is_seen(self, node: gast.AST) -> bool:
        """True if a node of a ``finally`` is a call, other than the notice of a container that is gone with an error."""
        mine = isinstance(node, gast.Call) and getattr(node.func, "attr", "") == "touch" and len(node.args) == 1
        return isinstance(node, gast.Call) and not (mine and getattr(node.args[0], "id", "") in self.ctx.locals)

    def owner(self, s: gast.stmt) -> list[gast.stmt]:
        """``f(x).total = value`` in steps, where an object comes from a call: ``kept = value; owner = f(x)``, in Python's order."""
        target = _only_target(s)
        if not isinstance(target, (gast.Attribute, gast.Subscript)) or not calls(target.value):
            return []
        out: list[gast.stmt] = []
        if isinstance(s, gast.Assign):
            s.value = evaluate_once(s.value, out, self.ctx)
        name = self.ctx.variable("owner")
        out += template.statements("NAME = OWNER", at=s, NAME=name, OWNER=target.value)
        target.value = template.expression("NAME", at=s, NAME=name)
        return out

    @staticmethod
    def caught(body: list[gast.stmt], classes: list[gast.expr]) -> gast.stmt:
        """The body of a ``try`` that says what is caught: errors that depend on tensors can't be."""
        loaded = [template.loaded(cls) for cls in classes]
        with_statement = template.statement("with _jst.caught(KINDS):\n    BODY", at=body[0], KINDS=loaded, BODY=body)
        with_statement.passes = True  # see `suppressing`
        return with_statement

    def finished(self, s: gast.Try) -> gast.Try:
        """A ``try`` whose ``finally`` does something: behind an error of the Program it could not."""
        every = [template.expression("BaseException", at=s)]
        if s.handlers:
            inner = gast.copy_location(gast.Try(s.body, s.handlers, s.orelse, []), s)
            inner.end_lineno = s.end_lineno
            s.body, s.handlers, s.orelse = [inner], [], []
        s.body = [self.caught(s.body, every)]
        return s

    def notice(self, target: gast.expr, s: gast.stmt) -> list[gast.stmt]:
        if isinstance(target, gast.Name):
            if isinstance(getattr(s, "op", None) and s.value, _DISPLAYS) and target.id not in {*self.fresh, *self.outer}:
                return [template.statement("_jst.touch(NAME)", at=s, NAME=target.id)]
            if target.id not in self.outer or target.id in self.ctx.nonlocals:
                return []
            return [template.statement(f"_jst.touch(_jst.outer(lambda: {target.id}), {target.id!r})", at=s)]
        owner = target.value
        if isinstance(target, gast.Subscript) and isinstance(owner, gast.Name) and owner.id in self.fresh:
            return []
        if isinstance(owner, gast.Attribute) and owner.attr == "__dict__" and isinstance(target, gast.Subscript):
            key = target.slice
            if not calls(owner) and not calls(key) and not isinstance(key, gast.Slice):
                loaded = template.loaded(owner.value)
                return [template.statement("_jst.touch_entry(OWNER, KEY)", at=s, OWNER=loaded, KEY=template.loaded(key))]
        if calls(owner):
            raise self.ctx.refuse(
                s, f"an assignment into the result of a call, {template.text_of(owner)!r}, in this place",
                "give the object a name first: `obj = ...` and then assign into `obj`",
            )  # fmt: skip
        load = template.loaded(owner)
        attribute_argument = (
            [template.expression(repr(_mangled(target.attr, self.ctx)), at=s)]
            if isinstance(target, gast.Attribute)
            else []
        )
        return [template.statement("_jst.touch(OWNER, REST)", at=s, OWNER=load, REST=attribute_argument)]


def _mangled(name: str, ctx: Context) -> str:
    """The name that Python uses for a private ``name`` inside a class."""
    prefix = "_" + (ctx.class_name or "").lstrip("_")
    return prefix + name if name.startswith("__") and not name.endswith("__") and prefix != "_" else name


def _only_target(s: gast.stmt) -> gast.expr | None:
    if isinstance(s, gast.AugAssign):
        return s.target
    return s.targets[0] if isinstance(s, gast.Assign) and len(s.targets) == 1 else None


def _targets(s: gast.stmt) -> list[gast.expr]:
    """Assignment targets of ``s`` that are names, attributes or items."""
    targets: list[gast.expr] = []
    todo: list[gast.expr] = []
    if isinstance(s, (gast.Assign, gast.Delete)):
        todo = list(s.targets)
    elif isinstance(s, gast.AugAssign) or (isinstance(s, gast.AnnAssign) and s.value is not None):
        todo = [s.target]
    while todo:
        target = todo.pop(0)
        if isinstance(target, (gast.Tuple, gast.List)):
            todo = [*target.elts, *todo]
        elif isinstance(target, gast.Starred):
            todo.insert(0, target.value)
        elif isinstance(target, (gast.Name, gast.Attribute, gast.Subscript)):
            targets.append(target)
    return targets
