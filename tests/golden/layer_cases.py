"""Cases of layer tests: what to build from ``nn`` and the shapes of its inputs. Run by the recorder and by the tests alike.

A shape is a float input; ``('i', n, *shape)`` integers below n; ``('p', *shape)`` floats in (0.05, 0.95);
``('d', *shape)`` the same, made to sum to one along the last axis; ``('s', *shape)`` signs.
"""

import numpy as np

IMAGE = (2, 3, 6, 5)
LAYERS = {
    "linear": ("nn.Linear(4, 3)", (2, 4)),
    "linear_3d_no_bias": ("nn.Linear(4, 3, bias_attr=False)", (2, 5, 4)),
    "bilinear": ("nn.Bilinear(3, 4, 2)", (5, 3), (5, 4)),
    "embedding": ("nn.Embedding(7, 3, padding_idx=2)", ("i", 7, 2, 4)),
    "flatten": ("nn.Flatten()", (2, 3, 4)),
    "flatten_part": ("nn.Flatten(2, 3)", (2, 3, 4, 5)),
    "unflatten": ("nn.Unflatten(1, [2, -1])", (3, 6)),
    "conv1d": ("nn.Conv1D(3, 4, 3, padding=1)", (2, 3, 8)),
    "conv2d": ("nn.Conv2D(3, 4, 3, stride=2, padding=1)", IMAGE),
    "conv2d_same": ("nn.Conv2D(3, 4, 3, padding='SAME')", IMAGE),
    "conv2d_groups": ("nn.Conv2D(4, 6, [3, 1], groups=2, dilation=[1, 2], bias_attr=False)", (2, 4, 6, 5)),
    "conv2d_depthwise": ("nn.Conv2D(3, 6, 3, groups=3)", IMAGE),
    "conv2d_reflect": ("nn.Conv2D(3, 4, 3, padding=1, padding_mode='reflect')", IMAGE),
    "conv2d_circular": ("nn.Conv2D(3, 4, 3, padding=2, padding_mode='circular')", IMAGE),
    "conv2d_last": ("nn.Conv2D(3, 4, 3, padding=1, data_format='NHWC')", (2, 6, 5, 3)),
    "conv3d": ("nn.Conv3D(2, 3, 2, padding=1)", (1, 2, 4, 3, 4)),
    "conv1d_transpose": ("nn.Conv1DTranspose(3, 2, 3, stride=2, padding=1)", (2, 3, 5)),
    "conv2d_transpose": ("nn.Conv2DTranspose(3, 4, 3, stride=2, padding=1, output_padding=1)", (2, 3, 4, 3)),
    "conv2d_transpose_groups": ("nn.Conv2DTranspose(4, 6, 2, stride=2, groups=2)", (2, 4, 3, 3)),
    "conv3d_transpose": ("nn.Conv3DTranspose(2, 2, 2)", (1, 2, 3, 2, 3)),
    "batch_norm": ("nn.BatchNorm(3)", IMAGE),
    "batch_norm_act": ("nn.BatchNorm(3, act='relu')", IMAGE),
    "batch_norm1d": ("nn.BatchNorm1D(4)", (6, 4)),
    "batch_norm1d_length": ("nn.BatchNorm1D(4, momentum=0.8)", (3, 4, 5)),
    "batch_norm2d": ("nn.BatchNorm2D(3, epsilon=1e-3)", IMAGE),
    "batch_norm2d_last": ("nn.BatchNorm2D(3, data_format='NHWC')", (2, 6, 5, 3)),
    "batch_norm2d_global": ("nn.BatchNorm2D(3, use_global_stats=True)", IMAGE),
    "batch_norm3d": ("nn.BatchNorm3D(2)", (2, 2, 3, 2, 3)),
    "layer_norm": ("nn.LayerNorm(4)", (2, 3, 4)),
    "layer_norm_two": ("nn.LayerNorm([3, 4], epsilon=1e-3)", (2, 3, 4)),
    "layer_norm_bare": ("nn.LayerNorm(4, weight_attr=False, bias_attr=False)", (2, 3, 4)),
    "group_norm": ("nn.GroupNorm(2, 4)", (2, 4, 3, 3)),
    "instance_norm1d": ("nn.InstanceNorm1D(3)", (2, 3, 5)),
    "instance_norm2d": ("nn.InstanceNorm2D(3)", IMAGE),
    "local_response_norm": ("nn.LocalResponseNorm(3, alpha=0.1)", IMAGE),
    "max_pool1d": ("nn.MaxPool1D(2)", (2, 3, 7)),
    "max_pool2d": ("nn.MaxPool2D(3, stride=2, padding=1)", IMAGE),
    "max_pool2d_ceil": ("nn.MaxPool2D(2, ceil_mode=True)", IMAGE),
    "avg_pool1d": ("nn.AvgPool1D(3, padding=1)", (2, 3, 7)),
    "avg_pool2d": ("nn.AvgPool2D(3, stride=2, padding=1)", IMAGE),
    "avg_pool2d_inclusive": ("nn.AvgPool2D(3, stride=2, padding=1, exclusive=False)", IMAGE),
    "adaptive_avg_pool1d": ("nn.AdaptiveAvgPool1D(3)", (2, 3, 7)),
    "adaptive_avg_pool2d": ("nn.AdaptiveAvgPool2D([4, 2])", IMAGE),
    "adaptive_max_pool1d": ("nn.AdaptiveMaxPool1D(3)", (2, 3, 7)),
    "adaptive_max_pool2d": ("nn.AdaptiveMaxPool2D(2)", IMAGE),
    "pad1d": ("nn.Pad1D([1, 2])", (2, 3, 4)),
    "pad2d": ("nn.Pad2D([1, 2, 0, 1], value=0.5)", IMAGE),
    "pad2d_reflect": ("nn.Pad2D(2, mode='reflect')", IMAGE),
    "pad2d_replicate": ("nn.Pad2D(1, mode='replicate')", IMAGE),
    "zero_pad2d": ("nn.ZeroPad2D([1, 0, 2, 1])", IMAGE),
    "upsample_nearest": ("nn.Upsample(scale_factor=2)", (1, 2, 3, 4)),
    "upsample_bilinear": ("nn.Upsample(size=[5, 7], mode='bilinear')", (1, 2, 3, 4)),
    "upsampling_bilinear2d": ("nn.UpsamplingBilinear2D(scale_factor=2)", (1, 2, 3, 4)),
    "pixel_shuffle": ("nn.PixelShuffle(2)", (1, 8, 2, 3)),
    "pixel_unshuffle": ("nn.PixelUnshuffle(2)", (1, 2, 4, 6)),
    "channel_shuffle": ("nn.ChannelShuffle(2)", (1, 6, 2, 2)),
    "cosine_similarity": ("nn.CosineSimilarity(axis=-1)", (3, 4), (3, 4)),
    "pairwise_distance": ("nn.PairwiseDistance()", (3, 4), (3, 4)),
    "unfold": ("nn.Unfold([2, 3], strides=2, paddings=1)", (1, 2, 5, 6)),
    "fold": ("nn.Fold([4, 5], [2, 2], strides=[2, 1])", (1, 8, 8)),
    "prelu": ("nn.PReLU(3)", IMAGE),
    "softmax2d": ("nn.Softmax2D()", IMAGE),
    "sequential": ("nn.Sequential(nn.Linear(4, 5), nn.ReLU(), nn.Linear(5, 2), nn.Softmax())", (3, 4)),
}
LAYERS.update(
    {
        name: (f"nn.{name}()", (3, 4))
        for name in (
            "CELU ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid LogSoftmax Mish ReLU ReLU6 "
            "SELU Sigmoid Silu Softmax Softplus Softshrink Softsign Swish Tanh Tanhshrink ThresholdedReLU"
        ).split()
    }
)
LAYERS.update(
    {
        "gelu_tanh": ("nn.GELU(approximate=True)", (3, 4)),
        "maxout": ("nn.Maxout(2)", (2, 4, 3, 2)),
        "softmax_axis": ("nn.Softmax(axis=1)", (2, 3, 4)),
        "dropout_eval": ("nn.Dropout(0.4)", (3, 4)),
        "dropout_downscale": ("nn.Dropout(0.4, mode='downscale_in_infer')", (3, 4)),
        "cross_entropy": ("nn.CrossEntropyLoss()", (4, 5), ("i", 5, 4)),
        "cross_entropy_column": ("nn.CrossEntropyLoss(ignore_index=2)", (4, 5), ("i", 5, 4, 1)),
        "cross_entropy_soft": ("nn.CrossEntropyLoss(soft_label=True, reduction='sum')", (4, 5), ("d", 4, 5)),
        "cross_entropy_smooth": ("nn.CrossEntropyLoss(label_smoothing=0.1)", (4, 5), ("i", 5, 4)),
        "cross_entropy_none": ("nn.CrossEntropyLoss(reduction='none')", (2, 3, 5), ("i", 5, 2, 3)),
        "mse": ("nn.MSELoss()", (3, 4), (3, 4)),
        "l1": ("nn.L1Loss(reduction='sum')", (3, 4), (3, 4)),
        "smooth_l1": ("nn.SmoothL1Loss(delta=0.7)", (3, 4), (3, 4)),
        "bce": ("nn.BCELoss()", ("p", 3, 4), ("p", 3, 4)),
        "bce_logits": ("nn.BCEWithLogitsLoss()", (3, 4), ("p", 3, 4)),
        "nll": ("nn.NLLLoss()", (4, 5), ("i", 5, 4)),
        "kl_div": ("nn.KLDivLoss(reduction='batchmean')", (3, 4), ("p", 3, 4)),
        "margin_ranking": ("nn.MarginRankingLoss(0.3)", (6,), (6,), ("s", 6)),
        "hinge_embedding": ("nn.HingeEmbeddingLoss()", (6,), ("s", 6)),
        "cosine_embedding": ("nn.CosineEmbeddingLoss(0.1)", (5, 3), (5, 3), ("s", 5)),
        "triplet_margin": ("nn.TripletMarginLoss()", (5, 3), (5, 3), (5, 3)),
        "triplet_distance": ("nn.TripletMarginWithDistanceLoss(swap=True)", (5, 3), (5, 3), (5, 3)),
        "multi_margin": ("nn.MultiMarginLoss()", (4, 5), ("i", 5, 4)),
        "poisson": ("nn.PoissonNLLLoss(full=True)", (4, 5), ("p", 4, 5)),
        "gaussian": ("nn.GaussianNLLLoss(full=True)", (4, 5), (4, 5), ("p", 4, 5)),
        "soft_margin": ("nn.SoftMarginLoss()", (5, 3), ("s", 5, 3)),
        "multi_label_soft_margin": ("nn.MultiLabelSoftMarginLoss()", (5, 3), ("p", 5, 3)),
    }
)
# layers with several inputs and outputs: what to build, how to call it with inputs x, and their shapes
CALLS = {
    "simple_rnn_cell": ("nn.SimpleRNNCell(3, 4)", lambda layer, x: layer(x[0], x[1]), (2, 3), (2, 4)),
    "lstm_cell": ("nn.LSTMCell(3, 4)", lambda layer, x: layer(x[0], (x[1], x[2])), (2, 3), (2, 4), (2, 4)),
    "gru_cell": ("nn.GRUCell(3, 4)", lambda layer, x: layer(x[0]), (2, 3)),
    "rnn": ("nn.RNN(nn.GRUCell(3, 4), is_reverse=True)", lambda layer, x: layer(x[0]), (2, 5, 3)),
    "rnn_lengths": ("nn.RNN(nn.LSTMCell(3, 4))", lambda layer, x: layer(x[0], sequence_length=x[1]), (3, 5, 3), ("i", 5, 3)),
    "birnn": ("nn.BiRNN(nn.GRUCell(3, 4), nn.GRUCell(3, 4), time_major=True)", lambda layer, x: layer(x[0]), (5, 2, 3)),
    "simple_rnn": ("nn.SimpleRNN(3, 4, activation='relu')", lambda layer, x: layer(x[0], x[1]), (2, 5, 3), (1, 2, 4)),
    "lstm": ("nn.LSTM(3, 4, num_layers=2)", lambda layer, x: layer(x[0]), (2, 5, 3)),
    "lstm_two_ways": (
        "nn.LSTM(3, 4, 2, 'bidirect')", lambda layer, x: layer(x[0], sequence_length=x[1] + 1), (3, 5, 3), ("i", 5, 3),
    ),
    "gru_time_major": ("nn.GRU(3, 4, time_major=True)", lambda layer, x: layer(x[0]), (5, 2, 3)),
    "attention": ("nn.MultiHeadAttention(4, 2, need_weights=True)", lambda layer, x: layer(x[0]), (2, 3, 4)),
    "attention_mask": (
        "nn.MultiHeadAttention(4, 2, kdim=3, vdim=5)",
        lambda layer, x: layer(x[0], x[1], x[2], x[3]), (2, 3, 4), (2, 5, 3), (2, 5, 5), ("i", 2, 2, 1, 3, 5),
    ),
    "attention_cache": (
        "nn.MultiHeadAttention(4, 2)",
        lambda layer, x: layer(x[0], cache=layer.Cache(x[1], x[2])), (2, 3, 4), (2, 2, 1, 2), (2, 2, 1, 2),
    ),
    "encoder": ("nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 6, 0.0), 2)", lambda layer, x: layer(x[0]), (2, 3, 4)),
    "encoder_first": (
        "nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 6, 0.0, 'gelu', normalize_before=True), 2, nn.LayerNorm(4))",
        lambda layer, x: layer(x[0], x[1]), (2, 3, 4), (2, 2, 3, 3),
    ),
    "decoder": (
        "nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 6, 0.0), 2)",
        lambda layer, x: layer(x[0], x[1]), (2, 3, 4), (2, 5, 4),
    ),
    "transformer": (
        "nn.Transformer(4, 2, 1, 1, 6, 0.0)",
        lambda layer, x: layer(x[0], x[1], tgt_mask=layer.generate_square_subsequent_mask(3)), (2, 5, 4), (2, 3, 4),
    ),
}  # fmt: skip
ONLY_EVAL = {name for name in LAYERS if name.startswith("dropout")}


