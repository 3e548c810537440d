"""Programs of model authors: searches, stacks, trees and graphs"""

import collections

import numpy as np
from language_table import NEG, POS, T, case, refused

import to_static as paddle
from to_static.nn import functional as F


def normal(*shape, seed=0):
    return T(np.random.RandomState(seed).standard_normal(shape))


def ints(*values):
    return T(values, "int64")


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


@refused("an iterator that a tensor loop takes from", *[(T([0.9, 0.2, 0.7, 0.1]), limit) for limit in (0.5, 0.15, 0.05)])
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


@case("a moving window with a deque-like list", (T([1.0, 5.0, 2.0, 8.0, 3.0]),), (T([1.0]),))
def window(x, size=3):
    recent, highest = [], []
    for v in x:
        recent.append(v)
        if len(recent) > size:
            del recent[0]
        highest.append(max(recent))
    return paddle.stack(highest), len(recent)


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


@case("bubble sort that ends early", (T([5.0, 2.0, 9.0, 1.0]),), (T([1.0]),), (T([1.0, 2.0, 3.0]),))
def bubble_sort(x):
    x = x.clone()
    n = len(x)
    swaps = 0
    for i in range(n):
        swapped = False
        for j in range(n - i - 1):
            if x[j] > x[j + 1]:
                a, b = x[j].clone(), x[j + 1].clone()
                x[j], x[j + 1] = b, a
                swapped = True
                swaps += 1
        if not swapped:
            break
    return x, swaps


@case(
    "connected components until nothing changes", (normal(4, 4) > 0,), (T(np.zeros((3, 3)), "bool"),), (T(np.ones((2, 2)), "bool"),)
)
def flood_components(mask):
    """connected components by label propagation until nothing changes"""
    h, w = mask.shape
    labels = (paddle.arange(1, h * w + 1).reshape([h, w])) * mask.astype("int64")
    changed = True
    rounds = 0
    while changed:
        padded = F.pad(labels.unsqueeze(0).unsqueeze(0).astype("float32"), [1, 1, 1, 1])[0, 0].astype("int64")
        best = labels
        for dy, dx in ((0, 1), (2, 1), (1, 0), (1, 2)):
            best = paddle.maximum(best, padded[dy : dy + h, dx : dx + w])
        new = paddle.where(mask, best, labels)
        changed = bool((new != labels).any())
        labels = new
        rounds += 1
    return labels, rounds


GRAPH = {0: [1, 2], 1: [2], 2: [0], 3: []}


@case("message passing over a Python graph", normal(4, 3), normal(4, 3, seed=1) - 1)
def message_passing(x):
    h = list(x.unbind(0)) if hasattr(x, "unbind") else [x[i] for i in range(4)]
    for layer in range(2):
        new = []
        for node, others in GRAPH.items():
            if not others:
                new.append(h[node])
                continue
            m = sum(h[j] for j in others) / len(others)
            new.append(paddle.tanh(h[node] + m) if m.sum() > 0 else F.relu(h[node] - m))
        h = new
    return paddle.stack(h)


@case("shortest paths between all nodes", (T([[0, 2, 9], [9, 0, 1], [9, 9, 0]]),), (T([[0, 9, 9], [9, 0, 9], [9, 9, 0]]),))
def floyd_warshall(d):
    d = d.clone()
    n = len(d)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = d[i, k] + d[k, j]
                if through < d[i, j]:
                    d[i, j] = through
    return d


@case(
    "Dijkstra's algorithm over a matrix",
    (T([[0, 2, 9], [2, 0, 1], [9, 1, 0]]),),
    (T([[0, 9.5, 9.5], [9.5, 0, 9.5], [9.5, 9.5, 0]]),),
)
def dijkstra(w):
    n = w.shape[0]
    dist = [float("inf")] * n
    dist[0] = 0.0
    seen = [False] * n
    for _ in range(n):
        u, best = -1, float("inf")
        for i in range(n):
            if not seen[i] and dist[i] < best:
                u, best = i, dist[i]
        if u < 0:
            break
        seen[u] = True
        for v in range(n):
            if w[u, v] < 9 and u != v:
                alt = dist[u] + w[u, v].item()
                if alt < dist[v]:
                    dist[v] = alt
    return dist


@case("page rank until it settles", (normal(5),), (T([1.0, 1, 1, 1, 1]),))
def pagerank(seed):
    edges = [(0, 1), (1, 2), (2, 0), (3, 2), (4, 3)]
    n, damping = 5, 0.85
    out = collections.Counter(s for s, _ in edges)
    rank = F.softmax(seed)
    for it in range(50):
        new = [paddle.to_tensor((1 - damping) / n) for _ in range(n)]
        for s, d in edges:
            new[d] = new[d] + damping * rank[s] / out[s]
        new = paddle.stack(new)
        delta = (new - rank).abs().sum()
        rank = new
        if delta < 1e-2:
            break
    return rank, it


Node = collections.namedtuple("Node", "op left right", defaults=(None, None))

TREE = Node("add", Node("mul", Node("x"), Node("x")), Node("neg", Node("x")))


@case("a network over a tree, with `match`", POS, NEG)
def tree_net(x):
    def walk(node, depth=0):
        if node is None:
            return None
        if node.op == "x":
            return x
        a, b = walk(node.left, depth + 1), walk(node.right, depth + 1)
        match node.op:
            case "add":
                out = a + b
            case "mul":
                out = a * b
            case "neg" if b is None:
                out = -a
            case _:
                raise KeyError(node.op)
        return paddle.tanh(out) if out.max() > 2 else out

    return walk(TREE)


class Trie:
    def __init__(self):
        self.children, self.end = {}, False

    def insert(self, word):
        node = self
        for c in word:
            node = node.children.setdefault(c, Trie())
        node.end = True

    def longest(self, ids, start):
        node, best = self, -1
        for j in range(start, len(ids)):
            node = node.children.get(ids[j])
            if node is None:
                break
            if node.end:
                best = j
        return best


@case("a trie of tokens", (POS, [1, 2, 3, 1]), (NEG, [2, 2]))
def tokenizer_loop(x, ids):
    trie = Trie()
    for w in ((1, 2), (1, 2, 3), (2,)):
        trie.insert(w)
    i, pieces = 0, []
    while i < len(ids):
        j = trie.longest(ids, i)
        if j < 0:
            i += 1
            continue
        pieces.append(tuple(ids[i : j + 1]))
        i = j + 1
    emb = [x * len(p) if x.sum() > 0 else x - len(p) for p in pieces]
    return sum(emb), pieces


@case("segments of different lengths", (normal(3, 2), ints(2, 0, 1)), (normal(3, 2), ints(0, 0, 0)))
def ragged_segments(x, lengths):
    start, outs = 0, []
    for n in lengths:
        n = int(n)
        seg = x[start : start + n]
        outs.append(seg.sum(0) if n > 0 else paddle.zeros([2]))
        start += n
    return paddle.stack(outs), start
