"""Loop conditions that do more than give a value: a Program must evaluate them as often as Python does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.ir import mode
from to_static.ir.number import number
from to_static.jit.jst.blocks import changes, in_block
from to_static.jit.jst.copies import Copies
from to_static.jit.jst.traced import is_traced, truth


def acts(test: Callable[..., Any], values: tuple[Any, ...]) -> bool:
    """Whether evaluating the condition does more than give a value: it prints, draws random numbers, changes something."""
    builder, copies = mode.state.mode, Copies()
    trial = builder.trace_block(in_block(builder, copies, lambda: test(*copies.take(values)), test, values))
    for container in copies.noticed:  # what the loop has copies of: each evaluation would change its own
        raise changes(container, "in the condition of a loop")
    traits = {trait for op in trial.block.walk() for trait in op.opdef.traits}
    return bool(trial.rebound or copies.attributes.before or traits & {"effect", "random"})


def carrying(
    loop: Callable[..., tuple[Any, ...]],
    condition: Any,
    test: Callable[..., Any],
    body: Callable[..., Any],
    values: tuple[Any, ...],
    names: Callable[[], list[str]],
) -> tuple[Any, ...]:
    """``loop`` with its condition as one more variable, so that it is evaluated as often as Python does."""

    def flag(answer: Any) -> Any:
        return number(truth(answer)) if is_traced(answer) else bool(answer)

    def step(_: Any, *v: Any) -> tuple[Any, ...]:
        v = body(*v)
        return (flag(test(*v)), *v)

    return loop(lambda more, *_: more, step, (flag(condition), *values), lambda: ["the condition", *names()])[1:]
