"""Programs of model authors: networks that keep something from call to call"""

import math

import numpy as np
from language_table import NEG, POS, T, network, scenario

import to_static as paddle
from to_static import nn
from to_static.nn import functional as F


def normal(*shape, seed=0):
    return T(np.random.RandomState(seed).standard_normal(shape))


def ints(*values):
    return T(values, "int64")


@scenario("a memory that a layer keeps and forgets")
def memory(to_static):
    class Memory(nn.Layer):
        def __init__(self, size=3):
            super().__init__()
            self.size = size
            self.items = []
            self.register_buffer("count", paddle.zeros([], "int64"))

        def forward(self, x):
            if x.sum() > 0:
                self.items.append(x)
                self.count += 1
                if len(self.items) > self.size:
                    self.items.pop(0)
            return paddle.stack(self.items).mean(0) if self.items else paddle.zeros_like(x)

    net = Memory()
    run = to_static(net)
    results = [run(x) for x in (NEG, POS, POS * 2, NEG, POS * 3, POS * 4)]
    return results, len(net.items), net.count


@network("spectral normalization with a buffer that training changes", normal(2, 3), normal(2, 3, seed=1))
class SpectralLinear(nn.Layer):
    def __init__(self):
        super().__init__()
        self.weight = self.create_parameter([3, 4])
        self.register_buffer("u", paddle.ones([3]))
        self.power_iterations = 2

    def compute(self):
        u = self.u
        with paddle.no_grad():
            for _ in range(self.power_iterations):
                v = F.normalize(self.weight.t() @ u, axis=0)
                u = F.normalize(self.weight @ v, axis=0)
            if self.training:
                self.u.set_value(u)
        sigma = u @ (self.weight @ v)
        return self.weight / sigma

    def forward(self, x):
        return x @ self.compute()


@network("batch normalization written by hand", normal(4, 3), normal(4, 3, seed=1) + 2)
class MyBatchNorm(nn.Layer):
    def __init__(self, d=3, momentum=0.9):
        super().__init__()
        self.gamma = self.create_parameter([d], default_initializer=nn.initializer.Constant(1.0))
        self.beta = self.create_parameter([d], is_bias=True)
        self.register_buffer("mean", paddle.zeros([d]))
        self.register_buffer("var", paddle.ones([d]))
        self.register_buffer("steps", paddle.zeros([], "int64"))
        self.m = momentum

    def forward(self, x):
        if self.training:
            mean, var = x.mean(0), x.var(0, unbiased=False)
            with paddle.no_grad():
                if self.steps == 0:
                    self.mean.set_value(mean)
                    self.var.set_value(var)
                else:
                    self.mean = self.m * self.mean + (1 - self.m) * mean
                    self.var = self.m * self.var + (1 - self.m) * var
                self.steps += 1
        else:
            mean, var = self.mean, self.var
        return (x - mean) / paddle.sqrt(var + 1e-5) * self.gamma + self.beta


@network("a queue of keys and a momentum encoder", normal(2, 3), normal(2, 3, seed=1))
class MoCo(nn.Layer):
    def __init__(self, d=3, K=4):
        super().__init__()
        self.q, self.k = nn.Linear(d, d), nn.Linear(d, d)
        for pq, pk in zip(self.q.parameters(), self.k.parameters()):
            pk.set_value(pq)
            pk.stop_gradient = True
        self.K = K
        self.register_buffer("queue", F.normalize(paddle.ones([K, d]), axis=1))
        self.register_buffer("ptr", paddle.zeros([1], dtype="int64"))

    @paddle.no_grad()
    def enqueue(self, keys):
        ptr = int(self.ptr)
        n = keys.shape[0]
        assert self.K % n == 0, "queue size"
        self.queue[ptr : ptr + n] = keys
        self.ptr[0] = (ptr + n) % self.K

    @paddle.no_grad()
    def momentum(self):
        for pq, pk in zip(self.q.parameters(), self.k.parameters()):
            pk.set_value(pk * 0.9 + pq * 0.1)

    def forward(self, x):
        q = F.normalize(self.q(x), axis=1)
        with paddle.no_grad():
            if self.training:
                self.momentum()
            k = F.normalize(self.k(x + 0.1), axis=1)
        logits = paddle.concat([(q * k).sum(-1, keepdim=True), q @ self.queue.clone().t()], axis=1) / 0.2
        loss = F.cross_entropy(logits, paddle.zeros([x.shape[0]], dtype="int64"))
        if self.training:
            self.enqueue(k.detach())
        return loss


@network("a moving average of the weights", normal(2, 3), normal(2, 3, seed=1))
class EMALayer(nn.Layer):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(3, 2)
        self.register_buffer("count", paddle.zeros([], dtype="int64"))
        for name, p in list(self.net.named_parameters()):
            self.register_buffer("ema_" + name, p.clone().detach())

    def update(self):
        self.count += 1
        decay = 0.99 if self.count > 2 else 0.5
        for name, p in self.net.named_parameters():
            shadow = getattr(self, "ema_" + name)
            shadow.set_value(decay * shadow + (1 - decay) * p.detach())

    def forward(self, x):
        if self.training:
            self.update()
            return self.net(x)
        return F.linear(x, self.ema_weight, self.ema_bias)


@network("stochastic depth", (normal(2, 3), T(0.2)), (normal(2, 3, seed=1), T(0.95)))
class StochasticDepth(nn.Layer):
    def __init__(self, n=3):
        super().__init__()
        self.blocks = nn.LayerList([nn.Linear(3, 3) for _ in range(n)])
        self.rates = [0.3 * (i + 1) for i in range(n)]

    def forward(self, x, coin):
        for rate, block in zip(self.rates, self.blocks):
            if self.training:
                if coin < rate:
                    continue
                x = x + F.tanh(block(x)) / (1 - rate + 1e-3)
            else:
                x = x + F.tanh(block(x))
        return x


