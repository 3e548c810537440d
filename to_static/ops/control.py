"""Constants, copies, branches, loops, lists and effects: the operators that give a Program its shape.

`cond` and `while_loop` own blocks and have no kernel: the interpreter and the code generator execute them, and `autodiff`
differentiates them. Users write `if` and `while`.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from to_static.core.dtypes import int64
from to_static.core.errors import DTypeError, ShapeError
from to_static.ir.opdef import Sample, method, op
from to_static.ir.spec import UNKNOWN, ListSpec, TensorSpec, join, spec_of
from to_static.ir.tensor import Tensor
from to_static.ops import rules


@op("constant( -> Out) value", file=None)
def constant(value: np.ndarray) -> Any:
    """A constant array as a tensor of the current mode (``value`` must not be changed afterwards)."""
    return constant.emit(value=value)


@constant.infer
def _(value: Any) -> Any:
    return spec_of(value)


@constant.kernel
def _(xp: Any, value: Any) -> Any:
    return xp.asarray(value)


constant.samples(lambda: [Sample(value=np.arange(6, dtype="float32").reshape(2, 3)), Sample(value=np.asarray(True))])


@op("assign(X -> Out)", traits="elementwise")
def assign(x: Any, output: Any = None) -> Any:
    """A copy of ``x`` (a tensor, array, number or nested list); gradients flow through it.

    With ``output``, that tensor holds the copy afterwards (in place) and is returned.

    Example:
        >>> y = paddle.assign(x)
    """
    result = assign.emit(rules.tensor(x))
    return result if output is None else output._become(result)


@assign.infer
def _(x: Any) -> Any:
    return x


@assign.kernel
def _(xp: Any, x: Any, out: Any = None) -> Any:
    if out is None:
        return x.copy()
    out[...] = x
    return out


@assign.grad
def _(ctx: Any, g: Any) -> Any:
    return g


assign.samples(lambda: [Sample(np.ones((2, 3), "float32")), Sample(np.asarray(3))])


@method()
def clone(x: Tensor, name: Any = None) -> Any:
    """A copy of ``x`` through which gradients flow."""
    return assign.emit(x)


# branches and loops --------------------------------------------------------------------------------------------------


@op("cond(pred, operands* -> Out*)", file=None)
def cond() -> Any:
    """Two closed blocks over the same operands, one of which runs. Built by `Builder.emit_cond`."""
    raise DTypeError("cond is built from Python's `if`, or by static.nn.cond")


@op("while_loop(operands* -> Out*) carried", file=None)
def while_loop() -> Any:
    """A condition block and a body block over the same operands. Built by `Builder.while_loop`."""
    raise DTypeError("while_loop is built from Python's `while` and `for`, or by static.nn.while_loop")


# lists of tensors ----------------------------------------------------------------------------------------------------


def _joined(element: Any, x: Any, name: str) -> Any:
    if element is None:
        return x
    found = join(element, x)
    if found is None:
        raise ShapeError(f"{name}: the list holds {element}, so {x} does not fit: rank and dtype must agree")
    return found


def _index_spec(i: Any, name: str) -> None:
    if not isinstance(i, TensorSpec) or not i.dtype.is_integer:
        raise DTypeError(f"{name}: a list index must be an integer tensor, got {i}")


@op("list_new(X* -> Out)", file=None)
def list_new(items: Any = ()) -> Any:
    """A list of tensors as one value of a Program."""
    return list_new.emit(list(items))


@list_new.infer
def _(items: Any) -> Any:
    element = None
    for x in items:
        element = _joined(element, x, "list")
    return ListSpec(element)


@list_new.kernel
def _(xp: Any, items: Any) -> Any:
    return list(items)


@op("list_append(L, X -> Out)", file=None)
def list_append(items: Any, x: Any) -> Any:
    """The list with ``x`` at its end (the old list is unchanged)."""
    return list_append.emit(items, x)


@list_append.infer
def _(items: Any, x: Any) -> Any:
    return ListSpec(_joined(items.element, x, "list.append"))


@list_append.kernel
def _(xp: Any, items: Any, x: Any) -> Any:
    return [*items, x]


@op("list_get(L, I -> Out)", file=None)
def list_get(items: Any, i: Any) -> Any:
    """Element ``i`` (a 0-D or one-element integer tensor, negative counts from the end)."""
    return list_get.emit(items, i)


@list_get.infer
def _(items: Any, i: Any) -> Any:
    _index_spec(i, "list[i]")
    if items.element is None:
        raise ShapeError("list[i]: the list is empty wherever this line can run")
    return items.element


@list_get.kernel
def _(xp: Any, items: Any, i: Any) -> Any:
    k = int(i.item())
    if not -len(items) <= k < len(items):
        raise IndexError(f"list index {k} out of range for a list of {len(items)}")
    return items[k]


@op("list_set(L, I, X -> Out)", file=None)
def list_set(items: Any, i: Any, x: Any) -> Any:
    """The list with element ``i`` replaced by ``x``."""
    return list_set.emit(items, i, x)


@list_set.infer
def _(items: Any, i: Any, x: Any) -> Any:
    _index_spec(i, "list[i] = x")
    return ListSpec(_joined(items.element, x, "list[i] = x"))


@list_set.kernel
def _(xp: Any, items: Any, i: Any, x: Any) -> Any:
    k = int(i.item())
    if not -len(items) <= k < len(items):
        raise IndexError(f"list assignment index {k} out of range for a list of {len(items)}")
    new = list(items)
    new[k] = x
    return new


@op("list_pop(L, I -> Rest, Item)", file=None)
def list_pop(items: Any, i: Any) -> Any:
    """The list without element ``i``, and that element."""
    return list_pop.emit(items, i)


@list_pop.infer
def _(items: Any, i: Any) -> Any:
    _index_spec(i, "list.pop")
    if items.element is None:
        raise ShapeError("list.pop: the list is empty wherever this line can run")
    return items, items.element


@list_pop.kernel
def _(xp: Any, items: Any, i: Any) -> Any:
    k = int(i.item())
    if not -len(items) <= k < len(items):
        raise IndexError(f"pop index {k} out of range for a list of {len(items)}")
    rest = list(items)
    item = rest.pop(k)
    return rest, item


@op("list_len(L -> Out)", file=None, traits="nodiff")
def list_len(items: Any) -> Any:
    """Number of elements, a 0-D int64 tensor."""
    return list_len.emit(items)


@list_len.infer
def _(items: Any) -> Any:
    return TensorSpec((), int64)


@list_len.kernel
def _(xp: Any, items: Any) -> Any:
    return xp.asarray(len(items), "int64")


@op("list_stack(L -> Out) axis", file=None)
def list_stack(items: Any, axis: int = 0) -> Any:
    """The elements, all of one shape, stacked along a new ``axis``."""
    return list_stack.emit(items, axis=axis)


@list_stack.infer
def _(items: Any, axis: int) -> Any:
    if items.element is None:
        raise ShapeError("stack: the list is empty wherever this line can run")
    shape = list(items.element.shape)
    shape.insert(rules.axis_index(axis, len(shape) + 1, "stack"), UNKNOWN)
    return items.element.with_shape(shape)


@list_stack.kernel
def _(xp: Any, items: Any, axis: int) -> Any:
    if not items:
        raise ValueError("stack: expected at least one tensor, the list is empty")
    return xp.stack(items, axis)


@op("list_concat(L -> Out) axis", file=None)
def list_concat(items: Any, axis: int = 0) -> Any:
    """The elements joined along an existing ``axis``."""
    return list_concat.emit(items, axis=axis)


@list_concat.infer
def _(items: Any, axis: int) -> Any:
    if items.element is None:
        raise ShapeError("concat: the list is empty wherever this line can run")
    shape = list(items.element.shape)
    shape[rules.axis_index(axis, len(shape), "concat")] = UNKNOWN
    return items.element.with_shape(shape)


@list_concat.kernel
def _(xp: Any, items: Any, axis: int) -> Any:
    if not items:
        raise ValueError("concat: expected at least one tensor, the list is empty")
    return xp.concatenate(items, axis)


# effects -------------------------------------------------------------------------------------------------------------


@op("print(X* -> ) template end", file=None, traits="effect nodiff")
def print_op(tensors: Any, template: str, end: str = "\n") -> Any:
    """Print ``template`` with its ``{}`` holes filled by the tensors, every time the Program runs."""
    return print_op.emit(list(tensors), template=template, end=end)


@print_op.infer
def _(tensors: Any, template: str, end: str) -> Any:
    return ()


@print_op.kernel
def _(xp: Any, tensors: Any, template: str, end: str) -> Any:
    from to_static.core.backend import backend_of

    parts = [tensor_text(backend_of(t).to_numpy(t)) for t in tensors]
    sys.stdout.write(template.format(*parts) + end)
    return ()


tensor_text: Any = str  # how `print` shows an array; the eager package puts Paddle's form here


@op("assert(Cond, Data* -> ) message", file=None, traits="effect nodiff")
def assert_op(condition: Any, data: Any = (), message: str = "") -> Any:
    """Raise AssertionError(message, with its ``{}`` holes filled by ``data``) when the one-element condition is false."""
    return assert_op.emit(condition, list(data), message=message)


@assert_op.infer
def _(condition: Any, data: Any, message: str) -> Any:
    if condition.size not in (1, UNKNOWN):
        raise ShapeError(f"assert needs a condition of one element, got {condition}; use all() or any()")
    return ()


@assert_op.kernel
def _(xp: Any, condition: Any, data: Any, message: str) -> Any:
    if not bool(condition):
        raise AssertionError(message.format(*data) if data else message)
    return ()

