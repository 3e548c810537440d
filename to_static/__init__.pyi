"""Made by `make stubs` from the tables of `__init__.py`, for editors and type checkers. Do not edit."""
# mypy: disable-error-code="override"

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, overload
from builtins import bool as _bool
from builtins import complex as _complex
from builtins import slice as _slice

from to_static import _C_ops as _C_ops
from to_static import amp as amp
from to_static import audio as audio
from to_static import autograd as autograd
from to_static import base as base
from to_static import batch as batch
from to_static import callbacks as callbacks
from to_static import core as core
from to_static import device as device
from to_static import distributed as distributed
from to_static import distribution as distribution
from to_static import fft as fft
from to_static import framework as framework
from to_static import geometric as geometric
from to_static import hapi as hapi
from to_static import hub as hub
from to_static import incubate as incubate
from to_static import inference as inference
from to_static import io as io
from to_static import jit as jit
from to_static import linalg as linalg
from to_static import metric as metric
from to_static import nn as nn
from to_static import onnx as onnx
from to_static import optimizer as optimizer
from to_static import profiler as profiler
from to_static import quantization as quantization
from to_static import regularizer as regularizer
from to_static import signal as signal
from to_static import sparse as sparse
from to_static import static as static
from to_static import sysconfig as sysconfig
from to_static import text as text
from to_static import utils as utils
from to_static import version as version
from to_static import vision as vision
from to_static.compiler.eager.grad_mode import enable_grad as enable_grad
from to_static.compiler.eager.grad_mode import is_grad_enabled as is_grad_enabled
from to_static.compiler.eager.grad_mode import no_grad as no_grad
from to_static.compiler.eager.grad_mode import set_grad_enabled as set_grad_enabled
from to_static.compiler.eager.printing import set_printoptions as set_printoptions
from to_static.compiler.eager.tape import grad as grad
from to_static.compiler.eager.tensor import EagerTensor as _EagerTensor
from to_static.compiler.ir.default_dtype import set_default_dtype as set_default_dtype
from to_static.compiler.ops.dtype_queries import broadcast_shape as broadcast_shape
from to_static.compiler.ops.dtype_queries import tolist as tolist
from to_static.compiler.ops.shapes.concat_split import hstack as hstack
from to_static.compiler.ops.shapes.concat_split import vstack as vstack
from to_static.compiler.ops.shapes.create import empty_like as empty_like
from to_static.compiler.ops.shapes.diagonal import triu_indices as triu_indices
from to_static.compiler.tuning import tune as tune
from to_static.core.backend import CPUPlace as CPUPlace
from to_static.core.backend import CUDAPinnedPlace as CUDAPinnedPlace
from to_static.core.backend import CUDAPlace as CUDAPlace
from to_static.core.backend import get_device as get_device
from to_static.core.backend import is_compiled_with_cuda as is_compiled_with_cuda
from to_static.core.backend import set_device as set_device
from to_static.core.dtypes import DType as dtype
from to_static.core.dtypes import get_default_dtype as get_default_dtype
from to_static.core.errors import ToStaticError as ToStaticError
from to_static.core.finfo import finfo as finfo
from to_static.core.finfo import iinfo as iinfo
from to_static.core.flags import get_flags as get_flags
from to_static.core.flags import set_flags as set_flags
from to_static.core.importing.paddle_import_hook import install_as_paddle as install_as_paddle
from to_static.core.unavailable_devices import CustomPlace as CustomPlace
from to_static.device import get_cudnn_version as get_cudnn_version
from to_static.device import is_compiled_with_cinn as is_compiled_with_cinn
from to_static.device import is_compiled_with_custom_device as is_compiled_with_custom_device
from to_static.device import is_compiled_with_distribute as is_compiled_with_distribute
from to_static.device import is_compiled_with_ipu as is_compiled_with_ipu
from to_static.device import is_compiled_with_rocm as is_compiled_with_rocm
from to_static.device import is_compiled_with_xpu as is_compiled_with_xpu
from to_static.distributed.parallel import DataParallel as DataParallel
from to_static.framework import load as load
from to_static.framework import save as save
from to_static.framework.dygraph import disable_signal_handler as disable_signal_handler
from to_static.framework.modes import in_dynamic_mode as in_dynamic_mode
from to_static.framework.seeding import get_cuda_rng_state as get_cuda_rng_state
from to_static.framework.seeding import get_rng_state as get_rng_state
from to_static.framework.seeding import seed as seed
from to_static.framework.seeding import set_cuda_rng_state as set_cuda_rng_state
from to_static.framework.seeding import set_rng_state as set_rng_state
from to_static.hapi.flops import flops as flops
from to_static.hapi.model import Model as Model
from to_static.hapi.summary import summary as summary
from to_static.inference.load_predictor import load_predictor as load_predictor
from to_static.nn.lazy_guard import LazyGuard as LazyGuard
from to_static.nn.parameter import create_parameter as create_parameter
from to_static.nn.parameter import ParamAttr as ParamAttr
from to_static.static.mode import disable_static as disable_static
from to_static.static.mode import enable_static as enable_static

__version__: str
def abs(x: Tensor, name: str | None = None) -> Tensor:
    """The absolute value (of complex numbers, too: a real one)."""
def abs_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `abs`, with the same arguments and errors: ``x`` holds the result and is returned."""
def acos(x: Tensor, name: str | None = None) -> Tensor:
    """The inverse cosine. Integers become float32."""
def acos_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `acos`, with the same arguments and errors: ``x`` holds the result and is returned."""
def acosh(x: Tensor, name: str | None = None) -> Tensor:
    """The inverse hyperbolic cosine. Integers become float32."""
def acosh_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `acosh`, with the same arguments and errors: ``x`` holds the result and is returned."""
def add(x: Tensor | float, y: Tensor | float, name: str | None = None) -> Tensor:
    """``x + y``, elementwise with broadcasting."""
def add_n(inputs: Sequence[Any], name: str | None = None) -> Tensor:
    """The sum of a list of tensors (or the one tensor given)."""
def addmm(input: Tensor, x: Tensor, y: Tensor, beta: float = 1.0, alpha: float = 1.0, name: str | None = None) -> Tensor:
    """``beta * input + alpha * (x @ y)``, of matrices; ``input`` is broadcast. Raises ShapeError for other ranks."""
def addmm_(input: Tensor, x: Tensor, y: Tensor, beta: float = 1.0, alpha: float = 1.0, name: str | None = None) -> Tensor:
    """In-place form of `addmm`, with the same arguments and errors: ``x`` holds the result and is returned."""
def all(x: Tensor, axis: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
    """Whether all elements are true (not zero)."""
def allclose(x: Tensor, y: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: _bool = False, name: str | None = None) -> Tensor:
    """True if ``|x - y| <= atol + rtol * |y|`` everywhere, as a 0-D boolean tensor."""
def amax(x: Tensor, axis: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
    """The maximum; elements equal to it share its gradient."""
def amin(x: Tensor, axis: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
    """The minimum; elements equal to it share its gradient."""
def angle(x: Tensor, name: str | None = None) -> Tensor:
    """The angles of complex numbers, between -pi and pi; of real ones 0 or pi."""
def any(x: Tensor, axis: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
    """Whether any element is true (not zero)."""
def arange(start: Tensor | float = 0, end: Tensor | float | None = None, step: Tensor | float = 1, dtype: Any = None, name: str | None = None) -> Tensor:
    """Numbers from ``start`` (default 0) up to, not including, ``end`` in steps of ``step``."""
def argmax(x: Tensor, axis: int | None = None, keepdim: _bool = False, dtype: Any = 'int64', name: str | None = None) -> Tensor:
    """Position of the (first) maximum."""
def argmin(x: Tensor, axis: int | None = None, keepdim: _bool = False, dtype: Any = 'int64', name: str | None = None) -> Tensor:
    """Position of the (first) minimum."""
def argsort(x: Tensor, axis: int = -1, descending: _bool = False, name: str | None = None) -> Tensor:
    """The positions that sort ``x`` along ``axis``, int64; equal elements keep their order."""
def as_complex(x: Tensor, name: str | None = None) -> Tensor:
    """Pairs in the last dimension, ``[..., 2]``, as complex numbers ``[...]``. Raises ShapeError, or DTypeError for no floats."""
def as_real(x: Tensor, name: str | None = None) -> Tensor:
    """Complex numbers ``[...]`` as pairs ``[..., 2]``. Raises DTypeError for tensors that are not complex."""
def as_strided(x: Any, shape: Any, stride: Any, offset: int = 0, name: str | None = None) -> Tensor:
    """Elements of ``x``, counted row by row: at ``[i, j, ...]`` is number ``offset + i * stride[0] + j * stride[1] + ...``."""
def asin(x: Tensor, name: str | None = None) -> Tensor:
    """The inverse sine. Integers become float32."""
def asin_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `asin`, with the same arguments and errors: ``x`` holds the result and is returned."""
def asinh(x: Tensor, name: str | None = None) -> Tensor:
    """The inverse hyperbolic sine. Integers become float32."""
def asinh_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `asinh`, with the same arguments and errors: ``x`` holds the result and is returned."""
def assign(x: Tensor, output: Any = None) -> Tensor:
    """A copy of ``x`` (a tensor, array, number or nested list); gradients flow through it."""
def atan(x: Tensor, name: str | None = None) -> Tensor:
    """The inverse tangent. Integers become float32."""
def atan2(x: Tensor | float, y: Tensor | float, name: str | None = None) -> Tensor:
    """The angle of the point (y, x) given as ``atan2(y, x)``, elementwise with broadcasting; of integers in float64."""
def atan_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `atan`, with the same arguments and errors: ``x`` holds the result and is returned."""
def atanh(x: Tensor, name: str | None = None) -> Tensor:
    """The inverse hyperbolic tangent. Integers become float32."""
def atanh_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `atanh`, with the same arguments and errors: ``x`` holds the result and is returned."""
def atleast_1d(*inputs: Any, name: str | None = None) -> Tensor | list[Tensor]:
    """The tensors (or what makes tensors), those of fewer than 1 dimensions with more of size 1: a number becomes [1]."""
def atleast_2d(*inputs: Any, name: str | None = None) -> Tensor | list[Tensor]:
    """The tensors (or what makes tensors), those of fewer than 2 dimensions with more of size 1: [N] becomes [1, N]."""
def atleast_3d(*inputs: Any, name: str | None = None) -> Tensor | list[Tensor]:
    """The tensors (or what makes tensors), those of fewer than 3 dimensions with more of size 1: [N] becomes [1, N, 1], and [M, N] becomes [M, N, 1]."""
def bernoulli(x: Tensor, name: str | None = None) -> Tensor:
    """1 with the probability that ``x`` holds, else 0, elementwise; the dtype of ``x``."""
bfloat16: Any
def bincount(x: Tensor, weights: Tensor | None = None, minlength: int = 0, name: str | None = None) -> Tensor:
    """Count how often each number 0, 1, ... occurs in a 1-D integer tensor (or the sums of their ``weights``)."""
def bitwise_and(x: Tensor, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
    """``x & y``: integers or booleans of one dtype."""
def bitwise_and_(x: Tensor, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
    """In-place form of `bitwise_and`, with the same arguments and errors: ``x`` holds the result and is returned."""
def bitwise_not(x: Tensor, out: Any = None, name: str | None = None) -> Tensor:
    """``~x``: each bit flipped; for booleans, not."""
def bitwise_not_(x: Tensor, out: Any = None, name: str | None = None) -> Tensor:
    """In-place form of `bitwise_not`, with the same arguments and errors: ``x`` holds the result and is returned."""
def bitwise_or(x: Tensor, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
    """``x | y``: integers or booleans of one dtype."""
def bitwise_or_(x: Tensor, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
    """In-place form of `bitwise_or`, with the same arguments and errors: ``x`` holds the result and is returned."""
def bitwise_xor(x: Tensor, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
    """``x ^ y``: integers or booleans of one dtype."""
def bitwise_xor_(x: Tensor, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
    """In-place form of `bitwise_xor`, with the same arguments and errors: ``x`` holds the result and is returned."""
def bmm(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """The product of two batches of matrices, [b, m, k] and [b, k, n]. Raises ShapeError for other shapes."""
bool: dtype
def broadcast_tensors(input: Any, name: str | None = None) -> list[Tensor]:
    """The tensors, each broadcast to the shape that all of them have together; a list."""
def broadcast_to(x: Tensor, shape: Tensor | Sequence[Tensor | int], name: str | None = None) -> Tensor:
    """``x`` broadcast to ``shape`` (see `expand`)."""
def bucketize(x: Tensor, sorted_sequence: Tensor, out_int32: _bool = False, right: _bool = False, name: str | None = None) -> Tensor:
    """The bucket of each element of ``x`` among sorted boundaries (see `searchsorted`)."""
def cast(x: Tensor, dtype: Any) -> Tensor:
    """``x`` converted to ``dtype``, a copy in any case; gradients flow between floating types."""
def cast_(x: Tensor, dtype: Any) -> Tensor:
    """In-place form of `cast`, with the same arguments and errors: ``x`` holds the result and is returned."""
def cauchy_(x: Tensor, loc: Any = 0, scale: Any = 1, name: str | None = None) -> Tensor:
    """Fill ``x`` with numbers drawn from the Cauchy distribution of centre ``loc`` and width ``scale``."""
def cdist(x: Tensor, y: Any, p: float = 2.0, compute_mode: str = 'use_mm_for_euclid_dist_if_necessary', name: str | None = None) -> Tensor:
    """The ``p``-norms of the differences of each row of ``x`` [*, P, M] and each of ``y`` [*, R, M]: [*, P, R]."""
def ceil(x: Tensor, name: str | None = None) -> Tensor:
    """The smallest whole number not below ``x``. Integers become float32."""
def cholesky(x: Tensor, upper: _bool = False, name: str | None = None) -> Tensor:
    """The lower (or upper) triangular factor of symmetric positive definite matrices: ``out @ out.T = x``."""
def chunk(x: Tensor, chunks: int, axis: Tensor | int = 0, name: str | None = None) -> list[Tensor]:
    """``x`` cut along ``axis`` into ``chunks`` equal parts; a list."""
def clip(x: Tensor, min: Tensor | float | None = None, max: Tensor | float | None = None, name: str | None = None) -> Tensor:
    """``x`` limited to ``[min, max]``, numbers or 0-D tensors; a bound that is None does not limit."""
def clone(x: Tensor, name: str | None = None) -> Tensor:
    """A copy of ``x`` through which gradients flow."""
def combinations(x: Any, r: int = 2, with_replacement: _bool = False, name: str | None = None) -> Tensor:
    """All choices of ``r`` elements of a vector, one a row, in the order of Python's `itertools.combinations`."""
def complex(real: Any, imag: Any, name: str | None = None) -> Tensor:
    """Complex numbers of real and imaginary parts, which broadcast. Raises DTypeError unless both are floats of one dtype."""
complex128: dtype
complex64: dtype
def concat(x: Tensor | Sequence[Tensor], axis: Any = 0, name: str | None = None) -> Tensor:
    """Tensors joined along an existing dimension. Raises ShapeError when the other dimensions differ, DTypeError on mixed dtypes."""
def conj(x: Tensor, name: str | None = None) -> Tensor:
    """The complex conjugates; real tensors as they are."""
def cos(x: Tensor, name: str | None = None) -> Tensor:
    """The cosine. Integers become float32."""
