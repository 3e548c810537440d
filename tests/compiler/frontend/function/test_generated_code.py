"""What generated code is made of: names of ours and constants that are no strings, whatever model or function it is of."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import daily
import pytest

import to_static as paddle
from tests.compiler.formats.paddle.test_programs import GOLDEN, MODELS, calls
from tests.compiler.ops.operator_table import TABLE, arrays_of, build
from to_static.compiler.ir.registry import REGISTRY
from to_static.compiler.runtime.plan import compile_plan
from to_static.core import backend, code_generation, dtypes
from to_static.core.errors import ToStaticError

ROOT = Path(paddle.__file__).parent
SPECIAL = {"__code__", "__defaults__", "__kwdefaults__"}  # that guards watch
_WORD = re.compile(r"[A-Za-z_]\w*")


def _words() -> set[str]:
    """Words that generated names may be made of: of the modules that write code, and of declared operators and dtypes."""
    writers = [p for p in ROOT.rglob("*.py") if "code_generation import" in (text := p.read_text()) or "Generated" in text]
    compiler = ROOT / "compiler"
    pieces = (compiler / "frontend" / "function" / "program").glob("*.py")  # of which entries are made
    others = {*(compiler / "runtime").glob("*.py"), *pieces, compiler / "frontend" / "tracing" / "gradients.py"}
    texts = [p.read_text() for p in {*writers, *others}]
    for opdef in REGISTRY.values():
        texts += [opdef.name, f"{opdef.name}_kernel bind_{opdef.name} interpreted_{opdef.name}", opdef.ufunc or ""]
        texts += [attr.name for attr in opdef.attrs]
    return {word.strip("_") or word for word in _WORD.findall(" ".join([*texts, *(d.name for d in dtypes.ALL)]))} | set(SPECIAL)


@pytest.fixture(scope="module")
def words():
    return _words()


@pytest.fixture
def texts(monkeypatch) -> Iterator[list[str]]:
    """All text that becomes code in a test."""
    found: list[str] = []
    real = code_generation._check
    monkeypatch.setattr(code_generation, "_check", lambda text: (found.append(text), real(text))[1])
    return found


def names_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        for field in ("id", "arg", "attr", "name"):
            if isinstance(name := getattr(node, field, None), str):
                yield name


def check(texts: list[str], words: set[str]) -> None:
    assert texts
    for text in dict.fromkeys(texts):
        tree = ast.parse(text)
        for node in ast.walk(tree):
            assert not isinstance(node, (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.JoinedStr)), ast.dump(node)
            if isinstance(node, ast.Constant):
                assert node.value is None or type(node.value) in (bool, int, float, type(...)), ast.dump(node)
        for name in set(names_in(tree)):
            assert name in SPECIAL or not name.startswith("__"), name
            stem = re.sub(r"_?\d+$", "", name)
            assert name.lstrip("_") in words or stem.strip("_") in words or words.issuperset(filter(None, stem.split("_"))), name


@pytest.mark.parametrize("name", MODELS)
def test_of_recorded_models(name, texts, words):
    layer = paddle.jit.load(str(GOLDEN / name))
    arrays, _ = next(calls(name))
    for training in (False, True):
        (layer.train if training else layer.eval)()
        for _ in range(2):
            given = [paddle.to_tensor(a) for a in arrays]
            for tensor in given:
                tensor.stop_gradient = not (training and tensor.dtype.is_floating)
            found = layer(*given)
            found = [t for t in (found if isinstance(found, (list, tuple)) else [found]) if not t.stop_gradient]
            if training and found:
                found[0].sum().backward()
    check(texts, words)


def test_of_every_operator(texts, words):
    for opdef, _, sample in daily.some("samples of generated code", TABLE, 300):
        try:
            builder, _, results = build(opdef, arrays_of(sample), sample.attrs)
            compile_plan(builder.finish(list(results)), backend.NUMPY)
        except ToStaticError:
            continue  # of operators that are made by the builder only
    check(texts, words)


def test_of_entries_guards_and_backward(texts, words):
    opts, net = {"a b": 2.0, 'x"y': [1, 2, {"z": 3}]}, paddle.nn.Linear(3, 2)

    class Config:
        depth = 1

    config = Config()
    setattr(config, "odd name", 2)
    optimizer = paddle.optimizer.Adam(parameters=net.parameters())

    @paddle.jit.to_static
    def f(x, scale, mode="mean", *, more=None):
        h = net(x) * opts["a b"] * scale * config.depth + getattr(config, "odd name")
        return (h.mean() if mode == "mean" else h.sum()) + len(opts['x"y'])

    @paddle.jit.to_static
    def step(x):
        loss = net(x).sum()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    for i in range(6):
        x = paddle.ones([2, 3])
        loss = f(x, 2.0, "mean", more="a'b")
        if i % 2:
            loss.backward()
        step(x)
    check(texts, words)
    assert any(text.startswith("def entry") for text in texts) or any("def check" in text for text in texts)
