"""`backward` of a loss that one plan computed from leaves: a function written for them, which runs the plan of the gradients.

What it does is what `tape.one_step` does for any such node; but a loss of a small network spends as much there as in its plan.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.core.generated import define
from to_static.eager import tape
from to_static.eager.tensor import EagerTensor
from to_static.ir.spec import TensorSpec
from to_static.runtime.plan import Plan

_MOST = 64  # leaves


def _add(leaf: Any, held: Any, array: Any) -> None:
    """Add an array to the gradient of a leaf, which ``held`` has."""
    if type(held) is EagerTensor and held._memory is held._node is None:
        a = held._array
        if type(a) is type(array) is np.ndarray and a.dtype is array.dtype and a.shape == array.shape:
            total = a + array
            if type(total) is np.ndarray:
                held._array = total
                held._version += 1
                return
    tape.add(leaf, EagerTensor(array, False))


def written(plan: Plan, loss: TensorSpec, residuals: range, leaves: list[Any]) -> Callable[[Any], bool] | None:
    """The function of a node: False where it has done nothing; None for too many leaves.

    ``plan`` takes those ``results`` of the node that ``residuals`` numbers, and the gradient of the ``loss``.
    """
    if not leaves or len(leaves) > _MOST:
        return None
    ones = plan.backend.xp.ones(loss.shape, loss.dtype.np)
    given = "".join(f"r[{i}], " for i in residuals)
    space, run = plan.running("", "".join(f"g{i}, " for i in range(len(leaves))), f"{given}ones", "return False")
    space |= {"ones": ones, "Tensor": EagerTensor, "cleared": tape.CLEARED, "adding": tape.adding, "add": _add}
    space |= {f"p{i}": leaf for i, leaf in enumerate(leaves)}
    lines = [f"if {' or '.join(f'p{i}._hooks' for i in range(len(leaves)))}: return False", "r = node.results"]
    lines += [*run, "with adding:"]
    for i in range(len(leaves)):
        lines += [f"    held = p{i}._grad", f"    if held is None or held is cleared: p{i}._grad = Tensor(g{i}, False)"]
        lines += [f"    else: add(p{i}, held, g{i})"]
    return define("\n    ".join(["def step(node):", *lines, "return True"]), space)["step"]  # type: ignore[no-any-return]
