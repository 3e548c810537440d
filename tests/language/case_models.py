"""Programs of model authors, as they write them"""

import math

import numpy as np
from language_table import NEG, POS, T, case, refused, scenario

import to_static as paddle
from to_static import nn
from to_static.nn import functional as F


def normal(*shape, seed=0):
    return T(np.random.RandomState(seed).standard_normal(shape))


@case("k-means until the centres stay", (normal(12, 2), 3), (normal(7, 2, seed=1), 2))
def k_means(points, k):
    centres = points[:k]
    for step in range(20):
        distances = ((points.unsqueeze(1) - centres.unsqueeze(0)) ** 2).sum(-1)
        nearest = distances.argmin(axis=1)
        updated = []
        for i in range(k):
            member = (nearest == i).astype("float32").unsqueeze(1)
            count = member.sum()
            updated.append((points * member).sum(axis=0) / count if count > 0 else centres[i])
        new = paddle.stack(updated)
        moved = (new - centres).abs().max()
        centres = new
        if moved < 1e-4:
            break
    return centres, nearest, step


BOXES = T([[0, 0, 2, 2], [0, 0, 2, 1.9], [3, 3, 4, 4]])


@case("non-maximum suppression", (BOXES, T([0.5, 0.9, 0.3])), (T([[0, 0, 1, 1]]), T([0.1])))
def suppress(boxes, scores, threshold=0.5):
    order = scores.argsort(descending=True)
    kept = []
    for i in order:
        box = boxes[i]
        overlaps = False
        for other in kept:
            o = boxes[other]
            w = paddle.clip(paddle.minimum(box[2], o[2]) - paddle.maximum(box[0], o[0]), min=0)
            h = paddle.clip(paddle.minimum(box[3], o[3]) - paddle.maximum(box[1], o[1]), min=0)
            inter = w * h
            union = (box[2] - box[0]) * (box[3] - box[1]) + (o[2] - o[0]) * (o[3] - o[1]) - inter
            if inter / union > threshold:
                overlaps = True
                break
        if not overlaps:
            kept.append(i)
    return paddle.stack(kept), len(kept)


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


@case("Newton's method with a step that is halved", (T(5.0),), (T(-3.0),), (T(0.1),))
def newton(x):
    def f(v):
        return v**3 - 2 * v + 2

    history = []
    for i in range(30):
        value = f(x)
        history.append(value)
        if abs(value) < 1e-4:
            break
        slope = 3 * x**2 - 2
        if abs(slope) < 1e-6:
            slope = slope + 0.1
        step = 1.0
        while abs(f(x - step * value / slope)) > abs(value) and step > 1e-3:
            step /= 2
        x = x - step * value / slope
    return x, i, len(history), max(history)


@case("binary search in a sorted tensor", (T([1.0, 3.0, 5.0, 7.0]), T(5.0)), (T([1.0, 3.0, 5.0, 7.0]), T(4.0)), (T([1.0]), T(9.0)))
def binary_search(values, wanted):
    low, high = 0, len(values) - 1
    while low <= high:
        middle = (low + high) // 2
        if values[middle] == wanted:
            return middle
        elif values[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1


@case("edit distance with rows of lists", (T([1, 2, 3, 4], "int64"), T([1, 3, 4], "int64")), (T([5], "int64"),) * 2)
def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a):
        previous = row
        row = [i + 1]
        for j, y in enumerate(b):
            cost = 0 if x == y else 1
            row.append(min(previous[j + 1] + 1, row[j] + 1, previous[j] + cost))
    return row[-1]


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


@case("a stack machine over opcodes", (T([0, 0, 1, 0, 2], "int64"),), (T([0, 3], "int64"),))
def stack_machine(codes):
    stack = []
    for i in range(len(codes)):
        code = codes[i]
        if code == 0:
            stack.append(paddle.to_tensor(float(i + 1)))
        elif code == 1:
            b, a = stack.pop(), stack.pop()
            stack.append(a + b)
        elif code == 2:
            b = stack.pop()
            a = stack.pop()
            stack.append(a * b)
        else:
            stack[-1] = -stack[-1]
    return stack[-1], len(stack)


