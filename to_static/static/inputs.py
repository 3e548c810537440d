"""Inputs of a static Program: fed data, parameters and global values."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.ir import mode
from to_static.compiler.ir.input_spec import InputSpec
from to_static.compiler.ir.symbolic.variable import Variable
from to_static.compiler.ops.control.control import print_op
from to_static.compiler.ops.sequence import offsets
from to_static.core import backend
from to_static.core.diagnostics.printable import printable
from to_static.core.dtypes import as_dtype, default_dtype
from to_static.core.errors import ModeError, ShapeError
from to_static.static.program import StaticBuilder, static_builder


def data(name: str, shape: Any, dtype: Any = None, lod_level: int = 0) -> Any:
    """A tensor that is fed to the Program under ``name`` in every run.

    Args:
        name: its name in ``feed``.
        shape: ints; None or -1 for a dimension known only at run time.
        dtype: element type, by default `get_default_dtype()`.
        lod_level: how many levels of offsets of sequences come with it: then a `base.LoDTensor` is fed.

    It has ``stop_gradient=True``; set it to False (before using it) to take gradients with respect to it. Raises ModeError in
    dynamic mode, ShapeError when ``name`` already stands for something else.

    Example:
        >>> image = paddle.static.data('image', [None, 784], 'float32')
    """
    builder = static_builder("data")
    spec = InputSpec(shape, default_dtype() if dtype is None else dtype, name).tensor_spec
    var = builder.program.find(name)
    if var is None:
        variable = builder.feed(spec, name)
        offsets.declare(variable, lod_level)
        return variable
    if var not in builder.program.feeds or var.spec != spec:
        raise ShapeError(f"static.data: {name!r} is already {var.spec} in this Program, got {spec}; choose another name")
    return Variable(var, builder)


def create_global_var(
    shape: Any, value: float, dtype: Any, persistable: bool = False, force_cpu: bool = False, name: str | None = None
) -> Any:
    """A tensor filled with ``value`` that keeps its value, or what it is changed to, between runs.

    ``shape``: a list of sizes; ``dtype``: of the tensor; ``force_cpu``: accepted, without an effect.

    Example:
        >>> step = paddle.static.create_global_var([1], 0, 'int64', persistable=True)
    """
    array = backend.current().asarray(np.full(tuple(shape), value, as_dtype(dtype).np))
    tensor = EagerTensor(array, name=name)
    tensor.persistable = True  # a Program reads it anew in every run, which is what "global" asks for
    return tensor


def Print(
    input: Any,
    first_n: int = -1,
    message: str | None = None,
    summarize: int = 20,
    print_tensor_name: bool = True,
    print_tensor_type: bool = True,
    print_tensor_shape: bool = True,
    print_tensor_layout: bool = True,
    print_tensor_lod: bool = True,
    print_phase: str = "both",
) -> Any:
    """Print ``message``, the name and the numbers of ``input`` in every run; returns ``input``.

    ``print_tensor_name``: whether the name is printed. ``first_n``, ``summarize``, ``print_tensor_type``,
    ``print_tensor_shape``, ``print_tensor_layout``, ``print_tensor_lod``, ``print_phase``: accepted, without an effect.

    Example:
        >>> y = static.Print(x, message="x is")
    """
    head = " ".join(part for part in (message, f"{printable(input.name)}:" if print_tensor_name else None) if part)
    print_op([input], (head + " " if head else "").replace("{", "{{").replace("}", "}}") + "{}")
    return input


@contextlib.contextmanager
def name_scope(prefix: str | None = None) -> Iterator[None]:
    """Groups operators under a name in Paddle's visualizers; has no effect on the Program here.

    ``prefix``: the name; an empty one raises ValueError.

    Example:
        >>> with static.name_scope("block"):
        ...     y = x * 2
        ...
    """
    if prefix is not None and not prefix:
        raise ValueError("name_scope: prefix must not be empty")
    yield


@contextlib.contextmanager
def device_guard(device: str | None = None) -> Iterator[None]:
    """In Paddle, places operators on a device. A Program here runs on one device, that of its Executor.

    Raises ModeError in dynamic mode, DeviceError for an unknown kind of device.
    ``device``: such as 'cpu' or 'gpu:0', or None.

    Example:
        >>> with static.device_guard("cpu"):
        ...     y = x + 1
        ...
    """
    if not isinstance(mode.current(), StaticBuilder):
        raise ModeError("device_guard works in static mode: call paddle.enable_static() first")
    if device is not None and device.partition(":")[0] not in ("cpu", *backend.OPENERS):
        backend.get_backend(device)
    yield


def cpu_places(device_count: int | None = None) -> list[Any]:
    """``device_count`` (default 1) CPU places.

    Example:
        >>> len(static.cpu_places(2))
        2
    """
    return [backend.CPUPlace() for _ in range(device_count or 1)]


def cuda_places(device_ids: Any = None) -> list[Any]:
    """Places of the GPUs of these numbers (default: GPU 0).

    ``device_ids``: the numbers.

    Example:
        >>> static.cuda_places([0, 1])
        [Place(gpu:0), Place(gpu:1)]
    """
    return [backend.CUDAPlace(i) for i in (device_ids if device_ids is not None else [0])]
