"""Operators that plans prepare: what they do with memory of their own is what their kernels do."""

import numpy as np
import pytest

import to_static  # noqa: F401
from to_static.ir.registry import REGISTRY
from to_static.ir.spec import spec_of

CASES = [(op, i) for op in REGISTRY.values() if op.prepare_rule for i in range(len(op.samples()))]


def each(function, inputs):
    """The function of every array; lists of arrays stay lists."""
    return [None if a is None else each(function, a) if isinstance(a, list) else function(a) for a in inputs]


def flat(inputs):
    return [b for a in inputs for b in (flat(a) if isinstance(a, list) else [a]) if b is not None]


@pytest.mark.parametrize("out", [True, False], ids=["into a buffer", "new memory"])
@pytest.mark.parametrize("fixed", [True, False], ids=["same arrays", "any arrays"])
@pytest.mark.parametrize(("op", "i"), CASES, ids=lambda v: getattr(v, "name", str(v)))
def test_prepared_steps_do_what_the_kernel_does(op, i, fixed, out):
    sample = op.samples()[i]
    inputs = each(np.array, sample.inputs)
    specs = tuple(each(spec_of, inputs))
    ready = op.prepare_rule(specs, **sample.attrs)
    (spec,) = op.infer_specs(specs, sample.attrs)
    work = [np.full(s.shape, 85, s.dtype.np) for s in ready.work]  # what is there before must not count
    kept = [np.zeros(s.shape, s.dtype.np) for s in ready.kept]
    buffer = np.full(spec.shape, np.nan, spec.dtype.np) if out else None
    run = ready.bind(inputs if fixed else each(lambda a: None, inputs), buffer, work, kept)
    for trip in range(2):
        before = each(np.copy, inputs)
        wanted = op.kernels["*"](np, *inputs, **sample.attrs)
        found = run(*inputs)
        assert (found is buffer) or not out
        scale = max(float(np.abs(wanted).max()), 1.0)
        np.testing.assert_allclose(found / scale, wanted / scale, rtol=0, atol=2e-5)
        for a, b in zip(flat(inputs), flat(before), strict=True):
            np.testing.assert_array_equal(a, b, err_msg="an input was written to")
        if not trip:  # the second run has other numbers
            for a in flat(inputs):
                a *= np.float32(0.5)
