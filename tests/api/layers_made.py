"""A layer of every public class, by the arguments that make it: what the recorded table of attributes and its test share."""

SQUARE = [2, 2]
ARGUMENTS = {
    "AdaptiveAvgPool1D": (3,), "AdaptiveAvgPool2D": (3,), "AdaptiveAvgPool3D": (3,), "AdaptiveMaxPool1D": (3,),
    "AdaptiveMaxPool2D": (3,), "AdaptiveMaxPool3D": (3,), "AvgPool1D": (2,), "AvgPool2D": (2,), "AvgPool3D": (2,),
    "BatchNorm": (3,), "BatchNorm1D": (3,), "BatchNorm2D": (3,), "BatchNorm3D": (3,), "BiRNN": ("LSTMCell", "LSTMCell"),
    "Bilinear": (2, 3, 4), "ChannelShuffle": (2,), "Conv1D": (2, 3, 3), "Conv1DTranspose": (2, 3, 3), "Conv2D": (2, 3, 3),
    "Conv2DTranspose": (2, 3, 3), "Conv3D": (2, 3, 3), "Conv3DTranspose": (2, 3, 3), "Embedding": (4, 5), "Fold": ([4, 5], 2),
    "GRU": (3, 4), "GRUCell": (3, 4), "GroupNorm": (1, 3), "InstanceNorm1D": (3,), "InstanceNorm2D": (3,),
    "InstanceNorm3D": (3,), "LSTM": (3, 4), "LSTMCell": (3, 4), "LayerNorm": (3,), "Linear": (3, 4), "LocalResponseNorm": (3,),
    "MaxPool1D": (2,), "MaxPool2D": (2,), "MaxPool3D": (2,),
    "MaxUnPool1D": (2,), "MaxUnPool2D": (2,), "MaxUnPool3D": (2,), "Maxout": (2,), "MultiHeadAttention": (4, 2), "Pad1D": (1,),
    "Pad2D": (1,), "Pad3D": (1,), "PixelShuffle": (2,), "PixelUnshuffle": (2,), "RNN": ("LSTMCell",), "SimpleRNN": (3, 4),
    "SimpleRNNCell": (3, 4), "SpectralNorm": ([2, 3],), "SyncBatchNorm": (3,), "Transformer": (4, 2, 1, 1, 8),
    "TransformerDecoder": ("TransformerDecoderLayer", 2), "TransformerDecoderLayer": (4, 2, 8),
    "TransformerEncoder": ("TransformerEncoderLayer", 2), "TransformerEncoderLayer": (4, 2, 8), "Unflatten": (1, SQUARE),
    "Unfold": (2,), "Upsample": (SQUARE,), "UpsamplingBilinear2D": (SQUARE,), "UpsamplingNearest2D": (SQUARE,),
    "ZeroPad2D": (1,), "HSigmoidLoss": (3, 4),
}  # fmt: skip
OTHERS = {  # containers, and what is no layer
    "BeamSearchDecoder", "ClipGradByGlobalNorm", "ClipGradByNorm", "ClipGradByValue", "Layer", "LayerDict", "LayerList",
    "ParameterList", "RNNCellBase", "Sequential",
}  # fmt: skip
PLAIN = (bool, int, float, str, tuple, list, type(None))


def make(nn, name):
    """A layer of the class ``name`` of ``nn``."""
    arguments = ARGUMENTS.get(name, ())
    return getattr(nn, name)(*(make(nn, a) if isinstance(a, str) else a for a in arguments))


def described(value):
    """The text of a plain value; others by their kind."""
    if isinstance(value, PLAIN) and not any(hasattr(item, "numpy") for item in (value if isinstance(value, (tuple, list)) else ())):
        return repr(value)
    return "<function>" if callable(value) and not hasattr(value, "forward") else f"<{type(value).__name__}>"


def attributes(layer, base):
    """What ``vars()`` of a layer has beside what every Layer has, and its methods: name -> text."""
    found = {name: described(value) for name, value in vars(layer).items() if name not in vars(base)}
    kind = type(layer)
    members = (n for n in dir(kind) if n not in dir(type(base)) and n not in found and not n.startswith("__"))
    found.update((name, "<function>") for name in members if callable(getattr(kind, name)))
    return found
