"""Made by `make stubs` from the tables of `__init__.py`, for editors and type checkers. Do not edit."""
# mypy: disable-error-code="override"

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from to_static.nn import activation as activation
from to_static.nn import attention as attention
from to_static.nn import batch_norm as batch_norm
from to_static.nn import clip as clip
from to_static.nn import container as container
from to_static.nn import conv as conv
from to_static.nn import decode as decode
from to_static.nn import distance as distance
from to_static.nn import dropout as dropout
from to_static.nn import functional as functional
from to_static.nn import functional_layer as functional_layer
from to_static.nn import initializer as initializer
from to_static.nn import layer as layer
from to_static.nn import layer_path as layer_path
from to_static.nn import layer_tree as layer_tree
from to_static.nn import lazy_guard as lazy_guard
from to_static.nn import linear as linear
from to_static.nn import loss as loss
from to_static.nn import norm as norm
from to_static.nn import op_helper as op_helper
from to_static.nn import parameter as parameter
from to_static.nn import pooling as pooling
from to_static.nn import quant as quant
from to_static.nn import rnn as rnn
from to_static.nn import rnn_cell as rnn_cell
from to_static.nn import shape_layers as shape_layers
from to_static.nn import transformer as transformer
from to_static.nn import unregistered as unregistered
from to_static.nn import utils as utils
from to_static.nn.activation import PReLU as PReLU
from to_static.nn.activation import RReLU as RReLU
from to_static.nn.activation import SELU as SELU
from to_static.nn.activation import Softmax2D as Softmax2D
from to_static.nn.attention import MultiHeadAttention as MultiHeadAttention
from to_static.nn.batch_norm import BatchNorm as BatchNorm
from to_static.nn.batch_norm import BatchNorm1D as BatchNorm1D
from to_static.nn.batch_norm import BatchNorm2D as BatchNorm2D
from to_static.nn.batch_norm import BatchNorm3D as BatchNorm3D
from to_static.nn.batch_norm import SyncBatchNorm as SyncBatchNorm
from to_static.nn.clip import ClipGradByGlobalNorm as ClipGradByGlobalNorm
from to_static.nn.clip import ClipGradByNorm as ClipGradByNorm
from to_static.nn.clip import ClipGradByValue as ClipGradByValue
from to_static.nn.container import LayerDict as LayerDict
from to_static.nn.container import LayerList as LayerList
from to_static.nn.container import ParameterList as ParameterList
from to_static.nn.container import Sequential as Sequential
from to_static.nn.conv import Conv1D as Conv1D
from to_static.nn.conv import Conv1DTranspose as Conv1DTranspose
from to_static.nn.conv import Conv2D as Conv2D
from to_static.nn.conv import Conv2DTranspose as Conv2DTranspose
from to_static.nn.conv import Conv3D as Conv3D
from to_static.nn.conv import Conv3DTranspose as Conv3DTranspose
from to_static.nn.decode import BeamSearchDecoder as BeamSearchDecoder
from to_static.nn.decode import dynamic_decode as dynamic_decode
from to_static.nn.functional_layer import FunctionLayer as _FunctionLayer
from to_static.nn.layer import Layer as Layer
from to_static.nn.linear import Bilinear as Bilinear
from to_static.nn.linear import Embedding as Embedding
from to_static.nn.linear import Identity as Identity
from to_static.nn.linear import Linear as Linear
from to_static.nn.loss import CTCLoss as CTCLoss
from to_static.nn.loss import HSigmoidLoss as HSigmoidLoss
from to_static.nn.norm import GroupNorm as GroupNorm
from to_static.nn.norm import InstanceNorm1D as InstanceNorm1D
from to_static.nn.norm import InstanceNorm2D as InstanceNorm2D
from to_static.nn.norm import InstanceNorm3D as InstanceNorm3D
from to_static.nn.norm import LayerNorm as LayerNorm
from to_static.nn.norm import SpectralNorm as SpectralNorm
from to_static.nn.parameter import create_parameter as create_parameter
from to_static.nn.parameter import ParamAttr as ParamAttr
from to_static.nn.parameter import Parameter as Parameter
from to_static.nn.rnn import BiRNN as BiRNN
from to_static.nn.rnn import GRU as GRU
from to_static.nn.rnn import LSTM as LSTM
from to_static.nn.rnn import RNN as RNN
from to_static.nn.rnn import SimpleRNN as SimpleRNN
from to_static.nn.rnn_cell import GRUCell as GRUCell
from to_static.nn.rnn_cell import LSTMCell as LSTMCell
from to_static.nn.rnn_cell import RNNCellBase as RNNCellBase
from to_static.nn.rnn_cell import SimpleRNNCell as SimpleRNNCell
from to_static.nn.shape_layers import Flatten as Flatten
from to_static.nn.shape_layers import Pad1D as Pad1D
from to_static.nn.shape_layers import Pad2D as Pad2D
from to_static.nn.shape_layers import Pad3D as Pad3D
from to_static.nn.shape_layers import Unflatten as Unflatten
from to_static.nn.shape_layers import Upsample as Upsample
from to_static.nn.shape_layers import UpsamplingBilinear2D as UpsamplingBilinear2D
from to_static.nn.shape_layers import UpsamplingNearest2D as UpsamplingNearest2D
from to_static.nn.shape_layers import ZeroPad2D as ZeroPad2D
from to_static.nn.transformer import Transformer as Transformer
from to_static.nn.transformer import TransformerDecoder as TransformerDecoder
from to_static.nn.transformer import TransformerDecoderLayer as TransformerDecoderLayer
from to_static.nn.transformer import TransformerEncoder as TransformerEncoder
from to_static.nn.transformer import TransformerEncoderLayer as TransformerEncoderLayer

