"""`Traced`: a Program, and how arguments and results of a function map onto it.

Loaded models are such Programs, too, so nothing here knows of tracing or of the translator: they run where neither is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from to_static.ir.program import Program, Var
from to_static.jit.handback import SIMPLE, Part, Recipes

if TYPE_CHECKING:
    from to_static.jit.heap import Put
    from to_static.jit.homes import Home
    from to_static.jit.layer_writes import Effect, Kept
    from to_static.nn.layer import Layer


class Traced:
    """A traced function: its Program and how arguments and results map onto it.

    ``feeds``: positions (in the flattened arguments) of the tensors that the Program takes, in order; ``result``: how the returned
    structure is made (see `handback`); ``leaves``: for each leaf of it ('out', i) = output i, ('number', i) = output i as a Python
    number, ('list', (i, numbers, container)) = output i as a list or tuple of tensors or Python numbers,
    ('rows', (kinds, outputs)) = a list of other items (see `jst/rows.py`), ('arg', i) = argument leaf i itself,
    ('changed', (i, j)) = argument leaf i, which then has the value of output j, ('holder', tensor) = a tensor from outside itself,
    ('home', home) = the tensor that a buffer has then (see `homes`),
    ('same', (i, known, j)) = output j, unless output i is one of the numbers ``known``: then the leaf that it says there,
    ('one', the same) = of several such leaves, those with one number are one tensor,
    ('py', value), ('text', (pieces, outputs in them)), ('maybe', (i, part)) = the part if output i is true, else no value, or
    ('choice', (i, options, j)): of these parts the one whose number output i is, and for files output j, a tensor in any case;
    ``recipes``: how new objects are made;
    ``changed``: (argument leaf, output index) of tensors that the function changes in place; ``layers``: the Layers that were
    called; ``kept``: attributes of Layers that every call sets; ``effects``: what tracing changed of Layers, so that the next call
    has to trace again; ``puts``: what every call puts into other objects; ``goes_on``: that depends on what these held;
    ``opened``: argument leaves that the function gives a gradient; ``stops``: (argument leaf, its ``stop_gradient`` afterwards);
    ``homes``: buffers that get other tensors; ``carried``: root values that get outputs, which gradients flow through;
    ``uses_given``: containers of the caller are among them; ``reached``: ids of arguments that it reaches by other names, too;
    ``holds_errors``: an error that it raises is more than its text; ``order``: argument leaves as Paddle's files have them.
    """

    __slots__ = (
        "carried", "changed", "effects", "feeds", "goes_on", "holds_errors", "homes", "kept", "layers", "leaves", "names", "opened",
        "order", "program", "puts", "reached", "recipes", "result", "stops", "uses_given",
    )  # fmt: skip

    def __init__(self, program: Program, feeds: list[int], names: list[str], leaves: list[Any], changed: list[Any]) -> None:
        self.program = program
        self.feeds = feeds
        self.names = names
        self.leaves = leaves
        self.changed = changed
        self.result: Part = SIMPLE
        self.recipes = Recipes.of_leaves()
        self.puts: list[Put] = []
        self.goes_on = self.uses_given = self.holds_errors = False
        self.layers: list[Layer] = []
        self.kept: list[Kept] = []
        self.effects: list[Effect] = []
        self.homes: list[Home] = []
        self.carried: list[tuple[Var, int]] = []
        self.opened: list[int] = []
        self.stops: list[tuple[int, bool]] = []
        self.reached: frozenset[int] = frozenset()
        self.order: list[int] = []
