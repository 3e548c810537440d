"""Layers have no public name that Paddle's lack: packages define properties and methods of their own on such names."""

import json
from pathlib import Path

import pytest

import to_static as paddle
from tests.nn.record_attributes import ARGUMENTS

RECORDED = json.loads((Path(__file__).parent / "paddle_attributes.json").read_text(encoding="utf-8"))
SHARED = set(RECORDED.pop("every Layer"))
MORE = {  # attributes of a base class that Paddle's class does not derive from
    "UpsamplingBilinear2D": {"align_corners", "align_mode", "mode"},
    "UpsamplingNearest2D": {"align_corners", "align_mode", "mode"},
}


@pytest.mark.parametrize("name", RECORDED)
def test_no_public_name_of_its_own(name):
    layer = getattr(paddle.nn, name)(*ARGUMENTS.get(name, ()))
    own = {n for n in dir(layer) if not n.startswith("_")}
    assert own <= SHARED | set(RECORDED[name]) | MORE.get(name, set())


def test_a_package_may_define_properties_of_these_names():
    class Wide(paddle.nn.Linear):
        in_features = property(lambda self: self.weight.shape[0])
        out_features = property(lambda self: self.weight.shape[1])

    assert (Wide(2, 3).in_features, Wide(2, 3).out_features) == (2, 3)
    assert paddle.nn.Linear(2, 3).extra_repr() == "in_features=2, out_features=3, dtype=float32"
    with pytest.raises(AttributeError, match="weight.shape"):
        _ = paddle.nn.Linear(2, 3).in_features
