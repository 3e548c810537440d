"""Calls of an operator with arguments that do nothing, or nearly: where kernels are tempted to return what they were given.

A window of the whole image, a 1x1 kernel, one repeat, an axis of size one, the dtype that a tensor has already, no padding: made of
the operator's samples by giving arrays of size one and other memory layouts, and attributes idle values by their type.
"""

from __future__ import annotations

import itertools
import random

import numpy as np

from tests.compiler.ops.operator_table import TABLE, arrays_of, flat, infer, map_slots
from to_static.compiler.ir.spec import spec_of
from to_static.core.dtypes import DType

TRIED, TAKEN = 120, 30  # mixtures tried, and calls made, of one sample
_WORDS = (
    ("NCHW", "NHWC"), ("NCL", "NLC"), ("NCDHW", "NDHWC"), ("mean", "sum", "none"), ("constant", "reflect", "replicate", "circular"),
)  # fmt: skip


def idle_calls(opdef):
    """(arrays by slot, attributes) of calls that the shape rule accepts; the same ones every time."""
    for i, sample in enumerate(s for o, _, s in TABLE if o is opdef):
        draw = random.Random(f"{opdef.name} {i}")
        slots = arrays_of(sample)
        calls = 0
        for shapes in itertools.islice(_smaller(draw, slots), TRIED):
            idle = _nothing if draw.random() < 0.5 else _idle
            attrs = {name: draw.choice([*idle(value, shapes)] or [value]) for name, value in sample.attrs.items()}
            try:
                infer(opdef, shapes, attrs)
            except Exception:  # most mixtures make no sense: the rule says so in one way or another
                continue
            yield shapes, attrs
            calls += 1
            if calls == TAKEN:
                break


def _smaller(draw, slots):
    """The arrays, some of them with axes of size one, or in another order in memory."""
    rank = max([a.ndim for a in flat(slots)], default=0)
    while True:
        kind = draw.random()
        if kind < 0.4:
            change = lambda a: a
        elif kind < 0.5:
            change = lambda a: a[(slice(0, 1),) * a.ndim]
        elif kind < 0.7 and rank:
            axis = draw.randrange(rank)
            change = lambda a: a[(slice(None),) * axis + (slice(0, 1),)] if axis < a.ndim else a  # noqa: B023
        else:
            change = lambda a: a[tuple(slice(0, draw.choice([1, d, d])) for d in a.shape)]
        laid = draw.random() < 0.4
        yield map_slots(lambda a: _laid_out(draw, a) if laid else a.copy(), map_slots(change, slots))  # noqa: B023


def _laid_out(draw, a):
    """A copy whose axes are in another order in memory."""
    order = draw.sample(range(a.ndim), a.ndim)
    return np.ascontiguousarray(a.transpose(order)).transpose(np.argsort(order)) if order else a.copy()


def _idle(value, slots):
    """What an attribute may be: ``value``, or what does nothing, by the type of that."""
    arrays = flat(slots)
    if isinstance(value, bool):
        return [True, False]
    if isinstance(value, int):
        return [value, 0, 1, -1]
    if isinstance(value, float):
        return [value, 0.0, 1.0]
    if isinstance(value, DType) or value is None:
        return [value, None, *(spec_of(a).dtype for a in arrays[:1])]
    if isinstance(value, str):
        return next((words for words in _WORDS if value in words), [value])
    if not isinstance(value, (list, tuple)) or not all(isinstance(v, int) for v in value):
        return [value]
    n = len(value)
    sizes = [a.shape[k : k + n] for a in arrays for k in {0, a.ndim - n} if 0 <= k <= a.ndim - n]
    return [value, *(type(value)(v) for v in ([0] * n, [1] * n, range(n), (), *sizes))]


def _nothing(value, slots):
    """Zeros and ones for a list: no padding, a 1x1 kernel, one repeat. Mixtures of these nearly always make sense."""
    found = _idle(value, slots)
    return found[1:3] if isinstance(value, (list, tuple)) else found

