"""A GAN: two networks play against each other until one of them makes points that can't be told from the real ones.

The real points lie around eight places of a ring. The generator makes points of noise, the discriminator says of
points how real they look (Goodfellow et al., 2014); each has its own optimizer, and what a generator's step needs no
gradient for is detached. The picture shows the real points and what the generator made of the same noise as it
learned; the table counts the places that it found, and points that are far from all of them. The generator is saved,
with a number of points that is free.

    python samples/gan.py               train, save and draw to out/gan
    python samples/gan.py --steps 200   a shorter training
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

PLACES = 2.0 * np.stack([np.cos(2 * np.pi * np.arange(8) / 8), np.sin(2 * np.pi * np.arange(8) / 8)], 1)
SPREAD = 0.1
NOISE = 8


def real_points(count: int, rng) -> np.ndarray:
    return (PLACES[rng.integers(8, size=count)] + SPREAD * rng.standard_normal([count, 2])).astype("float32")


def network(inputs: int, outputs: int, width: int = 64) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(inputs, width), nn.LeakyReLU(0.2), nn.Linear(width, width), nn.LeakyReLU(0.2), nn.Linear(width, outputs)
    )


def train(generator, discriminator, steps: int, shown: np.ndarray, batch: int = 128) -> tuple[list, list]:
    """The losses of both, and what the generator made of ``shown`` at some steps."""
    rng = np.random.default_rng(0)
    options = {"learning_rate": 0.001, "beta1": 0.5}
    for_generator = paddle.optimizer.Adam(parameters=generator.parameters(), **options)
    for_discriminator = paddle.optimizer.Adam(parameters=discriminator.parameters(), **options)
    ones, zeros = paddle.ones([batch, 1]), paddle.zeros([batch, 1])
    score = F.binary_cross_entropy_with_logits
    losses, made = [], []
    for step in range(1, steps + 1):
        fake = generator(paddle.to_tensor(rng.standard_normal([batch, NOISE]).astype("float32")))
        real = paddle.to_tensor(real_points(batch, rng))
        told = score(discriminator(real), ones) + score(discriminator(fake.detach()), zeros)
        told.backward()
        for_discriminator.step()
        for_discriminator.clear_grad()

        fooled = score(discriminator(fake), ones)
        fooled.backward()
        for_generator.step()
        for_generator.clear_grad()
        for_discriminator.clear_grad()
        losses.append((float(told), float(fooled)))

        if step in (1, steps // 8, steps // 3, steps):
            with paddle.no_grad():
                made.append((step, generator(paddle.to_tensor(shown)).numpy()))
    return losses, made


def judged(points: np.ndarray) -> tuple[int, float]:
    """How many of the places have points, and the share of the points that are far from all places."""
    far = np.linalg.norm(points[:, None] - PLACES, axis=-1)
    near = far.min(1) < 4 * SPREAD
    counts = np.bincount(far.argmin(1)[near], minlength=8)
    return int((counts > 0.02 * len(points)).sum()), float(1 - near.mean())


def draw(path: Path, groups: list[np.ndarray], size: int = 200) -> None:
    """Groups of points side by side, the real ones first."""
    sheet = Image.new("RGB", (size * len(groups), size), "white")
    pen = ImageDraw.Draw(sheet)
    for i, points in enumerate(groups):
        pen.rectangle([i * size, 0, (i + 1) * size - 1, size - 1], outline="lightgray")
        for x, y in (size / 2 + points * size / 6).tolist():
            if 1 < x < size - 2 and 1 < y < size - 2:
                pen.ellipse([i * size + x - 1, y - 1, i * size + x + 1, y + 1], fill="tomato" if i else "black")
    sheet.save(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=4000, help="steps of training (default 4000)")
    parser.add_argument("--output", type=Path, default=Path("out/gan"), help="directory to write to")
    args = parser.parse_args()
    args.output.mkdir(parents=True, exist_ok=True)

    paddle.seed(0)
    generator, discriminator = network(NOISE, 2), network(2, 1)
    spec = [InputSpec([None, NOISE], "float32", "noise")]
    generator = paddle.jit.to_static(generator, input_spec=spec)
    discriminator = paddle.jit.to_static(discriminator)
    shown = np.random.default_rng(1).standard_normal([1000, NOISE]).astype("float32")
    losses, made = train(generator, discriminator, args.steps, shown)
    print("step   loss of the discriminator, of the generator   places found   far from all places")
    for step, points in made:
        told, fooled = np.mean(losses[max(0, step - 20) : step], axis=0)
        found, far = judged(points)
        print(f"{step:5}{told:22.3f}{fooled:22.3f}{found:16} of 8{far:16.0%}")

    prefix = str(args.output / "generator")
    paddle.jit.save(generator, prefix)
    again = paddle.jit.load(prefix)(paddle.to_tensor(shown)).numpy()
    draw(args.output / "points.png", [real_points(1000, np.random.default_rng(2)), *(points for _, points in made)])
    same = np.allclose(again, made[-1][1], atol=1e-5)
    print(f"saved {prefix}.pdmodel and drew {args.output / 'points.png'}; loaded, it makes the same points: {same}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
