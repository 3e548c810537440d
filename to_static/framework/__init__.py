"""Saving and loading states and other nested data (Paddle's ``paddle.save``, ``paddle.load``), and the state of the framework."""

from typing import Any

from to_static.compiler.eager.grad_mode import no_grad
from to_static.compiler.eager.tape import grad
from to_static.compiler.ir.default_dtype import set_default_dtype
from to_static.core.backend import CPUPlace, CUDAPlace
from to_static.core.diagnostics.missing_names import of_module
from to_static.core.dtypes import get_default_dtype
from to_static.core.flags import get_flags, set_flags
from to_static.core.importing.paddle_module_aliases import names_around
from to_static.core.unavailable_devices import CustomPlace, IPUPlace, XPUPlace
from to_static.framework import core
from to_static.framework.dygraph import (
    EagerParamBase,  # noqa: F401  (like `_stride_...`)
    VarDesc,
    VarType,
    _create_tensor,  # noqa: F401
    _dygraph_tracer,  # noqa: F401
    _no_check_dy2st_diff,  # noqa: F401
    _stride_in_no_check_dy2st_diff,  # noqa: F401  (`base.framework` of Paddle has it)
    _to_static_mode_guard_,  # noqa: F401
    convert_np_dtype_to_dtype_,
    disable_signal_handler,
    enabled,
    get_cuda_device_count,
    guard,
    in_dygraph_mode,
    is_parameter,
    is_persistable,
    param_guard,  # noqa: F401
    program_desc_tracing_guard,  # noqa: F401
    to_variable,
)
from to_static.framework.io import load, save
from to_static.framework.modes import (
    _current_expected_place,  # noqa: F401
    _current_expected_place_,  # noqa: F401
    dygraph_only,
    in_declarative_mode,
    in_dynamic_mode,
    in_dynamic_or_pir_mode,
    in_pir_mode,
    in_to_static_mode,
    use_pir_api,
)
from to_static.framework.seeding import get_cuda_rng_state, get_rng_state, seed, set_cuda_rng_state, set_rng_state
from to_static.nn.parameter import ParamAttr, Parameter

__all__ = [
    "CPUPlace", "CUDAPlace", "CustomPlace", "IPUPlace", "ParamAttr", "Parameter", "VarDesc", "VarType", "XPUPlace",
    "convert_np_dtype_to_dtype_", "core", "disable_signal_handler", "dygraph_only", "enabled", "get_cuda_device_count",
    "get_cuda_rng_state",
    "get_default_dtype", "get_flags", "get_rng_state", "grad", "guard", "in_declarative_mode",
    "in_dygraph_mode", "in_dynamic_mode", "in_dynamic_or_pir_mode", "in_pir_mode", "in_to_static_mode", "is_parameter",
    "is_persistable", "load", "no_grad", "save", "seed",
    "set_cuda_rng_state", "set_default_dtype", "set_flags", "set_rng_state", "to_variable", "use_pir_api",
]  # fmt: skip

_around = names_around(__name__)


def __getattr__(name: str) -> Any:
    """Paddle's framework has names of static mode, too (`IrGraph`, `Block`): the table of Paddle's modules says where they are."""
    try:
        return _around(name)
    except AttributeError:
        raise of_module(__name__, name) from None
