"""Programs of model authors: training"""

import math

import numpy as np
from language_table import NEG, POS, T, case, scenario

import to_static as paddle
from to_static import nn
from to_static.nn import functional as F


def normal(*shape, seed=0):
    return T(np.random.RandomState(seed).standard_normal(shape))


def ints(*values):
    return T(values, "int64")


@case("gradient clipping by norm, written by hand", ([POS, NEG * 3],), ([POS * 0.1],))
def clip_by_norm(grads, limit=2.0):
    total = math.sqrt(0)
    for g in grads:
        total = total + (g**2).sum()
    norm = total**0.5
    if norm > limit:
        grads = [g * (limit / norm) for g in grads]
    return grads, norm


@case("a learning rate schedule on a tensor step", (T(0, "int64"),), (T(5, "int64"),), (T(15, "int64"),), (T(99, "int64"),))
def schedule(step, warm=10, total=50, base=0.1):
    if step < warm:
        return base * (step + 1) / warm
    elif step < total:
        progress = (step - warm) / (total - warm)
        return base * 0.5 * (1 + paddle.cos(progress * math.pi))
    return paddle.to_tensor(0.0)


@scenario("a training step with gradient accumulation and a skipped bad loss")
def training_step(to_static):
    paddle.seed(1)
    net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
    optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())

    @to_static
    def loss_of(x, y):
        error = net(x).squeeze(-1) - y
        loss = (error**2).mean()
        if paddle.isnan(loss):
            return paddle.zeros([]), False
        if loss > 10:
            loss = 10 + paddle.log(loss - 9)
        return loss, True

    losses = []
    for i in range(4):
        x = normal(5, 3, seed=i)
        y = x.sum(-1) * (float("nan") if i == 2 else 4.0 * i + 1)
        loss, good = loss_of(x, y)
        if good:
            (loss / 2).backward()
        if i % 2:
            optimizer.step()
            optimizer.clear_grad()
        losses.append(loss)
    return losses, [p for p in net.parameters()]


@scenario("a generator and a discriminator that take turns")
def adversaries(to_static):
    paddle.seed(3)
    maker, judge = nn.Linear(2, 2), nn.Linear(2, 1)
    steps = {
        "maker": paddle.optimizer.Adam(0.01, parameters=maker.parameters()),
        "judge": paddle.optimizer.Adam(0.01, parameters=judge.parameters()),
    }

    @to_static
    def losses(noise, real):
        fake = maker(noise)
        good, bad = judge(real), judge(fake.detach())
        judged = F.binary_cross_entropy_with_logits(good, paddle.ones_like(good)) + F.binary_cross_entropy_with_logits(
            bad, paddle.zeros_like(bad)
        )
        made = judge(fake)
        fooled = F.binary_cross_entropy_with_logits(made, paddle.ones_like(made))
        return {"judge": judged, "maker": fooled} if judged > fooled * 0.5 else {"judge": judged * 0, "maker": fooled}

    seen = []
    for i in range(3):
        found = losses(normal(4, 2, seed=i), normal(4, 2, seed=i + 10) + 2)
        for name, loss in found.items():
            steps[name].clear_grad()
            loss.backward()
            steps[name].step()
            seen.append(loss)
    return seen, [*maker.parameters(), *judge.parameters()]


@case("early stopping over a list of losses", (T([3.0, 2.0, 2.5, 2.6, 2.7, 1.0]),), (T([1.0]),), (T([3.0, 2.0, 1.0]),))
def early_stopping(losses, patience=2):
    best, best_epoch, waited = float("inf"), -1, 0
    log = []
    for epoch, loss in enumerate(losses):
        if loss < best:
            best, best_epoch, waited = loss, epoch, 0
            log.append((epoch, "better"))
        else:
            waited += 1
            if waited >= patience:
                print("stop at", epoch)
                break
    else:
        print("ran through")
    return best, best_epoch, len(log)


