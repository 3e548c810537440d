"""What the generic operator tests share: the table of (operator, sample), and the ways to run one."""

from __future__ import annotations

import numpy as np

import to_static
import to_static.compiler.ops  # noqa: F401
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.compiler.ir.registry import REGISTRY
from to_static.compiler.ir.spec import ListSpec, TensorSpec, spec_of
from to_static.core import backend

# Values that are no arrays (lists of tensors), ops that own blocks, and effects: tests of their own.
SPECIAL = {"cond", "custom_gradient", "current_number", "py_func", "while_loop", "print", "assert"}
SPECIAL |= {name for name in REGISTRY if name.startswith("list_")}
TABLE = [
    (opdef, i, sample)
    for name, opdef in sorted(REGISTRY.items())
    if name not in SPECIAL
    for i, sample in enumerate(opdef.samples())
]
IDS = [f"{opdef.name}-{i}" for opdef, i, _ in TABLE]


def has_file_form(opdef):
    """True if Paddle's files can hold the operator."""
    return any(form is not None for form in (opdef.file, opdef.to_file_hook, opdef.composition_rule))


def arrays_of(sample):
    """The sample's inputs by slot: arrays, None, or lists of arrays."""
    return [
        None if x is None else [np.asarray(a) for a in x] if isinstance(x, list) else np.asarray(x)
        for x in sample.inputs
    ]


def map_slots(function, slots):
    """Apply a function to every array."""
    return [None if x is None else [function(a) for a in x] if isinstance(x, list) else function(x) for x in slots]


def flat(slots):
    """All arrays in order."""
    return [a for x in slots if x is not None for a in (x if isinstance(x, list) else [x])]


def unflatten(slots, arrays):
    """The arrays in the places of ``slots``."""
    iterator = iter(arrays)
    return map_slots(lambda _: next(iterator), slots)


def as_tuple(result, opdef):
    return tuple(result) if opdef.multi else (result,)


def run_kernel(opdef, slots, attrs, array_backend=backend.NUMPY, **kw):
    """Results of the kernel as arrays."""
    backend.seed(7)
    results = as_tuple(opdef.kernel_for(array_backend.name)(array_backend.xp, *slots, **attrs, **kw), opdef)
    return tuple(np.asarray(r) if isinstance(r, np.generic) else r for r in results)


def infer(opdef, slots, attrs):
    """Specs of the results."""
    return opdef.infer_specs(tuple(map_slots(spec_of, slots)), attrs)


def run_eager(opdef, slots, attrs, stop_gradient=True):
    """Input tensors by slot and result tensors of an eager call."""
    backend.seed(7)
    tensors = map_slots(lambda a: EagerTensor(a, stop_gradient or a.dtype.kind not in "fc"), slots)
    return tensors, as_tuple(opdef.emit(*tensors, **attrs), opdef)


def build(opdef, slots, attrs, shapes=None, call=None):
    """A Program of one call (of the operator, if not of ``call``), and the handles of its feeds and results."""
    specs = [spec_of(a) for a in flat(slots)] if shapes is None else shapes
    builder = Builder()
    with mode.use(builder):
        feeds = [builder.feed(s, f"x{i}", stop_gradient=not s.dtype.is_floating) for i, s in enumerate(specs)]
        results = as_tuple((call or opdef.emit)(*unflatten(slots, feeds), **attrs), opdef)
    return builder, feeds, results


def same(actual, expected, rtol=0.0):
    """Equal dtype, shape and numbers."""
    __tracebackhide__ = True
    assert isinstance(actual, np.ndarray), type(actual)
    assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=rtol)


__all__ = ["IDS", "SPECIAL", "TABLE", "ListSpec", "TensorSpec", "arrays_of", "as_tuple", "build", "flat", "has_file_form",
           "infer", "map_slots", "run_eager", "run_kernel", "same", "unflatten"]  # fmt: skip
