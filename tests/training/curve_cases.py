"""Five trainings with equal weights and batches, for this package and for Paddle: name -> function that makes one."""

import zlib

import numpy as np

STEPS = 100


class Case:
    """``net``: a Layer; ``loss``: function of it and a batch; ``batches``: lists of arrays; ``rate``: a schedule or None."""

    def __init__(self, net, loss, opt, batches, rate=None):
        self.net, self.loss, self.opt, self.batches, self.rate = net, loss, opt, batches, rate


def weighted(net):
    """Give every parameter numbers that its name decides."""
    for name, value in sorted(net.state_dict().items()):
        if name.endswith(("_mean", "_variance")):
            continue
        random = np.random.RandomState(zlib.crc32(name.encode()) % 2**31)
        if len(value.shape) == 1:
            values = 0.02 * random.randn(*value.shape) + (1.0 if "norm" in name or name.endswith("bn.weight") else 0.0)
        else:
            fan = np.prod(value.shape) / value.shape[0 if len(value.shape) > 2 else -1]
            values = random.randn(*value.shape) / np.sqrt(fan)
        value.set_value(values.astype("float32"))
    return net


def images(count, size, channels, classes, batch):
    random = np.random.RandomState(0)
    marks = random.randn(classes, channels, size, size)
    made = []
    for _ in range(count):
        y = random.randint(0, classes, batch)
        x = 0.5 * marks[y] + random.randn(batch, channels, size, size)
        made.append([x.astype("float32"), y.astype("int64")])
    return made


def lenet(p):
    nn = p.nn
    net = weighted(nn.Sequential(
        nn.Conv2D(1, 6, 3, padding=1), nn.ReLU(), nn.MaxPool2D(2, 2), nn.Conv2D(6, 16, 5), nn.ReLU(), nn.MaxPool2D(2, 2),
        nn.Flatten(), nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10),
    ))  # fmt: skip
    opt = p.optimizer.Momentum(0.01, 0.9, net.parameters(), weight_decay=1e-4)
    return Case(net, lambda net, x, y: p.nn.functional.cross_entropy(net(x), y), opt, images(8, 28, 1, 10, 16))


