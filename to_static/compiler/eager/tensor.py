"""`EagerTensor`: the tensor of dynamic mode, which holds an array."""

from __future__ import annotations

import itertools
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.eager import tape
from to_static.compiler.eager.grad_node import GradNode
from to_static.compiler.eager.tensor_metaclass import PublicTensor
from to_static.compiler.eager.view_tracking import Memory, inplace_target
from to_static.compiler.ir import mode
from to_static.compiler.ir.spec import TensorSpec
from to_static.compiler.ir.tensor import Tensor, unlike
from to_static.compiler.ops import functions as F
from to_static.core import backend as backends
from to_static.core.arrays.array_ownership import is_sole_owner
from to_static.core.atomic import Steps, commit, set_all, setting
from to_static.core.diagnostics import source_location
from to_static.core.diagnostics.printable import printable
from to_static.core.dtypes import DType, as_dtype
from to_static.core.errors import AutogradError, ModeError, ShapeError
from to_static.core.log import warn_once

if TYPE_CHECKING:
    from collections.abc import Callable

    from to_static.core.array_types import Array
    from to_static.core.backend import Place
    from to_static.core.dtypes import DTypeLike

_numbers = itertools.count()


class EagerTensor(Tensor, metaclass=PublicTensor):
    """An array and its place in the gradient graph. Users make one with `to_tensor`, and know the class as ``paddle.Tensor``.

    ``paddle.Tensor(array)`` has the array's own memory, unless ``zero_copy=False`` asks for a copy. ``stop_gradient``: whether
    no gradient flows to it (default True). ``persistable``: whether `jit.save` writes it. ``spec``: for the compiler alone.

    Example:
        >>> x = paddle.to_tensor([[1.0, 2.0]], stop_gradient=False)
        >>> x.shape, x.stop_gradient
        ([1, 2], False)
    """

    __slots__ = (
        "_array", "_grad", "_hooks", "_index", "_memory", "_name", "_node", "_spec",
        "_version", "persistable", "stop_gradient",
    )  # fmt: skip

    def __init__(
        self,
        array: Any,
        stop_gradient: bool = True,
        name: str | None = None,
        spec: TensorSpec | None = None,
        persistable: bool = False,
        zero_copy: bool = True,
    ) -> None:
        self._array: Any = array if zero_copy else np.array(array)
        self._spec = spec
        self._node: Any = None
        self._index = 0
        self._grad: Any = None  # a tensor, None or `tape.CLEARED`
        self._hooks: list[Any] | None = None
        self._memory: Memory | None = None  # where it has views, or is one
        self._name = name
        self._version = 0
        self.stop_gradient = stop_gradient
        self.persistable = persistable

    row_gradient = False  # see `Parameter`

    # -- what it is ---------------------------------------------------------------------------------------------------

    @property
    def spec(self) -> TensorSpec:
        spec = self._spec
        if spec is None:
            array = self._array
            spec = self._spec = TensorSpec(tuple(array.shape), as_dtype(array.dtype))
        return spec

    @property
    def shape(self) -> list[int]:
        """Dimensions, a list of ints."""
        return list(self._array.shape)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self._array.ndim  # type: ignore[no-any-return]

    @property
    def dtype(self) -> DType:
        """Element type."""
        spec = self._spec
        return as_dtype(self._array.dtype) if spec is None else spec.dtype

    @property
    def size(self) -> int:
        """Number of elements."""
        return int(self._array.size)

    @property
    def place(self) -> backends.Place:
        """The device that holds the numbers."""
        return backends.backend_of(self._array).place

    @property
    def name(self) -> str:
        """A unique name, such as ``generated_tensor_0``."""
        if self._name is None:
            self._name = f"eager_tmp_{next(_numbers)}"
        return self._name

    @name.setter
    def name(self, value: str) -> None:
        self._name = value

    @property
    def is_leaf(self) -> bool:
        """True when no recorded operation computed this tensor."""
        return self._node is None

    @property
    def strides(self) -> list[int]:
        """Steps between neighbours of each dimension, in elements."""
        return [s // self._array.itemsize for s in self._array.strides]

    def get_strides(self) -> list[int]:
        """`strides`, by a call."""
        return self.strides

    @property
    def offset(self) -> int:
        """Bytes from where its memory begins to its first element: 0 unless it is a part of another tensor."""
        base = self._array
        while isinstance(getattr(base, "base", None), type(self._array)):
            base = base.base
        address = self._address(self._array)
        return address - self._address(base)

    def data_ptr(self) -> int:
        """The address of the first element in the memory of the device."""
        return self._address(self._array)

    @staticmethod
    def _address(array: Array) -> int:
        return int(array.ctypes.data if isinstance(array, np.ndarray) else array.data.ptr)

    @property
    def inplace_version(self) -> int:
        """The number of changes in place so far."""
        return self._version

    def element_size(self) -> int:
        """Bytes of one element."""
        return int(self._array.itemsize)

    # -- numbers out --------------------------------------------------------------------------------------------------

    def numpy(self, set_to_1d: bool = True) -> np.ndarray:
        """A copy of the numbers as a NumPy array of the tensor's shape.

        ``set_to_1d`` is Paddle's, which once made arrays of shape [1] of 0-D tensors; here, as there today, they are 0-D.
        """
        if mode.building():
            mode.current().on_value_read(self)
        return np.array(backends.backend_of(self._array).to_numpy(self._array))

    def __array__(self, dtype: np.dtype | type | None = None, copy: bool | None = None) -> np.ndarray:
        host = self.numpy()
        return host if dtype is None else host.astype(dtype)

    def tolist(self) -> Any:
        """The numbers as nested lists."""
        return self.numpy().tolist()

    def item(self, *index: int) -> Any:
        """The one element, or the element at ``index``, as a Python number. Raises ValueError when there are several."""
        if not index and type(self._array) is np.ndarray and self._array.size == 1 and not mode.current().building:
            return self._array.item()
        if not index and self._array.size != 1:
            ways = "`item(i)` takes one, `tolist()` all"
            raise ValueError(f"item() needs a tensor of one element, this one has shape {self.shape}; {ways}")
        if mode.building() and mode.current().layer_writes is not None:  # while a function is traced
            return mode.current().capture(self).item(*index)
        return self.numpy().item(*index)

    def _scalar(self, what: str) -> Any:
        if self._array.size != 1:
            raise ValueError(f"{what} needs a tensor of one element, this one has shape {self.shape}; use any(), all() or item(i)")
        if mode.building():
            mode.current().on_value_read(self)
        return self._array.item()

    def __bool__(self) -> bool:
        scalar = self._scalar("bool()")
        if not scalar >= 0 and self.dtype.kind in "if":
            self._warn_of_condition(scalar)
        return bool(scalar)

    def _warn_of_condition(self, condition: Any) -> None:
        """Once for each line: PaddlePaddle takes another branch."""
        where = source_location.capture(2)
        warn_once(
            f"condition {where.file}:{where.line}" if where is not None else "condition",
            f"a condition is {condition}, which is True in Python; PaddlePaddle 2.6 takes negative numbers and nan for False in "
            "dynamic mode\n  rewrite: the comparison that is meant, `if t != 0:` or `if t > 0:`",
        )

    def __int__(self) -> int:
        return int(self._scalar("int()"))

    def __float__(self) -> float:
        return float(self._scalar("float()"))

    def __complex__(self) -> complex:
        return complex(self._scalar("complex()"))

    def __index__(self) -> int:
        if not self.dtype.is_integer and self.dtype.kind != "b":
            raise TypeError(f"only integer tensors can be used as an index, this one is {self.dtype.name}; `int(x)` makes one")
        return int(self._scalar("an index"))

    # -- gradients ----------------------------------------------------------------------------------------------------

    @property
    def grad(self) -> EagerTensor | None:
        """The gradient that backward() accumulated here, or None."""
        if mode.tracing():
            return mode.current().gradients.read(self)  # type: ignore[no-any-return]
        if self._grad is tape.CLEARED:
            self._grad = F.zeros_like(self)
            self._grad.stop_gradient = False
        return self._grad  # type: ignore[no-any-return]

    @grad.setter
    def grad(self, value: EagerTensor | None) -> None:
        if value is not None and list(value.shape) != self.shape:
            raise ShapeError(f"grad of shape {list(value.shape)} does not fit a tensor of shape {self.shape}")
        if mode.tracing():
            mode.current().gradients.write(self, value)
        elif isinstance(value, EagerTensor):
            commit(tape.putting(self, value._array))
        else:
            self._grad = value

    @property
    def grad_(self) -> EagerTensor | None:
        """The same as `grad`."""
        return self.grad

    @grad_.setter
    def grad_(self, value: EagerTensor | None) -> None:
        self.grad = value

    @property
    def grad_fn(self) -> GradNode | None:
        """The node that computes the gradients of this tensor's inputs; None where the tensor gets no gradient."""
        return None if self.stop_gradient else GradNode(tape.Edge(self))

    def gradient(self) -> np.ndarray | None:
        """`grad` as a NumPy array, or None."""
        return None if self.grad is None else self.grad.numpy()

    def _grad_ivar(self) -> EagerTensor | None:
        return self.grad

    def backward(self, grad_tensor: Tensor | None = None, retain_graph: bool = False) -> None:
        """Add gradients of this tensor to ``.grad`` of the leaves it depends on.

        ``grad_tensor``: weight of each element, same shape (default ones). ``retain_graph``: keep the graph for another call.
        With stop_gradient=True nothing happens, and a UserWarning says why. Raises AutogradError when its graph was freed.
        """
        if grad_tensor is not None or not tape.backward_one_node(self, retain_graph):
            tape.backward([self], [grad_tensor], retain_graph)

    def clear_gradient(self, set_to_zero: bool = True) -> None:
        """Set ``grad`` to zeros, or forget it with ``set_to_zero=False``."""
        if mode.tracing():
            mode.current().gradients.clear(self, set_to_zero)
        elif not set_to_zero:
            self._grad = None
        elif self._grad is not None and self._grad is not tape.CLEARED:
            commit(tape.clearing(self))

    clear_grad = clear_gradient

    def register_hook(self, hook: Callable[[EagerTensor], EagerTensor | None]) -> tape.HookHandle:
        """Call ``hook(gradient)`` when this tensor's gradient is known; a returned tensor replaces it."""
        if mode.building():
            raise ModeError(
                source_location.report(
                    f"register_hook() of {printable(self.name)} in a static function would run only once, while it is traced",
                    source_location.capture(),
                    "call it before the static function",
                )
            )
        if self.stop_gradient:
            raise AutogradError("register_hook: a tensor with stop_gradient=True gets no gradient; set it to False before")
        if self._node is None:
            functions = self._hooks = self._hooks if self._hooks is not None else []
        else:
            table = self._node.hooks = self._node.hooks if self._node.hooks is not None else {}
            functions = table.setdefault(self._index, [])
        functions.append(hook)
        return tape.HookHandle(functions, hook)

    def retain_grads(self) -> None:
        """Keep ``grad`` on this non-leaf tensor after backward()."""
        if self._node is not None:
            table = self._node.retained = self._node.retained if self._node.retained is not None else {}
            table[self._index] = self

    def _plus(self, gradient: EagerTensor) -> Any:
        """The sum of two gradients."""
        return F.add(self, gradient)

    def _of_lookups(self, ids: list[Any], gradients: list[Any], padding_idx: int) -> Any:
        """Return the gradient of this table, an array or a tensor, from those of the rows that were looked up in it."""
        arrays = [t._array for t in (self, *ids, *gradients)]
        if all(type(array) is np.ndarray for array in arrays):
            count = len(ids) + 1
            kernel = F.embedding_grad.op.kernel_for("numpy")
            return kernel(np, arrays[1:count], arrays[0], arrays[count:], padding_idx)
        return F.embedding_grad(ids, self, gradients, padding_idx)

    def detach(self) -> EagerTensor:
        """The same numbers (shared), without a gradient graph."""
        current = mode.current()
        if current.building:
            return current.detached_view(self)  # type: ignore[no-any-return]
        array = self._array
        view = EagerTensor(array, True, None, self._spec)
        if type(array) is np.ndarray:
            memory = self._memory
            (Memory(self) if memory is None else memory).add(view)
        return view

    def _fill(self, value: float) -> bool:
        return self._overwrite(np.asarray(value), self._array.shape)

    def _overwrite(self, array: Array, shape: tuple[int, ...]) -> bool:
        """Copy ``array`` into the memory of this tensor; returns False if anything else refers to the memory."""
        mine = self._array
        if type(mine) is not np.ndarray or type(array) is not np.ndarray or shape != mine.shape:
            return False
        del mine
        if mode.building() or not (is_sole_owner(self) if self._memory is None else self._memory.alone(self)):
            return False
        np.copyto(self._array, array, casting="unsafe")
        self._version += 1
        return True

    def _is_row_major(self) -> bool:
        return self._memory is None or self._memory.is_row_major(self._array)

    def detach_(self) -> EagerTensor:
        """Leave the gradient graph, in place."""
        self._node, self.stop_gradient = None, True
        return self

    # -- changing in place --------------------------------------------------------------------------------------------

    def _become(self, new: Tensor) -> EagerTensor:
        if mode.building():  # a parameter or buffer changed inside a static function: part of the Program's state
            mode.current().rebind(self, new)
            return self
        if self._memory is None and (self._node is not None or self.stop_gradient or not mode.grad_enabled()):
            contents = new._array, new._spec, self._version + 1, *self._history(new)
            # (Python looks for signals at calls and jumps, not between these)
            self._array, self._spec, self._version, self._node, self._index, self.stop_gradient = contents
            return self
        commit(self.becoming(new, {}))
        return self

    def _take(self, new: Tensor) -> EagerTensor:
        if not mode.building() and self._node is None and not self.stop_gradient and mode.grad_enabled():
            history = (self, "_node", new._node), (self, "_index", new._index), (self, "stop_gradient", new.stop_gradient)
            commit([*self.holding(new._array, {}), setting(*history)])
            return self
        return self._become(new)

    def becoming(self, new: Tensor, staged: dict[int, Any]) -> list[Steps]:
        """The steps that make this tensor ``new``: its numbers and its history. ``staged``: see `Memory.steps`."""
        if self._node is None and not self.stop_gradient and mode.grad_enabled():
            raise AutogradError(
                f"{printable(self.name)}, of shape {self.shape}, is a leaf that needs a gradient (stop_gradient=False), so it "
                "can't be changed in place: change it inside `with paddle.no_grad():`, or change a copy, `x.clone()`"
            )
        node, index, stop = self._history(new)
        history = (self, "_node", node), (self, "_index", index), (self, "stop_gradient", stop)
        return [*self.holding(new._array, staged), setting(*history)]

    def _change(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if mode.building() or (self._node is None and not self.stop_gradient and mode.grad_enabled()):
            return super()._change(function, *args, **kwargs)  # which refuses what can't be done
        outer_target = inplace_target.get()
        inplace_target.set(self)
        try:
            new = function(self, *args, **kwargs)
        finally:
            inplace_target.set(outer_target)
        return self._become(new)

    def hold(self, array: Array) -> None:
        """Hold ``array`` from now on.

        Tensors that share memory with this one get it, too; cached facts about the old array are dropped.
        """
        if self._memory is None:  # Python looks for signals at calls and jumps, not between these
            self._array, self._spec, self._version = array, None, self._version + 1
        else:
            commit(self.holding(array, {}))

    def holding(self, array: Array, staged: dict[int, Any]) -> list[Steps]:
        """The steps that make this tensor hold ``array``. ``staged``: see `Memory.steps`."""
        spec_steps = (self, "_spec", None), (self, "_version", self._version + 1)
        if self._memory is None:
            return [setting((self, "_array", array), *spec_steps)]
        return [*self._memory.steps(self, array, staged), setting(*spec_steps)]

    def _history(self, new: Tensor) -> tuple[Any, int, bool]:
        """The node, its output and ``stop_gradient`` of this tensor when it has become ``new``: its own outside of the graph."""
        past = new if mode.grad_enabled() else self
        return past._node, past._index, past.stop_gradient

    def set_value(self, value: object) -> None:
        """Replace the numbers by ``value`` (tensor or array) of the same shape; it is converted to this tensor's dtype.

        In a Program that is built by hand, numbers are set at once, and a value of the Program in every run.
        """
        if type(value) is EagerTensor and (new := value._array).dtype is self._array.dtype and self._overwrite(new, new.shape):
            return
        if mode.tracing() or (mode.building() and isinstance(value, Tensor) and not isinstance(value, EagerTensor)):
            traced = F.cast(F.to_tensor(value), self.dtype)
            F.need_alike(traced, mode.current().capture(self), unlike)
            with mode.grad_mode(False):
                mode.current().rebind(self, traced.detach())
            return
        own_backend = backends.backend_of(self._array)
        array: Any = value._array if isinstance(value, EagerTensor) else value
        if isinstance(value, EagerTensor) and backends.backend_of(array) is not own_backend:
            array = backends.backend_of(array).to_numpy(array)
        if own_backend is backends.NUMPY and isinstance(array, np.ndarray) and self._overwrite(array, array.shape):
            return
        array = own_backend.stored(array, self._array.dtype)  # a copy: the value's owner may change it later
        if array.shape != self._array.shape:
            raise ShapeError(unlike(str(list(array.shape)), str(self.shape)))
        self.hold(array)

    def set(self, array: object, place: object = None) -> None:
        """Hold other numbers, of whatever shape and dtype, as Paddle's low-level tensors do: ``x.get_tensor().set(a, place)``.

        Raises ModeError while a Program is built.
        """
        if mode.building():
            raise ModeError("set() changes the shape of a tensor, which a Program relies on: call it outside of Programs")
        self.hold(backends.backend_of(self._array).asarray(np.array(array)))

    def _place(self) -> Any:
        """The device that its memory is on."""
        return self.place

    # -- devices ------------------------------------------------------------------------------------------------------

    def _on(self, device: str | Place) -> EagerTensor:
        if mode.building():  # a Program runs on one device
            return self
        target = backends.get_backend(device)
        own_backend = backends.backend_of(self._array)
        if target is own_backend:
            return self
        copied = EagerTensor(target.asarray(own_backend.to_numpy(self._array)), self.stop_gradient)
        if not self.stop_gradient and mode.grad_enabled():
            copied._node = tape.MoveNode(self, own_backend)
        return copied

    def _to(self, device: str | Place | None = None, dtype: DTypeLike | None = None, blocking: bool | None = None) -> EagerTensor:
        """Move this tensor, in place, and convert it; its place in the gradient graph stays. Returns itself."""
        if mode.building():
            return self._become(self.to(device=device, dtype=dtype))
        copied = self.detach().to(device=device, dtype=dtype)
        if copied._array is not self._array:
            self._array, self._spec, self._memory, self._version = copied._array, None, None, self._version + 1
        return self

    def _copy_to(self, place: str | Place, blocking: bool = True) -> EagerTensor:
        """A copy on a device, outside of the gradient graph of this one, which needs a gradient if this does."""
        target, own_backend = backends.get_backend(place), backends.backend_of(self._array)
        return EagerTensor(target.asarray(np.array(own_backend.to_numpy(self._array))), self.stop_gradient)

    def _local_value(self) -> EagerTensor:
        """Itself: one process has all of it."""
        return self

    def _slice(self, begin_idx: int, end_idx: int) -> EagerTensor:
        """Rows ``begin_idx`` to ``end_idx`` (without that), which share their memory with this tensor."""
        return self.detach()[begin_idx:end_idx]  # type: ignore[index, no-any-return]

    def _numel(self) -> int:
        """Number of elements."""
        return self.size

    def _is_initialized(self) -> bool:
        """True if it holds numbers: not after `_clear`."""
        return self.size > 0

    def _clear(self) -> None:
        """Give the memory back: a tensor without elements, of shape [0], is left."""
        self._array, self._spec, self._memory = self._array[:0].reshape([-1])[:0].copy(), None, None
        self._version += 1

    def reconstruct_from_(self, other: EagerTensor) -> None:
        """Become another tensor: its numbers, shape, dtype, place in the gradient graph and ``stop_gradient``."""
        self._array, self._spec, self._memory = other._array, other._spec, None
        self._node, self._index, self.stop_gradient = other._node, other._index, other.stop_gradient
        self._version += 1

    def cpu(self) -> EagerTensor:
        """This tensor in the host's memory."""
        return self._on("cpu")

    def cuda(self, device_id: int | None = None, blocking: bool = True) -> EagerTensor:
        """This tensor on GPU ``device_id`` (default 0). Raises DeviceError when it is not there."""
        return self._on(f"gpu:{device_id or 0}")

    def pin_memory(self, blocking: bool = True) -> EagerTensor:
        """Itself: the host's memory is not paged differently here."""
        return self

    # -- Python -------------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        from to_static.compiler.eager.printing import tensor_repr

        return tensor_repr(self)

    __str__ = __repr__

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """A leaf with the same values, which needs a gradient if this tensor does: what that was computed from is not copied."""
        if mode.building():
            mode.current().on_value_read(self)
        copy = type(self).__new__(type(self))
        memo[id(self)] = copy
        EagerTensor.__init__(copy, self._array.copy(), self.stop_gradient, None)
        copy.persistable = self.persistable
        self._copy_extra(copy)
        if mode.building():
            mode.current().copied.append(copy)
        return copy

    def _copy_extra(self, copy: EagerTensor) -> None:
        """Subclasses copy their own fields here."""

    def __copy__(self) -> Any:
        return self.__deepcopy__({})

    def __reduce__(self) -> Any:
        return (_unpickle, (self.numpy(), self.stop_gradient, self._name))

    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any:
        return self._array.__dlpack__(*args, **kwargs)

    def __dlpack_device__(self) -> Any:
        return self._array.__dlpack_device__()


def clear_gradients(tensors: list[Any], set_to_zero: bool = True) -> None:
    """`clear_gradient` of all of them at once."""
    if mode.tracing():
        for tensor in tensors:
            tensor.clear_gradient(set_to_zero)
        return
    if set_to_zero:
        tape.clear(tensors)
    else:
        set_all(tensors, repeat("_grad"), repeat(None))


EagerTensor.__name__ = EagerTensor.__qualname__ = "Tensor"  # in Python's messages, which are the same in static functions
EagerTensor.__module__ = "to_static"


tape.Node.tensor = EagerTensor


def _unpickle(array: np.ndarray, stop_gradient: bool, name: str | None) -> EagerTensor:
    return EagerTensor(backends.current().asarray(array), stop_gradient, name)


def wrap(array: Array) -> EagerTensor:
    """A tensor around an array, as it is."""
    return EagerTensor(array)
