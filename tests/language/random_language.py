"""Random functions as source text, drawn from a grammar of what people write in models: see `Writer`."""

from __future__ import annotations

import contextlib
import io
import linecache
import random
import re
import sys
import warnings
from itertools import count

import numpy as np
import random_objects
from language_table import T, fresh

import to_static as paddle

NAME = "<random language"
_number = count()

# What stands for what: {t} a 0-D tensor, {v} a vector, {i} a Python int, {g} a Python float, {c} a condition, {w} a string,
# {o} a tensor or None, {q} a list of tensors, {a} anything. The first line of a kind holds what has no parts.
GRAMMAR = {
    "t": (
        "x", "y", "s", "x", "y", "v[0]", "v[-1]", "v.sum()", "box.value", "d['a']", "outs[-1]", "pair[0]", "net.last",
        "SCALE * x",
    ),
    "t+": (
        "({t} + {t})", "({t} - {t})", "({t} * {t})", "({t} * {i})", "({i} - {t})", "({t} * {g})", "({t} if {c} else {t})",
        "-{t}", "helper({t}, y={t})", "helper({t})", "abs({t})", "max({t}, {t})", "min({t}, {t}, {t})", "sum([{t}, {t}])",
        "sum(e for e in v if e > {g})", "max(v)", "min(outs)", "{t} / 2", "{t} ** 2", "step({t})", "step()",
        "later(lambda e: e * {t}, {t})", "static_helper({t})", "net({t})", "recurse({t}, 2)",
        "({o} if found is not None else {t})", "({t} and {t})", "({t} or {t})", "many({t}, {t}, k=1.0)", "many(*{q})",
        "sum([e * {t} for e in v])", "v[m % 2]", "box.scaled({t})", "Box.twice({t})",
        "sum(map(helper, {q}))", "[{t}, {t}][{i} % 2]", "{{'p': {t}, 'r': {t} }}['p']", "sorted([{t}, {t}])[0]",
        "paddle.where({t} > 0, {t}, {t})", "(found or {t})", "({t} % 3)", "({t} // 2)", "picks[{w0}]({t})", "{v}.max()",
        "{v}[{i} % 2]", "{q}[0]", "{v}.sum(axis=0 if {c} else None)",
        "F.mse_loss({v}, w, reduction=word if word == 'sum' else 'mean')", "F.leaky_relu({t}, {g})",
        "note({t})",
    ),
    "v": ("v", "w", "v", "w", "v * 2.0", "v[::-1]"),
    "v+": (
        "({v} + {v})", "({v} * {t})", "paddle.stack([{t}, {t}])", "({v} if {c} else {v})", "paddle.where({v} > {t}, {v}, {v})",
        "{v}.clip(-2, 2)", "paddle.full([2], {g})", "F.softmax({v}, axis=-1 if {c} else 0)", "paddle.clip({v}, min={g})",
        "F.linear({v}, EYE, w if {c} else None)",
    ),
    "i": ("k", "n", "0", "1", "2", "3", "k", "len(outs)", "box.count", "d['n']", "nums[0]", "len(word)", "v.shape[0]"),
    "i+": (
        "({i} + {i})", "({i} - {i})", "({i} * 2)", "({i} // 2)", "({i} % 3)", "-{i}", "abs({i})", "max({i}, {i})",
        "min({i}, 2)", "({i} if {c} else {i})", "int(flag)", "int({t} > 1)", "round({g})", "sum(nums)",
        "len([e for e in v if e > {g}])", "nums[-1]", "({i} or 2)", "({i} and {i})", "divmod({i}, 2)[0]",
        "({i} ** 2) % 7", "bool({i}) + 1", "int(m)", "(9 if {i} in (1, 2) else {i})", "sum(1 for e in {q})",
        "[4, 5, 6][{i} % 3]",
    ),
    "g": ("0.5", "1.5", "-1.0", "g", "g", "k / 2"),
    "g+": (
        "({g} + {i})", "({g} * {g})", "({g} if {c} else {i})", "float({i})", "min({g}, 1.5)", "round({g}, 1)", "abs({g})",
        "({g} if {c} else {g})",
    ),
    "c": (
        "flag", "n > 2", "found is None", "found is not None", "k > 1", "word == 'a'", "outs", "isinstance(k, int)", "x > y",
        "m > 1", "found",
    ),
    "c+": (
        "{t} > {t}", "{t} < {g}", "{t} >= {t}", "{i} < {i}", "{t} == {t}", "{t} != 1.0", "not {c}", "-1 < {t} <= {t}",
        "{i} <= {i} < 5", "({c} and {c})", "({c} or {c})", "{t} > {t}", "found is not None and found > {g}",
        "any(e > {g} for e in v)", "all(e < 2 for e in {v})", "len(outs) > {i}", "word in ('a', 'bb')",
        "isinstance(found, paddle.Tensor)", "{t} in [x, 0.0]", "{t}", "{i}", "bool({t})", "(t := {t}) > 1", "{w} == {w}",
        "word != 'b' and {c}", "other is box", "{c} == {c}", "({c} if {c} else {c})", "'a' in d", "{i} % 2 == 0", "nums",
        "{g} > 0", "any([{c}, {c}])", "({v} > 0).all()", "paddle.isfinite({t})", "same is outs", "callable(step)",
        "word.startswith('a')",
    ),
    "w": ("'a'", "'b'", "word", "word"),
    "w+": (
        "('a' if {c} else 'bb')", "word + 'b'", "word.upper()", "('x' * 2)", "(word or 'e')", "['a', 'b'][{i} % 2]",
        "('pos' if {t} > 0 else word)", "word[:1]", "str(n)",
    ),
    "w0": ("'up'", "'down'", "('up' if n > 1 else 'down')"),
    "o": ("found", "found", "None", "x"),
    "o+": ("({t} if {c} else None)", "(None if {c} else {t})", "maybe({t})", "(found if {c} else {t})"),
    "q": ("outs", "marks", "[x, y]"),
    "q+": (
        "[{t}, {t}]", "outs + [{t}]", "[e * 2 for e in marks]", "[e for e in {q} if e > {g}] + [x]", "list(v)", "outs[:2]",
        "[*outs, {t}]", "[e + f for e, f in zip(v, w)]",
    ),
    "a": (
        "{t}", "{i}", "{c}", "{g}", "{w}", "found", "d", "outs", "k", "({t}, {i})", "pair", "nums", "{o}", "{v}", "[{t}, k]",
        "f'{{k}}:{{word}}'", "{{'u': {t} }}",
    ),
    "simple": (
        "x = {t}", "y = {t}", "s = {t}", "s += {t}", "x -= {t}", "k = {i}", "k += {i}", "k *= 2", "g = {g}", "g -= 1",
        "flag = {c}", "flag = not flag", "word = {w}", "word += 'b'", "found = {o}", "found = None", "found = {t}",
        "outs.append({t})", "outs.append({t})", "marks.append({t})", "outs.extend([x, {t}])", "outs = [{t}]", "outs = {q}",
        "outs[0] = {t}", "outs[-1] = {t}", "nums.append({i})", "nums[0] = {i}", "nums = [{i}, 2]", "outs.insert(0, {t})",
        "s = s + (marks.pop() if len(marks) > 1 else x)", "s = s + marks.pop() if marks else s", "d['a'] = {t}", "d['n'] += 1",
        "d['n'] = {i}", "d.update(a={t})", "d['b'] = {t}", "d.pop('b', None)", "s = s + d.get('b', 0.0)",
        "d = {{'a': {t}, 'n': k }}", "e2 = dict(d, a={t})", "box.value = {t}", "box.count += 1", "box.add({t})",
        "other.value = {t}", "other = Box({t})", "other = box", "box.items.append({t})", "x, y = y, x", "x, y = {t}, {t}",
        "pair = ({t}, {i})", "first, *rest = [{t}, {t}, {t}]", "(s, k) = ({t}, {i})", "*_, s = outs", "w = v", "w = v * 1.0",
        "same = outs", "same = list(outs)", "y = x", "v[0] = {t}", "v[{i} % 2] = {t}", "v = {v}", "v.add_(v)", "x.scale_(0.5)",
        "w[1] = {t}", "w = w * {g}", "v *= 2", "w += {v}", "print('p', {t}, k)", "print(f'{{k}} {{s}} {{word}}')",
        "print({w}, {i}, {c})", "print(f'{{x:.2f}}', end=';')", "assert {c}, 'assertion'", "assert {c}",
        "assert {t} < 50, f'big {{k}}'", "z = {t}", "t = {t}", "s = s + z", "s = s + t", "del z", "last = marks[-1]",
        "def step(e=y):\n    return e + 1 if e > {g} else e * 2", "step = lambda e=x: e * {g}",
        "s = (lambda e, f={g}: e * f)({t})", "net.count += 1", "net.scale = {g}", "total = {a}", "total = {a}", "grow({t})",
        "grow({t})", "x = inner({t})", "s = {t} if (u := {t}) > 0 else x", "if (u := {t}) > {g}: s = u",
        "nums.sort()", "nums.reverse()", "outs = outs[::-1]", "outs = sorted(outs)",
        "box = Box({t}) if {c} else box", "SEEN.clear()", "s = net(s)", "setattr(box, 'value', {t})",
        "s = getattr(box, 'value')", "x = x.detach()", "k, g = g, k", "nums = [e * 2 for e in nums if e > {i}] + [1]",
        "s = s + sum(d2 for d2 in (x, y) if d2 > {g})", "pair = pair[::-1]",
        "k = nums.pop() if nums else k", "outs.clear()", "s = paddle.stack(outs).sum() if outs else s",
        "s = paddle.concat([v, w]).sum()", "rows = [{v}, {v}]", "s = s + outs.pop()",
        "global SCALE; s = s * SCALE", "nested = [[{t}], [{t}]]; nested[0].append(x); s = nested[0][-1]", "z: object = {t}",

    ),
    "jump": (
        "return {t}", "return {t}, k", "return word, found", "return {a}", "return", "raise ValueError('bad')",
        "raise ValueError(f'bad {{k}}')", "raise KeyError(word)", "raise MyError(k)",
    ),
    "loopjump": ("break", "break", "continue", "continue", "return {a}"),
    "compound": (
        "if {c}:\n    {B}", "if {c}:\n    {B}\nelse:\n    {B}", "if {c}:\n    {B}\nelif {c}:\n    {B}\nelse:\n    {B}",
        "if {c}:\n    {B}\nelif {c}:\n    {B}", "if {c}:\n    {B}", "if {c}:\n    {B}\nelse:\n    {B}",
        "try:\n    {B}\nfinally:\n    k += 1",
        "try:\n    {B}\nexcept TypeError:\n    {B}\nelse:\n    {B}\nfinally:\n    s = s + 1",
        "with scope('in'):\n    {B}",
        "with paddle.no_grad():\n    {B}",
        "match {i}:\n    case 1:\n        {B}\n    case 2 | 3:\n        {B}\n    case _:\n        {B}",
        "match word:\n    case 'a':\n        {B}\n    case other_word:\n        {B}",
        "match pair:\n    case (p, 1):\n        {B}\n    case (p, _) if {c}:\n        {B}",
        "def local(a, b={t}):\n    {F}\n    return a + b\ns = s + local({t})",
        "def local(e):\n    nonlocal k\n    k += 1\n    {F}\n    return e\nx = local({t})",
    ),
    "loop": (
        "{j} = 0\nwhile {j} < {e}:\n    {j} += 1\n    {L}", "{j} = 0\nwhile {j} < {e} and {c}:\n    {j} += 1\n    {L}",
        "for {j} in {r}:\n    {L}", "for {j} in {r}:\n    {L}", "for x in v:\n    {L}",
        "for {j}, e in enumerate({z}):\n    s = s + e\n    {L}", "for e, f in zip({z}, {z}):\n    {L}",
        "for e in reversed({z}):\n    {L}", "for {j} in {r}:\n    {L}\nelse:\n    {B}",
        "{j} = 0\nwhile {j} < {e}:\n    {j} += 1\n    {L}\nelse:\n    {B}", "for e in {q}:\n    {L}",
        "for key, value in d.items():\n    {L}",
        "{j} = 3\nwhile True:\n    {j} -= 1\n    if {j} < 0 or {c}:\n        break\n    {L}",
        "for {j}, (e, f) in enumerate(zip(v, w)):\n    {L}", "for e in list(outs):\n    {L}",
        "{j} = 0\nwhile len(outs) < {e} and {j} < 4:\n    {j} += 1\n    outs.append({t})\n    {L}",
        "{j} = 0\nwhile ({j} := {j} + 1) < {e}:\n    {L}",
    ),
    "e": ("3", "m", "n", "m + 1", "2"),
    "r": (
        "range(m)", "range(3)", "range(n)", "range(n, m)", "range(m, 0, -1)", "range(3, -1, -2)", "range(0, m, 2)", "[1, 2]",
        "nums", "range(len(outs))", "(1, 0)",
    ),
    "z": ("v", "w", "marks", "[1.0, 2.0]", "v[::-1]", "(x, y)", "[e * 2 for e in v]"),
    "end": (
        "s, k, word, found", "x + y, d, box.value, box.count", "outs, len(outs), flag", "marks, v, k", "word, found, t",
        "x, y, w, g", "{{'s': s, 'nums': nums, 'pair': pair}}", "s, len(same), other is box, box.items",
        "net.count, net.last, s", "total, k", "[s, outs, None], (k, word)", "y, u", "f'{{k}} {{word}} {{s}}', flag", "s",
    ),
}  # fmt: skip

