"""What a trace leaves behind, leaf by leaf, and the outputs of the Program that the leaves take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.core import site, tree
from to_static.core.errors import TranslationError
from to_static.ir.build import Builder
from to_static.ir.number import Number
from to_static.ir.program import Var
from to_static.ir.spec import ListSpec
from to_static.ir.tensor import Tensor
from to_static.ir.variable import Variable
from to_static.jit.handback import Recipes
from to_static.jit.homes import Home
from to_static.jit.jst.alternatives import as_tensor
from to_static.jit.jst.choice import Choice
from to_static.jit.jst.joined import Joined, numbers
from to_static.jit.jst.rows import Rows
from to_static.jit.jst.text import Piece, Text, plain_pieces
from to_static.jit.jst.unbound import Maybe


class Asked(Exception):
    """A result may be a tensor of the caller's, or another result, and the trace did not keep which tensors the variables are."""

    def __init__(self, exact: bool = False) -> None:
        super().__init__()
        self.exact = exact  # whether tensors of different trips of a loop have to be told apart


def value_of(value: Var) -> Var:
    """What has the same numbers, without the changes of `stop_gradient` since."""
    while value.op is not None and value.op.name == "assign":
        value = value.op.inputs[0]
    return value


class Results:
    """The leaves of what a trace leaves behind, and the outputs of the Program that they take."""

    def __init__(
        self,
        builder: Builder,
        handles: list[tuple[int, Variable, Var]],
        known: Callable[[Any], dict[int, Any]],
        old: dict[int, Any],
    ) -> None:
        self._builder = builder
        self._old = old  # what tensors of buffers were before they got other values, by their ids
        self._known = known  # the tensors from outside that a value may be
        self.leaves: list[Any] = []
        self.outputs: list[Any] = []
        self.changed: list[tuple[int, int]] = []
        self.asked: bool | None = False  # whether the trace keeps which tensor is which; None: it does when it is asked to
        self.homes: dict[int, Home] = {}  # by the ids of the tensors that buffers get
        self.exact = False  # whether it tells tensors of different trips apart
        self.can_ask: Callable[[], bool] = lambda: False  # whether the function can be traced again
        self._numbers: dict[int, int] = {}
        self._tensors: list[tuple[int, Variable]] = []  # leaves that are outputs, or chosen by conditions
        self._arguments: dict[int, Any] = {}
        for i, handle, var in handles:
            if value_of(handle.ssa) is not var:
                self.changed.append((i, self.output(handle)))
                self._arguments[id(handle)] = "changed", self.changed[-1]
            else:
                self._arguments[id(handle)] = "arg", i

    def output(self, tensor: Any) -> int:
        """The number of the output that has this value."""
        self.outputs.append(tensor)
        return len(self.outputs) - 1

    def carried(self) -> list[tuple[Var, int]]:
        """What the trace changed from outside, but for parameters, whose new values need a gradient: the outputs that they are."""
        handles = {id(handle.ssa): handle for _, handle in self._builder.captured.values()}
        return [
            (param, self.output(handles[id(value)]))
            for param, value in self._builder.changed()
            if not (value.stop_gradient or getattr(param.holder, "is_parameter", True))
        ]

    def leaf(self, value: Any, recipes: Recipes) -> int:
        """The number of the leaf that is ``value``; the same tensor is the same leaf."""
        number = self._numbers.get(id(value)) if isinstance(value, Tensor) else None
        if number is None:
            number = len(self.leaves)
            self.leaves.append(None)
            if isinstance(value, Tensor):
                self._numbers[id(value)] = number
            self.leaves[number] = self._leaf(value, recipes)
        return number

    def _leaf(self, value: Any, recipes: Recipes) -> tuple[str, Any]:
        if isinstance(value, Choice):
            place = self.output(value.which)
            options = [recipes.part(option) for option in value.options]
            joined = as_tensor(value)
            return "choice", (place, options, None if joined is None else self.output(joined))
        if isinstance(value, Maybe):
            return "maybe", (self.output(value.defined), recipes.part(value.value))
        if isinstance(value, Text):
            pieces = plain_pieces(value)
            return "text", (pieces, [self.output(piece.value) for piece in pieces if isinstance(piece, Piece)])
        if not isinstance(value, Tensor):
            for tensor in tree.flatten(value)[0]:
                if isinstance(tensor, Tensor) and not isinstance(tensor, Variable):
                    self._builder.capture(tensor)
            if isinstance(value, slice) and any(isinstance(x, Variable) for x in (value.start, value.stop, value.step)):
                words = "a slice whose bounds depend on tensors is returned, or left in an object"
                rewrite = "return the bounds, `(start, stop)`, and make the slice outside of the static function"
                raise TranslationError(site.report(words, recipes.where, rewrite))
            return "py", value
        if id(value) in self._arguments:
            return self._arguments[id(value)]
        home = self.homes.get(id(value))
        if home is not None:
            return "home", home
        if id(value) in self._old:
            return "out", self.output(self._old[id(value)])
        if not isinstance(value, Variable):  # a parameter, a buffer or another tensor from outside
            handle = self._builder.capture(value)
            if handle.ssa.op is None or handle.stop_gradient:
                return "holder", value
            return "out", self.output(handle)
        self._tensors.append((self._numbers[id(value)], value))
        known = self._known(value)
        if known and value.which is not None:
            return "same", (self.output(value.which), {n: self.leaf(x, recipes) for n, x in known.items()}, self.output(value))
        if known and self.asked is None and self.can_ask():
            raise Asked
        if isinstance(value, Rows):
            return "rows", (value.kinds, [self.output(column) for column in value.columns])
        kind, place = _kind(value), self.output(value)
        if kind != "list":
            return kind, place
        return kind, (place, getattr(value, "holds", None) in (bool, int, float), getattr(type(value), "stands_for", list))

    def join(self) -> None:
        """Tell of leaves that conditions chose which of the others they are: call it when all leaves are known."""
        chosen = [(i, x) for i, x in self._tensors if type(x) is Joined]
        others = {n: i for i, x in self._tensors if type(x) is not Joined and (n := numbers().known(x)) is not None}
        for i, x in chosen:
            found = {n: others[n] for n in x.may if n in others}
            if not found and not any(numbers().meet(x, y) for k, y in chosen if k != i):
                continue
            if not self.exact:
                if self.asked is not False and self.can_ask():
                    raise Asked(exact=True)
            elif x.which is not None and self.leaves[i][0] in ("same", "out"):
                known, place = self.leaves[i][1][1:] if self.leaves[i][0] == "same" else ({}, self.leaves[i][1])
                self.leaves[i] = "one", (self.output(x.which), {**known, **found}, place)


def chosen_from(handles: list[Variable], builder: Builder, value: Any) -> dict[int, Any]:
    """The tensors from outside that a value may be, by their numbers: arguments (``handles``), and what the trace captured."""
    if type(value) is not Joined:
        return {0: value} if any(value is x for x in handles) else {}
    tensors = [(x, x) for x in handles] + [(handle, tensor) for tensor, handle in builder.captured.values()]
    found = {numbers().known(handle): tensor for handle, tensor in tensors}
    return {n: tensor for n, tensor in found.items() if n is not None and n in value.may}


def _kind(leaf: Tensor) -> str:
    """How a result comes back: as a tensor, as a Python number, or as a list of tensors."""
    if isinstance(leaf, Number):
        return "number"
    return "list" if isinstance(leaf.spec, ListSpec) else "out"
