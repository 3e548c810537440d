"""`jacobian` and `hessian`: matrices of derivatives, of which rows are computed when somebody looks at them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from to_static.compiler.eager.tape import grad
from to_static.compiler.ir.tensor import _BINARY, _COMPARE
from to_static.compiler.ops import functions


class JacobianRows:
    """A matrix (or one for each item of a batch) made of one gradient of ``ys`` per row, kept once it is known.

    ``ys``: of shape [M], or [B, M]; ``xs``: the tensors whose flattened gradients, side by side, are a row.
    """

    def __init__(self, ys: Any, xs: list[Any], batched: bool) -> None:
        self._ys = ys
        self._xs = xs
        self._batched = batched
        self._computed: dict[int, Any] = {}
        self.count = ys.shape[1 if batched else 0]

    def row(self, index: int) -> Any:
        """Row ``index``: of shape [N], or [B, N]."""
        gradient = self._computed.get(index)
        if gradient is None:
            y = self._ys[:, index].sum() if self._batched else self._ys[index]
            gradient = self._computed[index] = self._gradients(y)
        return gradient

    def _gradients(self, y: Any) -> Any:
        gradients = grad(y, self._xs, create_graph=True, retain_graph=True, allow_unused=True) if not y.stop_gradient else None
        parts = []
        for i, x in enumerate(self._xs):
            g = None if gradients is None else gradients[i]
            g = functions.zeros_like(x) if g is None else g
            parts.append(g.reshape([x.shape[0], -1] if self._batched else [-1]))
        return parts[0] if len(parts) == 1 else functions.concat(parts, axis=-1)

    def all(self) -> Any:
        """The whole: of shape [M, N], or [B, M, N]."""
        return functions.stack([self.row(i) for i in range(self.count)], axis=1 if self._batched else 0)


class Jacobian:
    """The result of `jacobian`: computes as the tensor of its ``shape`` does; ``J[i]`` computes one row only.

    Without a batch the shape is that of ``ys`` followed by that of ``xs`` ([], [M], [N] or [M, N]); with one [B], [B, M], [B, N] or
    [B, M, N].
    ``ys``, ``xs``: what it is of; ``is_batched``: the first dimension is a batch. Raises ValueError for more
    dimensions.

    Example:
        >>> x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        >>> paddle.autograd.jacobian(x * x, x)[:].tolist()
        [[2.0, 0.0], [0.0, 4.0]]
    """

    def __init__(self, ys: Any, xs: Any, is_batched: bool = False) -> None:
        ys = ys.full() if isinstance(ys, Jacobian) else ys
        low, high = (1, 2) if is_batched else (0, 1)
        for name, tensor in (("xs", xs), ("ys", ys)):
            if not low <= len(tensor.shape) <= high:
                raise ValueError(
                    f"{name}.ndim should be {low} or {high} when is_batched={is_batched} but got {len(tensor.shape)}"
                )
        self.shape = [*(ys.shape[:1] if not is_batched else xs.shape[:1] + ys.shape[1:]), *xs.shape[low:]]
        flat = ys.reshape([ys.shape[0], -1] if is_batched else [-1])
        self._rows = JacobianRows(flat, [xs], is_batched)
        self._by_row = not is_batched and len(ys.shape) == 1
        self._full: Any = None

    def full(self) -> Any:
        """The tensor."""
        if self._full is None:
            self._full = self._rows.all().reshape(self.shape)
        return self._full

    def __getitem__(self, index: Any) -> Any:
        if not self.shape:
            raise IndexError("0-D tensor can not be indexed.")
        first, *later_indices = index if isinstance(index, tuple) else (index,)
        if self._by_row and type(first) is int and -self.shape[0] <= first < self.shape[0]:
            row = self._rows.row(first % self.shape[0]).reshape(self.shape[1:])
            return row[tuple(later_indices)] if later_indices else row
        return self.full()[index]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.full(), name)

    def __len__(self) -> int:
        return len(self.full())

    __hash__ = object.__hash__


def _operator(name: str) -> Any:
    def method(self: Jacobian, operand: Any) -> Any:
        return getattr(self.full(), name)(operand.full() if isinstance(operand, Jacobian) else operand)

    return method


for _name in [f"__{short}__" for short in (*_BINARY, *_COMPARE)] + [f"__r{short}__" for short in _BINARY]:
    setattr(Jacobian, _name, _operator(_name))


class Hessian(Jacobian):
    """The result of `hessian`, see `Jacobian`.

    ``ys``, ``xs``, ``is_batched``: what it is of.

    Example:
        >>> x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        >>> paddle.autograd.hessian((x * x).sum(), x)[:].tolist()
        [[2.0, 0.0], [0.0, 2.0]]
    """


def _checked(batch_axis: Any) -> bool:
    if batch_axis is not None and batch_axis != 0:
        raise ValueError(f"batch_axis should be None or 0, but got {batch_axis}.")
    return batch_axis is not None


def jacobian(ys: Any, xs: Any, batch_axis: int | None = None) -> Any:
    """Derivatives of each element of ``ys`` by each element of ``xs``; rows are computed when they are looked at.

    Args:
        ys: a tensor of at most one dimension (with a batch: [B] or [B, M]) computed from ``xs``, or a tuple of them.
        xs: a tensor of at most one dimension (with a batch: [B] or [B, N]), or a tuple of them.
        batch_axis: None, or 0 where the first dimension counts items that do not depend on each other.

    Returns a `Jacobian`; for tuples a tuple of them, for two tuples one per pair, ys first. Raises ValueError for other shapes.

    Example:
        >>> x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        >>> paddle.autograd.jacobian(x * x, x)[:].tolist()
        [[2.0, 0.0], [0.0, 4.0]]
    """
    batched = _checked(batch_axis)
    if isinstance(ys, Sequence):
        return tuple(jacobian(y, xs, batch_axis) for y in ys)
    if isinstance(xs, Sequence):
        return tuple(Jacobian(ys, x, batched) for x in xs)
    return Jacobian(ys, xs, batched)


def hessian(ys: Any, xs: Any, batch_axis: int | None = None) -> Any:
    """Second derivatives of ``ys``, a number (with a batch one per item), by pairs of elements of ``xs``. See `jacobian`.

    For a tuple ``xs`` a tuple of tuples. Raises ValueError when ``ys`` has more elements.
    ``batch_axis``: None, or 0 for a batch.

    Example:
        >>> x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
        >>> paddle.autograd.hessian((x * x * x).sum(), x)[:].tolist()
        [[6.0, 0.0], [0.0, 12.0]]
    """
    batched = _checked(batch_axis)
    size = 1
    for d in ys.shape[1:] if batched else ys.shape:
        size *= d
    if size != 1:
        raise ValueError(f"Only support ys.numel()({size})==1 when batch_axis is {batch_axis}.")
    if isinstance(xs, Sequence):
        firsts = [Jacobian(ys, x, batched) for x in xs]
        return tuple(tuple(_second(first, x, batched) for x in xs) for first in firsts)
    return _second(Jacobian(ys, xs, batched), xs, batched)


def _second(first: Jacobian, x: Any, batched: bool) -> Hessian:
    full = first.full()
    if batched and len(full.shape) == 3:
        full = full[:, 0]
    elif not batched and len(full.shape) == 2:
        full = full[0]
    return Hessian(full, x, batched)
