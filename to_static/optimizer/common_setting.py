"""`CommonSetting`: a setting of an optimizer under the name of Paddle's attribute, which schedules of packages write to."""

from __future__ import annotations

from typing import Any


class CommonSetting:
    """An attribute that is the setting ``key`` of all parameters that are in no group of the user's.

    Groups of the user's have their settings from when the optimizer was created on, as in Paddle.
    """

    def __init__(self, key: str) -> None:
        self.key = key
        self._name = key

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, optimizer: Any, owner: type | None = None) -> Any:
        if optimizer is None:
            return self
        attributes = vars(optimizer)
        return attributes["_defaults"][self.key] if "_defaults" in attributes else attributes.get(self._name)

    def __set__(self, optimizer: Any, value: Any) -> None:
        attributes = vars(optimizer)
        if "_defaults" not in attributes:  # a subclass that never calls `Optimizer.__init__`, such as those of TensorLayerX
            attributes[self._name] = value
            return
        attributes["_defaults"][self.key] = value
        if not optimizer._grouped:
            optimizer._groups[0][self.key] = value
