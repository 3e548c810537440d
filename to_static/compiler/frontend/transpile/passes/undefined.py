"""Marks variables that may have no value.

A construct that hands such a name through gets ``name = _jst.unbound('name')`` before it, and a later use on a path where the
name may still hold that marker becomes ``_jst.bound(name)``, which raises Python's error. Other names need nothing.
"""

from __future__ import annotations

import gast

from to_static.compiler.frontend.transpile.analysis.activity import Remembered, local_names, names_of, parameters
from to_static.compiler.frontend.transpile.analysis.context_managers import suppresses
from to_static.compiler.frontend.transpile.analysis.liveness import is_native
from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.pyct import template, visiting


def mark_undefined(function: gast.FunctionDef, ctx: Context) -> None:
    """Insert markers and checks in ``function`` in place; needs the annotations of `flow.annotate`."""
    # names assigned only in code that is never reached: Python still takes them for local variables
    ctx.finishes = ctx.finishes or finishes(function)
    first = (ctx.locals - ctx.nonlocals - local_names(function)) & names_of(function.body).reads
    bound_at_entry = set(parameters(function)) | ctx.nonlocals
    names = Remembered()
    while True:  # a name that may or may not be assigned when its marker is needed gets it at the top: start again
        walker = _Unbound(ctx, first, names)
        state = DefinedState(bound_at_entry | first, bound_at_entry | first, set(first))
        body = walker.block(function.body, state, dry=True)
        if walker.at_top <= first:
            break
        first |= walker.at_top
    state = DefinedState(bound_at_entry | first, bound_at_entry | first, set(first))
    docstring, body = visiting.docstring_and_rest(walker.block(function.body, state))
    function.body = [*docstring, *(_marker(name, body[0], ctx) for name in sorted(first)), *body]
    if walker.ever:
        for s in function.body:
            _Closures(walker.ever).visit(s)


def finishes(function: gast.FunctionDef) -> bool:
    """True if a ``finally`` of the function may change what it returns."""
    return any(isinstance(s, gast.Try) and _changes(s.finalbody) for s in visiting.walk(function))


def _changes(body: list[gast.stmt]) -> bool:
    """True if statements may change the value of a variable."""
    calls = [node for s in body for node in visiting.walk(s) if isinstance(node, gast.Call)]
    calls = [call for call in calls if names_of(call.func).reads != {"print"}]
    reads_arguments = any(names_of(part).reads for call in calls for part in [call.func, *call.args, *call.keywords])
    return reads_arguments or bool(names_of(body).mutates)


def _marker(name: str, at: gast.AST, ctx: Context) -> gast.stmt:
    # our own `result` is read only after it was set, so its marker has no name to complain about; one that a `finally` may change
    # until then is a variable like others
    message_name = name if name not in ctx.generated else "the returned value" if ctx.finishes else ""
    text = f"NAME = _jst.unbound({message_name!r})" if message_name else "NAME = _jst.unbound()"
    return template.statement(text, at=at, NAME=name)


class DefinedState:
    """Names that certainly have a value, may have a value, and may have the marker."""

    def __init__(self, sure: set[str], maybe: set[str], marked: set[str]) -> None:
        self.sure, self.maybe, self.marked = sure, maybe, marked
        self.dead = False

    def copy(self) -> DefinedState:
        return DefinedState(set(self.sure), set(self.maybe), set(self.marked))

    def join(self, *predecessors: DefinedState) -> None:
        """Become the state after one of the ``predecessors`` (those that end here) was reached."""
        alive = [o for o in predecessors if not o.dead]
        self.dead = not alive
        if alive:
            self.sure = set.intersection(*(o.sure for o in alive))
            self.maybe = set.union(*(o.maybe for o in alive))
            self.marked = set.union(*(o.marked for o in alive))

    def forget(self, names: set[str]) -> None:
        """Record that these names were deleted."""
        self.sure -= names
        self.maybe -= names
        self.marked -= names

    def assign(self, names: set[str]) -> None:
        self.sure |= names
        self.maybe |= names
        self.marked -= names


