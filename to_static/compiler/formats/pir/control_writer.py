"""Writes `cond`, `while_loop` and lists in the form of Paddle 3: operations with regions, and arrays that are changed in place.

A list without other readers is changed under its own id, also in a loop, which then does not carry it. Other lists are copied.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.formats.pir.file_values import dtype_of, number_of, type_of
from to_static.compiler.ir.program import Block, Op, Var
from to_static.compiler.ir.spec import ListSpec, TensorSpec
from to_static.core.dtypes import as_dtype, bool_, int32, int64

if TYPE_CHECKING:
    from to_static.compiler.formats.pir.program_writer import PirWriter

LOWERED: dict[str, Callable[[PirWriter, Op], None]] = {}


def lowers(*names: str) -> Callable[[Callable[[PirWriter, Op], None]], Callable[[PirWriter, Op], None]]:
    """Register how operators are written."""

    def decorate(function: Callable[[PirWriter, Op], None]) -> Callable[[PirWriter, Op], None]:
        LOWERED.update(dict.fromkeys(names, function))
        return function

    return decorate


def _region(w: PirWriter, body: Callable[[], list[str]], args: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """A region: what ``body`` writes, ending with the values that it names."""
    outer, outer_ids = w.operations, dict(w.value_ids)
    w.operations = []
    results = body()
    w.emit("2.yield", [w.value_ids[name] for name in results])
    block = {"#": "block", "args": args or [], "ops": w.operations}
    w.operations, w.value_ids = outer, outer_ids
    return {"#": "region", "blocks": [block]}


def _bind(w: PirWriter, block: Block, names: list[str]) -> None:
    w.names.update(zip(block.args, names, strict=True))


def _one_bool(w: PirWriter, name: str) -> str:
    spec = w.specs[name]
    return name if spec.dtype is bool_ else w.cast(name, spec, bool_)


@lowers("cond")
def _cond(w: PirWriter, op: Op) -> None:
    pred, operands = op.inputs
    if not op.outputs:
        return  # nothing but prints and asserts
    condition = _one_bool(w, w.name(pred))
    names = [w.name(v) for v in operands]
    passed = {_passed_on(w, op, i) for i in range(len(op.outputs))}

    def branch(block: Block) -> Callable[[], list[str]]:
        def body() -> list[str]:
            _bind(w, block, names)
            w.owned.update(block.args[j] for j in passed if j is not None)
            w.ops(block)
            w.current = op
            return [_unaliased_name(w, result, var.spec) for result, var in zip(block.results, op.outputs, strict=True)]

        return body

    regions = [_region(w, branch(block)) for block in op.blocks]
    w.emit("if", [w.value_ids[condition]], [(_target(w, var, "cond"), var.spec) for var in op.outputs], regions=regions)
    w.owned.update(op.outputs)


def _unaliased_name(w: PirWriter, result: Var, spec: Any) -> str:
    """The name of a result, which no other value has if it is a list; ``spec``: what is known of it."""
    name = w.name(result)
    return name if isinstance(spec, TensorSpec) or result in w.owned else _copied(w, name, spec)


def _passed_on(w: PirWriter, op: Op, i: int) -> int | None:
    """Return which operand of a branch its list result ``i`` is, changed in place in either case; None: a new list, or no list."""
    origins = set()
    for block in op.blocks:
        var = block.results[i]
        while var.op is not None and var.op.name in ("list_append", "list_set"):
            var = var.op.inputs[0]  # type: ignore[assignment]
        origins.add(block.args.index(var) if var in block.args else None)
    (operand,) = origins if len(origins) == 1 else (None,)
    if operand is None or isinstance(op.outputs[i].spec, TensorSpec):
        return None
    items = op.inputs[1][operand]  # type: ignore[index]
    return operand if items in w.owned and w.reads(items) == 1 else None


def _target(w: PirWriter, var: Var, hint: str) -> str:
    w.names[var] = name = w.declare(w.claim(w.named(var), hint), var.spec)
    return name


@lowers("while_loop")
def _while(w: PirWriter, op: Op) -> None:
    (operands,) = op.inputs
    count = op.attrs["carried"]
    test, body = op.blocks
    start = [w.name(v) for v in operands[:count]]
    outside = [w.name(v) for v in operands[count:]]
    for i, var in enumerate(op.outputs):
        if not isinstance(var.spec, TensorSpec):
            maker = operands[i].op
            if maker is not None and maker.name == "list_new" and not maker.inputs[0]:
                start[i] = _empty(w, var.spec)
            elif operands[i] not in w.owned or w.reads(operands[i]) > 1:
                start[i] = _copied(w, start[i], var.spec)
            _holds(w, start[i], var.spec)
    first = _test(w, op, test, [*start, *outside])
    start = [_for_loop(w, var, name) for var, name in zip(operands[:count], start, strict=True)]
    inner = [w.declare(w.unique_name("carried"), var.spec) for var in op.outputs]

    def run() -> list[str]:
        for name, arg in zip(inner, args, strict=True):
            w.value_ids[name] = arg["#"]
        _bind(w, body, [*inner, *outside])
        w.owned.update(body.args[:count])
        w.ops(body)
        w.current = op
        result_names = [_unaliased_name(w, result, var.spec) for result, var in zip(body.results, op.outputs, strict=True)]
        return [_test(w, op, test, [*result_names, *outside]), *result_names]

    args = [_argument(w, var.spec) for var in op.outputs]
    region = _region(w, run, args)
    operand_numbers = [w.value_ids[name] for name in (first, *start)]
    w.emit("while", operand_numbers, [(_target(w, var, "while"), var.spec) for var in op.outputs], regions=[region])
    w.owned.update(op.outputs)


def _for_loop(w: PirWriter, var: Var, name: str) -> str:
    """The start value of a loop: a copy if anything else reads the tensor, whose memory PaddlePaddle 3.3 gives to the loop."""
    is_local = var.op is not None or var in w.owned
    if not isinstance(var.spec, TensorSpec) or (is_local and w.reads(var) == 1):
        return name
    copy = w.temp(w.specs[name], "carried")
    w.emit("assign", [w.value_ids[name]], [(copy, w.specs[name])])
    return copy


def _argument(w: PirWriter, spec: Any) -> dict[str, Any]:
    """An argument of a block, which has a negative number."""
    w.last_argument -= 1
    return {"#": w.last_argument, "TT": type_of(spec)}


def _test(w: PirWriter, op: Op, test: Block, names: list[str]) -> str:
    _bind(w, test, names)
    w.ops(test)
    w.current = op
    return _one_bool(w, w.name(test.results[0]))


# lists -------------------------------------------------------------------------------------------------------------------


def _empty(w: PirWriter, spec: Any) -> str:
    """An array that is empty."""
    name = w.temp(spec, "array")
    element = spec.element.dtype if spec.element is not None else as_dtype("float32")
    w.emit("create_array", [], [(name, spec)], {"dtype": dtype_of(element)})
    w.created[w.value_ids[name]] = w.operations[-1]
    return name


def _length(w: PirWriter, array: str) -> str:
    name = w.temp(TensorSpec((1,), int64), "length")
    w.emit("array_length", [w.value_ids[array]], [(name, TensorSpec((1,), int64))])
    return name


def _holds(w: PirWriter, array: str, spec: Any) -> None:
    """Record the spec of the elements of an array, which is known now."""
    created = w.created.get(w.value_ids[array])
    if w.specs[array].element is None and spec.element is not None and created is not None:
        w.specs[array] = spec
        created["A"][0]["AT"], created["O"][0]["TT"] = dtype_of(spec.element.dtype), type_of(spec)


def _store(w: PirWriter, array: str, index: str, x: str) -> None:
    """Write an element. Later operations take the result: PaddlePaddle's engine shares equal operations on one number."""
    _holds(w, array, ListSpec(w.specs[x]))
    w.emit("array_write_", [w.value_ids[array], w.value_ids[x], w.value_ids[index]], [(array, w.specs[array])])


