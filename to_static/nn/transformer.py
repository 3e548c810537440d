"""Transformer encoder and decoder (Vaswani et al., 2017)."""

from __future__ import annotations

import copy
import operator
from typing import Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir.symbolic.sym_number import SymNumber
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions
from to_static.core.dtypes import default_dtype
from to_static.nn import functional as F
from to_static.nn.attention import MultiHeadAttention, additive_mask
from to_static.nn.container import LayerList
from to_static.nn.dropout import Dropout
from to_static.nn.layer import Layer
from to_static.nn.linear import Linear
from to_static.nn.norm import LayerNorm
from to_static.nn.parameter import ParamAttr

_convert_attention_mask = additive_mask  # code of model collections imports it and the next by Paddle's names


def _convert_param_attr_to_list(value: Any, n: int) -> list[Any]:
    """One attribute for each of ``n`` parts; a name gets a number."""
    if isinstance(value, (list, tuple)):
        if len(value) != n:
            raise ValueError(f"expected {n} attributes, one for each part of the layer, got {len(value)}")
        return list(value)
    attr = ParamAttr.from_argument(value)
    if attr is None:
        return [False] * n
    attrs = [copy.copy(attr) for _ in range(n)]
    for i, one in enumerate(attrs):
        one.name = None if attr.name is None else f"{attr.name}_{i}"
    return attrs


class _Block(Layer):
    """The base of encoder and decoder layers: settings (to make more like it), norms, dropouts and the feed-forward part."""

    _attentions = 1

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int,
        dropout: float = 0.1,
        activation: str = "relu",
        attn_dropout: float | None = None,
        act_dropout: float | None = None,
        normalize_before: bool = False,
        weight_attr: Any = None,
        bias_attr: Any = None,
    ) -> None:
        super().__init__()
        if min(d_model, nhead, dim_feedforward) <= 0:
            raise ValueError(f"{type(self).__name__}: d_model, nhead and dim_feedforward must be positive")
        self._config = {
            "d_model": d_model, "nhead": nhead, "dim_feedforward": dim_feedforward, "dropout": dropout,
            "activation": activation, "attn_dropout": attn_dropout, "act_dropout": act_dropout,
            "normalize_before": normalize_before, "weight_attr": weight_attr, "bias_attr": bias_attr,
        }  # fmt: skip
        self.normalize_before = normalize_before
        self.activation = getattr(F, activation)
        n = self._attentions
        weights, biases = _convert_param_attr_to_list(weight_attr, n + 1), _convert_param_attr_to_list(bias_attr, n + 1)
        rate = dropout if attn_dropout is None else attn_dropout
        for name, weight, bias in zip(("self_attn", "cross_attn")[:n], weights, biases, strict=False):
            attention = MultiHeadAttention(d_model, nhead, rate, weight_attr=weight, bias_attr=bias)
            self.add_sublayer(name, attention)
        self.linear1 = Linear(d_model, dim_feedforward, weights[n], biases[n])
        self.dropout = Dropout(dropout if act_dropout is None else act_dropout)
        self.linear2 = Linear(dim_feedforward, d_model, weights[n], biases[n])
        for i in range(1, n + 2):
            self.add_sublayer(f"norm{i}", LayerNorm(d_model))
        for i in range(1, n + 2):
            self.add_sublayer(f"dropout{i}", Dropout(dropout))

    def _part(self, i: int, x: Any, function: Any) -> tuple[Any, Any]:
        """``x`` plus dropout of ``function(x)``, normalised before or after; and the cache the function returned."""
        norm, dropout = getattr(self, f"norm{i}"), getattr(self, f"dropout{i}")
        output = function(norm(x) if self.normalize_before else x)
        result, cache = output if isinstance(output, tuple) else (output, None)
        x = x + dropout(result)
        return (x if self.normalize_before else norm(x)), cache

    def _feed_forward(self, x: Any) -> Any:
        return self.linear2(self.dropout(self.activation(self.linear1(x))))


class TransformerEncoderLayer(_Block):
    """Self-attention and a feed-forward part, each with dropout, a residual and layer normalisation.

    Args:
        d_model: last dimension of input and result.
        nhead: attention heads.
        dim_feedforward: hidden size of the feed-forward part.
        dropout, attn_dropout, act_dropout: after each part, of attention weights, after the activation (default 0.1; the
            last two as the first).
        activation: name of a function in nn.functional (default 'relu').
        normalize_before: normalise the input of each part instead of its result.
        weight_attr, bias_attr: how the parameters are made; a list sets attention and feed-forward apart.

    Example:
        >>> paddle.nn.TransformerEncoderLayer(8, 2, 16)(paddle.ones([1, 5, 8])).shape
        [1, 5, 8]
    """

    def forward(self, src: Any, src_mask: Any = None, cache: Any = None) -> Any:
        """``[N, T, d_model]`` to the same; with ``cache`` also the new cache."""
        mask = additive_mask(src_mask, src.dtype)
        src, new_cache = self._part(1, src, lambda x: self.self_attn(x, x, x, mask, cache))
        src, _ = self._part(2, src, self._feed_forward)
        return src if cache is None else (src, new_cache)

    def gen_cache(self, src: Any) -> Any:
        """An empty cache for `forward`."""
        return self.self_attn.gen_cache(src)


