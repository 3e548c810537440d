"""Rules that write an operator as an array-module expression in a plan, instead of a call of its kernel. `codegen` uses `RULES`.

A rule gets the generator, the call, the expressions of its inputs and of its buffer ('' for new memory). It returns an expression,
or None if the kernel must be called.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.ops import blocked_sum
from to_static.compiler.ops.clamp import MOST, full
from to_static.compiler.ops.linalg import skinny_matmul
from to_static.compiler.ops.pointwise import logistic
from to_static.compiler.ops.shapes.slice import key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from to_static.compiler.ir.program import Op
    from to_static.compiler.ir.spec import TensorSpec
    from to_static.compiler.runtime.codegen import Generated
    from to_static.compiler.runtime.schedule import KernelCall
    from to_static.core.backend import Backend

# ops whose kernels read their input before they write, so that the result may take over an input's memory
IN_PLACE = frozenset(("relu", "relu_grad", "sigmoid", "softmax", "log_softmax"))

_REDUCE = {"sum": "add", "max": "maximum", "min": "minimum", "mean": "add"}


def writes(op: Op, backend: Backend) -> bool:
    """True if a rule of this module writes the op's result into its buffer, also if the kernel cannot (0-D, no ``out``)."""
    if backend.name != "numpy":
        return False
    return op.name in ("sum", "max", "min") or (op.name == "sum_to" and _summed_axes(op) is not None)


def ufunc(generator: Generated, name: str, args: list[str], out: str) -> str:
    """Return a call of an array-module function; `out` is a keyword for functions that would take it as a third operand."""
    words = [*args, f"out={out}" if name in ("maximum", "minimum") else out] if out else args
    return f"{generator.bind(getattr(generator.backend.xp, name), name)}({', '.join(words)})"


def _matmul(generator: Generated, call: KernelCall, args: list[str], out: str) -> str | None:
    """With one matrix on the right, `dot` on a batch that is folded to a matrix: it has less overhead than `matmul`."""
    x, y = (v.spec for v in call.inputs)
    attrs = call.op.attrs
    numpy = generator.backend.name == "numpy"
    if y.ndim == 1 or x.ndim == 1 or y.ndim > 2:
        if not numpy or not x.ndim or not y.ndim:
            return None
        if max(x.ndim, y.ndim) < 3 and (x.ndim == 1 or not attrs["trans_x"]) and (y.ndim == 1 or not attrs["trans_y"]):
            return _dot(generator, args[0], args[1], out)
        return _batched(generator, call, args, out) if min(x.ndim, y.ndim) > 1 else None
    if x.ndim > 2 and (attrs["trans_x"] or not x.is_static or not y.is_static):
        return _batched(generator, call, args, out) if numpy else None
    right = args[1] + ".T" * attrs["trans_y"]
    if x.ndim < 3:
        if x.ndim == 2 and not attrs["trans_x"] and (few := _few_rows(generator, x, y, attrs["trans_y"])):
            return f"{few}({args[0]}, {args[1]}, {out or None})"
        return _dot(generator, args[0] + ".T" * attrs["trans_x"], right, out)
    result = (*x.shape[:-1], y.shape[-2 if attrs["trans_y"] else -1])  # the operator's own may be unknown: `x` was folded
    rows = math.prod(x.shape[:-1])
    left = generator.seen_as(call.inputs[0], args[0], (rows, x.shape[-1]))
    target = generator.seen_as(call.outputs[0], out, (rows, result[-1])) if out else ""
    few = _few_rows(generator, x.with_shape((rows, x.shape[-1])), y, attrs["trans_y"])
    text = f"{few}({left}, {args[1]}, {target or None})" if few else _dot(generator, left, right, target)
    if target.isidentifier():
        generator.result_text = out
        return text
    return f"{text}.reshape({generator.literal(result)})"


def _few_rows(generator: Generated, x: TensorSpec, y: TensorSpec, transposed: bool) -> str:
    """Return the name of a function that computes a product of few rows in blocks; '' if one product is as fast."""
    if generator.backend.name != "numpy" or x.dtype.name != "float32" or not x.is_static or not y.is_static:
        return ""
    sizes = (*x.shape, y.shape[0 if transposed else 1], transposed)
    return generator.memoized(skinny_matmul.product, *sizes) if skinny_matmul.blocks(*sizes) else ""


