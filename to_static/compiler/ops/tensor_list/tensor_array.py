"""Paddle's older functions of tensor arrays, such as ``paddle.tensor.array_write``. The arrays are Python lists here.

New code uses Python lists; in static functions these may also grow under tensor conditions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops import static_arguments, traced_values
from to_static.compiler.ops.shapes.create import empty, full
from to_static.core.dtypes import as_dtype


def _place(i: Tensor, name: str) -> int:
    """The number that an index is; raises TracedValueError for one that only the Program knows."""
    constant = traced_values.constant_int(i) if isinstance(i, Tensor) else int(i)
    if constant is None:
        raise static_arguments.must_be_static(name, "the index", "a Python list and a Python int: `items.append(x)`, `items[i]`")
    return constant


def create_array(dtype: str, initialized_list: Sequence[int] | None = None) -> list[Any]:
    """A list of tensors of a ``dtype``, of those given. Raises TypeError for what is no tensor.

    Example:
        >>> paddle.tensor.create_array('float32')
        []
    """
    as_dtype(dtype)
    items = [] if initialized_list is None else list(initialized_list)
    for item in items:
        if not isinstance(item, Tensor):
            raise TypeError(f"create_array: expected tensors, got {type(item).__name__}")
    return items


def array_write(x: Tensor, i: Tensor, array: list[Any] | None = None) -> list[Any]:
    """Put ``x`` at place ``i`` of a list (a new one by default), at most one behind its end; returns the list.

    Raises IndexError beyond that.

    Example:
        >>> items = paddle.tensor.array_write(paddle.ones([2]), i=paddle.zeros([1], dtype='int64'))
    """
    array = [] if array is None else array
    position = _place(i, "array_write")
    if not 0 <= position <= len(array):
        raise IndexError(f"array_write: place {position} is beyond the end of an array of {len(array)} tensors")
    array[position : position + 1] = [x]
    return array


def array_read(array: list[Any], i: Tensor) -> Tensor:
    """The tensor at place ``i``. Raises IndexError when there is none."""
    position = _place(i, "array_read")
    if not 0 <= position < len(array):
        raise IndexError(f"array_read: there is no place {position} in an array of {len(array)} tensors")
    return array[position]


def array_length(array: list[Any]) -> int:
    """The number of tensors."""
    return len(array)


def tensor_array_to_tensor(
    input: list[Any], axis: int = 1, use_stack: bool = False, name: str | None = None
) -> tuple[Tensor, ...]:
    """The tensors of a list joined along ``axis`` (or stacked there), and the size that each of them has along it, int32."""
    joined = (F.stack if use_stack else F.concat)(input, axis)
    sizes = [1 if use_stack else item.shape[axis] for item in input]
    return joined, F.to_tensor(sizes, dtype="int32")


def create_tensor(dtype: str, name: str | None = None, persistable: bool = False) -> Tensor:
    """An empty tensor of a ``dtype``."""
    return empty([0], dtype)


def fill_constant(
    shape: Sequence[int],
    dtype: str,
    value: int,
    force_cpu: bool = False,
    out: Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """`full`, with its arguments in another order; ``out`` takes the numbers, when it is given.

    Example:
        >>> paddle.tensor.fill_constant([2], 'int64', 3).tolist()
        [3, 3]
    """
    filled = full(shape, value, dtype)
    return filled if out is None else out._become(filled)