def _list_array_for_write(w: PirWriter, op: Op) -> str:
    """The array of a list that ``op`` changes: its own if nothing else uses it, else a copy."""
    items = op.inputs[0]
    source = w.names[items]
    w.owned.add(op.out)
    return source if w.reads(items) == 1 and items in w.owned else _copied(w, source, op.out.spec)


def _copied(w: PirWriter, source: str, spec: Any) -> str:
    spec = spec if spec.element is not None else w.specs[source]
    name = _empty(w, spec)
    _holds(w, source, spec)
    _append_range(w, source, name)
    return name


def _compare(w: PirWriter, op_type: str, x: str, y: str) -> str:
    name = w.temp(TensorSpec((1,), bool_), "condition")
    w.by_row(op_type, {"X": [x], "Y": [y]}, {"Out": [name]}, {})
    return name


def _append_range(w: PirWriter, source: str, target: str, start: str | None = None, end: str | None = None) -> None:
    """A loop that appends the elements from ``start`` to ``end`` of one array to another."""
    one = TensorSpec((1,), int64)
    k = start or w.int_array([0])
    stop = end or _length(w, source)
    first = _compare(w, "less_than", k, stop)
    args = [_argument(w, one), _argument(w, w.specs[target])]

    def run() -> list[str]:
        i, array = w.declare(w.unique_name("position"), one), w.declare(w.unique_name("array"), w.specs[target])
        w.value_ids[i], w.value_ids[array] = (arg["#"] for arg in args)
        element = w.temp(w.specs[source].element or TensorSpec((), as_dtype("float32")))
        w.emit("array_read", [w.value_ids[source], w.value_ids[i]], [(element, w.specs[element])])
        _store(w, array, _length(w, array), element)
        next_index = w.temp(one)
        step = {"scale": ("float", 1.0), "bias": ("float", 1.0), "bias_after_scale": ("bool", True)}
        w.by_row("scale", {"X": [i]}, {"Out": [next_index]}, step)
        return [_compare(w, "less_than", next_index, stop), next_index, array]

    region = _region(w, run, args)
    operands = [w.value_ids[name] for name in (first, k, target)]
    w.emit("while", operands, [(w.unique_name("position"), one), (target, w.specs[target])], regions=[region])


