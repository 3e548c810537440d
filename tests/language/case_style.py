"""Programs of model authors: Python as they write it"""

import abc
import dataclasses
import enum
import functools
import itertools
import logging
import math
from typing import NamedTuple, Optional

import numpy as np
from language_table import NEG, POS, T, case, network, refused, scenario

import to_static as paddle
from to_static import nn
from to_static.nn import functional as F


def normal(*shape, seed=0):
    return T(np.random.RandomState(seed).standard_normal(shape))


def ints(*values):
    return T(values, "int64")


REG = {}


def register(name=None):
    def deco(fn):
        REG[name or fn.__name__] = fn
        return fn

    return deco


@register("leaky")
def leaky(x, slope=0.1):
    return x if x.sum() > 0 else x * slope


@register()
def swish(x):
    return x * F.sigmoid(x)


@register("clip6")
class Clip6(nn.Layer):
    def forward(self, x):
        if x.max() > 1.5:
            x = x.clip(max=1.5)
        return x


def build_act(name):
    a = REG[name]
    return a() if isinstance(a, type) else a


@dataclasses.dataclass(frozen=True)
class Config:
    dims: tuple = (2, 3, 2)
    acts: tuple = ("leaky", "swish", "clip6")
    dropout: float = 0.0
    residual: bool = True

    def __post_init__(self):
        if len(self.dims) != len(self.acts):
            raise ValueError("dims")

    @property
    def depth(self):
        return len(self.dims)

    @classmethod
    def small(cls):
        return cls(dims=(2, 2, 2))


@network("a network from a frozen dataclass, a registry and factories", normal(2, 2), -POS.unsqueeze(0))
class FromConfig(nn.Layer):
    def __init__(self):
        super().__init__()
        cfg = Config.small()
        self.cfg = cfg
        self.stack = nn.LayerList([nn.Linear(a, b) for a, b in zip((2,) + cfg.dims[:-1], cfg.dims)])
        self.acts = [build_act(a) for a in cfg.acts]

    def forward(self, x):
        for i in range(self.cfg.depth):
            h = self.acts[i](self.stack[i](x))
            x = x + h if self.cfg.residual and h.shape == x.shape else h
        return x


class Mode(enum.Enum):
    MEAN = "mean"
    SUM = "sum"
    NONE = "none"


class Reduce(enum.IntEnum):
    LOW = 0
    HIGH = 5


@case("modes of an enumeration", (POS, "mean"), (NEG, "sum"), (POS, "none"), (NEG, "none"))
def enum_mode(x, mode):
    mode = Mode(mode)
    x = x * 2 if x.sum() > Reduce.LOW else x - Reduce.HIGH
    if mode is Mode.MEAN:
        return x.mean()
    elif mode == Mode.SUM:
        return x.sum()
    chosen = Mode.MEAN if x[0] > 0 else Mode.SUM
    return {Mode.MEAN: x.mean, Mode.SUM: x.sum}[Mode.MEAN](), chosen.value, chosen.name


class Base(nn.Layer, abc.ABC):
    registry = {}

    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        Base.registry[cls.__name__] = cls

    @abc.abstractmethod
    def body(self, x): ...
    def forward(self, x, *, return_aux: bool = False):
        y = self.body(x)
        y, aux = y if isinstance(y, tuple) else (y, None)
        if y.abs().max() > self.limit:
            y = y / y.abs().max()
        return (y, aux) if return_aux else y

    @property
    def limit(self):
        return 1.0

    @staticmethod
    def norm(x):
        return x / (x.abs().sum() + 1)

    @classmethod
    def create(cls, *a, **k):
        return cls(*a, **k)


class LogMixin:
    def note(self, **kw):
        self.notes = {**getattr(self, "notes", {}), **kw}


class Impl(LogMixin, Base):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    @property
    def limit(self):
        return super().limit * 0.5

    def body(self, x):
        self.note(seen=True)
        return self.norm(self.fc(x)), {"l1": x.abs().sum()}


