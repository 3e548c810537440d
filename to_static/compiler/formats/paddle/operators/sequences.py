"""Readers of PaddlePaddle 1's operators on sequences of different lengths (see `ops.sequence`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.formats.paddle.operators.op_compat import reads
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.sequence import offsets as lod
from to_static.compiler.ops.sequence import recurrent, sequences
from to_static.compiler.ops.sequence.crf import crf_decoding, linear_chain_crf
from to_static.compiler.ops.sequence.sequences import rows_by

if TYPE_CHECKING:
    from to_static.compiler.formats.paddle.operators.op_reader import OpReader


# rows ----------------------------------------------------------------------------------------------------------------


@reads("sequence_pool")
def _(r: OpReader) -> Any:
    return {"Out": sequences.sequence_pool(r.input("X"), r.attr("pooltype", "AVERAGE").lower(), r.attr("pad_value", 0.0))}


@reads("sequence_softmax")
def _(r: OpReader) -> Any:
    return {"Out": sequences.sequence_softmax(r.input("X"))}


@reads("sequence_concat")
def _(r: OpReader) -> Any:
    return {"Out": sequences.sequence_concat(r.inputs("X"))}


@reads("sequence_slice")
def _(r: OpReader) -> Any:
    return {"Out": sequences.sequence_slice(r.input("X"), r.input("Offset"), r.input("Length"))}


@reads("sequence_expand")
def _(r: OpReader) -> Any:
    return {"Out": sequences.sequence_expand(r.input("X"), r.input("Y"), r.attr("ref_level", -1))}


@reads("sequence_expand_as")
def _(r: OpReader) -> Any:
    return {"Out": sequences.sequence_expand_as(r.input("X"), r.input("Y"))}


@reads("sequence_pad")
def _(r: OpReader) -> Any:
    padded, lengths = sequences.sequence_pad(r.input("X"), r.input("PadValue"), r.attr("padded_length", -1))
    return {"Out": padded, "Length": lengths}


@reads("sequence_unpad")
def _(r: OpReader) -> Any:
    return {"Out": sequences.sequence_unpad(r.input("X"), r.input("Length"))}


@reads("sequence_reshape")
def _(r: OpReader) -> Any:
    return {"Out": sequences.sequence_reshape(r.input("X"), r.attr("new_dim", 1))}


@reads("sequence_scatter")
def _(r: OpReader) -> Any:
    return {"Out": sequences.sequence_scatter(r.input("X"), r.input("Ids"), r.input("Updates"))}


@reads("sequence_enumerate")
def _(r: OpReader) -> Any:
    return {"Out": sequences.sequence_enumerate(r.input("X"), r.attr("win_size", 1), r.attr("pad_value", 0))}


@reads("sequence_erase")
def _(r: OpReader) -> Any:
    return {"Out": sequences.sequence_erase(r.input("X"), r.attr("tokens", []))}


@reads("sequence_reverse")
def _(r: OpReader) -> Any:
    return {"Y": sequences.sequence_reverse(r.input("X"))}


@reads("sequence_conv")
def _(r: OpReader) -> Any:
    if r.has("PaddingData") or r.attr("contextStride", 1) != 1:
        r.refuse("rows of padding that are trained, or a stride")
    length = r.attr("contextLength", 1)
    return {"Out": sequences.sequence_conv(r.input("X"), r.input("Filter"), r.attr("contextStart", 0), length)}


@reads("row_conv")
def _(r: OpReader) -> Any:
    x, weight = r.input("X"), r.input("Filter")
    steps = weight.spec.shape[0]
    if x.spec.ndim == 2:
        return {"Out": sequences.row_conv(x, weight, steps)}
    return {"Out": sequences.row_conv_of_batch(x, weight, steps)}


@reads("im2sequence")
def _(r: OpReader) -> Any:
    """A row for each window of an image, and a sequence for each image."""
    if r.has("Y"):
        r.refuse("sizes of images of their own")
    x, kernel = r.input("X"), r.attr("kernels", [])
    columns = F.unfold(x, kernel, r.attr("strides", [1, 1]), r.attr("paddings", [0, 0, 0, 0]))  # [N, C * kh * kw, windows]
    sizes = F.shape(columns).astype("int64")
    rows = F.transpose(columns, [0, 2, 1]).reshape([-1, x.spec.shape[1] * kernel[0] * kernel[1]])
    _, offsets = rows_by("even", [sizes[0:1], sizes[2:3]])
    return {"Out": lod.give(rows, offsets, 1)}


@reads("lod_reset")
def _(r: OpReader) -> Any:
    """The same rows with the offsets of another tensor, or those that it holds, or those of an attribute."""
    x, like = F.assign(r.input("X")), r.input("Y")
    if like is not None:
        offsets = lod.known_offsets(like.builder, like.ssa) if hasattr(like, "ssa") else None
        if offsets is None:
            _, offsets = rows_by("reset", [like.astype("int64")])
        return {"Out": lod.give(x, offsets, 1)}
    levels = F.constant(np.asarray(r.attr("target_lod", []), np.int64))
    above = lod.offsets_or_none(x)
    _, offsets = rows_by("append", [above, levels]) if r.attr("append", False) else rows_by("reset", [levels])
    return {"Out": lod.give(x, offsets, 1)}


@reads("ctc_align")
def _(r: OpReader) -> Any:
    """The labels without blanks, and without those that repeat the one before."""
    x, blank, merged = r.input("Input"), r.attr("blank", 0), r.attr("merge_repeated", True)
    if r.has("InputLength"):
        lengths = r.input("InputLength").reshape([-1]).astype("int64")
        rows, _ = rows_by("aligned", [x.astype("int64"), lengths], blank, int(merged))
        flat = sequences.gather_rows(x.reshape([-1]), rows.reshape([-1]), r.attr("padding_value", 0))
        counts = F.cast(F.sum(F.cast(rows < F.numel(x), "int64"), 1, keepdim=True), x.dtype)
        return {"Output": flat.reshape(F.shape(rows)), "OutputLength": counts}
    rows, offsets = rows_by("collapsed", [lod.offsets_of(x, "ctc_align"), x.astype("int64")], blank, int(merged))
    return {"Output": lod.give(sequences.gather_rows(x, rows, -1), offsets, lod.level_of(x))}  # a row of -1 where none remains


# recurrent networks --------------------------------------------------------------------------------------------------


@reads("gru")
def _(r: OpReader) -> Any:
    names = r.attr("gate_activation", "sigmoid"), r.attr("activation", "tanh")
    reverse, origin = r.attr("is_reverse", False), r.attr("origin_mode", False)
    hidden = recurrent.sequence_gru(r.input("Input"), r.input("Weight"), r.input("Bias"), r.input("H0"), reverse, *names, origin)
    return {"Hidden": hidden}


@reads("lstm")
def _(r: OpReader) -> Any:
    first, reverse, peepholes = (r.input("H0"), r.input("C0")), r.attr("is_reverse", False), r.attr("use_peepholes", True)
    names = [r.attr(f"{name}_activation", default) for name, default in recurrent.LSTM_ACTIVATIONS]
    hidden, cells = recurrent.sequence_lstm(
        r.input("Input"), r.input("Weight"), r.input("Bias"), first, reverse, peepholes, *names
    )
    return {"Hidden": hidden, "Cell": cells}


@reads("lstmp")
def _(r: OpReader) -> Any:
    projection = recurrent.Projection(
        r.input("ProjWeight"), r.attr("proj_activation", "tanh"), r.attr("cell_clip", 0.0), r.attr("proj_clip", 0.0)
    )
    first, reverse, peepholes = (r.input("H0"), r.input("C0")), r.attr("is_reverse", False), r.attr("use_peepholes", True)
    gate, cell, candidate = (r.attr(f"{name}_activation", default) for name, default in recurrent.LSTM_ACTIVATIONS)
    bias = r.input("Bias")
    states, cells = recurrent.sequence_lstm(
        r.input("Input"), r.input("Weight"), bias, first, reverse, peepholes, gate, cell, candidate, projection
    )
    return {"Projection": states, "Cell": cells}


_BY_NUMBER = ("identity", "sigmoid", "tanh", "relu")


@reads("gru_unit")
def _(r: OpReader) -> Any:
    x, state = r.input("Input"), r.input("HiddenPrev")
    if r.has("Bias"):
        x = x + r.input("Bias").reshape([-1])
    gate, candidate = (
        recurrent.activation(_BY_NUMBER[r.attr(name, default) % len(_BY_NUMBER)])
        for name, default in (("gate_activation", 1), ("activation", 2))
    )
    step = recurrent.gru_step(state.spec.shape[-1], r.input("Weight"), gate, candidate, r.attr("origin_mode", False))
    gates, reset, hidden = step(x, state)
    return {"Gate": gates, "ResetHiddenPrev": reset, "Hidden": hidden}


@reads("lstm_unit")
def _(r: OpReader) -> Any:
    cells, hidden = recurrent.lstm_unit(r.input("X"), r.input("C_prev"), r.attr("forget_bias", 0.0))
    return {"C": cells, "H": hidden}


# tags ----------------------------------------------------------------------------------------------------------------


@reads("crf_decoding")
def _(r: OpReader) -> Any:
    path = crf_decoding(r.input("Emission"), r.input("Transition"), r.input("Label"), r.input("Length"))
    return {"ViterbiPath": path}


@reads("linear_chain_crf")
def _(r: OpReader) -> Any:
    loss = linear_chain_crf(r.input("Emission"), r.input("Transition"), r.input("Label"), r.input("Length"))
    return {"LogLikelihood": loss}