class _Unbound:
    def __init__(self, ctx: Context, first: set[str], names: Remembered) -> None:
        self.ctx = ctx
        self.at_top: set[str] = set()
        self.ever: set[str] = set(first)  # names that hold a marker somewhere
        self.names = names

    def block(self, stmts: list[gast.stmt], state: DefinedState, dry: bool = False) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for s in stmts:
            if isinstance(s, (gast.If, gast.While, gast.For)) and not is_native(s, self.ctx):
                out += self.markers(s, state)
            out += self.statement(s, state, dry)
        return out

    def into(self, node: gast.AST, part: str, state: DefinedState, dry: bool) -> None:
        rewritten = self.block(getattr(node, part), state, dry)
        if not dry:
            setattr(node, part, rewritten)

    def markers(self, s: gast.stmt, state: DefinedState) -> list[gast.stmt]:
        marks = []
        for name in s.params:
            if name in state.sure:
                continue
            self.ever.add(name)
            if name in state.maybe:
                self.at_top.add(name)
            else:
                marks.append(_marker(name, s, self.ctx))
            state.sure.add(name)
            state.maybe.add(name)
            state.marked.add(name)
        return marks

    def statement(self, s: gast.stmt, state: DefinedState, dry: bool) -> list[gast.stmt]:
        if isinstance(s, gast.If):
            s.test = self.use(s.test, state, dry)
            state.assign(self.names(s.test).writes)
            yes, no = state.copy(), state.copy()
            self.into(s, "body", yes, dry)
            self.into(s, "orelse", no, dry)
            state.join(yes, no)
        elif isinstance(s, (gast.While, gast.For)):
            self.loop(s, state, dry)
        elif isinstance(s, gast.With):
            for item in s.items:
                item.context_expr = self.use(item.context_expr, state, dry)
            state.assign(self.names([i.optional_vars for i in s.items if i.optional_vars]).writes)
            state_before = state.copy()
            self.into(s, "body", state, dry)
            if suppresses(s):  # at any point of the body
                state.join(state.copy(), state_before)
        elif isinstance(s, gast.Try):
            self.attempt(s, state, dry)
        elif isinstance(s, (gast.FunctionDef, gast.ClassDef)):
            self.heads(s, state, dry)
            state.assign({s.name})
        elif isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name) and s.target.id in state.marked:
            s.value = self.use(s.value, state, dry)
            check = template.statement("NAME = _jst.bound(NAME)", at=s, NAME=s.target.id)
            state.assign({s.target.id})
            return [check, s]
        elif isinstance(s, gast.Delete):
            gone = [t.id for t in s.targets if isinstance(t, gast.Name)]
            checks = [template.statement("_jst.bound(NAME)", at=s, NAME=name) for name in gone if name in state.marked]
            state.forget(set(gone))
            return [*checks, s]
        else:
            rewritten = self.use(s, state, dry)
            state.assign(self.names(rewritten).writes)
            if hasattr(s, "unbinds"):
                state.marked.add(s.unbinds)
                self.ever.add(s.unbinds)
            state.dead = state.dead or isinstance(s, (gast.Return, gast.Raise))
            return [rewritten]
        return [s]

    def heads(self, s: gast.FunctionDef | gast.ClassDef, state: DefinedState, dry: bool) -> None:
        """Decorators, defaults and bases are computed where the function or class is defined."""
        lists = [getattr(s, field, []) for field in ("decorator_list", "bases", "keywords")]
        if isinstance(s, gast.FunctionDef):
            lists += [s.args.defaults, s.args.kw_defaults]
        for old in lists:
            old[:] = [node if node is None else self.use(node, state, dry) for node in old]
        if isinstance(s, gast.ClassDef) and not dry:
            check = _Check(state.marked - self.names(s.body).writes)
            s.body = [part if isinstance(part, (gast.FunctionDef, gast.ClassDef)) else check.visit(part) for part in s.body]

    def loop(self, s: gast.While | gast.For, state: DefinedState, dry: bool) -> None:
        if isinstance(s, gast.For):
            s.iter = self.use(s.iter, state, dry)
        inside = state.copy()
        inside.maybe |= self.names(s.body).writes
        # markers that one iteration leaves behind are there in the next one
        trial = inside.copy()
        if isinstance(s, gast.For):
            trial.assign(self.names(s.target).writes)
        self.block(s.body, trial, dry=True)
        if not trial.dead:
            inside.marked |= trial.marked & inside.sure
        if isinstance(s, gast.While):
            s.test = self.use(s.test, inside, dry)
        else:
            inside.assign(self.names(s.target).writes)
        self.into(s, "body", inside, dry)
        state.join(state.copy(), inside)

    def attempt(self, s: gast.Try, state: DefinedState, dry: bool) -> None:
        state_before = state.copy()
        self.into(s, "body", state, dry)
        midway = state_before.copy()  # an exception may come at any point of the body
        midway.maybe |= state.maybe
        midway.marked |= state.marked
        ends = []
        for handler in s.handlers:
            caught = midway.copy()
            if handler.name is not None:
                caught.assign({handler.name.id})
            self.into(handler, "body", caught, dry)
            ends.append(caught)
        self.into(s, "orelse", state, dry)
        state.join(state.copy() if not state.dead else state, *ends)
        if s.finalbody:
            for end in (state, *ends):
                midway.maybe |= end.maybe
                midway.marked |= end.marked
            self.block(s.finalbody, state, dry=True)  # what holds afterwards, if no exception goes on
            self.into(s, "finalbody", midway, dry)

    def use(self, node: gast.AST, state: DefinedState, dry: bool) -> gast.AST:
        names = self.names(node)
        self.at_top |= ((names.reads - names.captures) & self.ctx.locals) - state.maybe  # no assignment comes before
        return node if dry or not state.marked else _Check(state.marked).visit(node)


class _Check(visiting.AstTransformer):
    """Wraps loads of names that may have the marker."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Name(self, node: gast.Name) -> gast.AST:
        if isinstance(node.ctx, gast.Load) and node.id in self.names:
            return template.expression("_jst.bound(NAME)", at=node, NAME=node.id)
        return node

    def visit_Lambda(self, node: gast.Lambda) -> gast.AST:
        node.args = self.visit(node.args)  # defaults are computed here, the body is not
        if getattr(node, "thunk", False):
            node.body = self.visit(node.body)
        return node


class _Closures(visiting.AstTransformer):
    """Wraps loads inside nested functions of names that ever have a marker."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def _function(self, node: gast.FunctionDef | gast.Lambda) -> gast.AST:
        if getattr(node, "thunk", False):
            return node
        names = self.names - local_names(node)
        if names:
            check = _Check(names)
            node.body = [check.visit(s) for s in node.body] if isinstance(node.body, list) else check.visit(node.body)
        return node

    visit_FunctionDef = visit_Lambda = _function
