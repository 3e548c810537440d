"""Random programs in which lists, dicts and tensors have several names, of which branches and loops give other meanings."""

from __future__ import annotations

import random

LISTS, TENSORS = "abc", ("w", "t")
CONDITIONS = ("x > 0", "y > s", "v[0] < v[1]", "w > t", "n > 1", "len(a) > 2")
NUMBERS = ("1", "x", "y + 1", "w", "float(n)", "s * 2")
SIMPLE = (
    "{p} = {q}", "{p} = {q}", "{p} = [{e}]", "{p} = [{e}, 2]", "{p} = {q} if {c} else {r}", "{p} = {q} or {r}",
    "{p}, {q} = {q}, {p}", "{p}.append({e})", "{p}.append({e})", "{p}[0] = {e}", "{p} += [{e}]", "{p} = {q} + [{e}]",
    "d['k'] = {p}", "{p} = d['k']", "d = {{'k': {p}}}", "d['k'].append({e})", "e = d", "e['k'] = [{e}]", "d = e", "d, e = e, d",
    "o.value = {p}", "{p} = o.value", "o = Box({p})", "u = o", "u.value = [{e}]", "o = u", "o.value[0] = {e}",
    "q = [{p}, {q}]", "q = ({p}, {q})", "q = {p}", "{p} = list({q})", "{p} = same({q})", "grow({e})",
    "{t} = {t2}", "{t} = {t} + 1", "{t}.add_(x)", "{t} = v[0]", "v[0] = {t}", "v[{i}] = y", "{t} = x if {c} else {t2}", "v = v * 2",
    "{p} = {q}[:]", "q = None", "q = {p} if {c} else None", "for z in ({p}, {q}): {p} = z",
)  # fmt: skip


class Aliases:
    """``program()`` is the text of a function of (x, y, v, m, n)."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"aliases {seed}")
        self.loops = 0

    def program(self) -> str:
        """The text."""
        head = [
            "s = x * 0.0", "a = [1]", "b = [x]" if self.random.random() < 0.5 else "b = [2, 3]",
            self.random.choice(["c = a", "c = [y, 5]"]), "d = {'k': a}", "e = {'k': [4]}", "o = Box(b)", "u = Box([6])", "q = None",
            "w = x + 1", "t = self_t = w" if self.random.random() < 0.3 else "t = y * 1.0", "v = v * 1.0",
            "same = lambda z: z", "def grow(z):", "    a.append(z)",
        ]  # fmt: skip
        body = self.block(self.random.randint(4, 7), 2)
        lines = [*head, *body, "return a, b, c, d, e, o.value, u.value, q, w, t, v"]
        return "def f(x, y, v, m, n):\n" + "".join(f"    {line}\n" for line in lines)

    def block(self, count: int, depth: int) -> list[str]:
        out: list[str] = []
        for _ in range(count):
            out += self.statement(depth)
        return out

    def statement(self, depth: int) -> list[str]:
        kind = self.random.random()
        if depth and kind < 0.3:
            made = [f"if {self.random.choice(CONDITIONS)}:", *self.inner(depth)]
            return made if self.random.random() < 0.6 else [*made, "else:", *self.inner(depth)]
        if depth and kind < 0.4:
            self.loops += 1
            i = f"i{self.loops}"
            return [f"{i} = s", f"while {i} < {self.random.choice(['2', 'x + 2'])}:", f"    {i} = {i} + 1", *self.inner(depth)]
        if depth and kind < 0.45:
            return [f"for z{depth} in {self.random.choice(['range(2)', 'v', 'range(m)'])}:", *self.inner(depth)]
        p, q, r = self.random.choices(LISTS, k=3)
        t, t2 = self.random.choices(TENSORS, k=2)
        e, c, i = self.random.choice(NUMBERS), self.random.choice(CONDITIONS), self.random.randrange(2)
        return [self.random.choice(SIMPLE).format(p=p, q=q, r=r, t=t, t2=t2, e=e, c=c, i=i)]

    def inner(self, depth: int) -> list[str]:
        return [f"    {line}" for line in self.block(self.random.randint(1, 2), depth - 1)]