class AdaptiveAvgPool1D(_FunctionLayer):
    """The mean of each of ``output_size`` windows of nearly equal size."""
    def __init__(self, output_size: Any, name: Any = None) -> None: ...
class AdaptiveAvgPool2D(_FunctionLayer):
    """The mean of each of ``output_size`` windows of nearly equal size."""
    def __init__(self, output_size: Any, data_format: Any = 'NCHW', name: Any = None) -> None: ...
class AdaptiveAvgPool3D(_FunctionLayer):
    """The mean of each of ``output_size`` windows of nearly equal size."""
    def __init__(self, output_size: Any, data_format: Any = 'NCDHW', name: Any = None) -> None: ...
class AdaptiveMaxPool1D(_FunctionLayer):
    """The largest element of each of ``output_size`` windows of nearly equal size."""
    def __init__(self, output_size: Any, return_mask: Any = False, name: Any = None) -> None: ...
class AdaptiveMaxPool2D(_FunctionLayer):
    """The largest element of each of ``output_size`` windows of nearly equal size."""
    def __init__(self, output_size: Any, return_mask: Any = False, name: Any = None) -> None: ...
class AdaptiveMaxPool3D(_FunctionLayer):
    """The largest element of each of ``output_size`` windows of nearly equal size."""
    def __init__(self, output_size: Any, return_mask: Any = False, name: Any = None) -> None: ...
class AlphaDropout(_FunctionLayer):
    """Dropout with probability ``p`` that keeps mean and variance, for `SELU` networks."""
    def __init__(self, p: Any = 0.5, name: Any = None) -> None: ...
class AvgPool1D(_FunctionLayer):
    """The mean of each window over 1 spatial dimension(s)."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, exclusive: Any = True, ceil_mode: Any = False, name: Any = None) -> None: ...
class AvgPool2D(_FunctionLayer):
    """The mean of each window over 2 spatial dimension(s)."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: Any = False, exclusive: Any = True, divisor_override: Any = None, data_format: Any = 'NCHW', name: Any = None) -> None: ...
