"""Random small Python functions as source text: nested branches, loops, jumps, assignments, lists and calls."""

from __future__ import annotations

import linecache
from itertools import count

from hypothesis import strategies as st

NAMES = ["a", "b", "c", "d"]
_number = count()


def expressions(draw, depth=0):
    kind = draw(st.integers(0, 9 if depth < 2 else 3))
    if kind <= 1:
        return draw(st.sampled_from(NAMES))
    if kind == 2:
        return str(draw(st.integers(-3, 3)))
    if kind == 3:
        return draw(st.sampled_from(["len(xs)", "k", "xs[-1]", "int(a)"]))
    left, right = expressions(draw, depth + 1), expressions(draw, depth + 1)
    if kind == 4:
        return f"({left} if {conditions(draw, depth + 1)} else {right})"
    if kind == 5:
        return f"helper({left}, y={right})"
    if kind == 6:
        return f"({left} {draw(st.sampled_from(['and', 'or']))} {right})"
    return f"({left} {draw(st.sampled_from(['+', '-', '*', '%']))} {right})"


def conditions(draw, depth=0):
    left, right = expressions(draw, depth + 1), expressions(draw, depth + 1)
    kind = draw(st.integers(0, 7))
    if kind == 0:
        return f"not {left} > {right}"
    if kind == 1:
        return f"{left} < {right} <= {expressions(draw, depth + 1)}"
    if kind == 2:
        return left
    if kind == 3:
        return f"{left} is None or {right} > 0"
    if kind == 4:
        return f"{left} is not {right}"
    return f"{left} {draw(st.sampled_from(['<', '>', '==', '!=']))} {right}"


def block(draw, depth, loop, indent):
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        lines += statement(draw, depth, loop, indent)
    return lines


def statement(draw, depth, loop, indent):
    pad = "    " * indent
    kind = draw(st.integers(0, 15 if depth < 3 else 6))
    name = draw(st.sampled_from(NAMES))
    if kind <= 2:
        return [f"{pad}{name} = {expressions(draw)}"]
    if kind == 3:
        return [f"{pad}{name} {draw(st.sampled_from(['+=', '-=', '*=']))} {expressions(draw)}"]
    if kind == 4:
        return [f"{pad}xs.append({expressions(draw)})"]
    if kind == 5:
        jumps = ["return {}", "return {}, {}"] + (["break", "continue"] * 2 if loop else [])
        jump = draw(st.sampled_from(jumps))
        return [pad + jump.format(expressions(draw), expressions(draw))]
    if kind == 6:
        return [pad + draw(st.sampled_from(["a, b = b, a", f"xs[0] = {name}", "pass", f"assert {name} != 7, 'seven'"]))]
    if kind <= 10:
        lines = [f"{pad}if {conditions(draw)}:", *block(draw, depth + 1, loop, indent + 1)]
        if draw(st.booleans()):
            lines += [f"{pad}elif {conditions(draw)}:", *block(draw, depth + 1, loop, indent + 1)]
        if draw(st.booleans()):
            lines += [f"{pad}else:", *block(draw, depth + 1, loop, indent + 1)]
        return lines
    if kind <= 12:
        lines = [f"{pad}while {draw(st.sampled_from(['True', conditions(draw)]))}:", f"{pad}    tick()"]
        lines += block(draw, depth + 1, True, indent + 1)
    elif kind <= 14:
        target = draw(st.sampled_from([*NAMES, "k", "(a, k)"]))
        items = ["range(3)", f"range({name})", "xs", "list(xs)", "enumerate(xs)", "zip(xs, [1, 2])"]
        items = draw(st.sampled_from(items[4:] if target == "(a, k)" else items))
        lines = [f"{pad}for {target} in {items}:", f"{pad}    tick()", *block(draw, depth + 1, True, indent + 1)]
    else:
        lines = [f"{pad}try:", *block(draw, depth + 1, loop, indent + 1)]
        lines += [f"{pad}except (TypeError, AssertionError):", *block(draw, depth + 1, loop, indent + 1)]
    if draw(st.integers(0, 3)) == 0:
        lines += [f"{pad}else:", *block(draw, depth + 1, loop, indent + 1)]
    return lines


@st.composite
def programs(draw):
    """The text of a function ``f(a, b)``."""
    lines = ["def f(a, b):", "    k = 0", "    xs = [a, 1]"]
    for _ in range(draw(st.integers(1, 4))):
        lines += statement(draw, 0, False, 1)
    return "\n".join([*lines, "    return a, b, c, xs" if draw(st.booleans()) else "    return a, b, k, xs"]) + "\n"


class Stop(Exception):
    """A program looped for too long."""


def helper(x, y=0):
    if x > y:
        return x - y
    return y


def compiled(text):
    """The live function of ``text``, with its source readable."""
    name = f"<random {next(_number)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    ticks = [0]

    def tick():
        ticks[0] += 1
        if ticks[0] > 60:
            raise Stop

    namespace = {"tick": tick, "helper": helper, "__name__": "random_program"}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"], ticks


def outcome(function, ticks, args):
    """What a call gives: the value with its types, or the kind of error and (for assertions) its message."""
    ticks[0] = 0
    try:
        value = function(*args)
    except NameError:  # UnboundLocalError, or what Python says of a closure's variable without value
        return "unbound"
    except Exception as error:
        return type(error).__name__, str(error)
    return repr(value)
