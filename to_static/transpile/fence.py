"""The first pass: what has no translation is refused with the source frame, the reason and a rewrite."""

from __future__ import annotations

import gast

from to_static.transpile.context import Context
from to_static.transpile.flow import is_native
from to_static.transpile.passes.calls import is_generator
from to_static.transpile.passes.jumps import kinds
from to_static.transpile.scopes import FUNCTIONS, free_names, names_of, walk_scope

# node class name -> what it is, what to write instead
_REFUSED = {
    "AsyncFor": ("`async for`", "use a plain `for` loop"),
    "AsyncWith": ("`async with`", "use a plain `with` statement"),
    "Await": ("`await`", "make the function synchronous"),
    "TryStar": ("`except*`", "use `except`"),
}
_FRAME_READERS = ("locals", "vars", "dir", "eval", "exec")


def run(function: gast.FunctionDef, ctx: Context) -> None:
    """Raise TranslationError for the first construct of ``function`` that cannot be translated."""
    if isinstance(function, gast.AsyncFunctionDef):
        raise ctx.refuse(function, "an `async def` function", "make the function synchronous")
    if is_generator(function) and ctx.entry:
        raise ctx.refuse(function, f"the generator function {function.name!r}", "collect the values in a list and return it")
    for node in walk_scope(function.body):
        refused = _REFUSED.get(type(node).__name__)
        if refused:
            raise ctx.refuse(node, *refused)
        if isinstance(node, gast.Call):
            _frame_reader(node, ctx)
        elif isinstance(node, gast.Try) and kinds(node.finalbody):
            raise ctx.refuse(node, "a jump out of `finally`", "move the return, break or continue behind the try statement")
    _captures(function, ctx)


def _frame_reader(node: gast.Call, ctx: Context) -> None:
    name = node.func.id if isinstance(node.func, gast.Name) else ""
    if name in _FRAME_READERS and ctx.builtin(name) and (name in ("eval", "exec", "locals") or not node.args):
        raise ctx.refuse(node, f"`{name}()`, which reads local variables by name", "name the variables explicitly")


def _captures(function: gast.FunctionDef, ctx: Context) -> None:
    """A closure sees later assignments of what it captured; in a branch that became a function it would not."""
    nested = [n for n in walk_scope(function.body) if isinstance(n, (*FUNCTIONS, gast.GeneratorExp))]
    if not nested:
        return
    constructs = [n for n in walk_scope(function.body) if isinstance(n, (gast.If, gast.While, gast.For)) and not is_native(n, ctx)]
    called_at_once = _immediate(function)
    for inner in nested:
        if isinstance(inner, gast.GeneratorExp):
            free = names_of(gast.Expr(inner)).captures
        else:
            free = free_names(inner)
        free &= ctx.locals
        for construct in constructs:
            if (construct.end_lineno or 0) < inner.lineno:
                continue  # over when the closure is made
            body = names_of([*construct.body, *construct.orelse])
            changed = (body.writes | (names_of(construct.target).writes if isinstance(construct, gast.For) else set())) & free
            within = any(n is inner for n in walk_scope(construct))
            if isinstance(construct, gast.If) and within:
                changed &= _written_outside(function, construct)
            if not changed or (within and id(inner) in called_at_once):
                continue
            name = sorted(changed)[0]
            raise ctx.refuse(
                inner, f"a function that captures {name!r} while line {construct.lineno} assigns {name!r} under a condition "
                "or in a loop", f"pass {name!r} to the function as an argument",
            )  # fmt: skip


def _written_outside(function: gast.FunctionDef, construct: gast.stmt) -> set[str]:
    inside = {id(n) for n in gast.walk(construct)}
    stores = (n for n in walk_scope(function) if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load))
    return {n.id for n in stores if id(n) not in inside}


_KEEPERS = frozenset(["append", "extend", "insert", "add", "setdefault", "update", "appendleft", "register_hook"])


def _immediate(function: gast.FunctionDef) -> set[int]:
    """Closures that are surely done when the statement they are in is: handed to a call that keeps nothing, or only called."""
    found: set[int] = set()
    for node in walk_scope(function.body):
        if isinstance(node, gast.Call) and not (isinstance(node.func, gast.Attribute) and node.func.attr in _KEEPERS):
            parts = [*node.args, *(k.value for k in node.keywords)]
            found.update(id(a) for a in parts if isinstance(a, (gast.Lambda, gast.GeneratorExp)))
    uses: dict[str, int] = {}
    calls: dict[str, int] = {}
    for node in walk_scope(function.body):
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
            uses[node.id] = uses.get(node.id, 0) + 1
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name):
            calls[node.func.id] = calls.get(node.func.id, 0) + 1
    for node in walk_scope(function.body):
        if isinstance(node, gast.FunctionDef) and uses.get(node.name, 0) == calls.get(node.name, 0):
            found.add(id(node))
        elif isinstance(node, gast.Assign) and isinstance(node.value, gast.Lambda) and isinstance(node.targets[0], gast.Name):
            name = node.targets[0].id
            if uses.get(name, 0) == calls.get(name, 0):
                found.add(id(node.value))
    return found
