"""Random networks of convolutions, poolings and what stands between them."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

import to_static  # noqa: F401
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.input_spec import spec_from
from to_static.compiler.ir.program import Program, Stored
from to_static.compiler.ir.registry import FUNCTIONS as F
from to_static.compiler.ir.spec import spec_of


def network(seed: int, images: int = 0) -> tuple[Program, np.ndarray]:
    """A Program with weights, and an input for it: of some images, or of so many."""
    rng, numbers = random.Random(seed), np.random.default_rng(seed)
    builder = Builder()
    shape = [images or rng.choice([1, 2, 5]), rng.choice([1, 3, 16, 32]), rng.choice([5, 8, 13]), rng.choice([6, 9, 14])]

    def param(*sizes: int, low: float = -1.0) -> Any:
        array = numbers.uniform(low, 1, sizes).astype("float32")
        name = f"w{len(builder.program.params)}"
        var = builder.program.add_param(spec_of(array), "param", Stored(array, name, stop_gradient=False), name)
        var.stop_gradient = not images  # gradients are asked for in training only
        return builder._handle(var, builder.root)

    with mode.use(builder):
        x = builder.feed(spec_from(shape))
        values = [x]
        for _ in range(rng.randint(2, 7)):
            values.append(_step(rng, rng.choice(values[-2:]), values, param))
        last = values[-1]
        outputs = [F["reshape"](last, [last.shape[0], -1]), *rng.sample(values[1:], rng.randint(0, 1))]
        program = builder.finish(outputs)
    return program, numbers.normal(size=shape).astype("float32")


def _step(rng: random.Random, x: Any, values: list[Any], param: Any) -> Any:
    _, c, h, w = x.shape
    kind = rng.choice(["conv", "conv", "conv", "depthwise", "norm", "pool", "pool", "act", "act", "add", "mean", "scale"])
    if kind in ("conv", "depthwise"):
        size = rng.choice([k for k in (1, 2, 3, 3, 3) if k <= min(h, w)])
        count = c if kind == "depthwise" else rng.choice([4, 16, 32])
        groups = c if kind == "depthwise" else 1
        if kind == "conv" and x.shape[0] < 16:
            groups = rng.choice([1, 1, 1, *(g for g in (2, 4, 8) if c % g == count % g == 0)])
        weight, bias = param(count, c // groups, size, size), rng.choice([None, param(count)])
        pad = rng.choice([0, size // 2, "SAME"]) if min(h, w) > size else size // 2
        return F["conv2d"](x, weight, bias, stride=rng.choice([1, 1, 2]), padding=pad, groups=groups)
    if kind == "norm":
        settled = x.shape[0] < 16 or len(values) % 3 == 0  # in training most take the statistics of the batch
        return F["batch_norm"](x, param(c), param(c), param(c), param(c, low=0.3), is_test=settled)[0]
    if kind == "pool" and min(h, w) > 2:
        return F["pool2d"](x, rng.choice(["max", "max", "avg"]), [2, 2], [rng.choice([1, 2, 2])] * 2, [rng.choice([0, 0, 1])] * 2)
    if kind == "mean":
        return x * F["pool2d"](x, "avg", [1, 1], adaptive=True)
    if kind == "add":
        same = [v for v in values if v.shape == x.shape]
        return x + rng.choice(same)
    if kind == "scale":
        return x * rng.choice([param(1, c, 1, 1), param(w), 0.5])
    return F[rng.choice(["relu", "hardswish", "relu6", "tanh", "sigmoid"])](x)
