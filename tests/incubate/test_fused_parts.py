"""Fused functions and layers against the parts that they are made of."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle
from to_static import incubate, nn
from to_static.core.errors import ModeError, ShapeError
from to_static.incubate.nn import functional as fused
from to_static.nn import functional as F

RNG = np.random.RandomState(0)


def made(*shape):
    return paddle.to_tensor(RNG.randn(*shape).astype("float32"))


def close(a, b):
    np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=2e-5, atol=2e-5)


def test_linear_and_norms():
    x, w, b, r = made(2, 3, 4), made(4, 5), made(5), made(2, 3, 4)
    close(fused.fused_linear(x, w.t(), b, transpose_weight=True), x @ w + b)
    close(fused.fused_linear_activation(x, w, b, activation="gelu"), F.gelu(x @ w + b, approximate=True))
    close(fused.fused_dropout_add(x, r, 0.5, training=False), x + r)
    scale, shift = made(4), made(4)
    out, total = fused.fused_layer_norm(x, scale, shift, 1e-5, 0.5, 2, residual=r)
    close(total, x + 0.5 * r)
    close(out, F.layer_norm(total, [4], scale, shift, 1e-5))
    value = x.numpy()
    expected = value / np.sqrt((value**2).mean(-1, keepdims=True) + 1e-6) * scale.numpy() + shift.numpy()
    close(fused.fused_rms_norm(x, scale, shift, 1e-6, 2), expected)
    with pytest.raises(ModeError, match="eight bits"):
        fused.fused_rms_norm(x, scale, None, 1e-6, 2, quant_scale=1.0)
    with pytest.raises(ValueError, match="activation"):
        fused.fused_linear_activation(x, w, b, activation="tanh")


@pytest.mark.parametrize("before", [True, False])
def test_encoder_layers(before):
    paddle.seed(1)
    layer = incubate.nn.FusedTransformerEncoderLayer(8, 2, 16, 0.0, normalize_before=before)
    plain = nn.TransformerEncoderLayer(8, 2, 16, 0.0, normalize_before=before)
    attn, ffn = layer.fused_attn, layer.ffn
    for p in layer.parameters():
        p.set_value(paddle.to_tensor(RNG.randn(*p.shape).astype("float32")))
    packed = attn.qkv_weight.reshape([3, 8, 8])
    for i, proj in enumerate((plain.self_attn.q_proj, plain.self_attn.k_proj, plain.self_attn.v_proj)):
        proj.weight.set_value(packed[i].t())
        proj.bias.set_value(attn.qkv_bias[i].reshape([8]))
    norms = (attn.pre_ln_scale, attn.pre_ln_bias, ffn._ln1_scale, ffn._ln1_bias) if before else (
        attn.ln_scale, attn.ln_bias, ffn._ln2_scale, ffn._ln2_bias
    )  # fmt: skip
    for target, source in (
        (plain.self_attn.out_proj.weight, attn.linear_weight), (plain.self_attn.out_proj.bias, attn.linear_bias),
        (plain.linear1.weight, ffn._linear1_weight), (plain.linear1.bias, ffn._linear1_bias),
        (plain.linear2.weight, ffn._linear2_weight), (plain.linear2.bias, ffn._linear2_bias),
        (plain.norm1.weight, norms[0]), (plain.norm1.bias, norms[1]), (plain.norm2.weight, norms[2]),
        (plain.norm2.bias, norms[3]),
    ):  # fmt: skip
        target.set_value(source)
    x, mask = made(2, 4, 8), paddle.triu(paddle.full([4, 4], -1e9), 1)
    np.testing.assert_allclose(layer(x, mask).numpy(), plain(x, mask).numpy(), rtol=1e-4, atol=1e-3)
    cache = paddle.zeros([2, 2, 2, 0, 4])
    _, cache = layer(x[:, :3], paddle.triu(paddle.full([3, 3], -1e9), 1), cache)
    last, cache = layer(x[:, 3:], None, cache)
    assert cache.shape == [2, 2, 2, 4, 4]
    np.testing.assert_allclose(last[:, 0].numpy(), plain(x, mask)[:, 3].numpy(), rtol=1e-4, atol=1e-3)


def test_other_layers():
    x, r = made(2, 3, 4), made(2, 3, 4)
    layer = incubate.nn.FusedBiasDropoutResidualLayerNorm(4, 0.0)
    close(layer(x, r), F.layer_norm(x + r, [4]))
    close(incubate.nn.FusedDropoutAdd(0.0)(x, r), x + r)
    attn = incubate.nn.FusedMultiHeadAttention(4, 2, 0.0, 0.0, transpose_qkv_wb=True)
    assert attn(x).shape == [2, 3, 4] and attn.qkv_weight.shape == [4, 12]
    with pytest.raises(ShapeError, match="do not divide"):
        incubate.nn.FusedMultiHeadAttention(4, 3)
    with pytest.raises(ValueError, match="not supported"):
        incubate.nn.FusedMultiHeadAttention(4, 2, need_weights=True)


@pytest.mark.parametrize("beside", [True, False])
def test_rotary_embeddings_keep_lengths_and_depend_on_distances(beside):
    q, k = made(1, 1, 1, 8).tile([1, 6, 1, 1]), made(1, 1, 1, 8).tile([1, 6, 1, 1])
    a, b, none = fused.fused_rotary_position_embedding(q, k, use_neox_rotary_style=beside)
    assert none is None
    close((a * a).sum(-1), (q * q).sum(-1))
    scores = (a[0, :, 0] @ b[0, :, 0].t()).numpy()
    close(scores[1:, 1:], scores[:-1, :-1])
    moved, _, _ = fused.fused_rotary_position_embedding(
        q, use_neox_rotary_style=beside, position_ids=paddle.to_tensor([[5, 4, 3, 2, 1, 0]])
    )
    close(moved, a.flip(1))


def test_a_step_of_decoding_is_the_last_row_of_attention():
    batch, heads, width, most, before = 2, 3, 4, 6, 3
    keys, values = made(batch, heads, most, width), made(batch, heads, most, width)
    x = made(batch, 3 * heads * width)
    cache = paddle.stack([keys, values])
    lengths = paddle.full([batch, 1], before, "int32")
    mask = paddle.zeros([batch, 1, 1, before + 1])
    out, new = fused.masked_multihead_attention(x, cache, sequence_lengths=lengths, src_mask=mask)
    q, k, v = x.reshape([batch, 3, heads, 1, width]).unbind(1)
    k, v = paddle.concat([keys[:, :, :before], k], 2), paddle.concat([values[:, :, :before], v], 2)
    expected = F.softmax(q @ k.transpose([0, 1, 3, 2]) / 2.0) @ v
    close(out, expected.reshape([batch, -1]))
    close(new[0][:, :, : before + 1], k)
    close(new[1][:, :, before + 1 :], values[:, :, before + 1 :])
    with pytest.raises(ValueError, match="cache_kv"):
        fused.masked_multihead_attention(x)
    with pytest.raises(ModeError, match="rotary"):
        fused.masked_multihead_attention(x, cache, sequence_lengths=lengths, rotary_emb_dims=1)


def test_attention_of_several_lengths():
    q, k, v = made(2, 4, 3, 8), made(2, 2, 5, 8), made(2, 2, 5, 8)
    out = fused.variable_length_memory_efficient_attention(q, k, v, paddle.to_tensor([[3], [2]]), paddle.to_tensor([[5], [4]]))
    k, v = (t.numpy().repeat(2, 1)[1, :, :4] for t in (k, v))
    scores = q.numpy()[1, :, :2] @ k.transpose(0, 2, 1) / np.sqrt(8)
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    close(out.numpy()[1, :, :2], weights @ v)
    assert not out.numpy()[1, :, 2].any()
