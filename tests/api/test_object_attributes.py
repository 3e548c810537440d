"""Objects hold no public attribute that Paddle's do not: a subclass may have a property or a method of that name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from layers_made import make
from objects_made import public_attributes

import to_static as paddle

HERE = Path(__file__).parent
RECORDED = json.loads((HERE / "paddle_objects.json").read_text())
LAYERS = json.loads((HERE / "paddle_layers.json").read_text())
CALLBACK = {"model", "params"}  # `Model` sets them on every callback before it calls one


@pytest.mark.filterwarnings("ignore:amp.GradScaler")
@pytest.mark.parametrize("row", RECORDED)
def test_objects(row):
    held = set(public_attributes(eval(row, {"paddle": paddle})))  # the table, not a user's text
    assert not held - set(RECORDED[row]) - (CALLBACK if "callbacks" in row else set())


@pytest.mark.parametrize("name", sorted(name for name in LAYERS if hasattr(paddle.nn, name)))
def test_layers(name):
    held = set(public_attributes(make(paddle.nn, name))) - {"training"}
    assert not held - LAYERS[name]["attributes"].keys()


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("optimizer.AdamW", "optimizer.Adam"),
        ("optimizer.lr.MultiplicativeDecay", "optimizer.lr.LambdaDecay"),
        ("nn.UpsamplingNearest2D", "nn.Upsample"),
        ("nn.UpsamplingBilinear2D", "nn.UpsamplingNearest2D"),
    ],
)
def test_classes_that_paddle_does_not_derive(name, other):
    assert not issubclass(eval(f"paddle.{name}"), eval(f"paddle.{other}"))
