"""Attributes that change under a tensor condition or in a tensor loop: they are joined and carried as variables are.

A block that sets an attribute sees its own value; when it is traced the old one comes back, and the branch or loop sets the joined
value afterwards. That holds for objects that live as long as the call. One that outlives it would keep a traced value:
`outliving` finds it at the end of the trace.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

from to_static.core.errors import TranslationError
from to_static.core.expressions import condition
from to_static.core.site import capture, report
from to_static.ir import mode
from to_static.jit.jst.traced import failure
from to_static.jit.jst.unbound import Maybe, Unbound, bound, unbound
from to_static.nn.layer import Layer

Key = tuple[int, str]
MISSING = object()


class Cells:
    """The variables of a function that its closures share. One that nobody assigned holds `Unbound`."""

    of_user = True  # it is looked into like the user's objects

    def __getattribute__(self, name: str) -> Any:
        value = object.__getattribute__(self, name)
        return bound(value) if type(value) in (Unbound, Maybe) else value

    def __held__(self) -> Any:
        return tuple(vars(self)), list(vars(self).values())


def cells(*names: str) -> Cells:
    """The shared variables ``names`` of a function that begins."""
    made = Cells()
    vars(made).update((name, unbound(name)) for name in names)
    return made


def words_of(owner: Any, name: str) -> str:
    """What an attribute is called in messages."""
    return f"variable {name!r}" if type(owner) is Cells else f"attribute {name!r} of a {type(owner).__name__}"


def read(owner: Any, name: str) -> Any:
    """What an attribute of an object's own, or a buffer of a Layer, is now; `MISSING` where it has none."""
    return _space(owner, name).get(name, MISSING)


def write(owner: Any, name: str, value: Any) -> None:
    """Set (or, for `MISSING`, remove) it without anybody noticing."""
    space = _space(owner, name)
    if value is MISSING:
        space.pop(name, None)
    else:
        space[name] = value


def _space(owner: Any, name: str) -> Any:
    return owner._buffers if isinstance(owner, Layer) and name in owner._buffers else vars(owner)


def buffer_set(layer: Layer, name: str) -> None:
    """Called before a buffer of ``layer`` becomes another tensor in a block."""
    from to_static.jit.jst.blocks import block_of

    copies = block_of(mode.state.mode.frame)
    if copies is not None:
        copies.attributes.note(layer, name)


class Attributes:
    """The attributes that one block sets: (owner, name, value before), and the values at its end."""

    def __init__(self) -> None:
        self.before: dict[Key, tuple[Any, str, Any]] = {}
        self.after: dict[Key, Any] = {}

    def note(self, owner: Any, name: str) -> None:
        """Called before ``owner.name`` is set."""
        self.before.setdefault((id(owner), name), (owner, name, read(owner, name)))
        note_outliving(owner, name)

    def leave(self) -> None:
        """The block ends: keep its values, and give the objects back what they had."""
        for key, (owner, name, before) in self.before.items():
            self.after[key] = read(owner, name)
            write(owner, name, before)


def note_outliving(owner: Any, name: str) -> None:
    """Called before ``owner.name`` is set to what may be a value of the Program: see `outliving`."""
    touched = mode.state.mode.touched
    if not any(ref() is owner and known == name for ref, known, *_ in touched):
        touched.append((weakref.ref(owner), name, read(owner, name), capture(2)))


def can_change(owner: Any, name: str) -> bool:
    """True for plain attributes of plain objects and Layers."""
    kind = type(owner)
    if isinstance(owner, Layer):
        owned = name in owner._parameters or name in owner._buffers or name in owner._sub_layers
        return not owned and kind.__setattr__ is Layer.__setattr__ and not hasattr(getattr(kind, name, None), "__set__")
    if isinstance(owner, type) or kind.__setattr__ is not object.__setattr__ or not hasattr(owner, "__dict__"):
        return False
    return not hasattr(getattr(kind, name, None), "__set__") and kind.__weakrefoffset__ != 0


def changed_attributes(blocks: tuple[Any, Any], ends: tuple[Any, Any]) -> list[tuple[Any, str, Any, Any]]:
    """For each attribute that a branch sets: owner, name and its values after the branches, which end in the results ``ends``."""
    from to_static.jit.jst.blocks import Raised

    made = []
    for key, (owner, name, before) in {**blocks[0].before, **blocks[1].before}.items():
        a, b = (
            end if type(end) is Raised else block.after.get(key, before) for block, end in zip(blocks, ends, strict=True)
        )
        if a is MISSING or b is MISSING:
            raise failure(
                TranslationError,
                f"{words_of(owner, name)} gets a value in one branch of a tensor condition{_test()} and has none otherwise",
                f"give it one before the condition: `obj.{name} = paddle.zeros([1])`",
            )
        made.append((owner, name, a, b))
    return made


def joined_attributes(merge: Any, changed: list[tuple[Any, str, Any, Any]]) -> list[tuple[Any, str, Any]]:
    """For each attribute that a branch sets: owner, name and the joined tree."""
    return [(owner, name, merge.merge(a, b, words_of(owner, name))) for owner, name, a, b in changed]


def _test() -> str:
    text = condition()
    return f" `{text}`" if text else ""


def outliving(builder: Any, leaves: Callable[[Any, Any], bool]) -> None:
    """Refuse the trace when an object that nothing leads to from outside holds values of the Program: it outlives the call.

    ``leaves(owner, value)`` tells whether an object that lives on would keep such a value.
    """
    left = [(ref, name, before, where) for ref, name, before, where in builder.touched if _left(ref(), name, leaves)]
    if left:
        gc.collect()  # errors that were caught while tracing may hold frames, and these the function's own objects
    for ref, name, before, where in left:
        owner = ref()
        if owner is None:
            continue
        write(owner, name, before)
        raise TranslationError(
            report(
                f"{words_of(owner, name)} changes under a tensor condition or in a tensor loop, and {_outlives(owner)} outlives "
                "the call: its value would be known only when the Program runs",
                where,
                f"return the value and assign it outside, `obj.{name} = f(x)`, or register a buffer of a Layer",
            )
        )


def _outlives(owner: Any) -> str:
    return "a function that sees it" if type(owner) is Cells else "the object"


def _left(owner: Any, name: str, leaves: Callable[[Any, Any], bool]) -> bool:
    return owner is not None and leaves(owner, read(owner, name))
