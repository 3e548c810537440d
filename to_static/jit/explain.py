"""Why a call made a new Program, and what a Program has built in: the text of `StaticFunction.explain`."""

from __future__ import annotations

import types
from typing import Any

from to_static.ir.spec import TensorSpec
from to_static.jit import watch

# what Python does once, while tracing
_DRAWS = ("random", "numpy.random", "numpy.random.mtrand", "time", "datetime", "uuid", "secrets", "os")
_ASKED = {"environ", "getenv", "getcwd", "listdir", "urandom", "stat"}  # of `os`: what may be another thing in another call


def closest(key: Any, known: list[Any]) -> Any:
    """The known key with the fewest differences to ``key``; None when there is none."""
    return min(known, key=lambda k: len(differences(key, k, [], {})), default=None)


def differences(key: Any, other: Any, paths: list[str], labels: dict[Any, str]) -> list[str]:
    """What tells two keys of a cache apart, a line each; ``paths`` names the arguments, ``labels`` places outside of them."""
    found = []
    recipe, leaves, alias, flags, environment = key
    if recipe != other[0] or len(leaves) != len(other[1]):
        found.append("the arguments have another structure (number, nesting or types of containers)")
    else:
        for i, (mine, theirs) in enumerate(zip(leaves, other[1], strict=True)):
            if mine != theirs:
                name = paths[i] if i < len(paths) else f"argument {i}"
                found.append(f"{name}: {_leaf(mine)} here, {_leaf(theirs)} there")
    if alias != other[2]:
        found.append("the same tensor is passed for several arguments in only one of the calls")
    here, there = dict(flags[0]), dict(other[3][0])
    for place in here:
        if place in there and here[place] != there[place]:
            found.append(f"{labels.get(place, 'what the code reads')}: {_value(here[place])} here, {_value(there[place])} there")
    if flags[1:] != other[3][1:]:
        found.append("train or eval mode, a parameter, or an attribute that forward reads was changed on a Layer")
    elif here.keys() != there.keys():
        found.append("another object is read that holds other things, or an attribute was added or deleted")
    if environment != other[4]:
        found.append("another device or default dtype is set")
    return found


def _value(key: Any) -> str:
    """What was found in a place outside of the arguments."""
    plain = isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], type) and isinstance(key[1], str)
    return key[1] if plain else "other contents" if isinstance(key, tuple) else "another object"


def _leaf(key: Any) -> str:
    if isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], TensorSpec):
        return f"{key[0]}{'' if key[1] else ' with gradient'}"
    if isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], type):
        return f"{key[0].__name__} {key[1]}"
    return repr(key)


def advice(lines: list[str]) -> str:
    """What to do about differences in shapes or Python values."""
    if any("[" in line and ": " in line for line in lines):
        return "a dimension that varies can be None in an input_spec: to_static(input_spec=[InputSpec([None, ...])])"
    if any(": int " in line or ": float " in line for line in lines):
        return "a Python number that varies can be passed as a tensor, so that it is an input of the Program"
    return ""


def _drawn(value: Any, names: set[str]) -> str:
    """What Python does only while tracing with this module or function; '' for others."""
    if isinstance(value, types.ModuleType):
        if value.__name__ in _DRAWS and (value.__name__ != "os" or names & _ASKED):
            return "calls of this module happen"
        return "calls of its `random` happen" if value.__name__ == "numpy" and "random" in names else ""
    owner = type(getattr(value, "__self__", None)).__module__
    drawn = callable(value) and (getattr(value, "__module__", None) in _DRAWS or owner in _DRAWS)
    return "calls of it happen" if drawn and not isinstance(value, type) else ""


def built_in(function: Any) -> list[str]:
    """Python values from outside that the function reads while it is traced, and calls that Python makes only then."""
    code = function.__code__
    names: set[str] = set()
    watch.collect_names(code, names)
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    found = []
    for name in sorted(names | set(cells)):
        if name in cells:
            try:
                value = cells[name].cell_contents
            except ValueError:
                continue
        elif name in function.__globals__:
            value = function.__globals__[name]
        else:
            continue
        if watch.is_plain(value) and value is not None:
            found.append(f"{name} = {value!r} (another value makes another Program)")
            continue
        drawn = _drawn(value, names)
        if drawn:
            found.append(f"{name}: {drawn} once, while tracing; use paddle.rand() and the like, or pass the value as an argument")
    return found
