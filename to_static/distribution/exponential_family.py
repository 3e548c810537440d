"""The exponential family: entropies and divergences that follow from the log-normalizer."""

from __future__ import annotations

from typing import Any

from to_static.compiler.eager.tape import grad
from to_static.compiler.ir.tensor import Tensor
from to_static.distribution.distribution import Distribution


class ExponentialFamily(Distribution):
    """The base of distributions with density ``exp(<t(x), theta> - F(theta) + k(x))``.

    A class of your own gives ``_natural_parameters`` (a tuple of Tensors ``theta``), ``_log_normalizer(*theta)`` (``F``) and
    ``_mean_carrier_measure`` (the mean of ``k``); entropy and divergence follow as Bregman divergences.

    Source: F. Nielsen, R. Nock, "Entropies and cross-entropies of exponential families", ICIP 2010.
    ``batch_shape``, ``event_shape``: see `Distribution`.

    Example:
        >>> isinstance(paddle.distribution.Beta(1.0, 1.0), paddle.distribution.ExponentialFamily)
        True
    """

    @property
    def _natural_parameters(self) -> tuple[Any, ...]:
        raise self._lacks("_natural_parameters")

    def _log_normalizer(self, *parameters: Any) -> Any:
        raise self._lacks("_log_normalizer")

    @property
    def _mean_carrier_measure(self) -> Any:
        raise self._lacks("_mean_carrier_measure")

    def entropy(self) -> Any:
        """The entropy in nats, a Tensor of the batch shape."""
        parameters, normalizer, means = self._moments()
        total = normalizer - self._mean_carrier_measure
        for parameter, mean in zip(parameters, means, strict=True):
            total = total - parameter * mean
        return total

    def _moments(self) -> tuple[list[Any], Tensor, list[Any]]:
        """The natural parameters, the log-normalizer at them, and its gradient: the means of the sufficient statistics."""
        parameters = [parameter.detach() for parameter in self._natural_parameters]
        for parameter in parameters:
            parameter.stop_gradient = False
        normalizer = self._log_normalizer(*parameters)
        return parameters, normalizer, grad(normalizer.sum(), parameters, create_graph=True)
