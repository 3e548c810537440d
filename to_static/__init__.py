"""to_static: ordinary Python models as static Programs, on NumPy or CuPy. The public names are those of PaddlePaddle 2.6.

Names are looked up when they are first used, so that importing this package costs little more than importing NumPy.

Example:
    >>> import to_static as paddle
    >>> @paddle.jit.to_static
    ... def f(x):
    ...     return x * 2 if x.sum() > 0 else -x
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

from to_static.compiler import eager, ops  # noqa: F401  (the mode that every thread starts with, and the vocabulary)
from to_static.compiler.eager.grad_mode import is_grad_enabled
from to_static.compiler.ir import registry
from to_static.compiler.ir.default_dtype import set_default_dtype
from to_static.compiler.ir.main_block import set_main_block
from to_static.core.diagnostics.excepthook import show_without_ours
from to_static.core.diagnostics.missing_names import of_module
from to_static.core.dtypes import DType as dtype
from to_static.core.dtypes import (
    bfloat16,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    get_default_dtype,
    int8,
    int16,
    int32,
    int64,
    uint8,
)
from to_static.core.dtypes import bool_ as bool
from to_static.core.errors import ToStaticError
from to_static.core.importing.moved_modules import install as install_moved_modules
from to_static.core.importing.paddle_module_aliases import inner_module
from to_static.core.release import RELEASE

__version__ = RELEASE


def _main_block() -> object:
    from to_static.static.program import default_main_program  # few programs need it

    return default_main_program().global_block()


show_without_ours()
install_moved_modules()
set_main_block(_main_block)

_PACKAGES = (
    "amp audio autograd base batch callbacks core device distributed distribution fft framework geometric hapi hub "
    "incubate inference io jit linalg metric nn onnx optimizer profiler quantization regularizer signal sparse static "
    "sysconfig text utils version vision"
)
_HOMES = {
    "to_static.core.importing.paddle_import_hook": "install_as_paddle",
    "to_static.core.backend": "CPUPlace CUDAPinnedPlace CUDAPlace get_device is_compiled_with_cuda set_device",
    "to_static.core.unavailable_devices": "CustomPlace",
    "to_static.distributed.parallel": "DataParallel",
    "to_static.compiler.tuning": "tune",
    "to_static.hapi.flops": "flops",
    "to_static.hapi.model": "Model",
    "to_static.hapi.summary": "summary",
    "to_static.core.flags": "get_flags set_flags",
    "to_static.core.finfo": "finfo iinfo",
    "to_static.device": (
        "get_cudnn_version is_compiled_with_cinn is_compiled_with_custom_device is_compiled_with_distribute is_compiled_with_ipu "
        "is_compiled_with_rocm is_compiled_with_xpu"
    ),
    "to_static.compiler.eager.grad_mode": "enable_grad no_grad set_grad_enabled",
    "to_static.compiler.eager.printing": "set_printoptions",
    "to_static.compiler.eager.tape": "grad",
    "to_static.framework": "load save",
    "to_static.framework.dygraph": "disable_signal_handler",
    "to_static.framework.modes": "in_dynamic_mode",
    "to_static.framework.seeding": "get_cuda_rng_state get_rng_state seed set_cuda_rng_state set_rng_state",
    "to_static.nn.lazy_guard": "LazyGuard",
    "to_static.nn.parameter": "ParamAttr create_parameter",
    "to_static.static.mode": "disable_static enable_static",
    "to_static.inference.load_predictor": "load_predictor",
    "to_static.jit.api": "to_static",
    # operators; modules are written by python -m tests.compiler.ops.record_homes
    "to_static.compiler.ops.control.control": "assign clone",
    "to_static.compiler.ops.dtype_queries": "broadcast_shape is_complex is_floating_point is_integer tolist",
    "to_static.compiler.ops.indexing.along_axis": "index_sample put_along_axis take_along_axis",
    "to_static.compiler.ops.indexing.functional_scatter": "diagonal_scatter index_fill select_scatter",
    "to_static.compiler.ops.indexing.gather": "gather gather_nd index_add index_select scatter scatter_nd scatter_nd_add "
    "take",
    "to_static.compiler.ops.indexing.index": "index_put",
    "to_static.compiler.ops.indexing.masked": "masked_fill masked_select",
    "to_static.compiler.ops.indexing.mode": "mode",
    "to_static.compiler.ops.indexing.sort": "argmax argmin argsort bucketize kthvalue searchsorted sort topk unique "
    "unique_consecutive",
    "to_static.compiler.ops.indexing.where": "nonzero where",
    "to_static.compiler.ops.linalg.decompose": "eigvalsh",
    "to_static.compiler.ops.linalg.einsum": "einsum",
    "to_static.compiler.ops.linalg.matmul": "addmm bmm dot inner kron matmul mm mv outer",
    "to_static.compiler.ops.linalg.solve": "cholesky inverse",
    "to_static.compiler.ops.pointwise.bessel": "i0 i0e i1 i1e",
    "to_static.compiler.ops.pointwise.binary_special": "atan2 gcd heaviside hypot lcm logaddexp",
    "to_static.compiler.ops.pointwise.compare": "allclose equal equal_all greater_equal greater_than isclose less_equal "
    "less_than not_equal",
    "to_static.compiler.ops.pointwise.complex": "angle as_complex as_real complex conj imag polar real sgn",
    "to_static.compiler.ops.pointwise.elementwise": "add divide floor_divide floor_mod mod multiply remainder subtract",
    "to_static.compiler.ops.pointwise.exponents": "frexp ldexp nextafter",
    "to_static.compiler.ops.pointwise.gamma": "digamma lgamma multigammaln polygamma",
    "to_static.compiler.ops.pointwise.logic": "bitwise_and bitwise_not bitwise_or bitwise_xor isfinite isinf isnan "
    "logical_and logical_not logical_or logical_xor",
    "to_static.compiler.ops.pointwise.min_max": "fmax fmin maximum minimum",
    "to_static.compiler.ops.pointwise.power": "pow",
    "to_static.compiler.ops.pointwise.scale": "add_n clip frac increment lerp logit multiplex nan_to_num scale stanh",
    "to_static.compiler.ops.pointwise.special": "erf erfinv",
    "to_static.compiler.ops.pointwise.unary": "abs acos acosh asin asinh atan atanh ceil cos cosh deg2rad exp expm1 floor "
    "log log10 log1p log2 neg rad2deg reciprocal round rsqrt sign sin sinh sqrt "
    "square tan tanh trunc",
    "to_static.compiler.ops.random.random": "bernoulli multinomial normal rand randint randint_like randn randperm "
    "standard_normal uniform",
    "to_static.compiler.ops.random.samplers": "poisson",
    "to_static.compiler.ops.reductions.distances": "cdist renorm",
    "to_static.compiler.ops.reductions.norms": "cross dist norm",
    "to_static.compiler.ops.reductions.reduce": "all amax amin any logsumexp max mean min sum",
    "to_static.compiler.ops.reductions.scan": "cummax cummin cumprod cumsum logcumsumexp prod",
    "to_static.compiler.ops.reductions.statistics": "bincount count_nonzero histogram median nanmean nanmedian "
    "nanquantile nansum quantile std var",
    "to_static.compiler.ops.reductions.trapezoids": "cumulative_trapezoid trapezoid",
    "to_static.compiler.ops.shapes.atleast_nd": "atleast_1d atleast_2d atleast_3d",
    "to_static.compiler.ops.shapes.combinations": "combinations vander",
    "to_static.compiler.ops.shapes.concat_split": "chunk concat hstack meshgrid row_stack split stack unbind unstack "
    "vsplit vstack",
    "to_static.compiler.ops.shapes.create": "cast empty empty_like full full_like is_tensor ones ones_like to_tensor "
    "zeros zeros_like",
    "to_static.compiler.ops.shapes.diagonal": "diag diag_embed diagflat diagonal trace tril tril_indices triu "
    "triu_indices",
    "to_static.compiler.ops.shapes.expand": "broadcast_tensors broadcast_to expand expand_as repeat_interleave tile",
    "to_static.compiler.ops.shapes.flip_roll": "flip reverse roll rot90",
    "to_static.compiler.ops.shapes.reshape": "flatten moveaxis reshape squeeze t transpose unflatten unsqueeze view "
    "view_as",
    "to_static.compiler.ops.shapes.sequence": "arange eye linspace logspace",
    "to_static.compiler.ops.shapes.shard_index": "shard_index",
    "to_static.compiler.ops.shapes.sizes": "is_empty numel rank shape",
    "to_static.compiler.ops.shapes.slice_functions": "crop diff slice strided_slice tensordot",
    "to_static.compiler.ops.shapes.strided": "as_strided unfold",
}
_INPLACE = (
        "abs_ acos_ acosh_ addmm_ asin_ asinh_ atan_ atanh_ bitwise_and_ bitwise_not_ bitwise_or_ "
        "bitwise_xor_ cast_ cauchy_ cos_ cosh_ cumprod_ cumsum_ digamma_ divide_ equal_ erf_ expm1_ "
        "floor_divide_ floor_mod_ frac_ gcd_ geometric_ greater_equal_ greater_than_ hypot_ i0_ index_add_ "
        "index_fill_ index_put_ lcm_ ldexp_ less_equal_ less_than_ lgamma_ log10_ log1p_ log2_ log_ "
        "logical_and_ logical_not_ logical_or_ logical_xor_ logit_ masked_fill_ mod_ multigammaln_ multiply_ "
        "nan_to_num_ neg_ normal_ not_equal_ polygamma_ pow_ remainder_ renorm_ reshape_ scatter_ sin_ sinh_ "
        "square_ squeeze_ t_ tan_ tanh_ transpose_ tril_ triu_ trunc_ unsqueeze_ where_"
)
_WHERE = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "Tensor", "ToStaticError", "bfloat16", "bool", "complex128", "complex64", "dtype", "float16", "float32", "float64",
    "get_default_dtype", "int16", "int32", "int64", "int8", "is_grad_enabled", "set_default_dtype", "uint8",
    *_PACKAGES.split(), *_WHERE, *_INPLACE.split(),
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        value = getattr(importlib.import_module(_WHERE[name]), name)
    elif name == "paddle":  # as `paddle.paddle` is: importing parts of a package by its name leaves it there
        value = sys.modules[__name__]
    elif name in _PACKAGES.split() or name in ("_C_ops", "_legacy_C_ops"):
        value = importlib.import_module(f"to_static.{name}")
    elif name == "__git_commit__":
        value = importlib.import_module("to_static.version").commit
    elif name == "Tensor" or name in _INPLACE.split():
        registry.load_all()  # so that the class has all its methods
        from to_static.compiler.eager.tensor import EagerTensor

        value = EagerTensor if name == "Tensor" else getattr(EagerTensor, name)
    else:
        value = inner_module(__name__, name)
        if value is None:
            raise of_module(__name__, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
