"""Losses over alignments and over trees of classes, against what real Paddle 2.6.2 gives; their layers; labels that do not fit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from tests import recorded
from to_static.core.errors import AutogradError, DTypeError, ShapeError
from to_static.nn import functional as F

RECORDS = recorded.records(Path(__file__).with_name("paddle_expressions.json"))


@pytest.mark.parametrize(
    ("text", "record"), RECORDS, ids=[r[0].split(".")[3][:40] + str(i) for i, r in enumerate(RECORDS)]
)
def test_as_paddle_eagerly_and_in_a_program(text, record):
    recorded.check(recorded.in_eager_mode(text), record, text, 2e-5, 1e-5)
    if "hsigmoid" not in text and ".shape" not in text:  # whose weights are parameters; the shape is not known
        recorded.check(recorded.in_a_program(text), record, text, 2e-5, 1e-5)


def T(value, dtype=None):
    return paddle.to_tensor(value, dtype)


def brute_force(logits, labels, blank):
    """Minus the logarithm of the chance of all paths of classes that collapse to ``labels``."""
    steps, classes = logits.shape
    chances = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
    total = 0.0
    for path in np.ndindex(*[classes] * steps):
        collapsed = [c for i, c in enumerate(path) if (i == 0 or path[i - 1] != c) and c != blank]
        if collapsed == labels:
            total += np.prod([chances[t, c] for t, c in enumerate(path)])
    return -np.log(total)


@pytest.mark.parametrize(("labels", "blank"), [([1, 1], 0), ([1, 2], 0), ([0], 2), ([2], 0)])
def test_ctc_counts_every_alignment(labels, blank):
    logits = np.random.default_rng(len(labels)).normal(size=(4, 1, 3)).astype("float32")
    loss = F.ctc_loss(T(logits), T([labels]), T([4]), T([len(labels)]), blank, "none")
    assert float(loss[0]) == pytest.approx(brute_force(logits[:, 0].astype("float64"), labels, blank), rel=1e-5)


def test_labels_that_do_not_fit_give_nothing_and_no_gradient():
    logits = paddle.ones([2, 2, 3])
    logits.stop_gradient = False
    loss = F.ctc_loss(logits, T([[1, 1], [1, 2]]), T([2, 2]), T([2, 2]), 0, "none")  # 1 1 needs a blank between
    loss.sum().backward()
    assert loss.numpy()[0] == 0.0 and loss.numpy()[1] > 0.0
    assert not logits.grad.numpy()[:, 0].any() and logits.grad.numpy()[:, 1].any()


def test_no_label_at_all_is_the_chance_of_blanks():
    logits = np.random.default_rng(0).normal(size=(3, 1, 4)).astype("float32")
    loss = F.ctc_loss(T(logits), T([[0]]), T([3]), T([0]), 0, "none")
    blanks = logits[:, 0, 0] - np.log(np.exp(logits[:, 0]).sum(-1))
    assert float(loss[0]) == pytest.approx(-blanks.sum(), rel=1e-5)


def test_gradients_divided_by_times():
    logits = np.random.default_rng(0).normal(size=(4, 2, 3)).astype("float32")
    found = []
    for by_times in (False, True):
        x = T(logits)
        x.stop_gradient = False
        F.ctc_loss(x, T([[1], [2]]), T([4, 2]), T([1, 1]), 0, "sum", by_times).backward()
        found.append(x.grad.numpy())
    np.testing.assert_allclose(found[0] / np.asarray([4, 2])[:, None], found[1], rtol=1e-5)


def test_layers_and_a_static_function():
    paddle.seed(0)
    logits, labels = paddle.randn([5, 2, 4]), T([[1, 2], [3, 3]], "int32")
    lengths = T([5, 4]), T([2, 1])
    loss = paddle.nn.CTCLoss(blank=0, reduction="sum")
    assert loss(logits, labels, *lengths).item() == F.ctc_loss(logits, labels, *lengths, reduction="sum").item()
    assert loss(logits, labels, *lengths, norm_by_times=True).item() == loss(logits, labels, *lengths).item()

    @paddle.jit.to_static(full_graph=True)
    def trained(x):
        return paddle.nn.functional.ctc_loss(x * 2, labels, *lengths)

    grads = []
    for function in (trained, trained.dygraph_function):
        x = logits.detach()
        x.stop_gradient = False
        function(x).backward()
        grads.append(x.grad.numpy())
    np.testing.assert_allclose(*grads, rtol=1e-5, atol=1e-6)

    joint = F.log_softmax(paddle.randn([2, 3, 3, 4]))
    transducer = paddle.nn.RNNTLoss(fastemit_lambda=0.0, reduction="none")
    found = transducer(joint, labels, T([3, 2], "int32"), T([2, 1], "int32"))
    assert (
        found.shape == [2]
        and found.tolist()
        == F.rnnt_loss(joint, labels, T([3, 2], "int32"), T([2, 1], "int32"), 0, 0.0, "none").tolist()
    )


def test_more_weight_on_labels_changes_the_gradient_only():
    paddle.seed(0)
    joint = F.log_softmax(paddle.randn([1, 3, 2, 4]))
    found = []
    for weight in (0.0, 0.5):
        x = joint.detach()
        x.stop_gradient = False
        loss = F.rnnt_loss(x, T([[2]], "int32"), T([3], "int32"), T([1], "int32"), 0, weight, "sum")
        loss.backward()
        found.append((loss.item(), x.grad.numpy()))
    assert found[0][0] == found[1][0]
    np.testing.assert_allclose(found[0][1][..., 2] * 1.5, found[1][1][..., 2], rtol=1e-5)
    np.testing.assert_allclose(found[0][1][..., 0], found[1][1][..., 0], rtol=1e-5)


def test_a_walk_down_a_tree_trains():
    paddle.seed(1)
    layer = paddle.nn.HSigmoidLoss(3, 6)
    assert [(name, p.shape) for name, p in layer.named_parameters()] == [("weight", [5, 3]), ("bias", [5, 1])]
    optimizer = paddle.optimizer.SGD(0.5, parameters=layer.parameters())
    features, labels = paddle.randn([6, 3]), T(np.arange(6).reshape(6, 1))
    losses = []
    for _ in range(20):
        loss = layer(features, labels).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(loss.item())
    assert losses[-1] < 0.85 * losses[0]
    with pytest.raises(ValueError, match="num_classes"):
        paddle.nn.HSigmoidLoss(3, 1)


def test_margins():
    cosines = T([[0.3, -0.5, 0.9], [0.1, 0.2, -0.8]])
    labels = T([2, 0])
    loss, softmax = F.margin_cross_entropy(cosines, labels, 1.0, 0.5, 0.1, 10.0, return_softmax=True, reduction="none")
    logits = cosines.numpy().astype("float64")
    for row, label in enumerate([2, 0]):
        logits[row, label] = np.cos(np.arccos(logits[row, label]) + 0.5) - 0.1
    expected = np.exp(10 * logits) / np.exp(10 * logits).sum(-1, keepdims=True)
    np.testing.assert_allclose(softmax.numpy(), expected, rtol=1e-4)
    np.testing.assert_allclose(loss.numpy()[:, 0], -np.log(expected[[0, 1], [2, 0]]), rtol=1e-4)
    plain = F.margin_cross_entropy(cosines, labels.unsqueeze(1), 1.0, 0.0, 0.0, 1.0)
    assert plain.item() == pytest.approx(F.cross_entropy(cosines, labels).item(), rel=1e-6)


X, LABEL, TIMES, COUNTS = (
    np.zeros((3, 2, 4), "float32"),
    np.ones((2, 2), "int32"),
    np.asarray([3, 3]),
    np.asarray([2, 2]),
)
BAD = [
    (lambda: F.ctc_loss(T(X[0]), T(LABEL), T(TIMES), T(COUNTS)), ShapeError, r"\[time, batch, classes\]"),
    (lambda: F.ctc_loss(T(X), T(X[0]), T(TIMES), T(COUNTS)), DTypeError, "labels must be integers"),
    (lambda: F.ctc_loss(T(X), T(LABEL * 4), T(TIMES), T(COUNTS)), ShapeError, r"labels must be in \[0, 3\]"),
    (lambda: F.ctc_loss(T(X), T(LABEL), T(TIMES + 1), T(COUNTS)), ShapeError, r"input_lengths must be in \[0, 3\]"),
    (lambda: F.ctc_loss(T(X), T(LABEL), T(TIMES), T(COUNTS), 4), ShapeError, "one of 4 classes, got 4"),
    (lambda: F.ctc_loss(T(X), T(LABEL), T(TIMES), T(COUNTS), reduction="some"), ValueError, "reduction"),
    (lambda: F.rnnt_loss(T(X), T(LABEL), T(TIMES), T(COUNTS)), ShapeError, "longest label"),
    (lambda: F.gather_tree(T(LABEL), T(LABEL)), ShapeError, "time, batch, beams"),
    (lambda: F.gather_tree(T(LABEL[None]), T(LABEL[None] * 2)), ShapeError, r"parents must be in \[0, 2\)"),
    (lambda: F.class_center_sample(T([1]), 2, 3), ValueError, "num_samples"),
    (lambda: F.class_center_sample(T([7]), 5, 3), ShapeError, r"labels must be in \[0, 5\)"),
]


def test_classes_of_the_labels_come_first():
    renumbered, kept = F.class_center_sample(T([9, 2, 2, 5]), 20, 8)
    assert renumbered.tolist() == [2, 0, 0, 1] and kept.tolist()[:3] == [2, 5, 9]
    assert len({*kept.tolist()}) == 8 and max(kept.tolist()) < 20


@pytest.mark.parametrize(("call", "kind", "words"), BAD, ids=[words for _, _, words in BAD])
def test_what_is_refused(call, kind, words):
    with pytest.raises(kind, match=words):
        call()


def test_second_gradients_are_refused():
    x = T(X)
    x.stop_gradient = False
    loss = F.ctc_loss(x, T(LABEL), T(TIMES), T(COUNTS))
    [first] = paddle.grad(loss, x, create_graph=True)
    with pytest.raises(AutogradError, match="cannot be differentiated again"):
        paddle.grad(first.sum(), x)
