"""``x[index]`` and ``x[index] = value`` with every kind of NumPy index.

An index is taken apart into a basic part (ints, slices, None, Ellipsis: see `to_static.compiler.ops.shapes.slice`) and at most one
round of array indices (`to_static.compiler.ops.indexing.index`); boolean masks become the integer arrays of their true positions.
Integers are part of the basic index also beside arrays, as in Paddle: ``x[0, :, [1, 2]]`` is ``x[0][:, [1, 2]]`` (NumPy would put
the array first).
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from to_static.compiler.ir import mode
from to_static.compiler.ir.opdef import FrozenAttrs
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.spec import UNKNOWN, ListSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import dynamic_sizes, operands, static_arguments, traced_values
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.indexing.index import index as index_arrays
from to_static.compiler.ops.indexing.index import index_put
from to_static.compiler.ops.shape_rules import show
from to_static.compiler.ops.shapes.slice import LAST, Cuts, set_value, slice_op
from to_static.compiler.ops.traced_values import variable_of
from to_static.core.array_types import Array
from to_static.core.dtypes import bool_
from to_static.core.errors import OUT_OF_RANGE


class _Parsed:
    """A parsed index, applied in this order: ``cuts`` (slices), ``new`` dimensions of size 1, ``arrays`` that index ``axes``."""

    def __init__(self) -> None:
        self.cuts = Cuts()
        self.new: list[int] = []
        self.axes: list[int] = []
        self.arrays: list[Any] = []
        self.steps = 0  # slices among these, whose steps are tensors
        self.mask: Any = None  # the one boolean mask, when the index is nothing but that


def _is_mask(item: Any) -> bool:
    if isinstance(item, Tensor):
        return item.spec.dtype.kind == "b"
    return isinstance(item, (bool, np.bool_)) or (isinstance(item, np.ndarray) and item.dtype == bool)


def _as_item(item: Any) -> Any:
    """Lists, tuples and ranges become arrays or tensors; integers become Python ints."""
    if isinstance(item, (list, tuple, range)):
        if any(isinstance(i, Tensor) for i in item):
            return F.to_tensor(item)
        array = np.asarray(item)
        return array.astype(np.int64) if array.size == 0 else array
    if isinstance(item, Tensor) and isinstance(item.spec, ListSpec):
        return item.as_index()  # type: ignore[attr-defined]  # of the lists that tensors make, see `jst.objects.tensor_list`
    if item is None or item is Ellipsis or isinstance(item, (slice, Tensor, np.ndarray, bool, np.bool_)):
        return item
    try:
        return operator.index(item)
    except TypeError:
        raise TypeError(
            f"an index must be an int, slice, None, ..., or an integer or boolean tensor or list, got {type(item).__name__}"
        ) from None


def _dims_of(item: Any) -> int:
    if item is None or item is Ellipsis or isinstance(item, (bool, np.bool_)):
        return 0
    return item.ndim if _is_mask(item) else 1


def _parse(x: Tensor, index: Any) -> _Parsed:
    items = [_as_item(i) for i in index] if type(index) is tuple else [_as_item(index)]
    ndim = x.ndim
    parsed = _Parsed()
    ellipses = sum(1 for i in items if i is Ellipsis)
    used = sum(_dims_of(i) for i in items)
    if ellipses > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    if used > ndim:
        raise IndexError(f"too many indices: the tensor has {ndim} dimensions, {used} were indexed {OUT_OF_RANGE}")
    if not ellipses:
        items.append(Ellipsis)
    if len(items) == 2 and _is_mask(items[0]) and not isinstance(items[0], (bool, np.bool_)) and items[0].ndim:
        parsed.mask = items[0]
    axis = 0  # of x
    position = 0  # in x after cuts and new dimensions
    for item in items:
        if item is Ellipsis:
            axis += ndim - used
            position += ndim - used
        elif item is None:
            parsed.new.append(position)
            position += 1
        elif isinstance(item, slice):
            if item.step is not None and dynamic_sizes.is_dynamic(item.step):
                parsed.axes.append(position)
                parsed.arrays.append(dynamic_sizes.positions(x, axis, item))
                parsed.steps += 1
            else:
                _span(parsed.cuts, x, axis, item)
            axis += 1
            position += 1
        elif _is_mask(item):
            position, axis = _mask(parsed, x, item, axis, position)
        elif isinstance(item, (np.ndarray, Tensor)) and item.ndim:
            parsed.axes.append(position)
            parsed.arrays.append(_tensor(item))
            axis += 1
            position += 1
        else:
            parsed.cuts.point(axis, _bound(item))
            axis += 1
    if parsed.steps and len(parsed.arrays) > 1:
        what = "the step beside another such slice, or an array,"
        raise static_arguments.must_be_static("a slice", what, "two statements: `part = x[::n]`, then `part[:, ::m]`")
    return parsed


def _tensor(item: Array | Tensor) -> Tensor:
    if not isinstance(item, Tensor):
        item = mode.current().constant(np.asarray(item))
    if not item.spec.dtype.is_integer:
        raise IndexError(
            f"a tensor used as an index must be of an integer or boolean dtype, this one is {item.dtype.name}"
        )
    return item


def _mask(parsed: _Parsed, x: Any, item: Any, axis: int, position: int) -> tuple[int, int]:
    if isinstance(item, (bool, np.bool_)) or item.ndim == 0:  # as NumPy: a new dimension of size 1 (true) or 0
        parsed.new.append(position)
        item = F.reshape(item, [1]) if isinstance(item, Tensor) else np.asarray([bool(item)])
        shape: tuple[int, ...] = (1,)
        width = 0
    else:
        width = item.ndim
        shape = x.spec.shape[axis : axis + width]
    have = item.spec.shape if isinstance(item, Tensor) else item.shape
    if any(a != b and UNKNOWN not in (a, b) for a, b in zip(have, shape, strict=True)):
        raise IndexError(_not_fitting(show(have), show(shape)))
    if width and UNKNOWN in (*have, *shape) and not (axis == 0 and width == x.ndim and _has_shape_of(item, x)):
        dynamic_sizes.check_alike(item, x, "IndexError", _not_fitting, axis)
    mask = item if isinstance(item, Tensor) else mode.current().constant(item)
    if mode.building():
        columns = F.unbind(F.nonzero(mask), 1)
    else:
        columns = _true_positions(mask)
    parsed.axes += range(position, position + len(columns))
    parsed.arrays += columns
    step = max(width, 1)
    return position + step, axis + width


def _true_positions(mask: Tensor) -> list[Any]:
    """Of a mask of dynamic mode, for each dimension."""
    return [mode.current().holding(positions) for positions in mask._array.nonzero()]


def _not_fitting(have: str, want: str) -> str:
    return f"a boolean index of shape {have} does not fit the dimensions {want} {OUT_OF_RANGE}"


def _has_shape_of(value: Any, x: Any) -> bool:
    """True if a traced ``value`` is computed element by element of ``x`` and numbers: ``x > 0``."""
    todo, same_shape = [variable_of(value)], False
    while todo:
        one = todo.pop()
        if one is None:
            return False
        if one is variable_of(x):
            same_shape = True
        elif one.op is not None and "elementwise" in one.op.opdef.traits:
            todo += one.op.inputs
        elif one.spec.size != 1:
            return False
    return same_shape


def _bound(item: Any) -> Any:
    """A slice bound or position: an int, or while building a 0-D integer tensor."""
    if isinstance(item, np.ndarray) and item.ndim == 0:
        return operator.index(item.item())
    if not isinstance(item, Tensor):
        return operator.index(item)
    if not item.spec.dtype.is_integer or item.spec.size != 1:
        raise TypeError(f"a slice bound must be an integer or an integer tensor of one element, got {item.spec}")
    if not mode.building():
        return int(item)  # type: ignore[call-overload]
    return F.reshape(item, []) if item.ndim else item


def _span(cuts: Cuts, x: Any, axis: int, item: slice) -> None:
    if item.start is None and item.stop is None and item.step is None:
        return
    step = 1 if item.step is None else _bound(item.step)
    if step == 0:
        raise ValueError("slice step cannot be zero")
    start = (0 if step > 0 else LAST) if item.start is None else _bound(item.start)
    end = LAST if item.stop is None or item.stop is LAST else _bound(item.stop)
    if isinstance(end, Tensor) and step == 1 and not isinstance(start, Tensor) and traced_values.is_dim_of(end, x, axis):
        end = LAST
    cuts.add(axis, start, end, step)


def _basic(x: Tensor, parsed: _Parsed) -> Tensor:
    if parsed.cuts.axes:
        x = slice_op.emit(x, parsed.cuts.tensors, **parsed.cuts.attrs())
    return F.unsqueeze(x, parsed.new) if parsed.new else x


_MOST = 1024  # indices that are remembered
_plain: dict[Any, tuple[FrozenAttrs, _Parsed, FrozenAttrs]] = {}  # by number of dimensions, and `_signature`


def _signature(index: Any) -> Any:
    """A cache key for an index of ints, slices of ints, None and Ellipsis; None for any other index."""
    cls = type(index)
    if cls is int or index is Ellipsis:
        return index
    if index is None:
        return slice
    if cls is slice:
        start, stop, step = index.start, index.stop, index.step
        if (
            (start is None or type(start) is int)
            and (stop is None or type(stop) is int)
            and (step is None or type(step) is int)
        ):  # fmt: skip
            return slice, start, stop, step
    elif cls is tuple:
        signatures = tuple(map(_signature, index))
        return None if None in signatures else signatures
    return None


def _parsed_index(x: Tensor, index: Any) -> tuple[FrozenAttrs, _Parsed, FrozenAttrs] | None:
    """The attributes of `slice` for such an index, all that it says, and those of `unsqueeze`; None for other indices."""
    signature = _signature(index)
    if signature is None:
        return None
    key = len(x.spec.shape), signature
    known_parts = _plain.get(key)
    if known_parts is None:
        parsed = _parse(x, index)
        if len(_plain) >= _MOST:
            _plain.clear()
        known_parts = _plain[key] = FrozenAttrs(parsed.cuts.attrs()), parsed, FrozenAttrs(axes=tuple(parsed.new))
    return known_parts


def cuts_of(ndim: int, index: int | Sequence[int | slice]) -> dict[str, Any]:
    """The attributes of `slice` for an index of ints and slices."""
    cuts = Cuts()
    for axis, item in enumerate(index if type(index) is tuple else (index,)):
        if type(item) is slice:
            _span(cuts, None, axis, item)
        else:
            cuts.point(axis, item)
    return cuts.attrs()


FUNCTIONS["cuts_of"] = cuts_of


@functools.lru_cache
def _leading(ndim: int) -> FrozenAttrs:
    return FrozenAttrs(axes=tuple(range(ndim)))


def _decided(index: Any) -> list[Any]:
    """The parts of an index that are one of several values, which tensors decide."""
    if isinstance(index, slice):
        return [x for x in (index.start, index.stop, index.step) if getattr(x, "is_union", False)]
    if type(index) is tuple:
        return [x for item in index for x in _decided(item)]
    return [index] if getattr(index, "is_union", False) else []


def _of_tensors(index: Any) -> Any:
    """The index with a tensor for each list of the Program."""
    if type(index) is tuple:
        return tuple(map(_of_tensors, index))
    value = mode.current().resolve_list(index) if type(index) is list else index
    return value.to_tensor(value.spec.dtype) if getattr(value, "is_list", False) else index


def _put(index: Any, decided: Any, option: Any) -> Any:
    """The index with an ``option`` in the place of that part."""
    if isinstance(index, slice):
        return slice(*(option if x is decided else x for x in (index.start, index.stop, index.step)))
    if type(index) is tuple:
        return tuple(_put(item, decided, option) for item in index)
    return option if index is decided else index


def getitem(x: Tensor, index: Any) -> Tensor:
    """``x[index]``: ints, slices (any step), None, Ellipsis, boolean masks, integer lists, arrays and tensors, as in NumPy.

    Ints and slices give a view, and ``x[:]`` is ``x``: as in Paddle, what is changed in place in one is changed in the other.
    Raises IndexError when out of bounds, TypeError for anything else.
    """
    if isinstance(x.spec, ListSpec):
        return F.list_get(x, operands.tensor(index))
    cached_parse = _parsed_index(x, index)
    if cached_parse is not None:
        attrs, parsed, added = cached_parse
        if attrs["axes"]:
            x = slice_op.call((x, []), attrs)
        return F.unsqueeze.call((x,), added) if parsed.new else x
    if isinstance(index, Tensor) and not mode.building() and index.ndim and x.ndim:
        if index.dtype.is_integer:
            return index_arrays.call((x, [index]), _leading(1))
        if index.dtype is bool_ and index.spec.shape == x.spec.shape[: index.ndim]:
            return index_arrays.call((x, _true_positions(index)), _leading(index.ndim))
    if open_parts := _decided(index):
        return open_parts[0].each(lambda option: getitem(x, _put(index, open_parts[0], option)))
    parsed = _parse(x, _of_tensors(index))
    y = _basic(x, parsed)
    if parsed.arrays:
        return index_arrays.emit(y, parsed.arrays, axes=tuple(parsed.axes))
    return y


FUNCTIONS["getitem"] = getitem


def setitem(x: Any, index: Any, value: Any) -> Any:
    """A tensor like ``x`` with ``x[index] = value`` done; ``value`` is converted to the dtype of ``x`` and broadcast.

    Example:
        >>> y = static.setitem(x, 0, 5.0)
    """
    if isinstance(x.spec, ListSpec):
        return F.list_set(x, operands.tensor(index), operands.tensor(value))
    cached_parse = _parsed_index(x, index)
    if cached_parse is None and (open_parts := _decided(index)):
        return open_parts[0].each(lambda option: setitem(x, _put(index, open_parts[0], option), value))
    if cached_parse is None and _is_whole_mask(x, index) and type(value) in (int, float):
        return F.where(index, operands.hidden_constant(value, x.dtype), x)
    if isinstance(value, (bool, int, float, complex)):
        value = operands.hidden_constant(value, x.dtype)
    else:
        value = operands.tensor(value)
        if value.dtype is not x.dtype:
            value = F.cast(value, x.dtype)
    parsed = _parse(x, _of_tensors(index)) if cached_parse is None else cached_parse[1]
    if parsed.mask is not None and value.spec.size == 1:  # keeps the shapes known
        mask = parsed.mask if isinstance(parsed.mask, Tensor) else mode.current().constant(parsed.mask)
        full_mask = (
            F.unsqueeze(mask, [mask.ndim + i for i in range(x.ndim - mask.ndim)])
            if mask.ndim < x.ndim
            else mask
        )
        return F.where(full_mask, F.reshape(value, []) if value.ndim else value, x)
    if not parsed.arrays:
        if parsed.new and value.ndim:
            value = _without_new(value, x.ndim - len(parsed.cuts.points), parsed.new)
        if cached_parse is not None:
            return set_value.call((x, value, []), cached_parse[0])
        return set_value.emit(x, value, parsed.cuts.tensors, **parsed.cuts.attrs())
    part = _basic(x, parsed)
    new_part = index_put.emit(part, parsed.arrays, value, axes=tuple(parsed.axes), accumulate=False)
    if part is x:
        return new_part
    if parsed.new:
        new_part = F.squeeze(new_part, parsed.new)
    return set_value.emit(x, new_part, parsed.cuts.tensors, **parsed.cuts.attrs())


FUNCTIONS["setitem"] = setitem


def _is_whole_mask(x: Tensor, index: Any) -> bool:
    """Return whether the index is one boolean tensor of the shape of ``x`` whose values are known (dynamic mode)."""
    if not isinstance(index, Tensor) or mode.building():
        return False
    return index.dtype is bool_ and x.ndim > 0 and index.spec.shape == x.spec.shape


def _without_new(value: Tensor, kept_dims: int, new: list[int]) -> Tensor:
    """The value for ``x[None, ...] = value`` without the dimensions that None adds (they must be 1 there)."""
    offset = kept_dims + len(new) - value.ndim
    return F.squeeze(value, [n - offset for n in new if n >= offset])
