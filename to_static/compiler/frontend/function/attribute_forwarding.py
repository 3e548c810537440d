"""Attributes of a static function: they are stored on the user's function, so that ``f.calls`` is one attribute inside and
outside.
"""

from __future__ import annotations

from typing import Any


class AttributeForwarding:
    """Leaves it to a function to keep what code sets on an object of this class, where traces of the function see it.

    What the object has before it gets a ``__name__`` is its own.
    """

    _function: Any
    _instance: Any

    @property
    def _keeper(self) -> Any:
        """The keeper of the attributes: the function, or the object of which this is the ``__call__``."""
        own = self.__dict__
        function, instance = own.get("_function"), own.get("_instance")
        return instance if function is not None and function is getattr(type(instance), "__call__", None) else function  # noqa: B004

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "_function" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self._keeper, name)

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        if name in own or "__name__" not in own:
            own[name] = value
        elif _is_own(self, name):
            object.__setattr__(self, name, value)
        else:
            setattr(self._keeper, name, value)

    def __delattr__(self, name: str) -> None:
        if _is_own(self, name):
            object.__delattr__(self, name)
        else:
            delattr(self._keeper, name)


def _is_own(static: AttributeForwarding, name: str) -> bool:
    own = static.__dict__
    return "__name__" not in own or name in own or name.startswith("__") or hasattr(type(static), name)
