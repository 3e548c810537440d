"""Defaults of attributes in PaddlePaddle's operators, for those whose function here has another default, or none.

Files of PaddlePaddle 1 lack attributes that were added later, and calls by operator type give only some. Tests compare this table
with PaddlePaddle 2.6.2.
"""

from __future__ import annotations

from typing import Any

_CONV2D = {"strides": [1] * 2, "paddings": [0] * 2, "dilations": [1] * 2, "padding_algorithm": "EXPLICIT"}
_CONV3D = {"strides": [1] * 3, "paddings": [0] * 3, "dilations": [1] * 3, "padding_algorithm": "EXPLICIT"}
_NO_SIZE: dict[str, Any] = {"output_padding": [], "output_size": []}
_INTERPOLATE: dict[str, Any] = {"align_corners": True, "align_mode": 1}
_REDUCE: dict[str, Any] = {"dim": [0]}
DEFAULTS: dict[str, dict[str, Any]] = {
    "conv2d": _CONV2D,
    "depthwise_conv2d": _CONV2D,
    "conv3d": _CONV3D,
    "conv2d_transpose": _CONV2D | _NO_SIZE,
    "depthwise_conv2d_transpose": _CONV2D | _NO_SIZE,
    "conv3d_transpose": _CONV3D | _NO_SIZE,
    **{f"{method}_interp_v2": _INTERPOLATE for method in ("linear", "bilinear", "trilinear", "bicubic", "nearest")},
    **{f"reduce_{name}": _REDUCE for name in ("all", "any", "amax", "amin", "max", "min", "mean", "prod", "sum")},
    "argsort": {"axis": -1, "descending": False},
    "brelu": {"t_min": 0.0, "t_max": 24.0},
    "cummax": {"axis": -1},
    "cummin": {"axis": -1},
    "dequantize_linear": {"quant_axis": 0},
    "eigh": {"UPLO": "L"},
    "empty": {"dtype": 5},
    "eye": {"num_columns": -1, "dtype": 5},
    "fft_c2r": {"last_dim_size": 0},
    "fill_any_like": {"value": 0.0},
    "fill_constant": {"dtype": 5},
    "fill_constant_batch_size_like": {"dtype": 5},
    "flatten_contiguous_range": {"stop_axis": 1},
    "gaussian_random": {"dtype": 5},
    "hard_sigmoid": {"slope": 0.2},
    "kldiv_loss": {"reduction": "mean"},
    "label_smooth": {"epsilon": 0.0},
    "leaky_relu": {"alpha": 0.02},
    "logsumexp": {"axis": [0]},
    "lookup_table_v2": {"padding_idx": -1},
    "lstsq": {"rcond": 0.0, "driver": "gels"},
    "matmul_v2": {"trans_x": False, "trans_y": False},
    "matrix_rank": {"hermitian": False, "tol": 0.0, "use_default_tol": True},
    "nanmedian": {"keepdim": True},
    "nms": {"iou_threshold": 1.0},
    "one_hot_v2": {"dtype": 5},
    "pixel_shuffle": {"upscale_factor": 1},
    "pixel_unshuffle": {"downscale_factor": 1},
    "pool3d": {"data_format": "NCDHW"},
    "prelu": {"mode": "all"},
    "prior_box": {"flip": True, "clip": True},
    "quantize_linear": {"quant_axis": 0},
    "randint": {"dtype": 3},
    "rnn": {"mode": "RNN_TANH"},
    "rrelu": {"lower": 0.125, "upper": 1 / 3},
    "tril_indices": {"dtype": 3},
    "tril_triu": {"diagonal": 0, "lower": False},
    "uniform_random": {"dtype": 5},
    "unpool": {"strides": [1, 1], "paddings": [0, 0]},
    "unpool3d": {"strides": [1, 1, 1], "paddings": [0, 0, 0]},
}
