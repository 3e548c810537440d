"""The pass `fuse_cross_entropy`: the mean cross-entropy of integer labels and its gradient become one operator.

The exponentials of the logits are then computed once. The order of the sum of the losses changes.
"""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.rewriter import insert_before, remove_dead_ops, replace_all
from to_static.compiler.ir.uses import Uses
from to_static.compiler.passes.manager import every_block

_ATTRS = {"soft_label": False, "use_softmax": True}


def fuse_cross_entropy(program: Program) -> int:
    """Join losses and gradients in every block; returns the number of pairs."""
    return sum(_join(block) for block in every_block(program))


def _join(block: Block) -> int:
    gradient_ops = [op for op in block.ops if op.name == "cross_entropy_grad"]
    if not gradient_ops:
        return 0
    uses = Uses(block)
    mapping: dict[Var, Var] = {}
    joined: list[Op] = []
    for gradient_op in gradient_ops:
        mean_gradient = _mean_gradient(gradient_op)
        losses = _losses(gradient_op, block) if mean_gradient is not None else None
        mean = _mean(losses, mean_gradient[1], uses) if losses is not None and mean_gradient is not None else None
        if losses is not None and mean_gradient is not None and mean is not None:
            mapping.update(_emit(block, losses, mean, gradient_op, mean_gradient[0]))
            joined.append(losses)
    if joined:
        replace_all(block, mapping)
        remove_dead_ops(block)
        uses = Uses(block)
        for op in joined:
            if op in block.ops and op.out not in uses:
                block.ops.remove(op)  # dead-code elimination keeps it, since it may raise; but the new op raises the same
        remove_dead_ops(block)
    return len(joined)


def _mean_gradient(gradient_op: Op) -> tuple[Var, Var] | None:
    """Return the gradient of the mean loss and the number of labels, if each row of ``gradient_op`` gets their quotient."""
    spread: Any = gradient_op.inputs[2].op
    share: Any = spread.inputs[0].op if spread is not None and spread.name == "expand_as" else None
    if share is None or share.name != "divide" or share.out.spec.shape != () or share.inputs[0].spec != share.out.spec:
        return None
    return share.inputs


def _losses(gradient_op: Op, block: Block) -> Op | None:
    """Return the op that computes the loss of each row, whose gradient ``gradient_op`` is; None if it cannot be fused."""
    logits, label = gradient_op.inputs[:2]
    if not (logits.spec.is_static and label.spec.is_static) or label.spec.dtype.name != "int64" or logits.spec.size == 0:
        return None
    if gradient_op.attrs["axis"] % logits.spec.ndim != logits.spec.ndim - 1:
        return None
    wanted = {**gradient_op.attrs, **_ATTRS}
    same = (op for op in block.ops if op.name == "cross_entropy" and op.inputs == (logits, label) and op.attrs == wanted)
    return next(same, None)


def _mean(losses: Op, count: Var, uses: Uses) -> Op | None:
    """Return the op that divides the sum of the losses by ``count``, the number of their labels."""
    ignored = {"ignore_index": losses.attrs["ignore_index"], "dtype": losses.out.spec.dtype}
    if count.op is None or count.op.name != "count_labels" or count.op.inputs != (losses.inputs[1],) or count.op.attrs != ignored:
        return None
    for total in uses.users(losses.out):
        if total.name == "sum" and total.out.spec.shape == () and total.attrs["dtype"] in (None, losses.out.spec.dtype):
            for mean in uses.users(total.out):
                if mean.name == "divide" and mean.inputs == (total.out, count):
                    return mean  # type: ignore[no-any-return]
    return None


def _emit(block: Block, losses: Op, mean: Op, gradient_op: Op, mean_gradient: Var) -> dict[Var, Var]:
    """Insert one operator that computes loss and gradient.

    The gradient is multiplied by ``mean_gradient``, the gradient of the loss, if not 1.
    """
    logits, label = losses.inputs
    while label.op is not None and label.op.name in ("reshape", "unsqueeze", "squeeze") and label.op.inputs[0].spec.is_static:
        label = label.op.inputs[0]  # the kernel reads one label per row, in any shape
    specs = (mean.out.spec, gradient_op.out.spec)
    new_op = insert_before(block, losses, get("label_loss"), (logits, label), {"ignore_index": losses.attrs["ignore_index"]}, specs)
    value = new_op.outputs[1]
    if mean_gradient.op is None or mean_gradient.op.name != "constant" or mean_gradient.op.attrs["value"].item() != 1:
        value = insert_before(block, gradient_op, get("multiply"), (value, mean_gradient), {}, (gradient_op.out.spec,)).out
    for old, new in ((mean.out, new_op.out), (gradient_op.out, value)):
        new.name, new.stop_gradient = old.name, old.stop_gradient
    return {mean.out: new_op.out, gradient_op.out: value}
