"""A call that is derived from its description (`entry`) does what the description does when it is gone through, and Python does."""

import dataclasses
import warnings

import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.compiler.frontend.function import fast_path
from to_static.compiler.frontend.function.program import specialized_entry

TIMES = 8


@dataclasses.dataclass
class Pair:
    first: object
    second: object


class Task(nn.Layer):
    """What functions read and write: parameters, buffers, plain attributes, a list, a dict, an optimizer."""

    def __init__(self):
        super().__init__()
        paddle.seed(0)
        self.linear = nn.Linear(3, 3)
        self.register_buffer("mean", paddle.zeros([3]))
        self.kept = paddle.ones([3])
        self.items, self.named, self.count, self.rate = [], {}, 0, 0.5
        self.opt = paddle.optimizer.Adam(0.1, parameters=self.linear.parameters())


def rows(i, count=2):
    return paddle.to_tensor(np.random.default_rng(i).random((count, 3)).astype("float32"))


def wanting(i):
    x = rows(i)
    x.stop_gradient = False
    return x


def batch(i):
    return rows(i)


# each function gets the task and what the second one makes of the number of the call


def linear(task, x):
    return task.linear(x)


def weighted(task, x, scale=2.0, flag=True, *, more=None):
    y = task.linear(x) * scale if flag else x
    return y if more is None else (y, y + more)


def by_number(task, x, n):
    return x * n if n > 3 else x + n


def by_rate(task, x):
    return task.linear(x) * task.rate


def of_list(task, xs):
    return [x * 2 for x in xs], sum(xs)


def of_dict(task, d):
    return {"sum": d["a"] + d["b"], "k": d["k"]}


def of_pair(task, pair):
    return pair.first * pair.second


def twice(task, x, y):
    return x * (1 if x is y else 2) + y


def fill(task, x):
    x.add_(task.kept)
    return x.sum()


def average(task, x):
    task.mean.set_value(task.mean * 0.5 + x.mean(0))
    return x - task.mean


def last(task, x):
    old, task.kept = task.kept, x.mean(0)
    return old


def append(task, x):
    task.items.append(x.sum())
    task.named["last"] = x.mean()
    task.count += 1
    return x * 2


def step(task, x):
    loss = task.linear(x).square().mean()
    loss.backward()
    task.opt.step()
    task.opt.clear_grad()
    return loss


def accumulate(task, x):
    loss = task.linear(x).sum()
    loss.backward()
    return loss


def noisy(task, x):
    return nn.functional.dropout(task.linear(x), 0.5) + paddle.rand([3])


def checked(task, x, n):
    if x.sum() > 4:
        raise ValueError("too much")
    task.mean.add_(x[n])
    return x[n]


OWN = (step, accumulate)  # which call backward() themselves


def chosen(task, x):
    return task.linear(x) if x.sum() > 3 else x * 2


CALLS = {
    "a tensor": (linear, lambda i: ((rows(i),), {})),
    "that wants a gradient": (linear, lambda i: ((wanting(i),), {})),
    "an array": (linear, lambda i: ((rows(i).numpy(),), {})),
    "plain values": (weighted, lambda i: ((rows(i), 3.0, True), {})),
    "defaults and names": (weighted, lambda i: ((), {"more": rows(i), "x": wanting(i)})),
    "an int that varies": (by_number, lambda i: ((rows(i), i), {})),
    "a float that varies": (by_number, lambda i: ((wanting(i), i / 2), {})),
    "a number from outside": (by_rate, lambda i: ((rows(i),), {})),
    "sizes": (linear, lambda i: ((rows(i, i + 2),), {})),
    "a list": (of_list, lambda i: (([rows(i), wanting(i)],), {})),
    "a dict": (of_dict, lambda i: (({"a": rows(i), "b": wanting(i), "k": 1},), {})),
    "a dataclass": (of_pair, lambda i: ((Pair(rows(i), wanting(i)),), {})),
    "one twice": (twice, lambda i: ((x := rows(i), x if i % 2 else rows(i)), {})),
    "an argument that changes": (fill, lambda i: ((rows(i),), {})),
    "a buffer that changes": (average, lambda i: ((rows(i),), {})),
    "an attribute that is assigned": (last, lambda i: ((rows(i),), {})),
    "a list, a dict and a number that are written": (append, lambda i: ((rows(i),), {})),
    "a training step": (step, lambda i: ((rows(i),), {})),
    "gradients that are kept": (accumulate, lambda i: ((rows(i),), {})),
    "random numbers": (noisy, lambda i: ((wanting(i),), {})),
    "errors": (checked, lambda i: ((rows(i), i % 3), {})),
    "a branch": (chosen, lambda i: ((wanting(i),), {})),
}


