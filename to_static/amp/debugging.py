"""Looking for numbers that are not finite: `check_numerics`, `check_layer_numerics`, and what is set for all operators."""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from to_static.amp.op_observer import leave, watch
from to_static.compiler.ir import mode
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions
from to_static.core.diagnostics.missing_names import names_missing
from to_static.core.errors import ModeError

__all__ = [
    "DebugMode", "TensorCheckerConfig", "check_layer_numerics", "check_numerics", "collect_operator_stats",
    "disable_operator_stats_collection", "disable_tensor_checker", "enable_operator_stats_collection", "enable_tensor_checker",
]  # fmt: skip


class DebugMode(enum.Enum):
    """The reactions of `check_numerics` to NaN or infinities: raise (the default), print, or print in any case.

    Example:
        >>> paddle.amp.debugging.DebugMode.CHECK_NAN_INF.name
        'CHECK_NAN_INF'
    """

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
    ``op_type``, ``var_name``: names for the message.

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
    make = functions.to_tensor
    return make([nan, inf, zero], dtype="int64"), make([high, low, mean], dtype="float32")


def check_layer_numerics(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator for the ``forward`` of a Layer: `check_numerics` of its first argument and of its result, which must be tensors.

    ``func``: the ``forward``.

    Example:
        >>> class Checked(nn.Layer):
        ...     @paddle.amp.debugging.check_layer_numerics
        ...     def forward(self, x):
        ...         return x * 2
        ...
        >>> Checked()(x).shape
        [4, 4]
    """

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


class TensorCheckerConfig:
    """The settings of `enable_tensor_checker`.

    Args:
        enable: whether it checks at all.
        debug_mode: what happens where numbers are not finite, see `DebugMode`.
        checked_op_list, skipped_op_list: names of the only operators to check, and of those not to check.
        debug_step: ``[first, end]``, of the calls of `enable_tensor_checker`, one a step, those that check; None (default): all.
        output_dir, stack_height_limit: taken for Paddle's sake; what is found is printed.

    Raises ValueError for a ``debug_step`` that is no pair of numbers in order.

    Example:
        >>> config = paddle.amp.debugging.TensorCheckerConfig(enable=True)
        >>> paddle.amp.debugging.enable_tensor_checker(config)
        >>> paddle.amp.debugging.disable_tensor_checker()
    """

    current_step_id = 0

    def __init__(
        self,
        enable: bool,
        debug_mode: DebugMode = DebugMode.CHECK_NAN_INF_AND_ABORT,
        output_dir: str | None = None,
        checked_op_list: Iterable[str] | None = None,
        skipped_op_list: Iterable[str] | None = None,
        debug_step: Any = None,
        stack_height_limit: int = 1,
    ) -> None:
        self.enable = enable
        self.debug_mode = debug_mode
        self.checked_op_list = None if checked_op_list is None else set(checked_op_list)
        self.skipped_op_list = set(skipped_op_list or ())
        pair = isinstance(debug_step, (list, tuple)) and len(debug_step) == 2
        if debug_step is not None and not (pair and debug_step[0] < debug_step[1]):
            raise ValueError(f"TensorCheckerConfig: debug_step is the first step and the end, such as [1, 5], got {debug_step!r}")
        self.debug_step = debug_step

    def update_and_check_step_id(self) -> bool:
        """Return whether to check the next step; the steps of all configurations are counted."""
        if self.enable and self.debug_step is not None:
            if not max(self.debug_step[0], 0) <= TensorCheckerConfig.current_step_id < self.debug_step[1]:
                return False
            TensorCheckerConfig.current_step_id += 1
        return self.enable

    def start_check_nan_inf(self) -> None:
        """Check from now on."""
        if self.enable:
            disable_tensor_checker()
            _checker.append(self)
            watch(self.check)

    def stop_check_nan_inf(self) -> None:
        """Check no more."""
        disable_tensor_checker()

    def check(self, name: str, results: list[Any]) -> None:
        """Check the results of an operator."""
        if name in self.skipped_op_list or (self.checked_op_list is not None and name not in self.checked_op_list):
            return
        for result in results:
            if result.dtype.is_floating and not _is_finite(result._array):
                check_numerics(result, name, "", self.debug_mode)


_checker: list[TensorCheckerConfig] = []
_counts: list[dict[str, list[int]]] = []


def enable_tensor_checker(checker_config: TensorCheckerConfig) -> None:
    """Check the results of all operators of dynamic mode from now on, as ``checker_config`` says.

    Example:
        >>> paddle.amp.debugging.enable_tensor_checker(paddle.amp.debugging.TensorCheckerConfig(enable=True))
        >>> y = x + 1
        >>> paddle.amp.debugging.disable_tensor_checker()
    """
    if checker_config.update_and_check_step_id():
        checker_config.start_check_nan_inf()
    else:
        checker_config.stop_check_nan_inf()


def disable_tensor_checker() -> None:
    """Check no more.

    Example:
        >>> paddle.amp.debugging.disable_tensor_checker()
    """
    while _checker:
        leave(_checker.pop().check)


def _count(name: str, results: list[Any]) -> None:
    dtype = results[0].dtype.name if results else ""
    column = {"float16": 0, "bfloat16": 1, "float32": 2}.get(dtype, 3)
    _counts[-1].setdefault(name, [0, 0, 0, 0])[column] += 1


def enable_operator_stats_collection() -> None:
    """Count the calls of operators in dynamic mode from now on, by the dtype of their results.

    Example:
        >>> paddle.amp.debugging.enable_operator_stats_collection()
        >>> y = x + 1
        >>> paddle.amp.debugging.disable_operator_stats_collection()
        <------------------------------------------------------- op list ------------------------------------------------------->
        <--------------- Op Name ---------------- | -- FP16 Calls --- | -- BF16 Calls --- | --- FP32 Calls--- | -- Other Calls -->
          add                                     |  0                |  0                |  1                |  0
        <----------------------------------------------------- op count: 1 ----------------------------------------------------->
    """
    _counts.append({})
    watch(_count)


def disable_operator_stats_collection() -> None:
    """Count no more, and print a table of what was counted.

    Example:
        >>> paddle.amp.debugging.enable_operator_stats_collection()
        >>> y = x + 1
        >>> paddle.amp.debugging.disable_operator_stats_collection()
        <------------------------------------------------------- op list ------------------------------------------------------->
        <--------------- Op Name ---------------- | -- FP16 Calls --- | -- BF16 Calls --- | --- FP32 Calls--- | -- Other Calls -->
          add                                     |  0                |  0                |  1                |  0
        <----------------------------------------------------- op count: 1 ----------------------------------------------------->
    """
    if not _counts:
        return
    leave(_count)
    counts = _counts.pop()
    print("<" + " op list ".center(119, "-") + ">")
    columns = ("-- FP16 Calls ---", "-- BF16 Calls ---", "--- FP32 Calls---", "-- Other Calls -->")
    print(" | ".join(["<--------------- Op Name ----------------", *columns]))
    for name, calls in sorted(counts.items()):
        print(f"  {name:<40}" + "".join(f"|  {count:<17}" for count in calls))
    print("<" + f" op count: {len(counts)} ".center(119, "-") + ">")


@contextmanager
def collect_operator_stats() -> Iterator[None]:
    """Count the calls of operators within a ``with`` block, and print a table of them at its end.

    Example:
        >>> with paddle.amp.debugging.collect_operator_stats():
        ...     net(x)
    """
    enable_operator_stats_collection()
    try:
        yield
    finally:
        disable_operator_stats_collection()


def _is_finite(array: Any) -> bool:
    return bool((abs(array) < float("inf")).all())  # which NaN is not


def _isnan(array: Any) -> Any:
    return array != array


_SHORT = {"float16": "fp16", "float32": "fp32", "float64": "fp64"}

__getattr__ = names_missing(__name__)
