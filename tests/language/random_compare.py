"""Running a random program dynamically and statically, comparing all that a caller can see, and shrinking what differs."""

from __future__ import annotations

import contextlib
import io
import re
import warnings

import numpy as np
from language_table import by_default, fresh, outcome, picture
from random_language import CALLS, compiled

import to_static as paddle

OURS = ("assertion", "bad", "big")  # words of the programs' own errors; those of operators and of Python may differ


class Different(AssertionError):
    """The static call gave something else."""


WAYS = ("values", "gradients")


def kind_of(text, ways=WAYS):
    """'static', or 'breaks' if Python ran some of the calls in these ways ("first": only the first); raises `Different`.

    With it comes the list of the warnings that say so.
    """
    (function, world), (original, original_world) = compiled(text), compiled(text)
    static, told = paddle.jit.to_static(original), []
    with by_default():
        for call_index, call in enumerate(CALLS if "values" in ways else CALLS[:1] if "first" in ways else ()):
            wanted, got = outcome(function, call), outcome(static, call, told=told)
            if wanted[0] == "error":
                wanted, got = _error(wanted), _error(got)
            _compare(f"call {call_index}", (wanted, _state(world)), (got, _state(original_world)), text)
        for call_index, call in enumerate(CALLS[:2] if "gradients" in ways else ()):
            wanted, got = _gradients(function, call, []), _gradients(static, call, told)
            _compare(f"gradients of call {call_index}", (wanted, _state(world)), (got, _state(original_world)), text)
    breaks = [str(w.message) for w in told if "in Python, a graph break" in str(w.message) or "and Python gave" in str(w.message)]
    return "breaks" if static.graph_breaks or breaks else "static", breaks


def _compare(what, wanted, got, text):
    if not alike(wanted, got):
        raise Different(f"{what}\n dynamic: {wanted}\n static:  {got}\n{text}")


def alike(a, b):
    """Equal, with a little room for the numbers of tensors."""
    if isinstance(a, float) and isinstance(b, float):
        return bool(np.isclose(a, b, 1e-4, 1e-4, equal_nan=True))
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, str) and isinstance(b, str) and a != b:  # printed floats may differ in their last digit
        number_pattern = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?|nan|inf")
        return number_pattern.sub("#", a) == number_pattern.sub("#", b) and alike(
            list(map(float, number_pattern.findall(a))), list(map(float, number_pattern.findall(b)))
        )
    return a == b


def _error(found):
    return (found[0], found[1], found[2] if str(found[2]).startswith(OURS) else "", *found[3:])


def _state(world):
    net, memory, account = world
    held = picture([memory.mean, memory.steps, memory.seen, memory.cfg, account.total])
    return [float(net.last), net.count, net.scale, held]


def _floats(value):
    if isinstance(value, paddle.Tensor):
        return [value] if value.dtype.is_floating and not value.stop_gradient else []
    items = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else []
    return [x for item in items for x in _floats(item)]


def _gradients(function, call, told):
    call = fresh(call)
    for tensor in call[:3]:
        tensor.stop_gradient = False
    inputs = [tensor * 1.0 for tensor in call[:3]]  # which may be changed in place
    with contextlib.redirect_stdout(io.StringIO()) as printed, warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            result = function(*inputs, *call[3:])
        except Exception:
            return "error"
        finally:
            told += warned
    seen, found = (picture(result), picture(inputs), printed.getvalue()), _floats(result)
    if found:
        total = sum((x.sum() for x in found), paddle.to_tensor(0.0))
        total.backward()
    return *seen, [np.zeros(t.shape).tolist() if t.grad is None else t.grad.numpy().astype("float64").tolist() for t in call[:3]]


def shrunk(text, fails):
    """A shorter program for which ``fails`` still holds: lines and blocks are left out, or blocks take their header's place."""
    again = True
    while again:
        again = False
        lines = text.splitlines()
        for i in range(1, len(lines)):
            depth = _depth(lines[i])
            end = next((j for j in range(i + 1, len(lines)) if lines[j].strip() and _depth(lines[j]) <= depth), len(lines))
            inner = [line[4:] for line in lines[i + 1 : end]]
            for made in ([*lines[:i], *lines[end:]], [*lines[:i], *inner, *lines[end:]]):
                candidate = "\n".join(made) + "\n"
                if len(made) < len(lines) and fails(candidate):
                    text, again = candidate, True
                    break
            if again:
                break
    return text


def _depth(line):
    return len(line) - len(line.lstrip())
