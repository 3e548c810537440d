"""The models that real Paddle and to_static exchange: one source for both libraries.

The environment variable GOLDEN_LIBRARY names the library to import: 'paddle' (default) or 'to_static'.
"""
# ruff: noqa: E501  (tables of calls)

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


def fn_list_pop(x):
    out = []
    for i in range(x.shape[0]):
        out.append(x[i] * 2)
    last = out.pop()
    first = out.pop(0)
    return last, first, paddle.stack(out)


def fn_list_items(x):
    out = []
    for i in range(x.shape[0]):
        out.append(x[i] * 2)
        out.append(x[i] + i)
    return out[0], out[-1], out[2], paddle.concat(out), out[1] + len(out)


def fn_return_nested(x):
    i = 0
    n = paddle.full([], 3, "int64")
    while i < n:
        for j in range(2):
            if x.sum() > 30:
                return x - 1
            x = x + j
        i += 1
    return x


def fn_undefined(x):
    if x.sum() > 0:
        if x.max() > 2:
            z = x + 10
        elif x.max() > 1:
            z = x + 5
        else:
            return x * 0
    else:
        z = -x
    return z * z


def fn_setitem_loop(x):
    t = paddle.zeros([2, 2])
    i = paddle.zeros([1], "int64")
    while i < 2:
        t[i] = x[i] * 2
        i += 1
    return t


def fn_rows(x):
    s = paddle.zeros([2])
    for row in x:
        if row.sum() < 0:
            continue
        s += row
    return s


def fn_swap(x):
    a, b = x, x + 1
    i = paddle.zeros([1], "int32")
    while i < 4:
        a, b = b, a + b
        i += 1
    return a, b


def fn_ternary_loop(x):
    k = paddle.argmax(x.sum(1))
    v = paddle.zeros([2])
    while k < 3:
        v = v + F.relu(x[k]) if k < 2 else v * 2
        k = k + 1
    return v, k


def fn_bool_outputs(x):
    return x > 0, x * 2, paddle.cast(x, "int64") == 0


def fn_logic(x, y):
    if x.sum() > 0 and not y.sum() > 0 or x.max() > 5:  # noqa: RUF021
        return x + y
    return x - y


def fn_slices(x):
    return x[1], x[:, 1:3], x[..., -1], x[0, 2], paddle.concat([x, x], 1), paddle.transpose(x, [1, 0]), x.reshape([-1, 2])


def fn_products(x, y):
    """x and y are [3, 3]."""
    v = x[0]
    return (
        paddle.matmul(x, y, transpose_y=True), paddle.bmm(x.unsqueeze(0), y.unsqueeze(0)), paddle.mv(x, v), paddle.dot(v, y[1]),
        paddle.addmm(x, x, y, beta=0.5, alpha=2.0), paddle.einsum("ij,kj->ik", x, y), paddle.kron(v, v), paddle.outer(v, v),
        paddle.cross(x, y, axis=1), x @ v, paddle.multiply(x, y), paddle.inner(x, y), paddle.t(x), paddle.trace(x),
    )  # fmt: skip


def fn_arithmetic(x, y):
    i = paddle.cast(x * 5, "int64")
    return (
        x - y, 2 / (x + 3), (x + 2) ** 3, (x + 2) ** 0.5, (x + 2) ** (y + 1), i // 2, i % 3, x // 0.3, -x, 1 - x, paddle.abs(x),
        paddle.maximum(x, y), paddle.minimum(x, y), paddle.clip(x, -0.5, 0.5), paddle.exp(x), paddle.log(x + 2), paddle.sqrt(x + 1),
        paddle.rsqrt(x + 2), paddle.square(x), paddle.sin(x), paddle.tanh(x), paddle.floor(x * 3), paddle.round(x * 3), paddle.sign(x),
        paddle.scale(x, 2.0, 1.0, bias_after_scale=False), paddle.lerp(x, y, 0.3), paddle.erf(x), paddle.atan2(x, y), i * 3 + 1,
        paddle.stanh(x), paddle.reciprocal(x + 3), paddle.add_n([x, y, x]), paddle.where(x > y, x, y), (x > 0).astype("int32"),
        paddle.logical_and(x > 0, y > 0).astype("int32"), paddle.isfinite(x).astype("int32"), paddle.floor_divide(i, i * i + 2),
    )  # fmt: skip


