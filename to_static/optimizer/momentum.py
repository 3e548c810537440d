"""Gradient descent, plain and with momentum: SGD, Momentum."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops.optimizer import updates
from to_static.optimizer.common_setting import CommonSetting
from to_static.optimizer.optimizer import Optimizer, need_number
from to_static.regularizer import L2Decay


class SGD(Optimizer):
    """``param = param - learning_rate * grad``. See `Optimizer` for the common arguments.

    ``weight_decay`` and ``grad_clip`` are among them; ``multi_precision``: keep float32 copies of float16 parameters.

    Example:
        >>> opt = paddle.optimizer.SGD(learning_rate=0.1, parameters=net.parameters())
    """

    type = "sgd"

    def __init__(
        self,
        learning_rate: Any = 0.001,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        multi_precision: bool = False,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._multi_precision = multi_precision

    def _update(self, param: Any, grad: Any, rate: Any, settings: dict[str, Any]) -> None:
        self._run(updates.sgd, [param, grad, rate], [param])


class Momentum(Optimizer):
    """``velocity = momentum * velocity + grad``; ``param = param - learning_rate * velocity``.

    Args:
        momentum: how much of the velocity stays (default 0.9).
        use_nesterov: move by ``grad + momentum * velocity`` instead (default False).
        rescale_grad: factor on gradients, before L2 decay is added (default 1).
        multi_precision: keep float32 copies of float16 parameters.

    See `Optimizer` for the common arguments; ``momentum`` and ``use_nesterov`` may be set by group.

    ``grad_clip`` is among them; ``use_multi_tensor`` changes nothing.

    Example:
        >>> opt = paddle.optimizer.Momentum(0.1, 0.9, net.parameters(), use_nesterov=True, weight_decay=1e-4)
    """

    type = "momentum"
    _momentum, _use_nesterov = CommonSetting("momentum"), CommonSetting("use_nesterov")
    _rescale_grad = CommonSetting("rescale_grad")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        momentum: float = 0.9,
        parameters: Any = None,
        use_nesterov: bool = False,
        weight_decay: Any = None,
        grad_clip: Any = None,
        multi_precision: bool = False,
        rescale_grad: float = 1.0,
        use_multi_tensor: bool = False,
        name: str | None = None,
    ) -> None:
        need_number(type(self).__name__, "momentum", momentum)
        settings = {"momentum": momentum, "use_nesterov": use_nesterov, "rescale_grad": rescale_grad}
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name, **settings)
        self._multi_precision = multi_precision

    def _decayed(self, param: Any, grad: Any, settings: dict[str, Any]) -> Any:
        if isinstance(settings["regularizer"], L2Decay):
            return grad  # the operator adds it, after rescale_grad
        return super()._decayed(param, grad, settings)

    def _update(self, param: Any, grad: Any, rate: Any, settings: dict[str, Any]) -> None:
        velocity = self._state("velocity", param)
        regularizer = settings["regularizer"]
        l2 = isinstance(regularizer, L2Decay)
        self._run(
            updates.momentum,
            [param, grad, velocity, rate],
            [param, velocity],
            mu=float(settings["momentum"]),
            use_nesterov=bool(settings["use_nesterov"]),
            regularization_method="l2_decay" if l2 else "",
            regularization_coeff=regularizer._coeff if l2 else 0.0,
            rescale_grad=float(settings["rescale_grad"]),
        )
