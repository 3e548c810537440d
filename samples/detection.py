"""A detection head with NMS: where the shapes in a picture are, and what they are; one saved file from pixels to boxes.

Pictures have one to four coloured circles, squares and triangles on a noisy ground. Each of the 12 x 12 cells that a
small network makes of a picture says which shape it lies in, if any, and how far the edges of that shape are (as FCOS
does, Tian et al., 2019), trained with the focal loss (Lin et al., 2017) and the overlap of boxes. Many cells see the
same shape: `vision.ops.nms` keeps the surest box of each. `detect` is a static function from a picture to boxes,
kinds and scores, and that is what is saved.

    python samples/detection.py               train, save and draw to out/detection
    python samples/detection.py --steps 60    a shorter training
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

import to_static as paddle
import to_static.nn.functional as F
from to_static import nn
from to_static.static import InputSpec
from to_static.vision.ops import nms

KINDS = ["circle", "square", "triangle"]
SIZE, STRIDE = 48, 4
GRID = SIZE // STRIDE


def overlap(a, b):
    """Intersection over union of boxes [..., 4]: left, top, right, bottom."""
    width = np.clip(np.minimum(a[..., 2], b[..., 2]) - np.maximum(a[..., 0], b[..., 0]), 0, None)
    height = np.clip(np.minimum(a[..., 3], b[..., 3]) - np.maximum(a[..., 1], b[..., 1]), 0, None)
    areas = [(x[..., 2] - x[..., 0]) * (x[..., 3] - x[..., 1]) for x in (a, b)]
    return width * height / (areas[0] + areas[1] - width * height)


def scene(rng) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A picture [3, SIZE, SIZE] from 0 to 1, boxes [shapes, 4] and kinds [shapes]."""
    image = Image.new("RGB", (SIZE, SIZE), tuple(rng.integers(0, 80, 3).tolist()))
    pen, boxes, kinds = ImageDraw.Draw(image), [], []
    for _ in range(rng.integers(1, 5)):
        side = rng.integers(10, 21)
        x, y = rng.integers(0, SIZE - side, 2)
        box = np.array([x, y, x + side, y + side], "float32")
        if any(overlap(box, other) > 0.1 for other in boxes):
            continue
        kind, color = int(rng.integers(3)), tuple(rng.integers(100, 256, 3).tolist())
        left, top, right, bottom = (float(v) for v in box)
        if kind == 0:
            pen.ellipse([left, top, right - 1, bottom - 1], fill=color)
        elif kind == 1:
            pen.rectangle([left, top, right - 1, bottom - 1], fill=color)
        else:
            pen.polygon([(left, bottom - 1), (right - 1, bottom - 1), ((left + right) / 2, top)], fill=color)
        boxes.append(box)
        kinds.append(kind)
    pixels = np.asarray(image, "float32").transpose(2, 0, 1) / 255 + rng.normal(0, 0.05, (3, SIZE, SIZE))
    return np.clip(pixels, 0, 1).astype("float32"), np.stack(boxes), np.array(kinds)


