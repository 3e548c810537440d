"""`UserUpdates`: the methods with which a user's optimizer class updates parameters itself, as in Paddle.

Packages derive layer-wise learning rates (`AdamWDL`) and whole optimizers from these methods.
"""

from __future__ import annotations

from typing import Any

from to_static.core.dtypes import float16
from to_static.optimizer.state import OptimizerState

_METHODS = ("_append_optimize_op", "_create_accumulators", "_finish_update")
_ANY_PROGRAM = frozenset(("clear_grad", "clear_gradients", "get_lr", "set_lr"))


class UserUpdates(OptimizerState):
    """The methods that a user's class overrides, and those that it calls. `Optimizer` calls the former for each step.

    A static function does not contain a step of such a class, because its methods are Python of the user's.
    """

    _updates_itself = False
    _in_programs: frozenset[str] = frozenset()
    _multi_precision: bool
    _groups: list[dict[str, Any]]
    _auxiliary_vars: dict[str, Any]

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        if any(getattr(cls, name) is not getattr(UserUpdates, name) for name in _METHODS):
            cls._updates_itself, cls._in_programs = True, _ANY_PROGRAM

    # -- overridden ---------------------------------------------------------------------------------------------------

    def _append_optimize_op(self, block: Any, param_and_grad: Any) -> Any:
        """Update one parameter. The gradient is clipped and contains the weight decay.

        Args:
            block: the `static.Block` of the main Program, as in Paddle, whose methods and copies of them check its type.
            param_and_grad: a parameter and its gradient.
        """
        pairs = [tuple(param_and_grad)]
        self._update_at_once(pairs, self._group_of(pairs[0][0]))

    def _create_accumulators(self, block: Any, parameters: list[Any]) -> None:
        """Create the state of all parameters (`_add_accumulator`), before each step. Nothing by default."""

    def _finish_update(self, block: Any, parameters_and_grads: Any) -> None:
        """Finish a step, after all parameters are updated. Nothing by default."""

    # -- called -------------------------------------------------------------------------------------------------------

    def _add_accumulator(
        self,
        name: str,
        param: Any,
        dtype: Any = None,
        fill_value: float = 0.0,
        shape: Any = None,
        type: Any = None,
        device: Any = None,
    ) -> Any:
        """The state ``name`` of a parameter, created with ``fill_value`` at the first call. `state_dict` contains it."""
        return self._state(name, param, fill_value, shape, dtype)

    def _get_accumulator(self, name: str, param: Any) -> Any:
        """The state ``name`` of a parameter. Raises KeyError if there is none."""
        table = self._tables.get(f"{self._name}_{name}" if self._name else name, {})
        if param.name not in table:
            raise KeyError(f"the parameter {param.name!r} has no state {name!r}: `_add_accumulator` creates it")
        return table[param.name]

    def _get_accumulator_master(self, name: str, param: Any) -> Any:
        """The state ``name`` of the float32 copy of a parameter, or of the parameter where it has no such copy."""
        return self._get_accumulator(name, self._master(param) if self._multi_precision and param.dtype is float16 else param)

    def _create_param_lr(self, param_and_grad: Any) -> Any:
        """The learning rate of a parameter: a 0-D tensor, with the factors of its group and its `ParamAttr`."""
        param = param_and_grad[0]
        factor = self._factor_of(param, self._group_of(param))
        rate = self._rate_for(param)
        return rate if factor == 1.0 else rate * factor

    def _factor_of(self, param: Any, group: dict[str, Any]) -> Any:
        return getattr(param, "optimize_attr", {}).get("learning_rate", 1.0) * group.get("learning_rate", 1.0)

    def _group_of(self, param: Any) -> dict[str, Any]:
        if len(self._groups) == 1:
            return self._groups[0]
        return next(group for group in self._groups if any(param is member for member in group["params"]))

    def _set_auxiliary_var(self, key: str, val: Any) -> None:
        """Store a value by name for the methods of a subclass."""
        self._auxiliary_vars[key] = val

    def _get_auxiliary_var(self, key: str) -> Any:
        """A value of `_set_auxiliary_var`, or None."""
        return self._auxiliary_vars.get(key)

    @property
    def _master_weights(self) -> dict[str, Any]:
        """The float32 copies of float16 parameters, by the parameters' names."""
        return self._masters

    # -- of `Optimizer` -----------------------------------------------------------------------------------------------

    def _rate_for(self, param: Any) -> Any:
        raise NotImplementedError

    def _update_at_once(self, pairs: list[Any], group: dict[str, Any]) -> None:
        raise NotImplementedError