def cos_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `cos`, with the same arguments and errors: ``x`` holds the result and is returned."""
def cosh(x: Tensor, name: str | None = None) -> Tensor:
    """The hyperbolic cosine. Integers become float32."""
def cosh_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `cosh`, with the same arguments and errors: ``x`` holds the result and is returned."""
def count_nonzero(x: Tensor, axis: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
    """The number of elements that are not 0, int64."""
def crop(x: Tensor, shape: Any = None, offsets: Any = None, name: str | None = None) -> Tensor:
    """A copy of the part of ``x`` of that ``shape`` which begins at ``offsets`` (ints, integer tensors, or one tensor of them)."""
def cross(x: Tensor, y: Tensor, axis: int = 9, name: str | None = None) -> Tensor:
    """The vector product along ``axis`` (default: the first of size 3)."""
def cummax(x: Any, axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, ...]:
    """The maximum up to each position along ``axis`` (None: of the flattened tensor), and its position."""
def cummin(x: Any, axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, ...]:
    """The minimum up to each position along ``axis`` (None: of the flattened tensor), and its position."""
def cumprod(x: Tensor, dim: int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
    """Products of the elements up to each position along ``dim`` (None: of the flattened tensor), as ``dtype`` if given."""
def cumprod_(x: Tensor, dim: int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
    """In-place form of `cumprod`, with the same arguments and errors: ``x`` holds the result and is returned."""
def cumsum(x: Tensor, axis: int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
    """Sums of the elements up to each position along ``axis`` (None: of the flattened tensor), as ``dtype`` if given."""
def cumsum_(x: Tensor, axis: int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
    """In-place form of `cumsum`, with the same arguments and errors: ``x`` holds the result and is returned."""
def cumulative_trapezoid(y: Any, x: Tensor | None = None, dx: Any = None, axis: int = -1, name: str | None = None) -> Tensor:
    """The integrals of ``y`` along ``axis`` up to each of its places but the first; see `trapezoid`."""
def deg2rad(x: Tensor, name: str | None = None) -> Tensor:
    """Degrees in radians: int32 and int64 become float32, other dtypes stay."""
def diag(x: Tensor, offset: int = 0, padding_value: float = 0.0, name: str | None = None) -> Tensor:
    """A matrix with the vector ``x`` on a diagonal (``padding_value`` elsewhere), or the diagonal of a matrix."""
def diag_embed(input: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Matrices, in the dimensions ``dim1`` and ``dim2`` of the result, with the last dimension of ``input`` on a diagonal."""
def diagflat(x: Tensor, offset: int = 0, name: str | None = None) -> Tensor:
    """A matrix with the flattened ``x`` on a diagonal and 0 elsewhere."""
def diagonal(x: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, name: str | None = None) -> Tensor:
    """The diagonals of the matrices in two dimensions, as a new last dimension; ``offset`` above 0 is above the main one."""
def diagonal_scatter(x: Tensor, y: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, name: str | None = None) -> Tensor:
    """``x`` with the diagonal of two dimensions replaced by ``y``; see `Tensor.fill_diagonal_tensor`."""
def diff(x: Tensor, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None, name: str | None = None) -> Tensor:
    """Differences of neighbours along ``axis``, taken ``n`` times, after joining ``prepend`` and ``append``."""
def digamma(x: Tensor, name: str | None = None) -> Tensor:
    """The derivative of `lgamma`. Integers become float32."""
def digamma_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `digamma`, with the same arguments and errors: ``x`` holds the result and is returned."""
def dist(x: Tensor, y: Any, p: float = 2, name: str | None = None) -> Tensor:
    """The p-norm of ``x - y``, a 0-D tensor."""
def divide(x: Tensor | float, y: Any, name: str | None = None) -> Tensor:
    """``x / y``, elementwise with broadcasting. Integers are divided towards zero (the operator ``/`` gives floats)."""
def divide_(x: Tensor, y: Tensor | float, name: str | None = None) -> Tensor:
    """In-place form of `divide`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `divide` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
def dot(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """The inner product of two vectors (0-D), or of the rows of two matrices."""
def eigvalsh(x: Tensor, UPLO: str = 'L', name: str | None = None) -> Tensor:
    """The eigenvalues (rising) of symmetric matrices; see `eigh`."""
def einsum(equation: str, *operands: Tensor) -> Tensor:
    """The sum of products that ``equation`` describes, as in NumPy: ``'ij,bjk->bik'``; ``...`` stands for batch dimensions."""
def empty(shape: Tensor | Sequence[Tensor | int], dtype: Any = None, name: str | None = None) -> Tensor:
    """A tensor whose contents do not matter (here: zeros)."""
def equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x == y``. Elementwise with broadcasting, boolean."""
def equal_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """In-place form of `equal`, with the same arguments and errors: ``x`` holds the result and is returned."""
def equal_all(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """Compare two tensors: True if they have the same shape and elements, as a 0-D boolean tensor."""
def erf(x: Tensor, name: str | None = None) -> Tensor:
    """The error function, to the precision of the dtype (float32: 3e-7). Integers become float32."""
def erf_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `erf`, with the same arguments and errors: ``x`` holds the result and is returned."""
def erfinv(x: Tensor, name: str | None = None) -> Tensor:
    """The inverse of `erf`: infinite at -1 and 1, nan beyond. Integers become float32."""
def exp(x: Tensor, name: str | None = None) -> Tensor:
    """``e ** x``. Integers become float32."""
def expand(x: Tensor, shape: Tensor | Sequence[Tensor | int], name: str | None = None) -> Tensor:
    """``x`` broadcast to ``shape`` (ints, integer tensors, or a 1-D tensor); ``-1`` keeps a dimension."""
def expand_as(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """``x`` broadcast to the shape of ``y``."""
def expm1(x: Tensor, name: str | None = None) -> Tensor:
    """``exp(x) - 1``, exact for small ``x``. Integers become float32."""
def expm1_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `expm1`, with the same arguments and errors: ``x`` holds the result and is returned."""
def eye(num_rows: int, num_columns: int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
    """A matrix with ones on the diagonal; square unless ``num_columns`` is given."""
def flatten(x: Tensor, start_axis: int = 0, stop_axis: int = -1, name: str | None = None) -> Tensor:
    """Dimensions ``start_axis`` to ``stop_axis``, both included, merged into one. A 0-D tensor becomes 1-D."""
def flip(x: Tensor, axis: int | Sequence[int], name: str | None = None) -> Tensor:
    """``x`` with the order of elements reversed along ``axis`` (an int or several)."""
float16: dtype
float32: dtype
float64: dtype
def floor(x: Tensor, name: str | None = None) -> Tensor:
    """The largest whole number not above ``x``. Integers become float32."""
def floor_divide(x: Tensor | float, y: Tensor | float, name: str | None = None) -> Tensor:
    """``x // y``: the quotient rounded down, elementwise with broadcasting. Raises ZeroDivisionError for integers over zero."""
def floor_divide_(x: Tensor, y: Tensor | float, name: str | None = None) -> Tensor:
    """In-place form of `floor_divide`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `floor_divide` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
def floor_mod(x: Tensor, y: Tensor | float, name: str | None = None) -> Tensor:
    """``x % y`` with the sign of ``y``, elementwise with broadcasting; no gradient flows through it, as in Paddle 2.6."""
def floor_mod_(x: Tensor, y: Tensor | float, name: str | None = None) -> Tensor:
    """In-place form of `remainder`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `remainder` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
def fmax(x: Tensor | float, y: Tensor | float, name: str | None = None) -> Tensor:
    """The larger of ``x`` and ``y``, elementwise with broadcasting; nan loses."""
def fmin(x: Tensor | float, y: Tensor | float, name: str | None = None) -> Tensor:
    """The smaller of ``x`` and ``y``, elementwise with broadcasting; nan loses."""
def frac(x: Tensor, name: str | None = None) -> Tensor:
    """The fraction ``x - trunc(x)``."""
def frac_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `frac`, with the same arguments and errors: ``x`` holds the result and is returned."""
def frexp(x: Tensor, name: str | None = None) -> tuple[Tensor, ...]:
    """``x`` as ``mantissa * 2 ** exponent`` with ``0.5 <= |mantissa| < 1``; of 0 both are 0."""
def full(shape: Tensor | Sequence[Tensor | int], fill_value: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """A tensor of ``shape`` (ints, or a list that mixes ints and integer tensors) filled with a number or 0-D tensor."""
def full_like(x: Tensor, fill_value: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """A tensor shaped as ``x`` filled with a number or 0-D tensor; dtype of ``x`` unless given."""
def gather(x: Tensor, index: Tensor, axis: Tensor | int | None = None, name: str | None = None) -> Tensor:
    """The slices of ``x`` along ``axis`` (default 0) at the positions of a 0-D or 1-D integer tensor."""
def gather_nd(x: Tensor, index: Tensor, name: str | None = None) -> Tensor:
    """``x`` at positions: the last dimension of ``index``, [..., k], addresses the first k dimensions of ``x``."""
def gcd(x: Tensor | float, y: Tensor | float, name: str | None = None) -> Tensor:
    """The greatest common divisor of integers, elementwise with broadcasting."""
def gcd_(x: Tensor, y: Tensor | float, name: str | None = None) -> Tensor:
    """In-place form of `gcd`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `gcd` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
def geometric_(x: Tensor, probs: Any, name: str | None = None) -> Tensor:
    """Fill ``x`` with ``log(u) / log(1 - probs)`` for u drawn evenly: the geometric distribution, not rounded, as in Paddle."""
def greater_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x >= y``. Elementwise with broadcasting, boolean."""
def greater_equal_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """In-place form of `greater_equal`, with the same arguments and errors: ``x`` holds the result and is returned."""
def greater_than(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x > y``. Elementwise with broadcasting, boolean."""
def greater_than_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """In-place form of `greater_than`, with the same arguments and errors: ``x`` holds the result and is returned."""
def heaviside(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """The Heaviside step function: 0 for negative ``x``, 1 for positive ``x``, and ``y`` for 0."""
def histogram(input: Any, bins: int = 100, min: float = 0, max: float = 0, name: str | None = None) -> Tensor:
    """Count the elements in each of ``bins`` equal parts of ``[min, max]`` (both 0: the range of the elements), int64."""
def hypot(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """``sqrt(x * x + y * y)``."""
def hypot_(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """In-place form of `hypot`, with the same arguments and errors: ``x`` holds the result and is returned."""
def i0(x: Tensor, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 0. Integers become float32."""
def i0_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `i0`, with the same arguments and errors: ``x`` holds the result and is returned."""
def i0e(x: Tensor, name: str | None = None) -> Tensor:
    """``exp(-|x|) * i0(x)``, which does not overflow. Integers become float32."""
def i1(x: Tensor, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 1. Integers become float32."""
def i1e(x: Tensor, name: str | None = None) -> Tensor:
    """``exp(-|x|) * i1(x)``, which does not overflow. Integers become float32."""
def imag(x: Any, name: str | None = None) -> Tensor:
    """The imaginary parts. They share memory with ``x``."""
def increment(x: Tensor, value: float = 1.0, name: str | None = None) -> Tensor:
    """Add ``value`` to ``x``, a tensor of one element, in place; returns ``x``."""
def index_add(x: Tensor, index: Tensor, axis: int, value: Tensor, name: str | None = None) -> Tensor:
    """A copy of ``x`` with the slices of ``value`` added to those along ``axis`` at the positions ``index``."""
def index_add_(x: Tensor, index: Tensor, axis: int, value: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `index_add`, with the same arguments and errors: ``x`` holds the result and is returned."""
def index_fill(x: Tensor, index: Any, axis: int, value: Any, name: str | None = None) -> Tensor:
    """``x`` with ``value`` (a number or a 0-D tensor) at the positions ``index`` (a 1-D integer tensor) along ``axis``."""
def index_fill_(x: Tensor, index: Any, axis: int, value: Any, name: str | None = None) -> Tensor:
    """In-place form of `index_fill`, with the same arguments and errors: ``x`` holds the result and is returned."""
def index_put(x: Tensor, indices: Sequence[Tensor], value: Tensor, accumulate: _bool = False, name: str | None = None) -> Tensor:
    """A copy of ``x`` with ``x[indices]`` (integer tensors, or masks, for its first dimensions) replaced by ``value``."""
def index_put_(x: Tensor, indices: Sequence[Tensor], value: Tensor, accumulate: _bool = False, name: str | None = None) -> Tensor:
    """In-place form of `index_put`, with the same arguments and errors: ``x`` holds the result and is returned."""
def index_sample(x: Tensor, index: Any) -> Tensor:
    """From each row of a matrix the elements at that row of ``index``."""
def index_select(x: Tensor, index: Tensor, axis: int = 0, name: str | None = None) -> Tensor:
    """The slices of ``x`` along ``axis`` at the positions of a 1-D integer tensor. Raises IdError for one that is not there."""
def inner(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """The inner product over the last dimensions; of numbers, their product."""
int16: dtype
int32: dtype
int64: dtype
int8: dtype
def inverse(x: Tensor, name: str | None = None) -> Tensor:
    """The inverses of the square matrices in the last two dimensions."""
def is_complex(x: Tensor) -> _bool:
    """True when the dtype of ``x`` is complex."""
def is_empty(x: Tensor, name: str | None = None) -> Tensor:
    """Return True if ``x`` has no elements, as a 0-D boolean tensor."""
def is_floating_point(x: Tensor) -> _bool:
    """True when the dtype of ``x`` is floating (not complex)."""
def is_integer(x: Tensor) -> _bool:
    """True when the dtype of ``x`` is an integer one."""
def is_tensor(x: Any) -> _bool:
    """True for tensors of both modes, dense and sparse."""
def isclose(x: Tensor, y: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: _bool = False, name: str | None = None) -> Tensor:
    """Compare elementwise: True where ``|x - y| <= atol + rtol * |y|``."""
def isfinite(x: Tensor, name: str | None = None) -> Tensor:
    """Whether each element is neither infinite nor nan."""
def isinf(x: Tensor, name: str | None = None) -> Tensor:
    """Whether each element is infinite."""
def isnan(x: Tensor, name: str | None = None) -> Tensor:
    """Whether each element is not a number."""
def kron(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """The Kronecker product."""
def kthvalue(x: Tensor, k: int, axis: int | None = None, keepdim: _bool = False, name: str | None = None) -> tuple[Tensor, ...]:
    """The ``k``-th smallest element along ``axis`` (default the last; k counts from 1) and its position."""
def lcm(x: Tensor | float, y: Tensor | float, name: str | None = None) -> Tensor:
    """The least common multiple of integers, elementwise with broadcasting."""
def lcm_(x: Tensor, y: Tensor | float, name: str | None = None) -> Tensor:
    """In-place form of `lcm`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `lcm` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
def ldexp(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """``x * 2 ** y``, elementwise with broadcasting: float64 when either is, else the default float."""
def ldexp_(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """In-place form of `ldexp`, with the same arguments and errors: ``x`` holds the result and is returned."""
def lerp(x: Tensor, y: Any, weight: Any, name: str | None = None) -> Tensor:
    """``x + weight * (y - x)``; ``weight`` is a number or a tensor, into which no gradient flows."""
def less_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x <= y``. Elementwise with broadcasting, boolean."""
def less_equal_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """In-place form of `less_equal`, with the same arguments and errors: ``x`` holds the result and is returned."""
def less_than(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x < y``. Elementwise with broadcasting, boolean."""
def less_than_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """In-place form of `less_than`, with the same arguments and errors: ``x`` holds the result and is returned."""
def lgamma(x: Tensor, name: str | None = None) -> Tensor:
    """``log(|gamma(x)|)``. Integers become float32."""
def lgamma_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `lgamma`, with the same arguments and errors: ``x`` holds the result and is returned."""
def linspace(start: Tensor | float, stop: Tensor | float, num: Tensor | int, dtype: Any = None, name: str | None = None) -> Tensor:
    """``num`` evenly spaced numbers from ``start`` to ``stop``, both included; a float ``num`` loses its fraction."""
def log(x: Tensor, name: str | None = None) -> Tensor:
    """The natural logarithm. Integers become float32."""
def log10(x: Tensor, name: str | None = None) -> Tensor:
    """The logarithm to base 10. Integers become float32."""
def log10_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `log10`, with the same arguments and errors: ``x`` holds the result and is returned."""
def log1p(x: Tensor, name: str | None = None) -> Tensor:
    """``log(1 + x)``, exact for small ``x``. Integers become float32."""
def log1p_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `log1p`, with the same arguments and errors: ``x`` holds the result and is returned."""
def log2(x: Tensor, name: str | None = None) -> Tensor:
    """The logarithm to base 2. Integers become float32."""
def log2_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `log2`, with the same arguments and errors: ``x`` holds the result and is returned."""
def log_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `log`, with the same arguments and errors: ``x`` holds the result and is returned."""
def logaddexp(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """``log(exp(x) + exp(y))`` without overflow."""
def logcumsumexp(x: Tensor, axis: int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
    """Logarithms of the sums of the exponentials up to each position along ``axis`` (None: of the flattened tensor)."""
def logical_and(x: Tensor, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
    """Whether both are true (not zero), elementwise."""
def logical_and_(x: Tensor, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
    """In-place form of `logical_and`, with the same arguments and errors: ``x`` holds the result and is returned."""
def logical_not(x: Tensor, out: Any = None, name: str | None = None) -> Tensor:
    """Whether it is false (zero), elementwise."""
def logical_not_(x: Tensor, out: Any = None, name: str | None = None) -> Tensor:
    """In-place form of `logical_not`, with the same arguments and errors: ``x`` holds the result and is returned."""
def logical_or(x: Tensor, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
    """Whether either is true (not zero), elementwise."""
def logical_or_(x: Tensor, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
    """In-place form of `logical_or`, with the same arguments and errors: ``x`` holds the result and is returned."""
def logical_xor(x: Tensor, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
    """Whether exactly one is true (not zero), elementwise."""
def logical_xor_(x: Tensor, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
    """In-place form of `logical_xor`, with the same arguments and errors: ``x`` holds the result and is returned."""
def logit(x: Tensor, eps: float | None = None, name: str | None = None) -> Tensor:
    """``log(x / (1 - x))``; with ``eps``, ``x`` is first limited to ``[eps, 1 - eps]``."""
def logit_(x: Tensor, eps: float | None = None, name: str | None = None) -> Tensor:
    """In-place form of `logit`, with the same arguments and errors: ``x`` holds the result and is returned."""
def logspace(start: Any, stop: Any, num: Any, base: Any = 10.0, dtype: Any = None, name: str | None = None) -> Tensor:
    """``base`` to the power of ``num`` evenly spaced numbers from ``start`` to ``stop``, both included."""
def logsumexp(x: Tensor, axis: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
    """``log(sum(exp(x)))`` over ``axis`` (an int, several, or None for all), without overflow."""
def masked_fill(x: Tensor, mask: Tensor, value: Tensor | float, name: str | None = None) -> Tensor:
    """``x`` with ``value`` (a number or 0-D tensor) where the boolean ``mask`` is true."""
def masked_fill_(x: Tensor, mask: Tensor, value: Tensor | float, name: str | None = None) -> Tensor:
    """In-place form of `masked_fill`, with the same arguments and errors: ``x`` holds the result and is returned."""
def masked_select(x: Tensor, mask: Tensor, name: str | None = None) -> Tensor:
    """The elements of ``x`` where the boolean ``mask`` (broadcast to ``x``) is true, 1-D. Raises ArgumentTypeError for no mask."""
def matmul(x: Tensor, y: Tensor, transpose_x: _bool = False, transpose_y: _bool = False, name: str | None = None) -> Tensor:
    """The matrix product, batched over leading dimensions, which broadcast."""
def max(x: Tensor, axis: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
    """The maximum; all elements equal to it get its gradient."""
def maximum(x: Tensor | float, y: Tensor | float, name: str | None = None) -> Tensor:
    """The larger of ``x`` and ``y``, elementwise with broadcasting; nan wins."""
def mean(x: Tensor, axis: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
    """The mean; of integers, rounded towards zero."""
def median(x: Tensor, axis: int | None = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
    """The median along ``axis`` (None: of all elements); of an even number of elements, the mean of the middle two."""
def meshgrid(*args: Any, name: str | None = None) -> list[Tensor]:
    """The coordinate grids of 1-D tensors ('ij' order): tensor ``i`` varies along dimension ``i``; a list."""
def min(x: Tensor, axis: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
    """The minimum; all elements equal to it get its gradient."""
def minimum(x: Tensor | float, y: Tensor | float, name: str | None = None) -> Tensor:
    """The smaller of ``x`` and ``y``, elementwise with broadcasting; nan wins."""
def mm(input: Tensor, mat2: Tensor, name: str | None = None) -> Tensor:
    """The matrix product (see `matmul`)."""
def mod(x: Tensor, y: Tensor | float, name: str | None = None) -> Tensor:
    """``x % y`` with the sign of ``y``, elementwise with broadcasting; no gradient flows through it, as in Paddle 2.6."""
def mod_(x: Tensor, y: Tensor | float, name: str | None = None) -> Tensor:
    """In-place form of `remainder`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `remainder` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
def mode(x: Tensor, axis: int = -1, keepdim: _bool = False, name: str | None = None) -> tuple[Tensor, ...]:
    """The most frequent elements along ``axis`` (of equally frequent ones the smallest), and the last positions of these."""
def moveaxis(x: Tensor, source: int | Sequence[int], destination: int | Sequence[int], name: str | None = None) -> Tensor:
    """Dimensions ``source`` moved to the positions ``destination``; the others keep their order."""
def multigammaln(x: Tensor, p: int, name: str | None = None) -> Tensor:
    """The logarithm of the gamma function of ``p`` dimensions; each element must be greater than ``(p - 1) / 2``."""
def multigammaln_(x: Tensor, p: int, name: str | None = None) -> Tensor:
    """In-place form of `multigammaln`, with the same arguments and errors: ``x`` holds the result and is returned."""
def multinomial(x: Tensor, num_samples: int = 1, replacement: _bool = False, name: str | None = None) -> Tensor:
    """Positions drawn with probabilities in proportion to the weights in the last dimension of ``x`` (1-D or 2-D), int64."""
def multiplex(inputs: Any, index: Any, name: str | None = None) -> Tensor:
    """Row ``i`` of the result is row ``i`` of tensor ``inputs[index[i]]``; it has as many rows as ``index``."""
def multiply(x: Tensor | float, y: Tensor | float, name: str | None = None) -> Tensor:
    """``x * y``, elementwise with broadcasting."""
def multiply_(x: Tensor, y: Tensor | float, name: str | None = None) -> Tensor:
    """In-place form of `multiply`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `multiply` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
def mv(x: Tensor, vec: Tensor, name: str | None = None) -> Tensor:
    """The product of a matrix and a vector."""
def nan_to_num(x: Tensor, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None, name: str | None = None) -> Tensor:
    """nan and the infinities replaced by numbers; the infinities by default by the largest finite ones."""
def nan_to_num_(x: Tensor, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None, name: str | None = None) -> Tensor:
    """In-place form of `nan_to_num`, with the same arguments and errors: ``x`` holds the result and is returned."""
def nanmean(x: Tensor, axis: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
    """The mean of the elements that are not nan; of integers, rounded towards zero."""
def nanmedian(x: Tensor, axis: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
    """The median over ``axis`` (an int, several, or None for all) of the elements that are not nan; nan where there are none."""
def nanquantile(x: Tensor, q: Any, axis: Any = None, keepdim: _bool = False) -> Tensor:
    """`quantile` of the elements that are not nan; nan where there are none."""
def nansum(x: Tensor, axis: Any = None, dtype: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
    """The sum that counts nan as 0."""
def neg(x: Tensor, name: str | None = None) -> Tensor:
    """``-x``."""
def neg_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `neg`, with the same arguments and errors: ``x`` holds the result and is returned."""
def nextafter(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """The floating-point numbers next to ``x`` on the way to ``y``, elementwise with broadcasting."""
@overload
def nonzero(x: Tensor, as_tuple: Literal[False] = False) -> Tensor:
    """Positions of the elements that are not zero, [n, ndim] int64; ``as_tuple``: a [n, 1] column per dimension."""
@overload
def nonzero(x: Tensor, as_tuple: Literal[True]) -> tuple[Tensor, ...]:
    """Positions of the elements that are not zero, [n, ndim] int64; ``as_tuple``: a [n, 1] column per dimension."""
@overload
def nonzero(x: Tensor, as_tuple: _bool) -> Tensor | tuple[Tensor, ...]:
    """Positions of the elements that are not zero, [n, ndim] int64; ``as_tuple``: a [n, 1] column per dimension."""
def norm(x: Tensor, p: float | str = 'fro', axis: int | Sequence[int] | None = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
    """The p-norm: of the flattened tensor (``axis`` None), along one axis, or of matrices in two axes."""
def normal(mean: Tensor | float = 0.0, std: Tensor | float = 1.0, shape: Tensor | Sequence[Tensor | int] | None = None, name: str | None = None) -> Tensor:
    """Numbers drawn from normal distributions; tensors ``mean`` and ``std`` broadcast and give the shape."""
def normal_(x: Tensor, mean: float = 0.0, std: float = 1.0, name: str | None = None) -> Tensor:
    """Fill ``x`` with numbers drawn from a normal distribution."""
def not_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x != y``. Elementwise with broadcasting, boolean."""
def not_equal_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """In-place form of `not_equal`, with the same arguments and errors: ``x`` holds the result and is returned."""
def numel(x: Tensor, name: str | None = None) -> Tensor:
    """Number of elements, a 0-D int64 tensor."""
def ones(shape: Tensor | Sequence[Tensor | int], dtype: Any = None, name: str | None = None) -> Tensor:
    """Ones; ``shape`` may mix ints and integer tensors. Default float unless ``dtype`` is given."""
def ones_like(x: Tensor, dtype: Any = None, name: str | None = None) -> Tensor:
    """Ones shaped as ``x``, of its dtype unless ``dtype`` is given."""
def outer(x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """The products of each element of ``x`` with each of ``y``, both flattened."""
def poisson(x: Tensor, name: str | None = None) -> Tensor:
    """Counts drawn from the Poisson distributions whose rates are the elements of ``x``, in its dtype."""
def polar(abs: Any, angle: Any, name: str | None = None) -> Tensor:
    """The complex numbers of these lengths and angles, which broadcast."""
def polygamma(x: Tensor, n: int, name: str | None = None) -> Tensor:
    """The ``n``-th derivative of `digamma` (n = 0: digamma itself)."""
def polygamma_(x: Tensor, n: int, name: str | None = None) -> Tensor:
    """In-place form of `polygamma`, with the same arguments and errors: ``x`` holds the result and is returned."""
def pow(x: Tensor, y: Tensor | float, name: str | None = None) -> Tensor:
    """``x ** y``, elementwise with broadcasting. Integers to negative powers are rounded: 0, but for 1 and -1."""
def pow_(x: Tensor, y: Tensor | float, name: str | None = None) -> Tensor:
    """In-place form of `pow`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `pow` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
def prod(x: Tensor, axis: int | Sequence[int] | None = None, keepdim: _bool = False, dtype: Any = None, name: str | None = None) -> Tensor:
    """The product over ``axis`` (an int, several, or None for all), computed as ``dtype`` if given."""
def put_along_axis(arr: Tensor, indices: Tensor, values: Tensor | float, axis: int, reduce: str = 'assign', include_self: _bool = True, broadcast: _bool = True) -> Tensor:
    """A copy of ``arr`` in which ``values`` stand in the elements that `take_along_axis` would read."""
def quantile(x: Any, q: Any, axis: Any = None, keepdim: _bool = False) -> Tensor:
    """The numbers below which the fractions ``q`` of the elements lie, float64; several ``q`` make a new first dimension."""
def rad2deg(x: Tensor, name: str | None = None) -> Tensor:
    """Radians in degrees: int32 and int64 become float32, other dtypes stay."""
def rand(shape: Tensor | Sequence[Tensor | int], dtype: Any = None, name: str | None = None) -> Tensor:
    """Numbers drawn evenly from ``[0, 1)``."""
def randint(low: int = 0, high: int | None = None, shape: Tensor | Sequence[Tensor | int] = (1,), dtype: Any = None, name: str | None = None) -> Tensor:
    """Integers drawn evenly from ``[low, high)``, or from ``[0, low)`` when ``high`` is None."""
def randint_like(x: Tensor, low: int = 0, high: int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
    """Integers drawn evenly from ``[low, high)``, shaped as ``x``, of its dtype unless ``dtype`` is given."""
def randn(shape: Tensor | Sequence[Tensor | int], dtype: Any = None, name: str | None = None) -> Tensor:
    """Numbers drawn from the standard normal distribution."""
def randperm(n: int, dtype: Any = 'int64', name: str | None = None) -> Tensor:
    """The numbers 0 to ``n - 1`` in random order."""
def rank(input: Tensor) -> Tensor:
    """Number of dimensions, a 0-D int32 tensor."""
def real(x: Any, name: str | None = None) -> Tensor:
    """The real parts. They share memory with ``x``."""
def reciprocal(x: Tensor, name: str | None = None) -> Tensor:
    """``1 / x``. Integers become float32."""
def remainder(x: Tensor, y: Tensor | float, name: str | None = None) -> Tensor:
    """``x % y`` with the sign of ``y``, elementwise with broadcasting; no gradient flows through it, as in Paddle 2.6."""
def remainder_(x: Tensor, y: Tensor | float, name: str | None = None) -> Tensor:
    """In-place form of `remainder`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `remainder` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
def renorm(x: Tensor, p: float, axis: int, max_norm: float) -> Tensor:
    """The slices of ``x`` along ``axis``, those scaled down of which the ``p``-norm is more than ``max_norm``."""
def renorm_(x: Tensor, p: float, axis: int, max_norm: float) -> Tensor:
    """In-place form of `renorm`, with the same arguments and errors: ``x`` holds the result and is returned."""
def repeat_interleave(x: Tensor, repeats: Any, axis: int | None = None, name: str | None = None) -> Tensor:
    """Each element repeated: ``repeats`` times, or as often as a 1-D integer tensor says. ``axis`` None flattens first."""
def reshape(x: Tensor, shape: Tensor | Sequence[Tensor | int], name: str | None = None) -> Tensor:
    """The elements of ``x`` in another shape."""
def reshape_(x: Tensor, shape: Tensor | Sequence[Tensor | int], name: str | None = None) -> Tensor:
    """In-place form of `reshape`, with the same arguments and errors: ``x`` holds the result and is returned."""
def reverse(x: Tensor, axis: int | Sequence[int], name: str | None = None) -> Tensor:
    """``x`` with the order of elements reversed along ``axis`` (an int or several)."""
def roll(x: Tensor, shifts: Tensor | int | Sequence[int], axis: int | Sequence[int] | None = None, name: str | None = None) -> Tensor:
    """``x`` with elements moved ``shifts`` places along ``axis``, those falling off coming in again at the start."""
def rot90(x: Tensor, k: int = 1, axes: Any = (0, 1), name: str | None = None) -> Tensor:
    """``x`` turned by ``k`` quarter turns in the plane of two dimensions, from the first towards the second."""
def round(x: Tensor, name: str | None = None) -> Tensor:
    """The nearest whole number; halves go away from zero. Integers become float32."""
def row_stack(x: Sequence[Tensor], name: str | None = None) -> Tensor:
    """Tensors of at least two dimensions (1-D ones count as rows) joined along the first."""
def rsqrt(x: Tensor, name: str | None = None) -> Tensor:
    """``1 / sqrt(x)``. Integers become float32."""
def scale(x: Tensor, scale: Tensor | float = 1.0, bias: float = 0.0, bias_after_scale: _bool = True, act: Any = None, name: str | None = None) -> Tensor:
    """``scale * x + bias``, or ``scale * (x + bias)`` with ``bias_after_scale=False``; the dtype stays that of ``x``."""
def scatter(x: Tensor, index: Tensor, updates: Tensor, overwrite: _bool = True, name: str | None = None) -> Tensor:
    """A copy of ``x`` whose rows ``index`` are those of ``updates``; with ``overwrite=False`` the sum of them."""
def scatter_(x: Tensor, index: Tensor, updates: Tensor, overwrite: _bool = True, name: str | None = None) -> Tensor:
    """In-place form of `scatter`, with the same arguments and errors: ``x`` holds the result and is returned."""
def scatter_nd(index: Tensor, updates: Tensor, shape: Tensor | Sequence[int], name: str | None = None) -> Tensor:
    """Zeros of ``shape`` with ``updates`` added at the positions ``index``."""
def scatter_nd_add(x: Tensor, index: Tensor, updates: Tensor, name: str | None = None) -> Tensor:
    """A copy of ``x`` with ``updates`` added at the positions that `gather_nd` would read; repeats add up."""
def searchsorted(sorted_sequence: Tensor, values: Tensor, out_int32: _bool = False, right: _bool = False, name: str | None = None) -> Tensor:
    """Positions at which ``values`` would be inserted in the sorted last dimension: before equal elements, or after (``right``)."""
def select_scatter(x: Tensor, values: Any, axis: int, index: int, name: str | None = None) -> Tensor:
    """``x`` with ``values`` at position ``index`` of ``axis``; they have the shape of ``x`` without that dimension."""
def sgn(x: Tensor, name: str | None = None) -> Tensor:
    """The complex numbers of length 1 with the angles of ``x`` (0 for 0); of real numbers the `sign`."""
def shape(input: Tensor) -> Tensor:
    """The dimensions of ``input`` as a 1-D int32 tensor."""
def shard_index(input: Any, index_num: int, nshards: int, shard_id: int, ignore_value: int = -1) -> Tensor:
    """The numbers below ``index_num`` counted within the part ``shard_id`` of ``nshards`` equal parts; others ``ignore_value``."""
def sign(x: Tensor, name: str | None = None) -> Tensor:
    """-1, 0 or 1."""
def sin(x: Tensor, name: str | None = None) -> Tensor:
    """The sine. Integers become float32."""
def sin_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `sin`, with the same arguments and errors: ``x`` holds the result and is returned."""
def sinh(x: Tensor, name: str | None = None) -> Tensor:
    """The hyperbolic sine. Integers become float32."""
def sinh_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `sinh`, with the same arguments and errors: ``x`` holds the result and is returned."""
def slice(input: Any, axes: Any, starts: Any, ends: Any) -> Tensor:
    """``input`` cut along ``axes`` to ``starts[i]:ends[i]`` (ints or integer tensors; negative ones count from the end)."""
def sort(x: Tensor, axis: int = -1, descending: _bool = False, name: str | None = None) -> Tensor:
    """``x`` sorted along ``axis``."""
def split(x: Tensor, num_or_sections: int | Sequence[Tensor | int], axis: Tensor | int = 0, name: str | None = None) -> list[Tensor]:
    """``x`` cut along ``axis`` into equal parts, or into parts of given sizes (one may be -1); a list."""
def sqrt(x: Tensor, name: str | None = None) -> Tensor:
    """The square root. Integers become float32."""
def square(x: Tensor, name: str | None = None) -> Tensor:
    """``x * x``."""
def square_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `square`, with the same arguments and errors: ``x`` holds the result and is returned."""
def squeeze(x: Tensor, axis: Tensor | int | Sequence[int] | None = None, name: str | None = None) -> Tensor:
    """``x`` without its dimensions of size 1: all of them, or those among ``axis`` (others there are kept)."""
def squeeze_(x: Tensor, axis: Tensor | int | Sequence[int] | None = None, name: str | None = None) -> Tensor:
    """In-place form of `squeeze`, with the same arguments and errors: ``x`` holds the result and is returned."""
def stack(x: Tensor | Sequence[Tensor], axis: int = 0, name: str | None = None) -> Tensor:
    """Tensors of one shape joined along a new dimension ``axis``."""
def standard_normal(shape: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Numbers drawn from the standard normal distribution."""
def stanh(x: Tensor, scale_a: float = 0.67, scale_b: float = 1.7159, name: str | None = None) -> Tensor:
    """``scale_b * tanh(scale_a * x)``."""
def std(x: Tensor, axis: int | Sequence[int] | None = None, unbiased: _bool = True, keepdim: _bool = False, name: str | None = None) -> Tensor:
    """The standard deviation over ``axis`` (an int, several, or None for all); see `var`."""
def strided_slice(x: Tensor, axes: Any, starts: Any, ends: Any, strides: Any, name: str | None = None) -> Tensor:
    """``x`` cut along ``axes`` to ``starts[i]:ends[i]:strides[i]`` (ints or integer tensors; negative ones count from the end)."""
def subtract(x: Tensor | float, y: Tensor | float, name: str | None = None) -> Tensor:
    """``x - y``, elementwise with broadcasting."""
def sum(x: Tensor, axis: Any = None, dtype: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
    """The sum over ``axis`` (an int, several, or None for all). Booleans and int32 are summed as int64 unless ``dtype`` says."""
def t(input: Tensor | float, name: str | None = None) -> Tensor:
    """The transpose of a matrix; tensors of fewer dimensions are returned as they are."""
def t_(input: Tensor | float, name: str | None = None) -> Tensor:
    """In-place form of `t`, with the same arguments and errors: ``x`` holds the result and is returned."""
def take(x: Tensor, index: Any, mode: str = 'raise', name: str | None = None) -> Tensor:
    """Elements of the flattened ``x`` at ``index``; ``mode``: 'raise', 'wrap' or 'clip' what is out of bounds."""
def take_along_axis(arr: Tensor, indices: Tensor, axis: int, broadcast: _bool = True) -> Tensor:
    """Elements of ``arr`` along ``axis`` at ``indices``, which has the rank of ``arr`` and broadcasts beside ``axis``."""
def tan(x: Tensor, name: str | None = None) -> Tensor:
    """The tangent. Integers become float32."""
def tan_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `tan`, with the same arguments and errors: ``x`` holds the result and is returned."""
def tanh(x: Tensor, name: str | None = None) -> Tensor:
    """The hyperbolic tangent. Integers become float32."""
def tanh_(x: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `tanh`, with the same arguments and errors: ``x`` holds the result and is returned."""
def tensordot(x: Tensor, y: Any, axes: Any = 2, name: str | None = None) -> Tensor:
    """The sum of products over pairs of dimensions."""
def tile(x: Tensor, repeat_times: Tensor | Sequence[Tensor | int], name: str | None = None) -> Tensor:
    """``x`` repeated ``repeat_times[i]`` times along dimension ``i`` (ints or integer tensors)."""
def to_static(function: Any = None, input_spec: Any = None, build_strategy: Any = None, backend: Any = None, **kwargs: Any) -> Any:
    """Make a function, a method or a Layer's ``forward`` run as a static Program."""
def to_tensor(data: Any, dtype: Any = None, place: Any = None, stop_gradient: _bool = True) -> Tensor:
    """A new tensor that holds a copy of ``data``: a number, a nested list or tuple, an array or a tensor."""
def topk(x: Tensor, k: Tensor | int, axis: int | None = None, largest: _bool = True, sorted: _bool = True, name: str | None = None) -> tuple[Tensor, ...]:
    """The ``k`` largest (or smallest) elements along ``axis`` (default the last), in order, and their positions (int64)."""
def trace(x: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, name: str | None = None) -> Tensor:
    """The sum of the diagonal of each matrix in two dimensions."""
def transpose(x: Tensor, perm: Sequence[int], name: str | None = None) -> Tensor:
    """Dimension ``i`` of the result is dimension ``perm[i]`` of ``x``. Raises ShapeError when ``perm`` is no permutation."""
def transpose_(x: Tensor, perm: Sequence[int], name: str | None = None) -> Tensor:
    """In-place form of `transpose`, with the same arguments and errors: ``x`` holds the result and is returned."""
def trapezoid(y: Any, x: Tensor | None = None, dx: Any = None, axis: int = -1, name: str | None = None) -> Tensor:
    """The integral of ``y`` along ``axis``, sampled at ``x`` (1-D, or shaped as ``y``) or every ``dx`` (default 1)."""
def tril(x: Tensor, diagonal: int = 0, name: str | None = None) -> Tensor:
    """The lower triangles of the matrices in the last two dimensions, up to a ``diagonal`` (above 0: above the main one)."""
def tril_(x: Tensor, diagonal: int = 0, name: str | None = None) -> Tensor:
    """In-place form of `tril`, with the same arguments and errors: ``x`` holds the result and is returned."""
def tril_indices(row: int, col: int, offset: int = 0, dtype: Any = 'int64') -> Tensor:
    """Row and column numbers of the lower triangle of a matrix, [2, n]."""
def triu(x: Tensor, diagonal: int = 0, name: str | None = None) -> Tensor:
    """The upper triangles of the matrices in the last two dimensions, from a ``diagonal`` (above 0: above the main one)."""
def triu_(x: Tensor, diagonal: int = 0, name: str | None = None) -> Tensor:
    """In-place form of `triu`, with the same arguments and errors: ``x`` holds the result and is returned."""
def trunc(input: Tensor, name: str | None = None) -> Tensor:
    """``input`` without its fraction."""
def trunc_(input: Tensor, name: str | None = None) -> Tensor:
    """In-place form of `trunc`, with the same arguments and errors: ``x`` holds the result and is returned."""
uint8: dtype
def unbind(input: Tensor, axis: int = 0) -> list[Tensor]:
    """The slices of ``input`` along ``axis``, without that dimension; a list. They share memory with ``input``."""
def unflatten(x: Tensor, axis: int, shape: Any, name: str | None = None) -> Tensor:
    """Dimension ``axis`` split into several of sizes ``shape`` (ints and integer tensors, one may be -1)."""
def unfold(x: Tensor, axis: int, size: int, step: int, name: str | None = None) -> Tensor:
    """Windows of ``size`` elements along ``axis``, one every ``step``: they count there, and lie in a new last dimension."""
def uniform(shape: Tensor | Sequence[Tensor | int], dtype: Any = None, min: float = -1.0, max: float = 1.0, seed: int = 0, name: str | None = None) -> Tensor:
    """Numbers drawn evenly from ``[min, max)``; ``seed`` other than 0 makes this call repeatable."""
@overload
def unique(x: Tensor, return_index: Literal[False] = False, return_inverse: Literal[False] = False, return_counts: Literal[False] = False, axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> Tensor:
    """The distinct elements, sorted (or slices along ``axis``); with flags also first positions, inverse map and counts."""
@overload
def unique(x: Tensor, return_index: Literal[True], return_inverse: _bool = False, return_counts: _bool = False, axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, ...]:
    """The distinct elements, sorted (or slices along ``axis``); with flags also first positions, inverse map and counts."""
@overload
def unique(x: Tensor, return_index: _bool, return_inverse: Literal[True], return_counts: _bool = False, axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, ...]:
    """The distinct elements, sorted (or slices along ``axis``); with flags also first positions, inverse map and counts."""
@overload
def unique(x: Tensor, return_index: _bool = False, *, return_inverse: Literal[True], return_counts: _bool = False, axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, ...]:
    """The distinct elements, sorted (or slices along ``axis``); with flags also first positions, inverse map and counts."""
@overload
def unique(x: Tensor, return_index: _bool, return_inverse: _bool, return_counts: Literal[True], axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, ...]:
    """The distinct elements, sorted (or slices along ``axis``); with flags also first positions, inverse map and counts."""
@overload
def unique(x: Tensor, return_index: _bool = False, return_inverse: _bool = False, *, return_counts: Literal[True], axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, ...]:
    """The distinct elements, sorted (or slices along ``axis``); with flags also first positions, inverse map and counts."""
@overload
def unique(x: Tensor, return_index: _bool = False, return_inverse: _bool = False, return_counts: _bool = False, axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> Tensor | tuple[Tensor, ...]:
    """The distinct elements, sorted (or slices along ``axis``); with flags also first positions, inverse map and counts."""
@overload
def unique_consecutive(x: Tensor, return_inverse: Literal[False] = False, return_counts: Literal[False] = False, axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> Tensor:
    """The first of each run of equal elements of the flattened ``x`` (or of slices along ``axis``)."""
@overload
def unique_consecutive(x: Tensor, return_inverse: Literal[True], return_counts: _bool = False, axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, ...]:
    """The first of each run of equal elements of the flattened ``x`` (or of slices along ``axis``)."""
@overload
def unique_consecutive(x: Tensor, return_inverse: _bool, return_counts: Literal[True], axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, ...]:
    """The first of each run of equal elements of the flattened ``x`` (or of slices along ``axis``)."""
@overload
def unique_consecutive(x: Tensor, return_inverse: _bool = False, *, return_counts: Literal[True], axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, ...]:
    """The first of each run of equal elements of the flattened ``x`` (or of slices along ``axis``)."""
@overload
def unique_consecutive(x: Tensor, return_inverse: _bool = False, return_counts: _bool = False, axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> Tensor | tuple[Tensor, ...]:
    """The first of each run of equal elements of the flattened ``x`` (or of slices along ``axis``)."""
def unsqueeze(x: Tensor, axis: Any, name: str | None = None) -> Tensor:
    """``x`` with new dimensions of size 1 at ``axis``, an int or several (positions in the result, inserted in order)."""
def unsqueeze_(x: Tensor, axis: Any, name: str | None = None) -> Tensor:
    """In-place form of `unsqueeze`, with the same arguments and errors: ``x`` holds the result and is returned."""
def unstack(x: Tensor, axis: int = 0, num: int | None = None) -> list[Tensor]:
    """Copies of the slices of ``x`` along ``axis``, without that dimension; a list. ``num``, if given, must be their number."""
def vander(x: Any, n: int | None = None, increasing: _bool = False, name: str | None = None) -> Tensor:
    """The powers of each element of a vector, one row for each: ``x**(n-1) ... x**0``, or ``x**0 ...`` when ``increasing``."""
def var(x: Tensor, axis: int | Sequence[int] | None = None, unbiased: _bool = True, keepdim: _bool = False, name: str | None = None) -> Tensor:
    """The variance over ``axis`` (an int, several, or None for all); ``unbiased``: divided by n - 1 instead of n."""
def view(x: Tensor, shape_or_dtype: Any, name: str | None = None) -> Tensor:
    """``x`` in another shape (see `reshape`), or its bits as numbers of another dtype, in the same memory."""
def view_as(x: Tensor, other: Any, name: str | None = None) -> Tensor:
    """The elements of ``x`` in the shape of ``other``."""
def vsplit(x: Tensor, num_or_sections: Any, name: str | None = None) -> list[Tensor]:
    """``x``, of at least two dimensions, cut along the first (see `split`); a list."""
@overload
def where(condition: Tensor, x: None = None, y: None = None, name: str | None = None) -> tuple[Tensor, ...]:
    """``x`` where the boolean ``condition`` holds, else ``y``; the three broadcast."""
@overload
def where(condition: Tensor, x: Tensor | float, y: Tensor | float, name: str | None = None) -> Tensor:
    """``x`` where the boolean ``condition`` holds, else ``y``; the three broadcast."""
def where_(condition: Any, x: Tensor | None = None, y: Any = None, name: str | None = None) -> Tensor:
    """In-place form of `where`: ``x`` holds the result afterwards, and is returned."""
def zeros(shape: Tensor | Sequence[Tensor | int], dtype: Any = None, name: str | None = None) -> Tensor:
    """Zeros; ``shape`` may mix ints and integer tensors. Default float unless ``dtype`` is given."""
def zeros_like(x: Tensor, dtype: Any = None, name: str | None = None) -> Tensor:
    """Zeros shaped as ``x``, of its dtype unless ``dtype`` is given."""
class Tensor(_EagerTensor):
    """An array and its place in the gradient graph. Users make one with `to_tensor`, and know the class as ``paddle.Tensor``."""
    @property
    def T(self) -> Any: ...
    def __abs__(self) -> Tensor: ...  # type: ignore
    def __add__(self, other: Any) -> Tensor: ...  # type: ignore
    def __and__(self, other: Any) -> Tensor: ...  # type: ignore
    def __bool__(self) -> _bool: ...  # type: ignore
    def __complex__(self) -> _complex: ...  # type: ignore
    def __contains__(self, other: Any) -> _bool: ...  # type: ignore
    def __eq__(self, other: Any) -> Tensor: ...  # type: ignore
    def __float__(self) -> float: ...  # type: ignore
    def __floordiv__(self, other: Any) -> Tensor: ...  # type: ignore
    def __ge__(self, other: Any) -> Tensor: ...  # type: ignore
    def __getitem__(self, index: Any) -> Tensor: ...  # type: ignore
    def __gt__(self, other: Any) -> Tensor: ...  # type: ignore
    def __index__(self) -> int: ...  # type: ignore
    def __int__(self) -> int: ...  # type: ignore
    def __invert__(self) -> Tensor: ...  # type: ignore
    def __iter__(self) -> Iterator[Tensor]: ...  # type: ignore
    def __le__(self, other: Any) -> Tensor: ...  # type: ignore
    def __len__(self) -> int: ...  # type: ignore
    def __lt__(self, other: Any) -> Tensor: ...  # type: ignore
    def __matmul__(self, other: Any) -> Tensor: ...  # type: ignore
    def __mod__(self, other: Any) -> Tensor: ...  # type: ignore
    def __mul__(self, other: Any) -> Tensor: ...  # type: ignore
    def __ne__(self, other: Any) -> Tensor: ...  # type: ignore
    def __neg__(self) -> Tensor: ...  # type: ignore
    def __or__(self, other: Any) -> Tensor: ...  # type: ignore
    def __pos__(self) -> Tensor: ...  # type: ignore
    def __pow__(self, other: Any) -> Tensor: ...  # type: ignore
    def __radd__(self, other: Any) -> Tensor: ...  # type: ignore
    def __rand__(self, other: Any) -> Tensor: ...  # type: ignore
    def __rfloordiv__(self, other: Any) -> Tensor: ...  # type: ignore
    def __rmatmul__(self, other: Any) -> Tensor: ...  # type: ignore
    def __rmod__(self, other: Any) -> Tensor: ...  # type: ignore
    def __rmul__(self, other: Any) -> Tensor: ...  # type: ignore
    def __ror__(self, other: Any) -> Tensor: ...  # type: ignore
    def __rpow__(self, other: Any) -> Tensor: ...  # type: ignore
    def __rsub__(self, other: Any) -> Tensor: ...  # type: ignore
    def __rtruediv__(self, other: Any) -> Tensor: ...  # type: ignore
    def __rxor__(self, other: Any) -> Tensor: ...  # type: ignore
    def __setitem__(self, index: Any, value: Any) -> None: ...  # type: ignore
    def __sub__(self, other: Any) -> Tensor: ...  # type: ignore
    def __truediv__(self, other: Any) -> Tensor: ...  # type: ignore
    def __xor__(self, other: Any) -> Tensor: ...  # type: ignore
    def abs(self, name: str | None = None) -> Tensor:
        """The absolute value (of complex numbers, too: a real one)."""
    def abs_(self, name: str | None = None) -> Tensor:
        """In-place form of `abs`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def acos(self, name: str | None = None) -> Tensor:
        """The inverse cosine. Integers become float32."""
    def acos_(self, name: str | None = None) -> Tensor:
        """In-place form of `acos`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def acosh(self, name: str | None = None) -> Tensor:
        """The inverse hyperbolic cosine. Integers become float32."""
    def acosh_(self, name: str | None = None) -> Tensor:
        """In-place form of `acosh`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def add(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """``x + y``, elementwise with broadcasting."""
    def add_(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """In-place form of `add`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `add` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
    def add_n(self, name: str | None = None) -> Tensor:
        """The sum of a list of tensors (or the one tensor given)."""
    def addmm(self, x: Tensor, y: Tensor, beta: float = 1.0, alpha: float = 1.0, name: str | None = None) -> Tensor:
        """``beta * input + alpha * (x @ y)``, of matrices; ``input`` is broadcast. Raises ShapeError for other ranks."""
    def addmm_(self, x: Tensor, y: Tensor, beta: float = 1.0, alpha: float = 1.0, name: str | None = None) -> Tensor:
        """In-place form of `addmm`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def all(self, axis: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
        """Whether all elements are true (not zero)."""
    def allclose(self, y: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: _bool = False, name: str | None = None) -> Tensor:
        """True if ``|x - y| <= atol + rtol * |y|`` everywhere, as a 0-D boolean tensor."""
    def amax(self, axis: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
        """The maximum; elements equal to it share its gradient."""
    def amin(self, axis: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
        """The minimum; elements equal to it share its gradient."""
    def angle(self, name: str | None = None) -> Tensor:
        """The angles of complex numbers, between -pi and pi; of real ones 0 or pi."""
    def any(self, axis: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
        """Whether any element is true (not zero)."""
    def argmax(self, axis: int | None = None, keepdim: _bool = False, dtype: Any = 'int64', name: str | None = None) -> Tensor:
        """Position of the (first) maximum."""
    def argmin(self, axis: int | None = None, keepdim: _bool = False, dtype: Any = 'int64', name: str | None = None) -> Tensor:
        """Position of the (first) minimum."""
    def argsort(self, axis: int = -1, descending: _bool = False, name: str | None = None) -> Tensor:
        """The positions that sort ``x`` along ``axis``, int64; equal elements keep their order."""
    def as_complex(self, name: str | None = None) -> Tensor:
        """Pairs in the last dimension, ``[..., 2]``, as complex numbers ``[...]``. Raises ShapeError, or DTypeError for no floats."""
    def as_real(self, name: str | None = None) -> Tensor:
        """Complex numbers ``[...]`` as pairs ``[..., 2]``. Raises DTypeError for tensors that are not complex."""
    def as_strided(self, shape: Any, stride: Any, offset: int = 0, name: str | None = None) -> Tensor:
        """Elements of ``x``, counted row by row: at ``[i, j, ...]`` is number ``offset + i * stride[0] + j * stride[1] + ...``."""
    def asin(self, name: str | None = None) -> Tensor:
        """The inverse sine. Integers become float32."""
    def asin_(self, name: str | None = None) -> Tensor:
        """In-place form of `asin`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def asinh(self, name: str | None = None) -> Tensor:
        """The inverse hyperbolic sine. Integers become float32."""
    def asinh_(self, name: str | None = None) -> Tensor:
        """In-place form of `asinh`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def astype(self, dtype: Any) -> Tensor:
        """``x`` converted to ``dtype``, a copy in any case; gradients flow between floating types."""
    def atan(self, name: str | None = None) -> Tensor:
        """The inverse tangent. Integers become float32."""
    def atan2(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """The angle of the point (y, x) given as ``atan2(y, x)``, elementwise with broadcasting; of integers in float64."""
    def atan2_(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """In-place form of `atan2`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `atan2` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
    def atan_(self, name: str | None = None) -> Tensor:
        """In-place form of `atan`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def atanh(self, name: str | None = None) -> Tensor:
        """The inverse hyperbolic tangent. Integers become float32."""
    def atanh_(self, name: str | None = None) -> Tensor:
        """In-place form of `atanh`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def atleast_1d(*inputs: Any, name: str | None = None) -> Tensor | list[Tensor]:
        """The tensors (or what makes tensors), those of fewer than 1 dimensions with more of size 1: a number becomes [1]."""
    def atleast_2d(*inputs: Any, name: str | None = None) -> Tensor | list[Tensor]:
        """The tensors (or what makes tensors), those of fewer than 2 dimensions with more of size 1: [N] becomes [1, N]."""
    def atleast_3d(*inputs: Any, name: str | None = None) -> Tensor | list[Tensor]:
        """The tensors (or what makes tensors), those of fewer than 3 dimensions with more of size 1: [N] becomes [1, N, 1], and [M, N] becomes [M, N, 1]."""
    def backward(self, grad_tensor: Tensor | None = None, retain_graph: _bool = False) -> None:
        """Add gradients of this tensor to ``.grad`` of the leaves it depends on."""
    def bincount(self, weights: Tensor | None = None, minlength: int = 0, name: str | None = None) -> Tensor:
        """Count how often each number 0, 1, ... occurs in a 1-D integer tensor (or the sums of their ``weights``)."""
    def bitwise_and(self, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
        """``x & y``: integers or booleans of one dtype."""
    def bitwise_and_(self, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
        """In-place form of `bitwise_and`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def bitwise_not(self, out: Any = None, name: str | None = None) -> Tensor:
        """``~x``: each bit flipped; for booleans, not."""
    def bitwise_not_(self, out: Any = None, name: str | None = None) -> Tensor:
        """In-place form of `bitwise_not`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def bitwise_or(self, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
        """``x | y``: integers or booleans of one dtype."""
    def bitwise_or_(self, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
        """In-place form of `bitwise_or`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def bitwise_xor(self, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
        """``x ^ y``: integers or booleans of one dtype."""
    def bitwise_xor_(self, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
        """In-place form of `bitwise_xor`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def bmm(self, y: Tensor, name: str | None = None) -> Tensor:
        """The product of two batches of matrices, [b, m, k] and [b, k, n]. Raises ShapeError for other shapes."""
    def broadcast_shape(self, y_shape: Any) -> list[int]:
        """The shape that two shapes broadcast to. Raises ShapeError when they do not."""
    def broadcast_tensors(self, name: str | None = None) -> list[Tensor]:
        """The tensors, each broadcast to the shape that all of them have together; a list."""
    def broadcast_to(self, shape: Tensor | Sequence[Tensor | int], name: str | None = None) -> Tensor:
        """``x`` broadcast to ``shape`` (see `expand`)."""
    def bucketize(self, sorted_sequence: Tensor, out_int32: _bool = False, right: _bool = False, name: str | None = None) -> Tensor:
        """The bucket of each element of ``x`` among sorted boundaries (see `searchsorted`)."""
    def cast(self, dtype: Any) -> Tensor:
        """``x`` converted to ``dtype``, a copy in any case; gradients flow between floating types."""
    def cast_(self, dtype: Any) -> Tensor:
        """In-place form of `cast`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def cauchy_(self, loc: Any = 0, scale: Any = 1, name: str | None = None) -> Tensor:
        """Fill ``x`` with numbers drawn from the Cauchy distribution of centre ``loc`` and width ``scale``."""
    def cdist(self, y: Any, p: float = 2.0, compute_mode: str = 'use_mm_for_euclid_dist_if_necessary', name: str | None = None) -> Tensor:
        """The ``p``-norms of the differences of each row of ``x`` [*, P, M] and each of ``y`` [*, R, M]: [*, P, R]."""
    def ceil(self, name: str | None = None) -> Tensor:
        """The smallest whole number not below ``x``. Integers become float32."""
    def ceil_(self, name: str | None = None) -> Tensor:
        """In-place form of `ceil`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def cholesky(self, upper: _bool = False, name: str | None = None) -> Tensor:
        """The lower (or upper) triangular factor of symmetric positive definite matrices: ``out @ out.T = x``."""
    def cholesky_solve(self, y: Tensor, upper: _bool = False, name: str | None = None) -> Tensor:
        """The solution of ``A @ out = x``, where ``y`` is the lower (or upper) factor that `cholesky` gives of ``A``."""
    def chunk(self, chunks: int, axis: Tensor | int = 0, name: str | None = None) -> list[Tensor]:
        """``x`` cut along ``axis`` into ``chunks`` equal parts; a list."""
    def clear_grad(self, set_to_zero: _bool = True) -> None:
        """Set ``grad`` to zeros, or forget it with ``set_to_zero=False``."""
    def clear_gradient(self, set_to_zero: _bool = True) -> None:
        """Set ``grad`` to zeros, or forget it with ``set_to_zero=False``."""
    def clip(self, min: Tensor | float | None = None, max: Tensor | float | None = None, name: str | None = None) -> Tensor:
        """``x`` limited to ``[min, max]``, numbers or 0-D tensors; a bound that is None does not limit."""
    def clip_(self, min: Tensor | float | None = None, max: Tensor | float | None = None, name: str | None = None) -> Tensor:
        """In-place form of `clip`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def clone(self, name: str | None = None) -> Tensor:
        """A copy of ``x`` through which gradients flow."""
    def coalesce(self, name: object = None) -> Any:
        """Of sparse COO tensors only: raises TypeError."""
    def cols(self) -> Any:
        """Of sparse CSR tensors only: raises TypeError."""
    def combinations(self, r: int = 2, with_replacement: _bool = False, name: str | None = None) -> Tensor:
        """All choices of ``r`` elements of a vector, one a row, in the order of Python's `itertools.combinations`."""
    def concat(self, axis: Any = 0, name: str | None = None) -> Tensor:
        """Tensors joined along an existing dimension. Raises ShapeError when the other dimensions differ, DTypeError on mixed dtypes."""
    def cond(self, p: float | str | None = None, name: str | None = None) -> Tensor:
        """The condition number of the matrices ``x``: the norm times the norm of the inverse."""
    def conj(self, name: str | None = None) -> Tensor:
        """The complex conjugates; real tensors as they are."""
    def contiguous(self) -> Tensor:
        """``x`` itself, unless it is a view whose elements lie apart or in another order, ``x.t()``: a copy of that."""
    def copy_(self, other: object, blocking: _bool = True) -> Tensor:
        """Take over the numbers of ``other``; returns self."""
    def corrcoef(self, rowvar: _bool = True, name: str | None = None) -> Tensor:
        """Correlations of the rows (or columns) of ``x``: `cov`, divided by both standard deviations, cut to [-1, 1]."""
    def cos(self, name: str | None = None) -> Tensor:
        """The cosine. Integers become float32."""
    def cos_(self, name: str | None = None) -> Tensor:
        """In-place form of `cos`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def cosh(self, name: str | None = None) -> Tensor:
        """The hyperbolic cosine. Integers become float32."""
    def cosh_(self, name: str | None = None) -> Tensor:
        """In-place form of `cosh`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def count_nonzero(self, axis: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
        """The number of elements that are not 0, int64."""
    def cov(self, rowvar: _bool = True, ddof: _bool = True, fweights: Tensor | None = None, aweights: Tensor | None = None, name: str | None = None) -> Tensor:
        """Covariances of the rows (or columns) of ``x``, which has one or two dimensions."""
    def cpu(self) -> Tensor:
        """This tensor in the host's memory."""
    def cross(self, y: Tensor, axis: int = 9, name: str | None = None) -> Tensor:
        """The vector product along ``axis`` (default: the first of size 3)."""
    def crows(self) -> Any:
        """Of sparse CSR tensors only: raises TypeError."""
    def cuda(self, device_id: int | None = None, blocking: _bool = True) -> Any:
        """This tensor on GPU ``device_id`` (default 0). Raises DeviceError when it is not there."""
    def cummax(self, axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, ...]:
        """The maximum up to each position along ``axis`` (None: of the flattened tensor), and its position."""
    def cummin(self, axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, ...]:
        """The minimum up to each position along ``axis`` (None: of the flattened tensor), and its position."""
    def cumprod(self, dim: int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
        """Products of the elements up to each position along ``dim`` (None: of the flattened tensor), as ``dtype`` if given."""
    def cumprod_(self, dim: int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
        """In-place form of `cumprod`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def cumsum(self, axis: int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
        """Sums of the elements up to each position along ``axis`` (None: of the flattened tensor), as ``dtype`` if given."""
    def cumsum_(self, axis: int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
        """In-place form of `cumsum`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def cumulative_trapezoid(self, x: Tensor | None = None, dx: Any = None, axis: int = -1, name: str | None = None) -> Tensor:
        """The integrals of ``y`` along ``axis`` up to each of its places but the first; see `trapezoid`."""
    @property
    def data(self) -> Tensor: ...
    @data.setter
    def data(self, value: Any) -> None: ...
    def data_ptr(self) -> int:
        """The address of the first element in the memory of the device."""
    def deg2rad(self, name: str | None = None) -> Tensor:
        """Degrees in radians: int32 and int64 become float32, other dtypes stay."""
    def deg2rad_(self, name: str | None = None) -> Tensor:
        """In-place form of `deg2rad`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def detach(self) -> Tensor:
        """The same numbers (shared), without a gradient graph."""
    def detach_(self) -> Tensor:
        """Leave the gradient graph, in place."""
    def diag(self, offset: int = 0, padding_value: float = 0.0, name: str | None = None) -> Tensor:
        """A matrix with the vector ``x`` on a diagonal (``padding_value`` elsewhere), or the diagonal of a matrix."""
    def diag_embed(self, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
        """Matrices, in the dimensions ``dim1`` and ``dim2`` of the result, with the last dimension of ``input`` on a diagonal."""
    def diagflat(self, offset: int = 0, name: str | None = None) -> Tensor:
        """A matrix with the flattened ``x`` on a diagonal and 0 elsewhere."""
    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1, name: str | None = None) -> Tensor:
        """The diagonals of the matrices in two dimensions, as a new last dimension; ``offset`` above 0 is above the main one."""
    def diagonal_scatter(self, y: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, name: str | None = None) -> Tensor:
        """``x`` with the diagonal of two dimensions replaced by ``y``; see `Tensor.fill_diagonal_tensor`."""
    def diff(self, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None, name: str | None = None) -> Tensor:
        """Differences of neighbours along ``axis``, taken ``n`` times, after joining ``prepend`` and ``append``."""
    def digamma(self, name: str | None = None) -> Tensor:
        """The derivative of `lgamma`. Integers become float32."""
    def digamma_(self, name: str | None = None) -> Tensor:
        """In-place form of `digamma`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def dim(self) -> int:
        """Number of dimensions."""
    def dist(self, y: Any, p: float = 2, name: str | None = None) -> Tensor:
        """The p-norm of ``x - y``, a 0-D tensor."""
    dist_attr: Any
    def divide(self, y: Any, name: str | None = None) -> Tensor:
        """``x / y``, elementwise with broadcasting. Integers are divided towards zero (the operator ``/`` gives floats)."""
    def divide_(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """In-place form of `divide`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `divide` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
    def dot(self, y: Tensor, name: str | None = None) -> Tensor:
        """The inner product of two vectors (0-D), or of the rows of two matrices."""
    @property
    def dtype(self) -> Any: ...
    def eig(self, name: str | None = None) -> tuple[Tensor, ...]:
        """Eigenvalues and eigenvectors (columns of length 1) of square matrices: [..., n, n] to complex [..., n] and [..., n, n]."""
    def eigvals(self, name: str | None = None) -> Tensor:
        """The eigenvalues of square matrices: [..., n, n] to complex [..., n]; see `eig`."""
    def eigvalsh(self, UPLO: str = 'L', name: str | None = None) -> Tensor:
        """The eigenvalues (rising) of symmetric matrices; see `eigh`."""
    def element_size(self) -> int:
        """Bytes of one element."""
    def equal(self, y: Any, name: str | None = None) -> Tensor:
        """``x == y``. Elementwise with broadcasting, boolean."""
    def equal_(self, y: Any, name: str | None = None) -> Tensor:
        """In-place form of `equal`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def equal_all(self, y: Any, name: str | None = None) -> Tensor:
        """Compare two tensors: True if they have the same shape and elements, as a 0-D boolean tensor."""
    def erf(self, name: str | None = None) -> Tensor:
        """The error function, to the precision of the dtype (float32: 3e-7). Integers become float32."""
    def erf_(self, name: str | None = None) -> Tensor:
        """In-place form of `erf`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def erfinv(self, name: str | None = None) -> Tensor:
        """The inverse of `erf`: infinite at -1 and 1, nan beyond. Integers become float32."""
    def erfinv_(self, name: str | None = None) -> Tensor:
        """In-place form of `erfinv`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def exp(self, name: str | None = None) -> Tensor:
        """``e ** x``. Integers become float32."""
    def exp_(self, name: str | None = None) -> Tensor:
        """In-place form of `exp`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def expand(self, shape: Tensor | Sequence[Tensor | int], name: str | None = None) -> Tensor:
        """``x`` broadcast to ``shape`` (ints, integer tensors, or a 1-D tensor); ``-1`` keeps a dimension."""
    def expand_as(self, y: Tensor, name: str | None = None) -> Tensor:
        """``x`` broadcast to the shape of ``y``."""
    def expm1(self, name: str | None = None) -> Tensor:
        """``exp(x) - 1``, exact for small ``x``. Integers become float32."""
    def expm1_(self, name: str | None = None) -> Tensor:
        """In-place form of `expm1`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def exponential_(self, lam: float = 1.0, name: str | None = None) -> Tensor:
        """Fill ``x`` with numbers drawn from the exponential distribution of rate ``lam``; it may be a leaf, whose gradient is 0."""
    def fill_(self, value: float) -> Tensor:
        """Set every element of ``x`` to a number, in place; its gradient is zeros then."""
    def fill_diagonal_(self, value: float, offset: int = 0, wrap: _bool = False, name: str | None = None) -> Tensor:
        """Set the elements of a diagonal of the matrix ``x`` to a number, in place."""
    def fill_diagonal_tensor(self, y: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1, name: str | None = None) -> Tensor:
        """``x`` with the diagonal of ``dim1`` and ``dim2`` replaced by ``y``, whose last dimension runs along it."""
    def fill_diagonal_tensor_(self, y: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1, name: str | None = None) -> Tensor:
        """`fill_diagonal_tensor` in place; returns ``x``."""
    def flatten(self, start_axis: int = 0, stop_axis: int = -1, name: str | None = None) -> Tensor:
        """Dimensions ``start_axis`` to ``stop_axis``, both included, merged into one. A 0-D tensor becomes 1-D."""
    def flatten_(self, start_axis: int = 0, stop_axis: int = -1, name: str | None = None) -> Tensor:
        """In-place form of `flatten`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def flip(self, axis: int | Sequence[int], name: str | None = None) -> Tensor:
        """``x`` with the order of elements reversed along ``axis`` (an int or several)."""
    def floor(self, name: str | None = None) -> Tensor:
        """The largest whole number not above ``x``. Integers become float32."""
    def floor_(self, name: str | None = None) -> Tensor:
        """In-place form of `floor`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def floor_divide(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """``x // y``: the quotient rounded down, elementwise with broadcasting. Raises ZeroDivisionError for integers over zero."""
    def floor_divide_(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """In-place form of `floor_divide`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `floor_divide` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
    def floor_mod(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """``x % y`` with the sign of ``y``, elementwise with broadcasting; no gradient flows through it, as in Paddle 2.6."""
    def floor_mod_(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """In-place form of `remainder`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `remainder` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
    def fmax(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """The larger of ``x`` and ``y``, elementwise with broadcasting; nan loses."""
    def fmax_(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """In-place form of `fmax`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `fmax` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
    def fmin(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """The smaller of ``x`` and ``y``, elementwise with broadcasting; nan loses."""
    def fmin_(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """In-place form of `fmin`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `fmin` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
    def frac(self, name: str | None = None) -> Tensor:
        """The fraction ``x - trunc(x)``."""
    def frac_(self, name: str | None = None) -> Tensor:
        """In-place form of `frac`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def frexp(self, name: str | None = None) -> tuple[Tensor, ...]:
        """``x`` as ``mantissa * 2 ** exponent`` with ``0.5 <= |mantissa| < 1``; of 0 both are 0."""
    def gather(self, index: Tensor, axis: Tensor | int | None = None, name: str | None = None) -> Tensor:
        """The slices of ``x`` along ``axis`` (default 0) at the positions of a 0-D or 1-D integer tensor."""
    def gather_nd(self, index: Tensor, name: str | None = None) -> Tensor:
        """``x`` at positions: the last dimension of ``index``, [..., k], addresses the first k dimensions of ``x``."""
    def gcd(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """The greatest common divisor of integers, elementwise with broadcasting."""
    def gcd_(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """In-place form of `gcd`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `gcd` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
    def geometric_(self, probs: Any, name: str | None = None) -> Tensor:
        """Fill ``x`` with ``log(u) / log(1 - probs)`` for u drawn evenly: the geometric distribution, not rounded, as in Paddle."""
    def get_strides(self) -> list[int]:
        """`strides`, by a call."""
    def get_tensor(self) -> Tensor:
        """Itself (Paddle's low-level tensor)."""
    @property
    def grad(self) -> Any: ...
    @grad.setter
    def grad(self, value: Any) -> None: ...
    @property
    def grad_(self) -> Any: ...
    @grad_.setter
    def grad_(self, value: Any) -> None: ...
    @property
    def grad_fn(self) -> Any: ...
    def gradient(self) -> Any:
        """`grad` as a NumPy array, or None."""
    def greater_equal(self, y: Any, name: str | None = None) -> Tensor:
        """``x >= y``. Elementwise with broadcasting, boolean."""
    def greater_equal_(self, y: Any, name: str | None = None) -> Tensor:
        """In-place form of `greater_equal`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def greater_than(self, y: Any, name: str | None = None) -> Tensor:
        """``x > y``. Elementwise with broadcasting, boolean."""
    def greater_than_(self, y: Any, name: str | None = None) -> Tensor:
        """In-place form of `greater_than`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def heaviside(self, y: Any, name: str | None = None) -> Tensor:
        """The Heaviside step function: 0 for negative ``x``, 1 for positive ``x``, and ``y`` for 0."""
    def histogram(self, bins: int = 100, min: float = 0, max: float = 0, name: str | None = None) -> Tensor:
        """Count the elements in each of ``bins`` equal parts of ``[min, max]`` (both 0: the range of the elements), int64."""
    def hold(self, array: Any) -> None:
        """Hold ``array`` from now on."""
    def householder_product(self, tau: Any, name: str | None = None) -> Tensor:
        """The first n columns of the product of k reflections: [*, m, n] and [*, k] to [*, m, n], as LAPACK's ``orgqr``."""
    def hypot(self, y: Any, name: str | None = None) -> Tensor:
        """``sqrt(x * x + y * y)``."""
    def hypot_(self, y: Any, name: str | None = None) -> Tensor:
        """In-place form of `hypot`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def i0(self, name: str | None = None) -> Tensor:
        """The modified Bessel function of order 0. Integers become float32."""
    def i0_(self, name: str | None = None) -> Tensor:
        """In-place form of `i0`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def i0e(self, name: str | None = None) -> Tensor:
        """``exp(-|x|) * i0(x)``, which does not overflow. Integers become float32."""
    def i0e_(self, name: str | None = None) -> Tensor:
        """In-place form of `i0e`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def i1(self, name: str | None = None) -> Tensor:
        """The modified Bessel function of order 1. Integers become float32."""
    def i1_(self, name: str | None = None) -> Tensor:
        """In-place form of `i1`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def i1e(self, name: str | None = None) -> Tensor:
        """``exp(-|x|) * i1(x)``, which does not overflow. Integers become float32."""
    def i1e_(self, name: str | None = None) -> Tensor:
        """In-place form of `i1e`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def imag(self, name: str | None = None) -> Tensor:
        """The imaginary parts. They share memory with ``x``."""
    def increment(self, value: float = 1.0, name: str | None = None) -> Tensor:
        """Add ``value`` to ``x``, a tensor of one element, in place; returns ``x``."""
    def index_add(self, index: Tensor, axis: int, value: Tensor, name: str | None = None) -> Tensor:
        """A copy of ``x`` with the slices of ``value`` added to those along ``axis`` at the positions ``index``."""
    def index_add_(self, index: Tensor, axis: int, value: Tensor, name: str | None = None) -> Tensor:
        """In-place form of `index_add`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def index_fill(self, index: Any, axis: int, value: Any, name: str | None = None) -> Tensor:
        """``x`` with ``value`` (a number or a 0-D tensor) at the positions ``index`` (a 1-D integer tensor) along ``axis``."""
    def index_fill_(self, index: Any, axis: int, value: Any, name: str | None = None) -> Tensor:
        """In-place form of `index_fill`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def index_put(self, indices: Sequence[Tensor], value: Tensor, accumulate: _bool = False, name: str | None = None) -> Tensor:
        """A copy of ``x`` with ``x[indices]`` (integer tensors, or masks, for its first dimensions) replaced by ``value``."""
    def index_put_(self, indices: Sequence[Tensor], value: Tensor, accumulate: _bool = False, name: str | None = None) -> Tensor:
        """In-place form of `index_put`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def index_sample(self, index: Any) -> Tensor:
        """From each row of a matrix the elements at that row of ``index``."""
    def index_select(self, index: Tensor, axis: int = 0, name: str | None = None) -> Tensor:
        """The slices of ``x`` along ``axis`` at the positions of a 1-D integer tensor. Raises IdError for one that is not there."""
    def indices(self) -> Any:
        """Of sparse COO tensors only: raises TypeError."""
    def inner(self, y: Any, name: str | None = None) -> Tensor:
        """The inner product over the last dimensions; of numbers, their product."""
    @property
    def inplace_version(self) -> int: ...
    def integer_divide(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """The quotient of integer tensors, rounded towards zero. Raises ZeroDivisionError."""
    def integer_divide_(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """In-place form of `integer_divide`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `integer_divide` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
    def inverse(self, name: str | None = None) -> Tensor:
        """The inverses of the square matrices in the last two dimensions."""
    def is_complex(self) -> _bool:
        """True when the dtype of ``x`` is complex."""
    def is_contiguous(self) -> _bool:
        """Return True if the elements lie row after row, as in all tensors but views such as ``x.t()`` and ``x[:, 0]``."""
    def is_dense(self) -> _bool:
        """True: this is a dense tensor on one device."""
    def is_dist(self) -> _bool:
        """False: this is a dense tensor on one device."""
    def is_empty(self, name: str | None = None) -> Tensor:
        """Return True if ``x`` has no elements, as a 0-D boolean tensor."""
    def is_floating_point(self) -> _bool:
        """True when the dtype of ``x`` is floating (not complex)."""
    def is_integer(self) -> _bool:
        """True when the dtype of ``x`` is an integer one."""
    @property
    def is_leaf(self) -> _bool: ...
    def is_same_shape(self, y: Any) -> _bool:
        """True if another tensor, dense or sparse, has the same shape."""
    def is_selected_rows(self) -> _bool:
        """False: this is a dense tensor on one device."""
    def is_sparse(self) -> _bool:
        """False: this is a dense tensor on one device."""
    def is_sparse_coo(self) -> _bool:
        """False: this is a dense tensor on one device."""
    def is_sparse_csr(self) -> _bool:
        """False: this is a dense tensor on one device."""
    def is_tensor(self) -> _bool:
        """True for tensors of both modes, dense and sparse."""
    def isclose(self, y: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: _bool = False, name: str | None = None) -> Tensor:
        """Compare elementwise: True where ``|x - y| <= atol + rtol * |y|``."""
    def isfinite(self, name: str | None = None) -> Tensor:
        """Whether each element is neither infinite nor nan."""
    def isinf(self, name: str | None = None) -> Tensor:
        """Whether each element is infinite."""
    def isnan(self, name: str | None = None) -> Tensor:
        """Whether each element is not a number."""
    def istft(self, n_fft: int, hop_length: int | None = None, win_length: int | None = None, window: Any = None, center: _bool = True, normalized: _bool = False, onesided: _bool = True, length: int | None = None, return_complex: _bool = False, name: str | None = None) -> Tensor:
        """The signals of which `stft` gave ``x`` [..., n_fft // 2 + 1, frames], or [..., n_fft, frames] with ``onesided=False``."""
    def item(self, *index: int) -> float:
        """The one element, or the element at ``index``, as a Python number. Raises ValueError when there are several."""
    def kron(self, y: Tensor, name: str | None = None) -> Tensor:
        """The Kronecker product."""
    def kthvalue(self, k: int, axis: int | None = None, keepdim: _bool = False, name: str | None = None) -> tuple[Tensor, ...]:
        """The ``k``-th smallest element along ``axis`` (default the last; k counts from 1) and its position."""
    layout: Any
    def lcm(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """The least common multiple of integers, elementwise with broadcasting."""
    def lcm_(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """In-place form of `lcm`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `lcm` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
    def ldexp(self, y: Any, name: str | None = None) -> Tensor:
        """``x * 2 ** y``, elementwise with broadcasting: float64 when either is, else the default float."""
    def ldexp_(self, y: Any, name: str | None = None) -> Tensor:
        """In-place form of `ldexp`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def lerp(self, y: Any, weight: Any, name: str | None = None) -> Tensor:
        """``x + weight * (y - x)``; ``weight`` is a number or a tensor, into which no gradient flows."""
    def lerp_(self, y: Any, weight: Any, name: str | None = None) -> Tensor:
        """In-place form of `lerp`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def less_equal(self, y: Any, name: str | None = None) -> Tensor:
        """``x <= y``. Elementwise with broadcasting, boolean."""
    def less_equal_(self, y: Any, name: str | None = None) -> Tensor:
        """In-place form of `less_equal`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def less_than(self, y: Any, name: str | None = None) -> Tensor:
        """``x < y``. Elementwise with broadcasting, boolean."""
    def less_than_(self, y: Any, name: str | None = None) -> Tensor:
        """In-place form of `less_than`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def lgamma(self, name: str | None = None) -> Tensor:
        """``log(|gamma(x)|)``. Integers become float32."""
    def lgamma_(self, name: str | None = None) -> Tensor:
        """In-place form of `lgamma`, with the same arguments and errors: ``x`` holds the result and is returned."""
    lod_level: Any
    def log(self, name: str | None = None) -> Tensor:
        """The natural logarithm. Integers become float32."""
    def log10(self, name: str | None = None) -> Tensor:
        """The logarithm to base 10. Integers become float32."""
    def log10_(self, name: str | None = None) -> Tensor:
        """In-place form of `log10`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def log1p(self, name: str | None = None) -> Tensor:
        """``log(1 + x)``, exact for small ``x``. Integers become float32."""
    def log1p_(self, name: str | None = None) -> Tensor:
        """In-place form of `log1p`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def log2(self, name: str | None = None) -> Tensor:
        """The logarithm to base 2. Integers become float32."""
    def log2_(self, name: str | None = None) -> Tensor:
        """In-place form of `log2`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def log_(self, name: str | None = None) -> Tensor:
        """In-place form of `log`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def logaddexp(self, y: Any, name: str | None = None) -> Tensor:
        """``log(exp(x) + exp(y))`` without overflow."""
    def logcumsumexp(self, axis: int | None = None, dtype: Any = None, name: str | None = None) -> Tensor:
        """Logarithms of the sums of the exponentials up to each position along ``axis`` (None: of the flattened tensor)."""
    def logical_and(self, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
        """Whether both are true (not zero), elementwise."""
    def logical_and_(self, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
        """In-place form of `logical_and`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def logical_not(self, out: Any = None, name: str | None = None) -> Tensor:
        """Whether it is false (zero), elementwise."""
    def logical_not_(self, out: Any = None, name: str | None = None) -> Tensor:
        """In-place form of `logical_not`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def logical_or(self, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
        """Whether either is true (not zero), elementwise."""
    def logical_or_(self, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
        """In-place form of `logical_or`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def logical_xor(self, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
        """Whether exactly one is true (not zero), elementwise."""
    def logical_xor_(self, y: Tensor, out: Any = None, name: str | None = None) -> Tensor:
        """In-place form of `logical_xor`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def logit(self, eps: float | None = None, name: str | None = None) -> Tensor:
        """``log(x / (1 - x))``; with ``eps``, ``x`` is first limited to ``[eps, 1 - eps]``."""
    def logit_(self, eps: float | None = None, name: str | None = None) -> Tensor:
        """In-place form of `logit`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def logsumexp(self, axis: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
        """``log(sum(exp(x)))`` over ``axis`` (an int, several, or None for all), without overflow."""
    def lstsq(self, y: Any, rcond: float | None = None, driver: str | None = None, name: str | None = None) -> tuple[Tensor, ...]:
        """The solutions of ``x @ solution = y`` with the least squares of what is left, for [*, m, n] and [*, m, k]."""
    def lu(self, pivot: _bool = True, get_infos: _bool = False, name: str | None = None) -> tuple[Tensor, ...]:
        """Matrices ``[*, m, n]`` as ``P @ L @ U``, with ``L`` (without its ones) and ``U`` in one matrix."""
    def lu_unpack(self, y: Tensor, unpack_ludata: _bool = True, unpack_pivots: _bool = True, name: str | None = None) -> tuple[Any, ...]:
        """The factors ``P``, ``L`` and ``U`` of what `lu` returned: ``x``, and the pivots ``y``."""
    def masked_fill(self, mask: Tensor, value: Tensor | float, name: str | None = None) -> Tensor:
        """``x`` with ``value`` (a number or 0-D tensor) where the boolean ``mask`` is true."""
    def masked_fill_(self, mask: Tensor, value: Tensor | float, name: str | None = None) -> Tensor:
        """In-place form of `masked_fill`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def masked_select(self, mask: Tensor, name: str | None = None) -> Tensor:
        """The elements of ``x`` where the boolean ``mask`` (broadcast to ``x``) is true, 1-D. Raises ArgumentTypeError for no mask."""
    def matmul(self, y: Tensor, transpose_x: _bool = False, transpose_y: _bool = False, name: str | None = None) -> Tensor:
        """The matrix product, batched over leading dimensions, which broadcast."""
    def matrix_power(self, n: int, name: str | None = None) -> Tensor:
        """Square matrices multiplied with themselves: ``x @ x @ ...`` n times; n = 0 gives the identity, negative n inverts first."""
    def matrix_rank(self, tol: Tensor | float | None = None, hermitian: _bool = False, name: str | None = None) -> Tensor:
        """The rank of the matrices: the number of singular values above ``tol``, int32."""
    def max(self, axis: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
        """The maximum; all elements equal to it get its gradient."""
    def maximum(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """The larger of ``x`` and ``y``, elementwise with broadcasting; nan wins."""
    def maximum_(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """In-place form of `maximum`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `maximum` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
    def mean(self, axis: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
        """The mean; of integers, rounded towards zero."""
    def median(self, axis: int | None = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
        """The median along ``axis`` (None: of all elements); of an even number of elements, the mean of the middle two."""
    def min(self, axis: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
        """The minimum; all elements equal to it get its gradient."""
    def minimum(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """The smaller of ``x`` and ``y``, elementwise with broadcasting; nan wins."""
    def minimum_(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """In-place form of `minimum`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `minimum` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
    def mm(self, mat2: Tensor, name: str | None = None) -> Tensor:
        """The matrix product (see `matmul`)."""
    def mod(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """``x % y`` with the sign of ``y``, elementwise with broadcasting; no gradient flows through it, as in Paddle 2.6."""
    def mod_(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """In-place form of `remainder`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `remainder` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
    def mode(self, axis: int = -1, keepdim: _bool = False, name: str | None = None) -> tuple[Tensor, ...]:
        """The most frequent elements along ``axis`` (of equally frequent ones the smallest), and the last positions of these."""
    def moveaxis(self, source: int | Sequence[int], destination: int | Sequence[int], name: str | None = None) -> Tensor:
        """Dimensions ``source`` moved to the positions ``destination``; the others keep their order."""
    def multi_dot(self, name: str | None = None) -> Tensor:
        """The product of matrices (the first and the last may be vectors), in the order that takes the fewest multiplications."""
    def multigammaln(self, p: int, name: str | None = None) -> Tensor:
        """The logarithm of the gamma function of ``p`` dimensions; each element must be greater than ``(p - 1) / 2``."""
    def multigammaln_(self, p: int, name: str | None = None) -> Tensor:
        """In-place form of `multigammaln`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def multinomial(self, num_samples: int = 1, replacement: _bool = False, name: str | None = None) -> Tensor:
        """Positions drawn with probabilities in proportion to the weights in the last dimension of ``x`` (1-D or 2-D), int64."""
    def multiplex(self, index: Any, name: str | None = None) -> Tensor:
        """Row ``i`` of the result is row ``i`` of tensor ``inputs[index[i]]``; it has as many rows as ``index``."""
    def multiply(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """``x * y``, elementwise with broadcasting."""
    def multiply_(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """In-place form of `multiply`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `multiply` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
    def mv(self, vec: Tensor, name: str | None = None) -> Tensor:
        """The product of a matrix and a vector."""
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value: Any) -> None: ...
    def nan_to_num(self, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None, name: str | None = None) -> Tensor:
        """nan and the infinities replaced by numbers; the infinities by default by the largest finite ones."""
    def nan_to_num_(self, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None, name: str | None = None) -> Tensor:
        """In-place form of `nan_to_num`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def nanmean(self, axis: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
        """The mean of the elements that are not nan; of integers, rounded towards zero."""
    def nanmedian(self, axis: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
        """The median over ``axis`` (an int, several, or None for all) of the elements that are not nan; nan where there are none."""
    def nanquantile(self, q: Any, axis: Any = None, keepdim: _bool = False) -> Tensor:
        """`quantile` of the elements that are not nan; nan where there are none."""
    def nansum(self, axis: Any = None, dtype: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
        """The sum that counts nan as 0."""
    @property
    def ndim(self) -> int: ...
    def ndimension(self) -> int:
        """Number of dimensions."""
    def neg(self, name: str | None = None) -> Tensor:
        """``-x``."""
    def neg_(self, name: str | None = None) -> Tensor:
        """In-place form of `neg`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def nextafter(self, y: Any, name: str | None = None) -> Tensor:
        """The floating-point numbers next to ``x`` on the way to ``y``, elementwise with broadcasting."""
    def nnz(self) -> Any:
        """Of sparse tensors only: raises TypeError."""
    @overload
    def nonzero(self, as_tuple: Literal[False] = False) -> Tensor:
        """Positions of the elements that are not zero, [n, ndim] int64; ``as_tuple``: a [n, 1] column per dimension."""
    @overload
    def nonzero(self, as_tuple: Literal[True]) -> tuple[Tensor, ...]:
        """Positions of the elements that are not zero, [n, ndim] int64; ``as_tuple``: a [n, 1] column per dimension."""
    @overload
    def nonzero(self, as_tuple: _bool) -> Tensor | tuple[Tensor, ...]:
        """Positions of the elements that are not zero, [n, ndim] int64; ``as_tuple``: a [n, 1] column per dimension."""
    def norm(self, p: float | str = 'fro', axis: int | Sequence[int] | None = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
        """The p-norm: of the flattened tensor (``axis`` None), along one axis, or of matrices in two axes."""
    def normal_(self, mean: float = 0.0, std: float = 1.0, name: str | None = None) -> Tensor:
        """Fill ``x`` with numbers drawn from a normal distribution."""
    def not_equal(self, y: Any, name: str | None = None) -> Tensor:
        """``x != y``. Elementwise with broadcasting, boolean."""
    def not_equal_(self, y: Any, name: str | None = None) -> Tensor:
        """In-place form of `not_equal`, with the same arguments and errors: ``x`` holds the result and is returned."""
    num_shard: Any
    def numel(self, name: str | None = None) -> Tensor:
        """Number of elements, a 0-D int64 tensor."""
    def numpy(self, set_to_1d: _bool = True) -> Any:
        """A copy of the numbers as a NumPy array of the tensor's shape."""
    @property
    def offset(self) -> int: ...
    def ones_like(self, dtype: Any = None, name: str | None = None) -> Tensor:
        """Ones shaped as ``x``, of its dtype unless ``dtype`` is given."""
    def outer(self, y: Any, name: str | None = None) -> Tensor:
        """The products of each element of ``x`` with each of ``y``, both flattened."""
    def pca_lowrank(self, q: int | None = None, center: _bool = True, niter: int = 2, name: str | None = None) -> tuple[Tensor, ...]:
        """The ``q`` largest singular values of [*, m, n] with their vectors: [*, m, q], [*, q] and [*, n, q], approximately."""
    persistable: Any
    def pin_memory(self, blocking: _bool = True) -> Tensor:
        """Itself: the host's memory is not paged differently here."""
    def pinv(self, rcond: float = 1e-15, hermitian: _bool = False, name: str | None = None) -> Tensor:
        """Pseudo-inverses: of the singular values those above ``rcond`` times the largest are inverted, the others count as zero."""
    @property
    def place(self) -> Any: ...
    placements: Any
    def polar(self, angle: Any, name: str | None = None) -> Tensor:
        """The complex numbers of these lengths and angles, which broadcast."""
    def polygamma(self, n: int, name: str | None = None) -> Tensor:
        """The ``n``-th derivative of `digamma` (n = 0: digamma itself)."""
    def polygamma_(self, n: int, name: str | None = None) -> Tensor:
        """In-place form of `polygamma`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def pow(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """``x ** y``, elementwise with broadcasting. Integers to negative powers are rounded: 0, but for 1 and -1."""
    def pow_(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """In-place form of `pow`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `pow` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
    process_mesh: Any
    def prod(self, axis: int | Sequence[int] | None = None, keepdim: _bool = False, dtype: Any = None, name: str | None = None) -> Tensor:
        """The product over ``axis`` (an int, several, or None for all), computed as ``dtype`` if given."""
    def put_along_axis(self, indices: Tensor, values: Tensor | float, axis: int, reduce: str = 'assign', include_self: _bool = True, broadcast: _bool = True) -> Tensor:
        """A copy of ``arr`` in which ``values`` stand in the elements that `take_along_axis` would read."""
    def put_along_axis_(self, indices: Tensor, values: Tensor | float, axis: int, reduce: str = 'assign', include_self: _bool = True, broadcast: _bool = True) -> Tensor:
        """In-place form of `put_along_axis`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def qr(self, mode: str = 'reduced', name: str | None = None) -> tuple[Tensor, ...]:
        """Matrices ``[*, m, n]`` as products ``Q @ R`` of one with orthogonal columns and an upper triangular one."""
    def quantile(self, q: Any, axis: Any = None, keepdim: _bool = False) -> Tensor:
        """The numbers below which the fractions ``q`` of the elements lie, float64; several ``q`` make a new first dimension."""
    def rad2deg(self, name: str | None = None) -> Tensor:
        """Radians in degrees: int32 and int64 become float32, other dtypes stay."""
    def rad2deg_(self, name: str | None = None) -> Tensor:
        """In-place form of `rad2deg`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def rank(self) -> Tensor:
        """Number of dimensions, a 0-D int32 tensor."""
    def real(self, name: str | None = None) -> Tensor:
        """The real parts. They share memory with ``x``."""
    def reciprocal(self, name: str | None = None) -> Tensor:
        """``1 / x``. Integers become float32."""
    def reciprocal_(self, name: str | None = None) -> Tensor:
        """In-place form of `reciprocal`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def reconstruct_from_(self, other: Any) -> None:
        """Become another tensor: its numbers, shape, dtype, place in the gradient graph and ``stop_gradient``."""
    def register_hook(self, hook: Any) -> Any:
        """Call ``hook(gradient)`` when this tensor's gradient is known; a returned tensor replaces it."""
    def remainder(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """``x % y`` with the sign of ``y``, elementwise with broadcasting; no gradient flows through it, as in Paddle 2.6."""
    def remainder_(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """In-place form of `remainder`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `remainder` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
    def renorm(self, p: float, axis: int, max_norm: float) -> Tensor:
        """The slices of ``x`` along ``axis``, those scaled down of which the ``p``-norm is more than ``max_norm``."""
    def renorm_(self, p: float, axis: int, max_norm: float) -> Tensor:
        """In-place form of `renorm`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def repeat_interleave(self, repeats: Any, axis: int | None = None, name: str | None = None) -> Tensor:
        """Each element repeated: ``repeats`` times, or as often as a 1-D integer tensor says. ``axis`` None flattens first."""
    @property
    def requires_grad(self) -> Any: ...
    @requires_grad.setter
    def requires_grad(self, value: Any) -> None: ...
    def reshape(self, shape: Tensor | Sequence[Tensor | int], name: str | None = None) -> Tensor:
        """The elements of ``x`` in another shape."""
    def reshape_(self, shape: Tensor | Sequence[Tensor | int], name: str | None = None) -> Tensor:
        """In-place form of `reshape`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def retain_grads(self) -> None:
        """Keep ``grad`` on this non-leaf tensor after backward()."""
    def reverse(self, axis: int | Sequence[int], name: str | None = None) -> Tensor:
        """``x`` with the order of elements reversed along ``axis`` (an int or several)."""
    def roll(self, shifts: Tensor | int | Sequence[int], axis: int | Sequence[int] | None = None, name: str | None = None) -> Tensor:
        """``x`` with elements moved ``shifts`` places along ``axis``, those falling off coming in again at the start."""
    def rot90(self, k: int = 1, axes: Any = (0, 1), name: str | None = None) -> Tensor:
        """``x`` turned by ``k`` quarter turns in the plane of two dimensions, from the first towards the second."""
    def round(self, name: str | None = None) -> Tensor:
        """The nearest whole number; halves go away from zero. Integers become float32."""
    def round_(self, name: str | None = None) -> Tensor:
        """In-place form of `round`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def rsqrt(self, name: str | None = None) -> Tensor:
        """``1 / sqrt(x)``. Integers become float32."""
    def rsqrt_(self, name: str | None = None) -> Tensor:
        """In-place form of `rsqrt`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def scale(self, scale: Tensor | float = 1.0, bias: float = 0.0, bias_after_scale: _bool = True, act: Any = None, name: str | None = None) -> Tensor:
        """``scale * x + bias``, or ``scale * (x + bias)`` with ``bias_after_scale=False``; the dtype stays that of ``x``."""
    def scale_(self, scale: Tensor | float = 1.0, bias: float = 0.0, bias_after_scale: _bool = True, act: Any = None, name: str | None = None) -> Tensor:
        """In-place form of `scale`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def scatter(self, index: Tensor, updates: Tensor, overwrite: _bool = True, name: str | None = None) -> Tensor:
        """A copy of ``x`` whose rows ``index`` are those of ``updates``; with ``overwrite=False`` the sum of them."""
    def scatter_(self, index: Tensor, updates: Tensor, overwrite: _bool = True, name: str | None = None) -> Tensor:
        """In-place form of `scatter`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def scatter_nd(self, updates: Tensor, shape: Tensor | Sequence[int], name: str | None = None) -> Tensor:
        """Zeros of ``shape`` with ``updates`` added at the positions ``index``."""
    def scatter_nd_add(self, index: Tensor, updates: Tensor, name: str | None = None) -> Tensor:
        """A copy of ``x`` with ``updates`` added at the positions that `gather_nd` would read; repeats add up."""
    def select_scatter(self, values: Any, axis: int, index: int, name: str | None = None) -> Tensor:
        """``x`` with ``values`` at position ``index`` of ``axis``; they have the shape of ``x`` without that dimension."""
    def set(self, array: object, place: object = None) -> None:
        """Hold other numbers, of whatever shape and dtype, as Paddle's low-level tensors do: ``x.get_tensor().set(a, place)``."""
    def set_value(self, value: object) -> None:
        """Replace the numbers by ``value`` (tensor or array) of the same shape; it is converted to this tensor's dtype."""
    def sgn(self, name: str | None = None) -> Tensor:
        """The complex numbers of length 1 with the angles of ``x`` (0 for 0); of real numbers the `sign`."""
    @property
    def shape(self) -> list[int]: ...
    def shard_index(self, index_num: int, nshards: int, shard_id: int, ignore_value: int = -1) -> Tensor:
        """The numbers below ``index_num`` counted within the part ``shard_id`` of ``nshards`` equal parts; others ``ignore_value``."""
    def sigmoid(self, name: str | None = None) -> Tensor:
        """``1 / (1 + exp(-x))``. Integers become float32."""
    def sigmoid_(self, name: str | None = None) -> Tensor:
        """In-place form of `sigmoid`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def sign(self, name: str | None = None) -> Tensor:
        """-1, 0 or 1."""
    def sign_(self, name: str | None = None) -> Tensor:
        """In-place form of `sign`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def sin(self, name: str | None = None) -> Tensor:
        """The sine. Integers become float32."""
    def sin_(self, name: str | None = None) -> Tensor:
        """In-place form of `sin`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def sinh(self, name: str | None = None) -> Tensor:
        """The hyperbolic sine. Integers become float32."""
    def sinh_(self, name: str | None = None) -> Tensor:
        """In-place form of `sinh`, with the same arguments and errors: ``x`` holds the result and is returned."""
    @property
    def size(self) -> int: ...
    def slice(self, axes: Any, starts: Any, ends: Any) -> Tensor:
        """``input`` cut along ``axes`` to ``starts[i]:ends[i]`` (ints or integer tensors; negative ones count from the end)."""
    def softmax(self, axis: int = -1, dtype: Any = None, name: str | None = None) -> Tensor:
        """``exp(x) / sum(exp(x))`` along ``axis``: non-negative weights that sum to one."""
    def solve(self, y: Tensor, name: str | None = None) -> Tensor:
        """The solution of ``x @ out = y`` for square matrices ``x``; ``y`` is a vector, matrices, or a batch of one vector for each."""
    def sort(self, axis: int = -1, descending: _bool = False, name: str | None = None) -> Tensor:
        """``x`` sorted along ``axis``."""
    def split(self, num_or_sections: int | Sequence[Tensor | int], axis: Tensor | int = 0, name: str | None = None) -> list[Tensor]:
        """``x`` cut along ``axis`` into equal parts, or into parts of given sizes (one may be -1); a list."""
    def sqrt(self, name: str | None = None) -> Tensor:
        """The square root. Integers become float32."""
    def sqrt_(self, name: str | None = None) -> Tensor:
        """In-place form of `sqrt`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def square(self, name: str | None = None) -> Tensor:
        """``x * x``."""
    def square_(self, name: str | None = None) -> Tensor:
        """In-place form of `square`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def squeeze(self, axis: Tensor | int | Sequence[int] | None = None, name: str | None = None) -> Tensor:
        """``x`` without its dimensions of size 1: all of them, or those among ``axis`` (others there are kept)."""
    def squeeze_(self, axis: Tensor | int | Sequence[int] | None = None, name: str | None = None) -> Tensor:
        """In-place form of `squeeze`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def stack(self, axis: int = 0, name: str | None = None) -> Tensor:
        """Tensors of one shape joined along a new dimension ``axis``."""
    def stanh(self, scale_a: float = 0.67, scale_b: float = 1.7159, name: str | None = None) -> Tensor:
        """``scale_b * tanh(scale_a * x)``."""
    def stanh_(self, scale_a: float = 0.67, scale_b: float = 1.7159, name: str | None = None) -> Tensor:
        """In-place form of `stanh`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def std(self, axis: int | Sequence[int] | None = None, unbiased: _bool = True, keepdim: _bool = False, name: str | None = None) -> Tensor:
        """The standard deviation over ``axis`` (an int, several, or None for all); see `var`."""
    def stft(self, n_fft: int, hop_length: int | None = None, win_length: int | None = None, window: Any = None, center: _bool = True, pad_mode: str = 'reflect', normalized: _bool = False, onesided: _bool = True, name: str | None = None) -> Tensor:
        """Fourier transforms of overlapping frames of signals [n] or [batch, n]: _complex [..., n_fft // 2 + 1, frames]."""
    stop_gradient: Any
    def strided_slice(self, axes: Any, starts: Any, ends: Any, strides: Any, name: str | None = None) -> Tensor:
        """``x`` cut along ``axes`` to ``starts[i]:ends[i]:strides[i]`` (ints or integer tensors; negative ones count from the end)."""
    @property
    def strides(self) -> list[int]: ...
    def subtract(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """``x - y``, elementwise with broadcasting."""
    def subtract_(self, y: Tensor | float, name: str | None = None) -> Tensor:
        """In-place form of `subtract`: ``x`` keeps its shape and dtype, holds the result and is returned. Raises what `subtract` raises, and DTypeError or ShapeError for a ``y`` that would change the shape or dtype."""
    def sum(self, axis: Any = None, dtype: Any = None, keepdim: _bool = False, name: str | None = None) -> Tensor:
        """The sum over ``axis`` (an int, several, or None for all). Booleans and int32 are summed as int64 unless ``dtype`` says."""
    def swapaxes(self, axis1: int, axis2: int, name: str | None = None) -> Tensor:
        """Two dimensions exchanged."""
    def t(self, name: str | None = None) -> Tensor:
        """The transpose of a matrix; tensors of fewer dimensions are returned as they are."""
    def t_(self, name: str | None = None) -> Tensor:
        """In-place form of `t`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def take(self, index: Any, mode: str = 'raise', name: str | None = None) -> Tensor:
        """Elements of the flattened ``x`` at ``index``; ``mode``: 'raise', 'wrap' or 'clip' what is out of bounds."""
    def take_along_axis(self, indices: Tensor, axis: int, broadcast: _bool = True) -> Tensor:
        """Elements of ``arr`` along ``axis`` at ``indices``, which has the rank of ``arr`` and broadcasts beside ``axis``."""
    def tan(self, name: str | None = None) -> Tensor:
        """The tangent. Integers become float32."""
    def tan_(self, name: str | None = None) -> Tensor:
        """In-place form of `tan`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def tanh(self, name: str | None = None) -> Tensor:
        """The hyperbolic tangent. Integers become float32."""
    def tanh_(self, name: str | None = None) -> Tensor:
        """In-place form of `tanh`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def tensordot(self, y: Any, axes: Any = 2, name: str | None = None) -> Tensor:
        """The sum of products over pairs of dimensions."""
    def tile(self, repeat_times: Tensor | Sequence[Tensor | int], name: str | None = None) -> Tensor:
        """``x`` repeated ``repeat_times[i]`` times along dimension ``i`` (ints or integer tensors)."""
    def to(self, *args: Any, device: Any = None, dtype: Any = None, blocking: _bool | None = None) -> Tensor:
        """This tensor on another device and/or with another dtype: ``x.to('gpu:0')``, ``x.to('float64')``."""
    def to_dense(self) -> Any:
        """Itself: this tensor is dense already."""
    def to_sparse_coo(self, sparse_dim: int) -> Tensor:
        """The numbers that are not zero, by their coordinates in the first ``sparse_dim`` dimensions (``paddle.sparse``)."""
    def to_sparse_csr(self) -> Tensor:
        """The numbers of a matrix, or of a batch of them, that are not zero, in compressed rows (``paddle.sparse``)."""
    def tolist(self) -> list:
        """The numbers as nested lists."""
    def top_p_sampling(self, ps: Any, threshold: Any = None, seed: Any = None, name: str | None = None) -> Any:
        """Raises DeviceError: there is a kernel for GPUs only, in PaddlePaddle too."""
    def topk(self, k: Tensor | int, axis: int | None = None, largest: _bool = True, sorted: _bool = True, name: str | None = None) -> tuple[Tensor, ...]:
        """The ``k`` largest (or smallest) elements along ``axis`` (default the last), in order, and their positions (int64)."""
    def trace(self, offset: int = 0, axis1: int = 0, axis2: int = 1, name: str | None = None) -> Tensor:
        """The sum of the diagonal of each matrix in two dimensions."""
    @property
    def trainable(self) -> _bool: ...
    @trainable.setter
    def trainable(self, value: Any) -> None: ...
    def transpose(self, perm: Sequence[int], name: str | None = None) -> Tensor:
        """Dimension ``i`` of the result is dimension ``perm[i]`` of ``x``. Raises ShapeError when ``perm`` is no permutation."""
    def transpose_(self, perm: Sequence[int], name: str | None = None) -> Tensor:
        """In-place form of `transpose`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def trapezoid(self, x: Tensor | None = None, dx: Any = None, axis: int = -1, name: str | None = None) -> Tensor:
        """The integral of ``y`` along ``axis``, sampled at ``x`` (1-D, or shaped as ``y``) or every ``dx`` (default 1)."""
    def tril(self, diagonal: int = 0, name: str | None = None) -> Tensor:
        """The lower triangles of the matrices in the last two dimensions, up to a ``diagonal`` (above 0: above the main one)."""
    def tril_(self, diagonal: int = 0, name: str | None = None) -> Tensor:
        """In-place form of `tril`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def triu(self, diagonal: int = 0, name: str | None = None) -> Tensor:
        """The upper triangles of the matrices in the last two dimensions, from a ``diagonal`` (above 0: above the main one)."""
    def triu_(self, diagonal: int = 0, name: str | None = None) -> Tensor:
        """In-place form of `triu`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def trunc(self, name: str | None = None) -> Tensor:
        """``input`` without its fraction."""
    def trunc_(self, name: str | None = None) -> Tensor:
        """In-place form of `trunc`, with the same arguments and errors: ``x`` holds the result and is returned."""
    type: Any
    def unbind(self, axis: int = 0) -> list[Tensor]:
        """The slices of ``input`` along ``axis``, without that dimension; a list. They share memory with ``input``."""
    def unflatten(self, axis: int, shape: Any, name: str | None = None) -> Tensor:
        """Dimension ``axis`` split into several of sizes ``shape`` (ints and integer tensors, one may be -1)."""
    def unfold(self, axis: int, size: int, step: int, name: str | None = None) -> Tensor:
        """Windows of ``size`` elements along ``axis``, one every ``step``: they count there, and lie in a new last dimension."""
    def uniform_(self, min: float = -1.0, max: float = 1.0, seed: int = 0, name: str | None = None) -> Tensor:
        """Fill ``x`` with numbers drawn evenly from ``[min, max)``."""
    @overload
    def unique(self, return_index: Literal[False] = False, return_inverse: Literal[False] = False, return_counts: Literal[False] = False, axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> Tensor:
        """The distinct elements, sorted (or slices along ``axis``); with flags also first positions, inverse map and counts."""
    @overload
    def unique(self, return_index: Literal[True], return_inverse: _bool = False, return_counts: _bool = False, axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, ...]:
        """The distinct elements, sorted (or slices along ``axis``); with flags also first positions, inverse map and counts."""
    @overload
    def unique(self, return_index: _bool, return_inverse: Literal[True], return_counts: _bool = False, axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, ...]:
        """The distinct elements, sorted (or slices along ``axis``); with flags also first positions, inverse map and counts."""
    @overload
    def unique(self, return_index: _bool = False, *, return_inverse: Literal[True], return_counts: _bool = False, axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, ...]:
        """The distinct elements, sorted (or slices along ``axis``); with flags also first positions, inverse map and counts."""
    @overload
    def unique(self, return_index: _bool, return_inverse: _bool, return_counts: Literal[True], axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, ...]:
        """The distinct elements, sorted (or slices along ``axis``); with flags also first positions, inverse map and counts."""
    @overload
    def unique(self, return_index: _bool = False, return_inverse: _bool = False, *, return_counts: Literal[True], axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, ...]:
        """The distinct elements, sorted (or slices along ``axis``); with flags also first positions, inverse map and counts."""
    @overload
    def unique(self, return_index: _bool = False, return_inverse: _bool = False, return_counts: _bool = False, axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> Tensor | tuple[Tensor, ...]:
        """The distinct elements, sorted (or slices along ``axis``); with flags also first positions, inverse map and counts."""
    @overload
    def unique_consecutive(self, return_inverse: Literal[False] = False, return_counts: Literal[False] = False, axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> Tensor:
        """The first of each run of equal elements of the flattened ``x`` (or of slices along ``axis``)."""
    @overload
    def unique_consecutive(self, return_inverse: Literal[True], return_counts: _bool = False, axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, ...]:
        """The first of each run of equal elements of the flattened ``x`` (or of slices along ``axis``)."""
    @overload
    def unique_consecutive(self, return_inverse: _bool, return_counts: Literal[True], axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, ...]:
        """The first of each run of equal elements of the flattened ``x`` (or of slices along ``axis``)."""
    @overload
    def unique_consecutive(self, return_inverse: _bool = False, *, return_counts: Literal[True], axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> tuple[Tensor, ...]:
        """The first of each run of equal elements of the flattened ``x`` (or of slices along ``axis``)."""
    @overload
    def unique_consecutive(self, return_inverse: _bool = False, return_counts: _bool = False, axis: int | None = None, dtype: Any = 'int64', name: str | None = None) -> Tensor | tuple[Tensor, ...]:
        """The first of each run of equal elements of the flattened ``x`` (or of slices along ``axis``)."""
    def unsqueeze(self, axis: Any, name: str | None = None) -> Tensor:
        """``x`` with new dimensions of size 1 at ``axis``, an int or several (positions in the result, inserted in order)."""
    def unsqueeze_(self, axis: Any, name: str | None = None) -> Tensor:
        """In-place form of `unsqueeze`, with the same arguments and errors: ``x`` holds the result and is returned."""
    def unstack(self, axis: int = 0, num: int | None = None) -> list[Tensor]:
        """Copies of the slices of ``x`` along ``axis``, without that dimension; a list. ``num``, if given, must be their number."""
    def value(self) -> Tensor:
        """Itself (Paddle's low-level tensor)."""
    def values(self) -> Any:
        """Of sparse tensors only: raises TypeError."""
    def vander(self, n: int | None = None, increasing: _bool = False, name: str | None = None) -> Tensor:
        """The powers of each element of a vector, one row for each: ``x**(n-1) ... x**0``, or ``x**0 ...`` when ``increasing``."""
    def var(self, axis: int | Sequence[int] | None = None, unbiased: _bool = True, keepdim: _bool = False, name: str | None = None) -> Tensor:
        """The variance over ``axis`` (an int, several, or None for all); ``unbiased``: divided by n - 1 instead of n."""
    def view(self, shape_or_dtype: Any, name: str | None = None) -> Tensor:
        """``x`` in another shape (see `reshape`), or its bits as numbers of another dtype, in the same memory."""
    def view_as(self, other: Any, name: str | None = None) -> Tensor:
        """The elements of ``x`` in the shape of ``other``."""
    def vsplit(self, num_or_sections: Any, name: str | None = None) -> list[Tensor]:
        """``x``, of at least two dimensions, cut along the first (see `split`); a list."""
    @overload
    def where(self, x: None = None, y: None = None, name: str | None = None) -> tuple[Tensor, ...]:
        """``x`` where the boolean ``condition`` holds, else ``y``; the three broadcast."""
    @overload
    def where(self, x: Tensor | float, y: Tensor | float, name: str | None = None) -> Tensor:
        """``x`` where the boolean ``condition`` holds, else ``y``; the three broadcast."""
    def where_(self, x: Tensor | None = None, y: Any = None, name: str | None = None) -> Tensor:
        """In-place form of `where`: ``x`` holds the result afterwards, and is returned."""
    def zero_(self) -> Tensor:
        """Set every element of ``x`` to 0, in place; its gradient is zeros then."""
    def zeros_like(self, dtype: Any = None, name: str | None = None) -> Tensor:
        """Zeros shaped as ``x``, of its dtype unless ``dtype`` is given."""

__all__ = ["CPUPlace", "CUDAPinnedPlace", "CUDAPlace", "CustomPlace", "DataParallel", "LazyGuard", "Model", "ParamAttr", "Tensor", "ToStaticError", "abs", "abs_", "acos", "acos_", "acosh", "acosh_", "add", "add_n", "addmm", "addmm_", "all", "allclose", "amax", "amin", "amp", "angle", "any", "arange", "argmax", "argmin", "argsort", "as_complex", "as_real", "as_strided", "asin", "asin_", "asinh", "asinh_", "assign", "atan", "atan2", "atan_", "atanh", "atanh_", "atleast_1d", "atleast_2d", "atleast_3d", "audio", "autograd", "base", "batch", "bernoulli", "bfloat16", "bincount", "bitwise_and", "bitwise_and_", "bitwise_not", "bitwise_not_", "bitwise_or", "bitwise_or_", "bitwise_xor", "bitwise_xor_", "bmm", "bool", "broadcast_shape", "broadcast_tensors", "broadcast_to", "bucketize", "callbacks", "cast", "cast_", "cauchy_", "cdist", "ceil", "cholesky", "chunk", "clip", "clone", "combinations", "complex", "complex128", "complex64", "concat", "conj", "core", "cos", "cos_", "cosh", "cosh_", "count_nonzero", "create_parameter", "crop", "cross", "cummax", "cummin", "cumprod", "cumprod_", "cumsum", "cumsum_", "cumulative_trapezoid", "deg2rad", "device", "diag", "diag_embed", "diagflat", "diagonal", "diagonal_scatter", "diff", "digamma", "digamma_", "disable_signal_handler", "disable_static", "dist", "distributed", "distribution", "divide", "divide_", "dot", "dtype", "eigvalsh", "einsum", "empty", "empty_like", "enable_grad", "enable_static", "equal", "equal_", "equal_all", "erf", "erf_", "erfinv", "exp", "expand", "expand_as", "expm1", "expm1_", "eye", "fft", "finfo", "flatten", "flip", "float16", "float32", "float64", "floor", "floor_divide", "floor_divide_", "floor_mod", "floor_mod_", "flops", "fmax", "fmin", "frac", "frac_", "framework", "frexp", "full", "full_like", "gather", "gather_nd", "gcd", "gcd_", "geometric", "geometric_", "get_cuda_rng_state", "get_cudnn_version", "get_default_dtype", "get_device", "get_flags", "get_rng_state", "grad", "greater_equal", "greater_equal_", "greater_than", "greater_than_", "hapi", "heaviside", "histogram", "hstack", "hub", "hypot", "hypot_", "i0", "i0_", "i0e", "i1", "i1e", "iinfo", "imag", "in_dynamic_mode", "increment", "incubate", "index_add", "index_add_", "index_fill", "index_fill_", "index_put", "index_put_", "index_sample", "index_select", "inference", "inner", "install_as_paddle", "int16", "int32", "int64", "int8", "inverse", "io", "is_compiled_with_cinn", "is_compiled_with_cuda", "is_compiled_with_custom_device", "is_compiled_with_distribute", "is_compiled_with_ipu", "is_compiled_with_rocm", "is_compiled_with_xpu", "is_complex", "is_empty", "is_floating_point", "is_grad_enabled", "is_integer", "is_tensor", "isclose", "isfinite", "isinf", "isnan", "jit", "kron", "kthvalue", "lcm", "lcm_", "ldexp", "ldexp_", "lerp", "less_equal", "less_equal_", "less_than", "less_than_", "lgamma", "lgamma_", "linalg", "linspace", "load", "load_predictor", "log", "log10", "log10_", "log1p", "log1p_", "log2", "log2_", "log_", "logaddexp", "logcumsumexp", "logical_and", "logical_and_", "logical_not", "logical_not_", "logical_or", "logical_or_", "logical_xor", "logical_xor_", "logit", "logit_", "logspace", "logsumexp", "masked_fill", "masked_fill_", "masked_select", "matmul", "max", "maximum", "mean", "median", "meshgrid", "metric", "min", "minimum", "mm", "mod", "mod_", "mode", "moveaxis", "multigammaln", "multigammaln_", "multinomial", "multiplex", "multiply", "multiply_", "mv", "nan_to_num", "nan_to_num_", "nanmean", "nanmedian", "nanquantile", "nansum", "neg", "neg_", "nextafter", "nn", "no_grad", "nonzero", "norm", "normal", "normal_", "not_equal", "not_equal_", "numel", "ones", "ones_like", "onnx", "optimizer", "outer", "poisson", "polar", "polygamma", "polygamma_", "pow", "pow_", "prod", "profiler", "put_along_axis", "quantile", "quantization", "rad2deg", "rand", "randint", "randint_like", "randn", "randperm", "rank", "real", "reciprocal", "regularizer", "remainder", "remainder_", "renorm", "renorm_", "repeat_interleave", "reshape", "reshape_", "reverse", "roll", "rot90", "round", "row_stack", "rsqrt", "save", "scale", "scatter", "scatter_", "scatter_nd", "scatter_nd_add", "searchsorted", "seed", "select_scatter", "set_cuda_rng_state", "set_default_dtype", "set_device", "set_flags", "set_grad_enabled", "set_printoptions", "set_rng_state", "sgn", "shape", "shard_index", "sign", "signal", "sin", "sin_", "sinh", "sinh_", "slice", "sort", "sparse", "split", "sqrt", "square", "square_", "squeeze", "squeeze_", "stack", "standard_normal", "stanh", "static", "std", "strided_slice", "subtract", "sum", "summary", "sysconfig", "t", "t_", "take", "take_along_axis", "tan", "tan_", "tanh", "tanh_", "tensordot", "text", "tile", "to_static", "to_tensor", "tolist", "topk", "trace", "transpose", "transpose_", "trapezoid", "tril", "tril_", "tril_indices", "triu", "triu_", "triu_indices", "trunc", "trunc_", "tune", "uint8", "unbind", "unflatten", "unfold", "uniform", "unique", "unique_consecutive", "unsqueeze", "unsqueeze_", "unstack", "utils", "vander", "var", "version", "view", "view_as", "vision", "vsplit", "vstack", "where", "where_", "zeros", "zeros_like"]
