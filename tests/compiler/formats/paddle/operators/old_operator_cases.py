"""Calls of operators of older files: ``name: (type, inputs by slot, results by slot, attributes)``.

An input is an array, or an array with the lengths of its sequences, or a list of these. Of results the number is told; one that
is negative is not compared. Attributes that are not told have Paddle's default.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_random = np.random.default_rng(36)


def f(*shape: int) -> np.ndarray:
    """Normal float32 numbers."""
    return _random.standard_normal(shape).astype("float32")


def n(high: int, *shape: int, dtype: str = "int64") -> np.ndarray:
    """Integers below ``high``."""
    return _random.integers(0, high, shape).astype(dtype)


def listed(value: Any) -> list[Any]:
    """The values of a slot."""
    return value if isinstance(value, list) else [value]


def s(array: np.ndarray, *lengths: list[int]) -> Any:
    """An array with lengths of sequences."""
    return array, [list(level) for level in lengths]


Case = tuple[str, dict[str, Any], dict[str, int], dict[str, Any]]
CASES: dict[str, Case] = {}


def case(name: str, kind: str, inputs: dict[str, Any], outputs: dict[str, int], **attrs: Any) -> None:
    """Enter a case."""
    assert name not in CASES, name
    CASES[name] = kind, inputs, outputs, attrs


# sequences -----------------------------------------------------------------------------------------------------------

LENGTHS = [3, 1, 4]
_GRU_OUT = {"Hidden": 1, "BatchGate": -1, "BatchResetHiddenPrev": -1, "BatchHidden": -1}
_LSTM_OUT = {"Hidden": 1, "Cell": 1, "BatchGate": -1, "BatchCellPreAct": -1}

for how in ("AVERAGE", "SUM", "SQRT", "MAX", "LAST", "FIRST"):
    _rows = s(f(8, 3), [3, 0, 5])
    case(f"sequence_pool {how}", "sequence_pool", {"X": _rows}, {"Out": 1, "MaxIndex": -1}, pooltype=how, pad_value=2.5)
case("sequence_pool of two levels", "sequence_pool", {"X": s(f(8, 3), [2, 1], LENGTHS)}, {"Out": 1, "MaxIndex": -1})
case("sequence_softmax", "sequence_softmax", {"X": s(f(8, 1), LENGTHS)}, {"Out": 1})
case("sequence_concat", "sequence_concat", {"X": [s(f(8, 3), LENGTHS), s(f(4, 3), [1, 2, 1])]}, {"Out": 1})
_slices = {"X": s(f(8, 3), LENGTHS), "Offset": np.int64([[1], [0], [2]]), "Length": np.int64([[2], [1], [2]])}
case("sequence_slice", "sequence_slice", _slices, {"Out": 1})
_expanded = {"X": s(f(4, 2), [1, 3]), "Y": s(f(5, 1), [2, 3], [1, 1, 1, 1, 1])}
case("sequence_expand", "sequence_expand", _expanded, {"Out": 1}, ref_level=0)
case("sequence_expand of rows", "sequence_expand", {"X": f(3, 2), "Y": s(f(8, 1), LENGTHS)}, {"Out": 1})
case("sequence_expand_as", "sequence_expand_as", {"X": f(3, 2), "Y": s(f(8, 1), LENGTHS)}, {"Out": 1})
case("sequence_pad", "sequence_pad", {"X": s(f(8, 2), LENGTHS), "PadValue": f(1)}, {"Out": 1, "Length": 1})
case("sequence_pad to 6", "sequence_pad", {"X": s(f(8, 2), LENGTHS), "PadValue": f(2)}, {"Out": 1, "Length": 1}, padded_length=6)
case("sequence_unpad", "sequence_unpad", {"X": f(3, 5, 2), "Length": np.int64([2, 5, 1])}, {"Out": 1})
case("sequence_reshape", "sequence_reshape", {"X": s(f(6, 2), [2, 4])}, {"Out": 1}, new_dim=4)
_scattered = {"X": f(3, 5), "Ids": s(n(5, 8, 1), LENGTHS), "Updates": s(f(8, 1), LENGTHS)}
case("sequence_scatter", "sequence_scatter", _scattered, {"Out": 1})
case("sequence_enumerate", "sequence_enumerate", {"X": s(n(9, 8, 1), LENGTHS)}, {"Out": 1}, win_size=3, pad_value=7)
case("sequence_erase", "sequence_erase", {"X": s(n(4, 8, 1), LENGTHS)}, {"Out": 1}, tokens=[1, 3])
case("sequence_reverse", "sequence_reverse", {"X": s(f(8, 2), LENGTHS)}, {"Y": 1})
_filter = {"X": s(f(8, 2), LENGTHS), "Filter": f(6, 4)}
case("sequence_conv", "sequence_conv", _filter, {"Out": 1}, contextLength=3, contextStart=-1, contextStride=1)
case("sequence_conv of what follows", "sequence_conv", _filter, {"Out": 1}, contextLength=3, contextStart=1, contextStride=1)
case("row_conv", "row_conv", {"X": s(f(8, 2), LENGTHS), "Filter": f(3, 2)}, {"Out": 1})
case("row_conv of a batch", "row_conv", {"X": f(2, 5, 2), "Filter": f(3, 2)}, {"Out": 1})
case("sequence_mask", "sequence_mask", {"X": n(5, 3)}, {"Y": 1}, maxlen=6, out_dtype=5)
case("im2sequence", "im2sequence", {"X": f(2, 3, 6, 5)}, {"Out": 1}, kernels=[3, 2], strides=[2, 1], paddings=[1, 0, 1, 1])
case("lod_reset by offsets", "lod_reset", {"X": s(f(8, 2), LENGTHS)}, {"Out": 1}, target_lod=[0, 5, 8])
case("lod_reset by numbers", "lod_reset", {"X": s(f(8, 2), LENGTHS), "Y": np.int32([0, 2, 8])}, {"Out": 1})
case("lod_reset by another", "lod_reset", {"X": f(8, 2), "Y": s(f(8, 1), LENGTHS)}, {"Out": 1})
case("ctc_align", "ctc_align", {"Input": s(n(3, 9, 1, dtype="int32"), [4, 1, 4])}, {"Output": 1}, blank=0, merge_repeated=True)
case("ctc_align of blanks", "ctc_align", {"Input": s(np.zeros((4, 1), "int32"), [3, 1])}, {"Output": 1})
case(
    "ctc_align of a batch", "ctc_align", {"Input": n(3, 3, 6, dtype="int32"), "InputLength": np.int32([[6], [2], [4]])},
    {"Output": 1, "OutputLength": 1}, blank=0, merge_repeated=False, padding_value=7,
)  # fmt: skip
_gru = {"Input": s(f(8, 9), LENGTHS), "Weight": f(3, 9), "Bias": f(1, 9)}
case("gru", "gru", _gru, _GRU_OUT)
case("gru from the end", "gru", {**_gru, "H0": f(3, 3)}, _GRU_OUT, is_reverse=True, origin_mode=True)
case("gru without bias", "gru", {"Input": _gru["Input"], "Weight": f(3, 9)}, _GRU_OUT, gate_activation="tanh", activation="relu")
_lstm = {"Input": s(f(8, 12), LENGTHS), "Weight": f(3, 12)}
case("lstm", "lstm", {**_lstm, "Bias": f(1, 21)}, _LSTM_OUT)
case("lstm without peepholes", "lstm", {**_lstm, "Bias": f(1, 12)}, _LSTM_OUT, use_peepholes=False, is_reverse=True)
case(
    "lstm with states", "lstm", {**_lstm, "Bias": f(1, 21), "H0": f(3, 3), "C0": f(3, 3)}, _LSTM_OUT,
    gate_activation="tanh", cell_activation="sigmoid", candidate_activation="relu",
)  # fmt: skip
case(
    "gru_unit", "gru_unit", {"Input": f(4, 9), "HiddenPrev": f(4, 3), "Weight": f(3, 9), "Bias": f(1, 9)},
    {"Gate": 1, "ResetHiddenPrev": 1, "Hidden": 1},
)  # fmt: skip
case("crf_decoding", "crf_decoding", {"Emission": s(f(8, 5), LENGTHS), "Transition": f(7, 5)}, {"ViterbiPath": 1})
case(
    "crf_decoding with labels", "crf_decoding",
    {"Emission": s(f(8, 5), LENGTHS), "Transition": f(7, 5), "Label": s(n(5, 8, 1), LENGTHS)}, {"ViterbiPath": 1},
)  # fmt: skip
case(
    "crf_decoding of a batch", "crf_decoding",
    {"Emission": f(3, 4, 5), "Transition": f(7, 5), "Length": np.int64([4, 1, 3])}, {"ViterbiPath": 1},
)  # fmt: skip
_CRF_OUT = {"Alpha": -1, "EmissionExps": -1, "TransitionExps": -1, "LogLikelihood": 1}
case(
    "linear_chain_crf", "linear_chain_crf",
    {"Emission": s(f(8, 5), LENGTHS), "Transition": f(7, 5), "Label": s(n(5, 8, 1), LENGTHS)}, _CRF_OUT,
)  # fmt: skip
case(
    "linear_chain_crf of a batch", "linear_chain_crf",
    {"Emission": f(3, 4, 5), "Transition": f(7, 5), "Label": n(5, 3, 4), "Length": np.int64([4, 1, 3])}, _CRF_OUT,
)  # fmt: skip
case("lookup_table", "lookup_table", {"Ids": s(n(6, 8, 1), LENGTHS), "W": f(6, 3)}, {"Out": 1}, padding_idx=2)


# sizes and values ----------------------------------------------------------------------------------------------------

_image = f(2, 3, 4, 5)
_TWO = ("bilinear", "nearest")
for method in (*_TWO, "bicubic"):
    _kind = f"{method}_interp"
    _called = {"interp_method": method}
    case(f"{method} by sizes", _kind, {"X": _image}, {"Out": 1}, out_h=7, out_w=3, **_called)
    _sized = {"out_h": 7, "out_w": 3, "align_corners": False, "align_mode": 0}
    case(f"{method} without corners", _kind, {"X": _image}, {"Out": 1}, **_sized, **_called)
    case(f"{method} by scale", _kind, {"X": _image}, {"Out": 1}, scale=1.5, align_corners=False, **_called)
    case(f"{method} by a tensor of sizes", _kind, {"X": _image, "OutSize": np.int32([6, 4])}, {"Out": 1}, scale=3.0, **_called)
case("linear by sizes", "linear_interp", {"X": f(2, 3, 5)}, {"Out": 1}, out_w=7, interp_method="linear", data_layout="NCHW")
_sized = {"out_d": 4, "out_h": 3, "out_w": 7}
case("trilinear by sizes", "trilinear_interp", {"X": f(1, 2, 3, 4, 5)}, {"Out": 1}, interp_method="trilinear", **_sized)
case("expand", "expand", {"X": f(2, 1, 3)}, {"Out": 1}, expand_times=[2, 3, 1])
case("expand by a tensor", "expand", {"X": f(2, 3), "ExpandTimes": np.int32([1, 2])}, {"Out": 1}, expand_times=[])
case("crop", "crop", {"X": f(4, 5)}, {"Out": 1}, shape=[2, 3], offsets=[1, 2])
case("crop like another", "crop", {"X": f(4, 5), "Y": f(3, 2)}, {"Out": 1}, offsets=[1, 0])
case("shuffle_channel", "shuffle_channel", {"X": f(2, 6, 2, 2)}, {"Out": 1}, group=3)
case("reverse", "reverse", {"X": f(2, 3, 4)}, {"Out": 1}, axis=[0, 2])
case("partial_concat", "partial_concat", {"X": [f(3, 5), f(3, 5)]}, {"Out": 1}, start_index=1, length=2)
case("partial_sum", "partial_sum", {"X": [f(3, 5), f(3, 5)]}, {"Out": 1}, start_index=1, length=3)
case("fill_zeros_like", "fill_zeros_like", {"X": f(2, 3)}, {"Out": 1})
case("fill_zeros_like2", "fill_zeros_like2", {"X": f(2, 3)}, {"Out": 1}, dtype=5)
case("fill_any", "fill_any", {"X": f(2, 3)}, {"Out": 1}, value=2.5)
case("fill_diagonal", "fill_diagonal", {"X": f(3, 4)}, {"Out": 1}, value=7.0, offset=1)
case("isinf", "isinf", {"X": np.float32([1, np.inf])}, {"Out": 1})
case("isnan", "isnan", {"X": np.float32([1, np.inf])}, {"Out": 1})
case("minus", "minus", {"X": f(2, 3), "Y": f(2, 3)}, {"Out": 1})
case("grad_add", "grad_add", {"X": f(2, 3), "Y": f(2, 3)}, {"Out": 1})
case("soft_relu", "soft_relu", {"X": f(4, 5) * 3}, {"Out": 1}, threshold=2.0)
case("mul", "mul", {"X": f(2, 3, 4), "Y": f(4, 5)}, {"Out": 1}, x_num_col_dims=2)
case("matmul", "matmul", {"X": f(2, 3, 4), "Y": f(2, 5, 4)}, {"Out": 1}, transpose_Y=True, alpha=0.5)
case("elementwise_add from an axis", "elementwise_add", {"X": f(2, 3, 4), "Y": f(3)}, {"Out": 1}, axis=1)
case("flatten2", "flatten2", {"X": f(2, 3, 4)}, {"Out": 1, "XShape": -1}, axis=2)
case("top_k", "top_k", {"X": f(3, 6)}, {"Out": 1, "Indices": 1}, k=2)
case("fill_constant_batch_size_like", "fill_constant_batch_size_like", {"Input": f(4, 2)}, {"Out": 1}, shape=[-1, 3], value=2.0)
case("leaky_relu", "leaky_relu", {"X": f(3, 4)}, {"Out": 1})
case("hard_sigmoid", "hard_sigmoid", {"X": f(3, 4) * 3}, {"Out": 1})
case("dropout in inference", "dropout", {"X": f(3, 4)}, {"Out": 1, "Mask": -1}, is_test=True, dropout_prob=0.25)
case("conv2d", "conv2d", {"Input": f(1, 2, 5, 5), "Filter": f(3, 2, 3, 3)}, {"Output": 1}, paddings=[1, 1])
case("conv2d_transpose", "conv2d_transpose", {"Input": f(1, 2, 4, 4), "Filter": f(2, 3, 3, 3)}, {"Output": 1}, strides=[2, 2])
case("pool2d", "pool2d", {"X": _image}, {"Out": 1}, pooling_type="avg", ksize=[2, 2], strides=[2, 2], paddings=[1, 1])
case("pool2d of all", "pool2d", {"X": _image}, {"Out": 1}, pooling_type="max", ksize=[1, 1], global_pooling=True)
case("reduce_sum", "reduce_sum", {"X": f(2, 3)}, {"Out": 1})
case("softmax", "softmax", {"X": f(2, 3)}, {"Out": 1})
case("brelu", "brelu", {"X": f(2, 3) * 20}, {"Out": 1})
case("swish", "swish", {"X": f(2, 3)}, {"Out": 1})
case("gelu", "gelu", {"X": f(2, 3)}, {"Out": 1})
case("log_softmax", "log_softmax", {"X": f(2, 3)}, {"Out": 1})
case("arg_max", "arg_max", {"X": f(2, 3)}, {"Out": 1}, axis=1)
case("argsort", "argsort", {"X": f(2, 5)}, {"Out": 1, "Indices": 1})
case("prelu", "prelu", {"X": f(2, 3, 4, 4), "Alpha": f(1)}, {"Out": 1})
case("instance_norm", "instance_norm", {"X": _image, "Scale": f(3), "Bias": f(3)}, {"Y": 1, "SavedMean": -1, "SavedVariance": -1})
case("layer_norm", "layer_norm", {"X": f(2, 3, 4), "Scale": f(12), "Bias": f(12)}, {"Y": 1, "Mean": -1, "Variance": -1})
case("group_norm", "group_norm", {"X": f(2, 4, 3, 3), "Scale": f(4), "Bias": f(4)}, {"Y": 1, "Mean": -1, "Variance": -1}, groups=2)
case("stack", "stack", {"X": [f(2, 3), f(2, 3)]}, {"Y": 1})
case("gather", "gather", {"X": f(5, 3), "Index": n(5, 4)}, {"Out": 1})
case("scatter", "scatter", {"X": f(5, 3), "Ids": np.int64([1, 3]), "Updates": f(2, 3)}, {"Out": 1})
case("label_smooth", "label_smooth", {"X": f(2, 3)}, {"Out": 1})
case("pixel_shuffle", "pixel_shuffle", {"X": f(1, 8, 2, 2)}, {"Out": 1}, upscale_factor=2)
case("slice", "slice", {"Input": f(4, 5)}, {"Out": 1}, axes=[1], starts=[1], ends=[3])
case("one_hot_v2", "one_hot_v2", {"X": n(4, 3)}, {"Out": 1}, depth=4)
case("cumsum", "cumsum", {"X": f(2, 4)}, {"Out": 1})
case("yolo_box", "yolo_box", {"X": f(1, 12, 3, 3), "ImgSize": np.int32([[96, 80]])}, {"Boxes": 1, "Scores": 1},
     anchors=[10, 13, 16, 30], class_num=1, conf_thresh=0.01, downsample_ratio=32)  # fmt: skip
case("grid_sampler", "grid_sampler", {"X": f(1, 2, 4, 4), "Grid": f(1, 3, 3, 2)}, {"Output": 1})
case("roi_align", "roi_align", {"X": f(1, 2, 8, 8), "ROIs": s(np.float32([[1, 1, 5, 6], [0, 2, 7, 7]]), [2])}, {"Out": 1},
     pooled_height=2, pooled_width=2)  # fmt: skip
case("roi_pool", "roi_pool", {"X": f(2, 2, 8, 8), "ROIs": s(np.float32([[1, 1, 5, 6], [0, 2, 7, 7]]), [1, 1])},
     {"Out": 1, "Argmax": -1}, pooled_height=2, pooled_width=2)  # fmt: skip
case("psroi_pool", "psroi_pool", {"X": f(2, 8, 8, 8), "ROIs": s(np.float32([[1, 1, 5, 6], [0, 2, 7, 7]]), [1, 1])},
     {"Out": 1}, pooled_height=2, pooled_width=2, output_channels=2, spatial_scale=0.5)  # fmt: skip

# normalization and losses --------------------------------------------------------------------------------------------

_channel = {"X": _image, "Scale": f(3), "Bias": f(3)}
case("affine_channel", "affine_channel", _channel, {"Out": 1}, data_layout="NCHW")
case("affine_channel NHWC", "affine_channel", {"X": f(2, 4, 5, 3), "Scale": f(3), "Bias": f(3)}, {"Out": 1}, data_layout="NHWC")
case("norm", "norm", {"X": _image}, {"Out": 1, "Norm": 1}, axis=1)
case("lrn", "lrn", {"X": f(2, 7, 3, 3)}, {"Out": 1, "MidOut": 1}, n=5, alpha=0.1)
_sums = {"BatchSize": np.float32([9, 9, 9]), "BatchSum": f(3), "BatchSquareSum": np.abs(f(3)) + 1}
case("data_norm", "data_norm", {"X": f(4, 3), **_sums}, {"Y": 1, "Means": 1, "Scales": 1})
case("add_position_encoding", "add_position_encoding", {"X": f(2, 4, 6)}, {"Out": 1}, alpha=0.5, beta=2.0)
case("cvm", "cvm", {"X": np.abs(f(3, 5)), "CVM": f(3, 2)}, {"Y": 1})
case("cvm without", "cvm", {"X": np.abs(f(3, 5)), "CVM": f(3, 2)}, {"Y": 1}, use_cvm=False)
case("fsp", "fsp", {"X": f(2, 3, 4, 4), "Y": f(2, 5, 4, 4)}, {"Out": 1})
for _how in ("max", "avg"):
    case(f"spp {_how}", "spp", {"X": f(2, 3, 7, 10)}, {"Out": 1}, pyramid_height=3, pooling_type=_how)
case("squared_l2_norm", "squared_l2_norm", {"X": f(3, 4)}, {"Out": 1})
case("l1_norm", "l1_norm", {"X": f(3, 4)}, {"Out": 1})
_labels = n(2, 4, 1).astype("float32")
case("hinge_loss", "hinge_loss", {"Logits": f(4, 1), "Labels": _labels}, {"Loss": 1})
case("modified_huber_loss", "modified_huber_loss", {"X": f(4, 1) * 2, "Y": _labels}, {"IntermediateVal": 1, "Out": 1})
case("rank_loss", "rank_loss", {"Label": _labels, "Left": f(4, 1), "Right": f(4, 1)}, {"Out": 1})
case("bpr_loss", "bpr_loss", {"X": f(4, 5), "Label": n(5, 4, 1)}, {"Y": 1})
_probabilities = np.exp(f(4, 5))
_probabilities /= _probabilities.sum(1, keepdims=True)
case("cross_entropy", "cross_entropy", {"X": _probabilities, "Label": n(5, 4, 1)}, {"Y": 1})
case("cross_entropy soft", "cross_entropy", {"X": _probabilities, "Label": _probabilities[::-1].copy()}, {"Y": 1}, soft_label=True)
_ignored = {"X": _probabilities, "Label": np.int64([[0], [3], [1], [3]])}
case("cross_entropy ignoring", "cross_entropy", _ignored, {"Y": 1}, ignore_index=3)
case("cross_entropy2", "cross_entropy2", {"X": _probabilities, "Label": n(5, 4, 1)}, {"Y": 1, "XShape": -1, "MatchX": 1})

# detection -----------------------------------------------------------------------------------------------------------


def _boxes(*shape: int) -> np.ndarray:
    corner = _random.uniform(0, 8, (*shape, 2)).astype("float32")
    return np.concatenate([corner, corner + _random.uniform(1, 6, (*shape, 2)).astype("float32")], -1)


_nms = {"BBoxes": _boxes(2, 20), "Scores": _random.uniform(0, 1, (2, 3, 20)).astype("float32")}
_bounds = {"score_threshold": 0.3, "nms_top_k": 10, "keep_top_k": 6}
case("multiclass_nms", "multiclass_nms", _nms, {"Out": 1}, **_bounds)
case("multiclass_nms of pixels", "multiclass_nms", _nms, {"Out": 1}, normalized=False, background_label=-1, nms_eta=0.9, **_bounds)
case("multiclass_nms finds nothing", "multiclass_nms", _nms, {"Out": 1}, **{**_bounds, "score_threshold": 2.0})
case("multiclass_nms2", "multiclass_nms2", _nms, {"Out": 1, "Index": 1}, **_bounds)
case("multiclass_nms2 finds nothing", "multiclass_nms2", _nms, {"Out": 1, "Index": 1}, **{**_bounds, "score_threshold": 2.0})
_rows = {"BBoxes": s(_boxes(12, 3), [5, 7]), "Scores": s(_random.uniform(0, 1, (12, 3)).astype("float32"), [5, 7])}
case("multiclass_nms of rows", "multiclass_nms", _rows, {"Out": 1}, **_bounds)
_clipped = {"Input": s(_boxes(5) * 3 - 8, [2, 3]), "ImInfo": np.float32([[20, 30, 2], [12, 9, 1]])}
case("box_clip", "box_clip", _clipped, {"Output": 1})
case("iou_similarity", "iou_similarity", {"X": s(_boxes(4), [1, 3]), "Y": _boxes(5)}, {"Out": 1})
case("iou_similarity of pixels", "iou_similarity", {"X": _boxes(4), "Y": _boxes(5)}, {"Out": 1}, box_normalized=False)
case("density_prior_box", "density_prior_box", {"Input": f(1, 2, 3, 4), "Image": f(1, 3, 24, 40)}, {"Boxes": 1, "Variances": 1},
     densities=[2, 1], fixed_sizes=[4.0, 12.0], fixed_ratios=[1.0, 2.0], variances=[0.1, 0.1, 0.2, 0.2])  # fmt: skip
case("density_prior_box of rows", "density_prior_box", {"Input": f(1, 2, 3, 4), "Image": f(1, 3, 24, 40)},
     {"Boxes": 1, "Variances": 1}, densities=[3], fixed_sizes=[6.0], fixed_ratios=[1.0], variances=[0.1, 0.1, 0.2, 0.2],
     flatten_to_2d=True, clip=False,
     step_w=9.0, step_h=8.0, offset=0.25)  # fmt: skip
case("polygon_box_transform", "polygon_box_transform", {"Input": f(2, 8, 3, 4)}, {"Output": 1})
case("box_decoder_and_assign", "box_decoder_and_assign",
     {"PriorBox": _boxes(4), "PriorBoxVar": np.float32([0.1, 0.1, 0.2, 0.2]), "TargetBox": f(4, 12), "BoxScore": f(4, 3)},
     {"DecodeBox": 1, "OutputAssignBox": 1})  # fmt: skip
_anchors = _boxes(3, 4, 2) * np.float32(2)
case("generate_proposals", "generate_proposals",
     {"Scores": _random.uniform(0, 1, (2, 2, 3, 4)).astype("float32"), "BboxDeltas": f(2, 8, 3, 4) * np.float32(0.3),
      "ImInfo": np.float32([[24, 28, 2], [30, 20, 1]]), "Anchors": _anchors, "Variances": np.ones((3, 4, 2, 4), "float32")},
     {"RpnRois": 1, "RpnRoiProbs": 1, "RpnRoisNum": 1}, pre_nms_topN=20, post_nms_topN=8, nms_thresh=0.6, min_size=3.0,
     eta=1.0)  # fmt: skip
case("distribute_fpn_proposals", "distribute_fpn_proposals", {"FpnRois": s(_boxes(9) * np.float32(6), [4, 5])},
     {"MultiFpnRois": 3, "RestoreIndex": 1, "MultiLevelRoIsNum": 3}, min_level=2, max_level=4, refer_level=3,
     refer_scale=18)  # fmt: skip
_levels = [s(_boxes(5), [2, 3]), s(_boxes(4), [3, 1])]
_level_scores = [s(_random.uniform(0, 1, (count, 1)).astype("float32"), lengths) for count, lengths in ((5, [2, 3]), (4, [3, 1]))]
case("collect_fpn_proposals", "collect_fpn_proposals", {"MultiLevelRois": _levels, "MultiLevelScores": _level_scores},
     {"FpnRois": 1, "RoisNum": 1}, post_nms_topN=6)  # fmt: skip
_similar = s(_random.uniform(0, 1, (5, 6)).astype("float32"), [2, 3])
_MATCHED = {"ColToRowMatchIndices": 1, "ColToRowMatchDist": 1}
case("bipartite_match", "bipartite_match", {"DistMat": _similar}, _MATCHED)
case("bipartite_match of all", "bipartite_match", {"DistMat": _similar}, _MATCHED, match_type="per_prediction", dist_threshold=0.4)
_mined = {"ClsLoss": np.abs(f(2, 6)), "MatchIndices": np.int32([[0, -1, -1, -1, 1, -1], [-1, -1, 0, -1, -1, -1]])}
case("mine_hard_examples", "mine_hard_examples", {**_mined, "MatchDist": _random.uniform(0, 1, (2, 6)).astype("float32")},
     {"NegIndices": 1, "UpdatedMatchIndices": 1}, neg_pos_ratio=1.5, neg_dist_threshold=0.7)  # fmt: skip

# what Paddle's optimizer makes of others -----------------------------------------------------------------------------

case("fc", "fc", {"Input": f(2, 3, 4), "W": f(4, 5), "Bias": f(5)}, {"Out": 1}, in_num_col_dims=2, activation_type="relu")
case("fc without bias", "fc", {"Input": f(2, 4), "W": f(4, 5)}, {"Out": 1})
case("fused_elemwise_activation", "fused_elemwise_activation", {"X": f(2, 3), "Y": f(2, 3)}, {"Out": 1, "IntermediateOut": -1},
     functor_list=["relu", "elementwise_add"])  # fmt: skip
case("fused_elemwise_activation of the second", "fused_elemwise_activation", {"X": f(2, 3), "Y": f(2, 3)},
     {"Out": 1, "IntermediateOut": -1}, functor_list=["elementwise_mul", "scale"], scale=0.5)  # fmt: skip
case("fused_elemwise_add_activation", "fused_elemwise_add_activation", {"X": f(2, 3), "Y": f(3)}, {"Out": 1, "IntermediateOut": -1},
     functor_list=["elementwise_add", "relu"])  # fmt: skip
case("fused_embedding_seq_pool", "fused_embedding_seq_pool", {"W": f(6, 3), "Ids": s(n(6, 8, 1), LENGTHS)}, {"Out": 1})
case("fusion_gru", "fusion_gru", {"X": s(f(8, 4), LENGTHS), "WeightX": f(4, 9), "WeightH": f(3, 9), "Bias": f(1, 9)},
     {"Hidden": 1, "XX": -1, "ReorderedH0": -1, "BatchedInput": -1, "BatchedOut": -1})  # fmt: skip
case("fusion_gru from the end", "fusion_gru", {"X": s(f(8, 4), LENGTHS), "WeightX": f(4, 9), "WeightH": f(3, 9), "H0": f(3, 3)},
     {"Hidden": 1, "XX": -1, "ReorderedH0": -1, "BatchedInput": -1, "BatchedOut": -1}, is_reverse=True, use_seq=False)  # fmt: skip
_FUSION_LSTM = {"Hidden": 1, "Cell": 1, **{name: -1 for name in (
    "XX", "BatchedInput", "BatchedHidden", "BatchedCell", "ReorderedH0", "ReorderedC0", "CheckedCell")}}  # fmt: skip
case("fusion_lstm", "fusion_lstm", {"X": s(f(8, 4), LENGTHS), "WeightX": f(4, 12), "WeightH": f(3, 12), "Bias": f(1, 12)},
     _FUSION_LSTM, use_peepholes=False)  # fmt: skip
case("fusion_lstm with peepholes", "fusion_lstm",
     {"X": s(f(8, 4), LENGTHS), "WeightX": f(4, 12), "WeightH": f(3, 12), "Bias": f(1, 21), "H0": f(3, 3), "C0": f(3, 3)},
     _FUSION_LSTM, is_reverse=True)  # fmt: skip
case("fused_embedding_fc_lstm", "fused_embedding_fc_lstm",
     {"Ids": s(n(6, 8, 1), LENGTHS), "Embeddings": f(6, 12), "WeightH": f(3, 12), "Bias": f(1, 12)},
     {name: count for name, count in _FUSION_LSTM.items() if name != "CheckedCell"}, use_peepholes=False)  # fmt: skip
case("fusion_repeated_fc_relu", "fusion_repeated_fc_relu", {"X": f(3, 4), "W": [f(4, 5), f(5, 6)], "Bias": [f(5), f(6)]},
     {"Out": 1, "ReluOut": -1})  # fmt: skip
case("fusion_seqconv_eltadd_relu", "fusion_seqconv_eltadd_relu", {"X": s(f(8, 2), LENGTHS), "Filter": f(6, 4), "Bias": f(1, 4)},
     {"Out": 1, "ColMat": -1}, contextLength=3, contextStart=-1)  # fmt: skip
case("fusion_seqexpand_concat_fc", "fusion_seqexpand_concat_fc",
     {"X": [s(f(8, 2), LENGTHS), s(f(3, 4), [1, 1, 1])], "FCWeight": f(6, 5), "FCBias": f(1, 5)}, {"Out": 1, "FCOut": -1},
     fc_activation="tanh")  # fmt: skip
_pooled = [s(f(8, 2), LENGTHS), s(f(5, 2), [1, 2, 2])]
case("fusion_seqpool_concat", "fusion_seqpool_concat", {"X": _pooled}, {"Out": 1}, pooltype="AVERAGE")
case("fusion_squared_mat_sub", "fusion_squared_mat_sub", {"X": f(3, 4), "Y": f(4, 5)},
     {"SquaredX": 1, "SquaredY": 1, "SquaredXY": 1, "Out": 1}, scalar=0.5)  # fmt: skip
case("self_dp_attention", "self_dp_attention", {"X": f(2, 5, 3, 2, 4)}, {"Out": 1}, head_number=2, alpha=0.5)
case("fused_conv2d", "fused_conv2d", {"Input": f(1, 2, 5, 5), "Filter": f(3, 2, 3, 3), "Bias": f(3)}, {"Output": 1},
     paddings=[1, 1], fuse_activation="relu", use_mkldnn=True)  # fmt: skip