def _batched(generator: Generated, call: KernelCall, args: list[str], out: str) -> str:
    """Return the kernel's expression as a call of `matmul` on (transposed) operands."""
    left_text, right_text = (a + ".swapaxes(-1, -2)" * call.op.attrs[t] for a, t in zip(args, ("trans_x", "trans_y"), strict=True))
    return ufunc(generator, "matmul", [left_text, right_text], out)


def _dot(generator: Generated, left: str, right: str, out: str) -> str:
    """Return a product by `dot`. NumPy's method is used, since its function first looks for other array types."""
    words = ", ".join([right, *([out] if out else [])])
    if generator.backend.name == "numpy":
        return f"{left}.dot({words})"
    return f"{generator.bind(generator.backend.xp.dot, 'dot')}({left}, {words})"


def _relu(generator: Generated, call: KernelCall, args: list[str], out: str) -> str | None:
    """The maximum with an array of zeros that is made once; results above a size limit call the kernel, which works by rows."""
    spec = call.outputs[0].spec
    if generator.backend.name != "numpy" or not spec.is_static or spec.size < 2 or spec.dtype.name not in ("float32", "float64"):
        return ufunc(generator, "maximum", [args[0], _zero(generator, call)], out)
    if spec.size > MOST:
        return None
    return ufunc(generator, "maximum", [args[0], generator.memoized(full, spec.shape, 0, spec.dtype.np)], out)


def _packed_rows(generator: Generated, call: KernelCall, args: list[str], out: str) -> str | None:
    """One product, if the row is stored with a trailing 1 (see `bias_padding`)."""
    row = generator.with_tail(call.inputs[0])
    return _dot(generator, row, generator.ref(call.inputs[1][0]), out) if row else None


def _sigmoid(generator: Generated, call: KernelCall, args: list[str], out: str) -> str | None:
    """The steps of the kernel as one expression, for results below a size limit."""
    spec = call.outputs[0].spec
    if not out.isidentifier() or generator.backend.name != "numpy" or not spec.is_static or spec.size > MOST:
        return None
    dtype = spec.dtype.np
    if (limit := logistic.LIMIT.get(dtype.char)) is None:
        return None
    below = ufunc(generator, "minimum", [args[0], generator.memoized(full, spec.shape, limit, dtype)], out)
    raised = ufunc(generator, "exp", [below], out)
    more = ufunc(generator, "add", [out, generator.constant(np.ones((), dtype), "one")], "")
    return ufunc(generator, "divide", [raised, more], out)


def _relu_grad(generator: Generated, call: KernelCall, args: list[str], out: str) -> str | None:
    positive = ufunc(generator, "greater", [args[0], _zero(generator, call)], "")
    return ufunc(generator, "multiply", [args[1], positive], out)


def _zero(generator: Generated, call: KernelCall) -> str:
    return generator.constant(np.zeros((), call.outputs[0].spec.dtype.np), "zero")


def _reshape(generator: Generated, call: KernelCall, args: list[str], out: str) -> str | None:
    """A method call, if the shape is known."""
    spec = call.outputs[0].spec
    return f"{args[0]}.reshape({generator.literal(spec.shape)})" if spec.is_static else None


def _transpose(generator: Generated, call: KernelCall, args: list[str], out: str) -> str | None:
    return f"{args[0]}.transpose({generator.literal(tuple(call.op.attrs['perm']))})"


def _reduce(generator: Generated, call: KernelCall, args: list[str], out: str) -> str | None:
    """A call of ``ufunc.reduce``, without the wrappers of the array module."""
    op = call.op
    if generator.backend.name != "numpy":
        return None
    axes, keep, spec = tuple(op.attrs["axis"]), op.attrs["keepdim"], op.inputs[0].spec
    wanted = (op.attrs["dtype"] if op.name == "sum" else None) or spec.dtype
    dtype = generator.dtype(wanted) if op.name == "sum" else "None"
    if _REDUCE[op.name] != "add" or wanted.kind not in "fc":
        text = _reduction(generator, _REDUCE[op.name], args[0], axes, dtype, out, keep)
    elif wanted is spec.dtype:
        text = _total(generator, op, axes, args[0], out, keep)
    else:
        text = f"{generator.bind(blocked_sum.total, 'total')}({args[0]}.astype({dtype}), {axes}, {keep}, {out or None})"
    if op.name != "mean":
        return text
    if spec.dtype.name not in ("float32", "float64") or not spec.is_static:
        return None
    count = generator.constant(np.asarray(math.prod(spec.shape[a] for a in axes), spec.dtype.np), "count")
    return ufunc(generator, "divide", [text, count], out)


