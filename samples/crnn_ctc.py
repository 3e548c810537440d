"""CRNN with CTC: a line of drawn digits is read without being told where one digit ends and the next begins.

Convolutions make a sequence of columns of a picture, a bidirectional LSTM reads them in both directions, and every
column says a digit or nothing (Shi et al., 2015). `CTCLoss` counts every way to say the digits of the label, with as
many columns for each as it likes (Graves et al., 2006). Pictures are drawn with Pillow: three to six digits of
different size, angle and distance, with noise. The saved network takes lines of any length; the picture shows some,
and what it read.

    python samples/crnn_ctc.py               train, save and draw to out/crnn_ctc
    python samples/crnn_ctc.py --steps 60    a shorter training
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

import to_static as paddle
from to_static import nn
from to_static.static import InputSpec

HEIGHT, WIDTH = 16, 80
NOTHING = 0  # the blank of CTC; digit d is class d + 1
MOST = 6


def glyphs() -> list[Image.Image]:
    """Large pictures of the ten digits."""
    font, pictures = ImageFont.load_default(40), []
    for digit in "0123456789":
        left, top, right, bottom = font.getbbox(digit)
        pictures.append(Image.new("L", (int(right - left) + 8, int(bottom - top) + 8)))
        ImageDraw.Draw(pictures[-1]).text((4 - left, 4 - top), digit, fill=255, font=font)
    return pictures


def line(digits: list[int], shapes: list[Image.Image], rng) -> np.ndarray:
    """A picture of the digits, [HEIGHT, WIDTH] from 0 to 1."""
    canvas, x = np.zeros([HEIGHT, WIDTH], "float32"), int(rng.integers(0, 6))
    for digit in digits:
        turned = shapes[digit].rotate(rng.uniform(-12, 12), Image.Resampling.BILINEAR)
        height = int(rng.integers(11, 15))
        width = min(int(height * rng.uniform(0.6, 0.8)), WIDTH - x)
        small = np.asarray(turned.resize((width, height), Image.Resampling.BOX), "float32") / 255
        y = int(rng.integers(0, HEIGHT - height + 1))
        canvas[y : y + height, x : x + width] = np.maximum(canvas[y : y + height, x : x + width], small)
        x += width + int(rng.integers(1, 5))
    return np.clip(canvas + rng.normal(0, 0.12, canvas.shape), 0, 1).astype("float32")


def lines(count: int, seed: int) -> tuple[np.ndarray, list[list[int]]]:
    """Pictures [count, 1, HEIGHT, WIDTH] and the digits of each."""
    rng, shapes = np.random.default_rng(seed), glyphs()
    labels = [rng.integers(10, size=rng.integers(3, MOST + 1)).tolist() for _ in range(count)]
    return np.stack([line(digits, shapes, rng) for digits in labels])[:, None], labels


class CRNN(nn.Layer):
    """Pictures [batch, 1, HEIGHT, width] to scores of 11 classes for each of their width / 4 columns: [columns, batch, 11]."""

    def __init__(self, width: int = 48) -> None:
        super().__init__()
        self.see = nn.Sequential(
            nn.Conv2D(1, 12, 3, padding=1), nn.ReLU(), nn.MaxPool2D(2),
            nn.Conv2D(12, 24, 3, padding=1), nn.BatchNorm2D(24), nn.ReLU(), nn.MaxPool2D(2),
            nn.Conv2D(24, 48, (4, 3), padding=(0, 1)), nn.ReLU(),
        )  # fmt: skip
        self.read = nn.LSTM(48, width, direction="bidirect", time_major=True)
        self.say = nn.Linear(2 * width, 11)

    def forward(self, picture):
        columns = self.see(picture).squeeze(2).transpose([2, 0, 1])
        out, _ = self.read(columns)
        return self.say(out)


def train(net, pictures: np.ndarray, labels: list[list[int]], steps: int, batch: int = 32) -> list[float]:
    """The losses of ``steps`` steps."""
    rate = paddle.optimizer.lr.CosineAnnealingDecay(0.006, T_max=steps)
    optimizer = paddle.optimizer.Adam(rate, parameters=net.parameters(), grad_clip=nn.ClipGradByGlobalNorm(5.0))
    loss_of = nn.CTCLoss(blank=NOTHING)
    padded = np.array([[d + 1 for d in digits] + [NOTHING] * (MOST - len(digits)) for digits in labels], "int32")
    lengths = np.array([len(digits) for digits in labels], "int64")
    order = np.random.RandomState(0)
    net.train()
    losses = []
    for _ in range(steps):
        chosen = order.randint(0, len(pictures), batch)
        scores = net(paddle.to_tensor(pictures[chosen]))
        columns = paddle.full([batch], scores.shape[0], "int64")
        loss = loss_of(scores, paddle.to_tensor(padded[chosen]), columns, paddle.to_tensor(lengths[chosen]))
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        rate.step()
        losses.append(float(loss))
    return losses


def read(net, pictures: np.ndarray) -> tuple[list[list[int]], np.ndarray]:
    """The digits: the best class of each column, repetitions and nothing left out; and the best classes [batch, columns]."""
    net.eval()
    with paddle.no_grad():
        best = net(paddle.to_tensor(pictures)).argmax(-1).numpy().T
    before = np.pad(best[:, :-1], [(0, 0), (1, 0)], constant_values=NOTHING)
    return [[int(c) - 1 for c in row[(row != NOTHING) & (row != last)]] for row, last in zip(best, before, strict=True)], best


def mistakes(said: list[int], meant: list[int]) -> int:
    """How many digits must be put in, left out or exchanged (Levenshtein's distance)."""
    row = list(range(len(meant) + 1))
    for i, a in enumerate(said, 1):
        row, above = [i], row
        for j, b in enumerate(meant, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (a != b)))
    return row[-1]


