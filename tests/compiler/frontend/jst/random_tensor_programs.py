"""Random functions over tensors, numbers and containers as source text; used by the test of dynamic against static."""

from __future__ import annotations

import linecache
import random
from itertools import count

_number = count()


class Writer:
    """Writes the text of one function ``f(x, y, v, m, n)``: two 0-D tensors, a vector, an int tensor and an int."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.counters = 0

    def pick(self, *options):
        return self.random.choice(options)

    def expression(self, depth=0):
        kind = self.random.randint(0, 8 if depth < 2 else 3)
        if kind <= 1:
            return self.pick("x", "y", "s")
        if kind == 2:
            return self.pick("1.0", "2.0", "-1.5", "0.5")
        if kind == 3:
            return self.pick("v[0]", "v.sum()", "s", "x", "v[m - m]")
        a, b = self.expression(depth + 1), self.expression(depth + 1)
        if kind == 4:
            return f"({a} if {self.condition(depth + 1)} else {b})"
        if kind == 5:
            return f"helper({a}, y={b})"
        return f"({a} {self.pick('+', '-', '*')} {b})"

    def condition(self, depth=0):
        kind = self.random.randint(0, 9)
        a, b = self.expression(depth + 1), self.expression(depth + 1)
        if kind == 0:
            return f"not {a} > 1"
        if kind == 1:
            return f"-1 < {a} <= {b}"
        if kind <= 3 and depth < 2:
            return f"({self.condition(depth + 1)} {self.pick('and', 'or')} {self.condition(depth + 1)})"
        if kind == 4:
            return "n > 2"
        return f"{a} {self.pick('<', '>')} {b}"

    def block(self, depth, loop, indent):
        return [line for _ in range(self.random.randint(1, 3)) for line in self.statement(depth, loop, indent)]

    def statement(self, depth, loop, indent):
        pad = "    " * indent
        kind = self.random.randint(0, 14 if depth < 3 else 5)
        if kind <= 2:
            return [f"{pad}{self.pick('x', 'y', 's', 'z')} = {self.expression()}"]
        if kind == 3:
            return [f"{pad}{self.pick('x', 'y', 's')} {self.pick('+=', '-=')} {self.expression()}"]
        if kind == 4:
            jump = self.pick("return {} * 1.0, d", *(["break", "continue"] if loop else []))
            return [pad + jump.format(self.expression())]
        if kind == 5:
            simple = (
                f"v[0] = {self.expression()}", "x, y = y, x", "z = n * 1.0", "v = v + x", "outs.append(x)", "d['a'] = x",
                "s = outs[-1]", "x = len(outs) * 1.0", "v.add_(v)", "k += 1", "s = s * k", "w = v", "w = w * 0.5", "w[1] = x",
                "w.add_(v)", "outs[0] = x", "more = outs",
            )  # fmt: skip
            return [pad + self.pick(*simple)]
        if kind <= 10:
            lines = [f"{pad}if {self.condition()}:", *self.block(depth + 1, loop, indent + 1)]
            if self.pick(True, False):
                lines += [f"{pad}elif {self.condition()}:", *self.block(depth + 1, loop, indent + 1)]
            if self.pick(True, False):
                lines += [f"{pad}else:", *self.block(depth + 1, loop, indent + 1)]
            return lines
        self.counters += 1
        i = f"i{self.counters}"
        if kind <= 12:
            more = self.pick("", f" and {self.condition()}")
            lines = [f"{pad}{i} = 0", f"{pad}while {i} < {self.pick('3', 'm', 'n')}{more}:", f"{pad}    {i} += 1"]
        else:
            over = self.pick("range(m)", "range(3)", "range(n)", "v", "[1.0, 2.0]", "reversed(v)")
            lines = [f"{pad}for {self.pick(i, 'x') if 'v' in over else i} in {over}:"]
        lines += self.block(depth + 1, True, indent + 1)
        if self.random.random() < 0.25:
            lines += [f"{pad}else:", *self.block(depth + 1, loop, indent + 1)]
        return lines

    def program(self, longest=1100):
        """A program of at most ``longest`` characters."""
        while True:
            text = self.draft()
            if len(text) <= longest:
                return text

    def draft(self):
        starts = ("s = x * 0.0", "z = y", "outs = more = [y]", "w = v * 1.0", "d = {'a': x}", "k = 0")
        lines = ["def f(x, y, v, m, n):", *("    " + start for start in starts)]
        for _ in range(self.random.randint(1, 3)):
            lines += self.statement(0, False, 1)
        last = self.pick("return s + w.sum(), d", "return (x + y + z + v.sum()) * 1.0 + more[0], d")
        return "\n".join([*lines, f"    {last}\n"])


def helper(x, y=0):
    if x > y:
        return x - y
    return y * 1.0


def compiled(text):
    """The live function of ``text``, with its source readable."""
    name = f"<random tensors {next(_number)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace = {"helper": helper, "__name__": "random_tensor_program"}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]
