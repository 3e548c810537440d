"""Convolutions and poolings get the layout in which they are quick, and what stands between them gets it too.

Values in a layout flow through elementwise operators; where another operator reads one it is transposed back, once. Weights
are packed by `pack_filter`, which a plan does before its first run. Sums are in another order than before.
"""

from __future__ import annotations

from typing import Any

from to_static.ir.edit import insert_before, settled
from to_static.ir.program import Block, Op, Program, Var
from to_static.ir.registry import get
from to_static.ir.spec import TensorSpec
from to_static.ops import conv_arrays, pool_arrays, windows
from to_static.ops.packed_conv import FROM_FIRST, TO_FIRST

FEW_CHANNELS = 24  # below, lines of images are longer than lines of channels
FEW_TILES = 12  # with fewer tiles the products of frequencies are too small


def run(program: Program) -> int:
    """Rewrite the Program if it has convolutions of known sizes; returns how many convolutions and poolings there were.

    Blocks of branches and loops stay as they are: weights would be packed in every turn.
    """
    return _Layout(program.block, settled(program)).run()


def eligible(op: Op, fixed: set[Var]) -> bool:
    """A convolution that `packed_conv` can do, with a weight that has to be packed once only."""
    if op.name != "conv2d" or op.attrs["data_format"] != "NCHW" or op.inputs[1] not in fixed:
        return False
    x, w = (v.spec for v in op.inputs)
    if not (x.is_static and w.is_static) or x.dtype.name not in ("float32", "float64") or x.size == 0:
        return False
    groups = op.attrs["groups"]
    return groups == 1 or (groups == x.shape[1] == w.shape[0] and w.shape[1] == 1)


