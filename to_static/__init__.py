"""to_static: ordinary Python models as static Programs, on NumPy or CuPy. The public names are those of PaddlePaddle 2.6.

Names are looked up when they are first used, so that importing this package costs little more than importing NumPy.

Example:
    >>> import to_static as paddle
    >>> @paddle.jit.to_static
    ... def f(x):
    ...     return x * 2 if x.sum() > 0 else -x
"""

from __future__ import annotations

import importlib
from typing import Any

from to_static import eager, ops  # noqa: F401  (the mode that every thread starts with, and the vocabulary)
from to_static.core.dtypes import DType as dtype
from to_static.core.dtypes import (
    complex64,
    complex128,
    float16,
    float32,
    float64,
    get_default_dtype,
    int8,
    int16,
    int32,
    int64,
    set_default_dtype,
    uint8,
)
from to_static.core.dtypes import bool_ as bool
from to_static.core.errors import ToStaticError
from to_static.ir.mode import grad_enabled as is_grad_enabled
from to_static.ir.tensor import Tensor

__version__ = "0.1.0"

_PACKAGES = "amp autodiff core distributed framework inference io ir jit metric nn onnx optimizer static vision regularizer"
_HOMES = {
    "to_static.core.backend": "CPUPlace CUDAPlace get_device is_compiled_with_cuda seed set_device",
    "to_static.core.flags": "get_flags set_flags",
    "to_static.eager.grad_mode": "enable_grad no_grad set_grad_enabled",
    "to_static.eager.printing": "set_printoptions",
    "to_static.eager.tape": "grad",
    "to_static.framework": "load save",
    "to_static.nn.parameter": "ParamAttr create_parameter",
    "to_static.static.mode": "disable_static enable_static in_dynamic_mode",
    "to_static.jit.api": "to_static",
    # operators
    "to_static.ops.control": (
        "assign clone"
    ),
    "to_static.ops.create": (
        "cast empty empty_like full full_like is_tensor ones ones_like to_tensor zeros zeros_like"
    ),
    "to_static.ops.elementwise": (
        "add multiply subtract"
    ),
    "to_static.ops.expand": (
        "broadcast_tensors broadcast_to expand expand_as repeat_interleave tile"
    ),
    "to_static.ops.index": (
        "index_put"
    ),
    "to_static.ops.join": (
        "chunk concat meshgrid split stack unbind unstack"
    ),
    "to_static.ops.sequence": (
        "arange eye linspace"
    ),
    "to_static.ops.shape": (
        "flatten is_empty moveaxis numel rank reshape shape squeeze t transpose unsqueeze view"
    ),
    "to_static.ops.windows": (
        "crop"
    ),
}
_INPLACE = (
        "multiply_ reshape_ squeeze_ unsqueeze_"
)
_WHERE = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [  # noqa: PLE0604
    "Tensor", "ToStaticError", "bool", "complex128", "complex64", "dtype", "float16", "float32", "float64", "get_default_dtype",
    "int16", "int32", "int64", "int8", "is_grad_enabled", "set_default_dtype", "uint8",
    *_PACKAGES.split(), *_WHERE, *_INPLACE.split(),
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        value = getattr(importlib.import_module(_WHERE[name]), name)
    elif name in _PACKAGES.split():
        value = importlib.import_module(f"to_static.{name}")
    elif name in _INPLACE.split():
        value = getattr(Tensor, name)
    else:
        raise AttributeError(f"module 'to_static' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
