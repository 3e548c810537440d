"""Readers of ONNX nodes, by family; importing this fills the table of `node_view`."""

from to_static.compiler.formats.onnx.readers import (  # noqa: F401
    attention,
    control,
    indexing,
    layers,
    losses,
    pointwise,
    quantized,
    recurrent,
    reductions,
    resize,
    sequences,
    shapes,
    signals,
)
