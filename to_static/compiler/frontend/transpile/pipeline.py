"""The one ordered list of passes, and the function that applies them."""

from __future__ import annotations

import copy
from collections.abc import Callable

import gast

from to_static.compiler.frontend.transpile.analysis import context_managers, liveness
from to_static.compiler.frontend.transpile.analysis.activity import local_names, parameters, walk_scope
from to_static.compiler.frontend.transpile.analysis.bindings import is_generator
from to_static.compiler.frontend.transpile.analysis.static_values import (
    constant_parameters,
    dynamic_names,
    optional_names,
)
from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.passes import (
    asserts,
    calls,
    closure_boxing,
    collections,
    desugar,
    fence,
    generators,
    headers,
    jump_lowering,
    logic,
    outline,
    undefined,
    walrus,
    write_barriers,
)
from to_static.compiler.frontend.transpile.unparse.printing import Printed, render
from to_static.core.errors import TranslationError


def _nested(node: gast.AST, ctx: Context) -> None:
    """Translate the functions inside ``node``, and the methods of classes inside."""
    for part in ("body", "orelse", "finalbody", "handlers"):
        if isinstance(getattr(node, part, None), list):
            setattr(node, part, [new for s in getattr(node, part) for new in _inside(s, node, ctx)])


def _inside(s: gast.AST, around: gast.AST, ctx: Context) -> list[gast.AST]:
    if isinstance(s, gast.FunctionDef):
        if not is_generator(s):
            translate(s, _inner(s, ctx, around))
            return [s]
        duplicate = copy.deepcopy(s)
        try:
            translate(duplicate, _inner(duplicate, ctx, around))
        except TranslationError:  # Python's own, then
            return [s]
        return [duplicate]
    if not isinstance(s, gast.AsyncFunctionDef):
        _nested(s, ctx)
    return [s]


PASSES: list[tuple[Callable[[gast.FunctionDef, Context], None], str]] = [
    (fence.check_supported, "refuse what has no translation while the tree is still the user's"),
    (desugar.desugar, "statements that are short for others"),
    (context_managers.mark_suppressing, "which objects of a `with` errors pass: the passes below ask where control may go on"),
    (walrus.hoist_walrus, "assignment expressions that need statements; it makes functions of lambdas, which come next"),
    (closure_boxing.box_shared_cells, "variables that closures share, before these are translated"),
    (_nested, "functions inside first: the passes below treat them as closed"),
    (headers.note_headers, "first lines for comments, before anything is rewritten"),
    (collections.convert_comprehensions, "comprehensions and f-strings, whose parts are rewritten by the passes below"),
    (jump_lowering.lower_jumps, "one exit per block: the passes below never see break, continue or an early return"),
    (generators.mark_generators, "needs the flags that replaced the jumps"),
    (write_barriers.insert_write_barriers, "needs to know what is inside a branch or loop, so before they become functions"),
    (asserts.convert_asserts, "before calls: the message goes into a lambda, and both parts are rewritten below"),
    (calls.convert_calls, "before logic: `_jst` calls of later passes are not user calls"),
    (logic.convert_logic, "conditions of ifs, loops and guards made above are all expressions now"),
    (liveness.annotate, "parameters and results of branches and loops, from the final reads and writes"),
    (undefined.mark_undefined, "markers for names that may have no value: needs parameters and results"),
    (outline.outline_blocks, "last: branches and loops become functions"),
]


def translate(function: gast.FunctionDef, ctx: Context) -> None:
    """Translate ``function`` in place."""
    ctx.locals = local_names(function)
    if not ctx.may_be_dynamic:  # parameters of a nested function may be anything
        ctx.constant_until = constant_parameters(function)
    ctx.may_be_dynamic |= dynamic_names(function)
    ctx.optional |= optional_names(function)
    ctx.parameters = frozenset(parameters(function))
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
    arguments = parameters(function)
    inner = Context(ctx.file, function.name, ctx.used_names, ctx.library, ctx.builtin)
    inner.lines, inner.outlined_names, inner.assigned = ctx.lines, ctx.outlined_names, ctx.assigned
    inner.optional, inner.properties = ctx.optional, ctx.properties
    declared = {name for n in walk_scope(function.body) if isinstance(n, gast.Nonlocal) for name in n.names}
    inner.nonlocals = declared & (ctx.locals | ctx.nonlocals)
    inner.around = ctx.around | ctx.locals
    inner.may_be_dynamic = ctx.may_be_dynamic | ctx.locals | set(arguments)
    inner.class_name = ctx.class_name
    inner.self_name = ctx.self_name
    if isinstance(method_of, gast.ClassDef):
        inner.class_name = method_of.name
        inner.self_name = arguments[0] if arguments else None
    return inner
