"""Attributes of a static function: they are stored on the user's function, so that ``f.calls`` is one attribute inside and
outside.
"""

from __future__ import annotations

from typing import Any


class AttributeForwarding:
    """A base class that stores attributes which user code sets on the object, on its function, where traces see them.

    Attributes that are set before ``__name__`` are stored on the object itself.
    """

    _function: Any
    _instance: Any

    @property
    def _attribute_owner(self) -> Any:
        """The object that stores the attributes: the function, or the object whose ``__call__`` the function is."""
        attributes = self.__dict__
        function, instance = attributes.get("_function"), attributes.get("_instance")
        return instance if function is not None and function is getattr(type(instance), "__call__", None) else function  # noqa: B004

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "_function" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self._attribute_owner, name)

    def __setattr__(self, name: str, value: Any) -> None:
        attributes = self.__dict__
        if name in attributes or "__name__" not in attributes:
            attributes[name] = value
        elif _belongs_to_static(self, name):
            object.__setattr__(self, name, value)
        else:
            setattr(self._attribute_owner, name, value)

    def __delattr__(self, name: str) -> None:
        if _belongs_to_static(self, name):
            object.__delattr__(self, name)
        else:
            delattr(self._attribute_owner, name)


def _belongs_to_static(static: AttributeForwarding, name: str) -> bool:
    """True if an attribute belongs to the static function itself, not to the user's function."""
    attributes = static.__dict__
    return "__name__" not in attributes or name in attributes or name.startswith("__") or hasattr(type(static), name)
