"""Lists of tensors as values of a Program: Python lists that grow or change in a static branch or loop.

Operators are functional: each returns a new list. The gradient of a list is a list of the gradients of its elements.
In Paddle's files a list is a LOD_TENSOR_ARRAY.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir.opdef import op
from to_static.compiler.ir.spec import UNKNOWN, ListSpec, TensorSpec, join
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions as F
from to_static.compiler.ops import shape_rules
from to_static.core.dtypes import int64
from to_static.core.errors import ArgumentError, DTypeError, ShapeError


def _joined(element: TensorSpec | ListSpec | None, x: TensorSpec | ListSpec, name: str) -> Any:
    if element is None:
        return x
    joined = join(element, x)
    if joined is None:
        raise ShapeError(f"{name}: the list holds {element}, so {x} does not fit: rank and dtype must agree")
    return joined


def _index_spec(i: TensorSpec, name: str) -> None:
    if not isinstance(i, TensorSpec) or not i.dtype.is_integer:
        raise DTypeError(f"{name}: a list index must be an integer tensor, got {i}")


@op("list_new(X* -> Out)", file=None, traits="integral forwards_inputs")
def list_new(items: Sequence[Tensor] = ()) -> Any:
    """A list of tensors as one value of a Program."""
    return list_new.emit(list(items))


@list_new.infer
def _(items: Any) -> Any:
    element = None
    for x in items:
        element = _joined(element, x, "list")
    return ListSpec(element)


@list_new.kernel
def _(xp: Any, items: Any) -> Any:
    return list(items)


@list_new.grad
def _(ctx: Any, g: Any) -> Any:
    return [list_get(g, _index(i)) if need else None for i, need in enumerate(ctx.needs[0])]


@op("list_append(L, X -> Out)", file=None, traits="integral forwards_inputs")
def list_append(items: Tensor, x: Tensor) -> Any:
    """The list with ``x`` at its end (the old list is unchanged)."""
    return list_append.emit(items, x)


@list_append.infer
def _(items: Any, x: Any) -> Any:
    return ListSpec(_joined(items.element, x, "list.append"))


@list_append.kernel
def _(xp: Any, items: Any, x: Any) -> Any:
    return [*items, x]


@list_append.grad
def _(ctx: Any, g: Any) -> Any:
    return list_pop(g, _index(-1))


@op("list_get(L, I -> Out) sure:bool", file=None, traits="integral forwards_inputs")
def list_get(items: Tensor, i: Tensor, sure: bool = False) -> Any:
    """Element ``i`` (a 0-D or one-element integer tensor, negative counts from the end). ``sure``: there is one for certain."""
    return list_get.emit(items, i, sure=sure)


@list_get.infer
def _(items: Any, i: Any, sure: bool) -> Any:
    _index_spec(i, "list[i]")
    if items.element is None:
        raise ShapeError("list[i]: the list is empty wherever this line can run")
    return items.element


@list_get.kernel
def _(xp: Any, items: Any, i: Any, sure: bool) -> Any:
    k = int(i.item())
    if not -len(items) <= k < len(items):
        raise IndexError("list index out of range")
    return items[k]


@list_get.may_raise
def _(items: Any, i: Any, sure: bool) -> bool:
    return not sure


@list_get.grad
def _(ctx: Any, g: Any) -> Any:
    return list_set(list_zeros(ctx.inputs[0]), ctx.inputs[1], g), None


@op("list_set(L, I, X -> Out)", file=None, traits="integral may_raise forwards_inputs")
def list_set(items: Tensor, i: Tensor, x: Tensor) -> Any:
    """The list with element ``i`` replaced by ``x``."""
    return list_set.emit(items, i, x)


@list_set.infer
def _(items: Any, i: Any, x: Any) -> Any:
    _index_spec(i, "list[i] = x")
    return ListSpec(_joined(items.element, x, "list[i] = x"))


@list_set.kernel
def _(xp: Any, items: Any, i: Any, x: Any) -> Any:
    k = int(i.item())
    if not -len(items) <= k < len(items):
        raise IndexError("list assignment index out of range")
    new = list(items)
    new[k] = x
    return new


@list_set.grad
def _(ctx: Any, g: Any) -> Any:
    items, i, _ = ctx.inputs
    old = list_set(g, i, F.zeros_like(list_get(items, i))) if ctx.needs[0] else None
    return old, None, list_get(g, i) if ctx.needs[2] else None


@op("list_pop(L, I -> Rest, Item)", file=None, traits="integral may_raise forwards_inputs")
def list_pop(items: Tensor, i: Tensor) -> Any:
    """The list without element ``i``, and that element."""
    return list_pop.emit(items, i)


@list_pop.infer
def _(items: Any, i: Any) -> Any:
    _index_spec(i, "list.pop")
    if items.element is None:
        raise ShapeError("list.pop: the list is empty wherever this line can run")
    return items, items.element


@list_pop.kernel
def _(xp: Any, items: Any, i: Any) -> Any:
    k = int(i.item())
    items_left = list(items)  # pop() fails in Python's words
    item = items_left.pop(k)
    return items_left, item


@list_pop.grad
def _(ctx: Any, items_left: Any, item: Any) -> Any:
    return list_insert(items_left, ctx.inputs[1], item), None


@op("list_len(L -> Out)", file=None, traits="nodiff")
def list_len(items: Tensor) -> Any:
    """Number of elements, a 0-D int64 tensor."""
    return list_len.emit(items)


@list_len.infer
def _(items: Any) -> Any:
    return TensorSpec((), int64)


@list_len.kernel
def _(xp: Any, items: Any) -> Any:
    return xp.asarray(len(items), "int64")


@op("list_find(L, X -> Out)", file=None, traits="nodiff")
def list_find(items: Tensor, x: Tensor) -> Any:
    """The position of the first element (0-D tensors) that is equal to ``x``, -1 when there is none: a 0-D int64 tensor."""
    return list_find.emit(items, x)


@list_find.infer
def _(items: Any, x: Any) -> Any:
    for spec in (items.element, x):
        if spec is not None and spec.ndim:
            raise ShapeError(f"list_find: the elements and what is looked for are 0-D tensors, got {spec}")
    return TensorSpec((), int64)


@list_find.kernel
def _(xp: Any, items: Any, x: Any) -> Any:
    wanted = x.item()
    return xp.asarray(next((i for i, item in enumerate(items) if item.item() == wanted), -1), "int64")


def _check_filled(items: Tensor, what: str) -> None:
    """Python's error, as it comes when the Program runs, for a list that is known to be empty: it may stand in a branch."""
    if items.spec.element is None:
        raise ArgumentError(f"{what}: expected at least one tensor")


