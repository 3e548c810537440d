"""Optimizer operators against three steps of Paddle 2.6.2's optimizers (loss: sum of p * g), recorded."""

import numpy as np
import pytest

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ops.optimizer import updates
from to_static.core.errors import DTypeError, ShapeError

START = [0.12573022, -0.13210486, 0.64042264, 0.10490011]
GRADS = [
    [-0.53566939, 0.36159506, 1.304, 0.94708097],
    [-0.70373523, -1.2654215, -0.62327445, 0.041325979],
    [-2.3250308, -0.21879166, -1.245911, -0.73226738],
]
PADDLE = {
    "sgd": [0.48217377, -0.019843042, 0.6969412, 0.079286158],
    "momentum": [0.6371094, 0.032212153, 0.53005189, -0.086384028],
    "nesterov, decay": [0.9405995, 0.12901901, 0.59357858, -0.09272287],
    "momentum, decay": [0.63613081, 0.032963432, 0.52689523, -0.086608082],
    "adam": [0.41264549, -0.12794366, 0.53721845, -0.069132671],
    "adam, far from default": [0.3790431, -0.1116024, 0.5575093, -0.03966473],
    "adamw": [0.41196898, -0.12740101, 0.53552735, -0.069176964],
    "adamw, far from default": [0.36049715, -0.096984133, 0.50770563, -0.041710168],
}
FAR = {"beta1": 0.8, "beta2": 0.9, "epsilon": 0.1}
DECAY = {"regularization_method": "l2_decay", "regularization_coeff": 0.01}


def t(value):
    return EagerTensor(np.asarray(value, "float32"))


def zeros():
    return t(np.zeros(4))


CASES = {
    "sgd": (updates.sgd, [], {}),
    "momentum": (updates.momentum, [zeros()], {}),
    "nesterov, decay": (updates.momentum, [zeros()], {"use_nesterov": True, **DECAY}),
    "momentum, decay": (updates.momentum, [zeros()], DECAY),
    "adam": (updates.adam, [zeros(), zeros(), t([0.9]), t([0.999])], {}),
    "adam, far from default": (updates.adam, [zeros(), zeros(), t([0.8]), t([0.9])], FAR),
    "adamw": (updates.adamw, [zeros(), zeros(), t([0.9]), t([0.999])], {}),
    "adamw, far from default": (updates.adamw, [zeros(), zeros(), t([0.8]), t([0.9])], {**FAR, "coeff": 0.3}),
}


@pytest.mark.parametrize("case", CASES)
def test_three_steps_equal_paddle(case):
    function, state, options = CASES[case]
    param = t(START)
    for g in GRADS:
        results = function(param, t(g), *state, t([0.1]), **options)
        param, *state = results if state else [results]
    np.testing.assert_allclose(param.numpy(), PADDLE[case], rtol=1e-5)
    assert all(s.dtype == "float32" for s in state)


def test_adamw_without_decay_is_adam():
    inputs = [t(START), t(GRADS[0]), zeros(), zeros(), t([0.9]), t([0.999]), t([0.1])]
    for a, b in zip(updates.adam(*inputs), updates.adamw(*inputs, with_decay=False), strict=True):
        np.testing.assert_array_equal(a.numpy(), b.numpy())


def test_learning_rate_ratio_scales_the_rate_and_the_decay():
    inputs = [t(START), t(GRADS[0]), zeros(), zeros(), t([0.9]), t([0.999])]
    whole = updates.adamw(*inputs, t([0.05]), coeff=0.3)[0]
    half = updates.adamw(*inputs, t([0.1]), coeff=0.3, lr_ratio=0.5)[0]
    np.testing.assert_allclose(half.numpy(), whole.numpy(), rtol=1e-6)


def test_a_wider_learning_rate_keeps_the_parameters_dtype():
    rate = EagerTensor(np.asarray([0.1], "float64"))
    assert updates.sgd(t(START), t(GRADS[0]), rate).dtype == "float32"
    assert updates.sgd(t(1.0), t(2.0), rate).shape == []


def test_wrong_shapes_and_dtypes_are_refused():
    with pytest.raises(ShapeError, match=r"sgd: gradient and state must have the parameter's shape \[4\], got \[3\]"):
        updates.sgd(t(START), t([1, 2, 3]), t([0.1]))
    with pytest.raises(ShapeError, match="one element"):
        updates.sgd(t(START), t(START), t([0.1, 0.2]))
    with pytest.raises(DTypeError, match="one dtype, got float32 and float64"):
        updates.sgd(t(START), EagerTensor(np.zeros(4)), t([0.1]))
    with pytest.raises(ValueError, match="l2_decay"):
        updates.momentum(t(START), t(START), zeros(), t([0.1]), regularization_method="l1_decay")
