"""Objects of a user's subclass of dict, such as ``ModelOutput`` of PaddleNLP and ppdiffusers: items and attributes.

A static function creates a new one in each run, without calling a constructor. An attribute that is also an item stays the same
object.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator
from typing import Any

from to_static.compiler.frontend.jst.protocol import ValueSpec
from to_static.core.importing.skiplist import SKIPPED_PACKAGES, package_of


def _base(cls: type) -> Any:
    return collections.OrderedDict if issubclass(cls, collections.OrderedDict) else dict


def is_dict_object(value: object) -> bool:
    """True for an object of a user's dict subclass that consists only of its items and attributes."""
    cls: Any = type(value)
    if not isinstance(value, dict) or package_of(cls) in SKIPPED_PACKAGES:
        return False
    slots = any("__slots__" in vars(base) for base in cls.__mro__ if base.__module__ not in ("builtins", "collections"))
    special = isinstance(value, (collections.defaultdict, collections.Counter))  # which do more when an item is not there
    return cls.__new__ is _base(cls).__new__ and not slots and not special


class DictObject(ValueSpec):
    """The spec of an object whose class is a dict subclass with attributes.

    ``items``, ``attributes``: the spec of each value. ``item_attributes``: name of an attribute that is also an item -> its key.
    """

    __slots__ = ("attributes", "item_attributes", "items", "python_type")

    def __init__(
        self, cls: type, items: dict[Any, ValueSpec], attributes: dict[str, ValueSpec], item_attributes: dict[str, Any]
    ) -> None:
        self.python_type = cls
        self.items = items
        self.attributes = attributes
        self.item_attributes = item_attributes

    @classmethod
    def spec_of_object(cls, value: Any, describe_part: Callable[[Any], ValueSpec]) -> DictObject:
        """Return the spec of an object; ``describe_part`` returns the spec of a part."""
        pairs = list(_base(type(value)).items(value))
        item_attributes = {
            name: key for name, part in vars(value).items() for key, item in pairs if item is part and item is not None
        }
        attribute_specs = {name: describe_part(part) for name, part in vars(value).items() if name not in item_attributes}
        return cls(type(value), {key: describe_part(item) for key, item in pairs}, attribute_specs, item_attributes)

    def flatten(self, value: Any) -> list[Any]:
        items, attributes = dict(_base(self.python_type).items(value)), vars(value)
        parts = [(spec, items[key]) for key, spec in self.items.items()]
        parts += [(spec, attributes[name]) for name, spec in self.attributes.items()]
        return [tensor for spec, part in parts for tensor in spec.flatten(part)]

    def unflatten(self, tensors: Iterator[Any]) -> Any:
        instance = self.python_type.__new__(self.python_type)  # type: ignore[call-overload]  # a class of dicts, no metaclass
        items = {key: spec.unflatten(tensors) for key, spec in self.items.items()}
        for key, item in items.items():
            _base(self.python_type).__setitem__(instance, key, item)
        attributes = {name: spec.unflatten(tensors) for name, spec in self.attributes.items()}
        vars(instance).update(attributes | {name: items[key] for name, key in self.item_attributes.items()})
        return instance

    def tensor_specs(self) -> list[Any]:
        return [spec for part in (*self.items.values(), *self.attributes.values()) for spec in part.tensor_specs()]

    def key(self) -> Any:
        parts = (tuple((name, spec.key()) for name, spec in table.items()) for table in (self.items, self.attributes))
        return ("dict object", self.python_type, *parts, tuple(self.item_attributes.items()))

    def describe(self) -> str:
        return f"a {self.python_type.__name__} of {len(self.items)}"
