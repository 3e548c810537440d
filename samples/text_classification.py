"""Is a remark friendly? An LSTM and a Transformer learn what a bag of words can't: "not good", "bad food but lovely staff".

Remarks are made by a small grammar. A word in front of an adjective may turn it around ("not", "never", "hardly"),
and of two halves joined by "but" the second one counts, while "although" makes it the other half. So the same words
in another order mean the opposite. Three networks read the same remarks: the average of word vectors, a bidirectional
LSTM that is told the lengths, and a Transformer encoder with a mask. The two that know about order are saved with any
number of words and loaded again.

    python samples/text_classification.py            train, compare, save to out/text_classification
    python samples/text_classification.py --steps 60 a shorter training
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

import to_static as paddle
import to_static.nn.functional as F
from to_static import nn
from to_static.static import InputSpec

THINGS = ["food", "staff", "room", "music", "service", "price", "coffee", "garden"]
GOOD = ["good", "great", "lovely", "pleasant", "fine", "friendly"]
BAD = ["bad", "awful", "poor", "dull", "rude", "dirty"]
TURNS = ["not", "never", "hardly"]
DEGREES = ["very", "really", "quite"]
WORDS = ["<pad>", "the", "was", "but", "although", ",", *THINGS, *GOOD, *BAD, *TURNS, *DEGREES]
NUMBER = {word: i for i, word in enumerate(WORDS)}
LONGEST = 16
SHOWN = [
    "the food was good",
    "the food was not good",
    "the food was hardly bad",
    "the room was dirty but the staff was friendly",
    "the staff was friendly but the room was dirty",
    "although the room was dirty , the staff was friendly",
    "the staff was friendly although the room was dirty",
    "the price was not great but the garden was never dull",
]


def half(rng) -> tuple[list[str], int]:
    """A statement about a thing, and whether it is a friendly one."""
    friendly = int(rng.integers(2))
    words = ["the", str(rng.choice(THINGS)), "was"]
    turned = int(rng.random() < 0.4)
    if turned:
        words.append(str(rng.choice(TURNS)))
    if rng.random() < 0.3:
        words.append(str(rng.choice(DEGREES)))
    return [*words, str(rng.choice(GOOD if friendly != turned else BAD))], friendly


def remark(rng) -> tuple[list[str], int]:
    """A remark, and 1 when it is friendly."""
    first, label = half(rng)
    kind = rng.integers(4)
    if kind == 0:
        return first, label
    second, other = half(rng)
    if kind == 1:
        return [*first, "but", *second], other
    if kind == 2:
        return ["although", *first, ",", *second], other
    return [*first, "although", *second], label


def numbers(remarks: list[list[str]]) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of words [remarks, LONGEST], 0 where a remark has ended, and lengths."""
    rows = np.zeros([len(remarks), LONGEST], "int64")
    for row, words in zip(rows, remarks, strict=True):
        row[: len(words)] = [NUMBER[word] for word in words]
    return rows, np.array([len(words) for words in remarks], "int64")


class BagOfWords(nn.Layer):
    """The average of the vectors of the words: knows which words are there, not where."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.vectors = nn.Embedding(len(WORDS), width)
        self.judge = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 2))

    def forward(self, words, lengths):
        there = (words != 0).astype("float32").unsqueeze(-1)
        return self.judge((self.vectors(words) * there).sum(1) / lengths.astype("float32").unsqueeze(-1))


class Reader(nn.Layer):
    """A bidirectional LSTM; its last state in either direction is judged."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.vectors = nn.Embedding(len(WORDS), width)
        self.read = nn.LSTM(width, width, direction="bidirect")
        self.judge = nn.Linear(2 * width, 2)

    def forward(self, words, lengths):
        _, (last, _) = self.read(self.vectors(words), sequence_length=lengths)
        return self.judge(paddle.concat([last[0], last[1]], axis=-1))


