"""BFGS and L-BFGS: Newton's method with an inverse Hessian that is estimated from the gradients on the way."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops.shapes.create import to_tensor
from to_static.core.errors import DTypeError, ShapeError
from to_static.incubate.optimizer.functional.objective import Objective
from to_static.optimizer.line_search import Point, search

_FLAT = 1000.0  # what stands for 1 / (y . s) where that is 1 / 0


class _Dense:
    """The inverse Hessian as a matrix."""

    def __init__(self, start: np.ndarray) -> None:
        self.matrix = start

    def times(self, gradient: np.ndarray) -> np.ndarray:
        return self.matrix @ gradient

    def learn(self, s: np.ndarray, y: np.ndarray) -> None:
        rho = _inverse(s, y)
        left = np.eye(len(s), dtype=s.dtype) - rho * np.outer(s, y)
        self.matrix = left @ self.matrix @ left.T + rho * np.outer(s, s)


class _Limited:
    """An approximation of the inverse Hessian by its last updates (L-BFGS, algorithm 7.4)."""

    def __init__(self, start: np.ndarray, size: int) -> None:
        self.start, self.size = start, size
        self.pairs: list[tuple[np.ndarray, np.ndarray, Any]] = []

    def times(self, gradient: np.ndarray) -> np.ndarray:
        q, weights = gradient, []
        for s, y, rho in reversed(self.pairs):
            weights.append(rho * (s @ q))
            q = q - weights[-1] * y
        r = self.start @ q
        for s, y, rho in self.pairs:
            r = r + s * (weights.pop() - rho * (y @ r))
        return r

    def learn(self, s: np.ndarray, y: np.ndarray) -> None:
        self.pairs = [*self.pairs, (s, y, _inverse(s, y))][-self.size :]


def _inverse(s: np.ndarray, y: np.ndarray) -> Any:
    product = y @ s
    return s.dtype.type(_FLAT) if product == 0 else 1 / product


def _checked(name: str, position: Any, estimate: Any, line_search_fn: str, dtype: str) -> tuple[np.ndarray, np.ndarray]:
    if dtype not in ("float32", "float64"):
        raise ValueError(f"{name}: dtype must be 'float32' or 'float64', got {dtype!r}")
    if line_search_fn != "strong_wolfe":
        raise NotImplementedError(f"{name}: line_search_fn should be 'strong_wolfe', got {line_search_fn!r}")
    for what, argument, rank in (("initial_position", position, 1), ("initial_inverse_hessian_estimate", estimate, 2)):
        if argument is None and rank == 2:
            continue
        if not isinstance(argument, Tensor):
            raise TypeError(f"{name}: {what} should be a Tensor, got {type(argument).__name__}")
        if argument.dtype.name != dtype:  # type: ignore[attr-defined]
            raise DTypeError(f"{name}: {what} should be of dtype {dtype}, got {argument.dtype.name}")  # type: ignore[attr-defined]
        if argument.ndim != rank:
            raise ShapeError(f"{name}: {what} should have {rank} dimensions, got shape {argument.shape}")  # type: ignore[attr-defined]
    start: np.ndarray = position.detach().numpy()
    if estimate is None:
        return start, np.eye(len(start), dtype=dtype)
    matrix: np.ndarray = estimate.numpy()
    if matrix.shape != (len(start),) * 2 or not np.array_equal(matrix, matrix.T) or np.linalg.eigvalsh(matrix).min() <= 0:
        raise ValueError(f"{name}: initial_inverse_hessian_estimate should be [n, n], symmetric and positive definite")
    return start, matrix


def _minimized(
    objective: Objective, x: np.ndarray, hessian: _Dense | _Limited, max_iters: int, tolerance_grad: float,
    tolerance_change: float, max_evaluations: int, first: float,
) -> tuple[Any, ...]:  # fmt: skip
    initial_point = objective.at(x, np.zeros_like(x), 0.0)
    value, gradient = initial_point.value, initial_point.grad
    converged = False
    for _ in range(max_iters):
        direction = -hessian.times(gradient)
        start = Point(0.0, value, gradient, float(gradient @ direction))
        at = functools.partial(objective.at, x, direction)
        accepted, _ = search(at, start, first, float(np.abs(direction).max()), 1e-12, max_evaluations)
        s = x.dtype.type(accepted.step) * direction
        hessian.learn(s, accepted.grad - gradient)
        x, value, gradient = x + s, accepted.value, accepted.grad
        converged = bool(np.abs(gradient).max() < tolerance_grad or np.abs(direction).max() < tolerance_change)
        if converged or accepted.step == 0:
            break
    outcome = (np.asarray([converged]), np.asarray([objective.calls]), x, np.asarray(value, x.dtype), gradient)
    return tuple(to_tensor(part) for part in outcome)


def minimize_bfgs(
    objective_func: Callable[[Any], Any], initial_position: Any, max_iters: int = 50, tolerance_grad: float = 1e-7,
    tolerance_change: float = 1e-9, initial_inverse_hessian_estimate: Any = None, line_search_fn: str = "strong_wolfe",
    max_line_search_iters: int = 50, initial_step_length: float = 1.0, dtype: str = "float32", name: Any = None,
) -> tuple[Any, ...]:  # fmt: skip
    """A minimum of a function of a vector, by BFGS.

    Args:
        objective_func: takes a Tensor [n] and returns a scalar Tensor, which is differentiated.
        initial_position: Tensor [n], where to begin.
        max_iters: steps at most (default 50).
        tolerance_grad: it has converged when no element of the gradient is larger (default 1e-7) ...
        tolerance_change: ... or none of the direction (default 1e-9).
        initial_inverse_hessian_estimate: Tensor [n, n], symmetric and positive definite (default None: the identity).
        line_search_fn: 'strong_wolfe', there for compatibility.
        max_line_search_iters: points tried at most in a step (default 50).
        initial_step_length: the first of them (default 1).
        dtype: 'float32' (default) or 'float64', that of the tensors.
        name: not used; there for compatibility.

    Returns:
        ``(is_converge, num_func_calls, position, objective_value, objective_gradient, inverse_hessian_estimate)``: Tensors.

    Raises:
        ValueError, NotImplementedError: an argument has an unknown value.
        ShapeError, DTypeError: a tensor has another form.

    Example:
        >>> found = paddle.incubate.optimizer.functional.minimize_bfgs(lambda x: ((x - 3) ** 2).sum(), paddle.zeros([2]))
        >>> found[0].item(), found[2].tolist()
        (True, [3.0, 3.0])

    Source: J. Nocedal, S. J. Wright, "Numerical Optimization", 2006, algorithm 6.1.
    """
    x, estimate = _checked("minimize_bfgs", initial_position, initial_inverse_hessian_estimate, line_search_fn, dtype)
    hessian = _Dense(estimate)
    outcome = _minimized(
        Objective(objective_func, dtype), x, hessian, max_iters, tolerance_grad, tolerance_change, max_line_search_iters,
        initial_step_length,
    )  # fmt: skip
    return (*outcome, to_tensor(hessian.matrix))


def minimize_lbfgs(
    objective_func: Callable[[Any], Any], initial_position: Any, history_size: int = 100, max_iters: int = 50,
    tolerance_grad: float = 1e-8, tolerance_change: float = 1e-8, initial_inverse_hessian_estimate: Any = None,
    line_search_fn: str = "strong_wolfe", max_line_search_iters: int = 50, initial_step_length: float = 1.0,
    dtype: str = "float32", name: Any = None,
) -> tuple[Any, ...]:  # fmt: skip
    """`minimize_bfgs` with limited memory: the last ``history_size`` steps (default 100) instead of a matrix.

    The other arguments are those of `minimize_bfgs`, and what is returned, without the estimate.

    Example:
        >>> found = paddle.incubate.optimizer.functional.minimize_lbfgs(lambda x: ((x - 3) ** 2).sum(), paddle.zeros([2]))
        >>> found[0].item(), found[2].tolist()
        (True, [3.0, 3.0])

    Source: J. Nocedal, S. J. Wright, "Numerical Optimization", 2006, algorithm 7.5.
    """
    x, estimate = _checked("minimize_lbfgs", initial_position, initial_inverse_hessian_estimate, line_search_fn, dtype)
    if history_size < 1:
        raise ValueError(f"minimize_lbfgs: history_size should be positive, got {history_size}")
    return _minimized(
        Objective(objective_func, dtype), x, _Limited(estimate, history_size), max_iters, tolerance_grad, tolerance_change,
        max_line_search_iters, initial_step_length,
    )  # fmt: skip
