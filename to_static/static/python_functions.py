"""`py_func`: a Python function of the user's in a Program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from to_static.compiler.ops.control.py_func import py_func as operator
from to_static.framework.lod_tensor import LoDTensor
from to_static.static.program import static_builder


def py_func(
    func: Callable[..., Any],
    x: Any,
    out: Any,
    backward_func: Callable[..., Any] | None = None,
    skip_vars_in_backward_input: Any = None,
) -> Any:
    """Call ``func`` in every run of the Program.

    Args:
        func: gets the numbers of ``x`` (as `base.LoDTensor`, which NumPy takes for an array), gives those of ``out``; None where
            there is no ``out``.
        x: a tensor, or a list of tensors.
        out: a tensor, or a list, made by ``block.create_var(name, shape, dtype)``, which become the results; None: none.
        backward_func: gets the numbers of ``x``, of ``out`` and the gradients of ``out``, gives those of ``x`` (None for one that
            has none).
        skip_vars_in_backward_input: of ``x`` and ``out`` those that ``backward_func`` does not get.

    Returns ``out``. A file can't hold a Python function: saving such a Program is refused. Raises ModeError in dynamic mode,
    TypeError for a function that can't be called; when it runs, DTypeError or ShapeError for results that are not as declared.

    Example:
        >>> out = paddle.static.default_main_program().current_block().create_var('h', [None, 4], 'float32')
        >>> paddle.static.py_func(lambda v: np.tanh(v), x, out, lambda v, y, dy: np.array(dy) * (1 - np.square(y)))

    Source: PaddlePaddle 2.6, ``paddle.static.py_func``.
    """
    builder = static_builder("py_func")
    for function, name in ((func, "func"), (backward_func, "backward_func")):
        if not callable(function) and not (function is None and name == "backward_func"):
            raise TypeError(f"py_func: {name} must be callable, got {type(function).__name__}")
    xs, outs = _listed(x), _listed(out)
    skipped = {id(v) for v in _listed(skip_vars_in_backward_input)}
    is_kept = [id(v) not in skipped for v in (*xs, *outs)]

    def call(arrays: list[np.ndarray]) -> list[Any]:
        returned = func(*map(LoDTensor, arrays))
        return list(returned) if isinstance(returned, (list, tuple)) else [] if returned is None else [returned]

    def backward(arrays: list[Any]) -> list[Any]:
        arguments = [a for a, keep in zip(arrays, is_kept, strict=False) if keep] + arrays[len(is_kept) :]
        returned = backward_func(*(None if a is None else LoDTensor(a) for a in arguments))  # type: ignore[misc]
        return list(returned) if isinstance(returned, (list, tuple)) else [returned]

    results = operator(xs, call, backward if backward_func is not None else None, tuple(v.spec for v in outs))
    for handle, result in zip(outs, results, strict=True):
        result.ssa.name, result.ssa.stop_gradient = handle.name, backward_func is None or result.ssa.stop_gradient
        builder.hold(handle, result)
    return out


def _listed(value: Any) -> list[Any]:
    return [] if value is None else list(value) if isinstance(value, (list, tuple)) else [value]