def targets(boxes: np.ndarray, kinds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which kind each cell should say, one-hot [GRID, GRID, 3], and how far the edges are [GRID, GRID, 4] in strides."""
    middle = (np.arange(GRID, dtype="float32") + 0.5) * STRIDE
    x, y = np.meshgrid(middle, middle)
    said, edges = np.zeros([GRID, GRID, 3], "float32"), np.ones([GRID, GRID, 4], "float32")
    for (left, top, right, bottom), kind in zip(boxes, kinds, strict=True):
        inside = (abs(x - (left + right) / 2) < (right - left) / 4) & (abs(y - (top + bottom) / 2) < (bottom - top) / 4)
        said[inside] = np.eye(3)[kind]
        edges[inside] = np.stack([x - left, y - top, right - x, bottom - y], -1)[inside] / STRIDE
    return said, edges


class Detector(nn.Layer):
    """A backbone and two heads: scores of the kinds, and distances to the edges."""

    def __init__(self) -> None:
        super().__init__()
        layers, before = [], 3
        for channels, stride in ((16, 2), (32, 2), (32, 1), (32, 1)):
            layers += [nn.Conv2D(before, channels, 3, stride, padding=1), nn.BatchNorm2D(channels), nn.ReLU()]
            before = channels
        self.backbone = nn.Sequential(*layers)
        rare = paddle.ParamAttr(initializer=nn.initializer.Constant(-3.0))  # at first no cell sees anything
        self.kinds = nn.Conv2D(32, 3, 3, padding=1, bias_attr=rare)
        self.edges = nn.Conv2D(32, 4, 3, padding=1)

    def forward(self, picture):
        """Logits of the kinds [batch, GRID, GRID, 3], distances [batch, GRID, GRID, 4] in strides."""
        seen = self.backbone(picture)
        edges = F.softplus(self.edges(seen) + 1.5)
        return self.kinds(seen).transpose([0, 2, 3, 1]), edges.transpose([0, 2, 3, 1])

    def detect(self, picture):
        """Of one picture [1, 3, SIZE, SIZE]: boxes [found, 4] in pixels, their kinds and scores [found], the surest first."""
        logits, edges = self.forward(picture)
        scores = F.sigmoid(logits).reshape([-1, 3])
        best, kinds = scores.max(-1), scores.argmax(-1)
        middle = (paddle.arange(GRID, dtype="float32") + 0.5) * STRIDE
        y, x = paddle.meshgrid(middle, middle)
        left, top, right, bottom = paddle.unstack(edges.reshape([-1, 4]) * STRIDE, axis=-1)
        x, y = x.flatten(), y.flatten()
        boxes = paddle.stack([x - left, y - top, x + right, y + bottom], axis=-1)
        sure = paddle.nonzero(best > 0.3).squeeze(-1)
        boxes, kinds, best = boxes[sure], kinds[sure], best[sure]
        apart = boxes + 2.0 * SIZE * kinds.astype("float32").unsqueeze(-1)  # boxes of different kinds hide none of each other
        kept = nms(apart, 0.4, best)
        return boxes[kept], kinds[kept], best[kept]


def loss_of(logits, edges, said, right_edges):
    """The focal loss of the kinds, and minus the logarithm of the overlap where there is a shape."""
    there = said.sum(-1)
    count = paddle.clip(there.sum(), min=1.0)
    focal = F.sigmoid_focal_loss(logits, said, normalizer=count)
    wide = paddle.minimum(edges, right_edges)
    common = (wide[..., 0] + wide[..., 2]) * (wide[..., 1] + wide[..., 3])
    area, right_area = ((e[..., 0] + e[..., 2]) * (e[..., 1] + e[..., 3]) for e in (edges, right_edges))
    return focal - (paddle.log(common / (area + right_area - common)) * there).sum() / count


def train(net, scenes: list, steps: int, batch: int = 16) -> list[float]:
    """The losses of ``steps`` steps."""
    pictures = np.stack([picture for picture, _, _ in scenes])
    said, edges = (np.stack(part) for part in zip(*(targets(*rest) for _, *rest in scenes), strict=True))
    rate = paddle.optimizer.lr.CosineAnnealingDecay(0.005, T_max=steps)
    optimizer = paddle.optimizer.AdamW(rate, parameters=net.parameters())
    order = np.random.RandomState(0)
    net.train()
    losses = []
    for _ in range(steps):
        chosen = order.randint(0, len(scenes), batch)
        outs = net(paddle.to_tensor(pictures[chosen]))
        loss = loss_of(*outs, paddle.to_tensor(said[chosen]), paddle.to_tensor(edges[chosen]))
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        rate.step()
        losses.append(float(loss))
    return losses


def found(detect, scenes: list) -> list[tuple[np.ndarray, ...]]:
    with paddle.no_grad():
        return [tuple(out.numpy() for out in detect(paddle.to_tensor(picture[None]))) for picture, _, _ in scenes]


def counted(results: list, scenes: list) -> np.ndarray:
    """For each kind: shapes, boxes, and boxes that are right (overlap of a half or more with a shape of that kind)."""
    table = np.zeros([len(KINDS), 3], int)
    for (boxes, kinds, _), (_, true_boxes, true_kinds) in zip(results, scenes, strict=True):
        for kind in range(len(KINDS)):
            mine, theirs = boxes[kinds == kind], true_boxes[true_kinds == kind]
            both = overlap(mine[:, None], theirs[None]) if len(mine) and len(theirs) else np.zeros([1, 1])
            table[kind] += [len(theirs), len(mine), int((both.max(0) >= 0.5).sum())]
    return table


def draw(path: Path, scenes: list, results: list, scale: int = 4) -> None:
    """Pictures with the boxes that were found."""
    sheet = Image.new("RGB", (4 * (SIZE * scale + 4), len(scenes) // 4 * (SIZE * scale + 4)), "white")
    for i, ((pixels, _, _), (boxes, kinds, scores)) in enumerate(zip(scenes, results, strict=True)):
        large = Image.fromarray((255 * pixels.transpose(1, 2, 0)).astype("uint8")).resize((SIZE * scale, SIZE * scale))
        pen = ImageDraw.Draw(large)
        for (left, top, right, bottom), kind, score in zip(scale * boxes, kinds, scores, strict=True):
            pen.rectangle([left, top, right, bottom], outline="white")
            pen.text((left + 2, top - 11), f"{KINDS[kind]} {score:.2f}", fill="white")
        sheet.paste(large, (i % 4 * (SIZE * scale + 4), i // 4 * (SIZE * scale + 4)))
    sheet.save(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=500, help="batches of 16 pictures to learn from (default 500)")
    parser.add_argument("--output", type=Path, default=Path("out/detection"), help="directory to write to")
    args = parser.parse_args()
    args.output.mkdir(parents=True, exist_ok=True)

    rng = np.random.default_rng(0)
    scenes, tests = ([scene(rng) for _ in range(count)] for count in (min(2000, 16 * args.steps), 200))
    paddle.seed(0)
    net = Detector()
    net.forward = paddle.jit.to_static(net.forward)
    losses = train(net, scenes, args.steps)
    print(f"loss {np.mean(losses[:3]):.3f} -> {np.mean(losses[-10:]):.3f} in {args.steps} steps")

    net.eval()
    spec = [InputSpec([1, 3, SIZE, SIZE], "float32", "picture")]
    net.detect = paddle.jit.to_static(net.detect, input_spec=spec, full_graph=True)
    results = found(net.detect, tests)
    table = counted(results, tests)
    print(f"\n{'':10}{'shapes':>8}{'boxes':>8}{'right':>8}{'recall':>8}{'precision':>11}")
    for name, (shapes, boxes, right) in zip([*KINDS, "all"], [*table, table.sum(0)], strict=True):
        print(f"{name:10}{shapes:8}{boxes:8}{right:8}{right / shapes:8.1%}{right / max(boxes, 1):11.1%}")

    prefix = str(args.output / "detector")
    paddle.jit.save(net.detect, prefix)
    again = found(paddle.jit.load(prefix), tests)
    draw(args.output / "boxes.png", tests[:8], again[:8])
    pairs = [pair for one, other in zip(results, again, strict=True) for pair in zip(one, other, strict=True)]
    same = all(a.shape == b.shape and np.allclose(a, b, atol=1e-4) for a, b in pairs)
    print(f"\nsaved {prefix}.pdmodel and drew {args.output / 'boxes.png'}; loaded, it finds the same: {same}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
