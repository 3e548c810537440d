"""Paddle's module of this name, for a world of one process: what training loops call between the backward pass and the step."""

from __future__ import annotations

from typing import Any

from to_static.core.missing import names_missing

__all__ = ["fused_allreduce_gradients"]


def fused_allreduce_gradients(parameter_list: list[Any], hcg: Any) -> None:
    """Sum gradients over all processes: there is one, so they are the sums.

    Example:
        >>> fused_allreduce_gradients(model.parameters(), None)
    """


__getattr__ = names_missing(__name__)
