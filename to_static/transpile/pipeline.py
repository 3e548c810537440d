"""The one ordered list of passes, and the function that applies them."""

from __future__ import annotations

import copy
from collections.abc import Callable

import gast

from to_static.core.errors import TranslationError
from to_static.transpile import fence, flow, suppressing, template
from to_static.transpile.context import Context
from to_static.transpile.passes import (
    apart,
    asserts,
    assignments,
    calls,
    cells,
    collections,
    effects,
    expressions,
    generators,
    jumps,
    logic,
    names,
    outline,
    statements,
    telling,
    tries,
    unbound,
)
from to_static.transpile.plain import settled_parameters, unsettled_names
from to_static.transpile.printing import Printed, render
from to_static.transpile.scopes import local_names, parameters, walk_scope


def _nested(node: gast.AST, ctx: Context) -> None:
    """Translate the functions inside ``node``, and the methods of classes inside."""
    for part in ("body", "orelse", "finalbody", "handlers"):
        if isinstance(getattr(node, part, None), list):
            setattr(node, part, [made for s in getattr(node, part) for made in _inside(s, node, ctx)])


def _inside(s: gast.AST, around: gast.AST, ctx: Context) -> list[gast.AST]:
    if isinstance(s, gast.FunctionDef):
        if calls.is_generator(s):
            return _generator(s, around, ctx)
        plain = not isinstance(around, gast.ClassDef) and not s.decorator_list
        named = ctx.caught is None or s.name in ctx.caught or getattr(s, "written", "") == "<lambda>"
        if ctx.asks and plain and named and telling.may_tell(s):
            return _telling(s, around, ctx)
        translate(s, _inner(s, ctx, around))
    elif not isinstance(s, gast.AsyncFunctionDef):
        _nested(s, ctx)
    return [s]


def _telling(s: gast.FunctionDef, around: gast.AST, ctx: Context) -> list[gast.AST]:
    """A function and, where there is one, its form that tells of its errors (see `telling`)."""
    form = copy.deepcopy(s)
    translate(s, _inner(s, ctx, around))
    inner = _inner(form, ctx, around)
    inner.telling, form.name, form.written = True, ctx.fresh(f"{s.name}_telling"), s.name
    form.comment = f"{s.name} once more, telling of its errors: tensors may decide whether it raises one"
    try:
        translate(form, inner)
    except TranslationError:
        return [s]
    return [s, form, template.statement(f"_jst.telling({s.name}, {form.name})", at=s)]


def _generator(s: gast.FunctionDef, around: gast.AST, ctx: Context) -> list[gast.AST]:
    """A generator function in both of its forms (see `generators`), or as it is where it has none."""
    pulled, pushed = copy.deepcopy(s), copy.deepcopy(s)
    try:
        translate(pulled, _inner(pulled, ctx, around))
    except TranslationError:
        return [s]
    if isinstance(around, gast.ClassDef) or s.decorator_list:
        return [pulled]
    try:
        inner = _inner(pushed, ctx, around)
        inner.pushed, pushed.name, pushed.written = True, ctx.fresh(f"{s.name}_each"), s.name
        pushed.comment = f"{s.name} once more, handed the loop over it: tensors may decide what it yields"
        translate(pushed, inner)
    except TranslationError:
        return [pulled]
    return [pulled, pushed, template.statement(f"_jst.pushed({s.name}, {pushed.name})", at=s)]


PASSES: list[tuple[Callable[[gast.FunctionDef, Context], None], str]] = [
    (fence.run, "refuse what has no translation while the tree is still the user's"),
    (statements.run, "statements that are short for others"),
    (suppressing.run, "which objects of a `with` errors pass: the passes below ask where control may go on"),
    (apart.run, "what is held while something else is computed gets a variable: the next passes take expressions apart"),
    (telling.ask, "what is asked to tell of its errors comes out of expressions, where the next pass looks for it"),
    (tries.run, "errors that tensors decide become values: jumps like any other, for the passes below"),
    (telling.tell, "what is still raised leaves a function that tells of its errors: by `return`, like others below"),
    (assignments.run, "assignment expressions that need statements; it makes functions of lambdas, which come next"),
    (cells.run, "variables that closures share, before these are translated"),
    (expressions.run, "generator expressions as the generator functions that they stand for"),
    (generators.run, "`yield` becomes a call before anything is made of the loops around it"),
    (_nested, "functions inside first: the passes below treat them as closed"),
    (names.run, "private names, and headers for comments, before anything is rewritten"),
    (collections.run, "comprehensions and f-strings, whose parts are rewritten by the passes below"),
    (jumps.run, "one exit per block: the passes below never see break, continue or an early return"),
    (generators.keep, "needs the flags that replaced the jumps"),
    (effects.run, "needs to know what is inside a branch or loop, so before they become functions"),
    (asserts.run, "before calls: the message goes into a lambda, and both parts are rewritten below"),
    (calls.run, "before logic: `_jst` calls of later passes are not user calls"),
    (logic.run, "conditions of ifs, loops and guards made above are all expressions now"),
    (flow.annotate, "parameters and results of branches and loops, from the final reads and writes"),
    (unbound.run, "markers for names that may have no value: needs parameters and results"),
    (outline.run, "last: branches and loops become functions"),
]


def translate(function: gast.FunctionDef, ctx: Context) -> None:
    """Translate ``function`` in place."""
    ctx.locals = local_names(function)
    if not ctx.unsettled:  # parameters of a nested function may be anything
        ctx.settled_until = settled_parameters(function)
    ctx.unsettled |= unsettled_names(function)
    for run, _ in PASSES:
        run(function, ctx)


def translated_text(function: gast.FunctionDef, ctx: Context, first: int, last: int) -> Printed:
    """Translate ``function``, whose text is lines ``first`` to ``last`` of the file, and print it with the user's comments."""
    try:
        translate(function, ctx)
        return render(function, ctx.lines, first, last)
    except (RecursionError, IndentationError):  # Python reads no more than 99 levels of indentation
        raise ctx.refuse(
            function,
            f"{function.name!r}: its conditions, loops and early returns nest too deeply (every early return adds a level)",
            "split the function, or look the value up in a dict or list",
        ) from None


def _inner(function: gast.FunctionDef, ctx: Context, method_of: gast.AST) -> Context:
    """The context of a nested function: it shares the taken names, and is called from wherever."""
    names = parameters(function)
    inner = Context(ctx.file, function.name, ctx.taken, ctx.library, ctx.builtin, entry=False, wide=ctx.wide, apart=ctx.apart)
    inner.asks, inner.caught = ctx.asks, ctx.caught
    inner.lines, inner.shared, inner.assigned = ctx.lines, ctx.shared, ctx.assigned
    declared = {name for n in walk_scope(function.body) if isinstance(n, gast.Nonlocal) for name in n.names}
    inner.nonlocals = declared & (ctx.locals | ctx.nonlocals)
    inner.unsettled = ctx.unsettled | ctx.locals | set(names)
    inner.class_name, inner.in_class = ctx.class_name, ctx.in_class
    inner.self_name = ctx.self_name
    if isinstance(method_of, gast.ClassDef):
        inner.class_name, inner.in_class = method_of.name, True
        inner.self_name = names[0] if names else None
    return inner
