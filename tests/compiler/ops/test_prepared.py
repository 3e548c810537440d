"""Operators that plans prepare: what they do with memory of their own is what their kernels do."""

import numpy as np
import pytest

import to_static  # noqa: F401
from to_static.compiler.ir.registry import REGISTRY
from to_static.compiler.ir.spec import spec_of


def each(function, inputs):
    """The function of every array; lists of arrays stay lists."""
    return [None if a is None else each(function, a) if isinstance(a, list) else function(a) for a in inputs]


def flat(inputs):
    return [b for a in inputs for b in (flat(a) if isinstance(a, list) else [a]) if b is not None]


def ready(op, sample):
    return op.prepare_rule(tuple(each(spec_of, sample.inputs)), **sample.attrs)


SAMPLES = [(op, sample) for op in REGISTRY.values() if op.prepare_rule for sample in op.samples()]
CASES = [(op, sample) for op, sample in SAMPLES if ready(op, sample) is not None]


def test_every_operator_that_says_so_is_prepared():
    assert {op for op, _ in CASES} == {op for op, _ in SAMPLES}


@pytest.mark.parametrize("out", [True, False], ids=["into a buffer", "new memory"])
@pytest.mark.parametrize("fixed", [True, False], ids=["same arrays", "any arrays"])
@pytest.mark.parametrize(("op", "sample"), CASES, ids=lambda v: getattr(v, "name", ""))
def test_prepared_steps_do_what_the_kernel_does(op, sample, fixed, out):
    inputs = each(np.array, sample.inputs)
    specs = tuple(each(spec_of, inputs))
    made = ready(op, sample)
    results = op.infer_specs(specs, sample.attrs)
    work = [np.full(s.shape, 85, s.dtype.np) for s in made.work]  # what is there before must not count
    kept = [np.zeros(s.shape, s.dtype.np) for s in (getattr(s, "spec", s) for s in made.persistent)]  # of what is Framed, too
    buffers = [np.full(spec.shape, 85, spec.dtype.np) if out else None for spec in results]
    given = buffers if op.multi else buffers[0]
    run = made.bind(inputs if fixed else each(lambda a: None, inputs), given, work, kept)
    for trip in range(2):
        before = each(np.copy, inputs)
        wanted = op.kernels["*"](np, *inputs, **sample.attrs)
        found = run(*inputs)
        pairs = zip(found, wanted, buffers, strict=True) if op.multi else [(found, wanted, *buffers)]
        for one, other, buffer in pairs:
            assert one is buffer or not out
            scale = max(float(np.abs(other).max()), 1.0)
            np.testing.assert_allclose(one / scale, other / scale, rtol=0, atol=2e-5)
        for a, b in zip(flat(inputs), flat(before), strict=True):
            np.testing.assert_array_equal(a, b, err_msg="an input was written to")
        if not trip:  # the second run has other numbers
            for a in flat(inputs):
                np.multiply(a, 0.5, out=a, casting="unsafe")