def fn_activations(x):
    return (
        F.relu(x), F.relu6(x), F.leaky_relu(x, 0.1), F.elu(x), F.selu(x), F.gelu(x), F.gelu(x, True), F.sigmoid(x), F.softmax(x, 0),
        F.log_softmax(x), F.silu(x), F.swish(x), F.mish(x), F.hardswish(x), F.hardsigmoid(x), F.hardtanh(x), F.softplus(x),
        F.softsign(x), F.tanhshrink(x), F.log_sigmoid(x), F.celu(x), F.softshrink(x, 0.2), F.hardshrink(x, 0.3),
        F.thresholded_relu(x, 0.2), F.glu(x), F.normalize(x), F.maxout(x.reshape([1, 4, 3, 1]), 2), F.dropout(x, 0.5, training=False),
    )  # fmt: skip


def fn_reductions(x):
    """x is [?, 3, 4]."""
    return (
        x.sum(), x.sum(1), x.sum([0, 2], keepdim=True), x.mean(-1), x.max(0), x.min([1, 2]), x.prod(2), paddle.std(x), paddle.var(x, 1),
        paddle.argmax(x, 1), paddle.argmin(x, -1, keepdim=True), paddle.argmax(x), paddle.logsumexp(x, 2), paddle.cumsum(x, 1),
        paddle.cumprod(x, 1), paddle.norm(x), paddle.norm(x, axis=1), paddle.norm(x, p=1, axis=2), *paddle.topk(x, 2), paddle.sort(x, 1),
        paddle.argsort(x, -1, True), paddle.any(x > 0.9, 1).astype("int32"), paddle.all(x > -2).astype("int32"), paddle.median(x, 1),
        paddle.numel(x), paddle.shape(x), paddle.amax(x, 1), paddle.nansum(x), paddle.count_nonzero(x),
    )  # fmt: skip


def fn_shapes(x):
    """x is [?, 3, 4]."""
    a, b = paddle.split(x, 2, axis=2)
    c, d = paddle.split(x, [1, 2], axis=1)
    return (
        a + b, c + d, *paddle.unbind(x, 1), *paddle.chunk(x, 2, axis=-1), paddle.stack([x, x], 1), paddle.concat([x, x + 1], -1),
        x.reshape([-1, 6]), x.reshape([0, -1]), x.flatten(), x.flatten(1), x.transpose([2, 0, 1]), x.unsqueeze([0, 2]).squeeze(2),
        paddle.tile(x, [1, 2, 1]), paddle.expand(x[:, :1], [-1, 5, 4]), paddle.flip(x, [1]), paddle.roll(x, 1, 2), paddle.rot90(x, 1, [1, 2]),
        paddle.tril(x), paddle.triu(x, 1), paddle.zeros_like(x), paddle.ones_like(x, "int64"), paddle.full_like(x, 2.5), paddle.arange(5),
        paddle.full([2, 3], 1.5), paddle.eye(3), paddle.linspace(0, 1, 5), paddle.broadcast_to(x[0, 0], [2, 4]), paddle.moveaxis(x, 0, 2),
        paddle.diag(x[0, 0]), paddle.meshgrid(x[0, 0], x[0, :, 0])[0], F.pad(x, [1, 2], data_format="NCL"), F.pad(x.unsqueeze(1), [1, 0, 0, 2], value=0.5),
        paddle.repeat_interleave(x, 2, 1), paddle.assign(x), x.astype("float64"), paddle.squeeze(x[:, :1]), paddle.expand_as(x[:, :1], x),
    )  # fmt: skip


