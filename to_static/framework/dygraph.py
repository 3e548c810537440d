"""Names of Paddle's dynamic mode that older code uses: ``base.dygraph.guard``, ``to_variable``, ``in_dygraph_mode``, ..."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from to_static.compiler.eager.grad_mode import is_grad_enabled, set_grad_enabled
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir import mode
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops.shapes.create import to_tensor
from to_static.core import backend
from to_static.core.dtypes import DType, as_dtype
from to_static.core.var_type import VarDesc, VarType
from to_static.device.cuda import device_count
from to_static.framework.modes import in_dynamic_mode
from to_static.nn.parameter import Parameter

__all__ = [
    "EagerParamBase",
    "VarDesc", "VarType", "convert_np_dtype_to_dtype_", "disable_signal_handler", "enabled", "get_cuda_device_count",
    "guard", "in_dygraph_mode", "is_parameter", "is_persistable", "to_variable",
]  # fmt: skip

in_dygraph_mode = enabled = in_dynamic_mode
EagerParamBase = Parameter  # what tools around Paddle add methods to


@contextlib.contextmanager
def guard(place: Any = None) -> Iterator[None]:
    """The dynamic mode in a ``with`` block, also while Programs are built by hand around it.

    ``place``: the device, or None.

    Example:
        >>> with paddle.framework.guard():
        ...     print(paddle.in_dynamic_mode())
        ...
        True
    """
    with mode.use(mode.default()):
        yield


@contextlib.contextmanager
def _stride_in_no_check_dy2st_diff() -> Iterator[None]:
    """Nothing: in Paddle tensors that share memory may be changed in it while a function is traced; here they always may."""
    yield


_no_check_dy2st_diff = _stride_in_no_check_dy2st_diff


@contextlib.contextmanager
def _to_static_mode_guard_(is_to_static: bool = True) -> Iterator[None]:
    """Nothing: in Paddle parameters become variables of the Program in it; here they are both."""
    yield


class Tracer:
    """The recorder of gradients in dynamic mode, as old code gets and sets it; there is one."""

    @property
    def _has_grad(self) -> bool:
        return is_grad_enabled()

    @_has_grad.setter
    def _has_grad(self, enabled: bool) -> None:
        set_grad_enabled(enabled)

    def train_mode(self) -> None:
        """Nothing: Layers know their mode."""

    def eval_mode(self) -> None:
        """Nothing: Layers know their mode."""


_TRACER = Tracer()


def _dygraph_tracer() -> Tracer | None:
    """The tracer of dynamic mode; None while Programs are built."""
    return _TRACER if in_dynamic_mode() else None


@contextlib.contextmanager
def program_desc_tracing_guard(enable: bool) -> Iterator[None]:
    """Nothing: in Paddle it says whether the tracer of dynamic mode writes a Program; here functions are traced otherwise."""
    yield


@contextlib.contextmanager
def param_guard(parameters: Any) -> Iterator[None]:
    """Nothing: in Paddle it puts variables in the place of parameters while a function is traced; here they are both."""
    yield


def _create_tensor(
    type: Any = None, name: str | None = None, shape: Any = None, dtype: Any = None, persistable: bool | None = None, **kwargs: Any
) -> EagerTensor:
    """A tensor of zeros, by default one float32 number of shape [], to be written to; Paddle's has no memory before that."""
    array = backend.current().asarray(np.zeros(tuple(shape or ()), as_dtype(dtype or "float32").np))
    return EagerTensor(array, True, name, persistable=bool(persistable))


def to_variable(value: Any, name: str | None = None, zero_copy: Any = None, dtype: Any = None) -> Any:
    """A tensor of an array, a list or a number, with a name; see `to_tensor`.

    ``value``: the numbers; ``zero_copy``: take over the memory of an array; ``dtype``: of the tensor.

    Example:
        >>> paddle.framework.to_variable([1.0, 2.0]).tolist()
        [1.0, 2.0]
    """
    variable: Any = value if isinstance(value, Tensor) else to_tensor(value, dtype=dtype)
    if name is not None:
        variable.name = name
    return variable


def convert_np_dtype_to_dtype_(np_dtype: Any) -> DType:
    """The dtype of a NumPy dtype or a name.

    ``np_dtype``: such as ``np.float32`` or 'float32'.

    Example:
        >>> paddle.framework.convert_np_dtype_to_dtype_(np.float32)
        paddle.float32
    """
    return as_dtype(np_dtype)


def is_parameter(var: Any) -> bool:
    """Return whether a tensor is a parameter.

    ``var``: any tensor.

    Example:
        >>> paddle.framework.is_parameter(net.weight), paddle.framework.is_parameter(x)
        (True, False)
    """
    return isinstance(var, Parameter) or bool(getattr(var, "is_parameter", False))


def is_persistable(var: Any) -> bool:
    """Return whether a tensor of a Program outlives a run.

    ``var``: any tensor.

    Example:
        >>> paddle.framework.is_persistable(net.weight)
        True
    """
    return bool(var.persistable)


def get_cuda_device_count() -> int:
    """Return the number of GPUs.

    Example:
        >>> count = paddle.framework.get_cuda_device_count()
    """
    return device_count()


def disable_signal_handler() -> None:
    """Nothing: there are no signal handlers to take away.

    Example:
        >>> paddle.disable_signal_handler()
    """
