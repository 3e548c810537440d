"""Losses for many classes: a walk down a tree of them, margins between them, and a sample of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ops import dtype_checks
from to_static.compiler.ops.indexing.embedding import one_hot
from to_static.compiler.ops.indexing.gather import gather
from to_static.compiler.ops.indexing.where import where
from to_static.compiler.ops.losses.beam_search import class_center_sample_op
from to_static.compiler.ops.pointwise.sigmoidal import softplus
from to_static.compiler.ops.shape_rules import show
from to_static.compiler.ops.shapes.create import to_tensor, zeros_like
from to_static.core.errors import ShapeError
from to_static.nn.functional.loss import softmax_with_cross_entropy


def _complete_tree(num_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return each class's nodes, from its parent to the root, and the branch that its path takes at each; -1 pads shorter paths."""
    depth = (2 * num_classes - 1).bit_length() - 1
    leaf_numbers = np.arange(num_classes)[:, None] + num_classes
    step = np.arange(depth)[None]
    nodes = (leaf_numbers >> (step + 1)) - 1
    return nodes, np.where(nodes >= 0, (leaf_numbers >> step) & 1, -1)


def hsigmoid_loss(
    input: Any, label: Any, num_classes: int, weight: Any, bias: Any = None, path_table: Any = None, path_code: Any = None,
    is_sparse: bool = False, name: Any = None,
) -> Any:  # fmt: skip
    """Hierarchical sigmoid: the binary cross entropies of the turns of a path down a tree of classes, summed.

    Args:
        input: floating Tensor [batch, features].
        label: integer Tensor [batch] or [batch, 1].
        num_classes: the number of classes, at least 2.
        weight: Tensor [num_classes - 1, features]; with a tree of one's own [nodes, features].
        bias: Tensor [num_classes - 1, 1] ([nodes, 1]) or None.
        path_table: integer Tensor [batch, depth], the nodes of each path, negative where it has ended; None for the complete tree.
        path_code: integer Tensor [batch, depth], the turn at each node: 0 or 1.
        is_sparse: not used; there for compatibility.

    Returns:
        Tensor [batch, 1]. As in Paddle, a place where a path has ended already counts ``log(2)``.

    Raises:
        ValueError: ``num_classes`` is less than 2.

    Source: Morin and Bengio, "Hierarchical probabilistic neural network language model", 2005.

    Example:
        >>> F.hsigmoid_loss(paddle.ones([4, 3]), paddle.to_tensor([0, 1, 2, 4]), 5, paddle.ones([4, 3])).shape
        [4, 1]
    """
    if num_classes < 2:
        raise ValueError(f"Expected num_classes >= 2 (got {num_classes})")
    dtype_checks.need_one_dtype("hsigmoid_loss", input, weight, bias)
    if path_table is None:
        nodes, codes = (gather(to_tensor(table), label.reshape([-1])) for table in _complete_tree(num_classes))
    else:
        nodes, codes = path_table, path_code
    shape, is_inside = nodes.shape, nodes >= 0
    flat = where(is_inside, nodes, zeros_like(nodes)).reshape([-1])
    score = (gather(weight, flat).reshape([*shape, -1]) * input.unsqueeze(1)).sum(-1)
    if bias is not None:
        score = score + gather(bias.reshape([-1]), flat).reshape(shape)
    score = where(is_inside, score.clip(-40.0, 40.0), zeros_like(score))
    turn = where(is_inside, codes, zeros_like(codes)).astype(score.dtype)
    return (softplus(score, threshold=50) - turn * score).sum(-1, keepdim=True)


def margin_cross_entropy(
    logits: Any, label: Any, margin1: float = 1.0, margin2: float = 0.5, margin3: float = 0.0, scale: float = 64.0,
    group: Any = None, return_softmax: bool = False, reduction: str | None = "mean",
) -> Any:  # fmt: skip
    """Cross entropy of cosines, that of the class made smaller by margins: ``scale * (cos(margin1 * theta + margin2) - margin3)``.

    Args:
        logits: floating Tensor [batch, classes] of cosines, in [-1, 1].
        label: integer Tensor [batch] or [batch, 1].
        margin1, margin2, margin3: the margins (defaults 1.0, 0.5, 0.0: ArcFace).
        scale: a factor for all (default 64.0).
        group: not used: there is one process.
        return_softmax: whether to return the probabilities, too (default False).
        reduction: ``'mean'`` (default), ``'sum'``, ``'none'`` or None.

    Returns:
        Tensor [batch, 1] for ``'none'`` and None, else a scalar; with ``return_softmax``, a pair.

    Raises:
        ShapeError: the labels have another rank.
        ValueError: ``reduction`` is something else.

    Source: Deng et al., "ArcFace", CVPR 2019. (Paddle has it on GPUs only.)

    Example:
        >>> float(F.margin_cross_entropy(paddle.to_tensor([[0.9, 0.1]]), paddle.to_tensor([0])))
        0.0
    """
    if reduction not in ("mean", "sum", "none", None):
        raise ValueError(f"margin_cross_entropy: reduction should be 'mean', 'sum', 'none' or None, got {reduction!r}")
    if label.ndim not in (logits.ndim - 1, logits.ndim):
        raise ShapeError(
            f"margin_cross_entropy: labels must be [batch] or [batch, 1], got {show(label.spec.shape)} "
            f"for logits {show(logits.spec.shape)}"
        )
    label = label.unsqueeze(-1) if label.ndim == logits.ndim - 1 else label
    hit = one_hot(label.squeeze(-1), logits.shape[-1]).astype(logits.dtype)
    # away from the ends, where the derivative of acos is infinite
    angle = (logits.clip(-1.0 + 1e-7, 1.0 - 1e-7) if margin1 != 1.0 or margin2 != 0.0 else logits).acos()
    margin_logits = (angle * margin1 + margin2).cos() - margin3 if margin1 != 1.0 or margin2 != 0.0 else logits - margin3
    loss, softmax = softmax_with_cross_entropy((hit * margin_logits + (1 - hit) * logits) * scale, label, return_softmax=True)
    loss = loss.mean() if reduction == "mean" else loss.sum() if reduction == "sum" else loss
    return (loss, softmax) if return_softmax else loss


def class_center_sample(label: Any, num_classes: int, num_samples: int, group: Any = None) -> Any:
    """Some of the classes: all that occur in ``label``, and drawn ones up to ``num_samples``.

    Args:
        label: integer Tensor [batch].
        num_classes: the number of classes.
        num_samples: how many to keep, at most ``num_classes``; all that occur are kept even if they are more.
        group: not used: there is one process.

    Returns:
        Two Tensors: ``label`` as numbers among the kept classes [batch], and the kept classes, sorted.

    Raises:
        ValueError: ``num_samples`` is more than ``num_classes``.
        ShapeError: ``label`` is not [batch], or a label is out of range.

    Source: An et al., "Partial FC", 2021.

    Example:
        >>> label, classes = F.class_center_sample(paddle.to_tensor([3, 7]), num_classes=10, num_samples=2)
        >>> label.tolist(), classes.tolist()
        ([0, 1], [3, 7])
    """
    if num_samples > num_classes:
        raise ValueError(f"Expected num_samples less than or equal to {num_classes}, got num_samples {num_samples}")
    return class_center_sample_op(label, num_classes, num_samples)
