"""Reads a GraphProto into a Program: each node is read in building mode, by the functions in `readers`.

Values that depend only on constants and known shapes are evaluated at once, so that shapes which a file computes are known.
Partially known shapes keep their known elements (`shape_elements`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

import to_static.compiler.ops  # noqa: F401  (the tables know where the operators are)
from to_static.compiler.formats.onnx.node_view import NodeView, constant, reader_of
from to_static.compiler.formats.onnx.shape_elements import ELEMENTS
from to_static.compiler.formats.onnx.tensors import array_of, dtype_of
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.building.constant_evaluation import evaluate
from to_static.compiler.ir.program import Program, Stored, Var
from to_static.compiler.ir.spec import UNKNOWN, ListSpec, TensorSpec, spec_of
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ir.var_kinds import BUFFER, PARAM
from to_static.compiler.ir.verifier import verify
from to_static.core.diagnostics.printable import printable
from to_static.core.dtypes import as_dtype
from to_static.core.errors import FormatError, ProgramError

LARGEST_CONSTANT = 1 << 20  # bytes of a result that is worked out when the file is read
MAX_READINGS = 20, 200_000  # of nodes in all (so many for each, and so many more), as loops are read several times
MAX_CALLS = 64  # functions of the model inside each other
NEWEST = 23  # opset of which all operators are known; of newer ones only what they had before is read


class GraphScope:
    """The names of one graph while its nodes are read."""

    def __init__(self, reader: GraphReader, parent: GraphScope | None, attrs: dict[str, Any] | None = None) -> None:
        self.reader = reader
        self.parent = parent
        self.attrs = attrs or {}
        self.names: dict[str, Any] = {}
        self.erased: dict[str, tuple[Any, str]] = {}  # sequences without an element that goes back: with it, and its position
        self.depth: int = 0 if parent is None else parent.depth

    def read(self, name: str) -> Any:
        """Return the value of a name, in this graph or one around it. Raises FormatError if there is none."""
        scope: GraphScope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        if name in self.reader.weights:
            return self.reader.root_value(name)
        expected = f"value {printable(name)!r} to be computed before it is read"
        raise FormatError(self.reader.path, expected, "no node that computes it")

    def attr(self, name: str, default: Any) -> Any:
        """An attribute of the function that is being read."""
        return self.attrs.get(name, default)

    def constant(self, name: str) -> np.ndarray | None:
        """Return the array of a constant value; None for other values."""
        if name in self.reader.weights and not self.is_shadowed(name):
            return self.reader.weights[name]
        value = self.read(name)
        return self.reader.constants.get(value.ssa) if isinstance(value, Variable) else None

    def is_shadowed(self, name: str) -> bool:
        """True if an inner graph has a value of that name."""
        scope: GraphScope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name] is not self.reader.root_values.get(name)
            scope = scope.parent
        return False

    def elements(self, name: str) -> list[Any] | None:
        """The elements of a shape, as far as they are known: ints and tensors."""
        array = self.constant(name)
        if array is not None:
            return [int(v) for v in array.reshape(-1)] if array.ndim <= 1 and array.dtype.kind in "iu" else None
        value = self.read(name)
        return self.reader.elements.get(value.ssa) if isinstance(value, Variable) else None


class GraphReader:
    """One reading of one model."""

    def __init__(
        self, model: Any, path: object, folder: str | None, weights: Mapping[str, np.ndarray], opset: int, functions: dict[Any, Any]
    ) -> None:
        self.model = model
        self.path = path
        self.folder = folder
        self.weights = weights
        self.opset = opset
        self.functions = functions
        self.builder = Builder(Program())
        self.builder.records_sites = False
        self.constants: dict[Var, np.ndarray] = {}
        self.elements: dict[Var, list[Any]] = {}
        self.root_values: dict[str, Variable] = {}
        self.trainable: set[str] = set()
        self.holders: Mapping[str, np.ndarray] = weights
        self.calls = 0
        each, more = MAX_READINGS
        self.left = more + each * count_nodes(model.graph)

    def root_value(self, name: str) -> Variable:
        """The parameter, buffer or constant of an initializer."""
        handle = self.root_values.get(name)
        if handle is None:
            array = self.holders.get(name, self.weights[name])
            trainable = name in self.trainable
            if trainable or array.nbytes > LARGEST_CONSTANT:
                holder = Stored(array, name, not trainable, trainable)
                handle = self.builder.root_value(spec_of(array), PARAM if trainable else BUFFER, holder, name)
            else:
                frame, self.builder.frame = self.builder.frame, self.builder.root
                handle = Variable(self.builder.constant(array).ssa, self.builder)
                self.builder.frame = frame
                self.constants[handle.ssa] = array
            self.root_values[name] = handle
        return handle

    # graphs --------------------------------------------------------------------------------------------------------------

    def run(self, scope: GraphScope, graph: Any) -> list[Any]:
        """Read the nodes of a graph; returns its results."""
        for message in graph.initializer:
            if scope.parent is not None:
                scope.names[message.name] = self.noted(array_of(message, self.path, self.folder))
        if graph.sparse_initializer:
            raise FormatError(self.path, "weights that are arrays", "a sparse one")
        replaced = replaced_elements(graph)
        for node in graph.node:
            if node.op_type == "SequenceErase" and not replaced.isdisjoint(node.output):
                scope.erased[node.output[0]] = scope.read(node.input[0]), node.input[1]
            else:
                self.node(scope, node)
        return [scope.read(value.name) for value in graph.output]

    def noted(self, array: np.ndarray) -> Variable:
        """A constant of the current block, of which the numbers are known."""
        handle: Any = constant(array)
        self.constants[handle.ssa] = array
        return handle  # type: ignore[no-any-return]

    def node(self, scope: GraphScope, message: Any) -> None:
        """Read one node."""
        self.left -= 1
        if self.left < 0:
            raise FormatError(self.path, "loops whose variables reach stable shapes", "nested loops that never reach them")
        op_type, domain = message.op_type, message.domain
        function = self.functions.get((domain, op_type))
        reader = reader_of(domain, op_type)
        if function is not None and reader is None:
            self.function(scope, message, function)
            return
        if reader is None:
            raise FormatError(self.path, "operators of ONNX", f"a node of type {printable(f'{domain}.{op_type}'.lstrip('.'))!r}")
        view = NodeView(self, scope, message, self.opset)
        block = self.builder.frame.block
        op_count = len(block.ops)
        try:
            results = reader(view)
            if self.opset > NEWEST:
                view.check_all_was_read()
            values = list(results) if isinstance(results, (list, tuple)) else [results]
            self.work_out(block.ops[op_count:] if self.builder.frame.block is block else [])
            if op_type in ELEMENTS:
                values[0] = self.with_elements(view, values[0])
        except FormatError:
            raise
        except Exception as error:  # whatever a damaged node makes an operator or its reader do
            problem = f"one that does not fit: {type(error).__name__}: {error}"
            label = printable(", ".join(view.outputs))
            raise FormatError(self.path, f"a valid {printable(op_type)} node ({label})", problem) from error
        for name, value in zip(view.outputs, values, strict=False):
            if name:
                scope.names[name] = value

    def work_out(self, ops: list[Any]) -> None:
        """Evaluate the results of an op if they are constants."""
        for op in ops:
            if op.name == "constant":
                self.constants[op.out] = op.attrs["value"]
            elif not op.blocks:
                arrays = evaluate(op, self.constants, LARGEST_CONSTANT)
                if arrays is not None:
                    self.constants.update(zip(op.outputs, arrays, strict=True))

    def with_elements(self, view: NodeView, value: Any) -> Any:
        """Attach the known elements to a value that may be a shape. If all are known, return a constant."""
        if not isinstance(value, Variable) or not isinstance(value.spec, TensorSpec) or value.ssa in self.constants:
            return value
        if value.ndim > 1 or not value.dtype.is_integer:
            return value
        elements = ELEMENTS[view.op_type](view)
        if elements is None or (value.ndim == 1 and value.spec.shape[0] not in (UNKNOWN, len(elements))):
            return value
        if all(isinstance(item, int) for item in elements):
            array = np.asarray(elements, value.dtype.np)
            return self.noted(array if value.ndim else array.reshape(()))
        self.elements[value.ssa] = elements
        return value

    def function(self, scope: GraphScope, message: Any, function: Any) -> None:
        """Read a call of a function of the model: its nodes, in a new scope."""
        self.calls += 1
        if self.calls > MAX_CALLS:
            raise FormatError(self.path, f"at most {MAX_CALLS} functions inside each other", "more")
        view = NodeView(self, scope, message, self.opset)
        defaults = {attr.name: NodeView(self, scope, _Attributes(attr), self.opset) for attr in function.attribute_proto}
        attrs = {name: default.attr(name) for name, default in defaults.items()}
        attrs.update({attr.name: view.attr(attr.name) for attr in message.attribute})
        inner = GraphScope(self, None, attrs)
        for i, name in enumerate(function.input):
            if view.has(i):
                inner.names[name] = view.value(i)
        for node in function.node:
            self.node(inner, node)
        for name, source in zip(view.outputs, function.output, strict=False):
            if name:
                scope.names[name] = inner.read(source)
        self.calls -= 1

    def spec(self, value: Any) -> Any:
        """The spec of a value in the file, None where the file gives none."""
        value_type = value.type
        while "optional_type" in vars(value_type):  # it is there
            value_type = value_type.optional_type.elem_type
        if "sequence_type" in vars(value_type):
            element = vars(value_type.sequence_type).get("elem_type")
            return ListSpec(None if element is None else self._tensor_spec(element, value.name))
        return self._tensor_spec(value_type, value.name)

    def _tensor_spec(self, value_type: Any, name: str) -> TensorSpec | None:
        if "tensor_type" not in vars(value_type):
            return None
        tensor = value_type.tensor_type
        dtype = as_dtype(dtype_of(tensor.elem_type, self.path))
        if "shape" not in vars(tensor):
            return None
        shape = [d.dim_value if "dim_value" in vars(d) else UNKNOWN for d in tensor.shape.dim]
        if any(size < 0 and size != UNKNOWN for size in shape):
            raise FormatError(self.path, f"a shape for {printable(name)!r}", str(shape))
        return TensorSpec(tuple(shape), dtype)


class _Attributes:
    """A stand-in for a node with one attribute: a default of a function."""

    def __init__(self, attr: Any) -> None:
        self.op_type, self.name = "attribute", attr.name
        self.input: list[str] = []
        self.output: list[str] = []
        self.attribute = [attr]


def replaced_elements(graph: Any) -> set[str]:
    """The sequences of a graph that lack an element only until another one is put at its position."""
    positions = {
        node.output[0]: node.input[1]
        for node in graph.node
        if node.op_type == "SequenceErase" and len(node.input) == 2 and node.input[1] and len(node.output) == 1
    }
    if not positions:
        return set()
    reads: Counter[str] = Counter()
    for inner in (graph, *graphs_inside(graph)):
        reads.update(name for node in inner.node for name in node.input)
        reads.update(value.name for value in inner.output)
    return {
        node.input[0]
        for node in graph.node
        if node.op_type == "SequenceInsert"
        and len(node.input) == 3
        and positions.get(node.input[0]) == node.input[2]
        and reads[node.input[0]] == 1
    }


def graphs_of(node: Any) -> list[Any]:
    """The graphs that are attributes of a node."""
    return [graph for attr in node.attribute for graph in (*([attr.g] if "g" in vars(attr) else []), *attr.graphs)]


def graphs_inside(graph: Any) -> Iterator[Any]:
    """All graphs inside a graph."""
    work = [graph]
    while work:
        for node in work.pop().node:
            inner = graphs_of(node)
            yield from inner
            work += inner


def count_nodes(graph: Any) -> int:
    """All nodes, also of the graphs inside."""
    return len(graph.node) + sum(len(inner.node) for inner in graphs_inside(graph))


def read_graph(
    reader: GraphReader, shapes: Mapping[str, Sequence[int]] | None = None, fixed: Mapping[str, np.ndarray] | None = None,
    named: bool = False,
) -> Program:  # fmt: skip
    """The Program of a model. ``shapes`` gives inputs (by name) other shapes, ``fixed`` inputs that are constants, ``named`` lets
    all values have the file's names. Raises FormatError naming the node for anything that is not supported."""
    graph, shapes, fixed = reader.model.graph, shapes or {}, fixed or {}
    scope = GraphScope(reader, None)
    with mode.use(reader.builder), mode.grad_mode(True):
        for value in graph.input:
            if value.name in reader.weights:
                continue  # older files list weights among the inputs
            if value.name in fixed:
                scope.names[value.name] = reader.noted(np.asarray(fixed[value.name]))
                continue
            spec = reader.spec(value)
            if spec is None:
                raise FormatError(reader.path, f"the number of dimensions of input {printable(value.name)!r}", "nothing of them")
            if isinstance(spec, TensorSpec):
                spec = TensorSpec(tuple(shapes.get(value.name, spec.shape)), spec.dtype)
            stops = not (isinstance(spec, TensorSpec) and spec.dtype.is_floating)
            scope.names[value.name] = reader.builder.feed(spec, value.name, stops)
        results = reader.run(scope, graph)
        names = [value.name for value in graph.output]
        if named:
            for name, value in scope.names.items():
                if isinstance(value, Variable) and value.ssa.name is None:
                    value.ssa.name = name
        outputs = []
        for name, value in zip(names, results, strict=True):
            if not isinstance(value, Tensor) or value.builder is not reader.builder:  # type: ignore[attr-defined]
                raise FormatError(reader.path, f"a value as output {printable(name)!r}", "none")
            outputs.append(value)
    program = reader.builder.finish(outputs, names)
    try:
        verify(program, f"reading {reader.path}")
    except ProgramError as error:
        raise FormatError(reader.path, "a model whose parts fit together", str(error)) from error
    return program
