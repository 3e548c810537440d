"""`LayerTree`: what a layer owns. Attributes are sorted into parameters, buffers and sublayers, and walked by name."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir import mode
from to_static.compiler.ir.tensor import Tensor
from to_static.core.caching.version_counter import epoch
from to_static.core.diagnostics import source_location
from to_static.core.diagnostics.missing_names import of_object
from to_static.nn.parameter import Parameter

_TABLES = {"_parameters": "parameter", "_sub_layers": "sublayer", "_buffers": "buffer"}
_WANTED = {"_parameters": "Parameter", "_sub_layers": "Layer", "_buffers": "Tensor"}


class SlotTable(OrderedDict[str, Any]):
    """The parameters, buffers or sublayers of a layer by name. A change of it counts as one of the layer's attributes."""

    __slots__ = ()

    def __setitem__(self, name: str, value: Any) -> None:
        epoch[0] += 1
        super().__setitem__(name, value)

    def __delitem__(self, name: str) -> None:
        epoch[0] += 1
        super().__delitem__(name)

    def pop(self, *args: Any, **kwargs: Any) -> Any:
        """As of an OrderedDict."""
        epoch[0] += 1
        return super().pop(*args, **kwargs)

    def clear(self) -> None:
        """As of an OrderedDict."""
        epoch[0] += 1
        super().clear()


def slot_of(layer: LayerTree, name: str) -> tuple[str, Any]:
    """Return the table of a layer that holds an attribute ('' for its own namespace, 'nowhere' for none), and the value."""
    attributes = layer.__dict__
    for table in _TABLES:
        if name in attributes.get(table, ()):
            return table, attributes[table][name]
    return ("", attributes[name]) if name in attributes else ("nowhere", None)


def store_slot(layer: LayerTree, name: str, slot: tuple[str, Any]) -> None:
    """Give a layer back what `slot_of` found, without anybody noticing."""
    attributes, (table, value) = layer.__dict__, slot
    for kind_name in ("", *_TABLES):
        space = attributes[kind_name] if kind_name else attributes
        if kind_name == table:
            space[name] = value
        else:
            space.pop(name, None)


_NOT_TENSORS = (int, float, str, list, dict, tuple, type(None))
_ALWAYS = frozenset((*_TABLES, "training", "forward", "_forward_pre_hooks", "_forward_post_hooks"))


def watch(layer: LayerTree, watcher: int, names: frozenset[str]) -> None:
    """Somebody (with this number) depends on these attributes of a layer; on others that it has it does not."""
    try:
        watchers = _watched_of(layer)
    except AttributeError:
        watchers = {}
        _watched.__set__(layer, watchers)
    watchers[watcher] = names


def is_watched(layer: LayerTree, name: str) -> bool:
    """Return whether a static function depends on an attribute of a layer."""
    if name in _ALWAYS:
        return True
    try:
        watchers = _watched_of(layer)
    except AttributeError:  # nobody does
        return False
    return any(name in names for names in watchers.copy().values())


MADE = "__init__"  # noted in place of an attribute: the layer itself is new


def record_write(layer: LayerTree, name: str) -> None:
    """The attribute is about to change while a Program is being built: remember what it was, and the user's line."""
    writes = mode.current().layer_writes
    if writes is None:
        return
    last_write = writes.get((id(layer), name))
    if last_write is None or last_write[0]() is not layer:  # numbers of layers that are gone are given again
        writes[id(layer), name] = (weakref.ref(layer), name, slot_of(layer, name), source_location.capture(3))


def _unready(layer: LayerTree) -> str:
    """Return the error text for a layer without tables: the reason and a rewrite."""
    return f"super().__init__() has not run; write it as the first line of {type(layer).__name__}.__init__"


