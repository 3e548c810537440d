"""Names, order and defaults of the arguments of every public function, layer and method are Paddle's."""

from __future__ import annotations

import ast
import inspect
import json
from pathlib import Path

import pytest

import to_static as paddle

RECORDED = json.loads((Path(__file__).parent / "paddle_signatures.json").read_text())
OTHERS = {
    "paddle.jit.TranslatedLayer": "made by jit.load only",
    "paddle.static.Variable": "made by operators only",
    "paddle.framework.Block": "made by Programs only",
    "paddle.framework.Block.append_op": "its arguments are named here",
    "paddle.inference.Tensor": "made by predictors only",
    "paddle.Tensor": "made by to_tensor only",
    "paddle.jit.load": "its configs are named here",
    "paddle.static.load_inference_model": "the executor may be left out",
    "paddle.static.save_inference_model": "the executor may be left out",
    "paddle.static.Program.to_string": "both arguments may be left out",
    "paddle.framework.Program.to_string": "both arguments may be left out",
    "paddle.framework.Parameter": "made of an array here, by layers and create_parameter only",
    "paddle.static.append_backward": "distop_context is of distributed training",
    "paddle.framework.LayerHelper.append_op": "its arguments are named here",
    "paddle.meshgrid": "its `name` is named here",
    "paddle.Tensor.to": "its arguments are named here",
    "paddle.static.Variable.to": "its arguments are named here",
    "paddle.static.Variable.cuda": "a Program runs on one device",
    "paddle.static.Variable.set_value": "values belong to no scope here",
    "paddle.static.Variable.backward": "refused with advice, whatever the arguments",
    "paddle.static.Variable.register_hook": "refused with advice, whatever the arguments",
}


def rows(function):
    found = list(inspect.signature(function).parameters.values())
    return [({p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "") + p.name, p.default) for p in found]


def resolve(key):
    value = paddle
    for name in key.split(".")[1:]:
        try:
            value = getattr(value, name)
        except AttributeError:
            return None
    return value


def same_default(text, value, name):
    if text is None:
        return value is inspect.Parameter.empty
    if name == "data_format" and value is None:
        return True  # the layer's own layout, which Paddle spells out
    if text.startswith("<"):
        return value is not inspect.Parameter.empty
    expected = ast.literal_eval(text)
    if isinstance(expected, list):
        expected, value = tuple(expected), tuple(value)
    return (type(expected) is type(value) and expected == value) or (expected, value) in ((0, 0.0), (1, 1.0))


def differences(expected, found):
    if [name for name, _ in found if name != "x"] == ["*args", "**kwargs"]:
        return None  # passes everything on, as the forms that work in place do
    starred = [name for name, _ in expected if name.startswith("*")]
    expected = [row for row in expected if row[0] not in starred]
    found = [row for row in found if row[0] not in starred]
    if [name for name, _ in expected] != [name for name, _ in found][: len(expected)]:
        return "names"
    for (name, text), (_, value) in zip(expected, found, strict=False):
        if not same_default(text, value, name):
            return f"default of {name}"
    if any(value is inspect.Parameter.empty and not name.startswith("*") for name, value in found[len(expected) :]):
        return "an argument more"
    return None


@pytest.mark.parametrize("package", sorted({key.rpartition(".")[0] for key in RECORDED}))
def test_signatures(package):
    wrong, count = {}, 0
    for key, expected in RECORDED.items():
        function = resolve(key) if key.rpartition(".")[0] == package and key not in OTHERS else None
        if function is None or not callable(function):
            continue
        count += 1
        owner = resolve(package)
        static = inspect.isclass(owner) and isinstance(inspect.getattr_static(owner, key.rpartition(".")[2]), staticmethod)
        unbound = inspect.isclass(owner) and inspect.isfunction(function) and not static
        found = rows(function)[1 if unbound else 0 :]
        if problem := differences(expected, found):
            wrong[key] = problem, expected, found
    assert not wrong, "\n".join(f"{key}: {problem}\n  Paddle {a}\n  ours   {b}" for key, (problem, a, b) in wrong.items())
    if package in ("paddle", "paddle.nn", "paddle.nn.functional", "paddle.Tensor"):
        assert count > 100
