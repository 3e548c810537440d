"""Expected figures were recorded from Paddle 2.6.2."""

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import ShapeError
from to_static.metric import Accuracy, accuracy

SCORES = np.float32([[0.1, 0.2, 0.3, 0.4], [0.1, 0.4, 0.3, 0.2], [0.1, 0.2, 0.4, 0.3], [0.1, 0.2, 0.3, 0.4]])
LABELS = [0, 1, 2, 3]


@pytest.fixture
def pred():
    return paddle.to_tensor(SCORES)


@pytest.mark.parametrize("label", [LABELS, np.array(LABELS)[:, None], np.eye(4, dtype="float32"), np.int32(LABELS)])
def test_forms_of_labels(pred, label):
    metric = Accuracy()
    correct = metric.compute(pred, paddle.to_tensor(label))
    assert correct.dtype == paddle.float32
    assert correct.numpy().tolist() == [[0], [1], [1], [1]]
    assert metric.update(correct) == metric.accumulate() == 0.75
    assert metric.name() == ["acc"]


def test_several_k(pred):
    metric = Accuracy(topk=(1, 2, 3))
    correct = metric.compute(pred, paddle.to_tensor(LABELS))
    assert metric.update(correct) == [0.75] * 3
    assert metric.update(correct.numpy()[:2]) == [0.5] * 3
    assert metric.accumulate() == [pytest.approx(2 / 3)] * 3
    assert metric.name() == ["acc_top1", "acc_top2", "acc_top3"]
    metric.reset()
    assert metric.accumulate() == [0.0] * 3


def test_k_counts_lower_places():
    metric = Accuracy(topk=(1, 2, 9), name="q")
    mask = metric.compute(paddle.to_tensor(SCORES[:, :3]), paddle.to_tensor([1, 2, 0, 2]))
    assert mask.numpy().tolist() == [[0, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]]
    assert metric.update(mask) == [0.25, 0.75, 1.0]
    assert metric.name() == ["q_top1", "q_top2", "q_top9"]


def test_more_dimensions():
    scores = paddle.to_tensor(SCORES.reshape(2, 2, 4))
    for label in (np.array(LABELS).reshape(2, 2), np.array(LABELS).reshape(2, 2, 1)):
        assert Accuracy().compute(scores, paddle.to_tensor(label)).numpy().ravel().tolist() == [0, 1, 1, 1]


def test_refusals(pred):
    with pytest.raises(ShapeError, match=r"\[4\], \[4, 1\] or one-hot \[4, 4\], got \[3, 1\]"):
        Accuracy().compute(pred, paddle.to_tensor([1, 2, 3]))
    with pytest.raises(ValueError, match="topk"):
        Accuracy(topk=(0,))


def test_functional(pred):
    label = paddle.to_tensor(np.array(LABELS)[:, None])
    right, total = paddle.to_tensor(0, dtype="int32"), paddle.to_tensor([0], dtype="int32")
    result = accuracy(pred, label, correct=right, total=total)
    assert result.shape == []
    assert result.dtype == paddle.float32
    assert (float(result), int(right), int(total)) == (0.75, 3, 4)
    assert float(accuracy(pred, label, k=4)) == 1.0


def test_labels_are_told_not_to_be_used():
    with pytest.warns(UserWarning, match=r"acc.update\(acc.compute\(pred, label\)\)"):
        paddle.metric.Accuracy().update(paddle.ones([2, 1]), paddle.zeros([2, 1], "int64"))
