"""Paddle's MNIST tutorial, with one line changed: ``import to_static as paddle``.

A single linear layer learns handwritten digits; its parameters are saved and loaded; then it becomes a static Program
in files that both to_static and PaddlePaddle read.

    python samples/mnist_tutorial.py            download MNIST, or use a local copy, or the digits set when offline
    python samples/mnist_tutorial.py --images train-images.gz --labels train-labels.gz \\
        --test-images t10k-images.gz --test-labels t10k-labels.gz    read MNIST from these files
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import to_static as paddle
from to_static.vision.transforms import Compose, Normalize, ToTensor

BATCH_SIZE = 64


class LinearNet(paddle.nn.Layer):
    """One score per digit, each a weighted sum of the pixels."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = paddle.nn.Linear(784, 10)

    @paddle.jit.to_static
    def forward(self, x):
        return self.fc(x)


def train(net, loader, epochs: int) -> None:
    loss_fn = paddle.nn.CrossEntropyLoss()
    sgd = paddle.optimizer.SGD(learning_rate=0.01, parameters=net.parameters())
    for epoch in range(epochs):
        total = 0.0
        for images, labels in loader:
            x = paddle.reshape(images, [-1, 784])
            loss = loss_fn(net(x), labels)
            loss.backward()
            sgd.step()
            sgd.clear_grad()
            total += float(loss)
        print(f"epoch {epoch}: loss {total / len(loader):.4f}")


def test(net, loader) -> float:
    """Share of the images that ``net`` reads right."""
    right = total = 0
    for images, labels in loader:
        scores = net(paddle.reshape(images, [-1, 784]))
        guesses = paddle.argmax(scores, axis=1)
        right += int((guesses == labels.flatten()).astype("int64").sum())
        total += len(labels)
    return right / total


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--images", help="IDX file of training images (default: download)")
    parser.add_argument("--labels", help="IDX file of training labels (default: download)")
    parser.add_argument("--test-images", help="IDX file of test images (default: download)")
    parser.add_argument("--test-labels", help="IDX file of test labels (default: download)")
    parser.add_argument("--epochs", type=int, default=5, help="passes over the training set (default 5)")
    parser.add_argument("--no-download", action="store_true", help="do not try to download")
    parser.add_argument("--output", type=Path, help="directory to keep the saved files in (default: a temporary one)")
    args = parser.parse_args()

    # 1. Data: uint8 images become float32 in [-1, 1]
    transform = Compose([ToTensor(), Normalize(mean=[0.5], std=[0.5])])
    options = {"transform": transform, "download": not args.no_download, "fallback": "digits"}
    train_set = paddle.vision.datasets.MNIST(args.images, args.labels, mode="train", **options)
    test_set = paddle.vision.datasets.MNIST(args.test_images, args.test_labels, mode="test", **options)
    print(f"{len(train_set)} images to learn from, {len(test_set)} to be tested with")
    paddle.seed(0)
    train_loader = paddle.io.DataLoader(train_set, batch_size=BATCH_SIZE, shuffle=True, drop_last=True, num_workers=2)
    test_loader = paddle.io.DataLoader(test_set, batch_size=BATCH_SIZE)

    # 2. Train
    net = LinearNet()
    train(net, train_loader, args.epochs)
    net.eval()
    accuracy = test(net, test_loader)
    print(f"accuracy {accuracy:.1%}")

    with tempfile.TemporaryDirectory() as temporary:
        output = args.output or Path(temporary)
        output.mkdir(parents=True, exist_ok=True)

        # 3. Save the parameters, and load them into a new network
        paddle.save(net.state_dict(), str(output / "linear.pdparams"))
        copy = LinearNet()
        copy.set_state_dict(paddle.load(str(output / "linear.pdparams")))
        copy.eval()
        print(f"accuracy with the parameters loaded again {test(copy, test_loader):.1%}")

        # 4. Save as a static Program, and load that: no Python class is needed any more
        prefix = str(output / "linear")
        paddle.jit.save(copy, prefix, input_spec=[paddle.static.InputSpec([None, 784], "float32")])
        loaded = paddle.jit.load(prefix)
        loaded.eval()
        images, labels = next(iter(test_loader))
        guesses = paddle.argmax(loaded(paddle.reshape(images, [-1, 784])), axis=1)
        print(f"the saved model reads {guesses[:10].tolist()}")
        print(f"the labels are        {labels[:10].flatten().tolist()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
