"""Layers, their parameters and initializers, containers, losses and gradient clipping."""

from to_static.core.missing import names_missing
from to_static.nn import functional, initializer, utils
from to_static.nn.activation import (
    CELU,
    ELU,
    GELU,
    GLU,
    SELU,
    Hardshrink,
    Hardsigmoid,
    Hardswish,
    Hardtanh,
    LeakyReLU,
    LogSigmoid,
    LogSoftmax,
    Maxout,
    Mish,
    PReLU,
    ReLU,
    ReLU6,
    RReLU,
    Sigmoid,
    Silu,
    Softmax,
    Softmax2D,
    Softplus,
    Softshrink,
    Softsign,
    Swish,
    Tanh,
    Tanhshrink,
    ThresholdedReLU,
)
from to_static.nn.arrange import (
    ChannelShuffle,
    CosineSimilarity,
    Flatten,
    Fold,
    Pad1D,
    Pad2D,
    Pad3D,
    PairwiseDistance,
    PixelShuffle,
    PixelUnshuffle,
    Unflatten,
    Unfold,
    Upsample,
    UpsamplingBilinear2D,
    UpsamplingNearest2D,
    ZeroPad2D,
)
from to_static.nn.attention import MultiHeadAttention
from to_static.nn.batch_norm import BatchNorm, BatchNorm1D, BatchNorm2D, BatchNorm3D, SyncBatchNorm
from to_static.nn.clip import ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue
from to_static.nn.container import LayerDict, LayerList, ParameterList, Sequential
from to_static.nn.conv import Conv1D, Conv1DTranspose, Conv2D, Conv2DTranspose, Conv3D, Conv3DTranspose
from to_static.nn.decode import BeamSearchDecoder, dynamic_decode
from to_static.nn.dropout import AlphaDropout, Dropout, Dropout2D, Dropout3D
from to_static.nn.layer import Layer
from to_static.nn.linear import Bilinear, Embedding, Identity, Linear
from to_static.nn.loss import (
    BCELoss,
    BCEWithLogitsLoss,
    CosineEmbeddingLoss,
    CrossEntropyLoss,
    CTCLoss,
    GaussianNLLLoss,
    HingeEmbeddingLoss,
    HSigmoidLoss,
    KLDivLoss,
    L1Loss,
    MarginRankingLoss,
    MSELoss,
    MultiLabelSoftMarginLoss,
    MultiMarginLoss,
    NLLLoss,
    PoissonNLLLoss,
    RNNTLoss,
    SmoothL1Loss,
    SoftMarginLoss,
    TripletMarginLoss,
    TripletMarginWithDistanceLoss,
)
from to_static.nn.norm import (
    GroupNorm,
    InstanceNorm1D,
    InstanceNorm2D,
    InstanceNorm3D,
    LayerNorm,
    LocalResponseNorm,
    SpectralNorm,
)
from to_static.nn.parameter import ParamAttr, Parameter, create_parameter
from to_static.nn.pooling import (
    AdaptiveAvgPool1D,
    AdaptiveAvgPool2D,
    AdaptiveAvgPool3D,
    AdaptiveMaxPool1D,
    AdaptiveMaxPool2D,
    AdaptiveMaxPool3D,
    AvgPool1D,
    AvgPool2D,
    AvgPool3D,
    MaxPool1D,
    MaxPool2D,
    MaxPool3D,
    MaxUnPool1D,
    MaxUnPool2D,
    MaxUnPool3D,
)
from to_static.nn.rnn import GRU, LSTM, RNN, BiRNN, SimpleRNN
from to_static.nn.rnn_cell import GRUCell, LSTMCell, RNNCellBase, SimpleRNNCell
from to_static.nn.transformer import (
    Transformer,
    TransformerDecoder,
    TransformerDecoderLayer,
    TransformerEncoder,
    TransformerEncoderLayer,
)

__all__ = [
    "AdaptiveAvgPool1D", "AdaptiveAvgPool2D", "AdaptiveAvgPool3D", "AdaptiveMaxPool1D", "AdaptiveMaxPool2D",
    "AdaptiveMaxPool3D", "AlphaDropout", "AvgPool1D", "AvgPool2D", "AvgPool3D", "BCELoss", "BCEWithLogitsLoss",
    "BatchNorm", "BatchNorm1D", "BatchNorm2D", "BatchNorm3D", "BeamSearchDecoder", "BiRNN", "Bilinear", "CELU",
    "CTCLoss", "ChannelShuffle", "ClipGradByGlobalNorm", "ClipGradByNorm", "ClipGradByValue", "Conv1D",
    "Conv1DTranspose", "Conv2D", "Conv2DTranspose", "Conv3D", "Conv3DTranspose", "CosineEmbeddingLoss",
    "CosineSimilarity", "CrossEntropyLoss", "Dropout", "Dropout2D", "Dropout3D", "ELU", "Embedding", "Flatten",
    "Fold", "GELU", "GLU", "GRU", "GRUCell", "GaussianNLLLoss", "GroupNorm", "HSigmoidLoss", "Hardshrink",
    "Hardsigmoid", "Hardswish", "Hardtanh", "HingeEmbeddingLoss", "Identity", "InstanceNorm1D", "InstanceNorm2D",
    "InstanceNorm3D", "KLDivLoss", "L1Loss", "LSTM", "LSTMCell", "Layer", "LayerDict", "LayerList", "LayerNorm",
    "LeakyReLU", "Linear", "LocalResponseNorm", "LogSigmoid", "LogSoftmax", "MSELoss", "MarginRankingLoss",
    "MaxPool1D", "MaxPool2D", "MaxPool3D", "MaxUnPool1D", "MaxUnPool2D", "MaxUnPool3D", "Maxout", "Mish",
    "MultiHeadAttention", "MultiLabelSoftMarginLoss", "MultiMarginLoss", "NLLLoss", "PReLU", "Pad1D", "Pad2D",
    "Pad3D", "PairwiseDistance", "ParamAttr", "Parameter", "ParameterList", "PixelShuffle", "PixelUnshuffle",
    "PoissonNLLLoss", "RNN", "RNNCellBase", "RNNTLoss", "RReLU", "ReLU", "ReLU6", "SELU", "Sequential", "Sigmoid",
    "Silu", "SimpleRNN", "SimpleRNNCell", "SmoothL1Loss", "SoftMarginLoss", "Softmax", "Softmax2D", "Softplus",
    "Softshrink", "Softsign", "SpectralNorm", "Swish", "SyncBatchNorm", "Tanh", "Tanhshrink", "ThresholdedReLU",
    "Transformer", "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer",
    "TripletMarginLoss", "TripletMarginWithDistanceLoss", "Unflatten", "Unfold", "Upsample", "UpsamplingBilinear2D",
    "UpsamplingNearest2D", "ZeroPad2D", "create_parameter", "dynamic_decode", "functional", "initializer", "utils",
]  # fmt: skip

__getattr__ = names_missing(__name__)