def _sum_to(generator: Generated, call: KernelCall, args: list[str], out: str) -> str | None:
    axes_info = _summed_axes(call.op) if generator.backend.name == "numpy" else None
    if axes_info is None:
        return None
    if call.outputs[0].spec.dtype.kind in "fc":
        return _total(generator, call.op, axes_info[0], args[0], out, axes_info[1])
    dtype = generator.dtype(call.outputs[0].spec.dtype)
    return _reduction(generator, "add", args[0], axes_info[0], dtype, out, axes_info[1])


def _total(generator: Generated, op: Op, axes: tuple[int, ...], x: str, out: str, keep: bool) -> str:
    """The sum over ``axes`` of an operator's first input, by the same function as in its kernel, so that the bits are equal."""
    spec = op.inputs[0].spec
    if not spec.is_static:
        return f"{generator.bind(blocked_sum.total, 'total')}({x}, {axes}, {keep}, {out or None})"
    few = spec.dtype.name != "float16" and math.prod(spec.shape[a] for a in axes) < blocked_sum.DEEP
    if (few or spec.dtype.name == "float64") and not blocked_sum.is_product(spec.shape, spec.dtype.np.char, axes, keep):
        return _reduction(generator, "add", x, axes, generator.dtype(spec.dtype), out, keep)
    return f"{generator.memoized(blocked_sum.adder, spec.shape, spec.dtype.np.char, axes, keep)}({x}, {out or None})"


def _summed_axes(op: Op) -> tuple[tuple[int, ...], bool] | None:
    """Return the axes to sum over, and True if they stay with size 1; None if one reduction is not enough."""
    x, like = op.inputs[0].spec, op.inputs[1].spec
    if not (x.is_static and like.is_static):
        return None
    extra = x.ndim - like.ndim
    stretched = tuple(i + extra for i, d in enumerate(like.shape) if d == 1 != x.shape[i + extra])
    if bool(extra) == bool(stretched):  # nothing to do, or some axes go and others stay
        return None
    return (tuple(range(extra)), False) if extra else (stretched, True)


def _reduction(generator: Generated, name: str, x: str, axes: Sequence[int], dtype: str, out: str, keep: bool) -> str:
    method = generator.bind(getattr(generator.backend.xp, name).reduce, f"{name}_reduce")
    return f"{method}({x}, {generator.literal(axes)}, {dtype}, {out or None}, {generator.literal(keep)})"


def _slice(generator: Generated, call: KernelCall, args: list[str], out: str) -> str | None:
    """Indexing with literals, if all bounds are known."""
    if call.op.inputs[1]:
        return None
    items = key(call.op.inputs[0].spec.ndim, [], **call.op.attrs)
    return f"{args[0]}[{', '.join(_index(generator, item) for item in items)}]"


def _index(generator: Generated, item: Any) -> str:
    if item is Ellipsis:
        return "..."
    if not isinstance(item, slice):
        return generator.literal(item)  # type: ignore[no-any-return]
    first, last, step = ("" if v is None else generator.literal(v) for v in (item.start, item.stop, item.step))
    return f"{first}:{last}" if item.step in (None, 1) else f"{first}:{last}:{step}"


def _list_get(generator: Generated, call: KernelCall, args: list[str], out: str) -> str | None:
    """Indexing with a Python number, if the index is one in the plan."""
    index = call.inputs[1]
    if index.array is None and index not in generator.schedule.counters:
        return None
    return f"{args[0]}[{generator.python_scalar(index)}]"


RULES: dict[str, Callable[[Any, Any, list[str], str], str | None]] = {
    "matmul": _matmul,
    "relu": _relu,
    "relu_grad": _relu_grad,
    "sigmoid": _sigmoid,
    "reshape": _reshape,
    "reshape_as": _reshape,
    "squeeze": _reshape,
    "unsqueeze": _reshape,
    "transpose": _transpose,
    "sum": _reduce,
    "max": _reduce,
    "min": _reduce,
    "mean": _reduce,
    "sum_to": _sum_to,
    "list_get": _list_get,
    "slice": _slice,
    "packed_rows": _packed_rows,
}