# words that no Program has: a list grows while an expression holds it
BREAKING = {
    "t+": (
        "paddle.stack([{v}, w]).max(axis={i} % 2).sum()",
        "next(e for e in {q})",
        "last_of(outs, note({t}))", "(outs + [note({t})])[-2]", "last_of(box.items, box.kept({t}))",
        "(len(box.items) * box.kept({t}))",
    ),
    "v+": (
        "paddle.roll({v}, {i})",
    ),
    "simple": (
        "k = len(set(nums))",
        "table = {{e: e * k for e in nums}}",
        "nums[1:] = [{i}]",
        "del outs[1:]",
        "word = f'{{word}}{{k}}'",
        "k = nums.index(nums[-1]) if nums else 0",
        "print(found)",
    ),
    "compound": (
        "try:\n    {B}\nexcept MyError as err:\n    k = err.args[0]",
        "try:\n    {B}\nexcept AssertionError as err:\n    {B}",
        "try:\n    {B}\nexcept (KeyError, ValueError):\n    {B}",
    ),
    "i+": (
        "recurse({i}, 3)",
    ),
}  # fmt: skip

# Statements before the others, each there when its names are used.
START = (
    "s = x * 0.0", "k = 0", "g = 0.5", "word = 'a'", "found = None", "flag = False", "outs = [y]", "marks = [x]", "nums = [1, 2]",
    "d = {'a': x, 'n': 0}", "w = v * 1.0", "total = None", "box = other = Box(x)", "same = outs", "pair = (x, 1)",
    "def step(e=y):\n        return e + 1 if e > 0 else e * 2",
    "def grow(e):\n        nonlocal s, k\n        s = s + e\n        k += 1",
    "def note(e):\n        if e > 1:\n            outs.append(e)\n        return e",
    "def inner(e):\n        if e > 1:\n            return e - k\n        return e * g",
)  # fmt: skip


