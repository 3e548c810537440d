"""The likeliest sequence of tags, as a layer."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops.losses.viterbi import viterbi_decode
from to_static.nn.layer import Layer

__all__ = ["ViterbiDecoder", "viterbi_decode"]


class ViterbiDecoder(Layer):
    """`viterbi_decode` with scores of steps that it keeps.

    Args:
        transitions: Tensor [tags, tags], often a parameter.
        include_bos_eos_tag: see `viterbi_decode` (default True).

    Example:
        >>> decoder = paddle.text.ViterbiDecoder(paddle.zeros([2, 2]), include_bos_eos_tag=False)
        >>> decoder(paddle.to_tensor([[[0.0, 1.0], [3.0, 0.0]]]), paddle.to_tensor([2]))[1].tolist()
        [[1, 0]]
    """

    def __init__(self, transitions: Any, include_bos_eos_tag: bool = True, name: str | None = None) -> None:
        super().__init__()
        self.transitions, self.include_bos_eos_tag, self.name = transitions, include_bos_eos_tag, name

    def forward(self, potentials: Any, lengths: Any) -> Any:
        """``[batch, length, tags]`` and ``[batch]`` to scores ``[batch]`` and paths ``[batch, longest length]``."""
        return viterbi_decode(potentials, self.transitions, lengths, self.include_bos_eos_tag)
