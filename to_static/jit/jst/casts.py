"""``int()``, ``float()``, ``bool()`` and ``len()`` of tensors become casts and sizes in the Program."""

from __future__ import annotations

import builtins
from typing import Any

from to_static.core.dtypes import DType, default_dtype, int64
from to_static.core.errors import TracedValueError
from to_static.ir.registry import FUNCTIONS
from to_static.ir.spec import UNKNOWN, ListSpec
from to_static.jit.jst.traced import failure, is_traced, truth


def int_(*args: Any, **kwargs: Any) -> Any:
    """``int``; of a traced tensor its one element, cast to int64."""
    return _scalar(args[0], int64, "int()") if args and is_traced(args[0]) else builtins.int(*args, **kwargs)


def float_(*args: Any) -> Any:
    """``float``; of a traced tensor its one element, cast to the default float (float64 stays)."""
    if not args or not is_traced(args[0]):
        return builtins.float(*args)
    dtype = args[0].spec.dtype
    return _scalar(args[0], dtype if dtype.is_floating and dtype.np.itemsize == 8 else default_dtype(), "float()")


def bool_(*args: Any) -> Any:
    """``bool``; of a traced tensor its truth, a 0-D boolean tensor."""
    return truth(args[0], "bool()") if args and is_traced(args[0]) else builtins.bool(*args)


def len_(value: Any) -> Any:
    """``len``; an int where it is known, else a 0-D int64 tensor."""
    if not is_traced(value):
        return builtins.len(value)
    if isinstance(value.spec, ListSpec):
        return FUNCTIONS["list_len"](value)
    if not value.spec.shape:
        raise TypeError("len() of a 0-D tensor")
    first = value.spec.shape[0]
    return FUNCTIONS["dim_size"](value, 0) if first == UNKNOWN else first


def _scalar(value: Any, dtype: DType, what: str) -> Any:
    if isinstance(value.spec, ListSpec) or value.spec.size not in (1, UNKNOWN):
        raise failure(TracedValueError, f"{what} needs a tensor of one element, this one is {value.spec}")
    value = value if value.spec.shape == () else FUNCTIONS["reshape"](value, [])
    return value if value.spec.dtype is dtype else FUNCTIONS["cast"](value, dtype)
