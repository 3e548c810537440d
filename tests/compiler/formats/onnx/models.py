"""Models that the tests of ONNX write and read, with the inputs that they are run on."""

from __future__ import annotations

import numpy as np

import to_static as paddle
from to_static import nn
from to_static.nn import functional as F
from to_static.static import InputSpec


def _numbers(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype("float32")


class Branches(nn.Layer):
    """An `if`, a `while` and a loop that is unrolled."""

    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(5, 5)

    def forward(self, x):
        y = self.inner(x) * 2 if x.sum() > 0 else x - 1
        while y.abs().max() < 100:
            y = y * 1.7
        for i in range(3):
            y = y + i
        return y


class Growing(nn.Layer):
    """A list that grows in a loop of unknown length."""

    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(5, 5)

    def forward(self, x, n):
        state, states, i = paddle.zeros([x.shape[0], 5]), [], paddle.to_tensor(0)
        while i < n:
            state, _ = self.cell(x[:, 0], state)
            states.append(state)
            i = i + 1
        return paddle.stack(states, 1)


class Leaving(nn.Layer):
    """A loop with `continue` and `break`, and an integer result."""

    def forward(self, x, n):
        y, i = paddle.zeros([5]), 0
        for i in range(n):
            if x[i].sum() > 0:
                continue
            y = y + x[i]
            if y.sum() < -3:
                break
        return y, i


class Words(nn.Layer):
    """A small language model."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(50, 16, padding_idx=0)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 32, 0.1, activation="gelu"), 2)
        self.norm, self.head = nn.LayerNorm(16), nn.Linear(16, 50)

    def forward(self, ids):
        mask = (ids == 0).astype("float32").unsqueeze([1, 2]) * -1e4
        return self.head(self.norm(self.encoder(self.table(ids), mask)))


class Images(nn.Layer):
    """Layers of images."""

    def __init__(self):
        super().__init__()
        self.conv, self.batch, self.group = nn.Conv2D(3, 8, 3, padding=1), nn.BatchNorm2D(8), nn.GroupNorm(4, 8)
        self.instance, self.back = nn.InstanceNorm2D(8), nn.Conv2DTranspose(8, 4, 3, 2, 1)
        self.dropout = nn.Dropout(0.5)

    def forward(self, x):
        y = F.gelu(self.instance(self.group(F.relu(self.batch(self.conv(x))))))
        wide = F.interpolate(y, scale_factor=2, mode="bilinear")
        back = self.back(self.dropout(wide))
        pooled = F.adaptive_avg_pool2d(F.max_pool2d(y, 2), 1)
        return pooled, back, F.interpolate(y, size=[10, 20], mode="nearest"), F.pixel_shuffle(y, 2)


class Lengths(nn.Layer):
    """A recurrent layer in both directions over sequences of several lengths."""

    def __init__(self):
        super().__init__()
        self.inner = nn.LSTM(5, 4, direction="bidirect")

    def forward(self, x, n):
        return self.inner(x, sequence_length=n)


class Groups(nn.Layer):
    """Rows by their ids, and runs of equal elements."""

    def forward(self, x, ids):
        largest, smallest = paddle.geometric.segment_max(x, ids), paddle.geometric.segment_min(x, ids)
        runs = paddle.unique_consecutive(ids, return_inverse=True, return_counts=True)
        rows = paddle.unique_consecutive(x > 0, return_counts=True, axis=0)
        return largest, smallest, *runs, rows[0].astype("int32"), rows[1], paddle.linalg.slogdet(x[:3])


class Levels(nn.Layer):
    """The boxes of two images by their sizes."""

    def forward(self, boxes, counts):
        parts, order, numbers = paddle.vision.ops.distribute_fpn_proposals(boxes, 2, 5, 4, 224, rois_num=counts)
        return parts, order, numbers


class Detector(nn.Layer):
    """Boxes of three categories, without those that overlap better ones."""

    def __init__(self):
        super().__init__()
        self.features, self.boxes, self.scores = nn.Conv2D(3, 8, 3, 4, 1), nn.Conv2D(8, 4, 1), nn.Conv2D(8, 3, 1)

    def forward(self, x):
        y = F.relu(self.features(x))
        corners, scores = self.boxes(y).flatten(2).transpose([0, 2, 1])[0], F.sigmoid(self.scores(y)).flatten(2)[0]
        center, size = F.sigmoid(corners[:, :2]) * 30, paddle.exp(corners[:, 2:]) * 3
        boxes, best, category = paddle.concat([center - size, center + size], 1), scores.max(0), scores.argmax(0)
        chosen = paddle.vision.ops.nms(boxes, 0.4, best, category, [0, 1, 2], 10)
        return paddle.gather(boxes, chosen), paddle.gather(best, chosen), paddle.gather(category, chosen)


def _spec(*shape, dtype="float32", name="x"):
    return InputSpec(list(shape), dtype, name)


def cases():
    """Name -> layer, specs of its inputs, and inputs."""
    paddle.seed(7)
    sequence, open_length = _numbers(3, 7, 5), [_spec(None, None, 5)]
    number, ids, steps = np.asarray(4), np.random.default_rng(0).integers(0, 50, (2, 6)), np.asarray([3, 7, 1], "int32")
    corners = np.float32([[0, 0, 10, 10], [0, 0, 300, 200], [5, 5, 120, 90], [3, 3, 30, 500], [10, 10, 5, 8], [1, 1, 2, 2]])
    rows = np.asarray([0, 0, 1, 3, 3])
    counts = np.asarray([2, 3], "int32")  # one box less than there are
    return {
        "branches": (Branches(), [_spec(None, 5)], [_numbers(3, 5)]),
        "growing": (Growing(), [_spec(None, 3, 5), _spec(dtype="int64", name="n")], [_numbers(3, 3, 5), number]),
        "leaving": (Leaving(), [_spec(None, 5), _spec(dtype="int64", name="n")], [_numbers(6, 5), number]),
        "words": (Words(), [_spec(None, None, dtype="int64", name="ids")], [ids]),
        "images": (Images(), [_spec(None, 3, 16, 16)], [_numbers(2, 3, 16, 16)]),
        "lengths": (Lengths(), [_spec(None, 7, 5), _spec(None, dtype="int32", name="n")], [sequence, steps]),
        "lstm": (nn.LSTM(5, 4, num_layers=2), open_length, [sequence]),
        "gru": (nn.GRU(5, 4, direction="bidirect"), open_length, [sequence]),
        "groups": (Groups(), [_spec(None, 3), _spec(None, dtype="int64", name="ids")], [_numbers(5, 3), rows]),
        "levels": (Levels(), [_spec(None, 4, name="boxes"), _spec(2, dtype="int32", name="counts")], [corners, counts]),
        "detector": (Detector(), [_spec(1, 3, 32, 32)], [_numbers(1, 3, 32, 32)]),
        "rnn": (nn.SimpleRNN(5, 4, activation="relu"), open_length, [sequence]),
    }


def expected(layer, arrays):
    """The numbers of the layer itself, flat."""
    layer.eval()
    with paddle.no_grad():
        return flat(layer(*map(paddle.to_tensor, arrays)))


def flat(value):
    """All arrays of a nested result, in order."""
    if isinstance(value, (list, tuple)):
        return [array for item in value for array in flat(item)]
    return [value.numpy() if hasattr(value, "numpy") else np.asarray(value)]
