"""Lists of tensors that a tensor loop appends to and the function returns: records their elements on the tape."""

from __future__ import annotations

from typing import Any

from to_static.compiler.eager import tape
from to_static.compiler.eager.tensor import EagerTensor
from to_static.core import backend as backends


class ReturnedList:
    """Result ``index`` of a node, a list of arrays; ``needs``: which of them a gradient flows through."""

    __slots__ = ("_array", "_index", "_node", "needs")

    def __init__(self, arrays: list[Any], node: tape.Node, index: int, needs: list[bool]) -> None:
        self._array = arrays
        self._node = node
        self._index = index
        self.needs = needs


def elements(result: Any) -> list[Any]:
    """The list of tensors that the caller gets."""
    tensors = [EagerTensor(a) for a in result._array]
    if isinstance(result, ReturnedList) and any(result.needs):
        node = _ListNode(result)
        for i, element in enumerate(tensors):
            if result.needs[i]:
                element._node, element._index, element.stop_gradient = node, i, False
    return tensors


class _ListNode(tape.Node):
    """The node of a returned list. Its gradient is the list of the elements' gradients, None where there is none."""

    __slots__ = ()

    def __init__(self, result: ReturnedList) -> None:
        super().__init__("list that a static function returned", [tape.Edge(result)], len(result._array))

    def vjp(self, gouts: list[Any]) -> list[Any]:
        return [EagerTensor([None if g is None else g._array for g in gouts])]


def weight(gout: Any, value: Any) -> Any:
    """The gradient ``gout`` of an output with this value, as a backward plan takes it: zeros where there is none."""
    if isinstance(value, list):
        item_grads = [None] * len(value) if gout is None else gout._array
        return [_zeros(v) if g is None else g for g, v in zip(item_grads, value, strict=True)]
    return _zeros(value) if gout is None else gout._array


def _zeros(array: Any) -> Any:
    return backends.backend_of(array).xp.zeros_like(array)
