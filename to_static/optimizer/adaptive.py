"""Steps scaled by the history of squared gradients: Adagrad, RMSProp, Adadelta."""

from __future__ import annotations

from typing import Any

from to_static.optimizer.common_setting import CommonSetting
from to_static.optimizer.optimizer import Optimizer, need_number


def _not_negative(optimizer: str, **values: float) -> dict[str, Any]:
    for name, value in values.items():
        need_number(optimizer, name, value)
        if value < 0:
            raise ValueError(f"{name} must not be negative, got {value}")
    return values


class Adagrad(Optimizer):
    """``moment += grad ** 2``; ``param -= learning_rate * grad / (sqrt(moment) + epsilon)`` (Duchi et al., 2011).

    Args:
        epsilon: added to the root (default 1e-6).
        initial_accumulator_value: what ``moment`` starts from (default 0).

    See `Optimizer` for the common arguments.

    ``parameters``, ``weight_decay`` and ``grad_clip`` are among them.

    Example:
        >>> opt = paddle.optimizer.Adagrad(0.1, parameters=net.parameters())
        >>> net(x).sum().backward()
        >>> opt.step()
    """

    type = "adagrad"
    _epsilon = CommonSetting("epsilon")

    def __init__(
        self,
        learning_rate: Any,
        epsilon: float = 1e-6,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
        initial_accumulator_value: float = 0.0,
    ) -> None:
        settings = {**_not_negative(type(self).__name__, epsilon=epsilon), "initial_accumulator_value": initial_accumulator_value}
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name, **settings)

    def _update(self, param: Any, grad: Any, rate: Any, settings: dict[str, Any]) -> None:
        moment = self._state("moment", param, settings["initial_accumulator_value"])
        new = moment + grad * grad
        self._set(moment, new)
        self._set(param, param - rate.astype(param.dtype) * grad / (new.sqrt() + settings["epsilon"]))


class RMSProp(Optimizer):
    """Steps divided by the root of a running mean of squared gradients (Hinton, 2012).

    Args:
        rho: how much of the mean stays in each step (default 0.95).
        epsilon: added under the root (default 1e-6).
        momentum: how much of the last step stays in this one (default 0).
        centered: subtract the squared running mean of the gradient from the mean of its square.

    See `Optimizer` for the common arguments.

    ``learning_rate``, ``parameters``, ``weight_decay`` and ``grad_clip`` are among them.

    Example:
        >>> opt = paddle.optimizer.RMSProp(0.1, parameters=net.parameters())
        >>> net(x).sum().backward()
        >>> opt.step()
    """

    type = "rmsprop"
    _rho = CommonSetting("rho")
    _epsilon = CommonSetting("epsilon")
    _momentum = CommonSetting("momentum")
    _centered = CommonSetting("centered")

    def __init__(
        self,
        learning_rate: Any,
        rho: float = 0.95,
        epsilon: float = 1e-6,
        momentum: float = 0.0,
        centered: bool = False,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        settings = {**_not_negative(type(self).__name__, rho=rho, epsilon=epsilon, momentum=momentum), "centered": centered}
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name, **settings)

    def _update(self, param: Any, grad: Any, rate: Any, settings: dict[str, Any]) -> None:
        rho = settings["rho"]
        step, square = self._state("momentum", param), self._state("mean_square", param)
        mean = self._state("mean_grad", param)
        spread = square * rho + grad * grad * (1 - rho)
        self._set(square, spread)
        if settings["centered"]:
            middle = mean * rho + grad * (1 - rho)
            self._set(mean, middle)
            spread = spread - middle * middle
        scaled = rate.astype(param.dtype) * grad / (spread + settings["epsilon"]).sqrt()
        velocity = step * settings["momentum"] + scaled
        self._set(step, velocity)
        self._set(param, param - velocity)


class Adadelta(Optimizer):
    """Steps as large as recent ones, relative to recent gradients (Zeiler, 2012).

    Args:
        epsilon: added under the roots (default 1e-6).
        rho: how much of both running means stays in each step (default 0.95).

    See `Optimizer` for the common arguments.

    ``learning_rate``, ``parameters``, ``weight_decay`` and ``grad_clip`` are among them.

    Example:
        >>> opt = paddle.optimizer.Adadelta(0.1, parameters=net.parameters())
        >>> net(x).sum().backward()
        >>> opt.step()
    """

    type = "adadelta"
    _epsilon, _rho = CommonSetting("epsilon"), CommonSetting("rho")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        epsilon: float = 1e-6,
        rho: float = 0.95,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        settings = _not_negative(type(self).__name__, epsilon=epsilon, rho=rho)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name, **settings)

    def _update(self, param: Any, grad: Any, rate: Any, settings: dict[str, Any]) -> None:
        rho, epsilon = settings["rho"], settings["epsilon"]
        gradients, steps = self._state("_avg_squared_grad", param), self._state("_avg_squared_update", param)
        new = gradients * rho + grad * grad * (1 - rho)
        step = ((steps + epsilon) / (new + epsilon)).sqrt() * grad
        self._set(gradients, new)
        self._set(steps, steps * rho + step * step * (1 - rho))
        self._set(param, param - rate.astype(param.dtype) * step)
