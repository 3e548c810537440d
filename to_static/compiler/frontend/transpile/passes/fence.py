"""The first pass: raises an error for a construct that has no translation, with the line, the reason and a rewrite.

``eval(text)`` becomes ``_jst.evaluated(text, ('a', 'b'), lambda: 0)``: the value of that expression in the module. The names are
those of local variables, which the text may not read: where they are is for the translation to say. Code that tests operators by
their names is written so (`eval(func)(**tensors)` in `framework/e2e/jit` of PaddleTest, which also saves what it traces).
"""

from __future__ import annotations

import gast

from to_static.compiler.frontend.transpile.analysis.activity import COMPREHENSIONS, free_names, local_names, walk_scope
from to_static.compiler.frontend.transpile.analysis.bindings import is_generator
from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.passes.jump_lowering import jumps_in
from to_static.compiler.frontend.transpile.pyct import template

_INSTEAD = {
    "locals": "the variable itself: `x` for `locals()['x']`",
    "vars": "the variable itself: `x` for `vars()['x']`",
    "dir": "the names themselves: `['x', 'y']` for `dir()`",
}
_FRAME_READERS = ("locals", "vars", "dir", "eval", "exec")


def check_supported(function: gast.FunctionDef, ctx: Context) -> None:
    """Raise TranslationError for the first construct of ``function`` that cannot be translated."""
    if isinstance(function, gast.AsyncFunctionDef):
        raise ctx.refuse(function, "an `async def` function", f"a plain function, `def {function.name}(...):`")
    for node in walk_scope(function.body):
        if type(node).__name__ == "TryStar":
            raise ctx.refuse(node, "`except*`", "`except ValueError as error:`, and a clause for each other kind")
        if isinstance(node, gast.Call):
            _frame_reader(node, function, ctx)
        elif type(node).__name__ == "MatchMapping":
            rewrite = "`isinstance(x, dict) and 'key' in x`, and `x['key']` for its value"
            raise ctx.refuse(node, "a mapping pattern, `case {'key': value}`", rewrite)
        elif isinstance(node, gast.Try) and jumps_in(node.finalbody):
            jump = next(s for s in walk_scope(node.finalbody) if isinstance(s, (gast.Return, gast.Break, gast.Continue)))
            word = type(jump).__name__.lower()
            raise ctx.refuse(jump, f"`{word}` in `finally`, which also drops an error", f"move the `{word}` behind the `try`")


def refuse_generator(function: gast.FunctionDef, ctx: Context) -> None:
    """Raise TranslationError for a generator function that is to be a static function."""
    if is_generator(function):
        what = f"the generator function {function.name!r} by itself: a static function computes its result at once"
        raise ctx.refuse(function, what, "collect the values in a list and return it; static functions may loop over generators")


def _frame_reader(node: gast.Call, function: gast.FunctionDef, ctx: Context) -> None:
    name = node.func.id if isinstance(node.func, gast.Name) else ""
    if name in _FRAME_READERS and ctx.builtin(name) and (name in ("eval", "exec", "locals") or not node.args):
        is_own_comprehension = any(
            inner is node for n in walk_scope(function.body) if isinstance(n, COMPREHENSIONS) for inner in walk_scope(n)
        )
        if (
            name == "eval"
            and len(node.args) == 1
            and not (node.keywords or isinstance(node.args[0], gast.Starred) or is_own_comprehension)
        ):
            names = tuple(sorted(local_names(function) | free_names(function) & ctx.around))
            call = template.expression(f"_jst.evaluated(TEXT, {names!r}, lambda: 0)", at=node, TEXT=node.args[0])
            node.func, node.args = call.func, call.args
            return
        rewrite = _INSTEAD.get(name, "the code itself in place of the string")
        raise ctx.refuse(node, f"`{name}()`, which reads local variables by name", rewrite)