@case(
    "advantages of a trajectory, from the end",
    (T([1.0, 0.0, 2.0]), T([0.5, 0.4, 0.3, 0.2]), T([0, 0, 1], "bool")),
    (T([1.0, 0.0, 2.0]), T([0.5, 0.4, 0.3, 0.2]), T([0, 1, 0], "bool")),
    (T([1.0]), T([0.5, 0.4]), T([1], "bool")),
)
def gae(rewards, values, dones, gamma=0.9, lam=0.8):
    adv, out = 0.0, []
    for t in reversed(range(len(rewards))):
        nonterminal = 0.0 if dones[t] else 1.0
        delta = rewards[t] + gamma * values[t + 1] * nonterminal - values[t]
        adv = delta + gamma * lam * nonterminal * adv
        out.insert(0, adv)
    out = paddle.stack(out)
    return out, out + values[:-1], (out - out.mean()) / (out.std() + 1e-8) if len(out) > 1 else out


@case(
    "the loss of PPO, with an early stop",
    (normal(4, 3), ints(0, 1, 2, 0), normal(4, seed=2), normal(4, seed=3)),
    (normal(4, 3) * 3, ints(0, 1, 2, 0), normal(4, seed=2), normal(4, seed=3) * 0.1),
)
def ppo_loss(logits, actions, old_logp, adv, clip=0.2, target_kl=0.5):
    logp = F.log_softmax(logits, -1)
    lp = paddle.take_along_axis(logp, actions.unsqueeze(-1), axis=-1).squeeze(-1)
    ratio = paddle.exp(lp - old_logp)
    surr = paddle.minimum(ratio * adv, ratio.clip(1 - clip, 1 + clip) * adv)
    entropy = -(logp.exp() * logp).sum(-1).mean()
    kl = (old_logp - lp).mean()
    loss = -surr.mean() - 0.01 * entropy
    if kl > target_kl:
        return loss * 0, {"kl": kl, "stopped": True}
    return loss, {"kl": kl, "stopped": False}


class Replay:
    def __init__(self, capacity):
        self.capacity, self.items, self.pos = capacity, [], 0

    def push(self, *item):
        if len(self.items) < self.capacity:
            self.items.append(None)
        self.items[self.pos] = item
        self.pos = (self.pos + 1) % self.capacity

    def __len__(self):
        return len(self.items)

    def sample(self, k):
        return list(zip(*self.items[-k:]))


@case("a replay buffer object", T([1.0, -1.0, 2.0]), T([-1.0, -2.0, -3.0]))
def replay_buffer(x):
    buf = Replay(2)
    for i in range(3):
        v = x[i]
        action = 1 if v > 0 else 0
        buf.push(v, action, v * 2)
    s, a, r = buf.sample(2)
    return paddle.stack(s), list(a), paddle.stack(r), len(buf), buf.pos


@case("a bandit in tensors", (T([0.2, 0.5, 0.1]), T([0.3, 0.05, 0.9, 0.4])), (T([0.2, 0.5, 0.1]), T([0.0, 0.0, 0.0, 0.0])))
def bandit_tensor(means, coins, eps=0.2):
    counts, values = paddle.zeros([3]), paddle.zeros([3])
    history = []
    for c in coins:
        arm = paddle.argmin(counts) if c < eps else paddle.argmax(values)
        counts[arm] += 1
        values[arm] += (means[arm] - values[arm]) / counts[arm]
        history.append(arm)
    return counts, values, history


@scenario("a trainer class with patience")
def training_loop_class(to_static):
    class Trainer:
        def __init__(self, net, lr):
            self.net, self.opt = net, paddle.optimizer.Momentum(lr, parameters=net.parameters())
            self.best, self.bad, self.history = float("inf"), 0, []

        @to_static
        def loss(self, x, y):
            pred = self.net(x)
            err = (pred - y).abs()
            return paddle.where(err < 1, 0.5 * err**2, err - 0.5).mean()

        def fit(self, data, patience=2):
            for epoch in range(4):
                total = 0.0
                for x, y in data:
                    loss = self.loss(x, y)
                    loss.backward()
                    self.opt.step()
                    self.opt.clear_grad()
                    total += float(loss)
                self.history.append(round(total, 4))
                if total < self.best:
                    self.best, self.bad = total, 0
                else:
                    self.bad += 1
                    if self.bad >= patience:
                        break
            return self

    paddle.seed(0)
    t = Trainer(nn.Linear(3, 1), 0.1).fit([(normal(4, 3, seed=i), normal(4, 1, seed=i + 5)) for i in range(2)])
    return t.history, t.best, list(t.net.parameters())