@network("a variational autoencoder with a warm-up counter", normal(2, 3), normal(2, 3, seed=1))
class VAE(nn.Layer):
    def __init__(self):
        super().__init__()
        self.enc, self.dec = nn.Linear(3, 4), nn.Linear(2, 3)
        self.beta = 0.5
        self.register_buffer("step", paddle.zeros([]))

    def reparam(self, mu, logvar):
        return mu + paddle.randn(mu.shape) * paddle.exp(0.5 * logvar) if self.training else mu

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, axis=-1)
        logvar = logvar.clip(-5, 5)
        z = self.reparam(mu, logvar)
        rec = F.mse_loss(self.dec(z), x)
        kl = -0.5 * (1 + logvar - mu**2 - logvar.exp()).sum(-1).mean()
        self.step += 1
        warm = paddle.minimum(self.step / 4, paddle.ones([]))
        loss = rec + (self.beta * warm * kl if kl > 0.1 else 0.0)
        return dict(loss=loss, rec=rec.detach(), kl=kl.detach())


@network("a diffusion sampler", (normal(2, 3), T(4, "int64")), (normal(2, 3, seed=1), T(1, "int64")))
class Diffusion(nn.Layer):
    def __init__(self, T_=5):
        super().__init__()
        self.net = nn.Linear(4, 3)
        betas = paddle.linspace(0.05, 0.3, T_)
        self.register_buffer("betas", betas)
        self.register_buffer("acp", paddle.cumprod(1 - betas, dim=0))

    def forward(self, x, steps):
        t = steps
        while t >= 0:
            emb = paddle.ones([x.shape[0], 1]) * (t.astype("float32") / 5)
            eps = self.net(paddle.concat([x, emb], -1))
            a, ab = 1 - self.betas[t], self.acp[t]
            x = (x - (1 - a) / paddle.sqrt(1 - ab) * eps) / paddle.sqrt(a)
            if t > 0:
                x = x + 0.1 * paddle.sqrt(self.betas[t])
            t = t - 1
        return x


@network("a loss scale that grows and shrinks", normal(2, 3), normal(2, 3, seed=1))
class LossScale(nn.Layer):
    """dynamic loss scaling in buffers"""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)
        self.register_buffer("scale", paddle.to_tensor(8.0))
        self.register_buffer("good", paddle.zeros([], dtype="int32"))

    def forward(self, x):
        loss = (self.fc(x) ** 2).mean() * self.scale.clone()
        if not paddle.isfinite(loss) or loss > 10:
            self.scale.set_value(self.scale / 2)
            self.good.set_value(paddle.zeros_like(self.good))
        else:
            self.good += 1
            if self.good >= 2:
                self.scale *= 2.0
                self.good.zero_()
        return loss


@scenario("a schedule in a buffer")
def warmup_cosine_layer(to_static):
    class Sched(nn.Layer):
        def __init__(self, base=0.1, warm=2, total=5):
            super().__init__()
            self.base, self.warm, self.total = base, warm, total
            self.register_buffer("step_", paddle.zeros([], dtype="int64"))
            self.phase = "start"

        def forward(self):
            self.step_ += 1
            s = self.step_.astype("float32")
            if self.step_ <= self.warm:
                return self.base * s / self.warm
            if self.step_ > self.total:
                return paddle.zeros([])
            return self.base * 0.5 * (1 + paddle.cos(math.pi * (s - self.warm) / (self.total - self.warm)))

    s = Sched()
    f = to_static(s)
    return [f() for _ in range(7)], s.step_


@scenario("a curriculum by a step counter")
def curriculum(to_static):
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.easy, self.hard = nn.Linear(2, 1), nn.Linear(2, 1)
            self.register_buffer("step", paddle.to_tensor(0))

        def forward(self, x):
            if self.training:
                self.step.set_value(self.step + 1)
            if self.step < 2:
                return self.easy(x)
            mix = min(1.0, float(self.step - 1) / 4)
            return (1 - mix) * self.easy(x) + mix * self.hard(x)

    paddle.seed(0)
    n = Net()
    f = to_static(n)
    opt = paddle.optimizer.AdamW(0.1, parameters=n.parameters())
    outs = []
    for i in range(4):
        loss = (f(normal(2, 2, seed=i)) ** 2).mean()
        loss.backward()
        opt.step()
        opt.clear_grad()
        outs.append(loss)
    n.eval()
    return outs, f(normal(2, 2)), n.step, list(n.parameters())


@scenario("self-training with flags and thresholds set from outside")
def self_training(to_static):
    class Student(nn.Layer):
        def __init__(self):
            super().__init__()
            self.fc, self.threshold, self.warm = nn.Linear(2, 3), 0.5, True

        def forward(self, x, teacher=None):
            logits = self.fc(x)
            if teacher is None or self.warm:
                return logits.mean()
            with paddle.no_grad():
                probs = F.softmax(teacher(x), -1)
                conf, label = probs.max(-1), probs.argmax(-1)
                mask = conf > self.threshold
            if not mask.any():
                return logits.sum() * 0.0
            ce = F.cross_entropy(logits, label, reduction="none").squeeze()
            return (ce * mask.astype("float32")).sum() / mask.astype("float32").sum()

    paddle.seed(0)
    s, t = Student(), nn.Linear(2, 3)
    f = to_static(s)
    out = [f(normal(3, 2))]
    s.warm = False
    for th in (0.5, 0.99, 0.3):
        s.threshold = th
        loss = f(normal(3, 2, seed=int(th * 10)), t)
        loss.backward()
        out.append(loss)
        out.append(s.fc.weight.grad)
    return out, t.weight.grad
