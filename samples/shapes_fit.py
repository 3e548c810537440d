"""Image classification with `paddle.Model`: fit, callbacks, evaluate, predict, save.

Noisy pictures of circles, squares, triangles, crosses and stars, drawn at any place, size and angle, are told apart
by a small convolutional network. The loop is `Model.fit`; callbacks keep the best network, lower the learning rate
when a loss no longer falls, stop early, and one that is written here collects what the table at the end shows.
`summary` and `flops` say how large the network is; `Model.save(training=False)` writes the static Program that is
loaded again.

    python samples/shapes_fit.py                            train, save and draw to out/shapes_fit
    python samples/shapes_fit.py --images 600 --epochs 3    a shorter training
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

import to_static as paddle
from to_static import nn
from to_static.callbacks import Callback, EarlyStopping, ModelCheckpoint, ReduceLROnPlateau
from to_static.io import Dataset
from to_static.static import InputSpec
from to_static.vision import transforms

KINDS = ["circle", "square", "triangle", "cross", "star"]
SIZE = 24


def corners(kind: str, radius: float, angle: float) -> list[tuple[float, float]]:
    """The corners of a shape around the origin."""
    if kind == "circle":
        turns, radii = np.arange(24) / 24, np.ones(24)
    elif kind in ("square", "triangle"):
        count = {"square": 4, "triangle": 3}[kind]
        turns, radii = np.arange(count) / count, np.ones(count)
    elif kind == "star":
        turns, radii = np.arange(10) / 10, np.tile([1.0, 0.45], 5)
    else:  # a cross has twelve corners
        x = np.array([1, 1, 3, 3, 1, 1, -1, -1, -3, -3, -1, -1]) / 3.16
        y = np.array([-3, -1, -1, 1, 1, 3, 3, 1, 1, -1, -1, -3]) / 3.16
        turns, radii = np.arctan2(y, x) / (2 * np.pi), np.hypot(x, y)
    where = 2 * np.pi * turns + angle
    return list(zip(radius * radii * np.cos(where), radius * radii * np.sin(where), strict=True))


def picture(kind: str, rng) -> Image.Image:
    """A shape of one gray on another, with noise."""
    radius = rng.uniform(6, 10)
    x, y = rng.uniform(radius, SIZE - radius, 2)
    back, front = rng.permutation([rng.uniform(0, 90), rng.uniform(160, 255)])
    large = Image.new("L", (4 * SIZE, 4 * SIZE), int(back))
    at = [(4 * (x + dx), 4 * (y + dy)) for dx, dy in corners(kind, radius, rng.uniform(0, 2 * np.pi))]
    ImageDraw.Draw(large).polygon(at, fill=int(front))
    pixels = np.asarray(large.resize((SIZE, SIZE), Image.Resampling.BOX), "float32") + rng.normal(0, 25, (SIZE, SIZE))
    return Image.fromarray(np.clip(pixels, 0, 255).astype("uint8"))


class Shapes(Dataset):
    """``count`` pictures and their kinds."""

    def __init__(self, count: int, seed: int, transform) -> None:
        rng = np.random.default_rng(seed)
        self.kinds = rng.integers(len(KINDS), size=count)
        self.pictures = [picture(KINDS[kind], rng) for kind in self.kinds]
        self.transform = transform

    def __getitem__(self, index):
        return self.transform(self.pictures[index]), self.kinds[index : index + 1].astype("int64")

    def __len__(self):
        return len(self.pictures)


class Network(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        blocks, before = [], 1
        for channels in (12, 24, 32):
            blocks += [nn.Conv2D(before, channels, 3, padding=1, bias_attr=False), nn.BatchNorm2D(channels), nn.ReLU()]
            blocks += [nn.MaxPool2D(2)]
            before = channels
        self.features = nn.Sequential(*blocks)
        self.judge = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(32 * 9, len(KINDS)))

    def forward(self, image):
        return self.judge(self.features(image))


class Diary(Callback):
    """What each epoch ended with, as `fit` tells its callbacks."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def on_epoch_end(self, epoch, logs=None):
        self.lines.append(f"{epoch + 1:5}   {logs['loss'][0]:8.4f}  {logs['acc']:8.1%}")

    def on_eval_end(self, logs=None):
        if self.lines:
            self.lines[-1] += f"   {logs['loss'][0]:8.4f}  {logs['acc']:8.1%}"


