"""The pass `sink_activation`: a monotonic activation moves behind a max pooling, where it has fewer elements to compute.

``max(f(x + b)) == f(max(x) + b)`` bit by bit, because rounding keeps the order.
"""

from __future__ import annotations

from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.rewriter import insert_before, remove_dead_ops, replace_all
from to_static.compiler.ir.uses import Uses
from to_static.compiler.passes.manager import every_block

MOST = 8  # the maximal number of ops that move behind one pooling: in a row of poolings, ops would move many times
GROWING = frozenset(("relu", "relu6", "leaky_relu", "add"))


def sink_activation(program: Program) -> int:
    """Move activations and biases behind the poolings that read them; returns the number of ops that move."""
    return sum(_sink_in_block(block) for block in every_block(program))


def _sink_in_block(block: Block) -> int:
    count = 0
    uses: Uses | None = None
    mapping: dict[Var, Var] = {}
    for op in list(block.ops):
        if mapping:
            op.map_operands(lambda v: mapping.get(v, v))
        if op.name in ("pool2d", "packed_pool") and op.attrs.get("pooling_type") == "max":
            uses = uses or Uses(block)
            count += _move_behind(block, op, uses, mapping)
    replace_all(block, mapping)
    if mapping:
        remove_dead_ops(block)
    return count


def _move_behind(block: Block, pool: Op, uses: Uses, mapping: dict[Var, Var]) -> int:
    """Move monotonic ops from before ``pool`` to behind it, from the last to the first; returns their number.

    ``mapping`` is extended by the result of ``pool`` and its new value.
    """
    producers: list[tuple[Op, int]] = []
    producer = pool.inputs[0].op
    if producer is None or _grows(producer) is None:
        return 0
    x: Var = pool.inputs[0]
    while x.op is not None and uses.has_one_use(x) and len(producers) < MOST:
        slot = _grows(x.op)
        if slot is None:
            break
        producers.append((x.op, slot))
        x = x.op.inputs[slot]
    if not producers:
        return 0
    at = block.index_of(pool) + 1
    next_op = block.ops[at] if at < len(block.ops) else None
    specs = pool.opdef.infer_specs((x.spec,), pool.attrs)
    value = insert_before(block, next_op, pool.opdef, (x,), pool.attrs, specs).out
    new_ops = [value.op]
    for op, slot in reversed(producers):
        inputs = tuple(value if i == slot else v for i, v in enumerate(op.inputs))
        value = insert_before(block, next_op, op.opdef, inputs, op.attrs, (value.spec,)).out
        value.op.site = op.site  # type: ignore[union-attr]
        new_ops.append(value.op)
    value.name, value.stop_gradient = pool.out.name, pool.out.stop_gradient
    uses.added(*new_ops)  # type: ignore[arg-type]
    uses.replaced(pool.out, value)
    mapping[pool.out] = value
    return len(producers)


def _grows(op: Op) -> int | None:
    """Return the index of the input in which ``op`` is monotonic; None unless its other inputs are constant over each window."""
    if op.name not in GROWING or (op.name == "leaky_relu" and op.attrs["negative_slope"] < 0):
        return None
    if op.name != "add":
        return 0
    for slot in (0, 1):
        x, addend_spec = op.inputs[slot].spec, op.inputs[1 - slot].spec
        if not (x.is_static and addend_spec.is_static) or x != op.out.spec:
            continue
        if addend_spec.size == 1 or (addend_spec.ndim == 4 == x.ndim and _spread_evenly(op, addend_spec.shape)):
            return slot
    return None


def _spread_evenly(op: Op, shape: tuple[int, ...]) -> bool:
    return shape[2:] == (1, 1) and shape[0] == 1
