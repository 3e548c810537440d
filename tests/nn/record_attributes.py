"""Record which public names the instances of Paddle's layers have, for `test_attributes.py`.

Run with a Python that has paddlepaddle==2.6.2:  python tests/nn/record_attributes.py
"""

from __future__ import annotations

import json
from pathlib import Path

SIZES = {
    (2, 3): "Linear SimpleRNN LSTM GRU SimpleRNNCell LSTMCell GRUCell Embedding",
    (2, 3, 3): "Bilinear Conv1D Conv2D Conv3D Conv1DTranspose Conv2DTranspose Conv3DTranspose",
    (
        3,
    ): "BatchNorm BatchNorm1D BatchNorm2D BatchNorm3D SyncBatchNorm InstanceNorm1D InstanceNorm2D InstanceNorm3D LayerNorm "
    "LocalResponseNorm",
    (1, 3): "GroupNorm",
    ((2, 3),): "SpectralNorm",
    (
        2,
    ): "MaxPool1D MaxPool2D MaxPool3D AvgPool1D AvgPool2D AvgPool3D AdaptiveAvgPool1D AdaptiveAvgPool2D AdaptiveAvgPool3D "
    "AdaptiveMaxPool1D AdaptiveMaxPool2D AdaptiveMaxPool3D MaxUnPool1D MaxUnPool2D MaxUnPool3D Pad1D Pad2D Pad3D ZeroPad2D "
    "PixelShuffle PixelUnshuffle ChannelShuffle Unfold Maxout",
    (4, 2): "MultiHeadAttention",
    (4, 2, 8): "TransformerEncoderLayer TransformerDecoderLayer",
    (4, 2, 1, 1, 8): "Transformer",
    ((2, 2),): "Upsample UpsamplingBilinear2D UpsamplingNearest2D",
    ((4, 4), 2): "Fold",
    (3, 4): "HSigmoidLoss",
}
ARGUMENTS = {name: arguments for arguments, names in SIZES.items() for name in names.split()}


def public_names(nn) -> dict[str, list[str]]:
    """The public names that an instance of each Layer of ``nn`` has, of those that these arguments suit."""
    names = {}
    for name in sorted(dir(nn)):
        layer = getattr(nn, name)
        if isinstance(layer, type) and issubclass(layer, nn.Layer):
            try:
                made = layer(*ARGUMENTS.get(name, ()))
            except (TypeError, ValueError):
                continue
            names[name] = sorted(n for n in dir(made) if not n.startswith("_"))
    return names


if __name__ == "__main__":
    import paddle

    every = public_names(paddle.nn)
    common = sorted(set.intersection(*map(set, every.values())))
    particular = {name: sorted(set(own) - set(common)) for name, own in every.items()}
    text = json.dumps({"every Layer": common, **particular}, indent=1)
    (Path(__file__).parent / "paddle_attributes.json").write_text(text + "\n", encoding="utf-8")
