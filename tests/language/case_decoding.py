"""Programs of model authors: decoding"""

import collections

import numpy as np
from language_table import T, case

import to_static as paddle
from to_static.nn import functional as F


def normal(*shape, seed=0):
    return T(np.random.RandomState(seed).standard_normal(shape))


def ints(*values):
    return T(values, "int64")


@case("greedy decoding until the end token", (normal(5, 5),), (normal(5, 5, seed=3),))
def greedy(table, start=0, end=4, limit=8):
    tokens = [start]
    token = paddle.to_tensor(start)
    score = paddle.zeros([])
    while len(tokens) < limit:
        logits = F.log_softmax(table[token], axis=-1)
        token = logits.argmax()
        score += logits[token]
        tokens.append(int(token))
        if token == end:
            break
    return tokens, score


@case("beam search with Python lists of hypotheses", (normal(4, 4, seed=5),), (normal(4, 4, seed=6),))
def beam_search(table, width=2, steps=3):
    beams = [([0], paddle.zeros([]))]
    for _ in range(steps):
        candidates = []
        for tokens, score in beams:
            logits = F.log_softmax(table[tokens[-1]], axis=-1)
            top, ids = paddle.topk(logits, width)
            for j in range(width):
                candidates.append((tokens + [ids[j]], score + top[j]))
        candidates.sort(key=lambda c: c[1], reverse=True)
        beams = candidates[:width]
    best, score = beams[0]
    return paddle.stack([paddle.to_tensor(t) for t in best]), score


@case("the Viterbi path", (normal(4, 3), normal(3, 3, seed=2)), (normal(1, 3, seed=8), normal(3, 3, seed=2)))
def viterbi(emissions, transitions):
    score = emissions[0]
    back = []
    for t in range(1, emissions.shape[0]):
        total = score.unsqueeze(1) + transitions
        score = total.max(axis=0) + emissions[t]
        back.append(total.argmax(axis=0))
    best = score.argmax()
    path = [best]
    for pointer in reversed(back):
        best = pointer[best]
        path.insert(0, best)
    return paddle.stack(path), score.max()


@case("sampling by cumulative probabilities", (T([0.1, 0.4, 0.5]), T(0.45)), (T([0.1, 0.4, 0.5]), T(0.99)), (T([1.0]), T(2.0)))
def pick(probabilities, u):
    acc = 0.0
    for i, p in enumerate(probabilities):
        acc += p
        if u < acc:
            return i, p
    return len(probabilities) - 1, probabilities[-1]


@case("scheduled sampling: the model's own output or the teacher's", (normal(4), T([0.1, 0.9, 0.4, 0.6])))
def scheduled(teacher, coins):
    previous, outputs = teacher[0], []
    for t in range(1, 4):
        guess = paddle.tanh(previous * 2 + 0.1)
        outputs.append(guess)
        previous = teacher[t] if coins[t] < 0.5 else guess
    return paddle.stack(outputs)


TABLE = normal(6, 6, seed=2) * 2


@case(
    "greedy decoding of a batch with finished flags",
    (TABLE, ints(0, 1, 2)),
    (TABLE * -1, ints(3, 3, 1)),
    (normal(6, 6, seed=9), ints(0, 4, 2)),
)
def batch_greedy(table, start, eos=5, limit=6):
    """batch greedy decoding with finished flags"""
    batch = start.shape[0]
    tokens = start
    finished = paddle.zeros([batch], dtype="bool")
    lengths = paddle.zeros([batch], dtype="int64")
    outputs = [start]
    scores = paddle.zeros([batch])
    for step in range(limit):
        logp = F.log_softmax(table[tokens], axis=-1)
        best, ids = logp.max(axis=-1), logp.argmax(axis=-1)
        tokens = paddle.where(finished, paddle.full_like(ids, eos), ids)
        scores = scores + paddle.where(finished, paddle.zeros_like(best), best)
        lengths = lengths + (~finished).astype("int64")
        finished = paddle.logical_or(finished, tokens == eos)
        outputs.append(tokens)
        if finished.all():
            break
    return paddle.stack(outputs, axis=1), lengths, scores, step


@case("beam search in tensors", (TABLE,), (-TABLE,), (normal(6, 6, seed=11),))
def beam_tensor(table, width=3, eos=5, limit=5):
    vocab = table.shape[0]
    seqs = paddle.zeros([width, 1], dtype="int64")
    scores = paddle.to_tensor([0.0] + [-1e9] * (width - 1))
    done = paddle.zeros([width], dtype="bool")
    for t in range(limit):
        logp = F.log_softmax(table[seqs[:, -1]], axis=-1)
        frozen = paddle.full([width, vocab], -1e9)
        frozen[:, eos] = 0.0
        logp = paddle.where(done.unsqueeze(-1), frozen, logp)
        total = (scores.unsqueeze(-1) + logp).reshape([-1])
        scores, flat = paddle.topk(total, width)
        parent, token = flat // vocab, flat % vocab
        seqs = paddle.concat([seqs[parent], token.unsqueeze(-1)], axis=1)
        done = done[parent] | (token == eos)
        if bool(done.all()):
            break
    best = scores.argmax()
    return seqs[best], scores[best], t


