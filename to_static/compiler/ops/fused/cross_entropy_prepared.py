"""The prepared form of cross-entropy of integer labels and of its gradient: few NumPy calls, and memory that is allocated once.

If a label is ignored or out of range, the usual kernels run instead, which also raise the errors.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from to_static.compiler.ir.opdef import Prepared
from to_static.compiler.ir.spec import TensorSpec
from to_static.core.array_types import Array

FEW = 1 << 12  # numbers that a product may add up: of more of them the rounding errors of partial sums count
LISTED = 48  # labels that are quicker looked up one by one than compared all at a time


def prepared(specs: Any, kernel: Callable[..., Any], attrs: dict[str, Any], gradient: bool) -> Prepared | None:
    """The steps, for logits whose classes are last and labels (int64) for each row; None for others."""
    if not _is_supported(specs, attrs):
        return None
    logits, label = specs[:2]
    rows, classes = prod(logits.shape[:-1]), logits.shape[-1]
    dtype = logits.dtype.np
    shape = logits.shape if gradient else label.shape

    def bind(
        inputs: list[Array | None],
        out: Array | None,
        work: list[Any],
        persistent: list[Any],
        empty: Callable[..., Any] = np.empty,
    ) -> Any:
        fits, (sums, slopes) = _check(rows, classes, attrs["ignore_index"]), _softmax_steps(work)
        line, log, subtract = work[1].reshape(rows), np.log, np.subtract

        def loss(x: Array, label: Array) -> Array:
            label_rows = label.reshape(rows)
            if not fits(label_rows):
                return _into(out, kernel(np, x, label, **attrs))
            y = empty(shape, dtype) if out is None else out
            picked = sums(x.reshape(rows, classes), label_rows, True)
            log(line, line)
            subtract(line, picked, y.reshape(rows))
            return y

        def slope(x: Array, label: Array, g: Array) -> Array:
            label_rows = label.reshape(rows)
            if not fits(label_rows):
                return _into(out, kernel(np, x, label, g, **attrs))
            y = empty(shape, dtype) if out is None else out
            sums(x.reshape(rows, classes), label_rows, False)
            slopes(g.reshape(rows), y.reshape(rows, classes), y.reshape(-1))
            return y

        return slope if gradient else loss

    return _with_memory(logits, label, bind)


def prepared_mean(specs: Any, kernel: Callable[..., Any], ignore_index: int) -> Prepared | None:
    """The same for the mean and its gradient in one: they share the exponentials, and each row counts as much as any other."""
    if not _is_supported(specs, {"soft_label": False, "axis": -1}):
        return None
    logits, label = specs
    rows, classes = prod(logits.shape[:-1]), logits.shape[-1]
    dtype, has_positions, has_label_axis = logits.dtype.np, logits.ndim > 2, label.ndim > 1

    def bind(inputs: Any, out: Any, work: list[Any], persistent: list[Any], empty: Any = np.empty) -> Any:
        fits, (sums, slopes) = _check(rows, classes, ignore_index), _softmax_steps(work)
        mean, slope = out
        line, log, subtract, multiply, total = work[1].reshape(rows), np.log, np.subtract, np.multiply, np.add.reduce
        share = np.asarray(1 / rows, dtype)
        shares = np.full(rows, share)
        flat_slope = None if slope is None else slope.reshape(-1)

        def prepared_mean_run(x: Any, label: Any) -> Any:
            label_rows = label.reshape(rows) if has_label_axis else label
            if not fits(label_rows):
                return tuple(map(_into, out, kernel(np, x, label, ignore_index)))
            y = empty((), dtype) if mean is None else mean
            dx = empty(logits.shape, dtype) if slope is None else slope
            x, z = (x.reshape(rows, classes), dx.reshape(rows, classes)) if has_positions else (x, dx)
            picked = sums(x, label_rows, True)
            losses = log(line)
            subtract(losses, picked, losses)
            if rows <= FEW:
                losses.dot(shares, y)
            else:
                multiply(total(losses, 0, None, y), share, y)
            slopes(share, z, z.reshape(-1) if flat_slope is None else flat_slope)
            return y, dx

        return prepared_mean_run

    return _with_memory(logits, label, bind)


def _with_memory(logits: TensorSpec, label: TensorSpec, bind: Callable[..., Any]) -> Prepared:
    """Steps on a matrix, a column, and a place in the matrix for each row."""
    rows, classes = prod(logits.shape[:-1]), logits.shape[-1]
    positions = label.with_shape((rows,))
    return Prepared([TensorSpec((rows, classes), logits.dtype), TensorSpec((rows, 1), logits.dtype), positions], [], bind)


def _softmax_steps(work: list[Any]) -> tuple[Any, Any]:
    """Two functions: one for the exponentials of rows and their sums, one for slopes. The memory is that of `_with_memory`."""
    matrix, column, positions = work
    rows, classes = matrix.shape
    line, flat = column.reshape(rows), matrix.reshape(-1)
    ones, first = np.ones(classes, matrix.dtype), np.arange(rows) * classes
    top: Any = np.maximum.reduce
    subtract, exp, add, divide, multiply = np.subtract, np.exp, np.add, np.divide, np.multiply

    def sums(x: Array, label_rows: Array, picks: bool) -> Any:
        """Exponentials go into the matrix, their sums into the column. Gives the logits of the labels, if ``picks``."""
        top(x, 1, None, column, True)
        subtract(x, column, matrix)
        add(first, label_rows, positions)
        picked = flat[positions] if picks else None
        exp(matrix, matrix)
        matrix.dot(ones, line)
        return picked

    def slopes(g: Array, out: Array, out_flat: Array) -> None:
        """After `sums`: the gradient of the logits from those of the losses, into one piece of memory with two shapes."""
        divide(g, line, line)
        multiply(matrix, column, out)
        out_flat[positions] -= g

    return sums, slopes


def _is_supported(specs: tuple[TensorSpec, ...], attrs: dict[str, Any]) -> bool:
    """True if classes are last, labels are class numbers of 64 bits, and there are any."""
    logits, label = specs[:2]
    if attrs["soft_label"] or not attrs.get("use_softmax", True) or logits.dtype.name not in ("float32", "float64"):
        return False
    return attrs["axis"] % logits.ndim == logits.ndim - 1 and label.dtype.name == "int64" and logits.size > 0


def _check(rows: int, classes: int, ignored: int) -> Callable[[Any], bool]:
    """A function that says whether every label is a class, and none is to be ignored."""
    if rows <= LISTED and classes <= FEW:
        valid_labels = frozenset(range(classes)) - {ignored}
        return lambda labels: valid_labels.issuperset(labels.tolist())
    top: Any = np.maximum.reduce
    inside, unsigned = 0 <= ignored < classes, np.dtype("uint64")

    def are_valid(label_rows: Any) -> bool:
        if top(label_rows.view(unsigned)) >= classes:  # a negative number is a huge unsigned one
            return False
        return not inside or not bool((label_rows == ignored).any())

    return are_valid


def _into(out: Array | None, result: Array) -> Array:
    if out is None:
        return result
    np.copyto(out, result)
    return out
