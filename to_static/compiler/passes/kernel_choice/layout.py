"""Convolutions and poolings get the layout in which they are quick, and what stands between them gets it too.

Values in a layout flow through elementwise operators; where another operator reads one it is transposed back, once. Weights
are packed by `pack_filter`, which a plan does before its first run. Sums are in another order than before.
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

FEW_CHANNELS = 24  # below, lines of images are longer than lines of channels
MANY_IMAGES = 16  # from so many on, lines of images are long enough
LONGEST = 1 << 20  # numbers in the columns of one row of results
COPIED = 16  # products of a product of matrices that take as long as one number of a window that is copied
JOINED = 16  # channels of groups that are joined: so many make a product of matrices as quick as they get
FEW_TILES = 12  # with fewer tiles the products of frequencies are too small


def choose_layout(program: Program) -> int:
    """Rewrite the Program if it has convolutions of known sizes; returns how many convolutions and poolings there were.

    Blocks of branches and loops stay as they are: weights would be packed in every iteration.
    """
    return _Layout(program.block, constant_vars(program)).run()


def choose_training_layout(program: Program) -> int:
    """The same for forward and backward Programs of training, where weights change with every step: batches of small images get
    the layout with the images last, for which weights need hardly be packed, and so do the gradients.
    """
    return _Layout(program.block, None).run()


_OPERANDS = {"conv2d": (0, 1), "conv2d_grad_input": (0, 1), "conv2d_grad_filter": (0, 1)}  # the image and the weight (or its like)


def trainable(op: Op) -> bool:
    """A convolution, or a gradient of one, that is quicker with the images last."""
    if op.name not in _OPERANDS or op.attrs["data_format"] != "NCHW" or op.attrs["groups"] != 1:
        return False
    x, w = (op.inputs[i].spec for i in _OPERANDS[op.name])
    if not (x.is_static and w.is_static) or x.dtype.name not in ("float32", "float64") or x.size == 0 or x.shape[0] < MANY_IMAGES:
        return False
    return prod(w.shape[1:]) * x.shape[3] * x.shape[0] <= LONGEST


def eligible(op: Op, fixed: set[Var]) -> bool:
    """A convolution that `packed_conv` can do, with a weight that has to be packed once only."""
    if op.name != "conv2d" or op.attrs["data_format"] != "NCHW" or op.inputs[1] not in fixed:
        return False
    x, w = (v.spec for v in op.inputs)
    return x.is_static and w.is_static and x.dtype.name in ("float32", "float64") and x.size > 0


class _Layout:
    def __init__(self, block: Block, fixed: set[Var] | None) -> None:
        self.block, self.walk, self.uses = block, RewriteCursor(block), Uses(block)
        self.changing = fixed is None  # weights change with every run
        convolutions = [op for op in block.ops if (trainable(op) if fixed is None else eligible(op, fixed))]
        self.convolutions = set(convolutions)
        channels = [op.inputs[1].spec.shape[1] for op in convolutions]
        grouped = any(op.attrs["groups"] > 1 for op in convolutions)
        few = not grouped and max(channels, default=0) < FEW_CHANNELS and any(op.inputs[0].spec.shape[0] > 1 for op in convolutions)
        self.name = "CHWN" if few or self.changing else "NHWC"
        self.there, self.back = FROM_FIRST[self.name], TO_FIRST[self.name]
        self.moved: dict[Var, Var] = {}  # values -> the same in the layout
        self.restored: dict[Var, Var] = {}  # values -> made again from those
        self.count = 0

    def run(self) -> int:
        """Rewrite the block from first to last."""
        if not self.convolutions:
            return 0
        for op in self.walk:
            if op in self.convolutions:
                self._gradient(op) if op.name != "conv2d" else self._convolution(op)
            elif self.changing and op.name == "pool2d_grad" and _side_by_side(op):
                x, y, g = (self._move(v) for v in op.inputs)
                kernel = {"kernel": tuple(op.attrs["kernel_size"])}
                self._replace(op, self._emit(op, get("packed_pool_grad"), (x, y, g), kernel))
                self.count += 1
            elif op.name == "pool2d" and op.inputs[0] in self.moved and _regular(op):
                self._pool(op)
            elif self.changing and self._is_norm(op):
                self._norm(op)
            elif self._flows(op):
                inputs = tuple(self._operand(v) for v in op.inputs)
                self._replace(op, self._emit(op, op.opdef, inputs, op.attrs))
            else:
                op.map_operands(self._restore)
        self.block.results = [self._restore(v) for v in self.block.results]
        return self.count

    def _emit(self, old_op: Op, opdef: Any, inputs: Any, attrs: Any) -> Var:
        specs = tuple(None if v is None else v.spec for v in inputs)
        new_op = self.walk.insert(opdef, inputs, attrs, opdef.infer_specs(specs, attrs))
        new_op.out.stop_gradient = old_op.outputs[0].stop_gradient
        return new_op.out

    def _replace(self, op: Op, moved: Var) -> None:
        moved.name = op.out.name
        self.moved[op.out] = moved
        self.walk.drop()

    def _transposed(self, var: Var, perm: Any) -> Var:
        spec = var.spec
        new_op = self.walk.insert(get("transpose"), (var,), {"perm": list(perm)}, (spec.with_shape(spec.shape[p] for p in perm),))
        new_op.out.stop_gradient = var.stop_gradient
        return new_op.out

    def _restore(self, var: Var) -> Var:
        if var not in self.moved:
            return var
        if var not in self.restored:
            self.restored[var] = self._transposed(self.moved[var], self.back)
        return self.restored[var]

    def _move(self, var: Var) -> Var:
        if var not in self.moved:
            self.moved[var] = self._transposed(var, self.there)
            self.restored[var] = var
        return self.moved[var]

    def _gradient(self, op: Op) -> None:
        """A convolution's gradient, of its input or of its weight (which has no layout)."""
        x, w, g = op.inputs
        settings = _settings(_plan(x, w, op.attrs))
        if op.name == "conv2d_grad_filter":
            op.opdef, op.inputs, op.attrs = get("packed_conv_filter"), (self._move(x), self._move(g)), settings
        else:
            filters = {"layout": self.name, "method": "columns", "groups": 1, "slices": 1}
            packed = self._emit(op, get("pack_filter"), (w, None), filters)
            settings = {"sizes": tuple(x.spec.shape[2:]), **settings}
            self._replace(op, self._emit(op, get("packed_conv_input"), (self._move(g), packed), settings))
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
        self._replace(op, self._emit(op, get("packed_conv"), (self._move(x), packed, None, None), settings))
        self.count += 1

    def _method(self, op: Op, plan: Any, slices: int) -> str:
        """The method that was quickest in measurements (see docs/performance.md)."""
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
        about = (x.with_shape(x.shape[p] for p in self.there), w, settings, {"groups": op.attrs["groups"], "slices": slices})
        return choice(f"convolution {x} {w} {settings['pads']}", ("columns", "winograd2", "winograd4"), rule, about)

    def _pool(self, op: Op) -> None:
        attrs, x = op.attrs, self.moved[op.inputs[0]]
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
        """A batch norm of images, or its gradient, of values that are in the layout."""
        if op.name == "batch_norm":
            return op.inputs[0] in self.moved and op.attrs["data_format"] == "NCHW"
        if op.name != "standardize_grad" or op.attrs["axes"] != (0, 2, 3) or self.moved.keys().isdisjoint(op.inputs):
            return False
        return all(v.spec.is_static and v.spec.ndim == 4 for v in op.inputs)

    def _norm(self, op: Op) -> None:
        """It stays, with other axes; its images are in the layout, its statistics as before."""
        if op.name == "batch_norm":
            op.inputs = (self._move(op.inputs[0]), *map(self._restore, op.inputs[1:]))
            op.attrs = {**op.attrs, "data_format": self.name}
        else:
            axes = tuple(self.there.index(a) for a in (0, 2, 3))
            op.inputs, op.attrs = tuple(map(self._move, op.inputs)), {**op.attrs, "axes": axes}
        for i, old in enumerate(op.outputs):
            if old.spec.ndim == 4:
                spec = old.spec.with_shape(old.spec.shape[p] for p in self.there)
                new_var = Var(spec, name=old.name, block=self.block, op=op, index=i, stop_gradient=old.stop_gradient)
                op.outputs[i] = self.moved[old] = new_var

    def _flows(self, op: Op) -> bool:
        """True if an elementwise operator can work in the layout: on values that are there, and on what broadcasts to them."""
        if "elementwise" not in op.opdef.traits or not any(v in self.moved for v in op.operands()):
            return False
        if any(v is None or isinstance(v, tuple) or not isinstance(v.spec, TensorSpec) for v in op.inputs) or op.opdef.multi:
            return False
        supported = all(v in self.moved or (v.spec.is_static and v.spec.ndim <= 4) for v in op.inputs)
        return supported and op.out.spec.ndim == 4 and op.out.spec.is_static

    def _operand(self, var: Var) -> Var:
        if var in self.moved or var.spec.ndim == 0:
            return self.moved.get(var, var)
        if var.spec.ndim < 4:
            shape = [1] * (4 - var.spec.ndim) + list(var.spec.shape)
            var = self.walk.insert(get("reshape"), (var, ()), {"shape": shape}, (var.spec.with_shape(shape),)).out
        return self._move(var) if var.spec.size > 1 else var


