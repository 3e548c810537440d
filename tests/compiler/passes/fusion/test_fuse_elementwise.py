"""Elementwise operators on large arrays, part by part: every bit is the same."""

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tests.compiler.passes.rewriting import becomes, program_of, stays
from to_static.compiler.ops.fused.elementwise_chain import division
from to_static.compiler.passes.fusion import fuse_elementwise
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core.backend import NUMPY
from to_static.core.flags import set_flags

TEXT = """
program(%x: f32[300, 200], %b: f32[200]) {
  %0: f32[300, 200] stop = tanh(%x)
  %1: f32[300, 200] stop = add(%0, %b)
  %2: f32[300, 200] stop = multiply(%1, %x)
  return %2
}
"""


def test_operators_that_nobody_else_reads_become_one():
    becomes(fuse_elementwise.fuse_elementwise, TEXT, """
    program(%x: f32[300, 200], %b: f32[200]) {
      %0: f32[300, 200] stop = chain([%x, %b]) {steps=(("tanh", (), (0,)), ("add", (), (-1, 1)), ("multiply", (), (-2, 0)))}
      return %0
    }
    """)  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new"),
    [("300, 200", "30, 20"), ("return %2", "return %2, %1, %0"), ("300, 200", "?, 200")],
    ids=["small", "read by others", "unknown size"],
)
def test_what_stays(old, new):
    stays(fuse_elementwise.fuse_elementwise, TEXT.replace(old, new).replace("[200]", "[20]" if new == "30, 20" else "[200]"))


@pytest.mark.parametrize(
    ("shape", "operands", "wanted"),
    [
        ((4, 6), [(4, 6), ()], (24, 1)),
        ((4, 6), [(6,)], (4, 6)),
        ((2, 3, 4), [(3, 4), (1, 1, 1)], (2, 12)),
        ((2, 3, 4), [(4,), (2, 3, 1)], (6, 4)),
        ((2, 3, 4), [(2, 1, 1)], (2, 12)),
        ((2, 3, 4), [(1, 3, 1)], None),
        ((2, 3, 4), [(4,), (3, 4)], None),
        ((2, 3, 4), [(4,), (2, 1, 1)], None),
        ((2, 3, 4), [(2, 1, 4)], None),
    ],
)
def test_ways_to_see_a_shape(shape, operands, wanted):
    assert division(shape, operands) == wanted


UNARY, BINARY = ["tanh", "exp", "relu", "sigmoid", "abs", "hardswish", "square"], ["add", "subtract", "multiply", "maximum"]


@pytest.mark.parametrize("seed", range(25))
def test_random_chains(seed):
    rng = random.Random(seed)
    shape = rng.choice([(90000,), (300, 400), (3, 150, 290), (1, 4, 30000)])
    feeds = [shape, shape, shape[-1:], (), (*shape[:-1], 1)]
    lines, values = [], [f"%x{i}" for i in range(len(feeds))]
    full = ["%x0", "%x1"]
    for k in range(rng.randint(2, 12)):
        name = rng.choice(UNARY + BINARY * 2)
        operands = [rng.choice(full[-4:])] + ([rng.choice(values[-6:] + full)] if name in BINARY else [])
        rng.shuffle(operands)
        lines.append(f"  %{k}: {_spec(shape)} stop = {name}({', '.join(operands)})")
        values.append(f"%{k}")
        full.append(f"%{k}")
    results = [full[-1], *rng.sample(full[2:], rng.choice([0, 0, 1]))]
    head = ", ".join(f"%x{i}: {_spec(s)}" for i, s in enumerate(feeds))
    program = program_of(f"program({head}) {{\n" + "\n".join(lines) + f"\n  return {', '.join(results)}\n}}\n")
    numbers = np.random.default_rng(seed)
    arrays = [np.asarray(numbers.uniform(-1, 1, s), "float32") for s in feeds]
    wanted = interpret(program.clone(), arrays, NUMPY)
    made = program.clone()
    fuse_elementwise.fuse_elementwise(made)
    plan = compile_plan(made, NUMPY)
    for _ in range(2):
        for a, b in zip(plan(*arrays), wanted, strict=True):
            np.testing.assert_array_equal(a, b)
    for a, b in zip(interpret(made, arrays, NUMPY), wanted, strict=True):
        np.testing.assert_array_equal(a, b)


def _spec(shape):
    return f"f32[{', '.join(map(str, shape))}]"


@pytest.mark.parametrize("shape", [(1 << 20,), (1100, 1000), (3, 400000)])
def test_threads_compute_the_same(shape):
    program = program_of(f"""
    program(%x: {_spec(shape)}, %b: {_spec(shape[-1:])}, %c: {_spec((*shape[:-1], 1))}) {{
      %0: {_spec(shape)} stop = tanh(%x)
      %1: {_spec(shape)} stop = sigmoid(%x)
      %2: {_spec(shape)} stop = add(%0, %b)
      %3: {_spec(shape)} stop = gelu(%1) {{approximate=False}}
      %4: {_spec(shape)} stop = multiply(%2, %c)
      %5: {_spec(shape)} stop = subtract(%4, %3)
      return %5
    }}
    """)
    numbers = np.random.default_rng(0)
    arrays = [[np.asarray(numbers.uniform(-1, 1, v.spec.shape), "float32") for v in program.feeds] for _ in range(4)]
    fuse_elementwise.fuse_elementwise(program)
    plan = compile_plan(program, NUMPY)
    set_flags({"TO_STATIC_THREADS": 1})
    try:
        wanted = [plan(*each)[0] for each in arrays]
        set_flags({"TO_STATIC_THREADS": 3})
        with ThreadPoolExecutor(4) as callers:
            for _ in range(3):
                for found, right in zip(callers.map(lambda each: plan(*each)[0], arrays), wanted, strict=True):
                    np.testing.assert_array_equal(found, right)
    finally:
        set_flags({"TO_STATIC_THREADS": 0})


@pytest.mark.parametrize(
    ("last", "memory"),
    [("multiply(%0, %x)", 0), ("multiply(%0, %0)", 0), ("silu(%0)", 1), ("where(%1, %0, %x)", 2)],
)
def test_steps_write_into_the_result_if_the_last_one_may_read_it(last, memory):
    more = "  %1: bool[300, 200] stop = greater_than(%0, %x)\n" if "%1" in last else ""
    text = f"""
    program(%x: f32[300, 200], %b: f32[200]) {{
      %0: f32[300, 200] stop = add(%x, %b)
    {more}  %2: f32[300, 200] stop = {last}
      return %2
    }}
    """
    program = program_of(text)
    fuse_elementwise.fuse_elementwise(program)
    (op,) = program.block.ops
    assert len(op.opdef.prepare_rule(([v.spec for v in op.inputs[0]],), **op.attrs).work) == memory
    x, b = np.random.default_rng(0).normal(size=(300, 200)).astype("float32"), np.ones(200, "float32")
    np.testing.assert_array_equal(compile_plan(program, NUMPY)(x, b)[0], interpret(program_of(text), [x, b], NUMPY)[0])
