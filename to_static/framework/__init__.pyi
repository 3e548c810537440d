"""Made by `make stubs` from the tables of `__init__.py`, for editors and type checkers. Do not edit."""
# mypy: disable-error-code="override"

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from to_static.compiler.eager.grad_mode import no_grad as no_grad
from to_static.compiler.eager.tape import grad as grad
from to_static.compiler.ir.default_dtype import set_default_dtype as set_default_dtype
from to_static.core.backend import CPUPlace as CPUPlace
from to_static.core.backend import CUDAPlace as CUDAPlace
from to_static.core.dtypes import get_default_dtype as get_default_dtype
from to_static.core.flags import get_flags as get_flags
from to_static.core.flags import set_flags as set_flags
from to_static.core.unavailable_devices import CustomPlace as CustomPlace
from to_static.core.unavailable_devices import IPUPlace as IPUPlace
from to_static.core.unavailable_devices import XPUPlace as XPUPlace
from to_static.core.var_type import VarDesc as VarDesc
from to_static.core.var_type import VarType as VarType
from to_static.framework import core as core
from to_static.framework import dygraph as dygraph
from to_static.framework import generator as generator
from to_static.framework import io as io
from to_static.framework import lod_tensor as lod_tensor
from to_static.framework import modes as modes
from to_static.framework import seeding as seeding
from to_static.framework.dygraph import convert_np_dtype_to_dtype_ as convert_np_dtype_to_dtype_
from to_static.framework.dygraph import disable_signal_handler as disable_signal_handler
from to_static.framework.dygraph import get_cuda_device_count as get_cuda_device_count
from to_static.framework.dygraph import guard as guard
from to_static.framework.dygraph import is_parameter as is_parameter
from to_static.framework.dygraph import is_persistable as is_persistable
from to_static.framework.dygraph import to_variable as to_variable
from to_static.framework.io import load as load
from to_static.framework.io import save as save
from to_static.framework.modes import dygraph_only as dygraph_only
from to_static.framework.modes import in_declarative_mode as in_declarative_mode
from to_static.framework.modes import in_dynamic_mode as in_dynamic_mode
from to_static.framework.modes import in_pir_mode as in_pir_mode
from to_static.framework.modes import use_pir_api as use_pir_api
from to_static.framework.seeding import get_cuda_rng_state as get_cuda_rng_state
from to_static.framework.seeding import get_rng_state as get_rng_state
from to_static.framework.seeding import seed as seed
from to_static.framework.seeding import set_cuda_rng_state as set_cuda_rng_state
from to_static.framework.seeding import set_rng_state as set_rng_state
from to_static.nn.parameter import ParamAttr as ParamAttr
from to_static.nn.parameter import Parameter as Parameter

def enabled() -> bool:
    """True while operators run at once."""
def in_dygraph_mode() -> bool:
    """True while operators run at once."""
def in_dynamic_or_pir_mode() -> bool:
    """True while operators run at once."""
def in_to_static_mode() -> bool:
    """True while ``to_static`` traces a function."""

__all__ = ["CPUPlace", "CUDAPlace", "CustomPlace", "IPUPlace", "ParamAttr", "Parameter", "VarDesc", "VarType", "XPUPlace", "convert_np_dtype_to_dtype_", "core", "disable_signal_handler", "dygraph_only", "enabled", "get_cuda_device_count", "get_cuda_rng_state", "get_default_dtype", "get_flags", "get_rng_state", "grad", "guard", "in_declarative_mode", "in_dygraph_mode", "in_dynamic_mode", "in_dynamic_or_pir_mode", "in_pir_mode", "in_to_static_mode", "is_parameter", "is_persistable", "load", "no_grad", "save", "seed", "set_cuda_rng_state", "set_default_dtype", "set_flags", "set_rng_state", "to_variable", "use_pir_api"]
