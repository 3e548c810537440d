"""Nothing that a file or a user says is ever executed: names, attributes, slots and types that hold code, run in every way."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import daily
import numpy as np
import pytest

import to_static as paddle
from tests.hostile import ALL, FEW, MARK, TEXTS, Listener
from to_static import inference, nn, profiler, static
from to_static.compiler.formats.paddle.messages import schema
from to_static.compiler.formats.paddle.pickles.unpickling import unpickle
from to_static.compiler.ir.parser import parse_program
from to_static.compiler.ir.printer import print_program
from to_static.core import flags
from to_static.core.errors import ToStaticError

REFUSALS = (ToStaticError, KeyError)


@pytest.fixture
def listener(monkeypatch, graph_breaks):
    return Listener(monkeypatch)


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2D(1, 2, 3, padding=1)
        self.norm = nn.BatchNorm2D(2)
        self.fc = nn.Linear(18, 4)

    def forward(self, x):
        h = paddle.flatten(self.norm(self.conv(x)), 1)
        h = self.fc(h)
        if h.mean() > 0.5:
            h = h * 2
        i = paddle.zeros([1], "int64")
        while i.sum() < 2:
            h = paddle.concat([h[:, :2], nn.functional.softmax(h[:, 2:])], 1) + 1
            i = i + 1
        return h


X = np.random.default_rng(0).normal(size=(2, 1, 3, 3)).astype("float32")


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> tuple[bytes, bytes, bytes]:
    """The three files of a model."""
    prefix = tmp_path_factory.mktemp("model") / "m"
    net = Net()
    net.eval()
    paddle.jit.save(net, str(prefix), input_spec=[static.InputSpec([None, 1, 3, 3], "float32", "x")])
    return tuple(Path(f"{prefix}.{end}").read_bytes() for end in ("pdmodel", "pdiparams", "pdiparams.info"))  # type: ignore[return-value]


def ways(prefix: str, x: Any) -> Iterator[Any]:
    """Every way in which a Program of a file runs, or is shown."""

    def loaded():
        layer = paddle.jit.load(prefix)
        layer.eval()
        return layer

    def trained():
        layer = loaded()
        layer.train()
        optimizer = paddle.optimizer.Adam(parameters=layer.parameters())
        for _ in range(2):
            given = paddle.to_tensor(x)
            given.stop_gradient = False
            layer(given).sum().backward()
            optimizer.step()
            optimizer.clear_grad()

    def inside():
        layer = loaded()
        f = paddle.jit.to_static(lambda x: layer(x) * 2)
        for stop in (True, True, False):
            given = paddle.to_tensor(x)
            given.stop_gradient = stop
            found = f(given)
            if not stop:
                found.sum().backward()
        return f.explain(plan=True), f.code, repr(layer), str(layer.program()), repr(f)

    def predicted():
        config = inference.Config(f"{prefix}.pdmodel", f"{prefix}.pdiparams")
        predictor = inference.create_predictor(config)
        return predictor.run([x])

    def executed():
        paddle.enable_static()
        try:
            exe = static.Executor()
            program, feeds, fetches = static.load_inference_model(prefix, exe)
            exe.run(program, feed={feeds[0]: x}, fetch_list=fetches)
            return str(program)
        finally:
            paddle.disable_static()

    def profiled():
        with profiler.Profiler(on_trace_ready=lambda _: None) as p:
            loaded()(paddle.to_tensor(x))
        return p.summary()

    def debugged():
        flags.debug.value = 5
        try:
            return loaded()(paddle.to_tensor(x))
        finally:
            flags.debug.value = 0

    def again():
        layer = loaded()
        paddle.jit.save(layer, f"{prefix}_again")
        paddle.jit.load(f"{prefix}_again")(paddle.to_tensor(x))
        program = layer.program()
        return print_program(parse_program(print_program(program), {v.name: v.holder for v in program.params}))

    def plain():
        return loaded()(paddle.to_tensor(x))

    return iter((plain, trained, inside, predicted, executed, profiled, debugged, again))


def run(tmp_path: Path, files: tuple[bytes, bytes, bytes], listener: Listener) -> list[str]:
    """Run a model in all ways; returns in which it is refused, and why."""
    for end, data in zip(("pdmodel", "pdiparams", "pdiparams.info"), files, strict=True):
        (tmp_path / f"m.{end}").write_bytes(data)
    refused = []
    for way in ways(str(tmp_path / "m"), X):
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                way()
            except REFUSALS as error:
                refused.append(f"{way.__name__}: {type(error).__name__}: {error}")
        assert not listener.heard, (way.__name__, listener.heard[:2])
    return refused


def renamed(files: tuple[bytes, bytes, bytes], old: str, new: str) -> tuple[bytes, bytes, bytes]:
    """The files with another name for a variable, wherever it is named."""
    desc = schema.messages()["ProgramDesc"].FromString(files[0])
    for block in desc.blocks:
        for var in block.vars:
            if var.name == old:
                var.name = new
        for op in block.ops:
            for slot in (*op.inputs, *op.outputs):
                slot.arguments[:] = [new if name == old else name for name in slot.arguments]
            for attr in op.attrs:
                if attr.s == old:
                    attr.s = new
                attr.strings[:] = [new if text == old else text for text in attr.strings]
    info = unpickle(files[2], "info", calls=False)
    # parameters are in the order of their names: new ones begin like the old ones
    return desc.SerializeToString(), files[1], _info({new if name == old else name: value for name, value in info.items()})


def _info(info: dict[str, Any]) -> bytes:
    from to_static.compiler.formats.paddle.pickles.pickling import pickled

    return pickled(info, protocol=2)


def names_of(files: tuple[bytes, bytes, bytes]) -> list[str]:
    desc = schema.messages()["ProgramDesc"].FromString(files[0])
    return sorted({var.name for block in desc.blocks for var in block.vars} - {"feed", "fetch"})


def places(message: Any) -> Iterator[tuple[str, Any]]:
    """Every string in a message, and what puts another one in its place."""
    for field, value in message.ListFields():
        repeated = not isinstance(value, (str, bytes)) and hasattr(value, "__len__")
        if field.type == field.TYPE_STRING:
            for i in range(len(value)) if repeated else (None,):
                yield f"{message.DESCRIPTOR.name}.{field.name}", (message, field.name, i)
        elif field.type == field.TYPE_MESSAGE:
            for inner in value if repeated else (value,):
                yield from places(inner)


def put(place: Any, text: str) -> str:
    message, name, i = place
    if i is None:
        old = getattr(message, name)
        setattr(message, name, text)
        return old
    old, getattr(message, name)[i] = getattr(message, name)[i], text
    return old


def test_names_of_files_with_all_texts_run_as_names(model, tmp_path, listener):
    files = model
    for name in names_of(model):
        files = renamed(files, name, f"{name}{ALL}")
    assert MARK.encode() in files[0] and MARK.encode() in files[2]
    assert not run(tmp_path, files, listener)


@pytest.mark.parametrize("text", FEW)
def test_names_of_files_are_only_names(model, tmp_path, listener, text):
    files = model
    for name in names_of(model):
        files = renamed(files, name, f"{name}{text}")
    assert not run(tmp_path, files, listener)


def _kinds(model: Any) -> dict[str, list[int]]:
    desc = schema.messages()["ProgramDesc"].FromString(model[0])
    found: dict[str, list[int]] = {}
    for number, (kind, _) in enumerate(places(desc)):
        found.setdefault(kind, []).append(number)
    return found


KINDS = ["VarDesc.name", "OpDesc.type", "Var.parameter", "Var.arguments", "Attr.name", "Attr.s", "OpVersionPair.op_name"]


@pytest.mark.parametrize("kind", KINDS)
def test_no_string_of_a_file_is_executed(model, tmp_path, listener, kind):
    """One string at a time is another one: mostly such a file is refused, with a typed error."""
    numbers = _kinds(model)[kind]
    texts = [ALL, *TEXTS]
    cases = [(number, texts[i % len(texts)]) for i, number in enumerate(numbers)]
    for number, text in daily.some(f"strings of files {kind}", cases, min(len(numbers), 2)):
        desc = schema.messages()["ProgramDesc"].FromString(model[0])
        _, place = list(places(desc))[number]
        put(place, f"{put(place, '')}{text}")
        run(tmp_path, (desc.SerializeToString(), *model[1:]), listener)


@pytest.mark.parametrize("text", [ALL, FEW[0]])
def test_no_string_beside_a_model_is_executed(model, tmp_path, listener, text):
    info = unpickle(model[2], "info", calls=False)
    for made in (
        {f"{name}{text}": value for name, value in info.items()},
        {name: {**value, "structured_name": f"{value['structured_name']}{text}"} for name, value in info.items()},
        {name: {**value, text: text} for name, value in info.items()},
        {name: {f"{key}{text}": text for key in value} for name, value in info.items()},
    ):
        run(tmp_path, (*model[:2], _info(made)), listener)


@pytest.mark.parametrize("text", [ALL, *FEW[:3]])
def test_keys_and_names_of_states(tmp_path, listener, text):
    net = Net()
    state = net.state_dict()
    for name, value in state.items():
        value.name = f"{name}{text}"
    path = str(tmp_path / "s.pdparams")
    paddle.save(state, path)
    found = paddle.load(path)
    net.set_state_dict(found)
    for name, value in found.items():
        value.name = f"{name}{text}" if value.name == name else value.name
    f = paddle.jit.to_static(lambda x: net(x) + sum(v.sum() for v in found.values() if v.dtype == paddle.float32))
    f(paddle.to_tensor(X)).sum().backward()
    f.explain(plan=True)
    paddle.save({text: {f"{text}1": paddle.to_tensor([1.0])}, 1: [text]}, path)
    again = paddle.load(path)
    assert again[1] == [text] and list(again[text]) == [f"{text}1"]
    optimizer = paddle.optimizer.Adam(parameters=net.parameters())
    with warnings.catch_warnings(), contextlib.suppress(*REFUSALS):
        warnings.simplefilter("ignore")
        net.set_state_dict(again)
        optimizer.set_state_dict({text: paddle.to_tensor([1.0]), "LR_Scheduler": {text: text}})
    listener.silent()
