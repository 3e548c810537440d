"""The operators of Paddle 3: operands, attributes and results, and the corresponding operator in files of Paddle 2.

A row is ``NAME[=TYPE] OPERANDS | ATTRIBUTES -> RESULTS``; ``TYPE`` is the operator's type in `.pdmodel` files (default: the name).

* ``x``: an operand, in slot ``X`` (the name in CamelCase); ``x=Input``: in another slot; ``x[]``: a list; ``x=-``: not read.
* ``shape@i64s=shape/ShapeTensor``: an operand that was the attribute ``shape`` of that type, or a tensor in one of these slots.
* ``transpose_x:bool=trans_x``: an attribute, its type, its name in `.pdmodel` files (default: the same).
  ``stable:bool=-(false)``: an attribute without counterpart; only this value (default: zero) is read, and it is written.
* ``+lower=true``: an attribute that `.pdmodel` files have, always with this value.
* An in-place operator has a ``_`` at the end and uses the same row, unless it has its own.
"""

from __future__ import annotations

import functools
import re
from typing import Any, NamedTuple

_TEXT = """
abs x | -> out
accuracy x=Out indices label | -> accuracy correct total
acos x | -> out
acosh x | -> out
add=elementwise_add x y | -> out
add_n=sum inputs[]=X | -> out
addmm input x y | beta:f32=Beta alpha:f32=Alpha -> out
affine_grid input=Theta output_shape@i64s=output_shape/OutputShape | align_corners:bool -> output
all=reduce_all x | axis:i64s=dim keepdim:bool=keep_dim -> out
allclose x=Input y=Other rtol@strf=rtol/Rtol atol@strf=atol/Atol | equal_nan:bool -> out
amax=reduce_amax x | axis:i64s=dim keepdim:bool=keep_dim -> out
amin=reduce_amin x | axis:i64s=dim keepdim:bool=keep_dim -> out
anchor_generator input | anchor_sizes:f32s aspect_ratios:f32s variances:f32s stride:f32s offset:f32 -> anchors
    variances_out=Variances
angle x | -> out
any=reduce_any x | axis:i64s=dim keepdim:bool=keep_dim -> out
arange=range start@f64=-/Start end@f64=-/End step@f64=-/Step | dtype:dtype place:place -> out
argmax=arg_max x axis@i64=axis/- | keepdims:bool flatten:bool dtype:dtype -> out
argmin=arg_min x axis@i64=axis/- | keepdims:bool flatten:bool dtype:dtype -> out
argsort x | axis:i32 descending:bool stable:bool=-(false) -> out indices
array_length x | -> out
array_pop input | index:i32 -> array_out out
array_read array i | -> out
array_to_tensor x | axis:i32 use_stack:bool -> out out_index
array_write_ array x i | -> out
as_complex x | -> out
as_real x | -> out
asin x | -> out
asinh x | -> out
assign x | -> out
assign_out_ x output | -> out
assign_value_ output | shape:i32s dtype:dtype values:f64s place:place -> out
atan x | -> out
atan2 x=X1 y=X2 | -> out
atanh x | -> out
batch_norm x mean variance scale bias | is_test:bool momentum:f32 epsilon:f32 data_format:str=data_layout
    use_global_stats:bool trainable_statistics:bool -> out=Y mean_out variance_out saved_mean saved_variance reserve_space
bce_loss input=X label | -> out
bernoulli x | -> out
bicubic_interp=bicubic_interp_v2 x out_size size_tensor[] scale_tensor=Scale | data_format:str=data_layout out_d:i32 out_h:i32
    out_w:i32 scale:f64s interp_method:str align_corners:bool align_mode:i32 -> output=Out
bilinear=bilinear_tensor_product x y weight bias | -> out
bilinear_interp=bilinear_interp_v2 x out_size size_tensor[] scale_tensor=Scale | data_format:str=data_layout out_d:i32
    out_h:i32 out_w:i32 scale:f64s interp_method:str align_corners:bool align_mode:i32 -> output=Out
bincount x weights minlength@i32=minlength/- | -> out
bitwise_and x y | -> out
bitwise_not x | -> out
bitwise_or x y | -> out
bitwise_xor x y | -> out
bmm x y | -> out
box_coder prior_box prior_box_var target_box | code_type:str box_normalized:bool axis:i32 variance:f32s -> output_box
broadcast_tensors input[]=X | -> out[]
cast x | dtype:dtype=out_dtype -> out
ceil x | -> out
celu x | alpha:f32 -> out
channel_shuffle x | groups:i32 data_format:str -> out
cholesky x | upper:bool -> out
class_center_sample label | num_classes:i32 num_samples:i32 ring_id:i32 rank:i32 nranks:i32 fix_seed:bool seed:i32 ->
    remapped_label sampled_local_class_center
clip x min@f32=min/Min max@f32=max/Max | -> out
complex real=X imag=Y | -> out
concat x[] axis@i32=axis/AxisTensor | -> out
conj x | -> out
conv2d input filter | strides:i32s paddings:i32s padding_algorithm:str dilations:i32s groups:i32 data_format:str -> out=Output
conv2d_transpose x=Input filter output_size@i64s=output_size/- | strides:i32s paddings:i32s output_padding:i32s
    padding_algorithm:str groups:i32 dilations:i32s data_format:str -> out=Output
conv3d input filter | strides:i32s paddings:i32s padding_algorithm:str groups:i32 dilations:i32s data_format:str -> out=Output
conv3d_transpose x=Input filter | strides:i32s paddings:i32s output_padding:i32s output_size:i32s padding_algorithm:str
    groups:i32 dilations:i32s data_format:str -> out=Output
cos x | -> out
cosh x | -> out
create_array | dtype:dtype -> out
crop=crop_tensor x shape@i64s=shape/Shape/ShapeTensor offsets@i64s=offsets/Offsets/OffsetsTensor | -> out
cross x y | axis:i32=dim -> out
cross_entropy_with_softmax=softmax_with_cross_entropy input=Logits label | soft_label:bool use_softmax:bool
    numeric_stable_mode:bool ignore_index:i32 axis:i32 -> softmax loss
cummax x=x | axis:i32 dtype:dtype -> out=out indices=indices
cummin x=x | axis:i32 dtype:dtype -> out=out indices=indices
cumprod x | dim:i32 exclusive:bool=-() reverse:bool=-() -> out
cumsum x axis@i32=axis/- | flatten:bool exclusive:bool reverse:bool -> out
data | name:str shape:intarray dtype:dtype place:place -> out
deformable_conv x=Input offset filter mask | strides:i32s paddings:i32s dilations:i32s deformable_groups:i32 groups:i32
    im2col_step:i32 -> out=Output
depthwise_conv2d input filter | strides:i32s paddings:i32s padding_algorithm:str groups:i32 dilations:i32s data_format:str ->
    out=Output
depthwise_conv2d_transpose x=Input filter output_size@i64s=output_size/- | strides:i32s paddings:i32s output_padding:i32s
    padding_algorithm:str groups:i32 dilations:i32s data_format:str -> out=Output
dequantize_linear x scale zero_point in_accum in_state | quant_axis:i32 bit_length:i32 qmin:i32=-(-128) qmax:i32=-(127)
    round_type:i32 is_test:bool only_observer:bool -> y out_state out_accum out_scale
det=determinant x=Input | -> out
diag=diag_v2 x | offset:i32 padding_value:f32 -> out
diag_embed input | offset:i32 dim1:i32 dim2:i32 -> out
diagonal x=Input | offset:i32 axis1:i32 axis2:i32 -> out
digamma x | -> out
dirichlet alpha | -> out
dist x y | p:f32 -> out
distribute_fpn_proposals fpn_rois rois_num | min_level:i32 max_level:i32 refer_level:i32 refer_scale:i32 pixel_offset:bool ->
    multi_fpn_rois[] multi_level_rois_num[]=MultiLevelRoIsNum restore_index
divide=elementwise_div x y | -> out
dot x y | -> out
dropout x seed_tensor=Seed p@f32=dropout_prob/- | is_test:bool mode:str=dropout_implementation seed:i32=seed
    fix_seed:bool=fix_seed -> out mask
eig x | -> out_w=Eigenvalues out_v=Eigenvectors
eigh x | UPLO:str -> out_w=Eigenvalues out_v=Eigenvectors
eigvals x | -> out
eigvalsh x | uplo:str=UPLO is_test:bool -> eigenvalues eigenvectors
einsum x[]=Operands | equation:str -> out inner_cache[] xshape[]=XShape
elementwise_pow x y | -> out
elu x | alpha:f32 -> out
embedding=lookup_table_v2 x=Ids weight=W | padding_idx:i64 sparse:bool=is_sparse -> out
empty shape@i64s=shape/ShapeTensor/ShapeTensorList | dtype:dtype place:place -> out
equal x y | -> out
equal_all x y | -> out
erf x | -> out
erfinv x | -> out
exp x | -> out
expand=expand_v2 x shape@i64s=shape/Shape/expand_shapes_tensor | -> out
expand_as=expand_as_v2 x y | target_shape:i64s -> out
expm1 x | -> out
eye num_rows@i32=num_rows/- num_columns@i32=num_columns/- | dtype:dtype place:place -> out
fake_channel_wise_dequantize_max_abs x scales[] | quant_bits:i32s quant_axis:i32 x_num_col_dims:i32 -> out
fake_channel_wise_quantize_abs_max x | bit_length:i32 round_type:i32=round_type quant_axis:i32 is_test:bool -> out out_scale
fake_channel_wise_quantize_dequantize_abs_max x | bit_length:i32 round_type:i32=round_type quant_axis:i32 -> out out_scale
fake_dequantize_max_abs x scale | max_range:f32 -> out
fake_quantize_abs_max x | bit_length:i32 round_type:i32=round_type -> out out_scale
fake_quantize_dequantize_abs_max x | bit_length:i32 round_type:i32=round_type -> out out_scale
fake_quantize_dequantize_moving_average_abs_max x in_scale in_accum in_state | moving_rate:f32 bit_length:i32 is_test:bool
    round_type:i32=round_type -> out out_scale out_state out_accum
fake_quantize_moving_average_abs_max x in_scale in_accum in_state | moving_rate:f32 bit_length:i32 is_test:bool
    round_type:i32=round_type -> out out_scale out_state out_accum
fake_quantize_range_abs_max x in_scale iter | window_size:i32 bit_length:i32 is_test:bool round_type:i32=round_type -> out
    out_scale out_scales
fetch x | name:str col:i32 -> out
fft_c2c x | axes:i64s normalization:str forward:bool -> out
fft_c2r x | axes:i64s normalization:str forward:bool last_dim_size:i64 -> out
fft_r2c x | axes:i64s normalization:str forward:bool onesided:bool -> out
fill_diagonal_tensor x y | offset:i64 dim1:i32 dim2:i32 -> out
flatten=flatten_contiguous_range x | start_axis:i32 stop_axis:i32 -> out
flip x | axis:i32s -> out
floor x | -> out
floor_divide=elementwise_floordiv x y | -> out
fmax=elementwise_fmax x y | -> out
fmin=elementwise_fmin x y | -> out
fold x | output_sizes:i32s kernel_sizes:i32s strides:i32s paddings:i32s dilations:i32s -> out=Y
frame x | frame_length:i32 hop_length:i32 axis:i32 -> out
frobenius_norm x axis@i64s=dim/- | keep_dim:bool reduce_all:bool -> out
full | shape:intarray value:f64 dtype:dtype place:place -> out
full_batch_size_like=fill_constant_batch_size_like input | shape:i32s dtype:dtype value:f64 input_dim_idx:i32
    output_dim_idx:i32 place:place -> out
full_int_array | value:i64s dtype:dtype place:place -> out
full_like=fill_any_like x value@f32=value/- | dtype:dtype place:place -> out
full_with_tensor value shape@i64s=shape | dtype:dtype -> out
gather x index axis@i32=axis/Axis | -> out
gather_nd x index | -> out
gather_tree ids parents | -> out
gaussian=gaussian_random shape@i64s=shape/ShapeTensor/ShapeTensorList | mean:f32 std:f32 seed:i32 dtype:dtype place:place ->
    out
gelu x | approximate:bool -> out
generate_proposals=generate_proposals_v2 scores bbox_deltas im_shape anchors variances | pre_nms_top_n:i32=pre_nms_topN
    post_nms_top_n:i32=post_nms_topN nms_thresh:f32 min_size:f32 eta:f32 pixel_offset:bool -> rpn_rois rpn_roi_probs
    rpn_rois_num
greater_equal x y | -> out
greater_than x y | -> out
grid_sample=grid_sampler x grid | mode:str padding_mode:str align_corners:bool -> out=Output
group_norm x scale bias | epsilon:f64 groups:i32 data_format:str=data_layout -> y mean variance
gumbel_softmax x | temperature:f32 hard:bool axis:i32 -> out
hardshrink=hard_shrink x | threshold:f32 -> out
hardsigmoid=hard_sigmoid x | slope:f32 offset:f32 -> out
hardswish=hard_swish x | -> out
hardtanh=brelu x | t_min:f32 t_max:f32 -> out
heaviside=elementwise_heaviside x y | -> out
histogram input=X weight | bins:i64 min:f32 max:f32 density:bool=density -> out
huber_loss input=X label=Y | delta:f32 -> out residual
i0 x=x | -> out=out
i0e x=x | -> out=out
i1 x=x | -> out=out
i1e x=x | -> out=out
imag x | -> out
increment_ x | value:f32 -> out
index_add x index add_value | axis:i32 -> out
index_put x=x indices[]=indices value=value | accumulate:bool -> out=out
index_sample x index | -> out
index_select x index | axis:i32=dim -> out
instance_norm x scale bias | epsilon:f32 -> y saved_mean saved_variance
inverse x=Input | -> out=Output
is_empty x | -> out
isclose x=Input y=Other rtol@strf=rtol/Rtol atol@strf=atol/Atol | equal_nan:bool -> out
isfinite=isfinite_v2 x | -> out
isinf=isinf_v2 x | -> out
isnan=isnan_v2 x | -> out
kldiv_loss x label=Target | reduction:str log_target:bool=-() -> out=Loss
kron x y | -> out
kthvalue x | k:i64 axis:i32 keepdim:bool -> out indices
label_smooth label=X prior_dist | epsilon:f32 -> out
layer_norm x scale bias | epsilon:f32 begin_norm_axis:i32 -> out=Y mean variance
leaky_relu x | negative_slope:f64=alpha -> out
legacy_matmul=matmul x y | transpose_x:bool=transpose_X transpose_y:bool=transpose_Y alpha:f32 -> out
legacy_reshape=reshape2 x shape@i64s=shape/Shape/ShapeTensor | -> out
lerp x y weight | -> out
less_equal x y | -> out
less_than x y | -> out
lgamma x | -> out
linear_interp=linear_interp_v2 x out_size size_tensor[] scale_tensor=Scale | data_format:str=data_layout out_d:i32 out_h:i32
    out_w:i32 scale:f64s interp_method:str align_corners:bool align_mode:i32 -> output=Out
linspace start stop number=Num | dtype:dtype place:place -> out
lod_reset x y | target_lod:i32s append:bool -> out
log x | -> out
log10 x | -> out
log1p x | -> out
log2 x | -> out
log_loss input=Predicted label=Labels | epsilon:f32 -> out=Loss
log_softmax x | axis:i32 -> out
logcumsumexp x | axis:i32 flatten:bool exclusive:bool reverse:bool -> out
logical_and x y | -> out
logical_not x | -> out
logical_or x y | -> out
logical_xor x y | -> out
logit x | eps:f64 -> out
logsigmoid x | -> out
logspace start stop num base | dtype:dtype place:place -> out
logsumexp x | axis:i32s keepdim:bool reduce_all:bool -> out
lookup_table w ids | is_sparse:bool is_distributed:bool padding_idx:i64 remote_prefetch:bool entry_config:str is_test:bool
    entry:str table_class:str table_names:strs trainer_id:i32 slot:i32 grad_inplace:bool epmap:strs height_sections:i64s ->
    out
lp_pool2d x | kernel_size:intarray strides:i64s paddings:i64s ceil_mode:bool exclusive:bool data_format:str pooling_type:str
    global_pooling:bool adaptive:bool padding_algorithm:str norm_type:f32 -> out
lstsq x y rcond@f32=rcond/- | driver:str -> solution residuals rank singular_values
lu x | pivot:bool=pivots -> out pivots infos
lu_unpack x y=Pivots | unpack_ludata:bool unpack_pivots:bool -> pmat l u
masked_fill x mask value | -> out
masked_select x mask | -> out=Y
matmul=matmul_v2 x y | transpose_x:bool=trans_x transpose_y:bool=trans_y -> out
matrix_nms bboxes=BBoxes scores | score_threshold:f32 nms_top_k:i32 keep_top_k:i32 post_threshold:f32 use_gaussian:bool
    gaussian_sigma:f32 background_label:i32 normalized:bool -> out index roisnum=RoisNum
matrix_power x | n:i32 -> out
matrix_rank x | tol:f32 use_default_tol:bool hermitian:bool -> out
matrix_rank_tol=matrix_rank x atol_tensor=TolTensor | use_default_tol:bool hermitian:bool -> out
max=reduce_max x axis@i64s=dim/- | keepdim:bool=keep_dim -> out
max_pool2d_with_index x | kernel_size:i32s=ksize strides:i32s paddings:i32s global_pooling:bool adaptive:bool
    ceil_mode:bool=-() -> out mask
max_pool3d_with_index x | kernel_size:i32s=ksize strides:i32s paddings:i32s global_pooling:bool adaptive:bool
    ceil_mode:bool=-() -> out mask
maximum=elementwise_max x y | -> out
maxout x | groups:i32 axis:i32 -> out
mean=reduce_mean x axis@i64s=dim/- | keepdim:bool=keep_dim -> out
mean_all=mean x | -> out
median x | axis:intarray keepdim:bool mode:str -> out medians
memcpy x | dst_place_type:i32 -> out
meshgrid inputs[]=X | -> out[]
min=reduce_min x axis@i64s=dim/- | keepdim:bool=keep_dim -> out
minimum=elementwise_min x y | -> out
mish x | lambda:f32=-(20.0) -> out
mode x | axis:i32 keepdim:bool -> out indices
moving_average_abs_max_scale x in_accum in_state | moving_rate:f32 is_test:bool -> out out_scale out_state out_accum
multi_dot x[] | -> out
multiclass_nms3 bboxes=BBoxes scores rois_num | score_threshold:f32 nms_top_k:i32 keep_top_k:i32 nms_threshold:f32
    normalized:bool nms_eta:f32 background_label:i32 -> out index nms_rois_num
multinomial x num_samples@i32=num_samples/- | replacement:bool -> out
multiplex inputs[]=X index=Ids | -> out
multiply=elementwise_mul x y | -> out
mv x vec | -> out
nanmedian x | axis:intarray keepdim:bool mode:str=-(avg) -> out medians=MedianIndex
nearest_interp=nearest_interp_v2 x out_size size_tensor[] scale_tensor=Scale | data_format:str=data_layout out_d:i32 out_h:i32
    out_w:i32 scale:f64s interp_method:str align_corners:bool align_mode:i32 -> output=Out
nextafter x=x y=y | -> out=out
nll_loss input=X label weight | ignore_index:i64 reduction:str -> out total_weight=Total_weight
nms x=Boxes | threshold:f32=iou_threshold -> out=KeepBoxesIdxs
nonzero=where_index condition | -> out
not_equal x y | -> out
numel=size x=Input | -> size=Out
one_hot=one_hot_v2 x num_classes@i32=depth/depth_tensor | -> out
overlap_add x | hop_length:i32 axis:i32 -> out
p_norm x | porder:f32 axis:i32 epsilon:f32 keepdim:bool asvector:bool -> out
pad x pad_value@f32=pad_value/- | paddings:i32s -> out
pad3d x paddings@i64s=paddings/Paddings | mode:str pad_value:f64=value data_format:str -> out
pixel_shuffle x | upscale_factor:i32 data_format:str -> out
pixel_unshuffle x | downscale_factor:i32 data_format:str -> out
poisson x | -> out
polygamma x=x | n:i32 -> out=out
pool2d x kernel_size@i64s=ksize/- | strides:i64s paddings:i64s ceil_mode:bool exclusive:bool data_format:str pooling_type:str
    global_pooling:bool adaptive:bool padding_algorithm:str -> out
pool3d x | kernel_size:i64s=ksize strides:i64s paddings:i64s ceil_mode:bool exclusive:bool data_format:str pooling_type:str
    global_pooling:bool adaptive:bool padding_algorithm:str -> out
pow x | y:f32=factor -> out
prelu x alpha | data_format:str mode:str -> out
prior_box input image | min_sizes:f32s max_sizes:f32s aspect_ratios:f32s variances:f32s flip:bool clip:bool step_w:f32
    step_h:f32 offset:f32 min_max_aspect_ratios_order:bool -> out=Boxes var=Variances
prod=reduce_prod x axis@i64s=dim/- | keepdim:bool=keep_dim reduce_all:bool -> out
psroi_pool x boxes=ROIs boxes_num=RoisNum | pooled_height:i32 pooled_width:i32 output_channels:i32 spatial_scale:f32 -> out
put_along_axis arr=Input indices=Index values=Value | axis:i32=Axis reduce:str=Reduce include_self:bool=Include_self ->
    out=Result
qr x | mode:str -> q r
quantize_linear x scale zero_point in_accum in_state | quant_axis:i32 bit_length:i32 qmin:i32=-(-128) qmax:i32=-(127)
    round_type:i32 is_test:bool only_observer:bool -> y out_state out_accum out_scale
randint shape@i64s=shape/ShapeTensor/ShapeTensorList | low:i32 high:i32 dtype:dtype place:place -> out
randperm | n:i32 dtype:dtype place:place -> out
real x | -> out
reciprocal x | -> out
relu x | -> out
relu6 x | -> out
remainder=elementwise_mod x y | -> out
renorm x | p:f32 axis:i32 max_norm:f32 -> out
repeat_interleave_with_tensor_index=repeat_interleave x repeats=RepeatsTensor | axis:i32=dim output_size:i64=-(-1) -> out
repeat_interleave x | repeats:i32=Repeats axis:i32=dim output_size:i64=-(-1) -> out
reshape=reshape2 x shape@i64s=shape/Shape/ShapeTensor | -> out
rnn x=Input pre_state[] weight_list[] sequence_length dropout_state_in=DropoutState | dropout_prob:f32 is_bidirec:bool
    input_size:i32 hidden_size:i32 num_layers:i32 mode:str seed:i32 is_test:bool
    -> out dropout_state_out=DropoutState state[] reserve
roi_align x boxes=ROIs boxes_num=RoisNum | pooled_height:i32 pooled_width:i32 spatial_scale:f32 sampling_ratio:i32
    aligned:bool -> out
roi_pool x boxes=ROIs boxes_num=RoisNum | pooled_height:i32 pooled_width:i32 spatial_scale:f32 -> out arg_max=Argmax
roll x shifts@i64s=shifts/ShiftsTensor | axis:i64s -> out
round x | decimals:i32=-() -> out
rrelu x | lower:f32 upper:f32 is_test:bool -> out noise
rsqrt x | -> out
scale x scale@f32=scale/ScaleTensor | bias:f32 bias_after_scale:bool -> out
scatter x index=Ids updates | overwrite:bool -> out
scatter_nd_add x index updates | -> out
searchsorted sorted_sequence values | out_int32:bool right:bool -> out
segment_pool x segment_ids | pooltype:str -> out summed_ids
selu x | scale:f32 alpha:f32 -> out
send_u_recv=graph_send_recv x src_index=Src_index dst_index=Dst_index out_size@i64s=out_size/Out_size | reduce_op:str -> out
    dst_count=Dst_count
send_ue_recv=graph_send_ue_recv x y src_index=Src_index dst_index=Dst_index out_size@i64s=out_size/Out_size | message_op:str
    reduce_op:str -> out dst_count=Dst_count
send_uv=graph_send_uv x=x y=y src_index=src_index dst_index=dst_index | message_op:str -> out=out
sequence_mask x max_len@i32=maxlen/MaxLenTensor | out_dtype:dtype -> y
set_value x=Input starts@i64s=starts/StartsTensorList ends@i64s=ends/EndsTensorList steps@i64s=steps/StepsTensorList |
    axes:i64s decrease_axes:i64s none_axes:i64s shape:i64s values:f64s -> out
set_value_with_tensor=set_value x=Input values=ValueTensor starts@i64s=starts/StartsTensorList ends@i64s=ends/EndsTensorList
    steps@i64s=steps/StepsTensorList | axes:i64s decrease_axes:i64s none_axes:i64s -> out
shape input | -> out
shape64=shape input | -> out
shard_index input=X | index_num:i32 nshards:i32 shard_id:i32 ignore_value:i32 -> out
share_data x | -> out
sigmoid x | -> out
sigmoid_cross_entropy_with_logits x label pos_weight=pos_weight | normalize:bool ignore_index:i32 -> out
sign x | -> out
silu x | -> out
sin x | -> out
sinh x | -> out
slice input starts@i64s=starts/StartsTensor/StartsTensorList ends@i64s=ends/EndsTensor/EndsTensorList | axes:i64s
    infer_flags:i64s decrease_axis:i64s -> out
slice_array input starts ends | -> out
slice_array_dense input starts | -> out
slogdet=slogdeterminant x=Input | -> out
softmax x | axis:i32 -> out
softplus x | beta:f64 threshold:f64 -> out
softshrink x | threshold:f32=lambda -> out
softsign x | -> out
solve x y | -> out
spectral_norm weight u v | dim:i32 power_iters:i32 eps:f32 -> out
split x sections@i64s=sections axis@i32=axis | -> out[]
split_with_num=split x axis@i32=axis | num:i32 -> out[]
sqrt x | -> out
square x | -> out
squeeze=squeeze2 x axis@i64s=axes/- | -> out
stack x[] | axis:i32 -> out=Y
stanh x | scale_a:f32 scale_b:f32 -> out
strided_slice x=Input starts@i64s=starts/StartsTensor/StartsTensorList ends@i64s=ends/EndsTensor/EndsTensorList
    strides@i64s=strides/StridesTensor/StridesTensorList | axes:i32s -> out
subtract=elementwise_sub x y | -> out
sum=reduce_sum x axis@i64s=dim/- | dtype:dtype=out_dtype keepdim:bool=keep_dim -> out
svd x | full_matrices:bool -> u s vh=VH
swish x | -> out
take_along_axis arr=Input indices=Index | axis:i32=Axis -> out=Result
tan x | -> out
tanh x | -> out
tanh_shrink x | -> out
temporal_shift x | seg_num:i32 shift_ratio:f32 data_format:str -> out
thresholded_relu x | threshold:f32 value:f32=-() -> out
tile x repeat_times@i64s=repeat_times/RepeatTimes/repeat_times_tensor | -> out
topk=top_k_v2 x k@i32=k/K | axis:i32 largest:bool sorted:bool -> out indices
trace x=Input | offset:i32 axis1:i32 axis2:i32 -> out
transpose=transpose2 x | perm:i32s=axis -> out
triangular_solve x y | upper:bool transpose:bool unitriangular:bool -> out
tril=tril_triu x | diagonal:i32 +lower=true -> out
tril_indices | rows:i32 cols:i32 offset:i32 dtype:dtype place:place -> out=out
trilinear_interp=trilinear_interp_v2 x out_size size_tensor[] scale_tensor=Scale | data_format:str=data_layout out_d:i32
    out_h:i32 out_w:i32 scale:f64s interp_method:str align_corners:bool align_mode:i32 -> output=Out
triu=tril_triu x | diagonal:i32 +lower=false -> out
trunc input=X | -> out
unbind input=X | axis:i32 -> out[]
unfold x | kernel_sizes:i32s strides:i32s paddings:i32s dilations:i32s -> out=Y
uniform=uniform_random shape@i64s=shape/ShapeTensor/ShapeTensorList min@f32=min/- max@f32=max/- | dtype:dtype seed:i32
    place:place -> out
unique x | return_index:bool return_inverse:bool return_counts:bool axis:i32s dtype:dtype is_sorted:bool -> out indices
    inverse=Index counts
unique_consecutive x | return_inverse:bool return_counts:bool axis:i32s dtype:dtype -> out index counts
unpool x indices output_size@i64s=output_size/- | ksize:i32s strides:i32s padding:i32s=paddings data_format:str -> out
unpool3d x indices | ksize:i32s strides:i32s paddings:i32s output_size:i32s data_format:str -> out
unsqueeze=unsqueeze2 x axis@i64s=axes/AxesTensor/AxesTensorList | -> out
unstack x | axis:i32 num:i32 -> out[]=Y
viterbi_decode potentials=Input transition_params=Transition lengths=Length | include_bos_eos_tag:bool -> scores path
warpctc logits label logits_length labels_length=LabelLength | blank:i32 norm_by_times:bool -> loss warpctcgrad=WarpCTCGrad
warprnnt input=input label=label input_lengths=input_lengths label_lengths=label_lengths | blank:i32 fastemit_lambda:f32 ->
    loss=loss warprnntgrad=warprnntgrad
where condition x y | -> out
yolo_loss=yolov3_loss x gt_box=GTBox gt_label=GTLabel gt_score=GTScore | anchors:i32s anchor_mask:i32s class_num:i32
    ignore_thresh:f32 downsample_ratio:i32 use_label_smooth:bool scale_x_y:f32 -> loss objectness_mask gt_match_mask
yolo_box x img_size | anchors:i32s class_num:i32 conf_thresh:f32 downsample_ratio:i32 clip_bbox:bool scale_x_y:f32
    iou_aware:bool iou_aware_factor:f32 -> boxes scores
"""


