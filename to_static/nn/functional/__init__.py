"""Functions of neural networks: what the layers call. Loaded when asked for."""

from to_static.core.importing.lazy_module import attach

_HOMES = {
    "to_static.nn.functional.affine": "bilinear linear",
    "to_static.nn.functional.distance": "cosine_similarity pairwise_distance",
    "to_static.nn.functional.attention": "_select_sdp scaled_dot_product_attention sequence_mask sparse_attention",
    "to_static.nn.functional.conv_nd": "_conv_nd",
    "to_static.nn.functional.inplace": "elu_ hardtanh_ leaky_relu_ relu_ softmax_ tanh_ thresholded_relu_",
    "to_static.nn.functional.loss": (
        "binary_cross_entropy binary_cross_entropy_with_logits cosine_embedding_loss cross_entropy hinge_embedding_loss "
        "kl_div l1_loss margin_ranking_loss mse_loss nll_loss sigmoid_focal_loss smooth_l1_loss softmax_with_cross_entropy "
        "square_error_cost"
    ),
    "to_static.nn.functional.margin_loss": (
        "dice_loss gaussian_nll_loss multi_label_soft_margin_loss multi_margin_loss npair_loss poisson_nll_loss "
        "soft_margin_loss triplet_margin_loss triplet_margin_with_distance_loss"
    ),
    "to_static.nn.functional.noise": "gumbel_softmax rrelu",
    "to_static.nn.functional.norm": "batch_norm layer_norm local_response_norm normalize",
    "to_static.nn.functional.pool": (
        "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d "
        "adaptive_max_pool3d avg_pool1d avg_pool2d avg_pool3d max_pool1d max_pool2d max_pool3d"
    ),
    "to_static.nn.functional.resize": "interpolate upsample",
    "to_static.nn.functional.sampled_loss": "class_center_sample hsigmoid_loss margin_cross_entropy",
    "to_static.nn.functional.sequence_loss": "ctc_loss rnnt_loss",
    # operators; modules are written by python -m tests.compiler.ops.record_homes
    "to_static.compiler.ops.indexing.embedding": "embedding one_hot",
    "to_static.compiler.ops.layers.conv": "conv1d conv2d conv3d",
    "to_static.compiler.ops.layers.conv_transpose": "conv1d_transpose conv2d_transpose conv3d_transpose",
    "to_static.compiler.ops.layers.dropout": "alpha_dropout dropout dropout2d dropout3d",
    "to_static.compiler.ops.layers.grid_sample": "grid_sample",
    "to_static.compiler.ops.layers.group_norm": "group_norm instance_norm",
    "to_static.compiler.ops.layers.sampling": "affine_grid max_unpool1d max_unpool2d max_unpool3d",
    "to_static.compiler.ops.layers.softmax": "glu log_softmax maxout softmax",
    "to_static.compiler.ops.losses.beam_search": "gather_tree",
    "to_static.compiler.ops.losses.pointwise_loss": "label_smooth log_loss",
    "to_static.compiler.ops.pointwise.activation": "celu elu hardshrink hardtanh leaky_relu prelu relu relu6 selu "
    "softshrink thresholded_relu",
    "to_static.compiler.ops.pointwise.sigmoidal": "gelu hardsigmoid hardswish log_sigmoid mish silu softplus softsign "
    "swish tanhshrink",
    "to_static.compiler.ops.pointwise.unary": "sigmoid tanh",
    "to_static.compiler.ops.shapes.diagonal": "diag_embed",
    "to_static.compiler.ops.shapes.im2col": "channel_shuffle fold pixel_shuffle pixel_unshuffle temporal_shift unfold",
    "to_static.compiler.ops.shapes.pad": "pad zeropad2d",
}
__getattr__, __dir__, __all__ = attach(__name__, _HOMES)
