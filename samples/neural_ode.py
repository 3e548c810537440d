"""A neural ODE: a network learns how a point moves, and a solver inside of the static program chooses its own steps.

Predators and prey (Lotka and Volterra, 1925) are measured at 40 times. A network gives the change per unit of time of
both, and `Flow.forward` integrates it from one time to another with the method of Bogacki and Shampine (1989): two
results of different order tell the error of a step; too large a one is made again with a smaller step. How many steps
that takes depends on the numbers, so it is a ``while`` on tensors; training goes backward through all of its turns.
The saved file has the loop in it.

    python samples/neural_ode.py              train, save and draw to out/neural_ode
    python samples/neural_ode.py --steps 40   a shorter training
"""

from __future__ import annotations

import argparse
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

import to_static as paddle
from to_static import nn
from to_static.static import InputSpec

TIMES = np.linspace(0, 12, 40, dtype="float32")
START = np.float32([[1.0, 2.0]])  # hundreds of prey and of predators


def animals(state: np.ndarray) -> np.ndarray:
    """The truth: the change of prey and predators [..., 2]."""
    prey, predators = state[..., 0], state[..., 1]
    return np.stack([1.1 * prey - 0.7 * prey * predators, 0.5 * prey * predators - 0.8 * predators], -1)


def measured(times: np.ndarray, fine: int = 100) -> np.ndarray:
    """The truth at ``times``, by many small steps of Runge and Kutta: [times, 2]."""
    state, rows = START[0].astype("float64"), [START[0]]
    for before, after in pairwise(times):
        h = (after - before) / fine
        for _ in range(fine):
            k1 = animals(state)
            k2 = animals(state + h / 2 * k1)
            k3 = animals(state + h / 2 * k2)
            state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + animals(state + h * k3))
        rows.append(state.astype("float32"))
    return np.stack(rows)


class Flow(nn.Layer):
    """Where points [batch, 2] are after a time, by a network that says how they move."""

    def __init__(self, width: int = 32, tolerance: float = 1e-5) -> None:
        super().__init__()
        self.speed = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 2))
        self.tolerance = tolerance

    def forward(self, state, duration):
        """The points ``duration`` later, and how many steps were kept and how many were made again."""
        done = paddle.zeros([], "float32")
        h = duration / 2
        kept = paddle.zeros([], "int64")
        again = paddle.zeros([], "int64")
        slope = self.speed(state)
        while done < duration:
            h = paddle.minimum(h, duration - done)
            second = self.speed(state + h * 0.5 * slope)
            third = self.speed(state + h * 0.75 * second)
            better = state + h * (2 / 9 * slope + 1 / 3 * second + 4 / 9 * third)
            last = self.speed(better)
            error = h * (-5 / 72 * slope + 1 / 12 * second + 1 / 9 * third - 1 / 8 * last)
            with paddle.no_grad():
                ratio = (error.abs() / (self.tolerance * (1.0 + better.abs()))).max()
                factor = paddle.clip(0.9 * (ratio + 1e-8) ** (-1 / 3), 0.2, 4.0)
            if ratio <= 1.0:
                done = done + h
                state, slope = better, last
                kept = kept + 1
            else:
                again = again + 1
            h = h * factor
        return state, kept, again


def train(flow, truth: np.ndarray, steps: int, ahead: int = 4) -> list[float]:
    """The losses of ``steps`` steps: from some measured points to the next ones, one after the other."""
    rate = paddle.optimizer.lr.CosineAnnealingDecay(0.01, T_max=steps)
    optimizer = paddle.optimizer.Adam(rate, parameters=flow.parameters())
    order = np.random.RandomState(0)
    gap = paddle.to_tensor(TIMES[1] - TIMES[0])
    losses = []
    for _ in range(steps):
        starts = order.randint(0, len(truth) - ahead, 16)
        state, loss = paddle.to_tensor(truth[starts]), paddle.zeros([])
        for later in range(1, ahead + 1):
            state, _, _ = flow(state, gap)
            loss = loss + (state - paddle.to_tensor(truth[starts + later])).abs().mean() / ahead
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        rate.step()
        losses.append(float(loss))
    return losses


def followed(flow, times: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """Where ``flow`` leads from START alone at ``times``, and the steps it took for each."""
    state, rows, steps = paddle.to_tensor(START), [START[0]], []
    with paddle.no_grad():
        for before, after in pairwise(times):
            state, kept, again = flow(state, paddle.to_tensor(after - before))
            rows.append(state.numpy()[0])
            steps.append(int(kept + again))
    return np.stack(rows), steps


def draw(path: Path, truth: np.ndarray, learned: np.ndarray, size: int = 400) -> None:
    """Prey to the right, predators upwards; black points were measured, the red line is what was learned."""
    picture = Image.new("RGB", (size, size), "white")
    pen = ImageDraw.Draw(picture)
    scale = (size - 40) / max(truth.max(), 1.0)
    at = [tuple(20 + scale * x if i == 0 else size - 20 - scale * x for i, x in enumerate(point)) for point in learned.tolist()]
    pen.line(at, fill="red", width=2)
    for x, y in truth.tolist():
        x, y = 20 + scale * x, size - 20 - scale * y
        pen.ellipse([x - 3, y - 3, x + 3, y + 3], fill="black")
    picture.save(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=400, help="batches of 16 starts to learn from (default 400)")
    parser.add_argument("--output", type=Path, default=Path("out/neural_ode"), help="directory to write to")
    args = parser.parse_args()
    args.output.mkdir(parents=True, exist_ok=True)

    truth = measured(TIMES)
    paddle.seed(0)
    flow = Flow()
    spec = [InputSpec([None, 2], "float32", "state"), InputSpec([], "float32", "duration")]
    flow.forward = paddle.jit.to_static(flow.forward, input_spec=spec)
    before, _ = followed(flow, TIMES)
    losses = train(flow, truth, args.steps)
    after, _ = followed(flow, TIMES)
    print(f"loss {np.mean(losses[:5]):.3f} -> {np.mean(losses[-5:]):.4f} in {args.steps} steps")
    print(f"from the first point to time {TIMES[-1]:.0f}: wrong by {np.abs(before - truth).mean():.2f} before, "
          f"by {np.abs(after - truth).mean():.3f} after training (prey and predators are up to {truth.max():.1f})\n")  # fmt: skip

    prefix = str(args.output / "flow")
    paddle.jit.save(flow, prefix)
    loaded = paddle.jit.load(prefix)
    again, steps = followed(loaded, TIMES)
    print("time   prey, learned   predators, learned   steps of the loaded solver to the next")
    for i in range(0, len(TIMES) - 1, 3):
        (x, y), (u, v) = truth[i], after[i]
        print(f"{TIMES[i]:4.1f}   {x:4.2f}  {u:4.2f}      {y:4.2f}  {v:4.2f}           {'*' * steps[i]}")
    draw(args.output / "flow.png", truth, followed(loaded, np.linspace(0, 12, 200, dtype="float32"))[0])
    same = np.allclose(again, after, atol=1e-5)
    print(f"\nsaved {prefix}.pdmodel and drew {prefix}.png; loaded, it goes the same way: {same}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
