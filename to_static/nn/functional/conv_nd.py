"""The convolution that subclasses of Paddle's layers call: ``nn.functional.conv._conv_nd``."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ops.layers import conv


def _conv_nd(
    x: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, padding_algorithm: str | None = None,
    dilation: Any = 1, groups: int = 1, data_format: str = "NCHW", channel_dim: int = 1, op_type: str = "conv2d",
    use_cudnn: bool = True, use_mkldnn: bool = False, name: Any = None,
) -> Any:  # fmt: skip
    """`conv2d` or `conv3d`, by ``op_type``, with the padding as a layer keeps it: numbers, and 'EXPLICIT', 'SAME' or 'VALID'.

    ``channel_dim``, ``use_cudnn`` and ``use_mkldnn`` are Paddle's and say nothing more.
    """
    function = conv.conv3d if op_type.endswith("3d") else conv.conv2d
    pad = padding_algorithm if padding_algorithm in ("SAME", "VALID") else padding
    return function(x, weight, bias, stride, pad, dilation, groups, data_format)
