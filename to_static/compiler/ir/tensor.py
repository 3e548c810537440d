"""The public class `Tensor`, with the methods that eager tensors and symbolic tensors share.

Methods call registered operators by name, so this module imports no operators. Methods such as ``x.tanh()`` are installed by the
declarations of operators.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from to_static.compiler.ir.registry import FUNCTIONS, finished, is_running, load_all, load_home
from to_static.core import backend as backends
from to_static.core.diagnostics.missing_names import of_object
from to_static.core.errors import TracedValueError
from to_static.core.var_type import VarType

if TYPE_CHECKING:
    from collections.abc import Callable

    from to_static.core.backend import Place
    from to_static.core.dtypes import DType, DTypeLike


def _call(name: str, *args: Any, **kwargs: Any) -> Any:
    return FUNCTIONS[name](*args, **kwargs)


def unlike(have: str, want: str) -> str:
    """Return the message for a value that does not have the tensor's shape."""
    return f"set_value: the tensor has shape {want}, the value {have}"


class AnyTensor:
    """The base class of all tensors for users, ``isinstance(x, paddle.Tensor)``: dense tensors (`Tensor` here) and sparse ones."""

    __slots__ = ()

    def _dense_values(self) -> Any:
        """Return the dense tensor in which the gradient graph has this tensor."""
        return self

    def _with_dense_values(self, values: Tensor) -> Any:
        """Return a tensor of this type with the dense tensor ``values``."""
        return values


