"""Fast paths for operator calls in dynamic mode: one function per operator, specialized for its declaration.

They use the cached results of shape rules (`spec_cache`). Other calls take the general path, `mode.EagerMode.apply`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.eager.tape import Edge, OpNode, edges_of, leave_numbers
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.eager.view_tracking import inplace_target, share
from to_static.compiler.ir.mode import grad_enabled
from to_static.compiler.ir.opdef import FrozenAttrs, NumberedAttrs, OpDef
from to_static.compiler.ir.spec import UNKNOWN
from to_static.core import backend as backends

if TYPE_CHECKING:
    from collections.abc import Sequence

    from to_static.compiler.ir.spec import TensorSpec
    from to_static.core.array_types import Array

_ARRAY = np.ndarray
Call = Callable[[tuple[Any, ...], dict[str, Any]], Any]


def call_of(opdef: OpDef, otherwise: Callable[[OpDef, tuple[Any, ...], dict[str, Any]], Any]) -> Call:
    """The function that calls an operator; ``otherwise`` calls every operator."""
    inputs = len(opdef.inputs) - opdef.more
    if opdef.spec_cache is not None and not (opdef.accepts_donation or opdef.multi or opdef.constants or opdef.dynamic):
        if inputs == 0:
            return _of_none(opdef, partial(otherwise, opdef))
        if inputs == 1:
            return _of_one(opdef, partial(otherwise, opdef))
        if inputs == 2 and not (opdef.view or opdef.more):
            return _of_two(opdef, partial(otherwise, opdef))
    lists = any(slot.variadic for slot in opdef.inputs)
    if opdef.spec_cache is not None and not (lists or opdef.view or opdef.dynamic) and opdef.inputs:
        call = _of_several(opdef, partial(otherwise, opdef))
        return _unless_written(call, partial(otherwise, opdef)) if opdef.accepts_donation else call
    return partial(otherwise, opdef)


def _unless_written(call: Call, otherwise: Call) -> Call:
    """``call``, except where a tensor is to hold the result in the memory that it has."""
    return lambda inputs, attrs: call(inputs, attrs) if inplace_target.get() is None else otherwise(inputs, attrs)


def _of_several(opdef: OpDef, otherwise: Call) -> Call:
    """Of an operator of some tensors, of which a few may be None, or with several results."""
    asked, python_numbers, exact, multi = opdef.spec_attrs, opdef.number_values, opdef.exact, opdef.multi
    records, integral = "nodiff" not in opdef.traits, opdef.integral

    def call(inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        arrays: list[Any] = []
        key: list[Any] = []
        wanted = False
        try:
            for item in inputs:
                if item is None:
                    arrays.append(None)
                    key.append(None)
                    continue
                a = item._array
                if type(a) is not _ARRAY:
                    return otherwise(inputs, attrs)
                arrays.append(a)
                key.append(a.shape)
                key.append(a.dtype)
                if not item.stop_gradient:
                    wanted = True
            if type(attrs) is FrozenAttrs:
                key.append(attrs)
            elif type(attrs) is NumberedAttrs:
                key.append(attrs.frozen)
            elif attrs:
                values: Any = attrs.values() if asked is None else [attrs[name] for name in asked]
                key += values
                if not exact:
                    key += map(type, values)
            entry = opdef.spec_cache.get(tuple(key))  # type: ignore[union-attr]
        except (AttributeError, TypeError):
            entry = None
        if entry is None:
            return otherwise(inputs, attrs)
        spec, fixed = entry
        if fixed is not None:
            result = fixed(*arrays) if python_numbers is None else fixed(*arrays, *python_numbers(attrs))
        else:
            result = (opdef.kernels.get("numpy") or opdef.kernels["*"])(np, *arrays, **attrs)
        recorded = wanted and records and grad_enabled()
        if multi:
            if recorded:
                node = OpNode(opdef, inputs, edges_of(opdef, inputs), arrays, attrs, [])
                return results_of(opdef, inputs, result, spec, node, True)
            return tuple([
                EagerTensor(array if type(array) is _ARRAY else np.asarray(array), True, None, spec[i])
                for i, array in enumerate(result)
            ])  # fmt: skip
        tensor = EagerTensor(result if type(result) is _ARRAY else np.asarray(result), True, None, spec)
        if recorded and (spec.dtype.is_floating or integral) and any(edges := edges_of(opdef, inputs)):
            node = tensor._node = OpNode(opdef, inputs, edges, arrays, attrs, [tensor._array])
            tensor.stop_gradient = False
            if any(x is not None and (x._memory is not None or x._version) for x in inputs):
                leave_numbers(node, inputs)
        return tensor

    return call


def _of_none(opdef: OpDef, otherwise: Call) -> Call:
    """Of an operator of attributes alone, or of a list that is empty."""
    asked, python_numbers, exact = opdef.spec_attrs, opdef.number_values, opdef.exact

    def call(inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        cached = None
        if not (inputs and inputs[0]) and backends.current() is backends.NUMPY:
            values: Any = attrs.values() if asked is None else [attrs[name] for name in asked]
            try:
                cached = opdef.spec_cache.get((*values,) if exact else (*values, *map(type, values)))  # type: ignore[union-attr]
            except TypeError:  # an attribute that is a list
                cached = None
        if cached is None:
            return otherwise(inputs, attrs)
        spec, fixed = cached
        if fixed is not None:
            array = fixed() if python_numbers is None else fixed(*python_numbers(attrs))
        else:
            array = (opdef.kernels.get("numpy") or opdef.kernels["*"])(np, *inputs, **attrs)
        return EagerTensor(array if type(array) is _ARRAY else np.asarray(array), True, None, spec)

    return call


def _of_one(opdef: OpDef, otherwise: Call) -> Call:
    """Of an operator of one tensor, perhaps with a list that is empty."""
    more, python_numbers = opdef.more, opdef.number_values
    asked, exact, view, no_options = opdef.spec_attrs, opdef.exact, opdef.view, opdef.spec_attrs == ()
    records, integral, unread = "nodiff" not in opdef.traits, opdef.integral, bool(opdef.unread)

    def call(inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        try:
            x = inputs[0]
            a = x._array
            if more and inputs[1]:
                return otherwise(inputs, attrs)
            if not attrs:
                key: Any = a.shape, a.dtype
            elif type(attrs) is FrozenAttrs:
                key = a.shape, a.dtype, attrs
            elif type(attrs) is NumberedAttrs:
                key = a.shape, a.dtype, attrs.frozen
            elif no_options:
                key = a.shape, a.dtype
            else:
                values: Any = attrs.values() if asked is None else [attrs[name] for name in asked]
                key = (a.shape, a.dtype, *values) if exact else (a.shape, a.dtype, *values, *map(type, values))
            cached = opdef.spec_cache.get(key) if type(a) is _ARRAY else None  # type: ignore[union-attr]
        except (AttributeError, TypeError):  # a number, a list, None in place of a tensor; an attribute that is a list
            cached = None
        if cached is None:
            return otherwise(inputs, attrs)
        spec, fixed = cached
        if fixed is not None:
            result = fixed(a) if python_numbers is None else fixed(a, *python_numbers(attrs))
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
    asked, python_numbers, exact, no_options = opdef.spec_attrs, opdef.number_values, opdef.exact, opdef.spec_attrs == ()
    records, integral, unread = "nodiff" not in opdef.traits, opdef.integral, bool(opdef.unread)

    def call(inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        try:
            x, y = inputs
            a, b = x._array, y._array
            if not attrs:
                key: Any = a.shape, a.dtype, b.shape, b.dtype
            elif type(attrs) is FrozenAttrs:
                key = a.shape, a.dtype, b.shape, b.dtype, attrs
            elif type(attrs) is NumberedAttrs:
                key = a.shape, a.dtype, b.shape, b.dtype, attrs.frozen
            elif no_options:
                key = a.shape, a.dtype, b.shape, b.dtype
            else:
                values: Any = attrs.values() if asked is None else [attrs[name] for name in asked]
                key = (a.shape, a.dtype, b.shape, b.dtype, *values)
                if not exact:
                    key = (*key, *map(type, values))
            cached = opdef.spec_cache.get(key) if type(a) is _ARRAY and type(b) is _ARRAY else None  # type: ignore[union-attr]
        except (AttributeError, TypeError):
            cached = None
        if cached is None:
            return otherwise(inputs, attrs)
        spec, fixed = cached
        if fixed is not None:
            result = fixed(a, b) if python_numbers is None else fixed(a, b, *python_numbers(attrs))
        else:
            result = (opdef.kernels.get("numpy") or opdef.kernels["*"])(np, a, b, **attrs)
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


def result_of(array: Array, spec: TensorSpec, node: OpNode | None, index: int) -> EagerTensor:
    """The tensor of one result, recorded by ``node`` if that is there."""
    if type(array) is not _ARRAY and isinstance(array, np.generic):
        array = np.asarray(array)
    tensor = EagerTensor(array)
    if UNKNOWN not in spec.shape:
        tensor._spec = spec
    if node is not None and (spec.dtype.is_floating or node.opdef.integral):
        tensor._node = node
        tensor._index = index
        tensor.stop_gradient = False
    return tensor


def results_of(
    opdef: OpDef,
    inputs: tuple[Any, ...],
    arrays: Sequence[Array],
    specs: Sequence[TensorSpec],
    node: OpNode | None,
    host: bool,
) -> tuple[EagerTensor, ...]:
    """The tensors of an operator with several results."""
    auxiliary = opdef.auxiliary
    if node is None:
        outputs = tuple([result_of(array, spec, None, 0) for array, spec in zip(arrays, specs, strict=True)])
    else:
        outputs = tuple([
            result_of(array, spec, None if i in auxiliary else node, i)
            for i, (array, spec) in enumerate(zip(arrays, specs, strict=True))
        ])  # fmt: skip
    if opdef.view and host:
        for output in outputs:
            share(inputs[0], output)
    if node is not None:
        node.outputs = [t._array for t in outputs]
        node.count = len(outputs)
        if any(t is not None and (type(t) is not EagerTensor or t._version or t._memory is not None) for t in inputs):
            leave_numbers(node, inputs)
    return outputs
