"""The first steps of five trainings: dynamic, with a static network, and each step one Program. (`make compare`: all 100 steps.)"""

import json
import pathlib

import numpy as np
import pytest

import to_static as paddle
from tests.training.curve_cases import CASES, MODES, STEPS, curve

RECORDED = json.loads((pathlib.Path(__file__).parent / "paddle_curves.json").read_text())
QUICK = {"lenet": 4, "resnet": 2, "tagger": 4, "transformer": 6, "early_exit": 7}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", CASES)
def test_losses_are_paddles(name, mode):
    steps = QUICK[name]
    np.testing.assert_allclose(curve(paddle, name, mode, steps), RECORDED[name][:steps], rtol=1e-4)


def test_what_is_recorded_learns():
    for losses in RECORDED.values():
        assert len(losses) == STEPS
        assert np.mean(losses[-8:]) < 0.8 * np.mean(losses[:8])
