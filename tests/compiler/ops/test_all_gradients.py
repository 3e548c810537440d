"""Gradients of every operator on every sample: against finite differences, second ones too, and in Programs."""

from __future__ import annotations

import numpy as np
import pytest

from tests.compiler.ops.operator_table import (
    IDS,
    TABLE,
    arrays_of,
    build,
    flat,
    map_slots,
    run_eager,
    run_kernel,
    same,
    unflatten,
)
from to_static.compiler.autodiff.backward import gradients
from to_static.compiler.eager import tape
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir import mode
from to_static.compiler.ir.spec import UNKNOWN, spec_of
from to_static.compiler.ir.verifier import verify
from to_static.compiler.runtime.interpret import interpret
from to_static.core import backend
from to_static.core.errors import ToStaticError

every_sample = pytest.mark.parametrize(("opdef", "sample"), [(o, s) for o, _, s in TABLE], ids=IDS)


class Scalar:
    """The call as a function of its differentiable inputs (in double precision) to a number: a weighted sum of its results."""

    def __init__(self, opdef, sample):
        self.opdef, self.attrs = opdef, sample.attrs
        self.slots = map_slots(lambda a: a.astype("float64") if a.dtype.kind == "f" else a, arrays_of(sample))
        rng = np.random.default_rng(5)
        place = 0
        self.wanted = []
        for k, x in enumerate(self.slots):
            for a in flat([x]):
                if a.dtype.kind == "f" and k not in opdef.constants and (sample.grad is None or k in sample.grad):
                    self.wanted.append(place)
                place += 1
        self.weights = [
            rng.normal(size=r.shape) if r.dtype.kind == "f" and k not in opdef.auxiliary else None
            for k, r in enumerate(run_kernel(opdef, self.slots, self.attrs))
        ]
        self.directions = [rng.normal(size=flat(self.slots)[i].shape) for i in self.wanted]

    @property
    def checkable(self):
        return self.wanted and "nodiff" not in self.opdef.traits and any(w is not None for w in self.weights)

    def moved(self, step, only=None):
        arrays = [a.copy() for a in flat(self.slots)]
        for i, d in zip(self.wanted, self.directions, strict=True):
            if only is None or i == only:
                arrays[i] = arrays[i] + step * d
        return unflatten(self.slots, arrays)

    def value(self, step, only):
        results = run_kernel(self.opdef, self.moved(step, only), self.attrs)
        return sum(float((w * r).sum()) for w, r in zip(self.weights, results, strict=True) if w is not None)

    def total(self, outputs, tensor):
        """The weighted sum, of tensors of the current mode."""
        terms = [(o * tensor(w)).sum() for o, w in zip(outputs, self.weights, strict=True) if w is not None]
        return sum(terms[1:], terms[0])

    def gradients(self, step=0.0, create_graph=False):
        """Input tensors and gradients of the value by each wanted input."""
        slots = self.moved(step)
        tensors, outputs = run_eager(self.opdef, slots, self.attrs, stop_gradient=False)
        inputs = [flat(tensors)[i] for i in self.wanted]
        return inputs, tape.grad(self.total(outputs, EagerTensor), inputs, create_graph=create_graph, allow_unused=True)


def numeric(function, step=1e-5):
    return (function(step) - function(-step)) / (2 * step)


@every_sample
def test_first_gradient(opdef, sample):
    call = Scalar(opdef, sample)
    if not call.checkable:
        return
    inputs, found = call.gradients()
    for place, x, g, d in zip(call.wanted, inputs, found, call.directions, strict=True):
        expected = numeric(lambda h, place=place: call.value(h, place))
        actual = 0.0 if g is None else float((g.numpy() * d).sum())
        assert g is None or (g.shape == x.shape and g.dtype == x.dtype)
        assert actual == pytest.approx(expected, rel=max(sample.rtol, 1e-5), abs=1e-6), f"input {place}"


def second_gradients(call):
    """Weights of the first gradients, those gradients, and the gradients of their weighted sum (arrays or None)."""
    rng = np.random.default_rng(6)
    ups = [rng.normal(size=d.shape) for d in call.directions]
    inputs, found = call.gradients(create_graph=True)
    total = weighted(found, ups, EagerTensor)
    second = [None] * len(inputs) if total is None else tape.grad(total, inputs, allow_unused=True)
    return ups, found, [None if g is None else g.numpy() for g in second]


def weighted(gradients, ups, tensor):
    """The weighted sum of gradients, of tensors of the current mode; None when nothing can be differentiated."""
    terms = [
        (g * tensor(u)).sum() for g, u in zip(gradients, ups, strict=True) if g is not None and not g.stop_gradient
    ]
    return sum(terms[1:], terms[0]) if terms else None


@every_sample
def test_second_gradient(opdef, sample):
    call = Scalar(opdef, sample)
    if not (call.checkable and sample.second):
        return

    def slope(step):
        _, found = call.gradients(step)
        return sum(float((g.numpy() * u).sum()) for g, u in zip(found, ups, strict=True) if g is not None)

    ups, _, second = second_gradients(call)
    actual = sum(float((s * d).sum()) for s, d in zip(second, call.directions, strict=True) if s is not None)
    assert actual == pytest.approx(numeric(slope), rel=max(sample.rtol, 1e-4), abs=1e-5)


@every_sample
def test_static_gradient_is_the_eager_one(opdef, sample):
    call = Scalar(opdef, sample)
    if not call.checkable:
        return
    _, expected = call.gradients()
    for widen in (False, True):
        specs = [spec_of(a) for a in flat(call.slots)]
        if widen:
            specs = [s.with_shape([UNKNOWN if i == 0 else d for i, d in enumerate(s.shape)]) for s in specs]
        try:
            builder, feeds, results = build(opdef, call.slots, call.attrs, specs)
        except (ToStaticError, IndexError):
            assert widen
            continue  # this operator needs to know
        with mode.use(builder):
            inputs = [feeds[i] for i in call.wanted]
            try:
                found = gradients([call.total(results, builder.constant)], inputs)
            except ToStaticError:
                if not widen:
                    raise
                continue
            program = builder.finish([g for g in found if g is not None])
        verify(program)
        backend.seed(7)
        arrays = iter(interpret(program, flat(call.slots), backend.NUMPY))
        for x, g, e in zip(inputs, found, expected, strict=True):
            assert (g is None) == (e is None)
            if g is not None:
                array = next(arrays)
                assert g.spec.accepts(spec_of(array)) and spec_of(array).dtype is x.dtype
                same(array, e.numpy(), rtol=1e-9)


@every_sample
def test_static_second_gradient_is_the_eager_one(opdef, sample):
    call = Scalar(opdef, sample)
    if not (call.checkable and sample.second):
        return
    ups, _, expected = second_gradients(call)
    builder, feeds, results = build(opdef, call.slots, call.attrs)
    with mode.use(builder):
        inputs = [feeds[i] for i in call.wanted]
        total = weighted(gradients([call.total(results, builder.constant)], inputs), ups, builder.constant)
        found = [None] * len(inputs) if total is None else gradients([total], inputs)
    program = builder.finish([g for g in found if g is not None])
    backend.seed(7)
    arrays = iter(interpret(program, flat(call.slots), backend.NUMPY))
    for g, e in zip(found, expected, strict=True):
        actual = None if g is None else next(arrays)
        if actual is None or e is None:  # no gradient is a zero gradient
            assert actual is None or not actual.any()
            assert e is None or not e.any()
        else:
            same(actual, e, rtol=1e-9)
