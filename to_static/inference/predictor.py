"""`Predictor`: a saved Program, frozen and compiled, behind Paddle's handles."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from typing import Any

import numpy as np

from to_static.compiler.formats.hub import model_of_bytes, open_model
from to_static.compiler.formats.stored_model import StoredModel
from to_static.compiler.ir import tensor as traced
from to_static.compiler.ir.program import Op, Program
from to_static.compiler.ops.sequence.lod import pack, unpack
from to_static.compiler.ops.sequence.offsets import SUFFIX, with_output_offsets
from to_static.compiler.passes.pipeline import EXPORT, inference_passes
from to_static.compiler.passes.simplify.specialize_shapes import optimize_for
from to_static.compiler.runtime.executor import PlanExecutor
from to_static.compiler.runtime.interpret import interpret
from to_static.compiler.saved.train_eval import in_mode
from to_static.core import backend as backends
from to_static.core.diagnostics.printable import printable
from to_static.core.errors import DTypeError, FormatError, ShapeError
from to_static.core.processes.compile_lock import with_compile_lock
from to_static.inference.config import Config
from to_static.inference.data_type import DataType

Hook = Callable[[str, str, Any], None]
_DATA_TYPES = {data_type.name.lower(): data_type for data_type in DataType}


class Tensor:
    """A named input or output of a predictor.

    ``name``, ``spec``: for use by `Predictor`, whose ``get_input_handle`` and ``get_output_handle`` return one.

    Example:
        >>> paddle.jit.save(net, "net", input_spec=[InputSpec([None, 4], "float32", "x")])
        >>> predictor = paddle.inference.create_predictor(paddle.inference.Config("net.pdmodel", "net.pdiparams"))
        >>> isinstance(predictor.get_input_handle("x"), paddle.inference.Tensor)
        True
    """

    def __init__(self, name: str, spec: Any) -> None:
        self._name = name
        self._spec = spec
        self._dtype = spec.dtype.np
        self._array: np.ndarray | None = None
        self._offsets: Tensor | None = None  # the input or output that has the offsets of its sequences
        self._lod: list[list[int]] = []
        self._checked_shape: tuple[int, ...] | None = None  # the shape that was found to fit last
        self._announced: list[int] | None = None

    def name(self) -> str:
        """Its name in the model."""
        return self._name

    def type(self) -> Any:
        """Element type: a `DataType`; the dtype itself where that has no name for it, as for bfloat16 and complex numbers."""
        return _DATA_TYPES.get(self._spec.dtype.name, self._spec.dtype)

    def lod(self) -> list[list[int]]:
        """The offsets of sequences in its rows, level by level: those that `set_lod` was given, or those of a result."""
        if self._offsets is not None and self._offsets._array is not None:
            return [level.tolist() for level in unpack(self._offsets._array)]
        return [list(level) for level in self._lod]

    def set_lod(self, arg0: Iterable[Iterable[int]]) -> None:
        """Say where sequences begin in the rows of the next input, level by level: ``[[0, 2, 5]]`` are 2 and 3 rows."""
        self._lod = [[int(x) for x in level] for level in arg0]
        if self._offsets is not None:
            self._offsets._array = pack(self._lod)

    def shape(self) -> list[int]:
        """Shape of the value it holds; before there is one, the one of `reshape`, or the declared one with -1 for unknown sizes."""
        if self._announced is not None:
            return list(self._announced)
        return list(self._spec.shape if self._array is None else self._array.shape)

    def reshape(self, shape: Any) -> None:
        """Announce the shape of the next input. Raises ShapeError when the model does not take it.

        The first dimension may be another than the one it was saved with, as for Paddle: the batch.
        """
        if isinstance(shape, int):
            shape = [shape]
        free = self._spec.with_shape((-1, *self._spec.shape[1:]) if self._spec.shape else ())
        if not free.accepts(self._spec.with_shape(int(d) for d in shape)):
            raise ShapeError(f"input {self._name!r} is {self._spec}, it can't have shape {list(shape)}")
        self._announced = [int(d) for d in shape]

    def copy_from_cpu(self, data: Any) -> None:
        """Set the input to a copy of an array (in any order of bytes and of axes in memory).

        Integers of another width are converted if all of them fit. Raises DTypeError or ShapeError, naming the input, when the
        array does not fit.
        """
        array = np.array(data, order="C")
        if array.dtype != self._dtype:
            array = self._converted(array)
        if array.shape != self._checked_shape:
            self.reshape(array.shape)
            self._checked_shape = array.shape
        self._announced, self._array = None, array

    def _converted(self, array: np.ndarray) -> np.ndarray:
        """The array in the dtype of the input, with the same numbers. Raises DTypeError."""
        integers = array.dtype.kind in "iu" and self._dtype.kind in "iu"
        if integers or array.dtype.newbyteorder("=") == self._dtype:
            converted = array.astype(self._dtype)
            if not integers or np.array_equal(converted, array):
                return converted
        expected = self._spec.dtype.name
        raise DTypeError(f"input {self._name!r} must be {expected}, got {array.dtype}: give it as x.astype({expected!r})")

    share_external_data = copy_from_cpu

    def copy_to_cpu(self) -> np.ndarray:
        """The value as an array. Raises ValueError before there is one."""
        if self._array is None:
            raise ValueError(f"{self._name!r} has no value yet: run the predictor first")
        return self._array


class Predictor:
    """Runs a saved model. Made by `create_predictor`.

    ``config``, ``original``: for use by `create_predictor` and `clone`.

    Example:
        >>> predictor = create_predictor(Config('model/net'))
        >>> predictor.get_input_handle('x').copy_from_cpu(x)
        >>> predictor.run()
        >>> y = predictor.get_output_handle(predictor.get_output_names()[0]).copy_to_cpu()
    """

    def __init__(self, config: Config, original: Predictor | None = None) -> None:
        self._config = config
        self._backend = backends.get_backend(config._device)
        if original is None:
            self._model = _opened(config)
            self._state: dict[str, Any] = {}  # holders of what runs change, by name: the same for all sizes
            program = self._model.program()
            self._runners = {False: self._compile(program)}
            self._state.update((str(var.name), var.holder) for var in program.state)
            for name in self._state:
                self._model.arrays.pop(name, None)  # so that runs may write to it
        else:
            self._model, self._state, self._runners = original._model, original._state, original._runners
        program = self._runners[False].program
        names = program.output_names or [f"output_{i}" for i in range(len(program.outputs))]
        inputs = {str(v.name): Tensor(str(v.name), v.spec) for v in program.feeds}
        outputs = {name: Tensor(name, v.spec) for name, v in zip(names, program.outputs, strict=True)}
        self._handles = tuple(inputs.values()), tuple(outputs.values())
        self._inputs, self._outputs = _without_offsets(inputs), _without_offsets(outputs)
        for handle in self._inputs.values():
            handle.set_lod([])
        self._hooks: list[Hook] = []
        self._last: tuple[Any, Any] = None, None  # shapes and dtypes of the last inputs, and the plan for such

    @with_compile_lock
    def _compile(self, program: Program) -> PlanExecutor:
        for var in program.params:
            var.holder = self._state.get(str(var.name), var.holder)
        program = with_output_offsets(in_mode(program, training=False))
        for var in program.params:
            var.holder._array = self._backend.adopt(var.holder._array)
        passes = inference_passes(self._backend.name, frozen=True) if self._config.ir_optim() else EXPORT
        return PlanExecutor(program, self._backend, lambda p, shapes: optimize_for(p, shapes, passes), weights_frozen=True)

    def _runner(self, arrays: list[np.ndarray]) -> PlanExecutor:
        """Return the function that runs these inputs: the model as it was saved, or one for any batch size."""
        inputs = self._handles[0]
        needs_resizing = any(not h._spec.accepts(h._spec.with_shape(a.shape)) for h, a in zip(inputs, arrays, strict=True))
        return self._runners.get(needs_resizing) or self._resized(inputs)

    @with_compile_lock
    def _resized(self, handles: Collection[Tensor]) -> PlanExecutor:
        shapes = {h.name(): (-1, *h._spec.shape[1:]) for h in handles if h._spec.shape}
        try:
            arrays = {**self._model.arrays, **{name: holder._array for name, holder in self._state.items()}}
            runner = self._runners.get(True) or self._compile(self._model.program(arrays, shapes))
            return self._runners.setdefault(True, runner)
        except FormatError as error:
            shapes_text = ", ".join(f"{printable(h.name())}: {h.shape()} for {h._spec}" for h in handles)
            raise ShapeError(f"this model takes only the shapes it was saved with ({shapes_text})") from error

    def get_input_names(self) -> list[str]:
        """Names of the inputs, in order."""
        return list(self._inputs)

    def get_output_names(self) -> list[str]:
        """Names of the outputs, in order."""
        return list(self._outputs)

    def get_input_handle(self, name: str) -> Tensor:
        """The handle of an input. Raises KeyError, telling the names there are."""
        return _find(self._inputs, name, "input")

    def get_output_handle(self, name: str) -> Tensor:
        """The handle of an output. Raises KeyError, telling the names there are."""
        return _find(self._outputs, name, "output")

    def run(self, inputs: list[Any] | None = None) -> list[Any] | None:
        """Run on ``inputs`` (arrays in order; returns the outputs), or on what the input handles hold (returns None, as in Paddle).

        Of tensors as ``inputs`` the outputs are tensors, too.

        Raises ValueError when an input is missing.
        """
        if inputs is not None and any(isinstance(x, traced.Tensor) for x in inputs):
            tensor_type: Any = next(type(x) for x in inputs if isinstance(x, traced.Tensor))
            self.run([np.asarray(x) for x in inputs])
            return [tensor_type(handle.copy_to_cpu()) for handle in self._outputs.values()]
        handles, (dtypes, call) = self._handles[0], self._last
        arrays = [handle._array for handle in handles] if inputs is None else inputs
        if dtypes == [(x.shape, x.dtype) for x in arrays if type(x) is np.ndarray]:
            if inputs is not None:
                arrays = [x.copy() for x in inputs]
                for handle, array in zip(handles, arrays, strict=True):
                    handle._array = array
        else:
            arrays, call = self._looked_up(inputs)
        results = list(call(*arrays))
        for handle, array in zip(self._handles[1], results, strict=True):
            handle._array = array
        return None if inputs is None else results[: len(self._outputs)]

    def _looked_up(self, inputs: list[Any] | None) -> tuple[list[Any], Callable[..., Any]]:
        """The inputs, checked, and what runs such."""
        handles, backend = self._handles[0], self._backend
        if inputs is not None:
            if len(inputs) != len(self._inputs):
                names = ", ".join(map(printable, self._inputs))
                raise ValueError(f"the model takes {len(self._inputs)} inputs ({names}), got {len(inputs)}")
            for handle, array in zip(self._inputs.values(), inputs, strict=True):
                handle.copy_from_cpu(array)
        arrays: list[Any] = [handle._array for handle in handles]
        if any(array is None for array in arrays):
            missing = [name for name, handle in self._inputs.items() if handle._array is None]
            raise ValueError(f"inputs without a value: {', '.join(map(printable, missing))}; set them with copy_from_cpu()")
        runner = self._runner(arrays)
        if self._hooks:
            return arrays, lambda *arrays_in: self._watched(runner, arrays_in)
        if backend is not backends.NUMPY:
            return arrays, lambda *arrays_in: map(backend.to_numpy, runner(*map(backend.asarray, arrays_in)))
        call = runner.plan_for(arrays).call
        self._last = [(array.shape, array.dtype) for array in arrays], call
        return arrays, call

    def clone(self) -> Predictor:
        """A predictor that shares the weights and plans, with handles of its own (for another thread)."""
        return Predictor(self._config, self)

    def register_output_hook(self, arg0: Hook) -> None:
        """Call ``arg0(operator, name, value)`` with each value that a run computes, an array, in order.

        From now on runs go operator by operator, which is slower, and numbers may differ in their last bits. Operators are those of
        this package, and values those of the model before rewrites; only outputs have the names of the file.
        """
        self._hooks.append(arg0)
        self._last = None, None

    def _watched(self, runner: PlanExecutor, arrays: Any) -> list[np.ndarray]:
        to_numpy = self._backend.to_numpy

        names = dict(zip(runner.program.outputs, self._outputs, strict=True))

        def tell(op: Op, results: Any) -> None:
            for i, (var, value) in enumerate(zip(op.outputs, results, strict=True)):
                if not isinstance(value, list):
                    for hook in self._hooks:
                        hook(op.name, names.get(var) or str(var.name or f"{op.name}.tmp_{i}"), to_numpy(value))

        feeds = [self._backend.asarray(x) for x in arrays]
        return [to_numpy(x) for x in interpret(runner.program, feeds, self._backend, watch=tell)]

    def keeps_state(self) -> bool:
        """Return whether runs change values that the model keeps, so that the next run may give something else."""
        return bool(self._runners[False].program.state)  # (running statistics of batch norms are none in eval mode)

    def has_control_flow(self) -> bool:
        """Return whether the Program has branches or loops that are decided when it runs."""
        return any(op.blocks for op in self._runners[False].program.block.ops)

    def program_text(self) -> str:
        """The text of the Program, as it was saved."""
        return str(self._runners[False].program)

    def try_shrink_memory(self) -> int:
        """The number of bytes that were given back, 0: plans are kept, in the bounds of TO_STATIC_PLAN_CACHE_BYTES."""
        return 0

    def clear_intermediate_tensor(self) -> None:
        """Accepted, does nothing: a run keeps no values but its outputs."""


def _without_offsets(handles: dict[str, Tensor]) -> dict[str, Tensor]:
    """The handles that are no offsets of others, which get theirs."""
    for name, handle in handles.items():
        if name.endswith(SUFFIX) and name.removesuffix(SUFFIX) in handles:
            handles[name.removesuffix(SUFFIX)]._offsets = handle
    hidden = [handle._offsets for handle in handles.values()]
    return {name: handle for name, handle in handles.items() if handle not in hidden}


def _opened(config: Config) -> StoredModel:
    """The model that a Config names. Raises ValueError where it names none."""
    if config._buffers is not None:
        return model_of_bytes(*config._buffers)
    if not config._model:
        raise ValueError("this Config has no model: write Config('net.pdmodel', 'net.pdiparams'), or call set_model(path)")
    return open_model(config._model, config._params or None)


def _find(table: dict[str, Tensor], name: str, what: str) -> Tensor:
    if name not in table:
        raise KeyError(f"the model has no {what} {name!r}; it has {', '.join(table) or 'none'}")
    return table[name]


def create_predictor(config: Config) -> Predictor:
    """Load and compile the model of ``config``.

    Raises FormatError when its files are damaged, DeviceError when the device is not there, TypeError for no `Config`.

    Example:
        >>> paddle.jit.save(net, "net", input_spec=[InputSpec([None, 4], "float32", "x")])
        >>> predictor = paddle.inference.create_predictor(paddle.inference.Config("net.pdmodel", "net.pdiparams"))
        >>> predictor.run([np.ones([2, 4], "float32")])[0].shape
        (2, 4)
    """
    if not isinstance(config, Config):
        path = repr(config) if isinstance(config, (str, os.PathLike)) else "path"
        advice = f"write create_predictor(Config({path}))"
        raise TypeError(f"create_predictor: expected a Config, got {type(config).__name__}; {advice}")
    return Predictor(config)
