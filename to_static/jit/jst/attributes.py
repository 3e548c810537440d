"""Attributes that change under a tensor condition or in a tensor loop: they are joined and carried as variables are.

A block that sets an attribute sees its own value; when it is traced the old one comes back, and the branch or loop sets the joined
value afterwards. That holds for objects that live as long as the call. One that outlives it would keep a traced value:
`outliving` finds it at the end of the trace.
"""

from __future__ import annotations

import functools
import gc
import sys
import types
import weakref
from collections.abc import Callable
from typing import Any

from to_static.core.conditions import condition
from to_static.core.errors import TranslationError
from to_static.core.site import capture, report
from to_static.ir import mode
from to_static.jit.contents import in_slot, is_users, is_variable, member
from to_static.jit.jst.lacking import can_lack, watch
from to_static.jit.jst.names import users_name
from to_static.jit.jst.outer_variables import OuterVariables
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


def name_of(owner: Any, name: str) -> str:
    """What an attribute is called where the name of a variable stands."""
    return users_name(name) if type(owner) is Cells else words_of(owner, name)


def words_of(owner: Any, name: str) -> str:
    """What an attribute is called in messages."""
    if type(owner) is OuterVariables:
        return f"the {owner.what} variable {name!r}"
    if isinstance(owner, type):
        return f"attribute {name!r} of class {owner.__name__}"
    return f"variable {name!r}" if type(owner) is Cells else f"attribute {name!r} of a {type(owner).__name__}"


def read(owner: Any, name: str) -> Any:
    """What an attribute of an object's own, or a buffer of a Layer, is now; `MISSING` where it has none."""
    return _space(owner, name).get(name, MISSING)


def write(owner: Any, name: str, value: Any) -> None:
    """Set (or, for `MISSING`, remove) it without anybody noticing."""
    space = _space(owner, name)
    if value is MISSING or (type(value) is Unbound and type(owner) is not Cells):
        space.pop(name, None)
        return
    if type(value) is Maybe and type(owner) is not Cells:
        watch(type(owner))
    space[name] = value


def as_variable(owner: Any, name: str) -> Any:
    """What an attribute is now, as a variable: one without value where the object has none."""
    found = read(owner, name)
    return Unbound(name) if found is MISSING else found


def _space(owner: Any, name: str) -> Any:
    if type(owner) is OuterVariables:
        return owner.space
    if isinstance(owner, type):
        return _Class(owner)
    if _slot(owner, name) is not None:
        return _Slot(owner, name)
    return owner._buffers if isinstance(owner, Layer) and name in owner._buffers else vars(owner)


def _slot(owner: Any, name: str) -> Any:
    """What keeps an attribute that the ``__slots__`` of a class name; None for others."""
    found = member(type(owner), name)
    return found if isinstance(found, types.MemberDescriptorType) else None


class _Slot:
    """One attribute of an object with ``__slots__``, like the dict that others have."""

    def __init__(self, owner: Any, name: str) -> None:
        self.owner = owner
        self.slot = _slot(owner, name)

    def get(self, name: str, default: Any) -> Any:
        """What it holds."""
        return in_slot(self.slot, self.owner, default)

    def pop(self, name: str, default: Any) -> None:
        """Take it out."""
        if self.get(name, default) is not default:
            self.slot.__delete__(self.owner)

    def __setitem__(self, name: str, value: Any) -> None:
        self.slot.__set__(self.owner, value)


class _Class:
    """The attributes of a class, like the dict that objects have."""

    def __init__(self, owner: type) -> None:
        self.owner = owner

    def get(self, name: str, default: Any) -> Any:
        """What it holds."""
        return vars(self.owner).get(name, default)

    def pop(self, name: str, default: Any) -> None:
        """Take it out."""
        if name in vars(self.owner):
            delattr(self.owner, name)

    def __setitem__(self, name: str, value: Any) -> None:
        setattr(self.owner, name, value)


class _Alive:
    """In place of a weak reference to an object that can't have one."""

    def __init__(self, owner: Any) -> None:
        self.owner = owner

    def __call__(self) -> Any:
        return self.owner if sys.getrefcount(self.owner) > 2 else None  # its own name for it, and the argument of this call


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
        self._orders: dict[int, tuple[Any, list[str]]] = {}  # namespaces by their ids, and the order of their names

    def note(self, owner: Any, name: str) -> None:
        """Called before ``owner.name`` is set."""
        self.before.setdefault((id(owner), name), (owner, name, read(owner, name)))
        space = _space(owner, name)
        if isinstance(space, dict) and type(owner) is not OuterVariables:
            self._orders.setdefault(id(space), (space, list(space)))
        note_outliving(owner, name)

    def leave(self) -> None:
        """The block ends: keep its values, and give the objects back what they had."""
        for key, (owner, name, before) in self.before.items():
            self.after[key] = read(owner, name)
            write(owner, name, before)
        for space, names in self._orders.values():
            if list(space) != names and set(space) == set(names):  # one was deleted
                held = {name: space[name] for name in names}
                space.clear()
                space.update(held)


