"""`simplify`: fuses and removes nodes before a file is written, as runtimes and simplifiers do.

A sum after a convolution becomes its bias, and a matrix product with a sum becomes a Gemm. Sums with zeros, products with ones, and
identities whose source has no other reader are removed. So are zero initial states of recurrent layers, and changes of a shape that
the next node undoes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np

from to_static.compiler.formats.onnx.graph_writer import OnnxNode, Subgraph
from to_static.compiler.formats.onnx.program_writer import OnnxWriter
from to_static.compiler.ir.spec import TensorSpec

_CONVOLUTIONS = frozenset(("Conv", "ConvTranspose"))


def simplify(writer: OnnxWriter) -> None:
    """Fuse and remove nodes of the graph and of its subgraphs."""
    replaced: dict[str, str] = {}
    _neutral(writer, writer.main, replaced)
    if replaced:
        _replace(writer.main, replaced)
    reads: Counter[str] = Counter()
    _count(writer.main, reads)
    _graph(writer, writer.main, reads)


def _count(graph: Subgraph, reads: Counter[str]) -> None:
    """Count how often each value is read, in all graphs."""
    reads.update(name for name, _ in graph.results)
    for node in graph.nodes:
        reads.update(node.inputs)
        for inner in node.subgraphs():
            _count(inner, reads)


def _graph(writer: OnnxWriter, graph: Subgraph, reads: Counter[str]) -> None:
    sources = {name: i for i, node in enumerate(graph.nodes) for name in node.outputs}
    for i, node in enumerate(graph.nodes):
        for inner in node.subgraphs():
            _graph(writer, inner, reads)
        same_value = (
            node.inputs[0]
            if node.op_type == "Identity"
            else _without_neutral(writer, node)
            if node.op_type in _NEUTRAL
            else None
        )
        if same_value is not None and same_value in sources and reads[same_value] == 1:
            _renamed(writer, graph.nodes, sources[same_value], node._replace(inputs=(same_value,)), i)
            sources[node.outputs[0]] = sources[same_value]
            continue
        if node.op_type != "Add":
            continue
        for product, term in (node.inputs, node.inputs[::-1]):
            at = sources.get(product)
            if at is None or reads[product] != 1:
                continue
            fused = _fused(writer, graph.nodes[at], term)
            if fused is not None:
                graph.nodes[i] = fused._replace(outputs=node.outputs)
                graph.nodes[at] = OnnxNode("Nothing", (), (), {})
                sources[node.outputs[0]] = i
                break
    graph.nodes = [node for node in graph.nodes if node.op_type != "Nothing"]


def _neutral(writer: OnnxWriter, graph: Subgraph, replaced: dict[str, str]) -> None:
    """Find nodes that return an operand unchanged; ``replaced`` gets result -> operand."""
    results = {name for name, _ in graph.results}
    sources = {name: node for node in graph.nodes for name in node.outputs}
    for i, node in enumerate(graph.nodes):
        for inner in node.subgraphs():
            _neutral(writer, inner, replaced)
        if node.op_type in _RECURRENT:
            graph.nodes[i] = _without_states_of_zeros(writer, node, sources)
        elif node.op_type == "Reshape":
            graph.nodes[i] = _without_transpose(writer, node, sources)
        elif node.outputs[0] not in results:
            same_value = (
                _without_neutral(writer, node)
                if node.op_type in _NEUTRAL
                else _squeezed(writer, node, sources)
                if node.op_type == "Unsqueeze"
                else None
            )
            if same_value is not None:
                replaced[node.outputs[0]] = replaced.get(same_value, same_value)


_Sources = Mapping[str, OnnxNode]
_RECURRENT = frozenset(("LSTM", "GRU", "RNN"))
_FIRST_STATE = 5  # the input of a recurrent node that is its state at the start; an LSTM has a second one


def _without_states_of_zeros(writer: OnnxWriter, node: OnnxNode, sources: _Sources) -> OnnxNode:
    """Leave out states at the start that are zeros: a node without them starts with zeros."""
    states = node.inputs[_FIRST_STATE:]
    if not states or not all(name == "" or _is_zeros(writer, name, sources) for name in states):
        return node
    inputs = node.inputs[:_FIRST_STATE]
    while inputs and inputs[-1] == "":
        inputs = inputs[:-1]
    return node._replace(inputs=inputs)


def _is_zeros(writer: OnnxWriter, name: str, sources: _Sources) -> bool:
    array = writer.constants.get(name)
    if array is not None:
        return not array.any()
    node = sources.get(name)
    if node is None:
        return False
    if node.op_type == "Slice":
        return _is_zeros(writer, node.inputs[0], sources)
    value = node.attrs.get("value")
    return node.op_type == "ConstantOfShape" and (value is None or not np.any(value))


def _without_transpose(writer: OnnxWriter, node: OnnxNode, sources: _Sources) -> OnnxNode:
    """Remove a transpose that only moves dimensions of size 1 before a reshape."""
    transpose, shape = sources.get(node.inputs[0]), writer.constants.get(node.inputs[1])
    if transpose is None or transpose.op_type != "Transpose" or shape is None or not shape.all():
        return node
    spec = writer.specs.get(transpose.outputs[0])
    if not isinstance(spec, TensorSpec):
        return node
    long_axes = [axis for axis, size in zip(transpose.attrs["perm"], spec.shape, strict=True) if size != 1]
    return node._replace(inputs=(transpose.inputs[0], *node.inputs[1:])) if long_axes == sorted(long_axes) else node


def _squeezed(writer: OnnxWriter, node: OnnxNode, sources: _Sources) -> str | None:
    """Return the operand of a Squeeze that this Unsqueeze undoes, or None."""
    squeeze = sources.get(node.inputs[0])
    if squeeze is None or squeeze.op_type != "Squeeze":
        return None
    squeezed, unsqueezed = (_axes(writer, part) for part in (squeeze, node))
    if squeezed is None or unsqueezed is None:
        return None
    spec = writer.specs.get(squeeze.inputs[0])
    if isinstance(spec, TensorSpec):
        squeezed, unsqueezed = ([axis % spec.ndim for axis in axes] for axes in (squeezed, unsqueezed))
    elif min(*squeezed, *unsqueezed) < 0:
        return None
    return squeeze.inputs[0] if sorted(squeezed) == sorted(unsqueezed) else None


def _axes(writer: OnnxWriter, node: OnnxNode) -> list[int] | None:
    """The axes of a Squeeze or Unsqueeze: an attribute up to opset 12, then an input."""
    axes = node.attrs.get("axes") if len(node.inputs) == 1 else writer.constants.get(node.inputs[1])
    return None if axes is None else [int(axis) for axis in axes]


def _replace(graph: Subgraph, replaced: dict[str, str]) -> None:
    graph.nodes = [
        node._replace(inputs=tuple(replaced.get(name, name) for name in node.inputs))
        for node in graph.nodes
        if replaced.keys().isdisjoint(node.outputs)
    ]
    for node in graph.nodes:
        for inner in node.subgraphs():
            _replace(inner, replaced)


_NEUTRAL = {"Add": 0, "Sub": 0, "Mul": 1, "Div": 1, "And": 1, "Or": 0}


def _without_neutral(writer: OnnxWriter, node: OnnxNode) -> str | None:
    """Return the operand that a node returns unchanged (``x`` in ``x + 0``), or None."""
    spec = writer.specs.get(node.outputs[0])
    pairs = [node.inputs] if node.op_type in ("Sub", "Div") else [node.inputs, node.inputs[::-1]]
    for value, operand in pairs:
        array, value_spec = writer.constants.get(operand), writer.specs.get(value)
        if array is None or not isinstance(spec, TensorSpec) or not isinstance(value_spec, TensorSpec):
            continue
        if not (array == _NEUTRAL[node.op_type]).all():
            continue
        if spec == value_spec and (array.size == 1 or _stays(value_spec.shape, array.shape)) and array.ndim <= value_spec.ndim:
            return value
    return None


def _stays(shape: tuple[int, ...], other_shape: tuple[int, ...]) -> bool:
    """True if a shape does not change when it is broadcast with another one."""
    return all(size in (1, have) for have, size in zip(shape[::-1], other_shape[::-1], strict=False))


def _renamed(writer: OnnxWriter, nodes: list[OnnxNode], at: int, identity: OnnxNode, position: int) -> None:
    """Rename the output of the node at ``position`` to the output of the identity that follows it."""
    old, new = identity.inputs[0], identity.outputs[0]
    if old in writer.renamed and new not in writer.renamed:
        writer.renamed[new] = writer.renamed[old]
    nodes[at] = nodes[at]._replace(outputs=tuple(new if name == old else name for name in nodes[at].outputs))
    nodes[position] = OnnxNode("Nothing", (), (), {})


def _fused(writer: OnnxWriter, node: OnnxNode, term: str) -> OnnxNode | None:
    """Fuse a node with the addition that follows it. Returns the new node, or None if they cannot be fused."""
    bias = writer.constants.get(term)
    if node.op_type in _CONVOLUTIONS and len(node.inputs) == 2:
        weight = writer.constants.get(node.inputs[1])
        if bias is None or weight is None:
            return None
        count = weight.shape[0] if node.op_type == "Conv" else weight.shape[1] * node.attrs["group"]
        lead, tail = bias.shape[: -(weight.ndim - 1)], bias.shape[-(weight.ndim - 1) :]
        if bias.size != count or tail != (count, *(1,) * (weight.ndim - 2)) or any(size != 1 for size in lead):
            return None
        return node._replace(inputs=(*node.inputs, writer.const(bias.reshape(-1))))
    if node.op_type in ("MatMul", "Gemm") and len(node.inputs) == 2:
        weight = writer.constants.get(node.inputs[1])
        spec = writer.specs.get(node.inputs[0])
        if weight is None or weight.ndim != 2 or weight.dtype.kind != "f" or not isinstance(spec, TensorSpec) or spec.ndim != 2:
            return None
        width = weight.shape[0 if node.attrs.get("transB") else 1]
        if bias is None or bias.shape not in ((width,), (1, width)):
            return None
        return OnnxNode("Gemm", (*node.inputs, term), node.outputs, node.attrs)
    return None
