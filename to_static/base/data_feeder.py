"""Checks of arguments, as Paddle's functions make them while a Program is built, and `DataFeeder`."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.tensor import Tensor
from to_static.core.dtypes import DType, as_dtype
from to_static.core.errors import ArgumentTypeError, DTypeError
from to_static.core.importing.paddle_module_aliases import names_around
from to_static.framework.modes import in_dynamic_mode
from to_static.static.batches import DataFeeder
from to_static.static.variable import Variable

__all__ = ["DataFeeder", "check_dtype", "check_shape", "check_type", "check_variable_and_dtype", "convert_dtype"]

__getattr__ = names_around(__name__)


def convert_dtype(dtype: Any) -> str:
    """The name of a dtype; that of bfloat16 is 'uint16', as NumPy has none. Raises DTypeError for what is no dtype.

    Example:
        >>> paddle.base.data_feeder.convert_dtype(paddle.float32)
        'float32'
    """
    name = (dtype if isinstance(dtype, DType) else as_dtype(dtype)).name
    return "uint16" if name == "bfloat16" else name


def check_variable_and_dtype(input: Any, input_name: str, expected_dtype: Any, op_name: str, extra_message: str = "") -> None:
    """Raises ArgumentTypeError unless ``input`` is a tensor, and DTypeError unless its dtype is one of those named.

    In dynamic mode nothing is checked: operators do it.
    """
    check_type(input, input_name, Variable, op_name, extra_message)
    check_dtype(getattr(input, "dtype", None), input_name, expected_dtype, op_name, extra_message)


def check_type(input: Any, input_name: str, expected_type: Any, op_name: str, extra_message: str = "") -> None:
    """Raises ArgumentTypeError unless ``input`` has one of the types. In dynamic mode nothing is checked."""
    classes = expected_type if isinstance(expected_type, tuple) else (expected_type,)
    if in_dynamic_mode() or isinstance(input, (*classes, Tensor)):
        return
    text = f"The type of '{input_name}' in {op_name} must be {expected_type}, but received {type(input)}. {extra_message}"
    raise ArgumentTypeError(text.strip())


def check_dtype(input_dtype: Any, input_name: str, expected_dtype: Any, op_name: str, extra_message: str = "") -> None:
    """Raises DTypeError unless the dtype is one of those named. In dynamic mode nothing is checked."""
    if in_dynamic_mode():
        return
    dtype = convert_dtype(input_dtype)
    if dtype not in expected_dtype:
        text = f"The data type of '{input_name}' in {op_name} must be {expected_dtype}, but received {dtype}. {extra_message}"
        raise DTypeError(text.strip())


def check_shape(
    shape: Any, op_name: str, expected_shape_type: Any = (list, tuple, Variable), expected_element_type: Any = (int, Variable),
    expected_tensor_dtype: Any = ("int32", "int64"),
) -> None:  # fmt: skip
    """Raises ArgumentTypeError or DTypeError unless ``shape`` is a list of integers and tensors of integers, or such a tensor."""
    check_type(shape, "shape", expected_shape_type, op_name)
    for item in [shape] if isinstance(shape, Variable) else shape:
        if expected_element_type is not None and item is not shape:
            check_type(item, "element of shape", expected_element_type, op_name)
        if expected_tensor_dtype is not None and isinstance(item, Variable):
            check_dtype(item.dtype, "shape" if item is shape else "element of shape", expected_tensor_dtype, op_name)
