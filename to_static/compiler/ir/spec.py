"""Specs: the shape and dtype of a value, which are known before the value exists."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from to_static.core.dtypes import DType, as_dtype

if TYPE_CHECKING:
    from to_static.core.array_types import Array

UNKNOWN = -1  # a dimension that is known only at run time


class TensorSpec(NamedTuple):
    """Shape and dtype of a tensor. ``-1`` is a dimension not known until run time."""

    shape: tuple[int, ...]
    dtype: DType

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def is_static(self) -> bool:
        """True when every dimension is known."""
        return UNKNOWN not in self.shape

    @property
    def size(self) -> int:
        """Number of elements; -1 when a dimension is unknown (and none is 0)."""
        total = 1
        for dim in self.shape:
            if dim == UNKNOWN:
                return 0 if 0 in self.shape else UNKNOWN
            total *= dim
        return total

    def with_shape(self, shape: Iterable[int]) -> TensorSpec:
        """The same dtype with another shape."""
        return TensorSpec(tuple(shape), self.dtype)

    def with_dtype(self, dtype: DType) -> TensorSpec:
        """The same shape with another dtype."""
        return TensorSpec(self.shape, dtype)

    def accepts(self, actual: object) -> bool:
        """True if a value of spec ``actual`` is allowed where this spec is declared."""
        return (
            isinstance(actual, TensorSpec)
            and self.dtype is actual.dtype
            and len(self.shape) == len(actual.shape)
            and all(a in (b, UNKNOWN) for a, b in zip(self.shape, actual.shape, strict=True))
        )

    def __str__(self) -> str:
        return f"{self.dtype.short}[{', '.join('?' if d == UNKNOWN else str(d) for d in self.shape)}]"


class ListSpec(NamedTuple):
    """A list of tensors: the joined spec of its elements, or None while it is empty.

    A dimension in which the elements differ is -1.  (Paddle files: LOD_TENSOR_ARRAY.)
    """

    element: TensorSpec | None

    @property
    def dtype(self) -> DType | None:
        """Dtype of the elements; None for a list that has always been empty."""
        return None if self.element is None else self.element.dtype

    def accepts(self, actual: object) -> bool:
        """True if a value of spec ``actual`` is allowed where this spec is declared."""
        if not isinstance(actual, ListSpec):
            return False
        return actual.element is None or (self.element is not None and self.element.accepts(actual.element))

    def __str__(self) -> str:
        return f"list<{'' if self.element is None else self.element}>"


Spec = TensorSpec | ListSpec


def spec_of(array: Array) -> TensorSpec:
    """Spec of a NumPy or CuPy array."""
    return TensorSpec(tuple(array.shape), as_dtype(array.dtype))


def join(a: object, b: object) -> Any:
    """The narrowest spec that accepts both, or None when there is none (rank or dtype differ).

    Dimensions that differ become unknown.
    """
    if a == b:
        return a
    if isinstance(a, ListSpec) and isinstance(b, ListSpec):
        if a.element is None or b.element is None:
            return ListSpec(a.element or b.element)
        element = join(a.element, b.element)
        return None if element is None else ListSpec(element)
    if isinstance(a, TensorSpec) and isinstance(b, TensorSpec) and a.dtype is b.dtype and a.ndim == b.ndim:
        return a.with_shape(x if x == y else UNKNOWN for x, y in zip(a.shape, b.shape, strict=True))
    return None
