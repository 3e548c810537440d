"""Readers of graph operators: reductions of segments, and messages along edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from to_static.compiler.formats.paddle.operators.op_compat import reads
from to_static.compiler.ops import functions as F

if TYPE_CHECKING:
    from to_static.compiler.formats.paddle.operators.op_reader import OpReader
    from to_static.compiler.ir.tensor import Tensor


@reads("segment_pool")
def _(r: OpReader) -> Any:
    reduction = r.attr("pooltype", "SUM").lower()
    return {"Out": F.reduced_rows(r.type, r.input("X"), r.input("SegmentIds"), None, reduction)}


@reads("graph_send_recv")
def _(r: OpReader) -> Any:
    return _received(r, F.gather(r.input("X"), r.input("Src_index")))


@reads("graph_send_ue_recv")
def _(r: OpReader) -> Any:
    return _received(r, _message(r, F.gather(r.input("X"), r.input("Src_index")), r.input("Y")))


@reads("graph_send_uv")
def _(r: OpReader) -> Any:
    x, y = (F.gather(r.input(slot), r.input(f"{end}_index")) for slot, end in (("x", "src"), ("y", "dst")))
    return {"out": _message(r, x, y)}


def _message(r: OpReader, x: Tensor, y: Tensor) -> Any:
    return F.message(r.type, x, y, r.attr("message_op", "ADD").lower())


def _received(r: OpReader, messages: Tensor) -> Any:
    """The messages to each node, reduced; there are as many nodes as the input ``X`` has rows unless the file says otherwise."""
    rows: Any = (r.constant_integers("out_size") or [0])[0]
    if r.has("Out_size"):
        rows = r.input("Out_size").reshape([]).astype("int64")
    elif rows <= 0:
        rows = r.input("X").shape[0]
    return {"Out": F.reduced_rows(r.type, messages, r.input("Dst_index"), rows, r.attr("reduce_op", "SUM").lower())}
