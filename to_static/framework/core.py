"""Names of Paddle's C++ core: its tensor class, and further names around it."""

from __future__ import annotations

import enum
from typing import Any

from to_static.compiler.eager.tensor import EagerTensor
from to_static.compiler.formats.paddle.operators.c_ops_signatures import legacy
from to_static.core.backend import CPUPlace
from to_static.core.errors import ModeError
from to_static.core.importing.paddle_module_aliases import names_around
from to_static.device import cuda
from to_static.framework.generator import Generator
from to_static.framework.lod_tensor import LoDTensor, LoDTensorArray
from to_static.framework.seeding import default_cpu_generator

__all__ = [
    "EOFException", "Generator", "GraphPyClient", "GraphPyServer", "LoDTensor", "LoDTensorArray", "OpRole", "Place", "Tensor",
    "default_cpu_generator", "default_cuda_generator", "default_custom_device_generator", "device_memory_stat_current_value",
    "device_memory_stat_peak_value", "eager", "get_custom_device_count", "op_proto_and_checker_maker", "set_prim_eager_enabled",
]  # fmt: skip

Tensor = LoDTensor


class Place:
    """A place that is told later which one it is: ``place.set_place(tensor.place)``."""

    def __init__(self) -> None:
        self._place: Any = CPUPlace()

    def set_place(self, place: Any) -> None:
        """Be that place."""
        self._place = place

    def __getattr__(self, name: str) -> Any:
        return getattr(self._place, name)


class OpRole(enum.IntEnum):
    """The purpose of an operator in a training Program."""

    Forward, Backward, Optimize, RPC, Dist, LRSched, Loss, OptimizeLRSched = 0, 1, 2, 4, 8, 16, 256, 18


class op_proto_and_checker_maker:
    """The namespace in which Paddle has `OpRole`, and the names of attributes for it."""

    OpRole = OpRole

    @staticmethod
    def kOpRoleAttrName() -> str:
        """The attribute that has the role."""
        return "op_role"

    @staticmethod
    def kOpRoleVarAttrName() -> str:
        """The attribute that has names of parameters and gradients."""
        return "op_role_var"

    @staticmethod
    def kOpDeviceAttrName() -> str:
        """The attribute that has the device."""
        return "op_device"


class _Legacy:
    """Operators by the names of files, as ``paddle._legacy_C_ops`` has them."""

    def __getattr__(self, name: str) -> Any:
        operator = None if name.startswith("__") else legacy(name)
        if operator is None:
            raise AttributeError(f"there is no operator {name!r}", name=name, obj=self)
        return operator


class eager:
    """The namespace in which Paddle's core has dynamic tensors and the user's C++ operators."""

    Tensor = EagerTensor

    class ops:
        """Operators by the names of files, in ``legacy``; those of the user's in C++: there are none."""

        legacy = _Legacy()

    @staticmethod
    def _run_custom_op(name: str, *args: Any) -> Any:
        """Raises ModeError: there are no operators in C++."""
        raise ModeError(f"operator {name!r} is one in C++, which can't be loaded here: write it in Python (`autograd.PyLayer`)")


def set_prim_eager_enabled(enabled: bool) -> None:
    """Nothing: gradients of operators here are made of operators with gradients, always."""


_set_prim_all_enabled = _set_prim_forward_enabled = _set_prim_backward_enabled = set_prim_eager_enabled


def get_custom_device_count(device_type: str) -> int:
    """0: there are no plugged-in devices."""
    return 0


def device_memory_stat_current_value(stat_type: str, device_id: int) -> int:
    """Bytes that a GPU has given out (``stat_type`` 'Allocated') or holds ('Reserved')."""
    return cuda.memory_allocated(device_id) if stat_type == "Allocated" else cuda.memory_reserved(device_id)


def device_memory_stat_peak_value(stat_type: str, device_id: int) -> int:
    """The most bytes that there were of it."""
    return cuda.max_memory_allocated(device_id) if stat_type == "Allocated" else cuda.max_memory_reserved(device_id)


def default_cuda_generator(device_id: int = 0) -> Generator:
    """The generator of random numbers: there is one for all devices."""
    return default_cpu_generator()


def default_custom_device_generator(place: Any = None) -> Generator:
    """The generator of random numbers: there is one for all devices."""
    return default_cpu_generator()


class GraphPyClient:
    """Raises ModeError: graphs on parameter servers can't be reached here."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise ModeError(f"{type(self).__name__} needs Paddle's parameter servers, which are not here; keep the graph in arrays")


class GraphPyServer(GraphPyClient):
    """Raises ModeError, too."""


class EOFException(Exception):
    """A reader that was started has no more batches."""


__getattr__ = names_around(__name__)
