"""Beam search, and losses with sampled classes: `gather_tree` and sampling of negative classes."""

from __future__ import annotations

import numpy as np

from to_static.compiler.ir.opdef import Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import shape_rules
from to_static.compiler.ops.random.random import generator
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.errors import DTypeError, ShapeError


@op("gather_tree(Ids, Parents -> Out)", traits="nodiff may_raise check_shapes")
def gather_tree(ids: Tensor, parents: Tensor) -> Tensor:
    """The whole sequences of a beam search, from the token and the parent beam of each step.

    Args:
        ids: integer Tensor [time, batch, beams], the token that each beam got.
        parents: Tensor of the same shape and dtype, the beam of the step before that it continues.

    Returns:
        Tensor [time, batch, beams]: in each beam the tokens that lead to its last one.

    Raises:
        ShapeError: the shapes are not alike, or not of three dimensions, or a parent is not a beam.
        DTypeError: the dtypes are not integers.

    Example:
        >>> ids = paddle.to_tensor([[[2, 2], [6, 1]], [[3, 9], [6, 1]], [[0, 1], [9, 0]]])
        >>> parents = paddle.to_tensor([[[0, 0], [1, 1]], [[1, 0], [1, 0]], [[0, 0], [0, 1]]])
        >>> F.gather_tree(ids, parents).tolist()
        [[[2, 2], [1, 6]], [[3, 3], [6, 1]], [[0, 1], [9, 0]]]
    """
    return gather_tree.emit(ids, parents)


@gather_tree.infer
def _(ids: TensorSpec, parents: TensorSpec) -> TensorSpec:
    if ids.ndim != 3 or not shape_rules.compatible(ids.shape, parents.shape):
        raise ShapeError(
            "gather_tree: ids and parents must both be [time, batch, beams], "
            f"got {show(ids.shape)} and {show(parents.shape)}"
        )
    if not ids.dtype.is_integer or not parents.dtype.is_integer:
        raise DTypeError(f"gather_tree: expected integers, got {ids.dtype.name} and {parents.dtype.name}")
    return ids


@gather_tree.kernel
def _(xp: ArrayModule, ids: Array, parents: Array) -> Array:
    steps, batch, beams = ids.shape
    if parents.size and not 0 <= int(parents.min()) <= int(parents.max()) < beams:
        raise ShapeError(
            f"gather_tree: parents must be in [0, {beams}), got {int(parents.min())} to {int(parents.max())}"
        )
    paths = ids.copy()
    if steps:
        rows, beam = xp.arange(batch)[:, None], parents[-1]
        for t in range(steps - 2, -1, -1):
            paths[t] = ids[t][rows, beam]
            beam = parents[t][rows, beam]
    return paths


gather_tree.samples(
    lambda: [Sample(np.asarray([[[2, 2]], [[3, 9]], [[0, 1]]]), np.asarray([[[0, 0]], [[1, 0]], [[0, 0]]]))]
)


@op(
    "class_center_sample(Label -> RemappedLabel, SampledLocalClassCenter) num_classes:int num_samples:int",
    traits="random nodiff dynamic may_raise",
    file_attrs={
        "fix_seed": ("bool", False),
        "seed": ("int", 0),
        "ring_id": ("int", 0),
        "rank": ("int", 0),
        "nranks": ("int", 1),
    },
)
def class_center_sample_op(label: Tensor, num_classes: int, num_samples: int) -> tuple[Tensor, ...]:
    """The labels renumbered, and the classes that stay; see `F.class_center_sample`."""
    return class_center_sample_op.emit(label, num_classes=int(num_classes), num_samples=int(num_samples))


@class_center_sample_op.infer
def _(label: TensorSpec, num_classes: int, num_samples: int) -> tuple[TensorSpec, ...]:
    if label.ndim != 1:
        raise ShapeError(f"class_center_sample: labels must be [batch], got {show(label.shape)}")
    if not label.dtype.is_integer:
        raise DTypeError(f"class_center_sample: labels must be integers, got {label.dtype.name}")
    return label, label.with_shape((UNKNOWN,))


@class_center_sample_op.kernel
def _(xp: ArrayModule, label: Array, num_classes: int, num_samples: int) -> tuple[Array, ...]:
    if label.size and not 0 <= int(label.min()) <= int(label.max()) < num_classes:
        raise ShapeError(
            f"class_center_sample: labels must be in [0, {num_classes}), got {label.min()} to {label.max()}"
        )
    is_used = xp.zeros(num_classes, bool)
    is_used[label] = True
    sampled = xp.flatnonzero(is_used)  # those of the labels come first, in order
    missing = num_samples - sampled.shape[0]
    if missing > 0:
        unused = xp.flatnonzero(~is_used)
        sampled = xp.concatenate([sampled, unused[generator(xp).permutation(unused.shape[0])[:missing]]])
    new_label = xp.cumsum(is_used) - 1
    return new_label[label].astype(label.dtype), sampled.astype(label.dtype)


class_center_sample_op.samples(lambda: [Sample(np.asarray([2, 0, 2]), num_classes=4, num_samples=4)])
