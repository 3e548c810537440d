"""Readers of Paddle 3's operations without a counterpart in Paddle 2: constants, in-place changes, branches, loops and arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.formats.pir.constant import PirConstant
from to_static.compiler.formats.pir.document import Operation
from to_static.compiler.ir.registry import FUNCTIONS, REGISTRY
from to_static.compiler.ir.spec import ListSpec, TensorSpec
from to_static.core.dtypes import BY_CODE
from to_static.core.errors import FormatError

if TYPE_CHECKING:
    from to_static.compiler.formats.pir.program_reader import PirReader

MAX_CONSTANT = 1 << 16  # elements of a filled tensor that is a constant of the Program
HALVES_TO_EVEN = 2  # the version from which on `round` takes halves to the even number; before it, away from zero
READERS: dict[str, Callable[[PirReader, Operation], None]] = {}


def reads(*names: str) -> Callable[[Callable[[Any, Any], None]], Callable[[Any, Any], None]]:
    """Register a reader of operations."""

    def decorate(function: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
        READERS.update(dict.fromkeys(names, function))
        return function

    return decorate


def _call(name: str, *args: Any, **kwargs: Any) -> Any:
    return FUNCTIONS[name](*args, **kwargs)


def _attr(reader: PirReader, op: Operation, name: str, cls: type | tuple[type, ...], default: Any = ...) -> Any:
    value = op.attrs.get(name, default)
    if value is ... or not isinstance(value, cls):
        raise FormatError(reader.path, f"attribute {name} of operation {op.name!r}", "none" if value is ... else repr(value))
    return value


def _dtype(reader: PirReader, op: Operation) -> Any:
    code = _attr(reader, op, "dtype", int)
    if code not in BY_CODE:
        raise FormatError(reader.path, f"a dtype of operation {op.name!r}", "none")
    return BY_CODE[code]


# plumbing ----------------------------------------------------------------------------------------------------------------


@reads("builtin.parameter")
def _(reader: PirReader, op: Operation) -> None:
    reader.parameter(op)


@reads("data")
def _(reader: PirReader, op: Operation) -> None:
    reader.feed(op)


@reads("fetch")
def _(reader: PirReader, op: Operation) -> None:
    (value_id,) = op.operands
    reader.fetches.append((_attr(reader, op, "col", int), _attr(reader, op, "name", str), value_id))


@reads("cf.yield", "print", "assert")
def _(reader: PirReader, op: Operation) -> None:
    """`PirReader.region` reads the values of a yield; of the others nothing is left in a saved program."""


@reads("builtin.combine")
def _(reader: PirReader, op: Operation) -> None:
    ((value_id, _),) = op.results
    reader.values[value_id] = [reader._value(operand) for operand in op.operands]
    reader.makers[value_id] = op


@reads("builtin.split")
def _(reader: PirReader, op: Operation) -> None:
    items = reader.read(op.operands[0])
    if not isinstance(items, list) or len(items) != len(op.results):
        raise FormatError(reader.path, f"a list of {len(op.results)} values to split", "another value")
    for (value_id, _), item in zip(op.results, items, strict=True):
        reader.values[value_id] = item


# constants ---------------------------------------------------------------------------------------------------------------


@reads("full")
def _(reader: PirReader, op: Operation) -> None:
    shape, dtype = _attr(reader, op, "shape", list), _dtype(reader, op)
    value = _attr(reader, op, "value", (int, float, bool, complex))
    size = 1
    for dim in shape:
        size *= dim
    if size < 0:
        raise FormatError(reader.path, "dimensions of a filled tensor", str(shape))
    if size > MAX_CONSTANT:
        reader.store(op, [_call("full", shape, value, dtype)])
    else:
        reader.define(op.results[0][0], PirConstant(np.full(shape, value).astype(dtype.np)))


@reads("full_int_array")
def _(reader: PirReader, op: Operation) -> None:
    array = np.asarray(_attr(reader, op, "value", list), _dtype(reader, op).np)
    reader.define(op.results[0][0], PirConstant(array))


@reads("assign_value_", "assign_value")
def _(reader: PirReader, op: Operation) -> None:
    dtype = _dtype(reader, op)
    array = np.asarray(_attr(reader, op, "values", list)).astype(dtype.np).reshape(_attr(reader, op, "shape", list))
    value_id = op.results[0][0]
    if op.operands and reader.is_written(op.operands[0]):
        reader.store(op, [_call("constant", array)])
        return
    reader.define(value_id, PirConstant(array))
    if op.operands:
        reader.values[op.operands[0]] = reader.values[value_id]


@reads("full_")
def _(reader: PirReader, op: Operation) -> None:
    dtype, value = _dtype(reader, op), _attr(reader, op, "value", (int, float, bool))
    reader.store(op, [_call("full", _attr(reader, op, "shape", list), value, dtype)])


@reads("full_with_tensor")
def _(reader: PirReader, op: Operation) -> None:
    operand, shape = op.operands
    value, dtype = reader.constant_of(operand), _dtype(reader, op)
    if value is not None:  # Paddle 2 can fill a tensor without elements, but not expand to one
        reader.store(op, [_call("full", reader.shape_of(shape), value.reshape(-1)[0].item(), dtype)])
        return
    scalar = _call("reshape", _call("cast", reader.read(operand), dtype), [])
    reader.store(op, [_call("expand", scalar, reader.shape_of(shape))])


@reads("full_like")
def _(reader: PirReader, op: Operation) -> None:
    x, value = reader.read(op.operands[0]), reader.constant_of(op.operands[1])
    code = op.attrs.get("dtype", -1)
    dtype = BY_CODE.get(code, x.dtype)
    if value is not None:
        reader.store(op, [_call("full_like", x, value.reshape(-1)[0].item(), dtype)])
        return
    scalar = _call("reshape", _call("cast", reader.read(op.operands[1]), dtype), [])
    reader.store(op, [_call("full_like", x, 0, dtype) + scalar])


@reads("shape64", "shape")
def _(reader: PirReader, op: Operation) -> None:
    reader.store(op, [_call("cast", _call("shape", reader.read(op.operands[0])), "int64" if op.name == "shape64" else "int32")])


# changes in place --------------------------------------------------------------------------------------------------------


@reads("increment_", "increment")
def _(reader: PirReader, op: Operation) -> None:
    x = reader.read(op.operands[0])
    step = _attr(reader, op, "value", (int, float), 1.0)
    reader.store(op, [x + np.asarray(step, x.dtype.np)[()]])


@reads("assign_out_")
def _(reader: PirReader, op: Operation) -> None:
    source, target = op.operands
    value = reader.fitting(reader.read(source), op.results[0][1])
    handle = reader.read(target)
    reader.builder.rebind(handle, _call("assign", value) if isinstance(value.spec, TensorSpec) else value)
    reader.values[op.results[0][0]] = handle


@reads("share_data_", "share_data", "shadow_feed", "memcpy")
def _(reader: PirReader, op: Operation) -> None:
    reader.values[op.results[0][0]] = reader.read(op.operands[0])


@reads("assign", "assign_")
def _(reader: PirReader, op: Operation) -> None:
    value = reader.read(op.operands[0])
    reader.store(op, [_call("assign", value) if isinstance(value.spec, TensorSpec) else value])


# operators that are several of Paddle 2 ----------------------------------------------------------------------------------


@reads("masked_fill", "masked_fill_")
def _(reader: PirReader, op: Operation) -> None:
    x, mask, value = map(reader.read, op.operands)
    reader.store(op, [_call("where", mask, _call("cast", value, x.dtype), x)])


@reads("median")
def _(reader: PirReader, op: Operation) -> None:
    axis, keepdim = _attr(reader, op, "axis", list, []), _attr(reader, op, "keepdim", bool, False)
    reader.store(op, [_median(reader.read(op.operands[0]), axis, keepdim, _attr(reader, op, "mode", str, "avg"))])


def _median(x: Any, axis: list[int], keepdim: bool, method: str) -> Any:
    """The middle of the numbers along ``axis``; ``method``: 'avg' of two middle ones, or their 'min'."""
    if len(axis) > 1:
        axes = [a % x.ndim for a in axis]
        other_axes = [i for i in range(x.ndim) if i not in axes]
        flat = _call("reshape", _call("transpose", x, other_axes + axes), [*(x.shape[i] for i in other_axes), -1])
        result = _median(flat, [-1], False, method)
        return _call("unsqueeze", result, sorted(axes)) if keepdim else result
    if method == "avg":
        return _call("median", x, axis[0] if axis else None, keepdim)
    flat, dim = (x, axis[0]) if axis else (_call("reshape", x, [-1]), 0)
    size = flat.shape[dim]
    smaller, _ = _call("kthvalue", flat, (size + 1) // 2, dim)
    missing = _call("any", _call("isnan", flat), dim)
    result = _call("where", missing, _call("full_like", smaller, float("nan")), smaller)
    if not keepdim:
        return result
    return _call("unsqueeze", result, dim) if axis else _call("reshape", result, [1] * x.ndim)


@reads("round", "round_")
def _(reader: PirReader, op: Operation) -> None:
    x, decimals = reader.read(op.operands[0]), _attr(reader, op, "decimals", int, 0)
    factor = 10.0 ** abs(decimals)
    scaled = x if not decimals else x * factor if decimals > 0 else x / factor
    rounded = _call("round", scaled)
    if reader.version >= HALVES_TO_EVEN and x.dtype.kind == "f":
        odd = rounded - 2 * _call("floor", rounded / 2)
        is_halfway = _call("equal", _call("abs", scaled - _call("trunc", scaled)), _call("full_like", scaled, 0.5))
        rounded = rounded - _call("sign", scaled) * _call("where", is_halfway, odd, _call("full_like", odd, 0))
    reader.store(op, [rounded if not decimals else rounded / factor if decimals > 0 else rounded * factor])


@reads("arange")
def _(reader: PirReader, op: Operation) -> None:
    constants = map(reader.constant_of, op.operands)
    bounds = [reader.read(n) if c is None else c.reshape(-1)[0].item() for n, c in zip(op.operands, constants, strict=True)]
    reader.store(op, [_call("arange", *bounds, dtype=_dtype(reader, op))])


@reads("eye")
def _(reader: PirReader, op: Operation) -> None:
    rows, columns = (reader.number_of(value_id) for value_id in op.operands)
    reader.store(op, [_call("eye", rows, columns if not isinstance(columns, int) or columns >= 0 else None, _dtype(reader, op))])


@reads("histogram")
def _(reader: PirReader, op: Operation) -> None:
    if (op.operands[1:] and op.operands[1]) or op.attrs.get("density"):
        raise FormatError(reader.path, "an operator that can be read", "histogram with weights or as a density")
    low, high = (_attr(reader, op, name, (int, float)) for name in ("min", "max"))
    reader.store(op, [_call("histogram", reader.read(op.operands[0]), _attr(reader, op, "bins", int), low, high)])


# branches and loops ------------------------------------------------------------------------------------------------------


@reads("if")
def _(reader: PirReader, op: Operation) -> None:
    if len(op.operands) != 1 or len(op.regions) != 2:
        raise FormatError(reader.path, "a condition and two blocks of a branch", f"{len(op.regions)} blocks")
    pred = reader.read(op.operands[0])
    specs = [spec for _, spec in op.results]

    def branch(block: Any) -> list[Any]:
        values = reader.region(block)
        if len(values) != len(specs):
            raise FormatError(reader.path, f"{len(specs)} results of a branch", f"{len(values)}")
        return [reader.fitting(value, spec) for value, spec in zip(values, specs, strict=True)]

    true, false = op.regions
    results = reader.builder.cond(_call("reshape", pred, []), lambda: branch(true), lambda: branch(false))
    reader.store(op, results)


@reads("while")
def _(reader: PirReader, op: Operation) -> None:
    if len(op.regions) != 1 or not op.operands or len(op.results) != len(op.operands) - 1:
        raise FormatError(reader.path, "a condition, variables and one block of a loop", f"{len(op.regions)} blocks")
    (block,) = op.regions
    condition, *start = (reader.read(value_id) for value_id in op.operands)
    specs = [spec for _, spec in op.results]
    for i, filler in reader.fillers(block, start, op.operands[1:]).items():
        start[i] = filler
    arrays = [i for i, value in enumerate(start) if isinstance(value.spec, ListSpec)]  # changed in place, under their first number
    carried = [i for i in range(len(start)) if i not in arrays]

    def body(_: Any, *values: Any) -> list[Any]:
        args = list(start)
        for i, value in zip(carried, values, strict=True):
            args[i] = value
        following, *results = reader.region(block, args)
        if len(results) != len(start):
            raise FormatError(reader.path, f"{len(start)} variables at the end of a loop's block", f"{len(results)}")
        for i in arrays:
            if results[i] is not start[i]:
                reader.builder.rebind(start[i], results[i])
        shapes = [reader.fitting(results[i], start[i].spec) for i in carried]
        return [reader.fitting(following, condition.spec), *shapes]

    operands = [condition, *(reader.handle(start[i]) for i in carried)]
    _, *results = reader.builder.while_loop(lambda going, *values: going, body, operands)
    by_position: dict[int, Any] = dict(zip(carried, results, strict=True))
    for i, (value_id, _) in enumerate(op.results):
        reader.values[value_id] = reader.fitting(by_position[i], specs[i]) if i in by_position else start[i]


# arrays ------------------------------------------------------------------------------------------------------------------


@reads("create_array", "create_array_like")
def _(reader: PirReader, op: Operation) -> None:
    reader.values[op.results[0][0]] = reader.handle(_call("list_new", []))


@reads("array_length")
def _(reader: PirReader, op: Operation) -> None:
    reader.store(op, [_call("list_len", reader.read(op.operands[0]))])


@reads("array_write_")
def _(reader: PirReader, op: Operation) -> None:
    items, x, i = map(reader.read, op.operands)
    maker = i.ssa.op
    while maker is not None and maker.name in ("reshape", "cast", "assign"):
        maker = maker.inputs[0].op
    if maker is not None and maker.name == "list_len" and maker.inputs[0] is reader.builder.var(items):
        _become(reader, op, _call("list_append", items, x))
        return
    i = _call("reshape", i, [])
    (result,) = reader.builder.cond(
        _call("less_than", i, _call("cast", _call("list_len", items), i.dtype)),
        lambda: [_call("list_set", items, i, x)],
        lambda: [_call("list_append", items, x)],
    )
    _become(reader, op, result)


def _become(reader: PirReader, op: Operation, value: Any) -> None:
    """Let the array that an operation changes be ``value``."""
    handle = reader.read(op.operands[0])
    reader.builder.rebind(handle, value)
    reader.values[op.results[0][0]] = handle


@reads("array_read")
def _(reader: PirReader, op: Operation) -> None:
    items, i = map(reader.read, op.operands)
    spec = op.results[0][1]
    if items.spec.element is None:  # in a loop, which fills it later: the file says what it will give
        REGISTRY["assert"].emit(_call("list_len", items) > 0, [], message="list index out of range", error="IndexError")
        reader.store(op, [_call("full", [1 if dim == -1 else dim for dim in spec.shape], 0, spec.dtype)])
        return
    reader.store(op, [_call("list_get", items, _call("reshape", i, []))])


@reads("array_pop")
def _(reader: PirReader, op: Operation) -> None:
    handle = reader.read(op.operands[0])
    items_left, item = _call("list_pop", handle, _call("full", [], _attr(reader, op, "index", int, -1), "int64"))
    _become(reader, op, items_left)
    reader.values[op.results[1][0]] = reader.handle(item)


@reads("array_to_tensor")
def _(reader: PirReader, op: Operation) -> None:
    items, axis = reader.read(op.operands[0]), _attr(reader, op, "axis", int, 0)
    stacked = _call("list_stack" if _attr(reader, op, "use_stack", bool, False) else "list_concat", items, axis=axis)
    reader.store(op, [stacked])


@reads("slice_array_dense")
def _(reader: PirReader, op: Operation) -> None:
    items, start = map(reader.read, op.operands)
    reader.store(op, [_call("list_get", items, _from_start(items, start))])


@reads("slice_array")
def _(reader: PirReader, op: Operation) -> None:
    items, *bounds = map(reader.read, op.operands)
    start, end = (_from_start(items, bound) for bound in bounds)
    start, end = _call("clip", start, 0), _call("minimum", end, _call("list_len", items))

    def copy(i: Any, out: Any) -> list[Any]:
        return [i + 1, _call("list_append", out, _call("list_get", items, i))]

    _, result = reader.builder.while_loop(lambda i, out: i < end, copy, [start, _call("list_new", [])])
    reader.values[op.results[0][0]] = reader.handle(result)


def _from_start(items: Any, bound: Any) -> Any:
    """A position in an array as a 0-D int64 tensor that counts from its start."""
    bound = _call("reshape", _call("cast", bound, "int64"), [])
    return _call("where", bound < 0, bound + _call("list_len", items), bound)
