"""How plans run the cross-entropy of labels that are class numbers, and its gradient: few calls, into memory that is there.

Labels that are ignored or out of range are left to the kernels, which know what to do and what to say.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from to_static.ir.opdef import Prepared
from to_static.ir.spec import TensorSpec

FEW = 1 << 12  # numbers that a product may add up: of more of them the rounding errors of partial sums count
LISTED = 48  # labels that are quicker looked up one by one than compared all at a time


def prepared(specs: Any, kernel: Callable[..., Any], attrs: dict[str, Any], gradient: bool) -> Prepared | None:
    """The steps, for logits whose classes are last and labels (int64) for each row; None for others."""
    if not _plain(specs, attrs):
        return None
    logits, label = specs[:2]
    rows, classes = prod(logits.shape[:-1]), logits.shape[-1]
    dtype = logits.dtype.np
    shape = logits.shape if gradient else label.shape

    def bind(inputs: Any, out: Any, work: list[Any], kept: list[Any], empty: Any = np.empty) -> Any:
        matrix, column, places = work
        line, ones, first = column.reshape(rows), np.ones(classes, dtype), np.arange(rows) * classes
        top: Any = np.maximum.reduce
        subtract, exp, add, divide, multiply, log = np.subtract, np.exp, np.add, np.divide, np.multiply, np.log
        flat, plain = matrix.reshape(-1), _check(rows, classes, attrs["ignore_index"])

        def loss(x: Any, label: Any) -> Any:
            numbers = label.reshape(rows)
            if not plain(numbers):
                return _into(out, kernel(np, x, label, **attrs))
            y = empty(shape, dtype) if out is None else out
            x = x.reshape(rows, classes)
            top(x, 1, None, column, True)
            subtract(x, column, matrix)
            add(first, numbers, places)
            picked = flat[places]
            exp(matrix, matrix)
            matrix.dot(ones, line)
            log(line, line)
            subtract(line, picked, y.reshape(rows))
            return y

        def slope(x: Any, label: Any, g: Any) -> Any:
            numbers = label.reshape(rows)
            if not plain(numbers):
                return _into(out, kernel(np, x, label, g, **attrs))
            y = empty(shape, dtype) if out is None else out
            x, z, g = x.reshape(rows, classes), y.reshape(rows, classes), g.reshape(rows)
            top(x, 1, None, column, True)
            subtract(x, column, matrix)
            exp(matrix, matrix)
            matrix.dot(ones, line)
            divide(g, line, line)
            multiply(matrix, column, z)
            add(first, numbers, places)
            z.reshape(-1)[places] -= g
            return y

        return slope if gradient else loss

    numbers = label.with_shape((rows,))
    return Prepared([TensorSpec((rows, classes), logits.dtype), TensorSpec((rows, 1), logits.dtype), numbers], [], bind)


def prepared_mean(specs: Any, kernel: Callable[..., Any], ignore_index: int) -> Prepared | None:
    """The same for the mean and its gradient in one: they share the exponentials, and each row counts as much as any other."""
    if not _plain(specs, {"soft_label": False, "axis": -1}):
        return None
    logits, label = specs
    rows, classes = prod(logits.shape[:-1]), logits.shape[-1]
    dtype, wide, long = logits.dtype.np, logits.ndim > 2, label.ndim > 1

    def bind(inputs: Any, out: Any, work: list[Any], kept: list[Any], empty: Any = np.empty) -> Any:
        matrix, column, places = work
        mean, slope = out
        line, ones, first = column.reshape(rows), np.ones(classes, dtype), np.arange(rows) * classes
        top: Any = np.maximum.reduce
        subtract, exp, add, divide, multiply, log = np.subtract, np.exp, np.add, np.divide, np.multiply, np.log
        flat, plain, share = matrix.reshape(-1), _check(rows, classes, ignore_index), np.asarray(1 / rows, dtype)
        shares, total = np.full(rows, share), np.add.reduce
        there = None if slope is None else slope.reshape(-1)

        def run(x: Any, label: Any) -> Any:
            numbers = label.reshape(rows) if long else label
            if not plain(numbers):
                return tuple(map(_into, out, kernel(np, x, label, ignore_index)))
            y = empty((), dtype) if mean is None else mean
            dx = empty(logits.shape, dtype) if slope is None else slope
            x, z = (x.reshape(rows, classes), dx.reshape(rows, classes)) if wide else (x, dx)
            top(x, 1, None, column, True)
            subtract(x, column, matrix)
            add(first, numbers, places)
            picked = flat[places]
            exp(matrix, matrix)
            matrix.dot(ones, line)
            losses = log(line)
            subtract(losses, picked, losses)
            if rows <= FEW:
                losses.dot(shares, y)
            else:
                multiply(total(losses, 0, None, y), share, y)
            divide(share, line, line)
            multiply(matrix, column, z)
            each = z.reshape(-1) if there is None else there
            each[places] -= share
            return y, dx

        return run

    numbers = TensorSpec((rows,), label.dtype)
    return Prepared([TensorSpec((rows, classes), logits.dtype), TensorSpec((rows, 1), logits.dtype), numbers], [], bind)


def _plain(specs: Any, attrs: dict[str, Any]) -> bool:
    """Whether classes are last, labels are class numbers of 64 bits, and there are any."""
    logits, label = specs[:2]
    if attrs["soft_label"] or not attrs.get("use_softmax", True) or logits.dtype.name not in ("float32", "float64"):
        return False
    return attrs["axis"] % logits.ndim == logits.ndim - 1 and label.dtype.name == "int64" and logits.size > 0


def _check(rows: int, classes: int, ignored: int) -> Callable[[Any], bool]:
    """A function that says whether every label is a class, and none is to be ignored."""
    if rows <= LISTED and classes <= FEW:
        known = frozenset(range(classes)) - {ignored}
        return lambda numbers: known.issuperset(numbers.tolist())
    top: Any = np.maximum.reduce
    inside, unsigned = 0 <= ignored < classes, np.dtype("uint64")

    def plain(numbers: Any) -> bool:
        if top(numbers.view(unsigned)) >= classes:  # a negative number is a huge unsigned one
            return False
        return not inside or not bool((numbers == ignored).any())

    return plain


def _into(out: Any, found: Any) -> Any:
    if out is None:
        return found
    np.copyto(out, found)
    return out
