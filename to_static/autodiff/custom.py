"""The gradient of `custom_gradient`: the block that was traced from the user's backward function runs in the place of a rule."""

from __future__ import annotations

from typing import Any

from to_static.autodiff.replay import Saved, replay
from to_static.autodiff.reverse import CONTROL_RULES
from to_static.autodiff.sweep import zeros_for
from to_static.ir.build import Builder
from to_static.ir.program import Op, Var
from to_static.ir.variable import Variable


def _rule(builder: Builder, op: Op, gouts: list[Any], needs: list[bool]) -> list[Any]:
    values, inputs, kept = op.inputs
    weights = [
        zeros_for(Variable(v, builder)) if g is None else g for v, g in zip(op.outputs, gouts, strict=True)
    ]
    block = op.attrs["backward"]
    results = dict(zip(values, op.outputs, strict=True))  # type: ignore[arg-type]  # of which gradients of gradients know more
    entering = [*map(builder.var, weights), *(results.get(v, v) for v in kept)]  # type: ignore[union-attr]
    seen: dict[Var, Var] = dict(zip(block.args, entering, strict=True))
    replay(block.ops, builder.frame.block, seen, Saved())
    grads: list[Any] = [None] * len(inputs)  # type: ignore[arg-type]
    for place, result in zip(op.attrs["wanted"], block.results, strict=True):
        grads[place] = Variable(seen[result], builder)
    return [*(None for _ in values), *grads, *(None for _ in kept)]  # type: ignore[union-attr]


CONTROL_RULES["custom_gradient"] = _rule
