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


def prepared(specs: Any, kernel: Callable[..., Any], attrs: dict[str, Any], gradient: bool) -> Prepared | None:
    """The steps, for logits whose classes are last and labels (int64) for each row; None for others."""
    logits, label = specs[:2]
    if attrs["soft_label"] or not attrs.get("use_softmax", True) or logits.dtype.name not in ("float32", "float64"):
        return None
    if attrs["axis"] % logits.ndim != logits.ndim - 1 or label.dtype.name != "int64" or logits.size == 0:
        return None
    rows, classes = prod(logits.shape[:-1]), logits.shape[-1]
    dtype, ignored = logits.dtype.np, attrs["ignore_index"]
    shape, inside = logits.shape if gradient else label.shape, 0 <= ignored < classes

    def bind(inputs: Any, out: Any, work: list[Any], kept: list[Any], empty: Any = np.empty) -> Any:
        matrix, column, places = work
        line, ones, first = column.reshape(rows), np.ones(classes, dtype), np.arange(rows) * classes
        top: Any = np.maximum.reduce
        subtract, exp, dot, add, divide, multiply, log = np.subtract, np.exp, np.dot, np.add, np.divide, np.multiply, np.log
        flat = matrix.reshape(-1)

        def plain(numbers: Any) -> bool:
            """Whether every label is a class, and none is to be ignored."""
            if top(numbers.view("uint64")) >= classes:  # a negative number is a huge unsigned one
                return False
            return not inside or not bool((numbers == ignored).any())

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
            dot(matrix, ones, line)
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
            dot(matrix, ones, line)
            divide(g, line, line)
            multiply(matrix, column, z)
            add(first, numbers, places)
            z.reshape(-1)[places] -= g
            return y

        return slope if gradient else loss

    numbers = label.with_shape((rows,))
    return Prepared([TensorSpec((rows, classes), logits.dtype), TensorSpec((rows, 1), logits.dtype), numbers], [], bind)


def _into(out: Any, found: Any) -> Any:
    if out is None:
        return found
    np.copyto(out, found)
    return out
