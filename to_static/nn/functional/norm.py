"""Normalization as models call it: running statistics are updated in place."""

from __future__ import annotations

from typing import Any

from to_static.compiler.ir import mode
from to_static.compiler.ir.spec import UNKNOWN
from to_static.compiler.ops import arguments, dimension_args, dynamic_sizes, functions
from to_static.compiler.ops.layers import norm
from to_static.compiler.ops.shape_rules import show
from to_static.core.atomic import commit
from to_static.core.errors import ShapeError
from to_static.core.importing.paddle_module_aliases import names_around
from to_static.nn.functional import pool

_FORMATS = ("NC", "NCL", "NCHW", "NCDHW", "NLC", "NHWC", "NDHWC")


def batch_norm(
    x: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.9,
    epsilon: float = 1e-05,
    data_format: str = "NCHW",
    use_global_stats: Any = None,
    name: Any = None,
) -> Any:
    """``(x - mean) / sqrt(variance + epsilon) * weight + bias``, per channel of ``x`` ``[N, C, *]`` (or ``[N, *, C]``).

    While ``training`` mean and (biased) variance are those of the batch, and ``running_mean``, ``running_var`` become
    ``momentum * running + (1 - momentum) * batch``; otherwise the running ones are used. ``use_global_stats`` True or False
    says which are used in either case. A batch of one value per channel is copied, as in Paddle, and moves no statistics.
    ``weight``, ``bias``: one element per channel, or None; where only one is given it gets no gradient, as in Paddle. Raises
    ShapeError when sizes do not fit, ValueError on an unknown ``data_format``.

    Example:
        >>> mean, var = paddle.zeros([3]), paddle.ones([3])
        >>> F.batch_norm(paddle.ones([2, 3, 4]), mean, var, training=True).shape, mean.numpy()
        ([2, 3, 4], array([0.1, 0.1, 0.1], dtype=float32))
    """
    if data_format not in _FORMATS:
        raise ValueError(f"batch_norm: data_format must be one of {', '.join(_FORMATS)}, got {data_format!r}")
    uses_statistics = not training if use_global_stats is None else bool(use_global_stats)
    if (weight is None) != (bias is None):  # Paddle computes gradients of both or of neither
        weight, bias = (part if part is None else part.detach() for part in (weight, bias))
    y, mean, variance, _, _ = norm.batch_norm(
        x,
        functions.ones_like(running_mean) if weight is None else weight,
        functions.zeros_like(running_mean) if bias is None else bias,
        running_mean,
        running_var,
        momentum,
        epsilon,
        not training,
        bool(use_global_stats),  # not `given`: a saved model that is switched to training must not look frozen
        use_global_stats is False,
        "NCHW" if data_format[1] == "C" else "NHWC",
    )
    if not uses_statistics:
        mode.in_grad_mode(False, _move, running_mean, mean, running_var, variance)
    return y


def _move(running_mean: Any, mean: Any, running_var: Any, variance: Any) -> None:
    """Give statistics new values: both or none of them."""
    if mode.building():
        running_mean._become(mean)
        running_var._become(variance)
    else:
        commit([*running_mean.becoming(mean, {}), *running_var.becoming(variance, {})])


def layer_norm(
    x: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, epsilon: float = 1e-05, name: Any = None
) -> Any:
    """Standardize the slices of the last dimensions, which have ``normalized_shape``, then scale and shift them.

    ``weight``, ``bias``: as many elements as a slice, or None. Raises ShapeError when the last dimensions differ or there
    is no other.
    ``x``: floats; ``epsilon``: added to the variance.

    Example:
        >>> F.layer_norm(paddle.ones([2, 3]), 3).numpy()
        array([[0., 0., 0.],
               [0., 0., 0.]], dtype=float32)
    """
    tail = dimension_args.python_ints(normalized_shape) or tuple(arguments.int_list(normalized_shape))
    begin = x.ndim - len(tail)
    known_shape = x.spec.shape
    if begin >= 0 and known_shape[begin:] == tail:
        return norm.layer_norm(x, weight, bias, begin, epsilon)[0]
    mismatch = f"are not {show(tail)}"
    if begin < 0 or any(a not in (b, UNKNOWN) for a, b in zip(known_shape[begin:], tail, strict=True)):
        last = known_shape[begin:] if begin >= 0 else ()
        fits = f"; nn.LayerNorm({list(last)}) fits this input" if last and UNKNOWN not in last else ""
        raise ShapeError(f"layer_norm: the last dimensions of {show(known_shape)} {mismatch}{fits}")
    pairs = [(d, expected) for d, expected in zip(x.shape[begin:], tail, strict=True) if dynamic_sizes.is_dynamic(d)]
    unsure = [functions.equal(dynamic_sizes.as_tensor_size(d), dynamic_sizes.as_tensor_size(expected)) for d, expected in pairs]
    if unsure:
        shape, holes = dynamic_sizes.shape_of(x)
        dynamic_sizes.check(
            dynamic_sizes.all_of(unsure), "ShapeError", f"layer_norm: the last dimensions of {shape} {mismatch}", *holes
        )
    return norm.layer_norm(x, weight, bias, begin, epsilon)[0]