def _pooled(convolution: Op, pool: dict[str, Any]) -> bool:
    """True if a convolution can give the maxima of pools: side by side, of one image, in columns that fit the cache."""
    (n, *outs, _), method = convolution.out.spec.shape, convolution.attrs["method"]
    if n != 1 or method != "columns" or prod(convolution.attrs["kernel"]) == 1 or pool["pooling_type"] != "max":
        return False
    if convolution.inputs[1].spec.shape[0] < prod(convolution.attrs["kernel"]) * convolution.inputs[0].spec.shape[3]:  # groups
        return False
    if pool["kernel"] != pool["stride"] or any(pool["pads"]) or pool["kernel"] == (1, 1):
        return False
    return prod(outs) * convolution.inputs[1].spec.shape[0] <= COLUMNS


def _patches(convolution: Op, pool: tuple[int, int]) -> bool:
    """True if it is quicker to copy what a pool sees once, and to multiply with zeros, too."""
    (rows, columns), (depth, filters) = convolution.attrs["kernel"], convolution.inputs[1].spec.shape
    if max(*convolution.attrs["stride"], *convolution.attrs["dilation"]) > 1:
        return False
    patch_size = depth // (rows * columns) * (rows + pool[0] - 1) * (columns + pool[1] - 1)
    return (patch_size - depth) * prod(pool) * filters <= (prod(pool) * depth - patch_size) * COPIED


