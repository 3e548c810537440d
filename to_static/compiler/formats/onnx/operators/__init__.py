"""Writers of operators to ONNX, by family; importing this fills the tables of `program_writer`."""

from to_static.compiler.formats.onnx.operators import (  # noqa: F401
    compositions,
    control,
    detection,
    indexing,
    layers,
    linalg,
    pointwise,
    random,
    recurrent,
    reductions,
    shapes,
)
