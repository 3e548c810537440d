"""Made by `make stubs` from the tables of `__init__.py`, for editors and type checkers. Do not edit."""
# mypy: disable-error-code="override"

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any
from to_static import Tensor

from to_static.compiler.ops.layers.sampling import max_unpool2d as max_unpool2d
from to_static.nn.functional import affine as affine
from to_static.nn.functional import attention as attention
from to_static.nn.functional import conv_nd as conv_nd
from to_static.nn.functional import distance as distance
from to_static.nn.functional import inplace as inplace
from to_static.nn.functional import loss as loss
from to_static.nn.functional import margin_loss as margin_loss
from to_static.nn.functional import noise as noise
from to_static.nn.functional import norm as norm
from to_static.nn.functional import nucleus as nucleus
from to_static.nn.functional import pool as pool
from to_static.nn.functional import resize as resize
from to_static.nn.functional import sampled_loss as sampled_loss
from to_static.nn.functional import sequence_loss as sequence_loss
from to_static.nn.functional.affine import bilinear as bilinear
from to_static.nn.functional.affine import linear as linear
from to_static.nn.functional.attention import scaled_dot_product_attention as scaled_dot_product_attention
from to_static.nn.functional.attention import sequence_mask as sequence_mask
from to_static.nn.functional.distance import cosine_similarity as cosine_similarity
from to_static.nn.functional.distance import pairwise_distance as pairwise_distance
from to_static.nn.functional.inplace import elu_ as elu_
from to_static.nn.functional.inplace import hardtanh_ as hardtanh_
from to_static.nn.functional.inplace import leaky_relu_ as leaky_relu_
from to_static.nn.functional.inplace import relu_ as relu_
from to_static.nn.functional.inplace import softmax_ as softmax_
from to_static.nn.functional.inplace import tanh_ as tanh_
from to_static.nn.functional.inplace import thresholded_relu_ as thresholded_relu_
from to_static.nn.functional.loss import binary_cross_entropy as binary_cross_entropy
from to_static.nn.functional.loss import binary_cross_entropy_with_logits as binary_cross_entropy_with_logits
from to_static.nn.functional.loss import cosine_embedding_loss as cosine_embedding_loss
from to_static.nn.functional.loss import cross_entropy as cross_entropy
from to_static.nn.functional.loss import hinge_embedding_loss as hinge_embedding_loss
from to_static.nn.functional.loss import kl_div as kl_div
from to_static.nn.functional.loss import l1_loss as l1_loss
from to_static.nn.functional.loss import margin_ranking_loss as margin_ranking_loss
from to_static.nn.functional.loss import mse_loss as mse_loss
from to_static.nn.functional.loss import nll_loss as nll_loss
from to_static.nn.functional.loss import sigmoid_focal_loss as sigmoid_focal_loss
from to_static.nn.functional.loss import smooth_l1_loss as smooth_l1_loss
from to_static.nn.functional.loss import softmax_with_cross_entropy as softmax_with_cross_entropy
from to_static.nn.functional.loss import square_error_cost as square_error_cost
from to_static.nn.functional.margin_loss import dice_loss as dice_loss
from to_static.nn.functional.margin_loss import gaussian_nll_loss as gaussian_nll_loss
from to_static.nn.functional.margin_loss import multi_label_soft_margin_loss as multi_label_soft_margin_loss
from to_static.nn.functional.margin_loss import multi_margin_loss as multi_margin_loss
from to_static.nn.functional.margin_loss import npair_loss as npair_loss
from to_static.nn.functional.margin_loss import poisson_nll_loss as poisson_nll_loss
from to_static.nn.functional.margin_loss import soft_margin_loss as soft_margin_loss
from to_static.nn.functional.margin_loss import triplet_margin_loss as triplet_margin_loss
from to_static.nn.functional.margin_loss import triplet_margin_with_distance_loss as triplet_margin_with_distance_loss
from to_static.nn.functional.noise import gumbel_softmax as gumbel_softmax
from to_static.nn.functional.noise import rrelu as rrelu
from to_static.nn.functional.norm import batch_norm as batch_norm
from to_static.nn.functional.norm import layer_norm as layer_norm
from to_static.nn.functional.norm import local_response_norm as local_response_norm
from to_static.nn.functional.norm import normalize as normalize
from to_static.nn.functional.pool import adaptive_avg_pool1d as adaptive_avg_pool1d
from to_static.nn.functional.pool import adaptive_avg_pool2d as adaptive_avg_pool2d
from to_static.nn.functional.pool import adaptive_avg_pool3d as adaptive_avg_pool3d
from to_static.nn.functional.pool import adaptive_max_pool1d as adaptive_max_pool1d
from to_static.nn.functional.pool import adaptive_max_pool2d as adaptive_max_pool2d
from to_static.nn.functional.pool import adaptive_max_pool3d as adaptive_max_pool3d
from to_static.nn.functional.pool import avg_pool1d as avg_pool1d
from to_static.nn.functional.pool import avg_pool2d as avg_pool2d
from to_static.nn.functional.pool import avg_pool3d as avg_pool3d
from to_static.nn.functional.pool import max_pool1d as max_pool1d
from to_static.nn.functional.pool import max_pool2d as max_pool2d
from to_static.nn.functional.pool import max_pool3d as max_pool3d
from to_static.nn.functional.resize import interpolate as interpolate
from to_static.nn.functional.resize import upsample as upsample
from to_static.nn.functional.sampled_loss import class_center_sample as class_center_sample
from to_static.nn.functional.sampled_loss import hsigmoid_loss as hsigmoid_loss
from to_static.nn.functional.sampled_loss import margin_cross_entropy as margin_cross_entropy
from to_static.nn.functional.sequence_loss import ctc_loss as ctc_loss
from to_static.nn.functional.sequence_loss import rnnt_loss as rnnt_loss

