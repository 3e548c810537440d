"""Random Programs whose loops change the sizes of tensors, for inputs of unknown sizes."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

import to_static as paddle
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.input_spec import spec_from
from to_static.compiler.ir.program import Program

LONGEST = 12  # elements that a value keeps
_KINDS = ["ones", "ones", "both", "twice", "tail", "half", "sizes", "steps", "pad", "tile", "table", "total", "number"]
_BLOCKS = ["if", "while", "while"]


def script(seed: int) -> list[Any]:
    """Random statements; each takes one or two of the values before it, counted from the newest, and makes one."""
    rng = random.Random(seed)
    return [*_block(rng, rng.randint(0, 2), 2), _loop(rng, 2), *_block(rng, rng.randint(0, 2), 2)]


def _block(rng: random.Random, size: int, depth: int) -> list[Any]:
    return [_statement(rng, depth) for _ in range(size)]


def _statement(rng: random.Random, depth: int) -> Any:
    kind = rng.choice(_KINDS + _BLOCKS * 2 if depth else _KINDS)
    if kind == "while":
        return _loop(rng, depth)
    if kind == "if":
        return (kind, rng.randrange(2), _block(rng, rng.randint(0, 2), depth - 1), _block(rng, rng.randint(0, 2), depth - 1))
    return (kind, rng.randrange(4), rng.randrange(4))


def _loop(rng: random.Random, depth: int) -> Any:
    starts = [rng.randrange(4) for _ in range(rng.randint(1, 3))]
    return ("while", starts, _block(rng, rng.randint(1, 4), depth - 1), [rng.randrange(5) for _ in starts])


def build(lines: list[Any]) -> Program:
    """Trace a script: feeds are two vectors of unknown sizes, a boolean and a number of trips."""
    builder = Builder()
    with mode.use(builder):
        values = [builder.feed(spec_from([-1])) for _ in range(2)]
        flag, trips = builder.feed(spec_from([], "bool")), builder.feed(spec_from([], "int64"))
        _run(builder, lines, values, flag, trips)
        return builder.finish(values[2:])


def inputs(seed: int, trips: int) -> list[np.ndarray]:
    """Arrays for the feeds."""
    rng = np.random.default_rng(seed)
    vectors = [rng.uniform(-1, 1, size).astype("float32") for size in rng.integers(1, 4, 2)]
    return [*vectors, np.asarray(bool(rng.integers(2))), np.asarray(trips)]


def _run(b: Builder, lines: list[Any], values: list[Any], flag: Any, trips: Any) -> None:
    for line in lines:
        values.append(_result(b, line, values, flag, trips)[:LONGEST])


def _result(b: Builder, line: Any, values: list[Any], flag: Any, trips: Any) -> Any:
    kind, at = line[0], lambda i: values[-1 - i % len(values)]
    if kind == "if":

        def side(inner: Any) -> Any:
            def trace() -> list[Any]:
                local = [*values]
                _run(b, inner, local, flag, trips)
                return [local[-1]]

            return trace

        test = flag if line[1] else paddle.less_than(paddle.numel(at(0)), b.constant(np.asarray(4)))
        return b.cond(test, side(line[2]), side(line[3]))[0]
    if kind == "while":
        _, starts, inner, picks = line

        def step(n: Any, *carried: Any) -> list[Any]:
            local = [*values, *carried]
            _run(b, inner, local, flag, trips)
            return [n - 1, *(local[-1 - i % len(local)] for i in picks)]

        return b.while_loop(lambda n, *_: paddle.cast(n, "bool"), step, [trips, *(at(i) for i in starts)])[1]
    x, y = at(line[1]), at(line[2])
    n = paddle.shape(x)[0]
    return {
        "ones": lambda: paddle.concat([x, paddle.ones([n])]),
        "both": lambda: paddle.concat([x, y]),
        "twice": lambda: paddle.concat([x, x * 2.0]),
        "tail": lambda: paddle.concat([x[1:], paddle.ones([1])]),
        "half": lambda: paddle.concat([x[: n // 2], y[:1]]),
        "sizes": lambda: x + paddle.cast(n, "float32"),
        "steps": lambda: x * paddle.cast(paddle.arange(n), "float32"),
        "pad": lambda: paddle.concat([paddle.full([n + 1], 0.5), y]),
        "tile": lambda: paddle.tile(x, [n]),
        "table": lambda: paddle.reshape(paddle.reshape(x, [n, 1]) * paddle.reshape(y, [1, -1]), [n * paddle.shape(y)[0]]),
        "total": lambda: paddle.expand(paddle.reshape(paddle.sum(x), [1]), [n]) + x,
        "number": lambda: paddle.full([paddle.numel(y) + 1], 1.5) * paddle.cast(paddle.numel(x), "float32"),
    }[kind]()
