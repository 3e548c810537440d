"""`LayerHelper`: how functions of Paddle's, and of code that follows it, call operators by their types."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops.shapes.create import to_tensor
from to_static.core import unique_name
from to_static.core.errors import DTypeError
from to_static.core.importing.paddle_module_aliases import names_around
from to_static.nn.op_helper import OpHelper
from to_static.nn.parameter import ParamAttr
from to_static.static.inputs import create_global_var
from to_static.static.program import default_main_program, default_startup_program

__all__ = ["LayerHelper"]

__getattr__ = names_around(__name__)


class LayerHelper(OpHelper):
    """Calls operators by the types that they have in Paddle's files, in dynamic mode and while a Program is built.

    Args:
        layer_type: names what is made, ``fc_0.w_0``.
        kwargs: the arguments of the function that it helps: ``input``, ``param_attr``, ``bias_attr``, ``act``, ``name``.

    Example:
        >>> def double(x, name=None):
        ...     helper = LayerHelper('double', **locals())
        ...     out = helper.create_variable_for_type_inference(helper.input_dtype('x'))
        ...     helper.append_op(type='scale', inputs={'X': x}, outputs={'Out': out}, attrs={'scale': 2.0})
        ...     return out
    """

    _dtype: Any = None

    def __init__(self, layer_type: str, **kwargs: Any) -> None:
        name = kwargs.get("name")
        super().__init__(unique_name.generate(layer_type) if name is None else name)
        self.layer_type = layer_type
        self.kwargs = {**kwargs, "name": self.name}

    @property
    def main_program(self) -> Any:
        """`static.default_main_program()`."""
        return default_main_program()

    @property
    def startup_program(self) -> Any:
        """`static.default_startup_program()`."""
        return default_startup_program()

    def multiple_input(self, input_param_name: str = "input") -> list[Any]:
        """The argument of that name as a list of tensors."""
        inputs = self.kwargs.get(input_param_name, [])
        return [self.to_variable(item) for item in (inputs if isinstance(inputs, (list, tuple)) else [inputs])]

    def input(self, input_param_name: str = "input") -> Any:
        """The argument of that name, a tensor. Raises ValueError when it is several."""
        inputs = self.multiple_input(input_param_name)
        if len(inputs) != 1:
            raise ValueError(f"{self.layer_type} takes one tensor as {input_param_name}, got {len(inputs)}")
        return inputs[0]

    def input_dtype(self, input_param_name: str = "input") -> Any:
        """The dtype of the argument of that name, None for an empty list. Raises DTypeError when its tensors differ in it."""
        dtypes = list(dict.fromkeys(tensor.dtype for tensor in self.multiple_input(input_param_name)))
        if len(dtypes) > 1:
            names = ", ".join(dtype.name for dtype in dtypes)
            raise DTypeError(f"{self.layer_type}: the tensors of {input_param_name} must have one dtype, got {names}")
        return dtypes[0] if dtypes else None

    def to_variable(self, value: Any, name: str | None = None) -> Any:
        """``value`` as a tensor."""
        return value if isinstance(value, Tensor) else to_tensor(value)

    @property
    def param_attr(self) -> ParamAttr | None:
        """The settings of weights, from the function's arguments."""
        return ParamAttr.from_argument(self.kwargs.get("param_attr"))

    @property
    def bias_attr(self) -> ParamAttr | None:
        """The settings of biases, from the function's arguments; None: no bias."""
        return ParamAttr.from_argument(self.kwargs.get("bias_attr"))

    def multiple_param_attr(self, length: int) -> list[ParamAttr | None]:
        """Return the settings of ``length`` weights from the function's arguments; one may stand for all. Raises ValueError."""
        attrs = self.kwargs.get("param_attr")
        param_attrs = [ParamAttr.from_argument(each) for each in (attrs if isinstance(attrs, (list, tuple)) else [attrs] * length)]
        if len(param_attrs) == 1 < length:
            param_attrs *= length
        if len(param_attrs) != length:
            raise ValueError(f"{self.layer_type}: {length} weights, and {len(param_attrs)} descriptions in param_attr")
        return [copy.deepcopy(each) for each in param_attrs]

    def create_variable(self, *args: Any, **kwargs: Any) -> Any:
        """See `Block.create_var`, of the main Program."""
        return self.main_program.global_block().create_var(*args, **kwargs)

    def create_global_variable(
        self, persistable: bool = False, name: str | None = None, shape: Any = (), dtype: Any = "float32", **ignored: Any
    ) -> Any:
        """A tensor that keeps its value between runs, of zeros until `set_variable_initializer` gives it others.

        ``ignored``: what Paddle keeps besides (``stop_gradient``, ``type``, ...); not used.
        """
        return create_global_var(shape, 0, dtype, persistable, name=name)

    def create_or_get_global_variable(self, name: str, persistable: bool = False, **kwargs: Any) -> tuple[Any, bool]:
        """The value of that name in the main Program and False, or a new one, see `create_global_variable`, and True."""
        block = self.main_program.global_block()
        if block.has_var(name):
            return block.var(name), False
        return self.create_global_variable(persistable, name, **kwargs), True

    @classmethod
    def set_default_dtype(cls, dtype: Any) -> None:
        """Set the dtype of later parameters whose dtype is not given; None: the default dtype."""
        cls._dtype = dtype

    def create_parameter(
        self, attr: Any, shape: Any, dtype: Any = None, is_bias: bool = False, default_initializer: Any = None,
        stop_gradient: bool = False, type: Any = None,
    ) -> Any:  # fmt: skip
        """A new parameter, or None when ``attr`` is False; see `create_parameter`."""
        return super().create_parameter(attr, shape, dtype or self._dtype, is_bias, default_initializer, stop_gradient, type)

    def get_parameter(self, name: str) -> Any:
        """The parameter of that name in the main Program. Raises ValueError where there is none."""
        parameter = next((each for each in self.main_program.all_parameters() if each.name == name), None)
        if parameter is None:
            raise ValueError(f"no Parameter name {name} found")
        return parameter

    def set_variable_initializer(self, var: Any, initializer: Any) -> None:
        """Give a parameter or a global variable its first values."""
        initializer(var, self.main_program.global_block())

    def iter_inputs_and_params(self, input_param_name: str = "input") -> Iterator[tuple[Any, Any]]:
        """Each tensor of an argument with how its weight is made."""
        for tensor in self.multiple_input(input_param_name):
            yield tensor, self.param_attr

    def append_bias_op(self, input_var: Any, dim_start: int = 1, dim_end: int | None = None, bias_attr: Any = None) -> Any:
        """See `OpHelper.append_bias_op`; by default the function's own ``bias_attr`` says how the bias is made."""
        chosen = self.bias_attr if bias_attr is None else bias_attr
        return super().append_bias_op(input_var, dim_start, dim_end, False if chosen is None else chosen)

    def append_activation(self, input_var: Any, act: str | None = None, **hints: Any) -> Any:
        """See `OpHelper.append_activation`; by default the function's own ``act`` is called."""
        return super().append_activation(input_var, self.kwargs.get("act") if act is None else act, **hints)

    def is_instance(self, param_name: str, cls: type) -> None:
        """Raises TypeError unless the argument of that name is an instance of ``cls``."""
        if not isinstance(self.kwargs.get(param_name), cls):
            raise TypeError(f"{param_name} of {self.layer_type} must be {cls.__name__}, got {self.kwargs.get(param_name)!r}")
