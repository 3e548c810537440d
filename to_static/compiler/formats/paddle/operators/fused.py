"""Readers of operators that Paddle's optimizer fuses: each is read as the operators that it replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from to_static.compiler.formats.paddle.operators.call_by_type import call
from to_static.compiler.formats.paddle.operators.op_compat import ELEMENTWISE, reads
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.sequence import offsets as lod
from to_static.compiler.ops.sequence import recurrent, sequences

if TYPE_CHECKING:
    from to_static.compiler.formats.paddle.operators.op_reader import OpReader
    from to_static.compiler.ir.tensor import Tensor

# attributes of activations that have others than `fuse_alpha` and `fuse_beta`
_ALPHA = {
    "leaky_relu": ("alpha",), "swish": ("beta",), "hard_sigmoid": ("slope", "offset"), "clip": ("min", "max"), "elu": ("alpha",),
}  # fmt: skip
_SPELLED = {"gelu_tanh": ("gelu", {"approximate": True}), "gelu_erf": ("gelu", {"approximate": False}), "linear": ("", {})}


def activated(x: Tensor, name: str, alpha: float = 0.0, beta: float = 0.0) -> Any:
    """The activation of that name; an empty one and 'identity' change nothing."""
    name, attrs = _SPELLED.get(name, (name, {}))
    if name in ("", "identity"):
        return x
    names = _ALPHA.get(name, ())
    return call(name, {"X": x}, {**attrs, **dict(zip(names, (alpha, beta), strict=False))})["Out"]


def _finished(r: OpReader, x: Tensor, name: str = "fuse_activation") -> Any:
    return activated(x, r.attr(name, ""), r.attr("fuse_alpha", 0.0), r.attr("fuse_beta", 0.0))


def _product(x: Tensor, weight: Tensor, bias: Tensor | None, columns: int) -> Any:
    out = call("mul", {"X": x, "Y": weight}, {"x_num_col_dims": columns})["Out"]
    return out if bias is None else out + F.reshape(bias, [-1])


def _normalized(x: Tensor, scale: Tensor | None, bias: Tensor | None, first: int, epsilon: float) -> Any:
    return call("layer_norm", {"X": x, "Scale": scale, "Bias": bias}, {"begin_norm_axis": first, "epsilon": epsilon})["Y"]


# products and convolutions -------------------------------------------------------------------------------------------


@reads("fc")
def _(r: OpReader) -> Any:
    weight = r.input("W")
    if r.attr("padding_weights", False):  # by 4 rows and columns, for the cache
        weight = weight[:-4, :-4]
    columns = r.attr("in_num_col_dims", 1)
    out = _product(r.input("Input"), weight, r.input("Bias"), columns)
    return {"Out": activated(out, r.attr("activation_type", ""))}


@reads("fusion_repeated_fc_relu")
def _(r: OpReader) -> Any:
    x = r.input("X")
    for weight, bias in zip(r.inputs("W"), r.inputs("Bias"), strict=True):
        x = F.relu(_product(x, weight, bias, 1))
    return {"Out": x}


@reads("fused_conv2d", "fused_conv3d", "conv2d_fusion", "fused_conv2d_add_act")
def _(r: OpReader) -> Any:
    operation = "conv3d" if r.type == "fused_conv3d" else "conv2d"
    names = ("strides", "paddings", "dilations", "groups", "padding_algorithm", "data_format")
    attrs = {name: r.attrs[name] for name in names if name in r.attrs}
    out = call(operation, {"Input": r.input("Input"), "Filter": r.input("Filter")}, attrs)["Output"]
    if r.has("Bias"):
        bias_shape = [1] * out.spec.ndim
        bias_shape[-1 if r.attr("data_format", "NCHW")[-1] == "C" else 1] = -1
        out = out + F.reshape(r.input("Bias"), bias_shape)
    if r.has("ResidualData"):
        out = out + r.input("ResidualData")
    by_onednn = r.type in ("fused_conv2d", "fused_conv3d")
    out = _finished(r, out) if by_onednn else activated(out, r.attr("activation", "relu"), r.attr("fuse_alpha", 0.0))
    pieces = r.attr("split_channels", [])
    return {"Output": out, "Outputs": list(F.split(out, pieces, 1))} if pieces else {"Output": out}


@reads("fused_matmul")
def _(r: OpReader) -> Any:
    x, y = (_reshaped_and_transposed(r, r.input(slot), slot) for slot in ("X", "Y"))
    out = F.matmul(x, y, r.attr("trans_x", False), r.attr("trans_y", False)) * r.attr("matmul_alpha", 1.0)
    if r.has("ResidualData"):
        out = out + r.input("ResidualData")
    return {"Out": _reshaped_and_transposed(r, _finished(r, out), "Out")}


def _reshaped_and_transposed(r: OpReader, x: Tensor, slot: str) -> Any:
    """Apply the reshape and transpose that a fused operator does to an operand or its result."""
    shape, axes = r.attr(f"fused_reshape_{slot}", []), r.attr(f"fused_transpose_{slot}", [])
    if slot == "Out":  # the result is transposed first, an operand is reshaped first
        x = F.transpose(x, axes) if axes else x
        return F.reshape(x, shape) if shape else x
    x = F.reshape(x, shape) if shape else x
    return F.transpose(x, axes) if axes else x


@reads("fusion_squared_mat_sub")
def _(r: OpReader) -> Any:
    x, y = r.input("X"), r.input("Y")
    squares = F.square(x), F.square(y), F.square(F.matmul(x, y))
    out = (squares[2] - F.matmul(squares[0], squares[1])) * r.attr("scalar", 1.0)
    return {"SquaredX": squares[0], "SquaredY": squares[1], "SquaredXY": squares[2], "Out": out}


# elementwise ---------------------------------------------------------------------------------------------------------


@reads(*(f"fused_elementwise_{name}" for name in ("add", "sub", "mul", "div")))
def _(r: OpReader) -> Any:
    operation = r.type.removeprefix("fused_")
    return {"Out": _finished(r, call(operation, {"X": r.input("X"), "Y": r.input("Y")}, {"axis": r.attr("axis", -1)})["Out"])}


@reads("fused_elemwise_activation", "fused_elemwise_add_activation")
def _(r: OpReader) -> Any:
    """Two functions: the first is that of the second's result. A binary one that comes first has that as its second operand."""
    functors = r.attr("functor_list", [])
    if len(functors) != 2:
        r.refuse(f"functor_list = {functors!r}, where there are two")
    outer, inner = functors
    x, y, axis = r.input("X"), r.input("Y"), {"axis": r.attr("axis", -1)}
    if outer.removeprefix("elementwise_") in ELEMENTWISE:
        between = _unary(r, inner, y)
        return {"Out": call(outer, {"X": x, "Y": between}, axis)["Out"], "IntermediateOut": between}
    between = call(inner, {"X": x, "Y": y}, axis)["Out"]
    return {"Out": _unary(r, outer, between), "IntermediateOut": between}


