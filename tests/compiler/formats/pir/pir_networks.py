"""Small networks and functions whose models are recorded: each gives (layer or function, input specs, arrays)."""

import numpy as np
import paddle
import paddle.nn.functional as F
from paddle import nn
from paddle.static import InputSpec


def f32(*shape, seed=0):
    return np.random.RandomState(seed).randn(*shape).astype("float32")


def spec(shape, name, dtype="float32"):
    return InputSpec(shape, dtype, name)


def transformer():
    specs = [spec([None, None, 16], "src"), spec([None, None, 16], "tgt")]
    return nn.Transformer(16, 2, 1, 1, 32, dropout=0.0), specs, [f32(2, 5, 16), f32(2, 4, 16, seed=1)]


class Recurrent(nn.Layer):
    def __init__(self, kind, **options):
        super().__init__()
        self.rnn = kind(4, 6, **options)
        self.fc = nn.Linear(12 if "direction" in options else 6, 2)

    def forward(self, x, lengths):
        y, state = self.rnn(x, None, lengths)
        return self.fc(y), state


def recurrent(kind, **options):
    specs = [spec([None, None, 4], "x"), spec([None], "n", "int64")]
    return lambda: (Recurrent(kind, **options), specs, [f32(3, 5, 4), np.array([5, 2, 3])])


class Cells(nn.Layer):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTMCell(4, 5)
        self.gru = nn.GRUCell(5, 3)

    def forward(self, x):
        h, c = paddle.zeros([x.shape[0], 5]), paddle.zeros([x.shape[0], 5])
        g = paddle.zeros([x.shape[0], 3])
        outputs = []
        for t in range(x.shape[1]):
            y, (h, c) = self.lstm(x[:, t], (h, c))
            y, g = self.gru(y, g)
            outputs.append(y)
        return paddle.stack(outputs, 1), h


class Greedy(nn.Layer):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(11, 6)
        self.cell = nn.GRUCell(6, 6)
        self.out = nn.Linear(6, 11)

    def forward(self, h):
        token, i = paddle.full([h.shape[0]], 1, "int64"), paddle.zeros([1], "int32")
        tokens = []
        while i < 5:
            _, h = self.cell(self.table(token), h)
            token = self.out(h).argmax(-1)
            tokens.append(token)
            i = i + 1
        return paddle.stack(tokens, 1)


def condition_in_loop(x, n):
    s, i = paddle.zeros([1]), paddle.zeros([1], "int64")
    while i < n:
        if x.sum() > s:
            s = s + x.max()
        else:
            s = s * 0.5
        if s > 10:
            break
        i = i + 1
    return s, i


class Segmenter(nn.Layer):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2D(3, 8, 3, padding=1)
        self.down = nn.Conv2D(8, 16, 3, stride=2, padding=1)
        self.norms = nn.LayerList([nn.BatchNorm2D(16), nn.GroupNorm(2, 8), nn.InstanceNorm2D(8)])
        self.up = nn.Conv2DTranspose(16, 8, 2, stride=2)
        self.out = nn.Conv2D(16, 2, 1)

    def forward(self, x):
        a = F.silu(self.norms[1](self.first(x)))
        b = F.leaky_relu(self.norms[0](self.down(a)))
        y = self.out(paddle.concat([a, self.norms[2](self.up(b))], 1))
        return F.interpolate(y, scale_factor=2, mode="bilinear"), F.interpolate(y, size=[5, 7], mode="nearest")


