"""What runs of a Program give back and write."""

from __future__ import annotations

from typing import Any

import pytest
from both import T

import to_static as paddle
from to_static.compiler.frontend.function.program.trace_result import TraceResult, of_outputs

X = T([1.0, 2.0])


def traced(function: Any, *args: Any) -> TraceResult:
    static = paddle.jit.to_static(function, full_graph=True)
    static(*args)
    return static.concrete_program.traced  # type: ignore[no-any-return]


def test_results_are_new_containers_in_every_run() -> None:
    static = paddle.jit.to_static(lambda x: {"a": [x, 1], "b": (x * 2, "t")})
    first, second = static(X), static(X)
    assert first is not second and first["a"] is not second["a"]
    assert first["b"][1] == "t" and first["a"][1] == 1 and first["b"][0].tolist() == [2.0, 4.0]


def test_what_grows_in_every_run_is_not_written_anew() -> None:
    kept: list[Any] = ["first"]

    @paddle.jit.to_static
    def f(x: Any) -> Any:
        kept.append(x.sum())
        return x

    f(X)
    kept.append("between")
    f(X)
    assert [k if isinstance(k, str) else k.item() for k in kept] == ["first", 3.0, "between", 3.0]


def test_places_of_results_in_a_file() -> None:
    found = traced(lambda x: {"b": x, "a": (x * 2, x * 3)}, X).tensors(ValueError)
    assert found == [1, 2, 0]  # dicts by their keys
    with pytest.raises(ValueError, match="'t'|string"):
        traced(lambda x: (x, f"{x.sum()}"), X).tensors(ValueError)


def test_a_program_that_is_run_as_it_is() -> None:
    program = traced(lambda x, y: (x + y, x * y), X, X * 2).program
    made = of_outputs(program)
    assert made.feeds == [0, 1] and len(made.names) == 2
    assert [spec.describe() for spec in made.result.parts] == ["a tensor f32[2]", "a tensor f32[2]"]  # type: ignore[attr-defined]
