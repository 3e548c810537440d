"""Saving and loading states and other nested data (Paddle's ``paddle.save``, ``paddle.load``), and the state of the framework."""

from to_static.core.backend import CPUPlace, CUDAPlace
from to_static.core.dtypes import get_default_dtype
from to_static.core.flags import get_flags, set_flags
from to_static.core.missing import names_missing
from to_static.eager.grad_mode import no_grad
from to_static.eager.tape import grad
from to_static.framework.io import load, save
from to_static.framework.modes import in_dynamic_mode, in_dynamic_or_pir_mode, in_pir_mode, use_pir_api
from to_static.framework.seeding import seed
from to_static.ir.default_dtype import set_default_dtype
from to_static.nn.parameter import ParamAttr

__all__ = [
    "CPUPlace", "CUDAPlace", "ParamAttr", "get_default_dtype", "get_flags", "grad", "in_dynamic_mode", "in_dynamic_or_pir_mode",
    "in_pir_mode", "load", "no_grad", "save", "seed", "set_default_dtype", "set_flags", "use_pir_api",
]  # fmt: skip

__getattr__ = names_missing(__name__)
