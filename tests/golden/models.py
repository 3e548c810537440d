"""The models that real Paddle and to_static exchange: one source for both libraries.

The environment variable GOLDEN_LIBRARY names the library to import: 'paddle' (default) or 'to_static'.
"""

import importlib
import os

import numpy as np

paddle = importlib.import_module(os.environ.get("GOLDEN_LIBRARY", "paddle"))
nn, F, InputSpec = paddle.nn, paddle.nn.functional, paddle.static.InputSpec


def f32(*shape, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype("float32")


def spec(shape, dtype="float32", name=None):
    return InputSpec(shape, dtype, name)


class MLP(nn.Layer):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(6, 5)
        self.out = nn.Linear(5, 3)

    def forward(self, x):
        return F.softmax(self.out(F.relu(self.hidden(x))))


class LeNet(nn.Layer):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2D(1, 3, 3, padding=1), nn.ReLU(), nn.MaxPool2D(2, 2),
            nn.Conv2D(3, 4, 5), nn.ReLU(), nn.AvgPool2D(2, 2),
        )  # fmt: skip
        self.fc = nn.Sequential(nn.Linear(16, 8), nn.Linear(8, 4))

    def forward(self, x):
        return self.fc(paddle.flatten(self.features(x), 1))


class BatchNormNet(nn.Layer):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2D(2, 3, 3, bias_attr=False)
        self.bn = nn.BatchNorm2D(3)
        self.fc = nn.Linear(3, 4)
        self.bn1 = nn.BatchNorm1D(4)

    def forward(self, x):
        x = F.relu(self.bn(self.conv(x)))
        return self.bn1(self.fc(F.adaptive_avg_pool2d(x, 1).flatten(1)))


class EmbeddingClassifier(nn.Layer):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(11, 4, padding_idx=0)
        self.norm = nn.LayerNorm(4)
        self.drop = nn.Dropout(0.5)
        self.fc = nn.Linear(4, 2)

    def forward(self, ids):
        mask = (ids != 0).astype("float32").unsqueeze(-1)
        x = (self.embedding(ids) * mask).sum(1) / mask.sum(1)
        return self.fc(self.drop(F.gelu(self.norm(x))))


