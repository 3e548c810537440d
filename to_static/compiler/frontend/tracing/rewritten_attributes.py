"""`RewrittenAttributes`: attributes of Layers that a traced function assigns before it reads them.

``self.inputs = inputs`` at the start of `forward`, and later `self.inputs["image"]`: no Program depends on the value before the
call, so it is not part of the key. To find such attributes, the classes of the Layers report each read, but only while a
function is traced again that has assigned a list, dict or other object.
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Iterable, Iterator
from typing import Any

from to_static.compiler.frontend.tracing.name_usage import is_plain
from to_static.compiler.ir.tensor import Tensor
from to_static.core.diagnostics.source_location import caller_file, is_internal
from to_static.nn.layer import Layer

Key = tuple[int, str]  # the id of a Layer, and the name of an attribute
_EVERY = frozenset(("__dict__", "__getstate__"))  # code that reads these reads all attributes: `vars`, copies


class RewrittenAttributes:
    """The attributes that every trace assigns before it reads them, and the observations of the running trace.

    ``keys``: the ids of the Layers (while these are alive) with the names of the attributes.
    """

    def __init__(self) -> None:
        self.keys: frozenset[Key] = frozenset()
        self._layers: dict[Key, weakref.ref[Layer]] = {}  # the Layers of attributes that some trace has set
        self._depended_on: set[Key] = set()  # those of them that some trace reads first, or does not always set
        self._pending: set[Key] = set()  # the attributes that the running trace observes
        self._observed: dict[Key, bool] = {}  # of the running trace: whether its first access sets the attribute
        self._old_values: dict[Key, Any] = {}  # the values before those writes

    def names(self, layer: Layer) -> set[str]:
        """The names of the rewritten attributes of a Layer."""
        return {name for key, name in self.keys if key == id(layer)} if self.keys else set()

    @contextlib.contextmanager
    def observing(self) -> Iterator[None]:
        """Observe the reads of a trace that runs in this context."""
        self._clear()
        classes: dict[type, set[str]] = {}
        for key, reference in list(self._layers.items()):
            layer = reference()
            if layer is None:
                self._forget(key)
            elif key not in self._depended_on and (key in self.keys or _is_likely_new(_unreported_value(layer, key[1]))):
                cls = type(layer)
                if cls.__getattribute__ is object.__getattribute__:
                    classes.setdefault(cls, set()).add(key[1])
                    self._pending.add(key)
                else:
                    self._depended_on.add(key)
        with contextlib.ExitStack() as stack:
            for cls, attributes in classes.items():
                stack.enter_context(_reporting_reads(cls, _EVERY.union(attributes), self._note_read))
            yield

    def note_write(self, layer: Layer, name: str, always: bool) -> None:
        """Record that the trace is about to set an attribute; ``always``: every run of the Program sets it."""
        key = id(layer), name
        self._layers.setdefault(key, weakref.ref(layer))
        if key in self._pending and key not in self._observed:
            self._observed[key] = always
            self._old_values[key] = _unreported_value(layer, name)

    def _note_read(self, layer: object, name: str) -> None:
        """Record a read of an attribute, unless the trace has assigned it."""
        if name in _EVERY:
            if name == "__getstate__" or not is_internal(caller_file(2)):  # (a `__dict__` that this package reads does not count)
                for key in self._pending:
                    self._observed.setdefault(key, False)
            return
        key = id(layer), name
        if key not in self._pending:
            return
        is_unwritten = key not in self._observed or _unreported_value(layer, name) is self._old_values.get(key)
        if is_unwritten:  # (`self.n += 1` announces its write before it reads)
            self._observed[key] = False

    def update_keys(self, written: Iterable[Key]) -> bool:
        """Record a finished trace whose Program sets the attributes ``written``. Returns whether ``keys`` has changed."""
        old_keys = self.keys
        set_first = {key for key, is_set in self._observed.items() if is_set}
        self._depended_on.update(self._observed.keys() - set_first.intersection(written))
        self.keys = (self.keys | set_first) - self._depended_on
        self._clear()
        return self.keys != old_keys

    def _clear(self) -> None:
        self._observed.clear()
        self._old_values.clear()
        self._pending.clear()

    def _forget(self, key: Key) -> None:
        del self._layers[key]
        self._depended_on.discard(key)
        self.keys -= {key}


def _is_likely_new(value: object) -> bool:
    """True if a value is likely to be a new object in each call: a container or other object, not a tensor, number or string."""
    return not isinstance(value, Tensor) and (isinstance(value, (list, tuple)) or not is_plain(value))


def _unreported_value(layer: object, name: str) -> Any:
    """The value of an attribute, read without a report."""
    return object.__getattribute__(layer, "__dict__").get(name)


@contextlib.contextmanager
def _reporting_reads(cls: type, names: frozenset[str], note_read: Any) -> Iterator[None]:
    """Make a class report each read of some attributes."""
    look_up: Any = cls.__getattribute__

    def __getattribute__(self: object, name: str) -> Any:
        if name in names:
            note_read(self, name)
        return look_up(self, name)

    __getattribute__.is_observer = True  # type: ignore[attr-defined]
    cls.__getattribute__ = __getattribute__  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        del cls.__getattribute__


def is_plain_lookup(cls: type) -> bool:
    """True if a class has Python's own attribute lookup, also while `RewrittenAttributes.observing` reports its reads."""
    look_up: Any = cls.__getattribute__
    return look_up is object.__getattribute__ or getattr(look_up, "is_observer", False)
