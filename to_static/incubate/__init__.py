"""Paddle's experimental names: `asp`, `autograd`, `nn`, `optimizer`, and functions that moved since. Loaded on first use."""

from __future__ import annotations

import importlib
from typing import Any

from to_static.core.diagnostics.missing_names import of_module

_ROOMS = ("asp", "autograd", "nn", "optimizer")
_OPTIMIZERS = ("LookAhead", "ModelAverage")
_FUNCTIONS = (
    "graph_khop_sampler", "graph_reindex", "graph_sample_neighbors", "graph_send_recv", "identity_loss", "segment_max",
    "segment_mean", "segment_min",
    "segment_sum", "softmax_mask_fuse", "softmax_mask_fuse_upper_triangle",
)  # fmt: skip
__all__ = [*_ROOMS, *_OPTIMIZERS, *_FUNCTIONS]


def __getattr__(name: str) -> Any:
    if name in _OPTIMIZERS:
        return getattr(importlib.import_module(f"{__name__}.optimizer"), name)
    if name in _FUNCTIONS:
        return getattr(importlib.import_module(f"{__name__}.graphs"), name)
    if name not in _ROOMS:
        raise of_module(__name__, name)
    return importlib.import_module(f"{__name__}.{name}")