def fn_indices(x, i):
    """x is [4, 5], i holds two row numbers."""
    y = x.clone()
    y[1] = 0.0
    y[:, 2:4] = x[:, 0:2]
    y[0, 1] = 7.0
    return (
        y, x[i], x[i, i], x[1:3, ::2], x[::-1], x[:, ::-2], x[-1], x[x > 0], paddle.gather(x, i), paddle.gather(x, i, 1),
        paddle.gather_nd(x, i.unsqueeze(1)), paddle.index_select(x, i, 1), paddle.scatter(x, i, x[:2] * 2),
        paddle.take_along_axis(x, paddle.argsort(x, 1), 1), paddle.nonzero(x > 0.5), F.one_hot(i, 6), paddle.index_sample(x, paddle.argsort(x, 1)[:, :2]),
        paddle.masked_select(x, x > 0), paddle.where(x > 0)[0], x[i[0]], x[:, i[0]], paddle.unique(i), paddle.put_along_axis(x, i[:1].unsqueeze(0), x[:1, :1], 0),
        paddle.searchsorted(paddle.sort(x[0]), x[1]), paddle.index_add(x, i, 0, x[:2]), paddle.multiplex([x[:2], x[2:]], (i.unsqueeze(1) % 2).astype("int32")),
    )  # fmt: skip


def fn_losses(x, y):
    """x is [4, 3], y four classes."""
    t = F.one_hot(y, 3)
    p = F.sigmoid(x)
    return (
        F.cross_entropy(x, y), F.cross_entropy(x, t, soft_label=True), F.cross_entropy(x, y, reduction="none"), F.mse_loss(x, t),
        F.l1_loss(x, t), F.smooth_l1_loss(x, t), F.nll_loss(F.log_softmax(x), y), F.binary_cross_entropy(p, t),
        F.binary_cross_entropy_with_logits(x, t), F.kl_div(F.log_softmax(x), F.softmax(t)), F.label_smooth(t), F.cosine_similarity(x, t),
        F.softmax_with_cross_entropy(x, y.unsqueeze(1)), F.log_loss(p[:, :1], t[:, :1]), F.square_error_cost(x, t), F.margin_ranking_loss(x, t, t),
    )  # fmt: skip


def fn_sampling(x, theta):
    """x is [2, 4, 4, 6], theta [2, 2, 3]."""
    grid = F.affine_grid(theta, [2, 4, 3, 5])
    pooled, mask = F.max_pool2d(x, 2, return_mask=True)
    return (
        F.grid_sample(x, grid), F.grid_sample(x, grid, "nearest", "border", False), F.max_unpool2d(pooled, mask, 2),
        F.affine_grid(theta, [2, 4, 3, 5], align_corners=False), F.temporal_shift(x, 2, 0.4),
    )  # fmt: skip


class Vision(nn.Layer):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2D(3, 8, 3, stride=2, padding="SAME", bias_attr=False)
        self.bn = nn.BatchNorm2D(8)
        self.depthwise = nn.Conv2D(8, 8, 3, padding=[1, 2], groups=8, dilation=[1, 2])
        self.gn = nn.GroupNorm(2, 8)
        self.up = nn.Conv2DTranspose(8, 4, 2, stride=2)
        self.norm = nn.InstanceNorm2D(4)
        self.act = nn.PReLU(4)
        self.pool = nn.MaxPool2D(3, 2, 1, ceil_mode=True)

    def forward(self, x):
        x = F.hardswish(self.bn(self.stem(x)))
        x = F.relu6(self.gn(self.depthwise(x)))
        y = self.act(self.norm(self.up(x)))
        big = F.interpolate(y, scale_factor=2, mode="nearest")
        small = F.interpolate(y, size=[5, 7], mode="bilinear", align_corners=False)
        return (
            self.pool(y), F.adaptive_avg_pool2d(y, [2, 3]), F.adaptive_max_pool2d(y, 2), F.avg_pool2d(big, 3, 2, 1, exclusive=False), small,
            F.pixel_shuffle(y, 2), F.unfold(small, 3), y.mean([2, 3]),
        )  # fmt: skip


TABLE = paddle.to_tensor(f32(30, 4))


