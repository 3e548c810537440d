"""Devices. A `Backend` is an array module with the few things that array modules do not agree on.

NumPy is always there; CuPy registers behind the same interface and is imported only when a GPU is asked for.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from to_static.core.arrays.fitting import as_array_of
from to_static.core.caching.version_counter import epoch
from to_static.core.errors import DeviceError
from to_static.core.flags import random as random_flag
from to_static.core.random.backend_random import Unseeded
from to_static.core.random.cpp_random import Seeded

if TYPE_CHECKING:
    from to_static.core.array_types import Array, ArrayModule


class Place:
    """The device of a tensor's memory. ``str(CPUPlace())`` is ``'Place(cpu)'``."""

    __slots__ = ("index", "kind")

    def __init__(self, kind: str = "cpu", index: int = 0) -> None:
        self.kind = kind
        self.index = index

    @property
    def device(self) -> str:
        """The name that `set_device` takes: 'cpu' or 'gpu:0'."""
        return "cpu" if self.kind == "cpu" else f"{self.kind}:{self.index}"

    def is_cpu_place(self) -> bool:
        """True on the CPU."""
        return self.kind == "cpu"

    def is_gpu_place(self) -> bool:
        """True on a GPU."""
        return self.kind == "gpu"

    def is_cuda_pinned_place(self) -> bool:
        """True for host memory that GPUs read by themselves, which no tensor has here."""
        return self.kind == "gpu_pinned"

    def is_xpu_place(self) -> bool:
        """False: there are no XPUs."""
        return False

    def is_ipu_place(self) -> bool:
        """False: there are no IPUs."""
        return False

    def is_custom_place(self) -> bool:
        """False: there are no plugged-in devices."""
        return False

    def gpu_device_id(self) -> int:
        """The number of the device; 0 on the CPU."""
        return self.index

    def set_place(self, place: Place) -> None:
        """Be another place."""
        self.kind, self.index = place.kind, place.index

    def _equals(self, other: Place) -> bool:
        return self == other

    def __repr__(self) -> str:
        return f"Place({self.device})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and self.device == other.device

    def __hash__(self) -> int:
        return hash(self.device)


class CPUPlace(Place):
    """The host's memory.

    Example:
        >>> paddle.to_tensor([1.0]).place == paddle.CPUPlace()
        True
    """

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("cpu", 0)


class CUDAPlace(Place):
    """The memory of GPU ``index``.

    Example:
        >>> paddle.CUDAPlace(1)
        Place(gpu:1)
    """

    __slots__ = ()

    def __init__(self, index: int = 0) -> None:
        super().__init__("gpu", index)


class CUDAPinnedPlace(Place):
    """The host's memory that GPUs can read by themselves. There is none here: tensors are in that of `CPUPlace`.

    Example:
        >>> paddle.CUDAPinnedPlace()
        Place(gpu_pinned:0)
    """

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("gpu_pinned")


CACHE_LINE = 64  # bytes


def host_memory(shape: tuple[int, ...], dtype: np.dtype | type) -> np.ndarray:
    """A new array of the host that starts at a cache line, with whatever was there.

    Raises MemoryError, and ValueError for a shape that NumPy refuses.
    """
    np_dtype = np.dtype(dtype)
    size = prod(shape) * np_dtype.itemsize
    if not size:
        return np.empty(shape, np_dtype)
    raw: Any = np.empty(size + CACHE_LINE, np.uint8)
    start = -ctypes.addressof(ctypes.c_char.from_buffer(raw)) % CACHE_LINE  # three times as quick as NumPy's own answer
    return raw[start : start + size].view(np_dtype).reshape(shape)  # type: ignore[no-any-return]


