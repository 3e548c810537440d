"""Views that calls keep or return follow the tensor that they are views of, whoever changes it later, as in dynamic mode."""

import linecache

import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.core.errors import TranslationError

T = paddle.to_tensor
PROGRAMS = """
self.keep = self.w.detach(); return x + 1
self.keep = self.w.detach().t(); return x + 1
self.plain = self.w.detach().reshape([4]); return x + 1
return self.w.detach()
return self.w.T
return self.w[0], self.w.reshape([-1])
return (self.w * x).sum(), self.w[0]
return {"a": self.w.detach()[1:], "b": [self.b.unsqueeze(0)]}
return x.T, x.detach(), x[0]
return x.detach(), x, x[:, 1]
y = x * 2; return y, y.T, y[0]
y = x * 2; return y[0], y[0:2]
y = x * 2; return y[0], y.reshape([-1])
y = x * 2; self.keep = y; return y.T
y = (self.w @ x).T; self.plain = y.detach(); return y.sum(), self.plain
self.items.append(self.w.detach()); return x.sum()
self.table["k"] = self.w.detach()[0]; return x.sum()
self.table = {"k": self.b.t()}; return x.sum()
old = self.keep; self.keep = self.w.detach(); self.w.set_value(self.w + x); return old, self.keep
old = self.keep; self.keep = self.b.t(); self.b.add_(x); return old * 1, self.keep * 1
v = self.w.detach(); v.add_(x); return v
self.keep = self.w.detach(); self.keep.add_(x); return self.w * 1
v = self.w.detach()[0]; v.zero_(); self.plain = v; return self.w * 1
i = x.sum().astype("int32") % 2; return self.w[i]
i = x.sum().astype("int32") % 2; return self.b[i:], x[:i + 1]
i = x.sum().astype("int32") % 2; r = self.b[i]; i.add_(T(1, "int32")); return r
i = x.sum().astype("int32") % 2; r = self.b[i]; self.b.add_(x); return r
for k in range(2): self.plain = self.b[k]; return x
a, b = paddle.unbind(self.b); self.plain = a; return b
a, b = paddle.split(self.b, 2); self.plain = a; return b
return self.b.squeeze(), self.b.unsqueeze(1), self.b.flatten(), self.b.view([4]), self.b
return paddle.assign(self.b), self.b.clone(), self.b.astype("float32"), self.b.cpu(), self.b.contiguous()
return self.b.expand([2, 2]), self.b.broadcast_to([3, 2, 2]), paddle.diagonal(self.b)
self.keep.set_value(self.b); self.b = self.keep.detach(); return x + self.b
self.keep = x; return x.T
self.keep = x.detach(); self.plain = self.keep.reshape([4]); return self.plain[1:3]
return self.keep[0] + x, self.plain
r = self.plain; self.plain = self.b[0:1]; self.b = self.b * 2; return r
self.b[0] = self.b[1]; r = self.b[0]; self.b[1] = x[0]; return r
self.b = x.T; self.keep = self.b.T; return self.b[0], self.keep[0]
self.keep, self.b = self.b.T, self.keep.T; return self.keep + self.b
self.table["a"] = self.b[0]; self.table["b"] = self.b[1]; self.b.scale_(0.5); return self.table["a"] * 1
self.sub.weight.set_value(self.w.detach()); self.keep = self.sub.weight.T; return self.sub(x)
""".strip().splitlines() + [
    "if x.sum() > 4: self.keep = self.w.detach()\nreturn self.keep + 0",
    "if x.sum() > 4: r = self.w.detach().T\nelse: r = self.b.T\nreturn r",
    "if x.sum() > 4: r = self.w.detach()\nelse: r = x * 2\nreturn r",
    "if x.sum() > 4: r = self.w.detach()[1]\nelse: r = self.b[0]\nreturn r, x.T",
    "if x.sum() > 4: r = self.b\nelse: r = self.b.T\nself.plain = r\nreturn r[0]",
    "r = self.b\nfor _ in range(x.sum().astype('int32') % 3): r = self.b.T\nreturn r",
    "r = self.b.T\nif x.sum() > 4: self.b.add_(x)\nreturn r",
    "self.b.add_(x)\nif x.sum() > 4: r = self.b\nelse: r = self.keep\nreturn r, r[0]",
    "self.b.add_(x)\nif x.sum() > 4: self.plain = self.b\nself.table['v'] = self.plain.T\nreturn x",
    "r = self.w.detach()\nif x.sum() > 4: r.add_(x)\nself.keep = r\nreturn r.sum()",
    "if x.sum() > 4:\n    if x[0, 0] > 1: r = self.b.T\n    else: r = x * 2\nelse: r = self.w.detach()\nself.plain = r\nreturn r",
    # views of what a branch makes, or a condition chose, which a condition chooses
    "if x.sum() > 4:\n    t = x * 3\n    self.keep = t; self.plain = t.detach()\nreturn x * 1",
    "t = self.b\nif x.sum() > 4:\n    if x[0, 0] > 1: t = self.plain\n    self.keep = t.detach()\nreturn x * 1",
    "t = self.b\nif x.sum() > 4:\n"
    "    if x[0, 0] > 1: t = x * 2\n    self.keep = t; self.plain = t.reshape([4]).reshape([2, 2])\nreturn x * 1",
    "t = self.b\nif x[0, 0] > 1: t = self.plain\nv = t.T\n"
    "self.keep = v\nif x.sum() > 4: self.keep = x.detach()\nelse: self.plain = v\nreturn x",
    "t = self.b\nif x[0, 0] > 1: t = x * 1\nv = t.unsqueeze(0)[0]\nif x.sum() > 4: v = x * 1\nreturn v, t",
    "for i in range(x[0, 0].astype('int32')):\n    t = self.b\n"
    "    if x.sum() > 4: t = self.keep\n    self.plain = t.detach()\nreturn x * 1",
    "y = x * 2\nv = y\nif x.sum() > 4: v = y.T\nreturn y, v",
    "y = x * 2\nif x.sum() > 4: self.keep = y.T\nself.plain = y\nreturn y * 1",
    "y = x * 2\nz = y\nif x.sum() > 4: z = x * 1\nreturn y, z",
    "y = x * 2\nz = x * 3\nif x.sum() > 4: a, b = y, z\nelse: a, b = z, y\nreturn a, b, y",
]


