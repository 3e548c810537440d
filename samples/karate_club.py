"""A graph network: who goes with whom when a club splits, from two people of whom it is known.

Zachary's karate club ("An information flow model for conflict and fission in small groups", 1977) has 34 members, and
78 pairs who met outside of it. After a quarrel of its instructor (member 0) and its president (member 33) it split in
two. A graph convolutional network (Kipf and Welling, 2017) is told the side of these two only, and finds the sides of
the others: each layer sends what a member is to those that he knows, by `geometric.send_u_recv`. The saved network
takes any graph, as lists of edges.

    python samples/karate_club.py               train, save and draw to out/karate_club
    python samples/karate_club.py --steps 20    a shorter training
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
from to_static.geometric import send_u_recv
from to_static.static import InputSpec

KNOWS = {
    0: [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 17, 19, 21, 31], 1: [2, 3, 7, 13, 17, 19, 21, 30],
    2: [3, 7, 8, 9, 13, 27, 28, 32], 3: [7, 12, 13], 4: [6, 10], 5: [6, 10, 16], 6: [16], 8: [30, 32, 33], 9: [33],
    13: [33], 14: [32, 33], 15: [32, 33], 18: [32, 33], 19: [33], 20: [32, 33], 22: [32, 33], 23: [25, 27, 29, 32, 33],
    24: [25, 27, 31], 25: [31], 26: [29, 33], 27: [33], 28: [31, 33], 29: [32, 33], 30: [32, 33], 31: [32, 33], 32: [33],
}  # fmt: skip
WITH_INSTRUCTOR = {0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 16, 17, 19, 21}
MEMBERS = 34
EDGES = np.array([(a, b) for a, others in KNOWS.items() for b in others], "int64")
SIDES = np.array([0 if i in WITH_INSTRUCTOR else 1 for i in range(MEMBERS)], "int64")


class GraphConvolution(nn.Layer):
    """A linear layer of what the neighbours send, each weighed by how many both of them have."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.linear = nn.Linear(inputs, outputs)

    def forward(self, x, source, target):
        ones = paddle.ones([x.shape[0], 1])
        scale = send_u_recv(ones, source, target, "sum", out_size=x.shape[0]) ** -0.5
        return send_u_recv(self.linear(x) * scale, source, target, "sum", out_size=x.shape[0]) * scale


class SideFinder(nn.Layer):
    """Two layers of messages: a place in the plane for every member, and how likely either side is."""

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.first = GraphConvolution(MEMBERS, width)
        self.second = GraphConvolution(width, 2)
        self.judge = nn.Linear(2, 2)

    def forward(self, x, source, target):
        h = paddle.tanh(self.first(x, source, target))
        place = paddle.tanh(self.second(h, source, target))
        return self.judge(place), place


def draw(path: Path, places: np.ndarray, guesses: np.ndarray, size: int = 500) -> None:
    """Members where the network puts them; their colour is its guess, a black ring is round those who went elsewhere."""
    picture = Image.new("RGB", (size, size), "white")
    pen = ImageDraw.Draw(picture)
    low, high = places.min(0), places.max(0)
    at = [(30 + (size - 60) * x, 30 + (size - 60) * y) for x, y in ((places - low) / (high - low)).tolist()]
    for a, b in EDGES.tolist():
        pen.line([at[a], at[b]], fill="lightgray")
    for i, (x, y) in enumerate(at):
        color, ring = ("tomato", "skyblue")[guesses[i]], "white" if guesses[i] == SIDES[i] else "black"
        pen.ellipse([x - 11, y - 11, x + 11, y + 11], fill=color, outline=ring, width=2)
        pen.text((x - 6, y - 6), str(i), fill="black")
    picture.save(path)


def train(net, graph, steps: int) -> list[float]:
    """The losses of ``steps`` steps; only members 0 and 33 count."""
    optimizer = paddle.optimizer.Adam(0.02, parameters=net.parameters(), weight_decay=5e-4)
    known = paddle.to_tensor([0, 33])
    losses = []
    for _ in range(steps):
        scores, _ = net(*graph)
        loss = F.cross_entropy(scores[known], paddle.to_tensor(SIDES[[0, 33]]))
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    return losses


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=150, help="steps of training (default 150)")
    parser.add_argument("--output", type=Path, default=Path("out/karate_club"), help="directory to write to")
    args = parser.parse_args()
    args.output.mkdir(parents=True, exist_ok=True)

    loops = np.arange(MEMBERS)
    source = paddle.to_tensor(np.concatenate([EDGES[:, 0], EDGES[:, 1], loops]))
    target = paddle.to_tensor(np.concatenate([EDGES[:, 1], EDGES[:, 0], loops]))
    graph = (paddle.eye(MEMBERS), source, target)

    paddle.seed(0)
    net = SideFinder()
    spec = [InputSpec([None, MEMBERS], "float32", "x"), InputSpec([None], "int64", "source"), InputSpec([None], "int64", "target")]
    net.forward = paddle.jit.to_static(net.forward, input_spec=spec)
    losses = train(net, graph, args.steps)
    print(f"loss {losses[0]:.3f} -> {losses[-1]:.4f} in {args.steps} steps, from two members of {MEMBERS}")

    net.eval()
    scores, places = (tensor.numpy() for tensor in net(*graph))
    guesses = scores.argmax(-1)
    for side, name in enumerate(["instructor", "president"]):
        print(f"with the {name:11}" + " ".join(f"{i}{'' if SIDES[i] == side else '(!)'}" for i in np.flatnonzero(guesses == side)))
    print(f"{(guesses == SIDES).sum()} of {MEMBERS} went where the network thinks; (!) did not")

    prefix = str(args.output / "sides")
    paddle.jit.save(net, prefix)
    again, _ = paddle.jit.load(prefix)(*graph)
    draw(args.output / "sides.png", places, guesses)
    same = np.allclose(again.numpy(), scores, atol=1e-6)
    print(f"saved {prefix}.pdmodel and drew {prefix}.png; loaded, it says the same: {same}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
