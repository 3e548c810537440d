"""The most probable sequence of tags, by Viterbi's algorithm."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dtype_checks, shape_rules
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.dtypes import int64
from to_static.core.errors import DTypeError, ShapeError


@op(
    "viterbi_decode(Input, Transition, Length -> Scores, Path) include_bos_eos_tag:bool",
    traits="nodiff dynamic may_raise check_shapes",
)
def viterbi_decode(
    potentials: Any, transition_params: Any, lengths: Any, include_bos_eos_tag: bool = True, name: str | None = None
) -> tuple[Tensor, ...]:
    """The sequence of tags with the highest sum of scores, of each tag at its place and of each step from one to the next.

    Args:
        potentials: floating Tensor [batch, length, tags], the score of each tag at each place.
        transition_params: Tensor [tags, tags] of the same dtype, the score of a step from one tag (row) to another (column).
        lengths: int64 Tensor [batch], the places of each sequence.
        include_bos_eos_tag: whether the last tag stands for the start, from which a sequence comes, and the one before it for the
            stop, the row of which is added at the end (default True).
        name: not used; there for compatibility.

    Returns:
        ``(scores, paths)``: Tensor [batch], and int64 Tensor [batch, longest length] with 0 behind the end of a sequence.

    Raises:
        ShapeError: the shapes do not fit, or a length is out of range.
        DTypeError: scores are not floating numbers of one dtype, or lengths no integers.

    Example:
        >>> scores = paddle.to_tensor([[[0.0, 1.0], [3.0, 0.0]]])
        >>> found = paddle.text.viterbi_decode(scores, paddle.zeros([2, 2]), paddle.to_tensor([2]), False)
        >>> found[0].tolist(), found[1].tolist()
        ([4.0], [[1, 0]])

    Source: A. Viterbi, "Error bounds for convolutional codes", 1967.
    """
    return viterbi_decode.emit(potentials, transition_params, lengths, include_bos_eos_tag=bool(include_bos_eos_tag))


@viterbi_decode.infer
def _(
    potentials: TensorSpec, transitions: TensorSpec, lengths: TensorSpec, include_bos_eos_tag: bool
) -> tuple[TensorSpec, ...]:
    dtype_checks.need_float(potentials, "viterbi_decode")
    if transitions.dtype != potentials.dtype or not lengths.dtype.is_integer:
        raise DTypeError(
            "viterbi_decode: expected potentials and transitions of one dtype and integer lengths, "
            f"got {potentials.dtype.name}, {transitions.dtype.name} and {lengths.dtype.name}"
        )
    shapes = [potentials.shape, transitions.shape, lengths.shape]
    fits = [len(s) for s in shapes] == [3, 2, 1]
    if not (
        fits
        and shape_rules.compatible(shapes[1], (shapes[0][2],) * 2)
        and shape_rules.compatible(shapes[2], shapes[0][:1])
    ):
        shapes_text = ", ".join(map(show, shapes))
        raise ShapeError(f"viterbi_decode: expected [batch, length, tags], [tags, tags] and [batch], got {shapes_text}")
    batch = shapes[0][0] if shapes[0][0] != UNKNOWN else shapes[2][0]
    return TensorSpec((batch,), potentials.dtype), TensorSpec((batch, UNKNOWN), int64)


@viterbi_decode.kernel
def _(
    xp: ArrayModule, potentials: Array, transitions: Array, lengths: Array, include_bos_eos_tag: bool
) -> tuple[Array, ...]:
    batch, positions, tags = potentials.shape
    longest = int(lengths.max()) if batch else 0
    if batch and not 0 <= int(lengths.min()) <= longest <= positions:
        raise ShapeError(f"viterbi_decode: lengths must be in [0, {positions}], got {int(lengths.min())} to {longest}")
    if tags < 1 + include_bos_eos_tag:
        raise ShapeError(f"viterbi_decode: expected {1 + include_bos_eos_tag} tags or more, got {tags}")
    score = potentials[:, 0] if positions else xp.zeros((batch, tags), potentials.dtype)
    stop = transitions[-2] if include_bos_eos_tag else xp.zeros(tags, potentials.dtype)
    if include_bos_eos_tag:
        score = score + transitions[-1]
    score = score + xp.where(lengths[:, None] == 1, stop, xp.zeros((), potentials.dtype))
    sources = []
    for i in range(1, longest):
        steps = score[:, :, None] + transitions
        onward = steps.max(1) + potentials[:, i] + xp.where(lengths[:, None] == i + 1, stop, xp.zeros((), potentials.dtype))
        sources.append(steps.argmax(1))
        score = xp.where(lengths[:, None] > i, onward, score)
    rows = xp.arange(batch)
    tag = score.argmax(1)
    path = xp.zeros((batch, longest), np.int64)
    for i in range(longest - 1, -1, -1):
        path[:, i] = xp.where(lengths > i, tag, 0)
        if i:
            tag = xp.where(lengths > i, sources[i - 1][rows, tag], tag)
    return score.max(1), path


_DRAWN = np.random.default_rng(0)
_SCORES, _STEPS = _DRAWN.normal(size=(3, 4, 5)).astype("float32"), _DRAWN.normal(size=(5, 5)).astype("float32")
viterbi_decode.samples(
    lambda: [
        Sample(_SCORES, _STEPS, np.asarray([4, 1, 3]), include_bos_eos_tag=True),
        Sample(_SCORES, _STEPS, np.asarray([2, 3, 1]), include_bos_eos_tag=False),
    ]
)
