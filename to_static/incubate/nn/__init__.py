"""Layers that Paddle computes in one piece; here they are made of the ordinary operators, which the planner joins."""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.core.unavailable_devices import on_gpus
from to_static.incubate.nn import functional
from to_static.incubate.nn.linear import FusedLinear
from to_static.incubate.nn.transformer import (
    FusedBiasDropoutResidualLayerNorm,
    FusedDropoutAdd,
    FusedFeedForward,
    FusedMultiHeadAttention,
    FusedTransformerEncoderLayer,
)

FusedEcMoe = on_gpus("incubate.nn.FusedEcMoe", "layers of its parts, `Linear` and `F.gelu`, and `paddle.topk` of the gate")
FusedMultiTransformer = on_gpus("incubate.nn.FusedMultiTransformer", "`nn.TransformerEncoder`, or a list of these layers")

__all__ = [
    "FusedBiasDropoutResidualLayerNorm",
    "FusedDropoutAdd",
    "FusedEcMoe",
    "FusedFeedForward",
    "FusedLinear",
    "FusedMultiHeadAttention",
    "FusedMultiTransformer",
    "FusedTransformerEncoderLayer",
    "functional",
]

__getattr__ = names_missing(__name__)
