"""Random Programs: small scripts, and a builder that traces them.

A script is a list of statements over a growing list of float32 [2, 3] values; indices count from the newest value.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

import to_static  # noqa: F401
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.input_spec import spec_from
from to_static.compiler.ir.program import Program
from to_static.compiler.ir.registry import FUNCTIONS as F

SHAPE = [2, 3]
FEEDS = 2  # float inputs; then come two booleans and a trip count

_KINDS = ["binary"] * 6 + ["view"] * 2 + ["scale", "copy", "reduce", "if", "if", "while", "while", "collect"]


def script(seed: int) -> Any:
    """A random script: its statements, and the indices of its results."""
    rng = random.Random(seed)
    return _block(rng, rng.randint(2, 9), 3), [rng.randrange(6) for _ in range(rng.randint(1, 4))]


def _block(rng: random.Random, size: int, depth: int) -> list[Any]:
    return [_statement(rng, depth) for _ in range(size)]


def _statement(rng: random.Random, depth: int) -> Any:
    def indices(low: int, high: int) -> list[int]:
        return [rng.randrange(6) for _ in range(rng.randint(low, high))]

    def block() -> list[Any]:
        return _block(rng, rng.randint(0, 5), depth - 1)

    kind = rng.choice(_KINDS[:11] if depth == 0 else _KINDS)
    if kind == "binary":
        return (kind, rng.choice(["add", "subtract", "multiply"]), *indices(2, 2))
    if kind == "view":
        return (kind, rng.choice(["reshape", "transpose", "row"]), *indices(1, 1))
    if kind == "if":
        return (kind, rng.randrange(6), block(), block(), indices(1, 3))
    if kind == "while":
        return (kind, indices(1, 3), block(), indices(3, 3))
    if kind == "collect":
        return (kind, *indices(1, 1), block(), *indices(1, 1))
    return (kind, *indices(1, 1))


def build(script: Any) -> Program:
    """Trace a script."""
    lines, wanted = script
    builder = Builder()
    with mode.use(builder):
        values = [builder.feed(spec_from(SHAPE)) for _ in range(FEEDS)]
        flags = [builder.feed(spec_from([], "bool")) for _ in range(2)]
        trips = builder.feed(spec_from([], "int64"))
        _run(builder, lines, values, flags, trips)
        return builder.finish([_at(values, i) for i in wanted])


def inputs(seed: int, trips: int) -> list[np.ndarray]:
    """Arrays for a script's feeds."""
    rng = np.random.default_rng(seed)
    floats = [rng.uniform(-1, 1, SHAPE).astype("float32") for _ in range(FEEDS)]
    return [*floats, *(np.asarray(bool(b)) for b in rng.integers(0, 2, 2)), np.asarray(trips)]


def _at(values: list[Any], index: int) -> Any:
    return values[-1 - index % len(values)]


def _run(b: Builder, lines: Any, values: list[Any], flags: list[Any], trips: Any) -> None:
    for line in lines:
        values.extend(_results(b, line, values, flags, trips))


def _results(b: Builder, line: Any, values: list[Any], flags: list[Any], trips: Any) -> list[Any]:
    kind = line[0]
    if kind == "binary":
        return [F[line[1]](_at(values, line[2]), _at(values, line[3]))]
    if kind == "view":
        x = _at(values, line[2])
        if line[1] == "reshape":
            return [F["reshape"](F["reshape"](x, [6]), SHAPE)]
        if line[1] == "transpose":
            return [F["reshape"](F["transpose"](x, [1, 0]), SHAPE)]
        return [F["add"](F["reshape"](x, [6])[:3], x)]
    if kind == "scale":
        return [F["multiply"](_at(values, line[1]), b.constant(np.float32(0.5)))]
    if kind == "copy":
        return [F["assign"](_at(values, line[1]))]
    if kind == "reduce":
        x = _at(values, line[1])
        return [F["add"](F["max"](x, 1, True), F["relu"](x))]
    if kind == "if":
        _, flag, yes, no, picks = line

        def side(inner: Any) -> Any:
            def trace() -> list[Any]:
                local = list(values)
                _run(b, inner, local, flags, trips)
                return [_at(local, i) for i in picks]

            return trace

        if flag < 2:
            pred = flags[flag]
        else:  # decided by the numbers
            pred = F["less_than"](F["sum"](_at(values, flag)), F["mean"](_at(values, flag - 1)))
            pred = F["logical_or"](pred, flags[0]) if flag > 3 else pred
        return b.cond(pred, side(yes), side(no))
    if kind == "while":
        _, starts, body, picks = line

        def step(n: Any, *carried: Any) -> list[Any]:
            local = [*values, *carried]
            _run(b, body, local, flags, trips)
            return [F["subtract"](n, b.constant(np.asarray(1))), *(_at(local, i) for i in picks[: len(carried)])]

        return b.while_loop(_more, step, [trips, *(_at(values, i) for i in starts)])[1:]
    _, start, body, pick = line

    def gather(n: Any, items: Any, x: Any) -> list[Any]:
        local = [*values, x, F["list_get"](items, b.constant(np.asarray(-1)))]
        _run(b, body, local, flags, trips)
        more = F["list_append"](items, x)
        if pick == 5:  # the old list is read after the append
            more = F["list_append"](more, F["list_get"](items, b.constant(np.asarray(0))))
        return [F["subtract"](n, b.constant(np.asarray(1))), more, _at(local, pick)]

    first = _at(values, start)
    _, items, _ = b.while_loop(_more, gather, [trips, F["list_new"]([first]), first])
    return [F["list_get"](items, b.constant(np.asarray(k))) for k in (0, -1)]


def _more(n: Any, *carried: Any) -> Any:
    return F["cast"](n, "bool")