class Backend:
    """An array module ``xp`` and its device.

    ``asarray(value, dtype=None)`` brings any array or nested list to this device, ``to_numpy`` back to the host,
    ``synchronize`` waits for queued work, ``generator`` is the device's random source.
    """

    name = "numpy"
    array_type: type = np.ndarray

    def __init__(self, xp: ArrayModule, place: Place) -> None:
        self.xp = xp
        self.place = place
        self._generator: Any = None
        self.seeded: int | None = None  # what its random source was seeded with

    def asarray(self, value: object, dtype: np.dtype | None = None) -> Any:
        """An array on this device (no copy where none is needed)."""
        return self.xp.asarray(value, dtype)

    def stored(self, value: object, dtype: np.dtype | None = None) -> Any:
        """A copy of ``value`` for data that lives long and is read often, such as a parameter.

        On the host it starts at a cache line: matrix-vector products of OpenBLAS run up to a quarter faster there.
        """
        source = as_array_of(value, dtype)
        array = host_memory(source.shape, source.dtype)
        array[...] = source
        return array

    def adopt(self, array: Array) -> Any:
        """Store a host array that nobody else will change: without a copy if it starts at a cache line, else as `stored` does."""
        return array if array.flags.c_contiguous and array.ctypes.data % CACHE_LINE == 0 else self.stored(array)

    def to_numpy(self, array: Array) -> np.ndarray:
        """The array on the host."""
        return array

    def synchronize(self) -> None:
        """Wait until all queued work is done."""

    def new_generator(self, seed: int | None, alone: bool = False) -> Any:
        """A fresh random source: a `Seeded` one where there is a seed, else (and where a flag says so) an `Unseeded` one.

        ``alone``: for one operator, which has a seed of its own. Paddle starts another stream for that.
        """
        if seed is None or random_flag.value != "paddle":
            return Unseeded.from_seed(seed)
        return Seeded.of_one(seed) if alone else Seeded.of_all(seed)

    @property
    def generator(self) -> Any:
        """The device's random source: `Seeded` or `Unseeded`."""
        if self._generator is None:
            self.seeded, self._generator = _seed, self.new_generator(_seed)
        return self._generator

    def seed(self, value: int) -> None:
        """Seed the device's random source."""
        self.seeded, self._generator = value, self.new_generator(value)

    @property
    def draws(self) -> Any:
        """The random source and its position in its stream; None where it does not tell."""
        return type(self.generator), self.generator.place

    @draws.setter
    def draws(self, value: Any) -> None:
        generator_kind, state = value
        if type(self._generator) is generator_kind:
            self._generator.place = state
        else:
            self._generator = generator_kind.at(state)


class CupyBackend(Backend):
    """CUDA through CuPy."""

    name = "cupy"

    def __init__(self, xp: ArrayModule, place: Place) -> None:
        super().__init__(xp, place)
        self.array_type = xp.ndarray

    def asarray(self, value: object, dtype: np.dtype | None = None) -> Any:
        with self.xp.cuda.Device(self.place.index):
            return self.xp.asarray(value, dtype)

    def stored(self, value: object, dtype: np.dtype | None = None) -> Any:
        with self.xp.cuda.Device(self.place.index):
            return self.xp.array(value, dtype)

    def adopt(self, array: Array) -> Any:
        return self.stored(array)

    def to_numpy(self, array: Array) -> np.ndarray:
        return self.xp.asnumpy(array)

    def synchronize(self) -> None:
        self.xp.cuda.Device(self.place.index).synchronize()

    def new_generator(self, seed: int | None, alone: bool = False) -> Any:
        return Unseeded(self.xp, self.xp.random.Generator(self.xp.random.XORWOW(seed)))

    draws = None  # type: ignore[assignment]


NUMPY = Backend(np, CPUPlace())
_open: dict[str, Backend] = {"cpu": NUMPY}
_by_array_type: dict[type, Backend] = {np.ndarray: NUMPY}
_current = NUMPY
_seed: int | None = None


def _open_gpu(device: str) -> Backend:
    index = _device_index(device)
    extras = "in its folder `pip install '.[gpu]'` for CUDA 12, '.[gpu13]' for CUDA 13"
    advice = f"Install to_static with the extra that fits your driver ({extras})"
    try:
        cupy = importlib.import_module("cupy")
    except ImportError as error:
        raise DeviceError(f"{device!r}: CuPy is not installed ({error}). {advice}.") from None
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except Exception as error:
        use = "`paddle.set_device('cpu')` computes without one, and `paddle.is_compiled_with_cuda()` tells whether there is one"
        raise DeviceError(f"{device!r}: no usable CUDA device ({error}); {use}") from None
    if index >= count:
        raise DeviceError(f"{device!r}: this machine has {count} CUDA device(s)")
    cupy.cuda.Device(index).use()
    return CupyBackend(cupy, CUDAPlace(index))