def normalize(x: Any, p: float = 2, axis: int = 1, epsilon: float = 1e-12, name: Any = None) -> Any:
    """``x / max(norm, epsilon)`` with the p-norm along ``axis``.

    Raises ShapeError for an ``axis`` that a 1-D tensor does not have.

    Example:
        >>> F.normalize(paddle.to_tensor([[3.0, 4.0]])).numpy()
        array([[0.6, 0.8]], dtype=float32)
    """
    if x.ndim == 1 and axis not in (0, -1):
        raise ShapeError(f"normalize: axis of a 1-D tensor must be 0 or -1, got {axis}")
    return x / functions.clip(functions.norm(x, float(p), axis, True), min=epsilon)


def local_response_norm(
    x: Any, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0, data_format: str = "NCHW", name: Any = None
) -> Any:
    """``x / (k + alpha * mean of squares over size neighbouring channels) ** beta``, with zeros beyond the channels.

    ``x``: ``[N, C, *]`` (or ``[N, *, C]``) of at least 3 dimensions; raises ShapeError otherwise.

    Source: Krizhevsky, Sutskever and Hinton, "ImageNet Classification with Deep Convolutional Neural Networks".
    ``data_format``: such as 'NCHW' (default) or 'NHWC'.

    Example:
        >>> F.local_response_norm(paddle.ones([1, 4, 2, 2]), 3).shape
        [1, 4, 2, 2]
    """
    if data_format not in _FORMATS or data_format == "NC":
        raise ValueError(f"local_response_norm: data_format must be one of {', '.join(_FORMATS[1:])}, got {data_format!r}")
    if x.ndim < 3:
        raise ShapeError(f"local_response_norm: expected at least 3 dimensions, got {show(x.spec.shape)}")
    last = data_format[-1] == "C"
    channels = x.spec.shape[-1 if last else 1]
    squares = functions.reshape(x * x, [-1, 1, channels, 1] if last else [0, 1, channels, -1])
    window_mean = pool.avg_pool2d(functions.pad(squares, [0, 0, 0, 0, size // 2, (size - 1) // 2, 0, 0]), [size, 1], 1)
    return x / (functions.reshape(window_mean, x.shape) * alpha + k) ** beta


__getattr__ = names_around(__name__)


def as_matrix(weight: Any, dim: int) -> Any:
    """``weight`` with the dimension ``dim`` first and the others as one."""
    axes = [dim, *(d for d in range(weight.ndim) if d != dim)]
    leading = weight if dim == 0 else weight.transpose(axes)
    return leading.reshape([weight.shape[dim], -1])


def spectrally_normal(weight: Any, u: Any, v: Any, dim: int, power_iters: int, eps: float) -> Any:
    """``weight`` divided by its largest singular value, which ``power_iters`` steps from ``u`` and ``v`` find.

    The dimension ``dim`` of ``weight`` goes with ``u``, the others with ``v``; no gradient flows through the iteration.

    Source: Miyato et al., "Spectral Normalization for Generative Adversarial Networks", ICLR 2018.
    """
    matrix = as_matrix(weight, dim)
    fixed = matrix.detach()
    for _ in range(power_iters):
        v = fixed.t().matmul(u)
        v = v / (v.norm() + eps)
        u = fixed.matmul(v)
        u = u / (u.norm() + eps)
    return weight / u.dot(matrix.matmul(v))
