"""Parts of Transformers as layers, by Paddle's fused names."""

from __future__ import annotations

from typing import Any

from to_static.core.errors import ShapeError
from to_static.incubate.nn import functional as fused
from to_static.nn.initializer import Constant
from to_static.nn.layer import Layer


def _ones_and_zeros(layer: Layer, width: int, scale_attr: Any, bias_attr: Any) -> tuple[Any, Any]:
    scale = layer.create_parameter([width], scale_attr, default_initializer=Constant(1.0))
    return scale, layer.create_parameter([width], bias_attr, is_bias=True)


class FusedDropoutAdd(Layer):
    """``dropout(x) + y``.

    ``p``, ``mode``: as for `F.dropout`.

    Example:
        >>> paddle.incubate.nn.FusedDropoutAdd(p=0.5)(x, y)
    """

    def __init__(self, p: float = 0.5, mode: str = "upscale_in_train", name: str | None = None) -> None:
        super().__init__()
        self.p, self.mode, self.name = p, mode, name

    def forward(self, x: Any, y: Any) -> Any:
        return fused.fused_dropout_add(x, y, self.p, self.training, self.mode)

    def extra_repr(self) -> str:
        return f"p={self.p}, mode={self.mode}"


class FusedBiasDropoutResidualLayerNorm(Layer):
    """``layer_norm(residual + dropout(x + bias))`` over the last dimension, ``embed_dim``.

    ``dropout_rate``: the probability; ``weight_attr``, ``bias_attr``: how the parameters are made; ``epsilon``: added
    to the variance.

    Example:
        >>> layer = paddle.incubate.nn.FusedBiasDropoutResidualLayerNorm(4)
        >>> layer(paddle.ones([2, 4]), paddle.ones([2, 4])).shape
        [2, 4]
    """

    def __init__(
        self, embed_dim: int, dropout_rate: float = 0.5, weight_attr: Any = None, bias_attr: Any = None, epsilon: float = 1e-5,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.embed_dim, self.dropout_rate, self._epsilon = embed_dim, dropout_rate, epsilon
        self.linear_bias = self.create_parameter([embed_dim], bias_attr, is_bias=True)
        self.ln_scale, self.ln_bias = _ones_and_zeros(self, embed_dim, weight_attr, bias_attr)

    def forward(self, x: Any, residual: Any) -> Any:
        return fused.fused_bias_dropout_residual_layer_norm(
            x, residual, self.linear_bias, self.ln_scale, self.ln_bias, self.dropout_rate, self._epsilon, self.training
        )

    def extra_repr(self) -> str:
        return f"embed_dim={self.embed_dim}, seq_len=False, dropout_rate={self.dropout_rate}, epsilon={self._epsilon}"


class FusedMultiHeadAttention(Layer):
    """Self-attention with the norm, dropout and residual around it.

    Args:
        embed_dim, num_heads: width, and how many heads it has.
        dropout_rate, attn_dropout_rate: of the result and of the weights of attention.
        kdim, vdim, need_weights: None, None, False; others are refused.
        normalize_before: the norm stands before the attention.
        the ``..._attr``: of the parameters.
        transpose_qkv_wb: ``qkv_weight`` is [D, 3 D].

    Raises ShapeError or ValueError for what is refused.

    These are ``qkv_weight_attr``, ``qkv_bias_attr``, ``linear_weight_attr``, ``linear_bias_attr``,
    ``pre_ln_scale_attr``, ``pre_ln_bias_attr``, ``ln_scale_attr`` and ``ln_bias_attr``. ``epsilon``: added to the
    variance; ``nranks``: must be 1; ``ring_id``: not used.

    Example:
        >>> paddle.incubate.nn.FusedMultiHeadAttention(128, 2)(paddle.rand([2, 4, 128]))
    """

    def __init__(
        self, embed_dim: int, num_heads: int, dropout_rate: float = 0.5, attn_dropout_rate: float = 0.5, kdim: Any = None,
        vdim: Any = None, normalize_before: bool = False, need_weights: bool = False, qkv_weight_attr: Any = None,
        qkv_bias_attr: Any = None, linear_weight_attr: Any = None, linear_bias_attr: Any = None, pre_ln_scale_attr: Any = None,
        pre_ln_bias_attr: Any = None, ln_scale_attr: Any = None, ln_bias_attr: Any = None, epsilon: float = 1e-5,
        nranks: int = 1, ring_id: int = -1, transpose_qkv_wb: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if embed_dim % num_heads:
            raise ShapeError(f"FusedMultiHeadAttention: {num_heads} heads do not divide embed_dim {embed_dim}")
        if need_weights or nranks != 1 or kdim not in (None, embed_dim) or vdim not in (None, embed_dim):
            raise ValueError("FusedMultiHeadAttention: need_weights, other kdim or vdim and several ranks are not supported")
        self.normalize_before, self.transpose_qkv_wb = normalize_before, transpose_qkv_wb
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.dropout_rate, self.attn_dropout_rate, self._epsilon = dropout_rate, attn_dropout_rate, epsilon
        shape = [embed_dim, 3 * embed_dim] if transpose_qkv_wb else [3, num_heads, self.head_dim, embed_dim]
        self.qkv_weight = self.create_parameter(shape, qkv_weight_attr)
        self.qkv_bias = self.create_parameter(
            [3 * embed_dim] if transpose_qkv_wb else [3, num_heads, self.head_dim], qkv_bias_attr, is_bias=True
        )
        self.linear_weight = self.create_parameter([embed_dim, embed_dim], linear_weight_attr)
        self.linear_bias = self.create_parameter([embed_dim], linear_bias_attr, is_bias=True)
        self.pre_ln_scale = self.pre_ln_bias = self.ln_scale = self.ln_bias = None
        if normalize_before:
            self.pre_ln_scale, self.pre_ln_bias = _ones_and_zeros(self, embed_dim, pre_ln_scale_attr, pre_ln_bias_attr)
        else:
            self.ln_scale, self.ln_bias = _ones_and_zeros(self, embed_dim, ln_scale_attr, ln_bias_attr)

    def forward(self, query: Any, key: Any = None, value: Any = None, attn_mask: Any = None, cache: Any = None) -> Any:
        return fused.fused_multi_head_attention(
            query, self.qkv_weight, self.linear_weight, self.normalize_before, self.pre_ln_scale, self.pre_ln_bias, self.ln_scale,
            self.ln_bias, self._epsilon, self.qkv_bias, self.linear_bias, cache, attn_mask, self.dropout_rate,
            self.attn_dropout_rate, self._epsilon, self.training, num_heads=self.num_heads,
            transpose_qkv_wb=self.transpose_qkv_wb,
        )  # fmt: skip


class FusedFeedForward(Layer):
    """The feed-forward part of a Transformer with the norm, dropout and residual around it.

    ``d_model``, ``dim_feedforward``: sizes of the input and between the two layers; ``dropout_rate``,
    ``act_dropout_rate``: probabilities; ``epsilon``: added to the variance; ``activation``: its name;
    ``normalize_before``: the norm comes first. ``linear1_weight_attr``, ``linear1_bias_attr``,
    ``linear2_weight_attr``, ``linear2_bias_attr``, ``ln1_scale_attr``, ``ln1_bias_attr``, ``ln2_scale_attr``,
    ``ln2_bias_attr``: how the parameters are made; ``nranks``, ``ring_id``: not used.

    Example:
        >>> paddle.incubate.nn.FusedFeedForward(8, 16)(paddle.rand([1, 8, 8]))
    """

    def __init__(
        self, d_model: int, dim_feedforward: int, dropout_rate: float = 0.1, epsilon: float = 1e-5, activation: str = "relu",
        act_dropout_rate: float | None = None, normalize_before: bool = False, linear1_weight_attr: Any = None,
        linear1_bias_attr: Any = None, linear2_weight_attr: Any = None, linear2_bias_attr: Any = None, ln1_scale_attr: Any = None,
        ln1_bias_attr: Any = None, ln2_scale_attr: Any = None, ln2_bias_attr: Any = None, nranks: int = 1, ring_id: int = -1,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._act_method, self._normalize_before, self._epsilon = activation, normalize_before, epsilon
        self._dropout_rate = dropout_rate
        self._act_dropout_rate = dropout_rate if act_dropout_rate is None else act_dropout_rate
        self._linear1_weight = self.create_parameter([d_model, dim_feedforward], linear1_weight_attr)
        self._linear1_bias = self.create_parameter([dim_feedforward], linear1_bias_attr, is_bias=True)
        self._linear2_weight = self.create_parameter([dim_feedforward, d_model], linear2_weight_attr)
        self._linear2_bias = self.create_parameter([d_model], linear2_bias_attr, is_bias=True)
        self._ln1_scale = self._ln1_bias = self._ln2_scale = self._ln2_bias = None
        if normalize_before:
            self._ln1_scale, self._ln1_bias = _ones_and_zeros(self, d_model, ln1_scale_attr, ln1_bias_attr)
        else:
            self._ln2_scale, self._ln2_bias = _ones_and_zeros(self, d_model, ln2_scale_attr, ln2_bias_attr)

    def forward(self, src: Any, cache: Any = None) -> Any:
        return fused.fused_feedforward(
            src, self._linear1_weight, self._linear2_weight, self._linear1_bias, self._linear2_bias, self._ln1_scale,
            self._ln1_bias, self._ln2_scale, self._ln2_bias, self._act_dropout_rate, self._dropout_rate, self._act_method,
            self._epsilon, self._epsilon, self._normalize_before, self.training,
        )  # fmt: skip


class FusedTransformerEncoderLayer(Layer):
    """A layer of a Transformer's encoder: `FusedMultiHeadAttention` and `FusedFeedForward`.

    ``d_model``, ``nhead``, ``dim_feedforward``, ``dropout_rate``, ``activation``, ``attn_dropout_rate``,
    ``act_dropout_rate``, ``normalize_before``, ``weight_attr``, ``bias_attr``: see
    `paddle.nn.TransformerEncoderLayer` for these arguments.

    Example:
        >>> paddle.incubate.nn.FusedTransformerEncoderLayer(128, 2, 512)(paddle.rand([2, 4, 128]))
    """

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int, dropout_rate: float = 0.1, activation: str = "relu",
        attn_dropout_rate: float | None = None, act_dropout_rate: float | None = None, normalize_before: bool = False,
        weight_attr: Any = None, bias_attr: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        weights = list(weight_attr) if isinstance(weight_attr, (list, tuple)) else [weight_attr] * 2
        biases = list(bias_attr) if isinstance(bias_attr, (list, tuple)) else [bias_attr] * 2
        self.fused_attn = FusedMultiHeadAttention(
            d_model, nhead, dropout_rate, dropout_rate if attn_dropout_rate is None else attn_dropout_rate,
            normalize_before=normalize_before, qkv_weight_attr=weights[0], qkv_bias_attr=biases[0], linear_weight_attr=weights[0],
            linear_bias_attr=biases[0],
        )  # fmt: skip
        self.ffn = FusedFeedForward(
            d_model, dim_feedforward, dropout_rate, activation=activation, act_dropout_rate=act_dropout_rate,
            normalize_before=normalize_before, linear1_weight_attr=weights[1], linear1_bias_attr=biases[1],
            linear2_weight_attr=weights[1], linear2_bias_attr=biases[1],
        )  # fmt: skip

    def forward(self, src: Any, src_mask: Any = None, cache: Any = None) -> Any:
        if cache is None:
            return self.ffn(self.fused_attn(src, attn_mask=src_mask))
        out, cache = self.fused_attn(src, attn_mask=src_mask, cache=cache)
        return self.ffn(out), cache
