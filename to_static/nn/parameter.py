"""`Parameter`: a tensor that training changes, and `ParamAttr`: how one is to be made."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.eager.grad_mode import no_grad
from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir import mode
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.selected_rows.tensor import of_lookups
from to_static.core import backend, unique_name
from to_static.core.diagnostics.printable import quoted
from to_static.core.dtypes import as_dtype, default_dtype
from to_static.core.errors import DTypeError, ShapeError
from to_static.nn.initializer import Assign, Constant, Initializer, default_initializer
from to_static.nn.lazy_guard import first_values


class ParamAttr:
    """Settings of a layer's parameter: its initial value and how it is trained.

    Args:
        name: name of the parameter (default: made from the layer's, such as ``linear_0.w_0``).
        initializer: first values, or a class of those that needs no arguments (default: the layer's own).
        learning_rate: factor on the optimizer's learning rate.
        regularizer: `L1Decay` or `L2Decay` in place of the optimizer's ``weight_decay``.
        trainable: False to keep it as it is.
        need_clip: False to leave its gradient out of gradient clipping.
        do_model_average: accepted, without an effect.
    Raises TypeError for a setting of another type.

    Example:
        >>> paddle.nn.Linear(4, 3, weight_attr=paddle.ParamAttr(initializer=paddle.nn.initializer.Constant(0.5)))
    """

    def __init__(
        self,
        name: str | None = None,
        initializer: Initializer | type[Initializer] | Callable[..., Any] | None = None,
        learning_rate: float = 1.0,
        regularizer: Any = None,
        trainable: bool = True,
        do_model_average: bool = True,
        need_clip: bool = True,
    ) -> None:
        if name is not None and (not isinstance(name, str) or not name):
            raise TypeError(f"ParamAttr: name must be a non-empty string or None, got {name!r}")
        if isinstance(initializer, type) and issubclass(initializer, Initializer):
            initializer = initializer()
        if initializer is not None and not callable(initializer):
            raise TypeError(f"ParamAttr: initializer must be an Initializer or None, got {initializer!r}")
        if not isinstance(learning_rate, (int, float)):
            raise TypeError(f"ParamAttr: learning_rate must be a number, got {learning_rate!r}")
        self.name = name
        self.initializer = initializer
        self.learning_rate = learning_rate
        self.regularizer = regularizer
        self.trainable = trainable
        self.do_model_average = do_model_average
        self.need_clip = need_clip

    @staticmethod
    def from_argument(value: Any) -> ParamAttr | None:
        """A ParamAttr from what layers accept; None for False (no parameter).

        None and True mean the defaults; a name, an initializer or a regularizer mean a ParamAttr with it.
        Raises TypeError for anything else.
        """
        if value is None or value is True or value == "":
            return ParamAttr()
        if value is False:
            return None
        if isinstance(value, ParamAttr):
            return value
        if isinstance(value, str):
            return ParamAttr(name=value)
        if isinstance(value, Initializer):
            return ParamAttr(initializer=value)
        if hasattr(value, "decay"):
            return ParamAttr(regularizer=value)
        is_number = isinstance(value, (int, float))
        hint = type(value).__name__
        if is_number:
            hint = f"{value!r}; `paddle.nn.initializer.Constant({value!r})` fills it with a number"
        if isinstance(value, type):
            hint = f"the class {value.__name__} itself; `{value.__name__}(...)` makes one"
        raise TypeError(f"expected a ParamAttr, a name, an initializer, a regularizer or a bool for a parameter, got {hint}")

    @staticmethod
    def _to_attr(arg: Any) -> Any:
        """`from_argument` by the name that layers of programs call it by: False stays False, a list or tuple is one for each."""
        if isinstance(arg, (list, tuple)):
            return [ParamAttr._to_attr(one) for one in arg]
        return False if arg is False else ParamAttr.from_argument(arg)


class Parameter(EagerTensor):
    """A tensor that belongs to a `Layer` and is changed by an optimizer.

    Attributes beside those of a tensor: ``trainable`` (the opposite of ``stop_gradient``), ``optimize_attr``
    (``{'learning_rate': factor}``), ``regularizer``, ``need_clip``. Layers make them with `Layer.create_parameter`.
    ``array``: its numbers; ``attr``: a `ParamAttr` with its settings; ``own``: whether the memory of ``array`` is taken over.

    Example:
        >>> weight = paddle.nn.Linear(2, 3).weight
        >>> weight.shape, weight.trainable
        ([2, 3], True)
    """

    is_parameter = True
    row_gradient = False  # whether it is a table that is looked up with ``sparse=True``
    block: Any = None  # what Paddle's initializers take beside a parameter: ``initializer(param, param.block)``
    _first_values: Any = None  # the function that gives them, while they wait for `initialize`

    def __init__(self, array: Any, name: str | None = None, attr: ParamAttr | None = None, owns_array: bool = False) -> None:
        """``owns_array``: nobody else will change the array, so that no copy is needed."""
        attr, array_backend = attr or ParamAttr(), backend.backend_of(array)
        super().__init__(
            array_backend.adopt(array) if owns_array else array_backend.stored(array),
            not attr.trainable,
            name or attr.name or unique_name.generate("_eager_param_base"),
        )
        self.persistable = True
        self.optimize_attr = {"learning_rate": attr.learning_rate}
        self.regularizer = attr.regularizer
        self.do_model_average = attr.do_model_average
        self.need_clip = attr.need_clip
        self.is_distributed = False

    @classmethod
    def from_tensor(cls, tensor: Any, **kwargs: Any) -> Parameter:
        """A parameter of a tensor's numbers, which are copied; ``name``, ``trainable`` and the other settings of `ParamAttr`.

        Example:
            >>> paddle.base.framework.EagerParamBase.from_tensor(paddle.ones([2])).stop_gradient
            False
        """
        optimize_attr = kwargs.pop("optimize_attr", None)
        parameter = cls(tensor._array, attr=ParamAttr(**kwargs))
        if optimize_attr is not None:
            parameter.optimize_attr = optimize_attr
        return parameter

    @property
    def grad_name(self) -> str:
        """The name that its gradient has in a Program of Paddle's."""
        return f"{self.name}@GRAD"

    def initialize(self) -> None:
        """Take the first values, when that was put off by a `LazyGuard`; else nothing happens."""
        if self._first_values is not None:
            values, self._first_values = self._first_values(), None
            self.set_value(values)

    def _of_lookups(self, ids: list[Any], gradients: list[Any], padding_idx: int) -> Any:
        if self.row_gradient and type(self._array) is np.ndarray:
            return of_lookups(ids, self, gradients, padding_idx)
        return super()._of_lookups(ids, gradients, padding_idx)

    def to_string(self, throw_on_error: bool, with_details: bool = False) -> str:
        """The text of the parameter; ``with_details``: what an optimizer is told about it, too."""
        details = ("trainable", "optimize_attr", "regularizer", "do_model_average", "need_clip")
        return f"{self}" + "".join(f"\n{name}: {getattr(self, name)}" for name in details if with_details)

    def get_value(self, scope: Any = None) -> EagerTensor:
        """The numbers, in a tensor of their own, as ``program.list_vars()`` is asked for them."""
        return EagerTensor(self._array.copy(), name=self.name)

    def _copy_extra(self, copied: Any) -> None:
        copied._name = self.name + unique_name.generate("_deepcopy")
        copied.__dict__.update(copy.deepcopy(self.__dict__))

    def __reduce__(self) -> Any:
        return (_unpickle, (self.numpy(), self.name, self.stop_gradient, self.__dict__))


def _unpickle(array: Any, name: str, stop_gradient: bool, fields: dict[str, Any]) -> Parameter:
    parameter = Parameter(backend.current().asarray(array), name)
    parameter.stop_gradient = stop_gradient
    parameter.__dict__.update(fields)
    return parameter


def make_parameter(
    owner: str,
    shape: Any,
    attr: Any = None,
    dtype: Any = None,
    is_bias: bool = False,
    initializer: Initializer | None = None,
) -> Parameter | None:
    """A new parameter of the layer named ``owner``; None when ``attr`` is False.

    Raises ShapeError for a dimension below 1 and ValueError when another parameter has the name given in ``attr``. While a Program
    is built by hand a name means one parameter of that Program: a second use of it gives the same parameter, and raises
    ShapeError where its shape would be another.
    """
    attr = ParamAttr.from_argument(attr)
    if attr is None:
        return None
    wrong = [d for d in shape if not isinstance(d, (int, np.integer, Tensor)) or isinstance(d, bool)]
    if wrong:
        raise TypeError(f"a parameter of {owner} needs dimensions that are integers, got {wrong[0]!r} in {list(shape)}")
    sizes = tuple(int(d) for d in shape)
    if any(d < 1 for d in sizes):
        raise ShapeError(f"a parameter of {owner} needs dimensions of at least 1, got {list(sizes)}")
    name = attr.name or unique_name.generate(f"{owner}.{'b' if is_bias else 'w'}")
    named = mode.current().parameters if mode.building() else None
    existing = None if named is None else named.get(name)
    if existing is not None:
        if tuple(existing.shape) != sizes:
            raise ShapeError(f"parameter {quoted(name)} of this Program has shape {existing.shape}, got {list(sizes)}; rename it")
        return existing  # type: ignore[no-any-return]
    if named is None and not unique_name.claim(name):
        raise ValueError(
            f"another parameter is already named {quoted(name)}: give each ParamAttr its own name, or build the network "
            "inside unique_name.guard()"
        )
    chosen: Any = attr.initializer or default_initializer(is_bias, initializer)
    param_dtype = as_dtype(dtype or default_dtype())
    by_call = not isinstance(chosen, Initializer) or type(chosen)._values is Initializer._values  # the user's own
    if not param_dtype.is_floating and not isinstance(chosen, (Constant, Assign)) and not by_call:
        raise DTypeError(f"parameter {name} is {param_dtype.name}: give it a Constant or Assign initializer")
    first = np.zeros if by_call else chosen._values
    values, remaining_values = first_values(lambda: first(sizes, param_dtype.np), sizes, param_dtype.np)
    parameter = Parameter(backend.current().asarray(values), name, attr)
    if by_call:
        with mode.default_mode(), no_grad():
            chosen(parameter, None)
        parameter.stop_gradient = not attr.trainable  # whatever the user's code made of its numbers
    if remaining_values is not None:
        parameter._first_values = remaining_values
    if named is not None:
        named[name] = parameter
    return parameter


def create_parameter(
    shape: Any,
    dtype: Any,
    name: str | None = None,
    attr: Any = None,
    is_bias: bool = False,
    default_initializer: Initializer | None = None,
) -> Parameter | None:
    """A parameter that belongs to no layer, initialised by ``default_initializer`` (Xavier; zero for a bias).

    ``shape``: a list of sizes; ``dtype``: a floating dtype; ``attr``: a `ParamAttr`, or False for no parameter;
    ``is_bias``: begin with zeros.

    Example:
        >>> w = paddle.create_parameter([2, 3], 'float32')
    """
    attr = ParamAttr.from_argument(attr)
    if attr is not None and name is not None and attr.name is None:
        attr = copy.copy(attr)
        attr.name = name
    owner = unique_name.generate("create_parameter")
    return make_parameter(owner, shape, attr if attr is not None else False, dtype, is_bias, default_initializer)
