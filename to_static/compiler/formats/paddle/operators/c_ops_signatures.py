"""Positional signatures of operators, for ``paddle._legacy_C_ops`` and ``paddle._C_ops``.

By default the order of slots is that of the operator's declaration. The table below has the exceptions: Paddle has another order, a
result is not computed here (-: it is None), or several operators compute it.
"""

from __future__ import annotations

from typing import Any

from to_static.compiler.formats.paddle.operators import call_by_type, op_resolver
from to_static.compiler.formats.paddle.operators.lazy_op_lookup import operator
from to_static.compiler.formats.paddle.operators.op_compat import OLD_NAMES
from to_static.core.errors import ProgramError

# inputs -> results: types, of Paddle 2.6.2 (a list: *)
_TEXT = """
X -> Out: angle bicubic_interp_v2 bilinear_interp_v2 clip expand_as_v2 expand_v2 fill_zeros_like frobenius_norm
    gumbel_softmax increment is_empty linear_interp_v2 lod_reset matrix_power mean memcpy nearest_interp_v2 pow
    reshape share_data stanh temporal_shift tile trilinear_interp_v2
X Y -> Out: bmm cross dist dot elementwise_heaviside fill_diagonal_tensor kron matmul mul
-> Out: empty fill_constant gaussian_random randint uniform_random
X -> Out XShape: flatten2 flatten_contiguous_range squeeze2 transpose2 unsqueeze2
Input -> Out: diag_embed fill_constant_batch_size_like trace
Param Grad LearningRate Moment1 Moment2 Beta1Pow Beta2Pow MasterParam -> ParamOut Moment1Out Moment2Out Beta1PowOut
    Beta2PowOut MasterParamOut: adam adamw
X Indices -> Out: unpool unpool3d
X* -> Out: multi_dot sum
-> out: tril_indices
FpnRois RoisNum -> MultiFpnRois* RestoreIndex MultiLevelRoIsNum*: distribute_fpn_proposals
Input Offset Filter -> Output: deformable_conv_v1
Input PreState* WeightList* SequenceLength -> Out DropoutState State* Reserve: rnn
Input StartsTensor EndsTensor StartsTensorList* EndsTensorList* -> Out: slice
Input StartsTensor StartsTensorList* EndsTensor EndsTensorList* StridesTensor StridesTensorList* -> Out: strided_slice
Input ValueTensor StartsTensorList* EndsTensorList* StepsTensorList* -> Out: set_value
Input X Y -> Out: addmm
Logits Label -> Softmax Loss: softmax_with_cross_entropy
Operands* -> Out InnerCache* XShape*: einsum
Out Indices Label -> Accuracy Correct Total: accuracy
Param Grad Velocity LearningRate MasterParam -> ParamOut VelocityOut MasterParamOut: momentum
Param LearningRate Grad MasterParam -> ParamOut MasterParamOut: sgd
Start Stop Num -> Out: linspace
Start Stop Num Base -> Out: logspace
Theta -> Output: affine_grid
W Ids -> Out: lookup_table
Weight U V -> Out: spectral_norm
X -> Eigenvalues Eigenvectors: eigvalsh
X -> Out Indices: kthvalue
X -> Out MedianIndex: nanmedian
X -> Out Noise: rrelu
X -> Y*: unstack
X Grid -> Output: grid_sampler
X Index -> Out: index_sample
X Index AddValue -> Out: index_add
X Index Axis -> Out: gather
X Label -> Out: sigmoid_cross_entropy_with_logits
X MaxLenTensor -> Y: sequence_mask
X Pivots -> Pmat L U: lu_unpack
X RepeatsTensor -> Out: repeat_interleave
X Scale Bias Mean Variance MomentumTensor -> Y MeanOut VarianceOut SavedMean SavedVariance ReserveSpace: batch_norm
X Shape -> Out XShape: reshape2
X Shape Offsets -> Out: crop_tensor
X Vec -> Out: mv
X Y Weight -> Out: lerp
X Y Weight Bias -> Out: bilinear_tensor_product
X* -> Out*: meshgrid
X* Ids -> Out: multiplex
X1 X2 -> Out: atan2
x indices* value -> out: index_put
X Scale Bias -> Y - -: layer_norm
"""
_LINES = [line.partition(": ") for line in _TEXT.strip().replace("\n    ", " ").split("\n")]
_ROWS = {op_type: signature for signature, _, op_types in _LINES for op_type in op_types.split()}

