"""The generic operator test: every operator of the registry, on every one of its samples, in every way it can run."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import to_static
from tests.compiler.ops.operator_table import (
    IDS,
    SPECIAL,
    TABLE,
    arrays_of,
    as_tuple,
    build,
    flat,
    has_file_form,
    infer,
    map_slots,
    run_eager,
    run_kernel,
    same,
    unflatten,
)  # fmt: skip
from to_static.compiler.ir.registry import REGISTRY
from to_static.compiler.ir.spec import UNKNOWN, spec_of
from to_static.compiler.ir.verifier import verify
from to_static.compiler.ops import functions as F
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core import backend
from to_static.core.errors import ToStaticError

every_sample = pytest.mark.parametrize(("opdef", "sample"), [(o, s) for o, _, s in TABLE], ids=IDS)


@pytest.mark.parametrize("name", sorted(set(REGISTRY) - SPECIAL))
def test_declaration_is_complete(name):
    opdef = REGISTRY[name]
    assert opdef.samples(), "an operator needs samples"
    assert opdef.function.__doc__, "an operator needs a docstring"
    assert opdef.infer_rule is not None
    assert opdef.kernels
    if opdef.grad_rule is None and opdef.inputs:
        assert "nodiff" in opdef.traits, "give it a gradient, or say that it has none"


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_rules_have_names_that_tracebacks_and_profiles_can_show(name):
    opdef = REGISTRY[name]
    rules = [rule for part, rule in vars(opdef).items() if part.endswith(("_rule", "_hook")) and rule is not None]
    for rule in (*rules, *opdef.kernels.values()):
        code = getattr(rule, "__code__", None)  # NumPy's own functions have none
        assert code is None or code.co_name not in ("_", "<lambda>", "run", "kernel", "infer", "grad"), rule


@every_sample
def test_shape_rule(opdef, sample):
    slots = arrays_of(sample)
    results = run_kernel(opdef, slots, sample.attrs)
    specs = infer(opdef, slots, sample.attrs)
    assert len(specs) == len(results)
    for spec, array in zip(specs, results, strict=True):
        assert spec.accepts(spec_of(array)), f"the rule says {spec}, the kernel gives {spec_of(array)}"
        assert spec.is_static or "dynamic" in opdef.traits or _reads_shape(opdef, slots), f"{spec} for known inputs"


def _reads_shape(opdef, slots):
    if opdef.name.endswith("_interp") and slots[2] is not None:  # factors of sizes
        return True
    return any(isinstance(x, list) and x and x[0].ndim == 0 and x[0].dtype.kind == "i" for x in slots)


@every_sample
def test_shape_rule_with_unknown_dimensions(opdef, sample):
    slots = arrays_of(sample)
    results = run_kernel(opdef, slots, sample.attrs)
    everything = lambda a: spec_of(a).with_shape([UNKNOWN] * a.ndim)
    first = lambda a: spec_of(a).with_shape([UNKNOWN if i == 0 else d for i, d in enumerate(a.shape)])
    for widen in (everything, first):
        try:
            specs = opdef.infer_specs(tuple(map_slots(widen, slots)), sample.attrs)
        except ToStaticError:
            continue  # this operator needs to know
        for spec, array in zip(specs, results, strict=True):
            assert spec.accepts(spec_of(array)), f"the rule says {spec}, the kernel gives {spec_of(array)}"


# Operators that only gradients and optimizers call, always with floating-point tensors.
INTERNAL = ("_grad", "_grad_input", "_grad_filter", "_pick", "sgd", "momentum", "adam", "adamw", "packed_update")


@every_sample
def test_every_dtype_is_computed_as_the_rule_says_or_refused(opdef, sample):
    if opdef.name.endswith(INTERNAL):
        return

    def convert(a, dtype):
        if a.dtype.kind != "f":
            return a
        return (a if dtype.startswith("float") else np.nan_to_num(np.abs(a), posinf=9)).astype(dtype)

    accepted = []
    for dtype in ("float16", "float64", "int64", "uint8", "bool"):
        slots = map_slots(functools.partial(convert, dtype=dtype), arrays_of(sample))
        try:
            specs = infer(opdef, slots, sample.attrs)
        except ToStaticError:
            continue  # refused, and it says why
        accepted.append(dtype)
        try:
            results = run_kernel(opdef, slots, sample.attrs)
        except ZeroDivisionError:
            continue
        assert [s.dtype.np for s in specs] == [r.dtype for r in results], dtype
    assert "float64" in accepted, "an operator computes in double precision, too"


@every_sample
def test_tensors_without_dimensions_have_the_dtype_of_the_rule(opdef, sample):
    """NumPy 1 computes in double where a 0-D array of 32 bits meets a Python number."""
    slots = map_slots(lambda a: a.reshape(-1)[:1].reshape(()) if a.size else a, arrays_of(sample))
    try:
        specs, results = infer(opdef, slots, sample.attrs), run_kernel(opdef, slots, sample.attrs)
    except (ToStaticError, IndexError, ValueError, TypeError, ZeroDivisionError):
        return  # its attributes are axes or sizes of the sample's shape
    assert [spec.dtype.np for spec in specs] == [result.dtype for result in results]


@every_sample
def test_eager_static_and_plan_agree(opdef, sample):
    slots = arrays_of(sample)
    expected = run_kernel(opdef, slots, sample.attrs)
    _, tensors = run_eager(opdef, slots, sample.attrs)
    builder, _, results = build(opdef, slots, sample.attrs)
    program = builder.finish(list(results))
    verify(program)
    backend.seed(7)
    interpreted = interpret(program, flat(slots), backend.NUMPY)
    plan = compile_plan(program, backend.NUMPY)
    backend.seed(7)
    planned = plan(*flat(slots))
    for e, t, i, p in zip(expected, tensors, interpreted, planned, strict=True):
        same(t._array, e)
        assert t.spec == spec_of(e)
        same(i, e)
        same(p, e, rtol=1e-6 if opdef.prepare_rule is None else sample.rtol)  # in another order of sums


@every_sample
def test_a_dynamic_batch_gives_the_same(opdef, sample):
    slots = arrays_of(sample)
    wide = [spec_of(a).with_shape([UNKNOWN if i == 0 else d for i, d in enumerate(a.shape)]) for a in flat(slots)]
    try:
        builder, _, results = build(opdef, slots, sample.attrs, wide)
    except ToStaticError:
        return  # this operator needs to know
    program = builder.finish(list(results))
    backend.seed(7)
    for actual, expected in zip(
        interpret(program, flat(slots), backend.NUMPY), run_kernel(opdef, slots, sample.attrs), strict=True
    ):
        same(actual, expected)


@every_sample
def test_kernel_leaves_inputs_alone_and_tells_about_aliases(opdef, sample):
    slots = arrays_of(sample)
    before = [a.copy() for a in flat(slots)]
    results = run_kernel(opdef, slots, sample.attrs)
    for array, old in zip(flat(slots), before, strict=True):
        same(array, old)
    first = slots[0] if slots and isinstance(slots[0], np.ndarray) else None
    for array in flat(slots):
        for k, result in enumerate(results):
            if array.size and result.size and np.may_share_memory(array, result):
                assert "alias" in opdef.traits and array is first, f"result {k} is a view of an input"


@pytest.mark.parametrize("name", sorted(n for n, o in REGISTRY.items() if "alias" in o.traits))
def test_alias_is_no_idle_claim(name):
    opdef = REGISTRY[name]
    shared = [
        np.may_share_memory(slots[0], run_kernel(opdef, slots, s.attrs)[0])
        for s in opdef.samples()
        for slots in [arrays_of(s)]
    ]
    assert any(shared), "no sample gives a view"


@pytest.mark.parametrize(
    ("opdef", "sample"),
    [(o, s) for o, _, s in TABLE if o.takes_out],
    ids=[i for i, (o, _, _) in zip(IDS, TABLE, strict=True) if o.takes_out],
)
def test_out_is_written_completely(opdef, sample):
    slots = arrays_of(sample)
    [expected] = run_kernel(opdef, slots, sample.attrs)
    for garbage in (
        np.asarray(77).astype(expected.dtype),
        np.asarray(np.nan if expected.dtype.kind in "fc" else 1).astype(expected.dtype),
    ):
        out = np.full(expected.shape, garbage)
        [result] = run_kernel(opdef, slots, sample.attrs, out=out)
        assert result.shape == () or result is out, "the kernel must return the buffer it was given"
        same(out, expected, rtol=1e-6)


@pytest.mark.parametrize(
    ("opdef", "sample"),
    [(o, s) for o, _, s in TABLE if o.ufunc],
    ids=[i for i, (o, _, _) in zip(IDS, TABLE, strict=True) if o.ufunc],
)
def test_ufunc_is_the_kernel(opdef, sample):
    slots = arrays_of(sample)
    [expected] = run_kernel(opdef, slots, sample.attrs)
    same(np.asarray(getattr(np, opdef.ufunc)(*slots)), expected)


_elementwise = [
    (o, s, i) for i, (o, _, s) in zip(IDS, TABLE, strict=True) if "elementwise" in o.traits and "random" not in o.traits
]


@pytest.mark.parametrize(("opdef", "sample"), [(o, s) for o, s, _ in _elementwise], ids=[i for _, _, i in _elementwise])
def test_elementwise_means_position_by_position(opdef, sample):
    slots = arrays_of(sample)
    expected = run_kernel(opdef, slots, sample.attrs)[0]
    assert expected.shape == np.broadcast_shapes(*[a.shape for a in flat(slots)])
    turned = map_slots(lambda a: np.flip(np.broadcast_to(a, expected.shape)).copy(), slots)
    same(run_kernel(opdef, turned, sample.attrs)[0], np.flip(expected), rtol=1e-6)


# The rows of numbers that 0-D tensors are compared with; an operator's samples of other shapes have the same.
NUMBERS = (0.5, -2.5, 0.0, -0.0, np.inf, -np.inf, np.nan)
_without_shape = {
    (o.name, repr(s.attrs), *(x if x is None else flat([x])[0].dtype.kind for x in arrays_of(s))): (o, s, i)
    for o, s, i in reversed(_elementwise)
    if o.name != "shard_index"  # takes [*, 1] only
}


def _row(slots, dtype, turn):
    """The slots with the same `NUMBERS` in each floating-point array, by ``turn`` further in each; others with their own."""
    arrays = [
        np.roll(np.asarray(NUMBERS, dtype), turn * i) if a.dtype.kind == "f" else np.resize(a, len(NUMBERS))
        for i, a in enumerate(flat(slots))
    ]
    return unflatten(slots, arrays)


def _gradients(opdef, slots, attrs):
    tensors, results = run_eager(opdef, slots, attrs, stop_gradient=False)
    wanted = [x for x in flat(tensors) if not x.stop_gradient]
    sums = [(F.real(r) if r.dtype.kind == "c" else r).sum() for r in results if not r.stop_gradient]
    found = to_static.grad(sums, wanted, allow_unused=True) if sums else []
    return [None if g is None else g.numpy() for g in found]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("opdef", "sample"), [(o, s) for o, s, _ in _without_shape.values()], ids=[i for _, _, i in _without_shape.values()]
)
def test_tensors_without_dimensions_have_the_numbers_of_rows(opdef, sample, dtype):
    """NumPy returns scalars for 0-D arrays: a kernel cannot write to these, and NumPy may compute them in another way."""
    is_float = [a.dtype.kind == "f" for a in flat(arrays_of(sample))]
    plan = None
    with np.errstate(all="ignore"):
        for turn in range(len(NUMBERS) if sum(is_float) > 1 else 1):
            row = _row(arrays_of(sample), dtype, turn)
            results, slopes = run_kernel(opdef, row, sample.attrs), _gradients(opdef, row, sample.attrs)
            for i in range(len(NUMBERS)):
                slots = map_slots(lambda a, i=i: np.asarray(a[i]), row)
                plan = plan or compile_plan(_program(opdef, slots, sample.attrs), backend.NUMPY)
                ways = [run_kernel(opdef, slots, sample.attrs), plan(*flat(slots))]
                ways.append([t._array for t in run_eager(opdef, slots, sample.attrs)[1]])
                if opdef.takes_out:
                    ways.append(run_kernel(opdef, slots, sample.attrs, out=np.ones_like(ways[0][0])))
                for found in ways:
                    for actual, expected in zip(found, results, strict=True):
                        same(actual, np.asarray(expected[i]), rtol=1e-6)
                        either_zero = opdef.name in ("fmax", "fmin")  # of 0.0 and -0.0
                        assert np.isnan(actual) or either_zero or np.signbit(actual.real) == np.signbit(expected[i].real)
                for actual, slope in zip(_gradients(opdef, slots, sample.attrs), slopes, strict=True):
                    assert (actual is None) == (slope is None)
                    if slope is not None and slope.shape:  # not that of the limits of `clip`, which are numbers
                        same(actual, np.asarray(slope[i]), rtol=1e-6)


def _program(opdef, slots, attrs):
    builder, _, results = build(opdef, slots, attrs)
    return builder.finish(list(results))


_commutative = [(o, s, i) for i, (o, _, s) in zip(IDS, TABLE, strict=True) if "commutative" in o.traits]


@pytest.mark.parametrize(("opdef", "sample"), [(o, s) for o, s, _ in _commutative], ids=[i for _, _, i in _commutative])
def test_commutative_means_order_does_not_matter(opdef, sample):
    x, y = arrays_of(sample)
    same(run_kernel(opdef, [y, x], sample.attrs)[0], run_kernel(opdef, [x, y], sample.attrs)[0])


# compositions ----------------------------------------------------------------------------------------------------------

_composed = {i: (o, s) for i, (o, _, s) in zip(IDS, TABLE, strict=True) if o.composition_rule is not None}
every_composition = pytest.mark.parametrize(("opdef", "sample"), _composed.values(), ids=_composed)


@every_composition
def test_composition_gives_the_results_and_the_gradients_of_the_operator(opdef, sample):
    slots, found = arrays_of(sample), []
    for call in (opdef.emit, opdef.composition_rule):
        inputs = map_slots(lambda a: to_static.to_tensor(a, stop_gradient="nodiff" in opdef.traits or a.dtype.kind != "f"), slots)
        results = as_tuple(call(*inputs, **sample.attrs), opdef)
        wanted = [x for x in flat(inputs) if not x.stop_gradient]
        smooth = [r for r in results if not r.stop_gradient]
        gradients = to_static.grad([(r * r).sum() for r in smooth], wanted, allow_unused=True) if smooth else []
        pairs = zip(wanted, gradients, strict=False)
        found.append((results, [np.zeros(x.shape, x.dtype.np) if g is None else g for x, g in pairs]))
    (results, gradients), (composed, composed_gradients) = found
    assert [r.dtype for r in results] == [c.dtype for c in composed]
    for result, other in zip([*results, *gradients], [*composed, *composed_gradients], strict=True):
        same(np.asarray(other), np.asarray(result), rtol=1e-6)


@every_composition
def test_composition_of_unknown_sizes_gives_the_same(opdef, sample):
    slots = arrays_of(sample)
    wide = [spec_of(a).with_shape([UNKNOWN] * a.ndim) for a in flat(slots)]
    try:
        builder, _, results = build(opdef, slots, sample.attrs, wide, opdef.composition_rule)
    except ToStaticError:
        return  # this operator needs to know
    program = builder.finish(list(results))
    verify(program)
    for actual, expected in zip(
        interpret(program, flat(slots), backend.NUMPY), run_kernel(opdef, slots, sample.attrs), strict=True
    ):
        same(actual, expected, rtol=1e-6)


# files -----------------------------------------------------------------------------------------------------------------


@every_sample
def test_file_round_trip(opdef, sample):
    from to_static.compiler.formats.paddle.programs.program_reader import parse_program, read_program
    from to_static.compiler.formats.paddle.programs.program_writer import write_program

    slots = arrays_of(sample)
    storable = all(spec_of(a).dtype.name != "complex64" for a in flat(slots))
    if not sample.file or not storable or not has_file_form(opdef):
        return
    kept = [
        i for i in range(len(run_kernel(opdef, slots, sample.attrs))) if i not in opdef.auxiliary
    ]  # files may lack the others
    expected = [run_kernel(opdef, slots, sample.attrs)[i] for i in kept]
    builder, _, results = build(opdef, slots, sample.attrs)
    program = builder.finish([results[i] for i in kept])
    written = write_program(program, "sample.pdmodel", inference=False)
    again = read_program(parse_program(written.data(), "sample.pdmodel"), "sample.pdmodel", written.arrays)
    verify(again)
    values = dict(zip(written.feeds, flat(slots), strict=True))
    backend.seed(7)
    found = interpret(again, [values[v.name] for v in again.feeds], backend.NUMPY)
    for actual, array in zip(found, expected, strict=True):
        if "random" in opdef.traits:
            assert (actual.dtype, actual.shape) == (array.dtype, array.shape)
        else:
            same(actual, array, rtol=1e-6)


def test_the_table_covers_the_registry():
    assert {o.name for o, _, _ in TABLE} | SPECIAL == set(REGISTRY)
    assert len(TABLE) > 300