class Operand(NamedTuple):
    """An operand: ``slot`` is that of tensors in `.pdmodel` files, or the operand is the attribute ``attr`` there."""

    name: str
    several: bool
    slot: str | None
    attr: str | None = None
    attr_type: str = ""
    tensor_slots: tuple[str, ...] = ()


class Attribute(NamedTuple):
    """An attribute: ``attr`` is its name in `.pdmodel` files; None: there it always has the value ``default``."""

    name: str
    type: str
    attr: str | None
    default: Any = None


class ResultSlot(NamedTuple):
    """A result, or a list of them, and its slot in `.pdmodel` files."""

    name: str
    several: bool
    slot: str


class Row(NamedTuple):
    """The description of an operator; ``op_type`` is its type in `.pdmodel` files, ``fixed`` are attributes that it has there."""

    name: str
    op_type: str
    operands: tuple[Operand, ...]
    attributes: tuple[Attribute, ...]
    results: tuple[ResultSlot, ...]
    fixed: dict[str, Any]

    @property
    def slots(self) -> dict[str, Operand]:
        """The operands by the slots that tensors for them have."""
        slots = {slot: operand for operand in self.operands for slot in operand.tensor_slots}
        return slots | {operand.slot: operand for operand in self.operands if operand.slot is not None}


