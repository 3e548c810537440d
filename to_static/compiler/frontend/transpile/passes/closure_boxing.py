"""Variables that closures share: attributes of one object, as Python's cells are, where copies would not do.

A branch or loop that becomes a function gets its own copy of what it assigns. A closure that was made before would go on seeing the
old value, and one that assigns a ``nonlocal`` would assign to nobody. So ``k`` becomes ``cells.k``, and what changes attributes in
branches and loops does the rest. So do variables that an ``except`` may see half-way through a branch or loop.
"""

from __future__ import annotations

from typing import Any

import gast

from to_static.compiler.frontend.transpile.analysis.activity import (
    COMPREHENSIONS,
    FUNCTIONS,
    free_names,
    local_names,
    names_of,
    parameters,
    walk_scope,
)
from to_static.compiler.frontend.transpile.analysis.context_managers import suppresses
from to_static.compiler.frontend.transpile.analysis.liveness import is_native
from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.passes.jump_lowering import jumps_in
from to_static.compiler.frontend.transpile.pyct import template, visiting


def box_shared_cells(function: gast.FunctionDef, ctx: Context) -> None:
    """Rewrite the shared variables of ``function`` in place; refuses those that can't be attributes."""
    changing = _changing_captures(function, ctx)
    names = (set(changing) | _nonlocals(function) | _half_way(function, ctx)) & local_names(function)
    fixed = names & _fixed(function, ctx)
    for name in sorted(fixed & changing.keys()):
        inner, construct = changing[name]
        raise ctx.refuse(
            inner, f"a function that captures {name!r} while line {construct.lineno} assigns {name!r} under a condition "
            "or in a loop", f"pass {name!r} to the function as an argument",
        )  # fmt: skip
    names -= fixed
    if not names:
        return
    cells = ctx.variable("cells")
    rewriter = _Cells(names, cells, ctx)
    docstring, body = visiting.docstring_and_rest(rewriter.block(function.body))
    wanted = ", ".join(map(repr, sorted(names)))
    top = [template.statement(f"{cells} = _jst.cells({wanted})", at=body[0])]
    boxed_parameters = [p for p in parameters(function) if p in names]
    top += [template.statement(f"{cells}.{name} = {name}", at=body[0]) for name in boxed_parameters]
    function.body = [*docstring, *top, *body]


def _nonlocals(function: gast.FunctionDef) -> set[str]:
    """Names that a function inside of ``function`` declares nonlocal."""
    inside = (n for f in walk_scope(function.body) if isinstance(f, (*FUNCTIONS, gast.ClassDef)) for n in visiting.walk(f))
    return {name for n in inside if isinstance(n, gast.Nonlocal) for name in n.names}


def _half_way(function: gast.FunctionDef, ctx: Context) -> set[str]:
    """Names that a branch or loop assigns inside of a ``try`` or ``with``, and that code reads after an error there."""
    half_way: set[str] = set()
    tries = [n for n in walk_scope(function.body) if isinstance(n, gast.Try) or suppresses(n)]
    if not tries:
        return half_way
    loops = [n for n in walk_scope(function.body) if isinstance(n, (gast.While, gast.For))]
    captured = names_of(function.body).captures
    for s in tries:
        constructs = [n for n in walk_scope(s.body) if isinstance(n, (gast.If, gast.While, gast.For)) and not is_native(n, ctx)]
        jumps = (gast.Return, gast.Break, gast.Continue)
        leaves = constructs and jumps_in([inner for inner in s.body if not isinstance(inner, jumps)])
        written = names_of(s.body if leaves else constructs).writes  # what follows a `return` in a branch moves into another
        around = [n for n in loops if n.lineno <= s.lineno and (n.end_lineno or 0) >= (s.end_lineno or 0)]
        later_statements = [n for n in function.body if (n.end_lineno or 0) > (s.end_lineno or 0)]
        if isinstance(s, gast.Try) and not s.handlers:  # the error goes on
            around = later_statements = []
        half_way |= written & (
            names_of([*getattr(s, "handlers", []), *getattr(s, "finalbody", []), *around, *later_statements]).reads | captured
        )
    return half_way - ctx.flags - ctx.temporaries