class AvgPool3D(_FunctionLayer):
    """The mean of each window over 3 spatial dimension(s)."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: Any = False, exclusive: Any = True, divisor_override: Any = None, data_format: Any = 'NCDHW', name: Any = None) -> None: ...
class BCELoss(_FunctionLayer):
    """Binary cross entropy of probabilities."""
    def __init__(self, weight: Any = None, reduction: Any = 'mean', name: Any = None) -> None: ...
class BCEWithLogitsLoss(_FunctionLayer):
    """Binary cross entropy of logits; ``pos_weight`` of label 1."""
    def __init__(self, weight: Any = None, reduction: Any = 'mean', pos_weight: Any = None, name: Any = None) -> None: ...
class CELU(_FunctionLayer):
    """``max(0, x) + min(0, alpha * (exp(x / alpha) - 1))``."""
    def __init__(self, alpha: Any = 1.0, name: Any = None) -> None: ...
class ChannelShuffle(_FunctionLayer):
    """Interleaves ``groups`` groups of channels."""
    def __init__(self, groups: Any, data_format: Any = 'NCHW', name: Any = None) -> None: ...
class CosineEmbeddingLoss(_FunctionLayer):
    """``1 - cos`` where label is 1, ``max(0, cos - margin)`` where -1."""
    def __init__(self, margin: Any = 0, reduction: Any = 'mean', name: Any = None) -> None: ...
class CosineSimilarity(_FunctionLayer):
    """The cosine of the angle between two tensors along ``axis``."""
    def __init__(self, axis: Any = 1, eps: Any = 1e-08) -> None: ...
class CrossEntropyLoss(_FunctionLayer):
    """Softmax and negative log likelihood of logits ``[*, C]`` and class numbers (or probabilities, ``soft_label``)."""
    def __init__(self, weight: Any = None, ignore_index: Any = -100, reduction: Any = 'mean', soft_label: Any = False, axis: Any = -1, use_softmax: Any = True, label_smoothing: Any = 0.0, name: Any = None) -> None: ...
class Dropout(_FunctionLayer):
    """Sets elements to 0 with probability ``p`` (default 0.5) while training (Srivastava et al., 2014)."""
    def __init__(self, p: Any = 0.5, axis: Any = None, mode: Any = 'upscale_in_train', name: Any = None) -> None: ...
class Dropout2D(_FunctionLayer):
    """Sets whole channels of ``[N, C, H, W]`` to 0 with probability ``p`` while training."""
    def __init__(self, p: Any = 0.5, data_format: Any = 'NCHW', name: Any = None) -> None: ...
class Dropout3D(_FunctionLayer):
    """Sets whole channels of ``[N, C, D, H, W]`` to 0 with probability ``p`` while training."""
    def __init__(self, p: Any = 0.5, data_format: Any = 'NCDHW', name: Any = None) -> None: ...
class ELU(_FunctionLayer):
    """``x`` where positive, ``alpha * (exp(x) - 1)`` elsewhere."""
    def __init__(self, alpha: Any = 1.0, name: Any = None) -> None: ...
class Fold(_FunctionLayer):
    """The inverse of `Unfold`; windows that overlap are added."""
    def __init__(self, output_sizes: Any, kernel_sizes: Any, dilations: Any = 1, paddings: Any = 0, strides: Any = 1, name: Any = None) -> None: ...
class GELU(_FunctionLayer):
    """``x`` times the normal distribution function of ``x`` (``approximate``: a formula with tanh)."""
    def __init__(self, approximate: Any = False, name: Any = None) -> None: ...
class GLU(_FunctionLayer):
    """The first half along ``axis`` times the sigmoid of the second."""
    def __init__(self, axis: Any = -1, name: Any = None) -> None: ...
class GaussianNLLLoss(_FunctionLayer):
    """Negative log likelihood under a mean and a variance, the third input."""
    def __init__(self, full: Any = False, epsilon: Any = 1e-06, reduction: Any = 'mean', name: Any = None) -> None: ...
class Hardshrink(_FunctionLayer):
    """``x`` where ``|x| > threshold``, 0 elsewhere."""
    def __init__(self, threshold: Any = 0.5, name: Any = None) -> None: ...
class Hardsigmoid(_FunctionLayer):
    """``x / 6 + 0.5``, cut to [0, 1]."""
    def __init__(self, name: Any = None) -> None: ...
class Hardswish(_FunctionLayer):
    """``x`` times `Hardsigmoid`."""
    def __init__(self, name: Any = None) -> None: ...
class Hardtanh(_FunctionLayer):
    """``x`` cut to [``min``, ``max``]."""
    def __init__(self, min: Any = -1.0, max: Any = 1.0, name: Any = None) -> None: ...
class HingeEmbeddingLoss(_FunctionLayer):
    """``input`` where label is 1, ``max(0, margin - input)`` where -1."""
    def __init__(self, margin: Any = 1.0, reduction: Any = 'mean', name: Any = None) -> None: ...
class KLDivLoss(_FunctionLayer):
    """``label * (log(label) - input)``; the input is log-probabilities. ``reduction``: 'mean', 'sum', 'none' or 'batchmean'."""
    def __init__(self, reduction: Any = 'mean') -> None: ...
class L1Loss(_FunctionLayer):
    """The absolute difference."""
    def __init__(self, reduction: Any = 'mean', name: Any = None) -> None: ...
class LeakyReLU(_FunctionLayer):
    """``x`` where positive, ``negative_slope * x`` elsewhere."""
    def __init__(self, negative_slope: Any = 0.01, name: Any = None) -> None: ...
class LocalResponseNorm(_FunctionLayer):
    """Divides by ``(k + alpha * mean(x ** 2)) ** beta``, over ``size`` neighbouring channels (Krizhevsky et al., 2012)."""
    def __init__(self, size: Any, alpha: Any = 0.0001, beta: Any = 0.75, k: Any = 1.0, data_format: Any = 'NCHW', name: Any = None) -> None: ...
class LogSigmoid(_FunctionLayer):
    """``log(sigmoid(x))``, computed without overflow."""
    def __init__(self, name: Any = None) -> None: ...
class LogSoftmax(_FunctionLayer):
    """The logarithm of `Softmax` along ``axis``."""
    def __init__(self, axis: Any = -1, name: Any = None) -> None: ...
class MSELoss(_FunctionLayer):
    """The squared difference."""
    def __init__(self, reduction: Any = 'mean') -> None: ...
class MarginRankingLoss(_FunctionLayer):
    """``max(0, -label * (input - other) + margin)``."""
    def __init__(self, margin: Any = 0.0, reduction: Any = 'mean', name: Any = None) -> None: ...
class MaxPool1D(_FunctionLayer):
    """The largest element of each window over 1 spatial dimension(s)."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: Any = False, ceil_mode: Any = False, name: Any = None) -> None: ...
