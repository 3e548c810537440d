"""`chain`: a sequence of elementwise operators, computed part by part, so that a part of each array stays in the cache.

The pass `fuse_elementwise` inserts this operator. Results are equal bit by bit.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Iterator
from math import prod
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Prepared, Sample, op
from to_static.compiler.ir.registry import get
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ops.pointwise import logistic
from to_static.compiler.ops.pointwise.special import gelu_into
from to_static.core.array_types import Array, ArrayModule
from to_static.core.code_generation import define, word
from to_static.core.processes.threads import allowed, share

PART = 1 << 16  # numbers of a part: a few of them fit a second-level cache together, and calls are few
SHARED = 1 << 20  # numbers of a result from which on several threads compute it
SHARED_PART = 1 << 17  # numbers of a part then: with shorter ones threads wait for each other, as each call takes Python's lock

Step = tuple[str, tuple[tuple[str, Any], ...], tuple[int, ...]]  # operator, attributes, operands: inputs, or -1 - k for step k


@op("chain(X* -> Y) steps", file=None, traits="nodiff")
def chain(inputs: Any, steps: Any) -> Any:
    """The last of ``steps``, each of which is an elementwise operator on inputs and on results of steps before it."""
    return chain.emit(inputs, steps=steps)


@chain.infer
def _(inputs: list[TensorSpec], steps: tuple[Step, ...]) -> TensorSpec:
    specs: list[TensorSpec] = []
    for name, attrs, operands in steps:
        operand_values = tuple(inputs[i] if i >= 0 else specs[-1 - i] for i in operands)
        specs += get(name).infer_specs(operand_values, dict(attrs))
    return specs[-1]


@chain.kernel
def _(xp: ArrayModule, inputs: list[Any], steps: tuple[Step, ...]) -> Array:
    values: list[Any] = []
    for name, attrs, operands in steps:
        operand_values = (inputs[i] if i >= 0 else values[-1 - i] for i in operands)
        values.append(xp.asarray(get(name).kernel_for(xp.__name__)(xp, *operand_values, **dict(attrs))))
    return values[-1]


def division(shape: tuple[int, ...], operands: list[tuple[int, ...]]) -> tuple[int, int] | None:
    """View ``shape`` as a matrix, ``(rows, columns)``, in which every operand is whole, a scalar, one row, or one column.

    Returns None if there is no such matrix.
    """
    size, lengths, heights = prod(shape), set(), set()
    for operand in operands:
        padded = (1,) * (len(shape) - len(operand)) + tuple(operand)
        if len(operand) > len(shape) or prod(operand) in (1, size):
            continue
        lead = next(i for i, d in enumerate(padded) if d != 1)
        last = max(i for i, d in enumerate(padded) if d != 1) + 1
        if padded[lead:] == shape[lead:] and padded[lead:last] == shape[lead:last]:
            lengths.add(prod(shape[lead:]))
        elif padded[:last] == shape[:last]:
            heights.add(prod(shape[:last]))
        else:
            return None
    if len(lengths) > 1 or len(heights) > 1:
        return None
    if lengths and heights and lengths.pop() * next(iter(heights)) != size:
        return None
    if heights:
        rows = heights.pop()
        return rows, size // rows
    if lengths:
        length = lengths.pop()
        return size // length, length
    return size, 1


@chain.prepare
def _(specs: tuple[list[TensorSpec], ...], steps: tuple[Step, ...]) -> Prepared | None:
    inputs: list[TensorSpec] = specs[0]
    results: list[TensorSpec] = []
    for name, attrs, operands in steps:
        operand_values = tuple(inputs[i] if i >= 0 else results[-1 - i] for i in operands)
        results += get(name).infer_specs(operand_values, dict(attrs))
    out = results[-1]
    divided = division(out.shape, [s.shape for s in inputs])
    if divided is None or any(s.shape != out.shape for s in results):
        return None
    rows, length = divided
    input_forms = [_row_form(s, out, rows) for s in inputs]
    rows_per_part, shared_rows_per_part = (max(1, size // length) for size in (PART, SHARED_PART))
    slots, count = _slots(steps, results)
    spare = {spec.dtype: len(count) + k for k, spec in enumerate(_more_memory(steps, results))}
    count += spare

    def bind(
        input_arrays: list[list[Array | None]], buffer: Array | None, work: list[Any], persistent: list[Any], empty: Any = np.empty
    ) -> Any:
        flat, shape, dtype = (rows, length) if length > 1 else (rows,), out.shape, out.dtype.np
        whole_part = _compiled(steps, input_forms, slots, results, spare)
        large = rows * length >= SHARED
        thread_memory: list[list[Any]] = []  # memory of the threads

        def parts_of(rows_per_part: int, work: list[Any]) -> list[Any]:
            parts = []
            for start in range(0, rows, rows_per_part):
                stop = min(start + rows_per_part, rows)
                parts.append((slice(start, stop), [w[: (stop - start) * length].reshape((stop - start, *flat[1:])) for w in work]))
            return parts

        parts = parts_of(rows_per_part, work)
        moving = [k for k, form in enumerate(input_forms) if form in ("all", "column")]

        def chain_run(arrays: list[Array]) -> Array:
            y = empty(shape, dtype) if buffer is None else buffer
            flat_result = y.reshape(flat)
            views = [_as_rows(a, form, rows, length) for a, form in zip(arrays, input_forms, strict=True)]

            def compute(parts: Any) -> None:
                cut = list(views)
                for part, temporary in parts:
                    for k in moving:
                        cut[k] = views[k][part]
                    whole_part(*cut, *temporary, flat_result[part])

            count = min(allowed(), rows // shared_rows_per_part) if large else 1
            if count < 2:
                compute(parts)
                return y
            while len(thread_memory) < count:
                thread_memory.append(
                    parts_of(shared_rows_per_part, [_aligned(shared_rows_per_part * length, w.dtype) for w in work])
                )
            queue = deque(range(len(thread_memory[0])))  # taking one of its items is one step for all threads
            share(lambda thread_index: compute(_claim_parts(queue, thread_memory[thread_index])), count)
            return y

        return chain_run

    return Prepared([out.with_shape((min(rows_per_part, rows) * length,)).with_dtype(t) for t in count], [], bind)


def _aligned(count: int, dtype: Any) -> Any:
    """Memory that begins at a cache line."""
    raw = np.empty(count * dtype.itemsize + 64, "uint8")
    start = -raw.ctypes.data % 64
    return raw[start : start + count * dtype.itemsize].view(dtype)


def _claim_parts(queue: deque[int], parts: list[Any]) -> Iterator[Any]:
    """Yield parts that no other thread has claimed: each takes the next index from ``queue``."""
    while True:
        try:
            index = queue.popleft()
        except IndexError:
            return
        yield parts[index]


def _row_form(spec: TensorSpec, out: TensorSpec, rows: int) -> str:
    if spec.size == out.size:
        return "all"
    if spec.size == 1:
        return "one"
    padded = (1,) * (out.ndim - spec.ndim) + spec.shape
    first = next(i for i, d in enumerate(padded) if d != 1)
    return "row" if padded[first:] == out.shape[first:] else "column"


def _as_rows(array: Array, form: str, rows: int, length: int) -> Array:
    if form == "all":
        return array.reshape((rows, length) if length > 1 else (rows,))
    if form == "one":
        return array.reshape(())
    return array.reshape(length) if form == "row" else array.reshape(rows, 1) if length > 1 else array.reshape(rows)


def _slots(steps: tuple[Step, ...], result_specs: list[TensorSpec]) -> tuple[list[int], list[Any]]:
    """Assign a temporary to each step, and return the dtypes of the temporaries. A temporary is reused after its last reader.

    -1 is the part of the result. It is in the cache anyway, so steps before the last one write into it, too, if the last one may
    read what is there.
    """
    last: dict[int, int] = {}
    for k, (_, _, operands) in enumerate(steps):
        last.update((-1 - i, k) for i in operands if i < 0)
    free: list[int] = [] if get(steps[-1][0]).ufunc is None else [-1]
    slots: list[int] = []
    dtypes: list[Any] = []
    for k in range(len(steps) - 1):
        dtype = result_specs[k].dtype
        dying = [slots[j] for j in range(k) if last.get(j) == k]
        if get(steps[k][0]).ufunc is not None:  # it reads every number before it writes that one
            free += dying
            dying = []
        slot = next((s for s in free if (result_specs[-1].dtype if s < 0 else dtypes[s]) is dtype), None)
        if slot is None:
            dtypes.append(dtype)
            slot = len(dtypes) - 1
        else:
            free.remove(slot)
        slots.append(slot)
        free += dying
    return [*slots, -1], dtypes


def _plain_gelu(step: Step, spec: TensorSpec) -> bool:
    return step[0] == "gelu" and not dict(step[1])["approximate"] and spec.dtype.name == "float32"


def _more_memory(steps: tuple[Step, ...], result_specs: list[TensorSpec]) -> list[TensorSpec]:
    """Results, one of each dtype, of steps that need memory for as many numbers again."""
    pairs = zip(steps, result_specs, strict=True)
    return list({s.dtype: s for step, s in pairs if step[0] == "sigmoid" or _plain_gelu(step, s)}.values())


def _compiled(
    steps: tuple[Step, ...], input_forms: list[str], slots: list[int], result_specs: list[TensorSpec], spare: dict[Any, int]
) -> Callable[..., None]:
    """A function of parts of the inputs, the temporaries and a part of the result; ``spare``: temporaries of steps, by dtype."""
    names: dict[str, Any] = {}
    inputs = [f"x{i}" for i in range(len(input_forms))]
    temporaries = [f"t{i}" for i in range(max([*slots, *spare.values()]) + 1)]
    lines = [f"def part({', '.join([*inputs, *temporaries, 'y'])}):"]
    targets: list[str] = []
    for k, (name, attrs, operands) in enumerate(steps):
        targets.append("y" if slots[k] < 0 else f"t{slots[k]}")
        arguments = ", ".join(inputs[i] if i >= 0 else targets[-1 - i] for i in operands)
        if _plain_gelu(steps[k], result_specs[k]):
            names["gelu_into"] = gelu_into
            lines.append(f"    gelu_into({arguments}, {targets[-1]}, t{spare[result_specs[k].dtype]})")
        elif name == "sigmoid":
            names["logistic_into"] = functools.partial(logistic.into, np)
            lines.append(f"    logistic_into({arguments}, {targets[-1]}, t{spare[result_specs[k].dtype]})")
        else:
            lines.append("    " + _line(name, f"s{k}", dict(attrs), arguments, targets[-1], names))
    return define("\n".join(lines), names)["part"]  # type: ignore[no-any-return]


def _line(name: str, label: str, attrs: dict[str, Any], arguments: str, target: str, names: dict[str, Any]) -> str:
    """The call of one step; what it names goes into ``names``."""
    opdef = get(name)
    if opdef.ufunc is not None:
        names[opdef.ufunc] = getattr(np, opdef.ufunc)
        return f"{opdef.ufunc}({arguments}, {'out=' * (opdef.ufunc in ('maximum', 'minimum'))}{target})"
    names[label] = functools.partial(opdef.kernel_for("numpy"), np)
    names.update((f"{label}_{word(k)}", v) for k, v in attrs.items())
    words = "".join(f", {k}={label}_{k}" for k in attrs)
    return f"{label}({arguments}{words}, out={target})" if opdef.takes_out else f"{target}[...] = {label}({arguments}{words})"


def _f(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype("float32")


def _steps(*lines: tuple[str, tuple[int, ...]]) -> tuple[Step, ...]:
    return tuple((name, (), operands) for name, operands in lines)


_GELU: Step = ("gelu", (("approximate", False),), (-2,))
chain.samples(lambda: [
    Sample([_f(*s, seed=i) for i, s in enumerate(shapes)], steps=steps, grad=(), file=False)
    for shapes, steps in (
        ([(300, 300), (300, 300)], _steps(("tanh", (0,)), ("multiply", (-1, 1)), ("add", (-2, -1)))),
        ([(2, 3, 4), (4,), (2, 3, 1)], _steps(("add", (0, 1)), ("multiply", (-1, 2)), ("relu", (-2,)))),
        ([(3, 40000), (1,)], (*_steps(("greater_than", (0, 1)), ("where", (-1, 0, 1))), _GELU)),
    )
])  # fmt: skip
