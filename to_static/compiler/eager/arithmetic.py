"""A fast path for Python's operators between a dynamic tensor and a number, or a tensor of the same dtype, with cached specs.

Other operands, and calls whose specs are not cached, take the general path of `Tensor`'s operators.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from to_static.compiler.eager import saved_tensor_hooks
from to_static.compiler.eager.tape import Edge, OpNode, leave_numbers
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir import mode
from to_static.compiler.ir.mode import grad_enabled
from to_static.compiler.ir.opdef import OpDef
from to_static.compiler.ir.registry import REGISTRY
from to_static.compiler.ir.tensor import Tensor
from to_static.core.arrays.fitting import array_of

_ARRAY = np.ndarray
_FLOATING = frozenset(map(np.dtype, ("float16", "float32", "float64", "complex64", "complex128")))
_NOTHING: dict[str, Any] = {}
_OPERATORS = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "eq": "equal", "ne": "not_equal", "lt": "less_than",
    "le": "less_equal", "gt": "greater_than", "ge": "greater_equal",
}  # fmt: skip
_REFLECTED = ("add", "sub", "mul", "truediv")


def _method(name: str, dunder: str, reflected: bool) -> Any:
    """A method for an operator of which the kernel is a ufunc."""
    general = vars(Tensor)[dunder]
    floating = name == "divide"  # which makes other numbers of integers
    opdef: OpDef | None = None

    def method(self: EagerTensor, other: Any) -> Any:
        nonlocal opdef
        cls = type(other)
        if not mode.current().direct:
            return general(self, other)
        if not reflected and (cls is EagerTensor or EagerTensor in cls.__mro__):
            a, b = self._array, other._array
            if a.dtype is b.dtype and (not floating or a.dtype in _FLOATING):
                opdef = opdef or REGISTRY[name]
                if (call := opdef.eager) is not None:
                    return call((self, other), _NOTHING)
        elif cls is float or cls is int:
            a = self._array
            dtype = a.dtype
            if type(a) is _ARRAY and (dtype in _FLOATING or (cls is int and not floating)):
                opdef = opdef or REGISTRY[name]
                cached = opdef.spec_cache.get(((), dtype, a.shape, dtype) if reflected else (a.shape, dtype, (), dtype))  # type: ignore[union-attr]
                if cached is not None and not saved_tensor_hooks.hooks.get():
                    spec, ufunc = cached
                    b = array_of(other, dtype)
                    result = ufunc(b, a) if reflected else ufunc(a, b)
                    tensor = EagerTensor(result if type(result) is _ARRAY else np.asarray(result), True, None, spec)
                    if not self.stop_gradient and (spec.dtype.is_floating or opdef.integral) and grad_enabled():
                        tensor.stop_gradient = False
                        inputs, arrays, edges = (self, None), [a, b], [Edge(self), None]
                        if reflected:
                            inputs, arrays, edges = (None, self), [b, a], [None, Edge(self)]
                        node = tensor._node = OpNode(opdef, inputs, edges, arrays, _NOTHING, [tensor._array])
                        if ((memory := self._memory) is not None and memory.written) or self._version:
                            leave_numbers(node, inputs)
                    return tensor
        return general(self, other)

    method.__name__ = method.__qualname__ = dunder
    return method


for _short, _name in _OPERATORS.items():
    for _reflected in (False, True) if _short in _REFLECTED else (False,):
        _dunder = f"__r{_short}__" if _reflected else f"__{_short}__"
        type.__setattr__(EagerTensor, _dunder, _method(_name, _dunder, _reflected))