@op("list_stack(L -> Out) axis", file=None, traits="integral may_raise")
def list_stack(items: Tensor, axis: int = 0) -> Any:
    """The elements, all of one shape, stacked along a new ``axis``."""
    _check_filled(items, "stack")
    return list_stack.emit(items, axis=axis)


@list_stack.infer
def _(items: Any, axis: int) -> Any:
    if items.element is None:
        raise ShapeError("stack: the list is empty wherever this line can run")
    shape = list(items.element.shape)
    shape.insert(shape_rules.axis_index(axis, len(shape) + 1, "stack"), UNKNOWN)
    return items.element.with_shape(shape)


@list_stack.kernel
def _(xp: Any, items: Any, axis: int) -> Any:
    if not items:
        raise ShapeError("stack: expected at least one tensor")
    return xp.stack(items, axis)


@list_stack.grad
def _(ctx: Any, g: Any) -> Any:
    return list_unstack(g, axis=ctx.axis)


@op("list_concat(L -> Out) axis", file=None, traits="integral may_raise")
def list_concat(items: Tensor, axis: int = 0) -> Any:
    """The elements joined along an existing ``axis``."""
    _check_filled(items, "concat")
    return list_concat.emit(items, axis=axis)


@list_concat.infer
def _(items: Any, axis: int) -> Any:
    if items.element is None:
        raise ShapeError("concat: the list is empty wherever this line can run")
    shape = list(items.element.shape)
    shape[shape_rules.axis_index(axis, len(shape), "concat")] = UNKNOWN
    return items.element.with_shape(shape)


@list_concat.kernel
def _(xp: Any, items: Any, axis: int) -> Any:
    if not items:
        raise ShapeError("concat: expected at least one tensor")
    return xp.concatenate(items, axis)


@list_concat.grad
def _(ctx: Any, g: Any) -> Any:
    return list_split(g, ctx.inputs[0], axis=ctx.axis)


