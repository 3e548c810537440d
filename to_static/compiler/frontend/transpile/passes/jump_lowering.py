"""Removes ``return``, ``break`` and ``continue``, so that every block has one exit.

What follows a jump moves into the other branch: ``if c: continue`` + rest becomes ``if not c: rest``, ``if c: return a`` +
rest becomes ``if c: return a`` / ``else: rest``. Only a jump out of a loop, or past code that other paths reach as well, needs a
flag: ``broke``, ``skipped``, or ``returned`` with ``result``.

A `For` with a flag carries it as ``node.flag``; an `If` whose branches return the function's result has ``node.tail``.
"""

from __future__ import annotations

from dataclasses import dataclass

import gast

from to_static.compiler.frontend.transpile.analysis.context_managers import suppresses
from to_static.compiler.frontend.transpile.analysis.static_values import is_plain, is_plain_iterable
from to_static.compiler.frontend.transpile.context import Context
from to_static.compiler.frontend.transpile.pyct import template, visiting

LOOPS = (gast.For, gast.While)


def lower_jumps(function: gast.FunctionDef, ctx: Context) -> None:
    """Lower all jumps of ``function`` in place."""
    function.body = _Jumps(ctx).block(_reachable(function.body), JumpRegion(), tail=True)


def _reachable(block: list[gast.stmt]) -> list[gast.stmt]:
    """Return the block without the statements after a jump, which would need flags for no reason."""
    for index, s in enumerate(block):
        if not isinstance(s, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
            visiting.change_blocks(s, _reachable)
        if _statement_diverts(s):
            return block[: index + 1]
    return block


@dataclass
class JumpRegion:
    """A region that jumps leave: the function, or (``loop``) a loop, with the flags that it needs."""

    loop: bool = False
    flag: str = ""  # set by break (and by return, when both occur)
    skipped: str = ""


def jumps_in(code: gast.AST | list[gast.stmt], inside_loop: bool = False) -> set[str]:
    """The kinds of jumps that leave ``code``: 'return', 'break', 'continue'."""
    jumps: set[str] = set()
    if isinstance(code, list):
        for item in code:
            jumps |= jumps_in(item, inside_loop)
    elif isinstance(code, gast.Return):
        jumps.add("return")
    elif isinstance(code, gast.Break) and not inside_loop:
        jumps.add("break")
    elif isinstance(code, gast.Continue) and not inside_loop:
        jumps.add("continue")
    elif isinstance(code, LOOPS):
        jumps |= jumps_in(code.body, True) | jumps_in(code.orelse, inside_loop)
    elif isinstance(code, (gast.If, gast.With, gast.Try, gast.ExceptHandler)):
        for part in ("body", "handlers", "orelse", "finalbody"):
            jumps |= jumps_in(getattr(code, part, []), inside_loop)
    return jumps


def diverts(block: list[gast.stmt]) -> bool:
    """True when control never reaches the end of ``block``."""
    return any(_statement_diverts(s) for s in block)


def _statement_diverts(s: gast.stmt) -> bool:
    if isinstance(s, (gast.Return, gast.Break, gast.Continue, gast.Raise)):
        return True
    if isinstance(s, gast.If):
        return bool(s.orelse) and diverts(s.body) and diverts(s.orelse)
    if isinstance(s, gast.With):
        return diverts(s.body) and not suppresses(s)
    if isinstance(s, gast.Try):
        return (diverts(s.body) or diverts(s.orelse)) and all(diverts(h.body) for h in s.handlers)
    if isinstance(s, LOOPS) and "break" not in jumps_in(s.body):
        return diverts(s.orelse) or (isinstance(s, gast.While) and _forever(s))
    return False


def _forever(loop: gast.While) -> bool:
    return isinstance(loop.test, gast.Constant) and bool(loop.test.value)


class _Jumps:
    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.result = ""
        self.returned = ""
        self.around = 0  # statements around that may catch errors

    # blocks ----------------------------------------------------------------------------------------------------------

    def block(self, stmts: list[gast.stmt], region: JumpRegion, tail: bool) -> list[gast.stmt]:
        """Return ``stmts`` without jumps; ``tail``: no other statement of the region follows them."""
        out: list[gast.stmt] = []
        for index, s in enumerate(stmts):
            following = stmts[index + 1 :]
            if isinstance(s, (gast.Return, gast.Break, gast.Continue)):
                return out + self.jump(s, region, tail)
            if isinstance(s, gast.Raise):
                return [*out, s]
            if isinstance(s, LOOPS):
                loop_statements, loop_exit = self.loop(s, region, tail)
                out += loop_statements
                if loop_exit:
                    return out + self.block(loop_exit + following, region, tail)
                continue
            if isinstance(s, (gast.If, gast.With, gast.Try)):
                if jumps_in(s):
                    lower = self.branch if isinstance(s, gast.If) else self.native
                    return out + lower(s, following, region, tail)
                self.inside(s, region)
            out.append(s)
        return out

    def inside(self, s: gast.stmt, region: JumpRegion) -> None:
        """Lower the loops inside a statement that no jump leaves."""
        visiting.change_blocks(s, lambda block: self.block(block, region, tail=False))

    # jumps -----------------------------------------------------------------------------------------------------------

    def jump(self, s: gast.stmt, region: JumpRegion, tail: bool) -> list[gast.stmt]:
        if isinstance(s, gast.Continue):
            return [] if tail else [self.set_flag(self.skipped(region), s)]
        if isinstance(s, gast.Break):
            return [self.set_flag(region.flag, s)]
        again = getattr(s, "again", False)  # the loop before has set result and returned already
        if not region.loop and tail:
            return [template.statement("return RESULT", at=s, RESULT=self.result)] if again else [s]
        done: list[gast.stmt] = []
        if not again:
            self.need_result()
            value = s.value or template.expression("None", at=s)
            done = template.statements("RESULT = VALUE", at=s, RESULT=self.result, VALUE=value)
            done[0].returns = True
            done.append(self.set_flag(self.returned, s))
        if region.loop and region.flag != self.returned:
            done.append(self.set_flag(region.flag, s))
        return done

    def need_result(self) -> None:
        if not self.returned:
            self.result = self.ctx.flag("result")
            self.returned = self.ctx.flag("returned")
            self.ctx.generated.add(self.result)

    def skipped(self, region: JumpRegion) -> str:
        region.skipped = region.skipped or self.ctx.flag("skipped")
        return region.skipped

    @staticmethod
    def set_flag(flag: str, at: gast.stmt, value: str = "True") -> gast.stmt:
        return template.statement(f"FLAG = {value}", at=at, FLAG=flag)

    def guarded(self, s: gast.stmt, following: list[gast.stmt], region: JumpRegion, tail: bool) -> list[gast.stmt]:
        """Return ``following`` under a condition: it runs only if ``s`` has set none of its flags."""
        jumps = jumps_in(s) if not hasattr(s, "jumps") else s.jumps
        if not region.loop and tail:
            return self.block([*self.check_return(s), *following], region, tail)
        if not following:
            return []
        flags = [region.flag if region.loop else self.returned] if jumps & {"break", "return"} else []
        if "continue" in jumps:
            flags.append(self.skipped(region))
        test = "not FLAG" if len(flags) == 1 else "not (FLAG or OTHER)"
        guard = template.statement(f"if {test}:\n    BODY", at=following[0], FLAG=flags[0], OTHER=flags[-1], BODY=following)
        if jumps_in(following):
            return self.branch(guard, [], region, tail)
        self.inside(guard, region)
        return [guard]

    def check_return(self, at: gast.stmt) -> list[gast.stmt]:
        """``if returned: return result``."""
        again = template.statement("return", at=at)
        again.again = True
        return template.statements("if FLAG:\n    BODY", at=at, FLAG=self.returned, BODY=[again])

    def start(self, jumps: set[str], region: JumpRegion, tail: bool, at: gast.stmt) -> list[gast.stmt]:
        """``returned = False`` before a statement of the function's own level that will need the flag."""
        if "return" not in jumps:
            return []
        self.need_result()
        return [self.set_flag(self.returned, at, "False")] if tail and not region.loop else []

    # statements with jumps inside --------------------------------------------------------------------------------------

    def branch(self, s: gast.If, following: list[gast.stmt], region: JumpRegion, tail: bool) -> list[gast.stmt]:
        jumps = jumps_in(s)
        native = not region.loop and tail
        if native and diverts(s.body) and is_plain(s.test, self.ctx):  # a guard clause on a Python value stays
            body = self.block(s.body, region, tail)
            guard = template.statement("if TEST:\n    BODY", at=s, TEST=s.test, BODY=body)
            guard.native = True  # whatever the passes below make of the test: a branch that became a function could not return
            return [guard, *self.block(s.orelse + following, region, tail)]
        if following and diverts(s.body):
            s.orelse, following = s.orelse + following, []
        elif following and s.orelse and diverts(s.orelse):
            s.body, following = s.body + following, []
        ends = tail and not following
        out = [] if ends and native else self.start(jumps, region, tail, s)
        s.body = self.block(s.body, region, ends)
        s.orelse = self.block(s.orelse, region, ends)
        if ends and native:
            s.tail = True
        if not s.body:
            if not s.orelse and isinstance(s.test, gast.Name) and s.test.id == self.returned:
                return out
            s.body = template.statements("pass", at=s)
        s.jumps = jumps
        return [*out, s] if ends else [*out, s, *self.guarded(s, following, region, tail)]

    def native(self, s: gast.With | gast.Try, following: list[gast.stmt], region: JumpRegion, tail: bool) -> list[gast.stmt]:
        """``with`` and ``try`` stay statements; jumps inside them become flags unless nothing follows."""
        jumps = s.jumps = jumps_in(s)
        following = [] if diverts([s]) else following
        follow = s.orelse if isinstance(s, gast.Try) and jumps_in(s.body) else []
        ends = tail and not following and not follow
        out = [] if ends and not region.loop else self.start(jumps, region, tail, s)
        if follow:  # the else of a try runs only when its body did not jump
            first = template.statement("pass", at=s)
            first.jumps = jumps_in(s.body)
            s.orelse = self.guarded(first, follow, region, tail=False)
        elif isinstance(s, gast.Try):
            s.orelse = self.block(s.orelse, region, ends)
        for handler in getattr(s, "handlers", []):
            handler.body = self.block(handler.body, region, ends) or template.statements("pass", at=handler)
        catches = isinstance(s, gast.With) or bool(s.handlers)
        self.around += catches
        s.body = self.block(s.body, region, ends) or template.statements("pass", at=s)
        self.around -= catches
        if self.around and getattr(s, "finalbody", []) and (region.loop or not ends):
            what = "a jump out of a `try` whose `finally` may raise an error that is caught"
            raise self.ctx.refuse(s, what, "an `if` behind the `try`")
        return [*out, s] if ends else [*out, s, *self.guarded(s, following, region, tail)]

    # loops -----------------------------------------------------------------------------------------------------------

    def loop(self, s: gast.For | gast.While, region: JumpRegion, tail: bool) -> tuple[list[gast.stmt], list[gast.stmt]]:
        """The lowered loop with its flags, and what has to follow it (``else``, the check for a return)."""
        jumps = jumps_in(s.body)
        leaves = jumps & {"break", "return"}
        if isinstance(s, gast.For) and not jumps and is_plain_iterable(s.iter, self.ctx) and not s.orelse:
            s.body = self.block(s.body, JumpRegion(loop=True), tail=True)
            s.native = True
            return [s], []
        forever = isinstance(s, gast.While) and _forever(s)
        setup = self.start(leaves, region, tail, s)
        exit_statements: list[gast.stmt] = []
        inner = JumpRegion(loop=True, flag=self.returned)
        if "break" in leaves:
            inner.flag = self.ctx.flag("broke")
            setup.append(self.set_flag(inner.flag, s, "False"))
        if "return" in leaves:
            check = self.check_return(s)
            exit_statements += check[0].body if forever and "break" not in leaves else check
        if s.orelse:
            orelse, s.orelse = s.orelse, []
            if "break" in leaves:
                orelse = template.statements("if not FLAG:\n    BODY", at=orelse[0], FLAG=inner.flag, BODY=orelse)
            exit_statements += orelse
        s.body = self.block(s.body, inner, tail=True) or template.statements("pass", at=s)
        if inner.skipped:
            s.body.insert(0, self.set_flag(inner.skipped, s.body[0], "False"))
        if leaves:
            s.flag = inner.flag
            if isinstance(s, gast.While):
                s.header = getattr(s, "header", "while " + template.text_of(s.test))
                text = "not FLAG" if forever else "not FLAG and TEST"
                s.test = template.expression(text, at=s.test, FLAG=inner.flag, TEST=s.test)
        return [*setup, s], exit_statements
