"""Expected figures were recorded from Paddle 2.6.2."""

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.eager.tensor import EagerTensor
from to_static.core.errors import ShapeError
from to_static.metric import Auc, Precision, Recall


def updated(metric, preds, labels):
    metric.update(np.array(preds), np.array(labels))
    return metric


def test_precision():
    assert updated(Precision(), [0.1, 0.5, 0.6, 0.7], [0, 1, 1, 1]).accumulate() == 1.0
    metric = updated(Precision(), [[0.1], [0.9], [0.6], [0.7]], [[0], [1], [0], [1]])
    assert metric.accumulate() == 0.6666666666666666
    updated(metric, [0.9], [0])
    assert metric.accumulate() == 0.5
    metric.reset()
    assert metric.accumulate() == 0.0
    assert metric.name() == "precision"


def test_recall():
    assert updated(Recall(), [0.1, 0.5, 0.6, 0.7], [1, 0, 1, 1]).accumulate() == 0.6666666666666666
    assert updated(Recall(), [0.5, 0.5, 1.5], [1, 1, 1]).accumulate() == 0.0  # 0.5 rounds to even here
    assert updated(Recall("r"), [0.1], [0]).accumulate() == 0.0
    assert Recall("r").name() == "r"


def test_tensors():
    metric = Precision()
    metric.update(EagerTensor(np.float32([0.9, 0.8])), EagerTensor(np.int64([1, 0])))
    assert metric.accumulate() == 0.5


def scores():
    rng = np.random.RandomState(0)
    positive, labels = rng.rand(50), rng.randint(0, 2, (50, 1))
    return np.stack([1 - positive, positive], 1), labels


@pytest.mark.parametrize(("thresholds", "expected"), [(4095, 0.4983974358974359), (10, 0.4951923076923077)])
def test_auc(thresholds, expected):
    metric = Auc(num_thresholds=thresholds)
    assert metric.accumulate() == 0.0
    preds, labels = scores()
    metric.update(preds[:20], labels[:20])
    metric.update(preds[20:], labels[20:])
    assert metric.accumulate() == pytest.approx(expected, rel=1e-12)
    metric.reset()
    metric.update(np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([0, 1]))
    assert metric.accumulate() == 1.0


@pytest.mark.parametrize(
    ("metric", "preds", "labels", "error"),
    [
        (Precision(), [0.5], np.ones(1), TypeError),
        (Recall(), np.ones(2), np.ones(3), ShapeError),
        (Auc(), np.ones((3, 1)), np.ones(3), ShapeError),
        (Auc(), np.full((3, 2), 1.5), np.ones(3), ValueError),
        (Auc(), np.full((3, 2), np.nan), np.ones(3), ValueError),
    ],
)
def test_refusals(metric, preds, labels, error):
    with pytest.raises(error):
        metric.update(preds, labels)


def test_auc_knows_one_curve():
    with pytest.raises(ValueError, match="PR"):
        Auc(curve="PR")


def test_area_under_a_line():
    assert paddle.metric.Auc.trapezoid_area(3.0, 1.0, 1.0, 2.0) == 3.0