def _fixed(function: gast.FunctionDef, ctx: Context) -> set[str]:
    """Names that a construct binds which cannot bind an attribute."""
    fixed: set[str] = set()
    for node in (n for s in function.body for n in visiting.walk(s)):
        if isinstance(node, gast.Name) and node.id == "super" and ctx.self_name:
            fixed.add(ctx.self_name)
        elif isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
            fixed.add(node.name)
        elif isinstance(node, (gast.Delete, gast.Import, gast.ImportFrom)):
            fixed |= names_of(node).writes
        elif isinstance(node, gast.ExceptHandler) and node.name is not None:
            fixed.add(node.name.id)
        if isinstance(node, gast.ClassDef):
            fixed |= names_of(node.body).writes
    return fixed


class _Cells(visiting.AstTransformer):
    """``k`` -> ``cells.k`` in a function and in the functions inside of it that see this ``k``."""

    def __init__(self, names: set[str], cells: str, ctx: Context) -> None:
        self.names = names
        self.cells = cells
        self.ctx = ctx

    def block(self, stmts: list[gast.stmt]) -> list[gast.stmt]:
        return [self.visit(s) for s in stmts]

    def without(self, bound_names: set[str]) -> _Cells:
        return _Cells(self.names - bound_names, self.cells, self.ctx)

    def visit_Name(self, node: gast.Name) -> gast.AST:
        if node.id not in self.names:
            return node
        attribute = template.expression(f"{self.cells}.{node.id}", at=node)
        attribute.ctx = node.ctx
        return attribute

    def visit_NamedExpr(self, node: gast.NamedExpr) -> gast.AST:
        if node.target.id not in self.names:
            return self.generic_visit(node)
        return template.expression(f"_jst.assign({self.cells}, {node.target.id!r}, VALUE)", at=node, VALUE=self.visit(node.value))

    def visit_AnnAssign(self, node: gast.AnnAssign) -> gast.AST:
        self.generic_visit(node)
        node.simple = int(isinstance(node.target, gast.Name))
        return node

    def visit_For(self, node: gast.For) -> gast.AST:
        node.target = self.boxed_target(node, node.target)
        return self.generic_visit(node)

    def visit_With(self, node: gast.With) -> gast.AST:
        for item in reversed(node.items):
            if item.optional_vars is not None:
                item.optional_vars = self.boxed_target(node, item.optional_vars)
        return self.generic_visit(node)

    def boxed_target(self, node: gast.stmt, target: gast.expr) -> gast.expr:
        """Return a new target for a construct that would bind a shared variable; its body then assigns the variable."""
        if not names_of(target).writes & self.names:
            return target
        item = self.ctx.variable("item")
        node.body.insert(0, template.statement("TARGET = ITEM", at=node, TARGET=target, ITEM=item))
        return template.statement("ITEM = 0", at=node, ITEM=item).targets[0]

    def visit_Nonlocal(self, node: gast.Nonlocal) -> gast.AST:
        unboxed = [n for n in node.names if n not in self.names]
        return template.statement(f"nonlocal {', '.join(unboxed)}" if unboxed else "pass", at=node)

    def visit_FunctionDef(self, node: Any) -> gast.AST:
        for part in (node.args.defaults, node.args.kw_defaults, getattr(node, "decorator_list", [])):
            part[:] = [self.visit(p) if p is not None else None for p in part]
        inner = self.without(local_names(node))
        node.body = inner.block(node.body) if isinstance(node.body, list) else inner.visit(node.body)
        return node

    visit_Lambda = visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ListComp(self, node: Any) -> gast.AST:
        first = self.visit(node.generators[0].iter)
        bound_names = {n.id for g in node.generators for n in visiting.walk(g.target) if isinstance(n, gast.Name)}
        node.generators[0].iter = gast.copy_location(gast.Constant(None, None), first)
        self.without(bound_names).generic_visit(node)
        node.generators[0].iter = first
        return node

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp


