"""Optimizers, schedules, datasets, transforms, metrics and layers have no public name that Paddle's lack.

Packages define properties and methods of their own on such names; `tests/nn/test_attributes.py` has the layers of ``nn``.
"""

import json
from pathlib import Path

import pytest

import to_static as paddle
from tests.api.record_public_names import CLASSES, public_names, rooms

RECORDED = json.loads((Path(__file__).parent / "paddle_public_names.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def names():
    for path in CLASSES:  # looked up when they are first used
        room = rooms(paddle, path)
        for name in (key for key in RECORDED if key.rpartition(".")[0] == path):
            getattr(room, name.rpartition(".")[2])
    return public_names(paddle)


@pytest.mark.parametrize("path", RECORDED)
def test_no_public_name_of_its_own(path, names):
    assert {*names[path]} <= {*RECORDED[path]}
