"""Tables of functions of other modules that are methods of `Tensor`, and of those with an in-place form.

A row is needed if the function is no operator, or if only Paddle has it as a method.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.compiler.ir.opdef import in_place
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.tensor import Tensor, declare_method
from to_static.compiler.ops import dtype_queries
from to_static.compiler.ops.indexing import gather
from to_static.compiler.ops.indexing.where import where
from to_static.compiler.ops.linalg import decompose, matmul, solve
from to_static.compiler.ops.pointwise import compare
from to_static.compiler.ops.pointwise.scale import add_n, multiplex, nan_to_num
from to_static.compiler.ops.shapes import concat_split, diagonal, flip_roll, slice_functions
from to_static.compiler.ops.shapes.expand import broadcast_tensors
from to_static.compiler.ops.shapes.shard_index import shard_index
from to_static.core.unavailable_devices import on_gpus

_METHODS: dict[str, Callable[..., Any]] = {
    "add_n": add_n, "broadcast_shape": dtype_queries.broadcast_shape, "broadcast_tensors": broadcast_tensors,
    "concat": concat_split.concat,
    "diag_embed": diagonal.diag_embed, "diff": slice_functions.diff, "eigvalsh": decompose.eigvalsh,
    "matrix_power": solve.matrix_power,
    "multiplex": multiplex, "scatter_nd": gather.scatter_nd, "reverse": flip_roll.reverse, "shard_index": shard_index,
    "slice": slice_functions.slice, "stack": concat_split.stack, "strided_slice": slice_functions.strided_slice,
    "tensordot": slice_functions.tensordot,
}  # fmt: skip
_IN_PLACE = {
    "addmm": matmul.addmm, "equal": compare.equal, "greater_equal": compare.greater_equal, "greater_than": compare.greater_than,
    "less_equal": compare.less_equal, "less_than": compare.less_than, "nan_to_num": nan_to_num, "not_equal": compare.not_equal,
}  # fmt: skip


def where_(condition: Any, x: Tensor | None = None, y: Any = None, name: str | None = None) -> Tensor:
    """In-place form of `where`: ``x`` holds the result afterwards, and is returned.

    ``condition``: boolean; ``y`` is taken where it is False. Raises TypeError when ``x`` is no tensor.

    Example:
        >>> paddle.where_(paddle.to_tensor([True, False]), paddle.to_tensor([1, 2]), paddle.to_tensor([8, 9])).tolist()
        [1, 9]
    """
    if not isinstance(x, Tensor):
        raise TypeError(f"where_: x must be a tensor, which takes the result, got {type(x).__name__}")
    return x._become(where(condition, x, y))


def top_p_sampling(x: Tensor, ps: Any, threshold: Any = None, seed: Any = None, name: str | None = None) -> Any:
    """Raises DeviceError: there is a kernel for GPUs only, in PaddlePaddle too."""
    return on_gpus("top_p_sampling", "paddle.multinomial of the sorted probabilities")(x, ps)


declare_method("top_p_sampling", top_p_sampling, __name__)
for _name, _function in _METHODS.items():
    declare_method(_name, _function, __name__)
for _name, _function in _IN_PLACE.items():
    in_place(_function, f"{_name}_")
declare_method("where_", where_, __name__)
FUNCTIONS["where_"] = where_
