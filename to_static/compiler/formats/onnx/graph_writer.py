"""`GraphWriter`: an ONNX graph under construction. `program_writer` extends it.

A value is a name. Constants are initializers of the main graph; equal constants are one, and so are equal nodes. Unused nodes are
removed at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from to_static.compiler.formats.onnx.schema import DATA_TYPE_OF
from to_static.core.dtypes import DType

RANDOM = frozenset(("RandomNormalLike", "RandomUniformLike", "RandomNormal", "RandomUniform", "Bernoulli", "Multinomial"))
SMALL = 1 << 12  # bytes of constants that are compared with others, and computed with
_FOLDED: dict[str, Any] = {
    "Add": np.add, "And": np.logical_and, "Equal": np.equal, "Greater": np.greater, "Less": np.less, "Mul": np.multiply,
    "Not": np.logical_not, "Or": np.logical_or, "Sub": np.subtract,
}  # fmt: skip


class Subgraph:
    """A graph, or a branch or body in one: its nodes, its formal inputs and its results."""

    def __init__(self, parent: Subgraph | None, name: str) -> None:
        self.parent = parent
        self.name = name
        self.nodes: list[OnnxNode] = []
        self.inputs: list[tuple[str, Any]] = []  # with their specs
        self.results: list[tuple[str, Any]] = []
        self.outputs_of_nodes: set[str] = set()
        self.computed: dict[Any, tuple[str, ...]] = {}  # what a node computes -> its outputs

    def chain(self) -> Iterator[Subgraph]:
        """Return this graph and the graphs around it."""
        scope: Subgraph | None = self
        while scope is not None:
            yield scope
            scope = scope.parent


class OnnxNode(NamedTuple):
    """One node: attributes are ints, floats, strings, lists of these, arrays and `Subgraph`."""

    op_type: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attrs: dict[str, Any]

    def subgraphs(self) -> list[Subgraph]:
        """The branches or bodies that it has."""
        return [value for value in self.attrs.values() if isinstance(value, Subgraph)]


class GraphWriter:
    """Makes nodes. Methods return the names of results; every input is a name."""

    def __init__(self, opset: int) -> None:
        self.opset = opset
        self.graph = Subgraph(None, "main")
        self.main = self.graph
        self.constants: dict[str, np.ndarray] = {}  # initializers
        self.specs: dict[str, Any] = {}  # of values that the Program has
        self.renamed: dict[str, str] = {}  # a name that was made up -> the user's
        self._names: set[str] = set()
        self._counts: dict[str, int] = {}
        self._equal: dict[Any, str] = {}
        self.producers: dict[str, OnnxNode] = {}

    # names -------------------------------------------------------------------------------------------------------------

    def unique_name(self, hint: str) -> str:
        """A name that nothing has."""
        while True:
            count = self._counts.get(hint, 0)
            self._counts[hint] = count + 1
            name = f"{hint}_{count}"
            if name not in self._names:
                self._names.add(name)
                return name

    def claim(self, name: str | None, hint: str) -> str:
        """``name`` where nothing has it, else a name that is made up."""
        if not name or name in self._names:
            return self.unique_name(name or hint)
        self._names.add(name)
        return name

    def rename(self, name: str, wanted: str | None) -> None:
        """Let a value that a node computes have the user's name."""
        if wanted and name not in self.renamed and wanted not in self._names and name not in self.constants:
            self._names.add(wanted)
            self.renamed[name] = wanted

    def final(self, name: str) -> str:
        """The name that a value has in the file."""
        return self.renamed.get(name, name)

    # values ------------------------------------------------------------------------------------------------------------

    def const(self, value: Any, dtype: Any = None) -> str:
        """A constant array."""
        array = np.asarray(value) if dtype is None else np.asarray(value, dtype.np if isinstance(dtype, DType) else dtype)
        key = (array.dtype.str, array.shape, array.tobytes()) if array.nbytes <= SMALL else id(array)
        name = self._equal.get(key)
        if name is None:
            name = self._equal[key] = self.unique_name("constant")
            self.constants[name] = array
        return name

    def param(self, array: np.ndarray, name: str | None) -> str:
        """An initializer of the user's."""
        claimed = self._equal.get(id(array))
        if claimed is None:
            claimed = self._equal[id(array)] = self.claim(name, "parameter")
            self.constants[claimed] = array
        return claimed

    def ints(self, values: Sequence[int]) -> str:
        """A 1-D int64 constant."""
        return self.const(np.asarray(list(values), "int64"))

    def value(self, name: str) -> np.ndarray | None:
        """The numbers of a constant; None for other values."""
        return self.constants.get(name)

    def op(self, op_type: str, *inputs: str | None, outputs: int = 1, **attrs: Any) -> Any:
        """The result of a node, or a list of ``outputs`` results."""
        names = [name or "" for name in inputs]
        if op_type == "Reshape":
            names[0] = self._before_reshape(*names)
        while names and not names[-1]:
            names.pop()
        attrs = {key: value for key, value in attrs.items() if value is not None}
        if op_type in _FOLDED and (value := self._worked_out(op_type, names)) is not None:
            return value
        key = None
        if op_type not in RANDOM and not any(isinstance(value, Subgraph) for value in attrs.values()):
            key = op_type, tuple(names), outputs, tuple(sorted((name, _frozen(value)) for name, value in attrs.items()))
            for scope in self.graph.chain():
                if key in scope.computed:
                    results = scope.computed[key]
                    return results[0] if outputs == 1 else list(results)
        results = tuple(self.unique_name(op_type.lower()) for _ in range(outputs))
        node = OnnxNode(op_type, tuple(names), results, attrs)
        self.graph.nodes.append(node)
        self.graph.outputs_of_nodes.update(results)
        self.producers.update(dict.fromkeys(results, node))
        if key is not None:
            self.graph.computed[key] = results
        return results[0] if outputs == 1 else list(results)

    def _worked_out(self, op_type: str, names: list[str]) -> str | None:
        """The result of a node whose inputs are small constants."""
        arrays = [self.constants.get(name) for name in names]
        if any(array is None or array.nbytes > SMALL for array in arrays):
            return None
        with np.errstate(all="ignore"):
            return self.const(_FOLDED[op_type](*arrays))

    def _before_reshape(self, name: str, shape: str) -> str:
        """The value before its reshape, if the next reshape depends on the number of elements alone."""
        source, sizes = self.producers.get(name), self.constants.get(shape)
        if source is None or source.op_type not in ("Reshape", "Squeeze", "Unsqueeze") or sizes is None or (sizes == 0).any():
            return name
        return source.inputs[0]

    def open(self, hint: str) -> Subgraph:
        """Begin a branch or body, to which nodes go from now on."""
        self.graph = Subgraph(self.graph, self.unique_name(hint))
        return self.graph

    def close(self) -> None:
        """Go on with the graph around the current one."""
        assert self.graph.parent is not None
        self.graph = self.graph.parent

    def formal(self, hint: str, spec: Any) -> str:
        """A formal input of the current graph."""
        name = self.unique_name(hint)
        self.graph.inputs.append((name, spec))
        return name

    def result(self, name: str, spec: Any) -> None:
        """Make a value a result of the current graph: one that its nodes compute, once."""
        if name not in self.graph.outputs_of_nodes or any(name == result_name for result_name, _ in self.graph.results):
            copy = self.unique_name("identity")
            self.graph.nodes.append(OnnxNode("Identity", (name,), (copy,), {}))
            self.graph.outputs_of_nodes.add(copy)
            name = copy
        self.graph.results.append((name, spec))

    # small expressions, worked out at once where they are of constants -------------------------------------------------

    def cast(self, name: str, dtype: DType) -> str:
        """Write a cast to ``dtype``."""
        array = self.value(name)
        if array is not None and array.nbytes <= SMALL:
            return self.const(array.astype(dtype.np))
        return self.op("Cast", name, to=DATA_TYPE_OF[dtype.name])

    def reshape(self, name: str, shape: Sequence[int]) -> str:
        """The elements in a shape; one -1 is computed, 0 keeps a dimension."""
        array = self.value(name)
        if array is not None and 0 not in shape and array.nbytes <= SMALL:
            return self.const(array.reshape(tuple(shape)))
        return self.op("Reshape", name, self.ints(shape))

    def unsqueeze(self, name: str, axes: Sequence[int]) -> str:
        """New dimensions of size 1 at ``axes`` of the result."""
        array = self.value(name)
        if not axes:
            return name
        if array is not None and array.nbytes <= SMALL:
            return self.const(np.expand_dims(array, tuple(axes)))
        if self.opset < 13:
            return self.op("Unsqueeze", name, axes=list(axes))
        return self.op("Unsqueeze", name, self.ints(axes))

    def squeeze(self, name: str, axes: Sequence[int]) -> str:
        """Without the dimensions ``axes``, which have size 1."""
        array = self.value(name)
        if not axes:
            return name
        if array is not None and array.nbytes <= SMALL:
            return self.const(array.squeeze(tuple(axes)))
        if self.opset < 13:
            return self.op("Squeeze", name, axes=list(axes))
        return self.op("Squeeze", name, self.ints(axes))

    def transpose(self, name: str, perm: Sequence[int]) -> str:
        """The dimensions in another order."""
        if list(perm) == list(range(len(perm))):
            return name
        source = self.producers.get(name)
        if source is not None and source.op_type == "Transpose":
            return self.transpose(source.inputs[0], [source.attrs["perm"][i] for i in perm])
        return self.op("Transpose", name, perm=list(perm))

    def reduce(self, op_type: str, name: str, axes: Sequence[int] | None, keepdims: bool = False) -> str:
        """``ReduceMax`` and its like; ``axes`` None: over all dimensions."""
        in_attribute = self.opset < (13 if op_type == "ReduceSum" else 18)
        if axes is None:
            return self.op(op_type, name, keepdims=int(keepdims))
        if not axes:
            return self.op("Abs", name) if op_type in ("ReduceSumSquare", "ReduceL1", "ReduceL2") else name
        if in_attribute:
            return self.op(op_type, name, axes=list(axes), keepdims=int(keepdims))
        return self.op(op_type, name, self.ints(axes), keepdims=int(keepdims))

    def slice(self, name: str, axis: int, start: int, end: int, step: int = 1) -> str:
        """A span of one dimension."""
        return self.op("Slice", name, self.ints([start]), self.ints([end]), self.ints([axis]), self.ints([step]))

    def split(self, name: str, sizes: Sequence[int], axis: int) -> list[str]:
        """Pieces along a dimension."""
        if len(sizes) == 1:
            return [name]
        if self.opset < 13:
            return self.op("Split", name, outputs=len(sizes), axis=axis, split=list(sizes))  # type: ignore[no-any-return]
        return self.op("Split", name, self.ints(sizes), outputs=len(sizes), axis=axis)  # type: ignore[no-any-return]

    def concat(self, names: Sequence[str], axis: int = 0) -> str:
        """Values one behind the other."""
        if len(names) == 1:
            return names[0]
        arrays = [self.value(name) for name in names]
        if all(array is not None and array.nbytes <= SMALL for array in arrays):
            return self.const(np.concatenate(arrays, axis))  # type: ignore[arg-type]
        return self.op("Concat", *names, axis=axis)

    def clip(self, name: str, low: str | None, high: str | None) -> str:
        """Numbers between two 0-D ones."""
        return self.op("Clip", name, low, high)

    def softmax(self, name: str, axis: int, ndim: int, op_type: str = "Softmax") -> str:
        """`softmax` or ``LogSoftmax`` along one axis."""
        if self.opset >= 13 or axis == ndim - 1:
            return self.op(op_type, name, axis=axis)
        perm = [i for i in range(ndim) if i != axis] + [axis]
        back = [perm.index(i) for i in range(ndim)]
        return self.transpose(self.op(op_type, self.transpose(name, perm), axis=ndim - 1), back)


def _frozen(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    return tuple(value) if isinstance(value, list) else (type(value), value)


def live_nodes(graph: Subgraph) -> set[str]:
    """Remove unused nodes of a graph and of its subgraphs; return the outer names that it reads."""
    needed = {name for name, _ in graph.results}
    nodes = []
    for node in reversed(graph.nodes):
        if needed.isdisjoint(node.outputs):
            continue
        nodes.append(node)
        needed.update(name for name in node.inputs if name)
        for inner in node.subgraphs():
            needed |= live_nodes(inner)
    graph.nodes = nodes[::-1]
    produced = {name for node in graph.nodes for name in node.outputs} | {name for name, _ in graph.inputs}
    return needed - produced