def affine_grid(theta: Tensor, out_shape: Sequence[int], align_corners: bool = True, name: str | None = None) -> Tensor:
    """Sampling positions for `grid_sample` of images transformed by the matrices ``theta``."""
def alpha_dropout(x: Tensor, p: float = 0.5, training: bool = True, name: str | None = None) -> Tensor:
    """Dropout that keeps mean and variance of `selu` activations: dropped elements become the function's lower limit."""
def celu(x: Tensor, alpha: float = 1.0, name: str | None = None) -> Tensor:
    """``max(x, 0) + min(alpha * (exp(x / alpha) - 1), 0)``. Raises ZeroDivisionError when ``alpha`` is 0."""
def channel_shuffle(x: Tensor, groups: int, data_format: str = 'NCHW', name: str | None = None) -> Tensor:
    """Interleave ``groups`` groups of channels: the first of each group, then the second of each, and so on."""
def conv1d(x: Tensor, weight: Tensor, bias: Tensor | None = None, stride: int | Sequence[int] = 1, padding: int | str | Sequence[int] = 0, dilation: int | Sequence[int] = 1, groups: int = 1, data_format: str = 'NCL', name: str | None = None) -> Tensor:
    """`conv2d` over one spatial dimension: ``x`` is ``[N, C, L]`` (or ``[N, L, C]``), ``weight`` ``[M, C / groups, k]``."""
def conv1d_transpose(x: Tensor, weight: Tensor, bias: Tensor | None = None, stride: int | Sequence[int] = 1, padding: int | str | Sequence[int] = 0, output_padding: int | Sequence[int] = 0, groups: int = 1, dilation: int | Sequence[int] = 1, output_size: int | Sequence[int] | None = None, data_format: str = 'NCL', name: str | None = None) -> Tensor:
    """The transpose of `conv1d`: each element of ``x`` adds a multiple of the kernel to the result."""
def conv2d(x: Tensor, weight: Tensor, bias: Tensor | None = None, stride: int | Sequence[int] = 1, padding: int | str | Sequence[int | Sequence[int]] = 0, dilation: int | Sequence[int] = 1, groups: int = 1, data_format: str = 'NCHW', name: str | None = None) -> Tensor:
    """Convolve ``x`` with ``weight`` over 2 spatial dimensions (no flipping: a cross-correlation)."""
def conv2d_transpose(x: Tensor, weight: Tensor, bias: Tensor | None = None, stride: int | Sequence[int] = 1, padding: int | str | Sequence[int] = 0, output_padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1, groups: int = 1, output_size: int | Sequence[int] | None = None, data_format: str = 'NCHW', name: str | None = None) -> Tensor:
    """The transpose of `conv2d`: each element of ``x`` adds a multiple of the kernel to the result."""
def conv3d(x: Tensor, weight: Tensor, bias: Tensor | None = None, stride: int | Sequence[int] = 1, padding: int | str | Sequence[int | Sequence[int]] = 0, dilation: int | Sequence[int] = 1, groups: int = 1, data_format: str = 'NCDHW', name: str | None = None) -> Tensor:
    """Convolve ``x`` with ``weight`` over 3 spatial dimensions (no flipping: a cross-correlation)."""
