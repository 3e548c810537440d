"""``items[i]``: Python's containers with a traced index, and lists that a `TensorList` has replaced."""

from __future__ import annotations

import functools
import operator
from typing import Any

from to_static.compiler.frontend.jst.control.dynamic_index import picked
from to_static.compiler.frontend.jst.objects.tensor_list import TensorList
from to_static.compiler.frontend.jst.tracer_queries import as_constant, is_traced, own_method
from to_static.compiler.frontend.tracing.graph_break import broken
from to_static.compiler.frontend.tracing.trace_context import building, current
from to_static.core.diagnostics.source_expressions import in_expression
from to_static.nn.container import LayerDict, LayerList, ParameterList, Sequential

_SEQUENCES = (list, tuple, range)
_LAYERS = (LayerList, ParameterList, Sequential)


def at(container: object) -> Any:
    """Return the object for ``container[...]``: a proxy of a list or dict, else the container itself."""
    if not building():
        return container
    if type(container) is list:
        resolved = current().effects.resolved(container)
        return ContainerProxy(container) if resolved is container else resolved
    if isinstance(container, (*_SEQUENCES, dict, *_LAYERS, LayerDict)):
        return ContainerProxy(container)
    user_method = own_method(container, "__getitem__") or own_method(container, "__setitem__")
    return container if user_method is None else UserContainerProxy(container)


class UserContainerProxy:
    """A proxy of a user's object, whose item methods run translated."""

    __slots__ = ("container",)

    def __init__(self, container: Any) -> None:
        self.container = container

    def __getitem__(self, index: object) -> Any:
        return self._method("__getitem__")(index)

    def __setitem__(self, index: object, value: object) -> None:
        self._method("__setitem__")(index, value)

    def __delitem__(self, index: object) -> None:
        self._method("__delitem__")(index)

    def _method(self, name: str) -> Any:
        """Return the special method of this name; if there is none, a function that raises Python's error."""
        return own_method(self.container, name) or functools.partial(getattr(operator, name), self.container)


class ContainerProxy:
    """A proxy of a Python container, whose items can be read and set at traced indices."""

    __slots__ = ("container",)

    def __init__(self, container: Any) -> None:
        self.container = container

    def __getitem__(self, index: Any) -> Any:
        index = as_constant(index)
        if not is_traced(index) and not (isinstance(index, tuple) and any(map(is_traced, index))):
            if isinstance(index, slice) and any(map(is_traced, (index.start, index.stop, index.step))):
                return self._slice(index)
            return self.container[index]
        if isinstance(self.container, (dict, LayerDict)) or isinstance(index, tuple):
            raise broken(
                f"a dict is looked up with a key that depends on a tensor{in_expression()}",
                "a list and an index, or `if k == 0: ... elif k == 1: ...`",
            )
        return picked(list(self.container), index, type(self.container).__name__)

    def _slice(self, index: slice) -> Any:
        if type(self.container) is not list:
            raise broken(
                f"a {type(self.container).__name__} is sliced at bounds that depend on tensors{in_expression()}",
                "a list, or a tensor: `x[a:b]`",
            )
        return TensorList.of_items(self.container)[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        record, index = current().effects, as_constant(index)
        if not is_traced(index):
            if isinstance(self.container, (list, dict)):
                record.record_items_write(self.container)
            self.container[index] = value
            return
        if type(self.container) is not list:
            raise broken(
                f"an item of a {type(self.container).__name__} is set at an index that depends on tensors{in_expression()}",
                "a list of tensors, or a tensor: `x[i] = v`",
            )
        traced_list = TensorList.of_items(self.container)
        record.substitute(self.container, traced_list)
        traced_list[index] = value

    def __delitem__(self, index: Any) -> None:
        index = as_constant(index)
        if is_traced(index):
            raise broken(
            f"an item is deleted at an index that depends on tensors{in_expression()}",
            "a new list of the remaining items",
        )
        if isinstance(self.container, (list, dict)):
            current().effects.record_items_write(self.container)
        del self.container[index]