def shown(value):
    if isinstance(value, paddle.Tensor):
        return str(value.dtype), value.shape, value.stop_gradient, value.numpy().tolist()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *map(shown, value)]
    if isinstance(value, dict):
        return {key: shown(x) for key, x in value.items()}
    return shown(vars(value)) if isinstance(value, Pair) else repr(value) if isinstance(value, Exception) else value


def tensors(value):
    if isinstance(value, (list, tuple, dict)):
        return [t for x in (value.values() if isinstance(value, dict) else value) for t in tensors(x)]
    return [value] if isinstance(value, paddle.Tensor) else tensors(vars(value)) if isinstance(value, Pair) else []


def told(convert, function, given):
    """All that can be seen of some calls."""
    task, found = Task(), []

    def bound(*args, **kwargs):
        return function(task, *args, **kwargs)

    call = convert(bound)
    paddle.seed(3)
    for i in range(TIMES):
        task.rate = 0.5 + i // 2
        with paddle.set_grad_enabled(i % 4 != 3 or function in OWN):
            args, kwargs = given(i)
            try:
                result = call(*args, **kwargs)
            except (ValueError, IndexError) as error:
                result = error
        found.append(shown(result))
        outer = [t.sum() for t in tensors(result) if not t.stop_gradient and function not in OWN]
        if outer:
            sum(outer).backward()
        found.append([shown(x) for x in (args, kwargs)])
        found.append([shown(t.grad) for t in (*tensors(args), *tensors(kwargs), *task.parameters())])
        state = [*task.state_dict().values(), task.kept, *task.opt.state_dict().values()]
        found.append(shown([*state, task.items, task.named, task.count]))
    return found, call


@pytest.mark.filterwarnings("ignore:.*static Programs")
@pytest.mark.parametrize(("function", "given"), CALLS.values(), ids=CALLS)
def test_the_entry_and_the_description_do_the_same(function, given, monkeypatch):
    derived, static = told(paddle.jit.to_static, function, given)
    with monkeypatch.context() as patched:
        patched.setattr(fast_path, "entry", lambda *call: specialized_entry.no_entry)
        interpreted, _ = told(paddle.jit.to_static, function, given)
        patched.setattr(fast_path, "key_of", lambda *call: None)
        bound, _ = told(paddle.jit.to_static, function, given)
    assert derived == interpreted == bound
    dynamic, _ = told(lambda f: f, function, given)
    assert near(derived, dynamic)
    assert static.concrete_program is not None and static.graph_breaks == 0


def near(a, b):
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(near, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(near(a[k], b[k]) for k in a)
    return a == pytest.approx(b, rel=1e-4, abs=1e-6) if isinstance(a, float) else a == b


@pytest.mark.parametrize("name", ["a tensor", "plain values", "an int that varies", "a number from outside", "a training step"])
def test_calls_are_derived(name, monkeypatch):
    """Those by tensors and plain values do not come to the description any more."""
    function, given = CALLS[name]
    task = Task()
    static = paddle.jit.to_static(lambda *args: function(task, *args))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i in range(4, 10):
            static(*given(i)[0])
    monkeypatch.setattr(fast_path.Call, "run", None)
    monkeypatch.setattr(fast_path, "key_of", None)
    for i in range(10, 13):
        static(*given(i)[0])
