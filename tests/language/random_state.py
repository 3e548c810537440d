"""Random programs that carry state: buffers, tensors in plain objects, lists and dicts, that calls and callers move and change.

A program is a generator: it makes a network (`Net`), calls it several times, changes things between the calls, and yields what it
gets. All that was ever yielded is looked at again after each step, with which of these tensors are one object (`steps_of`).
"""

from __future__ import annotations

import collections
import copy
import linecache
import random
import warnings
from itertools import count

import numpy as np

import to_static as paddle
from to_static import nn
from to_static.core.errors import ToStaticError

T = paddle.to_tensor
_number = count()
PLACES = ("self.a", "self.b", "self.c", "self.d", "self.sub.a", "self.sub.c", "box.h", "box.g", "self.table['k']", "t", "u", "x")
SAVED_PLACES = ("self.a", "self.b", "self.sub.a", "self.sub.b", "t", "u", "x")
TARGETS = tuple(place for place in PLACES if place != "x")
VALUES = (
    "{p}", "{p}", "{p}", "{p} + {q}", "{p} * 0.5", "x", "x * 2.0", "x * 1.0", "{p} - {q}", "{p}.clone()", "{p}.detach() * 1.0",
    "paddle.maximum({p}, {q})", "paddle.zeros([2])", "self.helper({p}, {q})", "0.9 * {p} + 0.1 * {q}", "paddle.tanh({p})",
    "paddle.where({p} > {q}, {p}, {q})", "({p} if {c} else {q})", "sum([{p}, {q}])",
)  # fmt: skip
VIEWS = ("{p}.detach()", "{p}.reshape([2])", "self.w.detach()", "{p}[0:2]", "x.detach()", "{p}.unsqueeze(0)[0]")  # not in files
BOUND = (
    "{w} = {e}", "{w} = {e}", "{w} = {e}", "{w} = {p}", "{w} = {p}", "{w}, {v} = {q}, {p}", "{w}, {v} = {p}, {e}",
    "{w} = {v} = {e}",
    "{w} = {w} + {e}", "{w} = {w} + x", "setattr(self, {n!r}, {e})", "self.put({e})", "t = self.take({e})", "t = {p}", "u = {p}",
    "{w} = self.sub(x)",
)  # fmt: skip
HELD = (
    "self.items.append({p})", "self.items = [*self.items, {p}][-2:]", "self.table['k'] = {p}", "self.items[-1] = {e}",
    "self.kept = ({p}, {q})", "{w} = self.kept[0]", "{w} = self.items[0]", "self.items.pop() if len(self.items) > 1 else None",
    "queue.append({p})", "{w} = queue[0]", "box.pair = [{p}, {q}]", "out.append({p})", "out[0] = {p}", "self.table = {{'k': {p}}}",
    "self.none = {p}", "{w} = {e} if self.none is None else self.none",
)  # fmt: skip
CHANGED = ("{w}.add_({e})", "{w}.set_value({p})", "{w} += {e}", "{w}[0] = ({e})[1]", "{w}.scale_(0.5)", "{w}[:] = {e}")
WEIGHTS = ("{w} = {p} * self.w", "{w} = (self.w * x).detach()", "t = self.w * {p}", "self.w.set_value(self.w.detach() * 0.5)")
CONDITIONS = (
    "x.sum() > {p}.sum()", "x[0] > 4", "{p}[0] > {q}[1]", "self.training", "self.n > 1", "x.sum() % 2 > 0", "len(self.items) > 1",
)  # fmt: skip
CALLER = (
    "net.a.add_(T([100.0, 1.0]))", "net.c.add_(T([50.0, 2.0]))", "first(r).add_(T([1000.0, 3.0]))", "x.add_(T([7.0, 7.0]))",
    "net.a = T([5.0, 6.0])", "net.a = net.b", "net.c = net.a", "net.b = x", "net.eval()", "net.train()", "box.h = net.a",
    "net.sub.a.set_value(T([1.0, 2.0]))", "net.items.clear(); net.items.append(net.a)", "box.g.add_(T([3.0, 3.0]))",
    "net.set_state_dict(net.state_dict())", "net.set_state_dict({k: v * 2.0 for k, v in net.state_dict().items()})",
    "net.a, net.b = net.b, net.a", "net.table['k'] = net.a", "net = copied(net)", "yield net(net.a), look(net)",
    "with paddle.no_grad(): yield net(T([2.0, 9.0])), look(net)", "net.n += 1", "yield other(x), look(other)", "net.sub.a = net.a",
)  # fmt: skip