@case("beam search over named tuples", (TABLE,), (-TABLE,))
def beam_heap(table, width=2, eos=5, limit=2):
    Hyp = collections.namedtuple("Hyp", "tokens score done")
    beams = [Hyp((0,), paddle.zeros([]), False)]
    for _ in range(limit):
        pool = []
        for hyp in beams:
            if hyp.done:
                pool.append(hyp)
                continue
            logp = F.log_softmax(table[hyp.tokens[-1]], axis=-1)
            values, ids = logp.topk(width)
            for v, i in zip(values, ids):
                i = int(i)
                pool.append(Hyp(hyp.tokens + (i,), hyp.score + v, i == eos))
        pool = sorted(pool, key=lambda h: -h.score / len(h.tokens))
        beams = pool[:width]
        if all(h.done for h in beams):
            break
    return beams[0].tokens, beams[0].score


@case("CTC greedy decoding", (normal(5, 4, seed=3),), (normal(5, 4, seed=4),), (T(np.eye(4)[[0, 0, 0]]),))
def ctc_greedy(logits, blank=0):
    ids = logits.argmax(axis=-1)
    decoded = []
    previous = blank
    for token in ids:
        if token != blank and token != previous:
            decoded.append(token)
        previous = token
    return decoded, len(decoded)


@case("the likelihood of a CRF", (normal(4, 3), normal(3, 3, seed=2), ints(0, 1, 2, 1)))
def crf_nll(emissions, transitions, tags):
    score = emissions[0, tags[0]]
    alpha = emissions[0]
    for t in range(1, len(emissions)):
        score = score + transitions[tags[t - 1], tags[t]] + emissions[t, tags[t]]
        alpha = paddle.logsumexp(alpha.unsqueeze(1) + transitions, axis=0) + emissions[t]
    return paddle.logsumexp(alpha, axis=0) - score


@case(
    "Viterbi decoding with a mask",
    (normal(4, 3), normal(3, 3, seed=2), T([1, 1, 1, 1], "bool")),
    (normal(4, 3), normal(3, 3, seed=2), T([1, 1, 0, 0], "bool")),
)
def crf_viterbi_mask(emissions, transitions, mask):
    score = emissions[0]
    history = []
    for t, on in enumerate(mask):
        if t == 0:
            continue
        if not on:
            break
        nxt = score.unsqueeze(1) + transitions + emissions[t].unsqueeze(0)
        history.append(nxt.argmax(axis=0))
        score = nxt.max(axis=0)
    best = [int(score.argmax())]
    for back in reversed(history):
        best.append(int(back[best[-1]]))
    best.reverse()
    return best


@case("sampling with a temperature that may be zero or wrong", (TABLE, T(1.0)), (TABLE, T(0.0)), (TABLE, T(-1.0)))
def sample_with_temperature(table, temperature):
    tokens, token = [], 0
    while True:
        logits = table[token]
        if temperature > 0:
            probs = F.softmax(logits / temperature)
            token = int(probs.argmax())
        elif temperature == 0:
            token = int(logits.argmax())
        else:
            raise ValueError(f"temperature must not be negative, got {temperature.item()}")
        tokens.append(token)
        if token == 5 or len(tokens) >= 4:
            return tokens


@case("top-k and top-p filters", (normal(8, seed=1), 0.7, 3), (normal(8, seed=2), 0.9, 0), (normal(8, seed=2), 1.0, 2))
def top_k_top_p(logits, top_p, top_k):
    if top_k > 0:
        kth = paddle.topk(logits, min(top_k, logits.shape[-1]))[0][-1]
        logits = paddle.where(logits < kth, paddle.full_like(logits, float("-inf")), logits)
    if 0.0 < top_p < 1.0:
        order = paddle.argsort(logits, descending=True)
        probs = F.softmax(logits[order], axis=-1)
        remove = paddle.cumsum(probs, axis=-1) - probs > top_p
        for i in range(len(order)):
            if remove[i]:
                logits[order[i]] = float("-inf")
    return F.softmax(logits, axis=-1)


@case("a repetition penalty", (TABLE, ints(1, 2, 1, 2)), (TABLE, ints(0)))
def repetition_penalty(table, prompt, penalty=1.3, no_repeat=True):
    generated = [int(t) for t in prompt]
    for _ in range(3):
        logits = table[generated[-1]]
        for t in set(generated[-2:]) if False else generated[-2:]:
            v = logits[t]
            logits[t] = v / penalty if v > 0 else v * penalty
        token = logits.argmax().item()
        if no_repeat and token in generated[-2:]:
            logits[token] = -1e9
            token = logits.argmax().item()
        generated.append(token)
    return generated


@case("rows padded to the longest", (normal(2, 4), ints(4, 2)), (normal(2, 4), ints(1, 1)), (normal(2, 4), ints(0, 3)))
def dynamic_padding(x, lengths, pad=-1.0):
    longest = int(lengths.max())
    rows = []
    for i in range(x.shape[0]):
        n = int(lengths[i])
        row = x[i, :n]
        if n < longest:
            row = paddle.concat([row, paddle.full([longest - n], pad)])
        rows.append(row)
    return paddle.stack(rows), longest
