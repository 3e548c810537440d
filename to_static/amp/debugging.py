"""Looking for numbers that are not finite: `check_numerics`, `check_layer_numerics`, and what is set for all operators."""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable
from typing import Any

from to_static.core.errors import ModeError
from to_static.core.missing import names_missing
from to_static.ir import mode
from to_static.ir.registry import FUNCTIONS
from to_static.ir.tensor import Tensor

__all__ = ["DebugMode", "check_layer_numerics", "check_numerics"]


class DebugMode(enum.Enum):
    """What `check_numerics` does: raise (the default) or print where there are NaN or infinities, or print in any case."""

    CHECK_NAN_INF_AND_ABORT = 0
    CHECK_NAN_INF = 1
    CHECK_ALL_FOR_OVERFLOW = 2
    CHECK_ALL = 3


def check_numerics(
    tensor: Any, op_type: str, var_name: str, debug_mode: DebugMode = DebugMode.CHECK_NAN_INF_AND_ABORT
) -> tuple[Any, Any]:
    """Count the NaN, infinities and zeros of a tensor of floats.

    Returns two tensors: the counts, int64 [3], and the largest, smallest and mean number, float32 [3]. Raises RuntimeError where
    there are NaN or infinities, or only prints that, as ``debug_mode`` says; ModeError in a static function.

    Example:
        >>> paddle.amp.debugging.check_numerics(x, 'matmul', 'x')
    """
    if mode.building():
        raise ModeError("check_numerics looks at numbers: call it outside of the static function, on its result")
    array = tensor.numpy()
    finite = array[~_isnan(array)]
    nan, inf, zero = int(_isnan(array).sum()), int((abs(finite) == float("inf")).sum()), int((array == 0).sum())
    high, low = (float(finite.max()), float(finite.min())) if finite.size else (float("nan"), float("nan"))
    mean = float("nan") if nan or not array.size else float(array.sum()) / array.size
    where = f"in [device=cpu, op={op_type}, tensor={var_name}, dtype={_SHORT.get(tensor.dtype.name, tensor.dtype.name)}]"
    if nan or inf or debug_mode is DebugMode.CHECK_ALL:
        word = " [ERROR]" if nan or inf else ""
        counts = f"numel={array.size}, num_nan={nan}, num_inf={inf}, num_zero={zero}"
        print(f"[PRECISION]{word} {where}, {counts}, max={high:e}, min={low:e}, mean={mean:e}")
    if (nan or inf) and debug_mode is DebugMode.CHECK_NAN_INF_AND_ABORT:
        raise RuntimeError(f"There are NAN or INF (num_nan={nan}, num_inf={inf}, num_zero={zero}) {where}.")
    make = FUNCTIONS["to_tensor"]
    return make([nan, inf, zero], dtype="int64"), make([high, low, mean], dtype="float32")


def check_layer_numerics(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator for the ``forward`` of a Layer: `check_numerics` of its first argument and of its result, which must be tensors."""

    @functools.wraps(func)
    def checked(self: Any, *args: Any, **kwargs: Any) -> Any:
        if args and isinstance(args[0], Tensor):
            check_numerics(args[0], type(self).__name__, "input")
        result = func(self, *args, **kwargs)
        for item in result if isinstance(result, (list, tuple)) else [result]:
            if isinstance(item, Tensor):
                check_numerics(item, type(self).__name__, "output")
        return result

    return checked


def _isnan(array: Any) -> Any:
    return array != array


_SHORT = {"float16": "fp16", "float32": "fp32", "float64": "fp64"}

__getattr__ = names_missing(__name__)
