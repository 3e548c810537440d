"""Readers of the operators of ``DynamicRNN`` in PaddlePaddle 1, which process sequences step by step, the longest first.

A rank table is the order of the sequences by length; here its value is their offsets. The rows of a step are those of the sequences
that are long enough, so states have fewer rows from step to step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from to_static.compiler.formats.paddle.operators.op_compat import reads
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.sequence import offsets as lod
from to_static.compiler.ops.sequence.sequences import rows_by

if TYPE_CHECKING:
    from to_static.compiler.formats.paddle.operators.op_reader import OpReader


@reads("lod_rank_table")
def _(r: OpReader) -> Any:
    if r.attr("level", 0):
        r.refuse("a level of offsets that is not the first")
    return {"Out": F.assign(lod.offsets_of(r.input("X"), r.type))}


@reads("max_sequence_len")
def _(r: OpReader) -> Any:
    return {"Out": _steps(r.input("RankTable")).reshape([1])}


@reads("lod_tensor_to_array")
def _(r: OpReader) -> Any:
    x, table = r.input("X"), r.input("RankTable")
    steps = _steps(table)

    def body(t: Any, items: Any) -> list[Any]:
        rows, _ = rows_by("ranked_step", [table, t.reshape([1])])
        return [t + 1, F.list_append(items, F.gather(x, rows, 0))]

    _, items = x.builder.while_loop(lambda t, items: t < steps, body, [F.full([], 0, "int64"), F.list_new([])])
    return {"Out": items}


@reads("array_to_lod_tensor")
def _(r: OpReader) -> Any:
    rows, offsets = rows_by("unranked", [r.input("RankTable")])
    return {"Out": lod.give(F.gather(F.list_concat(r.input("X"), axis=0), rows, 0), offsets, 1)}


@reads("shrink_rnn_memory")
def _(r: OpReader) -> Any:
    rows, _ = rows_by("long_enough", [r.input("RankTable"), r.input("I").astype("int64").reshape([1])])
    return {"Out": F.gather(r.input("X"), rows, 0)}


@reads("reorder_lod_tensor_by_rank")
def _(r: OpReader) -> Any:
    x = r.input("X")
    if lod.known_offsets(x.builder, x.ssa) is not None:
        r.refuse("an input with sequences of its own")
    rows, _ = rows_by("ranked", [r.input("RankTable")])
    return {"Out": F.gather(x, rows, 0)}


def _steps(table: Any) -> Any:
    lengths, _ = rows_by("lengths", [table])
    return F.max(lengths)
