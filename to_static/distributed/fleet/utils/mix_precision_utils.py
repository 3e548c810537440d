"""Training in half precision with gradients that are kept in float32 (``param.main_grad``), in a world of one process."""

from __future__ import annotations

from typing import Any

from to_static.distributed.layer_wrapper import LayerWrapper
from to_static.nn.layer import Layer

__all__ = ["GroupShardedScaler", "MixPrecisionLayer", "MixPrecisionOptimizer", "MixPrecisionScaler"]


class MixPrecisionLayer(LayerWrapper):
    """Calls ``layers``.

    Args:
        layers: the network.
        dtype: 'float16' or 'bfloat16': the dtype of the network's parameters; not used, gradients have theirs.
    """

    def __init__(self, layers: Layer, dtype: str = "float16") -> None:
        super().__init__(layers.full_name() + "_mix_precision")
        if dtype not in ("float16", "bfloat16"):
            raise AssertionError(f"dtype must be 'float16' or 'bfloat16', got {dtype!r}")
        self._layers, self._dtype = layers, dtype


class MixPrecisionOptimizer:
    """The optimizer that it is given: its updates are computed in float32 anyway."""

    def __init__(self, optimizer: Any) -> None:
        self._inner_opt = optimizer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner_opt, name)


def MixPrecisionScaler(scaler: Any) -> Any:
    """The scaler that it is given."""
    return scaler


GroupShardedScaler = MixPrecisionScaler