class MaxPool2D(_FunctionLayer):
    """The largest element of each window over 2 spatial dimension(s)."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: Any = False, ceil_mode: Any = False, data_format: Any = 'NCHW', name: Any = None) -> None: ...
class MaxPool3D(_FunctionLayer):
    """The largest element of each window over 3 spatial dimension(s)."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, return_mask: Any = False, ceil_mode: Any = False, data_format: Any = 'NCDHW', name: Any = None) -> None: ...
class MaxUnPool1D(_FunctionLayer):
    """The inverse of ``MaxPool1D(return_mask=True)``: elements that are not the largest of their window are 0."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, data_format: Any = 'NCL', output_size: Any = None, name: Any = None) -> None: ...
class MaxUnPool2D(_FunctionLayer):
    """The inverse of ``MaxPool2D(return_mask=True)``: elements that are not the largest of their window are 0."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, data_format: Any = 'NCHW', output_size: Any = None, name: Any = None) -> None: ...
class MaxUnPool3D(_FunctionLayer):
    """The inverse of ``MaxPool3D(return_mask=True)``: elements that are not the largest of their window are 0."""
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, data_format: Any = 'NCDHW', output_size: Any = None, name: Any = None) -> None: ...
class Maxout(_FunctionLayer):
    """The largest of each ``groups`` neighbouring channels along ``axis``."""
    def __init__(self, groups: Any, axis: Any = 1, name: Any = None) -> None: ...
class Mish(_FunctionLayer):
    """``x * tanh(softplus(x))``."""
    def __init__(self, name: Any = None) -> None: ...
class MultiLabelSoftMarginLoss(_FunctionLayer):
    """Mean binary cross entropy over classes."""
    def __init__(self, weight: Any = None, reduction: Any = 'mean', name: Any = None) -> None: ...
