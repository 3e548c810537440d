"""Names that users give are names, whatever they hold: they run, are shown and are saved, and no part of them is executed."""

from __future__ import annotations

import types

import daily
import numpy as np
import pytest

import to_static as paddle
from tests.hostile import ALL, FEW, TEXTS, Listener
from to_static import nn, profiler, static
from to_static.core import flags
from to_static.core.code_generation import lines_of
from to_static.jit import to_static

X = np.ones((2, 3), "float32")


@pytest.fixture
def listener(monkeypatch):
    return Listener(monkeypatch)


class Named(nn.Layer):
    """A layer in which everything that has a name has this one."""

    def __init__(self, text):
        super().__init__(name_scope=text)
        w, b, s = (paddle.ParamAttr(name=f"{text}{letter}") for letter in "wbs")
        with paddle.utils.unique_name.guard(text):
            self.fc = nn.Linear(3, 3, weight_attr=w, bias_attr=b, name=text)
            self.scale = self.create_parameter([3], attr=s)
        self.text = text
        self.register_buffer(f"{text}m".replace(".", "_"), paddle.zeros([3]))
        self.buffer = f"{text}m".replace(".", "_")
        self.add_sublayer(f"{text}l".replace(".", "_"), nn.Linear(3, 3))
        self.sub = f"{text}l".replace(".", "_")
        self.opts = {text: 2.0, f"{text}2": paddle.to_tensor([1.0])}
        self.opts[f"{text}2"].name = text
        setattr(self, f"{text}3", 3)

    def forward(self, x, **more):
        h = self.fc(x) * self.opts[self.text] + self.opts[f"{self.text}2"]
        h = getattr(self, self.sub)(h) * getattr(self, f"{self.text}3") * self.scale
        setattr(self, self.buffer, getattr(self, self.buffer) + h.sum(0))
        for name, value in more.items():
            h = h + value if name else h
        if h.sum() > 0:
            h = h * 2
        return {self.text: h, "mask": h > 0}


@pytest.fixture(params=range(6))
def level(request):
    flags.debug.value = request.param
    yield request.param
    flags.debug.value = 0


def used(net, text):
    """Run it with and without gradients, show all that there is to show."""
    net = to_static(net)
    optimizer = paddle.optimizer.Momentum(parameters=net.parameters(), name=text)
    for i in range(4):
        x = paddle.to_tensor(X)
        x.name, x.stop_gradient = text, i % 2 == 0
        found = net(x, **{f"{text}k": paddle.to_tensor(X)})
        if i > 1:
            found[text].sum().backward()
            optimizer.step()
            optimizer.clear_grad()
    forward = net.forward
    return repr(net), forward.plan, forward.explain(plan=True), str(forward.concrete_program), forward.code, str(found[text])


@pytest.mark.parametrize("text", [ALL, *FEW])
def test_names_of_layers_and_their_parts(listener, text, capfd):
    used(Named(text), text)
    listener.silent()


def test_names_at_every_level_of_debugging(listener, level, capfd):
    used(Named(ALL), ALL)
    listener.silent()


def test_names_while_something_is_measured(listener, tmp_path, capfd):
    with profiler.Profiler(on_trace_ready=lambda _: None) as measured, profiler.RecordEvent(ALL):
        used(Named(ALL), ALL)
    measured.export(str(tmp_path / "trace.json"))
    measured.summary()
    listener.silent()


@pytest.mark.parametrize("text", [ALL, *FEW[:3]])
def test_names_of_inputs(listener, tmp_path, text, capfd):
    f = to_static(lambda x: x * 2 + 1, input_spec=[static.InputSpec([None, 3], "float32", text)])
    f(paddle.to_tensor(X))
    net = nn.Linear(3, 2, weight_attr=paddle.ParamAttr(name=f"{text}w"), bias_attr=False)
    paddle.jit.save(net, str(tmp_path / "m"), input_spec=[static.InputSpec([None, 3], "float32", text)])
    loaded = paddle.jit.load(str(tmp_path / "m"))
    loaded(paddle.to_tensor(X)).sum().backward()
    paddle.enable_static()
    try:
        with static.program_guard(static.Program(), static.Program()), static.name_scope(text):
            x = static.data(text, [None, 3])
            y = static.nn.fc(x, 2, name=text, weight_attr=paddle.ParamAttr(name=f"{text}u"))
            paddle.optimizer.SGD(0.1).minimize(y.mean())
            exe = static.Executor()
            exe.run(static.default_startup_program())
            exe.run(feed={text: X}, fetch_list=[y, y.name])
            str(static.default_main_program()), repr(x)
    finally:
        paddle.disable_static()
    listener.silent()


@pytest.mark.parametrize("text", [ALL, *FEW[:3]])
def test_names_of_functions_and_classes(listener, text, capfd):
    def f(x, opts):
        return x * opts[text] + len(opts)

    f.__name__ = f.__qualname__ = text
    g = to_static(f)
    for opts in ({text: 2.0}, {text: 2.0, f"{text}1": 3}):
        g(paddle.to_tensor(X), opts)
    with pytest.raises(TypeError):
        g(paddle.to_tensor(X), **{f"{text}k": 1})
    made = type(text.replace("\0", ""), (nn.Layer,), {"forward": lambda self, x: x + getattr(self, text)})()
    setattr(made, text, 2)
    to_static(made)(paddle.to_tensor(X))
    repr(made), made.full_name(), g.explain(plan=True), repr(g)
    listener.silent()


def source_of(text: str) -> str:
    """A function with a text in every place of its source that takes one."""
    plain = "".join(c if c.isprintable() or c in "\f\x1c\x1d\x1e\x85\u2028\u2029\u202e\x1b" else "" for c in text)
    inside = plain.replace("\\", "\\\\").replace("'", "\\'").replace("{", "{{").replace("}", "}}")
    comment = plain.replace("\f", " ")
    return f"""def f(x, names=('{inside}',)):
    '''{inside.replace("{{", "{").replace("}}", "}")}'''
    kept = {{}}  # {comment}
    i = paddle.zeros([1])
    while i.sum() < len('{inside}') % 3 + 1:  # {comment}
        if i.sum() > 0 and '{inside}' in names:
            i = i + 1  # {comment}
        # {comment}
        i = i + 1
    kept['{inside}'] = i, f'{inside}{{len(names)}}'
    return x + i, kept, names[0]
"""


@pytest.mark.parametrize("text", [ALL, *daily.some("texts in sources", TEXTS, 12)])
def test_texts_in_the_source_of_functions(listener, tmp_path, text):
    """They are strings and comments of the translation, too."""
    source = source_of(text)
    path = tmp_path / "module.py"
    path.write_text(source, encoding="utf-8", newline="")
    space: dict = {"paddle": paddle, "__name__": "module"}
    path = str(path)
    code = next(c for c in compile(source, path, "exec").co_consts if isinstance(c, types.CodeType))
    listener.heard.clear()
    f = types.FunctionType(code, space, "f", tuple(c for c in compile(source, path, "exec").co_consts if type(c) is tuple)[:1])
    listener.heard.clear()
    plain = f(paddle.to_tensor(X))
    static_f = to_static(f)
    found = static_f(paddle.to_tensor(X))
    assert str(found) == str(plain)
    assert lines_of(static_f.code) == static_f.code.splitlines(True) or not text.isprintable()
