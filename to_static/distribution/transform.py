"""The transforms that there are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops.dtype_queries import broadcast_shape
from to_static.compiler.ops.layers.softmax import softmax
from to_static.compiler.ops.pointwise.sigmoidal import log_sigmoid, softplus
from to_static.compiler.ops.pointwise.unary import sigmoid
from to_static.compiler.ops.shapes.concat_split import stack, unstack
from to_static.compiler.ops.shapes.create import ones, zeros
from to_static.compiler.ops.shapes.pad import pad
from to_static.core.errors import ArgumentTypeError, ShapeError
from to_static.distribution import constraint, variable
from to_static.distribution.parameters import sum_rightmost
from to_static.distribution.transformed_distribution import ChainTransform, Transform, Type

__all__ = [
    "AbsTransform",
    "AffineTransform",
    "ChainTransform",
    "ExpTransform",
    "IndependentTransform",
    "PowerTransform",
    "ReshapeTransform",
    "SigmoidTransform",
    "SoftmaxTransform",
    "StackTransform",
    "StickBreakingTransform",
    "TanhTransform",
    "Transform",
]


class AbsTransform(Transform):
    """``y = |x|``; the inverse gives both, ``(-y, y)``.

    Example:
        >>> paddle.distribution.AbsTransform().forward(paddle.to_tensor([-1.0, 2.0])).tolist()
        [1.0, 2.0]
    """

    _type = Type.SURJECTION

    def _forward(self, x: Any) -> Any:
        return x.abs()

    def _inverse(self, y: Any) -> tuple[Any, Any]:
        return -y, y

    def _inverse_log_det_jacobian(self, y: Any) -> tuple[Any, Any]:
        zero = zeros([], y.dtype)
        return zero, zero

    @property
    def _codomain(self) -> variable.Variable:
        return variable.positive


class AffineTransform(Transform):
    """``y = loc + scale * x``.

    ``loc``, ``scale``: tensors or numbers, which broadcast to ``x``.

    Example:
        >>> t = paddle.distribution.AffineTransform(paddle.to_tensor(1.0), paddle.to_tensor(2.0))
        >>> t.forward(paddle.to_tensor([0.0, 3.0])).tolist()
        [1.0, 7.0]
    """

    _type = Type.BIJECTION

    def __init__(self, loc: Any, scale: Any) -> None:
        self._loc = _tensor("AffineTransform", "loc", loc)
        self._scale = _tensor("AffineTransform", "scale", scale)

    @property
    def loc(self) -> Any:
        """The summand."""
        return self._loc

    @property
    def scale(self) -> Any:
        """The factor."""
        return self._scale

    def _forward(self, x: Any) -> Any:
        return self._loc + self._scale * x

    def _inverse(self, y: Any) -> Any:
        return (y - self._loc) / self._scale

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return self._scale.abs().log()

    def _forward_shape(self, shape: Sequence[int]) -> Any:
        return tuple(broadcast_shape(broadcast_shape(shape, self._loc.shape), self._scale.shape))

    _inverse_shape = _forward_shape


class ExpTransform(Transform):
    """``y = exp(x)``.

    Example:
        >>> paddle.distribution.ExpTransform().inverse(paddle.to_tensor([1.0])).tolist()
        [0.0]
    """

    _type = Type.BIJECTION

    @property
    def _codomain(self) -> variable.Variable:
        return variable.positive

    def _forward(self, x: Any) -> Any:
        return x.exp()

    def _inverse(self, y: Any) -> Any:
        return y.log()

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return x


class IndependentTransform(Transform):
    """``base`` with its last ``reinterpreted_batch_rank`` axes as one event, over which the Jacobian's logarithm is summed.

    Args:
        base: a transform.
        reinterpreted_batch_rank: how many axes; above 0.

    Raises TypeError for another ``base``, ValueError for another rank.

    Example:
        >>> t = paddle.distribution.IndependentTransform(paddle.distribution.ExpTransform(), 1)
        >>> t.forward_log_det_jacobian(paddle.to_tensor([1.0, 2.0])).item()
        3.0
    """

    def __init__(self, base: Transform, reinterpreted_batch_rank: int) -> None:
        if not isinstance(base, Transform):
            raise ArgumentTypeError(f"IndependentTransform: 'base' should be a Transform, but got {type(base)}")
        if reinterpreted_batch_rank <= 0:
            raise ValueError(
                f"IndependentTransform: reinterpreted_batch_rank should be greater than zero, got {reinterpreted_batch_rank}"
            )
        self._base, self._reinterpreted_batch_rank = base, reinterpreted_batch_rank

    def _is_injective(self) -> bool:  # type: ignore[override]
        return self._base._is_injective()

    def _forward(self, x: Any) -> Any:
        return self._base.forward(x)

    def _inverse(self, y: Any) -> Any:
        return self._base.inverse(y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return sum_rightmost(self._base.forward_log_det_jacobian(x), self._reinterpreted_batch_rank)

    def _forward_shape(self, shape: Sequence[int]) -> Any:
        return self._base.forward_shape(shape)

    def _inverse_shape(self, shape: Sequence[int]) -> Any:
        return self._base.inverse_shape(shape)

    @property
    def _domain(self) -> variable.Variable:
        return variable.Independent(self._base._domain, self._reinterpreted_batch_rank)

    @property
    def _codomain(self) -> variable.Variable:
        return variable.Independent(self._base._codomain, self._reinterpreted_batch_rank)


class PowerTransform(Transform):
    """``y = x ** power``, for positive ``x``.

    ``power``: a tensor or a number, which broadcasts to ``x``.

    Example:
        >>> t = paddle.distribution.PowerTransform(paddle.to_tensor(2.0))
        >>> t.inverse(paddle.to_tensor([9.0])).tolist()
        [3.0]
    """

    _type = Type.BIJECTION

    def __init__(self, power: Any) -> None:
        self._power = _tensor("PowerTransform", "power", power)

    @property
    def power(self) -> Any:
        """The exponent."""
        return self._power

    @property
    def _codomain(self) -> variable.Variable:
        return variable.positive

    def _forward(self, x: Any) -> Any:
        return x.pow(self._power)

    def _inverse(self, y: Any) -> Any:
        return y.pow(1 / self._power)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return (self._power * x.pow(self._power - 1)).abs().log()

    def _forward_shape(self, shape: Sequence[int]) -> Any:
        return tuple(broadcast_shape(shape, self._power.shape))

    _inverse_shape = _forward_shape


class ReshapeTransform(Transform):
    """The axes of an event in another shape.

    Args:
        in_event_shape: the shape of an event.
        out_event_shape: its shape afterwards, of as many numbers.

    Raises TypeError for anything but sequences of ints, ShapeError for another number of elements.

    Example:
        >>> paddle.distribution.ReshapeTransform((2, 3), (3, 2)).forward_shape((7, 2, 3))
        (7, 3, 2)
    """

    _type = Type.BIJECTION

    def __init__(self, in_event_shape: Sequence[int], out_event_shape: Sequence[int]) -> None:
        if not isinstance(in_event_shape, Sequence) or not isinstance(out_event_shape, Sequence):
            raise ArgumentTypeError(
                f"ReshapeTransform: expected two sequences of ints, but got {in_event_shape!r} and {out_event_shape!r}"
            )
        size_in, size_out = math.prod(in_event_shape), math.prod(out_event_shape)
        if size_in != size_out:
            raise ShapeError(f"ReshapeTransform: in_event_shape holds {size_in} numbers, out_event_shape {size_out}")
        self._in_event_shape, self._out_event_shape = tuple(in_event_shape), tuple(out_event_shape)

    @property
    def in_event_shape(self) -> tuple[int, ...]:
        """The shape of an event."""
        return self._in_event_shape

    @property
    def out_event_shape(self) -> tuple[int, ...]:
        """The shape of its image."""
        return self._out_event_shape

    @property
    def _domain(self) -> variable.Variable:
        return variable.Independent(variable.real, len(self._in_event_shape))

    @property
    def _codomain(self) -> variable.Variable:
        return variable.Independent(variable.real, len(self._out_event_shape))

    def _forward(self, x: Any) -> Any:
        return x.reshape([*x.shape[: x.ndim - len(self._in_event_shape)], *self._out_event_shape])

    def _inverse(self, y: Any) -> Any:
        return y.reshape([*y.shape[: y.ndim - len(self._out_event_shape)], *self._in_event_shape])

    def _forward_shape(self, shape: Sequence[int]) -> Any:
        return _swap_end(shape, self._in_event_shape, self._out_event_shape)

    def _inverse_shape(self, shape: Sequence[int]) -> Any:
        return _swap_end(shape, self._out_event_shape, self._in_event_shape)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return zeros(x.shape[: x.ndim - len(self._in_event_shape)], x.dtype)


class SigmoidTransform(Transform):
    """``y = 1 / (1 + exp(-x))``.

    Example:
        >>> paddle.distribution.SigmoidTransform().forward(paddle.to_tensor([0.0])).tolist()
        [0.5]
    """

    @property
    def _codomain(self) -> variable.Variable:
        return variable.Variable(False, 0, constraint.Range(0.0, 1.0))

    def _forward(self, x: Any) -> Any:
        return sigmoid(x)

    def _inverse(self, y: Any) -> Any:
        return y.log() - (-y).log1p()

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -softplus(-x) - softplus(x)


class SoftmaxTransform(Transform):
    """``y = exp(x) / sum(exp(x))`` along the last axis; ``log(y)`` is the inverse up to a constant.

    Example:
        >>> paddle.distribution.SoftmaxTransform().forward(paddle.to_tensor([0.0, 0.0])).tolist()
        [0.5, 0.5]
    """

    _type = Type.OTHER

    @property
    def _domain(self) -> variable.Variable:
        return variable.Independent(variable.real, 1)

    @property
    def _codomain(self) -> variable.Variable:
        return variable.Variable(False, 1, constraint.simplex)

    def _forward(self, x: Any) -> Any:
        return softmax(x, -1)

    def _inverse(self, y: Any) -> Any:
        return y.log()

    def _forward_shape(self, shape: Sequence[int]) -> Any:
        return _not_empty(shape)

    def _inverse_shape(self, shape: Sequence[int]) -> Any:
        return _not_empty(shape)


class StackTransform(Transform):
    """One transform for each index of an axis.

    Args:
        transforms: as many transforms as the axis is long.
        axis: the axis (default 0).

    Raises TypeError for anything but transforms and an int.

    Example:
        >>> t = paddle.distribution.StackTransform([paddle.distribution.ExpTransform(), paddle.distribution.TanhTransform()])
        >>> t.forward(paddle.to_tensor([0.0, 0.0])).tolist()
        [1.0, 0.0]
    """

    def __init__(self, transforms: Sequence[Transform], axis: int = 0) -> None:
        if not transforms or not isinstance(transforms, Sequence):
            raise ArgumentTypeError(f"StackTransform: expected a sequence of transforms, but got {type(transforms)}")
        if not all(isinstance(t, Transform) for t in transforms):
            raise ArgumentTypeError("Expected all elements in transforms to be of Transform type.")
        if not isinstance(axis, int):
            raise ArgumentTypeError(f"StackTransform: 'axis' should be an int, but got {type(axis)}")
        self._transforms, self._axis = transforms, axis

    def _is_injective(self) -> bool:  # type: ignore[override]
        return all(t._is_injective() for t in self._transforms)

    @property
    def transforms(self) -> Sequence[Transform]:
        """The transforms."""
        return self._transforms

    @property
    def axis(self) -> int:
        """The axis."""
        return self._axis

    def _each(self, name: str, value: Any) -> Any:
        if not -value.ndim <= self._axis < value.ndim:
            raise ShapeError(
                f"StackTransform: the value has {value.ndim} axes, so axis {self._axis} is not one of them"
            )
        if value.shape[self._axis] != len(self._transforms):
            raise ShapeError(
                f"StackTransform: axis {self._axis} is {value.shape[self._axis]} long, for {len(self._transforms)} transforms"
            )
        parts = zip(self._transforms, unstack(value, self._axis), strict=True)
        return stack([getattr(t, name)(part) for t, part in parts], self._axis)

    def _forward(self, x: Any) -> Any:
        return self._each("forward", x)

    def _inverse(self, y: Any) -> Any:
        return self._each("inverse", y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return self._each("forward_log_det_jacobian", x)

    @property
    def _domain(self) -> variable.Variable:
        return variable.Stack([t._domain for t in self._transforms], self._axis)

    @property
    def _codomain(self) -> variable.Variable:
        return variable.Stack([t._codomain for t in self._transforms], self._axis)


class StickBreakingTransform(Transform):
    """n numbers to n + 1 positive ones whose sum is 1: each takes its share of what is left of a stick.

    Source: the transform of Stan's simplex type, as in TensorFlow Probability.

    Example:
        >>> paddle.distribution.StickBreakingTransform().forward(paddle.to_tensor([0.0])).tolist()
        [0.5, 0.5]
    """

    _type = Type.BIJECTION

    @staticmethod
    def _offset(x: Any) -> Any:
        size = x.shape[-1]
        return size + 1 - ones([size], x.dtype).cumsum(-1)

    def _forward(self, x: Any) -> Any:
        share = sigmoid(x - self._offset(x).log())
        leading_pads = [0] * 2 * (x.ndim - 1)
        left = (1 - share).cumprod(-1)
        return pad(share, [*leading_pads, 0, 1], value=1.0) * pad(left, [*leading_pads, 1, 0], value=1.0)

    def _inverse(self, y: Any) -> Any:
        leading = y[..., :-1]
        return leading.log() - (1 - leading.cumsum(-1)).log() + self._offset(leading).log()

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        y, x = self.forward(x), x - self._offset(x).log()
        return (-x + log_sigmoid(x) + y[..., :-1].log()).sum(-1)

    def _forward_shape(self, shape: Sequence[int]) -> Any:
        return (*_not_empty(shape)[:-1], shape[-1] + 1)

    def _inverse_shape(self, shape: Sequence[int]) -> Any:
        return (*_not_empty(shape)[:-1], shape[-1] - 1)

    @property
    def _domain(self) -> variable.Variable:
        return variable.Independent(variable.real, 1)

    @property
    def _codomain(self) -> variable.Variable:
        return variable.Variable(False, 1, constraint.simplex)


class TanhTransform(Transform):
    """``y = tanh(x)``.

    Example:
        >>> paddle.distribution.TanhTransform().forward(paddle.to_tensor([0.0])).tolist()
        [0.0]
    """

    _type = Type.BIJECTION

    @property
    def _codomain(self) -> variable.Variable:
        return variable.Variable(False, 0, constraint.Range(-1.0, 1.0))

    def _forward(self, x: Any) -> Any:
        return x.tanh()

    def _inverse(self, y: Any) -> Any:
        return y.atanh()

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        # log(1 - tanh(x) ** 2) in the form that keeps its digits where tanh is near 1
        return 2.0 * (math.log(2.0) - x - softplus(-2.0 * x))


def _tensor(owner: str, name: str, value: Any) -> Any:
    if not isinstance(value, Tensor):
        raise ArgumentTypeError(
            f"{owner}: '{name}' should be a Tensor, but got {type(value)}; write paddle.to_tensor(...)"
        )
    return value


def _not_empty(shape: Sequence[int]) -> Sequence[int]:
    if not shape:
        raise ShapeError(f"Expected 'shape' is not empty, but got {shape}")
    return shape


def _swap_end(shape: Sequence[int], end: tuple[int, ...], new_end: tuple[int, ...]) -> tuple[int, ...]:
    if len(shape) < len(end):
        raise ShapeError(f"Expected length of 'shape' is not less than {len(end)}, but got {len(shape)}")
    cut = len(shape) - len(end)
    if tuple(shape[cut:]) != end:
        raise ShapeError(f"Event shape mismatch, expected: {end}, but got {tuple(shape[cut:])}")
    return (*shape[:cut], *new_end)
