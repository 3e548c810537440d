"""Transforms of random variables, and a distribution seen through transforms: each is made of the other."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

from to_static.compiler.ir.tensor import Tensor
from to_static.core.errors import ArgumentTypeError, ShapeError
from to_static.distribution import variable
from to_static.distribution.distribution import Distribution
from to_static.distribution.independent import Independent
from to_static.distribution.parameters import sum_rightmost


class Type(enum.Enum):
    """The kinds of transforms: bijections, injections, surjections, others."""

    BIJECTION = "bijection"
    INJECTION = "injection"
    SURJECTION = "surjection"
    OTHER = "other"

    @classmethod
    def is_injective(cls, transform_type: Type) -> bool:
        """Return whether no two values have the same image."""
        return transform_type in (cls.BIJECTION, cls.INJECTION)


class Transform:
    """The base class of transforms.

    A class of your own gives ``_forward(x)``, ``_inverse(y)``, one of ``_forward_log_det_jacobian(x)`` and
    ``_inverse_log_det_jacobian(y)``, and, where events have axes, ``_domain`` and ``_codomain``.
    Called with a Tensor it transforms it; with a distribution it gives a `TransformedDistribution`, with a transform a
    `ChainTransform`.

    Example:
        >>> isinstance(paddle.distribution.ExpTransform(), paddle.distribution.Transform)
        True
    """

    _type = Type.INJECTION

    @classmethod
    def _is_injective(cls) -> bool:
        return Type.is_injective(cls._type)

    def __call__(self, input: Any) -> Any:
        """Transform a Tensor, a distribution, or another transform."""
        if isinstance(input, Distribution):
            return TransformedDistribution(input, [self])
        if isinstance(input, Transform):
            return ChainTransform([self, input])
        return self.forward(input)

    def forward(self, x: Any) -> Any:
        """The image of ``x``.

        Raises:
            ArgumentTypeError: ``x`` is not a Tensor.
            ShapeError: ``x`` has fewer axes than an event.
        """
        _check("x", x, self._domain)
        return self._forward(x)

    def inverse(self, y: Any) -> Any:
        """Return the value whose image is ``y``; raises as `forward` does."""
        _check("y", y, self._codomain)
        return self._inverse(y)

    def forward_log_det_jacobian(self, x: Any) -> Any:
        """The logarithm of the absolute value of the Jacobian's determinant at ``x``.

        Raises:
            NotImplementedError: the transform is not injective.
        """
        _check("x", x, self._domain)
        if not self._is_injective():
            raise NotImplementedError("forward_log_det_jacobian can't be implemented for non-injective transforms.")
        return self._call_forward_log_det_jacobian(x)

    def inverse_log_det_jacobian(self, y: Any) -> Any:
        """The logarithm of the absolute value of the inverse's Jacobian determinant at ``y``."""
        _check("y", y, self._codomain)
        return self._call_inverse_log_det_jacobian(y)

    def forward_shape(self, shape: Sequence[int]) -> Any:
        """The shape of the image of a Tensor of ``shape``."""
        _check_shape(shape)
        return self._forward_shape(shape)

    def inverse_shape(self, shape: Sequence[int]) -> Any:
        """The shape of what has an image of ``shape``."""
        _check_shape(shape)
        return self._inverse_shape(shape)

    @property
    def _domain(self) -> variable.Variable:
        return variable.real

    @property
    def _codomain(self) -> variable.Variable:
        return variable.real

    def _forward(self, x: Any) -> Any:
        raise NotImplementedError("Forward not implemented")

    def _inverse(self, y: Any) -> Any:
        raise NotImplementedError("Inverse not implemented")

    def _call_forward_log_det_jacobian(self, x: Any) -> Any:
        if hasattr(self, "_forward_log_det_jacobian"):
            return self._forward_log_det_jacobian(x)
        if hasattr(self, "_inverse_log_det_jacobian"):
            return -self._inverse_log_det_jacobian(self.forward(x))
        raise self._no_jacobian()

    def _call_inverse_log_det_jacobian(self, y: Any) -> Any:
        if hasattr(self, "_inverse_log_det_jacobian"):
            return self._inverse_log_det_jacobian(y)
        if hasattr(self, "_forward_log_det_jacobian"):
            return -self._forward_log_det_jacobian(self._inverse(y))
        raise self._no_jacobian()

    def _no_jacobian(self) -> NotImplementedError:
        return NotImplementedError(
            f"{type(self).__name__} has neither _forward_log_det_jacobian nor _inverse_log_det_jacobian; one of them is required"
        )

    def _forward_shape(self, shape: Sequence[int]) -> Any:
        return shape

    def _inverse_shape(self, shape: Sequence[int]) -> Any:
        return shape