def _unary(r: OpReader, name: str, x: Tensor) -> Any:
    return x * r.attr("scale", 0.0) if name == "scale" else activated(x, name)


@reads("fused_softplus")
def _(r: OpReader) -> Any:
    return {"Out": _finished(r, F.softplus(r.input("X"), r.attr("beta", 1.0), r.attr("threshold", 20.0)))}


@reads("fused_transpose")
def _(r: OpReader) -> Any:
    x = r.input("X")
    squeezed, unsqueezed, shape = (r.attr(f"fused_{name}", []) for name in ("squeeze2_axes", "unsqueeze2_axes", "reshape2_shape"))
    out = F.transpose(F.squeeze(x, squeezed) if squeezed else x, r.attr("axis", []))
    out = F.unsqueeze(out, unsqueezed) if unsqueezed else out
    return {"Out": F.reshape(out, shape) if shape else out}


@reads("fusion_transpose_flatten_concat")
def _(r: OpReader) -> Any:
    axes, first = r.attr("trans_axis", []), r.attr("flatten_axis", 1)
    parts = [call("flatten2", {"X": F.transpose(x, axes)}, {"axis": first})["Out"] for x in r.inputs("X")]
    return {"Out": F.concat(parts, r.attr("concat_axis", 1))}


@reads("fused_dropout_add")
def _(r: OpReader) -> Any:
    attrs = {"dropout_prob": r.attr("p", 0.5), "dropout_implementation": r.attr("mode", "downgrade_in_infer")}
    dropped = call("dropout", {"X": r.input("x")}, {**attrs, "is_test": r.attr("is_test", False)})["Out"]
    return {"out": dropped + r.input("y")}


