"""`OnnxModel`: a model that was read from an ONNX file and checked."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import IO, Any

import numpy as np

from to_static.compiler.formats.onnx import readers as readers  # they fill the table
from to_static.compiler.formats.onnx import schema
from to_static.compiler.formats.onnx.graph_reader import (
    NEWEST,
    GraphReader,
    count_nodes,
    graphs_inside,
    graphs_of,
    read_graph,
)
from to_static.compiler.formats.onnx.node_view import DOMAINS, reader_of
from to_static.compiler.formats.onnx.tensors import array_of
from to_static.compiler.formats.regular_files import read_all
from to_static.compiler.formats.stored_model import StoredModel
from to_static.compiler.ir.program import Program
from to_static.core.diagnostics.printable import printable
from to_static.core.errors import FormatError

OLDEST = 7
MAX_NODES = 200_000
MAX_NESTING, MAX_LOOPS = 48, 8  # graphs in graphs; a loop is traced a few times, so loops in loops multiply
_LOOPS = frozenset(("Loop", "Scan"))
# inputs that are settings, or statistics: no training changes them
_SETTINGS = {
    "BatchNormalization": (3, 4), "Resize": (1, 2, 3), "Upsample": (1,), "Clip": (1, 2), "Pad": (1, 2), "Range": (0, 1, 2),
    "QuantizeLinear": (1, 2), "DequantizeLinear": (1, 2), "QLinearConv": (1, 2, 4, 5, 6, 7), "QLinearMatMul": (1, 2, 4, 5, 6, 7),
    "OneHot": (1, 2), "NonMaxSuppression": (2, 3, 4),
}  # fmt: skip


def parse_model(data: bytes, path: object) -> Any:
    """The checked ModelProto message in ``data``; raises FormatError."""
    if not data:
        raise FormatError(path, "a model of ONNX", "an empty file", 0)
    model = schema.parse("ModelProto", data, path)
    if "graph" not in vars(model) or not model.graph.output:
        raise FormatError(path, "a model of ONNX with a graph that has outputs", "none")
    count = count_nodes(model.graph) + sum(len(function.node) for function in model.functions)
    if count > MAX_NODES:
        raise FormatError(path, f"at most {MAX_NODES} nodes in a model", str(count))
    _check_nesting(model.graph, path, 0, 0)
    version = opset_of(model)
    if not OLDEST <= version <= NEWEST + 10:
        raise FormatError(path, f"a model of opset {OLDEST} to {NEWEST}", f"opset {version}")
    return model


def opset_of(model: Any) -> int:
    """The version of the operators of a model."""
    return max((item.version for item in model.opset_import if item.domain in DOMAINS), default=1)


def _check_nesting(graph: Any, path: object, depth: int, loops: int) -> None:
    if depth > MAX_NESTING or loops > MAX_LOOPS:
        raise FormatError(path, f"at most {MAX_NESTING} graphs and {MAX_LOOPS} loops inside each other", "more")
    for node in graph.node:
        for inner in graphs_of(node):
            _check_nesting(inner, path, depth + 1, loops + (node.op_type in _LOOPS))


def check_operators(model: Any, path: object) -> None:
    """Raise FormatError that lists all operators that are not supported, with how often they stand in the file."""
    local_functions = {(function.domain, function.name) for function in model.functions}
    missing: dict[str, int] = {}
    outermost = [model.graph, *model.functions]
    for graph in (*outermost, *(inner for outer in outermost for inner in graphs_inside(outer))):
        for node in graph.node:
            if reader_of(node.domain, node.op_type) is None and (node.domain, node.op_type) not in local_functions:
                label = f"{node.domain}.{node.op_type}".lstrip(".")
                missing[label] = missing.get(label, 0) + 1
    if missing:
        listed = ", ".join(f"{printable(label)} ({count} times)" for label, count in sorted(missing.items()))
        raise FormatError(path, "operators of ONNX that are supported", listed)


class OnnxModel(StoredModel):
    """A model of an ONNX file. ``fixed``: inputs that always have the same numbers, by name."""

    def __init__(self, path: str, file: IO[bytes], fixed: Mapping[str, np.ndarray] | None = None) -> None:
        self.path = path
        self.info = None
        self.folder = os.path.dirname(os.path.abspath(path)) if os.path.isfile(path) else None
        self.model = parse_model(read_all(file, path), path)
        self.fixed = dict(fixed or {})
        check_operators(self.model, path)
        graph = self.model.graph
        weights = {message.name: array_of(message, path, self.folder) for message in graph.initializer}
        vars(graph)["initializer"] = []  # the numbers are there once
        settings = _names_of_settings(graph)
        self.arrays = {
            name: array for name, array in weights.items() if array.dtype.kind == "f" and array.size > 1 and name not in settings
        }
        self.constants = {name: array for name, array in weights.items() if name not in self.arrays}

    def with_fixed(self, fixed: Mapping[str, Any]) -> OnnxModel:
        """The model with inputs that always have these numbers. Raises ValueError for a name that no input has."""
        inputs = [value.name for value in self.model.graph.input]
        unknown = [name for name in fixed if name not in inputs]
        if unknown:
            listed = ", ".join(map(printable, inputs))
            raise ValueError(f"{printable(self.path)} has no input {printable(unknown[0])!r}; its inputs: {listed}")
        copied: OnnxModel = object.__new__(OnnxModel)
        copied.__dict__.update(self.__dict__, fixed={name: np.asarray(value) for name, value in fixed.items()})
        return copied

    def program(
        self, arrays: dict[str, Any] | None = None, shapes: Mapping[str, Sequence[int]] | None = None, named: bool = False
    ) -> Program:
        """See `StoredModel.program`."""
        holders = {**self.arrays, **(arrays or {})}
        functions = {(function.domain, function.name): function for function in self.model.functions}
        weights = {**self.constants, **holders}
        reader = GraphReader(self.model, self.path, self.folder, weights, opset_of(self.model), functions)
        reader.trainable = {name for name in holders if name not in self.constants}
        return read_graph(reader, shapes, self.fixed, named)


def _names_of_settings(graph: Any) -> set[str]:
    """Initializers that some node reads as a setting."""
    names: set[str] = set()
    for node in graph.node:
        positions = _SETTINGS.get(node.op_type, ())
        names.update(name for i, name in enumerate(node.input) if i in positions)
    return names
