"""Drawing one of the likeliest indices."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops import functions
from to_static.compiler.ops.random.random import multinomial
from to_static.core import backend
from to_static.core.errors import ArgumentError

__all__ = ["top_p_sampling"]


def top_p_sampling(x: Any, ps: Any, threshold: Any = None, seed: int | None = None, name: str | None = None) -> tuple[Any, Any]:
    """A drawn score of each row, and its index: both [batch, 1]; of the likeliest indices that make up ``ps`` of the probability.

    Args:
        x: probabilities [batch, n].
        ps: how much of the probability, [batch].
        threshold: [batch]; indices of a smaller probability are left out, too, unless none is left.
        seed: where it is given and not -1, `paddle.seed` of it comes first. Raises ArgumentError inside of Programs.

    Source: Holtzman et al., "The Curious Case of Neural Text Degeneration", ICLR 2020. Paddle computes it on GPUs only.

    Example:
        >>> value, index = paddle.tensor.top_p_sampling(probabilities, paddle.to_tensor([0.8]))
    """
    if seed is not None and seed != -1:
        if hasattr(x, "builder"):
            raise ArgumentError("top_p_sampling: a seed is set when a Program is made, not in each run: call paddle.seed before")
        backend.seed(seed)
    probabilities = x.astype("float32")
    order = functions.argsort(probabilities, -1, True)
    scores = functions.take_along_axis(probabilities, order, -1)
    preceding_sum = scores.cumsum(-1) - scores
    allowed = preceding_sum < ps.astype("float32").reshape([-1, 1])
    if threshold is not None:
        allowed = functions.logical_and(allowed, scores >= threshold.astype("float32").reshape([-1, 1]))
    first = functions.arange(x.shape[-1], dtype="int64") == 0
    weights = functions.where(functions.logical_or(allowed, first), scores, scores * 0)
    drawn = multinomial(weights, 1)
    index = functions.take_along_axis(order, drawn, -1)
    return functions.take_along_axis(x, index, -1), index