def note_outliving(owner: Any, name: str) -> None:
    """Called before ``owner.name`` is set to what may be a value of the Program: see `outliving`."""
    touched = mode.state.mode.touched
    if not any(ref() is owner and known == name for ref, known, *_ in touched):
        known = next((ref for ref, *_ in touched if type(ref) is _Alive and ref.owner is owner), None)
        reference = weakref.ref(owner) if type(owner).__weakrefoffset__ else known or _Alive(owner)
        touched.append((reference, name, read(owner, name), capture(2)))


def can_change(owner: Any, name: str, past: bool = False) -> bool:
    """True for plain attributes of plain objects and Layers. ``past``: what sets it goes past the descriptors of the class."""
    kind = type(owner)
    if kind is OuterVariables:
        return True
    if isinstance(owner, Layer):
        owned = name in owner._parameters or name in owner._buffers or name in owner._sub_layers
        return not owned and _sets_plainly(kind, Layer) and (past or not hasattr(member(kind, name), "__set__"))
    if kind is types.SimpleNamespace:
        return True
    if isinstance(owner, type):
        return is_users(owner) and is_variable(owner, name)
    if not _sets_plainly(kind, object):
        return False
    if _slot(owner, name) is not None:
        return is_users(kind)
    plain = past or not hasattr(member(kind, name), "__set__")
    return kind.__weakrefoffset__ != 0 and hasattr(owner, "__dict__") and plain


def _sets_plainly(kind: type, base: type) -> bool:
    """Whether what sets attributes is that of ``base``, or the user's, which is translated and leads there."""
    return kind.__setattr__ is base.__setattr__ or hasattr(kind.__setattr__, "__leads_to__")


def sets_by_itself(owner: Any, name: str = "") -> bool:
    """Whether this is a property or another descriptor (or, without a name, an item) with a translated setter, which tells what it
    sets; or the class has a translated ``__setattr__``."""
    if not name:
        return hasattr(getattr(type(owner), "__setitem__", None), "__leads_to__")
    return hasattr(type(owner).__setattr__, "__leads_to__") or has_setter(owner, name)


def has_setter(owner: Any, name: str) -> bool:
    """The same of the attribute alone."""
    found = member(type(owner), name)
    if hasattr(getattr(type(found), "__set__", None), "__leads_to__"):
        return True
    return isinstance(found, property) and (found.fset is None or hasattr(found.fset, "__leads_to__"))


def changed_attributes(blocks: tuple[Any, Any], ends: tuple[Any, Any]) -> list[tuple[Any, str, Any, Any]]:
    """For each attribute that a branch sets: owner, name and its values after the branches, which end in the results ``ends``."""
    from to_static.jit.jst.blocks import Raised

    made = []
    for key, (owner, name, before) in {**blocks[0].before, **blocks[1].before}.items():
        a, b = (
            end if type(end) is Raised else block.after.get(key, before) for block, end in zip(blocks, ends, strict=True)
        )
        if a is MISSING or b is MISSING:
            if not can_lack(owner, name):
                raise failure(
                    TranslationError,
                    f"{words_of(owner, name)} gets a value in one branch of a tensor condition{_test()} and has none otherwise",
                    before_it(owner, name, "condition"),
                )
            a, b = (Unbound(name) if x is MISSING else x for x in (a, b))
        made.append((owner, name, a, b))
    return made


def joined_attributes(merge: Any, changed: list[tuple[Any, str, Any, Any]]) -> list[tuple[Any, str, Any]]:
    """For each attribute that a branch sets: owner, name and the joined tree."""
    return [(owner, name, merge.merge(a, b, name_of(owner, name))) for owner, name, a, b in changed]


def before_it(owner: Any, name: str, construct: str) -> str:
    """The rewrite for an attribute that has to have a value before a condition or loop."""
    if type(owner) is OuterVariables:
        return f"give it one before the {construct}: `{name} = paddle.zeros([1])`"
    if isinstance(member(type(owner), name), functools.cached_property):
        return f"ask for it before the {construct}: `obj.{name}`"
    holder = owner.__name__ if isinstance(owner, type) else "obj"
    return f"give it one before the {construct}: `{holder}.{name} = paddle.zeros([1])`"


def _test() -> str:
    text = condition()
    return f" `{text}`" if text else ""


def outliving(builder: Any, leaves: Callable[[Any, Any], bool]) -> None:
    """Refuse the trace when an object that nothing leads to from outside holds values of the Program: it outlives the call.

    ``leaves(owner, value)`` tells whether an object that lives on would keep such a value.
    """
    left, known = [entry for entry in builder.touched if _left(entry[0](), entry[1], leaves)], -1
    while left and len(builder.touched) != known:
        known = len(builder.touched)
        gc.collect()  # errors that were caught while tracing may hold frames, and these the function's own objects
        builder.touched[:] = [entry for entry in builder.touched if entry[0]() is not None]  # they hold what attributes were before
        left = [entry for entry in left if entry[0]() is not None]
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
    return "a function that sees it" if type(owner) in (Cells, OuterVariables) else "the object"


def _left(owner: Any, name: str, leaves: Callable[[Any, Any], bool]) -> bool:
    return owner is not None and leaves(owner, read(owner, name))