class Constants(nn.Layer):
    """Tensors that are no parameters: a global, an attribute, literals, a buffer that is not saved."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.shift = paddle.to_tensor(f32(4, seed=2))
        self.register_buffer("mask", paddle.to_tensor(f32(4, seed=3)), persistable=False)

    def forward(self, x):
        return paddle.matmul(self.fc(x), TABLE, transpose_y=True) + 1.5, x * self.shift - self.mask


def fn_table(x):
    return paddle.matmul(x, TABLE, transpose_y=True)


class Attention(nn.Layer):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, 8)
        self.encoder = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1)
        self.norm = nn.LayerNorm(8)

    def forward(self, ids):
        mask = (ids == 0).astype("float32").unsqueeze([1, 2]) * -1e4
        return self.norm(self.encoder(self.embedding(ids), mask)).mean(1)


class Recurrent(nn.Layer):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 4, num_layers=2, direction="bidirect", dropout=0.3)
        self.gru = nn.GRU(8, 5)
        self.simple = nn.SimpleRNN(5, 2)

    def forward(self, x, lengths):
        x, (h, c) = self.lstm(x, sequence_length=lengths)
        x, g = self.gru(x, sequence_length=lengths)
        y, s = self.simple(x)
        return y, h, c, g, s


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
    ("fn_list_pop", fn_list_pop, [spec([None, 2])], [[f32(4, 2)]], False),
    ("fn_list_items", fn_list_items, [spec([None, 2])], [[f32(3, 2)]], False),
    ("fn_return_nested", fn_return_nested, [spec([None, 2])], [[f32(3, 2) + 2], [f32(3, 2) * 9]], False),
    ("fn_undefined", fn_undefined, [spec([None, 2])], [[f32(3, 2) * 3], [f32(3, 2) - 2], [f32(3, 2) * 0 + 0.5]], False),
    ("fn_setitem_loop", fn_setitem_loop, [spec([2, 2])], [[f32(2, 2)]], False),
    ("fn_rows", fn_rows, [spec([3, 2])], [[f32(3, 2)]], False),
    ("fn_swap", fn_swap, [spec([None, 2])], [[f32(1, 2)]], False),
    ("fn_ternary_loop", fn_ternary_loop, [spec([3, 2])], [[f32(3, 2)], [-f32(3, 2)]], False),
    ("fn_bool_outputs", fn_bool_outputs, [spec([None])], [[f32(3) * 2]], False),
    ("fn_logic", fn_logic, [spec([2]), spec([2])], [[f32(2) + 2, f32(2) - 3], [f32(2) - 2, f32(2)]], False),
    ("fn_slices", fn_slices, [spec([None, 4])], [[f32(2, 4)]], False),
    ("fn_products", fn_products, [spec([3, 3]), spec([3, 3])], [[f32(3, 3), f32(3, 3, seed=1)]], False),
    ("fn_arithmetic", fn_arithmetic, [spec([None, 3]), spec([None, 3])], [[f32(2, 3), f32(2, 3, seed=1)]], False),
    ("fn_activations", fn_activations, [spec([3, 4])], [[f32(3, 4) * 3]], False),
    ("fn_reductions", fn_reductions, [spec([None, 3, 4])], [[f32(2, 3, 4)]], False),
    ("fn_shapes", fn_shapes, [spec([None, 3, 4])], [[f32(2, 3, 4)]], False),
    ("fn_indices", fn_indices, [spec([4, 5]), spec([2], "int64")], [[f32(4, 5), np.array([2, 0])]], False),
    ("fn_losses", fn_losses, [spec([4, 3]), spec([4], "int64")], [[f32(4, 3), np.array([0, 2, 1, 1])]], False),
    ("fn_sampling", fn_sampling, [spec([2, 4, 4, 6]), spec([2, 2, 3])], [[f32(2, 4, 4, 6), f32(2, 2, 3)]], False),
    ("vision", Vision, [spec([None, 3, 12, 12])], [[f32(2, 3, 12, 12)]], False),
    ("constants", Constants, [spec([None, 4])], [[f32(2, 4)]], False),
    ("recurrent", Recurrent, [spec([None, None, 3]), spec([None], "int64")], [[f32(2, 5, 3), np.array([5, 3])]], False),
    ("attention", Attention, [spec([None, None], "int64")], [[np.array([[1, 2, 0], [5, 19, 3]])]], False),
]  # fmt: skip

OURS_ONLY = [  # Paddle can't save these itself
    ("fn_table", fn_table, [spec([None, 4])], [[f32(2, 4)]], False),
]


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
