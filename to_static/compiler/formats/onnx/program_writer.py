"""Writes a Program as ONNX nodes: each operator by its function in `operators`, or by a composition of other operators.

These functions get an `OnnxWriter`: the nodes of `GraphWriter`, and the values of the Program. A function that cannot write an
operator calls `OnnxWriter.refuse`. All refusals of a Program are reported in one error, each with the user's line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np

from to_static.compiler.formats.onnx.graph_writer import GraphWriter
from to_static.compiler.ir.building.composition import recorded
from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.core import backend
from to_static.core.diagnostics.printable import printable
from to_static.core.dtypes import DType, int32, int64
from to_static.core.errors import FormatError, ToStaticError

WRITERS: dict[str, Callable[[OnnxWriter, Op], Any]] = {}
COMPOSITIONS: dict[str, Callable[..., Any]] = {}
LOWEST, HIGHEST = 11, 23
_NARROW = frozenset(("int8", "uint8", "int16", "bool"))  # dtypes for which runtimes have little arithmetic


def writes(*names: str) -> Callable[[Callable[[OnnxWriter, Op], Any]], Callable[[OnnxWriter, Op], Any]]:
    """Register how operators are written: the hook returns the name of the result, or a list of names."""

    def decorate(function: Callable[[OnnxWriter, Op], Any]) -> Callable[[OnnxWriter, Op], Any]:
        WRITERS.update(dict.fromkeys(names, function))
        return function

    return decorate


def composed(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register an operator as a composition of others: a function of its inputs (by slot) and attributes, by public functions."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        COMPOSITIONS.update(dict.fromkeys(names, function))
        return function

    return decorate


class Unwritable(NamedTuple):
    """The reason why an operator has no form in the file. ``opset``: the first one that has a form, 0 if none has."""

    name: str
    site: Any
    why: str
    opset: int = 0


class Refused(Exception):
    """Raised by hooks, inside of this room."""


class WrittenGraph(NamedTuple):
    """A written Program: the writer, whose ``main`` is the graph, with all names final."""

    writer: OnnxWriter
    inputs: list[str]
    outputs: list[str]


class OnnxWriter(GraphWriter):
    """Writes one Program."""

    def __init__(self, program: Program, path: object, opset: int) -> None:
        super().__init__(opset)
        self.program = program
        self.path = path
        self.names: dict[Var, str] = {}
        self.refusals: list[Unwritable] = []
        self.current: Op | None = None
        self._site: Any = None
        self._name = ""
        self._reads: dict[Block, set[Var]] = {}
        self.single: set[str] = set()  # values that are known to have the shape [1]

    # what hooks use ------------------------------------------------------------------------------------------------------

    def name(self, value: Any) -> str:
        """The name of a value; None stays None."""
        return value if isinstance(value, str) or value is None else self.names[value]  # type: ignore[return-value]

    def op(self, op_type: str, *inputs: Any, outputs: int = 1, **attrs: Any) -> Any:
        """See `GraphWriter.op`; inputs may be values of the Program."""
        return super().op(op_type, *map(self.name, inputs), outputs=outputs, **attrs)

    def refuse(self, why: str, opset: int = 0) -> NoReturn:
        """Say why the current operator can't be written."""
        self.refusals.append(Unwritable(self._name, self._site, why, opset))
        raise Refused

    def need(self, opset: int, what: str) -> None:
        """Refuse where the file is of an older opset."""
        if self.opset < opset:
            self.refuse(f"{what} is there from opset {opset} on", opset)

    def scalar(self, value: Any, dtype: DType) -> str:
        """Return a 0-D constant."""
        return self.const(np.asarray(value).astype(dtype.np))

    def as_dtype(self, value: Any, dtype: DType, spec: TensorSpec | None = None) -> str:
        """Return a value in a dtype; ``spec`` is the spec of the value, which is needed for a name."""
        spec = value.spec if spec is None else spec
        name = self.name(value)
        return name if spec.dtype is dtype else self.cast(name, dtype)

    def as_wider(self, value: Any, *narrow: str) -> str:
        """Return a value in the dtype in which runtimes compute with it: small integers and booleans as int32."""
        return self.as_dtype(value, self.wider(value.spec.dtype, *narrow))

    @staticmethod
    def wider(dtype: DType, *supported: str) -> DType:
        """Return the dtype in which runtimes compute with numbers of ``dtype``."""
        return int32 if dtype.name in _NARROW and dtype.name not in supported else dtype

    def computed(self, op_type: str, op: Op, *inputs: Any, **attrs: Any) -> str:
        """A node whose inputs and result have the dtype of the operator's result, in a dtype that runtimes compute with."""
        dtype = op.out.spec.dtype
        compute_dtype = self.wider(dtype)
        result = self.op(op_type, *(self.as_dtype(x, compute_dtype) for x in inputs), **attrs)
        return result if compute_dtype is dtype else self.cast(result, dtype)

    def sizes(self, var: Var) -> str:
        """The shape of a value: int64 [rank]."""
        spec = var.spec
        if spec.is_static:
            return self.ints(spec.shape)
        return self.op("Shape", var)

    def size(self, var: Var, axis: int) -> str:
        """One dimension of a value: int64 [1]."""
        axis %= var.spec.ndim
        if var.spec.shape[axis] != UNKNOWN:
            return self.ints([var.spec.shape[axis]])
        shape = self.op("Shape", var)
        size: str = self.op("Gather", shape, self.ints([axis]), axis=0)
        self.single.add(size)
        return size

    def whole_number(self, value: Any) -> str:
        """An integer of one element as int64 [1]."""
        name = self.as_dtype(value, int64)
        source = self.producers.get(name)
        if source is not None and source.op_type == "Squeeze" and source.inputs[0] in self.single:
            return source.inputs[0]
        return self.reshape(name, [1]) if value.spec.shape != (1,) else name

    def dims(self, sizes: Iterable[int], tensors: Iterable[Any], hole: int) -> str:
        """A shape of which some dimensions (``hole``) are values: int64 [rank]."""
        values = iter(tensors)
        parts: list[Any] = []
        for size in sizes:
            if size == hole:
                parts.append(self.whole_number(next(values)))
            elif parts and isinstance(parts[-1], list):
                parts[-1].append(size)
            else:
                parts.append([size])
        return self.concat([self.ints(part) if isinstance(part, list) else part for part in parts]) if parts else self.ints([])

    def is_read(self, var: Var) -> bool:
        """True if an operator or a result of its block reads a value."""
        block = var.block
        if block is None:
            return False
        if block not in self._reads:
            self._reads[block] = {v for op in block.ops for v in op.operands()}.union(block.results)
        return var in self._reads[block]

    def written_as(self, function: Callable[..., Any], *inputs: Any, **attrs: Any) -> list[str]:
        """The results of a composition of other operators: a function of handles, called while a Program is built."""
        block = recorded(function, inputs, attrs)
        self.block(block)
        return [self.names[var] for var in block.results]

    def as_composition(self, op: Op) -> list[str]:
        """The results of an operator's composition. Refuses an operator that has none."""
        composition = COMPOSITIONS.get(op.name) or op.opdef.composition_rule
        if composition is None:
            self.refuse(WITHOUT.get(op.name, "ONNX has no such operator, and none that it could be made of"))
        return self.written_as(composition, *op.inputs, **op.attrs)

    # the parts of a program ------------------------------------------------------------------------------------------------

    def block(self, block: Block) -> None:
        """Write the operators of a block into the current graph."""
        outer = self.current, self._site, self._name
        for op in block.ops:
            self.current = op
            if op.site is not None or not self._name:
                self._site, self._name = op.site, op.name
            try:
                self._write(op)
            except Refused:
                for var in op.outputs:
                    self.names[var] = self.unique_name("refused")
            self.current, self._site, self._name = outer

    def _write(self, op: Op) -> None:
        if "effect" in op.opdef.traits and not op.outputs:
            return  # print and assert, which files never have
        hook = WRITERS.get(op.name)
        try:
            results = self.as_composition(op) if hook is None else hook(self, op)
        except ToStaticError as error:  # a composition that this call does not allow
            self.refuse(f"it can't be written for these inputs: {error}")
        names = [results] if isinstance(results, str) else list(results)
        for var, name in zip(op.outputs, names, strict=False):
            self.bind(var, name)

    def bind(self, var: Var, name: str | None) -> None:
        """Say which name a value of the Program has."""
        if name is None:
            return
        self.names[var] = name
        self.specs.setdefault(name, var.spec)
        if name in self.graph.outputs_of_nodes:
            self.rename(name, var.name)

    def written(self, names: Sequence[str] | None = None) -> WrittenGraph:
        """Write everything; ``names`` are those of the outputs. Raises FormatError that lists all operators without a form."""
        program = self.program
        inputs = []
        for i, var in enumerate(program.feeds):
            name = self.names[var] = self.claim(var.name, f"input_{i}")
            self.specs[name] = var.spec
            self.graph.inputs.append((name, var.spec))
            inputs.append(name)
        for var in program.params:
            self.names[var] = self.param(backend.backend_of(var.holder._array).to_numpy(var.holder._array), var.name)
        self.block(program.block)
        if program.state:
            names_text = ", ".join(printable(var.name or "?") for var in program.state[:5])
            self.refusals.append(Unwritable("state", None, f"a run changes {names_text}, and ONNX models have no state"))
        if self.refusals:
            raise NoForm(self.path, self.opset, self.refusals)
        wanted: Sequence[str | None] = names or program.output_names or [None] * len(program.outputs)  # type: ignore[list-item]
        outputs = []
        for i, (var, label) in enumerate(zip(program.outputs, wanted, strict=True)):
            self.result(self.names[var], var.spec)
            name = self.graph.results[-1][0]
            self.rename(name, label or f"output_{i}")
            outputs.append(self.final(name))
        return WrittenGraph(self, inputs, outputs)


