"""``try`` around a ``raise`` or ``assert`` that a tensor may decide: the error becomes a value, and the clauses conditions on it.

``raise e`` becomes ``error = _jst.failing(e)`` and ``raised = True``, and what would not run after it moves behind
``if not raised``. Behind the ``try`` follows ``if raised:`` with ``if _jst.catches(error, Kind):`` for each ``except``. Errors that
Python itself raises while tracing come the same way. Where nothing raises under a condition, ``try`` stays Python's.
"""

from __future__ import annotations

import copy

import gast

from to_static.transpile import template, visiting
from to_static.transpile.context import Context
from to_static.transpile.flow import is_native
from to_static.transpile.passes.effects import may_be_several
from to_static.transpile.passes.jumps import LOOPS, diverts
from to_static.transpile.passes.spill import YIELDS
from to_static.transpile.passes.telling import as_value, asked
from to_static.transpile.plain import is_plain
from to_static.transpile.scopes import walk_scope
from to_static.transpile.suppressing import called, of_library

_READERS = frozenset(  # what a clause may ask of an error that only one which Python is handling has
    ["exc_info", "format_exc", "print_exc", "exception", "__traceback__", "__context__", "__cause__", "with_traceback"]
)


def run(function: gast.FunctionDef, ctx: Context) -> None:
    """Rewrite the ``try`` statements of ``function`` in place."""
    if any(isinstance(n, (gast.Raise, gast.Assert)) or getattr(n, "tells", False) for n in walk_scope(function.body)):
        function.body = _Tries(ctx).block(function.body, ctx.inside)