def _index(w: PirWriter, array: str, i: Var) -> str:
    """An index of shape [1] and dtype int64 that counts from the start."""
    int64_index = w.cast(i, i.spec, int64) if i.spec.dtype is not int64 else w.name(i)
    one = TensorSpec((1,), int64)
    flat = w.temp(one)
    w.by_row("reshape", {"X": [int64_index]}, {"Out": [flat]}, {"shape": ("ints", [1])})
    if i.op is not None and i.op.name in ("constant", "full") and np.all(np.asarray(i.op.attrs["value"]) >= 0):
        return flat
    shifted, result = w.temp(one), w.temp(one)
    negative = _compare(w, "less_than", flat, w.int_array([0]))
    w.by_row("add", {"X": [flat], "Y": [_length(w, array)]}, {"Out": [shifted]}, {})
    w.by_row("where", {"Condition": [negative], "X": [shifted], "Y": [flat]}, {"Out": [result]}, {})
    return result


@lowers("list_new")
def _list_new(w: PirWriter, op: Op) -> None:
    w.names[op.out] = array = _empty(w, op.out.spec)
    w.owned.add(op.out)
    for i, x in enumerate(op.inputs[0]):
        _store(w, array, w.int_array([i]), w.name(x))


@lowers("list_append")
def _list_append(w: PirWriter, op: Op) -> None:
    array = _list_array_for_write(w, op)
    _store(w, array, _length(w, array), w.name(op.inputs[1]))
    w.names[op.out] = array


@lowers("list_set")
def _list_set(w: PirWriter, op: Op) -> None:
    array = _list_array_for_write(w, op)
    _store(w, array, _index(w, array, op.inputs[1]), w.name(op.inputs[2]))
    w.names[op.out] = array


@lowers("list_get")
def _list_get(w: PirWriter, op: Op) -> None:
    array = w.name(op.inputs[0])
    index = _index(w, array, op.inputs[1])
    w.emit("array_read", [w.value_ids[array], w.value_ids[index]], [(_target(w, op.out, "array_read"), op.out.spec)])


@lowers("list_pop")
def _list_pop(w: PirWriter, op: Op) -> None:
    array = w.name(op.inputs[0])
    items_left, item = op.outputs
    at = _index(w, array, op.inputs[1])
    w.emit("array_read", [w.value_ids[array], w.value_ids[at]], [(_target(w, item, "array_read"), item.spec)])
    w.names[items_left] = target = _empty(w, items_left.spec)
    w.owned.add(items_left)
    next_index = w.temp(TensorSpec((1,), int64))
    step = {"scale": ("float", 1.0), "bias": ("float", 1.0), "bias_after_scale": ("bool", True)}
    w.by_row("scale", {"X": [at]}, {"Out": [next_index]}, step)
    _append_range(w, array, target, None, at)
    _append_range(w, array, target, next_index, None)


@lowers("list_len")
def _list_len(w: PirWriter, op: Op) -> None:
    length = _length(w, w.name(op.inputs[0]))
    w.by_row("reshape", {"X": [length]}, {"Out": [_target(w, op.out, "length")]}, {"shape": ("ints", [])})


@lowers("list_stack", "list_concat")
def _to_tensor(w: PirWriter, op: Op) -> None:
    attributes = {"axis": number_of("i32", op.attrs["axis"]), "use_stack": number_of("bool", op.name == "list_stack")}
    results = [(_target(w, op.out, "joined"), op.out.spec), (w.unique_name("sizes"), TensorSpec((-1,), int32))]
    w.emit("array_to_tensor", [w.value_ids[w.name(op.inputs[0])]], results, attributes)


@lowers("expand", "softplus", "nearest_interp", "pad")
def _as_declared(w: PirWriter, op: Op) -> None:
    """Write operators as declared that need a special form for Paddle 2's kernels, but not for those of Paddle 3."""
    w.as_declared(op)


@lowers("constant")
def _constant(w: PirWriter, op: Op) -> None:
    w.names[op.out] = w.constant(op.attrs["value"])
