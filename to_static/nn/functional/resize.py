"""Resizing of images, sequences and volumes."""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import arguments, dynamic_sizes, operands
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.layers.interpolate import DIMS, METHODS
from to_static.compiler.ops.shape_rules import show
from to_static.core.dtypes import float32
from to_static.core.errors import ShapeError
from to_static.nn.functional import pool

_LAYOUTS = {1: ("NCW", "NWC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}
_AREA: dict[int, Any] = {1: pool.adaptive_avg_pool1d, 2: pool.adaptive_avg_pool2d, 3: pool.adaptive_avg_pool3d}


def interpolate(
    x: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool = False,
    align_mode: int = 0,
    data_format: str = "NCHW",
    name: Any = None,
) -> Any:
    """``x`` resized in its spatial dimensions.

    Args:
        x: ``[N, C, *spatial]`` (or ``[N, *spatial, C]``) with 1 to 3 spatial dimensions.
        size: output sizes, integers; or
        scale_factor: a number, or one per dimension, that input sizes are multiplied by (and rounded down); numbers or tensors.
        mode: 'nearest' (2 or 3 spatial dimensions), 'linear' (1), 'bilinear', 'bicubic' (2), 'trilinear' (3), or 'area'
            (averages, as adaptive pooling).
        align_corners: the corners of input and output are the same points. align_mode: 0 puts elements at half steps, 1
            at whole ones (linear methods only).
        data_format: 'NCW', 'NWC', 'NCHW', 'NHWC', 'NCDHW' or 'NDHWC'.

    Raises ValueError on unknown or missing arguments, ShapeError when dimensions do not fit.

    Example:
        >>> F.interpolate(paddle.ones([1, 3, 2, 2]), scale_factor=2).shape
        [1, 3, 4, 4]
    """
    method, n = mode.lower(), x.ndim - 2
    if method != "area" and method not in DIMS:
        raise ValueError(f"interpolate: mode must be one of {', '.join(DIMS)} or area, got {mode!r}")
    if n not in _LAYOUTS:
        raise ShapeError(f"interpolate: expected a tensor of 3 to 5 dimensions, got {show(x.spec.shape)}")
    if method in DIMS and n not in DIMS[method]:
        raise ShapeError(f"interpolate: {method} needs {DIMS[method][0] + 2} dimensions, got {show(x.spec.shape)}")
    if (size is None) == (scale_factor is None):
        raise ValueError("interpolate: give either size or scale_factor")
    if align_mode not in (0, 1):
        raise ValueError(f"interpolate: align_mode must be 0 or 1, got {align_mode}")
    if align_corners and method in ("nearest", "area"):
        raise ValueError(f"interpolate: align_corners has no meaning for {method}")
    if size is not None:
        target_size = size.tolist() if hasattr(size, "tolist") and not dynamic_sizes.is_dynamic(size) else size
        size = (
            dynamic_sizes.pair(target_size, n, "interpolate size")
            if dynamic_sizes.is_dynamic(target_size)
            else arguments.repeat_ints(target_size, n, "interpolate size")
        )
    if method == "area":
        if size is None:
            raise ValueError("interpolate: area needs size")
        return _AREA[n](x, size)
    layout = data_format.upper()
    if layout not in _LAYOUTS[n]:
        raise ValueError(
            f"interpolate: data_format of a tensor of {x.ndim} dimensions must be {' or '.join(_LAYOUTS[n])}, "
            f"got {data_format!r}"
        )
    scale: Any = []
    if scale_factor is not None and dynamic_sizes.is_dynamic(scale_factor):
        scale = _factors(scale_factor, n)
    elif scale_factor is not None:
        factors = scale_factor.tolist() if hasattr(scale_factor, "tolist") else scale_factor
        scale = [float(factors)] * n if isinstance(factors, (int, float, np.number)) else [float(f) for f in factors]
        if len(scale) != n or min(scale) <= 0:
            raise ValueError(f"interpolate: expected a positive scale_factor or {n} of them, got {scale_factor!r}")
    sizes = [-1] * 3 if size is None else [-1] * (3 - n) + size
    return METHODS[method](x, *sizes, scale, bool(align_corners), align_mode, data_layout=layout)


def _factors(scale_factor: Any, n: int) -> Any:
    """Factors that only the Program knows, as one tensor of float32, which Paddle's kernels read."""
    if not isinstance(scale_factor, Tensor):
        axis_factors = dynamic_sizes.pair(scale_factor, n, "interpolate scale_factor")
        return F.concat([_factors(operands.tensor(factor), n) for factor in axis_factors])
    return F.cast(scale_factor if scale_factor.ndim else F.reshape(scale_factor, [1]), float32)


def upsample(
    x: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool = False,
    align_mode: int = 0,
    data_format: str = "NCHW",
    name: Any = None,
) -> Any:
    """The same as `interpolate`.

    ``x``, ``size``, ``scale_factor``, ``mode``, ``align_corners``, ``align_mode`` and ``data_format`` are those of
    `interpolate`; so are the errors.

    Example:
        >>> F.upsample(paddle.ones([1, 1, 2, 2]), scale_factor=2).shape
        [1, 1, 4, 4]
    """
    return interpolate(x, size, scale_factor, mode, align_corners, align_mode, data_format)