# attention and its norms ---------------------------------------------------------------------------------------------


@reads("skip_layernorm")
def _(r: OpReader) -> Any:
    x = r.input("X") + r.input("Y")
    first = r.attr("begin_norm_axis", x.spec.ndim - 1)
    return {"Out": _normalized(x, r.input("Scale"), r.input("Bias"), first, r.attr("epsilon", 1e-5))}


@reads("fused_fc_elementwise_layernorm")
def _(r: OpReader) -> Any:
    x = _product(r.input("X"), r.input("W"), r.input("Bias0"), r.attr("x_num_col_dims", 1))
    x = activated(x, r.attr("activation_type", ""))
    first = r.attr("begin_norm_axis", 1)
    out = _normalized(x + r.input("Y"), r.input("Scale"), r.input("Bias1"), first, r.attr("epsilon", 1e-5))
    return {"Out": out}


@reads("fused_embedding_eltwise_layernorm")
def _(r: OpReader) -> Any:
    total: Any = None
    for ids, table in zip(r.inputs("Ids"), r.inputs("Embs"), strict=True):
        ids = F.squeeze(ids, [-1]) if ids.spec.ndim == 3 and ids.spec.shape[-1] == 1 else ids
        rows = F.embedding(ids, table)
        total = rows if total is None else total + rows
    out = _normalized(total, r.input("Scale"), r.input("Bias"), total.spec.ndim - 1, r.attr("epsilon", 1e-5))
    return {"Out": out}


@reads("fused_bias_dropout_residual_layer_norm")
def _(r: OpReader) -> Any:
    x = r.input("X") + r.input("Bias") if r.has("Bias") else r.input("X")
    attrs = {"dropout_prob": r.attr("dropout_rate", 0.5), "is_test": r.attr("is_test", False)}
    attrs["dropout_implementation"] = r.attr("dropout_implementation", "downgrade_in_infer")
    total = call("dropout", {"X": x}, attrs)["Out"] + r.input("Residual")
    out = _normalized(total, r.input("LnScale"), r.input("LnBias"), total.spec.ndim - 1, r.attr("ln_epsilon", 1e-5))
    return {"Y": out, "BiasDropoutResidualOut": total}


@reads("fused_softmax_mask")
def _(r: OpReader) -> Any:
    return {"Out": F.softmax(r.input("X") + r.input("Mask"), -1)}


@reads("fused_softmax_mask_upper_triangle")
def _(r: OpReader) -> Any:
    x = r.input("X")
    hidden = F.triu(F.full(list(x.spec.shape[-2:]), -10000.0, x.dtype), 1)
    return {"Out": F.softmax(x + hidden, -1)}


