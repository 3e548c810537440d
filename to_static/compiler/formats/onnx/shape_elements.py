"""Partial evaluation of shapes: the elements of shape vectors that nodes compute, as ints, or tensors if only a run knows them.

A file computes a shape by several nodes, such as a gather and a concatenation. Each element is tracked separately.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.compiler.formats.onnx.node_view import NodeView
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F

ELEMENTS: dict[str, Callable[[NodeView], list[Any] | None]] = {}
MOST = 64  # elements of a shape


def _elements_of(*op_types: str) -> Callable[[Callable[[NodeView], list[Any] | None]], Any]:
    """Register the decorated function: it computes the elements of the results of these operator types."""
    def decorate(function: Callable[[NodeView], list[Any] | None]) -> Any:
        ELEMENTS.update(dict.fromkeys(op_types, function))
        return function

    return decorate


@_elements_of("Shape")
def _(n: NodeView) -> list[Any] | None:
    x = n.x()
    start, end = n.integer("start", 0), n.attr("end")
    axes = range(x.ndim)[start:end] if x.ndim <= MOST else ()
    return [x.spec.shape[i] if x.spec.shape[i] != UNKNOWN else F.dim_size(x, i) for i in axes]


@_elements_of("Gather")
def _(n: NodeView) -> list[Any] | None:
    elements, index = n.scope.elements(n.names[0]), n.const(1)
    if elements is None or index is None or index.ndim > 1 or n.x().ndim != 1:
        return None
    return [elements[int(i)] for i in index.reshape(-1)]


@_elements_of("Slice")
def _(n: NodeView) -> list[Any] | None:
    elements = n.scope.elements(n.names[0])
    if elements is None or n.opset < 10 or any(n.has(i) and n.const(i) is None for i in range(1, 5)):
        return None
    start, end = (int(n.constant_array(i).reshape(-1)[0]) for i in (1, 2))
    step = int(n.constant_array(4).reshape(-1)[0]) if n.has(4) else 1
    return elements[slice(start, end, step)]


@_elements_of("Concat")
def _(n: NodeView) -> list[Any] | None:
    parts = [n.scope.elements(name) for name in n.names]
    if any(part is None for part in parts):
        return None
    joined = [item for part in parts for item in part or ()]
    return joined if len(joined) <= MOST else None


@_elements_of("Unsqueeze", "Squeeze", "Reshape", "Identity", "Cast")
def _(n: NodeView) -> list[Any] | None:
    return n.scope.elements(n.names[0])


def _both(n: NodeView, function: Callable[[Any, Any], Any]) -> list[Any] | None:
    first, second = (n.scope.elements(n.names[i]) for i in (0, 1))
    if first is None or second is None or (len(first) != len(second) and 1 not in (len(first), len(second))):
        return None
    count = max(len(first), len(second))
    pairs = zip(first * (count // len(first)), second * (count // len(second)), strict=False)
    results = []
    for a, b in pairs:
        if isinstance(a, Tensor) or isinstance(b, Tensor):
            results.append(function(a, b) if not (isinstance(a, int) and isinstance(b, int)) else None)
        else:
            results.append(function(a, b))
    return results


@_elements_of("Add")
def _(n: NodeView) -> list[Any] | None:
    return _both(n, lambda a, b: a + b)


@_elements_of("Sub")
def _(n: NodeView) -> list[Any] | None:
    return _both(n, lambda a, b: a - b)


@_elements_of("Mul")
def _(n: NodeView) -> list[Any] | None:
    return _both(n, lambda a, b: a * b)


@_elements_of("Div")
def _(n: NodeView) -> list[Any] | None:
    return _both(n, lambda a, b: a // b) if _positive(n, 1) else None


def _positive(n: NodeView, i: int) -> bool:
    elements = n.scope.elements(n.names[i])
    return elements is not None and all(isinstance(item, int) and item > 0 for item in elements)
