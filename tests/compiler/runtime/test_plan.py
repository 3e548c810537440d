"""Plans compute what the reference interpreter computes, and keep their hands off what callers hold."""

import gc
import linecache
import threading
import tracemalloc

import daily
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import to_static  # noqa: F401
from tests.compiler.passes.rewriting import program_of
from tests.compiler.runtime.generated import build, inputs, script
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.input_spec import spec_from
from to_static.compiler.ir.program import Stored
from to_static.compiler.ir.registry import FUNCTIONS as F
from to_static.compiler.passes.pipeline import EXPORT, INFERENCE, optimize
from to_static.compiler.runtime.diagnostics.failure import StaleProgramError
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY


def same(found, expected):
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        assert type(a) is np.ndarray
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        np.testing.assert_allclose(a, b, rtol=1e-6)


def check(seed, trips, passes):
    program = build(script(seed))
    expected = [interpret(program, inputs(k, n), NUMPY) for k, n in ((1, trips), (2, 3 - trips))]
    better = optimize(program.clone(), passes) if passes else program
    plan = compile_plan(better, NUMPY)
    first, second = inputs(1, trips), inputs(2, 3 - trips)
    one, two = plan(*first), plan(*second)
    again = plan(*first)
    same(two, expected[1])
    same(one, expected[0])  # not overwritten by the later calls
    same(again, one)
    same(first, inputs(1, trips))  # feeds are only read
    same(interpret(better, first, NUMPY), one)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # random arithmetic may overflow, both ways alike
@pytest.mark.parametrize("block", range(10))
@pytest.mark.parametrize("passes", [(), INFERENCE, EXPORT], ids=["as traced", "inference", "export"])
def test_plan_equals_interpreter(block, passes):
    for seed in daily.seeds(f"plans {block}", 20, 200):
        check(seed, seed % 4, passes)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1 << 30), st.integers(0, 3))
def test_plan_equals_interpreter_for_new_programs(seed, trips):
    check(seed, trips, INFERENCE)


def traced(function, *specs, finish=lambda b, out: b.finish(out)):
    builder = Builder()
    with mode.use(builder):
        out = function(builder, *[builder.feed(s) for s in specs])
        return finish(builder, out)


def test_threads_do_not_share_buffers():
    program = traced(lambda b, x: [x * x + x * x * x], spec_from([64, 64]))
    plan = compile_plan(program, NUMPY)
    wrong = []

    def work(k):
        x = np.full((64, 64), k, "float32")
        for _ in range(200):
            (y,) = plan(x)
            if not (y == k * k + k**3).all():
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(1, 5)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_elementwise_chains_share_one_buffer():
    program = traced(lambda b, x: [x * x - x + x * x * x], spec_from([100]))
    plan = compile_plan(program, NUMPY)
    assert plan.nbytes == 2 * 448  # the widest point of the expression needs two temporaries


def looped(step, *starts):
    """A loop that counts an int64 down and carries what ``step`` moves, from float32 [3, 3]."""

    def function(b, n, x):
        first = [make(x) for make in starts or (lambda x: x,)]
        one = b.constant(np.asarray(1))
        return b.while_loop(lambda n, *_: F["cast"](n, "bool"), lambda n, *ys: [n - one, *step(x, *ys)], [n, *first])[1:]

    program = traced(function, spec_from([], "int64"), spec_from([3, 3]))
    plan = compile_plan(program, NUMPY)
    for n in (0, 1, 2, 5):
        x = np.arange(9, dtype="float32").reshape(3, 3) / 9
        before, results = x.copy(), plan(np.asarray(n), x)
        same(results, interpret(program, [np.asarray(n), x], NUMPY))
        for result in results:
            result[:] = 7  # a copy of its own even when the loop does not run
        np.testing.assert_array_equal(x, before)
    return plan.source


def test_a_loop_writes_over_what_is_read_no_more():
    source = looped(lambda x, y: [y * x])
    assert "next_" not in source
    assert source.count("b0") == 2  # where it is bound, and where it is written
    assert "next_" not in looped(lambda x, y: [F["tanh"](F["matmul"](y, x))])


@pytest.mark.parametrize(
    "step",
    [
        lambda x, y: [F["matmul"](y, x)],  # a product must not write over its operand
        lambda x, y: [y + F["transpose"](y, [1, 0])],  # nor a sum over what it reads in another order
        lambda x, y, total: [F["matmul"](y, x), total + F["transpose"](y, [1, 0])],
    ],
)
def test_a_loop_alternates_two_buffers(step):
    assert "next_" in looped(step, *[lambda x: x] * (step.__code__.co_argcount - 1))


def test_a_loop_that_keeps_older_values_does_not_alternate():
    def function(b, n, x):
        def body(n, new, old, total):
            made = new * x
            return [n - b.constant(np.asarray(1)), made, new, total + old]

        return b.while_loop(lambda n, *_: F["cast"](n, "bool"), body, [n, x, x, x])[1:]

    program = traced(function, spec_from([], "int64"), spec_from([3]))
    arrays = [np.asarray(5), np.full(3, 2, "float32")]
    same(compile_plan(program, NUMPY)(*arrays), interpret(program, arrays, NUMPY))