class Attentive(nn.Layer):
    """A Transformer encoder of two layers over words and their places; the average of what it makes of the words is judged."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.vectors = nn.Embedding(len(WORDS), width)
        self.places = nn.Embedding(LONGEST, width)
        layer = nn.TransformerEncoderLayer(width, nhead=4, dim_feedforward=2 * width, dropout=0.1)
        self.encoder = nn.TransformerEncoder(layer, num_layers=2)
        self.judge = nn.Linear(width, 2)

    def forward(self, words, lengths):
        there = (words != 0).astype("float32")
        places = paddle.arange(words.shape[1])
        seen = self.vectors(words) + self.places(places)
        seen = self.encoder(seen, (there - 1.0).unsqueeze([1, 2]) * 1e9)
        return self.judge((seen * there.unsqueeze(-1)).sum(1) / lengths.astype("float32").unsqueeze(-1))


def train(net, data, steps: int, batch: int = 64, rate: float = 0.006) -> list[float]:
    """The losses of ``steps`` steps."""
    words, lengths, labels = data
    optimizer = paddle.optimizer.AdamW(rate, parameters=net.parameters(), grad_clip=nn.ClipGradByGlobalNorm(1.0))
    order = np.random.RandomState(0)
    net.train()
    losses = []
    for _ in range(steps):
        chosen = order.randint(0, len(words), batch)
        scores = net(paddle.to_tensor(words[chosen]), paddle.to_tensor(lengths[chosen]))
        loss = F.cross_entropy(scores, paddle.to_tensor(labels[chosen]))
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    return losses


def friendly(net, words, lengths) -> np.ndarray:
    """The probability that each remark is friendly."""
    net.eval()
    with paddle.no_grad():
        return F.softmax(net(paddle.to_tensor(words), paddle.to_tensor(lengths)))[:, 1].numpy()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=400, help="batches of 64 remarks to learn from (default 400)")
    parser.add_argument("--output", type=Path, default=Path("out/text_classification"), help="directory to write to")
    args = parser.parse_args()

    rng = np.random.default_rng(0)
    remarks, labels = zip(*(remark(rng) for _ in range(5000)), strict=True)
    words, lengths = numbers(list(remarks))
    labels = np.array(labels, "int64")
    known = {" ".join(r) for r in remarks[:4000]}
    unseen = [i for i in range(4000, 5000) if " ".join(remarks[i]) not in known]
    print(f"4000 remarks to learn from, {len(unseen)} others to be tested with, {len(WORDS)} words")

    paddle.seed(0)
    nets = {"bag of words": BagOfWords(), "LSTM": Reader(), "Transformer": Attentive()}
    shares, answers = {}, {}
    shown = numbers([text.split() for text in SHOWN])
    for name, net in nets.items():
        net.forward = paddle.jit.to_static(net.forward)
        losses = train(net, (words[:4000], lengths[:4000], labels[:4000]), args.steps)
        right = (friendly(net, words[unseen], lengths[unseen]) > 0.5) == labels[unseen]
        shares[name] = right.mean()
        answers[name] = friendly(net, *shown)
        print(f"{name:12}  loss {np.mean(losses[:5]):.3f} -> {np.mean(losses[-5:]):.3f}   right {shares[name]:.1%}")

    print(f"\nfriendly, says the{'bag':>44}{'LSTM':>8}{'Transformer':>13}")
    for i, text in enumerate(SHOWN):
        print(f"{text:58}" + "{:4.2f}    {:4.2f}       {:4.2f}".format(*(answers[name][i] for name in nets)))

    spec = [InputSpec([None, None], "int64", "words"), InputSpec([None], "int64", "lengths")]
    for name in ("LSTM", "Transformer"):
        prefix = str(args.output / name.lower())
        paddle.jit.save(nets[name], prefix, input_spec=spec)
        again = friendly(paddle.jit.load(prefix), *shown)
        difference = float(np.abs(again - answers[name]).max())
        print(f"saved {prefix}.pdmodel; loaded, it differs by {difference:.1g}")
        if difference > 1e-5:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
