"""Lists, dicts and sets from outside that a trace made ones of the Program: they come back, and every run gives them their new
contents.

A list that becomes longer or shorter where tensors decide has a `TensorList` in its place (a dict or set a `Table`) while the
function is traced (see `jst/growth.py`), also in objects and globals that were there before. Where it is the caller's, or somebody
keeps it, it is the one object that callers look at: the function returns it, and a run changes what it holds.
"""

from __future__ import annotations

import functools
from typing import Any

from to_static.ir import mode
from to_static.jit.contents import held
from to_static.jit.handback import Part, Recipes
from to_static.jit.heap import Heap, Put
from to_static.jit.jst.growth import check_replaced, put_instead
from to_static.jit.shallow import put


class OwnLists:
    """The lists from outside among those that ``builder`` has lists of the Program for.

    Of the others, Python may have had one at hand when it was replaced: ``return items, f(items)``.
    """

    def __init__(self, builder: Any, heap: Heap, given: list[Any]) -> None:
        if mode.building():
            check_replaced(builder)
        self._places = {id(value): i for i, value in enumerate(given)}
        self._found = [(v, made) for v, made in builder.lists if id(v) in self._places or heap.has(v)]
        self._lists = builder.lists
        self._contents = []  # a trace that failed has no effects
        if mode.building():
            self._contents = [getattr(made, "duplicate", made.copy)() for _, made in self._found]
        self.goes_on = any(id(value) not in self._places for value, _ in self._found)
        for value, made in self._found:
            for holder in [*heap.objects(), *given]:
                found = held(holder)
                if found is not None and any(x is made for x in found[1]):
                    put_instead(holder, made, value)
            for space in heap.spaces():
                for name in [name for name, x in space.items() if x is made]:
                    space[name] = value

    def effects(self, recipes: Recipes) -> list[Put]:
        """What goes into them after every run; ``recipes`` gets to know that they are what stands for them."""
        effects = []
        recipes.instead.update((id(value), made) for value, made in self._lists)
        recipes.instead.update((id(x), value) for value, made in self._found for x in (value, made))
        for (value, _), content in zip(self._found, self._contents, strict=True):
            part: Part = recipes.part(content)
            place = self._places.get(id(value))
            effects.append(Put(functools.partial(put, value) if place is None else put, part, place))
        return effects
