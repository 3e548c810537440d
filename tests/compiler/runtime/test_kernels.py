"""What plans take for granted of kernels: memory is shared only where a trait says so, and `out` is written completely."""

import numpy as np
import pytest

import to_static  # noqa: F401
from to_static.compiler.ir.registry import REGISTRY
from to_static.compiler.runtime.inline import IN_PLACE
from to_static.core import backend
from to_static.core.backend import NUMPY

SAMPLES = [(op, i) for op in REGISTRY.values() if op.kernels for i in range(len(op.samples()))]
each_sample = pytest.mark.parametrize(("op", "i"), SAMPLES, ids=lambda v: getattr(v, "name", str(v)))


def run(op, sample, inputs, **more):
    backend.seed(1)
    with np.errstate(all="ignore"):
        results = op.kernel_for("numpy")(NUMPY.xp, *inputs, **sample.attrs, **more)
    return list(results) if op.multi else [results]


def arrays_of(sample):
    def own(x):
        return [own(y) for y in x] if isinstance(x, (list, tuple)) else None if x is None else np.array(x)

    return [own(x) for x in sample.inputs]


def flat(values):
    return [a for v in values for a in (flat(v) if isinstance(v, (list, tuple)) else [v]) if isinstance(a, np.ndarray)]


@each_sample
def test_results_share_no_memory_unless_declared(op, i):
    sample = op.samples()[i]
    inputs = arrays_of(sample)
    before = [a.copy() for a in flat(inputs)]
    results = flat(run(op, sample, inputs))
    for a, b in zip(flat(inputs), before, strict=True):
        np.testing.assert_array_equal(a, b, err_msg=f"{op.name} writes into its input")
    if op.name.startswith("list_"):
        return  # lists hold what is put into them
    allowed = flat(inputs[:1]) if "alias" in op.traits else []
    for result in results:
        for a in flat(inputs):
            if not any(a is b for b in allowed):
                assert not np.shares_memory(result, a), f"{op.name} returns memory of its input without the trait 'alias'"


@pytest.mark.parametrize(
    ("op", "i"), [(o, i) for o, i in SAMPLES if o.takes_out and not o.multi], ids=lambda v: getattr(v, "name", str(v))
)
def test_out_is_written_completely(op, i):
    sample = op.samples()[i]
    (expected,) = run(op, sample, arrays_of(sample))
    expected = np.asarray(expected)
    if expected.ndim == 0 and op.ufunc is None:
        pytest.skip("plans give 0-D results of kernels memory of their own")
    out = np.frombuffer(b"\xa5" * expected.nbytes, expected.dtype).reshape(expected.shape).copy()
    (found,) = run(op, sample, arrays_of(sample), out=out)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(out, expected)
    assert found is out or expected.size == 0


@pytest.mark.parametrize("name", sorted(IN_PLACE))
def test_kernels_that_may_write_over_their_input_do(name):
    op = REGISTRY[name]
    assert op.samples()
    for sample in op.samples():
        inputs = arrays_of(sample)
        (expected,) = run(op, sample, inputs)
        run(op, sample, inputs, out=inputs[0])
        np.testing.assert_array_equal(inputs[0], expected)
