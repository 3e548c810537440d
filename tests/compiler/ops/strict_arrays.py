"""A stand-in for CuPy: arrays that live "somewhere else" and never turn into NumPy arrays by themselves.

What CuPy refuses is refused: NumPy arrays among the arguments, implicit conversion, NumPy arrays as indices or values. Results are
always arrays, also 0-D ones.
"""

from __future__ import annotations

import types

import numpy as np

from to_static.core.backend import Backend, Place
from to_static.core.random.backend_random import Unseeded


class StrictArray:
    """A NumPy array behind a wall."""

    __array_ufunc__ = None
    __hash__ = None

    def __init__(self, hidden):
        self.hidden = np.asarray(hidden)

    def __array__(self, *args, **kwargs):
        raise TypeError("implicit conversion to a NumPy array is not allowed")

    def __getattr__(self, name):
        if name.startswith("__"):  # no array protocols
            raise AttributeError(name)
        found = getattr(self.hidden, name)
        return Function(found) if callable(found) else shown(found)

    def __getitem__(self, key):
        return shown(self.hidden[opened(key)])

    def __setitem__(self, key, value):
        self.hidden[opened(key)] = opened(value)

    def __len__(self):
        return len(self.hidden)

    def __iter__(self):
        return (shown(x) for x in self.hidden)

    def __bool__(self):
        return bool(self.hidden)

    def __int__(self):
        return int(self.hidden)

    def __float__(self):
        return float(self.hidden)

    def __index__(self):
        raise TypeError("only integer scalars can be an index; CuPy arrays need int()")

    def __repr__(self):
        return f"strict({self.hidden!r})"


def _operator(name):
    def method(self, *operands):
        return shown(getattr(self.hidden, name)(*opened(operands)))

    return method


BINARY = "add sub mul truediv floordiv mod pow matmul and or xor".split()
COMPARISON = "lt le gt ge eq ne".split()
IN_PLACE = "iadd isub imul itruediv".split()
for _name in [*BINARY, *(f"r{n}" for n in BINARY), *COMPARISON, *IN_PLACE, "neg", "abs", "invert"]:
    setattr(StrictArray, f"__{_name}__", _operator(f"__{_name}__"))


def opened(value):
    """Arguments as NumPy takes them; refuses bare NumPy arrays, as CuPy does."""
    if isinstance(value, StrictArray):
        return value.hidden
    if isinstance(value, np.ndarray):
        raise TypeError("Unsupported type <class 'numpy.ndarray'>")
    if isinstance(value, (list, tuple)):
        return type(value)(opened(v) for v in value)
    if isinstance(value, dict):
        return {k: opened(v) for k, v in value.items()}
    return value


def shown(value):
    """Results as this array module gives them."""
    if isinstance(value, (np.ndarray, np.generic)):
        return StrictArray(value)
    if isinstance(value, (list, tuple)) and any(isinstance(v, (np.ndarray, np.generic)) for v in value):
        return [shown(v) for v in value] if isinstance(value, list) else tuple(shown(v) for v in value)
    return value


class Function:
    """A NumPy function behind the wall (with ``.at`` where it is a ufunc)."""

    def __init__(self, function):
        self.function = function

    def __call__(self, *args, out=None, **kw):
        if out is None:
            return shown(self.function(*opened(args), **opened(kw)))
        self.function(*opened(args), out=opened(out), **opened(kw))
        return out

    @property
    def at(self):
        return Function(self.function.at)


class StrictModule(types.ModuleType):
    """``xp``: NumPy's functions on strict arrays. Only `asarray` and `array` bring NumPy arrays in."""

    ndarray = StrictArray

    def __init__(self, hidden=np, name="strict"):
        super().__init__(name)
        self._hidden = hidden

    def __getattr__(self, name):
        found = getattr(self._hidden, name)
        if isinstance(found, types.ModuleType):
            return StrictModule(found, f"strict.{name}")
        return Function(found) if callable(found) and not isinstance(found, type) else found

    def asarray(self, value, dtype=None):
        return StrictArray(np.asarray(value.hidden if isinstance(value, StrictArray) else value, dtype))

    def array(self, value, dtype=None, copy=True):
        return StrictArray(np.array(value.hidden if isinstance(value, StrictArray) else value, dtype))


class StrictGenerator:
    """The random source of strict arrays."""

    def __init__(self, seed):
        self.hidden = np.random.Generator(np.random.PCG64(seed))

    def __getattr__(self, name):
        return Function(getattr(self.hidden, name))


class StrictBackend(Backend):
    """The backend of strict arrays, to be registered as ``strict:0``."""

    name = "strict"
    array_type = StrictArray
    draws = None  # as CuPy's source, it does not tell where it is

    def __init__(self):
        super().__init__(StrictModule(), Place("strict", 0))

    def asarray(self, value, dtype=None):
        return self.xp.asarray(value, dtype)

    def stored(self, value, dtype=None):
        return self.xp.array(value, dtype)

    def to_numpy(self, array):
        return array.hidden

    def new_generator(self, seed, alone=False):
        return Unseeded(self.xp, StrictGenerator(seed))
