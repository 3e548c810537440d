"""A variational autoencoder: drawn digits become places in a plane, and every place of the plane becomes a digit.

An encoder says where in the plane a picture may lie (a normal distribution), a decoder draws a picture of a place in
it (Kingma and Welling, 2014). The loss is what is drawn wrongly, and how far the places are from a standard normal
distribution: that of `distribution.kl_divergence`, with `rsample` for gradients through the draw. The picture is a
map: what the saved decoder draws at the places of a grid.

    python samples/vae.py               train, save and draw to out/vae
    python samples/vae.py --steps 100   a shorter training
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

import to_static as paddle
import to_static.nn.functional as F
from to_static import nn
from to_static.distribution import Normal, kl_divergence
from to_static.static import InputSpec

SIZE = 16


def digits(count: int, rng) -> tuple[np.ndarray, np.ndarray]:
    """Pictures of digits [count, SIZE * SIZE] from 0 to 1, and what they show: of any size, turned and moved a little."""
    font = ImageFont.load_default(60)
    labels = rng.integers(10, size=count)
    pictures = np.zeros([count, SIZE, SIZE], "float32")
    for row, label in zip(pictures, labels, strict=True):
        left, top, right, bottom = font.getbbox(str(label))
        small = Image.new("L", (int(right - left), int(bottom - top)))
        ImageDraw.Draw(small).text((-left, -top), str(label), fill=255, font=font)
        large = small.resize((int(rng.integers(34, 44)), int(rng.integers(48, 56))), Image.Resampling.BICUBIC)
        canvas = Image.new("L", (4 * SIZE, 4 * SIZE))
        canvas.paste(large, tuple(int(32 - side // 2 + rng.integers(-3, 4)) for side in large.size))
        turned = canvas.rotate(rng.uniform(-15, 15), Image.Resampling.BICUBIC)
        row[:] = np.asarray(turned.resize((SIZE, SIZE), Image.Resampling.BOX)) / 255
    return pictures.reshape(count, -1), labels


class Encoder(nn.Layer):
    """The middle and the spread of where pictures may lie: two tensors [batch, 2]."""

    def __init__(self, width: int = 128) -> None:
        super().__init__()
        self.see = nn.Sequential(nn.Linear(SIZE * SIZE, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.middle, self.spread = nn.Linear(width, 2), nn.Linear(width, 2)

    def forward(self, picture):
        seen = self.see(picture)
        return self.middle(seen), F.softplus(self.spread(seen)) + 1e-3


class VAE(nn.Layer):
    def __init__(self, width: int = 128) -> None:
        super().__init__()
        self.encoder = Encoder(width)
        self.decoder = nn.Sequential(
            nn.Linear(2, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, SIZE * SIZE)
        )

    def forward(self, picture):
        """What the picture costs in nats: wrong pixels, and distance from the standard normal distribution."""
        places = Normal(*self.encoder(picture))
        drawn = self.decoder(places.rsample())
        wrong = F.binary_cross_entropy_with_logits(drawn, picture, reduction="none").sum(-1).mean()
        away = kl_divergence(places, Normal(0.0, 1.0)).sum(-1).mean()
        return wrong, away


class Drawing(nn.Layer):
    """What is saved: places [count, 2] to pictures [count, SIZE, SIZE]."""

    def __init__(self, decoder) -> None:
        super().__init__()
        self.decoder = decoder

    def forward(self, place):
        return F.sigmoid(self.decoder(place)).reshape([-1, SIZE, SIZE])


def train(vae, pictures: np.ndarray, steps: int, batch: int = 64) -> list[tuple[float, float]]:
    """Both parts of the losses of ``steps`` steps."""
    rate = paddle.optimizer.lr.CosineAnnealingDecay(0.003, T_max=steps)
    optimizer = paddle.optimizer.Adam(rate, parameters=vae.parameters())
    order = np.random.RandomState(0)
    losses = []
    for _ in range(steps):
        wrong, away = vae(paddle.to_tensor(pictures[order.randint(0, len(pictures), batch)]))
        (wrong + away).backward()
        optimizer.step()
        optimizer.clear_grad()
        rate.step()
        losses.append((float(wrong), float(away)))
    return losses


def quantiles(count: int) -> np.ndarray:
    """Numbers that divide a standard normal distribution into ``count`` equal parts, in the middle of each."""
    normal = np.sort(np.random.default_rng(3).standard_normal(20001))
    return normal[((np.arange(count) + 0.5) / count * len(normal)).astype(int)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=2500, help="batches of 64 pictures to learn from (default 2500)")
    parser.add_argument("--output", type=Path, default=Path("out/vae"), help="directory to write to")
    args = parser.parse_args()
    args.output.mkdir(parents=True, exist_ok=True)

    pictures, labels = digits(3000, np.random.default_rng(0))
    paddle.seed(0)
    vae = VAE()
    vae.forward = paddle.jit.to_static(vae.forward)
    losses = train(vae, pictures, args.steps)
    (wrong, away), (wrong2, away2) = np.mean(losses[:5], 0), np.mean(losses[-20:], 0)
    print(f"nats for a picture: {wrong:.1f} wrong + {away:.1f} away -> {wrong2:.1f} wrong + {away2:.1f} away")

    vae.eval()
    with paddle.no_grad():
        places = vae.encoder(paddle.to_tensor(pictures))[0].numpy()
    nearest = np.linalg.norm(places[:500, None] - places[None, 500:], axis=-1).argmin(1)
    print(f"{np.mean(labels[:500] == labels[500:][nearest]):.0%} of the pictures lie beside one of the same digit "
          "(by chance 10%), though nobody told which digit is which")  # fmt: skip

    prefix = str(args.output / "drawing")
    drawing = Drawing(vae.decoder)
    paddle.jit.save(drawing, prefix, input_spec=[InputSpec([None, 2], "float32", "place")])
    loaded = paddle.jit.load(prefix)
    side = 16
    grid = np.stack(np.meshgrid(quantiles(side), quantiles(side)), -1).reshape(-1, 2).astype("float32")
    drawn = loaded(paddle.to_tensor(grid)).numpy()
    sheet = 1 - drawn.reshape(side, side, SIZE, SIZE).transpose(0, 2, 1, 3).reshape(side * SIZE, side * SIZE)
    Image.fromarray((255 * sheet).astype("uint8")).resize((2 * side * SIZE, 2 * side * SIZE)).save(args.output / "map.png")
    same = np.allclose(drawn, drawing(paddle.to_tensor(grid)).numpy(), atol=1e-5)

    print("\none row of the map:")
    row = drawn[(side // 2) * side : (side // 2 + 1) * side : 3]
    for y in range(0, SIZE, 2):
        print("  ".join("".join(" .:*#"[min(4, int(5 * v))] for v in image[y : y + 2].mean(0)) for image in row))
    print(f"saved {prefix}.pdmodel and drew {args.output / 'map.png'}; loaded, it draws the same: {same}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