class Tensor(AnyTensor):
    """A multi-dimensional array with a dtype, a place and a place in the gradient graph.

    Make one with `to_static.to_tensor`. In eager mode it holds its numbers; while a Program is being built it stands for
    a value that will exist when the Program runs. Attributes: ``shape`` (list of ints), ``dtype``, ``ndim``, ``size``,
    ``place``, ``stop_gradient`` (True: no gradient flows through it), ``name``, ``persistable``, ``grad``.

    Example:
        >>> import to_static as paddle
        >>> x = paddle.to_tensor([1.0, 2.0])
        >>> (x * 2).numpy()
        array([2., 4.], dtype=float32)
    """

    __slots__ = ("__weakref__",)
    __array_priority__ = 100.0
    __array_ufunc__: Any = None  # ndarray + Tensor asks our reflected operator instead of looping over elements
    __hash__ = object.__hash__

    if TYPE_CHECKING:  # methods, operators and attributes of the two storages; tables install the first two
        __add__: Any
        __radd__: Any
        __sub__: Any
        __rsub__: Any
        __mul__: Any
        __rmul__: Any
        __truediv__: Any
        __rtruediv__: Any
        __floordiv__: Any
        __rfloordiv__: Any
        __mod__: Any
        __rmod__: Any
        __pow__: Any
        __rpow__: Any
        __matmul__: Any
        __rmatmul__: Any
        __and__: Any
        __rand__: Any
        __or__: Any
        __ror__: Any
        __xor__: Any
        __rxor__: Any
        __eq__: Any
        __ne__: Any
        __lt__: Any
        __le__: Any
        __gt__: Any
        __ge__: Any
        shape: Any
        name: str
        stop_gradient: bool

        @property
        def dtype(self) -> DType:
            """Element type."""

    is_parameter = False
    # of traced values; all tensors have them, since who asks for what none has loads the operators to look for a method
    data_dependent = False  # True where even the Python type is known only at run time
    is_union = (
        False  # True where that is one of several that an operator can't take for one tensor (see `ir.building.union_values`)
    )
    _changes = False  # whether a Program that holds one finds other numbers there in most runs
    is_list = False  # True for lists of the Program
    views: Any = None  # the memory that it shares with others, and what it sees of it (see `ir.symbolic.views`)
    frame: Any = None  # where it was made
    python_type: Any = None  # the type of Python number that a traced value stands for (see `ir.symbolic.sym_number`)

    # what the two storages implement ---------------------------------------------------------------------------------

    @property
    def spec(self) -> Any:
        """Shape and dtype as a `TensorSpec` (-1 for dimensions not known yet)."""
        raise NotImplementedError("a subclass must define this method")

    def _take(self, new: Tensor) -> Tensor:
        """`_become`, also of a leaf that needs a gradient: it is part of the graph of ``new`` then."""
        return self._become(new)

    def _become(self, new: Tensor) -> Tensor:
        """Hold the value of ``new`` from now on (what every in-place operation does); returns self."""
        raise NotImplementedError("a subclass must define this method")

    def _change(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Tensor:
        """Hold ``function(self, *args, **kwargs)`` from now on; returns self."""
        return self._become(function(self, *args, **kwargs))

    def set_value(self, value: object) -> None:
        """Replace the numbers by ``value`` of the same shape."""
        raise NotImplementedError("a subclass must define this method")

    def _fill(self, value: float) -> bool:
        """Set every element in place; returns False, and does nothing, if the memory must not be changed."""
        return False

    def _is_row_major(self) -> bool:
        """True if the elements are in row-major order in memory, which only some views are not."""
        raise NotImplementedError("a subclass must define this method")

    def _on(self, device: str | Place) -> Tensor:
        """This tensor on another device."""
        raise NotImplementedError("a subclass must define this method")

    # what both have ----------------------------------------------------------------------------------------------------

    @property
    def trainable(self) -> bool:
        """The opposite of ``stop_gradient``."""
        return not self.stop_gradient

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self.stop_gradient = not value  # type: ignore[misc]

    def copy_(self, other: object, blocking: bool = True) -> Tensor:
        """Take over the numbers of ``other``; returns self."""
        self.set_value(other)
        return self

    def get_tensor(self) -> Tensor:
        """Itself (Paddle's low-level tensor)."""
        return self

    value = get_tensor

    def to(
        self,
        *args: str | Place | DTypeLike | Tensor | None,
        device: str | Place | None = None,
        dtype: DTypeLike | None = None,
        blocking: bool | None = None,
    ) -> Any:
        """This tensor on another device and/or with another dtype: ``x.to('gpu:0')``, ``x.to('float64')``."""
        device_names = ("cpu", "cuda", *backends.OPENERS)
        for arg in args:
            if isinstance(arg, Tensor):
                device, dtype = arg.place, arg.dtype
            elif isinstance(arg, backends.Place) or (isinstance(arg, str) and arg.split(":")[0] in device_names):
                device = arg
            elif arg is not None:
                dtype = arg
        on_device = self if device is None else self._on(device)
        return on_device if dtype is None else FUNCTIONS["cast"](on_device, dtype)

    def _to(self, device: str | Place | None = None, dtype: DTypeLike | None = None, blocking: bool | None = None) -> Any:
        """As `to`, but the tensor itself changes, as Paddle's method of this name does it."""
        return self.to(device=device, dtype=dtype)

    def _use_gpudnn(self, use_gpudnn: bool = True) -> Tensor:
        """Itself: which library computes is not chosen by tensors here."""
        return self

    @property
    def requires_grad(self) -> Any:
        """PyTorch's name, which does not exist: reading and setting it raise AttributeError with the rewrite."""
        raise of_object("Tensor", self, "requires_grad")

    @requires_grad.setter
    def requires_grad(self, value: object) -> None:
        raise AttributeError(f"'Tensor' object has no attribute 'requires_grad': write `x.stop_gradient = {not value}`")

    def __getattr__(self, name: str) -> Any:
        method = load_method(type(self), name)
        if isinstance(method, types.FunctionType):
            return types.MethodType(method, self)
        raise of_object("Tensor", self, name)

    # arithmetic ------------------------------------------------------------------------------------------------------

    def __neg__(self) -> Any:
        return _call("neg", self)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return _call("abs", self)

    def __invert__(self) -> Any:
        return _call("bitwise_not", self)

    def __len__(self) -> int:
        shape = self.shape  # type: ignore[attr-defined]
        if not shape:
            raise TypeError("len() of a 0-D tensor")
        return shape[0]

    def __iter__(self) -> Iterator[Any]:
        if not self.spec.shape:
            raise TypeError("iteration over a 0-D tensor")
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: object) -> Any:
        return FUNCTIONS["getitem"](self, index)

    def __setitem__(self, index: object, value: object) -> None:
        self._change(FUNCTIONS["setitem"], index, value)

    def __contains__(self, value: object) -> bool:
        return bool(_call("any", _call("equal", self, value)))

    def __format__(self, spec: str) -> str:
        if spec and self.spec.shape == ():
            return format(self.item(), spec)  # type: ignore[attr-defined]
        return format(str(self), spec)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.spec.shape)

    @property
    def data(self) -> Tensor:
        """Itself; what is assigned to it, it holds afterwards."""
        return self

    @data.setter
    def data(self, value: Tensor) -> None:
        self.set_value(value)

    def is_same_shape(self, y: Any) -> bool:
        """True if another tensor, dense or sparse, has the same shape."""
        return list(self.spec.shape) == list(y.spec.shape if isinstance(y, Tensor) else y.shape)

    def dim(self) -> int:
        """Number of dimensions."""
        return len(self.spec.shape)

    ndimension = dim

    @property
    def T(self) -> Any:
        """The tensor with its dimensions in reverse order."""
        return _call("transpose", self, tuple(range(self.ndim - 1, -1, -1)))


