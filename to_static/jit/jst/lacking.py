"""Attributes that an object has or not, which tensors decide: a branch or loop gave them their first value, or deleted them.

The object's namespace holds a `Maybe`. While the trace goes on, its class looks into what is read: the Program raises Python's
AttributeError where the object has no such attribute, and what a class has for all of its objects stands in its place.
"""

from __future__ import annotations

import inspect
import sys
import threading
import types
from typing import Any

from to_static.core.errors import TracedValueError
from to_static.core.expressions import quoted
from to_static.core.instructions import instruction
from to_static.core.site import is_internal
from to_static.ir import mode
from to_static.ir.number import number
from to_static.jit.jst.catching import check
from to_static.jit.jst.chosen import CALLING
from to_static.jit.jst.outer_variables import OuterVariables
from to_static.jit.jst.traced import failure
from to_static.jit.jst.unbound import Maybe

_HOOKS = ("__getattribute__", "__delattr__")
_LOADS = frozenset(["LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR"])
_NONE = object()
_lock = threading.Lock()
_users: dict[type, list[Any]] = {}  # class -> how many traces use its hooks, and what it has of its own


def can_lack(owner: Any, name: str) -> bool:
    """Whether the class of an object can be made to look into what is read of it."""
    kind: Any = type(owner)
    if kind is OuterVariables:
        return False
    read = kind.__getattribute__
    plain = getattr(read, "plainly", read) is object.__getattribute__
    own = inspect.getattr_static(kind, name, _NONE)
    computed = hasattr(own, "__get__") and not isinstance(own, (types.FunctionType, types.MemberDescriptorType))
    return bool(plain and not computed and kind.__flags__ & (1 << 9) and not _answers(kind))


def _answers(kind: type) -> bool:
    """Whether a method of the user's is asked for what an object has not; that of Layers only looks into their tables."""
    found = getattr(kind, "__getattr__", None)
    return found is not None and not is_internal(getattr(found, "__leads_to__", found).__code__.co_filename)


def watch(kind: Any) -> None:
    """Let a class look into what is read of its objects, until the trace ends."""
    if kind in mode.state.mode.watched:
        return
    mode.state.mode.watched.append(kind)
    with _lock:
        if kind in _users:
            _users[kind][0] += 1
            return
        _users[kind] = [1, {name: vars(kind)[name] for name in _HOOKS if name in vars(kind)}]
        kind.__getattribute__, kind.__delattr__ = _reading(kind.__getattribute__), _deleting(kind.__delattr__)


def unwatch(kinds: list[Any]) -> None:
    """The trace is over."""
    with _lock:
        for kind in kinds:
            _users[kind][0] -= 1
            if not _users[kind][0]:
                own = _users.pop(kind)[1]
                for name in _HOOKS:
                    if name in own:
                        setattr(kind, name, own[name])
                    else:
                        delattr(kind, name)


def _reading(read: Any) -> Any:
    read = getattr(read, "plainly", read)  # of a base class that looks, too

    def run(owner: Any, name: str) -> Any:
        value, frame = read(owner, name), sys._getframe(1)
        if type(value) is Maybe:
            if not _is_ours(frame) and not _loads(frame):
                raise as_whole(owner, value.name)
            return settled(owner, value)
        if name == "__dict__" and not _is_ours(frame):
            for found in [x for x in value.values() if type(x) is Maybe]:
                raise as_whole(owner, found.name)
        return value

    run.plainly = read  # type: ignore[attr-defined]
    return run


def _deleting(delete: Any) -> Any:
    delete = getattr(delete, "plainly", delete)

    def run(owner: Any, name: str) -> None:
        from to_static.jit.jst.attributes import read

        found = read(owner, name)
        if type(found) is Maybe:
            text = name if sys.version_info < (3, 11) else _text(owner, name)
            check(found.defined, AttributeError(text))
        delete(owner, name)

    run.plainly = delete  # type: ignore[attr-defined]
    return run


def _is_ours(frame: types.FrameType) -> bool:
    """Whether our own code reads an attribute: not where it calls a function of Python's that does."""
    return is_internal(frame.f_code.co_filename) and frame.f_code not in CALLING


def _loads(frame: types.FrameType) -> bool:
    """Whether a function is at ``owner.name``, and not at a call of Python's own `hasattr`, say."""
    return instruction(frame.f_code, frame.f_lasti)[0] in _LOADS


def as_whole(owner: Any, name: str) -> Exception:
    """The refusal of what wants to know now whether an object has an attribute."""
    kind = type(owner).__name__
    return failure(
        TracedValueError,
        f"Python's own code asks which attributes an object of {kind} has{quoted()}, and tensors decide whether it has {name!r}",
        f"give it a value before the condition or loop, `obj.{name} = None`",
    )


def _text(owner: Any, name: str) -> str:
    return f"{type(owner).__name__!r} object has no attribute {name!r}"


def settled(owner: Any, found: Maybe) -> Any:
    """The value of an attribute of ``owner`` that it may have."""
    from to_static.jit.jst.branch import if_

    other = inspect.getattr_static(type(owner), found.name, _NONE)
    if other is not _NONE and not isinstance(other, types.MemberDescriptorType):
        other = other.__get__(owner) if hasattr(other, "__get__") else other
        return if_(found.defined, lambda: found.value, lambda: other)
    check(found.defined, AttributeError(_text(owner, found.name)))
    return found.value


def lacks(owner: Any, name: str) -> Maybe | None:
    """What an attribute is that tensors decide about; None for others."""
    from to_static.jit.jst.attributes import read

    if not (mode.building() and type(owner) in mode.state.mode.watched and type(name) is str):
        return None
    found = read(owner, name)
    return found if type(found) is Maybe else None


def has(owner: Any, found: Maybe) -> Any:
    """``hasattr`` of such an attribute."""
    other = inspect.getattr_static(type(owner), found.name, _NONE)
    return number(found.defined) if other is _NONE or isinstance(other, types.MemberDescriptorType) else True
