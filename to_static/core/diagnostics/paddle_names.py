"""The public names of PaddlePaddle 2.6.2, by module or class: what `missing` looks a name up in that is not here.

Written by ``tests/golden/record_names.py``; read only when an error is made.
"""

from __future__ import annotations

_TEXT = """
paddle: CPUPlace CUDAPinnedPlace CUDAPlace DataParallel LazyGuard Model ParamAttr Tensor abs abs_ acos acos_ acosh add add_n
    addmm addmm_ all allclose amax amin amp angle any arange argmax argmin argsort as_complex as_real as_strided asin asinh
    assign atan atan2 atan_ atanh atleast_1d atleast_2d atleast_3d audio autograd batch bernoulli bfloat16 bincount bitwise_and
    bitwise_and_ bitwise_not bitwise_not_ bitwise_or bitwise_or_ bitwise_xor bitwise_xor_ bmm bool broadcast_shape
    broadcast_tensors broadcast_to bucketize callbacks cast cast_ cauchy_ cdist ceil check_shape chunk clip clone combinations
    complex complex128 complex64 concat conj cos cos_ cosh count_nonzero create_parameter crop cross cummax cummin cumprod
    cumprod_ cumsum cumsum_ cumulative_trapezoid deg2rad device diag diag_embed diagflat diagonal diagonal_scatter diff digamma
    digamma_ disable_signal_handler disable_static dist distributed distribution divide divide_ dot dtype einsum empty
    empty_like enable_grad enable_static equal equal_ equal_all erf erf_ erfinv exp expand expand_as expm1 expm1_ eye fft finfo
    flatten flip float16 float32 float64 floor floor_divide floor_divide_ floor_mod floor_mod_ flops fmax fmin frac frac_
    framework frexp full full_like gather gather_nd gcd gcd_ geometric geometric_ get_cuda_rng_state get_default_dtype get_flags
    get_rng_state grad greater_equal greater_equal_ greater_than greater_than_ heaviside histogram hub hypot hypot_ i0 i0_ i0e
    i1 i1e iinfo imag in_dynamic_mode increment incubate index_add index_add_ index_fill index_fill_ index_put index_put_
    index_sample index_select inference inner int16 int32 int64 int8 io is_complex is_empty is_floating_point is_grad_enabled
    is_integer is_tensor isclose isfinite isinf isnan jit kron kthvalue lcm lcm_ ldexp ldexp_ lerp less_equal less_equal_
    less_than less_than_ lgamma lgamma_ linalg linspace load log log10 log10_ log1p log2 log2_ log_ logaddexp logcumsumexp
    logical_and logical_and_ logical_not logical_not_ logical_or logical_or_ logical_xor logit logit_ logspace logsumexp
    masked_fill masked_fill_ masked_select matmul max maximum mean median meshgrid metric min minimum mm mod mod_ mode moveaxis
    multigammaln multigammaln_ multinomial multiplex multiply multiply_ mv nan_to_num nan_to_num_ nanmean nanmedian nanquantile
    nansum neg neg_ nextafter nn no_grad nonzero normal normal_ not_equal numel ones ones_like onnx optimizer outer poisson
    polar polygamma polygamma_ pow pow_ prod profiler put_along_axis quantile quantization rad2deg rand randint randint_like
    randn randperm rank real reciprocal regularizer remainder remainder_ renorm renorm_ repeat_interleave reshape reshape_
    reverse roll rot90 round rsqrt save scale scatter scatter_ scatter_nd scatter_nd_add searchsorted seed select_scatter
    set_cuda_rng_state set_default_dtype set_flags set_grad_enabled set_printoptions set_rng_state sgn shape shard_index sign
    signal sin sin_ sinh sinh_ slice sort sparse split sqrt square square_ squeeze squeeze_ stack standard_normal stanh static
    std strided_slice subtract sum summary sysconfig t t_ take take_along_axis tan tan_ tanh tanh_ tensordot text tile to_tensor
    tolist topk trace transpose transpose_ trapezoid tril tril_ tril_indices triu triu_ triu_indices trunc trunc_ uint8 unbind
    unflatten unfold uniform unique unique_consecutive unsqueeze unsqueeze_ unstack utils vander var version view view_as vision
    vsplit where where_ zeros zeros_like
nn: AdaptiveAvgPool1D AdaptiveAvgPool2D AdaptiveAvgPool3D AdaptiveMaxPool1D AdaptiveMaxPool2D AdaptiveMaxPool3D AlphaDropout
    AvgPool1D AvgPool2D AvgPool3D BCELoss BCEWithLogitsLoss BatchNorm BatchNorm1D BatchNorm2D BatchNorm3D BeamSearchDecoder
    BiRNN Bilinear CELU CTCLoss ChannelShuffle ClipGradByGlobalNorm ClipGradByNorm ClipGradByValue Conv1D Conv1DTranspose Conv2D
    Conv2DTranspose Conv3D Conv3DTranspose CosineEmbeddingLoss CosineSimilarity CrossEntropyLoss Dropout Dropout2D Dropout3D ELU
    Embedding Flatten Fold GELU GLU GRU GRUCell GaussianNLLLoss GroupNorm HSigmoidLoss Hardshrink Hardsigmoid Hardswish Hardtanh
    HingeEmbeddingLoss Identity InstanceNorm1D InstanceNorm2D InstanceNorm3D KLDivLoss L1Loss LSTM LSTMCell Layer LayerDict
    LayerList LayerNorm LeakyReLU Linear LocalResponseNorm LogSigmoid LogSoftmax MSELoss MarginRankingLoss MaxPool1D MaxPool2D
    MaxPool3D MaxUnPool1D MaxUnPool2D MaxUnPool3D Maxout Mish MultiHeadAttention MultiLabelSoftMarginLoss MultiMarginLoss
    NLLLoss PReLU Pad1D Pad2D Pad3D PairwiseDistance ParameterList PixelShuffle PixelUnshuffle PoissonNLLLoss RNN RNNCellBase
    RNNTLoss RReLU ReLU ReLU6 SELU Sequential Sigmoid Silu SimpleRNN SimpleRNNCell SmoothL1Loss SoftMarginLoss Softmax Softmax2D
    Softplus Softshrink Softsign SpectralNorm Swish SyncBatchNorm Tanh Tanhshrink ThresholdedReLU Transformer TransformerDecoder
    TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer TripletMarginLoss TripletMarginWithDistanceLoss Unflatten
    Unfold Upsample UpsamplingBilinear2D UpsamplingNearest2D ZeroPad2D dynamic_decode functional initializer quant utils
nn.functional: adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d
    adaptive_max_pool3d affine_grid alpha_dropout avg_pool1d avg_pool2d avg_pool3d batch_norm bilinear binary_cross_entropy
    binary_cross_entropy_with_logits celu channel_shuffle class_center_sample conv1d conv1d_transpose conv2d conv2d_transpose
    conv3d conv3d_transpose cosine_embedding_loss cosine_similarity cross_entropy ctc_loss dice_loss dropout dropout2d dropout3d
    elu elu_ embedding fold gather_tree gaussian_nll_loss gelu glu grid_sample gumbel_softmax hardshrink hardsigmoid hardswish
    hardtanh hardtanh_ hinge_embedding_loss hsigmoid_loss instance_norm interpolate kl_div l1_loss label_smooth layer_norm
    leaky_relu leaky_relu_ linear local_response_norm log_loss log_sigmoid log_softmax margin_cross_entropy margin_ranking_loss
    max_pool1d max_pool2d max_pool3d max_unpool1d max_unpool2d max_unpool3d maxout mish mse_loss multi_label_soft_margin_loss
    multi_margin_loss nll_loss normalize npair_loss one_hot pad pairwise_distance pixel_shuffle pixel_unshuffle poisson_nll_loss
    prelu relu relu6 relu_ rnnt_loss rrelu scaled_dot_product_attention selu sequence_mask sigmoid sigmoid_focal_loss silu
    smooth_l1_loss soft_margin_loss softmax softmax_ softmax_with_cross_entropy softplus softshrink softsign sparse_attention
    square_error_cost swish tanh tanh_ tanhshrink temporal_shift thresholded_relu thresholded_relu_ triplet_margin_loss
    triplet_margin_with_distance_loss unfold upsample zeropad2d
nn.initializer: Assign Bilinear Constant Dirac KaimingNormal KaimingUniform Normal Orthogonal TruncatedNormal Uniform
    XavierNormal XavierUniform calculate_gain set_global_initializer
nn.utils: clip_grad_norm_ clip_grad_value_ parameters_to_vector remove_weight_norm spectral_norm vector_to_parameters
    weight_norm
nn.quant: Stub llm_int8_linear weight_dequantize weight_only_linear weight_quantize
optimizer: Adadelta Adagrad Adam AdamW Adamax LBFGS Lamb Momentum Optimizer RMSProp SGD lr
optimizer.lr: CosineAnnealingDecay CosineAnnealingWarmRestarts CyclicLR ExponentialDecay InverseTimeDecay LRScheduler
    LambdaDecay LinearLR LinearWarmup MultiStepDecay MultiplicativeDecay NaturalExpDecay NoamDecay OneCycleLR PiecewiseDecay
    PolynomialDecay ReduceOnPlateau StepDecay
regularizer: L1Decay L2Decay
static: BuildStrategy CompiledProgram ExecutionStrategy Executor ExponentialMovingAverage InputSpec IpuCompiledProgram
    IpuStrategy Print Program Variable WeightNormParamAttr accuracy append_backward auc cpu_places create_global_var
    create_parameter ctr_metric_bundle cuda_places data default_main_program default_startup_program deserialize_persistables
    deserialize_program device_guard global_scope gradients ipu_shard_guard load load_from_file load_inference_model
    load_program_state name_scope nn normalize_program program_guard py_func save save_inference_model save_to_file scope_guard
    serialize_persistables serialize_program set_ipu_shard set_program_state xpu_places
static.nn: batch_norm bilinear_tensor_product case cond conv2d conv2d_transpose conv3d conv3d_transpose data_norm deform_conv2d
    embedding fc group_norm instance_norm layer_norm nce prelu py_func row_conv sequence_concat sequence_conv sequence_enumerate
    sequence_expand sequence_expand_as sequence_first_step sequence_last_step sequence_pad sequence_pool sequence_reshape
    sequence_reverse sequence_scatter sequence_slice sequence_softmax sequence_unpad sparse_embedding spectral_norm
    static_pylayer switch_case while_loop
jit: TranslatedLayer enable_to_static ignore_module load not_to_static save set_code_level set_verbosity to_static
linalg: cholesky cholesky_solve cond corrcoef cov det eig eigh eigvals eigvalsh householder_product inv lstsq lu lu_unpack
    matrix_power matrix_rank multi_dot norm pca_lowrank pinv qr slogdet solve svd triangular_solve
fft: fft fft2 fftfreq fftn fftshift hfft hfft2 hfftn ifft ifft2 ifftn ifftshift ihfft ihfft2 ihfftn irfft irfft2 irfftn rfft
    rfft2 rfftfreq rfftn
signal: istft stft
sparse: abs add addmm asin asinh atan atanh cast coalesce deg2rad divide expm1 is_same_shape isnan log1p masked_matmul matmul
    multiply mv neg nn pca_lowrank pow rad2deg reshape sin sinh slice sparse_coo_tensor sparse_csr_tensor sqrt square subtract
    sum tan tanh transpose
sparse.nn: BatchNorm Conv2D Conv3D LeakyReLU MaxPool3D ReLU ReLU6 Softmax SubmConv2D SubmConv3D SyncBatchNorm functional
sparse.nn.functional: attention conv2d conv3d leaky_relu max_pool3d relu relu6 softmax subm_conv2d subm_conv3d
distribution: AbsTransform AffineTransform Bernoulli Beta Categorical Cauchy ChainTransform Dirichlet Distribution ExpTransform
    ExponentialFamily Geometric Gumbel Independent IndependentTransform Laplace LogNormal Multinomial Normal PowerTransform
    ReshapeTransform SigmoidTransform SoftmaxTransform StackTransform StickBreakingTransform TanhTransform Transform
    TransformedDistribution Uniform kl_divergence register_kl
metric: Accuracy Auc Metric Precision Recall accuracy
io: BatchSampler ChainDataset ComposeDataset ConcatDataset DataLoader Dataset DistributedBatchSampler IterableDataset
    RandomSampler Sampler SequenceSampler Subset SubsetRandomSampler TensorDataset WeightedRandomSampler get_worker_info
    random_split
vision: datasets get_image_backend image_load models ops set_image_backend transforms
vision.transforms: BaseTransform BrightnessTransform CenterCrop ColorJitter Compose ContrastTransform Grayscale HueTransform
    Normalize Pad RandomAffine RandomCrop RandomErasing RandomHorizontalFlip RandomPerspective RandomResizedCrop RandomRotation
    RandomVerticalFlip Resize SaturationTransform ToTensor Transpose adjust_brightness adjust_contrast adjust_hue affine
    center_crop crop erase hflip normalize pad perspective resize rotate to_grayscale to_tensor vflip
vision.models: AlexNet DenseNet GoogLeNet InceptionV3 LeNet MobileNetV1 MobileNetV2 MobileNetV3Large MobileNetV3Small ResNet
    ShuffleNetV2 SqueezeNet VGG alexnet densenet121 densenet161 densenet169 densenet201 densenet264 googlenet inception_v3
    mobilenet_v1 mobilenet_v2 mobilenet_v3_large mobilenet_v3_small resnet101 resnet152 resnet18 resnet34 resnet50
    resnext101_32x4d resnext101_64x4d resnext152_32x4d resnext152_64x4d resnext50_32x4d resnext50_64x4d shufflenet_v2_swish
    shufflenet_v2_x0_25 shufflenet_v2_x0_33 shufflenet_v2_x0_5 shufflenet_v2_x1_0 shufflenet_v2_x1_5 shufflenet_v2_x2_0
    squeezenet1_0 squeezenet1_1 vgg11 vgg13 vgg16 vgg19 wide_resnet101_2 wide_resnet50_2
vision.ops: DeformConv2D PSRoIPool RoIAlign RoIPool box_coder decode_jpeg deform_conv2d distribute_fpn_proposals
    generate_proposals matrix_nms nms prior_box psroi_pool read_file roi_align roi_pool yolo_box yolo_loss
vision.datasets: Cifar10 Cifar100 DatasetFolder FashionMNIST Flowers ImageFolder MNIST VOC2012
amp: GradScaler auto_cast debugging decorate is_bfloat16_supported is_float16_supported
amp.debugging: DebugMode TensorCheckerConfig check_layer_numerics check_numerics collect_operator_stats compare_accuracy
    disable_operator_stats_collection disable_tensor_checker enable_operator_stats_collection enable_tensor_checker
autograd: PyLayer PyLayerContext backward hessian jacobian saved_tensors_hooks
incubate: LookAhead ModelAverage autograd graph_khop_sampler graph_reindex graph_sample_neighbors graph_send_recv identity_loss
    nn optimizer segment_max segment_mean segment_min segment_sum softmax_mask_fuse softmax_mask_fuse_upper_triangle
incubate.nn: FusedBiasDropoutResidualLayerNorm FusedDropoutAdd FusedEcMoe FusedFeedForward FusedLinear FusedMultiHeadAttention
    FusedMultiTransformer FusedTransformerEncoderLayer functional
incubate.nn.functional: block_multihead_attention fused_bias_dropout_residual_layer_norm fused_dropout_add fused_ec_moe
    fused_feedforward fused_layer_norm fused_linear fused_linear_activation fused_matmul_bias fused_multi_head_attention
    fused_multi_transformer fused_rms_norm fused_rotary_position_embedding masked_multihead_attention
    variable_length_memory_efficient_attention
incubate.autograd: Hessian Jacobian disable_prim enable_prim forward_grad grad jvp vjp
incubate.optimizer: LBFGS
distributed: CountFilterEntry DistAttr InMemoryDataset ParallelEnv ParallelMode Partial Placement ProbabilityEntry ProcessMesh
    QueueDataset ReduceOp ReduceType Replicate Shard ShowClickEntry Strategy all_gather all_gather_object all_reduce alltoall
    alltoall_single barrier broadcast broadcast_object_list destroy_process_group dtensor_from_fn fleet gather get_backend
    get_group get_rank get_world_size gloo_barrier gloo_init_parallel_env gloo_release init_parallel_env io irecv is_available
    is_initialized isend launch load_state_dict new_group recv reduce reduce_scatter reshard save_state_dict scatter
    scatter_object_list send shard_layer shard_optimizer shard_tensor spawn split to_static wait
distributed.fleet: CommunicateTopology DistributedStrategy Fleet HybridCommunicateGroup MultiSlotDataGenerator
    MultiSlotStringDataGenerator PaddleCloudRoleMaker Role UserDefinedRoleMaker UtilBase
text: Conll05st Imdb Imikolov Movielens UCIHousing ViterbiDecoder WMT14 WMT16 viterbi_decode
audio: backends datasets features functional info load save
audio.functional: compute_fbank_matrix create_dct fft_frequencies get_window hz_to_mel mel_frequencies mel_to_hz power_to_db
audio.features: LogMelSpectrogram MFCC MelSpectrogram Spectrogram
callbacks: Callback EarlyStopping LRScheduler ModelCheckpoint ProgBarLogger ReduceLROnPlateau VisualDL WandbCallback
hub: help list load
onnx: export
inference: Config DataType PlaceType PrecisionType Predictor PredictorPool Tensor XpuConfig convert_to_mixed_precision
    create_predictor get_num_bytes_of_data_type get_trt_compile_version get_trt_runtime_version get_version
utils: deprecated require_version run_check try_import unique_name
utils.unique_name: generate guard switch
device: Event IPUPlace Stream XPUPlace cuda current_stream get_all_custom_device_type get_all_device_type
    get_available_custom_device get_available_device get_cudnn_version get_device is_compiled_with_cinn is_compiled_with_cuda
    is_compiled_with_custom_device is_compiled_with_distribute is_compiled_with_ipu is_compiled_with_rocm is_compiled_with_xpu
    set_device set_stream stream_guard synchronize
device.cuda: Event Stream current_stream device_count empty_cache get_device_capability get_device_name get_device_properties
    max_memory_allocated max_memory_reserved memory_allocated memory_reserved stream_guard synchronize
profiler: Profiler ProfilerState ProfilerTarget RecordEvent SortedKeys SummaryView export_chrome_tracing export_protobuf
    load_profiler_result make_scheduler
quantization: BaseObserver BaseQuanter PTQ QAT QuantConfig quanter
geometric: reindex_graph reindex_heter_graph sample_neighbors segment_max segment_mean segment_min segment_sum send_u_recv
    send_ue_recv send_uv weighted_sample_neighbors
framework: Block CPUPlace CUDAPinnedPlace CUDAPlace CustomPlace IPUPlace IrGraph LayerHelper OpProtoHolder ParamAttr Parameter
    Program XPUPlace async_save clear_async_save_task_queue convert_np_dtype_to_dtype_ deprecate_stat_dict
    disable_signal_handler disable_static dtype dygraph_not_support dygraph_only enable_static framework
    generate_control_dev_var_name get_default_dtype get_flags grad in_dynamic_mode in_dynamic_or_pir_mode in_pir_mode io
    io_utils ir is_belong_to_optimizer is_parameter is_persistable load monkey_patch_math_tensor monkey_patch_variable no_grad
    random save seed set_default_dtype set_flags switch_main_program switch_startup_program to_variable use_pir_api
version: cuda cudnn show xpu xpu_xccl
sysconfig: get_include get_lib
Tensor: T abs abs_ acos acos_ acosh acosh_ add add_ add_n addmm addmm_ all allclose amax amin angle any append argmax argmin
    argsort as_complex as_real as_strided asin asin_ asinh asinh_ astype atan atan2 atan_ atanh atanh_ atleast_1d atleast_2d
    atleast_3d attr attr_names backward bincount bitwise_and bitwise_and_ bitwise_not bitwise_not_ bitwise_or bitwise_or_
    bitwise_xor bitwise_xor_ block bmm broadcast_shape broadcast_tensors broadcast_to bucketize cast cast_ cauchy_ cdist ceil
    ceil_ cholesky cholesky_solve chunk clear_grad clear_gradient clip clip_ clone coalesce cols combinations concat cond conj
    contiguous copy_ corrcoef cos cos_ cosh cosh_ count_nonzero cov cpu create_parameter create_tensor cross crows cuda cummax
    cummin cumprod cumprod_ cumsum cumsum_ cumulative_trapezoid data data_ptr deg2rad detach detach_ diag diag_embed diagflat
    diagonal diagonal_scatter diff digamma digamma_ dim dist dist_attr divide divide_ dot dtype eig eigvals eigvalsh
    element_size equal equal_ equal_all erf erfinv erfinv_ exp exp_ expand expand_as expm1 exponential_ fill_ fill_diagonal_
    fill_diagonal_tensor fill_diagonal_tensor_ flatten flatten_ flip floor floor_ floor_divide floor_divide_ floor_mod
    floor_mod_ fmax fmin frac frac_ frexp gather gather_nd gcd gcd_ geometric_ get_map_tensor get_selected_rows get_strides
    get_tensor get_value grad grad_ grad_fn grad_name gradient greater_equal greater_equal_ greater_than greater_than_ heaviside
    histogram householder_product hypot hypot_ i0 i0_ i0e i1 i1e imag increment index_add index_add_ index_fill index_fill_
    index_put index_put_ index_sample index_select indices inner inplace_version inverse is_complex is_contiguous is_dense
    is_dist is_empty is_floating_point is_integer is_leaf is_parameter is_same_shape is_selected_rows is_sparse is_sparse_coo
    is_sparse_csr is_tensor isclose isfinite isinf isnan istft item kron kthvalue layout lcm lcm_ ldexp ldexp_ lerp lerp_
    less_equal less_equal_ less_than less_than_ lgamma lgamma_ lod_level log log10 log10_ log1p log1p_ log2 log2_ log_ logaddexp
    logcumsumexp logical_and logical_and_ logical_not logical_not_ logical_or logical_or_ logical_xor logical_xor_ logit logit_
    logsumexp lstsq lu lu_unpack masked_fill masked_fill_ masked_select matmul matrix_power max maximum mean median min minimum
    mm mod mod_ mode moveaxis multi_dot multigammaln multigammaln_ multinomial multiplex multiply multiply_ mv name nan_to_num
    nan_to_num_ nanmean nanmedian nanquantile nansum ndim ndimension neg neg_ nextafter nnz nonzero norm normal_ not_equal
    not_equal_ num_shard numel numpy offset outer pca_lowrank persistable pin_memory pinv place placements polar polygamma
    polygamma_ pop pow pow_ process_mesh prod put_along_axis put_along_axis_ qr quantile rad2deg rank real reciprocal
    reciprocal_ reconstruct_from_ register_hook remainder remainder_ renorm renorm_ repeat_interleave reshape reshape_
    retain_grads reverse roll rot90 round round_ rows rsqrt rsqrt_ scale scale_ scatter scatter_ scatter_nd scatter_nd_add
    select_scatter set_string_list set_value set_vocab sgn shape shard_index sigmoid sigmoid_ sign sin sin_ sinh sinh_ size
    slice solve sort split sqrt sqrt_ square squeeze squeeze_ stack stanh std stft stop_gradient strided_slice strides subtract
    subtract_ sum t t_ take take_along_axis tan tan_ tanh tanh_ tensordot tile to to_dense to_sparse_coo to_sparse_csr to_string
    tolist top_p_sampling topk trace transpose transpose_ trapezoid tril tril_ triu triu_ trunc trunc_ type unbind unflatten
    unfold uniform_ unique unique_consecutive unsqueeze unsqueeze_ unstack value values vander var view view_as vsplit where
    where_ zero_
Layer: add_parameter add_sublayer append apply astype backward bfloat16 buffers children clear clear_gradients create_parameter
    create_tensor create_variable eval extend extra_repr float float16 forward full_name insert items keys load_dict
    named_buffers named_children named_parameters named_sublayers parameters pop register_buffer register_forward_post_hook
    register_forward_pre_hook register_state_dict_hook set_dict set_state_dict state_dict sublayers to to_static_state_dict
    train update values
Optimizer: append_regularization_ops apply_gradients backward clear_grad get_lr get_opti_var_name_list minimize set_lr
    set_lr_scheduler set_state_dict state_dict step
LRScheduler: get_lr set_dict set_state_dict state_dict state_keys step
Program: all_parameters block clone current_block global_block global_seed list_vars num_blocks parse_from_string random_seed
    set_state_dict state_dict to_string
Model: eval_batch evaluate fit load parameters predict predict_batch prepare save summary train_batch
"""
_LINES = _TEXT.strip().replace("\n    ", " ").split("\n")
NAMES = {line.partition(":")[0]: frozenset(line.partition(":")[2].split()) for line in _LINES}