def load_method(cls: type, name: str) -> Any:
    """The attribute of a class of tensors after loading the operators that may declare it; None where no operator does.

    No operator has a name like ``__x__``, so code that looks for such names (``copy``, ``dataclasses``) loads nothing.
    """
    if not name.startswith("__"):
        for load in (lambda: load_home(name), load_all):
            load()
            for owner in cls.__mro__:
                if name in vars(owner):
                    return getattr(owner, name)
    return None


class _Declared:
    """A method of `Tensor` of which the module was running when it was declared: others get it when that is finished."""

    def __init__(self, name: str, function: Callable[..., Any], module: str) -> None:
        self._name, self._function, self._module = name, function, module

    def __get__(self, instance: Tensor | None, owner: type | None = None) -> Any:
        if finished(self._module) and Tensor.__dict__.get(self._name) is self:
            setattr(Tensor, self._name, self._function)
        return self._function.__get__(instance, owner)


def declare_method(name: str, function: Callable[..., Any], module: str) -> None:
    """Make a function of ``module`` a method of `Tensor`."""
    setattr(Tensor, name, _Declared(name, function, module) if is_running(module) else function)


def _binary(name: str, reflected: bool = False) -> Any:
    def method(self: Tensor, other: object) -> Any:
        function = FUNCTIONS[name]
        try:
            return function(other, self) if reflected else function(self, other)
        except NotATensor as error:
            if isinstance(error, TracedValueError) and isinstance(other, (list, tuple)):
                raise  # an item of it may be of several kinds: Python's own answer would be another
            return NotImplemented

    return method


class NotATensor(TypeError):
    """Raised by operand conversion for objects that are no tensors or numbers; operators turn it into NotImplemented."""


NotATensor.__name__ = NotATensor.__qualname__ = "TypeError"  # what users read, where no operator does
NotATensor.__module__ = "builtins"


# what Paddle asks of tensors of all kinds, and the answer of the only kind that this is
_ASKED = {
    "is_dense": True, "is_dist": False, "is_selected_rows": False, "is_sparse": False, "is_sparse_coo": False,
    "is_sparse_csr": False,
}  # fmt: skip
_KNOWN = {
    "type": VarType.LOD_TENSOR, "layout": "NCHW", "lod_level": 0, "dist_attr": None, "num_shard": None, "placements": None,
    "process_mesh": None,
}  # fmt: skip


def _answer(name: str, value: bool) -> Any:
    def method(self: Tensor) -> bool:
        return value

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"{value}: this is a dense tensor on one device."
    return method


for _name, _value in _ASKED.items():
    setattr(Tensor, _name, _answer(_name, _value))
for _name, _value in _KNOWN.items():
    setattr(Tensor, _name, _value)

_BINARY = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "truediv", "floordiv": "floor_divide",
    "mod": "remainder", "pow": "operator_pow", "matmul": "operator_matmul", "and": "bitwise_and", "or": "bitwise_or",
    "xor": "bitwise_xor",
}  # fmt: skip
_COMPARE = {
    "eq": "equal", "ne": "not_equal", "lt": "less_than", "le": "less_equal", "gt": "greater_than",
    "ge": "greater_equal",
}  # fmt: skip
for _short, _name in _BINARY.items():
    setattr(Tensor, f"__{_short}__", _binary(_name))
    setattr(Tensor, f"__r{_short}__", _binary(_name, reflected=True))
for _short, _name in _COMPARE.items():
    setattr(Tensor, f"__{_short}__", _binary(_name))