def _with(grammar, *more):
    return {kind: (*words, *(word for table in more for word in table.get(kind, ()))) for kind, words in grammar.items()}


# the words for objects come twice: they are to be seen among those that are there anyway
_OBJECTS = (random_objects.WORDS, random_objects.WORDS)
_BREAKING = (random_objects.BREAKING, random_objects.BREAKING)
GRAMMARS = {  # by: with objects, with what breaks
    (False, False): GRAMMAR,
    (False, True): _with(GRAMMAR, BREAKING),
    (True, False): _with(GRAMMAR, *_OBJECTS),
    (True, True): _with(GRAMMAR, BREAKING, *_OBJECTS, *_BREAKING),
}
_PART = re.compile(r"\{(\w+)\}")

CALLS = [
    (T(1.0), T(2.0), T([1.0, -1.0]), T(2, "int64"), 1),
    (T(-1.0), T(0.5), T([3.0, 2.0]), T(0, "int64"), 3),
    (T(2.0), T(-2.0), T([-1.0, 0.0]), T(3, "int64"), 3),
    (T(0.0), T(np.nan), T([0.5, np.inf]), T(1, "int64"), 1),
    (T(1.0), T(2.0), T([1.0, -1.0]), T(2, "int64"), 1),  # again: from the cache
]


