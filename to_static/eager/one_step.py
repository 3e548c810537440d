"""`backward` of a loss that one plan computed from leaves: a function written for them, which runs the plan of the gradients.

What it does is what `tape.one_step` does for any such node; but a loss of a small network spends as much there as in its plan.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.eager import tape
from to_static.eager.tensor import EagerTensor
from to_static.ir.spec import TensorSpec
from to_static.runtime.plan import Plan

_MOST = 64  # leaves


def written(plan: Plan, loss: TensorSpec, residuals: range, leaves: list[Any]) -> Callable[[Any], bool] | None:
    """The function of a node: False where it has done nothing; None for too many leaves.

    ``plan`` takes those ``results`` of the node that ``residuals`` numbers, and the gradient of the ``loss``.
    """
    if not leaves or len(leaves) > _MOST:
        return None
    ones = plan.backend.xp.ones(loss.shape, loss.dtype.np)
    space: dict[str, Any] = {"take": plan.take, "give": plan.give, "make": plan.make, "ones": ones, "Tensor": EagerTensor}
    space |= {"cleared": tape.CLEARED, "adding": tape.adding, "add": tape.add} | {f"p{i}": leaf for i, leaf in enumerate(leaves)}
    given = "".join(f"r[{i}], " for i in residuals)
    lines = [f"if {' or '.join(f'p{i}._hooks' for i in range(len(leaves)))}: return False", "r = node.results"]
    lines += ["try:", "    run = take()", "except IndexError:", "    run = make()"]
    lines += ["try:", f"    {''.join(f'g{i}, ' for i in range(len(leaves)))}= run({given}ones)"]
    lines += ["except Exception:", "    return False", "finally:", "    give(run)", "with adding:"]
    for i in range(len(leaves)):
        lines += [f"    held = p{i}._grad", f"    if held is None or held is cleared: p{i}._grad = Tensor(g{i}, False)"]
        lines += [f"    else: add(p{i}, Tensor(g{i}))"]
    exec("\n    ".join(["def step(node):", *lines, "return True"]), space)
    return space["step"]  # type: ignore[no-any-return]
