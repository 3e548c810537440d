"""Layers have the attributes and methods that subclasses of Paddle's read, with the same values."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from layers_made import attributes, make

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