class _Tries:
    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.failed = ""  # the names for the statement at hand
        self.failure = ""

    def block(self, stmts: list[gast.stmt], inside: bool) -> list[gast.stmt]:
        """The innermost first: what they do not catch is raised in those around them. ``inside``: under a condition, perhaps."""
        return [made for s in stmts for made in self.statement(s, inside)]

    def statement(self, s: gast.stmt, inside: bool) -> list[gast.stmt]:
        if isinstance(s, gast.With) and len(s.items) > 1 and self.raises(s.body, inside):  # each is told by itself
            inner = gast.copy_location(gast.With(s.items[1:], s.body, None), s)
            inner.end_lineno = s.end_lineno
            s.items, s.body = s.items[:1], [inner]
        if isinstance(s, (*LOOPS, gast.If, gast.With, gast.Try)):
            below = inside or (isinstance(s, (*LOOPS, gast.If)) and not is_native(s, self.ctx))
            for part in ("body", "orelse", "finalbody"):
                setattr(s, part, self.block(getattr(s, part, []), below))
            for handler in getattr(s, "handlers", []):
                handler.body = self.block(handler.body, below)
        if isinstance(s, gast.With):
            s = self.suppressing(s)
        if isinstance(s, gast.With) and not self.is_library(s) and self.raises(s.body, inside) and not _yields(s):
            return self.left(s)
        if not isinstance(s, gast.Try) or _yields(s):
            return [s]
        if not s.handlers:
            return self.cleaned(s.body, s, inside)
        if not self.raises(s.body, False) or any(map(_reads_traceback, s.handlers)):
            return [s]
        made = self.caught(s)
        return self.cleaned(made, s, inside) if s.finalbody else made

    # which statements ------------------------------------------------------------------------------------------------

    def raises(self, stmts: list[gast.stmt], inside: bool) -> bool:
        """Whether a tensor may decide that one of these statements raises an error."""
        return any(self.may_raise(s, inside) for s in stmts)

    def may_raise(self, s: gast.stmt, inside: bool) -> bool:
        if isinstance(s, gast.Raise):
            return inside or (isinstance(s.exc, gast.AST) and may_be_several(s.exc, self.ctx))
        if getattr(s, "tells", False):
            return True
        if isinstance(s, gast.Assert):
            return not is_plain(s.test, self.ctx)
        if isinstance(s, (*LOOPS, gast.If)):
            return self.raises([*s.body, *s.orelse], inside or not is_native(s, self.ctx))
        passes = isinstance(s, gast.With) or (isinstance(s, gast.Try) and not s.handlers)
        return passes and self.raises([*s.body, *getattr(s, "finalbody", [])], inside)

    def is_library(self, s: gast.With) -> bool:
        """Whether no object of the user's has a say in this ``with``."""
        return all(of_library(item.context_expr, self.ctx) for item in s.items)

    def suppressing(self, s: gast.With) -> gast.stmt:
        """``with contextlib.suppress(Kind):`` around such an error, as a ``try``."""
        manager = s.items[0].context_expr
        alone = len(s.items) == 1 and s.items[0].optional_vars is None and isinstance(manager, gast.Call)
        if not alone or manager.keywords or any(isinstance(a, gast.Starred) for a in manager.args) or not manager.args:
            return s
        if called(manager) != "suppress" or not self.ctx.library(manager.func) or not self.raises(s.body, False):
            return s
        kinds = gast.copy_location(gast.Tuple(manager.args, gast.Load()), manager)
        return template.statement("try:\n    BODY\nexcept KINDS:\n    pass", at=s, BODY=s.body, KINDS=kinds)

    # what they become ------------------------------------------------------------------------------------------------

    def begin(self, at: gast.AST) -> list[gast.stmt]:
        self.failed, self.failure = self.ctx.flag("raised"), self.ctx.flag("error")
        none = template.statement("FAILURE = _jst.unbound()", at=at, FAILURE=self.failure)
        none.unbinds = self.failure
        return [none, template.statement("FAILED = False", at=at, FAILED=self.failed)]

    def caught(self, s: gast.Try) -> list[gast.stmt]:
        """A ``try`` with clauses, without its ``finally``."""
        start = self.begin(s)
        names = {"FAILED": self.failed, "FAILURE": self.failure}
        last = s.body[-1].end_lineno
        kinds = [copy.deepcopy(h.type) for h in s.handlers if h.type is not None]
        given = self.ctx.variable("caught")
        body = self.escaping(s.body, False)
        attempt = template.statement(
            "try:\n    BODY\nexcept _jst.kinds(KINDS) as GIVEN:\n    FAILURE = GIVEN\n    FAILED = True",
            at=s, BODY=body, KINDS=kinds if len(kinds) == len(s.handlers) else [], GIVEN=given, **names,
        )  # fmt: skip
        attempt.end_lineno = last
        clauses: list[gast.stmt] = [template.statement("raise _jst.again(FAILURE)", at=s.handlers[-1], **names)]
        for handler in reversed(s.handlers):
            own = self.clause(handler)
            if handler.type is None:
                clauses = own
                continue
            test = template.expression("_jst.catches(FAILURE, KIND)", at=handler, KIND=handler.type, **names)
            clauses = template.statements("if TEST:\n    OWN\nelse:\n    REST", at=handler, TEST=test, OWN=own, REST=clauses)
        text = "if FAILED:\n    CLAUSES" + ("\nelse:\n    REST" if s.orelse else "")
        return [*start, attempt, template.statement(text, at=s.handlers[0], CLAUSES=clauses, REST=s.orelse, **names)]

    def clause(self, handler: gast.ExceptHandler) -> list[gast.stmt]:
        """The body of an ``except``."""
        again = _Again(self.failure)
        body = [again.visit(part) for part in handler.body]
        if handler.name is None:
            return body
        name = handler.name.id
        kind = [copy.deepcopy(handler.type)]
        start = template.statement("NAME = _jst.error(FAILURE, KIND)", at=handler, NAME=name, FAILURE=self.failure, KIND=kind)
        if diverts(body):
            return [start, *body]
        gone = template.statement(f"NAME = _jst.unbound({name!r})", at=handler.body[-1], NAME=name)
        gone.unbinds = name
        return [start, *body, gone]

    def cleaned(self, body: list[gast.stmt], s: gast.Try, inside: bool) -> list[gast.stmt]:
        """``try`` with ``finally`` only: an error of the Program leaves after it."""
        if not self.raises(body, inside and any(isinstance(n, gast.Call) for n in walk_scope(s.finalbody))):
            return [template.statement("try:\n    BODY\nfinally:\n    LAST", at=s, BODY=body, LAST=s.finalbody)]
        start = self.begin(s)
        names = {"FAILED": self.failed, "FAILURE": self.failure}
        text = "try:\n    BODY\nfinally:\n    LAST\nif FAILED:\n    raise _jst.again(FAILURE)"
        made = template.statements(text, at=s, BODY=self.escaping(body, False), LAST=s.finalbody, **names)
        made[0].end_lineno = s.end_lineno
        return [*start, *made]

    def left(self, s: gast.With) -> list[gast.stmt]:
        """``with`` of an object of the user's: an error of the Program leaves after its end."""
        start, manager = self.begin(s), self.ctx.variable("manager")
        names = {"FAILED": self.failed, "FAILURE": self.failure, "MANAGER": manager}
        text = f"MANAGER = _jst.entering(VALUE, {self.failed!r}, {self.failure!r})"
        start += template.statements(text, at=s, VALUE=s.items[0].context_expr, **names)
        s.items[0].context_expr = template.expression("MANAGER", at=s, **names)
        s.entered = True
        s.body = self.escaping(s.body, False)
        last = "FAILED = _jst.passed(MANAGER, FAILED)\nif FAILED:\n    raise _jst.again(_jst.leaving(MANAGER, FAILURE))"
        return [*start, s, *template.statements(last, at=s, **names)]

    # errors as values ------------------------------------------------------------------------------------------------

    def escaping(self, stmts: list[gast.stmt], loop: bool) -> list[gast.stmt]:
        """The statements with errors as values; in a ``loop`` a ``break`` leaves it with them."""
        out: list[gast.stmt] = []
        for index, s in enumerate(stmts):
            if isinstance(s, gast.Raise):
                return [*out, *self.leave(s, s.exc, loop)]
            if getattr(s, "tells", False):
                s = asked(s, self.failed, self.failure)
                s.escapes, s.unbinds = True, self.failure
            elif isinstance(s, gast.Assert) and not is_plain(s.test, self.ctx):
                error = template.expression("AssertionError(MESSAGE)", at=s, MESSAGE=[] if s.msg is None else [s.msg])
                s = template.statement("if not TEST:\n    BODY", at=s, TEST=s.test, BODY=self.leave(s, error, loop))
                s.escapes = True
            elif self.raises([s], True):
                if isinstance(s, gast.If) and diverts(s.body):
                    # what follows belongs to the other way: where Python decides which is taken, only that one is traced
                    s.orelse += stmts[index + 1 :]
                    return [*out, self.inside(s, loop)]
                s = self.inside(s, loop)
            out.append(s)
            rest = stmts[index + 1 :]
            if not getattr(s, "escapes", False):
                continue
            if loop:
                if isinstance(s, (*LOOPS, gast.Assign)):
                    out += template.statements("if FAILED:\n    break", at=s, FAILED=self.failed)
                continue
            if rest:
                rest = self.escaping(rest, loop)
                out.append(template.statement("if not FAILED:\n    REST", at=rest[0], FAILED=self.failed, REST=rest))
            return out
        return out

    def inside(self, s: gast.stmt, loop: bool) -> gast.stmt:
        s.escapes = True
        s.body = self.escaping(s.body, loop or isinstance(s, LOOPS))
        for part in ("orelse", "finalbody"):
            if getattr(s, part, None):
                setattr(s, part, self.escaping(getattr(s, part), loop))
        return s

    def leave(self, s: gast.stmt, error: gast.expr | None, loop: bool) -> list[gast.stmt]:
        if error is None:
            return [s]
        text = "FAILURE = _jst.failing(ERROR)\nFAILED = True" + ("\nbreak" if loop else "")
        return template.statements(text, at=s, FAILURE=self.failure, FAILED=self.failed, ERROR=as_value(error))


def _yields(s: gast.stmt) -> bool:
    return any(isinstance(n, YIELDS) for n in walk_scope(s))


def _reads_traceback(handler: gast.ExceptHandler) -> bool:
    """Whether a clause asks for what only an error has that Python is handling."""
    nodes = [n for part in handler.body for n in visiting.walk(part)]
    if any(isinstance(n, gast.Compare) and any(isinstance(op, (gast.Is, gast.IsNot)) for op in n.ops) for n in nodes):
        name = handler.name.id if handler.name is not None else ""
        if any(isinstance(n, gast.Name) and n.id == name for c in nodes if isinstance(c, gast.Compare) for n in visiting.walk(c)):
            return True  # which object it is
    return any(getattr(n, "attr", getattr(n, "id", "")) in _READERS for n in nodes)


class _Again(visiting.Transformer):
    """``raise`` alone in a clause: the error that it caught."""

    def __init__(self, failure: str) -> None:
        self.failure = failure

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.AST:
        return node

    visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = visit_ExceptHandler = visit_FunctionDef  # of others

    def visit_Raise(self, node: gast.Raise) -> gast.AST:
        if node.exc is not None:
            return node
        return template.statement("raise _jst.again(FAILURE)", at=node, FAILURE=self.failure)