@scenario("an abstract base class, a mixin, a property, a factory")
def abstract_mixin(to_static):
    paddle.seed(0)
    n = Base.registry["Impl"].create()
    run = to_static(n)
    return run(POS), run(NEG * 10, return_aux=True), run(POS, return_aux=True), n.notes


def retry(times):
    def deco(f):
        @functools.wraps(f)
        def wrapper(*args, **kwargs):
            for i in range(times):
                out = f(*args, attempt=i, **kwargs)
                if out.sum() > 1:
                    break
            return out, i

        return wrapper

    return deco


@case("a decorator with arguments that retries", POS, NEG, T([0.1, 0.1]))
def retrying(x):
    @retry(times=3)
    def grow(v, *, attempt, gain=1.0):
        return v * (attempt + 1) * gain

    return grow(x, gain=2.0)


@functools.singledispatch
def show(v):
    return paddle.zeros([])


@show.register
def _(v: list):
    return sum(show(i) for i in v)


@show.register(dict)
def _(v):
    return show(list(v.values()))


@show.register(paddle.Tensor)
def _(v):
    return v.sum() if v.sum() > 0 else -v.sum()


@case("`singledispatch` over a nested structure", ([POS, {"a": NEG, "b": [POS * 2]}],), ([],))
def dispatching(tree):
    return show(tree)


@functools.lru_cache(maxsize=None)
def table(n):
    return tuple(math.sin(i) for i in range(n))


@case("a cached table of Python numbers", normal(3), normal(5))
def cached_table(x):
    t = paddle.to_tensor(list(table(x.shape[0])))
    return x * t if (x * t).sum() > 0 else x / (1 + t)


def make_counter(step=1):
    total = 0

    def count(v):
        nonlocal total
        if v > 0:
            total += step
        return total

    return count


@case("counters in closures", T([1.0, -1.0, 2.0]), T([-1.0]))
def closure_counter(x):
    up, down = make_counter(), make_counter(-2)
    seen = [up(v) + down(-v) for v in x]
    return seen, up(x[0]), down(x[0])


def compose(*fs):
    return functools.reduce(lambda f, g: lambda *a, **k: g(f(*a, **k)), fs)


@case("functions composed of partials and lambdas", POS, NEG)
def composed(x):
    pipe = compose(functools.partial(paddle.scale, scale=2.0), lambda v: v + 1 if v.mean() > 0 else v - 1, paddle.tanh)
    return pipe(x)


def layers_of(x, widths):
    for i, w in enumerate(widths):
        y = x * w
        if y.sum() < 0:
            continue
        yield i, y


@refused("a generator that skips layers", (POS, (1.0, -1.0, 2.0)), (NEG, (1.0, -1.0, 2.0)), (NEG, (1.0,)))
def generator_layers(x, widths):
    total, n = paddle.zeros_like(x), 0
    for i, y in layers_of(x, widths):
        total = total + y * (i + 1)
        n += 1
    return total, n


def forward_all(f, *args, **kwargs):
    return f(*args, **{**kwargs, "bias": kwargs.get("bias", 0) + 1})


@case("`*args` and `**kwargs` handed on", POS, NEG)
def forwarding(x):
    def affine(a, b=2, *rest, bias, **other):
        y = a * b + bias + sum(rest)
        return y if y.mean() > 0 else y * len(other)

    args, kw = (x, 3), {"flag": True}
    return forward_all(affine, *args, **kw), forward_all(affine, x, bias=5, **kw), forward_all(affine, *args, x, x, **kw)


log = logging.getLogger("model")


@case("a logger in branches", POS, NEG)
def logs_inside(x):
    log.info("input %s", x.shape)
    if x.sum() > 0:
        log.debug("positive %s", x.sum())
        x = x * 2
    else:
        log.warning(f"negative {x.min()}")
    return x