class Writer:
    """Writes the text of one function ``f(x, y, v, m, n)``: two 0-D tensors, a vector, an int tensor and an int.

    ``objects``: with the words of `random_objects`, too; ``breaking``: with those that no Program has.
    """

    def __init__(self, seed, objects=False, breaking=False):
        self.random = random.Random(seed)
        self.loops = 0
        self.grammar = GRAMMARS[objects, breaking]
        self.start = (*START, *random_objects.START) if objects else START

    def expression(self, kind, depth):
        """The text of one {kind}; parts get simpler the deeper they are."""
        more = self.grammar.get(kind + "+")
        if more and self.random.random() < (0.75, 0.5, 0.2, 0)[min(depth, 3)]:
            return self.filled(self.random.choice(more), depth + 1)
        return self.filled(self.random.choice(self.grammar[kind]), depth + 1)

    def filled(self, text, depth=0, indent=0):
        return _PART.sub(lambda part: self.expression(part[1], depth), text.replace("{{", "\0").replace("}}", "\1")).replace(
            "\0", "{").replace("\1", "}")  # fmt: skip

    def statement(self, depth, loop):
        """Lines of one statement."""
        chance = self.random.random()
        if depth < 3 and chance < 0.45:
            kind = "compound" if chance < 0.27 else "loop"
            text = self.random.choice(self.grammar[kind])
            return self.lines(text, depth, loop)
        if chance > 0.9:
            return [self.filled(self.random.choice(self.grammar["loopjump" if loop and chance > 0.94 else "jump"]))]
        return self.filled(self.random.choice(self.grammar["simple"])).split("\n")

    def lines(self, text, depth, loop):
        """A compound statement: {B} is a block, {L} one of a loop, {F} one of a function."""
        self.loops += 1
        out = []
        for line in text.replace("{j}", f"i{self.loops}").split("\n"):
            pad = line[: len(line) - len(line.lstrip())]
            kind = line.strip()
            if kind in ("{B}", "{L}", "{F}"):
                for _ in range(self.random.randint(1, 2 if depth else 3)):
                    inside = kind == "{L}" or (loop and kind == "{B}")
                    out += [pad + part for part in self.statement(depth + 1, inside)]
            else:
                out.append(self.filled(line))
        return out

    def program(self, longest=1200):
        """A program of at most ``longest`` characters that Python compiles and that ends for all of `CALLS`."""
        while True:
            body = [line for _ in range(self.random.randint(2, 6)) for line in self.statement(0, False)]
            body.append("return " + self.filled(self.random.choice(self.grammar["end"])))
            text = "".join(f"    {line}\n" for line in body)
            for start in reversed(self.start):
                names = re.findall(r"^def (\w+)", start) or re.findall(r"(\w+) =", start)
                if any(re.search(rf"\b{name}\b", text) for name in names):
                    text = f"    {start}\n" + text
            text = "def f(x, y, v, m, n):\n" + text
            if len(text) <= longest and _compiles(text) and _ends(text):
                return text


