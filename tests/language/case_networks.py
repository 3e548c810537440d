"""Programs of model authors: networks"""

import math

import numpy as np
from language_table import POS, T, case, network, scenario

import to_static as paddle
from to_static import nn
from to_static.nn import functional as F


def normal(*shape, seed=0):
    return T(np.random.RandomState(seed).standard_normal(shape))


def ints(*values):
    return T(values, "int64")


@case("adaptive computation time", (normal(3, seed=1), 0.3), (normal(3, seed=2), 0.05))
def ponder(x, rate):
    halting = paddle.zeros([])
    remainder = paddle.zeros([])
    output = paddle.zeros_like(x)
    state = x
    steps = 0
    while halting < 0.99 and steps < 10:
        state = paddle.tanh(state * 1.1)
        p = F.sigmoid(state.mean()) * rate
        if halting + p > 0.99:
            remainder = 1 - halting
            output = output + remainder * state
            halting = halting + remainder
        else:
            output = output + p * state
            halting = halting + p
        steps += 1
    return output, remainder, steps


@case("routing by the strongest expert", (normal(4, 2),), (normal(1, 2, seed=4),))
def experts(x):
    table = {0: lambda v: v * 2, 1: paddle.tanh}
    used = {0: 0, 1: 0}
    rows = []
    for row in x:
        choice = int(row.argmax())
        rows.append(table[choice](row))
        used[choice] += 1
    return paddle.stack(rows), used


class Cell(nn.Layer):
    def __init__(self, size=3):
        super().__init__()
        paddle.seed(0)
        self.w = nn.Linear(size * 2, size)
        self.gate = nn.Linear(size * 2, size)

    def forward(self, x, h=None):
        if h is None:
            h = paddle.zeros_like(x)
        both = paddle.concat([x, h], axis=-1)
        z = F.sigmoid(self.gate(both))
        return z * h + (1 - z) * paddle.tanh(self.w(both))


@scenario("a recurrent layer with lengths, an optional state and early exit")
def recurrent(to_static):
    class Encoder(nn.Layer):
        def __init__(self):
            super().__init__()
            self.cells = nn.LayerList([Cell(), Cell()])
            self.drop = nn.Dropout(0.5)

        def forward(self, x, lengths=None, states=None):
            if states is None:
                states = [None] * len(self.cells)
            outputs = []
            for t in range(x.shape[1]):
                h = x[:, t]
                for i, cell in enumerate(self.cells):
                    new = cell(h, states[i])
                    if lengths is not None and states[i] is not None:
                        mask = (lengths > t).astype("float32").unsqueeze(-1)
                        new = mask * new + (1 - mask) * states[i]
                    states[i] = new
                    h = self.drop(new) if i < len(self.cells) - 1 else new
                outputs.append(h)
                if lengths is not None and (lengths <= t + 1).all():
                    break
            return paddle.stack(outputs, axis=1), states

    net = Encoder()
    net.eval()
    run = to_static(net)
    x = normal(2, 4, 3)
    outputs = [run(x), run(x, T([2, 1], "int64")), run(x, T([4, 1], "int64"), [POS[0] * x[:, 0], None])]
    return [(o.shape, o, s) for o, s in outputs]


@network("an LSTM with lengths and a loop that ends early", (normal(2, 4, 3), ints(4, 2)), (normal(2, 4, 3, seed=1), ints(1, 1)))
class MaskedLSTM(nn.Layer):
    def __init__(self, size=3, hidden=4):
        super().__init__()
        self.cell = nn.LSTMCell(size, hidden)
        self.hidden = hidden

    def forward(self, x, lengths):
        b = x.shape[0]
        state = (paddle.zeros([b, self.hidden]), paddle.zeros([b, self.hidden]))
        outs = []
        longest = lengths.max()
        t = 0
        while t < longest:
            out, new = self.cell(x[:, t], state)
            m = (lengths > t).astype("float32").unsqueeze(-1)
            state = tuple(m * n + (1 - m) * o for n, o in zip(new, state))
            outs.append(out * m)
            t += 1
        return paddle.stack(outs, 1).sum(1), state[0]