class DropoutNet(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(self.fc(x))


class Counter(nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", paddle.zeros([1]))

    def forward(self, x):
        self.count = self.count + 1
        return x * self.count


class LoopNet(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        steps = paddle.zeros([1], "int64")
        while x.abs().sum() > 1.0:
            if steps % 2 == 0:
                x = F.tanh(self.fc(x)) * 0.5
            else:
                x = x * 0.25
            steps += 1
        return x, steps


def fn_if(x):
    if x.mean() > 0:
        y = x + 1
    else:
        y = x * 2
    return y


def fn_elif(x):
    y = x * 1
    if x.mean() > 0.5:
        y = y - 1
        z = y * y
    elif x.mean() > 0:
        y = y + 1
        z = y * 2
    else:
        z = y - 3
    return y, z


def fn_while(x):
    n = paddle.zeros([1])
    while x.sum() < 10:
        x = x * 2
        n = n + 1
    return x, n


def fn_for_break(x):
    s = paddle.zeros([1])
    for i in range(x.shape[0]):
        s = s + x[i]
        if s > 1.0:
            break
    return s


def fn_for_range(x, n):
    s = x * 0
    for i in range(n):
        if i == 1:
            continue
        s = s + x * i
    return s


def fn_early_return(x):
    if x.sum() > 0:
        return x - 1
    y = x * 3
    return y + 2


def fn_return_in_loop(x):
    for i in range(paddle.full([1], 5, "int64")):
        x = x + 1
        if x.sum() > 6:
            return x * 10
    return x


def fn_nested(x):
    i = paddle.zeros([1], "int64")
    s = paddle.zeros([1])
    while i < 3:
        j = paddle.zeros([1], "int64")
        while j < i:
            s = s + x.sum()
            j += 1
        i += 1
    return s, i


def fn_while_alias(x):
    y = x
    i = paddle.zeros([1], "int64")
    while i < 3:
        y = y + 1
        i += 1
    return x + y, y


def fn_list_append(x):
    out = []
    for i in range(x.shape[0]):
        out.append(x[i] * 2)
    return paddle.stack(out), paddle.concat(out)


def fn_bool_outputs(x):
    return x > 0, x * 2, paddle.cast(x, "int64") == 0


def fn_logic(x, y):
    if x.sum() > 0 and not y.sum() > 0 or x.max() > 5:  # noqa: RUF021
        return x + y
    return x - y


def fn_slices(x):
    return x[1], x[:, 1:3], x[..., -1], x[0, 2], paddle.concat([x, x], 1), paddle.transpose(x, [1, 0]), x.reshape([-1, 2])


MODELS = [
    # name, model, specs, calls, train mode
    ("mlp", MLP, [spec([None, 6], name="image")], [[f32(2, 6)], [f32(5, 6, seed=1)]], False),
    ("lenet", LeNet, [spec([None, 1, 16, 16])], [[f32(2, 1, 16, 16)]], False),
    ("batchnorm", BatchNormNet, [spec([None, 2, 5, 5])], [[f32(3, 2, 5, 5)]], False),
    ("embedding", EmbeddingClassifier, [spec([None, None], "int64")],
     [[np.array([[1, 2, 0], [10, 3, 4]])]], False),
    ("dropout_train", DropoutNet, [spec([None, 4])], [[f32(2, 4)]], True),
    ("counter", Counter, [spec([None])], [[f32(3)]], False),
    ("loopnet", LoopNet, [spec([None, 3])], [[f32(2, 3)], [f32(2, 3) * 9]], False),
    ("fn_if", fn_if, [spec([None])], [[f32(3) + 2], [f32(3) - 2]], False),
    ("fn_elif", fn_elif, [spec([3])], [[f32(3) + 2], [f32(3) * 0 + 0.25], [f32(3) - 2]], False),
    ("fn_while", fn_while, [spec([2, 2])], [[f32(2, 2) + 1.5], [f32(2, 2) + 9]], False),
    ("fn_for_break", fn_for_break, [spec([None])], [[f32(7) * 0 + 0.3], [f32(3) * 0]], False),
    ("fn_for_range", fn_for_range, [spec([None]), spec([1], "int64")],
     [[f32(2), np.array([4])], [f32(2), np.array([0])]], False),
    ("fn_early_return", fn_early_return, [spec([None])], [[f32(3) + 2], [f32(3) - 2]], False),
    ("fn_return_in_loop", fn_return_in_loop, [spec([2])], [[f32(2)], [f32(2) - 9]], False),
    ("fn_nested", fn_nested, [spec([2])], [[f32(2)]], False),
    ("fn_while_alias", fn_while_alias, [spec([2])], [[f32(2)]], False),
    ("fn_list_append", fn_list_append, [spec([None, 2])], [[f32(3, 2)]], False),
    ("fn_bool_outputs", fn_bool_outputs, [spec([None])], [[f32(3) * 2]], False),
    ("fn_logic", fn_logic, [spec([2]), spec([2])], [[f32(2) + 2, f32(2) - 3], [f32(2) - 2, f32(2)]], False),
    ("fn_slices", fn_slices, [spec([None, 4])], [[f32(2, 4)]], False),
]  # fmt: skip


TRAINED = ("mlp", "lenet", "batchnorm", "embedding")


def settle(layer, calls):
    """A few training steps, so that running statistics and weights are not the initial ones."""
    layer.train()
    optimizer = paddle.optimizer.SGD(0.1, parameters=layer.parameters())
    for _ in range(3):
        layer(*[paddle.to_tensor(a) for a in calls[0]]).square().mean().backward()
        optimizer.step()
        optimizer.clear_grad()


def make(entry):
    """The model of an entry of `MODELS`, trained a little where that matters, as a static function or layer."""
    name, model, _, calls, train = entry
    paddle.seed(7)
    if isinstance(model, type):
        model = model()
        if name in TRAINED:
            settle(model, calls)
        model.train() if train else model.eval()
    return paddle.jit.to_static(model, full_graph=True)
