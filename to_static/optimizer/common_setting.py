"""`CommonSetting`: a setting of an optimizer under the name of Paddle's attribute, which schedules of packages write to."""

from __future__ import annotations

from typing import Any


class CommonSetting:
    """An attribute that is the setting ``key`` of all parameters that are in no group of the user's.

    Groups of the user's have their settings from when the optimizer was created on, as in Paddle.
    """

    def __init__(self, key: str) -> None:
        self.key = key

    def __get__(self, optimizer: Any, owner: type | None = None) -> Any:
        return self if optimizer is None else optimizer._defaults[self.key]

    def __set__(self, optimizer: Any, value: Any) -> None:
        optimizer._defaults[self.key] = value
        if not optimizer._grouped:
            optimizer._groups[0][self.key] = value
