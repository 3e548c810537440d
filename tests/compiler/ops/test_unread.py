"""Operators that say their gradients ask no numbers of some slots: nothing changes where there are others."""

from __future__ import annotations

import numpy as np
import pytest

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir.registry import REGISTRY
from to_static.core import backend

SAYING = sorted(name for name in set(REGISTRY) if REGISTRY[name].unread)


def tensor(numbers):
    return EagerTensor(np.array(numbers))


def gradients(opdef, sample, spoiled):
    """The gradients of the inputs of a call, with other numbers in the slots that are not read."""
    made = [list(map(tensor, item)) if isinstance(item, list) else tensor(item) for item in sample.inputs]
    flat = [t for item in made for t in (item if isinstance(item, list) else [item])]
    for one in flat:
        one.stop_gradient = not one.dtype.is_floating
    backend.seed(3)
    found = opdef.emit(*made, **sample.attrs)
    node = found._node
    if spoiled:
        for i in opdef.unread:
            if i < len(made):
                node.inputs[i] = np.full_like(node.inputs[i], 77)
            else:
                node.outputs = [np.full_like(array, 77) for array in node.outputs]
    (found * found.detach()).sum().backward()
    return [None if t.grad is None else t.grad.numpy() for t in flat]


@pytest.mark.parametrize("name", SAYING)
def test_gradients_do_not_read_them(name):
    opdef = REGISTRY[name]
    asked = 0
    for sample in opdef.samples():
        if not any(np.asarray(x).dtype.kind == "f" for item in sample.inputs for x in (item if isinstance(item, list) else [item])):
            continue
        if opdef.unread_where is not None and not opdef.unread_where(sample.attrs):
            continue
        for one, other in zip(gradients(opdef, sample, False), gradients(opdef, sample, True), strict=True):
            asked += one is not None
            assert (one is None) == (other is None)
            if one is not None:
                np.testing.assert_array_equal(one, other)
    assert asked


def test_there_are_some():
    assert {"set_value", "index_put", "scatter", "slice", "add", "where"} <= set(SAYING)
