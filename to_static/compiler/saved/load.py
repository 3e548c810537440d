"""`load`: reads a saved model as a `TranslatedLayer`, which can be called, trained and saved again."""

from __future__ import annotations

import itertools
import os
import types
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.formats.hub import open_model, path_text, prefix_of, read_methods
from to_static.compiler.formats.paddle.weights.info import parts_of
from to_static.compiler.formats.paddle.weights.params_reader import same_numbers
from to_static.compiler.formats.stored_model import StoredModel
from to_static.compiler.frontend.function import signature as signatures
from to_static.compiler.frontend.function.fast_path import CachedCall, CallCache, key_of
from to_static.compiler.frontend.function.program.call import Call
from to_static.compiler.frontend.function.program.concrete import ConcreteProgram
from to_static.compiler.frontend.function.program.specialized_entry import OTHER
from to_static.compiler.frontend.function.program.trace_result import of_outputs
from to_static.compiler.ir import mode
from to_static.compiler.ir.input_spec import InputSpec
from to_static.compiler.ir.program import Program
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ir.var_kinds import PARAM
from to_static.compiler.ops import functions as F
from to_static.compiler.ops.sequence.lod import pack
from to_static.compiler.ops.sequence.offsets import SUFFIX
from to_static.compiler.saved.inlined import inlined
from to_static.compiler.saved.places import Places
from to_static.compiler.saved.train_eval import in_mode
from to_static.core import backend
from to_static.core.caching.version_counter import epoch
from to_static.core.diagnostics.printable import printable
from to_static.core.diagnostics.tracebacks import for_users
from to_static.core.errors import FormatError, ProgramError, ShapeError
from to_static.core.flags import program_cache
from to_static.core.processes.compile_lock import COMPILE_LOCK, with_compile_lock
from to_static.nn.layer import Layer
from to_static.nn.parameter import Parameter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from to_static.compiler.ir.program import Stored

_clock = itertools.count(1)
_OF_INSTANCES = frozenset(("_methods", "_places"))  # attributes that `TranslatedLayer` gives itself


