"""The pass `pack_lstm`: LSTMs that are not trained get packed weights, and compute nothing for a backward pass."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir.opdef import OpDef
from to_static.compiler.ir.program import Op, Program, Var
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.rewriter import RewriteCursor, constant_vars, replace_all
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.uses import Uses
from to_static.compiler.ops.linalg import skinny_matmul


def pack_lstm(program: Program) -> int:
    """Rewrite every `rnn` of known sizes that is an LSTM with weights that no run changes; returns the number of LSTMs.

    LSTMs with sequence lengths stay. The order of sums changes.
    """
    fixed, read = constant_vars(program), Uses(program.block)
    mapping: dict[Var, Var] = {}
    cursor = RewriteCursor(program.block)
    for op in cursor:
        if mapping:
            op.map_operands(lambda v: mapping.get(v, v))
        if op.name == "rnn" and _eligible(op, fixed) and op.outputs[3] not in read:
            new_vars = _packed(cursor, op)
            for old, new in zip(op.outputs, new_vars, strict=False):
                new.name, new.stop_gradient = old.name, old.stop_gradient
                mapping[old] = new
            cursor.drop()
    replace_all(program.block, mapping)
    return len(mapping) // 3


def _eligible(op: Op, fixed: set[Var]) -> bool:
    x, states, weights, lengths = op.inputs
    if op.attrs["mode"] != "LSTM" or lengths is not None or not fixed.issuperset(weights):
        return False
    return all(isinstance(v.spec, TensorSpec) and v.spec.is_static and v.spec.size for v in (x, *states, *weights))


def _packed(cursor: RewriteCursor, op: Op) -> list[Var]:
    """Insert the packed form of ``op``; returns the outputs, the last hidden states and the last cell states."""

    def insert(opdef: OpDef, inputs: tuple[Any, ...], **attrs: Any) -> Var:
        specs = tuple([u.spec for u in v] if isinstance(v, tuple) else v.spec for v in inputs)
        return cursor.insert(opdef, inputs, attrs, opdef.infer_specs(specs, attrs)).out

    def part(x: Var, start: int, end: int) -> Var:
        return x if (start, end) == (0, x.spec.shape[0]) else insert(  # type: ignore[union-attr]
            get("slice"), (x, ()), axes=(0,), starts=(start,), ends=(end,), steps=(1,), points=()
        )  # fmt: skip

    x, states, weights, _ = op.inputs
    (steps, batch, _), ways, pack = x.spec.shape, 2 if op.attrs["is_bidirec"] else 1, get("pack_gates")  # type: ignore[union-attr]
    small = skinny_matmul.has_small_products()
    rows = [small and n > 1 for n in (steps * batch, batch)]
    by_result: list[list[Var]] = [[], [], []]  # for each of the three results, its parts by direction
    for d in range(ways):
        wi, wh = (insert(pack, (w,), rows=r) for w, r in zip(weights[2 * d : 2 * d + 2], rows, strict=True))
        bias = insert(pack, (insert(get("add"), tuple(weights[2 * (ways + d) : 2 * (ways + d) + 2])),), rows=False)
        h, c = (part(state, d, d + 1) for state in states)
        y = insert(get("packed_lstm"), (x, h, c, wi, wh, bias), backwards=d == 1)
        last = 0 if d == 1 else steps - 1
        direction_results = (part(y, 0, steps), part(y, last, last + 1), part(y, steps, steps + 1))
        for directions, result in zip(by_result, direction_results, strict=True):
            directions.append(result)
    if ways == 1:
        return [directions[0] for directions in by_result]
    return [insert(get("concat"), (tuple(parts),), axis=axis) for parts, axis in zip(by_result, (2, 0, 0), strict=True)]
