"""Running a random program dynamically and statically, comparing all that a caller can see, and shrinking what differs."""

from __future__ import annotations

import contextlib
import io
import re
import warnings

import numpy as np
from language_table import fresh, outcome, picture
from random_language import CALLS, compiled

import to_static as paddle
from to_static.core.errors import ToStaticError, TracedValueError, TranslationError

OURS = ("assertion", "bad", "big")  # words of the programs' own errors; those of operators and of Python may differ


class Different(AssertionError):
    """The static call gave something else."""


WAYS = ("values", "gradients")


def kind_of(text, ways=WAYS):
    """('same', '') or ('refused', why) of the calls in these ways ("first": only the first); raises `Different`."""
    (function, world), (original, other) = compiled(text), compiled(text)
    static = paddle.jit.to_static(original)
    for number, call in enumerate(CALLS if "values" in ways else CALLS[:1] if "first" in ways else ()):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted, got = outcome(function, call), outcome(static, call)
            if got[:2] != wanted[:2] and got[0] == "error":
                why = _refusal(static, call)
                if why:
                    return "refused", why
            if wanted[0] == "error":
                wanted, got = _error(wanted), _error(got)
            wanted, got = (*wanted, _state(world)), (*got, _state(other))
            if not alike(wanted, got):
                raise Different(f"call {number}\n dynamic: {wanted}\n static:  {got}\n{text}")
    for number, call in enumerate(CALLS[:2] if "gradients" in ways else ()):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted, got = _gradients(function, call), _gradients(static, call)
        if got == "refused" != wanted:
            return got, "with gradients"
        wanted, got = (wanted, _state(world)), (got, _state(other))
        if not alike(wanted, got):
            raise Different(f"gradients of call {number}\n dynamic: {wanted}\n static:  {got}\n{text}")
    return "same", ""


def alike(a, b):
    """Equal, with a little room for the numbers of tensors."""
    if isinstance(a, float) and isinstance(b, float):
        return bool(np.isclose(a, b, 1e-4, 1e-4, equal_nan=True))
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, str) and isinstance(b, str) and a != b:  # printed floats may differ in their last digit
        numbers = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?|nan|inf")
        return numbers.sub("#", a) == numbers.sub("#", b) and alike(
            list(map(float, numbers.findall(a))), list(map(float, numbers.findall(b)))
        )
    return a == b


def _error(found):
    return (found[0], found[1], found[2] if str(found[2]).startswith(OURS) else "", *found[3:])


def _state(world):
    net, memory, account = world
    held = picture([memory.mean, memory.steps, memory.seen, memory.cfg, account.total])
    return [float(net.last), net.count, net.scale, held]


def _refusal(static, call):
    """The text of the refusal of this call; '' when it is none."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            static.get_concrete_program(*fresh(call))
    except ToStaticError as error:
        text = str(error)
        assert re.search(r'File "(<random language \d+>|.*random_\w+.py)", line \d+', text), f"no place: {text}"
        assert "\n  rewrite: " in text, f"no rewrite: {text}"
        return text
    except Exception:
        pass
    return ""


def _floats(value):
    if isinstance(value, paddle.Tensor):
        return [value] if value.dtype.is_floating and not value.stop_gradient else []
    items = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else []
    return [x for item in items for x in _floats(item)]


def _gradients(function, call):
    call = fresh(call)
    for tensor in call[:3]:
        tensor.stop_gradient = False
    inputs = [tensor * 1.0 for tensor in call[:3]]  # which may be changed in place
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            result = function(*inputs, *call[3:])
    except (TranslationError, TracedValueError):
        return "refused"
    except Exception:
        return "error"
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