class TransformerDecoderLayer(_Block):
    """Self-attention, attention to the encoder's result and a feed-forward part; arguments of `TransformerEncoderLayer`.

    ``d_model``, ``nhead``, ``dim_feedforward``, ``dropout``, ``activation``, ``attn_dropout``, ``act_dropout`` and
    ``normalize_before`` are as there. ``weight_attr``, ``bias_attr``: a list of three is for self-attention,
    attention to the encoder and feed-forward.

    Example:
        >>> layer = paddle.nn.TransformerDecoderLayer(8, 2, 16)
        >>> layer(paddle.ones([1, 3, 8]), paddle.ones([1, 5, 8])).shape
        [1, 3, 8]
    """

    _attentions = 2

    def forward(self, tgt: Any, memory: Any, tgt_mask: Any = None, memory_mask: Any = None, cache: Any = None) -> Any:
        """``[N, T, d_model]`` and the encoder's ``[N, S, d_model]`` to ``[N, T, d_model]``; with ``cache`` also the new one."""
        self_cache, cross_cache = (None, None) if cache is None else (cache[0], cache[1])  # rows of a tensor change nothing
        mask, memory_bias = additive_mask(tgt_mask, tgt.dtype), additive_mask(memory_mask, memory.dtype)
        tgt, new_self_cache = self._part(1, tgt, lambda x: self.self_attn(x, x, x, mask, self_cache))
        tgt, new_cross_cache = self._part(2, tgt, lambda x: self.cross_attn(x, memory, memory, memory_bias, cross_cache))
        tgt, _ = self._part(3, tgt, self._feed_forward)
        return tgt if cache is None else (tgt, (new_self_cache, new_cross_cache))

    def gen_cache(self, memory: Any) -> Any:
        """An empty cache of this layer's attention and a fixed one of the encoder's result."""
        cross = self.cross_attn.gen_cache(memory, memory, MultiHeadAttention.StaticCache)
        return self.self_attn.gen_cache(memory), cross


class _Stack(Layer):
    def __init__(self, layer: _Block, num_layers: int, norm: Any = None) -> None:
        super().__init__()
        self.layers = LayerList([layer, *(type(layer)(**layer._config) for _ in range(num_layers - 1))])
        self.num_layers = num_layers
        self.norm = norm

    def _run(self, x: Any, arguments: tuple[Any, ...], cache: Any) -> Any:
        caches = []
        for i, layer in enumerate(self.layers):
            if cache is None:
                x = layer(x, *arguments)
            else:
                x, new = layer(x, *arguments, cache[i])
                caches.append(new)
        if self.norm is not None:
            x = self.norm(x)
        return x if cache is None else (x, caches)


class TransformerEncoder(_Stack):
    """``num_layers`` layers like ``encoder_layer`` (which is the first of them), then ``norm``.

    Example:
        >>> layer = paddle.nn.TransformerEncoderLayer(8, 2, 16)
        >>> paddle.nn.TransformerEncoder(layer, 2)(paddle.ones([1, 5, 8])).shape
        [1, 5, 8]
    """

    def __init__(self, encoder_layer: TransformerEncoderLayer, num_layers: int, norm: Any = None) -> None:
        super().__init__(encoder_layer, num_layers, norm)

    def forward(self, src: Any, src_mask: Any = None, cache: Any = None) -> Any:
        """``[N, T, d_model]`` to the same; with ``cache`` also the new caches."""
        return self._run(src, (additive_mask(src_mask, src.dtype),), cache)

    def gen_cache(self, src: Any) -> list[Any]:
        """An empty cache for every layer."""
        return [layer.gen_cache(src) for layer in self.layers]