class Box:
    """A plain object that holds tensors."""

    def __init__(self):
        self.h, self.g, self.pair = T([0.0, 1.0]), T([2.0, 0.0]), []


class Part(nn.Layer):
    """Buffers, one of them with a name that others have, too."""

    def __init__(self):
        super().__init__()
        self.register_buffer("a", T([0.0, 2.0]))
        self.register_buffer("b", T([1.0, 0.5]))
        self.c, self.d = T([3.0, 0.0]), T([0.0, 4.0])

    def forward(self, x):
        old = self.a
        self.a = x * 1.0
        return old


class Base(Part):
    """What the networks of all programs have."""

    def __init__(self):
        super().__init__()
        self.sub = Part()
        self.w = self.create_parameter([2], default_initializer=nn.initializer.Constant(1.5))
        self.items, self.table, self.kept, self.none, self.n = [T([1.0, 1.0])], {"k": T([2.0, 2.0])}, (T([0.5, 0.0]), None), None, 0

    def helper(self, p, q):
        if p.sum() > q.sum():
            return p
        return q * 1.0

    def put(self, value):
        self.b = self.a
        self.a = value

    def take(self, value):
        old = self.c
        self.c = value
        return old


class Stateful:
    """``program()`` is the text of a program that moves state; ``saved``: one of a network whose state files have."""

    def __init__(self, seed: int, saved: bool = False) -> None:
        self.random = random.Random(f"state {seed}")
        self.saved = saved
        self.loops, self.looped = 0, False
        self.places = SAVED_PLACES if saved else PLACES
        self.changes, self.weighs = self.random.random() < 0.4, self.random.random() < 0.25

    def program(self) -> str:
        """The text."""
        body = self.block(self.random.randint(2, 6), 2)
        head = ["t = u = x * 1.0"] if self.random.random() < 0.5 else ["t = self.a", "u = x"]
        takes = "x" if self.saved or self.random.random() < 0.8 else "x, out"
        if takes == "x":
            body = [line.replace("out.append", "queue.append").replace("out[0]", "queue[0]") for line in body]
        head += self.random.sample(["self.n = self.n + 1", "old = self.a"], self.random.randint(0, 2))
        ends = [self.value() for _ in range(self.random.randint(1, 3))] + ["old"] * any("old" in line for line in head)
        end = ends[0] if len(ends) == 1 else f"[{', '.join(ends)}]" if self.random.random() < 0.5 else f"({', '.join(ends)})"
        lines = ["class Net(Base):", f"    def forward(self, {takes}):"]
        lines += [f"        {line}" for line in [*head, *body, f"return {end}"]]
        if self.saved:
            return "def f():\n" + "".join(f"    {line}\n" for line in [*lines, "return Net()"])
        call = "net(x)" if takes == "x" else "net(x, out)"
        lines += ["box, queue, out = Box(), collections.deque([T([4.0, 4.0])], maxlen=3), [T([8.0, 0.0])]"]
        lines += ["net, other = static(Net()), static(Net())"]
        for i in range(self.random.randint(4, 6)):
            lines += [f"x = T([{self.random.choice([1.0, 3.0, 6.0])}, {i}.0])", f"r = {call}"]
            lines += ["yield r, look(net), box.h, box.g, box.pair, list(queue), out"]
            if self.weighs and self.random.random() < 0.5:
                lines += ["first(r).sum().backward()", "yield net.w.grad", "net.clear_gradients()"]
            if takes == "x" and self.random.random() < 0.6:
                calm = tuple(line for line in CALLER if "add_" not in line and "set_" not in line)
                lines.append(self.random.choice(calm if self.looped else CALLER))
        return "def f(static):\n" + "".join(f"    {line}\n" for line in lines)

    def block(self, length: int, depth: int) -> list[str]:
        return [line for _ in range(length) for line in self.statement(depth)]

    def statement(self, depth: int) -> list[str]:
        kind = self.random.random()
        inner = [f"    {line}" for line in self.block(self.random.randint(1, 2), depth - 1)] if depth and kind < 0.4 else []
        if inner and kind < 0.25:
            made = [f"if {self.condition()}:", *inner]
            if self.random.random() < 0.5:
                made += ["else:", *(f"    {line}" for line in self.block(1, depth - 1))]
            return made
        if inner and kind < 0.33:
            # what an iteration makes is no longer one tensor under two names: nothing changes in place in such programs
            trips = self.random.choice(["2", "3"] if self.changes else ["2", "3", "x[0].astype('int64') % 3"])
            self.looped = self.looped or "x" in trips
            return [f"for _ in range({trips}):", *inner]
        if inner and kind < 0.36 and not self.changes:
            self.looped = True
            self.loops += 1
            i = f"i{self.loops}"
            return [f"{i} = paddle.zeros([], 'int32')", f"while {i} < 2:", f"    {i} = {i} + 1", *inner]
        if inner:
            return ["with paddle.no_grad():", *inner]
        # lists that change where tensors decide hold copies: these are for the outermost block
        lists = ("items", "out", "queue", "pair")
        held = HELD if depth == 2 else tuple(text for text in HELD if not any(name in text for name in lists))
        rows = [BOUND, BOUND, BOUND, *([] if self.saved else [held, CHANGED][: 1 + self.changes]), *[WEIGHTS][: self.weighs]]
        return [self.filled(self.random.choice(self.random.choice(rows)))]

    def filled(self, text: str) -> str:
        targets = [place for place in self.places if place != "x"]
        w, v = self.random.sample(targets, 2)
        p, q = self.random.choices(self.places, k=2)
        return text.format(w=w, v=v, p=p, q=q, e=self.value(), n=self.random.choice(["a", "b"] if self.saved else ["a", "c", "d"]))

    def value(self) -> str:
        p, q = self.random.choices(self.places, k=2)
        return self.random.choice(VALUES if self.saved else (*VALUES, *VIEWS)).format(p=p, q=q, c=self.condition())

    def condition(self) -> str:
        p, q = self.random.choices(self.places, k=2)
        names = [c for c in CONDITIONS if not self.saved or "self." not in c]
        return self.random.choice(names).format(p=p, q=q)