@reads("multihead_matmul")
def _(r: OpReader) -> Any:
    """Self-attention from one product: ``Input`` [N, T, H], ``W`` [H, 3, heads * size], ``Bias`` [3, heads * size]."""
    x, weight, bias, heads = r.input("Input"), r.input("W"), r.input("Bias"), r.attr("head_number", 1)
    width, total = x.spec.shape[-1], weight.spec.size // 3 // x.spec.shape[-1]
    product = F.matmul(x, F.reshape(weight, [width, 3 * total])) + F.reshape(bias, [-1])
    parts = F.split(product, 3, -1)
    query, key, value = (F.transpose(F.reshape(part, [0, 0, heads, total // heads]), [0, 2, 1, 3]) for part in parts)
    scores = F.matmul(query, key, False, True) * r.attr("alpha", 1.0)
    if r.has("BiasQK"):
        scores = scores + r.input("BiasQK")
    out = F.transpose(F.matmul(F.softmax(scores, -1), value), [0, 2, 1, 3])
    return {"Out": F.reshape(out, [0, 0, total])}


@reads("self_dp_attention")
def _(r: OpReader) -> Any:
    """Attention of [N, T, 3, heads, size]; the result is [N, T, heads, size]."""
    x = r.input("X")
    query, key, value = (F.transpose(x[:, :, i], [0, 2, 1, 3]) for i in range(3))
    scores = F.softmax(F.matmul(query, key, False, True) * r.attr("alpha", 1.0), -1)
    return {"Out": F.transpose(F.matmul(scores, value), [0, 2, 1, 3])}


# sequences -----------------------------------------------------------------------------------------------------------


@reads("fusion_gru")
def _(r: OpReader) -> Any:
    x = F.matmul(r.input("X"), r.input("WeightX"))
    names, reverse = (r.attr("gate_activation", "sigmoid"), r.attr("activation", "tanh")), r.attr("is_reverse", False)
    origin, first = r.attr("origin_mode", False), r.input("H0")
    return {"Hidden": recurrent.sequence_gru(x, r.input("WeightH"), r.input("Bias"), first, reverse, *names, origin)}


def _lstm(r: OpReader, x: Tensor) -> Any:
    names = [r.attr(f"{name}_activation", default) for name, default in recurrent.LSTM_ACTIVATIONS]
    first, peepholes = (r.input("H0"), r.input("C0")), r.attr("use_peepholes", True)
    hidden, cells = recurrent.sequence_lstm(
        x, r.input("WeightH"), r.input("Bias"), first, r.attr("is_reverse", False), peepholes, *names
    )
    return {"Hidden": hidden, "Cell": cells}


@reads("fusion_lstm")
def _(r: OpReader) -> Any:
    return _lstm(r, F.matmul(r.input("X"), r.input("WeightX")))


@reads("fused_embedding_fc_lstm")
def _(r: OpReader) -> Any:
    """The rows of the table have the product and the bias in them already."""
    rows, bias = F.embedding(F.reshape(r.input("Ids"), [-1]), r.input("Embeddings")), F.reshape(r.input("Bias"), [-1])
    return _lstm(r, rows - bias[: rows.spec.shape[-1]])


@reads("fused_embedding_seq_pool")
def _(r: OpReader) -> Any:
    padding, ids = r.attr("padding_idx", -1), r.input("Ids")
    rows = F.embedding(F.reshape(ids, [-1]), r.input("W"), None if padding < 0 else padding)
    return {"Out": sequences.sequence_pool(rows, r.attr("combiner", "sum"))}


@reads("fusion_seqpool_concat")
def _(r: OpReader) -> Any:
    reduction = r.attr("pooltype", "SUM").lower()
    out = F.concat([sequences.sequence_pool(x, reduction) for x in r.inputs("X")], r.attr("axis", 1))
    _, offsets = sequences.rows_by("even", [F.shape(out)[0:1].astype("int64"), F.full([1], 1, "int64")])
    return {"Out": lod.give(out, offsets, 1)}


@reads("fusion_seqconv_eltadd_relu")
def _(r: OpReader) -> Any:
    conv = sequences.sequence_conv(r.input("X"), r.input("Filter"), r.attr("contextStart", 0), r.attr("contextLength", 1))
    return {"Out": F.relu(conv + F.reshape(r.input("Bias"), [-1]))}


@reads("fusion_seqexpand_concat_fc")
def _(r: OpReader) -> Any:
    """Rows of one tensor beside those of others, of which each sequence has one row, and a product."""
    first, *sequence_inputs = r.inputs("X")
    joined = F.concat([first, *(sequences.sequence_expand(x, first) for x in sequence_inputs)], 1)
    out = _product(joined, r.input("FCWeight"), r.input("FCBias"), 1)
    return {"Out": activated(out, r.attr("fc_activation", "identity"))}