# what gradients of lists are made of ---------------------------------------------------------------------------------


def _index(i: int) -> Any:
    return mode.current().constant(np.asarray(i, "int64"))


@op("list_zeros(L -> Out)", file=None, traits="nodiff")
def list_zeros(items: Tensor) -> Any:
    """Zeros like each element."""
    return list_zeros.emit(items)


@list_zeros.infer
def _(items: Any) -> Any:
    return items


@list_zeros.kernel
def _(xp: Any, items: Any) -> Any:
    return [_zeros(xp, x) for x in items]


def _zeros(xp: Any, x: Any) -> Any:
    return [_zeros(xp, y) for y in x] if isinstance(x, list) else xp.zeros_like(x)


@op("list_add(L, M -> Out)", file=None, traits="integral")
def list_add(items: Tensor, addends: Tensor) -> Any:
    """The sums of the elements of two lists of equal length."""
    return list_add.emit(items, addends)


@list_add.infer
def _(items: Any, addends: Any) -> Any:
    if items.element is None or addends.element is None:
        return ListSpec(items.element or addends.element)
    return ListSpec(_joined(items.element, addends.element, "sum of lists"))


@list_add.kernel
def _(xp: Any, items: Any, addends: Any) -> Any:
    return [_sum(a, b) for a, b in zip(items, addends, strict=True)]


def _sum(a: Any, b: Any) -> Any:
    return [_sum(x, y) for x, y in zip(a, b, strict=True)] if isinstance(a, list) else a + b


@list_add.grad
def _(ctx: Any, g: Any) -> Any:
    return g, g


@op("list_insert(L, I, X -> Out)", file=None, traits="integral forwards_inputs")
def list_insert(items: Tensor, i: Tensor, x: Tensor) -> Any:
    """The list with ``x`` put where `list_pop` with index ``i`` takes it from."""
    return list_insert.emit(items, i, x)


@list_insert.infer
def _(items: Any, i: Any, x: Any) -> Any:
    _index_spec(i, "list.insert")
    return ListSpec(_joined(items.element, x, "list.insert"))


@list_insert.kernel
def _(xp: Any, items: Any, i: Any, x: Any) -> Any:
    k = int(i.item())
    k = k + len(items) + 1 if k < 0 else k
    return [*items[:k], x, *items[k:]]


@list_insert.grad
def _(ctx: Any, g: Any) -> Any:
    items_left, item = list_pop(g, ctx.inputs[1])
    return items_left, None, item


@op("list_unstack(X -> Out) axis", file=None, traits="integral")
def list_unstack(x: Tensor, axis: int = 0) -> Any:
    """The slices of ``x`` along ``axis``: what `list_stack` came from."""
    return list_unstack.emit(x, axis=axis)


@list_unstack.infer
def _(x: Any, axis: int) -> Any:
    k = shape_rules.axis_index(axis, x.ndim, "unstack")
    return ListSpec(x.with_shape(x.shape[:k] + x.shape[k + 1 :]))


@list_unstack.kernel
def _(xp: Any, x: Any, axis: int) -> Any:
    return [a.copy() for a in xp.moveaxis(x, axis, 0)]


@list_unstack.grad
def _(ctx: Any, g: Any) -> Any:
    return list_stack(g, axis=ctx.axis)


@op("list_split(X, Like -> Out) axis", file=None, traits="integral")
def list_split(x: Tensor, like: Tensor, axis: int = 0) -> Any:
    """``x`` cut along ``axis`` into pieces as long as the elements of ``like``: what `list_concat` came from."""
    return list_split.emit(x, like, axis=axis)


@list_split.infer
def _(x: Any, like: Any, axis: int) -> Any:
    return like if like.element is None else ListSpec(like.element.with_dtype(x.dtype))


@list_split.kernel
def _(xp: Any, x: Any, like: Any, axis: int) -> Any:
    pieces, start = [], 0
    for item in like:
        cut = [slice(None)] * x.ndim
        cut[axis] = slice(start, start + item.shape[axis])
        pieces.append(x[tuple(cut)].copy())
        start += item.shape[axis]
    return pieces


@list_split.grad
def _(ctx: Any, g: Any) -> Any:
    return list_concat(g, axis=ctx.axis), None