def draw(shapes, seed=11):
    """Input arrays of a case."""
    rng = np.random.default_rng(seed)
    found = []
    for shape in shapes:
        if shape[0] == "i":
            found.append(rng.integers(0, shape[1], shape[2:]).astype("int64"))
        elif shape[0] == "p":
            found.append(rng.uniform(0.05, 0.95, shape[1:]).astype("float32"))
        elif shape[0] == "d":
            values = rng.uniform(0.05, 0.95, shape[1:])
            found.append((values / values.sum(-1, keepdims=True)).astype("float32"))
        elif shape[0] == "s":
            found.append(rng.choice([-1, 1], shape[1:]).astype("float32"))
        else:
            found.append(rng.normal(size=shape).astype("float32"))
    return found


def set_parameters(layer, seed=5):
    """Give every parameter of a layer (of either library) values that depend on its shape and position only."""
    rng = np.random.default_rng(seed)
    for name, parameter in layer.state_dict().items():
        low = 0.5 if name.endswith("_variance") else -1.0
        parameter.set_value(rng.uniform(low, 1.0, parameter.shape).astype("float32"))


def flat(result):
    """Nested outputs as a list."""
    return [y for x in result for y in flat(x)] if isinstance(result, (tuple, list)) else [result]


def weights(shape):
    """Weights of a sum over an output, so that gradients differ from element to element."""
    return np.random.default_rng(3).uniform(0.5, 1.5, shape).astype("float32")
