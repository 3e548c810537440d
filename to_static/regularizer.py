"""Weight decay as a term added to the gradient: L1Decay, L2Decay (Paddle's ``paddle.regularizer``)."""

from __future__ import annotations

from typing import Any

from to_static.core.diagnostics.missing_names import names_missing


class WeightDecayRegularizer:
    """Base class: ``regularizer(param, grad, block)`` is what is added to the parameter's gradient; ``block`` is None."""

    def __init__(self, coeff: float = 0.0) -> None:
        self._coeff = float(coeff)

    def __call__(self, param: Any, grad: Any, block: Any = None) -> Any:
        """The term added to the gradient of ``param``."""
        raise NotImplementedError(f"{type(self).__name__}.__call__")

    def __str__(self) -> str:
        return f"{type(self).__name__}, coeff={self._coeff:f}"


class L1Decay(WeightDecayRegularizer):
    """Adds ``coeff * sign(param)`` to the gradient: the loss grows by ``coeff * sum(|param|)``.

    Example:
        >>> paddle.optimizer.SGD(0.1, net.parameters(), weight_decay=paddle.regularizer.L1Decay(1e-4))
    """

    def __call__(self, param: Any, grad: Any, block: Any = None) -> Any:
        """``coeff * sign(param)``."""
        return param.sign() * self._coeff


class L2Decay(WeightDecayRegularizer):
    """Adds ``coeff * param`` to the gradient: the loss grows by ``0.5 * coeff * sum(param ** 2)``.

    A float given as ``weight_decay`` means this one.
    """

    def __call__(self, param: Any, grad: Any, block: Any = None) -> Any:
        """``coeff * param``."""
        return param * self._coeff


__getattr__ = names_missing(__name__)
