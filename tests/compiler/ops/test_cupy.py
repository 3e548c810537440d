"""The operator table on a CUDA device, against NumPy: kernels, gradients, plans. Skipped where there is none."""

from __future__ import annotations

import numpy as np
import pytest

from tests.compiler.ops.operator_table import IDS, TABLE, arrays_of, as_tuple, build, flat, map_slots, run_kernel
from to_static.compiler.eager import tape
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.runtime.plan import compile_plan
from to_static.core import backend

pytestmark = pytest.mark.gpu
every_sample = pytest.mark.parametrize(("opdef", "sample"), [(o, s) for o, _, s in TABLE], ids=IDS)


def check(arrays, expected, opdef, here):
    for a, e in zip(arrays, expected, strict=True):
        host = here.to_numpy(a)
        assert (host.dtype, host.shape) == (e.dtype, e.shape)
        if "random" not in opdef.traits:
            np.testing.assert_allclose(host, e, rtol=1e-4, atol=1e-5)


@every_sample
def test_kernel_and_plan(opdef, sample):
    here = backend.get_backend("gpu:0")
    slots = arrays_of(sample)
    expected = run_kernel(opdef, slots, sample.attrs)
    device = map_slots(here.asarray, slots)
    check(as_tuple(opdef.kernel_for("cupy")(here.xp, *device, **sample.attrs), opdef), expected, opdef, here)
    builder, _, results = build(opdef, slots, sample.attrs)
    plan = compile_plan(builder.finish(list(results)), here)
    check(plan(*flat(device)), expected, opdef, here)


@every_sample
def test_eager_gradient(opdef, sample):
    here = backend.get_backend("gpu:0")
    found = []
    for device in (backend.NUMPY, here):
        tensors = map_slots(lambda a, d=device: EagerTensor(d.asarray(a), a.dtype.kind not in "fc"), arrays_of(sample))
        outputs = [t for t in as_tuple(opdef.emit(*tensors, **sample.attrs), opdef) if not t.stop_gradient]
        inputs = [t for t in flat(tensors) if not t.stop_gradient]
        if not inputs or not outputs or "random" in opdef.traits:
            return
        total = sum(((t * t).sum() for t in outputs[1:]), (outputs[0] * outputs[0]).sum())
        found.append(tape.grad(total, inputs, allow_unused=True))
    for host, device in zip(*found, strict=True):
        assert (host is None) == (device is None)
        if host is not None:
            np.testing.assert_allclose(device.numpy(), host.numpy(), rtol=1e-3, atol=1e-4)