def _compiles(text):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compile(text, "<draft>", "exec")
    except (SyntaxError, SyntaxWarning):
        return False
    return True


class _Endless(BaseException):
    """The program ran more lines than it should: no `except` of its own catches this."""


def _ends(text, longest=3000):
    """Whether the program runs at most ``longest`` lines of its own in each call: a list may grow while it is looped over."""

    def entered(frame, event, arg):
        return stepped if frame.f_code.co_filename.startswith(NAME) else None

    def stepped(frame, event, arg):
        nonlocal left
        left -= 1
        if left < 0:
            raise _Endless
        return stepped

    old_trace = sys.gettrace()
    try:
        for call in CALLS:
            function, left = compiled(text)[0], longest
            with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                sys.settrace(entered)
                function(*fresh(call))
    except _Endless:
        return False
    finally:
        sys.settrace(old_trace)
    return True


# the world of the programs ------------------------------------------------------------------------------------------------


class MyError(Exception):
    """An error of the user's."""


class Box:
    def __init__(self, value):
        self.value = value
        self.count = 0
        self.items = [value]

    def add(self, other):
        if other > 0:
            self.value = self.value + other
            self.count += 1

    def scaled(self, by):
        return self.value * by if by < 2 else self.value

    def kept(self, value):
        if value > 0:
            self.items.append(value)
        return value

    @staticmethod
    def twice(value):
        return value * 2