@network("stacked cells with optional states", normal(2, 3, 4), normal(2, 3, 4, seed=5) * 3)
class GRUStack(nn.Layer):
    def __init__(self):
        super().__init__()
        self.layers = nn.LayerList(nn.GRUCell(4, 4) for _ in range(2))
        self.out = nn.Linear(4, 2)

    def forward(self, x, states=None):
        states = states or [None for _ in self.layers]
        for step in paddle.unstack(x, axis=1):
            h = step
            for i, cell in enumerate(self.layers):
                h, states[i] = cell(h, states[i])
                if h.abs().max() > 0.9:
                    h = h * 0.5
        return self.out(h), states


@network(
    "a sequence to sequence model with attention and teacher forcing",
    (normal(2, 3, 4), ints(0, 1, 2).unsqueeze(0).expand([2, 3]), T([0.9, 0.1, 0.4])),
    (normal(2, 3, 4, seed=3), ints(3, 1, 0).unsqueeze(0).expand([2, 3]), T([0.0, 1.0, 0.0])),
)
class Seq2Seq(nn.Layer):
    def __init__(self, vocab=5, d=4):
        super().__init__()
        self.embed = nn.Embedding(vocab, d)
        self.encoder = nn.GRU(d, d)
        self.decoder = nn.GRUCell(2 * d, d)
        self.proj = nn.Linear(d, vocab)
        self.ratio = 0.5

    def attend(self, h, memory):
        weights = F.softmax((memory * h.unsqueeze(1)).sum(-1), axis=-1)
        return (weights.unsqueeze(-1) * memory).sum(1), weights

    def forward(self, src, tgt, coins):
        memory, h = self.encoder(src)
        h = h[0]
        token = paddle.zeros([src.shape[0]], dtype="int64")
        logits, attention = [], []
        for t in range(tgt.shape[1]):
            context, w = self.attend(h, memory)
            h, _ = self.decoder(paddle.concat([self.embed(token), context], -1), h)
            out = self.proj(h)
            logits.append(out)
            attention.append(w)
            if self.training and coins[t] < self.ratio:
                token = tgt[:, t]
            else:
                token = out.argmax(-1)
        return {"logits": paddle.stack(logits, 1), "attention": paddle.stack(attention, 1)}


