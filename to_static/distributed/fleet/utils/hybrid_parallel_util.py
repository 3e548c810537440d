"""Paddle's module of this name, for a world of one process: what training loops call between the backward pass and the step."""

from __future__ import annotations

from typing import Any

from to_static.core.diagnostics.missing_names import names_missing

__all__ = [
    "broadcast_dp_parameters", "broadcast_input_data", "broadcast_mp_parameters", "broadcast_sep_parameters",
    "broadcast_sharding_parameters", "fused_allreduce_gradients", "fused_allreduce_gradients_with_group",
    "obtain_optimizer_parameters_list", "unwrap_optimizer",
]  # fmt: skip


def fused_allreduce_gradients(parameter_list: list[Any], hcg: Any) -> None:
    """Sum gradients over all processes: there is one, so they are the sums.

    Example:
        >>> fused_allreduce_gradients(model.parameters(), None)
    """


def fused_allreduce_gradients_with_group(
    parameter_list: list[Any], group: Any, bucket_size: int = 128 * 1024 * 1024, scale: float | None = None
) -> None:
    """The same within a group; its one process is not divided by ``scale``."""


def broadcast_input_data(hcg: Any, *inputs: Any, **kwargs: Any) -> Any:
    """The data of the first process of each group: as they are."""
    return inputs, kwargs


def _broadcast_parameters(model: Any, hcg: Any) -> None:
    """Make a model's parameters those of the first process of its group: they are."""


broadcast_mp_parameters = broadcast_dp_parameters = _broadcast_parameters
broadcast_sharding_parameters = broadcast_sep_parameters = _broadcast_parameters


def unwrap_optimizer(optimizer: Any, optimizer_instances: Any = ()) -> Any:
    """The optimizer inside of wrappers of these classes."""
    while isinstance(optimizer, optimizer_instances):
        optimizer = optimizer._inner_opt
    return optimizer


def obtain_optimizer_parameters_list(optimizer: Any) -> list[Any]:
    """The parameters that an optimizer updates, those of its groups one after the other.

    Example:
        >>> len(obtain_optimizer_parameters_list(paddle.optimizer.SGD(parameters=paddle.nn.Linear(2, 3).parameters())))
        2
    """
    parameters = optimizer._parameter_list or []
    return [parameter for entry in parameters for parameter in (entry["params"] if isinstance(entry, dict) else [entry])]


__getattr__ = names_missing(__name__)
