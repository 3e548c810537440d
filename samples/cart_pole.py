"""REINFORCE: a network learns to balance a pole on a cart by trying, with nothing but "it still stands" for a teacher.

The cart-pole of Barto, Sutton and Anderson (1983) in NumPy: each of 50 steps a second the cart is pushed to the left
or to the right, and the game ends when the pole leans by 12 degrees, the cart leaves the track, or after 200 steps.
Sixteen games are played at once. After them every push is made more likely by how much more came after it than usual
(Williams, 1992): the loss is the average of ``-log p(push) * advantage``. The policy is static, and is saved and
loaded; the picture shows how long the games lasted, and the table what the policy does with a pole that leans.

    python samples/cart_pole.py               train, save to out/cart_pole
    python samples/cart_pole.py --rounds 15   a shorter training
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

MOST = 200  # steps of a game


class CartPoles:
    """Many carts with poles. A state is the cart's place and speed, the pole's angle and angular speed."""

    def __init__(self, count: int, rng) -> None:
        self.state = rng.uniform(-0.05, 0.05, [count, 4])
        self.standing = np.ones(count, bool)

    def push(self, right) -> None:
        """Push each cart with 10 N for 1/50 s; those that have fallen stay where they are."""
        x, v, angle, turn = self.state.T
        force, half, mass, pole = np.where(right, 10.0, -10.0), 0.5, 1.1, 0.1
        common = (force + pole * half * turn**2 * np.sin(angle)) / mass
        twist = (9.8 * np.sin(angle) - np.cos(angle) * common) / (half * (4 / 3 - pole * np.cos(angle) ** 2 / mass))
        slide = common - pole * half * twist * np.cos(angle) / mass
        after = np.stack([x + 0.02 * v, v + 0.02 * slide, angle + 0.02 * turn, turn + 0.02 * twist], 1)
        self.state = np.where(self.standing[:, None], after, self.state)
        self.standing &= (np.abs(self.state[:, 0]) < 2.4) & (np.abs(self.state[:, 2]) < np.radians(12))


class Policy(nn.Layer):
    """Scores of a push to the left and to the right."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 2))

    def forward(self, state):
        return self.layers(state * paddle.to_tensor([1.0, 1.0, 5.0, 2.0]))


def play(policy, games: int, rng, best: bool = False):
    """States [steps, games, 4], pushes and which games went on [steps, games]. ``best``: always the likelier push."""
    carts = CartPoles(games, rng)
    states, pushes, going = [], [], []
    with paddle.no_grad():
        while carts.standing.any() and len(states) < MOST:
            state = carts.state.astype("float32")
            scores = policy(paddle.to_tensor(state))
            push = scores.argmax(-1).numpy() if best else paddle.multinomial(F.softmax(scores))[:, 0].numpy()
            states.append(state)
            pushes.append(push.astype("int64"))
            going.append(carts.standing.copy())
            carts.push(push)
    return np.stack(states), np.stack(pushes), np.stack(going)


def advantages(going: np.ndarray, discount: float = 0.98) -> np.ndarray:
    """How much more came after each push than after the pushes of that step on average, in standard deviations."""
    returns = np.zeros(going.shape)
    later = np.zeros(going.shape[1])
    for step in reversed(range(len(going))):
        later = returns[step] = going[step] * (1 + discount * later)
    chosen = returns[going]
    return ((returns - chosen.mean()) / (chosen.std() + 1e-6)).astype("float32")


def train(policy, rounds: int, games: int = 16, seed: int = 0) -> list[float]:
    """How long the games of each round lasted on average."""
    rng = np.random.default_rng(seed)
    optimizer = paddle.optimizer.Adam(0.02, parameters=policy.parameters())
    lengths = []
    for _ in range(rounds):
        states, pushes, going = play(policy, games, rng)
        kept = going.reshape(-1)
        scores = policy(paddle.to_tensor(states.reshape(-1, 4)[kept]))
        gain = paddle.to_tensor(advantages(going).reshape(-1)[kept])
        pushed = paddle.to_tensor(pushes.reshape(-1)[kept])
        loss = (F.cross_entropy(scores, pushed, reduction="none") * gain).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        lengths.append(float(going.sum(0).mean()))
    return lengths


def curve(lengths: list[float], width: int = 60, height: int = 10) -> str:
    """The lengths as text."""
    columns = [np.mean(part) for part in np.array_split(lengths, min(width, len(lengths)))]
    rows = [f"{MOST * level // height:4} |" + "".join("#" if c >= MOST * (level - 0.5) / height else " " for c in columns)
            for level in range(height, 0, -1)]  # fmt: skip
    return "\n".join([*rows, f"     +{'-' * len(columns)}", f"      steps that the pole stood, round 1 to {len(lengths)}"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=60, help="rounds of 16 games (default 60)")
    parser.add_argument("--output", type=Path, default=Path("out/cart_pole"), help="directory to write to")
    args = parser.parse_args()

    paddle.seed(0)
    policy = Policy()
    policy.forward = paddle.jit.to_static(policy.forward, input_spec=[InputSpec([None, 4], "float32", "state")])
    lengths = train(policy, args.rounds)
    print(curve(lengths))

    policy.eval()
    before, after = (play(p, 50, np.random.default_rng(1), best=True)[2].sum(0) for p in (Policy(), policy))
    print(f"\n50 games with the likelier push: {before.mean():.0f} steps before, {after.mean():.0f} steps after (at most {MOST})")

    prefix = str(args.output / "policy")
    paddle.jit.save(policy, prefix)
    loaded = paddle.jit.load(prefix)
    leaning = [-6, -2, 0, 2, 6]
    state = np.zeros([len(leaning), 4], "float32")
    state[:, 2] = np.radians(leaning)
    right = F.softmax(loaded(paddle.to_tensor(state)))[:, 1].numpy()
    print("\nthe pole leans by (degrees)  " + "".join(f"{angle:8}" for angle in leaning))
    print("saved policy pushes right    " + "".join(f"{share:8.1%}" for share in right))
    again = play(loaded, 50, np.random.default_rng(1), best=True)[2].sum(0)
    print(f"saved {prefix}.pdmodel; loaded, it plays the same games: {np.array_equal(again, after)}")
    return 0 if np.array_equal(again, after) else 1


if __name__ == "__main__":
    sys.exit(main())
