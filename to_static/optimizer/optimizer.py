"""`Optimizer`: parameter groups, learning rate, decay, clipping and state; subclasses only say how one parameter moves."""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from operator import is_, itemgetter
from typing import Any

import numpy as np

from to_static.compiler.autodiff.backward import append_backward
from to_static.compiler.eager.tensor import EagerTensor, clear_gradients
from to_static.compiler.ir import mode
from to_static.compiler.ir.main_block import main_block
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops.optimizer.updates import not_zero, row_step, sgd
from to_static.compiler.selected_rows.tensor import SelectedRows
from to_static.core import backend as backends
from to_static.core import unique_name
from to_static.core.arrays.array_ownership import is_sole_owner
from to_static.core.diagnostics.missing_names import of_object
from to_static.core.dtypes import float16, float32, float64
from to_static.core.errors import ModeError
from to_static.core.log import warn_here
from to_static.nn.layer import Layer
from to_static.optimizer.common_setting import CommonSetting
from to_static.optimizer.foreach import Together
from to_static.optimizer.lr.scheduler import LRScheduler
from to_static.optimizer.traced_schedules import current, do, rate_now
from to_static.optimizer.user_updates import UserUpdates
from to_static.regularizer import L2Decay, WeightDecayRegularizer

Pairs = list[tuple[Any, Any]]  # (parameter, gradient)
_first = itemgetter(0)
_NO_FACTOR: dict[str, float] = {}  # of tensors that are no parameters


def need_number(optimizer: str, setting: str, value: Any) -> None:
    """Raise TypeError for a setting that is neither a number nor a tensor; parameters where a number belongs are told of."""
    if not isinstance(value, (numbers.Real, np.ndarray, Tensor)):
        is_collection = isinstance(value, (Iterable, Layer)) and not isinstance(value, str)
        advice = "; parameters are given by name, `parameters=net.parameters()`" if is_collection else ""
        raise TypeError(f"{optimizer}: {setting} must be a number, got {type(value).__name__}{advice}")