# of `paddle._C_ops`: name (=type in files), inputs | attributes (-> results, where there are several)
_NEW_TEXT = """
abs X |
add=elementwise_add X Y |
argmax=arg_max X | axis keepdims flatten dtype
argsort X | axis descending -> Out Indices
assign X |
batch_norm X Mean Variance Scale Bias | is_test momentum epsilon data_layout use_global_stats trainable_statistics -> Y MeanOut
    VarianceOut SavedMean SavedVariance ReserveSpace
box_coder PriorBox PriorBoxVar TargetBox | code_type box_normalized axis variance
cast X | out_dtype
clip X | min max
concat X* | axis
conv2d Input Filter | strides paddings padding_algorithm dilations groups data_format
cumsum X | axis flatten exclusive reverse
deformable_conv Input Offset Filter Mask | strides paddings dilations deformable_groups groups im2col_step
depthwise_conv2d Input Filter | strides paddings padding_algorithm groups dilations data_format
distribute_fpn_proposals FpnRois RoisNum | min_level max_level refer_level refer_scale pixel_offset -> MultiFpnRois*
    MultiLevelRoIsNum* RestoreIndex
divide=elementwise_div X Y |
embedding=lookup_table_v2 Ids W | padding_idx sparse
equal X Y |
erf X |
exp X |
expand=expand_v2 X | shape
flatten=flatten_contiguous_range X | start_axis stop_axis
flip X | axis
floor X |
full=fill_constant | shape value dtype place_type
gather X Index | axis
gather_nd X Index |
gelu X | approximate
generate_proposals=generate_proposals_v2 Scores BboxDeltas ImShape Anchors Variances | pre_nms_topN post_nms_topN nms_thresh
    min_size eta pixel_offset -> RpnRois RpnRoiProbs RpnRoisNum
greater_equal X Y |
greater_than X Y |
grid_sample=grid_sampler X Grid | mode padding_mode align_corners
hardsigmoid=hard_sigmoid X | slope offset
hardswish=hard_swish X |
index_select X Index | dim
layer_norm X Scale Bias | epsilon begin_norm_axis -> Y
leaky_relu X | alpha
less_equal X Y |
less_than X Y |
log X |
logical_and X Y |
logical_not X |
logical_or X Y |
matmul=matmul_v2 X Y | trans_x trans_y
matrix_nms BBoxes Scores | score_threshold nms_top_k keep_top_k post_threshold use_gaussian gaussian_sigma background_label
    normalized -> Out Index RoisNum
max=reduce_max X | dim keep_dim
maximum=elementwise_max X Y |
mean=reduce_mean X | dim keep_dim
mean_all=mean X |
min=reduce_min X | dim keep_dim
minimum=elementwise_min X Y |
multiclass_nms3 BBoxes Scores RoisNum | score_threshold nms_top_k keep_top_k nms_threshold normalized nms_eta
    background_label -> Out Index NmsRoisNum
multiply=elementwise_mul X Y |
not_equal X Y |
one_hot=one_hot_v2 X | depth
p_norm X | porder axis epsilon keepdim asvector
pow X | factor
prior_box Input Image | min_sizes max_sizes aspect_ratios variances flip clip step_w step_h offset
    min_max_aspect_ratios_order -> Boxes Variances
relu X |
relu6 X |
reshape=reshape2 X | shape
rnn Input PreState* WeightList* SequenceLength DropoutState | dropout_prob is_bidirec input_size hidden_size num_layers mode
    seed is_test -> Out DropoutState State*
roi_align X ROIs RoisNum | pooled_height pooled_width spatial_scale sampling_ratio aligned
roi_pool X ROIs RoisNum | pooled_height pooled_width spatial_scale
roll X | shifts axis
rsqrt X |
scale X | scale bias bias_after_scale
sigmoid X |
sign X |
silu X |
sin X |
slice Input | axes starts ends infer_flags decrease_axis
softmax X | axis
split_with_num=split X | num axis -> Out*
sqrt X |
square X |
squeeze=squeeze2 X | axes
stack X* | axis -> Y
subtract=elementwise_sub X Y |
swish X |
tanh X |
tile X | repeat_times
topk=top_k_v2 X | k axis largest sorted -> Out Indices
transpose=transpose2 X | axis
unsqueeze=unsqueeze2 X | axes
where Condition X Y |
yolo_box X ImgSize | anchors class_num conf_thresh downsample_ratio clip_bbox scale_x_y iou_aware iou_aware_factor -> Boxes
    Scores
"""
_NEW = {line.split()[0].partition("=")[0]: line for line in _NEW_TEXT.strip().replace("\n    ", " ").split("\n")}