# closures that see later assignments ---------------------------------------------------------------------------------


def _changing_captures(function: gast.FunctionDef, ctx: Context) -> dict[str, tuple[gast.AST, gast.stmt]]:
    """Captured names that a branch or loop assigns after the closure is made: name -> the closure, and the construct."""
    captured: dict[str, tuple[gast.AST, gast.stmt]] = {}
    nested = [n for n in walk_scope(function.body) if isinstance(n, (*FUNCTIONS, gast.GeneratorExp))]
    if not nested:
        return captured
    constructs = [n for n in walk_scope(function.body) if isinstance(n, (gast.If, gast.While, gast.For)) and not is_native(n, ctx)]
    called_at_once = _immediate(function, nested)
    for inner in nested:
        free = (names_of(gast.Expr(inner)).captures if isinstance(inner, COMPREHENSIONS) else free_names(inner)) & ctx.locals
        for construct in constructs:
            if (construct.end_lineno or 0) < inner.lineno:
                continue  # over when the closure is made
            body = names_of([*construct.body, *construct.orelse])
            changed_names = (body.writes | (names_of(construct.target).writes if isinstance(construct, gast.For) else set())) & free
            within = any(n is inner for n in walk_scope(construct))
            if isinstance(construct, gast.If) and within:
                changed_names &= _written_outside(function, construct)
            done = within and _done(function, construct, called_at_once.get(id(inner)))
            if within and isinstance(inner, gast.FunctionDef):
                inner.passing = done and not names_of(inner.body).outer  # the innermost construct comes last
            if not done:
                for name in changed_names:
                    captured.setdefault(name, (inner, construct))
    return captured


def _done(function: gast.FunctionDef, construct: gast.stmt, name: str | None) -> bool:
    """Return whether the closure of this name (see `_immediate`) is not called after the construct that defines it."""
    if not name:
        return name is not None
    inside = {id(n) for n in visiting.walk(construct)}
    return all(n.id != name or id(n) in inside for n in visiting.walk(function) if isinstance(n, gast.Name))


def _written_outside(function: gast.FunctionDef, construct: gast.stmt) -> set[str]:
    inside = {id(n) for n in visiting.walk(construct)}
    stores = (n for n in walk_scope(function.body) if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load))
    return {n.id for n in stores if id(n) not in inside}


_KEEPERS = frozenset(["__setitem__", "append", "extend", "insert", "add", "setdefault", "update", "appendleft", "register_hook"])


def _immediate(function: gast.FunctionDef, nested: list[gast.AST]) -> dict[int, str]:
    """Closures that are surely done when the block that they are in is, unless their name (the value) is read outside of it.

    They are handed to a call that keeps nothing (those have no name), or only called, and so are those that capture them.
    """
    immediate: dict[int, str] = {}
    uses: dict[str, int] = {}
    for node in visiting.walk(function):
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
            uses[node.id] = uses.get(node.id, 0) + 1
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name):
            uses[node.func.id] = uses.get(node.func.id, 0) - 1
        if isinstance(node, gast.Call) and not (isinstance(node.func, gast.Attribute) and node.func.attr in _KEEPERS):
            parts = [*node.args, *(k.value for k in node.keywords)]
            immediate.update((id(a), "") for a in parts if isinstance(a, (gast.Lambda, gast.GeneratorExp)))
    for node in walk_scope(function.body):
        if isinstance(node, gast.FunctionDef) and not uses.get(node.name):
            immediate[id(node)] = node.name
        elif isinstance(node, gast.Assign) and isinstance(node.value, gast.Lambda):
            name = getattr(node.targets[0], "id", "")
            if name and not uses.get(name):
                immediate[id(node.value)] = name
    later_functions = [inner for inner in nested if id(inner) not in immediate]
    while later_functions:
        captured = set().union(*(names_of(gast.Expr(inner)).captures for inner in later_functions))
        gone = [key for key, name in immediate.items() if name in captured]
        later_functions = [inner for inner in nested if id(inner) in gone]
        for key in gone:
            del immediate[key]
    return immediate
