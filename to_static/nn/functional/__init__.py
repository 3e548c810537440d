"""Functions of neural networks: what the layers call."""

from to_static.core.missing import names_missing
from to_static.nn.functional.affine import bilinear, cosine_similarity, linear, pairwise_distance
from to_static.nn.functional.attention import scaled_dot_product_attention, sequence_mask
from to_static.nn.functional.conv_nd import _conv_nd  # noqa: F401
from to_static.nn.functional.inplace import (
    elu_,
    hardtanh_,
    leaky_relu_,
    relu_,
    softmax_,
    tanh_,
    thresholded_relu_,
)
from to_static.nn.functional.loss import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    cosine_embedding_loss,
    cross_entropy,
    hinge_embedding_loss,
    kl_div,
    l1_loss,
    margin_ranking_loss,
    mse_loss,
    nll_loss,
    sigmoid_focal_loss,
    smooth_l1_loss,
    softmax_with_cross_entropy,
    square_error_cost,
)
from to_static.nn.functional.margin_loss import (
    dice_loss,
    gaussian_nll_loss,
    multi_label_soft_margin_loss,
    multi_margin_loss,
    npair_loss,
    poisson_nll_loss,
    soft_margin_loss,
    triplet_margin_loss,
    triplet_margin_with_distance_loss,
)
from to_static.nn.functional.noise import gumbel_softmax, rrelu
from to_static.nn.functional.norm import batch_norm, layer_norm, local_response_norm, normalize
from to_static.nn.functional.pool import (
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
    adaptive_max_pool1d,
    adaptive_max_pool2d,
    adaptive_max_pool3d,
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    max_pool1d,
    max_pool2d,
    max_pool3d,
)
from to_static.nn.functional.resize import interpolate, upsample
from to_static.nn.functional.sampled_loss import class_center_sample, hsigmoid_loss, margin_cross_entropy
from to_static.nn.functional.sequence_loss import ctc_loss, rnnt_loss
from to_static.ops.activation import (
    celu,
    elu,
    hardshrink,
    hardtanh,
    leaky_relu,
    prelu,
    relu,
    relu6,
    selu,
    softshrink,
    thresholded_relu,
)
from to_static.ops.beams import gather_tree
from to_static.ops.conv import conv1d, conv2d, conv3d
from to_static.ops.conv_transpose import conv1d_transpose, conv2d_transpose, conv3d_transpose
from to_static.ops.dropout import alpha_dropout, dropout, dropout2d, dropout3d
from to_static.ops.embedding import embedding, one_hot
from to_static.ops.group_norm import group_norm, instance_norm
from to_static.ops.pad import pad, zeropad2d
from to_static.ops.patches import channel_shuffle, fold, pixel_shuffle, pixel_unshuffle, temporal_shift, unfold
from to_static.ops.pointwise_loss import label_smooth, log_loss
from to_static.ops.sampling import affine_grid, grid_sample, max_unpool1d, max_unpool2d, max_unpool3d
from to_static.ops.sigmoidal import (
    gelu,
    hardsigmoid,
    hardswish,
    log_sigmoid,
    mish,
    silu,
    softplus,
    softsign,
    swish,
    tanhshrink,
)
from to_static.ops.softmax import glu, log_softmax, maxout, softmax
from to_static.ops.unary import sigmoid, tanh

__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "adaptive_max_pool1d", "adaptive_max_pool2d",
    "adaptive_max_pool3d", "affine_grid", "alpha_dropout", "avg_pool1d", "avg_pool2d", "avg_pool3d", "batch_norm",
    "bilinear", "binary_cross_entropy", "binary_cross_entropy_with_logits", "celu", "channel_shuffle",
    "class_center_sample", "conv1d", "conv1d_transpose", "conv2d", "conv2d_transpose", "conv3d", "conv3d_transpose",
    "cosine_embedding_loss", "cosine_similarity", "cross_entropy", "ctc_loss", "dice_loss", "dropout", "dropout2d",
    "dropout3d", "elu", "elu_", "embedding", "fold", "gather_tree", "gaussian_nll_loss", "gelu", "glu", "grid_sample",
    "group_norm", "gumbel_softmax", "hardshrink", "hardsigmoid", "hardswish", "hardtanh", "hardtanh_",
    "hinge_embedding_loss", "hsigmoid_loss", "instance_norm", "interpolate", "kl_div", "l1_loss", "label_smooth",
    "layer_norm", "leaky_relu", "leaky_relu_", "linear", "local_response_norm", "log_loss", "log_sigmoid",
    "log_softmax", "margin_cross_entropy", "margin_ranking_loss", "max_pool1d", "max_pool2d", "max_pool3d",
    "max_unpool1d", "max_unpool2d", "max_unpool3d", "maxout", "mish", "mse_loss", "multi_label_soft_margin_loss",
    "multi_margin_loss", "nll_loss", "normalize", "npair_loss", "one_hot", "pad", "pairwise_distance",
    "pixel_shuffle", "pixel_unshuffle", "poisson_nll_loss", "prelu", "relu", "relu6", "relu_", "rnnt_loss", "rrelu",
    "scaled_dot_product_attention", "selu", "sequence_mask", "sigmoid", "sigmoid_focal_loss", "silu",
    "smooth_l1_loss", "soft_margin_loss", "softmax", "softmax_", "softmax_with_cross_entropy", "softplus",
    "softshrink", "softsign", "square_error_cost", "swish", "tanh", "tanh_", "tanhshrink", "temporal_shift",
    "thresholded_relu", "thresholded_relu_", "triplet_margin_loss", "triplet_margin_with_distance_loss", "unfold",
    "upsample", "zeropad2d",
]  # fmt: skip

__getattr__ = names_missing(__name__)
