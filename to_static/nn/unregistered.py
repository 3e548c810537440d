"""Layers and parameters that a network has in a plain list or dict, where nothing finds them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from to_static.core.diagnostics.printable import printable
from to_static.core.log import warn_here
from to_static.nn.layer import Layer
from to_static.nn.parameter import Parameter


def warn_of_unregistered(net: Layer) -> None:
    """Warn, for each plain list, tuple or dict of a network that holds Layers or parameters, what to write instead.

    `parameters()`, `state_dict()`, `train()` and optimizers go through attributes and through `LayerList`, `LayerDict` and
    `ParameterList` only.
    """
    registered = {id(part) for part in (*net.sublayers(include_self=True), *net.parameters())}
    for name, layer in net.named_sublayers(include_self=True):
        for attribute, value in vars(layer).items():
            if attribute.startswith("_") or not isinstance(value, (list, tuple, dict)):
                continue
            items: Iterable[Any] = value.values() if isinstance(value, dict) else value
            lost = [item for item in items if isinstance(item, (Layer, Parameter)) and id(item) not in registered]
            if lost:
                container, many = type(value).__name__, "Layers" if isinstance(lost[0], Layer) else "parameters"
                holder = "LayerDict" if container == "dict" else "LayerList" if many == "Layers" else "ParameterList"
                path = printable(f"{name}.{attribute}" if name else attribute)
                warn_here(
                    f"{type(net).__name__}: `{path}` is a plain {container} with {len(lost)} {many}, which parameters(), "
                    f"state_dict() and optimizers do not find: write `self.{printable(attribute)} = nn.{holder}(...)`"
                )