@case("power iteration with a tolerance", (T([[2.0, 1.0], [1.0, 3.0]]),), (T([[1.0, 0.0], [0.0, 1.0]]),))
def power_iteration(matrix):
    v = paddle.ones([matrix.shape[0]])
    last = None
    for count in range(100):
        v = matrix @ v
        v = v / v.norm()
        eigenvalue = (v * (matrix @ v)).sum()
        if last is not None and abs(eigenvalue - last) < 1e-6:
            break
        last = eigenvalue
    return eigenvalue, count


@case("masked positions, skipped and counted", (T([1.0, 2.0, 3.0]), T([True, False, True], "bool")), (T([1.0]), T([False], "bool")))
def masked_mean(values, mask):
    total, count = 0.0, 0
    skipped = []
    for i, (value, keep) in enumerate(zip(values, mask)):
        if not keep:
            skipped.append(i)
            continue
        total += value
        count += 1
    return total / count if count else None, skipped


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


@refused("an iterator that a tensor loop takes from", (T([0.9, 0.2, 0.7, 0.1]), 0.5), says="next(numbers)")
def rejection(stream, limit):
    numbers = iter(stream)
    accepted = []
    try:
        while len(accepted) < 2:
            u = next(numbers)
            if u > limit:
                continue
            accepted.append(u)
    except StopIteration:
        pass
    return accepted


@case("a line search that raises when it fails", (T(1.0), T(-2.0)), (T(1.0), T(0.0)))
def line_search(x, slope):
    step = 1.0
    for _ in range(5):
        if (x + step * slope) ** 2 < x**2:
            return step
        step *= 0.5
    raise RuntimeError("no step found")


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


@case("a tree of Python tuples, summed where tensors say", ((POS, (NEG, (POS * 2, None))),))
def tree_sum(tree):
    if tree is None:
        return paddle.zeros([2])
    left, right = tree
    rest = tree_sum(right) if not isinstance(right, paddle.Tensor) else right
    return left + rest if left.sum() > 0 else rest - left


@case("a queue of work, breadth first over a graph", (T([[0, 1, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0]], "int64"),))
def breadth_first(edges):
    n = edges.shape[0]
    distance = [-1] * n
    distance[0] = 0
    queue = [0]
    while queue:
        node = queue.pop(0)
        for other in range(n):
            if edges[node, other] > 0 and distance[other] < 0:
                distance[other] = distance[node] + 1
                queue.append(other)
    return distance


@case("positions of the first and last hit", (T([0.0, 3.0, 4.0, 0.0]),), (T([0.0]),))
def span(x):
    first = next((i for i, v in enumerate(x) if v > 1), None)
    last = None
    for i in reversed(range(len(x))):
        if x[i] > 1:
            last = i
            break
    return first, last


@case("metrics gathered in a dict", (T([1, 0, 1, 1], "int64"), T([1, 1, 0, 1], "int64")), (T([0], "int64"), T([0], "int64")))
def metrics(predicted, wanted):
    counts = {"tp": 0, "fp": 0, "fn": 0, "tn": 0}
    for p, w in zip(predicted, wanted):
        if p == 1:
            counts["tp" if w == 1 else "fp"] += 1
        else:
            counts["fn" if w == 1 else "tn"] += 1
    precision = counts["tp"] / (counts["tp"] + counts["fp"]) if counts["tp"] else 0.0
    return counts, precision


@case("a moving window with a deque-like list", (T([1.0, 5.0, 2.0, 8.0, 3.0]),), (T([1.0]),))
def window(x, size=3):
    recent, highest = [], []
    for v in x:
        recent.append(v)
        if len(recent) > size:
            del recent[0]
        highest.append(max(recent))
    return paddle.stack(highest), len(recent)


@case("a polynomial by Horner's rule, with zero coefficients left out", (T(2.0), [1.0, 0.0, 3.0]), (T(0.0), []))
def horner(x, coefficients):
    total = 0.0
    for c in reversed(coefficients):
        total = total * x
        if c:
            total += c
    return total


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


@case("run-length encoding", (T([1, 1, 2, 2, 2, 3], "int64"),), (T([7], "int64"),))
def run_lengths(x):
    runs = []
    current, count = x[0], 0
    for v in x:
        if v == current:
            count += 1
        else:
            runs.append((current, count))
            current, count = v, 1
    runs.append((current, count))
    return [(int(v), n) for v, n in runs]
