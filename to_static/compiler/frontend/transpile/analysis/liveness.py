"""Data flow over a function without jumps: which names are live where, and which may be unbound.

`annotate` leaves on every ``if`` and loop that will become functions:

* ``node.params``: names to hand in (written in a branch or the body, and read before that or passed through),
* ``node.results``: names to hand out (written there and read later).

Both are in the order in which the names first occur.
"""

from __future__ import annotations

import gast

from to_static.compiler.frontend.transpile.analysis.activity import (
    Remembered,
    free_names,
    local_names,
    parameters,
    walk_scope,
)
from to_static.compiler.frontend.transpile.analysis.bindings import fresh_containers
from to_static.compiler.frontend.transpile.analysis.context_managers import suppresses
from to_static.compiler.frontend.transpile.analysis.static_values import is_plain
from to_static.compiler.frontend.transpile.context import Context


def is_native(node: gast.stmt, ctx: Context) -> bool:
    """True for an ``if`` or a loop that stays a Python statement."""
    return getattr(node, "native", False) or (isinstance(node, gast.If) and is_plain(node.test, ctx))


def annotate(function: gast.FunctionDef, ctx: Context) -> None:
    """Compute ``params`` and ``results`` of all constructs in ``function``."""
    ctx.locals |= local_names(function) | ctx.nonlocals  # with the flags that earlier passes added
    _Liveness(function, ctx).block(function.body, set())


def first_occurrence(function: gast.FunctionDef) -> dict[str, int]:
    """Names in the order in which they first occur."""
    order = {name: i for i, name in enumerate(parameters(function))}
    for node in walk_scope(function.body):
        name = node.id if isinstance(node, gast.Name) else getattr(node, "name", None)
        if isinstance(name, str):
            order.setdefault(name, len(order))
    return order


class _Liveness:
    def __init__(self, function: gast.FunctionDef, ctx: Context) -> None:
        self.ctx = ctx
        self.names = Remembered()
        self.locals = ctx.locals
        self.order = first_occurrence(function)
        self.fresh = fresh_containers(function, ctx)
        self.always = self.names(function.body).captures & self.locals | ctx.nonlocals  # may be read at any time
        self.handlers: set[str] = set()  # live where an exception may jump to
        self.passing: dict[str, set[str]] = {}  # closures that are gone where the block ends that makes them: what their calls read
        for node in walk_scope(function.body):
            if getattr(node, "passing", False):
                self.passing.setdefault(node.name, set()).update(free_names(node) & self.locals)  # type: ignore[attr-defined]

    def sorted(self, names: set[str]) -> list[str]:
        return sorted(names, key=lambda n: (self.order.get(n, len(self.order)), n))

    def reads(self, code: gast.AST | list[gast.AST]) -> set[str]:
        live = self.names(code).reads
        calls = self.passing.keys() & live
        while calls:
            live = live.union(*(self.passing[name] for name in calls))
            more = self.passing.keys() & live
            calls = more if more != calls else set()
        return live

    def block(self, stmts: list[gast.stmt], live: set[str]) -> set[str]:
        for s in reversed(stmts):
            live = self.statement(s, live | self.handlers)
        return live

    def statement(self, s: gast.stmt, live: set[str]) -> set[str]:
        if isinstance(s, gast.If):
            return self.branch(s, live)
        if isinstance(s, (gast.While, gast.For)):
            return self.loop(s, live)
        if isinstance(s, gast.With):
            caught = live if suppresses(s) else set()
            saved, self.handlers = self.handlers, self.handlers | caught
            live = self.block(s.body, live) | caught
            self.handlers = saved
            items = self.names(s.items)
            return (live - items.writes) | self.reads(s.items)
        if isinstance(s, gast.Try):
            return self.attempt(s, live)
        names = self.names(s)
        if isinstance(s, (gast.Return, gast.Raise)):
            return self.reads(s) | self.handlers
        return (live - names.writes) | self.reads(s)

    def attempt(self, s: gast.Try, live: set[str]) -> set[str]:
        caught = self.block(s.finalbody, set())  # of an error that nobody here catches, only `finally` sees the variables
        final = self.block(s.finalbody, live)
        for handler in s.handlers:
            inside = self.block(handler.body, final)
            caught |= inside - self.names([handler.name] if handler.name else []).writes
            caught |= self.reads([handler.type] if handler.type else [])
        saved, self.handlers = self.handlers, self.handlers | caught
        live = self.block(s.body, self.block(s.orelse, final))
        self.handlers = saved
        return live | caught

    def keep_if_caught(self, s: gast.stmt) -> None:
        """Leave a construct to Python when an error inside of it would show its variables half-way: functions return none then.

        Most of these variables are attributes by now (see `cells`). A flag is the last that is set before the construct is left,
        unless the end of a `try` or `with` inside of it may raise an error that a tensor decides.
        """
        written = self.names(s).writes & self.locals & self.handlers
        ends = [n for n in walk_scope(s) if isinstance(n, gast.Try)] if written else []
        if written - self.ctx.flags or written & self.names(ends).writes:
            s.native = True

    def written_names(self, *blocks: list[gast.AST]) -> tuple[set[str], set[str]]:
        """Return the names written or mutated in the blocks, and those of them whose object may have another name."""
        written: set[str] = set()
        mutated: set[str] = set()
        for block in blocks:
            names = self.names(block)
            written |= names.writes & self.locals
            mutated |= names.mutates & self.locals
        return written | mutated, mutated - self.fresh

    def branch(self, s: gast.If, live: set[str]) -> set[str]:
        tail = getattr(s, "tail", False)  # its branches return from the function: nothing is live after them
        live = set(self.handlers) if tail else live | self.always
        entry = self.block(s.body, live) | self.block(s.orelse, live)
        changed_names, aliased_names = self.written_names(s.body, s.orelse)
        self.keep_if_caught(s)
        s.results = self.sorted(set() if tail else changed_names & (live | (aliased_names & entry)))
        s.params = self.sorted(changed_names & (entry | {n for n in s.results if n in aliased_names}))
        return entry | self.reads(s.test)

    def loop(self, s: gast.For | gast.While, live: set[str]) -> set[str]:
        test = self.reads(s.test if isinstance(s, gast.While) else s.iter)
        target = [] if isinstance(s, gast.While) else [s.target]
        assigned = self.names(target).writes
        flag = getattr(s, "flag", "")
        head = live | self.always | (test if isinstance(s, gast.While) else set()) | ({flag} if flag else set())
        while True:
            entry = self.block(s.body, head) - assigned
            if entry <= head:
                break
            head = head | entry
        changed_names, aliased_names = self.written_names(s.body, target)
        self.keep_if_caught(s)
        carried = self.sorted(changed_names & (head | (aliased_names & entry)))
        s.params = s.results = [flag] + [n for n in carried if n != flag] if flag in carried else carried
        return head | test