class Net(paddle.nn.Layer):
    """A Layer with state: a buffer that `forward` changes, and plain attributes."""

    def __init__(self):
        super().__init__()
        self.register_buffer("last", paddle.to_tensor(0.5))
        self.count = 0
        self.scale = 2.0

    def forward(self, x):
        y = x * self.scale + self.last
        if y > 3:
            self.last = self.last * 0.5
            y = y - 1
        return y


def helper(x, y=0):
    if x > y:
        return x - y
    return y


def many(first, *rest, k=0.5, **options):
    for item in rest:
        if item > 0:
            first = first + item * k
    return first


def last_of(items, other):
    return items[-1] + other if items else other


def later(function, value):
    return function(value) if value > -1 else value


def recurse(x, depth):
    return x if depth == 0 else recurse(x + 1, depth - 1)


def maybe(x):
    if x > 0:
        return x
    return None


@contextlib.contextmanager
def scope(name):
    yield name


def static_helper(x):
    trips = 0
    while x > 4 and trips < 3:
        x = x / 2
        trips += 1
    return x + trips


def compiled(text):
    """The live function of ``text``, with its source readable, and what of its world it may change."""
    name = f"{NAME} {next(_number)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    net, objects = Net(), random_objects.world()
    namespace = {
        **objects,
        "helper": helper, "many": many, "later": later, "recurse": recurse, "maybe": maybe, "scope": scope, "Box": Box,
        "MyError": MyError, "static_helper": paddle.jit.to_static(static_helper), "net": net, "paddle": paddle,
        "F": paddle.nn.functional, "EYE": paddle.eye(2), "SCALE": 1.5,
        "SEEN": [], "picks": {"up": lambda e: e + 1, "down": lambda e: e - 1}, "__name__": "random_program",
    }  # fmt: skip
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"], (net, objects["mem"], objects["Account"])
