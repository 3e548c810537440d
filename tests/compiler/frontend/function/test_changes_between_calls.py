"""Random programs whose surroundings change in all ways between calls: static calls see each change, as dynamic ones do."""

import importlib.util
import math
import random
import re
import threading

import numpy as np
import pytest
from daily import seeds

import to_static as paddle
from to_static.core.errors import ToStaticError

HEAD = """
import dataclasses, types
import to_static as paddle
from to_static import nn
from to_static.nn import functional as F

RATE, MODE, BANK, TABLE = 1.0, "a", paddle.ones([3]), {"k": 1.0, "deep": {"n": 2}}
UNREAD, SHARED = 0, [1.0, 2.0]

@dataclasses.dataclass
class Config:
    rate: float = 1.0
    depth: int = 1
    flag: bool = True

CONFIG = Config()

def make_cell():
    rate = 0.5
    def read():
        return rate
    def write(value):
        nonlocal rate
        rate = value
    return read, write

READ, WRITE = make_cell()

def helper(x, a):
    return x * a + RATE

class Inner(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc, self.gain, self.uses = nn.Linear(3, 3), 1.0, 0
    def forward(self, x):
        self.uses += 1
        return self.fc(x) * self.gain

class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.parts = nn.LayerList([Inner() for _ in range(2)])
        self.scale, self.step, self.flag, self.name = 1.0, 0, True, "n"
        self.config, self.items, self.options = Config(), [1.0, 2.0], {"p": 0.5}
        self.memory, self.last, self.seen, self.log = paddle.zeros([3]), None, None, []
        self.array = __import__("numpy").ones(3, "float32")
        self.act = lambda v: v * 2.0
        self.mid, self.block = nn.Linear(3, 3), nn.Sequential(nn.Linear(3, 3), nn.Tanh())
        self.register_buffer("total", paddle.zeros([3]))
        self.unread = 0
        self.state, self.cache, self.pair = (paddle.zeros([3]), 1.0), {"k": paddle.ones([3]), "n": 0}, [paddle.ones([3]), [0.5, 2]]
    def forward(self, x, a=1.0, b=2, c="s", d=None):
        y = x
"""
SNIPPETS = [
    "y = y * a", "y = y + b", "y = helper(y, a)", "y = y * self.scale", "y = y + self.step", "y = y * 2 if self.flag else y - 1",
    "y = self.parts[b % 2](y)",
    "y = self.mid(y)", "y = self.block(y)", "y = self.block[0](y) + self.mid(y)",
    "y = y * self.config.rate + self.config.depth", "y = y * CONFIG.rate", "y = y + READ()",
    "y = y + self.memory", "self.memory = y.mean(0).detach()", "self.last = y", "self.seen = {'m': y.mean(), 'k': b}",
    "self.step += 1", "self.step = b", "self.total = self.total * 0.5 + y.mean(0).detach()", "y = y + BANK",
    "y = y * TABLE['k'] + TABLE['deep']['n']", "y = self.act(y)", "y = y * self.items[0] + len(self.items)",
    "y = y * self.options['p']", "y = y + paddle.to_tensor(self.array)", "y = y * (2.0 if c == 's' else 3.0)",
    "y = y * (2.0 if MODE == 'a' else 3.0)", "y = y if a > 1.5 else -y", "y = y + (1 if self.scale > 1 else 2)",
    "for i in range(b % 3):\n            y = y + i * a", "y = y + (d['w'] if d else 0.0)", "y = F.leaky_relu(y, self.options['p'])",
    "y = y + [1.0, 2.0, 3.0][b % 3]", "y = y * 2 if self.training else y", "y = F.dropout(y, self.options['p'], training=False)",
    "self.log.append(float(b))", "y = y[: b % 2 + 1]", "y = y if self.last is None else y + 1",
    "y = y + 1 if y.mean() > a else y * 0.5",
    "y = y * max(a, self.scale)", "y = y + int(self.scale * 3) % 2", "y = y + self.step ** 2 % 5",
    "y = paddle.concat([y, y * a])[:2]",
    "y = y * self.state[1] + self.state[0]", "self.state = (y.mean(0), self.state[1])", "self.state = (self.state[0], float(b))",
    "y = y + self.cache['k'] * self.cache['n']", "self.cache['n'] += 1", "self.cache['k'] = y.mean(0).detach()",
    "self.cache['k'] = y.mean(0)", "y = y + self.pair[0] * self.pair[1][0]", "self.pair[1][1] = b",
    "y = y * 2 if self.cache['n'] > 1 else y", "y = y * 3 if self.pair[1] is SHARED else y",
    "self.cache['k'].add_(y.mean(0).detach())", "y = y + sum(self.pair[1])", "y = y * SHARED[0] + SHARED[1]",
    "self.pair[0].scale_(0.5)", "y = y * 2 if self.cache['k'] is BANK else y",
    "y = y + sum(v for v in self.cache.values())", "self.last = self.state[0]", "self.seen = self.pair",
    "if y.sum() > 0:\n            self.cache['n'] = 7",
    "if y.sum() > 0:\n            self.step = 7", "while y.abs().sum() < a:\n            y = y * 2 + 1",
]  # fmt: skip


