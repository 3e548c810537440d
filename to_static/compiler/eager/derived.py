"""Gradient rules that are compiled: a rule that is called often with equal specs is traced, and becomes a plan on arrays.

A rule calls several public operators; for small tensors the call overhead is larger than the computation. If sizes or number
attributes differ in each call, one plan takes the numbers as inputs. Rare specs, large tensors and rules that cannot be traced are
not compiled. The tape calls this module.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.autodiff.vjp import call_vjp
from to_static.compiler.ir import mode
from to_static.compiler.ir.opdef import FrozenAttrs, GradContext, OpDef
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec, spec_of
from to_static.compiler.ir.tensor import Tensor
from to_static.core import backend as backends
from to_static.core.dtypes import float64
from to_static.core.processes.compile_lock import COMPILE_LOCK

if TYPE_CHECKING:
    from to_static.core.array_types import Array

_ARRAY = np.ndarray
_OFTEN = 24  # calls of a kind after which its rule is traced, which takes as long as some fifty calls
_OFTEN_BESIDE = 240  # the same where a plan for any sizes does it meanwhile
_MOST = 512  # rules that are plans
_KINDS = 4096  # that are counted
_LARGE = 1 << 15  # numbers from which on calls are no matter, but buffers would be
_UNFIT = frozenset(["effect", "random", "dynamic"])  # operators of which a rule is not made a plan

Function = Callable[..., Any]
_functions: dict[Any, Function | None] = {}  # None: not of this kind
_families: dict[Any, Function | None] = {}  # the same for kinds that differ in sizes and numbers
_counts: dict[Any, int] = {}


def gradients(
    opdef: OpDef, inputs: list[Any], outputs: list[Any], edges: list[Any], attrs: dict[str, Any], gouts: list[Any]
) -> Any:
    """The gradients as NumPy arrays or None, by the kernel of the gradient or a compiled plan of the rule.

    None where the rule itself is to be called.
    """
    if opdef.grad_kernel is not None:
        gradient = _by_kernel(opdef, inputs, outputs, edges, attrs, gouts)
        if gradient is not None:
            return [gradient, *edges[1:]]  # these are None
    if opdef.dynamic:
        return None
    parts: list[Any] = [opdef]
    arrays = []
    for item in inputs:
        if type(item) is _ARRAY:
            parts += (item.shape, item.dtype)
            arrays.append(item)
        elif type(item) is list:
            parts.append(len(item))
            for array in item:
                if type(array) is not _ARRAY:
                    return None
                parts += (array.shape, array.dtype)
                arrays.append(array)
        elif item is None:
            parts.append(None)
        else:  # packed by a hook, or not on the host
            return None
    for edge in edges:
        parts.append(edge is None)
    for out, g in zip(outputs, gouts, strict=True):
        if g is None:
            parts.append(out.shape)
        elif type(g) is not _ARRAY or type(out) is not _ARRAY or g.shape != out.shape or g.dtype is not out.dtype:
            return None
        else:
            parts.append(g.shape)
            parts.append(g.dtype)
    sizes = len(parts)
    if type(attrs) is FrozenAttrs:
        parts.append(attrs)
    elif attrs:
        values = attrs.values()
        parts += values
        parts += map(type, values)
    key = tuple(parts)
    try:
        function = _functions.get(key)
    except TypeError:  # an attribute that is a list
        return None
    if function is not None:
        return function(*arrays, *outputs, *gouts)
    if key in _functions:
        return None
    general, size_values = _of_any_sizes(parts[:sizes], opdef, inputs, arrays, outputs, edges, attrs, gouts)
    often = _OFTEN if general is None else _OFTEN_BESIDE
    if _counted(key) > often and len(_functions) < _MOST:
        _counts.pop(key, None)
        function = _functions[key] = _new_plan(opdef, inputs, outputs, edges, attrs, gouts, None)
        if function is not None:
            return function(*arrays, *outputs, *gouts)
    if general is None:
        return None
    try:
        grads = general(*arrays, *outputs, *gouts, *size_values)
    except Exception:  # whatever it is, the rule itself will tell
        return None
    for edge, array, grad in zip(edges, arrays, grads, strict=True):
        if edge is not None and grad is not None and grad.shape != array.shape:  # a rule that was wrong about what it may know
            return None
    return grads


def _by_kernel(
    opdef: OpDef, inputs: list[Any], outputs: list[Any], edges: list[Any], attrs: dict[str, Any], gouts: list[Any]
) -> Array | None:
    """The gradient of the first input, by the kernel for it; None where others are wanted, or arrays are not as it takes them."""
    g, out = gouts[0], outputs[0]
    if type(g) is not _ARRAY or g.dtype is not out.dtype or g.shape != out.shape or g.dtype.kind != "f" or edges[0] is None:
        return None
    for edge in edges[1:]:
        if edge is not None:
            return None
    for output_gradient in gouts[1:]:
        if output_gradient is not None:
            return None
    for item in inputs:
        if type(item) is not _ARRAY and item is not None and not (type(item) is list and all(type(i) is _ARRAY for i in item)):
            return None
    gradient = opdef.grad_kernel(*inputs, *outputs, g, **attrs)  # type: ignore[misc]
    return gradient if gradient is None or type(gradient) is _ARRAY else np.asarray(gradient)  # of no dimensions


def _counted(key: Any) -> int:
    """Count a kind of call; returns how often it was met, this time included."""
    if len(_counts) > _KINDS:
        _counts.clear()
    count = _counts[key] = _counts.get(key, 0) + 1
    return count


def _of_any_sizes(
    input_types: list[Any],
    opdef: OpDef,
    inputs: list[Any],
    arrays: list[Any],
    outputs: list[Any],
    edges: list[Any],
    attrs: dict[str, Any],
    gouts: list[Any],
) -> tuple[Function | None, list[Any]]:
    """Return the compiled rule for arrays of any sizes, or None, and the number attributes that it takes as inputs.

    ``input_types``: the operator, and the dtypes and ranks of arrays and gradients. Numbers that a rule must know are compiled in.
    """
    total = outputs[0].size
    for array in arrays:
        total += array.size
    if total >= _LARGE or outputs[0].dtype.kind == "c":
        return None, []
    family = [len(part) if type(part) is tuple else part for part in input_types]
    floats: tuple[str, ...] = ()
    if type(attrs) is FrozenAttrs:
        family.append(attrs)
    elif attrs:
        if opdef.number_names:
            floats = tuple([name for name in opdef.number_names if type(attrs[name]) is float])
        for name, value in attrs.items():
            if name not in floats:
                family += (value, type(value))
    key = tuple(family)
    function = _families.get(key)
    if function is None and key in _families and floats:
        key, floats = (*key, *[attrs[name] for name in floats]), ()
        function = _families.get(key)
    if function is None and key not in _families and _counted(key) > 2 * _OFTEN and len(_families) < _MOST:
        _counts.pop(key, None)
        function = _families[key] = _new_plan(opdef, inputs, outputs, edges, attrs, gouts, floats)
    return function, [np.array(attrs[name]) for name in floats]


def _new_plan(
    opdef: OpDef,
    inputs: list[Any],
    outputs: list[Any],
    edges: list[Any],
    attrs: dict[str, Any],
    gouts: list[Any],
    names: Sequence[str] | None,
) -> Function | None:
    """Compile a rule to a function of input, output and gradient arrays; returns None if it cannot be compiled.

    ``names``: None for arrays of these sizes; otherwise the function takes arrays of any sizes, and the attributes of these names
    as float64 arrays.
    """
    from to_static.compiler.ir.building.builder import Builder  # only programs that train need these
    from to_static.compiler.ir.symbolic.sym_number import as_sym_number
    from to_static.compiler.passes.pipeline import INFERENCE, optimize
    from to_static.compiler.runtime.plan import compile_plan

    flat = [array for item in inputs if item is not None for array in (item if type(item) is list else [item])]
    candidates = [*flat, *outputs, *gouts]
    if sum(array.size for array in candidates if array is not None) >= _LARGE:
        return None
    with COMPILE_LOCK:
        builder = Builder()
        builder.records_sites = False
        try:
            with mode.use(builder), mode.grad_mode(False):
                specs = [None if array is None else spec_of(array) for array in candidates]
                if names is not None:
                    specs = [None if spec is None else spec.with_shape([UNKNOWN] * spec.ndim) for spec in specs]
                feeds = [None if spec is None else builder.feed(spec) for spec in specs]
                size_handles = {name: as_sym_number(builder.feed(TensorSpec((), float64)), float) for name in names or ()}
                some: Any = iter(feeds)
                wanted = iter(edges)
                fed: list[Any] = []
                needs: list[Any] = []
                for item in inputs:
                    if type(item) is list:
                        fed.append([next(some) for _ in item])
                        needs.append([next(wanted) is not None for _ in item])
                    else:
                        fed.append(None if item is None else next(some))
                        needs.append(item is not None and next(wanted) is not None)
                results = [next(some) for _ in outputs]
                context = GradContext(tuple(fed), tuple(results), {**attrs, **size_handles}, tuple(needs))
                grads = call_vjp(opdef, context, list(some))
                grads = [g if edge is not None else None for g, edge in zip(grads, edges, strict=True)]
                program = builder.finish([g for g in grads if g is not None])
            ops = [*program.block.walk()]
            if any(op.opdef.traits & _UNFIT for op in ops) or program.params:
                return None
            if size_handles and any(_has_tensor(value) for op in ops for value in op.attrs.values()):
                return None  # an attribute of an operator has to be known
            optimize(program, INFERENCE)
            used = {var for op in program.block.ops for var in op.operands()} | set(program.block.results)
            retained = [i for i, var in enumerate(program.feeds) if var in used]
            program.block.args[:] = [program.feeds[i] for i in retained]
            run = compile_plan(program, backends.NUMPY).call
        except Exception:  # whatever it is, the rule itself will tell
            return None
    present = [i for i, array in enumerate(candidates) if array is not None]
    present += range(len(candidates), len(candidates) + len(size_handles))
    retained = [present[i] for i in retained]
    order: list[Any] = []
    for g in grads:
        order.append(None if g is None else len(order) - order.count(None))

    if None not in order:
        return lambda *arrays: run(*[arrays[i] for i in retained])

    def some_of(*arrays: Array) -> Any:
        values = run(*[arrays[i] for i in retained])
        return [None if i is None else values[i] for i in order]

    return some_of


def _has_tensor(value: Any) -> bool:
    """True for an attribute that is, or has in it, what only a run knows."""
    return any(map(_has_tensor, value)) if isinstance(value, (list, tuple)) else isinstance(value, Tensor)
