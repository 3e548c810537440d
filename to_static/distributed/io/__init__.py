"""Paddle's ``distributed.io``: the values that a Program keeps, in a folder of files or in one. Loaded when asked for."""

from to_static.core.importing.lazy_module import attach

_HOMES = {
    "to_static.framework.dygraph": "is_persistable",
    "to_static.static.persistables": "load_inference_model_distributed load_persistables save_persistables",
}
__getattr__, __dir__, __all__ = attach(__name__, _HOMES)