class ChainTransform(Transform):
    """Transforms one after the other, the first one first.

    Args:
        transforms: a sequence of transforms.

    Raises TypeError for anything but transforms.

    Example:
        >>> square = paddle.distribution.PowerTransform(paddle.to_tensor(2.0))
        >>> t = paddle.distribution.ChainTransform([paddle.distribution.ExpTransform(), square])
        >>> t.forward(paddle.to_tensor([0.0, 1.0])).tolist()
        [1.0, 7.389057159423828]
    """

    def __init__(self, transforms: Sequence[Transform]) -> None:
        if not isinstance(transforms, Sequence):
            raise ArgumentTypeError(f"ChainTransform: expected a sequence of transforms, but got {type(transforms)}")
        if not all(isinstance(t, Transform) for t in transforms):
            raise ArgumentTypeError("All elements of transforms should be Transform type.")
        self.transforms = transforms

    def _is_injective(self) -> bool:  # type: ignore[override]
        return all(t._is_injective() for t in self.transforms)

    def _forward(self, x: Any) -> Any:
        for t in self.transforms:
            x = t.forward(x)
        return x

    def _inverse(self, y: Any) -> Any:
        for t in reversed(self.transforms):
            y = t.inverse(y)
        return y

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        log_det: Any = 0.0
        rank = self._domain.event_rank
        for t in self.transforms:
            log_det = log_det + sum_rightmost(t.forward_log_det_jacobian(x), rank - t._domain.event_rank)
            x = t.forward(x)
            rank += t._codomain.event_rank - t._domain.event_rank
        return log_det

    def _forward_shape(self, shape: Sequence[int]) -> Any:
        for t in self.transforms:
            shape = t.forward_shape(shape)
        return shape

    def _inverse_shape(self, shape: Sequence[int]) -> Any:
        for t in reversed(self.transforms):
            shape = t.inverse_shape(shape)
        return shape

    @property
    def _domain(self) -> variable.Variable:
        first, rank = self.transforms[0]._domain, self.transforms[-1]._codomain.event_rank
        for t in reversed(self.transforms):
            rank = max(rank - (t._codomain.event_rank - t._domain.event_rank), t._domain.event_rank)
        return variable.Independent(first, rank - first.event_rank)

    @property
    def _codomain(self) -> variable.Variable:
        last, rank = self.transforms[-1]._codomain, self.transforms[0]._domain.event_rank
        for t in self.transforms:
            rank = max(rank + t._codomain.event_rank - t._domain.event_rank, t._codomain.event_rank)
        return variable.Independent(last, rank - last.event_rank)


class TransformedDistribution(Distribution):
    """The distribution of ``base``'s draws after ``transforms``.

    Args:
        base: a distribution.
        transforms: a sequence of transforms, the first one first.

    Raises:
        ArgumentTypeError: an argument is of another kind.
        ShapeError: ``base`` has fewer axes than the transforms' events.

    Example:
        >>> move = paddle.distribution.AffineTransform(paddle.to_tensor(1.0), paddle.to_tensor(2.0))
        >>> moved = paddle.distribution.TransformedDistribution(paddle.distribution.Normal(0.0, 1.0), [move])
        >>> float(moved.log_prob(paddle.to_tensor(0.5)))
        -1.6433358...
    """

    def __init__(self, base: Distribution, transforms: Sequence[Transform]) -> None:
        if not isinstance(base, Distribution):
            raise ArgumentTypeError(f"Expected type of 'base' is Distribution, but got {type(base)}.")
        if not isinstance(transforms, Sequence) or not all(isinstance(t, Transform) for t in transforms):
            raise ArgumentTypeError(f"Expected 'transforms' is a sequence of Transforms, but got {transforms!r}.")
        self._base, self._transforms = base, transforms
        if not transforms:
            super().__init__(base.batch_shape, base.event_shape)
            return
        chain = ChainTransform(transforms)
        rank, shape = chain._domain.event_rank, base.batch_shape + base.event_shape
        if len(shape) < rank:
            raise ShapeError(f"'base' needs to have shape with size at least {rank}, but got {len(shape)}.")
        if rank > len(base.event_shape):
            self._base = base = Independent(base, rank - len(base.event_shape))
        shape = tuple(chain.forward_shape(shape))
        batch = len(shape) - chain._codomain.event_rank - max(len(base.event_shape) - rank, 0)
        super().__init__(shape[:batch], shape[batch:])

    def _through(self, x: Any) -> Any:
        for t in self._transforms:
            x = t.forward(x)
        return x

    def sample(self, shape: Sequence[Any] = ()) -> Any:
        """Draws of the base, transformed."""
        return self._through(self._base.sample(shape))

    def rsample(self, shape: Sequence[Any] = ()) -> Any:
        """Differentiable draws of the base, transformed."""
        return self._through(self._base.rsample(shape))

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density at ``value``: the base's, less that of the Jacobian's determinant."""
        total: Any = 0.0
        rank = len(self.event_shape)
        for t in reversed(self._transforms):
            preimage = t.inverse(value)
            rank += t._domain.event_rank - t._codomain.event_rank
            total = total - sum_rightmost(t.forward_log_det_jacobian(preimage), rank - t._domain.event_rank)
            value = preimage
        return total + sum_rightmost(self._base.log_prob(value), rank - len(self._base.event_shape))


def _check(name: str, value: Any, side: variable.Variable) -> None:
    if not isinstance(value, Tensor):
        raise ArgumentTypeError(f"Expected '{name}' is a Tensor, but got {type(value)}; write paddle.to_tensor(...)")
    if value.ndim < side.event_rank:
        raise ShapeError(f"The dimensions of {name} ({value.ndim}) should be at least {side.event_rank}")


def _check_shape(shape: Any) -> None:
    if not isinstance(shape, Sequence):
        raise ArgumentTypeError(f"Expected shape is Sequence[int] type, but got {type(shape)}.")
