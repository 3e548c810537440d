"""Models whose weights are `n:m` sparse: prune them, and train them so that they stay so."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ops import functions
from to_static.core.caching.weak_tables import WeakKeys
from to_static.core.diagnostics.printable import printable
from to_static.core.errors import ArgumentError, ArgumentTypeError
from to_static.core.log import warn_here
from to_static.incubate.asp.patterns import CheckMethod, MaskAlgo, check_sparsity, create_mask
from to_static.nn.initializer import Constant
from to_static.nn.layer import Layer
from to_static.nn.parameter import Parameter, create_parameter

Pruning = Callable[[np.ndarray, int, int, MaskAlgo, str], tuple[np.ndarray, np.ndarray]]
_ALGORITHMS = {"mask_1d": MaskAlgo.MASK_1D, "mask_2d_greedy": MaskAlgo.MASK_2D_GREEDY, "mask_2d_best": MaskAlgo.MASK_2D_BEST}
_MASK = "asp_mask"
_excluded: WeakKeys[Any, list[str]] = WeakKeys()  # names, by the mode or the builder of a Program that they count for
_masks: WeakKeys[Parameter, Parameter] = WeakKeys()  # those that steps of a decorated optimizer keep to


def _pruned(weight: np.ndarray, m: int, n: int, func_name: MaskAlgo, param_name: str) -> tuple[np.ndarray, np.ndarray]:
    """A weight that is sparse along its first dimension (of convolutions the second), and its mask."""
    axis = {2: 0, 4: 1}.get(weight.ndim)
    if axis is not None and weight.shape[axis] < m:
        axis_name = "first" if axis == 0 else "second"
        sizes = list(weight.shape)
        warn_here(f"{printable(param_name)} is not pruned: the {axis_name} dimension of {sizes} is smaller than {m}")
        return weight, np.ones_like(weight)
    mask = create_mask(weight.T, func_name, n, m).T  # the inputs of a product are what hardware wants to be sparse
    pruned = weight * mask
    if not check_sparsity(pruned.T, CheckMethod.get_checking_method(func_name), n, m):
        raise ArgumentError(f"{printable(param_name)}: there is no {func_name.value} of {n} in {m} for {list(weight.shape)}")
    return pruned, mask


_supported: dict[str, Pruning] = {"fc": _pruned, "linear": _pruned, "conv2d": _pruned}


def add_supported_layer(layer: Any, pruning_func: Pruning | None = None) -> None:
    """Let the weights of further layers be pruned.

    ``layer``: a Layer, a class of Layers, or the name of such a class, of one layer or of one parameter as parameters are named
    (``"linear"``, ``"linear_2"``, ``"linear_2.w_0"``). ``pruning_func(weight, m, n, algorithm, name)`` gives the pruned array and
    its mask (default: as for `nn.Linear`). Raises ArgumentTypeError for anything else.
    """
    if isinstance(layer, Layer):
        layer = type(layer)
    if isinstance(layer, type) and issubclass(layer, Layer):
        layer = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", layer.__name__).lower()
    if not isinstance(layer, str):
        raise ArgumentTypeError(f"add_supported_layer: expected a Layer, a class of Layers or a name, got {type(layer).__name__}")
    _supported[layer] = pruning_func or _pruned


def _place(program: Any = None) -> Any:
    return mode.current() if program is None else program.builder


def set_excluded_layers(param_names: list[str], main_program: Any = None) -> None:
    """Prune no parameter whose name contains one of ``param_names``: of a Program, by default of that which is being built.

    In dynamic mode, and without a Program, they are those of all Layers.
    """
    where = _place(main_program)
    _excluded[where] = [*(_excluded.get(where) or ()), *param_names]


def reset_excluded_layers(main_program: Any = None) -> None:
    """Forget what `set_excluded_layers` was told, of all programs or of one."""
    if main_program is None:
        for where in _excluded.objects():
            _excluded[where] = []
    else:
        _excluded[_place(main_program)] = []


def _pruning_of(name: str, where: Any) -> Pruning | None:
    """Return the way to prune the parameter of a name, None if it is not pruned."""
    layer, _, part = name.partition(".")
    if any(word in name for word in _excluded.get(where) or ()) or _MASK in name.split("."):
        return None
    if name in _supported:
        return _supported[name]
    if "w_" not in part:
        return None
    return _supported.get(layer) or _supported.get(layer.rpartition("_")[0])


def prune_model(model: Any, n: int = 2, m: int = 4, mask_algo: str = "mask_1d", with_mask: bool = True) -> dict[str, np.ndarray]:
    """Set ``n`` of every ``m`` weights of a model to zero: those of `nn.Linear`, `nn.Conv2D`, ``static.nn.fc`` and what was added.

    Args:
        model: a Layer, or a Program whose parameters have values (after the startup program).
        n, m: how many of how many are zero at least.
        mask_algo: 'mask_1d', 'mask_2d_greedy' or 'mask_2d_best', see `MaskAlgo`.
        with_mask: steps of the optimizer keep to the masks, which `decorate` has made (in static mode its `minimize`).

    Returns the masks, by the names of the parameters. Raises ArgumentError for an unknown ``mask_algo``, or where ``with_mask``
    finds no decorated optimizer, ArgumentTypeError for another model.

    Example:
        >>> net = paddle.nn.Linear(8, 4)
        >>> masks = paddle.incubate.asp.prune_model(net, with_mask=False)
        >>> paddle.incubate.asp.calculate_density(net.weight.numpy())
        0.5
    """
    if mask_algo not in _ALGORITHMS:
        raise ArgumentError(f"prune_model: mask_algo must be one of {', '.join(_ALGORITHMS)}, got {printable(repr(mask_algo))}")
    if isinstance(model, Layer):
        parameters, where = model.parameters(), _place()
    elif hasattr(model, "all_parameters"):
        parameters, where = model.all_parameters(), _place(model)
    else:
        raise ArgumentTypeError(f"prune_model: expected a Layer or a Program, got {type(model).__name__}")
    chosen = [(p, prune) for p in parameters if (prune := _pruning_of(p.name, where)) is not None]
    for parameter, _ in chosen:
        if with_mask and parameter not in _masks:
            advice = "call asp.decorate(optimizer) before, in static mode its minimize(), or pass with_mask=False"
            raise ArgumentError(f"prune_model: {printable(parameter.name)} has no mask; {advice}")
    masks = {}
    for parameter, prune in chosen:
        pruned, mask = prune(parameter.numpy(), m, n, _ALGORITHMS[mask_algo], parameter.name)
        parameter.set_value(pruned.astype(parameter.dtype.np))
        if with_mask:
            _masks.get(parameter).set_value(mask)  # type: ignore[union-attr]
        masks[parameter.name] = mask
    return masks


def decorate(optimizer: Any) -> SparseOptimizer:
    """An optimizer whose steps keep to the masks of `prune_model`: it does what ``optimizer`` does, then multiplies by the masks.

    Example:
        >>> net = paddle.nn.Linear(8, 4)
        >>> opt = paddle.incubate.asp.decorate(paddle.optimizer.SGD(0.1, parameters=net.parameters()))
        >>> masks = paddle.incubate.asp.prune_model(net)
    """
    return SparseOptimizer(optimizer)


class SparseOptimizer:
    """See `decorate`. All other attributes are those of the optimizer."""

    def __init__(self, optimizer: Any) -> None:
        self._optimizer = optimizer
        self._prepare(optimizer._parameter_list or ())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_optimizer"], name)

    @staticmethod
    def _prepare(parameters: Any) -> None:
        for p in parameters:
            if p not in _masks and _pruning_of(p.name, _place()) is not None:
                mask: Any = create_parameter(p.shape, p.dtype, f"{p.name}.{_MASK}", default_initializer=Constant(1.0))
                mask.stop_gradient, mask.trainable = True, False
                _masks[p] = mask

    @staticmethod
    def _keep_to_masks(parameters: Any) -> None:
        with mode.grad_mode(False):
            for p in parameters:
                if (mask := _masks.get(p)) is not None:
                    functions.assign(p * mask, p)

    def step(self) -> None:
        """Do a step, and set to zero what the masks say."""
        self._optimizer.step()
        self._keep_to_masks(self._optimizer._parameter_list)

    def minimize(
        self, loss: Any, startup_program: Any = None, parameter_list: Any = None, no_grad_set: Any = None
    ) -> tuple[list[Any], list[Any]]:
        """Do what `Optimizer.minimize` does, then set to zero what the masks say; in static mode in every run of the Program."""
        done = self._optimizer.minimize(loss, startup_program, parameter_list, no_grad_set=no_grad_set)
        parameters = [p for p, _ in done[1]]
        self._prepare(parameters)
        self._keep_to_masks(parameters)
        return done  # type: ignore[no-any-return]

    def _named_masks(self) -> dict[str, Parameter]:
        masks = [(p, _masks.get(p)) for p in self._optimizer._parameter_list or ()]
        return {f"{p.name}.{_MASK}": mask for p, mask in masks if mask is not None}

    def state_dict(self) -> dict[str, Any]:
        """The optimizer's state and the masks, by ``'NAME.asp_mask'``."""
        return {**self._optimizer.state_dict(), **self._named_masks()}

    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over a state and masks. Raises ArgumentError where a mask is missing."""
        masks = self._named_masks()
        missing = [name for name in masks if name not in state_dict]
        if missing:
            raise ArgumentError(f"set_state_dict: the state has no mask {printable(missing[0])}")
        self._optimizer.set_state_dict({name: value for name, value in state_dict.items() if name not in masks})
        for name, mask in masks.items():
            mask.set_value(state_dict[name])
