"""`Variable`: the tensor that user code holds for a value of the Program under construction."""

from __future__ import annotations

import operator
import os
from typing import TYPE_CHECKING, Any

from to_static.compiler.ir import mode
from to_static.compiler.ir.leaves import leaf_of
from to_static.compiler.ir.program import Var
from to_static.compiler.ir.registry import FUNCTIONS
from to_static.compiler.ir.spec import UNKNOWN, ListSpec, TensorSpec
from to_static.compiler.ir.tensor import _BINARY, _COMPARE, Tensor, unlike
from to_static.core import backend
from to_static.core.diagnostics import source_location
from to_static.core.diagnostics.printable import printable
from to_static.core.diagnostics.source_expressions import in_expression
from to_static.core.errors import AutogradError, ModeError, TracedValueError
from to_static.core.var_type import VarType

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from to_static.compiler.ir.building.builder import Builder
    from to_static.core.dtypes import DTypeLike

_COMPUTE = "compute with the tensor itself (`x + 1`, `x.sum()`), or return it and convert the result: "
_LISTED = 256  # elements that `tolist` makes numbers of, at most
# functions of ours that users give arguments
_ROOMS = tuple([os.path.join(source_location.PACKAGE, *room, "") for room in (("compiler", "ops"), ("nn",))])