class TransformerDecoder(_Stack):
    """``num_layers`` layers like ``decoder_layer`` (which is the first of them), then ``norm``.

    Example:
        >>> layer = paddle.nn.TransformerDecoderLayer(8, 2, 16)
        >>> decoder = paddle.nn.TransformerDecoder(layer, 2)
        >>> decoder(paddle.ones([1, 3, 8]), paddle.ones([1, 5, 8])).shape
        [1, 3, 8]
    """

    def __init__(self, decoder_layer: TransformerDecoderLayer, num_layers: int, norm: Any = None) -> None:
        super().__init__(decoder_layer, num_layers, norm)

    def forward(self, tgt: Any, memory: Any, tgt_mask: Any = None, memory_mask: Any = None, cache: Any = None) -> Any:
        """``[N, T, d_model]`` and the encoder's result to ``[N, T, d_model]``; with ``cache`` also the new caches."""
        masks = additive_mask(tgt_mask, tgt.dtype), additive_mask(memory_mask, memory.dtype)
        return self._run(tgt, (memory, *masks), cache)

    def gen_cache(self, memory: Any, do_zip: bool = False) -> list[Any]:
        """A cache for every layer; with ``do_zip`` own caches and fixed ones in two tuples."""
        caches = [layer.gen_cache(memory) for layer in self.layers]
        return list(zip(*caches, strict=True)) if do_zip else caches


class Transformer(Layer):
    """Encoder and decoder together.

    Args:
        d_model, nhead, dim_feedforward: sizes (default 512, 8, 2048).
        num_encoder_layers, num_decoder_layers: default 6 each.
        custom_encoder, custom_decoder: used instead of the ones made here.

    See `TransformerEncoderLayer` for the others; a list of three attributes is for self-attention, attention to the
    encoder and feed-forward.

    ``dropout``, ``activation``, ``attn_dropout``, ``act_dropout``, ``normalize_before``, ``weight_attr`` and
    ``bias_attr`` are as for `TransformerEncoderLayer`.

    Example:
        >>> net = paddle.nn.Transformer(128, 2, 4, 4, 512)
        >>> y = net(paddle.rand([2, 4, 128]), paddle.rand([2, 6, 128]))
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str = "relu",
        attn_dropout: float | None = None,
        act_dropout: float | None = None,
        normalize_before: bool = False,
        weight_attr: Any = None,
        bias_attr: Any = None,
        custom_encoder: Any = None,
        custom_decoder: Any = None,
    ) -> None:
        super().__init__()
        common = (d_model, nhead, dim_feedforward, dropout, activation, attn_dropout, act_dropout, normalize_before)
        if custom_encoder is None:
            first = TransformerEncoderLayer(*common, _for_parts(weight_attr, 2), _for_parts(bias_attr, 2))
            custom_encoder = TransformerEncoder(first, num_encoder_layers, LayerNorm(d_model))
        self.encoder = custom_encoder
        if custom_decoder is None:
            second = TransformerDecoderLayer(*common, _for_parts(weight_attr, 3), _for_parts(bias_attr, 3))
            custom_decoder = TransformerDecoder(second, num_decoder_layers, LayerNorm(d_model))
        self.decoder = custom_decoder
        self.d_model, self.nhead = d_model, nhead

    def forward(self, src: Any, tgt: Any, src_mask: Any = None, tgt_mask: Any = None, memory_mask: Any = None) -> Any:
        """``[N, S, d_model]`` and ``[N, T, d_model]`` to ``[N, T, d_model]``."""
        return self.decoder(tgt, self.encoder(src, src_mask), tgt_mask, memory_mask)

    def generate_square_subsequent_mask(self, length: Any) -> Any:
        """``[length, length]``: 0 on and below the diagonal, -inf above, so that no step sees later ones.

        ``length`` is an integer, or a tensor of one. Raises TypeError for one of floats.
        """
        if isinstance(length, Tensor) and not length.dtype.is_integer:
            expected = "generate_square_subsequent_mask: expected an integer or a tensor of one"
            raise TypeError(f"{expected}, got a tensor of {length.dtype.name}")
        if isinstance(length, (Variable, SymNumber)):
            size = functions.reshape(length, []) if isinstance(length, Variable) else length
            return functions.triu(functions.full([size, size], -np.inf, default_dtype()), 1)
        length = length.item() if isinstance(length, Tensor) else operator.index(length)
        return mode.current().constant(np.triu(np.full((length, length), -np.inf, default_dtype().np), 1))


def _for_parts(value: Any, n: int) -> Any:
    """Attributes of ``n`` parts from one, two or three of them: the last is the feed-forward part's."""
    if not isinstance(value, (list, tuple)):
        return value
    if len(value) not in (1, 2, 3):
        raise ValueError(f"Transformer: expected one, two or three attributes, got {len(value)}")
    if n == 2:
        return [value[0], value[-1]]
    return [value[0], value[1] if len(value) == 3 else value[0], value[-1]]
