"""Random functions as source text, over tensors, numbers, None, strings, lists, dicts, objects, errors and prints."""

from __future__ import annotations

import linecache
import random
from itertools import count

_number = count()

START = (
    "s = x * 0.0", "k = 0", "word = 'start'", "found = None", "outs = []", "marks = [x]", "d = {'a': x, 'n': 0}",
    "box = Box(x)", "flag = False",
)  # fmt: skip
SIMPLE = (
    "outs.append({e})", "marks.append({e} * 1.0)", "outs.extend([x, y * 1.0])", "d['a'] = {e} * 1.0",
    "d['n'] += 1", "box.value = {e}", "box.count += 1", "k += 1", "k = k * 2 - 1", "word = {w}",
    "word = word + 'b' if {c} else 'c'", "found = {e}", "found = None", "flag = {c}", "flag = not flag",
    "x, y = y, x", "v[0] = {e}", "v = v * 0.5", "v.add_(v)", "print('p', {e}, k)", "print(f'{{k}} {{s}}')",
    "assert {c}, 'assertion'", "z = {e}", "t = k", "last = marks[-1]", "s = s + last", "s = s + z",
    "box.add({e})", "outs = [{e}]", "outs = outs + [x]", "s = s + (0.0 if found is None else found)",
    "other = box", "del z", "k = k + len(outs)", "s = s + (marks.pop() if len(marks) > 1 else x)", "s += 1",
    "y = step()", "k = k / 2", "s = max(s, {e})", "flag = s in [x, 0.0]",
)  # fmt: skip


class Writer:
    """Writes the text of one function ``f(x, y, v, m, n)``: two 0-D tensors, a vector, an int tensor and an int."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.counters = 0

    def pick(self, *options):
        return self.random.choice(options)

    def expression(self, depth=0):
        kind = self.random.randint(0, 9 if depth < 2 else 3)
        if kind <= 1:
            return self.pick("x", "y", "s")
        if kind == 2:
            return self.pick("1.0", "2", "-1.5", "k", "0.5")
        if kind == 3:
            return self.pick("v[0]", "v.sum()", "box.value", "d['a']", "x", "y", "marks[0]", "box.count")
        a, b = self.expression(depth + 1), self.expression(depth + 1)
        if kind == 4:
            return f"({a} if {self.condition(depth + 1)} else {b})"
        if kind == 5:
            return f"helper({a}, y={b})"
        if kind == 6 and depth == 0:
            fixed = ("sum([i * x for i in range(3)])", "sum(i for i in v if i > 0)", "max(v)")
            return self.pick(*fixed, f"min({a}, {b})", f"({a} and {b})")
        return f"({a} {self.pick('+', '-', '*')} {b})"

    def word(self):
        return self.pick("'a'", "'b'", "('a' if x > y else 'b')", "word")

    def condition(self, depth=0):
        kind = self.random.randint(0, 14)
        a, b = self.expression(depth + 1), self.expression(depth + 1)
        if kind == 0:
            return f"not {a} > 1"
        if kind == 1:
            return f"-1 < {a} <= {b}"
        if kind <= 3 and depth < 2:
            return f"({self.condition(depth + 1)} {self.pick('and', 'or')} {self.condition(depth + 1)})"
        fixed = {
            4: "n > 2", 5: "found is None", 6: "found is not None and found > 0", 7: "word == 'a'", 8: "flag", 9: "k > 2",
            10: "len(outs) > 1", 11: "any(i > 1 for i in v)", 12: "isinstance(k, int)",
        }  # fmt: skip
        return fixed.get(kind, f"{a} {self.pick('<', '>')} {b}")

    def block(self, depth, loop, indent):
        return [line for _ in range(self.random.randint(1, 3)) for line in self.statement(depth, loop, indent)]

    def statement(self, depth, loop, indent):
        pad = "    " * indent
        kind = self.random.randint(0, 16 if depth < 3 else 6)
        if kind <= 1:
            return [f"{pad}{self.pick('x', 'y', 's')} = {self.expression()}"]
        if kind == 2:
            jumps = ["return {e}", "return {e}, k", "return word, found"] + (["break", "continue"] * 2 if loop else [])
            return [pad + self.filled(self.pick(*jumps))]
        if kind == 3 and self.random.random() < 0.3:
            return [pad + "raise ValueError(f'bad {k}')"]
        if kind <= 6:
            return [pad + self.filled(self.pick(*SIMPLE))]
        if kind <= 11:
            lines = [f"{pad}if {self.condition()}:", *self.block(depth + 1, loop, indent + 1)]
            if self.pick(True, False):
                lines += [f"{pad}elif {self.condition()}:", *self.block(depth + 1, loop, indent + 1)]
            if self.pick(True, False):
                lines += [f"{pad}else:", *self.block(depth + 1, loop, indent + 1)]
            return lines
        if kind == 12:
            lines = [f"{pad}try:", *self.block(depth + 1, loop, indent + 1)]
            caught = self.pick("(KeyError, ValueError)", "AssertionError", "TypeError")
            if self.pick(True, False):
                lines += [f"{pad}except {caught}:", *self.block(depth + 1, loop, indent + 1)]
                return lines
            return [*lines, f"{pad}finally:", f"{pad}    k += 1"]
        self.counters += 1
        i = f"i{self.counters}"
        if kind <= 14:
            more = self.pick("", f" and {self.condition()}")
            lines = [f"{pad}{i} = 0", f"{pad}while {i} < {self.pick('3', 'm', 'n')}{more}:", f"{pad}    {i} += 1"]
        else:
            over = self.pick("range(m)", "range(3)", "range(n)", "v", "[1.0, 2.0]", "reversed(v)", "list(marks)")
            lines = [f"{pad}for {self.pick(i, 'x') if 'v' in over else i} in {over}:"]
        lines += self.block(depth + 1, True, indent + 1)
        if self.random.random() < 0.2:
            lines += [f"{pad}else:", *self.block(depth + 1, loop, indent + 1)]
        return lines

    def filled(self, text):
        if "{" not in text:
            return text
        return text.format(e=self.expression(), c=self.condition(), w=self.word())

    def program(self, longest=1000):
        """A program of at most ``longest`` characters."""
        while True:
            text = self.draft()
            if len(text) <= longest:
                return text

    def draft(self):
        self.counters = 0
        lines = ["def f(x, y, v, m, n):", *("    " + start for start in START)]
        lines += ["    def step(a=y):", "        return a + 1 if a > 0 else a * 2"]
        for _ in range(self.random.randint(1, 4)):
            lines += self.statement(0, False, 1)
        ends = ("s, k, word, found", "x + y, d, box.value, box.count", "outs, len(outs), flag", "marks, v, k", "word, found, t")
        last = self.pick(*ends)
        return "\n".join([*lines, f"    return {last}\n"])


class Box:
    def __init__(self, value):
        self.value = value
        self.count = 0

    def add(self, other):
        if other > 0:
            self.value = self.value + other
            self.count += 1


def helper(x, y=0):
    if x > y:
        return x - y
    return y


def compiled(text):
    """The live function of ``text``, with its source readable."""
    name = f"<random language {next(_number)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace = {"helper": helper, "Box": Box, "__name__": "random_program"}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]