def look(net):
    """What a network holds."""
    held = [net.a, net.b, net.c, net.d, net.sub.a, net.sub.b, net.sub.c, net.items, net.table, net.kept, net.none, net.n, net.w]
    return [list(x) if type(x) is list else dict(x) if type(x) is dict else x for x in held]


def tensors(value):
    """The tensors in a structure, in order."""
    if isinstance(value, paddle.Tensor):
        return [value]
    value = list(value.values()) if isinstance(value, dict) else value
    return [x for item in value for x in tensors(item)] if isinstance(value, (list, tuple)) else []


def _form(value):
    if isinstance(value, paddle.Tensor):
        return value.dtype.name, list(value.shape), value.stop_gradient
    if isinstance(value, dict):
        return {key: _form(item) for key, item in value.items()}
    return (type(value).__name__, [_form(item) for item in value]) if isinstance(value, (list, tuple)) else value


def compiled(text):
    """The live generator function of a program."""
    name = f"<random state {next(_number)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace = {
        "paddle": paddle, "nn": nn, "T": T, "Base": Base, "Box": Box, "look": look, "collections": collections,
        "first": lambda value: tensors(value)[0], "copied": copy.deepcopy, "__name__": "random_program",
    }  # fmt: skip
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


def steps_of(text, static):
    """What can be seen of a program after each step. An error ends it, and is the last."""
    kept, steps = [], []
    program = compiled(text)(static)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while True:
            try:
                value = next(program)
            except StopIteration:
                return steps
            except ToStaticError:
                return [*steps, ("refused",)]
            except Exception as error:
                return [*steps, ("error", type(error).__name__)]
            kept += tensors(value)
            places = {id(t): i for i, t in reversed(list(enumerate(kept)))}
            steps.append((_form(value), [np.round(t.numpy(), 3).tolist() for t in kept], [places[id(t)] for t in kept]))


def calls_of(net, count=6):
    """What calls of a network give, as numbers."""
    inputs = [T([[1.0, 3.0, 6.0][i % 3], float(i)]) for i in range(count)]
    return [[np.round(t.numpy(), 3).tolist() for t in tensors(net(x))] for x in inputs]
