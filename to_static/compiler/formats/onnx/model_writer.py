"""`write_model` writes a Program as an ONNX file, with the weights in a second file if one cannot hold them."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from to_static.compiler.formats.atomic_write import writing_all
from to_static.compiler.formats.onnx import operators as operators  # they fill the tables
from to_static.compiler.formats.onnx import schema
from to_static.compiler.formats.onnx.graph_writer import OnnxNode, Subgraph, live_nodes
from to_static.compiler.formats.onnx.program_writer import HIGHEST, LOWEST, NoForm, OnnxWriter, WrittenGraph
from to_static.compiler.formats.onnx.simplify import simplify
from to_static.compiler.formats.protobuf.framing import field_header
from to_static.compiler.ir.program import Program
from to_static.compiler.ir.spec import UNKNOWN, ListSpec

LARGEST = (1 << 31) - (1 << 26)  # bytes of a message: protobuf's bound, with some room
SMALLEST = 1024  # bytes of an array that goes to the file of weights
USUAL = 17  # the opset of files for which no other is asked
_IR = {11: 6, 12: 7, 13: 7, 14: 7, 15: 8, 16: 8, 17: 8, 18: 8, 19: 9, 20: 9, 21: 10, 22: 10, 23: 11}  # version of the format
_GRAPH, _INITIALIZER, _RAW_DATA = 7, 5, 9  # fields of ModelProto, GraphProto and TensorProto
_ALIGNMENT = 4096  # of arrays in a file of weights, so that they can be mapped


class OnnxSettings(NamedTuple):
    """Settings for writing models.

    ``opset``: 11 to 23; None: 17, or the first later one that has all operators. ``dynamic``: names of dimensions of inputs and
    outputs that are not known, by the value's name and the dimension; others are called ``NAME_dim_0``. ``external``: whether
    weights go to ``PATH.data``; None: where they have more bytes than one file can hold. ``outputs``: names of the outputs.
    """

    opset: int | None = None
    dynamic: Mapping[str, Mapping[int, str]] = {}
    external: bool | None = None
    outputs: Sequence[str] | None = None


class SerializedModel(NamedTuple):
    """A serialized model, and the weights in its second file: arrays with their offsets.

    ``content``: the pieces of the file in order, bytes and arrays. So weights are written without a copy in a message.
    """

    path: str
    content: list[bytes | np.ndarray]
    weights: list[tuple[int, np.ndarray]]
    opset: int

    @property
    def data(self) -> str:
        """The file of the weights."""
        return f"{self.path}.data"


def write_model(program: Program, path: str | os.PathLike[str], settings: OnnxSettings | None = None) -> int:
    """Write ``program`` to ``path``; returns the opset.

    Raises FormatError that lists every operator that has no form, with its line; ValueError for another opset.
    """
    model = serialized(program, os.fspath(path), settings or OnnxSettings())
    write_serialized([model])
    return model.opset


def write_serialized(models: Sequence[SerializedModel], stale: Sequence[str] = ()) -> list[str]:
    """Write models, all of them at once; returns the paths. ``stale`` are files that are removed in the same step."""
    paths = [path for model in models for path in ([model.path, model.data] if model.weights else [model.path])]
    old = [model.data for model in models if not model.weights and os.path.isfile(model.data)]
    with writing_all(paths, [*stale, *old]) as files:
        targets = iter(files)
        for model in models:
            main_file = next(targets)
            for piece in model.content:
                main_file.write(piece if isinstance(piece, bytes) else _bytes_of(piece))
            if model.weights:
                file = next(targets)
                for start, array in model.weights:
                    file.write(bytes(start - file.tell()))
                    file.write(_bytes_of(array))
    return paths


def serialized(program: Program, target: str, settings: OnnxSettings) -> SerializedModel:
    """A model that is to be in the file ``target``; see `write_model`."""
    written, opset = _written(program, target, settings.opset, settings.outputs)
    writer = written.writer
    simplify(writer)
    live_nodes(writer.main)
    used = _names_read(writer.main)
    constants = {name: array for name, array in writer.constants.items() if name in used}
    total = sum(array.nbytes for array in constants.values())
    external = total > LARGEST if settings.external is None else settings.external
    location = os.path.basename(f"{target}.data")
    weights: list[tuple[int, np.ndarray]] = []
    tensors: list[bytes | np.ndarray] = []
    end = 0
    for name, array in constants.items():
        if external and array.nbytes > SMALLEST:
            end += -end % _ALIGNMENT
            content = _external(writer.final(name), array, location, end).SerializeToString(deterministic=True)
            tensors.append(field_header(_INITIALIZER, len(content)) + content)
            weights.append((end, array))
            end += array.nbytes
        else:
            tensors += _initializer(array, writer.final(name))
    model = schema.new(
        "ModelProto",
        ir_version=_IR[opset],
        producer_name="to_static",
        opset_import=[schema.new("OperatorSetIdProto", domain="", version=opset)],
    )
    graph = _graph(writer, writer.main, _Dimensions(settings.dynamic)).SerializeToString(deterministic=True)
    size = len(graph) + sum(len(piece) if isinstance(piece, bytes) else piece.nbytes for piece in tensors)
    head = model.SerializeToString(deterministic=True) + field_header(_GRAPH, size) + graph
    return SerializedModel(target, [head, *tensors], weights, opset)


def _written(program: Program, path: str, opset: int | None, outputs: Sequence[str] | None) -> tuple[WrittenGraph, int]:
    if opset is not None:
        if not LOWEST <= opset <= HIGHEST:
            raise ValueError(f"ONNX files are written with opset {LOWEST} to {HIGHEST}, got {opset}")
        return OnnxWriter(program, path, opset).written(outputs), opset
    try:
        return OnnxWriter(program, path, USUAL).written(outputs), USUAL
    except NoForm as error:
        if not error.opset:
            raise
        return OnnxWriter(program, path, error.opset).written(outputs), error.opset


def _names_read(graph: Subgraph) -> set[str]:
    names = {name for name, _ in graph.results}
    for node in graph.nodes:
        names.update(node.inputs)
        for inner in node.subgraphs():
            names |= _names_read(inner)
    return names


class _Dimensions:
    """Names of dimensions that are not known."""

    def __init__(self, dynamic: Mapping[str, Mapping[int, str]]) -> None:
        self.dynamic = dynamic

    def named(self, value: str, axis: int) -> str:
        """The name of a dimension of an input or output."""
        return str(self.dynamic.get(value, {}).get(axis) or f"{value}_dim_{axis}")


def _little(array: np.ndarray) -> np.ndarray:
    array = np.ascontiguousarray(array).reshape(array.shape)
    return array if sys.byteorder == "little" else array.astype(array.dtype.newbyteorder("<"))


def _bytes_of(array: np.ndarray) -> memoryview:
    """Return the data of an array in the byte order of files."""
    return _little(array).reshape(-1).view("uint8").data


def _initializer(array: np.ndarray, name: str) -> list[bytes | np.ndarray]:
    """The pieces of a field of a graph that is a TensorProto with these numbers."""
    head = schema.new("TensorProto", name=name, dims=list(array.shape), data_type=schema.DATA_TYPE_OF[array.dtype.name])
    content = head.SerializeToString(deterministic=True) + field_header(_RAW_DATA, array.nbytes)
    header = field_header(_INITIALIZER, len(content) + array.nbytes) + content
    return [header, array] if array.nbytes > SMALLEST else [header + bytes(_bytes_of(array))]


def tensor_message(array: np.ndarray, name: str = "") -> Any:
    """A TensorProto."""
    return schema.new(
        "TensorProto",
        name=name,
        dims=list(array.shape),
        data_type=schema.DATA_TYPE_OF[array.dtype.name],
        raw_data=_little(array).tobytes(),
    )


def _external(name: str, array: np.ndarray, location: str, start: int) -> Any:
    values = {"location": location, "offset": str(start), "length": str(array.nbytes)}
    return schema.new(
        "TensorProto",
        name=name,
        dims=list(array.shape),
        data_type=schema.DATA_TYPE_OF[array.dtype.name],
        data_location=schema.EXTERNAL,
        external_data=[schema.new("StringStringEntryProto", key=key, value=value) for key, value in values.items()],
    )


def _type(spec: Any, dimensions: Any = None) -> Any:
    """Return a TypeProto. ``dimensions`` has names of unknown dimensions; without it they have no names."""
    if isinstance(spec, ListSpec):
        element = _type(spec.element) if spec.element is not None else schema.new("TypeProto")
        return schema.new("TypeProto", sequence_type=schema.new("SequenceTypeProto", elem_type=element))
    dims = []
    for axis, size in enumerate(spec.shape):
        message = schema.new("DimensionProto")
        if size != UNKNOWN:
            message.dim_value = size
        elif dimensions is not None:
            message.dim_param = dimensions(axis)
        dims.append(message)
    shape = schema.new("TensorShapeProto", dim=dims)
    tensor = schema.new("TensorTypeProto", elem_type=schema.DATA_TYPE_OF[spec.dtype.name], shape=shape)
    return schema.new("TypeProto", tensor_type=tensor)


def _value(name: str, spec: Any, dimensions: _Dimensions | None = None) -> Any:
    names = None if dimensions is None else lambda axis: dimensions.named(name, axis)
    return schema.new("ValueInfoProto", name=name, type=_type(spec, names))


def _graph(writer: OnnxWriter, graph: Subgraph, dimensions: _Dimensions | None) -> Any:
    results = {name for name, _ in graph.results}
    infos = []
    for node in graph.nodes:
        for name in node.outputs:
            spec = writer.specs.get(name)
            if spec is not None and name not in results and not (isinstance(spec, ListSpec) and spec.element is None):
                infos.append(_value(writer.final(name), spec))
    return schema.new(
        "GraphProto",
        name=graph.name,
        node=[_node(writer, node) for node in graph.nodes],
        input=[_value(writer.final(name), spec, dimensions) for name, spec in graph.inputs],
        output=[_value(writer.final(name), spec, dimensions) for name, spec in graph.results],
        value_info=infos,
    )


def _node(writer: OnnxWriter, node: OnnxNode) -> Any:
    outputs = [writer.final(name) for name in node.outputs]
    return schema.new(
        "NodeProto",
        op_type=node.op_type,
        name=f"{node.op_type}:{outputs[0]}",
        input=[writer.final(name) for name in node.inputs],
        output=outputs,
        attribute=[_attribute(writer, name, value) for name, value in sorted(node.attrs.items())],
    )


def _attribute(writer: OnnxWriter, name: str, value: Any) -> Any:
    types = schema.ATTRIBUTE_TYPE
    if isinstance(value, Subgraph):
        return schema.new("AttributeProto", name=name, type=types["GRAPH"], g=_graph(writer, value, None))
    if isinstance(value, np.ndarray):
        return schema.new("AttributeProto", name=name, type=types["TENSOR"], t=tensor_message(value))
    if isinstance(value, str):
        return schema.new("AttributeProto", name=name, type=types["STRING"], s=value.encode())
    if isinstance(value, float):
        return schema.new("AttributeProto", name=name, type=types["FLOAT"], f=float(np.float32(value)))
    if isinstance(value, int):
        return schema.new("AttributeProto", name=name, type=types["INT"], i=value)
    if value and isinstance(value[0], str):
        return schema.new("AttributeProto", name=name, type=types["STRINGS"], strings=[item.encode() for item in value])
    if value and isinstance(value[0], float):
        return schema.new("AttributeProto", name=name, type=types["FLOATS"], floats=[float(np.float32(item)) for item in value])
    return schema.new("AttributeProto", name=name, type=types["INTS"], ints=[int(item) for item in value])
