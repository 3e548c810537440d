"""Calls of operators of at most two tensors in dynamic mode: for each operator a function, which asks nothing that it knows of it.

They take what was met before (see `known`); what was not, and tensors that are no tensors, go the way of all operators.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from to_static.core import backend as backends
from to_static.eager.known import FixedByNumbers
from to_static.eager.memory import share
from to_static.eager.tape import Edge, OpNode, leave_numbers
from to_static.eager.tensor import EagerTensor
from to_static.ir.mode import grad_enabled
from to_static.ir.opdef import Numbered, OpDef, Settled

_ARRAY = np.ndarray
Call = Callable[[tuple[Any, ...], dict[str, Any]], Any]


def call_of(opdef: OpDef, otherwise: Callable[[OpDef, tuple[Any, ...], dict[str, Any]], Any]) -> Call:
    """How an operator is called; ``otherwise`` calls every operator."""
    inputs = len(opdef.inputs) - opdef.more
    if opdef.known is not None and not (opdef.owns or opdef.multi or opdef.constants):
        if inputs == 0:
            return _of_none(opdef, partial(otherwise, opdef))
        if inputs == 1:
            return _of_one(opdef, partial(otherwise, opdef))
        if inputs == 2 and not (opdef.view or opdef.more):
            return _of_two(opdef, partial(otherwise, opdef))
    return partial(otherwise, opdef)


def _of_none(opdef: OpDef, otherwise: Call) -> Call:
    """Of an operator of attributes alone, or of a list that is empty."""
    asked, exact = opdef.asked, opdef.exact

    def call(inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        found = None
        if not (inputs and inputs[0]) and backends.current() is backends.NUMPY:
            values: Any = attrs.values() if asked is None else [attrs[name] for name in asked]
            try:
                found = opdef.known.get((*values,) if exact else (*values, *map(type, values)))  # type: ignore[union-attr]
            except TypeError:  # an attribute that is a list
                found = None
        if found is None:
            return otherwise(inputs, attrs)
        spec, fixed = found
        if type(fixed) is FixedByNumbers:
            fixed = fixed.of(attrs)
        array = (opdef.kernels.get("numpy") or opdef.kernels["*"])(np, *inputs, **attrs) if fixed is None else fixed()
        return EagerTensor(array if type(array) is _ARRAY else np.asarray(array), True, None, spec)

    return call


def _of_one(opdef: OpDef, otherwise: Call) -> Call:
    """Of an operator of one tensor, perhaps with a list that is empty."""
    more = opdef.more
    asked, exact, view = opdef.asked, opdef.exact, opdef.view
    records, integral, unread = "nodiff" not in opdef.traits, opdef.integral, bool(opdef.unread)

    def call(inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        try:
            x = inputs[0]
            a = x._array
            if more and inputs[1]:
                return otherwise(inputs, attrs)
            if not attrs:
                key: Any = a.shape, a.dtype
            elif type(attrs) is Settled:
                key = a.shape, a.dtype, attrs
            elif type(attrs) is Numbered:
                key = a.shape, a.dtype, attrs.settled
            else:
                values: Any = attrs.values() if asked is None else [attrs[name] for name in asked]
                key = (a.shape, a.dtype, *values) if exact else (a.shape, a.dtype, *values, *map(type, values))
            found = opdef.known.get(key) if type(a) is _ARRAY else None  # type: ignore[union-attr]
        except (AttributeError, TypeError):  # a number, a list, None in place of a tensor; an attribute that is a list
            found = None
        if found is None:
            return otherwise(inputs, attrs)
        spec, fixed = found
        if type(fixed) is FixedByNumbers:
            fixed = fixed.of(attrs)
        if fixed is not None:
            result = fixed(a)
        elif more:
            result = (opdef.kernels.get("numpy") or opdef.kernels["*"])(np, a, [], **attrs)
        else:
            result = (opdef.kernels.get("numpy") or opdef.kernels["*"])(np, a, **attrs)
        tensor = EagerTensor(result if type(result) is _ARRAY else np.asarray(result), True, None, spec)
        if view:
            share(x, tensor)
        if records and not x.stop_gradient and grad_enabled() and (spec.dtype.is_floating or integral):
            node = tensor._node = OpNode(opdef, inputs, [Edge(x)], [a, []] if more else [a], attrs, [tensor._array])
            tensor.stop_gradient = False
            if ((memory := x._memory) is not None and memory.written) or (unread and x._version):
                leave_numbers(node, inputs)
        return tensor

    return call


def _of_two(opdef: OpDef, otherwise: Call) -> Call:
    asked, exact = opdef.asked, opdef.exact
    records, integral, unread = "nodiff" not in opdef.traits, opdef.integral, bool(opdef.unread)

    def call(inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        try:
            x, y = inputs
            a, b = x._array, y._array
            if not attrs:
                key: Any = a.shape, a.dtype, b.shape, b.dtype
            elif type(attrs) is Settled:
                key = a.shape, a.dtype, b.shape, b.dtype, attrs
            elif type(attrs) is Numbered:
                key = a.shape, a.dtype, b.shape, b.dtype, attrs.settled
            else:
                values: Any = attrs.values() if asked is None else [attrs[name] for name in asked]
                key = (a.shape, a.dtype, b.shape, b.dtype, *values)
                if not exact:
                    key = (*key, *map(type, values))
            found = opdef.known.get(key) if type(a) is _ARRAY and type(b) is _ARRAY else None  # type: ignore[union-attr]
        except (AttributeError, TypeError):
            found = None
        if found is None:
            return otherwise(inputs, attrs)
        spec, fixed = found
        if type(fixed) is FixedByNumbers:
            fixed = fixed.of(attrs)
        result = (opdef.kernels.get("numpy") or opdef.kernels["*"])(np, a, b, **attrs) if fixed is None else fixed(a, b)
        tensor = EagerTensor(result if type(result) is _ARRAY else np.asarray(result), True, None, spec)
        if records and not (x.stop_gradient and y.stop_gradient) and grad_enabled() and (spec.dtype.is_floating or integral):
            edges = [None if x.stop_gradient else Edge(x), None if y.stop_gradient else Edge(y)]
            node = tensor._node = OpNode(opdef, inputs, edges, [a, b], attrs, [tensor._array])
            tensor.stop_gradient = False
            if (
                ((memory := x._memory) is not None and memory.written)
                or (unread and x._version)
                or ((memory := y._memory) is not None and memory.written)
            ):
                leave_numbers(node, inputs)
        return tensor

    return call
