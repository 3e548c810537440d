"""`LBFGS`: steps along directions that remember how gradients changed, with a line search (Nocedal and Wright, "Numerical
Optimization", 2006: algorithms 7.4, 7.5, 3.5 and 3.6).

It calls the function that it minimizes several times in a step and decides by its numbers, so that a step runs in Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from to_static.compiler.ir import mode
from to_static.core import backend as backends
from to_static.core.errors import ModeError
from to_static.optimizer.line_search import Point, search
from to_static.optimizer.optimizer import Optimizer

_LEAST_CURVATURE = 1e-10


class LBFGS(Optimizer):
    """Minimize a function that is called anew at each place: ``step(closure)``.

    Args:
        learning_rate: how far to go along a direction, or where the line search begins (default 1).
        max_iter, max_eval: iterations and values of the function in one `step`, at most (default 20, and 5/4 of that).
        tolerance_grad: end when no element of the gradient is larger.
        tolerance_change: end when neither parameters nor value change more.
        history_size: changes that are remembered (default 100).
        line_search_fn: None (a fixed step) or 'strong_wolfe'.

    See `Optimizer` for the common arguments.

    ``weight_decay`` and ``grad_clip`` are among them. Raises RuntimeError for another ``line_search_fn``.

    Example:
        >>> opt = paddle.optimizer.LBFGS(parameters=net.parameters(), line_search_fn='strong_wolfe')
        >>> def closure():
        ...     opt.clear_grad()
        ...     loss = loss_fn(net(x), y)
        ...     loss.backward()
        ...     return loss
        >>> opt.step(closure)
    """

    _in_programs = frozenset(("clear_grad", "clear_gradients"))

    def __init__(
        self,
        learning_rate: Any = 1.0,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
        parameters: Any = None,
        weight_decay: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        if line_search_fn not in (None, "strong_wolfe"):
            raise RuntimeError("only 'strong_wolfe' is supported")
        self.max_iter = max_iter
        self.max_eval = max_iter * 5 // 4 if max_eval is None else max_eval
        self.tolerance_grad, self.tolerance_change = tolerance_grad, tolerance_change
        self.history_size = history_size
        self.line_search_fn = line_search_fn
        self._history: list[tuple[Any, Any, float]] = []  # changes of gradient and place, and 1 / their product
        self._scale = 1.0
        self._last_step: tuple[Any, Any] | None = None  # the gradient at the last place, and the way from there
        self.state: dict[str, int] = {"func_evals": 0, "n_iter": 0}

    def _tensors(self) -> list[Any]:
        if self._parameter_list is None:
            raise ModeError("LBFGS was made without parameters; pass parameters=net.parameters()")
        return [p for group in self._groups for p in group["params"] if not p.stop_gradient]

    def step(self, closure: Callable[[], Any]) -> Any:  # type: ignore[override]
        """Go on until a tolerance or a limit is met. ``closure`` clears the gradients, computes the loss and calls its backward.

        Returns the loss at the start. Raises ModeError while a Program is built.
        """
        if mode.building():
            raise ModeError("LBFGS.step() decides by numbers: call it outside of the static function (the closure may be one)")
        params = self._tensors()
        first = closure()
        value, grad = float(first), self._gradient(params)
        evals, rate = 1, self.get_lr()
        self.state["func_evals"] += 1
        for n in range(self.max_iter):
            if abs(grad).max() <= self.tolerance_grad:
                break
            self.state["n_iter"] += 1
            direction = self._direction(grad)
            slope = float(grad @ direction)
            if slope > -self.tolerance_change:
                break
            step_length = min(1.0, 1.0 / float(abs(grad).sum())) * rate if self.state["n_iter"] == 1 else rate
            old_value, old_grad = value, grad
            points = [p._array for p in params]

            def at(
                step_length: float, params: list[Any] = params, points: list[Any] = points, direction: Any = direction
            ) -> Point:
                self._move(params, points, direction, step_length)
                value = float(closure())
                gradient = self._gradient(params)
                return Point(step_length, value, gradient, float(gradient @ direction))

            if self.line_search_fn is not None:
                start, size = Point(0.0, value, grad, slope), float(abs(direction).max())
                point, used = search(at, start, step_length, size, self.tolerance_change)
                step_length, value, grad = point.step, point.value, point.grad
                self._move(params, points, direction, step_length)
            elif n + 1 < self.max_iter:
                point, used = at(step_length), 1
                value, grad = point.value, point.grad
            else:
                self._move(params, points, direction, step_length)
                used = 0
            self._last_step = old_grad, direction * step_length
            evals += used
            self.state["func_evals"] += used
            change = float(abs(direction * step_length).max())
            if change <= self.tolerance_change or abs(value - old_value) < self.tolerance_change or evals >= self.max_eval:
                break
        return first

    def _gradient(self, params: list[Any]) -> Any:
        """All gradients, clipped and decayed as groups ask for, as one flat array."""
        with mode.grad_mode(False):
            parts = []
            for group in self._groups:
                pairs = [(p, p.grad if p.grad is not None else p * 0) for p in group["params"] if not p.stop_gradient]
                if group["grad_clip"] is not None:
                    pairs = group["grad_clip"](pairs)
                settings = {**group, "regularizer": group["weight_decay"]}
                parts += [self._decayed(p, g, settings).reshape([-1])._array for p, g in pairs]
        return backends.backend_of(parts[0]).xp.concatenate(parts)

    def _move(self, params: list[Any], points: list[Any], direction: Any, step_length: float) -> None:
        offset = 0
        for p, point in zip(params, points, strict=True):
            part = direction[offset : offset + point.size].reshape(point.shape)
            offset += point.size
            p.hold(point + part * point.dtype.type(step_length))

    def _direction(self, grad: Any) -> Any:
        """Return the search direction: the negative gradient times the inverse Hessian that the history approximates."""
        if self._last_step is not None:
            change, step = grad - self._last_step[0], self._last_step[1]
            product = float(change @ step)
            if product > _LEAST_CURVATURE:
                self._history = [*self._history, (change, step, 1.0 / product)][-self.history_size :]
                self._scale = product / float(change @ change)
        q = -grad
        shares = []
        for change, step, inverse in reversed(self._history):
            share = float(step @ q) * inverse
            shares.append(share)
            q = q - change * q.dtype.type(share)
        q = q * q.dtype.type(self._scale)
        for (change, step, inverse), share in zip(self._history, reversed(shares), strict=True):
            q = q + step * q.dtype.type(share - float(change @ q) * inverse)
        return q

    def minimize(self, loss: Any, startup_program: Any = None, parameters: Any = None, no_grad_set: Any = None) -> Any:
        """Raises NotImplementedError: `step` needs the function, not one of its values."""
        raise NotImplementedError("LBFGS optimizer does not use this way to minimize loss: call step(closure)")

    def state_dict(self) -> dict[str, Any]:
        """Return the numbers of iterations and evaluations, and the history, under 'state'."""
        history = {"history": list(self._history), "scale": self._scale, "before": self._last_step}
        return {"state": {**self.state, **history}}

    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Continue from what `state_dict` gave."""
        state = dict(state_dict["state"])
        self._history, self._scale, self._last_step = list(state.pop("history")), state.pop("scale"), state.pop("before")
        self.state = state
