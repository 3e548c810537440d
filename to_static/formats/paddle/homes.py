"""Which operator a file's op is, found without loading every operator family: a served model should start quickly."""

from __future__ import annotations

import importlib
from typing import Any

from to_static.ir.registry import FILE_TYPES, REGISTRY

# operator families by the file ops that common models have; any other op loads them all
HOMES = {
    "activation": ("relu", "relu6", "leaky_relu"),
    "conv": ("conv2d", "depthwise_conv2d"),
    "cumulate": ("cumsum",),
    "diagonal": ("tril_triu",),
    "dropout": ("dropout",),
    "embedding": ("lookup_table_v2",),
    "expand": ("expand_v2",),
    "group_norm": ("group_norm",),
    "join": ("concat", "split", "stack"),
    "linalg": ("matmul_v2",),
    "logic": ("logical_and", "logical_or", "logical_not"),
    "norm": ("batch_norm", "layer_norm"),
    "order": ("arg_max",),
    "pool": ("pool2d", "max_pool2d_with_index"),
    "scale": ("scale",),
    "sequence": ("range",),
    "shape": ("reshape2", "squeeze2", "transpose2", "unsqueeze2"),
    "sigmoidal": ("hard_swish", "hard_sigmoid", "swish", "gelu"),
    "sizes": ("shape",),
    "slice": ("slice",),
    "softmax": ("softmax", "log_softmax"),
}
_MODULES = {kind: module for module, kinds in HOMES.items() for kind in kinds}


def operator(kind: str) -> Any:
    """The OpDef that reads file op ``kind``, or None: of several with that file type, the one of that name."""
    if kind in _MODULES:
        importlib.import_module(f"to_static.ops.{_MODULES[kind]}")
    if REGISTRY.declared(kind) and REGISTRY[kind].file == kind:
        return REGISTRY[kind]
    if FILE_TYPES.declared(kind):
        return FILE_TYPES[kind]
    found = REGISTRY.get(kind)
    return found if found is not None and found.file == kind else FILE_TYPES.get(kind)
