"""`backward` of a loss that one plan computed from leaves: a generated function that runs the plan of the gradients.

It has the effect of `tape.backward_one_node`, which takes as long as the plan itself if the network is small.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.compiler.eager import tape
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.runtime.plan import Plan
from to_static.core.atomic import set_all
from to_static.core.code_generation import define

_MOST = 64  # leaves


def _add(leaves: list[Any], arrays: tuple[Any, ...]) -> None:
    """Add arrays to the gradients of leaves."""
    tape.add(leaves, [EagerTensor(array, False) for array in arrays])


def written(plan: Plan, loss: TensorSpec, residuals: range, leaves: list[Any]) -> Callable[[Any], bool] | None:
    """Generate the function that runs `backward` from a node; it returns False if it did nothing. None is returned for too many
    leaves.

    ``plan`` computes the gradients of ``leaves`` from the ``results`` of the node with the indices ``residuals``, and from the
    gradient of the ``loss``.
    """
    if not leaves or len(leaves) > _MOST:
        return None
    ones = plan.backend.xp.ones(loss.shape, loss.dtype.np)
    residual_args = "".join(f"r[{i}], " for i in residuals)
    space, run = plan.call_lines("", "".join(f"g{i}, " for i in range(len(leaves))), f"{residual_args}ones", "return False")
    space |= {"ones": ones, "Tensor": EagerTensor, "cleared": tape.CLEARED, "adding": tape.adding, "add": _add}
    space |= {f"p{i}": leaf for i, leaf in enumerate(leaves)}
    lines = [f"if {' or '.join(f'p{i}._hooks' for i in range(len(leaves)))}: return False", "r = node.results"]
    count = range(len(leaves))
    first = " and ".join(f"(p{i}._grad is None or p{i}._grad is cleared)" for i in count)
    tensors, arrays = "".join(f"Tensor(g{i}, False), " for i in count), "".join(f"g{i}, " for i in count)
    space |= {"leaves": leaves, "names": ("_grad",) * len(leaves), "set_all": set_all}
    lines += [*run, "with adding:", f"    if {first}: set_all(leaves, names, ({tensors}))"]
    lines += [f"    else: add(leaves, ({arrays}))"]
    return define("\n    ".join(["def step(node):", *lines, "return True"]), space)["step"]  # type: ignore[no-any-return]
