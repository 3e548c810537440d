"""Run a function dynamically and statically on the same arguments and compare everything a caller can see."""

from __future__ import annotations

import builtins
import copy
import dataclasses
import warnings

import numpy as np
import pytest

import to_static as paddle
from to_static.core import flags
from to_static.core.errors import ToStaticError


def T(value, dtype=None):
    return paddle.to_tensor(value, dtype=dtype)


def picture_of(value):
    """A comparable picture of a result: tensors as (dtype, shape, numbers), Python values with their types."""
    if isinstance(value, paddle.Tensor):
        return value.dtype.name, tuple(value.shape), np.asarray(value.numpy(), "float64").round(4).tolist()
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [picture_of(v) for v in value]
    if isinstance(value, dict):
        return {k: picture_of(v) for k, v in value.items()}
    return type(value).__name__, value


def copied(args):
    """The same arguments once more."""
    return [T(a.numpy()) if isinstance(a, paddle.Tensor) else copy.deepcopy(a) for a in args]


@dataclasses.dataclass
class Raised:
    """A call that raised: Python's class of the error, and its message."""

    kind: type
    message: str


def outcome(function, args):
    """What a call gives: its result and the arguments after it, or `Raised`."""
    args = copied(args)
    try:
        return picture_of(function(*args)), picture_of(args)
    except Exception as error:
        kind = next(k for k in type(error).__mro__ if getattr(builtins, k.__name__, None) is k)
        # what Python says of a variable without value differs between its versions
        return Raised(kind, "" if isinstance(error, NameError) else str(error).split("\n")[0])


def values(picture):
    """The picture without the difference between a Python number and a 0-D tensor."""
    kind, content, *items = picture if isinstance(picture, tuple) and len(picture) > 1 else (None, picture)
    if kind in ("int", "float", "bool"):
        return round(float(content), 4)
    if items:
        return float(items[0]) if content == () else items[0]
    return [values(p) for p in content] if kind in ("list", "tuple") else picture


def check(function, *calls, types=True, raises=()):
    """``calls`` are argument lists; all go through one static function, so that cached Programs are used again.

    With ``types=False`` a Python number and a 0-D tensor of the same value count as equal. ``raises``: the classes of the errors
    that some of the calls raise; each class has to come, and no other.
    """
    static, raised = paddle.jit.to_static(function), set()
    for args in calls:
        args = args if isinstance(args, tuple) else (args,)
        got, wanted = outcome(static, args), outcome(function, args)
        if isinstance(wanted, Raised):
            raised.add(wanted.kind)
        elif not types and not isinstance(got, Raised):
            got, wanted = values(got[0]), values(wanted[0])
        assert got == wanted, f"called with {args}\n  static: {got}\n  dynamic: {wanted}\n{static.code}"
    expected = set(raises if isinstance(raises, tuple) else (raises,))
    assert raised == expected, f"the calls raise {raised or 'nothing'}, expected {expected or 'nothing'}"
    return static


def left_to_python(function, *calls, why, raises=()):
    """The same for a function that has no Program: with ``full_graph`` it is refused for this reason, else Python runs it."""
    with pytest.raises(ToStaticError, match=why):
        args = calls[0] if isinstance(calls[0], tuple) else (calls[0],)
        paddle.jit.to_static(function, full_graph=True)(*copied(args))
    flags.full_graph.value = False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return check(function, *calls, raises=raises)
    finally:
        flags.full_graph.value = True


def op_names(static):
    """Names of the ops in the newest Program, those in blocks included."""
    return [op.name for op in static.main_program.block.walk()]
