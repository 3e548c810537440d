"""`simplify`: nodes that runtimes and simplifiers would put together are one in the file.

A sum behind a convolution is its bias, a product of matrices with a sum is a Gemm; sums with zeros, products with ones and
identities whose source nobody else reads are none.
"""

from __future__ import annotations

from collections import Counter

from to_static.compiler.formats.onnx.graph_writer import OnnxNode, Subgraph
from to_static.compiler.formats.onnx.program_writer import OnnxWriter
from to_static.compiler.ir.spec import TensorSpec

_CONVOLUTIONS = frozenset(("Conv", "ConvTranspose"))


def simplify(writer: OnnxWriter) -> None:
    """Put nodes of the graph, and of those inside, together."""
    reads: Counter[str] = Counter()
    _count(writer.main, reads)
    replaced: dict[str, str] = {}
    _neutral(writer, writer.main, replaced)
    if replaced:
        _replace(writer.main, replaced)
        reads.clear()
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
    """Find nodes that give back an operand as it is; ``replaced`` gets their results."""
    results = {name for name, _ in graph.results}
    for node in graph.nodes:
        for inner in node.subgraphs():
            _neutral(writer, inner, replaced)
        if node.op_type in _NEUTRAL and node.outputs[0] not in results:
            same_value = _without_neutral(writer, node)
            if same_value is not None:
                replaced[node.outputs[0]] = replaced.get(same_value, same_value)


def _replace(graph: Subgraph, replaced: dict[str, str]) -> None:
    graph.nodes = [
        node._replace(inputs=tuple(replaced.get(name, name) for name in node.inputs))
        for node in graph.nodes
        if replaced.keys().isdisjoint(node.outputs)
    ]
    for node in graph.nodes:
        for inner in node.subgraphs():
            _replace(inner, replaced)


_NEUTRAL = {"Add": 0, "Sub": 0, "Mul": 1, "Div": 1}


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
    """True if a shape is what it was after it is broadcast with another one."""
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
