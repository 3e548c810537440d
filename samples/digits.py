"""Train a network with a loop and a branch that depend on the data, save it as a static Program, and use it elsewhere.

The network looks at a batch of handwritten digits again and again until it is sure enough: a ``while`` whose condition
is a tensor. Images that come as raw ink counts (0 to 16) instead of shares (0 to 1) are scaled first: an ``if`` on
a tensor. ``@to_static`` turns both into operators of one Program, in which the network is trained, saved as
``digits.pdmodel`` and ``digits.pdiparams``, and read again by a fresh process that knows nothing of this class.

    python samples/digits.py                    train, save, then predict in a fresh process
    python samples/digits.py --show-code        also print what @to_static made of forward()
    python samples/digits.py --predict PREFIX   only load a saved model and predict
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from tqdm import tqdm

import to_static as paddle
import to_static.nn.functional as F
from to_static import nn
from to_static.io import DataLoader
from to_static.jit import to_static
from to_static.static import InputSpec
from to_static.vision.datasets import Digits

BATCH = 32
MOST_LOOKS = 4  # more looks than this teach the network nothing new


class PatientReader(nn.Layer):
    """Guesses the digit; while it is not sure, it thinks once more about what it saw."""

    def __init__(self, hidden: int = 128) -> None:
        super().__init__()
        self.see = nn.Linear(64, hidden)
        self.think = nn.Linear(hidden, hidden)
        self.tell = nn.Linear(hidden, 10)

    def certainty(self, h):
        """Probability that the network gives its best guess, averaged over the batch."""
        return F.softmax(self.tell(h)).max(axis=-1).mean()

    @to_static
    def forward(self, image):
        if image.max() > 1.0:  # ink counts, not shares
            image = image / 16.0
        h = F.relu(self.see(image))
        looks = paddle.full([], 1, "int64")
        while looks < MOST_LOOKS and self.certainty(h) < 0.95:
            h = h + F.relu(self.think(h))
            looks = looks + 1
        return self.tell(h), looks


def pixels(image: np.ndarray) -> np.ndarray:
    """A row of 64 shares of ink between 0 and 1."""
    return image.reshape(64).astype("float32") / np.float32(255)


def accuracy_of(net, dataset: Digits) -> float:
    """Share of the digits that ``net`` reads right."""
    right = 0
    for images, labels in DataLoader(dataset, batch_size=BATCH):
        scores, _ = net(images)
        right += int((scores.argmax(axis=-1, keepdim=True) == labels).sum())
    return right / len(dataset)


def train(epochs: int, seed: int) -> PatientReader:
    """A network trained on 1498 digits."""
    paddle.seed(seed)
    np.random.seed(seed)  # the order of the batches
    net = PatientReader()
    rate = paddle.optimizer.lr.CosineAnnealingDecay(0.003, T_max=epochs)
    optimizer = paddle.optimizer.Adam(learning_rate=rate, parameters=net.parameters())
    loader = DataLoader(Digits("train", transform=pixels), batch_size=BATCH, shuffle=True, drop_last=True)
    with tqdm(total=epochs * len(loader), unit="batch", desc="training") as bar:
        for _ in range(epochs):
            for images, labels in loader:
                scores, looks = net(images)
                loss = F.cross_entropy(scores, labels)
                loss.backward()
                optimizer.step()
                optimizer.clear_grad()
                bar.set_postfix(loss=f"{float(loss):.4f}", looks=int(looks), refresh=False)
                bar.update()
            rate.step()
    return net


def predict(prefix: str, picture: Path) -> float:
    """Load a saved model, read the test digits with it and draw some of them."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    net = paddle.jit.load(prefix)
    net.eval()
    test = Digits("test", transform=pixels)
    accuracy = accuracy_of(net, test)

    figure, axes = plt.subplots(4, 8, figsize=(8, 5))
    for axis, index in zip(axes.flat, range(0, len(test), len(test) // 32), strict=False):
        image, label = test[index]
        scores, looks = net(paddle.to_tensor(image[None]))
        guess = int(scores.argmax())
        axis.imshow(image.reshape(8, 8), cmap="gray_r")
        axis.set_title(f"{guess} ({int(looks)})", color="black" if guess == label else "red", fontsize=9)
        axis.axis("off")
    figure.suptitle("prediction (looks it took); red: wrong")
    figure.tight_layout()
    figure.savefig(picture, dpi=100)
    return accuracy


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--epochs", type=int, default=20, help="passes over the training set (default 20)")
    parser.add_argument("--seed", type=int, default=0, help="of weights and batches (default 0)")
    parser.add_argument(
        "--output", type=Path, default=Path("out/digits"), help="directory to write to (default out/digits)"
    )
    parser.add_argument("--show-code", action="store_true", help="print what @to_static made of forward()")
    parser.add_argument("--predict", metavar="PREFIX", help="only load the model PREFIX.pdmodel and predict")
    args = parser.parse_args()

    if args.predict:
        picture = Path(args.predict).with_name("predictions.png")
        print(f"process 2: {predict(args.predict, picture):.1%} of the test digits are read right by the loaded model")
        print(f"process 2: wrote {picture}")
        return 0

    start = time.perf_counter()
    net = train(args.epochs, args.seed)
    net.eval()
    accuracy = accuracy_of(net, Digits("test", transform=pixels))
    print(f"process 1: {accuracy:.1%} of the test digits are read right after {time.perf_counter() - start:.1f} s")
    if args.show_code:
        print(net.forward.code)

    prefix = args.output / "digits"
    args.output.mkdir(parents=True, exist_ok=True)
    paddle.jit.save(net, str(prefix), input_spec=[InputSpec([None, 64], "float32", "image")])
    print("process 1: wrote " + ", ".join(str(path) for path in sorted(args.output.glob("digits.pd*"))))
    subprocess.run([sys.executable, __file__, "--predict", str(prefix)], check=True)
    return 0 if accuracy > 0.95 else 1


if __name__ == "__main__":
    sys.exit(main())