def draw(path: Path, data: Shapes, guesses: np.ndarray, most: int = 48) -> None:
    """Test pictures; what is red was taken for something else, which is written below."""
    sheet = Image.new("RGB", (12 * 60, 4 * 70), "white")
    pen = ImageDraw.Draw(sheet)
    wrong = np.flatnonzero(guesses != data.kinds)
    for place, i in enumerate([*wrong[:most], *np.flatnonzero(guesses == data.kinds)[: max(0, most - len(wrong))]]):
        x, y = 60 * (place % 12) + 6, 70 * (place // 12) + 4
        sheet.paste(data.pictures[i].resize((48, 48)), (x, y))
        pen.text((x, y + 50), KINDS[guesses[i]], fill="black" if guesses[i] == data.kinds[i] else "red")
    sheet.save(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--images", type=int, default=2000, help="pictures to learn from (default 2000)")
    parser.add_argument("--epochs", type=int, default=12, help="passes over them at most (default 12)")
    parser.add_argument("--output", type=Path, default=Path("out/shapes_fit"), help="directory to write to")
    args = parser.parse_args()

    paddle.seed(0)
    np.random.seed(0)  # the order of the batches
    random.seed(0)  # which pictures are turned
    plain = [transforms.ToTensor(), transforms.Normalize(mean=[0.5], std=[0.25])]
    turned = [transforms.RandomHorizontalFlip(), transforms.RandomVerticalFlip(), *plain]
    train, test = Shapes(args.images, 1, transforms.Compose(turned)), Shapes(500, 2, transforms.Compose(plain))

    network = Network()
    print(f"{paddle.summary(network, (1, 1, SIZE, SIZE))['total_params']} parameters, "
          f"{paddle.flops(network, [1, 1, SIZE, SIZE]):.0f} FLOPs for a picture")  # fmt: skip
    model = paddle.Model(network, InputSpec([None, 1, SIZE, SIZE], "float32", "image"), InputSpec([None, 1], "int64", "kind"))
    model.prepare(
        paddle.optimizer.Adam(0.004, parameters=network.parameters()), nn.CrossEntropyLoss(), paddle.metric.Accuracy()
    )
    diary = Diary()
    callbacks = [
        diary,
        ModelCheckpoint(save_freq=6, save_dir=str(args.output / "checkpoints")),
        ReduceLROnPlateau("loss", factor=0.3, patience=1, verbose=0),
        EarlyStopping("acc", mode="max", patience=4, verbose=0, save_best_model=True),
    ]
    model.fit(
        train, test, batch_size=50, epochs=args.epochs, save_dir=str(args.output), verbose=0, callbacks=callbacks
    )
    print("epoch      loss   accuracy  test loss  accuracy")
    print("\n".join(diary.lines))

    model.load(str(args.output / "best_model"))  # what EarlyStopping kept
    accuracy = model.evaluate(test, batch_size=100, verbose=0)["acc"]
    scores = model.predict(test, batch_size=100, stack_outputs=True, verbose=0)[0]
    guesses = scores.argmax(-1)
    print(f"\nthe best network reads {accuracy:.1%} of the 500 test pictures right; it calls")
    print("a" + " " * 9 + "".join(f"{kind:>10}" for kind in KINDS))
    for i, kind in enumerate(KINDS):
        print(f"{kind:10}" + "".join(f"{np.sum((test.kinds == i) & (guesses == j)):10}" for j in range(len(KINDS))))
    draw(args.output / "guesses.png", test, guesses)

    prefix = str(args.output / "shapes")
    model.save(prefix, training=False)
    loaded = paddle.jit.load(prefix)
    loaded.eval()
    images = paddle.to_tensor(np.stack([test[i][0] for i in range(100)]))
    same = np.allclose(loaded(images).numpy(), scores[:100], atol=1e-4)
    print(f"saved {prefix}.pdmodel and drew {args.output / 'guesses.png'}; loaded, it gives the same scores: {same}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