class MultiMarginLoss(_FunctionLayer):
    """``max(0, margin - score of the class + other score) ** p``, over the others."""
    def __init__(self, p: Any = 1, margin: Any = 1.0, weight: Any = None, reduction: Any = 'mean', name: Any = None) -> None: ...
class NLLLoss(_FunctionLayer):
    """Negative log likelihood of log-probabilities ``[N, C, *]`` and class numbers."""
    def __init__(self, weight: Any = None, ignore_index: Any = -100, reduction: Any = 'mean', name: Any = None) -> None: ...
class PairwiseDistance(_FunctionLayer):
    """The ``p``-norm of ``x - y + epsilon`` over the last dimension."""
    def __init__(self, p: Any = 2.0, epsilon: Any = 1e-06, keepdim: Any = False, name: Any = None) -> None: ...
class PixelShuffle(_FunctionLayer):
    """``[N, C * r * r, H, W]`` to ``[N, C, H * r, W * r]``, with ``r = upscale_factor``."""
    def __init__(self, upscale_factor: Any, data_format: Any = 'NCHW', name: Any = None) -> None: ...
class PixelUnshuffle(_FunctionLayer):
    """``[N, C, H * r, W * r]`` to ``[N, C * r * r, H, W]``, with ``r = downscale_factor``: the inverse of `PixelShuffle`."""
    def __init__(self, downscale_factor: Any, data_format: Any = 'NCHW', name: Any = None) -> None: ...
class PoissonNLLLoss(_FunctionLayer):
    """Negative log likelihood of counts; the input is a rate, or its logarithm if ``log_input``."""
    def __init__(self, log_input: Any = True, full: Any = False, epsilon: Any = 1e-08, reduction: Any = 'mean', name: Any = None) -> None: ...
class RNNTLoss(_FunctionLayer):
    """The loss of a recurrent neural network transducer, with ``blank`` and ``fastemit_lambda`` of `F.rnnt_loss`."""
    def __init__(self, blank: Any = 0, fastemit_lambda: Any = 0.001, reduction: Any = 'mean', name: Any = None) -> None: ...
class ReLU(_FunctionLayer):
    """``max(x, 0)``."""
    def __init__(self, name: Any = None) -> None: ...
class ReLU6(_FunctionLayer):
    """``x`` cut to [0, 6]."""
    def __init__(self, name: Any = None) -> None: ...
class Sigmoid(_FunctionLayer):
    """``1 / (1 + exp(-x))``."""
    def __init__(self, name: Any = None) -> None: ...
class Silu(_FunctionLayer):
    """``x * sigmoid(x)``."""
    def __init__(self, name: Any = None) -> None: ...
class SmoothL1Loss(_FunctionLayer):
    """Half the squared difference below ``delta``, linear above."""
    def __init__(self, reduction: Any = 'mean', delta: Any = 1.0, name: Any = None) -> None: ...
class SoftMarginLoss(_FunctionLayer):
    """``log(1 + exp(-label * input))``."""
    def __init__(self, reduction: Any = 'mean', name: Any = None) -> None: ...
class Softmax(_FunctionLayer):
    """Non-negative weights that sum to one along ``axis``."""
    def __init__(self, axis: Any = -1, name: Any = None) -> None: ...
class Softplus(_FunctionLayer):
    """``log(1 + exp(beta * x)) / beta``; ``x`` where ``beta * x > threshold``."""
    def __init__(self, beta: Any = 1, threshold: Any = 20, name: Any = None) -> None: ...
class Softshrink(_FunctionLayer):
    """``x`` moved towards 0 by ``threshold``."""
    def __init__(self, threshold: Any = 0.5, name: Any = None) -> None: ...
class Softsign(_FunctionLayer):
    """``x / (1 + |x|)``."""
    def __init__(self, name: Any = None) -> None: ...
class Swish(_FunctionLayer):
    """``x * sigmoid(x)``."""
    def __init__(self, name: Any = None) -> None: ...
class Tanh(_FunctionLayer):
    """``tanh(x)``."""
    def __init__(self, name: Any = None) -> None: ...
class Tanhshrink(_FunctionLayer):
    """``x - tanh(x)``."""
    def __init__(self, name: Any = None) -> None: ...
