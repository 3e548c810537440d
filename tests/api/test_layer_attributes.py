"""Layers have the attributes and methods that subclasses of Paddle's read, with the same values."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from layers_made import attributes, make

import to_static as paddle
from to_static import nn

RECORDED = json.loads((Path(__file__).parent / "paddle_layers.json").read_text())
INTERNAL = {  # which kernels of its own Paddle uses, and how it builds Programs
    "_all_weights", "_built", "_cast_to_low_precison", "_check_data_format", "_cudnn_impl", "_customized_attrs", "_dropout_state",
    "_flat_weight", "_fuse_with_relu", "_get_abs_idx", "_helper", "_in_place", "_init_in_dynamic_mode", "_is_distributed",
    "_is_test", "_loaddict_holder", "_op_recorder", "_op_type", "_original_funcs", "_remote_prefetch", "_use_cudnn",
    "_use_mkldnn", "could_use_cudnn", "state_dtype",
}  # fmt: skip
DIFFERENT = {("BatchNorm", "_use_global_stats"): "False means something else in nn.functional.batch_norm"}


@pytest.mark.parametrize("name", sorted(n for n in RECORDED if hasattr(nn, n)))
def test_attributes(name):
    layer = make(nn, name)
    found = attributes(layer, nn.Layer())
    recorded = RECORDED[name]["attributes"].items()
    wanted = {key: text for key, text in recorded if key not in INTERNAL and (name, key) not in DIFFERENT}
    missing = {key: text for key, text in wanted.items() if key not in found and not hasattr(layer, key)}
    assert not missing
    other = {key: (text, found[key]) for key, text in wanted.items() if key in found and found[key] != text}
    assert not other
    assert repr(layer) == RECORDED[name]["repr"]


def test_the_inverse_of_max_pooling_as_a_layer():
    x = paddle.to_tensor(np.arange(16, dtype="float32").reshape(1, 1, 4, 4))
    largest, places = nn.MaxPool2D(2, return_mask=True)(x)
    expected = nn.functional.max_unpool2d(largest, places, 2)
    np.testing.assert_array_equal(nn.MaxUnPool2D(2)(largest, indices=places).numpy(), expected.numpy())


def test_all_layers_are_in_the_package_of_that_name():
    assert nn.layer.MaxPool2D is nn.MaxPool2D and nn.layer.Layer is nn.Layer
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        nn.layer.nothing
