"""Paddle's module of this name, for a world of one process: what training loops call between the backward pass and the step."""

from __future__ import annotations

from typing import Any

from to_static.core.missing import names_missing

__all__ = ["fused_allreduce_gradients", "obtain_optimizer_parameters_list"]


def fused_allreduce_gradients(parameter_list: list[Any], hcg: Any) -> None:
    """Sum gradients over all processes: there is one, so they are the sums.

    Example:
        >>> fused_allreduce_gradients(model.parameters(), None)
    """


def obtain_optimizer_parameters_list(optimizer: Any) -> list[Any]:
    """The parameters that an optimizer updates, those of its groups one after the other.

    Example:
        >>> len(obtain_optimizer_parameters_list(paddle.optimizer.SGD(parameters=paddle.nn.Linear(2, 3).parameters())))
        2
    """
    given = optimizer._parameter_list or []
    return [parameter for entry in given for parameter in (entry["params"] if isinstance(entry, dict) else [entry])]


__getattr__ = names_missing(__name__)
