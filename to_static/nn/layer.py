"""`Layer`: a function with state. Calling it runs `forward` and its hooks; it can be trained, saved and restored."""

from __future__ import annotations

import re
import types
import warnings
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.eager.tensor import EagerTensor, clear_gradients
from to_static.compiler.ir import mode
from to_static.compiler.ir.trace_errors import trace_time_effects
from to_static.core import backend, unique_name
from to_static.core.backend import Place
from to_static.core.caching.version_counter import epoch
from to_static.core.diagnostics.printable import harmless, printable
from to_static.core.diagnostics.source_location import leave_out_ours
from to_static.core.dtypes import as_dtype, default_dtype
from to_static.core.importing.paddle_module_aliases import names_around
from to_static.nn.initializer import Initializer
from to_static.nn.layer_path import note_layer
from to_static.nn.layer_tree import MADE, LayerTree, SlotTable, record_write
from to_static.nn.op_helper import OpHelper
from to_static.nn.parameter import Parameter, make_parameter

# where an upper-case word begins: PReLU -> P_Re_LU, Conv2DTranspose -> Conv2D_Transpose
_WORD = re.compile(r"(?<=.)(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])")


def snake_case(name: str) -> str:
    """The name scope of a class: ``'Conv2DTranspose'`` gives ``'conv2d_transpose'``."""
    return _WORD.sub("_", name).lower()


