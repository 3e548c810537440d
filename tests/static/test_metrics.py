"""Metrics that a Program adds up from run to run."""

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import ModeError, ShapeError


def area(scores, labels):
    """The share of pairs in the right order."""
    pairs = [(a > b) + 0.5 * (a == b) for a in scores[labels == 1] for b in scores[labels == 0]]
    return np.mean(pairs) if pairs else 0.0


def test_area_of_all_runs_and_of_the_last_ones(static):
    scores, labels = static.data("p", [None, 2]), static.data("l", [None, 1], "int64")
    whole, last, states = static.auc(scores, labels, slide_steps=2)
    assert len(states) == 4
    rng = np.random.default_rng(0)
    drawn = [(rng.integers(0, 4095, 6) / 4095, rng.integers(0, 2, 6)) for _ in range(3)]
    for i, (p, label) in enumerate(drawn):
        feed = {"p": np.stack([1 - p, p], 1).astype("float32"), "l": label[:, None]}
        found = static.Executor().run(feed=feed, fetch_list=[whole, last])
        for value, since in zip(found, (0, max(i - 1, 0)), strict=True):
            joined = [np.concatenate(parts) for parts in zip(*drawn[since : i + 1], strict=True)]
            assert value.dtype == np.float64 and float(value) == pytest.approx(area(*joined), abs=1e-6)


def test_area_without_both_kinds_is_zero_and_what_is_refused(static):
    scores, labels = static.data("p", [None, 2]), static.data("l", [None], "int64")
    whole, _, _ = static.auc(scores, labels)
    [found] = static.Executor().run(feed={"p": np.ones((2, 2), "float32"), "l": np.ones(2, "int64")}, fetch_list=[whole])
    assert found == 0.0
    with pytest.raises(ValueError, match="ROC"):
        static.auc(scores, labels, curve="PR")
    with pytest.raises(ShapeError, match=r"\[batch, 2\]"):
        static.auc(labels, labels)


def test_sums_for_rates(static):
    p, labels = static.data("p", [None, 1]), static.data("l", [None, 1], "int32")
    sums = static.ctr_metric_bundle(p, labels)
    feed = {"p": np.asarray([[0.5], [0.25]], "float32"), "l": np.asarray([[1], [0]], "int32")}
    for turn in (1, 2):
        found = [float(v[0]) for v in static.Executor().run(feed=feed, fetch_list=list(sums))]
        sigmoids = (1 / (1 + np.exp(-feed["p"]))).sum()
        np.testing.assert_allclose(found, np.multiply(turn, [0.3125, 0.75, 0.75, sigmoids, 1.0, 2.0]), rtol=1e-5)


def test_only_for_programs():
    with pytest.raises(ModeError, match="enable_static"):
        paddle.static.auc(paddle.ones([1, 2]), paddle.ones([1]))