class Variable(Tensor):
    """A tensor that will exist when the Program runs.

    Python cannot read its elements: ``bool(v)``, ``v.numpy()`` and similar calls raise `TracedValueError` with the user's line and
    a rewrite. The variable holds an SSA value (``ssa``); an in-place operation replaces it by a new one.
    """

    __slots__ = ("_name", "_stop_gradient", "builder", "frame", "persistable", "ssa", "views")

    def __init__(self, var: Var, builder: Builder) -> None:
        self.ssa = var
        self.builder = builder
        self.frame = builder.frame
        self.persistable = False
        self._name: str | None = None
        self._stop_gradient: bool | None = None
        self.views: Any = None

    def __setitem__(self, index: object, value: Any) -> None:
        if getattr(value, "is_union", False):
            self._become(value.each(lambda option: FUNCTIONS["setitem"](self, index, option)))
        else:
            super().__setitem__(index, value)

    @property
    def spec(self) -> Any:
        return self.ssa.spec

    @property
    def dtype(self) -> Any:
        """Element type."""
        return self.ssa.spec.dtype

    @property
    def shape(self) -> list[Any]:
        """Dimensions; one that is known only at run time is an integer tensor that computes as Python ints do.

        Where a Program is built by hand, code of users gets a tuple of ints, with -1 for those, as in Paddle.
        """
        # The caller decides. Our own layers and functions read `.shape` at 1,500 places and need sizes that compute. With a second
        # attribute for them, each place that still read `.shape` would get a silent -1. The look at the caller takes .3 us, while a
        # Program is built by hand.
        spec = self.ssa.spec
        if self.builder.plain_shapes and not source_location.is_internal(source_location.caller_file()):
            return spec.shape  # type: ignore[no-any-return]
        if UNKNOWN not in spec.shape:
            return list(spec.shape)
        return [self.builder.symbolic_dim(self, i) if d == UNKNOWN else d for i, d in enumerate(spec.shape)]

    @property
    def size(self) -> Any:
        """Number of elements (a tensor when a dimension is unknown)."""
        total: Any = 1
        for dim in self.shape:
            total = total * dim
        return total

    @property
    def name(self) -> str:
        """Name of the value in the Program."""
        return self._name or self.ssa.name or self.builder.name_of(self.ssa)

    @name.setter
    def name(self, value: str) -> None:
        self._name = value

    @property
    def stop_gradient(self) -> bool:
        """True when no gradient flows through this value. Raises an error if tensors decide that, and user code reads it."""
        if not source_location.is_internal(source_location.caller_file()):  # see `shape`: our own code may always ask
            self._check_stop()
        return self.ssa.stop_gradient if self._stop_gradient is None else self._stop_gradient

    @stop_gradient.setter
    def stop_gradient(self, value: bool) -> None:
        builder = self.builder
        if value == self.ssa.stop_gradient:
            pass
        elif builder.frame is not builder.root and builder.is_given(self):
            text = f"stop_gradient of a tensor from outside is set{in_expression()} under a tensor condition or in a tensor loop"
            raise TracedValueError(
                source_location.report(
                    text, source_location.capture(), "set it before, or that of a copy: `y = x.detach()`"
                )
            )
        elif value:  # cut here: later uses see a value without a gradient
            self._become(builder.detached_view(self))
        elif self.ssa.op is not None:  # a leaf from here on, as it is dynamically
            leaf = builder.detached_view(self)
            leaf.ssa.stop_gradient = False
            self._become(leaf)
        else:
            self.ssa.stop_gradient = False
        self._stop_gradient = None

    def _check_stop(self) -> None:
        if self.ssa.op is not None:
            self.builder.on_grad_mode_read()
        if not self.ssa.stop_gradient and self.builder.is_stop_gradient_dynamic(self):
            text = (
                f"stop_gradient{in_expression()}: whether a tensor needs a gradient is decided by a tensor condition or loop "
                "before"
            )
            rewrite = "set it, `y.stop_gradient = True` or `y = y.detach()`, or ask before the condition or loop"
            raise TracedValueError(source_location.report(text, source_location.capture(1), rewrite))

    @property
    def trainable(self) -> bool:
        """The opposite of ``stop_gradient``."""
        self._check_stop()
        return not self.ssa.stop_gradient

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self.stop_gradient = not value

    @property
    def place(self) -> backend.Place:
        """The device the Program is being built for."""
        return backend.current().place

    @property
    def is_leaf(self) -> bool:
        """True for values that no op computes, or through which no gradient flows."""
        if self.ssa.op is not None:
            self._check_stop()
        return self.ssa.stop_gradient or leaf_of(self.ssa) is not None

    @property
    def type(self) -> Any:
        """The kind of value that it is in Paddle's files."""
        return VarType.LOD_TENSOR

    @property
    def grad_name(self) -> str:
        """The name of its gradient."""
        return f"{self.name}@GRAD"

    def to_string(self, throw_on_error: bool, with_details: bool = False) -> str:
        """The text that Paddle's static mode has for it: its description in files."""
        spec = self.ssa.spec
        dims = "".join(f"      dims: {d}\n" for d in spec.shape)
        type_name = next(name for name, value in vars(VarType).items() if value is spec.dtype)
        tensor = f"  lod_tensor {{\n    tensor {{\n      data_type: {type_name}\n{dims}    }}\n  }}\n"
        text = f'name: "{self.name}"\ntype {{\n  type: LOD_TENSOR\n{tensor}}}\n'
        text += f"stop_gradient: {str(self.ssa.stop_gradient).lower()}\n"
        return text + ("error_clip: None\n" if with_details else "")

    @property
    def lod_level(self) -> int:
        """The number of LoD levels that were declared for its input; 0 for a tensor without LoD."""
        return self.builder.lod_level_of(self)  # type: ignore[no-any-return]

    @property
    def block(self) -> Any:
        """The block that the current value is defined in."""
        return self.ssa.block

    def _become(self, new: Tensor) -> Variable:
        self.builder.rebind(self, new)
        return self

    def detach(self) -> Any:
        """The same value, through which no gradient flows; in a traced function a view, as it is outside."""
        return self.builder.detached_view(self)

    def _is_row_major(self) -> bool:
        return self.builder.is_row_major(self)  # type: ignore[no-any-return]

    def detach_(self) -> Variable:
        """`detach` in place; returns itself."""
        self.stop_gradient = True
        return self

    def get_value(self, scope: object = None) -> Any:
        """The array of a parameter or buffer between runs, as a tensor. Raises ValueError for other values."""
        if self.ssa.holder is not None:
            with mode.default_mode():
                return FUNCTIONS["to_tensor"](self.ssa.holder._array)
        name = printable(self.name)
        raise ValueError(f"get_value: {name} has a value only while the Program runs; fetch it: `exe.run(fetch_list=[x])`")

    def set_value(self, value: object) -> None:
        """Replace the numbers by ``value`` (tensor or array) of the same shape; it is converted to this tensor's dtype.

        Raises AutogradError for a tensor that has a gradient, ShapeError for another shape.
        """
        if not (self.stop_gradient or self.is_leaf):
            text = (
                f"set_value() of a tensor of the static Program that has a gradient{in_expression()}, which stays that of its old "
                "value"
            )
            raise AutogradError(
                source_location.report(
                    text, source_location.capture(), "assign it, `x = value`, or change a copy: `x = x.detach()`"
                )
            )
        new = FUNCTIONS["cast"](FUNCTIONS["to_tensor"](value), self.dtype)
        FUNCTIONS["need_alike"](new, self, unlike)
        with mode.grad_mode(False):
            self._become(new)

    @property
    def strides(self) -> Any:
        """Not known while a Program is being built; raises TracedValueError."""
        raise self._needs_value("strides", "compute with `x.shape`")

    def element_size(self) -> int:
        """Bytes of one element."""
        return int(self.dtype.itemsize)

    def __len__(self) -> int:
        shape = self.ssa.spec.shape
        if not shape:
            raise TypeError("len() of a 0-D tensor")
        if shape[0] == UNKNOWN:
            raise self._needs_value("len()", "`x.shape[0]`")
        return shape[0]

    @property
    def _array(self) -> Any:
        """Eager mode asks for the numbers of every operand; a traced tensor that got there was leaked."""
        from to_static.compiler.ir.trace_errors import leaked_tracers

        raise leaked_tracers.outside(self)

    # what needs numbers ----------------------------------------------------------------------------------------------

    def _needs_value(self, what: str, rewrite: str, by: str = "") -> TracedValueError:
        """Return the error for code that needs the value of this tensor.

        ``what``: the code; ``rewrite``: what to write instead; ``by``: libraries for whose functions a more specific hint is
        searched ('*': any).
        """
        asking = source_location.caller_file(2)
        if source_location.is_internal(asking) and asking.startswith(_ROOMS):
            what = "an argument that must be known when the Program is built"
            rewrite = (
                "a Python number, `2`: as an argument of the static function it makes a Program for each value; or choose between "
                "results, `y = f(x, 1) if small else f(x, 2)`"
            )
        elif by:
            from to_static.compiler.ir.trace_errors.rewrite_hints import library

            what, rewrite = library(by, self.python_type is not None) or (what, rewrite)
        text = (
            f"{what} needs the value of a tensor ({self.spec}){in_expression()}, which is known only when the "
            "static Program runs"
        )
        where = source_location.capture(2)
        error = TracedValueError(source_location.report(text, where, rewrite))
        self.builder.refused = error, where
        return error

    def as_constant(self) -> Any:
        """Of a number input: its value, which the Program has built in then (see `Number`); None for all others."""
        return None

    def __bool__(self) -> bool:
        if self.python_type is not None and (inputs := self.builder.number_inputs) is not None and inputs.knows(self.ssa):
            return inputs.truth(self.ssa)  # type: ignore[no-any-return]
        from to_static.core.diagnostics.condition_diagnostics import how_to_decide

        raise self._needs_value("bool()", how_to_decide(), "numpy random")

    def __int__(self) -> int:
        value = self.as_constant()
        if value is not None:
            return int(value)
        raise self._needs_value("int()", "`x.astype('int64')`, or call int() in a function that to_static translates", "*")

    def __index__(self) -> int:
        value = self.as_constant()
        if value is not None:
            return operator.index(value)
        instead = "index a tensor, `paddle.stack(items)[i]`; let range() and int() stand in functions that to_static translates"
        if self.python_type is not None:
            instead = f"a paddle function, which takes it, `paddle.zeros([n])` for `np.zeros(n)`; or {instead}"
        raise self._needs_value("an index, slice or count of Python's own (of a list, say)", instead, "*")

    def __float__(self) -> float:
        value = self.as_constant()
        if value is not None:
            return float(value)
        raise self._needs_value("float()", "`x.astype('float32')`, or call float() in a function that to_static translates", "*")

    def __complex__(self) -> complex:
        value = self.as_constant()
        if value is not None:
            return complex(value)
        raise self._needs_value("complex()", "`x.astype('complex64')`", "*")

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Any:
        instead = "paddle's function: `paddle.sin(x)` for `np.sin(x)`, `paddle.to_tensor([x, y])` for `np.array([x, y])`"
        raise self._needs_value("NumPy", instead, "numpy")

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """``array + x`` is the operator of tensors; other NumPy functions need the numbers."""
        name = _UFUNCS.get(ufunc.__name__)
        if name is None or method != "__call__" or kwargs:
            instead = f"`paddle.{ufunc.__name__}(x)`, or another paddle function or tensor operator"
            raise self._needs_value(f"NumPy's {ufunc.__name__}()", instead)
        return FUNCTIONS[name](*inputs)

    def numpy(self, set_to_1d: bool = True) -> Any:
        """Not possible while a Program is being built; raises TracedValueError."""
        if not mode.tracing():
            fetched = "`exe.run(feed={...}, fetch_list=[y])`"
            raise self._needs_value(".numpy()", f"{fetched} gives the numbers that `y` has in a run of the Program")
        raise self._needs_value(".numpy()", _COMPUTE + "`f(x).numpy()`; `print(x)` prints it in every run")

    def tolist(self) -> Any:
        """The elements as `SymNumber`s, in nested lists; raises TracedValueError if there are many, or if their number is unknown.
        """
        if UNKNOWN in self.ssa.spec.shape or self.ssa.spec.size > _LISTED:
            raise self._needs_value(".tolist()", _COMPUTE + "`f(x).tolist()`")
        flat = self.flatten()  # type: ignore[attr-defined]
        elements = (flat[i].item() for i in range(self.ssa.spec.size))

        def nested(shape: tuple[int, ...]) -> Any:
            return [nested(shape[1:]) for _ in range(shape[0])] if shape else next(elements)

        return nested(self.ssa.spec.shape)

    def item(self, *index: int) -> Any:
        """The one element (or the element at ``index``) as a number of the Program: it computes as Python's numbers do."""
        if index:
            position = index if len(index) > 1 else (self.flatten()[index[0]],)  # type: ignore[attr-defined]
            element: Any = self[position] if len(index) > 1 else position[0]
            return element.item()
        if self.ssa.spec.size not in (1, UNKNOWN):
            raise ValueError(f"item() needs a tensor of one element, this one is {self.spec}")
        return self.builder.python_number(self.reshape([]))

    @property
    def grad(self) -> Any:
        """The gradient that `backward` left here while the function is traced, or None; None for a Program built by hand."""
        return None if self.builder.gradients is None else self.builder.gradients.read(self)

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        self._gradients("setting .grad").write(self, value)

    def gradient(self) -> Any:
        """`grad` as an array; raises TracedValueError where there is one: it has no numbers yet."""
        grad = self.grad
        return None if grad is None else grad.numpy()

    def retain_grads(self) -> None:
        """Keep ``grad`` on this tensor after backward(), also if it is no leaf."""
        self._gradients("retain_grads()").retain(self)

    def clear_gradient(self, set_to_zero: bool = True) -> None:
        """Make ``grad`` zeros, or forget it with ``set_to_zero=False``."""
        self._gradients("clear_gradient()").clear(self, set_to_zero)

    clear_grad = clear_gradient

    def backward(self, grad_tensor: Tensor | None = None, retain_graph: bool = False) -> None:
        """Append the backward pass to the Program: add the gradients of this tensor to ``.grad`` of the leaves it depends on.

        With stop_gradient=True nothing happens, and a UserWarning says why. Raises ModeError in a Program that is built by hand.
        """
        self._gradients("backward()").backward([self], [grad_tensor], retain_graph)

    def _gradients(self, what: str) -> Any:
        if self.builder.gradients is None:
            rewrite = "`paddle.static.append_backward(loss)`, or `optimizer.minimize(loss)`"
            raise self._while_building(what, rewrite)
        return self.builder.gradients

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> Any:
        """Let the gradient of this tensor go through ``hook(gradient)``; a returned tensor replaces it.

        Raises ModeError in a Program that is built by hand, and where the hook does more than compute a gradient; AutogradError
        when this tensor has stop_gradient=True.
        """
        if self.stop_gradient:
            raise AutogradError("register_hook: a tensor with stop_gradient=True gets no gradient; set it to False before")
        return self._gradients("register_hook()").hook(self, hook)

    def _while_building(self, what: str, rewrite: str) -> ModeError:
        text = f"{what} of a tensor of the static Program{in_expression()}: gradients are taken when the Program runs"
        return ModeError(source_location.report(text, source_location.capture(), rewrite))

    def cpu(self) -> Variable:
        """Itself: a Program runs on one device."""
        return self

    cuda = pin_memory = cpu

    def _on(self, device: object) -> Variable:
        return self

    def __deepcopy__(self, memo: object) -> Any:
        if not self.stop_gradient:  # dynamically, only leaves can be copied so: whether it is one is not known here
            raise self._needs_value("copying", "`x.clone()`")
        return FUNCTIONS["assign"](self) if self.python_type is None else self

    def __copy__(self) -> Any:
        return self.__deepcopy__({})

    def __reduce__(self) -> Any:
        value = self.as_constant()
        if value is not None:
            return type(value), (value,)
        raise self._needs_value("pickling", "return it, and pickle the result: `pickle.dumps(f(x))`")

    def _text(self) -> str:
        """Refuse the text that Python would put into a string: it is known only when the Program runs."""
        value = self.as_constant()
        if value is not None:
            return str(value)
        if isinstance(self.ssa.spec, ListSpec):
            raise self._needs_value("the text of a list", "write its items in a loop, `for item in items: print(item)`")
        instead = "`f\"{x}\"` or `str(x)` in a function that to_static translates (with `%` the template must be written out: "
        instead += "`'%s' % x`); or return the tensor and make the string outside"
        raise self._needs_value("the text of a tensor", instead, "*")

    def __str__(self) -> str:
        return self._text() if self._is_spoken() else repr(self)

    def __format__(self, spec: str) -> str:
        value = self.as_constant()
        if value is not None:
            return format(value, spec)
        return self._text() if self._is_spoken() else format(repr(self), spec)

    def _is_spoken(self) -> bool:
        """True if user code would read the text as that of the elements. (Our error messages may name the tensor.)"""
        builder = self.builder
        if builder.finished or not builder.refuses_text:
            return False
        return not source_location.is_internal(source_location.caller_file(2))

    def __repr__(self) -> str:
        if self._is_spoken():
            return self._text()
        spec = self.ssa.spec
        if not isinstance(spec, TensorSpec):
            return f"Variable({printable(self.name)}: {spec})"
        shape, name = list(spec.shape), printable(self.name)
        return f"Variable({name}: shape={shape}, dtype={spec.dtype.name}, stop_gradient={self.stop_gradient})"


_UFUNCS = {name: name for name in [*_BINARY.values(), *_COMPARE.values()]}  # NumPy's functions that are operators
_UFUNCS |= {"divide": "truediv", "power": "pow", "less": "less_than", "greater": "greater_than"}


Variable.__name__ = "Tensor"  # in Python's messages, which are the same in dynamic mode