def resnet(p):
    nn, F = p.nn, p.nn.functional

    class Conv(nn.Layer):
        def __init__(self, n, m, size, stride):
            super().__init__()
            self.conv = nn.Conv2D(n, m, size, stride, size // 2, bias_attr=False)
            self.bn = nn.BatchNorm2D(m)

        def forward(self, x):
            return self.bn(self.conv(x))

    class Block(nn.Layer):
        def __init__(self, n, m, stride):
            super().__init__()
            self.a, self.b = Conv(n, m, 3, stride), Conv(m, m, 3, 1)
            self.short = Conv(n, m, 1, stride) if stride > 1 else None

        def forward(self, x):
            y = self.b(F.silu(self.a(x)))
            return F.silu(y + (x if self.short is None else self.short(x)))

    blocks = [Conv(3, 16, 3, 1), nn.Silu()]  # with ReLU, rounding that crosses its kink changes gradients by a percent
    for i, width in enumerate((16, 32, 64, 128)):
        blocks += [Block(16 if i == 0 else width // 2, width, 1 if i == 0 else 2), Block(width, width, 1)]
    net = weighted(nn.Sequential(*blocks, nn.AdaptiveAvgPool2D(1), nn.Flatten(), nn.Linear(128, 10)))
    rate = p.optimizer.lr.CosineAnnealingDecay(1e-3, STEPS)
    opt = p.optimizer.AdamW(rate, parameters=net.parameters(), weight_decay=0.05, epsilon=1e-4)
    return Case(net, lambda net, x, y: F.cross_entropy(net(x), y), opt, images(4, 16, 3, 10, 8), rate)


def tagger(p):
    nn, F = p.nn, p.nn.functional

    class Tagger(nn.Layer):
        def __init__(self):
            super().__init__()
            self.words = nn.Embedding(40, 12)
            self.lstm = nn.LSTM(12, 10, 2, direction="bidirect")
            self.tags = nn.Linear(20, 5)

        def forward(self, x, lengths):
            return self.tags(self.lstm(self.words(x), None, lengths)[0])

    def loss(net, x, lengths, y):
        each = F.cross_entropy(net(x, lengths), y, reduction="none").squeeze(-1)
        mask = (p.arange(x.shape[1]).unsqueeze(0) < lengths.unsqueeze(1)).astype("float32")
        return (each * mask).sum() / mask.sum()

    net = weighted(Tagger())
    random = np.random.RandomState(0)
    batches = []
    for _ in range(4):
        x = random.randint(0, 40, (6, 9))
        batches.append([x, random.randint(3, 10, 6), (x % 5 + np.roll(x, 1, 1) % 2)[..., None] % 5])
    opt = p.optimizer.Adam(5e-3, parameters=net.parameters(), grad_clip=nn.ClipGradByGlobalNorm(1.0), epsilon=1e-6)
    return Case(net, loss, opt, batches)


def transformer(p):
    nn, F = p.nn, p.nn.functional

    class Classifier(nn.Layer):
        def __init__(self):
            super().__init__()
            self.words = nn.Embedding(30, 16)
            layer = nn.TransformerEncoderLayer(16, 4, 32, dropout=0.0, activation="gelu", normalize_before=True)
            self.encoder = nn.TransformerEncoder(layer, 2, nn.LayerNorm(16))
            self.head = nn.Linear(16, 3)

        def forward(self, x):
            return self.head(self.encoder(self.words(x)).mean(1))

    net = weighted(Classifier())
    random = np.random.RandomState(0)
    batches = []
    for _ in range(20):
        x = random.randint(0, 30, (8, 7))
        batches.append([x, np.clip((x > 14).sum(1) - 2, 0, 2)])
    opt = p.optimizer.Lamb(5e-3, parameters=net.parameters(), exclude_from_weight_decay_fn=lambda w: len(w.shape) == 1)
    return Case(net, lambda net, x, y: F.cross_entropy(net(x), y), opt, batches)


def early_exit(p):
    nn, F = p.nn, p.nn.functional

    class Recurrent(nn.Layer):
        def __init__(self):
            super().__init__()
            self.cell = nn.GRUCell(4, 8)
            self.head = nn.Linear(8, 1)

        def forward(self, x, limit):
            h = p.zeros([x.shape[0], 8])
            y = self.head(h)
            i = p.zeros([], "int64")
            while i < limit:
                h, _ = self.cell(x[:, i], h)
                y = y + self.head(h)
                i = i + 1
                if (h * h).mean() > 0.06:
                    break
            return y / i.astype("float32")

    net = weighted(Recurrent())
    random = np.random.RandomState(0)
    batches = []
    for k in range(6):
        x = random.randn(5, 8, 4).astype("float32")
        batches.append([x, np.asarray(4 + k % 4), x.sum((1, 2))[:, None] * 0.1])
    opt = p.optimizer.RMSProp(5e-3, parameters=net.parameters(), momentum=0.5, epsilon=1e-4)
    return Case(net, lambda net, x, n, y: F.mse_loss(net(x, n), y), opt, batches)


CASES = {"lenet": lenet, "resnet": resnet, "tagger": tagger, "transformer": transformer, "early_exit": early_exit}
MODES = ("dynamic", "forward", "step")


def curve(p, name, mode="dynamic", steps=STEPS):
    """The losses of the first steps. ``mode``: all in Python, the network static, or each whole step static."""
    case = CASES[name](p)
    net, loss, opt, rate = case.net, case.loss, case.opt, case.rate
    if mode == "forward":
        net = p.jit.to_static(net, full_graph=True)

    def step(*batch):
        found = loss(net, *batch)
        found.backward()
        opt.step()
        opt.clear_grad()
        return found

    if mode == "step":
        step = p.jit.to_static(step, full_graph=True)
    net.train()
    losses = []
    batches = [[p.to_tensor(a) for a in batch] for batch in case.batches]
    for i in range(steps):
        losses.append(float(step(*batches[i % len(batches)])))
        if rate is not None:
            rate.step()
    return losses