def changes(draws, modules, nets):
    """A random change of both worlds."""
    kind, number, value = draws.randrange(45), draws.choice([1, 2, 3, 7]), round(draws.uniform(0.2, 3.0), 3)
    number = value if draws.random() < 0.6 else number
    which, seed = draws.randrange(2), draws.randrange(1000)
    for module, every in zip(modules, nets, strict=True):
        net = every[draws.__class__(seed).randrange(len(every))]
        tensor = paddle.to_tensor([value, 1.0, 2.0])
        if kind == 0:
            module.RATE = number
        elif kind == 1:
            module.MODE = "ab"[which]
        elif kind == 2:
            module.BANK = tensor
        elif kind == 3:
            module.TABLE["k"] = number
        elif kind == 4:
            module.TABLE = {"k": number, "deep": {"n": which}}
        elif kind == 5:
            module.WRITE(number)
        elif kind == 6:
            module.CONFIG.rate = number
        elif kind == 7:
            module.CONFIG = module.Config(number)
        elif kind == 8:
            net.scale = number
        elif kind == 9:
            net.step = which
        elif kind == 10:
            net.flag = bool(which)
        elif kind == 11:
            net.config = module.Config(number, which)
        elif kind == 12:
            net.config.rate = number
        elif kind == 13:
            net.items.append(number)
        elif kind == 14:
            net.items[0] = number
        elif kind == 15:
            net.options["p"] = value / 4
        elif kind == 16:
            net.memory = tensor
        elif kind == 17:
            net.array = np.full(3, value, "float32")
        elif kind == 18:
            net.array[which] = value
        elif kind == 19:
            net.act = (lambda k: lambda v: v * k)(number)
        elif kind == 20:
            (net.train if which else net.eval)()
        elif kind == 21:
            net.parts[which].gain = number
        elif kind == 22:
            paddle.seed(seed)
            net.parts[which] = module.Inner()
        elif kind == 23:
            net.total.set_value(tensor)
        elif kind == 24:
            net.unread, module.UNREAD, net.last = number, number, None
        elif kind in (25, 26):
            paddle.seed(seed)
            net.mid = paddle.nn.Linear(3, 3)
        elif kind == 27:
            paddle.seed(seed)
            net.block[0] = net.mid if which else paddle.nn.Linear(3, 3)
        elif kind == 28:
            paddle.seed(seed)
            net.mid.weight = paddle.nn.Linear(3, 3).weight
        elif kind == 29:
            every[0].mid, every[1].mid = every[1].mid, every[0].mid
        elif kind == 30:
            paddle.seed(seed)
            place = every.index(net)
            every[place] = module.Net()
            if module.__name__.startswith("static"):
                paddle.jit.to_static(every[place], full_graph=False)
        elif kind == 31:
            net.mid.weight.stop_gradient = bool(which)
        elif kind == 32:
            net.state = (tensor, number)
        elif kind == 33:
            net.state = (net.cache["k"], net.state[1])
        elif kind == 34:
            net.cache = {"k": tensor, "n": number}
        elif kind == 35:
            net.cache["n"] = number
        elif kind == 36:
            net.cache["k"] = module.BANK if which else tensor
        elif kind == 37:
            net.pair[1] = module.SHARED if which else [number, 1]
        elif kind == 38:
            net.pair = [tensor, [number, 2.0]]
        elif kind == 39:
            net.pair[1][0] = number
        elif kind == 40:
            module.SHARED[which] = number
        elif kind == 41:
            net.step = [True, number, "a", 2][seed % 4]
        elif kind == 42:
            net.cache = {"n": number, "k": tensor, "more": number} if which else {"k": tensor, "n": number}
        elif kind == 43:
            net.pair[0] = net.memory if which else net.cache["k"]
        else:
            hook = net.parts[which].register_forward_post_hook(lambda layer, given, y: y + 1)
            if seed % 2:
                hook.remove()
            else:
                net.parts[which].register_forward_pre_hook(lambda layer, given: (given[0] * 2,)).remove()


