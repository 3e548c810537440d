"""Programs of model authors: vision and data"""

import numpy as np
from language_table import T, case

import to_static as paddle
from to_static.nn import functional as F


def normal(*shape, seed=0):
    return T(np.random.RandomState(seed).standard_normal(shape))


def ints(*values):
    return T(values, "int64")


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


def box_iou(a, b):
    lt = paddle.maximum(a[:, None, :2], b[None, :, :2])
    rb = paddle.minimum(a[:, None, 2:], b[None, :, 2:])
    wh = (rb - lt).clip(min=0)
    inter = wh[..., 0] * wh[..., 1]
    area = lambda t: (t[:, 2] - t[:, 0]) * (t[:, 3] - t[:, 1])
    return inter / (area(a)[:, None] + area(b)[None] - inter)


BOXES = T([[0, 0, 2, 2], [0, 0, 2, 1.9], [3, 3, 4, 4], [3, 3, 4.1, 4]])


@case(
    "post-processing of boxes: a threshold, then suppression",
    (BOXES, T([0.5, 0.9, 0.3, 0.8])),
    (BOXES, T([0.0, 0.0, 0.0, 0.0])),
    (BOXES, T([0.05, 0.2, 0.0, 0.0])),
)
def yolo_post(boxes, scores, conf=0.1, iou_thr=0.5):
    keep_mask = scores > conf
    if not keep_mask.any():
        return paddle.zeros([0, 4]), paddle.zeros([0], dtype="int64")
    order = scores.argsort(descending=True)
    ious = box_iou(boxes, boxes)
    alive = keep_mask
    kept = []
    for i in order:
        if not alive[i]:
            continue
        kept.append(i)
        alive = alive & (ious[i] <= iou_thr)
    kept = paddle.stack(kept)
    return boxes[kept], kept


@case("soft suppression of boxes", (BOXES, T([0.5, 0.9, 0.3, 0.8])), (BOXES[:1], T([0.5])))
def soft_nms(boxes, scores, sigma=0.5, thr=0.4):
    out = []
    scores = scores.clone()
    for _ in range(boxes.shape[0]):
        top = scores.argmax()
        s = scores[top]
        if s < thr:
            break
        out.append((top.item(), float(s)))
        ious = box_iou(boxes[top : top + 1], boxes)[0]
        scores = scores * paddle.exp(-(ious**2) / sigma)
        scores[top] = -1.0
    return out


@case(
    "regions of interest, some of them empty",
    (normal(4, 4), T([[0, 0, 2, 2], [1, 1, 4, 4]], "int64")),
    (normal(4, 4, seed=1), T([[0, 0, 1, 1], [2, 2, 2, 4]], "int64")),
)
def roi_pool(feature, rois):
    pooled = []
    for roi in rois:
        x1, y1, x2, y2 = roi
        if x2 <= x1 or y2 <= y1:
            pooled.append(paddle.zeros([]))
            continue
        patch = feature[y1:y2, x1:x2]
        pooled.append(patch.max())
    return paddle.stack(pooled)


@case("a pyramid of levels", (normal(1, 1, 5, 5),), (normal(1, 1, 2, 2, seed=1),))
def pyramid(x):
    levels = [x]
    while min(levels[-1].shape[-2:]) > 1:
        levels.append(F.avg_pool2d(levels[-1], 2))
    total = 0
    for depth, level in enumerate(levels):
        weight = 2.0**-depth
        if level.mean() < 0:
            weight *= -1
        total = total + weight * level.sum()
    return total, len(levels)


@case("hardest triplets", (normal(3, 4),), (normal(3, 4, seed=2),))
def triplet_hard(emb, margin=0.3):
    labels = [0, 0, 1]
    d = ((emb[:, None] - emb[None]) ** 2).sum(-1)
    losses = []
    for i, li in enumerate(labels):
        pos = [d[i, j] for j, lj in enumerate(labels) if lj == li and j != i]
        neg = [d[i, j] for j, lj in enumerate(labels) if lj != li]
        if not pos or not neg:
            continue
        hardest = max(pos) - min(neg) + margin
        if hardest > 0:
            losses.append(hardest)
    return sum(losses) / len(losses) if losses else emb.sum() * 0


@case(
    "a confusion matrix and scores that may be missing",
    (T([1, 0, 2, 1], "int64"), T([1, 1, 2, 0], "int64")),
    (T([0, 0], "int64"), T([0, 0], "int64")),
)
def confusion(pred, label, k=3):
    mat = paddle.zeros([k, k], dtype="int64")
    for guess, true in zip(pred, label):
        mat[true, guess] += 1
    out = {}
    for c in range(k):
        tp, fp, fn = mat[c, c], mat[:, c].sum() - mat[c, c], mat[c].sum() - mat[c, c]
        if tp + fp == 0 or tp + fn == 0:
            out[f"class_{c}"] = None
            continue
        pr, rc = tp / (tp + fp), tp / (tp + fn)
        out[f"class_{c}"] = 2 * pr * rc / (pr + rc) if pr + rc > 0 else paddle.zeros([])
    return mat, out


@case("hashed embeddings", (ints(3, 17, 3), normal(4, 2)), (ints(0), normal(4, 2)))
def hash_embedding(tokens, table, buckets=4):
    hits = {}
    rows = []
    for t in tokens:
        h = (t * 31 + 7) % buckets
        rows.append(table[h] if h != 0 else paddle.zeros([2]))
    out = paddle.stack(rows)
    return out.mean(0) if len(rows) > 1 else out[0]


@case("dropout with a rate that may be none or all", (normal(4, 3), T(0.5)), (normal(4, 3), T(0.0)), (normal(4, 3), T(1.0)))
def dropout_switch(x, rate):
    if rate <= 0:
        return x, False
    if rate >= 1:
        return paddle.zeros_like(x), True
    mask = (paddle.rand(x.shape) > rate).astype(x.dtype)
    return x * mask / (1 - rate), True


@case("gates that may all be closed", (normal(3, 2), 0.5), (normal(3, 2), -1.0), (normal(3, 2), 100.0))
def sparse_gate(x, threshold):
    gates = F.sigmoid(x.sum(-1))
    active = paddle.nonzero(gates > threshold).flatten()
    if active.shape[0] == 0:
        return x.mean(0)
    picked = x[active]
    w = gates[active]
    return (picked * w.unsqueeze(-1)).sum(0) / w.sum()


@case("rows and columns whose numbers a loop found, read and set", (BOXES, T([0.5, 0.9, 0.3])), (BOXES, T([0.1, 0.2, 0.3])))
def kept_rows(boxes, scores):
    keep, order = [], scores.argsort(descending=True)
    while len(order) > 0 and scores[order[0]] > 0.4:
        keep.append(int(order[0]))
        order = order[1:]
    best = boxes[keep]
    boxes[keep, 0] = scores[keep]
    boxes[[-1 - k for k in keep]] += 1.0
    return best, boxes, scores[keep].sum() if keep else None, boxes[:, [k for k in keep if k < 2]]


@case("a mask of as many rows as tensors say", (BOXES, T([1, 2, 3])), (BOXES, T([1, 0, 3])), (BOXES[:1], T([1, 0, 0])))
def masked_rows(boxes, scores):
    found = scores[scores > 0]
    return boxes[found > 1], boxes[boxes > 1]


@case("an index that is a list of numbers with a point", (BOXES, T([0.5, 0.9, 0.3])))  # fmt: skip
def mixed_index(boxes, scores):
    keep = []
    for s in scores:
        if s > 0.4:
            keep.append(float(s))
    return boxes[keep]
