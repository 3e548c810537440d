"""Attributes that a file lacks have Paddle's defaults."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import to_static.compiler.ops  # noqa: F401  (declares the operators)
from to_static.compiler.formats.paddle.operators.attribute_defaults import DEFAULTS
from to_static.compiler.formats.paddle.operators.lazy_op_lookup import operator
from to_static.compiler.formats.paddle.operators.op_compat import READERS

PADDLE = json.loads(Path(__file__).with_name("attribute_defaults.json").read_text(encoding="utf-8"))
# attributes that say how, not what, and those whose lack an operator refuses
NO_MATTER = {"im2col_step", "is_test", "data_format", "name", "fix_seed", "seed"}
EXPLAINED = {
    ("adamw", "with_decay"): "older files have no such attribute, and decay",
    ("group_norm", "groups"): "-1 is no number of groups: Paddle refuses it",
}


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, str) or isinstance(other, str) or one is None or other is None:
        return bool(one == other)
    return np.shape(one) == np.shape(other) and bool(np.allclose(one, other, rtol=1e-5))


@pytest.mark.parametrize("kind", DEFAULTS)
def test_the_table_is_paddles(kind):
    for name, value in DEFAULTS[kind].items():
        if name in PADDLE[kind]:
            assert _same(PADDLE[kind][name], value), name


def test_declared_defaults_are_paddles_where_the_table_has_none():
    different = []
    for kind, defaults in PADDLE.items():
        opdef = operator(kind) if kind not in READERS else None
        if opdef is None or opdef.from_file_hook is not None:
            continue
        for attr in opdef.attrs:
            name = attr.file_name
            if name not in defaults or name in DEFAULTS.get(kind, {}) or name in NO_MATTER or attr.type == "dtype":
                continue
            if attr.name in opdef.defaults and not _same(defaults[name], opdef.defaults[attr.name]):
                different.append((kind, name))
    assert different == list(EXPLAINED)