class ThresholdedReLU(_FunctionLayer):
    """``x`` where above ``threshold``, else 0."""
    def __init__(self, threshold: Any = 1.0, name: Any = None) -> None: ...
class TripletMarginLoss(_FunctionLayer):
    """``max(0, d(input, positive) - d(input, negative) + margin)``, with ``p``-norms ``d``."""
    def __init__(self, margin: Any = 1.0, p: Any = 2.0, epsilon: Any = 1e-06, swap: Any = False, reduction: Any = 'mean', name: Any = None) -> None: ...
class TripletMarginWithDistanceLoss(_FunctionLayer):
    """`TripletMarginLoss` with the function ``distance_function`` (None: the L2 norm)."""
    def __init__(self, distance_function: Any = None, margin: Any = 1.0, swap: Any = False, reduction: Any = 'mean', name: Any = None) -> None: ...
class Unfold(_FunctionLayer):
    """The windows of ``[N, C, H, W]`` as columns ``[N, C * kernel, windows]``."""
    def __init__(self, kernel_sizes: Any, dilations: Any = 1, paddings: Any = 0, strides: Any = 1, name: Any = None) -> None: ...

__all__ = ["AdaptiveAvgPool1D", "AdaptiveAvgPool2D", "AdaptiveAvgPool3D", "AdaptiveMaxPool1D", "AdaptiveMaxPool2D", "AdaptiveMaxPool3D", "AlphaDropout", "AvgPool1D", "AvgPool2D", "AvgPool3D", "BCELoss", "BCEWithLogitsLoss", "BatchNorm", "BatchNorm1D", "BatchNorm2D", "BatchNorm3D", "BeamSearchDecoder", "BiRNN", "Bilinear", "CELU", "CTCLoss", "ChannelShuffle", "ClipGradByGlobalNorm", "ClipGradByNorm", "ClipGradByValue", "Conv1D", "Conv1DTranspose", "Conv2D", "Conv2DTranspose", "Conv3D", "Conv3DTranspose", "CosineEmbeddingLoss", "CosineSimilarity", "CrossEntropyLoss", "Dropout", "Dropout2D", "Dropout3D", "ELU", "Embedding", "Flatten", "Fold", "GELU", "GLU", "GRU", "GRUCell", "GaussianNLLLoss", "GroupNorm", "HSigmoidLoss", "Hardshrink", "Hardsigmoid", "Hardswish", "Hardtanh", "HingeEmbeddingLoss", "Identity", "InstanceNorm1D", "InstanceNorm2D", "InstanceNorm3D", "KLDivLoss", "L1Loss", "LSTM", "LSTMCell", "Layer", "LayerDict", "LayerList", "LayerNorm", "LeakyReLU", "Linear", "LocalResponseNorm", "LogSigmoid", "LogSoftmax", "MSELoss", "MarginRankingLoss", "MaxPool1D", "MaxPool2D", "MaxPool3D", "MaxUnPool1D", "MaxUnPool2D", "MaxUnPool3D", "Maxout", "Mish", "MultiHeadAttention", "MultiLabelSoftMarginLoss", "MultiMarginLoss", "NLLLoss", "PReLU", "Pad1D", "Pad2D", "Pad3D", "PairwiseDistance", "ParamAttr", "Parameter", "ParameterList", "PixelShuffle", "PixelUnshuffle", "PoissonNLLLoss", "RNN", "RNNCellBase", "RNNTLoss", "RReLU", "ReLU", "ReLU6", "SELU", "Sequential", "Sigmoid", "Silu", "SimpleRNN", "SimpleRNNCell", "SmoothL1Loss", "SoftMarginLoss", "Softmax", "Softmax2D", "Softplus", "Softshrink", "Softsign", "SpectralNorm", "Swish", "SyncBatchNorm", "Tanh", "Tanhshrink", "ThresholdedReLU", "Transformer", "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer", "TripletMarginLoss", "TripletMarginWithDistanceLoss", "Unflatten", "Unfold", "Upsample", "UpsamplingBilinear2D", "UpsamplingNearest2D", "ZeroPad2D", "create_parameter", "dynamic_decode", "functional", "initializer", "utils"]