_KEPT = {"batch_norm": {"MeanOut": 1, "VarianceOut": 2}}  # results that are written over an input, by its position
_OF_OTHERS = {  # what there is on GPUs or between processes only
    "fused_bias_act": "it runs on GPUs only; write it as a sum and an activation",
    "coalesce_tensor": "it lays tensors of several processes out in one; there is one process here",
}


def _refused(name: str) -> Any:
    def call(*args: Any) -> Any:
        raise ProgramError(f"operator {name!r}: {_OF_OTHERS[name]}")

    return _named(call, name)


def legacy(op_type: str) -> Any:
    """The function of ``paddle._legacy_C_ops``: inputs by position, then names and values of attributes in turn; None: none.

    Example:
        >>> legacy('elementwise_add')(x, y, 'axis', -1)
    """
    if op_type in _OF_OTHERS:
        return _refused(op_type)
    if op_type == "c_allreduce_sum":  # of one process
        return _named(lambda x, *ignored: x, op_type)
    if not op_resolver.is_known(op_type):
        return None
    inputs, outputs = _signature(op_type)

    def call(*args: Any) -> Any:
        end = next((i for i, item in enumerate(args) if isinstance(item, str)), len(args))
        tensors, pairs = args[:end], args[end:]
        counted = [slot.rstrip("*") for slot in outputs if slot.endswith("*")]
        if len(tensors) not in (len(inputs), len(inputs) + len(counted)) or len(pairs) % 2:
            takes = f"{op_type} takes {_differences(inputs, counted)}, then names and values of attributes"
            raise ProgramError(f"{takes}; got {len(tensors)} arguments and {len(pairs)} after these")
        counts = dict(zip(counted, tensors[len(inputs) :], strict=False))
        results = call_by_type.call(op_type, _by_slot(inputs, tensors), dict(zip(pairs[::2], pairs[1::2], strict=True)), counts)
        return _results(results, outputs)

    return _named(call, op_type)


def modern(name: str) -> Any:
    """The function of ``paddle._C_ops``: inputs and attributes by position; ``name_`` changes its first input. None: none.

    Example:
        >>> modern('softmax')(x, -1)
    """
    if name in _OF_OTHERS:
        return _refused(name)
    row = _NEW.get(name) or (_NEW.get(name[:-1]) if name.endswith("_") else None)
    if row is None:
        return None
    head, _, results = row.partition(" -> ")
    words, _, attrs = head.partition("|")
    op_type, *inputs = words.split()
    op_type = op_type.partition("=")[2] or op_type
    outputs = results.split() or _signature(op_type)[1][:1]
    in_place = name not in _NEW

    def call(*args: Any) -> Any:
        names = attrs.split()
        if not len(inputs) <= len(args) <= len(inputs) + len(names):
            raise ProgramError(f"{name} takes {_differences(inputs, names)} by position; got {len(args)} arguments")
        results = call_by_type.call(op_type, _by_slot(inputs, args), dict(zip(names, args[len(inputs) :], strict=False)))
        for slot, position in _KEPT.get(op_type, {}).items():
            if results.get(slot) is not None:
                args[position]._become(results[slot].detach())
        result = _results(results, outputs)
        return args[0]._become(result) if in_place else result

    return _named(call, name)


def _signature(op_type: str) -> tuple[list[str], list[str]]:
    """The slots of inputs and of results, in Paddle's order; lists with a star."""
    if op_type in _ROWS:
        inputs, _, outputs = _ROWS[op_type].partition("->")
        return inputs.split(), outputs.split()
    opdef = operator(OLD_NAMES.get(op_type, op_type))
    return tuple([slot.name + "*" * slot.variadic for slot in side] for side in (opdef.inputs, opdef.outputs))  # type: ignore[return-value]


def _by_slot(slots: list[str], values: Any) -> dict[str, Any]:
    return {slot.rstrip("*"): value for slot, value in zip(slots, values, strict=False)}


def _results(outputs: dict[str, Any], slots: list[str]) -> Any:
    values = tuple(_result(outputs.get(slot.rstrip("*")), slot.endswith("*")) for slot in slots)
    return values if len(values) > 1 else values[0]


def _result(value: Any, several: bool) -> Any:
    if several or not isinstance(value, list):
        return value
    return value[0] if value else None


def _differences(first: list[str], second: list[str]) -> str:
    return ", ".join([*(slot.rstrip("*") for slot in first), *second]) or "nothing"


def _named(function: Any, name: str) -> Any:
    function.__name__ = function.__qualname__ = name
    return function
