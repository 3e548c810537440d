"""The passes `choose_layout` and `choose_training_layout`: convolutions and poolings get the layout in which they are fastest.

Elementwise operators between them keep the layout. If another operator reads such a value, it is transposed back once. Weights are
packed by `pack_filter`, which a plan computes before its first run. The order of sums changes.
"""

from __future__ import annotations

from math import prod
from typing import Any

from to_static.compiler.ir.program import Block, Op, Program, Var
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.rewriter import RewriteCursor, constant_vars
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.uses import Uses
from to_static.compiler.ops.fused.packed_conv import FROM_FIRST, TO_FIRST
from to_static.compiler.ops.fused.packed_steps import COLUMNS, columns_together
from to_static.compiler.ops.layers import conv_arrays, pool_arrays, windows
from to_static.compiler.passes.kernel_choice.tuned_kernels import choice

FEW_CHANNELS = 24  # with fewer channels, the image axis is the better contiguous axis
MANY_IMAGES = 16  # with at least so many images, the image axis is long enough
LONGEST = 1 << 20  # the maximal number of elements in the im2col columns of one row of results
COPIED = 16  # multiplications of a matrix product that take as long as copying one element of a window
JOINED = 16  # groups are joined until they have so many channels: more do not make a matrix product faster
FEW_TILES = 12  # with fewer tiles, the matrix products of Winograd's algorithm are too small


def choose_layout(program: Program) -> int:
    """Rewrite the convolutions and poolings of known sizes in the root block; returns their number.

    Blocks of branches and loops are not changed: their weights would be packed in every iteration.
    """
    return _Layout(program.block, constant_vars(program)).run()


def choose_training_layout(program: Program) -> int:
    """The same for forward and backward Programs of training, where weights change in every step; returns the number of ops.

    Convolutions of batches of small images, and their gradients, get the layout with the image axis last, for which packing weights
    is cheap.
    """
    return _Layout(program.block, None).run()


_OPERANDS = {"conv2d": (0, 1), "conv2d_grad_input": (0, 1), "conv2d_grad_filter": (0, 1)}  # the image, and a value of weight shape


def trainable(op: Op) -> bool:
    """True for a convolution, or a gradient of one, that is faster with the image axis last."""
    if op.name not in _OPERANDS or op.attrs["data_format"] != "NCHW" or op.attrs["groups"] != 1:
        return False
    x, w = (op.inputs[i].spec for i in _OPERANDS[op.name])
    if not (x.is_static and w.is_static) or x.dtype.name not in ("float32", "float64") or x.size == 0 or x.shape[0] < MANY_IMAGES:
        return False
    return prod(w.shape[1:]) * x.shape[3] * x.shape[0] <= LONGEST


def eligible(op: Op, fixed: set[Var]) -> bool:
    """True for a convolution that `packed_conv` supports, whose weight is constant and so packed only once."""
    if op.name != "conv2d" or op.attrs["data_format"] != "NCHW" or op.inputs[1] not in fixed:
        return False
    x, w = (v.spec for v in op.inputs)
    return x.is_static and w.is_static and x.dtype.name in ("float32", "float64") and x.size > 0