class Windows(nn.Layer):
    """Attention in shifted windows, as in Swin."""

    def __init__(self, width=16, heads=2, window=4):
        super().__init__()
        self.norm, self.qkv, self.out = nn.LayerNorm(width), nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.heads, self.window = heads, window
        self.bias = self.create_parameter([heads, window * window, window * window])

    def forward(self, x):
        _, h, w, c = x.shape
        n = self.window
        y = paddle.roll(self.norm(x), [-2, -2], [1, 2])
        y = y.reshape([-1, h // n, n, w // n, n, c]).transpose([0, 1, 3, 2, 4, 5]).reshape([-1, n * n, c])
        q, k, v = self.qkv(y).reshape([-1, n * n, 3, self.heads, c // self.heads]).transpose([2, 0, 3, 1, 4]).unbind(0)
        a = F.softmax(q @ k.transpose([0, 1, 3, 2]) * (c // self.heads) ** -0.5 + self.bias, -1)
        y = self.out((a @ v).transpose([0, 2, 1, 3]).reshape([-1, n * n, c]))
        y = y.reshape([-1, h // n, w // n, n, n, c]).transpose([0, 1, 3, 2, 4, 5]).reshape([-1, h, w, c])
        return x + paddle.roll(y, [2, 2], [1, 2])


class Swin(nn.Layer):
    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2D(3, 16, 4, 4)
        self.blocks = nn.Sequential(Windows(), Windows())
        self.out = nn.Linear(16, 5)

    def forward(self, x):
        return self.out(self.blocks(self.patches(x).transpose([0, 2, 3, 1])).mean([1, 2]))


class VisionTransformer(nn.Layer):
    def __init__(self):
        super().__init__()
        self.patches = nn.Conv2D(3, 16, 8, 8)
        self.token, self.position = self.create_parameter([1, 1, 16]), self.create_parameter([1, 17, 16])
        self.encoder = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(16, 4, 32, activation="gelu", normalize_before=True), 2
        )
        self.out = nn.Linear(16, 3)

    def forward(self, x):
        y = self.patches(x).flatten(2).transpose([0, 2, 1])
        y = paddle.concat([self.token.expand([x.shape[0], -1, -1]), y], 1) + self.position
        return self.out(self.encoder(y)[:, 0])


class Bert(nn.Layer):
    def __init__(self):
        super().__init__()
        self.words, self.positions, self.norm = nn.Embedding(30, 16), nn.Embedding(20, 16), nn.LayerNorm(16)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 32, activation="gelu"), 2)
        self.out = nn.Linear(16, 4)

    def forward(self, ids):
        mask = (ids == 0).astype("float32").unsqueeze([1, 2]) * -1e4
        positions = paddle.cumsum(paddle.ones_like(ids), -1) - 1
        y = self.encoder(self.norm(self.words(ids) + self.positions(positions)), mask)
        return y, F.tanh(self.out(y[:, 0]))


class Detector(nn.Layer):
    def __init__(self):
        super().__init__()
        self.head = nn.Conv2D(3, 21, 3, padding=1, stride=4)

    def forward(self, image, size):
        boxes, scores = paddle.vision.ops.yolo_box(self.head(image), size, [10, 13, 16, 30, 33, 23], 2, 0.01, 4)
        return boxes, scores.transpose([0, 2, 1])


def regions(x, boxes, count):
    ops = paddle.vision.ops
    return ops.roi_align(x, boxes, count, 3), ops.roi_pool(x, boxes, count, 2), ops.nms(boxes, 0.3)


def dict_arguments(parts):
    return {"z": parts["a"] + parts["b"], "y": parts["a"] * 2}


class Methods(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    @paddle.jit.to_static(input_spec=[spec([None, 3], "x")])
    def forward(self, x):
        return self.fc(x)

    @paddle.jit.to_static(input_spec=[spec([None, 3], "x")])
    def twice(self, x):
        return self.fc(x) * 2


class Half(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        self.to(dtype="bfloat16")

    def forward(self, x):
        return self.fc(x.astype("bfloat16")).astype("float32")


def rows(x):
    items, i = [], paddle.zeros([1], "int64")
    while i < x.shape[0]:
        items.append(x[i] * 2)
        i += 1
    return paddle.concat(items)


_BOXES = np.array([[0, 0, 4, 4], [1, 1, 7, 5], [2, 0.5, 3, 7.5]], "float32")
_IMAGE = [spec([None, 3, 32, 32], "x")], [f32(2, 3, 32, 32)]
NETWORKS = {
    "transformer": transformer,
    "lstm": recurrent(nn.LSTM, num_layers=2),
    "bilstm": recurrent(nn.LSTM, direction="bidirect"),
    "gru": recurrent(nn.GRU),
    "bigru": recurrent(nn.GRU, direction="bidirect", num_layers=2),
    "srnn": recurrent(nn.SimpleRNN),
    "cells": lambda: (Cells(), [spec([None, None, 4], "x")], [f32(2, 3, 4)]),
    "greedy": lambda: (Greedy(), [spec([None, 6], "h")], [f32(2, 6)]),
    "cond_in_loop": lambda: (
        condition_in_loop, [spec([None], "x"), spec([1], "n", "int64")], [np.abs(f32(4)), np.array([6])]
    ),
    "unet": lambda: (Segmenter(), [spec([None, 3, None, None], "x")], [f32(1, 3, 16, 16)]),
    "swin_like": lambda: (Swin(), *_IMAGE),
    "vit": lambda: (VisionTransformer(), *_IMAGE),
    "bert": lambda: (Bert(), [spec([None, None], "ids", "int64")], [np.array([[5, 3, 0, 0], [1, 2, 3, 4]])]),
    "detector": lambda: (
        Detector(), [spec([None, 3, 32, 32], "img"), spec([None, 2], "size", "int32")],
        [f32(1, 3, 32, 32), np.array([[32, 32]], "int32")],
    ),
    "roi": lambda: (
        regions, [spec([1, 2, 8, 8], "x"), spec([3, 4], "b"), spec([1], "n", "int32")],
        [f32(1, 2, 8, 8), _BOXES, np.array([3], "int32")],
    ),
    "dictargs": lambda: (dict_arguments, [{"b": spec([2], "b"), "a": spec([2], "a")}], [{"b": f32(2), "a": f32(2, seed=1)}]),
    "methods": lambda: (Methods(), None, [f32(2, 3)]),
    "half": lambda: (Half(), [spec([None, 3], "x")], [f32(2, 3)]),
    "lists": lambda: (rows, [spec([None, 3], "x")], [f32(4, 3)]),
}  # fmt: skip