class Out(NamedTuple):
    logits: paddle.Tensor
    hidden: Optional[paddle.Tensor] = None
    steps: int = 0


@case("a typed named tuple as the result", (POS, True), (NEG, True), (NEG, False))
def namedtuple_out(x, keep=True):
    out = Out(x * 2)
    if x.sum() > 0:
        out = out._replace(logits=out.logits + 1, steps=3)
    if keep:
        out = out._replace(hidden=x)
    return out, out.steps + 1, out._asdict()["logits"]


@case("optional arguments", (POS,), (NEG,), (POS, NEG), (NEG, None, 2.0), (POS, POS, 2.0, True))
def optional_args(x, other=None, scale: float = 1.0, verbose=False):
    other = x if other is None else other
    y = (x + other) * scale
    if verbose and y.sum() > 0:
        print("sum", y.sum())
    return y if other is not x or y.max() > 2 else None


@case("returns at every depth", POS, NEG, T([3.0, 0.1]), T([0.5, 5.0]))
def deep_returns(x):
    for i in range(3):
        if x[0] > 2:
            for j in range(3):
                if x[0] + j > 4:
                    return "inner", i, j
            else:
                return "else", i
        elif x[1] < 0:
            try:
                if i > 0:
                    return "try", i, x
            finally:
                x = x - 1
        while x[1] > 1:
            x = x / 2
            if x[1] < 1.2:
                return "while", x
        x = x + 1
    return "end"


@case("`item()`, `float()`, `bool()`, walrus and comprehensions", T([1.0, 5.0, 2.0]), T([-1.0, -2.0]), T([0.0]))
def idioms(x):
    best = x.max().item()
    n_pos = sum(1 for v in x if v > 0)
    first_big = next((float(v) for v in x if v > 1), None)
    flags = [bool(v > 0) for v in x]
    if (m := x.mean()) > 0 and 0 < best <= 5:
        label = "ok" if n_pos >= 2 else "few"
    else:
        label = "bad"
    ratio = n_pos / len(x)
    return label, int(best), round(float(m), 2), ratio, any(flags), all(flags), first_big, [i for i, f in enumerate(flags) if f]


@case(
    "`match` with guards on tensors",
    (normal(3, 2), "mean"),
    (normal(3, 2), "max"),
    (-normal(3, 2).abs(), "first"),
    (normal(3, 2), "none"),
)
def match_pooling(x, kind):
    match kind:
        case "mean":
            y = x.mean(0)
        case "max" if x.max() > 0:
            y = x.max(0)
        case "first" | "max":
            y = x[0]
        case other:
            raise NotImplementedError(f"pooling {other!r}")
    return y


@case("recursion to a depth, with paths", (POS, 3), (NEG, 3), (POS, 0))
def recursion_depth(x, depth):
    def pyramid(v, d, path=()):
        if d == 0:
            return v, path
        if v.sum() > 0:
            return pyramid(v - d, d - 1, path + ("L",))
        return pyramid(v + d, d - 1, path + ("R",))

    return pyramid(x, depth)


@case("assertions and errors with messages", POS, NEG, T([0.0, 0.0]))
def asserts_and_raises(x):
    assert x.ndim == 1, "vector wanted"
    assert not paddle.isnan(x).any(), f"nan in {x}"
    total = x.sum()
    if total == 0:
        raise ValueError(f"zero sum: {total.item():.1f}")
    elif total < 0:
        raise RuntimeError("negative", x.shape[0])
    return x / total


@case("`sorted`, `zip(*pairs)`", T([3.0, 1.0, 2.0]), T([1.0]), T([2.0, 2.0]))
def zip_star(x):
    pairs = sorted(zip(x, range(len(x))), key=lambda p: p[0])
    values, index = zip(*pairs)
    return list(values), list(index), [a + b for a, b in itertools.pairwise(values)] if hasattr(itertools, "pairwise") else None
