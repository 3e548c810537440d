"""Optimizer steps as operators: new parameter (and state) from old ones and a gradient.

All are functional; an optimizer makes its tensors hold the results. If a kernel gets a list ``deferred_writes``, it overwrites the
state instead of making new arrays (but not the parameter, which may have views). It writes nothing itself: it appends the writes
to the list, and the caller executes them at the end (see `core.atomic`); only then do the results hold their numbers. The
arithmetic, down to the position of epsilon, is that of Paddle's operators of the same names. ``lr`` and the powers of beta are
tensors of one element, so that a Program remains valid when they change.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import AttrValue, Prepared, Sample, op
from to_static.compiler.ir.spec import UNKNOWN, TensorSpec
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops.kernel_scalar import operand
from to_static.compiler.ops.shape_rules import show
from to_static.core.array_types import Array, ArrayModule
from to_static.core.atomic import computing, putting
from to_static.core.errors import ArgumentError, DTypeError, ShapeError


def _check(name: str, param: TensorSpec, same: tuple[TensorSpec, ...], scalars: tuple[TensorSpec, ...]) -> None:
    """State must be shaped as the parameter; rates and powers must have one element."""
    for spec in same:
        if spec.shape != param.shape and param.is_static and spec.is_static:
            raise ShapeError(
                f"{name}: gradient and state must have the parameter's shape {show(param.shape)}, "
                f"got {show(spec.shape)}"
            )
        if spec.dtype is not param.dtype:
            dtypes = f"{param.dtype.name} and {spec.dtype.name}"
            raise DTypeError(f"{name}: parameter, gradient and state must have one dtype, got {dtypes}")
    for scalar in scalars:
        if scalar.size not in (1, UNKNOWN):
            raise ShapeError(f"{name}: learning rate and beta powers have one element, got {show(scalar.shape)}")


def row_step(
    xp: ArrayModule,
    kernel: Callable[..., Any],
    row_grads: tuple[Any, Any],
    tables: list[Any],
    scalars: tuple[Any, ...],
    in_place: tuple[bool, ...],
    deferred_writes: list[Any] | None,
    **attrs: AttrValue,
) -> tuple[Any, ...]:
    """Apply an update ``kernel`` to some rows of the parameter and return all its results.

    Args:
        row_grads: the indices of the rows, and their gradients.
        tables: the parameter and the state of its shape. scalars: the further inputs.
        in_place: for each table, whether it is overwritten; otherwise a copy is.
        deferred_writes: the list to which the writes of overwritten tables are appended; they happen at the end of the run.
    """
    rows, gradients = row_grads
    param, *state = (table[rows] for table in tables)
    new = kernel(xp, param, gradients, *state, *scalars, **attrs)
    new = new if isinstance(new, tuple) else (new,)
    results = [table if written else table.copy() for table, written in zip(tables, in_place, strict=True)]
    for table, new_rows, written in zip(results, new[: len(tables)], in_place, strict=True):
        if written:
            deferred_writes.append(putting((table, rows, new_rows)))  # type: ignore[union-attr]
        else:
            table[rows] = new_rows
    return (*results, *new[len(tables) :])


def not_zero(xp: ArrayModule, rows: Any, gradients: Array) -> tuple[Any, Any]:
    """The ``rows`` whose gradients are not all zero, with these; ``rows`` is None for all of them."""
    nonzero_rows = xp.flatnonzero((gradients != 0).reshape(len(gradients), -1).any(1))
    return nonzero_rows if rows is None else rows[nonzero_rows], gradients[nonzero_rows]


def _scalar(x: Array, like: Array) -> Array:
    return x if x.ndim == 0 and x.dtype == like.dtype else x.reshape(()).astype(like.dtype)


@op("sgd(Param, Grad, LearningRate -> ParamOut)", traits="nodiff", file_attrs={"multi_precision": ("bool", False)})
def sgd(param: Tensor, grad: Tensor, lr: Tensor) -> Tensor:
    """``param - lr * grad``."""
    return sgd.emit(param, grad, lr)


@sgd.infer
def _(param: TensorSpec, grad: TensorSpec, lr: TensorSpec) -> TensorSpec:
    _check("sgd", param, (grad,), (lr,))
    return param


@sgd.kernel
def _(xp: ArrayModule, param: Array, grad: Array, lr: Array) -> Array:
    step = xp.asarray(grad * (lr if lr.ndim == 0 and lr.dtype is param.dtype else _scalar(lr, param)))
    return xp.subtract(param, step, step)


@sgd.prepare
def _(specs: tuple[TensorSpec, ...]) -> Prepared | None:
    param, _, lr = specs
    if lr.dtype is not param.dtype:
        return None

    def bind(
        inputs: list[Array | None],
        out: Array | None,
        work: list[Any],
        persistent: list[Any],
        empty: Callable[..., Any] = np.empty,
    ) -> Any:
        multiply, subtract, shape, dtype, rated = np.multiply, np.subtract, param.shape, param.dtype.np, lr.ndim > 0

        def sgd_run(param: Array, grad: Array, lr: Array) -> Array:
            step = empty(shape, dtype) if out is None else out
            multiply(grad, lr.reshape(()) if rated else lr, step)
            return subtract(param, step, step)

        return sgd_run

    return Prepared([], [], bind)


@op(
    "momentum(Param, Grad, Velocity, LearningRate -> ParamOut, VelocityOut) mu:float use_nesterov:bool "
    "regularization_method:str regularization_coeff:float rescale_grad:float",
    traits="nodiff",
    file_attrs={"multi_precision": ("bool", False)},
)
def momentum(
    param: Tensor,
    grad: Tensor,
    velocity: Tensor,
    lr: Tensor,
    mu: float = 0.9,
    use_nesterov: bool = False,
    regularization_method: str = "",
    regularization_coeff: float = 0.0,
    rescale_grad: float = 1.0,
) -> tuple[Tensor, ...]:
    """``v = mu * velocity + g`` and ``param - lr * v`` (Nesterov: ``param - lr * (g + mu * v)``); returns (param, v).

    ``g`` is ``rescale_grad * grad``, plus ``regularization_coeff * param`` if ``regularization_method`` is 'l2_decay'.
    """
    if regularization_method not in ("", "l2_decay"):
        raise ArgumentError(f"momentum: regularization_method must be '' or 'l2_decay', got {regularization_method!r}")
    return momentum.emit(
        param,
        grad,
        velocity,
        lr,
        mu=float(mu),
        use_nesterov=bool(use_nesterov),
        regularization_method=regularization_method,
        regularization_coeff=float(regularization_coeff),
        rescale_grad=float(rescale_grad),
    )


@momentum.infer
def _(
    param: TensorSpec, grad: TensorSpec, velocity: TensorSpec, lr: TensorSpec, **attrs: AttrValue
) -> tuple[TensorSpec, ...]:
    _check("momentum", param, (grad, velocity), (lr,))
    return param, param


@momentum.kernel
def _(
    xp: ArrayModule,
    param: Array,
    grad: Array,
    velocity: Array,
    lr: Array,
    mu: float,
    use_nesterov: bool,
    regularization_method: str,
    regularization_coeff: float,
    rescale_grad: float,
    deferred_writes: list[Any] | None = None,
) -> tuple[Array, ...]:
    if rescale_grad != 1.0:
        grad = grad * operand(xp, rescale_grad, param.dtype)
    if regularization_method == "l2_decay":
        grad = grad + operand(xp, regularization_coeff, param.dtype) * param
    rate, keep = _scalar(lr, param), operand(xp, mu, param.dtype)
    if deferred_writes is None:
        new = xp.asarray(velocity * keep)
        xp.add(new, grad, new)
        step = xp.asarray((grad + keep * new if use_nesterov else new) * rate)
        return xp.subtract(param, step, step), new
    step, way = xp.empty(param.shape, param.dtype), velocity
    deferred_writes.append(computing((xp.multiply, velocity, keep, velocity), (xp.add, velocity, grad, velocity)))
    if use_nesterov:
        deferred_writes.append(computing((xp.multiply, velocity, keep, step), (xp.add, step, grad, step)))
        way = step
    deferred_writes.append(computing((xp.multiply, way, rate, step), (xp.subtract, param, step, step)))
    return step, velocity


def _adam_coefficients(xp: ArrayModule, scalar_type: Any, scalars: tuple[Any, ...], settings: tuple[float, ...]) -> tuple[Any, ...]:
    """Return the coefficients of one step of Adam as scalars of ``scalar_type``, the type of the parameter."""
    b1p, b2p, lr = scalars
    beta1, beta2 = map(scalar_type, settings[:2])  # 1 - beta must be rounded as Paddle rounds it: 0.999 leaves few digits
    one, epsilon, coeff, ratio = map(scalar_type, (1, *settings[2:]))  # beside scalars, Python's 1 makes NumPy 1 compute in double
    root = xp.sqrt(one - b2p)
    rate = lr if settings[4] == 1.0 else lr * ratio
    return beta1, one - beta1, beta2, one - beta2, epsilon * root, rate * (root / (one - b1p)), one - rate * coeff


@functools.lru_cache(maxsize=64)
def _cached_adam_coefficients(scalar_type: Any, scalars: tuple[float, ...], settings: tuple[float, ...]) -> tuple[Any, ...]:
    """`_adam_coefficients` on the host, as arrays: those of a step are mostly the same for all parameters."""
    return tuple(map(np.asarray, _adam_coefficients(np, scalar_type, tuple(map(scalar_type, scalars)), settings)))


def _adam_step(
    xp: ArrayModule, arrays: tuple[Any, ...], settings: tuple[float, ...], deferred_writes: list[Any] | None
) -> tuple[Array, ...]:
    """The outputs of one step of Adam on the inputs of `adam`.

    ``settings``: both betas, epsilon, and for AdamW (else 0 and 1) the decay and the factor on the rate.
    """
    param, grad, m1, m2, b1p, b2p, lr = arrays
    if xp is np:
        coefficients = _cached_adam_coefficients(param.dtype.type, (b1p.item(), b2p.item(), lr.item()), settings)
    else:
        coefficients = _adam_coefficients(xp, param.dtype.type, tuple(_scalar(x, param) for x in (b1p, b2p, lr)), settings)
    beta1, weight1, beta2, weight2, shift, rate, decay_factor = coefficients
    if settings[3]:
        param = param * decay_factor
    work = xp.asarray(grad * weight1)
    new_m1, new_m2 = (m1, m2) if deferred_writes is not None else (xp.asarray(m1 * beta1), xp.asarray(m2 * beta2))
    calls = [
        (xp.add, new_m1, work, new_m1),
        (xp.multiply, grad, grad, work),
        (xp.multiply, work, weight2, work),
        (xp.add, new_m2, work, new_m2),
        (xp.sqrt, new_m2, work),
        (xp.add, work, shift, work),
        (xp.divide, new_m1, work, work),
        (xp.multiply, work, rate, work),
        (xp.subtract, param, work, work),
    ]
    if deferred_writes is not None:
        deferred_writes.append(computing((xp.multiply, m1, beta1, m1), (xp.multiply, m2, beta2, m2), *calls))
    else:
        for function, *args in calls:
            function(*args)
    return work, new_m1, new_m2, xp.asarray(b1p * beta1), xp.asarray(b2p * beta2)


_ADAM_SLOTS = (
    "(Param, Grad, Moment1, Moment2, Beta1Pow, Beta2Pow, LearningRate "
    "-> ParamOut, Moment1Out, Moment2Out, Beta1PowOut, Beta2PowOut)"
)
ADAM_NUMBERS = "beta1:float beta2:float epsilon:float"
ADAMW_NUMBERS = f"{ADAM_NUMBERS} coeff:float with_decay:bool lr_ratio:float"
_ADAM_FILE = {
    "min_row_size_to_use_multithread": ("long", 1000),
    "multi_precision": ("bool", False),
    "use_global_beta_pow": ("bool", False),
}


@op(f"adam{_ADAM_SLOTS} {ADAM_NUMBERS} lazy_mode:bool", traits="nodiff", file_attrs=_ADAM_FILE)
def adam(
    param: Tensor,
    grad: Tensor,
    moment1: Tensor,
    moment2: Tensor,
    beta1_pow: Tensor,
    beta2_pow: Tensor,
    lr: Tensor,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    lazy_mode: bool = False,
) -> tuple[Tensor, ...]:
    """One Adam step; returns (param, moment1, moment2, beta1_pow, beta2_pow).

    ``beta1_pow``, ``beta2_pow`` are the betas to the power of this step's number (so they start as the betas). With
    ``r = sqrt(1 - beta2_pow)``: ``param - lr * r / (1 - beta1_pow) * moment1 / (sqrt(moment2) + epsilon * r)``.
    ``lazy_mode``: rows without a gradient (all zero) keep parameter and moments.

    Source: Kingma and Ba, "Adam: A Method for Stochastic Optimization" (2014), the form at the end of its section 2.
    """
    inputs = (param, grad, moment1, moment2, beta1_pow, beta2_pow, lr)
    return adam.emit(*inputs, beta1=float(beta1), beta2=float(beta2), epsilon=float(epsilon), lazy_mode=bool(lazy_mode))


@adam.infer
def _(param: TensorSpec, *operands: TensorSpec, **attrs: AttrValue) -> tuple[TensorSpec, ...]:
    _check("adam", param, operands[:3], operands[3:])
    return param, *operands[1:5]


@adam.kernel
def _(
    xp: ArrayModule,
    *arrays: Array,
    beta1: float,
    beta2: float,
    epsilon: float,
    lazy_mode: bool = False,
    deferred_writes: list[Any] | None = None,
) -> tuple[Array, ...]:
    if lazy_mode:
        return _lazy_step(xp, adam, arrays, deferred_writes, beta1=beta1, beta2=beta2, epsilon=epsilon)
    return _adam_step(xp, arrays, (beta1, beta2, epsilon, 0.0, 1.0), deferred_writes)


def _lazy_step(xp: Any, update: Any, arrays: tuple[Any, ...], deferred_writes: list[Any] | None, **attrs: AttrValue) -> Any:
    param, grad, m1, m2, *scalars = arrays
    row_grads, in_place = not_zero(xp, None, grad), deferred_writes is not None
    step = update.op.kernel_for("numpy")
    return row_step(xp, step, row_grads, [param, m1, m2], tuple(scalars), (False, in_place, in_place), deferred_writes, **attrs)


@op(
    f"adamw{_ADAM_SLOTS} {ADAMW_NUMBERS} lazy_mode:bool",
    traits="nodiff",
    file_attrs=_ADAM_FILE,
)
def adamw(
    param: Tensor,
    grad: Tensor,
    moment1: Tensor,
    moment2: Tensor,
    beta1_pow: Tensor,
    beta2_pow: Tensor,
    lr: Tensor,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    coeff: float = 0.01,
    with_decay: bool = True,
    lr_ratio: float = 1.0,
    lazy_mode: bool = False,
) -> tuple[Tensor, ...]:
    """`adam` with rate ``r = lr * lr_ratio`` on ``param * (1 - r * coeff)``; ``with_decay=False``: plain `adam`.

    Source: Loshchilov and Hutter, "Decoupled Weight Decay Regularization" (2017).
    """
    inputs = (param, grad, moment1, moment2, beta1_pow, beta2_pow, lr)
    floats = {"beta1": float(beta1), "beta2": float(beta2), "epsilon": float(epsilon)}
    return adamw.emit(
        *inputs, **floats, coeff=float(coeff), with_decay=bool(with_decay), lr_ratio=float(lr_ratio), lazy_mode=bool(lazy_mode)
    )


@adamw.infer
def _(param: TensorSpec, *operands: TensorSpec, **attrs: AttrValue) -> tuple[TensorSpec, ...]:
    _check("adamw", param, operands[:3], operands[3:])
    return param, *operands[1:5]


@adamw.kernel
def _(
    xp: ArrayModule,
    param: Array,
    *state: Array,
    beta1: float,
    beta2: float,
    epsilon: float,
    coeff: float,
    with_decay: bool,
    lr_ratio: float,
    lazy_mode: bool = False,
    deferred_writes: list[Any] | None = None,
) -> tuple[Array, ...]:
    if lazy_mode:
        attrs = {"beta1": beta1, "beta2": beta2, "epsilon": epsilon, "coeff": coeff, "with_decay": with_decay, "lr_ratio": lr_ratio}
        return _lazy_step(xp, adamw, (param, *state), deferred_writes, **attrs)
    decay = (coeff, lr_ratio) if with_decay else (0.0, 1.0)
    return _adam_step(xp, (param, *state), (beta1, beta2, epsilon, *decay), deferred_writes)


def _arrays(n: int) -> list[np.ndarray]:
    return [np.random.default_rng(i).uniform(0.1, 1, (2, 3)).astype("float32") for i in range(n)]


def _scalars(n: int) -> list[np.ndarray]:
    return [array[0, 0] for array in _arrays(n)]


def _one(value: float) -> np.ndarray:
    return np.asarray([value], "float32")


_LR = 0.1
sgd.samples(lambda: [Sample(*_arrays(2), _one(_LR)), Sample(*_arrays(2), np.asarray(_LR, "float32"))])
_MOMENTUM: dict[str, Any] = {"regularization_method": "", "regularization_coeff": 0.0, "rescale_grad": 1.0}
momentum.samples(
    lambda: [
        Sample(*_arrays(3), _one(_LR), mu=0.9, use_nesterov=False, **_MOMENTUM),
        Sample(*_arrays(3), _one(_LR), mu=0.9, use_nesterov=True, **_MOMENTUM),
        Sample(
            *_arrays(3),
            _one(_LR),
            mu=0.5,
            use_nesterov=False,
            regularization_method="l2_decay",
            regularization_coeff=0.01,
            rescale_grad=0.5,
        ),
        Sample(
            *_scalars(3),
            _one(_LR),
            mu=0.9,
            use_nesterov=True,
            regularization_method="l2_decay",
            regularization_coeff=0.01,
            rescale_grad=0.5,
        ),
    ]
)
_ADAM: dict[str, Any] = {"beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "lazy_mode": False}
adam.samples(
    lambda: [
        Sample(*arrays, _one(0.81), _one(0.998), _one(_LR), **_ADAM)
        for arrays in (_arrays(4), _scalars(4))
    ]
)
adamw.samples(
    lambda: [
        Sample(*_arrays(4), _one(0.81), _one(0.998), _one(_LR), **_ADAM, coeff=0.01, with_decay=True, lr_ratio=0.5),
        Sample(*_arrays(4), _one(0.81), _one(0.998), _one(_LR), **_ADAM, coeff=0.01, with_decay=False, lr_ratio=1.0),
        Sample(*_scalars(4), _one(0.81), _one(0.998), _one(_LR), **_ADAM, coeff=0.01, with_decay=True, lr_ratio=0.5),
    ]
)
