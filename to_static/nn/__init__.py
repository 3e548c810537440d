"""Layers, their parameters and initializers, containers, losses and gradient clipping. Loaded when asked for."""

from to_static.core.importing.lazy_module import attach

_HOMES = {
    "to_static.nn.activation": (
        "CELU ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid LogSoftmax Maxout Mish PReLU RReLU "
        "ReLU ReLU6 SELU Sigmoid Silu Softmax Softmax2D Softplus Softshrink Softsign "
        "Swish Tanh Tanhshrink ThresholdedReLU"
    ),
    "to_static.nn.shape_layers": (
        "ChannelShuffle Flatten Fold Pad1D Pad2D Pad3D PixelShuffle PixelUnshuffle "
        "Unflatten Unfold Upsample UpsamplingBilinear2D UpsamplingNearest2D ZeroPad2D"
    ),
    "to_static.nn.attention": "MultiHeadAttention",
    "to_static.nn.batch_norm": "BatchNorm BatchNorm1D BatchNorm2D BatchNorm3D SyncBatchNorm",
    "to_static.nn.clip": "ClipGradByGlobalNorm ClipGradByNorm ClipGradByValue",
    "to_static.nn.container": "LayerDict LayerList ParameterList Sequential",
    "to_static.nn.conv": "Conv1D Conv1DTranspose Conv2D Conv2DTranspose Conv3D Conv3DTranspose",
    "to_static.nn.decode": "BeamSearchDecoder dynamic_decode",
    "to_static.nn.distance": "CosineSimilarity PairwiseDistance",
    "to_static.nn.dropout": "AlphaDropout Dropout Dropout2D Dropout3D",
    "to_static.nn.layer": "Layer",
    "to_static.nn.linear": "Bilinear Embedding Identity Linear",
    "to_static.nn.loss": (
        "BCELoss BCEWithLogitsLoss CTCLoss CosineEmbeddingLoss CrossEntropyLoss GaussianNLLLoss HSigmoidLoss "
        "HingeEmbeddingLoss KLDivLoss L1Loss MSELoss MarginRankingLoss MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss "
        "PoissonNLLLoss RNNTLoss SmoothL1Loss SoftMarginLoss TripletMarginLoss TripletMarginWithDistanceLoss"
    ),
    "to_static.nn.norm": "GroupNorm InstanceNorm1D InstanceNorm2D InstanceNorm3D LayerNorm LocalResponseNorm SpectralNorm",
    "to_static.nn.parameter": "ParamAttr Parameter create_parameter",
    "to_static.nn.pooling": (
        "AdaptiveAvgPool1D AdaptiveAvgPool2D AdaptiveAvgPool3D AdaptiveMaxPool1D AdaptiveMaxPool2D AdaptiveMaxPool3D "
        "AvgPool1D AvgPool2D AvgPool3D MaxPool1D MaxPool2D MaxPool3D MaxUnPool1D MaxUnPool2D MaxUnPool3D"
    ),
    "to_static.nn.rnn": "BiRNN GRU LSTM RNN SimpleRNN",
    "to_static.nn.rnn_cell": "GRUCell LSTMCell RNNCellBase SimpleRNNCell",
    "to_static.nn.transformer": (
        "Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer"
    ),
}
__getattr__, __dir__, __all__ = attach(__name__, _HOMES, "functional initializer utils")