def _is_depthwise(op: Op) -> bool:
    x, w = (v.spec for v in op.inputs)
    return bool(op.attrs["groups"] == x.shape[1] == w.shape[0] > 1)


def _factors(w: Var) -> tuple[Var, Var | None]:
    """Weights, and a number for each filter by which they are multiplied (`fold_batch_norm`) while they are packed."""
    op = w.op
    if op is not None and op.name == "multiply":
        weight, rate = op.inputs
        if rate is not None and rate.spec.shape == (w.spec.shape[0], 1, 1, 1) and weight is not None and weight.spec == w.spec:
            return weight, rate
    return w, None


def _slices(groups: int, weight: Any) -> int:
    """The number of groups after joining groups until each has enough channels for a matrix product."""
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


def _side_by_side(op: Op) -> bool:
    """The gradient of a max pooling without padding whose windows touch but don't overlap."""
    attrs, x = op.attrs, op.inputs[0].spec
    if attrs["pooling_type"] != "max" or attrs["data_format"] != "NCHW" or not x.is_static:
        return False
    plan = pool_arrays.PoolPlan(windows.spatial(x.shape, False), attrs)
    return not plan.adaptive and list(plan.kernel) == list(plan.stride) and not any(b or a for b, a in plan.pads)


def _regular(op: Op) -> bool:
    """A pooling that `packed_pool` can do: maxima, averages that no padding takes part in, or one window."""
    attrs = op.attrs
    if attrs["data_format"] != "NCHW":
        return False
    plan = pool_arrays.PoolPlan(windows.spatial(op.inputs[0].spec.shape, False), attrs)
    if plan.adaptive:
        return attrs["pooling_type"] == "avg" and max(plan.outs) == 1
    return attrs["pooling_type"] == "max" or not any(b or a for b, a in plan.pads)
