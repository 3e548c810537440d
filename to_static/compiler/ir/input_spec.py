"""`InputSpec`: the declared shape, dtype and name of an input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.core.diagnostics.printable import printable
from to_static.core.dtypes import DType, as_dtype
from to_static.core.errors import DTypeError, ShapeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from to_static.core.dtypes import DTypeLike


class InputSpec:
    """The declared shape, dtype and name of an input of a static function.

    Args:
        shape: list or tuple of ints; None or -1 for a dimension known only at run time.
        dtype: element type, default 'float32'.
        name: name of the input in saved files; default: the parameter's name.
        stop_gradient: whether no gradient flows to this input, default False.

    Raises ShapeError for anything but non-negative ints, -1 and None in ``shape``; DTypeError for an unknown dtype.

    Example:
        >>> InputSpec([None, 784], 'float32', 'x')
        InputSpec(shape=(-1, 784), dtype=paddle.float32, name=x, stop_gradient=False)
    """

    def __init__(
        self, shape: Sequence[int | None], dtype: DTypeLike = "float32", name: str | None = None, stop_gradient: bool = False
    ) -> None:
        if not isinstance(shape, (list, tuple)):
            raise ShapeError(f"InputSpec: shape must be a list or tuple, got {type(shape).__name__}: {shape!r}")
        self.shape = tuple(_dim(d, shape) for d in shape)
        self.dtype: DType = as_dtype(dtype)
        self.name = name
        self.stop_gradient = stop_gradient

    @property
    def tensor_spec(self) -> TensorSpec:
        """Shape and dtype alone."""
        return TensorSpec(self.shape, self.dtype)

    @classmethod
    def from_tensor(cls, tensor: Tensor, name: str | None = None) -> InputSpec:
        """Return the spec of a tensor, with its name unless ``name`` is given. Raises DTypeError if it is no tensor."""
        if not isinstance(tensor, Tensor):
            raise DTypeError(f"InputSpec.from_tensor: expected a Tensor, got {type(tensor).__name__}")
        spec = tensor.spec
        return cls(spec.shape, spec.dtype, name or tensor.name, tensor.stop_gradient)  # type: ignore[attr-defined]

    @classmethod
    def from_numpy(cls, ndarray: np.ndarray, name: str | None = None) -> InputSpec:
        """The spec of a NumPy array. Raises DTypeError for anything else."""
        if not isinstance(ndarray, (np.ndarray, np.generic)):
            raise DTypeError(f"InputSpec.from_numpy: expected an ndarray, got {type(ndarray).__name__}")
        return cls(ndarray.shape, ndarray.dtype, name)

    def batch(self, batch_size: int | Sequence[int | None] | None) -> InputSpec:
        """Put a batch dimension in front, in place; returns self."""
        if isinstance(batch_size, (list, tuple)):
            if len(batch_size) != 1:
                raise ShapeError(f"InputSpec.batch: expected one batch size, got {batch_size!r}")
            batch_size = batch_size[0]
        self.shape = (_dim(batch_size, [batch_size]), *self.shape)
        return self

    def unbatch(self) -> InputSpec:
        """Take the first dimension away, in place; returns self. Raises ShapeError for a 0-D spec."""
        if not self.shape:
            raise ShapeError("InputSpec.unbatch: a 0-D spec has no batch dimension")
        self.shape = self.shape[1:]
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, InputSpec) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return (self.shape, self.dtype, self.name, self.stop_gradient)

    def __repr__(self) -> str:
        return (
            f"InputSpec(shape={self.shape}, dtype={self.dtype}, name={printable(self.name)}, stop_gradient={self.stop_gradient})"
        )


def _dim(value: object, shape: object) -> int:
    if value is None:
        return UNKNOWN
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= -1:
        return int(value)
    raise ShapeError(f"InputSpec: a dimension must be a non-negative int, -1 or None, got {value!r} in {shape!r}")


def spec_from(shape: Sequence[int | None], dtype: DTypeLike = "float32") -> TensorSpec:
    """A `TensorSpec` from a shape with None or -1 for unknown dimensions."""
    return InputSpec(shape, dtype).tensor_spec
