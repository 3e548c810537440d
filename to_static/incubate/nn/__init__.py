"""Layers that Paddle computes in one piece; here they are made of the ordinary operators, which the planner joins."""

from to_static.core.missing import names_missing
from to_static.incubate.nn import functional
from to_static.incubate.nn.linear import FusedLinear
from to_static.incubate.nn.transformer import (
    FusedBiasDropoutResidualLayerNorm,
    FusedDropoutAdd,
    FusedFeedForward,
    FusedMultiHeadAttention,
    FusedTransformerEncoderLayer,
)

__all__ = [
    "FusedBiasDropoutResidualLayerNorm",
    "FusedDropoutAdd",
    "FusedFeedForward",
    "FusedLinear",
    "FusedMultiHeadAttention",
    "FusedTransformerEncoderLayer",
    "functional",
]

__getattr__ = names_missing(__name__)