def _device_index(device: str) -> int:
    _, _, index = device.partition(":")
    if index and not index.isdigit():
        raise DeviceError(f"expected a device such as 'cpu' or 'gpu:0', got {device!r}")
    return int(index or 0)


# kind of device -> opener. A new kind of device is one row.
OPENERS: dict[str, Callable[[str], Backend]] = {"gpu": _open_gpu}


def get_backend(device: str | Place) -> Backend:
    """The backend of a device name ('cpu', 'gpu', 'gpu:0') or Place; opens the device on first use.

    Raises DeviceError when the name is unknown or the device is not there.
    """
    if isinstance(device, Backend):
        return device
    name = device.device if isinstance(device, Place) else device
    if not isinstance(name, str):
        raise DeviceError(f"expected a device name such as 'cpu' or 'gpu:0', got {device!r}")
    name = name.lower()
    device_type = name.partition(":")[0]
    if device_type == "cpu":
        return NUMPY
    if device_type not in OPENERS:
        meant = "; NVIDIA's are 'gpu' here, such as 'gpu:0'" if device_type == "cuda" else ""
        names = ", ".join(["'cpu'", *(f"'{k}', '{k}:0'" for k in OPENERS)])
        raise DeviceError(f"unknown device {device!r}; known: {names}{meant}")
    name = f"{device_type}:{_device_index(name)}"
    if name not in _open:
        backend = OPENERS[device_type](name)
        _open[name] = backend
        _by_array_type.setdefault(backend.array_type, backend)
    return _open[name]


def register(device: str, backend: Backend) -> None:
    """Make an already opened backend known under a device name (used for further array modules)."""
    _open[device] = backend
    OPENERS.setdefault(device.partition(":")[0], lambda name: _open[name])
    _by_array_type[backend.array_type] = backend


def backend_of(array: Any) -> Backend:
    """The backend that an array belongs to."""
    cls = type(array)
    if cls is np.ndarray:
        return NUMPY
    backend = _by_array_type.get(cls)
    if backend is not None and backend.name == "cupy":
        return get_backend(f"gpu:{array.device.id}")
    if backend is None:
        if isinstance(array, (np.ndarray, np.generic)):
            return NUMPY
        if isinstance(array, (list, tuple, bool, int, float, complex)):  # of `paddle.Tensor([1.0])`
            advice = "`paddle.to_tensor(...)` makes a tensor of numbers, where `paddle.Tensor(...)` only takes an array"
            raise TypeError(f"expected a tensor of an array, got one of a {type(array).__name__}: {advice}")
        raise DeviceError(f"expected an array of an open device, got {type(array).__name__}")
    return backend


def set_device(device: str | Place) -> Place:
    """Make ``device`` ('cpu', 'gpu:0' or a Place) the default for new tensors; returns its Place.

    Raises DeviceError for a device that is not there.

    Example:
        >>> paddle.set_device("cpu")
        Place(cpu)
    """
    global _current
    _current = get_backend(device)
    epoch[0] += 1
    if _current.place.is_gpu_place():
        _current.xp.cuda.Device(_current.place.index).use()
    return _current.place


def get_device() -> str:
    """Name of the default device: 'cpu' or 'gpu:0'.

    Example:
        >>> paddle.get_device()
        'cpu'
    """
    return _current.place.device


def current() -> Backend:
    """The backend of the default device."""
    return _current


def is_compiled_with_cuda() -> bool:
    """Return whether there is a GPU to use, for ``set_device("gpu")``. CuPy alone, without one, is not enough.

    Example:
        >>> paddle.set_device("gpu" if paddle.is_compiled_with_cuda() else "cpu")
        Place(cpu)
    """
    if importlib.util.find_spec("cupy") is None:
        return False
    try:
        return get_backend("gpu").place.is_gpu_place()
    except DeviceError:
        return False


def seed(value: int) -> None:
    """Seed the random source of every device (and of those opened later)."""
    global _seed
    _seed = int(value)
    for backend in _open.values():
        backend.seed(_seed)