class Optimizer(UserUpdates):
    """Base class. A subclass implements `_update` for one parameter.

    Args:
        learning_rate: a number or an `LRScheduler`.
        parameters: the parameters to change, or a list of groups: dicts with ``'params'`` and settings of their own
            (``'learning_rate'`` is a factor on the common one; ``'weight_decay'``, ``'grad_clip'`` and the subclass's arguments
            replace the common ones). None (static mode only): all trainable parameters of the Program.
        weight_decay: a float (`L2Decay`) or a regularizer; a regularizer in a parameter's `ParamAttr` goes first.
        grad_clip: `nn.ClipGradByGlobalNorm`, `nn.ClipGradByNorm` or `nn.ClipGradByValue`; works before the decay is added.
        name: put before the names of the state.
        settings: the subclass's own arguments, which groups may replace.

    Raises TypeError for arguments of other types and ValueError when two groups share a parameter.

    Example:
        >>> isinstance(opt, paddle.optimizer.Optimizer)
        True
    """

    _multi_precision = False
    _grad_clip = CommonSetting("grad_clip")
    regularization = CommonSetting("weight_decay")
    # methods that change tensors only, which a static function may do as well
    _in_programs = frozenset(
        ("apply_gradients", "backward", "clear_grad", "clear_gradients", "get_lr", "minimize", "set_lr", "step")
    )

    def __init__(
        self,
        learning_rate: Any,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
        **settings: Any,
    ) -> None:
        if isinstance(learning_rate, bool) or not isinstance(learning_rate, (int, float, LRScheduler)):
            first = ""
            if isinstance(learning_rate, (list, tuple)):
                first = "; parameters are given by name, `parameters=net.parameters()`"
            elif isinstance(learning_rate, type):
                first = f"; `{learning_rate.__name__}(...)` makes one"
            raise TypeError(f"learning_rate must be a float or an LRScheduler, got {type(learning_rate).__name__}{first}")
        if isinstance(parameters, (Tensor, dict)):
            raise TypeError(
                "parameters must be a list of parameters or of groups (dicts), such as net.parameters(), got one "
                f"{type(parameters).__name__}"
            )
        if not isinstance(parameters, (Iterable, type(None))):
            class_name = type(parameters).__name__
            call = "`net.parameters()`" + (", with parentheses" if callable(parameters) and class_name == "method" else "")
            raise TypeError(f"parameters must be a list of parameters or of groups (dicts), such as {call}, got a {class_name}")
        if grad_clip is not None and not callable(grad_clip):
            such = "one of the nn.ClipGrad classes, `nn.ClipGradByGlobalNorm(1.0)` say"
            raise TypeError(f"grad_clip must be {such}, got {grad_clip!r}")
        self._name = name
        self._rate: EagerTensor | None = None
        self._rate_value: float | None = None
        self._learning_rate = learning_rate if isinstance(learning_rate, LRScheduler) else float(learning_rate)
        self._defaults = {**settings, "weight_decay": self._decay_of(weight_decay), "grad_clip": grad_clip}
        self._default_dict = {"weight_decay": weight_decay, "grad_clip": grad_clip, **settings}
        self._auxiliary_vars = {}
        self._parameter_list = None if parameters is None else list(parameters)
        if parameters is not None and not self._parameter_list:
            warn_here(
                f"{type(self).__name__}: the list of parameters is empty, so step() changes nothing: Layers in a plain list "
                "or dict of a network are not found, `nn.LayerList([...])` and `nn.LayerDict({...})` hold them; nor are tensors "
                "that are no parameters, `self.create_parameter([2, 3])` makes one"
            )
        self._groups: list[dict[str, Any]] = []
        listed = self._parameter_list or []
        self._grouped = bool(listed) and isinstance(listed[0], dict)
        for group in listed if self._grouped else [{"params": listed}]:
            self._add_param_group(group)
        self._told_of_no_gradients = False
        self._together = Together()
        self._tables = {}
        self._by_parameter = {}
        self._masters = {}
        self._loaded = {}

    def __getattr__(self, name: str) -> Any:
        raise of_object("Optimizer", self, name)

    @property
    def _dtype(self) -> Any:
        """The dtype of the first parameter; None without parameters."""
        parameters = [param for group in self._groups for param in group["params"]]
        return parameters[0].dtype if parameters else None

    @property
    def _param_groups(self) -> list[Any] | None:
        """The parameters, or the groups when there are some: packages go through them."""
        return self._groups if self._grouped else self._parameter_list

    def _decay_of(self, weight_decay: Any) -> Any:
        if isinstance(weight_decay, (int, float)):
            return L2Decay(weight_decay)
        if weight_decay is None or isinstance(weight_decay, WeightDecayRegularizer):
            return weight_decay
        raise TypeError(f"weight_decay must be a float, L1Decay or L2Decay, got {type(weight_decay).__name__}")

    def _add_param_group(self, group: dict[str, Any]) -> None:
        if "params" not in group:
            raise ValueError("a parameter group needs the key 'params'")
        params = [group["params"]] if isinstance(group["params"], Tensor) else list(group["params"])
        for i, param in enumerate(params):
            if not isinstance(param, Tensor):
                meant = "; its parameters are meant, `net.parameters()`" if isinstance(param, Layer) else ""
                raise TypeError(f"parameters: expected tensors, entry {i} is a {type(param).__name__}{meant}")
        grouped_ids = {id(p) for earlier_group in self._groups for p in earlier_group["params"]}
        if len({id(p) for p in params}) != len(params) or any(id(p) in grouped_ids for p in params):
            raise ValueError("some parameters appear more than once")
        names = {p.name: p for earlier_group in self._groups for p in earlier_group["params"]}
        for param in params:
            if names.setdefault(param.name, param) is not param:  # made in two unique_name.guard(), say
                raise ValueError(f"two parameters are named {param.name!r}: an optimizer stores its state by name; rename one")
        settings = {**self._defaults, **group, "params": params}
        settings["weight_decay"] = self._decay_of(settings["weight_decay"])
        self._groups.append(settings)

    # -- learning rate ------------------------------------------------------------------------------------------------

    @property
    def _learning_rate(self) -> Any:
        return self._rate_source

    @_learning_rate.setter
    def _learning_rate(self, value: Any) -> None:  # scripts set it, too
        self._rate_source = value
        if isinstance(value, LRScheduler) and self._rate is not None:
            value._bind(self._rate)
        self._refresh_rate()

    def get_lr(self) -> float:
        """The current learning rate. In a static function: what it is when the function comes here, in every run."""
        return current(self._rate_now) if mode.tracing() else self._rate_now()

    def _rate_now(self) -> float:
        rate = self._learning_rate
        return rate() if isinstance(rate, LRScheduler) else rate

    def set_lr(self, value: float) -> None:
        """Set the learning rate. Raises ModeError when a scheduler sets it."""
        if mode.tracing():
            do(self.set_lr, value)
            return
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise TypeError(f"set_lr: expected a number, got {type(value).__name__}")
        if isinstance(self._learning_rate, LRScheduler):
            raise ModeError("set_lr: this optimizer's learning rate is an LRScheduler; change the scheduler instead")
        self._learning_rate = float(value)

    def set_lr_scheduler(self, scheduler: LRScheduler) -> None:
        """Let ``scheduler`` set the learning rate from now on."""
        if not isinstance(scheduler, LRScheduler):
            raise TypeError(f"set_lr_scheduler: expected an LRScheduler, got {type(scheduler).__name__}")
        self._learning_rate = scheduler

    def _refresh_rate(self) -> None:
        if self._rate is None:
            return
        if mode.building():
            with mode.default_mode():
                self._refresh_rate()
            return
        value = self._rate_now()
        if value != self._rate_value:
            self._rate.set_value(np.asarray(value))
            self._rate_value = value

    def _rate_for(self, param: Any) -> Any:
        """The learning rate of a parameter, a 0-D tensor that a Program can read anew in every run."""
        if self._rate is None:
            array_backend = backends.backend_of(param._array)
            state_dtype = float64 if param.dtype is float64 else float32
            zero = array_backend.asarray(np.zeros((), state_dtype.np))
            self._rate = EagerTensor(zero, name=unique_name.generate("learning_rate"))
            self._rate.persistable = True
            if isinstance(self._learning_rate, LRScheduler):
                self._learning_rate._bind(self._rate)
        self._refresh_rate()
        return rate_now(self._rate_now, self._rate)

    # -- one step -----------------------------------------------------------------------------------------------------

    def step(self) -> None:
        """Change the parameters by their gradients; those without one stay as they are. In a static function: in every run.

        Raises ModeError while a static Program is built by hand.

        Example:
            >>> net(x).mean().backward()
            >>> opt.step()
            >>> opt.clear_grad()
        """
        if mode.building() and not mode.tracing():
            raise ModeError("step() needs gradients that exist now, which a Program built by hand has not: use minimize(loss)")
        pairs = self._gradients()
        if not pairs and self._parameter_list and not self._told_of_no_gradients and not mode.tracing():
            self._told_of_no_gradients = True
            warn_here(f"{type(self).__name__}.step: no parameter has a gradient, so nothing changes; was loss.backward() called?")
        self.apply_gradients(pairs)

    def _gradients(self) -> Pairs:
        if self._parameter_list is None:
            raise ModeError(f"{type(self).__name__} was made without parameters; pass parameters=net.parameters()")
        groups, pairs = self._groups, []
        look = mode.tracing()
        for group in groups:
            for param in group["params"]:
                if not param.stop_gradient:
                    gradient = None if look else param._grad  # what ``.grad`` is, unless it has to be made
                    if type(gradient) is not EagerTensor:
                        gradient = param.grad
                    if gradient is not None:
                        pairs.append((param, gradient))
        return pairs

    def backward(
        self,
        loss: Any,
        startup_program: Any = None,
        parameters: Any = None,
        no_grad_set: Any = None,
        callbacks: Any = None,
    ) -> Pairs:
        """Pairs (parameter, gradient): what ``loss.backward()`` left, or in static mode `append_backward` of ``loss``."""
        if not isinstance(loss, Variable) or (mode.tracing() and mode.current().gradients.ran):
            return self._gradients()
        trainable = (
            parameters if parameters is not None else [p for group in self._groups for p in group["params"]] or None
        )
        if trainable is not None:
            trainable = [p for p in trainable if isinstance(p, str) or not p.stop_gradient]
        with mode.use(loss.builder):
            return append_backward(loss, trainable, no_grad_set, callbacks)

    def apply_gradients(self, params_grads: Pairs) -> None:
        """Change parameters by the gradients that they are paired with (in static mode: in every run)."""
        mode.in_grad_mode(False, self._apply_all, params_grads)

    def _apply_optimize(self, loss: Any, startup_program: Any, params_grads: Any, param_group_idx: int = 0) -> None:
        """`apply_gradients`, as optimizers around this one call it."""
        self.apply_gradients(list(params_grads))

    def _apply_all(self, params_grads: Pairs) -> None:
        with self._together:
            if self._parameter_list is None:
                self._apply(params_grads, self._groups[0])
                return
            params = self._groups[0]["params"]
            if len(params) == len(params_grads) and all(map(is_, params, map(_first, params_grads))):  # one group, all of it
                self._apply(params_grads, self._groups[0])
                return
            by_param = {id(p): (p, g) for p, g in params_grads}
            for group in self._groups:
                self._apply([by_param[id(p)] for p in group["params"] if id(p) in by_param], group)

    def minimize(
        self, loss: Any, startup_program: Any = None, parameters: Any = None, no_grad_set: Any = None
    ) -> tuple[list[Any], Pairs]:
        """The same as `step`: call ``loss.backward()`` before it.

        In static mode (and inside a static function that did not call it): append the backward pass of ``loss``, too.
        Returns ([], pairs of parameter and gradient). Raises TypeError for a ``loss`` that is no tensor.

        Example:
            >>> opt.minimize(net(x).mean())      # then executor.run(feed=...) trains
        """
        if not isinstance(loss, Tensor):
            raise TypeError(f"minimize: loss must be a Tensor, got {type(loss).__name__}: `opt.minimize(loss)`, or `opt.step()`")
        if isinstance(loss, Variable) and hasattr(loss.builder, "before_training"):
            loss.builder.before_training(self, loss, {"parameters": parameters, "no_grad_set": no_grad_set})
        pairs = self.backward(loss, startup_program, parameters, no_grad_set)
        with mode.use(loss.builder if isinstance(loss, Variable) else mode.current()):
            self.apply_gradients(pairs)
        return [], pairs

    def _apply(self, pairs: Pairs, group: dict[str, Any]) -> None:
        if mode.tracing():
            mode.current().on_settings_read(group)
            for param, _ in pairs:
                if hasattr(param, "optimize_attr"):
                    mode.current().on_settings_read(param.optimize_attr)
        if group["grad_clip"] is not None:
            pairs = group["grad_clip"](pairs)
        if not pairs:
            return
        if self._updates_itself:
            self._apply_user_updates(pairs, group)
        else:
            self._update_pairs(pairs, group)

    def _apply_user_updates(self, pairs: Pairs, group: dict[str, Any]) -> None:
        """A step by the methods of a subclass (`UserUpdates`), which get gradients that contain the weight decay."""
        block = main_block()
        self._create_accumulators(block, [param for param, _ in pairs])
        decayed = []
        for param, grad in pairs:
            regularizer = getattr(param, "regularizer", None) or group["weight_decay"]
            decayed.append((param, self._decayed(param, grad, {**group, "regularizer": regularizer})))
        for pair in decayed:
            self._append_optimize_op(block, pair)
        self._finish_update(block, decayed)

    def _update_at_once(self, pairs: Pairs, group: dict[str, Any]) -> None:
        with self._together:
            self._update_pairs(pairs, group, decayed=True)

    def _update_pairs(self, pairs: Pairs, group: dict[str, Any], decayed: bool = False) -> None:
        """Update parameters by their gradients, clipped already. decayed: they contain the weight decay, too."""
        dynamic = not mode.building()
        if dynamic and self._tables:
            self._own_state()
        common, group_factor = self._rate_for(pairs[0][0]), group.get("learning_rate", 1.0)
        group_settings = {**group, "regularizer": group["weight_decay"], "by_rows": False}
        for param, grad in pairs:
            factor = getattr(param, "optimize_attr", _NO_FACTOR).get("learning_rate", 1.0) * group_factor
            rate = common if factor == 1.0 else common * factor
            regularizer, settings = getattr(param, "regularizer", None), group_settings
            if regularizer is not None or param.row_gradient:
                regularizer = group_settings["regularizer"] if regularizer is None else regularizer
                settings = {**group_settings, "regularizer": regularizer, "by_rows": param.row_gradient}
            low = self._multi_precision and param.dtype is float16
            target = self._master(param) if low else param
            if not (dynamic and type(grad) is EagerTensor and grad._array.dtype is target._array.dtype):
                grad = grad if grad.dtype is target.dtype else grad.astype(target.dtype)
            self._update(target, grad if decayed else self._decayed(target, grad, settings), rate, settings)
            if low and dynamic:
                self._together.follow(param, target)
            elif low:
                param._become(target.astype(float16))

    def append_regularization_ops(self, parameters_and_grads: Any, regularization: Any = None) -> list[tuple[Any, Any]]:
        """Pairs of a parameter and its gradient, with the gradient of the penalty added.

        Args:
            parameters_and_grads: such pairs; a gradient may be None.
            regularization: an `L1Decay` or `L2Decay` for parameters that have none of their own; None: these stay as they are.
        """
        pairs = []
        for param, grad in parameters_and_grads:
            regularizer = getattr(param, "regularizer", None) or regularization
            pairs.append((param, grad if grad is None or regularizer is None else grad + regularizer(param, grad, None)))
        return pairs

    def get_opti_var_name_list(self) -> list[str]:
        """The names of the state that there is, in order: that is made by the first step."""
        return [tensor.name for table in self._tables.values() for tensor in table.values()]

    def _decayed(self, param: Any, grad: Any, settings: dict[str, Any]) -> Any:
        """The gradient with the term of the weight decay."""
        regularizer = settings["regularizer"]
        return grad if regularizer is None else grad + regularizer(param, grad, None)

    def _update(self, param: Any, grad: Any, rate: Any, settings: dict[str, Any]) -> None:
        """Move ``param`` (and the state kept for it) by one step along ``grad``; ``settings`` are those of its group."""
        raise NotImplementedError(f"{type(self).__name__}: use a subclass such as SGD or Adam")

    def _set(self, tensor: Any, new: Any) -> None:
        """Let ``tensor``, a parameter or what is remembered of one, be ``new`` when all of the step is computed."""
        if mode.building():
            tensor._become(new)
        else:
            self._together.set(tensor, new._array)

    def _run(self, update: Any, inputs: list[Any], targets: list[Any], **attrs: Any) -> None:
        """Make ``targets`` hold the results of an update operator; the first is the parameter, the others its state."""
        gradient = inputs[1]
        by_rows = type(gradient) is not EagerTensor and isinstance(gradient, SelectedRows) and gradient.by_rows is not None
        if by_rows and attrs.get("lazy_mode", update is sgd) and not mode.building():
            self._run_rows(update, inputs, targets, attrs)
            return
        arrays = [] if mode.building() else [t._array for t in inputs]
        if len(set(map(type, arrays))) == 1:  # at once: nothing to check, nothing to record
            if targets[1:] and self._together.add(update, inputs, arrays, targets, attrs):
                return
            array_backend = backends.backend_of(arrays[0])
            kernel = update.op.kernel_for(array_backend.name)
            if not targets[1:]:
                self._together.set(targets[0], kernel(array_backend.xp, *arrays, **attrs))
                return
            # only NumPy's calls can be deferred: those of other array modules run code of Python
            deferred_writes = self._together.deferred_writes if array_backend.name == "numpy" else None
            results = kernel(array_backend.xp, *arrays, **attrs, deferred_writes=deferred_writes)
            for tensor, array in zip(targets, results, strict=True):
                self._together.set(tensor, array)
            return
        results = update.emit(*inputs, **attrs)
        for tensor, new in zip(targets, results if targets[1:] else (results,), strict=True):
            self._set(tensor, new)

    def _run_rows(self, update: Any, inputs: list[Any], targets: list[Any], attrs: dict[str, Any]) -> None:
        """Run an update for a gradient of some rows (`SelectedRows`): only these rows of the parameter and its states change."""
        param, gradient, *states = inputs
        tables = [t for t in targets if t.shape == param.shape]
        can_overwrite = (is_sole_owner(param), *[True] * len(tables[1:]))
        lazy = {"lazy_mode": False} if "lazy_mode" in attrs else {}
        row_grads = not_zero(np, *gradient.by_rows) if lazy else gradient.by_rows
        scalar_arrays = tuple(t._array for t in states[len(tables) - 1 :])
        arrays, deferred_writes = [t._array for t in tables], self._together.deferred_writes
        kernel, attrs = update.op.kernel_for("numpy"), {**attrs, **lazy}
        results = row_step(np, kernel, row_grads, arrays, scalar_arrays, can_overwrite, deferred_writes, **attrs)
        for tensor, array in zip(targets, results, strict=True):
            self._together.set(tensor, array)

    def clear_grad(self, set_to_zero: bool = True) -> None:
        """Set the gradients of all parameters to zero, or forget them with ``set_to_zero=False``."""
        clear_gradients([p for group in self._groups for p in group["params"] if not p.stop_gradient], set_to_zero)

    clear_gradients = clear_grad
