"""What random programs do with objects: more words for the grammar of `random_language`, and the world that they speak of.

Classes with properties, setters, operators and iteration, dataclasses, named tuples, Layers with state, closures, generators,
managers, nested lists and dicts, and small algorithms of the kind that people write in plain Python.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import functools
import itertools
import math

import to_static as paddle

WORDS = {
    "t": (
        "st.h", "pt.a", "cfg.rate * x", "hist[-1] if hist else x", "mat[0, 1]", "dq[-1]", "vec.a", "acct.level", "vec[1]",
        "mem.mean",
    ),
    "t+": (
        "st({t})", "find({q}, {g}) or x", "(find({q}, {t}) if find({q}, {t}) is not None else x)", "cut({q}, {g})[1]",
        "newton({t})", "mat[{i} % 2, 0]", "mat.sum(axis=0)[m % 2]", "mat[m % 2].sum()", "v[:m].sum()", "v[v > {g}].sum()",
        "st.size", "st.last",
        "(st + {t}).h", "(st + st).h", "pt._replace(a={t}).a", "Point({t}, {i}).a",
        "functools.reduce(lambda a, b: a * b if b > 0 else a, {q}, {t})", "apply_all([abs, lambda e: e - {g}], {t})",
        "dq[0]", "sum(dq)", "st.clone().advance({t}).h",
        "max(outs, key=lambda e: e * {g})", "min(acc.values()) if acc else x", "getattr(st, 'h' if {c} else 'size')",
        "paddle.to_tensor(float({i}))", "paddle.zeros([{i} % 2 + 1]).sum()", "v.reshape([-1, 1])[m % 2, 0]",
        "paddle.concat([v, v[:m]]).mean()", "v[{i} % 2:].sum()", "paddle.arange(m).sum().astype('float32')",
        "paddle.full([1], {g})[0]", "(lambda *a: sum(a))({t}, {t})", "sum(e * f for e in {q} for f in {q} if f > {g})",
        "{t} ** {i}", "math.pi * {t}", "paddle.topk(v, 1)[0][0]", "v.argmax().astype('float32')", "v[v.argmax()]",
        "mat.t()[0, 0]", "st.h.clip({g}, 3)", "abs(vec)", "abs({t} * vec)", "(vec + Vector({t}, x)).b", "(-vec).a", "sum(vec)",
        "acct.x_ab", "acct.fee({t})", "Account.of({t}).level", "mem({t})", "mem({t}, scale={g})", "take({q}, {t})[-1]",
        "bubble({q})[0]", "bisect_root({t})",
        "tick()", "tick({t})", "sum(b - a for a, b in windows(bubble({q}), 2))",
        "grid[{i} % 2][0]", "grid[-1][-1]", "tree['l']['v']", "max(tree['l']['v'], {t})",
        "[e for row in grid for e in row if e > {t}][0] if any(e > {t} for row in grid for e in row) else x",
        "sorted({q}, key=lambda e: -e)[0]", "max(zip({q}, range(9)))[0]", "dict(zip('ab', [{t}, {t}]))['b']",
        "(lambda f: f(f(x)))(lambda e: e * {g})", "{t} if not {c} else -{t}", "min(({t}, {t}), key=abs)",
        "sum(({t},) * {i}) if {i} > 0 else x", "[x, y][{t} > 0]", "(x, y)[int({c})]", "float({i}) * x", "{v}[0]",
    ),
    "v": (
        "mat[0]",
    ),
    "v+": (
        "mat[m % 2]", "(mat @ {v})", "paddle.stack([e for e in v])", "paddle.concat([v[:1], w[1:]])", "v.sort()", "{v}.cumsum(0)",
        "(v if len(st) else w)",
    ),
    "i": (
        "st.step", "len(hist)", "len(acc)", "cfg.steps", "len(dq)",
    ),
    "i+": (
        "len(st)", "collatz({i})", "(cut({q}, {g})[0] or 0)", "int(v.argmax())",
        "len(v[v > {g}])", "v[:m].shape[0]", "int(m) % 2", "word.count('a')",
        "len(word.split('b'))", "int({g})",
        "next((j for j, e in enumerate({q}) if e > {g}), -1)", "math.floor({g})",
        "len(take({q}, {t}))", "sum(len(r) for r in grid)", "len(acct.trail)", "mem.steps",
        "len({{*names}})", "sum(map(len, grid))", "ord(word[0]) % 5",
        "(lambda a, *b: len(b))(*{q})", "quiet.n", "max(range(3), key=lambda j: -j)", "len(f'{{k}}')", "int('%d' % {i})",
        "~{i} & 3", "pow({i}, 2) % 5",
    ),
    "c": (
        "st.done", "hist", "cfg.best is None", "acc",
    ),
    "c+": (
        "st", "cfg == Config()",
        "not hist", "isinstance(st, Hurried)", "word[-1:] == 'b'", "len(st) > 1", "pt == (x, 1)",
        "{c} is True", "hist == []", "dq", "({i} > 1) is {c}", "{c} != {c}", "word > 'a'", "found is x",
        "cfg.best is not None and cfg.best > {t}", "not names",
        "all(a <= b for a, b in windows({q}, 2))", "acct.level > {t}", "mem.training", "hasattr(acct, 'x_q')",
        "isinstance({o}, (int, paddle.Tensor))", "{i} == {i} == 1", "tree['r'] is None", "quiet.seen is None",
        "quiet.seen == 'ValueError'", "len(grid[0]) > len(grid[1])", "1 < {t} < {t}", "not ({c} and {c})",
    ),
    "w+": (
        "f'{{k:02d}}'", "'-'.join([word, 'c'])", "word.replace('a', {w})",
        "'%s_%d' % (word, {i})", "'{{}}'.format({i})", "repr({c})", "type(st).__name__", "word[::-1]",
        "acct.__class__.__name__", "word.center(4, '*')", "','.join(sorted(names))", "word.split('b')[0]", "str({c})",
        "f'{{word!r:>5}}'", "(quiet.seen or 'none').lower()", "word.strip('a') or 'z'",
        "'yes' if {t} > 0 else 'no'",
    ),
    "q": (
        "hist or [x]", "st.log + [x]",
    ),
    "q+": (
        "list(dq)", "[e for e in v if e > {t}] or [y]", "list(reversed({q}))", "sorted({q}, reverse=True)",
        "[*map(lambda e: e * 2, {q})]", "[e if e > {t} else -e for e in {q}]",
        "list(acc.values()) or [x]", "[st.h, *hist]", "take({q}, {t})", "bubble({q})", "[*vec]",
        "acct.trail or [x]", "[sum(w2) for w2 in windows([x, y, x], 2)]",
        "[a * b for a, b in zip({q}, {q}[::-1])]", "[e for i0, e in enumerate({q}) if i0 % 2 == 0]", "sum(grid, [x])",
        "{q}[:{i} % 2 + 1]", "{q} * 2", "[max(e, {t}) for e in {q}]",
    ),
    "a": (
        "pt", "cfg", "hist", "acc", "Point({t}, {i})", "st.step", "[e for e in st]", "dict(acc)", "list(dq)", "st.log", "mat",
        "grid", "tree", "names", "acct.trail", "[*vec]", "quiet.seen", "sorted(names)", "{q}", "mem.seen",
    ),
    "simple": (
        "st.advance({t})", "st = st.advance({t})", "st = Hurried({t})", "st = st.clone() if {c} else st", "st.h = {t}",
        "st.done = {c}", "st.log.append({t})", "st.step += {i}", "hist.append({t})", "hist += [{t}]", "hist = hist + [{t}]",
        "hist = hist[-2:]", "hist.insert({i} % 2, {t})",
        "acc.update({{1: {t} }})",
        "cfg.best = {t}", "cfg.best = {t} if cfg.best is None or {t} > cfg.best else cfg.best", "cfg.steps -= 1",
        "cfg.rate *= 2", "cfg.items.append({t})", "cfg = dataclasses.replace(cfg, rate={g}, best={t})", "pt = Point({t}, {i})",
        "pt = pt._replace(b={i})", "s, (y, k) = {t}, ({t}, {i})", "a1, b1 = pt; s = s + a1 * b1", "mat[0] = {v}",
        "mat = mat * {t}", "mat[{i} % 2, 1] = {t}", "mat = paddle.concat([mat, {v}.unsqueeze(0)])[-2:]",
        "idx, s = cut({q}, {t})", "s = s + (idx if idx is not None else -1) if (idx := cut({q}, {g})[0]) is not None else s",
        "found = find({q}, {t})", "x = checked({t})", "x = checked({t}, 'bad x')",
        "word = 'long' if len(hist) > 1 else word",
        "which = hist if {c} else outs; s = s + len(which)",
        "best, arg = None, -1\nfor j, e in enumerate({q}):\n    if best is None or e > best:\n        best, arg = e, j\nk = arg",
        "it = iter({q}); s = s + next(it); s = s + sum(it)", "for st.h in {q}: pass", "k = -k if {t} > 0 else k",
        "hist, outs = outs, hist", "hist[0], hist[-1] = hist[-1], {t}", "v = paddle.concat([v, {t}.reshape([1])])[-2:]",
        "k |= {i} % 4", "k <<= 1; k %= 9", "flag ^= {c}",
        "fs = [lambda e, j=j: e * j for j in range({i} % 3)]; s = apply_all(fs, s)",
        "s = s + {{'a': helper, 'b': abs}}.get(word, newton)({t})", "hist.sort(key=lambda e: -e)",
        "acc = {{**acc, 'z': {t} }}", "if hist: hist.pop(0)",
        "hist.reverse()", "_ = hist.append(x) or 1", "u = v = {v}; u = u + 1; s = s + v.sum()",
        "def deco(f):\n    def inner2(*a):\n        return f(*a) + {t}\n    return inner2\n@deco\ndef local2(e):\n    return e * 2 if e > 0 else e\ns = local2({t})",  # noqa: E501
        "class Loc(State):\n    extra = k\n    def more(self, e):\n        if e > self.h:\n            return e * self.extra\n        return self.h\ns = Loc({t}).more({t})",  # noqa: E501
        "s = s.clone(); s += {t}", "s = paddle.where(mat > {t}, mat, x).sum()", "with paddle.no_grad(): s = s + {t}",
        "assert st.step < 40, 'bad step'", "assert len(hist) < 9, f'big {{len(hist)}}'", "vec = vec + Vector({t}, {t})",
        "vec[{i} % 2] = {t}", "vec.a = {t}", "vec = vec * {g}", "vec = -vec if {c} else vec", "a2, b2 = vec; s = s + a2 - b2",
        "acct.total += 1", "mem.seen.append({t})",
        "mem.cfg['k'] = {i}", "s = s + mem({t})", "mem.steps = 0",
        "grid = [list(r) for r in zip(*grid)] or [[x], [y]]", "grid[0], grid[1] = grid[1], grid[0]",
        "tree['l']['v'] = {t}",
        "tree = {{'l': dict(tree['l']), 'r': None}}", "names |= {{'c'}}",
        "names.discard('a')", "names = names - {{'b'}}", "k, s = (k + 1, s * 2) if {c} else (k, s)", "s = [s, {t}][{i} % 2]",
        "(x if {c} else y).add_({t}) if 0 else None", "s = s + tick()", "tick = counter({t})",
        "first, *_, last2 = [*{q}, x]; s = s + last2",
        "if not (found := {o}): found = {t}", "z2 = f = lambda e: e + {t}; s = f(s)",
        "with Temporary(cfg, {g}): s = s + cfg.rate * x", "print(sorted(names), word)",
        "print(f'{{k:>3}}|{{word:<4}}|{{g:.1f}}')", "print(quiet.seen, quiet.n)",
        "s = s + sum([e for e in {q} if e > {t}][:2])", "while k > 2: k -= 2", "x = y = {t}",
        "(a3, b3), c3 = ({t}, {i}), {t}; s = s + a3 + c3", "for i9, s in enumerate({q}): pass", "s = -s if s < 0 else s",
        "d['n'] = d['n'] + 1 if 'n' in d else 0", "nums += [{i}]", "nums[-1] += {i}",
        "word = max(word, {w})", "flag = bool({t} > 0) and {c}", "marks = marks[1:] + [{t}]",
        "s = s + (lambda: {t})()", "outs = [e for e in outs if e > {t}] or [x]",
        "s = {t} if {t} > {t} else {t} if {c} else {t}",

    ),
    "jump": (
        "return st.h, st.step",

    ),
    "compound": (
        "match (k, word):\n    case (0, _):\n        {B}\n    case (_, 'a' | 'b'):\n        {B}\n    case _:\n        {B}",
        "match cfg:\n    case Config(steps=2, best=None):\n        {B}\n    case Config(rate=r0) if r0 > {g}:\n        {B}",
        "match nums:\n    case [a0]:\n        {B}\n    case [a0, *tail]:\n        k = len(tail)\n        {B}",
        "if st.h > {t}:\n    {B}\n    st.advance({t})\nelse:\n    {B}",
        "if (best := find({q}, {t})) is not None:\n    s = s + best\n    {B}",
        "def visit(node, depth):\n    if depth == 0 or node > 4:\n        return node\n    {F}\n    return visit(node * 2, depth - 1) + {t}\ns = visit({t}, 2)",  # noqa: E501
        "with Temporary(cfg, {g}):\n    {B}",
        "def h2(e, w0=word):\n    {F}\n    return e * k\ns = s + h2({t})",
        "if {c}:\n    def h3(e): return e * k + s\nelse:\n    def h3(e): return e - {t}\nk += 1\ns = h3({t})",
        "match {t} > 0, word:\n    case (True, 'a'):\n        {B}\n    case (False, _):\n        {B}",
        "match tree['r']:\n    case None:\n        {B}\n    case dict() as r2:\n        s = s + r2['v']\n        {B}",
        "match grid[0]:\n    case []:\n        {B}\n    case [e]:\n        s = s + e\n    case [e, *_]:\n        s = s - e\n        {B}",  # noqa: E501
        "if {c}:\n    pass\nelif (u2 := {t}) > {t}:\n    s = s + u2\n    {B}\nelse:\n    {B}",
    ),
    "loop": (
        "for key in sorted(acc, key=str):\n    {L}", "for e in st:\n    {L}", "for {j}, e in enumerate(hist, 1):\n    {L}",
        "for row in mat:\n    s = s + row.max()\n    {L}", "while s < {i} + 3:\n    s = s + abs({t}) + 1\n    {L}",
        "while hist and len(hist) < 4:\n    e = hist.pop()\n    {L}\n    break",
        "{j} = int(m)\nwhile {j}:\n    {j} -= 1\n    {L}", "for e, *more in [({t}, 1, 2), ({t}, 3)]:\n    {L}",
        "for {j} in range(m):\n    if {c}:\n        break\n    {L}\nelse:\n    {B}",
        "for a1, b1 in itertools.product(range(2), {q}):\n    {L}", "for e, f in zip({q}, {q}[1:]):\n    {L}",
        "while not st.done:\n    st.advance(x)\n    {L}\n    if st.step > 4: break",
        "for _ in range({e}):\n    if (e := {t}) > 2: continue\n    {L}", "for row2 in grid:\n    {L}",
        "for a4, b4 in windows({q}, 2):\n    s = s + a4 * b4\n    {L}", "for key, value in list(d.items()):\n    {L}",
        "for c4 in word:\n    {L}", "for name in sorted(names):\n    {L}",
        "for e in take({q}, {t}):\n    {L}",
        "{j} = m\nwhile {j} > 0:\n    {j} = {j} - 1\n    {L}",
        "for {j}, (a5, *b5) in enumerate([({t}, 1), ({t}, 2, 3)]):\n    {L}", "for e in vec:\n    {L}",
        "for {j} in range(m):\n    for i8 in range({j}):\n        if {c}: break\n        s = s + 1\n    else:\n        continue\n    {B}\n    break",  # noqa: E501
        "for e in sorted({q}):\n    if e > {t}: return e\n    {L}",
    ),
    "end": (
        "st.h, st.step, st.done, len(st), st.log", "hist, acc, pt", "cfg, k, s", "s, hist, list(dq), mat", "s, st.h, acc",
        "v, mat, hist", "s, word, cfg.best, x", "grid, [*vec], acct.trail", "tree, s, quiet.n, quiet.seen",
        "acct.level, acct.total, Account.total, k", "mem.mean, mem.steps, mem.seen, mem.cfg", "sorted(names), word, s",
        "s, x, tick(), vec.a",
    ),
    "o+": (
        "next((e for e in {q} if e > {t}), None)", "tree['r']", "({t} if {c} else found)",
    ),
}  # fmt: skip

# words that no Program has, or not always: generators and filters that tensors drive, errors of theirs that are caught
BREAKING = {
    "t+": (
        "acc.get({i}, x)",
        "memo(acc, {i} % 2, {t})",
        "split({q}, {t})[0][0] if split({q}, {t})[0] else x",
        "sum(gen({q}, {g}))", "next(gen({q}, {t}))", "max(gen(outs, {g}), key=lambda e: -e)", "safe(checked, {t})",
        "safe(acct.pay, {t}, default={t})",
    ),
    "i+": (
        "len(names & {{'a', word}})",
        "[*range(3)].index({i} % 3)",
        "{{0: 1, 1: 2}}[{i} % 2]",
        "{{'a': {i}, 'b': 3}}.get(word, {i})",
        "len(split({q}, {g})[1])",
        "hist.count({t})",
        "sum(1 for e in gen({q}, {g}) if e > 0)", "len([*gen(marks, {g})])",
    ),
    "c+": (
        "word in names",
        "{i} in acc",
        "{t} in {q}",
        "vec",
        "vec == Vector({t}, x)",
        "st < State({t})",
        "{t} in st",
        "any(e > {t} for e in gen({q}, {g}))", "all(gen(marks, {g}))",
    ),
    "q+": (
        "grid[{i} % 2] or [x]",
        "split({q}, {t})[0] or [x]",
        "[*gen({q}, {g})]", "list(filter(lambda e: e > {g}, {q})) or [x]",
    ),
    "simple": (
        "del hist[:1]",
        "del outs[:1]; outs.append({t})",
        "k = [3, 1, 2].index(min([{i}, 3])) if min([{i}, 3]) in (1, 2, 3) else 0",
        "acc = {{j: e for j, e in enumerate({q}) if e > {g} }}",
        "outs[:] = [e * 2 for e in outs]",
        "mem.cfg['z'] = {t}",
        "tree['r'] = {{'v': {t} }}",
        "tree['l'].update(w={t})",
        "s = s + d.get(word, {t})",
        "names.add(word)",
        "print('{{:.1f}}'.format(s))",
        "print('%.2f %s' % (s, word))",
        "print(f'{{s:.3f}} {{found}}')",
        "print(*hist, sep='|')",
        "print(st.step, acc)",
        "print(grid)",
        "print(vec)",
        "print(cfg)",
        "print(pt)",
        "print(hist)",
        "grid[-1] = grid[-1] + [{t}]",
        "for r in grid: r.append({t})",
        "grid.append([{t}])",
        "grid[{i} % 2] = [{t}]",
        "hist[-1:] = [{t}, x]",
        "s = s + dq.popleft() if dq else s",
        "dq.appendleft({t})",
        "dq.append({t})",
        "acc.pop(word, None)",
        "acc.setdefault(word, {t})",
        "acc[word] = {t}",
        "acc[{i} % 2] = acc.get({i} % 2, 0.0) + {t}",
        "acc[{i} % 2] = {t}",
        "grid[0].append({t})",
        "acct.level += {t}",
        "acct.level = {t}",
        "lo, hi = split({q}, {t}); outs = lo + hi or [x]",
        "(hist if {c} else outs).append({t})",
        "s = s + safe(acct.pay, {t})", "with Quiet() as q2: s = s + checked({t})", "with quiet: s = s + checked({t}); k += 1",
    ),
    "compound": (
        "with contextlib.suppress(LookupError):\n    {B}",
        "with Temporary(cfg, {g}), quiet as q3:\n    {B}",
        "for e in gen({q}, {g}):\n    {L}",
        "try:\n    x = checked({t})\n    {B}\nexcept ValueError as err:\n    word = str(err)\n    {B}",
        "try:\n    s = s + acc[{i}]\nexcept KeyError:\n    acc[{i}] = {t}\n    {B}",
        "try:\n    s = s + hist[{i}]\nexcept IndexError:\n    {B}",
        "def gen2():\n    nonlocal k\n    for e in {q}:\n        k += 1\n        if e > {t}:\n            yield e\n    yield x\nfor e in gen2():\n    s = s + e",  # noqa: E501
        "with quiet:\n    {B}", "with Quiet():\n    {B}",
        "try:\n    s = s + acct.pay({t})\nexcept ValueError as err:\n    word = err.args[0]\nelse:\n    {B}",
        "try:\n    {B}\nexcept (ValueError, IndexError) as err:\n    word = type(err).__name__\n    {B}\nfinally:\n    nums.append(k)",  # noqa: E501
        "try:\n    try:\n        x = checked({t})\n        {B}\n    except ValueError as err:\n        raise KeyError(word) from err\nexcept KeyError as err:\n    word = str(err)",  # noqa: E501
        "class L2(Account):\n    def pay(self, e):\n        return super().pay(e) + k if e > 1 else self.level\nacct = L2({t})\ns = s + safe(acct.pay, {t})",  # noqa: E501
    ),
    "loop": (
        "while acct.level < {i}:\n    acct.level = acct.level + abs({t}) + 1\n    {L}",
        "for {j} in range(int(m)):\n    with quiet:\n        s = s + checked({t})\n    {L}",
        "for {j} in range({e}):\n    try:\n        s = s + checked({t})\n    except ValueError:\n        continue\n    {L}",
    ),
    "w+": (
        "str(quiet.seen)",
        "', '.join(str(e) for e in nums)",
    ),
    "jump": (
        "return names, found",
        "return [*vec], word",
        "return acct.level, acct.trail",
        "return grid, k",
        "return cfg.best",
        "return {{'h': hist, 'k': k}}",
        "return hist",
        "return pt",
    ),
}  # fmt: skip

# Statements before the others, each there when its names are used.
START = (
    "hist = []", "acc = {}", "st = State(x)", "pt = Point(x, 1)", "cfg = Config()", "mat = paddle.stack([v, v * 0.5])",
    "dq = collections.deque([x, y], maxlen=3)", "names = {'a', 'z'}", "vec = Vector(x, y)", "acct = Account(x)",
    "grid = [[x], [y, x]]", "tree = {'l': {'v': x}, 'r': None}", "tick = counter(y)", "quiet = Quiet()",
)  # fmt: skip


# the world of the programs ------------------------------------------------------------------------------------------------


class State:
    """Attributes that change, a list, properties and all that Python calls by itself."""

    limit = 3

    def __init__(self, h):
        self.h = h
        self.step = 0
        self.log = []
        self.done = False

    @property
    def size(self):
        return self.h.abs()

    @property
    def last(self):
        return self.log[-1] if self.log else self.h

    def advance(self, e, by=1):
        self.step += by
        if e > self.h:
            self.h = e
            self.log.append(e)
        elif self.step > self.limit:
            self.done = True
        return self

    def __len__(self):
        return len(self.log)

    def __getitem__(self, i):
        return self.log[i]

    def __iter__(self):
        yield from self.log

    def __call__(self, e):
        return e + self.h

    def __add__(self, o):
        return State(self.h + (o.h if isinstance(o, State) else o))

    def __lt__(self, o):
        return bool(self.h < o.h)

    def __contains__(self, e):
        return any(bool(e == q) for q in self.log)

    def clone(self):
        s = State(self.h)
        s.step = self.step
        s.log = list(self.log)
        return s


class Hurried(State):
    limit = 1

    def advance(self, e, by=2):
        super().advance(e * 0.5, by)
        if self.done:
            return self
        self.h = self.h + 1
        return self


@dataclasses.dataclass
class Config:
    rate: float = 0.5
    steps: int = 2
    best: object = None
    items: list = dataclasses.field(default_factory=list)


Point = collections.namedtuple("Point", "a b")


class Quiet:
    """Suppresses some errors, and remembers the last."""

    def __init__(self):
        self.n = 0
        self.seen = None

    def __enter__(self):
        self.n += 1
        return self

    def __exit__(self, kind, error, trace):
        self.seen = None if kind is None else kind.__name__
        return kind is not None and issubclass(kind, (ValueError, KeyError, IndexError))


class Temporary:
    """Another ``rate`` for a while."""

    def __init__(self, owner, value):
        self.owner, self.value = owner, value

    def __enter__(self):
        self.old = self.owner.rate
        self.owner.rate = self.value

    def __exit__(self, *error):
        self.owner.rate = self.old


class Vector:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __add__(self, o):
        return Vector(self.a + o.a, self.b + o.b)

    def __mul__(self, k):
        return Vector(self.a * k, self.b * k)

    __rmul__ = __mul__

    def __neg__(self):
        return Vector(-self.a, -self.b)

    def __eq__(self, o):
        return isinstance(o, Vector) and bool(self.a == o.a) and bool(self.b == o.b)

    def __iter__(self):
        return iter((self.a, self.b))

    def __getitem__(self, i):
        return (self.a, self.b)[i]

    def __setitem__(self, i, v):
        if i == 0:
            self.a = v
        else:
            self.b = v

    def __abs__(self):
        return self.a.abs() + abs(self.b)

    def __bool__(self):
        return bool(self.a != 0)

    def __len__(self):
        return 2

    def __repr__(self):
        return f"Vector({self.a}, {self.b})"


class Account:
    """A property whose setter checks, and attributes made on demand."""

    total = 0

    def __init__(self, level):
        self._level = level
        self.trail = []

    @property
    def level(self):
        return self._level

    @level.setter
    def level(self, value):
        if value > 9:
            raise ValueError("bad level")
        self.trail.append(value)
        self._level = value

    @classmethod
    def of(cls, v):
        return cls(v * 2)

    @staticmethod
    def fee(v):
        return v * 0.1 if v > 1 else v * 0

    def pay(self, e):
        if e <= 0:
            raise ValueError("bad pay")
        self.level = self.level + e - self.fee(e)
        return self.level

    def __getattr__(self, name):
        if name.startswith("x_"):
            return self._level * len(name)
        raise AttributeError(name)


class Memory(paddle.nn.Layer):
    """A buffer, a list, a dict and a number that `forward` and others change."""

    def __init__(self):
        super().__init__()
        self.register_buffer("mean", paddle.zeros([]))
        self.seen = []
        self.cfg = {"k": 1}
        self.steps = 0

    def forward(self, e, scale=None):
        self.steps += 1
        if scale is not None:
            e = e * scale
        if e > self.mean:
            self.mean = 0.5 * self.mean + 0.5 * e.detach()
        elif self.training and e < -2:
            return -e
        return e - self.mean


def gen(q, c):
    for e in q:
        if e > c:
            yield e
        else:
            yield -e


def cut(q, lim):
    total = 0.0
    for i, e in enumerate(q):
        total = total + e
        if total > lim:
            return i, total
    return None, total


def find(q, lim):
    for e in q:
        if e > lim:
            return e


def collatz(k):
    s = 0
    while k > 1:
        k = k // 2 if k % 2 == 0 else 3 * k + 1
        s += 1
        if s > 6:
            break
    return s


def newton(t):
    g = t
    for _ in range(4):
        following = 0.5 * (g + t / (g + 3))
        if abs(following - g) < 0.1:
            break
        g = following
    else:
        g = g * 2
    return g


def checked(t, message="bad t"):
    if t < 0:
        raise ValueError(message)
    return t


def apply_all(fs, t):
    for f in fs:
        t = f(t)
    return t


def memo(store, key, t):
    if key not in store:
        store[key] = t
    return store[key]


def windows(q, k):
    for i in range(len(q) - k + 1):
        yield q[i : i + k]


def take(q, c):
    out = []
    for e in q:
        if e > c:
            break
        out.append(e)
    else:
        out.append(out[-1] * 2 if out else q[0])
    return out


def split(q, c):
    low, high = [], []
    for e in q:
        (low if e < c else high).append(e)
    return low, high


def bubble(q):
    q = list(q)
    for i in range(len(q)):
        for j in range(len(q) - 1 - i):
            if q[j] > q[j + 1]:
                q[j], q[j + 1] = q[j + 1], q[j]
    return q


def bisect_root(t):
    low, high = t * 0 - 3.0, t * 0 + 3.0
    for _ in range(5):
        mid = (low + high) / 2
        if mid * mid * mid > t:
            high = mid
        else:
            low = mid
    return low


def safe(f, *a, default=0.0):
    try:
        return f(*a)
    except (ValueError, ZeroDivisionError):
        return default


def counter(start):
    n = start

    def up(by=1):
        nonlocal n
        n = n + by
        return n

    return up


def world():
    """The names that programs use, with classes and a Layer of their own."""
    account = type("Account", (Account,), {"__module__": __name__})
    return {
        "State": State, "Hurried": Hurried, "Config": Config, "Point": Point, "Quiet": Quiet, "Temporary": Temporary,
        "Vector": Vector, "Account": account, "mem": Memory(), "gen": gen, "cut": cut, "find": find, "collatz": collatz,
        "newton": newton, "checked": checked, "apply_all": apply_all, "memo": memo, "windows": windows, "take": take,
        "split": split, "bubble": bubble, "bisect_root": bisect_root, "safe": safe, "counter": counter,
        "dataclasses": dataclasses, "math": math, "functools": functools, "itertools": itertools, "collections": collections,
        "contextlib": contextlib,
    }  # fmt: skip