class Meter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.sum, self.count, self.best = 0.0, 0, None

    def update(self, v, n=1):
        self.sum += float(v) * n
        self.count += n
        if self.best is None or v > self.best:
            self.best = v
        return self

    @property
    def avg(self):
        return self.sum / max(self.count, 1)


@case("a meter that keeps a sum, a count and the best", T([1.0, 5.0, 2.0]), T([-1.0, -2.0, -0.5]))
def meter_object(x):
    m = Meter()
    for i in range(len(x)):
        if x[i] > -1.5:
            m.update(x[i], n=i + 1)
    return m.avg, m.count, m.best


@scenario("a GAN with a gradient penalty")
def gan_penalty(to_static):
    paddle.seed(1)
    D = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
    G = nn.Linear(2, 2)
    od, og = paddle.optimizer.SGD(0.1, parameters=D.parameters()), paddle.optimizer.SGD(0.1, parameters=G.parameters())

    @to_static
    def d_loss(real, z):
        fake = G(z).detach()
        mid = 0.3 * real + 0.7 * fake
        mid.stop_gradient = False
        (g,) = paddle.grad(D(mid).sum(), [mid], create_graph=True)
        n = (g**2).sum(-1).sqrt()
        gp = ((n - 1) ** 2).mean()
        w = D(fake).mean() - D(real).mean()
        return w + 10 * gp if gp > 0.01 else w

    @to_static
    def g_loss(z):
        return -D(G(z)).mean()

    out = []
    for i in range(3):
        loss = d_loss(normal(3, 2, seed=i), normal(3, 2, seed=i + 9))
        loss.backward()
        od.step()
        od.clear_grad()
        out.append(loss)
        loss = g_loss(normal(3, 2, seed=i + 20))
        loss.backward()
        og.step()
        og.clear_grad()
        od.clear_grad()
        out.append(loss)
    return out, list(D.parameters()), list(G.parameters())


@scenario("inner steps with gradients of gradients")
def maml_inner(to_static):
    paddle.seed(0)
    w0 = paddle.to_tensor([0.5, -0.5], stop_gradient=False)

    @to_static
    def adapted_loss(w, x, y, steps=2, lr=0.1):
        fast = w
        for _ in range(steps):
            loss = ((x @ fast - y) ** 2).mean()
            g = paddle.grad(loss, [fast], create_graph=True)[0]
            if g.norm() > 1.0:
                g = g / g.norm()
            fast = fast - lr * g
        return ((x @ fast - y) ** 2).mean(), fast

    x, y = normal(3, 2), normal(3, seed=1)
    loss, fast = adapted_loss(w0, x, y)
    loss.backward()
    return loss, fast, w0.grad


@case("the gradient of an input, halved until it is small", (POS,), (NEG,), (T([0.0, 0.0]),))
def input_gradient(x):
    x = x.detach()
    x.stop_gradient = False
    y = (x**3).sum() if x.sum() > 0 else (x**2).sum()
    g = paddle.grad([y], [x])[0]
    while g.abs().max() > 1:
        g = g / 2
    return g


@scenario("an adversarial attack that stops")
def fgsm_pgd(to_static):
    paddle.seed(2)
    model = nn.Linear(2, 2)

    @to_static
    def attack(x, label, eps=0.3, steps=3):
        adv = x.clone()
        for _ in range(steps):
            adv = adv.detach()
            adv.stop_gradient = False
            loss = F.cross_entropy(model(adv), label)
            g = paddle.grad(loss, adv)[0]
            adv = adv + 0.1 * paddle.sign(g)
            adv = paddle.clip(adv - x, -eps, eps) + x
            if (model(adv).argmax(-1) != label).all():
                break
        return adv.detach()

    return [attack(normal(2, 2, seed=i), ints(0, 1)) for i in range(3)]


@case("gradients accumulated and clipped", (normal(5, seed=1), T(0.5)), (normal(5, seed=2), T(3.0)), (normal(5, seed=2), T(0.0)))
def clip_and_accumulate(g, limit):
    buf, steps, total = paddle.zeros([]), 0, 0
    for i, v in enumerate(g):
        buf = buf + v
        if (i + 1) % 2 == 0 or i == len(g) - 1:
            n = buf.abs()
            if n > limit and limit > 0:
                buf = buf * (limit / n)
            total = total + buf
            buf = paddle.zeros_like(buf)
            steps += 1
    return total, steps