def test_parameters_are_read_at_every_call_and_state_is_written_back():
    holder, other = Stored(np.ones(3, "float32"), "w"), Stored(np.zeros(3, "float32"), "seen")
    builder = Builder()
    with mode.use(builder):
        x = builder.feed(spec_from([3]))
        program = builder.program
        w = builder._handle(program.add_param(spec_from([3]), "param", holder, "w"), builder.root)
        s = builder._handle(program.add_param(spec_from([3]), "buffer", other, "seen"), builder.root)
        out, new = x * w, s + x
        program = builder.finish([out])
    program.state = [s.ssa]
    program.block.results.append(new.ssa)
    plan = compile_plan(program, NUMPY)
    x = np.asarray([1, 2, 3], "float32")
    np.testing.assert_array_equal(plan(x)[0], x)
    holder._array = np.full(3, 2, "float32")
    np.testing.assert_array_equal(plan(x)[0], 2 * x)
    np.testing.assert_array_equal(other._array, 2 * x)
    compile_plan(program, NUMPY, update_state=False)(x)
    np.testing.assert_array_equal(other._array, 2 * x)
    other._array = x.astype(np.dtype("float32", metadata={"equal": "not identical"}))
    plan(x)
    np.testing.assert_array_equal(other._array, 2 * x)
    other._array = x.astype("float64")
    with pytest.raises(StaleProgramError, match="float64"):
        plan(x)


def test_deep_nesting_falls_back_to_the_interpreter():
    def nest(b, n, x, depth):
        if depth == 0:
            return x + x

        def body(k, y):
            return [k - b.constant(np.asarray(1)), nest(b, n, y, depth - 1)]

        return b.while_loop(lambda k, y: F["cast"](k, "bool"), body, [n, x])[1]

    program = traced(lambda b, n, x: [nest(b, n, x, 19)], spec_from([], "int64"), spec_from([2]))
    plan = compile_plan(program, NUMPY)
    arrays = [np.asarray(1), np.ones(2, "float32")]
    same(plan(*arrays), interpret(program, arrays, NUMPY))


def test_plans_of_unknown_shapes_run_without_buffers():
    program = traced(lambda b, x: [x * x + x], spec_from([-1, 3]))
    plan = compile_plan(program, NUMPY)
    assert plan.nbytes == 0
    for n in (1, 4):
        x = np.full((n, 3), 2, "float32")
        np.testing.assert_array_equal(plan(x)[0], np.full((n, 3), 6))


def test_wrong_number_of_arrays_is_an_error():
    plan = compile_plan(traced(lambda b, x: [x + x], spec_from([3])), NUMPY)
    with pytest.raises(TypeError):
        plan()
    np.testing.assert_array_equal(plan(np.ones(3, "float32"))[0], [2, 2, 2])


def test_large_temporaries_are_let_go_after_their_last_use():
    def function(b, x):
        for _ in range(12):
            x = F["concat"]([x[:1], x[1:]])  # no kernel of this writes into a buffer
        return [x]

    plan = compile_plan(traced(function, spec_from([-1])), NUMPY)
    x = np.ones(1 << 18, "float32")
    plan(x)
    tracemalloc.start()
    plan(x)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * x.nbytes


def test_the_source_is_known_to_tracebacks_as_long_as_the_plan_lives():
    plan = compile_plan(traced(lambda b, x: [x + x], spec_from([3])), NUMPY)
    name, call = plan.filename, plan.call
    del plan
    gc.collect()
    assert "def run" in linecache.getline(name, 2)
    del call
    gc.collect()
    assert linecache.getline(name, 2) == ""


def test_memory_report():
    program = program_of("""
    program(%x: f32[64, 64]) {
      param %w: f32[64, 64]
      %0: f32[64, 64] stop = exp(%w)
      %1: f32[64, 64] stop = matmul(%x, %0) {trans_x=False, trans_y=False}
      %2: f32[64, 64] stop = matmul(%1, %0) {trans_x=False, trans_y=False}
      %3: f32[64, 64] stop = matmul(%2, %0) {trans_x=False, trans_y=False}
      %4: f32[64, 64] stop = matmul(%3, %0) {trans_x=False, trans_y=False}
      return %4
    }
    """)
    program.params[0].holder = Stored(np.zeros((64, 64), "float32"))
    plan = compile_plan(program, NUMPY, weights_frozen=True)
    plan(np.zeros((64, 64), "float32"))
    size = 64 * 64 * 4
    report = plan.memory_report()
    assert report == (2 * size, 2 * size, 3 * size, 0, size, size)
    assert "arena" in str(report) and f"{2 * size:,}" in str(report)
