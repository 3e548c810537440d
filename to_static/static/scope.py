"""Looking up the values of parameters by name, as code written for Paddle's scopes does."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np

from to_static.core.backend import backend_of
from to_static.core.caching.weak_tables import WeakKeys
from to_static.static.program import store


class Scope:
    """Names of the persistent values of the Programs that ran in it.

    The values themselves belong to layers and loaded Programs, so two Programs never mix up theirs and a scope only finds
    them: ``find_var(name)`` is None for an unknown name.

    Args:
        parent: a scope whose names this one finds, too (default None; `new_scope` gives itself).

    Example:
        >>> static.Scope().find_var("no_such_name") is None
        True
    """

    def __init__(self, parent: Scope | None = None) -> None:
        self._parent = parent
        self._vars: dict[str, Any] = {}
        self._holders: WeakKeys[Any, bool] = WeakKeys()  # whose names are here
        self._variables: dict[str, ScopeVar] = {}  # by `var`

    def add(self, program: Any, runner: Any) -> None:
        """Make the parameters and buffers of the `ir.program.Program` that ``runner`` runs known."""
        if runner in self._holders:
            return
        self._holders[runner] = True
        self.name(program)

    def name(self, program: Any) -> None:
        """Make the parameters and buffers that an `ir.program.Program` has by now known."""
        for var in program.params:
            if var.name is not None:
                self._vars[var.name] = _reference(var.holder)

    def find_var(self, name: str) -> ScopeVar | None:
        """The value of that name, here or in the scope that this one is in; None if there is none."""
        variable = self._local_var(name)
        return self._parent.find_var(name) if variable is None and self._parent is not None else variable

    def _local_var(self, name: str) -> ScopeVar | None:
        reference = self._vars.get(name)
        holder = reference() if reference is not None else None
        return self._variables.get(name) if holder is None else ScopeVar(name, holder)

    def var(self, name: str) -> ScopeVar:
        """The value of that name in this scope; a new one, empty at first, when there is none."""
        return self._local_var(name) or self._variables.setdefault(name, ScopeVar(name, Loose()))

    def new_scope(self) -> Scope:
        """A scope that finds the names of this one, too. What is added to it is not in this one.

        Example:
            >>> scope = static.Scope()
            >>> _ = scope.var("mean")
            >>> inner = scope.new_scope()
            >>> inner.find_var("mean") is None, inner.size()
            (False, 0)
        """
        return Scope(self)

    def drop_kids(self) -> None:
        """Keep all: a scope of `new_scope` exists as long as somebody refers to it."""

    def size(self) -> int:
        """The number of names in this scope itself."""
        return len(self.local_var_names())

    def put(self, name: str, value: np.ndarray) -> None:
        """Give a name a value, of whatever shape and dtype: where a Program's has others, the name is that one's no more."""
        variable = self._local_var(name)
        if variable is not None and not isinstance(variable.holder, Loose):
            old = variable.holder._array
            if old.shape == value.shape and old.dtype == value.dtype:
                variable.set(value)
                return
            del self._vars[name]
        self.var(name).set(value)

    def local_var_names(self) -> list[str]:
        """All names of this scope itself."""
        return [name for name in {**self._vars, **self._variables} if self._local_var(name) is not None]


class ScopeVar:
    """A value found in a scope. ``np.array(v.get_tensor())`` is its numbers, ``v.set(array, place)`` changes them."""

    def __init__(self, name: str, holder: Any) -> None:
        self.name = name
        self.holder = holder

    def get_tensor(self) -> ScopeVar:
        """Itself: it converts to a NumPy array."""
        return self

    def set(self, value: Any, place: Any = None) -> None:
        """Change the numbers. Raises ShapeError when the shape differs."""
        if isinstance(self.holder, Loose):
            self.holder._array = np.array(value)
        else:
            store(self.holder, value, self.name)

    def shape(self) -> list[int]:
        """Its dimensions."""
        return list(self.holder._array.shape)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        array = self.holder._array
        return np.array(backend_of(array).to_numpy(array), dtype=dtype)


class Loose:
    """Holds a value that belongs to no Program."""

    def __init__(self) -> None:
        self._array = np.empty(0, "float32")


def _reference(holder: Any) -> Any:
    try:
        return weakref.ref(holder)
    except TypeError:
        return lambda: holder


_scopes = [Scope()]


def global_scope() -> Scope:
    """The scope that `Executor.run` makes names known in.

    Example:
        >>> static.global_scope().find_var("no_such_name") is None
        True
    """
    return _scopes[-1]


@contextlib.contextmanager
def scope_guard(scope: Scope) -> Iterator[None]:
    """Make ``scope`` the global one within a ``with`` block. Raises TypeError when it is none.

    Example:
        >>> with static.scope_guard(static.Scope()):
        ...     exe.run(static.default_startup_program())
        ...
    """
    if not isinstance(scope, Scope):
        raise TypeError(f"scope_guard takes a static.Scope, got {type(scope).__name__}")
    _scopes.append(scope)
    try:
        yield
    finally:
        _scopes.pop()
