"""Adam and its relatives with two moments: Adam, AdamW, Adamax, Lamb."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.compiler.ops import functions
from to_static.compiler.ops.optimizer import updates
from to_static.optimizer.common_setting import CommonSetting
from to_static.optimizer.optimizer import Optimizer, need_number
from to_static.regularizer import WeightDecayRegularizer


def _check_betas(optimizer: str, beta1: float, beta2: float, epsilon: float) -> dict[str, float]:
    for setting, value in (("beta1", beta1), ("beta2", beta2), ("epsilon", epsilon)):
        need_number(optimizer, setting, value)
    for name, beta in (("beta1", beta1), ("beta2", beta2)):
        if not 0 <= beta < 1:
            raise ValueError(f"{name} must be in [0, 1), got {beta}")
    if epsilon < 0:
        raise ValueError(f"epsilon must not be negative, got {epsilon}")
    return {"beta1": beta1, "beta2": beta2, "epsilon": epsilon}


class _TwoMoments(Optimizer):
    """The part that `Adam` and `AdamW` share: as in Paddle, neither derives from the other."""

    _beta1, _beta2, _epsilon = CommonSetting("beta1"), CommonSetting("beta2"), CommonSetting("epsilon")

    _lazy_mode = False

    def _moments(self, param: Any, settings: dict[str, Any]) -> list[Any]:
        name = param.name
        moments = self._by_parameter.get(name)
        if moments is None:
            moments = self._by_parameter[name] = [
                self._state("moment1", param),
                self._state("moment2", param),
                self._state("beta1_pow_acc", param, settings["beta1"], [1]),
                self._state("beta2_pow_acc", param, settings["beta2"], [1]),
            ]
        return moments

    def _update(self, param: Any, grad: Any, rate: Any, settings: dict[str, Any]) -> None:
        moments = self._moments(param, settings)
        rule, more = self._rule(param, settings)
        self._run(
            rule,
            [param, grad, *moments, rate],
            [param, *moments],
            beta1=float(settings["beta1"]),
            beta2=float(settings["beta2"]),
            epsilon=float(settings["epsilon"]),
            **more,
            lazy_mode=self._lazy_mode and settings["by_rows"],
        )

    def _rule(self, param: Any, settings: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """The operator that does the step, and its further attributes."""
        return updates.adam, {}


class Adam(_TwoMoments):
    """Steps scaled by running means of the gradient and of its square (Kingma and Ba, 2014).

    Args:
        beta1, beta2: how much of the two means stays in each step (default 0.9, 0.999).
        epsilon: added to the root of the second mean (default 1e-8).
        lazy_mode: rows of a table (``nn.Embedding(sparse=True)``) for which a step has no gradient keep their weights and means;
            by default they move on by their means. A step then costs what was looked up, not what there is.
        multi_precision: keep float32 copies of float16 parameters.

    See `Optimizer` for the common arguments; betas and epsilon may be set by group.

    ``learning_rate``, ``weight_decay`` and ``grad_clip`` are among them; ``use_multi_tensor`` changes nothing.

    Example:
        >>> opt = paddle.optimizer.Adam(1e-3, parameters=net.parameters())
    """

    type = "adam"

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        lazy_mode: bool = False,
        multi_precision: bool = False,
        use_multi_tensor: bool = False,
        name: str | None = None,
    ) -> None:
        settings = _check_betas(type(self).__name__, beta1, beta2, epsilon)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name, **settings)
        self._multi_precision, self._lazy_mode = multi_precision, lazy_mode


class AdamW(_TwoMoments):
    """Adam with weight decay taken out of the gradient: ``param * (1 - rate * weight_decay)`` (Loshchilov and Hutter, 2017).

    Args:
        weight_decay: the decay, a float (default 0.01).
        lr_ratio: function from a parameter to a factor on its learning rate.
        apply_decay_param_fun: function from a parameter's *name* to whether it decays (default: all do).

    See `Adam` for the other arguments.

    ``learning_rate``, ``beta1``, ``beta2``, ``epsilon``, ``grad_clip``, ``lazy_mode`` and ``multi_precision`` are
    among them.

    Example:
        >>> opt = paddle.optimizer.AdamW(1e-3, parameters=net.parameters(), apply_decay_param_fun=lambda n: '.b_' not in n)
    """

    type = "adamw"
    _weight_decay = CommonSetting("weight_decay")
    regularization = None  # the decay is no part of the gradient

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        parameters: Any = None,
        weight_decay: float = 0.01,
        lr_ratio: Callable[[Any], float] | None = None,
        apply_decay_param_fun: Callable[[str], bool] | None = None,
        grad_clip: Any = None,
        lazy_mode: bool = False,
        multi_precision: bool = False,
        name: str | None = None,
    ) -> None:
        settings = _check_betas(type(self).__name__, beta1, beta2, epsilon)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name, **settings)
        self._multi_precision, self._lazy_mode = multi_precision, lazy_mode
        self._lr_ratio = lr_ratio
        self._apply_decay_param_fun = apply_decay_param_fun

    def _decay_of(self, weight_decay: Any) -> Any:
        if isinstance(weight_decay, bool) or not isinstance(weight_decay, (int, float)):
            raise TypeError(f"AdamW: weight_decay must be a float, got {type(weight_decay).__name__}")
        return float(weight_decay)

    def _decayed(self, param: Any, grad: Any, settings: dict[str, Any]) -> Any:
        regularizer = settings["regularizer"]
        return grad + regularizer(param, grad) if isinstance(regularizer, WeightDecayRegularizer) else grad

    def _rule(self, param: Any, settings: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        decays = self._apply_decay_param_fun
        return updates.adamw, {
            "coeff": settings["weight_decay"],
            "with_decay": decays is None or bool(decays(param.name)),
            "lr_ratio": 1.0 if self._lr_ratio is None else float(self._lr_ratio(param)),
        }


class Adamax(Optimizer):
    """Adam with the largest recent gradient in place of the second mean (Kingma and Ba, 2014, section 7.1).

    See `Adam` for the arguments.
    ``learning_rate``, ``beta1``, ``beta2``, ``epsilon``, ``parameters``, ``weight_decay`` and ``grad_clip`` mean the
    same.

    Example:
        >>> opt = paddle.optimizer.Adamax(0.1, parameters=net.parameters())
        >>> net(x).sum().backward()
        >>> opt.step()
    """

    type = "adamax"
    _beta1, _beta2, _epsilon = CommonSetting("beta1"), CommonSetting("beta2"), CommonSetting("epsilon")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        settings = _check_betas(type(self).__name__, beta1, beta2, epsilon)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name, **settings)

    def _update(self, param: Any, grad: Any, rate: Any, settings: dict[str, Any]) -> None:
        beta1, beta2 = settings["beta1"], settings["beta2"]
        moment, norm = self._state("moment", param), self._state("inf_norm", param)
        power = self._state("beta1_pow_acc", param, beta1, [1])
        mean = moment * beta1 + grad * (1 - beta1)
        largest = functions.maximum(grad.abs(), norm * beta2 + settings["epsilon"])
        scaled = rate.astype(param.dtype) / (1 - power.reshape([]))
        self._set(moment, mean)
        self._set(norm, largest)
        self._set(param, param - scaled * (mean / largest))
        self._set(power, power * beta1)


class Lamb(Optimizer):
    """Adam's direction with decay, scaled layer by layer to the size of the weights (You et al., 2019).

    Args:
        lamb_weight_decay: the decay (default 0.01).
        exclude_from_weight_decay_fn: function from a parameter to whether it does not decay.
        always_adapt: scale also where there is no decay.

    See `Adam` for the other arguments.

    ``learning_rate``, ``beta1``, ``beta2``, ``epsilon``, ``parameters``, ``grad_clip`` and ``multi_precision`` are
    among them.

    Example:
        >>> opt = paddle.optimizer.Lamb(0.1, parameters=net.parameters())
        >>> net(x).sum().backward()
        >>> opt.step()
    """

    type = "lamb"
    _beta1, _beta2, _epsilon = CommonSetting("beta1"), CommonSetting("beta2"), CommonSetting("epsilon")
    _lamb_weight_decay = CommonSetting("lamb_weight_decay")

    def __init__(
        self,
        learning_rate: Any = 0.001,
        lamb_weight_decay: float = 0.01,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-6,
        parameters: Any = None,
        grad_clip: Any = None,
        exclude_from_weight_decay_fn: Callable[[Any], bool] | None = None,
        multi_precision: bool = False,
        always_adapt: bool = False,
        name: str | None = None,
    ) -> None:
        need_number(type(self).__name__, "lamb_weight_decay", lamb_weight_decay)
        settings = {**_check_betas(type(self).__name__, beta1, beta2, epsilon), "lamb_weight_decay": lamb_weight_decay}
        super().__init__(learning_rate, parameters, None, grad_clip, name, **settings)
        self._multi_precision = multi_precision
        self._exclude = exclude_from_weight_decay_fn
        self._always_adapt = always_adapt

    def _update(self, param: Any, grad: Any, rate: Any, settings: dict[str, Any]) -> None:
        beta1, beta2 = settings["beta1"], settings["beta2"]
        decay = 0.0 if self._exclude is not None and self._exclude(param) else settings["lamb_weight_decay"]
        first, second = self._state("moment1", param), self._state("moment2", param)
        power1 = self._state("beta1_pow_acc", param, beta1, [1])
        power2 = self._state("beta2_pow_acc", param, beta2, [1])
        mean = first * beta1 + grad * (1 - beta1)
        square = second * beta2 + grad * grad * (1 - beta2)
        self._set(first, mean)
        self._set(second, square)
        root = (square / (1 - power2.reshape([]))).sqrt() + settings["epsilon"]
        direction = mean / (1 - power1.reshape([])) / root + param * decay
        rate = rate.astype(param.dtype)
        if decay != 0.0 or self._always_adapt:
            size, length = (param * param).sum().sqrt(), (direction * direction).sum().sqrt()
            is_positive = functions.logical_and(size > 0, length > 0)
            safe = functions.where(is_positive, length, functions.ones_like(length))
            rate = rate * functions.where(is_positive, size / safe, functions.ones_like(size))
        self._set(param, param - rate * direction)
        self._set(power1, power1 * beta1)
        self._set(power2, power2 * beta2)
