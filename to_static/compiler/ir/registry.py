"""The tables of declarations: operators by name, operators by file type, and public functions by name.

Operator families are imported on first use, so that start-up is fast. Importing `to_static.compiler.ops` imports the families that
nearly every program needs. If a table lacks a name, it imports the module that declares the name, or else all families.

Several threads may look up names while one of them still runs a declaring module. Other threads see a declaration once its module
has been imported; a lookup before that blocks on Python's import lock. There is no other lock, so no deadlock.
"""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from to_static.core.errors import ProgramError

if TYPE_CHECKING:
    from to_static.compiler.ir.opdef import OpDef

_loader: Callable[[], None] | None = None  # imports the families that are not loaded yet
_homes: dict[str, list[str]] = {}  # modules that declare a name
_NOTHING = object()


class _Loading(threading.local):
    in_progress = False  # whether this thread is loading


_loading = _Loading()


def set_loader(loader: Callable[[], None], homes: Mapping[str, str]) -> None:
    """Say how all operators are loaded, and in which modules some names are (called once, by the ops package)."""
    global _loader
    _loader = loader
    for module, names in homes.items():
        for name in names.split():
            _homes.setdefault(name, []).append(module)


def load_home(name: str) -> None:
    """Import the modules that declare a name, if they are known."""
    for module in _homes.get(name, ()):
        importlib.import_module(module)


def load_all() -> None:
    """Import all operator families. If another thread does so, wait until it has finished."""
    global _loader
    loader = _loader
    if loader is None or _loading.in_progress:
        return
    _loading.in_progress = True
    try:
        loader()
    finally:
        _loading.in_progress = False
    _loader = None


def finished(module: str) -> bool:
    """Wait until no other thread is running a module for the first time; False when this thread itself is."""
    if not is_running(module):
        return True
    importlib.import_module(module)
    return not is_running(module)


def is_running(module: str) -> bool:
    """True if some thread is running a module for the first time."""
    return bool(getattr(getattr(sys.modules.get(module), "__spec__", None), "_initializing", False))


class OperatorTable(dict):  # type: ignore[type-arg]
    """A dict from names to declarations, which imports operator families before it reports a missing key or is iterated.

    The ``__module__`` of a value is the module that declares it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._declared: dict[str, Any] = {}  # by modules that were running then

    def __setitem__(self, key: str, value: Any) -> None:
        if is_running(value.__module__):
            self._declared[key] = value
            dict.pop(self, key, None)  # a later declaration takes the place of an earlier one
        else:
            dict.__setitem__(self, key, value)

    def _publish(self, key: str) -> Any:
        """The value of a key of which the module was running, once that is finished."""
        value = self._declared.get(key, _NOTHING)
        if value is not _NOTHING and finished(value.__module__):
            dict.__setitem__(self, key, value)
            self._declared.pop(key, None)
        return dict.get(self, key, value)  # another thread may have settled it

    def _find(self, key: str) -> Any:
        value = self._publish(key)
        if value is _NOTHING:
            load_home(key)
            value = self._publish(key)
        if value is _NOTHING:
            load_all()
            value = self._publish(key)
        return value

    def __missing__(self, key: str) -> Any:
        value = self._find(key)
        if value is _NOTHING:
            raise KeyError(key)
        return value

    def get(self, key: str, default: Any = None) -> Any:
        """The entry of ``key``, or ``default``."""
        value = dict.get(self, key, _NOTHING)
        if value is _NOTHING:
            value = self._find(key)
        return default if value is _NOTHING else value

    def __contains__(self, key: object) -> bool:
        return dict.__contains__(self, key) or (isinstance(key, str) and self._find(key) is not _NOTHING)

    def _all(self) -> None:
        load_all()
        for key in list(self._declared):
            self._publish(key)

    def __iter__(self) -> Any:
        self._all()
        return dict.__iter__(self)

    def __len__(self) -> int:
        self._all()
        return dict.__len__(self)

    def keys(self) -> Any:
        """All names."""
        self._all()
        return dict.keys(self)

    def values(self) -> Any:
        """All entries."""
        self._all()
        return dict.values(self)

    def items(self) -> Any:
        """All pairs of name and entry."""
        self._all()
        return dict.items(self)

    def declared(self, key: str) -> bool:
        """True if ``key`` is declared already; imports nothing."""
        return dict.__contains__(self, key) or key in self._declared

    def declared_by_finished_module(self, key: str) -> bool:
        """True if the entry of ``key`` is final: its module is imported, so no thread sees a half-made one."""
        return dict.__contains__(self, key)


REGISTRY: OperatorTable = OperatorTable()
FILE_TYPES: OperatorTable = OperatorTable()  # op type in Paddle files -> the operator that reads it
FUNCTIONS: OperatorTable = OperatorTable()  # public functions that `Tensor` needs by name


def get(name: str) -> OpDef:
    """The operator of that name; raises ProgramError when there is none."""
    opdef = REGISTRY.get(name)
    if opdef is None:
        raise ProgramError(f"unknown operator {name!r}")
    return opdef  # type: ignore[no-any-return]
