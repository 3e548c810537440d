"""Unpickling with consent: pickle makes objects of the classes that the caller of `paddle.load` names, and of no others."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import IO, Any

import numpy as np

from to_static.compiler.formats.paddle.pickles.unpickling import NAMES, OBJECTS, PYTHON_2, NamedArray, unpickle_opened
from to_static.compiler.formats.paddle.weights.params_reader import widen_bfloat16
from to_static.core.errors import FormatError
from to_static.core.tree import graph_leaves, map_graph


@dataclass(frozen=True)
class Consent:
    """Classes by the names that files have for them, and what becomes of a tensor within their objects."""

    classes: Mapping[str, type]
    tensor: Callable[[NamedArray], Any]


def by_name(classes: Iterable[type] | Mapping[str, type]) -> dict[str, type]:
    """The classes by ``module.name``, or by the names that a mapping gives them. Raises TypeError for what is no class."""
    expected = "load: allow takes classes, such as [Settings], or a dict of them by their names in the file; got"
    if isinstance(classes, type) or not isinstance(classes, Iterable):
        raise TypeError(f"{expected} {classes!r:.80}")
    if isinstance(classes, Mapping):
        named = dict(classes)
    else:
        named = {f"{each.__module__}.{each.__qualname__}": each for each in classes if isinstance(each, type)}
    for each in classes.values() if isinstance(classes, Mapping) else classes:
        if not isinstance(each, type):
            raise TypeError(f"{expected} {each!r:.80}")
    return named


def read_with(file: IO[bytes], path: object, consent: Consent) -> Any:
    """The object of the pickle at which ``file`` is, which may have objects of the classes of ``consent``.

    First it is read as one without: so all sizes and all names are looked at before any class is called. Only then, and only where
    there are such objects, pickle reads it, and finds these classes and no other name of the file.
    Raises FormatError, also for whatever the classes raise.
    """
    begin = file.tell()
    value = unpickle_opened(file, path, allowed=frozenset(consent.classes))
    if value is not OBJECTS:
        return value
    end = file.tell()
    file.seek(begin)
    try:
        value = _Unpickler(file, consent).load()
    except Exception as error:
        classes = f"objects of {', '.join(consent.classes)}"
        raise FormatError(path, classes, f"what these do not take ({type(error).__name__}: {error})") from error
    file.seek(end)
    if any(_widened(leaf) is not leaf for leaf in graph_leaves(value)):
        return map_graph(value, _widened)
    return value  # whose objects may have its very containers


def _widened(value: object) -> Any:
    """A leaf, with float32 for Paddle's bfloat16."""
    if isinstance(value, np.ndarray) and value.dtype == np.uint16:
        return widen_bfloat16(value)
    return value


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: IO[bytes], consent: Consent) -> None:
        super().__init__(file)
        self.consent = consent

    def find_class(self, module: str, name: str) -> Any:
        """The object that a name stands for."""
        full = f"{PYTHON_2.get(module, module)}.{name}"
        if full in self.consent.classes:
            return self.consent.classes[full]
        if full == "builtins.tuple":
            return self.tuple
        if full == "builtins.getattr":  # how protocols 2 and 3 name a class in a class
            return self.member
        if full not in NAMES and full != "copyreg.__newobj_ex__":
            raise pickle.UnpicklingError(f"{full} is not among them")
        return super().find_class(module, name)

    def tuple(self, items: Any) -> Any:
        """A tuple. Files spell a tensor as a tuple of its name and its numbers."""
        named = tuple(items)
        if len(named) == 2 and isinstance(named[0], str) and isinstance(named[1], np.ndarray):
            return self.consent.tensor(NamedArray(named[0], _widened(named[1])))
        return named

    def member(self, outer: type, name: str) -> Any:
        """The class of that name in a class, if it is one of those."""
        names = {each: full for full, each in self.consent.classes.items()}
        return self.consent.classes[f"{names[outer]}.{name}"]