class _Layout:
    def __init__(self, block: Block, fixed: set[Var]) -> None:
        self.block = block
        convolutions = [op for op in block.ops if eligible(op, fixed)]
        self.convolutions = set(convolutions)
        channels = [op.inputs[1].spec.shape[1] for op in convolutions]
        grouped = any(op.attrs["groups"] > 1 for op in convolutions)
        self.name = "CHWN" if not grouped and max(channels, default=0) < FEW_CHANNELS else "NHWC"
        self.there, self.back = FROM_FIRST[self.name], TO_FIRST[self.name]
        self.moved: dict[Var, Var] = {}  # values -> the same in the layout
        self.restored: dict[Var, Var] = {}  # values -> made again from those
        self.count = 0

    def run(self) -> int:
        """Rewrite the block from first to last."""
        if not self.convolutions:
            return 0
        for op in list(self.block.ops):
            if op in self.convolutions:
                self._convolution(op)
            elif op.name == "pool2d" and op.inputs[0] in self.moved and _regular(op):
                self._pool(op)
            elif self._flows(op):
                inputs = tuple(self._operand(v, op) for v in op.inputs)
                self._replace(op, self._emit(op, op.opdef, inputs, op.attrs))
            else:
                op.map_operands(lambda v, op=op: self._restore(v, op))  # type: ignore[misc]
        self.block.results = [self._restore(v, None) for v in self.block.results]
        return self.count

    def _emit(self, before: Op, opdef: Any, inputs: Any, attrs: Any) -> Var:
        specs = tuple(None if v is None else v.spec for v in inputs)
        made = insert_before(self.block, before, opdef, inputs, attrs, opdef.infer_specs(specs, attrs))
        made.out.stop_gradient = before.outputs[0].stop_gradient
        return made.out

    def _replace(self, op: Op, moved: Var) -> None:
        moved.name = op.out.name
        self.moved[op.out] = moved
        self.block.ops.remove(op)

    def _transposed(self, var: Var, perm: Any, before: Op | None) -> Var:
        spec = var.spec
        made = insert_before(
            self.block, before, get("transpose"), (var,), {"perm": list(perm)}, (spec.with_shape(spec.shape[p] for p in perm),)
        )
        made.out.stop_gradient = var.stop_gradient
        return made.out

    def _restore(self, var: Var, before: Op | None) -> Var:
        if var not in self.moved:
            return var
        if var not in self.restored:
            self.restored[var] = self._transposed(self.moved[var], self.back, before)
        return self.restored[var]

    def _move(self, var: Var, before: Op) -> Var:
        if var not in self.moved:
            self.moved[var] = self._transposed(var, self.there, before)
            self.restored[var] = var
        return self.moved[var]

    def _convolution(self, op: Op) -> None:
        x, w = op.inputs
        attrs = op.attrs
        sizes = windows.spatial(x.spec.shape, False)
        plan = conv_arrays.Plan(
            sizes, w.spec.shape[2:], *(attrs[n] for n in ("stride", "padding", "padding_algorithm", "dilation", "groups"))
        )
        method = self._method(op, plan)
        packed = self._emit(op, get("pack_filter"), (w,), {"layout": self.name, "method": method})
        settings = {
            "kernel": tuple(plan.kernel), "stride": tuple(plan.stride), "pads": tuple(p for pair in plan.pads for p in pair),
            "dilation": tuple(plan.dilation), "layout": self.name, "method": method, "act": "",
        }  # fmt: skip
        self._replace(op, self._emit(op, get("packed_conv"), (self._move(x, op), packed, None, None), settings))
        self.count += 1

    def _method(self, op: Op, plan: Any) -> str:
        """What was quickest where it was measured (see docs/performance.md)."""
        if op.attrs["groups"] > 1:
            return "depthwise"
        plain = tuple(plan.kernel) == (3, 3) and max(plan.stride) == 1 and max(plan.dilation) == 1
        few = min(op.inputs[1].spec.shape[:2]) < 16
        if self.name != "NHWC" or not plain or few:
            return "columns"
        images = op.inputs[0].spec.shape[0]
        for m in (4, 2):
            if images * -(-plan.outs[0] // m) * -(-plan.outs[1] // m) >= FEW_TILES:
                return f"winograd{m}"
        return "columns"

    def _pool(self, op: Op) -> None:
        attrs, x = op.attrs, self.moved[op.inputs[0]]
        plan = pool_arrays.Plan(windows.spatial(op.inputs[0].spec.shape, False), attrs)
        whole = plan.adaptive
        settings = {
            "kind": attrs["pooling_type"], "kernel": tuple(plan.sizes if whole else plan.kernel),
            "stride": (1, 1) if whole else tuple(plan.stride),
            "pads": (0, 0, 0, 0) if whole else tuple(p for pair in plan.pads for p in pair), "layout": self.name,
        }  # fmt: skip
        self._replace(op, self._emit(op, get("packed_pool"), (x,), settings))
        self.count += 1

    def _flows(self, op: Op) -> bool:
        """Whether an elementwise operator can work in the layout: on values that are there, and on what broadcasts to them."""
        if "elementwise" not in op.opdef.traits or not any(v in self.moved for v in op.operands()):
            return False
        if any(v is None or isinstance(v, tuple) or not isinstance(v.spec, TensorSpec) for v in op.inputs) or op.opdef.multi:
            return False
        known = all(v in self.moved or (v.spec.is_static and v.spec.ndim <= 4) for v in op.inputs)
        return known and op.out.spec.ndim == 4 and op.out.spec.is_static

    def _operand(self, var: Var, op: Op) -> Var:
        if var in self.moved or var.spec.ndim == 0:
            return self.moved.get(var, var)
        if var.spec.ndim < 4:
            shape = [1] * (4 - var.spec.ndim) + list(var.spec.shape)
            var = insert_before(
                self.block, op, get("reshape"), (var, ()), {"shape": shape}, (var.spec.with_shape(shape),)
            ).out  # fmt: skip
        return self._transposed(var, self.there, op) if var.spec.size > 1 else var


def _regular(op: Op) -> bool:
    """A pooling that `packed_pool` can do: maxima, averages that no padding takes part in, or one window."""
    attrs = op.attrs
    if attrs["data_format"] != "NCHW":
        return False
    plan = pool_arrays.Plan(windows.spatial(op.inputs[0].spec.shape, False), attrs)
    if plan.adaptive:
        return attrs["pooling_type"] == "avg" and max(plan.outs) == 1
    return attrs["pooling_type"] == "max" or not any(b or a for b, a in plan.pads)