WITHOUT = {
    "sequence_rows": "it belongs to sequences of different lengths (LoD): let the Program take padded sequences and their lengths",
    "crf_path": "ONNX has no search for the best path of tags, and a loop for it would need sequences of one length",
    "py_func": "it is a Python function, and files hold no code",
    "python": "it computes with numbers as Python's own operators and `math` do: use tensors",
    "python_order": "it sorts numbers as Python's `sorted()` does: use `paddle.sort`",
    "list_find": "it looks up what is in a dict or set, or a list, whose contents tensors decide",
    "write": "it writes text to a log or stream",
    "eig": "ONNX has no decompositions of matrices",
    "eigh": "ONNX has no decompositions of matrices",
    "eigvals": "ONNX has no decompositions of matrices",
    "svd": "ONNX has no decompositions of matrices",
    "qr": "ONNX has no decompositions of matrices",
    "lu": "ONNX has no decompositions of matrices",
    "lstsq": "ONNX has no decompositions of matrices",
    "cholesky": "ONNX has no decompositions of matrices",
    "matrix_rank": "ONNX has no decompositions of matrices",
}


class NoForm(FormatError):
    """The error for a Program with operators that the file cannot hold.

    ``opset``: the first one that can hold all; 0 if none can.
    """

    def __init__(self, path: object, opset: int, refusals: list[Unwritable]) -> None:
        lines: dict[str, None] = {}
        for item in refusals:
            where = f" at {item.site}" if item.site is not None else ""
            lines[f"{item.name!r}{where}: {item.why}"] = None
        refused = "\n  ".join(["", *lines]) if len(lines) > 1 else next(iter(lines))
        super().__init__(path, f"operators that ONNX (opset {opset}) can say", refused)
        self.opset = max(item.opset for item in refusals) if all(item.opset for item in refusals) else 0


def function(name: str) -> Any:
    """A public function of operators, by name."""
    return FUNCTIONS[name]