@network("a recurrent network in both directions", normal(2, 5, 3), normal(1, 5, 3, seed=2))
class BiRNN(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fw, self.bw = nn.SimpleRNNCell(3, 2), nn.SimpleRNNCell(3, 2)

    def run(self, cell, x, reverse=False):
        steps = range(x.shape[1])
        if reverse:
            steps = reversed(steps)
        h, outs = None, []
        for t in steps:
            o, h = cell(x[:, t], h)
            outs.append(o)
        return outs[::-1] if reverse else outs

    def forward(self, x):
        outs = [paddle.concat([f, b], -1) for f, b in zip(self.run(self.fw, x), self.run(self.bw, x, reverse=True))]
        y = paddle.stack(outs, 1)
        return y.mean(1) if y.mean() > 0 else y.max(1)


@network("a network that is left early", normal(2, 4), normal(2, 4, seed=1) * 3)
class EarlyExit(nn.Layer):
    def __init__(self):
        super().__init__()
        self.blocks = nn.LayerList([nn.Linear(4, 4) for _ in range(3)])
        self.heads = nn.LayerList([nn.Linear(4, 2) for _ in range(3)])
        self.threshold = 0.6

    def forward(self, x):
        for i, (block, head) in enumerate(zip(self.blocks, self.heads)):
            x = F.relu(block(x)) + x
            probs = F.softmax(head(x), axis=-1)
            if not self.training and (probs.max(-1) > self.threshold).all():
                return probs, i
        return probs, -1


class Expert(nn.Layer):
    def __init__(self, d, scale):
        super().__init__()
        self.fc = nn.Linear(d, d)
        self.scale = scale

    def forward(self, x):
        return self.fc(x) * self.scale


@network("a mixture of experts with loads in a buffer", normal(4, 3), normal(4, 3, seed=1))
class MoE(nn.Layer):
    def __init__(self, d=3, n=3, k=2):
        super().__init__()
        self.gate = nn.Linear(d, n, bias_attr=False)
        self.experts = nn.LayerList([Expert(d, i + 1.0) for i in range(n)])
        self.k = k
        self.register_buffer("load", paddle.zeros([n]))

    def forward(self, x):
        w, idx = paddle.topk(F.softmax(self.gate(x), -1), self.k)
        w = w / w.sum(-1, keepdim=True)
        out = paddle.zeros_like(x)
        for e, expert in enumerate(self.experts):
            chosen = idx == e
            if not chosen.any():
                continue
            weight = (w * chosen.astype(w.dtype)).sum(-1, keepdim=True)
            out = out + weight * expert(x)
            if self.training:
                self.load[e] = self.load[e] + chosen.astype("float32").sum()
        return out


def split_heads(x, n):
    b, t, d = x.shape
    return x.reshape([b, t, n, d // n]).transpose([0, 2, 1, 3])


class CachedAttention(nn.Layer):
    def __init__(self, d=4, heads=2):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)

    def forward(self, x, cache=None):
        q, k, v = [split_heads(t, self.heads) for t in self.qkv(x).chunk(3, axis=-1)]
        if cache is not None:
            k = paddle.concat([cache["k"], k], axis=2)
            v = paddle.concat([cache["v"], v], axis=2)
        new = {"k": k, "v": v}
        att = q @ k.transpose([0, 1, 3, 2]) / math.sqrt(q.shape[-1])
        if x.shape[1] > 1:
            mask = paddle.triu(paddle.full([x.shape[1], k.shape[2]], -1e9), diagonal=1 + k.shape[2] - x.shape[1])
            att = att + mask
        y = (F.softmax(att, -1) @ v).transpose([0, 2, 1, 3]).reshape(x.shape)
        return self.out(y), new


class Block(nn.Layer):
    def __init__(self, d=4):
        super().__init__()
        self.att, self.ln1, self.ln2 = CachedAttention(d), nn.LayerNorm(d), nn.LayerNorm(d)
        self.mlp = nn.Sequential(nn.Linear(d, 8), nn.GELU(), nn.Linear(8, d))

    def forward(self, x, cache=None):
        a, cache = self.att(self.ln1(x), cache)
        x = x + a
        return x + self.mlp(self.ln2(x)), cache


@network(
    "a transformer that decodes with a cache of dicts",
    ints([0, 1, 2]).reshape([1, 3]),
    ints([3, 3, 1]).reshape([1, 3]),
    train=False,
)
class TinyGPT(nn.Layer):
    def __init__(self, vocab=6, d=4):
        super().__init__()
        self.emb, self.pos = nn.Embedding(vocab, d), nn.Embedding(16, d)
        self.blocks = nn.LayerList([Block(d), Block(d)])
        self.norm = nn.LayerNorm(d)
        self.eos = 5

    def step(self, ids, caches=None):
        past = 0 if caches is None else caches[0]["k"].shape[2]
        x = self.emb(ids) + self.pos(paddle.arange(past, past + ids.shape[1]))
        new = []
        for i, block in enumerate(self.blocks):
            x, c = block(x, None if caches is None else caches[i])
            new.append(c)
        return self.norm(x) @ self.emb.weight.t(), new

    def forward(self, ids):
        logits, caches = self.step(ids)
        out = [ids]
        for _ in range(3):
            token = logits[:, -1].argmax(-1, keepdim=True)
            out.append(token)
            if (token == self.eos).all():
                break
            logits, caches = self.step(token, caches)
        return paddle.concat(out, axis=1), caches[0]["k"].shape[2]


@network("capsule routing that stops when it agrees", normal(2, 6, 4), normal(2, 6, 4, seed=3))
class CapsuleRouting(nn.Layer):
    def __init__(self, in_caps=6, out_caps=2, d=4):
        super().__init__()
        self.w = self.create_parameter([in_caps, out_caps, d, d])
        self.b_shape = [in_caps, out_caps]

    def squash(self, s):
        n = (s**2).sum(-1, keepdim=True)
        return n / (1 + n) * s / paddle.sqrt(n + 1e-8)

    def forward(self, u):
        u_hat = paddle.einsum("bid,iode->bioe", u, self.w)
        logits = paddle.zeros([u.shape[0], *self.b_shape])
        for r in range(3):
            c = F.softmax(logits, axis=-1)
            v = self.squash((c.unsqueeze(-1) * u_hat).sum(1))
            agreement = (u_hat * v.unsqueeze(1)).sum(-1)
            if r < 2:
                logits = logits + agreement
                if agreement.abs().max() < 1e-4:
                    break
        return v


@network("a memory network with hops", normal(3, 2), normal(3, 2, seed=1), saved=False)
class MemoryNet(nn.Layer):
    def __init__(self, hops=3):
        super().__init__()
        self.A, self.C = nn.Linear(2, 2), nn.Linear(2, 2)
        self.hops = hops

    def forward(self, story):
        q = story[-1]
        keys, values = [self.A(s) for s in story[:-1]], [self.C(s) for s in story[:-1]]
        visited = []
        for _ in range(self.hops):
            scores = paddle.stack([(q * k).sum() for k in keys])
            p = F.softmax(scores)
            o = sum(pi * v for pi, v in zip(p, values))
            visited.append(int(p.argmax()))
            if (o - q).abs().sum() < 0.05:
                break
            q = q + o
        return q, visited


@network("a neural Turing machine", normal(4, 3), normal(4, 3, seed=6))
class NTM(nn.Layer):
    def __init__(self, slots=4, width=3):
        super().__init__()
        self.controller = nn.LSTMCell(3 + width, 5)
        self.read_key, self.write_key = nn.Linear(5, width), nn.Linear(5, width)
        self.erase, self.add = nn.Linear(5, width), nn.Linear(5, width)
        self.slots, self.width = slots, width

    def address(self, memory, key):
        sim = (memory * key).sum(-1) / (memory.norm(axis=-1) * key.norm() + 1e-6)
        w = F.softmax(sim * 5)
        return w if w.max() > 0.3 else paddle.full_like(w, 1 / self.slots)

    def forward(self, xs):
        memory = paddle.full([self.slots, self.width], 1e-2)
        read = paddle.zeros([self.width])
        state, outs = None, []
        for x in xs:
            inp = paddle.concat([x, read]).unsqueeze(0)
            h, state = self.controller(inp, state)
            h = h[0]
            ww = self.address(memory, self.write_key(h)).unsqueeze(-1)
            memory = memory * (1 - ww * F.sigmoid(self.erase(h))) + ww * self.add(h)
            read = self.address(memory, self.read_key(h)) @ memory
            outs.append(read)
        return paddle.stack(outs)


@network("tied weights and a list of parameters", ints(0, 1, 2), ints(3, 3, 3))
class TiedLM(nn.Layer):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(4, 3)
        self.head = nn.Linear(3, 4)
        self.head.weight2 = self.emb.weight
        self.scales = nn.ParameterList([self.create_parameter([1]) for _ in range(3)])

    def forward(self, ids):
        h = self.emb(ids)
        for s in self.scales:
            h = h * s if h.norm() > 0.1 else h + s
        return paddle.matmul(h, self.head.weight2, transpose_y=True) + self.head.bias