def conv3d_transpose(x: Tensor, weight: Tensor, bias: Tensor | None = None, stride: int | Sequence[int] = 1, padding: int | str | Sequence[int] = 0, output_padding: int | Sequence[int] = 0, groups: int = 1, dilation: int | Sequence[int] = 1, output_size: int | Sequence[int] | None = None, data_format: str = 'NCDHW', name: str | None = None) -> Tensor:
    """The transpose of `conv3d`: each element of ``x`` adds a multiple of the kernel to the result."""
def diag_embed(input: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Matrices, in the dimensions ``dim1`` and ``dim2`` of the result, with the last dimension of ``input`` on a diagonal."""
def dropout(x: Tensor, p: float = 0.5, axis: int | Sequence[int] | None = None, training: bool = True, mode: str = 'upscale_in_train', name: str | None = None) -> Tensor:
    """Zero elements of ``x`` with probability ``p`` while training."""
def dropout2d(x: Tensor, p: float = 0.5, training: bool = True, data_format: str = 'NCHW', name: str | None = None) -> Tensor:
    """`dropout` of whole channels of images ``[N, C, H, W]``."""
def dropout3d(x: Tensor, p: float = 0.5, training: bool = True, data_format: str = 'NCDHW', name: str | None = None) -> Tensor:
    """`dropout` of whole channels of volumes ``[N, C, D, H, W]``."""
def elu(x: Tensor, alpha: float = 1.0, name: str | None = None) -> Tensor:
    """``x`` where it is positive, else ``alpha * (exp(x) - 1)``."""
def embedding(x: Tensor, weight: Any, padding_idx: int | None = None, sparse: bool = False, name: str | None = None) -> Tensor:
    """Rows of ``weight`` (``[V, D]``) for integer ids ``x``: a tensor of shape ``[*x.shape, D]``."""
def fold(x: Tensor, output_sizes: int | Sequence[int], kernel_sizes: int | Sequence[int], strides: int | Sequence[int] = 1, paddings: int | Sequence[int] = 0, dilations: int | Sequence[int] = 1, name: str | None = None) -> Tensor:
    """The image ``[N, C, *output_sizes]`` in which the windows of `unfold`'s columns are added where they came from."""
def gather_tree(ids: Tensor, parents: Tensor) -> Tensor:
    """The whole sequences of a beam search, from the token and the parent beam of each step."""
def gelu(x: Tensor, approximate: bool = False, name: str | None = None) -> Tensor:
    """``x`` times the normal distribution function of ``x``; ``approximate=True`` uses the tanh formula."""
def glu(x: Tensor, axis: int = -1, name: str | None = None) -> Tensor:
    """``a * sigmoid(b)`` where ``a`` and ``b`` are the halves of ``x`` along ``axis``."""
def grid_sample(x: Tensor, grid: Tensor, mode: str = 'bilinear', padding_mode: str = 'zeros', align_corners: bool = True, name: str | None = None) -> Tensor:
    """``x`` read at the positions ``grid``, whose numbers -1 and 1 are the first and last pixels of a dimension."""
def group_norm(x: Tensor, num_groups: int, epsilon: float = 1e-05, weight: Tensor | None = None, bias: Tensor | None = None, data_format: str = 'NCHW', name: str | None = None) -> Tensor:
    """Standardize each sample over groups of channels, then scale by ``weight`` and shift by ``bias`` (one per channel)."""
def hardshrink(x: Tensor, threshold: float = 0.5, name: str | None = None) -> Tensor:
    """``x`` where its absolute value is greater than ``threshold``, else 0."""
def hardsigmoid(x: Tensor, slope: float = 0.1666667, offset: float = 0.5, name: str | None = None) -> Tensor:
    """``slope * x + offset``, clamped to ``[0, 1]``."""
def hardswish(x: Tensor, name: str | None = None) -> Tensor:
    """``x * clamp(x + 3, 0, 6) / 6``."""
def hardtanh(x: Tensor, min: float = -1.0, max: float = 1.0, name: str | None = None) -> Tensor:
    """``x`` clamped to ``[min, max]``."""
def instance_norm(x: Tensor, running_mean: Any = None, running_var: Any = None, weight: Tensor | None = None, bias: Tensor | None = None, use_input_stats: bool = True, momentum: float = 0.9, eps: float = 1e-05, data_format: str = 'NCHW', name: str | None = None) -> Tensor:
    """Standardize each channel of each sample, then scale by ``weight`` and shift by ``bias`` (one per channel)."""
def label_smooth(label: Tensor, prior_dist: Tensor | None = None, epsilon: float = 0.1, name: str | None = None) -> Tensor:
    """``(1 - epsilon) * label + epsilon * prior``, where the prior is uniform over the last dimension unless given."""
def leaky_relu(x: Tensor, negative_slope: float = 0.01, name: str | None = None) -> Tensor:
    """``x`` where it is positive, else ``negative_slope * x``."""
def log_loss(input: Tensor, label: Tensor, epsilon: float = 0.0001, name: str | None = None) -> Tensor:
    """``-label * log(input + epsilon) - (1 - label) * log(1 - input + epsilon)`` for probabilities ``[N, 1]``."""
def log_sigmoid(x: Tensor, name: str | None = None) -> Tensor:
    """``log(sigmoid(x))``, without overflow for large negative ``x``."""
def log_softmax(x: Tensor, axis: int = -1, dtype: Any = None, name: str | None = None) -> Tensor:
    """``log(softmax(x))`` along ``axis``, computed without taking the logarithm of a rounded 0. Errors as `softmax`."""
def max_unpool1d(x: Tensor, indices: Tensor, kernel_size: int | Sequence[int], stride: Any = None, padding: int | Sequence[int] = 0, data_format: str = 'NCL', output_size: Any = None, name: str | None = None) -> Tensor:
    """`max_unpool2d` over one dimension: ``x`` and ``indices`` are ``[N, C, L]``."""
def max_unpool3d(x: Tensor, indices: Tensor, kernel_size: int | Sequence[int], stride: Any = None, padding: int | Sequence[int] = 0, data_format: str = 'NCDHW', output_size: Any = None, name: str | None = None) -> Tensor:
    """`max_unpool2d` over three dimensions."""
def maxout(x: Tensor, groups: int, axis: int = 1, name: str | None = None) -> Tensor:
    """The maximum over each group of ``groups`` neighbouring channels: dimension ``axis`` shrinks by that factor."""
def mish(x: Tensor, name: str | None = None) -> Tensor:
    """``x * tanh(softplus(x))``."""
def one_hot(x: Tensor, num_classes: int, name: str | None = None, dtype: Any = None) -> Tensor:
    """Vectors of ``num_classes`` elements of ``dtype`` (float32), 1 at the place that the integer tensor ``x`` names, else 0."""
def pad(x: Any, pad: Any, mode: str = 'constant', value: float = 0.0, data_format: str = 'NCHW', name: str | None = None) -> Tensor:
    """``x`` with padding around it."""
def pixel_shuffle(x: Tensor, upscale_factor: int, data_format: str = 'NCHW', name: str | None = None) -> Tensor:
    """Turn groups of ``r * r`` channels into blocks of pixels: ``[N, C * r * r, H, W]`` to ``[N, C, H * r, W * r]``."""
def pixel_unshuffle(x: Tensor, downscale_factor: int, data_format: str = 'NCHW', name: str | None = None) -> Tensor:
    """The inverse of `pixel_shuffle`: ``[N, C, H * r, W * r]`` to ``[N, C * r * r, H, W]``."""
def prelu(x: Tensor, weight: Tensor, data_format: str = 'NCHW', name: str | None = None) -> Tensor:
    """``x`` where it is positive, else ``weight * x``; ``weight`` has one element, or one for each channel."""
def relu(x: Tensor, name: str | None = None) -> Tensor:
    """``max(x, 0)``."""
def relu6(x: Tensor, name: str | None = None) -> Tensor:
    """``min(max(x, 0), 6)``."""
def selu(x: Tensor, scale: float = 1.0507009873554805, alpha: float = 1.6732632423543772, name: str | None = None) -> Tensor:
    """``scale * x`` where it is positive, else ``scale * alpha * (exp(x) - 1)``."""
def sigmoid(x: Tensor, name: str | None = None) -> Tensor:
    """``1 / (1 + exp(-x))``. Integers become float32."""
def silu(x: Tensor, name: str | None = None) -> Tensor:
    """``x * sigmoid(x)``, also known as `swish`."""
def softmax(x: Tensor, axis: int = -1, dtype: Any = None, name: str | None = None) -> Tensor:
    """``exp(x) / sum(exp(x))`` along ``axis``: non-negative weights that sum to one."""
def softplus(x: Tensor, beta: float = 1, threshold: float = 20, name: str | None = None) -> Tensor:
    """``log(1 + exp(beta * x)) / beta``, and ``x`` itself where ``beta * x`` is greater than ``threshold``."""
def softshrink(x: Tensor, threshold: float = 0.5, name: str | None = None) -> Tensor:
    """``x`` moved towards 0 by ``threshold``, and 0 where it is closer to 0 than that. Raises ValueError below 0."""
def softsign(x: Tensor, name: str | None = None) -> Tensor:
    """``x / (1 + |x|)``."""
def sparse_attention(*args: object, **kwargs: object) -> Any:
    """Raises DeviceError: there is a kernel for GPUs only, in PaddlePaddle too. Use scaled_dot_product_attention with a mask."""
def swish(x: Tensor, name: str | None = None) -> Tensor:
    """``x * sigmoid(x)``."""
def tanh(x: Tensor, name: str | None = None) -> Tensor:
    """The hyperbolic tangent. Integers become float32."""
def tanhshrink(x: Tensor, name: str | None = None) -> Tensor:
    """``x - tanh(x)``."""
def temporal_shift(x: Tensor, seg_num: int, shift_ratio: float = 0.25, name: str | None = None, data_format: str = 'NCHW') -> Tensor:
    """Move a share ``shift_ratio`` of the channels one frame back and as many one frame ahead; zeros come in."""
def thresholded_relu(x: Tensor, threshold: float = 1.0, name: str | None = None) -> Tensor:
    """``x`` where it is greater than ``threshold``, else 0."""
def unfold(x: Tensor, kernel_sizes: int | Sequence[int], strides: int | Sequence[int] = 1, paddings: int | Sequence[int] = 0, dilations: int | Sequence[int] = 1, name: str | None = None) -> Tensor:
    """The windows of ``x`` ``[N, C, H, W]`` as columns: ``[N, C * kernel_h * kernel_w, number of windows]``."""
def zeropad2d(x: Tensor, padding: int | Sequence[int], data_format: str = 'NCHW', name: str | None = None) -> Tensor:
    """`pad` of images with zeros: ``padding`` is an integer or left, right, top, bottom."""

__all__ = ["adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d", "affine_grid", "alpha_dropout", "avg_pool1d", "avg_pool2d", "avg_pool3d", "batch_norm", "bilinear", "binary_cross_entropy", "binary_cross_entropy_with_logits", "celu", "channel_shuffle", "class_center_sample", "conv1d", "conv1d_transpose", "conv2d", "conv2d_transpose", "conv3d", "conv3d_transpose", "cosine_embedding_loss", "cosine_similarity", "cross_entropy", "ctc_loss", "diag_embed", "dice_loss", "dropout", "dropout2d", "dropout3d", "elu", "elu_", "embedding", "fold", "gather_tree", "gaussian_nll_loss", "gelu", "glu", "grid_sample", "group_norm", "gumbel_softmax", "hardshrink", "hardsigmoid", "hardswish", "hardtanh", "hardtanh_", "hinge_embedding_loss", "hsigmoid_loss", "instance_norm", "interpolate", "kl_div", "l1_loss", "label_smooth", "layer_norm", "leaky_relu", "leaky_relu_", "linear", "local_response_norm", "log_loss", "log_sigmoid", "log_softmax", "margin_cross_entropy", "margin_ranking_loss", "max_pool1d", "max_pool2d", "max_pool3d", "max_unpool1d", "max_unpool2d", "max_unpool3d", "maxout", "mish", "mse_loss", "multi_label_soft_margin_loss", "multi_margin_loss", "nll_loss", "normalize", "npair_loss", "one_hot", "pad", "pairwise_distance", "pixel_shuffle", "pixel_unshuffle", "poisson_nll_loss", "prelu", "relu", "relu6", "relu_", "rnnt_loss", "rrelu", "scaled_dot_product_attention", "selu", "sequence_mask", "sigmoid", "sigmoid_focal_loss", "silu", "smooth_l1_loss", "soft_margin_loss", "softmax", "softmax_", "softmax_with_cross_entropy", "softplus", "softshrink", "softsign", "sparse_attention", "square_error_cost", "swish", "tanh", "tanh_", "tanhshrink", "temporal_shift", "thresholded_relu", "thresholded_relu_", "triplet_margin_loss", "triplet_margin_with_distance_loss", "unfold", "upsample", "zeropad2d"]