class _Layout:
    def __init__(self, block: Block, fixed: set[Var] | None) -> None:
        self.block, self.cursor, self.uses = block, RewriteCursor(block), Uses(block)
        self.changing = fixed is None  # weights change with every run
        convolutions = [op for op in block.ops if (trainable(op) if fixed is None else eligible(op, fixed))]
        self.convolutions = set(convolutions)
        channels = [op.inputs[1].spec.shape[1] for op in convolutions]
        grouped = any(op.attrs["groups"] > 1 for op in convolutions)
        few = not grouped and max(channels, default=0) < FEW_CHANNELS and any(op.inputs[0].spec.shape[0] > 1 for op in convolutions)
        self.name = "CHWN" if few or self.changing else "NHWC"
        self.permutation, self.inverse_permutation = FROM_FIRST[self.name], TO_FIRST[self.name]
        self.in_layout: dict[Var, Var] = {}  # value -> the same value in the layout
        self.restored: dict[Var, Var] = {}  # value -> its transposition back from the layout
        self.count = 0

    def run(self) -> int:
        """Rewrite the block from first to last; returns the number of rewritten convolutions and poolings."""
        if not self.convolutions:
            return 0
        for op in self.cursor:
            if op in self.convolutions:
                self._gradient(op) if op.name != "conv2d" else self._convolution(op)
            elif self.changing and op.name == "pool2d_grad" and _has_adjacent_windows(op):
                x, y, g = (self._to_layout(v) for v in op.inputs)
                kernel = {"kernel": tuple(op.attrs["kernel_size"])}
                self._replace(op, self._emit(op, get("packed_pool_grad"), (x, y, g), kernel))
                self.count += 1
            elif op.name == "pool2d" and op.inputs[0] in self.in_layout and _is_supported_pool(op):
                self._pool(op)
            elif self.changing and self._is_norm(op):
                self._norm(op)
            elif self._flows(op):
                inputs = tuple(self._operand(v) for v in op.inputs)
                self._replace(op, self._emit(op, op.opdef, inputs, op.attrs))
            else:
                op.map_operands(self._from_layout)
        self.block.results = [self._from_layout(v) for v in self.block.results]
        return self.count

    def _emit(self, old_op: Op, opdef: Any, inputs: Any, attrs: Any) -> Var:
        specs = tuple(None if v is None else v.spec for v in inputs)
        new_op = self.cursor.insert(opdef, inputs, attrs, opdef.infer_specs(specs, attrs))
        new_op.out.stop_gradient = old_op.outputs[0].stop_gradient
        return new_op.out

    def _replace(self, op: Op, value: Var) -> None:
        value.name = op.out.name
        self.in_layout[op.out] = value
        self.cursor.drop()

    def _transposed(self, var: Var, perm: Any) -> Var:
        spec = var.spec
        new_op = self.cursor.insert(get("transpose"), (var,), {"perm": list(perm)}, (spec.with_shape(spec.shape[p] for p in perm),))
        new_op.out.stop_gradient = var.stop_gradient
        return new_op.out

    def _from_layout(self, var: Var) -> Var:
        if var not in self.in_layout:
            return var
        if var not in self.restored:
            self.restored[var] = self._transposed(self.in_layout[var], self.inverse_permutation)
        return self.restored[var]

    def _to_layout(self, var: Var) -> Var:
        if var not in self.in_layout:
            self.in_layout[var] = self._transposed(var, self.permutation)
            self.restored[var] = var
        return self.in_layout[var]

    def _gradient(self, op: Op) -> None:
        """Rewrite the gradient of a convolution by its input, or by its weight (which stays unpacked)."""
        x, w, g = op.inputs
        settings = _settings(_plan(x, w, op.attrs))
        if op.name == "conv2d_grad_filter":
            op.opdef, op.inputs, op.attrs = get("packed_conv_filter"), (self._to_layout(x), self._to_layout(g)), settings
        else:
            filters = {"layout": self.name, "method": "columns", "groups": 1, "slices": 1}
            packed = self._emit(op, get("pack_filter"), (w, None), filters)
            settings = {"sizes": tuple(x.spec.shape[2:]), **settings}
            self._replace(op, self._emit(op, get("packed_conv_input"), (self._to_layout(g), packed), settings))
        self.count += 1

    def _convolution(self, op: Op) -> None:
        x, w = op.inputs
        plan = _plan(x, w, op.attrs)
        groups = op.attrs["groups"]
        slices = groups if _is_depthwise(op) else _slices(groups, w.spec.shape)
        method = "columns" if self.changing else self._method(op, plan, slices)
        filters = {"layout": self.name, "method": method, "groups": groups, "slices": slices}
        packed = self._emit(op, get("pack_filter"), _factors(w), filters)
        settings = {**_settings(plan), "layout": self.name, "method": method, "act": ""}
        self._replace(op, self._emit(op, get("packed_conv"), (self._to_layout(x), packed, None, None), settings))
        self.count += 1

    def _method(self, op: Op, plan: Any, slices: int) -> str:
        """Return the method of a convolution that is fastest in measurements (see docs/performance.md)."""
        x, w = (v.spec for v in op.inputs)
        if _is_depthwise(op):
            together = columns_together(w.shape[0], plan.outs[1], plan.stride[1], plan.dilation[1])
            return f"depthwise{together}"
        is_3x3 = tuple(plan.kernel) == (3, 3) and max(plan.stride) == 1 and max(plan.dilation) == 1
        few = min(x.shape[1], w.shape[0]) < 16 * slices
        if self.name != "NHWC" or not is_3x3 or few:
            return "columns"
        tiles = {m: x.shape[0] * -(-plan.outs[0] // m) * -(-plan.outs[1] // m) for m in (4, 2)}
        rule = next((f"winograd{m}" for m in tiles if tiles[m] >= FEW_TILES), "columns")
        settings = {**_settings(plan), "layout": self.name}
        about = (x.with_shape(x.shape[p] for p in self.permutation), w, settings, {"groups": op.attrs["groups"], "slices": slices})
        return choice(f"convolution {x} {w} {settings['pads']}", ("columns", "winograd2", "winograd4"), rule, about)

    def _pool(self, op: Op) -> None:
        attrs, x = op.attrs, self.in_layout[op.inputs[0]]
        plan = pool_arrays.PoolPlan(windows.spatial(op.inputs[0].spec.shape, False), attrs)
        adaptive = plan.adaptive
        settings = {
            "pooling_type": attrs["pooling_type"], "kernel": tuple(plan.sizes if adaptive else plan.kernel),
            "stride": (1, 1) if adaptive else tuple(plan.stride),
            "pads": (0, 0, 0, 0) if adaptive else tuple(p for pair in plan.pads for p in pair), "layout": self.name,
        }  # fmt: skip
        producer = x.op if self.name == "NHWC" and not self.changing else None
        alone = producer is not None and self.uses.has_one_use(op.inputs[0])
        if alone and producer is not None and producer.name == "packed_conv" and _pooled(producer, settings):
            pool, packed = settings["kernel"], producer.inputs[1]
            attrs = {**producer.attrs, "method": f"{'patches' if _patches(producer, pool) else 'pooled'}{pool[0]}x{pool[1]}"}
            if _patches(producer, pool):
                filters = {**packed.op.attrs, "method": attrs["method"]}
                packed = self._emit(packed.op, packed.op.opdef, packed.op.inputs, filters)
            self._replace(op, self._emit(op, producer.opdef, (producer.inputs[0], packed, *producer.inputs[2:]), attrs))
            self.count += 1
            return
        self._replace(op, self._emit(op, get("packed_pool"), (x,), settings))
        self.count += 1

    def _is_norm(self, op: Op) -> bool:
        """True for a batch norm of images, or its gradient, of values that are in the layout."""
        if op.name == "batch_norm":
            return op.inputs[0] in self.in_layout and op.attrs["data_format"] == "NCHW"
        if op.name != "standardize_grad" or op.attrs["axes"] != (0, 2, 3) or self.in_layout.keys().isdisjoint(op.inputs):
            return False
        return all(v.spec.is_static and v.spec.ndim == 4 for v in op.inputs)

    def _norm(self, op: Op) -> None:
        """Rewrite a batch norm to work in the layout: it gets other axes, and its statistics do not change."""
        if op.name == "batch_norm":
            op.inputs = (self._to_layout(op.inputs[0]), *map(self._from_layout, op.inputs[1:]))
            op.attrs = {**op.attrs, "data_format": self.name}
        else:
            axes = tuple(self.permutation.index(a) for a in (0, 2, 3))
            op.inputs, op.attrs = tuple(map(self._to_layout, op.inputs)), {**op.attrs, "axes": axes}
        for i, old in enumerate(op.outputs):
            if old.spec.ndim == 4:
                spec = old.spec.with_shape(old.spec.shape[p] for p in self.permutation)
                new_var = Var(spec, name=old.name, block=self.block, op=op, index=i, stop_gradient=old.stop_gradient)
                op.outputs[i] = self.in_layout[old] = new_var

    def _flows(self, op: Op) -> bool:
        """True for an elementwise op that can work in the layout: its operands are in it, or can be transposed."""
        if "elementwise" not in op.opdef.traits or not any(v in self.in_layout for v in op.operands()):
            return False
        if any(v is None or isinstance(v, tuple) or not isinstance(v.spec, TensorSpec) for v in op.inputs) or op.opdef.multi:
            return False
        supported = all(v in self.in_layout or (v.spec.is_static and v.spec.ndim <= 4) for v in op.inputs)
        return supported and op.out.spec.ndim == 4 and op.out.spec.is_static

    def _operand(self, var: Var) -> Var:
        if var in self.in_layout or var.spec.ndim == 0:
            return self.in_layout.get(var, var)
        if var.spec.ndim < 4:
            shape = [1] * (4 - var.spec.ndim) + list(var.spec.shape)
            var = self.cursor.insert(get("reshape"), (var, ()), {"shape": shape}, (var.spec.with_shape(shape),)).out
        return self._to_layout(var) if var.spec.size > 1 else var


def _pooled(convolution: Op, pool: dict[str, Any]) -> bool:
    """True if a convolution can compute a max pooling too: of one image, with adjacent windows, in columns that fit the cache."""
    (n, *outs, _), method = convolution.out.spec.shape, convolution.attrs["method"]
    if n != 1 or method != "columns" or prod(convolution.attrs["kernel"]) == 1 or pool["pooling_type"] != "max":
        return False
    if convolution.inputs[1].spec.shape[0] < prod(convolution.attrs["kernel"]) * convolution.inputs[0].spec.shape[3]:  # groups
        return False
    if pool["kernel"] != pool["stride"] or any(pool["pads"]) or pool["kernel"] == (1, 1):
        return False
    return prod(outs) * convolution.inputs[1].spec.shape[0] <= COLUMNS


def _patches(convolution: Op, pool: tuple[int, int]) -> bool:
    """True if it is faster to copy the input patch of each pooling window once, and to multiply it with weights padded by zeros."""
    (rows, columns), (depth, filters) = convolution.attrs["kernel"], convolution.inputs[1].spec.shape
    if max(*convolution.attrs["stride"], *convolution.attrs["dilation"]) > 1:
        return False
    patch_size = depth // (rows * columns) * (rows + pool[0] - 1) * (columns + pool[1] - 1)
    return (patch_size - depth) * prod(pool) * filters <= (prod(pool) * depth - patch_size) * COPIED


def _is_depthwise(op: Op) -> bool:
    x, w = (v.spec for v in op.inputs)
    return bool(op.attrs["groups"] == x.shape[1] == w.shape[0] > 1)


def _factors(w: Var) -> tuple[Var, Var | None]:
    """Return the weight, and the factors of its filters (from `fold_batch_norm`) that are multiplied into it during packing."""
    op = w.op
    if op is not None and op.name == "multiply":
        weight, rate = op.inputs
        if rate is not None and rate.spec.shape == (w.spec.shape[0], 1, 1, 1) and weight is not None and weight.spec == w.spec:
            return weight, rate
    return w, None


def _slices(groups: int, weight: Any) -> int:
    """Return the number of groups after groups are joined until each has enough channels for a matrix product."""
    fewest, max_slices = sorted((weight[1], weight[0] // groups))
    max_slices = min(JOINED // fewest, 4 * JOINED // max_slices)
    return groups // max((i for i in range(1, max_slices + 1) if groups % i == 0), default=1)


def _plan(x: Var, w: Var, attrs: dict[str, Any]) -> conv_arrays.ConvPlan:
    names = ("stride", "padding", "padding_algorithm", "dilation", "groups")
    return conv_arrays.ConvPlan(windows.spatial(x.spec.shape, False), w.spec.shape[2:], *(attrs[n] for n in names))


def _settings(plan: conv_arrays.ConvPlan) -> dict[str, Any]:
    return {
        "kernel": tuple(plan.kernel), "stride": tuple(plan.stride), "pads": tuple(p for pair in plan.pads for p in pair),
        "dilation": tuple(plan.dilation),
    }  # fmt: skip


def _has_adjacent_windows(op: Op) -> bool:
    """True for the gradient of a max pooling without padding whose windows are adjacent and do not overlap."""
    attrs, x = op.attrs, op.inputs[0].spec
    if attrs["pooling_type"] != "max" or attrs["data_format"] != "NCHW" or not x.is_static:
        return False
    plan = pool_arrays.PoolPlan(windows.spatial(x.shape, False), attrs)
    return not plan.adaptive and list(plan.kernel) == list(plan.stride) and not any(b or a for b, a in plan.pads)


def _is_supported_pool(op: Op) -> bool:
    """True for a pooling that `packed_pool` supports: maxima, averages without padding, or averages of one window."""
    attrs = op.attrs
    if attrs["data_format"] != "NCHW":
        return False
    plan = pool_arrays.PoolPlan(windows.spatial(op.inputs[0].spec.shape, False), attrs)
    if plan.adaptive:
        return attrs["pooling_type"] == "avg" and max(plan.outs) == 1
    return attrs["pooling_type"] == "max" or not any(b or a for b, a in plan.pads)