_ZEROS: dict[str, Any] = {"bool": False, "str": "", "f32": 0.0, "f64": 0.0, "i32": 0, "i64": 0}
_WORDS: dict[str, Any] = {"true": True, "false": False}


@functools.cache
def _lines() -> dict[str, str]:
    rows = _TEXT.strip().replace("\n    ", " ").split("\n")
    return {re.split(r"[ =]", line, maxsplit=1)[0]: line for line in rows}


def names() -> list[str]:
    """The names of all operators that have a row."""
    return list(_lines())


@functools.cache
def row(name: str) -> Row | None:
    """The row of an operator; None: it has none.

    Example:
        >>> row("matmul").kind
        'matmul_v2'
    """
    line = _lines().get(name) or (_lines().get(name[:-1]) if name.endswith("_") else None)
    if line is None:
        return None
    head, _, operands_text = line.partition(" | ")
    attributes, _, results = operands_text.partition("-> ")
    title, *operands = head.split()
    base, _, op_type = title.partition("=")
    words = attributes.split()
    fixed = dict(word[1:].split("=") for word in words if word.startswith("+"))
    return Row(
        name,
        op_type or base,
        tuple(map(_operand, operands)),
        tuple(_attribute(word) for word in words if not word.startswith("+")),
        tuple(map(_result, results.split())),
        {key: _WORDS.get(text, text) for key, text in fixed.items()},
    )


def _operand(word: str) -> Operand:
    if "@" in word:
        name, _, attribute_name = word.partition("@")
        attr_type, _, places_text = attribute_name.partition("=")
        attr, *slots = places_text.split("/")
        return Operand(name, False, None, None if attr == "-" else attr, attr_type, tuple(s for s in slots if s != "-"))
    title, _, slot = word.partition("=")
    name = title.removesuffix("[]")
    return Operand(name, title != name, None if slot == "-" else slot or _camel(name))


def _attribute(word: str) -> Attribute:
    title, _, attr = word.partition("=")
    name, _, attr_type = title.partition(":")
    if not attr.startswith("-"):
        return Attribute(name, attr_type, attr or name)
    text, zero = attr[1:].strip("()"), _ZEROS.get(attr_type)
    if text in _WORDS:
        return Attribute(name, attr_type, None, _WORDS[text])
    return Attribute(name, attr_type, None, type(zero)(text) if text and zero is not None else zero)


def _result(word: str) -> ResultSlot:
    title, _, slot = word.partition("=")
    name = title.removesuffix("[]")
    return ResultSlot(name, title != name, slot or _camel(name))


def _camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))