class LayerTree:
    """The ownership half of `Layer`: attribute access and the ``named_*`` iterators."""

    # `__watched` and `_static_methods` are no attributes of the user's: nothing copies or shows them
    __slots__ = ("__dict__", "__watched", "__weakref__", "_static_methods")

    _parameters: SlotTable
    _buffers: SlotTable
    _sub_layers: SlotTable
    _non_persistable_buffer_names_set: set[str]
    _assigned_buffer_names_set: set[str]  # by `self.name = tensor`, not by `register_buffer`

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__

    # -- attributes ---------------------------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:  # called only when the ordinary look-up found nothing
        attributes = self.__dict__
        table_of = attributes.get("_parameters")
        if table_of is not None and name in table_of:
            return table_of[name]
        for table in _TABLES:
            table_of = attributes.get(table)
            if table_of is not None and name in table_of:
                return table_of[name]
        if name in attributes.get("_derived", ()):
            return attributes["_derived"][name](self)
        if "_parameters" not in attributes and not name.startswith("__"):
            text = f"{type(self).__name__} has no {name!r}: {_unready(self)}"
            raise AttributeError(text, name=name, obj=None)  # no object: Python would guess another name
        raise of_object("Layer", self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if self.__replaces(name, value):
            return
        epoch[0] += 1
        if mode.building():
            record_write(self, name)
        if isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
        elif isinstance(value, Parameter):
            self.__store_in_table("_parameters", name, value)
        elif isinstance(value, LayerTree):
            self.__refuse_other(name, value, "_parameters")
            self.__store_in_table("_sub_layers", name, value)
        elif isinstance(value, Tensor):
            self.__refuse_other(name, value, "_parameters", "_sub_layers")
            self.__set_buffer(name, value)
        else:
            attributes = self.__dict__
            for table in _TABLES:
                if name in attributes.get(table, ()):
                    if value is not None:
                        self.__refuse_other(name, value, table)
                    if table == "_buffers" and name in attributes["_assigned_buffer_names_set"]:  # an attribute that held a tensor
                        del attributes[table][name]
                        break
                    attributes[table][name] = None
                    return
            object.__setattr__(self, name, value)

    def __replaces(self, name: str, value: Any) -> bool:
        """Give an attribute another value of its sort, if nobody has to notice: that is done most often."""
        attributes = self.__dict__
        if name in attributes:
            if not isinstance(value, _NOT_TENSORS) or isinstance(attributes[name], (Tensor, LayerTree)) or mode.building():
                return False
            if is_watched(self, name):
                return False
            object.__setattr__(self, name, value)
            return True
        if type(value) is EagerTensor and name in attributes.get("_assigned_buffer_names_set", ()):
            buffers = attributes["_buffers"]
            old = buffers.get(name)
            if type(old) is not EagerTensor or is_watched(self, name) or mode.building():
                return False
            alike = old._array.shape == value._array.shape and old._array.dtype is value._array.dtype
            if not alike or old.stop_gradient is not value.stop_gradient or value.persistable:  # it may be another buffer, too
                return False
            OrderedDict.__setitem__(buffers, name, value)
            value.persistable = True
            return True
        return False

    def __store_in_table(self, table: str, name: str, value: Any) -> None:
        attributes = self.__dict__
        if table not in attributes:
            raise ValueError(f"{type(self).__name__} can't keep {name!r} yet: {_unready(self)}")
        for other_table in _TABLES:
            if other_table != table:
                attributes[other_table].pop(name, None)
        attributes.pop(name, None)
        attributes[table][name] = value

    def __refuse_other(self, name: str, value: Any, *tables: str) -> None:
        for table in tables:
            if name in self.__dict__.get(table, ()):
                has_elements = isinstance(value, Tensor) or type(value).__module__ == "numpy"
                hint = f"; to change its numbers use self.{name}.set_value(...)" if has_elements and table != "_sub_layers" else ""
                raise TypeError(
                    f"assignment to {_TABLES[table]} '{name}' should be of type {_WANTED[table]} or None, but got "
                    f"'{type(value).__name__}'{hint}"
                )

    def __set_buffer(self, name: str, value: Tensor) -> None:
        buffers = self.__dict__.get("_buffers")
        builder = mode.current()
        if builder.building:
            if buffers is None or name not in buffers:  # a traced value kept on the layer is no buffer of it
                object.__setattr__(self, name, value)
            elif buffers[name] is None or builder.layer_writes is not None:
                buffers[name] = value  # until the end of the trace, which takes all writes back
            else:
                buffers[name]._become(value)  # the buffer changes when the Program runs
            return
        is_buffer = buffers is not None and name in buffers
        self.__store_in_table("_buffers", name, value)
        value.persistable = True  # type: ignore[attr-defined]  # a traced use is a named buffer, not a constant
        if not is_buffer:
            self._non_persistable_buffer_names_set.add(name)  # only register_buffer makes one that is saved
            self._assigned_buffer_names_set.add(name)

    def __delattr__(self, name: str) -> None:
        epoch[0] += 1
        if mode.building():
            record_write(self, name)
        for table in _TABLES:
            if name in self.__dict__.get(table, ()):
                del self.__dict__[table][name]
                self._non_persistable_buffer_names_set.discard(name)
                self._assigned_buffer_names_set.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        attributes = self.__dict__
        return [*dir(type(self)), *attributes, *(name for table in _TABLES for name in attributes.get(table, ()))]

    # -- adding -------------------------------------------------------------------------------------------------------

    def __check_name(self, name: Any, what: str, table: str) -> None:
        if table not in self.__dict__:
            raise ValueError(f"{type(self).__name__} can't keep the {what} {name!r} yet: {_unready(self)}")
        if not isinstance(name, str):
            raise TypeError(f"the name of a {what} must be a string, got {type(name).__name__}")
        if not name or "." in name:
            raise KeyError(f"the name of a {what} must be non-empty and without '.', got {name!r}")
        if hasattr(self, name) and name not in self.__dict__[table]:
            raise KeyError(f"{type(self).__name__} already has an attribute {name!r}")

    def add_parameter(self, name: str, parameter: Parameter | None) -> Parameter | None:
        """Own ``parameter`` under ``name``; returns it.

        Raises KeyError for a bad or taken name, TypeError when it is no Parameter.
        """
        self.__check_name(name, "parameter", "_parameters")
        if parameter is not None and not isinstance(parameter, Parameter):
            makes = "; `self.create_parameter(shape)` makes one"
            raise TypeError(f"add_parameter: expected a Parameter or None, got {type(parameter).__name__}{makes}")
        self._parameters[name] = parameter
        return parameter

    def add_sublayer(self, name: str, sublayer: Any) -> Any:
        """Own ``sublayer`` under ``name``; returns it. Raises TypeError when it is no Layer."""
        if sublayer is not None and not isinstance(sublayer, LayerTree):
            description = f"{type(sublayer).__name__}"
            if isinstance(sublayer, type) and issubclass(sublayer, LayerTree):
                description = f"the class {sublayer.__name__} itself; `{sublayer.__name__}(...)` makes a layer"
            elif callable(sublayer):
                name_of = getattr(sublayer, "__name__", description)
                description = f"the function {name_of}; layers are objects, `nn.ReLU()` for `F.relu`"
            raise TypeError(f"{type(self).__name__}.add_sublayer: expected a Layer or None, got {description}")
        self._sub_layers[name] = sublayer
        return sublayer

    def register_buffer(self, name: str, tensor: Tensor | None, persistable: bool = True) -> None:
        """Own ``tensor`` as state that is no parameter; it is in `state_dict` when ``persistable``.

        Raises KeyError for a bad or taken name, TypeError when ``tensor`` is no tensor.

        Example:
            >>> self.register_buffer('steps', paddle.zeros([1]))
        """
        self.__check_name(name, "buffer", "_buffers")
        if tensor is not None and (not isinstance(tensor, EagerTensor) or isinstance(tensor, Parameter)):
            traced = isinstance(tensor, Tensor) and mode.building()
            description = "a Tensor of a Program; make it before the static Program is built" if traced else type(tensor).__name__
            raise TypeError(f"register_buffer: expected a Tensor or None, got {description}")
        self._buffers[name] = tensor
        self._assigned_buffer_names_set.discard(name)
        if tensor is not None:
            tensor.persistable = True
        if persistable:
            self._non_persistable_buffer_names_set.discard(name)
        else:
            self._non_persistable_buffer_names_set.add(name)

    # -- walking ------------------------------------------------------------------------------------------------------

    def named_children(self) -> Iterator[tuple[str, Any]]:
        """(name, layer) of the direct sublayers, each layer once."""
        visited: set[int] = set()
        for name, layer in self._sub_layers.items():
            if layer is not None and id(layer) not in visited:
                visited.add(id(layer))
                yield name, layer

    def children(self) -> Iterator[Any]:
        """The direct sublayers, each once."""
        return (layer for _, layer in self.named_children())

    def named_sublayers(
        self, prefix: str = "", include_self: bool = False, layers_set: set[Any] | None = None
    ) -> Iterator[tuple[str, Any]]:
        """(dotted name, layer) of all sublayers at any depth, each layer once, parents first."""
        visited = set() if layers_set is None else layers_set
        if include_self and self not in visited:
            visited.add(self)
            yield prefix, self
        for name, layer in self._sub_layers.items():
            if layer is not None:
                yield from layer.named_sublayers(f"{prefix}.{name}" if prefix else name, True, visited)

    def sublayers(self, include_self: bool = False) -> list[Any]:
        """All sublayers at any depth, each once."""
        return [layer for _, layer in self.named_sublayers(include_self=include_self)]

    def __named(self, table: str, prefix: str, include_sublayers: bool) -> Iterator[tuple[str, Any]]:
        visited: set[int] = set()
        owners = self.named_sublayers(prefix, True) if include_sublayers else [(prefix, self)]
        for path, layer in owners:
            for name, tensor in getattr(layer, table).items():
                if tensor is not None and id(tensor) not in visited:
                    visited.add(id(tensor))
                    yield (f"{path}.{name}" if path else name), tensor

    def named_parameters(self, prefix: str = "", include_sublayers: bool = True) -> Iterator[tuple[str, Any]]:
        """(dotted name, parameter) of this layer and its sublayers, each parameter once."""
        return self.__named("_parameters", prefix, include_sublayers)

    def parameters(self, include_sublayers: bool = True) -> list[Any]:
        """All parameters, each once: what an optimizer takes."""
        return [p for _, p in self.named_parameters(include_sublayers=include_sublayers)]

    def named_buffers(self, prefix: str = "", include_sublayers: bool = True) -> Iterator[tuple[str, Any]]:
        """(dotted name, buffer) of this layer and its sublayers, each buffer once."""
        return self.__named("_buffers", prefix, include_sublayers)

    def buffers(self, include_sublayers: bool = True) -> list[Any]:
        """All buffers, each once."""
        return [b for _, b in self.named_buffers(include_sublayers=include_sublayers)]


_watched: Any = LayerTree.__dict__["_LayerTree__watched"]
_watched_of = _watched.__get__