def draw(path: Path, pictures: np.ndarray, said: list[list[int]], meant: list[list[int]]) -> None:
    """Lines, and beside them what was read; red where that is wrong."""
    sheet = Image.new("RGB", (3 * WIDTH, 24 * len(said)), "white")
    for i, picture in enumerate(pictures):
        sheet.paste(Image.fromarray((255 * (1 - picture[0])).astype("uint8")), (4, 24 * i + 4))
        text = "".join(map(str, said[i]))
        ImageDraw.Draw(sheet).text((WIDTH + 20, 24 * i + 6), text, fill="black" if said[i] == meant[i] else "red")
    sheet.resize((6 * WIDTH, 48 * len(said))).save(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=700, help="batches of 32 lines to learn from (default 700)")
    parser.add_argument("--output", type=Path, default=Path("out/crnn_ctc"), help="directory to write to")
    args = parser.parse_args()
    args.output.mkdir(parents=True, exist_ok=True)

    paddle.seed(0)
    net = CRNN()
    net.forward = paddle.jit.to_static(net.forward, input_spec=[InputSpec([None, 1, HEIGHT, None], "float32", "picture")])
    losses = train(net, *lines(min(4000, 32 * args.steps), 0), args.steps)
    print(f"loss {np.mean(losses[:3]):.3f} -> {np.mean(losses[-10:]):.3f} in {args.steps} steps")

    pictures, meant = lines(200, 1)
    said, best = read(net, pictures)
    wrong = sum(map(mistakes, said, meant)) / sum(map(len, meant))
    right = np.mean([a == b for a, b in zip(said, meant, strict=True)])
    print(f"{right:.1%} of 200 new lines are read without a mistake, {wrong:.1%} of the digits are wrong\n")
    for picture, columns, digits in zip(pictures[:2], best, said, strict=False):
        for row in picture[0, ::2]:
            print("".join(" .:*#"[min(4, int(5 * v))] for v in row))
        print("".join(f"{'-' if c == NOTHING else c - 1:<4}" for c in columns) + "->  " + "".join(map(str, digits)) + "\n")

    prefix = str(args.output / "reader")
    paddle.jit.save(net, prefix)
    loaded = paddle.jit.load(prefix)
    draw(args.output / "lines.png", pictures[:12], read(loaded, pictures[:12])[0], meant[:12])
    twice = np.concatenate([pictures[:1], pictures[1:2]], axis=-1)
    print(f"two of them beside each other are {''.join(map(str, read(loaded, twice)[0][0]))} to the loaded network")
    same = np.array_equal(read(loaded, pictures)[1], best)
    print(f"saved {prefix}.pdmodel and drew {args.output / 'lines.png'}; loaded, it reads the same: {same}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