class Base(nn.Layer):
    def __init__(self):
        super().__init__()
        self.w = self.create_parameter([2, 2], default_initializer=nn.initializer.Assign(np.arange(4.0).reshape(2, 2)))
        self.sub = nn.Linear(2, 2, weight_attr=nn.initializer.Constant(2.0))
        self.register_buffer("keep", paddle.zeros([2, 2]))
        self.register_buffer("b", paddle.ones([2, 2]))
        self.plain, self.items, self.table = paddle.zeros([2, 2]), [], {}


def network(text):
    lines = text.split("\n") if "\n" in text else text.split("; ")
    source = "class Net(Base):\n    def forward(self, x):\n" + "".join(f"        {line}\n" for line in lines)
    name = f"<kept views {abs(hash(text))}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    space = {"Base": Base, "paddle": paddle, "T": T, "__name__": "kept_views"}
    exec(compile(source, name, "exec"), space)
    return space["Net"]


def tensors(value):
    if isinstance(value, paddle.Tensor):
        return [value]
    value = list(value.values()) if isinstance(value, dict) else value
    return [x for item in value for x in tensors(item)]


@paddle.no_grad()
def change(net, x, result, i):
    if i % 3 == 0:
        net.w.set_value(net.w * 2 + 1)
    elif i % 3 == 1:
        net.w[0] = 7.0 + i
    else:
        net.w.zero_()
    net.b.add_(T([1.0, 2.0]) * i)
    net.sub.weight.scale_(0.5)
    yield
    x[0] = 50.0 + i
    yield
    every = tensors(result)
    one = every[i % len(every)]
    one.fill_(60.0 + i)
    yield


def seen(make, count=6):
    """The numbers of all that the calls gave and keep, after each call and each change."""
    paddle.seed(0)
    net = make()
    kept, log, draws = [], [], np.random.RandomState(7)

    def look():
        every = tensors([kept, net.w, net.keep, net.b, net.plain, net.items, net.table])
        first = {id(t): i for i, t in reversed(list(enumerate(every)))}
        log.append([(first[id(t)], t.numpy().round(4).tolist()) for t in every])

    for i in range(count):
        if i == 4:
            net.eval()
        x = T((draws.rand(2, 2) * 2).round(2).astype("float32"))
        result = net(x)
        kept += [result, x]
        look()
        for _ in change(net, x, result, i):
            look()
    return log


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("text", PROGRAMS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_as_in_dynamic_mode(text, full, graph_breaks):
    made = network(text)
    expected = seen(made)
    assert seen(lambda: paddle.jit.to_static(made(), full_graph=full)) == expected


def test_a_view_that_tensors_decide_at_a_place_that_they_decide_is_a_graph_break(graph_breaks):
    text = "if x.sum() > 4: r = self.b[x.sum().astype('int32') % 2]\nelse: r = x[0] * 2\nreturn r"
    net = paddle.jit.to_static(network(text)())
    with pytest.warns(UserWarning, match="at a place that tensors decide"):
        net(T([[1.0, 2.0], [3.0, 4.0]]))


def test_gradients_of_views_that_calls_return():
    net = network("return self.w.T, x.reshape([4])")()
    static = paddle.jit.to_static(net)
    x = T(np.ones((2, 2), "float32"), stop_gradient=False)
    turned, flat = static(x)
    ((turned * T([[1.0, 2.0], [3.0, 4.0]])).sum() + (flat * 3).sum()).backward()
    assert net.w.grad.tolist() == [[1, 3], [2, 4]]
    assert x.grad.tolist() == [[3, 3], [3, 3]]
    with paddle.no_grad():
        net.w.set_value(T([[5.0, 6.0], [7.0, 8.0]]))
    assert turned.tolist() == [[5, 7], [6, 8]]


def test_a_file_has_no_place_for_a_buffer_that_is_a_view_of_a_tensor_that_changes(tmp_path):
    net = network("old = self.keep * 1; self.keep = self.b.T; self.b.add_(x); return old")()
    with pytest.raises(TranslationError, match="leaves a view of a tensor"):
        paddle.jit.save(net, str(tmp_path / "net"), input_spec=[paddle.static.InputSpec([2, 2], "float32")])


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_parameter_that_changes_when_a_condition_kept_a_view_of_it_runs_in_python(graph_breaks):
    made = network("if x.sum() > 4: self.keep = self.w.detach()\nself.w.set_value(self.w.detach() * 0.5)\nreturn self.keep * 1")
    assert seen(lambda: paddle.jit.to_static(made())) == seen(made)
    with pytest.raises(TranslationError, match="another tensor chose among several"):
        paddle.jit.to_static(made(), full_graph=True)(T([[1.0, 2.0], [3.0, 4.0]]))
