"""The operator table on arrays that refuse to become NumPy arrays: what keeps the CuPy path honest where there is no GPU."""

from __future__ import annotations

import daily
import numpy as np
import pytest

from tests.compiler.ops.operator_table import IDS, TABLE, arrays_of, as_tuple, build, flat, map_slots, run_kernel
from tests.compiler.ops.strict_arrays import StrictArray, StrictBackend
from to_static.compiler.eager import tape
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ops.shapes.create import to_tensor
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.runtime.plan import compile_plan
from to_static.core import backend

SAMPLES = daily.some("strict arrays", [(o, s, i) for (o, _, s), i in zip(TABLE, IDS, strict=True)], 300)
every_sample = pytest.mark.parametrize(("opdef", "sample"), [(o, s) for o, s, _ in SAMPLES], ids=[i for *_, i in SAMPLES])


def test_the_stand_in_refuses_what_cupy_refuses():
    xp = StrictBackend().xp
    x = xp.asarray(np.ones(3))
    for wrong in (
        lambda: np.asarray(x),
        lambda: xp.add(x, np.ones(3)),
        lambda: x + np.ones(3),
        lambda: np.ones(3) + x,
        lambda: x[np.asarray([0])],
        lambda: np.add(x, x),
        lambda: x.__setitem__(0, np.ones(1)),
        lambda: range(3)[xp.asarray(1)],
    ):
        with pytest.raises(TypeError):
            wrong()
    assert (xp.exp(x) * 2 + 1).hidden.shape == (3,)
    assert isinstance(x.sum(), StrictArray)


def test_arrays_of_another_device_become_tensors(here):
    x = to_tensor(here.asarray([1.0, 2.0], "float32"))
    assert isinstance(x._array, StrictArray)
    assert x.numpy().tolist() == [1, 2]
    with pytest.raises(TypeError, match="expected a number"):
        to_tensor(object())


def check(results, expected, opdef):
    for r, e in zip(results, expected, strict=True):
        assert isinstance(r, StrictArray)
        assert (r.hidden.dtype, r.hidden.shape) == (e.dtype, e.shape)
        if "random" not in opdef.traits:
            np.testing.assert_allclose(r.hidden, e, rtol=1e-6, atol=1e-6)


@every_sample
def test_kernel(here, opdef, sample):
    slots = arrays_of(sample)
    backend.seed(7)
    results = as_tuple(opdef.kernel_for("strict")(here.xp, *map_slots(here.asarray, slots), **sample.attrs), opdef)
    check(results, run_kernel(opdef, slots, sample.attrs), opdef)


@every_sample
def test_eager_with_gradient(here, opdef, sample):
    slots = arrays_of(sample)
    tensors = map_slots(lambda a: EagerTensor(here.asarray(a), a.dtype.kind not in "fc"), slots)
    backend.seed(7)
    results = as_tuple(opdef.emit(*tensors, **sample.attrs), opdef)
    check([t._array for t in results], run_kernel(opdef, slots, sample.attrs), opdef)
    inputs = [t for t in flat(tensors) if not t.stop_gradient]
    outputs = [t for t in results if not t.stop_gradient]
    if inputs and outputs and sample.grad != ():
        total = sum(((t * t).sum() for t in outputs[1:]), (outputs[0] * outputs[0]).sum())
        for x, g in zip(inputs, tape.grad(total, inputs, allow_unused=True), strict=True):
            assert g is None or (isinstance(g._array, StrictArray) and g.shape == x.shape)


@every_sample
def test_interpreter_and_plan(here, opdef, sample):
    slots = arrays_of(sample)
    builder, _, results = build(opdef, slots, sample.attrs)
    program = builder.finish(list(results))
    feeds = [here.asarray(a) for a in flat(slots)]
    expected = run_kernel(opdef, slots, sample.attrs)
    backend.seed(7)
    check(interpret(program, feeds, here), expected, opdef)
    plan = compile_plan(program, here)
    backend.seed(7)
    check(plan(*feeds), expected, opdef)
