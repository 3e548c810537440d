"""Functions that Paddle computes in one piece on GPUs, made of ordinary operators. Their eight-bit variants are refused."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops import functions
from to_static.core.diagnostics.missing_names import names_missing
from to_static.core.errors import ModeError, ShapeError
from to_static.core.unavailable_devices import on_gpus
from to_static.nn import functional as F

__all__ = [
    "block_multihead_attention", "fused_bias_dropout_residual_layer_norm", "fused_dropout_add", "fused_ec_moe",
    "fused_feedforward", "fused_layer_norm", "fused_linear", "fused_linear_activation", "fused_matmul_bias",
    "fused_multi_head_attention", "fused_multi_transformer", "fused_rms_norm", "fused_rotary_position_embedding",
    "masked_multihead_attention", "variable_length_memory_efficient_attention",
]  # fmt: skip

block_multihead_attention = on_gpus("incubate.nn.functional.block_multihead_attention", "masked_multihead_attention, or F.softmax")
fused_ec_moe = on_gpus("incubate.nn.functional.fused_ec_moe", "matmul, an activation and paddle.topk of the gate")
fused_multi_transformer = on_gpus("incubate.nn.functional.fused_multi_transformer", "nn.TransformerEncoder")


def fused_matmul_bias(
    x: Any, y: Any, bias: Any = None, transpose_x: bool = False, transpose_y: bool = False, name: Any = None
) -> Any:
    """``matmul(x, y) + bias``.

    ``transpose_x``, ``transpose_y``: transpose the last two dimensions.

    Example:
        >>> paddle.incubate.nn.functional.fused_matmul_bias(paddle.ones([2, 3]), paddle.ones([3, 4])).shape
        [2, 4]
    """
    result = functions.matmul(x, y, transpose_x, transpose_y)
    return result if bias is None else result + bias


def fused_linear(x: Any, weight: Any, bias: Any = None, transpose_weight: bool = False, name: Any = None) -> Any:
    """``x @ weight + bias``, with the weight [in, out], or [out, in] where it is transposed.

    ``transpose_weight``: the weight is transposed.

    Example:
        >>> paddle.incubate.nn.functional.fused_linear(paddle.ones([2, 3]), paddle.ones([3, 4])).shape
        [2, 4]
    """
    return fused_matmul_bias(x, weight, bias, False, transpose_weight)


def fused_linear_activation(
    x: Any, y: Any, bias: Any, trans_x: bool = False, trans_y: bool = False, activation: str | None = None
) -> Any:
    """``activation(matmul(x, y) + bias)``, with 'gelu' (by tanh, as Paddle's kernels), 'relu', 'none' or None.

    ``trans_x``, ``trans_y``: transpose the last two dimensions. Raises ValueError for another ``activation``.

    Example:
        >>> paddle.incubate.nn.functional.fused_linear_activation(paddle.ones([2, 3]), paddle.ones([3, 4]), paddle.zeros([4])).shape
        [2, 4]
    """
    result = fused_matmul_bias(x, y, bias, trans_x, trans_y)
    if activation in (None, "none"):
        return result
    if activation not in ("gelu", "relu"):
        raise ValueError(f"fused_linear_activation: activation is 'gelu', 'relu' or 'none', got {activation!r}")
    return F.relu(result) if activation == "relu" else F.gelu(result, approximate=True)


def fused_dropout_add(
    x: Any, y: Any, p: float = 0.5, training: bool = True, mode: str = "upscale_in_train", name: Any = None
) -> Any:
    """``dropout(x) + y``.

    ``p``: the probability; ``training``, ``mode``: as for `F.dropout`.

    Example:
        >>> paddle.incubate.nn.functional.fused_dropout_add(paddle.ones([2]), paddle.ones([2]), p=0.0).tolist()
        [2.0, 2.0]
    """
    return F.dropout(x, p, training=training, mode=mode) + y


def fused_layer_norm(
    x: Any, norm_weight: Any, norm_bias: Any, epsilon: float, residual_alpha: float = 1.0, begin_norm_axis: int = 1,
    bias: Any = None, residual: Any = None, quant_scale: float = -1, quant_round_type: float = 0, quant_max_bound: float = 0,
    quant_min_bound: float = 0,
) -> Any:  # fmt: skip
    """Layer norm of ``x + bias + residual_alpha * residual`` from ``begin_norm_axis`` on; with a ``residual`` that sum, too.

    Raises ModeError for ``quant_scale`` above 0.
    ``norm_weight``, ``norm_bias``: vectors; ``epsilon``: added to the variance. ``quant_round_type``,
    ``quant_max_bound``, ``quant_min_bound``: not used.

    Example:
        >>> paddle.incubate.nn.functional.fused_layer_norm(paddle.ones([2, 4]), paddle.ones([4]), paddle.zeros([4]), 1e-5).shape
        [2, 4]
    """
    total = _summed("fused_layer_norm", x, bias, residual, residual_alpha, quant_scale)
    shape = list(total.shape[begin_norm_axis:])
    affine = [None if v is None else v.reshape(shape) for v in (norm_weight, norm_bias)]
    result = F.layer_norm(total, shape, affine[0], affine[1], epsilon)
    return result if residual is None else (result, total)


def fused_rms_norm(
    x: Any, norm_weight: Any, norm_bias: Any, epsilon: float, begin_norm_axis: int, bias: Any = None, residual: Any = None,
    quant_scale: float = -1, quant_round_type: float = 0, quant_max_bound: float = 0, quant_min_bound: float = 0,
) -> Any:  # fmt: skip
    """``x / sqrt(mean(x ** 2) + epsilon) * norm_weight + norm_bias`` over the dimensions from ``begin_norm_axis`` on.

    ``bias`` and ``residual`` are added to ``x`` before; with a ``residual`` that sum is given, too. Raises ModeError for
    ``quant_scale`` above 0.

    Source: Zhang and Sennrich, "Root Mean Square Layer Normalization", NeurIPS 2019.
    ``quant_round_type``, ``quant_max_bound``, ``quant_min_bound``: not used.

    Example:
        >>> paddle.incubate.nn.functional.fused_rms_norm(paddle.ones([2, 4]), paddle.ones([4]), paddle.zeros([4]), 1e-6, 1).shape
        [2, 4]
    """
    total = _summed("fused_rms_norm", x, bias, residual, 1.0, quant_scale)
    axes = list(range(begin_norm_axis % total.ndim, total.ndim))
    float32_total = total.astype("float32") if str(total.dtype).endswith("float16") else total
    result = (float32_total * ((float32_total * float32_total).mean(axes, keepdim=True) + epsilon).rsqrt()).astype(total.dtype)
    shape = list(total.shape[begin_norm_axis:])
    result = result * norm_weight.reshape(shape)
    if norm_bias is not None:
        result = result + norm_bias.reshape(shape)
    return result if residual is None else (result, total)


def _summed(name: str, x: Any, bias: Any, residual: Any, alpha: float, quant_scale: float) -> Any:
    if quant_scale > 0:
        raise ModeError(f"{name}: results of eight bits (quant_scale > 0) are not computed here")
    if bias is not None:
        x = x + bias
    return x if residual is None else x + alpha * residual


def fused_rotary_position_embedding(
    q: Any, k: Any = None, v: Any = None, sin: Any = None, cos: Any = None, position_ids: Any = None,
    use_neox_rotary_style: bool = True,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Queries, keys (and values) turned by angles that grow with the position.

    Args:
        q, k, v: Tensors [batch, steps, heads, width], None for what there is not.
        sin, cos: of the angles, [steps, width] or [1, steps, 1, width]; default: position / 10000 ** (2 i / width).
        position_ids: int64 Tensor [batch, steps]; default: 0, 1, 2, ...
        use_neox_rotary_style: numbers beside each other are turned together, else those of the first and the second half.

    Source: Su et al., "RoFormer", 2021.

    Raises ShapeError for an odd width.

    Example:
        >>> q, _, _ = paddle.incubate.nn.functional.fused_rotary_position_embedding(paddle.ones([1, 3, 2, 4]))
        >>> q.shape
        [1, 3, 2, 4]
    """
    steps, width = q.shape[1], q.shape[-1]
    if width % 2:
        raise ShapeError(f"fused_rotary_position_embedding: the last dimension must be even, got {width}")
    if sin is None or cos is None:
        exponents = functions.arange(0, width, 2, "float32") / width
        angles = functions.arange(0, steps, 1, "float32").unsqueeze(1) / (10000.0**exponents)
        interleaved = functions.repeat_interleave(angles, 2, 1)
        repeated = interleaved if use_neox_rotary_style else functions.concat([angles, angles], 1)
        sin, cos = repeated.sin(), repeated.cos()
    sin, cos = (t.reshape([-1, width]).astype(q.dtype) for t in (sin, cos))
    if position_ids is not None:
        sin, cos = (functions.gather(t, position_ids.reshape([-1])).reshape([*position_ids.shape, 1, width]) for t in (sin, cos))
    else:
        sin, cos = (t.reshape([1, -1, 1, width]) for t in (sin, cos))

    def rotated(x: Any) -> Any:
        if use_neox_rotary_style:
            quarter_turn = functions.stack([-x[..., 1::2], x[..., 0::2]], -1).reshape(x.shape)
        else:
            quarter_turn = functions.concat([-x[..., width // 2 :], x[..., : width // 2]], -1)
        return x * cos + quarter_turn * sin

    return rotated(q), None if k is None else rotated(k), None if v is None else rotated(v)


def fused_bias_dropout_residual_layer_norm(
    x: Any, residual: Any, bias: Any = None, ln_scale: Any = None, ln_bias: Any = None, dropout_rate: float = 0.5,
    ln_epsilon: float = 1e-5, training: bool = True, mode: str = "upscale_in_train", name: Any = None,
) -> Any:  # fmt: skip
    """``layer_norm(residual + dropout(x + bias))``.

    ``x``, ``residual``: ``[*, D]``; ``bias``, ``ln_scale``, ``ln_bias``: ``[D]`` or None; ``dropout_rate``,
    ``training``, ``mode``: of the dropout; ``ln_epsilon``: of the norm.

    Example:
        >>> y = paddle.incubate.nn.functional.fused_bias_dropout_residual_layer_norm(paddle.ones([2, 4]), paddle.ones([2, 4]))
        >>> y.shape
        [2, 4]
    """
    x = x if bias is None else x + bias
    total = residual + F.dropout(x, dropout_rate, training=training, mode=mode)
    return F.layer_norm(total, total.shape[-1:], ln_scale, ln_bias, ln_epsilon)


def fused_feedforward(
    x: Any, linear1_weight: Any, linear2_weight: Any, linear1_bias: Any = None, linear2_bias: Any = None, ln1_scale: Any = None,
    ln1_bias: Any = None, ln2_scale: Any = None, ln2_bias: Any = None, dropout1_rate: float = 0.5, dropout2_rate: float = 0.5,
    activation: str = "relu", ln1_epsilon: float = 1e-5, ln2_epsilon: float = 1e-5, pre_layer_norm: bool = False,
    training: bool = True, mode: str = "upscale_in_train", ring_id: int = -1, add_residual: bool = True, name: Any = None,
) -> Any:  # fmt: skip
    """The feed-forward part of a Transformer: linear, activation, dropout, linear, dropout, residual; a norm before or behind.

    ``x``: ``[batch, steps, D]``; ``linear1_weight``: ``[D, hidden]``, ``linear2_weight``: ``[hidden, D]``;
    ``linear1_bias``, ``linear2_bias``, ``ln1_scale``, ``ln1_bias``, ``ln2_scale``, ``ln2_bias``: vectors or None.
    ``dropout1_rate``, ``dropout2_rate``, ``training``, ``mode``: of the dropouts; ``ln1_epsilon``, ``ln2_epsilon``:
    of the norms; ``pre_layer_norm``: the norm comes first; ``add_residual``: whether ``x`` is added; ``activation``:
    its name; ``ring_id``: not used.

    Example:
        >>> y = paddle.incubate.nn.functional.fused_feedforward(paddle.ones([1, 3, 4]), paddle.ones([4, 8]), paddle.ones([8, 4]))
        >>> y.shape
        [1, 3, 4]
    """
    residual = x
    if pre_layer_norm:
        x = F.layer_norm(x, x.shape[-1:], ln1_scale, ln1_bias, ln1_epsilon)
    x = getattr(F, activation)(F.linear(x, linear1_weight, linear1_bias))
    x = F.linear(F.dropout(x, dropout1_rate, training=training, mode=mode), linear2_weight, linear2_bias)
    x = F.dropout(x, dropout2_rate, training=training, mode=mode)
    x = residual + x if add_residual else x
    return x if pre_layer_norm else F.layer_norm(x, x.shape[-1:], ln2_scale, ln2_bias, ln2_epsilon)


def fused_multi_head_attention(
    x: Any, qkv_weight: Any, linear_weight: Any, pre_layer_norm: bool = False, pre_ln_scale: Any = None, pre_ln_bias: Any = None,
    ln_scale: Any = None, ln_bias: Any = None, pre_ln_epsilon: float = 1e-5, qkv_bias: Any = None, linear_bias: Any = None,
    cache_kv: Any = None, attn_mask: Any = None, dropout_rate: float = 0.5, attn_dropout_rate: float = 0.5,
    ln_epsilon: float = 1e-5, training: bool = True, mode: str = "upscale_in_train", ring_id: int = -1,
    add_residual: bool = True, num_heads: int = -1, transpose_qkv_wb: bool = False, name: Any = None,
) -> Any:  # fmt: skip
    """The attention part of a Transformer: norm, self-attention, linear, dropout, residual; norm before or behind.

    Args:
        x: Tensor [batch, steps, D].
        qkv_weight: [3, heads, D / heads, D], or [D, 3 D] with ``transpose_qkv_wb`` (then ``num_heads`` says how many).
        linear_weight: [D, D].
        cache_kv: [2, batch, heads, steps before, D / heads]; then ``(result, new cache)`` is given.
        attn_mask: added to the scores, [batch, heads or 1, steps, all steps].
        pre_layer_norm: the norm comes first. pre_ln_scale, pre_ln_bias, pre_ln_epsilon: of that norm.
        ln_scale, ln_bias, ln_epsilon: of the norm behind. qkv_bias, linear_bias: vectors or None.
        dropout_rate, attn_dropout_rate, training, mode: of the dropouts. add_residual: whether ``x`` is added. ring_id: not used.

    Raises ShapeError when heads don't divide.

    Example:
        >>> x, qkv, linear = paddle.ones([1, 3, 4]), paddle.ones([3, 2, 2, 4]), paddle.ones([4, 4])
        >>> y = paddle.incubate.nn.functional.fused_multi_head_attention(x, qkv, linear)
        >>> y.shape
        [1, 3, 4]
    """
    residual = x
    if pre_layer_norm:
        x = F.layer_norm(x, x.shape[-1:], pre_ln_scale, pre_ln_bias, pre_ln_epsilon)
    batch, steps, width = x.shape
    if transpose_qkv_wb:
        if num_heads <= 0 or width % num_heads:
            raise ShapeError(f"fused_multi_head_attention: num_heads {num_heads} does not divide {width}")
        heads = num_heads
        mixed = fused_matmul_bias(x, qkv_weight, qkv_bias)
    else:
        heads = qkv_weight.shape[1]
        mixed = functions.matmul(x, qkv_weight.reshape([-1, width]), False, True)
        mixed = mixed if qkv_bias is None else mixed + qkv_bias.reshape([-1])
    q, k, v = functions.unbind(mixed.reshape([batch, steps, 3, heads, -1]).transpose([2, 0, 3, 1, 4]), 0)
    if cache_kv is not None:
        k, v = functions.concat([cache_kv[0], k], 2), functions.concat([cache_kv[1], v], 2)
    scores = functions.matmul(q * q.shape[-1] ** -0.5, k, False, True)
    scores = scores if attn_mask is None else scores + attn_mask
    weights = F.dropout(functions.softmax(scores), attn_dropout_rate, training=training, mode=mode)
    out = F.linear((weights @ v).transpose([0, 2, 1, 3]).reshape([batch, steps, -1]), linear_weight, linear_bias)
    out = F.dropout(out, dropout_rate, training=training, mode=mode)
    out = residual + out if add_residual else out
    if not pre_layer_norm:
        out = F.layer_norm(out, out.shape[-1:], ln_scale, ln_bias, ln_epsilon)
    return out if cache_kv is None else (out, functions.stack([k, v], 0))


def masked_multihead_attention(
    x: Any, cache_kv: Any = None, bias: Any = None, src_mask: Any = None, cum_offsets: Any = None, sequence_lengths: Any = None,
    rotary_tensor: Any = None, beam_cache_offset: Any = None, qkv_out_scale: Any = None, out_shift: Any = None,
    out_smooth: Any = None, seq_len: int = 1, rotary_emb_dims: int = 0, use_neox_rotary_style: bool = False,
    compute_dtype: str = "default", out_scale: float = -1, quant_round_type: int = 1, quant_max_bound: float = 127.0,
    quant_min_bound: float = -127.0,
) -> tuple[Any, Any]:  # fmt: skip
    """One step of decoding: attention of a new position to those before it, which ``cache_kv`` holds, and to itself.

    Args:
        x: Tensor [batch, 3 * heads * width], queries, keys and values of the position.
        cache_kv: [2, batch, heads, most, width].
        bias: [3, heads, width], added to ``x``.
        src_mask: added to the scores, [batch, 1, 1, positions]; without ``sequence_lengths`` it says how many positions there are.
        sequence_lengths: int Tensor [batch, 1], how many positions were there before.

    Returns ``(out [batch, heads * width], cache_kv)`` with the new position in it. Raises ModeError for what is about beams, rotary
    embeddings and eight bits, ValueError without ``cache_kv``, or where nothing says how many positions there are.

    These are ``cum_offsets``, ``rotary_tensor``, ``beam_cache_offset``, ``qkv_out_scale``, ``out_shift``,
    ``out_smooth``, ``rotary_emb_dims``, ``use_neox_rotary_style``, ``out_scale``, ``quant_round_type``,
    ``quant_max_bound`` and ``quant_min_bound``; ``seq_len`` and ``compute_dtype`` are not used.

    Example:
        >>> y, cache = paddle.incubate.nn.functional.masked_multihead_attention(
        ...     paddle.ones([1, 3 * 2 * 4]), paddle.zeros([2, 1, 2, 8, 4]), sequence_lengths=paddle.to_tensor([[0]], "int32")
        ... )
        >>> y.shape
        [1, 8]
    """
    if cache_kv is None or (src_mask is None and sequence_lengths is None):
        raise ValueError("masked_multihead_attention: needs cache_kv, and src_mask or sequence_lengths")
    if rotary_emb_dims or out_scale > 0 or any(v is not None for v in (beam_cache_offset, qkv_out_scale, out_shift, out_smooth)):
        raise ModeError("masked_multihead_attention: beams, rotary embeddings and eight bits are not computed here")
    _, batch, heads, max_steps, width = cache_kv.shape
    mixed = x.reshape([batch, 3, heads, width])
    mixed = mixed if bias is None else mixed + bias
    q, k, v = functions.unbind(mixed, 1)
    if sequence_lengths is None:
        step = functions.full([batch], src_mask.shape[-1] - 1, "int64")
    else:
        step = sequence_lengths.reshape([-1]).astype("int64")
    positions = functions.arange(max_steps)
    at_step = (positions == step.unsqueeze(1)).reshape([batch, 1, max_steps, 1])
    keys, values = (functions.where(at_step, new.unsqueeze(2), old) for new, old in ((k, cache_kv[0]), (v, cache_kv[1])))
    scores = functions.matmul(keys, (q * width**-0.5).unsqueeze(3)).squeeze(3)
    if src_mask is not None:
        mask = src_mask.reshape([batch, 1, -1])
        scores = scores + F.pad(mask, [0, max_steps - mask.shape[-1]], data_format="NCL").astype(scores.dtype)
    visible = (positions <= step.unsqueeze(1)).reshape([batch, 1, max_steps])
    weights = F.softmax(functions.where(visible, scores, functions.full_like(scores, -1e30)))
    out = functions.matmul(weights.unsqueeze(2), values).reshape([batch, heads * width])
    return out, functions.stack([keys, values], 0)


def variable_length_memory_efficient_attention(
    query: Any, key: Any, value: Any, seq_lens: Any, kv_seq_lens: Any, mask: Any = None, scale: float | None = None,
    causal: bool = False, pre_cache_length: int = 0,
) -> Any:  # fmt: skip
    """Attention of sequences of several lengths, padded; rows beyond a length are 0.

    Args:
        query: Tensor [batch, heads, steps, width]; ``key``, ``value`` with as many or fewer heads, which are shared then.
        seq_lens, kv_seq_lens: integer Tensors [batch, 1].
        mask: added to the scores.
        scale: of the scores, by default ``width ** -0.5``.
        causal: nobody sees later positions.
        pre_cache_length: not used.

    Example:
        >>> q, lengths = paddle.ones([1, 2, 3, 4]), paddle.to_tensor([[2]], "int32")
        >>> paddle.incubate.nn.functional.variable_length_memory_efficient_attention(q, q, q, lengths, lengths).shape
        [1, 2, 3, 4]
    """
    heads, steps, width = query.shape[1:]
    group_size = heads // key.shape[1]
    if group_size > 1:
        key, value = (functions.repeat_interleave(t, group_size, 1) for t in (key, value))
    scores = functions.matmul(query * (width**-0.5 if scale is None else scale), key, False, True)
    scores = scores if mask is None else scores + mask
    key_steps = key.shape[2]
    query_positions, key_positions = functions.arange(steps), functions.arange(key_steps)
    visible = key_positions.reshape([1, 1, 1, -1]) < kv_seq_lens.reshape([-1, 1, 1, 1]).astype("int64")
    if causal:
        visible = visible.logical_and(key_positions.reshape([1, -1]) <= query_positions.reshape([-1, 1]) + (key_steps - steps))
    weights = F.softmax(functions.where(visible.expand_as(scores), scores, functions.full_like(scores, -1e30)))
    rows = query_positions.reshape([1, 1, -1, 1]) < seq_lens.reshape([-1, 1, 1, 1]).astype("int64")
    return (weights @ value) * rows.astype(value.dtype)


__getattr__ = names_missing(__name__)
