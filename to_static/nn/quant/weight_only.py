"""Linear layers whose weights are kept in eight bits, with a scale for each column.

Paddle runs these on GPUs only, whose kernels want the integers in an order of their own; here they are in the order of the
transposed weight.
"""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops.indexing.where import where
from to_static.core.dtypes import as_dtype

_MOST = 127.0


def _eight_bits(name: str, algo: str, algorithms: tuple[str, ...]) -> None:
    if algo not in algorithms:
        raise ValueError(f"{name}: weights of eight bits only ({' or '.join(algorithms)}), not {algo!r}")


def weight_quantize(x: Any, algo: str = "weight_only_int8", arch: int | None = None) -> tuple[Any, Any]:
    """(int8 Tensor [N, K], float32 scales [N]) of a weight [K, N]: ``x = integers * scale``, column by column.

    ``algo``: 'weight_only_int8' or 'llm.int8'. ``arch``: not used. Raises ValueError for another ``algo``.

    Example:
        >>> integers, scale = paddle.nn.quant.weight_quantize(weight)
        >>> y = paddle.nn.quant.weight_only_linear(x, integers, bias, scale)
    """
    _eight_bits("weight_quantize", algo, ("weight_only_int8", "llm.int8"))
    transposed = x.astype("float32").t()
    scale = transposed.abs().max(1) / _MOST
    safe = where(scale == 0, scale + 1, scale)
    return (transposed / safe.unsqueeze(1)).round().clip(-_MOST, _MOST).astype("int8"), scale


def weight_dequantize(x: Any, scale: Any, algo: str = "weight_only_int8", out_dtype: Any = "float16") -> Any:
    """The weight ``[K, N]`` that `weight_quantize` made ``x`` and ``scale`` of, with the rounding errors.

    ``x``, ``scale``: what it returned; ``algo``: as there; ``out_dtype``: of the result, 'float16' (default) or
    'float32'.

    Example:
        >>> weight, scale = paddle.nn.quant.weight_quantize(paddle.ones([64, 32]), algo="weight_only_int8")
        >>> paddle.nn.quant.weight_dequantize(weight, scale, out_dtype="float32").shape
        [64, 32]
    """
    _eight_bits("weight_dequantize", algo, ("weight_only_int8", "llm.int8"))
    return (x.astype("float32") * scale.unsqueeze(1)).t().astype(as_dtype(out_dtype))


def weight_only_linear(
    x: Any, weight: Any, bias: Any = None, weight_scale: Any = None, weight_dtype: str = "int8", arch: int | None = None
) -> Any:
    """``x @ w + bias`` with the weight ``w`` that `weight_quantize` made ``weight`` and ``weight_scale`` of.

    ``x``: ``[..., K]``; ``weight_dtype``: 'int8', the only one that is here; ``arch``: not used.

    Example:
        >>> y = paddle.nn.quant.weight_only_linear(x, integers, bias, scale)
    """
    _eight_bits("weight_only_linear", weight_dtype, ("int8",))
    result = x @ weight_dequantize(weight, weight_scale, out_dtype=x.dtype)
    return result if bias is None else result + bias


def llm_int8_linear(x: Any, weight: Any, bias: Any = None, weight_scale: Any = None, threshold: float = 6.0) -> Any:
    """``x @ w + bias`` with eight-bit weights and inputs; columns of ``x`` with a number beyond ``threshold`` are

    computed in floats.
    ``x``: ``[..., K]``; ``weight``, ``weight_scale``: what `weight_quantize` returned; ``bias``: ``[N]`` or None.
    Source: Dettmers et al., "LLM.int8()", NeurIPS 2022.

    Example:
        >>> weight, scale = paddle.nn.quant.weight_quantize(paddle.ones([64, 32]), algo="llm.int8")
        >>> paddle.nn.quant.llm_int8_linear(paddle.ones([2, 64]), weight, None, scale).shape
        [2, 32]
    """
    flat = x.reshape([-1, x.shape[-1]]).astype("float32")
    outlier = (flat.abs() > threshold).any(0).astype("float32")
    inlier_values = flat * (1 - outlier)
    scale = inlier_values.abs().max(1, keepdim=True) / _MOST
    safe = where(scale == 0, scale + 1, scale)
    rounded = (inlier_values / safe).round()
    transposed = weight.astype("float32").t()
    result = (rounded @ transposed) * scale * weight_scale + ((flat * outlier) @ transposed) * weight_scale
    result = result.reshape([*x.shape[:-1], weight.shape[0]]).astype(x.dtype)
    return result if bias is None else result + bias
