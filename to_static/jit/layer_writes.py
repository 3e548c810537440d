"""Attributes of Layers that a function sets while it is traced.

Python sets them in every call. Where the new value is a plain one (a counter, a mode), the trace has set it, and is not used for
another call. Where tensors of the Program are in it (``self.last = h``), these become further results of the Program, and every
call sets the attribute to what it computed; the layer itself never holds a traced value.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any, NamedTuple

from to_static.core import tree
from to_static.core.log import warn_once
from to_static.core.site import Site
from to_static.ir.tensor import Tensor
from to_static.ir.variable import Variable
from to_static.jit.handback import Recipes
from to_static.jit.homes import Assigned, Home
from to_static.jit.jst.choice import Choice
from to_static.jit.jst.text import Text
from to_static.jit.jst.unbound import Maybe
from to_static.jit.outside import FEW
from to_static.jit.watch import is_plain, plain
from to_static.nn.layer import Layer
from to_static.nn.layer_tree import MADE, held, put


class Effect(NamedTuple):
    """What the trace changed, for people, and where."""

    label: str
    site: Site | None


class Kept(NamedTuple):
    """An attribute that every call sets to what ``part`` makes (see `handback`)."""

    layer: Layer
    name: str
    part: Any
    may_stay: bool = False  # tensors decide whether it is there
    number: Any = None  # that it was before, which the Program has built in
    effect: Effect | None = None


class Writes:
    """What the traces of one static function set.

    ``kept``: (id of the Layer, name) of attributes that its Programs compute and do not read: whatever is there, they can run.
    """

    def __init__(self) -> None:
        self.kept: dict[tuple[int, str], Layer] = {}
        self._read: set[tuple[int, str]] = set()
        self._seen: set[Effect] = set()
        self._numbers: dict[Effect, set[Any]] = {}  # that traces found in attributes that every call sets

    def take(self, traced: Any, name: str) -> bool:
        """Whether the trace is of use for one call only; says so, once, of a change that is made again."""
        self.kept.update(((id(kept.layer), kept.name), kept.layer) for kept in traced.kept if not kept.may_stay)
        self.kept.update((home.key, home.layer) for home in traced.homes)
        captured = {id(var.holder) for var in traced.program.params}
        self._read.update(key for key, layer in self.kept.items() if id(held(layer, key[1])[1]) in captured)
        self.kept = {key: layer for key, layer in self.kept.items() if key not in self._read}
        for kept in traced.kept:
            if kept.number is not None:
                self._numbers.setdefault(kept.effect, set()).add(kept.number)
        for effect in [*self._seen.intersection(traced.effects), *(e for e, found in self._numbers.items() if len(found) > FEW)]:
            where = "" if effect.site is None else f", at {effect.site}"
            warn_once(
                f"layer:{effect}",
                f"{name} changes {effect.label} in every call{where}. Programs have its value built in, so every call traces a new "
                "one, which is slow: keep the value in a buffer (self.register_buffer(name, paddle.to_tensor(0)) in __init__), or "
                "change it outside of the static function",
            )
        self._seen.update(traced.effects)
        return bool(traced.effects)


def write_back(
    builder: Any, holders: Callable[[Any], int], chosen: Callable[[Any], list[Any]] | None
) -> tuple[dict[int, Any], list[tuple[Home, Any]]]:
    """Give the tensors of buffers the values of those that the function assigned in their places; call it at the end of a trace.

    Returns what they were before, by their ids: somebody may still hold them for that. A tensor with several ``holders`` stays as
    it is for the others: the buffer gets one of its own. And the buffers that get new tensors, with these.

    In a call (``chosen`` tells which tensors from outside one may be), a buffer that may get a tensor which has another name, or
    whose own tensor changes too, gets that very tensor: see `settle`.
    """
    found: list[Any] = []
    homes = []
    for ref, name, before, _ in builder.layer_writes.values():
        layer = ref()
        if layer is None or name == MADE or before[0] != "_buffers" or not isinstance(before[1], Tensor):
            continue
        now = held(layer, name)
        another = now[0] == "_buffers" and isinstance(now[1], Tensor) and now[1] is not before[1]
        if another and not isinstance(now[1], Choice) and layer.is_state(name, before[1], now[1]) and holders(before[1]) < 2:
            value = Variable(builder.var(now[1]), builder)
            still = before[1].stop_gradient and value.ssa.stop_gradient
            if still and chosen is not None and _is_known(builder, layer, before[1], now[1], chosen):
                homes.append((Home(layer, name), now[1]))
            else:
                found.append((layer, name, before, value))
    moved = {id(x) for _, now in homes for x in [now, *(chosen(now) if chosen is not None else ())]}
    homes += [(Home(layer, name), held(layer, name)[1]) for layer, name, before, _ in found if id(before[1]) in moved]
    found = [entry for entry in found if id(entry[2][1]) not in moved]
    old = {id(before[1]): Variable(builder.var(before[1]), builder) for _, _, before, _ in found}
    for layer, name, before, value in found:
        now = held(layer, name)[1]
        put(layer, name, before)
        handle = builder.capture(before[1])
        if handle.ssa.op is None and before[1].stop_gradient and value.ssa.stop_gradient:
            homes.append((Assigned(layer, name, may_stay=value.ssa.op is not None and bool(value.ssa.op.blocks)), now))
        builder.hold(handle, value)
    return old, homes


def _names(builder: Any, layer: Layer, tensor: Any) -> int:
    """How many buffers of a Layer were this tensor before the trace."""
    set_here = {name: before[1] for ref, name, before, _ in builder.layer_writes.values() if ref() is layer}
    return sum(x is tensor for x in {**layer._buffers, **set_here}.values())


def _is_known(builder: Any, layer: Layer, before: Any, now: Any, chosen: Callable[[Any], list[Any]]) -> bool:
    """Whether the tensor ``now`` of a buffer, or that of ``before``, may have another name, or the latter changed."""
    known = builder.captured.get(id(before))
    if (known is not None and known[1].ssa.op is not None) or _names(builder, layer, before) > 1:
        return True
    return not isinstance(now, Variable) or now.ssa.op is None or any(x is not before for x in chosen(now))


def settle(builder: Any, recipes: Recipes, homes: list[Home]) -> tuple[list[Kept], list[Effect]]:
    """At the end of a trace: what calls have to set, and what the trace changed; ``homes``: what is read where it is.

    Layers that would hold a tensor of the Program get back what they held before.
    """
    kept, effects = [], []
    at_home = {home.key for home in homes}
    for layer, name, before, site in _changed(builder):
        now = held(layer, name)
        effect = Effect(f"attribute {name!r} of a {type(layer).__name__}", site)
        if recipes.holds(now[1]) or (id(layer), name) in at_home:
            put(layer, name, before)
            number = before[1] if type(before[1]) in (int, float) else None
            part = recipes.part(now[1])
            kept.append(Kept(layer, name, part, type(now[1]) is Maybe, number, effect))
            if (id(layer), name) in at_home:
                continue
            if id(before[1]) not in builder.captured:  # nothing in the Program came from what an earlier call left here
                continue
        effects.append(effect)
    return kept, effects


def copies_changed(builder: Any) -> list[Effect]:
    """Where the function changes a copy that Python made of a tensor: the next call needs another copy, so it traces again."""
    copies = {id(tensor) for tensor in builder.copied}
    changed = any(id(param.holder) in copies for param, _ in builder.changed())
    return [Effect("a tensor that copy.deepcopy() made", None)] if changed else []


def undo(builder: Any) -> None:
    """After a trace that failed: no layer holds a tensor of the Program."""
    for ref, name, before, _ in builder.layer_writes.values():
        layer = ref()
        if layer is not None and _traced(held(layer, name)[1]):
            put(layer, name, before)


def _changed(builder: Any) -> list[Any]:
    """The layers that live on, the attribute, what it was and where it was set, where it is something else now."""
    writes = builder.layer_writes
    found = [entry for entry in writes.values() if _differs(entry[0](), *entry[1:3])]
    if any((id(ref()), MADE) in writes for ref, *_ in found):
        gc.collect()  # layers that were made in the call are gone then, unless somebody keeps them
    return [(ref(), *rest) for ref, *rest in found if ref() is not None]


def _differs(layer: Layer | None, name: str, before: Any) -> bool:
    if layer is None or name == MADE:
        return False
    now = held(layer, name)
    return now[0] != before[0] or not (now[1] is before[1] or (is_plain(now[1]) and plain(now[1]) == plain(before[1])))


def _traced(value: Any) -> bool:
    return any(isinstance(leaf, (Variable, Choice, Text, Maybe)) for leaf in tree.flatten(value)[0])