class SavedMethod:
    """One method of a saved model: callable, in train and eval mode."""

    def __init__(
        self, program: Program, name: str, layer: TranslatedLayer, model: StoredModel, origin: SavedMethod | None = None
    ) -> None:
        """``origin``: the method of which this is a copy for other sizes, or None."""
        self.saved = program
        self._origin = origin
        self.__name__ = name
        self._layer = layer
        self._model = model
        self._concrete: dict[Any, ConcreteProgram] = {}
        self._reshaped: dict[tuple[tuple[int, ...], ...], SavedMethod] = {}
        self._calls = CallCache()
        self._epoch = -1  # of the last kind of call
        self._places: Places = Places(layer) if origin is None else origin._places
        self._used = 0

    @property
    def as_method(self) -> types.MethodType:
        """A Python method of the Layer that calls this one, for `to_static`."""
        return types.MethodType(TranslatedLayer.forward if self.__name__ == "forward" else _calling(self.__name__), self._layer)

    @property
    def input_spec(self) -> list[InputSpec]:
        """The specs of the inputs."""
        return [InputSpec(v.shape, v.dtype, v.name) for v in self.saved.feeds]

    @property
    def concrete_program(self) -> ConcreteProgram:
        """The Program of the current mode."""
        self._follow()
        key = (self._layer.training, backend.current())
        return self._concrete.get(key) or self._new_program(key)

    def _follow(self) -> None:
        """Read the present parameters and buffers of the Layer. Raises the errors of `Places.find`."""
        if self._origin is not None:
            self._origin._follow()
        elif not self._places.are_unchanged:
            with COMPILE_LOCK:
                self._hold(self._places.find(self._layer._places, {str(var.name): var.spec for var in self.saved.params}))

    def _hold(self, tensors: dict[str, Any]) -> None:
        """Read these tensors, by the names of the variables, in later calls; Programs that read other tensors are dropped."""
        replaced_vars = [var for var in self.saved.params if var.holder is not tensors.get(str(var.name), var.holder)]
        for var in replaced_vars:
            var.holder = tensors[str(var.name)]
            var.stop_gradient = var.holder.stop_gradient
        if replaced_vars:
            self._concrete = {}
            self._calls.clear()
            self._epoch = -1
        for method in self._reshaped.values():
            method._hold(tensors)

    @with_compile_lock
    def _new_program(self, key: tuple[bool, Any]) -> ConcreteProgram:
        concrete = self._concrete.get(key)
        if concrete is None:
            program = in_mode(self.saved, key[0])
            concrete = self._concrete[key] = ConcreteProgram(of_outputs(program))
            if not self._layer.training:  # gradients are seldom needed then (Paddle has none)
                concrete.on_first_gradient = self._drop_cached_calls
        return concrete

    def _drop_cached_calls(self) -> None:
        """Drop the cached calls, so that the next calls save the residuals of the backward pass."""
        self._calls.clear()
        if self._origin is not None:
            self._origin._drop_cached_calls()

    @property
    def main_program(self) -> Program:
        """The Program of the current mode."""
        return self.concrete_program.main_program

    def __call__(self, *args: object, **kwargs: object) -> Any:
        if mode.building():
            return self._in_program(args, kwargs)
        now = epoch[0]
        if self._epoch == now:  # as in the last call: the mode, the device
            result = self._calls.last.entry(args, kwargs)
            if result is not OTHER:
                return result
        self._follow()
        leaves: list[Any] = []
        key = key_of(args, kwargs, leaves), self._layer.training, backend.current()
        cached = self._calls.quick.get(key)
        if cached is not None:
            self._calls.last, self._epoch = cached, now
            return cached.run(leaves, args, kwargs)
        tensors = self._bind(args, kwargs)
        specs = self.input_spec
        fitting = self
        if not all(spec.tensor_spec.accepts(value.spec) for spec, value in zip(specs, tensors, strict=True)):
            fitting = self._for_shapes(specs, tensors)
        program = fitting.concrete_program
        try:
            result = program(tensors)
        except (ProgramError, ShapeError):  # the operations can't take such sizes
            self._check_shapes(specs, tensors)
            raise
        if len(leaves) == len(tensors) and all(type(leaf) is EagerTensor for leaf in leaves):
            positions = {key: i for i, key in enumerate([*range(len(args)), *kwargs])}
            if len(self._calls.quick) >= program_cache.value:
                self._calls.clear()
            order = [positions[spec.name if spec.name in kwargs else i] for i, spec in enumerate(specs)]
            self._calls.quick[key] = CachedCall(program, Call(program, order))
        return result

    def _in_program(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Do a call while a Program is being built: append this Program to that one."""
        for layer in self._layer.sublayers(include_self=True):  # the trace depends on these
            mode.current().translate(types.MethodType(TranslatedLayer.forward, layer))
        self._follow()
        tensors, specs, fitting = self._bind(args, kwargs), self.input_spec, self
        if not all(spec.tensor_spec.accepts(value.spec) for spec, value in zip(specs, tensors, strict=True)):
            with mode.default_mode():
                fitting = self._for_shapes(specs, tensors)
        try:
            outputs = inlined(fitting.main_program, tensors, self._places.traced)
        except ShapeError:
            self._check_shapes(specs, tensors)
            raise
        return outputs[0] if len(outputs) == 1 else outputs

    def _for_shapes(self, specs: list[InputSpec], tensors: list[Any]) -> SavedMethod:
        """Return the method for inputs of other sizes than those that the file has.

        A model that was saved without InputSpec holds the shapes it was called with, and Paddle runs it with any that its
        operations can take. Raises ShapeError where they can't.
        """
        shapes: list[tuple[int, ...]] = []
        for spec, tensor in zip(specs, tensors, strict=True):
            sizes = tensor.spec.shape
            if len(sizes) == len(spec.shape) > 0 and sizes[0] != spec.shape[0]:
                sizes = (-1, *sizes[1:])  # one Program for all batch sizes
            shapes.append(tuple(sizes))
        try:
            return self._reshaped_to(tuple(shapes))
        except Exception:  # of a rule, or of the Program that can't be finished
            self._check_shapes(specs, tensors)
            raise

    def _check_shapes(self, specs: list[InputSpec], tensors: list[Any]) -> None:
        """Raise ShapeError, with the name of the input, if a tensor does not have the sizes that were saved."""
        for spec, tensor in zip(specs, tensors, strict=True):
            signatures.check_against(spec, tensor.spec, str(spec.name), self.__name__, "save the model again with")

    def with_input_spec(self, input_spec: Sequence[Any]) -> SavedMethod:
        """The same method with other declared inputs (InputSpecs or tensors, in order); their names stay those of the file.

        Raises ValueError for another number of them, DTypeError for another dtype, FormatError where the operations can't take
        the shapes.
        """
        specs = self.input_spec
        declared = [InputSpec.from_tensor(s) if isinstance(s, Tensor) else s for s in input_spec]
        if len(declared) != len(specs):
            raise ValueError(f"input_spec describes {len(declared)} inputs, {self.__name__}() takes {len(specs)}")
        for spec, input_spec in zip(specs, declared, strict=True):
            signatures.check_dtype(spec, input_spec.tensor_spec, str(spec.name), self.__name__)
        return self._reshaped_to(tuple(tuple(input_spec.tensor_spec.shape) for input_spec in declared))

    def _reshaped_to(self, shapes: tuple[tuple[int, ...], ...]) -> SavedMethod:
        method = self._reshaped.get(shapes) or self._made_for(shapes)
        method._used = next(_clock)
        return method

    @with_compile_lock
    def _made_for(self, shapes: tuple[tuple[int, ...], ...]) -> SavedMethod:
        method = self._reshaped.get(shapes)
        if method is None:
            while len(self._reshaped) >= max(1, program_cache.value):  # those used least recently go
                del self._reshaped[min(self._reshaped, key=lambda key: self._reshaped[key]._used)]
                self._calls.clear()
            holders = {str(var.name): var.holder for var in self.saved.params}
            program = _program(self._model, holders, dict(zip([str(v.name) for v in self.saved.feeds], shapes, strict=True)))
            method = self._reshaped[shapes] = SavedMethod(program, self.__name__, self._layer, self._model, self)
        return method

    def _bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        specs = self.input_spec
        names = dict.fromkeys(s.name for s in specs)
        if len(args) > len(specs):
            raise TypeError(f"{self.__name__}() takes {len(specs)} inputs ({', '.join(map(printable, names))}), got {len(args)}")
        values = dict(zip(names, args, strict=False))
        for name, value in kwargs.items():
            if name not in names or name in values:
                raise TypeError(f"{self.__name__}() has no further input {name!r}; inputs: {', '.join(map(str, names))}")
            values[name] = value
        for name in [str(n) for n in names if n not in values and str(n).endswith(SUFFIX)]:
            owner: Any = values.get(name.removesuffix(SUFFIX))
            values[name] = F.to_tensor(pack(owner.lod() if hasattr(owner, "lod") else []))
        missing = [str(n) for n in names if n not in values]
        if missing:
            raise TypeError(f"{self.__name__}() is missing inputs: {', '.join(map(printable, missing))}")
        tensors = []
        for spec in specs:
            value = values[spec.name]
            if not isinstance(value, Tensor):
                value = F.to_tensor(np.asarray(value))
            signatures.check_dtype(spec, value.spec, str(spec.name), self.__name__)
            tensors.append(value)
        return tensors

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for a pickle: the model, and its present tensors, which the Layer has, too."""
        self._follow()
        model, holders = self._model.without_arrays(), {str(var.name): var.holder for var in self.saved.params}
        return {"name": self.__name__, "layer": self._layer, "model": model, "held": holders}

    def __setstate__(self, state: dict[str, Any]) -> None:
        program = _program(state["model"], state["held"])
        self.__init__(program, state["name"], state["layer"], state["model"])  # type: ignore[misc]

    def __deepcopy__(self, memo: dict[int, Any]) -> SavedMethod:
        layer = memo.get(id(self._layer), self._layer)
        program = self.saved.clone()
        for var in program.params:
            var.holder = memo.get(id(var.holder), var.holder)
        return SavedMethod(program, self.__name__, layer, self._model)


def _calling(name: str) -> Callable[..., Any]:
    """Return a function that calls a method of a loaded model."""

    def call(self: TranslatedLayer, *args: object, **kwargs: object) -> Any:
        return self._methods[name](*args, **kwargs)

    call.__name__ = name
    return call


def _program(model: StoredModel, holders: dict[str, Any], shapes: dict[str, tuple[int, ...]] | None = None) -> Program:
    """Return a Program of the model whose parameters are the tensors ``holders``, by name."""
    arrays = {name: backend.backend_of(holder._array).to_numpy(holder._array) for name, holder in holders.items()}
    program = model.program(arrays, shapes)
    for var in program.params:
        var.holder = holders[str(var.name)]
        var.stop_gradient = var.holder.stop_gradient
    return program


class TranslatedLayer(Layer):
    """A model loaded by `load`. Calling it runs the saved Program.

    Parameters keep the dotted names they had in the saved layer (``fc.weight``) where the file tells them, else the file's
    variable names. `train` and `eval` switch dropout and batch norm; gradients and optimizers work as for any Layer; it starts
    in eval mode. Inputs may have other sizes than those it was saved with, where its operations can take them.
    ``models``: for use by `load`.

    Example:
        >>> net = paddle.jit.load('model/mnist')
        >>> net(x)
    """

    _settings = ("buffers",)  # traces depend on all of them: its Programs read them, whatever their names

    def __init__(self, models: dict[str, StoredModel]) -> None:
        super().__init__()
        models = _of_one_save(_callable(models))
        with COMPILE_LOCK:
            programs = {name: model.program() for name, model in models.items()}
        _check_structure(models)
        by_name: dict[str, tuple[Any, tuple[str, ...]]] = {}
        self._places: dict[str, tuple[str, ...]] = {}  # where parameters and buffers are, by their variables' names
        for program in programs.values():
            for var in program.params:
                stored = var.holder
                if stored.name not in by_name:
                    by_name[stored.name] = self._adopt(stored, var.kind == PARAM)
                self._places[str(var.name)] = by_name[stored.name][1]
                var.holder = by_name[stored.name][0]
                var.stop_gradient = var.holder.stop_gradient
        bare = {name: model.without_arrays() for name, model in models.items()}  # these are in the parameters now
        self._methods = {name: SavedMethod(program, name, self, bare[name]) for name, program in programs.items()}
        for name, method in self._methods.items():
            object.__setattr__(self, name, method)
        self.eval()

    def _adopt(self, stored: Stored, trainable: bool) -> tuple[Any, tuple[str, ...]]:
        """Make a parameter or buffer of a stored value, under its dotted name; return the tensor and the path of names."""
        array = backend.current().asarray(stored._array)
        *path, last = parts_of(stored.structured_name or self._free(stored.name))
        owner: Layer = self
        for part in path:
            child = owner._sub_layers.get(part)
            if child is None:
                child = owner.add_sublayer(part, Layer())
            owner = child
        if trainable:
            parameter = Parameter(array, stored.name, owns_array=True)  # it was read for this
            parameter.stop_gradient = stored.stop_gradient
            owner.add_parameter(last, parameter)
            return parameter, (*path, last)
        buffer = EagerTensor(array, True, stored.name)
        buffer.persistable = True
        owner.register_buffer(last, buffer)
        return buffer, (*path, last)

    def _free(self, name: str | None) -> str:
        """Return an unused attribute name for a variable without a dotted name: its own name, with underscores for dots."""
        name = (name or "").replace(".", "_") or "_"
        while _is_reserved(name) or name in self._parameters or name in self._buffers or name in self._sub_layers:
            name += "_"
        return name

    def forward(self, *args: object, **kwargs: object) -> Any:
        """Run the saved ``forward``."""
        return self._methods["forward"](*args, **kwargs)

    def program(self, method_name: str = "forward") -> Program:
        """The Program of a method, in the current mode. Raises ValueError when the model has no such method."""
        if method_name not in self._methods:
            raise ValueError(f"this model has no method {method_name!r}; it has {', '.join(self._methods)}")
        return self._methods[method_name].main_program

    def _input_spec(self, method_name: str = "forward") -> list[InputSpec]:
        return self._methods[method_name].input_spec

    def extra_repr(self) -> str:
        """The inputs of ``forward``."""
        return ", ".join(f"{printable(s.name)}: {s.tensor_spec}" for s in self._input_spec()) if "forward" in self._methods else ""


def _callable(models: dict[str, StoredModel]) -> dict[str, StoredModel]:
    """Return the methods whose names are not attributes of every Layer; warns about the other ones, which are left out."""
    left_out = {name: model for name, model in models.items() if name != "forward" and _is_reserved(name)}
    for name, model in left_out.items():
        alone = f"jit.load({printable(prefix_of(model.path))!r})"
        message = f"{printable(model.path)} is left out: {name!r} is a method or attribute of every Layer; load it alone, {alone}"
        warnings.warn(message, stacklevel=5)
    if len(left_out) == len(models):
        name, model = next(iter(left_out.items()))
        raise FormatError(model.path, "a method that is not one of every Layer", name)
    return {name: model for name, model in models.items() if name not in left_out}


def _is_reserved(name: str) -> bool:
    """True if a Layer has an attribute of this name."""
    return hasattr(TranslatedLayer, name) or name in _OF_INSTANCES or name in vars(Layer())


def _check_structure(models: dict[str, StoredModel]) -> None:
    """Raise FormatError for a structured name with a part that is the name of an attribute of every Layer."""
    for model in models.values():
        for entry in (model.info or {}).values():
            for part in parts_of(entry.get("structured_name") or ""):
                if part and _is_reserved(part):
                    expected = "structured names that mean nothing else to a Layer"
                    raise FormatError(model.path + " (.pdiparams.info)", expected, repr(part))


def _of_one_save(models: dict[str, StoredModel]) -> dict[str, StoredModel]:
    """Return the methods whose parameters have the same values as those of the first one. A warning names each other method.

    If a model is saved again with fewer methods, the files of the other methods stay, and have other values.
    """
    first, *further_names = models
    saved, consistent = models[first].state(), {first: models[first]}
    for name in further_names:
        state = models[name].state()
        conflict = next((key for key, value in state.items() if key in saved and not _same(value, saved[key])), None)
        if conflict is None:
            consistent[name] = models[name]
            saved = {**state, **saved}
            continue
        path, first_path = models[name].path, models[first].path
        warnings.warn(
            f"{path} was not saved together with {first_path} (they have different values of {conflict!r}), so that the method "
            f"{name!r} is left out: delete its files, or load it alone, jit.load({prefix_of(path)!r})",
            stacklevel=5,
        )
    return consistent


def _same(first: Any, second: Any) -> bool:
    """True if two states of a tensor are one object or have equal values."""
    return first is second or same_numbers(first, second)


@for_users
def load(path: str | os.PathLike[str], model_filename: str | None = None, params_filename: str | None = None) -> TranslatedLayer:
    """Load a model saved by `save` (or by PaddlePaddle's ``jit.save`` / ``save_inference_model``).

    Args:
        path: prefix: the model with that prefix is read, whichever format it has (``path.pdmodel``, with ``path.pdiparams`` and
            ``path.pdiparams.info``, ...); or the file of the model; or a folder of Paddle 1, with ``__model__``.
        model_filename, params_filename: names of the files when ``path`` is a folder.

    Methods that were saved at another time than ``forward``, with other weights, are left out, with a warning.
    Raises FormatError (file, offset, what was expected) for damaged or foreign files, FileNotFoundError when there is none.
    Nothing in a file is ever executed.

    Example:
        >>> net = paddle.jit.load('model/mnist')
        >>> net.eval()
    """
    prefix = path_text(path)
    if model_filename is not None:
        params = prefix if params_filename is None else os.path.join(prefix, params_filename)
        model = os.path.join(prefix, model_filename)
        return TranslatedLayer({"forward": open_model(model, None if prefix_of(model) != model else params)})
    return TranslatedLayer(read_methods(prefix))