def shown(value):
    if isinstance(value, paddle.Tensor):
        return value.shape, str(value.dtype), value.numpy().tolist()
    if isinstance(value, dict):
        return {k: shown(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [shown(v) for v in value]
    return type(value).__name__, value


def agree(one, other):
    """Whether both ways show the same: floats but for their last digits, as sums may be taken in another order."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-5, abs_tol=1e-4) or (math.isnan(one) and math.isnan(other))
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(map(agree, one.values(), other.values()))
    if isinstance(one, (list, tuple)) and type(one) is type(other):
        return len(one) == len(other) and all(map(agree, one, other))
    return str(one) == str(other)


def state_of(net):
    names = ("step", "memory", "last", "seen", "log", "total", "scale", "state", "cache", "pair")
    return [shown(getattr(net, name)) for name in names] + [part.uses for part in net.parts]


# calls that run together must not
WRITES = re.compile(r"self\.(memory|last|seen|step|total|state) [+*]?=|self\.(cache|pair)\b.*(=|_\()|log\.append|self\.parts\[")


def drawn_call(draws, call):
    """A random call: which network, the tensor, the other arguments."""
    which, sizes = draws.randrange(3), draws.choice([2, 2, 2, 3])
    x = paddle.to_tensor(np.random.RandomState(call).randn(sizes, 3).astype("float32"))
    given = [draws.choice([1.0, 2.0, round(draws.uniform(0.5, 3.0), 2)]), draws.randrange(5), draws.choice(["s", "t"])]
    given += [{"w": round(draws.uniform(0, 1), 2)}] if draws.random() < 0.3 else []
    return which, x, given[: draws.randint(0, 4)]


def together(every, calls, records, in_threads):
    """What the calls give, each with the state of its network afterwards: here, or in threads of their own at the same time."""
    results = [None] * len(calls)

    def run(number):
        which, x, given = calls[number]
        try:
            with paddle.set_grad_enabled(records):
                results[number] = shown(every[which](x, *given))
        except Exception as error:
            results[number] = type(error).__name__

    if in_threads:
        threads = [threading.Thread(target=run, args=(number,)) for number in range(len(calls))]
        for act in (threading.Thread.start, threading.Thread.join):
            for thread in threads:
                act(thread)
    else:
        for number in range(len(calls)):
            run(number)
    return [(result, state_of(every[which])) for result, (which, *_) in zip(results, calls, strict=True)]


def from_file(net, x, folder):
    """What a call gives of the network that is saved as it is now; None where it can't be saved."""
    try:
        paddle.jit.save(net, str(folder / "saved"), input_spec=[paddle.static.InputSpec(x.shape, "float32")])
    except (ToStaticError, TypeError):  # where numbers are texts by now, Python raises it, too
        return None
    loaded = paddle.jit.load(str(folder / "saved"))
    loaded.eval()  # (`train` makes each dropout of a file one for training)
    return shown(loaded(x))


def module_of(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", seeds("changes between calls", 6, 2000))
def test_static_calls_see_what_changes(seed, tmp_path, graph_breaks):
    draws = random.Random(seed)
    lines = draws.sample(SNIPPETS, draws.randint(3, 9))
    path = tmp_path / f"program_{seed}.py"
    path.write_text(HEAD + "".join(f"        {line}\n" for line in lines) + "        return y\n")
    modules = [module_of(path, f"{kind}_{seed}") for kind in ("dynamic", "static")]
    nets = []
    for module in modules:
        paddle.seed(7)
        nets.append([module.Net() for _ in range(3)])
    for net in nets[1]:
        paddle.jit.to_static(net, full_graph=False)
    for call in range(40):
        for _ in range(draws.choice([0, 0, 1, 1, 2, 10])):
            changes(draws, modules, nets)
        calls = [drawn_call(draws, call)]
        is_saved = draws.random() < 0.08
        if is_saved:
            calls = [(calls[0][0], calls[0][1], [])]
        elif draws.random() < 0.12 and not any(net.pair[1] is modules[1].SHARED for net in nets[1]):  # threads would race for it
            others = [drawn_call(draws, call) for _ in range(draws.randint(0, 2))]
            calls += [other for other in others if not WRITES.search("".join(lines)) or other[0] != calls[0][0]][:1]
        told = "\n".join([f"seed {seed}, call {call}, {[(which, given) for which, _, given in calls]}", *lines])
        before = state_of(nets[1][calls[0][0]])
        loaded = from_file(nets[1][calls[0][0]], calls[0][1], tmp_path) if is_saved else None
        assert state_of(nets[1][calls[0][0]]) == before, told
        results = [together(every, calls, call % 3 != 0, draws.random() < 0.5 or len(calls) > 1) for every in nets]
        assert agree(*results), "\n".join([told, *map(str, results)])
        if loaded is not None:
            assert agree(results[0][0][0], loaded), "\n".join([told, "of the file", str(results[0]), str(loaded)])
