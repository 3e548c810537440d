"""Eager mode: an operator call runs the kernel at once, and records a tape node if a gradient may be needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.eager.calls import call_of, result_of, results_of
from to_static.compiler.eager.spec_cache import said
from to_static.compiler.eager.tape import Edge, OpNode, edges_of, leave_numbers
from to_static.compiler.eager.tensor import EagerTensor, wrap
from to_static.compiler.eager.view_tracking import ensure_sole_owner, inplace_target, share
from to_static.compiler.ir import mode
from to_static.compiler.ir.mode import grad_enabled
from to_static.compiler.ir.opdef import FrozenAttrs, NumberedAttrs, OpDef
from to_static.core import backend as backends
from to_static.core.errors import ArgumentTypeError, DeviceError

if TYPE_CHECKING:
    from to_static.core.array_types import Array

_NUMPY = backends.NUMPY
_ARRAY = np.ndarray
_NUMBERS = frozenset([bool, int, float])


class EagerMode:
    """The default mode of every thread."""

    building = False
    direct = True
    translate = staticmethod(mode.identity)
    coalesce = staticmethod(mode.coalesce)
    holding = staticmethod(wrap)
    resolve_list = staticmethod(mode.identity)

    def apply(self, opdef: OpDef, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Check with the shape rule, run the kernel, record."""
        call = opdef.eager
        if call is None:
            call = opdef.eager = call_of(opdef, self._apply_cached)
        return call(inputs, attrs)

    def _apply_cached(self, opdef: OpDef, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Call an operator with the cached specs of an equal call; the fast paths of `calls` fall back to this function."""
        spec_cache = opdef.spec_cache
        if opdef.accepts_donation and inplace_target.get() is not None:
            written = self._written(opdef, inputs, attrs)
            if written is not None:
                return written
        if spec_cache is None:
            return self._apply_checked(opdef, inputs, attrs)
        if not inputs:
            return self._apply_checked(opdef, inputs, attrs)
        flat, only_list, rest_inputs, has_absent, has_list = inputs, False, None, False, False
        if opdef.more:
            flat = inputs[:-1]
            if not flat:
                flat, only_list = inputs[-1], True  # nothing but a list, as `concat` takes it
                if not flat:
                    return self._apply_checked(opdef, inputs, attrs)
            elif inputs[-1]:
                rest_inputs = inputs[-1]
        arrays: list[Any]
        try:
            first = flat[0]
            a = first._array
            key: Any = a.shape, a.dtype
            if len(flat) == 1:
                arrays, requires_grad = [a], not first.stop_gradient
                host = type(a) is _ARRAY
            elif len(flat) == 2 and (second := flat[1]) is not None:
                b = second._array
                arrays, requires_grad = [a, b], not (first.stop_gradient and second.stop_gradient)
                key = a.shape, a.dtype, b.shape, b.dtype
                host = type(a) is type(b) is _ARRAY
            else:
                arrays, requires_grad, host = [], False, True
                parts: list[Any] = []
                for item in flat:
                    if item is None:
                        arrays.append(None)
                        parts.append(None)
                        has_absent = True
                        continue
                    if type(item) is list:
                        has_list = True
                        several = [t._array for t in item]
                        arrays.append(several)
                        parts.append(tuple([part for one in several for part in (one.shape, one.dtype)]))
                        for t, array in zip(item, several, strict=True):
                            host = host and type(array) is _ARRAY
                            requires_grad = requires_grad or not t.stop_gradient
                        continue
                    array = item._array
                    arrays.append(array)
                    parts += (array.shape, array.dtype)
                    host = host and type(array) is _ARRAY
                    requires_grad = requires_grad or not item.stop_gradient
                key = tuple(parts)
            if rest_inputs is not None:
                tensors: list[Any] = []
                parts = []
                for item in rest_inputs:
                    array = item._array
                    tensors.append(array)
                    parts += (array.shape, array.dtype)
                    host = host and type(array) is _ARRAY
                    requires_grad = requires_grad or not item.stop_gradient
                arrays.append(tensors)
                key = (*key, tuple(parts))
            if type(attrs) is FrozenAttrs:
                key = (*key, attrs)
            elif type(attrs) is NumberedAttrs:
                key = (*key, attrs.frozen)
            elif attrs:
                asked = opdef.spec_attrs
                if asked is None or asked:
                    values: Any = attrs.values() if asked is None else [attrs[name] for name in asked]
                    key = (*key, *values) if opdef.exact else (*key, *values, *map(type, values))
            cached = spec_cache.get(key) if host else None
        except (AttributeError, TypeError):  # a number, a list, None for the first; an attribute that is a list
            cached = None
        if cached is None:
            return self._apply_checked(opdef, inputs, attrs)
        spec, fixed = cached
        result: Any = None
        if fixed is not None:
            result = fixed(*arrays) if opdef.number_values is None else fixed(*arrays, *opdef.number_values(attrs))
        if only_list:
            arrays = [arrays]
        elif rest_inputs is None and flat is not inputs:
            arrays.append([])
        if fixed is None:
            result = (opdef.kernels.get("numpy") or opdef.kernels["*"])(np, *arrays, **attrs)
        record = requires_grad and grad_enabled() and "nodiff" not in opdef.traits
        if opdef.multi:
            if record or opdef.view:
                node = OpNode(opdef, inputs, edges_of(opdef, inputs), arrays, attrs, []) if record else None
                return results_of(opdef, inputs, result, spec, node, True)
            if opdef.dynamic:
                spec = [None] * len(spec)
            return tuple([
                EagerTensor(array if type(array) is _ARRAY else np.asarray(array), True, None, spec[i])
                for i, array in enumerate(result)
            ])  # fmt: skip
        tensor = EagerTensor(result if type(result) is _ARRAY else np.asarray(result), True, None, None if opdef.dynamic else spec)
        if opdef.view:
            share(first, tensor)
        if record and (spec.dtype.is_floating or opdef.integral):
            edges: list[Edge | None]
            if len(flat) == 1 and rest_inputs is None:
                edges = [Edge(first)]
            elif len(flat) == 2 and rest_inputs is None and not has_absent and not opdef.constants:
                edges = [None if first.stop_gradient else Edge(first), None if second.stop_gradient else Edge(second)]
            else:
                edges = edges_of(opdef, inputs)
            if not opdef.constants or any(edges):
                node = tensor._node = OpNode(opdef, inputs, edges, arrays, attrs, [tensor._array])
                tensor.stop_gradient = False
                second_operand = flat[1] if len(flat) > 1 and not has_list else None
                if (
                    has_list
                    or ((memory := first._memory) is not None and memory.written)
                    or (first._version and opdef.unread)
                    or (second_operand is not None and (memory := second_operand._memory) is not None and memory.written)
                ):
                    leave_numbers(node, inputs)
        return tensor

    def _written(self, opdef: OpDef, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> EagerTensor | None:
        """Compute an operator that changes a part of a tensor in place, in the memory of that tensor.

        Returns None if the operator has to be computed out of place.
        """
        x = inplace_target.get()
        if x is None or not len(inputs) > opdef.donated_input or inputs[opdef.donated_input] is not x:
            return None
        other_inputs = [t for item in inputs if item is not x for t in (item if type(item) in (list, tuple) else [item])]
        arrays = [isinstance(t, EagerTensor) and type(t._array) is _ARRAY for t in (x, *other_inputs)]
        if not all(arrays) or any(t is x or (t._memory is not None and t._memory is x._memory) for t in other_inputs):
            return None  # what is written may be read from there
        spec = said(opdef, inputs, _arrays(inputs), attrs, True)
        if spec != x.spec:
            return None
        inplace_target.set(None)
        ensure_sole_owner(x)
        arrays = _arrays(inputs)
        opdef.kernel_for("numpy")(np, *arrays, **attrs, donated=True)
        result = EagerTensor(x._array)
        result._spec = spec
        edges = edges_of(opdef, inputs) if grad_enabled() else []
        if any(edges) and (spec.dtype.is_floating or opdef.integral):
            node = result._node = OpNode(opdef, inputs, edges, arrays, attrs, [result._array])
            result.stop_gradient = False
            leave_numbers(node, inputs, x)
        return result

    def _apply_checked(self, opdef: OpDef, inputs: tuple[Any, ...], attrs: dict[str, Any]) -> Any:
        """Call an operator with its shape rule, for all inputs. The rule's result is cached for calls of plain tensors."""
        arrays: list[Any] = []
        requires_grad = False
        host, empty = True, True
        constants = opdef.constants
        for i, item in enumerate(inputs):
            if item is None:
                arrays.append(None)
            elif type(item) is list or type(item) is tuple:
                if not opdef.inputs[i].variadic:
                    raise _no_tensor(opdef, i, item)
                item_arrays = [t._array for t in item]
                arrays.append(item_arrays)
                if item_arrays:
                    empty = False
                    for t, array in zip(item, item_arrays, strict=True):
                        host = host and type(array) is _ARRAY
                        requires_grad = requires_grad or not t.stop_gradient
            else:
                try:
                    array = item._array
                except AttributeError:
                    if type(item) not in _NUMBERS:
                        raise _no_tensor(opdef, i, item) from None
                    tensors = [self.constant(np.asarray(x)) if type(x) in _NUMBERS else x for x in inputs]  # as in a Program
                    return self.apply(opdef, tuple(tensors), attrs)
                empty = False
                host = host and type(array) is _ARRAY
                arrays.append(array)
                requires_grad = requires_grad or not (item.stop_gradient or i in constants)
        out_specs = said(opdef, inputs, arrays, attrs, opdef.spec_cache is not None and host)
        backend = _NUMPY
        if not host:
            backend, arrays = _common_backend(arrays)
        elif empty:
            backend = backends.current()
        results = opdef.kernel_for(backend.name)(backend.xp, *arrays, **attrs)
        record = requires_grad and grad_enabled() and "nodiff" not in opdef.traits
        node = OpNode(opdef, inputs, edges_of(opdef, inputs), arrays, attrs, []) if record else None
        if opdef.multi:
            return results_of(opdef, inputs, results, out_specs, node, host)
        if opdef.view and type(results) is not np.ndarray and host:
            results = np.asarray(results)
        result = result_of(results, out_specs, node, 0)
        if opdef.view and host:
            share(inputs[0], result)
        if node is not None:
            node.outputs = [result._array]
            leave_numbers(node, inputs)
        return result

    def constant(self, array: np.ndarray) -> EagerTensor:
        """A tensor that holds ``array`` on the default device."""
        backend = backends.current()
        return EagerTensor(array if backend is _NUMPY and type(array) is _ARRAY else backend.asarray(array))


def _arrays(inputs: tuple[Any, ...]) -> list[Any]:
    return [[t._array for t in item] if type(item) in (list, tuple) else item._array for item in inputs]


def _no_tensor(opdef: OpDef, i: int, item: object) -> ArgumentTypeError:
    makes = "; `paddle.to_tensor(...)` makes one of it" if isinstance(item, (list, tuple, np.ndarray)) else ""
    return ArgumentTypeError(f"{opdef.name}: {opdef.inputs[i].name} must be a Tensor, got {type(item).__name__}{makes}")


def _common_backend(arrays: list[Any]) -> tuple[Any, list[Any]]:
    """The one backend of all arrays. Host scalars follow the others to their device; anything else must already be there."""
    flat = [a for item in arrays if item is not None for a in (item if isinstance(item, list) else [item])]
    common = None
    for array in flat:
        backend = backends.backend_of(array)
        if common is None or (backend is not common and common is _NUMPY):
            if common is not None and any(type(a) is np.ndarray and a.ndim for a in flat):
                raise DeviceError(
                    f"tensors on {common.place} and {backend.place} in one operation: move one with .cpu() or .cuda()"
                )
            common = backend
        elif backend is not common and (backend is not _NUMPY or array.ndim):
            raise DeviceError(f"tensors on {common.place} and {backend.place} in one operation: move one with .cpu() or .cuda()")
    if common is None:
        return backends.current(), arrays
    if common is _NUMPY:
        return common, arrays

    def move(array: Array) -> Any:
        return common.asarray(array) if type(array) is np.ndarray else array

    return common, [[move(a) for a in x] if isinstance(x, list) else None if x is None else move(x) for x in arrays]
