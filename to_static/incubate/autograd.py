"""Derivatives of functions: `vjp`, `jvp`, `Jacobian`, `Hessian`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from to_static.autograd import derivatives
from to_static.compiler.eager.tape import grad as _grad
from to_static.compiler.ir import mode
from to_static.compiler.ir.tensor import Tensor
from to_static.compiler.ops import functions
from to_static.core.diagnostics.missing_names import names_missing
from to_static.core.errors import ModeError

__all__ = ["Hessian", "Jacobian", "disable_prim", "enable_prim", "forward_grad", "grad", "jvp", "prim_enabled", "vjp"]


def _leaves(value: Any) -> Any:
    """Tensors of the same numbers that nothing was computed from yet."""
    if value is None:
        return None
    if isinstance(value, Sequence):
        return tuple(map(_leaves, value))
    if not isinstance(value, Tensor):
        raise TypeError(f"expected a tensor or a sequence of tensors, got {type(value).__name__}")
    leaf = functions.assign(value.detach())
    leaf.stop_gradient = False  # type: ignore[misc]
    return leaf


def _called(func: Callable[..., Any], xs: Any) -> Any:
    ys = func(*xs) if isinstance(xs, Sequence) else func(xs)
    return tuple(ys) if isinstance(ys, list) else ys


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, Sequence) else [value]


def _check(v: Any, template: Any, what: str) -> None:
    if v is None:
        return
    vectors, templates = _list(v), _list(template)
    if len(vectors) != len(templates):
        raise RuntimeError(f"The argument v is expected to have as many tensors as {what}: {len(templates)}, not {len(vectors)}")
    for a, b in zip(vectors, templates, strict=True):
        if list(a.shape) != list(b.shape):
            raise RuntimeError(f"The v[i] should have the same shape as {what}[i]: {list(a.shape)}, not {list(b.shape)}")


def _gradients(ys: Any, xs: Any, v: Any) -> Any:
    weights = None if v is None else _list(v)
    grads = _grad(_list(ys), _list(xs), weights, create_graph=True, retain_graph=True, allow_unused=True)
    full = [functions.zeros_like(x) if g is None else g for g, x in zip(grads, _list(xs), strict=True)]
    return tuple(full) if isinstance(xs, Sequence) else full[0]


def vjp(func: Callable[..., Any], xs: Any, v: Any = None) -> tuple[Any, Any]:
    """``func`` at ``xs``, and the product of ``v`` with its Jacobian there.

    Args:
        func: function of one tensor, or of several, that returns a tensor or a sequence of them.
        xs: its argument, or a sequence of its arguments.
        v: weights of the results, of their shapes (default ones).

    Returns (results, gradients shaped as ``xs``). Raises RuntimeError where ``v`` does not fit.

    Example:
        >>> _, g = paddle.incubate.autograd.vjp(lambda x: x * x, paddle.to_tensor([1.0, 2.0]))
        >>> g.tolist()
        [2.0, 4.0]
    """
    xs, v = _leaves(xs), _leaves(v)
    ys = _called(func, xs)
    _check(v, ys, "ys")
    return ys, _gradients(ys, xs, v)


def jvp(func: Callable[..., Any], xs: Any, v: Any = None) -> tuple[Any, Any]:
    """``func`` at ``xs``, and the product of its Jacobian there with ``v``, a direction shaped as ``xs`` (default ones).

    Computed by two reverse passes (J. Townsend, "A new trick for calculating Jacobian vector products", 2017). See `vjp`.

    Example:
        >>> value, product = paddle.incubate.autograd.jvp(lambda x: x * x, paddle.to_tensor([1.0, 2.0]))
        >>> product.tolist()
        [2.0, 4.0]
    """
    xs, v = _leaves(xs), _leaves(v)
    ys = _called(func, xs)
    _check(v, xs, "xs")
    start = _leaves(tuple(map(functions.zeros_like, ys)) if isinstance(ys, Sequence) else functions.zeros_like(ys))
    return ys, _gradients(_gradients(ys, xs, start), start, v)


def _flat(tensors: Any, batched: bool) -> Any:
    parts = [t.reshape([t.shape[0], -1] if batched else [-1]) for t in _list(tensors)]
    return parts[0] if len(parts) == 1 else functions.concat(parts, axis=-1)


class Jacobian:
    """Derivatives of ``func`` at ``xs``: of shape [M, N] (with ``is_batched`` [B, M, N]).

    Results and arguments are flattened, several side by side. ``J[:]`` is the whole of it; ``J[i]`` and ``J[i, ...]`` compute one
    row only. See `autograd.jacobian` for tensors.

    Example:
        >>> paddle.incubate.autograd.Jacobian(lambda x: x * x, paddle.to_tensor([1.0, 2.0]))[:].tolist()
        [[2.0, 0.0], [0.0, 4.0]]
    """

    def __init__(self, func: Callable[..., Any], xs: Any, is_batched: bool = False) -> None:
        self._set(func, _leaves(xs), is_batched)

    def _set(self, func: Callable[..., Any], xs: Any, batched: bool) -> None:
        self._batched = batched
        ys = _flat(_called(func, xs), batched)
        self._rows = derivatives.JacobianRows(ys, _list(xs), batched)
        width = _flat(xs, batched).shape[-1]
        self.shape = [*(ys.shape[:1] if batched else []), self._rows.count, width]

    def __getitem__(self, index: Any) -> Any:
        items = index if isinstance(index, tuple) else (index,)
        row_axis = 1 if self._batched else 0
        if len(items) > row_axis and type(items[row_axis]) is int and -self._rows.count <= items[row_axis] < self._rows.count:
            row = self._rows.row(items[row_axis] % self._rows.count)
            column_index = items[:row_axis] + items[row_axis + 1 :]
            return row[column_index] if column_index else row
        return self._rows.all()[index]


class Hessian(Jacobian):
    """Second derivatives of a ``func`` whose result is one number (with ``is_batched`` one per item): [N, N] or [B, N, N].

    ``xs``: its arguments.

    Example:
        >>> x = paddle.to_tensor([1.0, 2.0])
        >>> paddle.incubate.autograd.Hessian(lambda x: (x * x).sum(), x)[:].tolist()
        [[2.0, 0.0], [0.0, 2.0]]
    """

    def _set(self, func: Callable[..., Any], xs: Any, batched: bool) -> None:
        def first(*args: Any) -> Any:
            ys = _flat(_called(func, args), batched)
            if ys.shape[-1] != 1:
                raise RuntimeError(f"Hessian: the function must return one element (with is_batched one per item), not {ys.shape}")
            rows = derivatives.JacobianRows(ys, list(args), batched)
            return rows.row(0)

        super()._set(first, tuple(_list(xs)), batched)


def grad(outputs: Any, inputs: Any, grad_outputs: Any = None) -> Any:
    """Gradients of ``outputs`` by ``inputs`` that can be differentiated again; None for inputs that are not used.

    ``grad_outputs``: weights of the outputs (default ones).

    Example:
        >>> x = paddle.to_tensor([2.0], stop_gradient=False)
        >>> paddle.incubate.autograd.grad(x**3, x).tolist()
        [12.0]
    """
    weights = None if grad_outputs is None else _list(grad_outputs)
    grads = _grad(_list(outputs), _list(inputs), weights, create_graph=True, retain_graph=True, allow_unused=True)
    return grads if isinstance(inputs, Sequence) else grads[0]


def forward_grad(outputs: Any, inputs: Any, grad_inputs: Any = None) -> Any:
    """The product of the Jacobian of ``outputs`` by ``inputs`` with a direction, in a Program that is built by hand.

    ``grad_inputs``: the direction, Tensors shaped as ``inputs`` (default ones). Computed by two reverse passes, as `jvp`. Raises
    ModeError in dynamic mode.
    ``outputs``, ``inputs``: tensors of the Program.

    Example:
        >>> paddle.enable_static()
        >>> with static.program_guard(static.Program()):
        ...     a = static.data("a", [2], "float32")
        ...     a.stop_gradient = False
        ...     direction = paddle.incubate.autograd.forward_grad(a * a, a)
        ...
        >>> paddle.disable_static()
    """
    if not mode.building():
        raise ModeError("forward_grad is for static Programs; use incubate.autograd.jvp(func, xs, v)")
    ys, xs = _list(outputs), _list(inputs)
    start = _leaves(tuple(map(functions.zeros_like, ys)))
    gradients = _grad(ys, xs, list(start), create_graph=True, allow_unused=True)
    cotangents = [None] * len(xs) if grad_inputs is None else _list(grad_inputs)
    rows = zip(gradients, xs, cotangents, strict=True)
    used = [(g, functions.ones_like(x) if v is None else v) for g, x, v in rows if g is not None]
    if not used:
        raise ModeError("forward_grad: no input takes part in gradients; set its stop_gradient to False before it is used")
    grads = _grad([g for g, _ in used], list(start), [v for _, v in used], create_graph=True, allow_unused=True)
    full = [functions.zeros_like(y) if g is None else g for g, y in zip(grads, ys, strict=True)]
    return full if isinstance(outputs, Sequence) else full[0]


class _Prim:
    enabled = False


def enable_prim() -> None:
    """Make `prim_enabled` return True. Operators are not decomposed: their gradients already have gradients.

    Example:
        >>> paddle.incubate.autograd.enable_prim()
        >>> paddle.incubate.autograd.prim_enabled()
        True
        >>> paddle.incubate.autograd.disable_prim()
    """
    _Prim.enabled = True


def disable_prim() -> None:
    """Make `prim_enabled` return False.

    Example:
        >>> paddle.incubate.autograd.disable_prim()
        >>> paddle.incubate.autograd.prim_enabled()
        False
    """
    _Prim.enabled = False


def prim_enabled() -> bool:
    """Return whether `enable_prim` was called last (default False).

    Example:
        >>> paddle.incubate.autograd.prim_enabled()
        False
    """
    return _Prim.enabled


def prim2orig(block: Any = None, blacklist: Any = None) -> None:
    """Nothing: there are no primitive operators to be put back."""


__getattr__ = names_missing(__name__)