def _as_inputs(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


class HookRemoveHelper:
    """A handle of a hook; ``remove()`` takes the hook off. Making one draws an id, under which the caller enters the hook.

    Args:
        hooks: the table that holds the hook, id -> hook: an `OrderedDict`, which is not kept alive.
        extra_hook_dict: a table, or a list of tables, with something else under the same id, which goes with the hook
            (default None; Paddle 3).

    Raises:
        TypeError: for a plain dict, to which Python has no weak references.

    Example:
        >>> from collections import OrderedDict
        >>> hooks = OrderedDict()
        >>> handle = paddle.nn.layer.layers.HookRemoveHelper(hooks)
        >>> hooks[handle._hook_id] = print
        >>> handle.remove()
        >>> len(hooks)
        0
    """

    next_hook_id = 0

    def __init__(self, hooks: OrderedDict[int, Any], *, extra_hook_dict: Any = None) -> None:
        extra = extra_hook_dict if isinstance(extra_hook_dict, list) else [] if extra_hook_dict is None else [extra_hook_dict]
        self._hooks_ref = weakref.ref(hooks)
        self._extra_hooks_ref = tuple(map(weakref.ref, extra))
        self._hook_id = HookRemoveHelper.next_hook_id
        HookRemoveHelper.next_hook_id += 1
        epoch[0] += 1

    def remove(self) -> None:
        """Take the hook off (again: no effect)."""
        for reference in (self._hooks_ref, *self._extra_hooks_ref):
            hooks = reference()
            if hooks is not None:
                hooks.pop(self._hook_id, None)
        epoch[0] += 1


def _registered(hooks: OrderedDict[int, Any], hook: Any) -> HookRemoveHelper:
    handle = HookRemoveHelper(hooks)
    hooks[handle._hook_id] = hook
    return handle


class Layer(LayerTree):
    """Base class of everything with parameters. A subclass creates them in ``__init__`` and computes in `forward`.

    Args:
        name_scope: stem of the layer's name (default: the class name in snake case; the first Linear is ``linear_0``).
        dtype: dtype of parameters made without one (default ``'float32'``).

    Example:
        >>> class Net(paddle.nn.Layer):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.fc = paddle.nn.Linear(4, 2)
        ...     def forward(self, x):
        ...         return paddle.nn.functional.relu(self.fc(x))
    """

    def __init_subclass__(cls, **settings: Any) -> None:
        """Our public layers have the constructors that they share under their own names, which is what Python's errors say."""
        super().__init_subclass__(**settings)
        init = cls.__init__
        if cls.__module__.startswith("to_static.") and "__init__" not in vars(cls) and isinstance(init, types.FunctionType):
            copied = types.FunctionType(init.__code__, init.__globals__, init.__name__, init.__defaults__, init.__closure__)
            copied.__dict__.update(init.__dict__)
            copied.__kwdefaults__, copied.__annotations__, copied.__doc__ = init.__kwdefaults__, init.__annotations__, init.__doc__
            copied.__module__, copied.__qualname__ = cls.__module__, f"{cls.__qualname__}.__init__"
            cls.__init__ = copied  # type: ignore[method-assign]

    def __init__(self, name_scope: str | None = None, dtype: Any = "float32") -> None:
        if mode.building():
            record_write(self, MADE)
        attributes = self.__dict__  # written directly: the attribute rules need these tables to exist
        attributes["training"] = True
        attributes["_full_name"] = unique_name.generate(name_scope or snake_case(type(self).__name__))
        attributes["_dtype"] = dtype
        attributes["_parameters"] = SlotTable()
        attributes["_buffers"] = SlotTable()
        attributes["_non_persistable_buffer_names_set"] = set()
        attributes["_assigned_buffer_names_set"] = set()
        attributes["_sub_layers"] = SlotTable()
        attributes["_forward_pre_hooks"] = OrderedDict()
        attributes["_forward_post_hooks"] = OrderedDict()
        attributes["_state_dict_hooks"] = OrderedDict()

    # -- calling ------------------------------------------------------------------------------------------------------

    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        try:
            if self._forward_pre_hooks or self._forward_post_hooks:
                return self._call_with_hooks(inputs, kwargs)
            current_mode = mode.current()
            if current_mode.building:
                return current_mode.translate(self.forward)(*inputs, **kwargs)
            return self.forward(*inputs, **kwargs)
        except Exception as error:
            leave_out_ours(error)
            note_layer(self, error)
            raise

    def __forward(self) -> Callable[..., Any]:
        """`forward`, translated while a Program is being built."""
        return mode.current().translate(self.forward)  # type: ignore[no-any-return]

    def _call_with_hooks(
        self, inputs: tuple[Any, ...], kwargs: dict[str, Any], forward: Callable[..., Any] | None = None
    ) -> Any:
        """The hooks around ``forward`` (default: this layer's own)."""
        current_mode, called_with = mode.current(), inputs
        for hook in list(self._forward_pre_hooks.values()):
            inputs = current_mode.coalesce(current_mode.translate(hook)(self, inputs), inputs, _as_inputs)
        forward = forward or self.__forward()
        outputs = forward(*inputs, **kwargs)
        note_call = None if current_mode.building else getattr(forward, "note_call", None)
        if inputs is not called_with and note_call is not None:
            note_call(called_with, kwargs)  # of a static function, which may be saved
        for hook in list(self._forward_post_hooks.values()):
            outputs = current_mode.coalesce(current_mode.translate(hook)(self, inputs, outputs), outputs, mode.identity)
        return outputs

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """The computation; every subclass defines it."""
        from to_static.core.diagnostics.error_hints import closest  # only for errors: it costs start-up time

        meant = closest("forward", [name for name in vars(type(self)) if not name.startswith("_") and name != "forward"])
        misspelled = f"; it has {meant}()" if meant else ""
        raise NotImplementedError(f"{type(self).__name__} must define forward(){misspelled}")

    def register_forward_pre_hook(self, hook: Callable[..., Any]) -> HookRemoveHelper:
        """Call ``hook(layer, inputs)`` before `forward`; what it returns (unless None) replaces the inputs."""
        return _registered(self._forward_pre_hooks, hook)

    def register_forward_post_hook(self, hook: Callable[..., Any]) -> HookRemoveHelper:
        """Call ``hook(layer, inputs, outputs)`` after `forward`; what it returns (unless None) replaces the outputs."""
        return _registered(self._forward_post_hooks, hook)

    # -- making and training ------------------------------------------------------------------------------------------

    def full_name(self) -> str:
        """The layer's unique name, such as ``linear_0``."""
        return self._full_name

    def create_parameter(
        self,
        shape: Any,
        attr: Any = None,
        dtype: Any = None,
        is_bias: bool = False,
        default_initializer: Initializer | None = None,
    ) -> Any:
        """A new parameter (assign it to an attribute to own it); None when ``attr`` is False.

        ``attr``: None, a `ParamAttr`, a name or an initializer. ``dtype``: the default dtype unless given.
        ``default_initializer``: used when ``attr`` has none (otherwise Xavier, or zero for a bias).
        """
        return make_parameter(self._full_name, shape, attr, dtype, is_bias, default_initializer)

    def _build_once(self, *args: Any, **kwargs: Any) -> None:
        """Nothing: what subclasses with a ``__call__`` of their own call before the first ``forward``."""

    @property
    def _helper(self) -> OpHelper:
        """The object that calls operators by their types in Paddle's files."""
        return OpHelper(self._full_name)

    def create_tensor(self, name: str | None = None, persistable: bool | None = None, dtype: Any = None) -> EagerTensor:
        """An empty tensor named after this layer; set its value later."""
        array = backend.current().xp.empty((0,), as_dtype(dtype or default_dtype()).np)
        full = f"{self._full_name}.{name}" if name else unique_name.generate(f"{self._full_name}._generated_var")
        tensor = EagerTensor(array, name=full)
        tensor.persistable = bool(persistable)
        return tensor

    create_variable = create_tensor

    def train(self) -> None:
        """Switch this layer and all its sublayers to training (dropout drops, batch norm learns its statistics)."""
        trace_time_effects.forbid_in_block(
            "train()", "call it before the condition or loop, or outside of the static function: `net.train()`"
        )
        for layer in self.sublayers(include_self=True):
            layer.training = True

    def eval(self) -> None:
        """Switch this layer and all its sublayers to evaluation."""
        trace_time_effects.forbid_in_block(
            "eval()", "call it before the condition or loop, or outside of the static function: `net.eval()`"
        )
        for layer in self.sublayers(include_self=True):
            layer.training = False

    def apply(self, fn: Callable[[Any], Any]) -> Layer:
        """Call ``fn`` on every sublayer and then on this layer; returns this layer."""
        for layer in self.children():
            layer.apply(fn)
        fn(self)
        return self

    def clear_gradients(self) -> None:
        """Set the gradients of all trainable parameters to zero."""
        clear_gradients([parameter for parameter in self.parameters() if parameter.trainable])

    # -- state --------------------------------------------------------------------------------------------------------

    def __state(
        self, destination: Any, include_sublayers: bool, prefix: str, use_hook: bool, transient: bool
    ) -> OrderedDict[str, Any]:
        state = OrderedDict() if destination is None else destination
        state.update((prefix + name, p) for name, p in self._parameters.items() if p is not None)
        for name, buffer in self._buffers.items():
            if buffer is not None and (transient or name not in self._non_persistable_buffer_names_set):
                state[prefix + name] = buffer
        if include_sublayers:
            for name, layer in self._sub_layers.items():
                if layer is not None:
                    layer.__state(state, True, f"{prefix}{name}.", use_hook, transient)
        for hook in self._state_dict_hooks.values() if use_hook else ():
            replacement = hook(state)
            if replacement is not None and replacement is not state:
                replacement = OrderedDict(replacement)
                state.clear()
                state.update(replacement)
        return state

    def state_dict(
        self,
        destination: Any = None,
        include_sublayers: bool = True,
        structured_name_prefix: str = "",
        use_hook: bool = True,
    ) -> OrderedDict[str, Any]:
        """All parameters and persistable buffers by dotted name (the tensors themselves, not copies).

        Example:
            >>> list(paddle.nn.Linear(2, 3).state_dict())
            ['weight', 'bias']
        """
        return self.__state(destination, include_sublayers, structured_name_prefix, use_hook, False)

    def to_static_state_dict(
        self,
        destination: Any = None,
        include_sublayers: bool = True,
        structured_name_prefix: str = "",
        use_hook: bool = True,
    ) -> OrderedDict[str, Any]:
        """As `state_dict`, with the buffers that are not persistable too."""
        return self.__state(destination, include_sublayers, structured_name_prefix, use_hook, True)

    def set_state_dict(self, state_dict: Any, use_structured_name: bool = True) -> tuple[list[str], list[str]]:
        """Set parameters and buffers from ``state_dict``; returns (missing keys, unexpected keys).

        An entry that is missing or has another shape is skipped with a warning.
        ``use_structured_name=False``: keys are parameter names (``linear_0.w_0``) instead of dotted attribute names.
        """
        if not hasattr(state_dict, "get"):
            instead = f"; load the file: set_state_dict(paddle.load({state_dict!r}))" if isinstance(state_dict, str) else ""
            if hasattr(state_dict, "global_block"):  # what a model file holds
                instead = ": of the model PREFIX.pdmodel it is `paddle.load('PREFIX')`, or `paddle.jit.load('PREFIX').state_dict()`"
            raise TypeError(f"set_state_dict expects a dict of tensors, got {type(state_dict).__name__}{instead}")
        missing: list[str] = []
        matched: dict[str, Any] = {}
        for key, target in self.__state(None, True, "", False, False).items():
            name = key if use_structured_name else target.name
            value = state_dict.get(name)
            if value is None:
                problem = f"{printable(name)} is not found in the provided dict."
            else:
                shape = list(value.shape if hasattr(value, "shape") else np.shape(value))
                if shape == list(target.shape):
                    matched[name] = (target, value)
                    continue
                problem = f"{printable(name)} receives a shape {shape}, but the expected shape is {list(target.shape)}."
                if len(shape) == 2 and shape[::-1] == list(target.shape):
                    problem += " It is transposed, as PyTorch's weights are: give `value.T`."
            missing.append(name)
            warnings.warn(f"Skip loading for {printable(key)}. {problem}", stacklevel=2)
        for target, value in matched.values():
            target.set_value(value)
        return missing, [key for key in state_dict if key not in matched]

    set_dict = load_dict = set_state_dict

    def register_state_dict_hook(self, hook: Callable[[Any], Any]) -> HookRemoveHelper:
        """Call ``hook(state)`` on what `state_dict` collects; what it returns (unless None) replaces it."""
        return _registered(self._state_dict_hooks, hook)

    # -- dtype and device ---------------------------------------------------------------------------------------------

    def __convert(self, device: Any, dtype: Any, floating_only: bool = False) -> None:
        for tensor in (*self._parameters.values(), *self._buffers.values()):
            if tensor is None or (floating_only and not tensor.dtype.is_floating):
                continue
            for part in (tensor, tensor.grad):
                if part is not None:
                    converted = part.detach().to(device=device, dtype=dtype)
                    part._array, part._spec = converted._array, converted._spec
        if dtype is not None:
            self._dtype = dtype if isinstance(dtype, str) else as_dtype(dtype)

    def to(self, device: Any = None, dtype: Any = None, blocking: bool | None = None) -> Layer:
        """Move parameters and buffers, in place, to ``device`` ('cpu', 'gpu:0') and/or convert them to ``dtype``."""
        return self._to_impl(device, dtype, blocking)

    def _to_impl(
        self,
        device: Any = None,
        dtype: Any = None,
        blocking: bool | None = None,
        include_sublayers: bool = True,
        floating_only: bool = False,
    ) -> Layer:
        """`to`, which packages set anew in terms of this one.

        ``include_sublayers``: convert those, too. ``floating_only``: leave tensors of other dtypes as they are.
        ``blocking`` has no effect: a copy is there when it is used. Raises ValueError for a device that is neither a string
        nor a place.
        """
        if not (device is None or isinstance(device, (str, Place))):
            raise ValueError(f"device must be a string such as 'cpu' or a place such as paddle.CPUPlace(), got {printable(device)}")
        for layer in self.sublayers(include_self=True) if include_sublayers else [self]:
            layer.__convert(device, dtype, floating_only)
        return self

    def astype(self, dtype: Any = None) -> Layer:
        """Convert all parameters and buffers to ``dtype``, in place."""
        return self.to(dtype=as_dtype(dtype))

    def float(self, excluded_layers: Any = None) -> Layer:
        """Convert floating parameters and buffers to float32, except in layers of the types ``excluded_layers``."""
        return self.__to_floating("float32", excluded_layers)

    def backward(self, *inputs: Any) -> None:
        """Raises ValueError, as in Paddle: gradients are those of what `forward` computes."""
        raise ValueError("Layer shouldn't implement backward")

    def float16(self, excluded_layers: Any = None) -> Layer:
        """Convert floating parameters and buffers to float16, except in ``excluded_layers`` (default: BatchNorm)."""
        if excluded_layers is None:
            classes = {type(layer) for layer in self.sublayers(include_self=True)}
            excluded_layers = [cls for cls in classes if "_keeps_float32" in vars(cls)]
        return self.__to_floating("float16", excluded_layers)

    def bfloat16(self, excluded_layers: Any = None) -> Layer:
        """Itself, with a warning: no device here computes in bfloat16, as Paddle has it on a CPU."""
        warnings.warn("bfloat16: there is no such dtype here, so the parameters keep theirs", stacklevel=2)
        return self

    def __to_floating(self, dtype: str, excluded: Any) -> Layer:
        types = () if excluded is None else (excluded,) if isinstance(excluded, type) else tuple(excluded)
        for layer in self.sublayers(include_self=True):
            if type(layer) not in types:
                layer.__convert(None, as_dtype(dtype), floating_only=True)
        return self

    # -- Python -------------------------------------------------------------------------------------------------------

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def extra_repr(self) -> str:
        """Return the text that `repr` shows between the parentheses, before the sublayers."""
        return ""

    def __repr__(self) -> str:
        lines = harmless(self.extra_repr()).split("\n")
        text = lines[0] if len(lines) == 1 else "\n  " + "\n  ".join(lines) + "\n"
        children = ["({}): {}".format(printable(n), repr(x).replace("\n", "\n  ")) for n, x in self._sub_layers.items()]
        if children:
            text += "\n  " + "\n  ".join(children) + "\n"
        return f"{printable(type(self).__name__)}({text})"


__all__ = ["HookRemoveHelper", "Layer", "Parameter", "snake_case"]

__getattr__ = names_around(__name__)
