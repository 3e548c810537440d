"""Eager mode: calling an operator runs its kernel at once and records a tape node when a gradient may be wanted."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from to_static.core import backend as backends
from to_static.core.errors import ArgumentTypeError, DeviceError
from to_static.eager.memory import share
from to_static.eager.tape import Edge, OpNode, edges_of
from to_static.eager.tensor import EagerTensor, wrap
from to_static.ir import mode
from to_static.ir.mode import state
from to_static.ir.opdef import OpDef
from to_static.ir.spec import UNKNOWN

_NUMPY = backends.NUMPY
_ARRAY = np.ndarray
_NUMBERS = frozenset([bool, int, float])
_MOST = 512  # kinds of calls of one operator of which the shape rule's answer is kept


class EagerMode:
    """The default mode of every thread."""

    building = False
    translate = staticmethod(mode.as_it_is)
    unless_none = staticmethod(mode.unless_none)
    resolve = staticmethod(mode.as_it_is)

    def apply(self, opdef: OpDef, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Check with the shape rule, run the kernel, record."""
        known = opdef.known
        if known is None:
            return self._checked(opdef, inputs, attrs)
        given = inputs
        if opdef.more:
            if inputs[-1]:
                return self._checked(opdef, inputs, attrs)
            given = inputs[:-1]
        arrays: list[Any]
        try:
            first = given[0]
            a = first._array
            key: Any = a.shape, a.dtype
            if len(given) == 1:
                arrays, wanted = [a], not first.stop_gradient
                host = type(a) is _ARRAY
            elif len(given) == 2:
                second = given[1]
                b = second._array
                arrays, wanted = [a, b], not (first.stop_gradient and second.stop_gradient)
                key = a.shape, a.dtype, b.shape, b.dtype
                host = type(a) is type(b) is _ARRAY
            else:
                arrays, wanted = [item._array for item in given], True
                key = tuple([part for array in arrays for part in (array.shape, array.dtype)])
                host = all(type(array) is _ARRAY for array in arrays)
            if attrs:
                key = (*key, *attrs, *attrs.values()) if opdef.exact else (*key, *_of_attributes(opdef, attrs))
            spec = known.get(key)
        except (AttributeError, TypeError):  # a number, a list, None; an attribute that is a list
            spec = None
        if spec is None or not host:
            return self._checked(opdef, inputs, attrs)
        if opdef.more:
            arrays.append([])
        result = (opdef.kernels.get("numpy") or opdef.kernels["*"])(np, *arrays, **attrs)
        tensor = EagerTensor(result if type(result) is _ARRAY else np.asarray(result))
        tensor._spec = spec
        if opdef.view:
            share(inputs[0], tensor)
        if wanted and state.grad and spec.dtype.is_floating and "nodiff" not in opdef.traits:
            edges: list[Edge | None] = [Edge(first)]
            if len(given) > 1:
                edges = [None if item.stop_gradient else Edge(item) for item in given]
                for i in opdef.constants:
                    edges[i] = None
            if any(edges):
                node = tensor._node = OpNode(opdef, inputs, edges, arrays, attrs)
                node.outputs = [tensor._array]
                tensor.stop_gradient = False
        return tensor

    def _checked(self, opdef: OpDef, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """The same for all operators and inputs; what the shape rule says of plain ones is kept for the next call."""
        arrays: list[Any] = []
        specs: list[Any] = []
        wanted = False
        host, empty = True, True
        constants = opdef.constants
        for i, item in enumerate(inputs):
            if item is None:
                arrays.append(None)
                specs.append(None)
            elif type(item) is list or type(item) is tuple:
                if not opdef.inputs[i].variadic:
                    raise _no_tensor(opdef, i, item)
                found = [t._array for t in item]
                arrays.append(found)
                specs.append([t.spec for t in item])
                if found:
                    empty = False
                    host = host and all(type(a) is np.ndarray for a in found)
                    wanted = wanted or not all(t.stop_gradient for t in item)
            else:
                try:
                    array = item._array
                except AttributeError:
                    if type(item) not in _NUMBERS:
                        raise _no_tensor(opdef, i, item) from None
                    made = [self.constant(np.asarray(x)) if type(x) in _NUMBERS else x for x in inputs]  # as in a Program
                    return self.apply(opdef, tuple(made), attrs)
                empty = False
                host = host and type(array) is np.ndarray
                arrays.append(array)
                specs.append(item.spec)
                wanted = wanted or not (item.stop_gradient or i in constants)
        out_specs = opdef.infer_specs(tuple(specs), attrs)
        if opdef.known is not None and host and not empty:
            _keep(opdef, attrs, arrays, out_specs[0])
        backend = _NUMPY
        if not host:
            backend, arrays = _common_backend(arrays)
        elif empty:
            backend = backends.current()
        results = opdef.kernel_for(backend.name)(backend.xp, *arrays, **attrs)
        record = wanted and state.grad and "nodiff" not in opdef.traits
        node = OpNode(opdef, inputs, edges_of(opdef, inputs), arrays, attrs) if record else None
        if not opdef.multi:
            if opdef.view and type(results) is not np.ndarray and host:
                results = np.asarray(results)
            result = _result(results, out_specs[0], node, 0)
            if opdef.view and host:
                share(inputs[0], result)
            if node is not None:
                node.outputs = [result._array]
            return result
        outputs = tuple(
            _result(array, spec, None if i in opdef.auxiliary else node, i)
            for i, (array, spec) in enumerate(zip(results, out_specs, strict=True))
        )
        if opdef.view and host:
            for output in outputs:
                share(inputs[0], output)
        if node is not None:
            node.outputs = [t._array for t in outputs]
            node.count = len(outputs)
        return outputs

    def constant(self, array: np.ndarray) -> EagerTensor:
        """A tensor that holds ``array`` on the default device."""
        return wrap(backends.current().asarray(array))


def _of_attributes(opdef: OpDef, attrs: dict[str, Any]) -> list[Any]:
    """What of the attributes counts for the shape rule."""
    values = attrs.values()
    if opdef.exact:
        return [*attrs, *values]
    kinds: list[Any] = [*map(type, values)]
    if list in kinds:
        kinds = [type(v) if type(v) is not list else tuple(map(type, v)) for v in values]
        return [*attrs, *(tuple(v) if type(v) is list else v for v in values), *kinds]
    return [*attrs, *values, *kinds]


def _keep(opdef: OpDef, attrs: dict[str, Any], arrays: list[Any], spec: Any) -> None:
    """Remember what the shape rule said. (No rule goes by the default dtype, whatever the dtypes of the inputs are.)"""
    if opdef.more:
        if arrays[-1]:
            return
        arrays = arrays[:-1]
    if UNKNOWN in spec.shape or any(type(a) is not np.ndarray for a in arrays):
        return
    known: Any = opdef.known
    key = [part for array in arrays for part in (array.shape, array.dtype)]
    key += _of_attributes(opdef, attrs)
    if len(known) >= _MOST:
        known.clear()
    with contextlib.suppress(TypeError):  # an attribute that is a list
        known[tuple(key)] = spec


def _no_tensor(opdef: OpDef, i: int, item: Any) -> ArgumentTypeError:
    makes = "; `paddle.to_tensor(...)` makes one of it" if isinstance(item, (list, tuple, np.ndarray)) else ""
    return ArgumentTypeError(f"{opdef.name}: {opdef.inputs[i].name} must be a Tensor, got {type(item).__name__}{makes}")


def _result(array: Any, spec: Any, node: Any, index: int) -> EagerTensor:
    if isinstance(array, np.generic):
        array = np.asarray(array)
    tensor = wrap(array)
    if UNKNOWN not in spec.shape:
        tensor._spec = spec
    if node is not None and spec.dtype.is_floating:
        tensor._node = node
        tensor._index = index
        tensor.stop_gradient = False
    return tensor


def _common_backend(arrays: list[Any]) -> tuple[Any, list[Any]]:
    """The one backend of all arrays. Host scalars follow the others to their device; anything else must already be there."""
    flat = [a for item in arrays if item is not None for a in (item if isinstance(item, list) else [item])]
    found = None
    for array in flat:
        backend = backends.backend_of(array)
        if found is None or (backend is not found and found is _NUMPY):
            if found is not None and any(type(a) is np.ndarray and a.ndim for a in flat):
                raise DeviceError(f"tensors on {found.place} and {backend.place} in one operation: move one with .cpu() or .cuda()")
            found = backend
        elif backend is not found and (backend is not _NUMPY or array.ndim):
            raise DeviceError(f"tensors on {found.place} and {backend.place} in one operation: move one with .cpu() or .cuda()")
    if found is None:
        return backends.current(), arrays
    if found is _NUMPY:
        return found, arrays

    def move(array: Any) -> Any:
        return found.asarray(array) if type(array) is np.ndarray else array

    return found, [[move(a) for a in x] if isinstance(x, list) else None if x is None else move(x) for x in arrays]
