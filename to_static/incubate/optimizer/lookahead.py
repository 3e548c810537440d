"""`LookAhead`: k quick steps, then one slow step towards where they led (Zhang et al., 2019)."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir import mode
from to_static.compiler.ops import functions
from to_static.core import backend as backends
from to_static.core import unique_name
from to_static.optimizer.optimizer import Optimizer


class LookAhead(Optimizer):
    """Every ``k`` steps of ``inner_optimizer``: ``slow = slow + alpha * (param - slow)``, ``param = slow``.

    The slow weights begin as the parameters after the first step, as in Paddle. Also in static functions.

    Args:
        inner_optimizer: what steps.
        alpha: how far the slow weights move, from 0 to 1 (default 0.5).
        k: steps between (default 5).

    Raises ValueError for other numbers, TypeError without an optimizer.

    Example:
        >>> opt = paddle.incubate.LookAhead(paddle.optimizer.SGD(0.1, parameters=net.parameters()), alpha=0.2, k=5)
    """

    def __init__(self, inner_optimizer: Any, alpha: float = 0.5, k: int = 5, name: str | None = None) -> None:
        if not isinstance(inner_optimizer, Optimizer):
            raise TypeError(f"LookAhead: inner_optimizer must be an Optimizer, got {type(inner_optimizer).__name__}")
        if not 0.0 <= alpha <= 1.0:
            raise ValueError("alpha should be larger or equal to 0.0, and less or equal than 1.0")
        if not isinstance(k, int) or k <= 0:
            raise ValueError("k should be a positive integer")
        super().__init__(alpha, inner_optimizer._parameter_list, None, None, name)
        self.inner_optimizer, self.alpha, self.k = inner_optimizer, alpha, k
        self._count: EagerTensor | None = None

    def apply_gradients(self, params_grads: Any) -> None:
        """A step of the inner optimizer, and every ``k``-th time the slow one."""
        self.inner_optimizer.apply_gradients(params_grads)
        with mode.grad_mode(False):
            if self._count is None:
                counter = EagerTensor(
                    backends.current().asarray(np.zeros((), "int32")), name=unique_name.generate("lookahead_step")
                )
                counter.persistable = True
                self._count = counter
            self._count._become(self._count + 1)
            first = functions.equal(self._count, 1)
            meets = functions.equal(functions.remainder(self._count, self.k), 0)
            where = functions.where
            for param, _ in params_grads:
                slow = self._state("slow", param)
                anchor = where(first, param, slow)
                new = self.alpha * param + (1.0 - self.alpha) * anchor
                slow._become(where(meets, new, anchor))
                param._become(where(meets, new, param))

    def get_lr(self) -> float:
        """The learning rate of the inner optimizer."""
        return self.inner_optimizer.get_lr()
